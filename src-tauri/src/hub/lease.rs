//! The task that keeps the bot's lease, and what its holder leaves for the next one: which messages
//! are which cards, and which chats may answer. It outlives the connections to the hub: what may be
//! sent is decided also while there is none.
//!
//! Not here: the rules (`beckon_core::hub`), and what the loop makes of it (`app/hub/bot.rs`).

use super::connection::HubLine;
use super::follow::Followed;
use super::pace::Pace;
use super::publishing::sealed;
use super::streams;
use super::trust::Trust;
use super::{BotCommand, BotReport, HubReport};
use crate::platform::part;
use crate::platform::sink::Sink;
use anyhow::{Context as _, Result};
use async_nats::HeaderMap;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::Message;
use beckon_client::platform::clock;
use beckon_core::Span;
use beckon_core::hub::{
    CardRecord, CardSubject, ChatsRecord, ClaimEnd, Lease, LeaseClaim, LeaseHolder, LeaseRecord,
    Permit, RecordFault, chats_subject, every_chats, lease_subject,
};
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// How long the hub may be silent until it counts as gone.
const WITHIN: Duration = Duration::from_secs(5);
/// How long until a stream that cannot be followed is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// The task that keeps the lease of the bot that this Beckon has.
pub(super) struct LeaseKeeper {
    pub(super) node: String,
    pub(super) machine: String,
    pub(super) reports: Sink<HubReport>,
    pub(super) permit: Arc<watch::Sender<Permit>>,
    /// The connection, while there is one.
    pub(super) link: watch::Receiver<Option<HubLine>>,
    pub(super) commands: UnboundedReceiver<BotCommand>,
    /// Whether the bot stays with another hub that was left.
    pub(super) is_bot_elsewhere: bool,
    /// The time from which it looks for other pollers, after the hub was left; `None` while there
    /// is a hub.
    pub(super) has_left: Option<Span>,
}

/// A reason why a connection, or a bot, is left.
enum Left {
    /// The connection was replaced or has ended.
    Link,
    /// The bot is a different one, or there is none.
    Bot(Option<i64>),
    /// The task has nobody left who commands it.
    Over,
}

impl LeaseKeeper {
    pub(super) async fn run(mut self) {
        let mut bot = None;
        loop {
            let next = match bot {
                Some(bot) => self.serve(bot).await,
                None => self.commands.recv().await.map(|command| match command {
                    BotCommand::Serve(bot) => bot,
                    _ => None,
                }),
            };
            let Some(next) = next else { return };
            bot = next;
        }
    }

    /// Serves a bot, and returns the next one; `None` when nobody commands any more.
    async fn serve(&mut self, bot: i64) -> Option<Option<i64>> {
        let run = format!("{:016x}", rand::random::<u64>());
        let lease = match self.has_left {
            Some(from) => Lease::after_leaving(&self.node, &self.machine, from),
            None => self.lease(&run, clock::steady()),
        };
        let mut watched = Watched {
            lease,
            told: None,
            bot,
        };
        loop {
            let link = self.link.borrow_and_update().clone();
            let left = match &link {
                Some(line) => self.with_hub(line, &mut watched).await,
                None => self.without_hub(&mut watched).await,
            };
            match left {
                Left::Link => {}
                Left::Bot(next) => {
                    self.let_go(link.as_ref(), &mut watched).await;
                    break Some(next);
                }
                Left::Over => {
                    self.permit.send_replace(Permit::Never);
                    break None;
                }
            }
        }
    }

    fn lease(&self, run: &str, now: Span) -> Lease {
        let lease = Lease::new(&self.node, &self.machine, run, now);
        match self.is_bot_elsewhere {
            true => lease.looks_first(now),
            false => lease,
        }
    }

    async fn let_go(&self, link: Option<&HubLine>, watched: &mut Watched) {
        self.permit.send_replace(Permit::Never);
        if let (Some(line), Some(claim)) = (link, watched.lease.release(clock::steady())) {
            let _ = timeout(WITHIN, write(line.clone(), watched.bot, claim)).await;
        }
    }

    /// Reads the bot's streams and then follows them. Commands and a new connection are heard while
    /// it reads: a slow line may take long.
    async fn with_hub(&mut self, line: &HubLine, watched: &mut Watched) -> Left {
        let bot = watched.bot;
        let reports = self.reports.clone();
        let read_line = line.clone();
        let listing = Box::pin(async move {
            let begun = timeout(WITHIN, BotStreams::begin(&read_line, bot)).await;
            let mut streams = begun.context("it does not answer")??;
            let there = streams.list(&reports).await?;
            anyhow::Ok((streams, there))
        });

        match self.without_hub_until(watched, listing).await {
            Ok(Ok((streams, there))) => {
                watched.lease.connect(there, clock::steady());
                self.follow(line, streams, watched).await
            }
            Ok(Err(error)) => self.put_off(watched, &error).await,
            Err(left) => left,
        }
    }

    async fn put_off(&mut self, watched: &mut Watched, error: &anyhow::Error) -> Left {
        tracing::debug!(
            error = format!("{error:#}"),
            "the streams of the bot can't be heard"
        );
        match self.without_hub_until(watched, sleep(AGAIN)).await {
            Ok(()) => Left::Link,
            Err(left) => left,
        }
    }

    /// Serves the bot by what this machine knows alone, until there is a connection.
    async fn without_hub(&mut self, watched: &mut Watched) -> Left {
        match self
            .without_hub_until(watched, pending::<Infallible>())
            .await
        {
            Ok(never) => match never {},
            Err(left) => left,
        }
    }

    /// Serves the bot by what this machine knows alone until that is done, and returns what came of it.
    /// However long it takes, commands and another connection are heard meanwhile.
    async fn without_hub_until<T>(
        &mut self,
        watched: &mut Watched,
        done: impl Future<Output = T>,
    ) -> Result<T, Left> {
        watched.lease.disconnect(clock::steady());
        tokio::pin!(done);
        loop {
            self.tell(watched);
            let due = watched.lease.due(clock::steady());
            tokio::select! {
                changed = self.link.changed() => {
                    return Err(changed.map_or(Left::Over, |()| Left::Link));
                }
                command = self.commands.recv() => match command {
                    None => return Err(Left::Over),
                    Some(BotCommand::Serve(bot)) => if bot != Some(watched.bot) {
                        return Err(Left::Bot(bot));
                    },
                    Some(command) => watched.take(&command),
                },
                output = &mut done => return Ok(output),
                () = reached(due) => {}
            }
        }
    }

    async fn follow(
        &mut self,
        line: &HubLine,
        mut streams: BotStreams,
        watched: &mut Watched,
    ) -> Left {
        let mut claims: FuturesUnordered<BoxFuture<'_, (LeaseClaim, ClaimEnd)>> =
            FuturesUnordered::new();
        let mut pace = Pace::default();
        loop {
            if let Some(claim) = watched.lease.claim(clock::steady()) {
                claims.push(Box::pin(write(line.clone(), watched.bot, claim)));
            }
            self.tell(watched);
            let due = watched.lease.due(clock::steady());
            tokio::select! {
                Some((claim, end)) = claims.next() => watched.lease.end_claim(&claim, end),
                heard = streams.next() => match heard {
                    Ok(heard) => {
                        self.hear(heard, watched);
                        pace.count();
                    }
                    Err(error) => return self.put_off(watched, &error).await,
                },
                changed = self.link.changed() => {
                    watched.lease.disconnect(clock::steady());
                    return changed.map_or(Left::Over, |()| Left::Link);
                }
                command = self.commands.recv() => match command {
                    None => return Left::Over,
                    Some(BotCommand::Serve(bot)) => if bot != Some(watched.bot) {
                        // The lease is given back as it is after all claims under way have ended.
                        while let Some((claim, end)) = claims.next().await {
                            watched.lease.end_claim(&claim, end);
                        }
                        return Left::Bot(bot);
                    },
                    Some(command) => {
                        watched.take(&command);
                        self.publish(line, watched.bot, command);
                    }
                },
                () = reached(due) => {}
            }
            pace.keep(&self.reports).await;
        }
    }

    fn hear(&self, heard: Heard, watched: &mut Watched) {
        match heard {
            Heard::Lease(record, sequence) => {
                watched.lease.hear(record, sequence, clock::steady());
            }
            Heard::Card(subject, record) => self.report(BotReport::Card(subject, record)),
            Heard::Chats(node, record) => self.report(BotReport::Chats(node, record)),
            Heard::Refused(subject, fault) => {
                self.reports
                    .post(HubReport::Refused(subject, fault.of_now()));
            }
        }
    }

    /// Publishes a record. Nobody waits for that: what fails is published again over the next
    /// connection.
    fn publish(&self, line: &HubLine, bot: i64, command: BotCommand) {
        let told = match command {
            BotCommand::Card(ask, record) => {
                let subject = CardSubject { bot, ask }.subject();
                sealed(&line.key, &subject, &record).map(|body| (subject, body))
            }
            BotCommand::Chats(record) => {
                let subject = chats_subject(bot, &self.node);
                sealed(&line.key, &subject, &record).map(|body| (subject, body))
            }
            _ => return,
        };
        let jetstream = line.jetstream.clone();
        part::spawn(async move {
            let told = async {
                let (subject, body) = told?;
                anyhow::Ok(jetstream.publish(subject, body.into()).await?.await?)
            };
            if let Err(error) = told.await {
                let error = format!("{error:#}");
                tracing::warn!(
                    error,
                    "a record of Telegram's cards or chats was not published"
                );
            }
        });
    }

    /// Tells what may be sent, and who serves the bot, if that has changed. The loop is told of a
    /// lease before anything may be sent under it.
    fn tell(&self, watched: &mut Watched) {
        let now = clock::steady();
        let (permit, holder) = (watched.lease.permit(now), watched.lease.holder(now));
        let may = permit.allows(now);
        // A probe under way restarts each time its permit is sent, so only a changed permit is
        // sent.
        let permits = |told: &mut Permit| std::mem::replace(told, permit) != permit;
        if !may {
            self.permit.send_if_modified(permits);
        }
        if watched.told.as_ref() != Some(&holder) && !is_refreshed(&watched.told, &holder) {
            tracing::info!(bot = watched.bot, ?holder, "who serves the bot");
            self.report(BotReport::Holder(holder.clone()));
            watched.told = Some(holder);
        }
        if may {
            self.permit.send_if_modified(permits);
        }
    }

    fn report(&self, report: BotReport) {
        self.reports.post(HubReport::Bot(report));
    }
}

/// Whether it is the same holder with a younger record: for one run the first token stays.
fn is_refreshed(told: &Option<LeaseHolder>, now: &LeaseHolder) -> bool {
    matches!(
        (told, now),
        (Some(LeaseHolder::Own(_)), LeaseHolder::Own(_))
    )
}

/// A bot and its lease.
struct Watched {
    bot: i64,
    lease: Lease,
    told: Option<LeaseHolder>,
}

impl Watched {
    fn take(&mut self, command: &BotCommand) {
        let now = clock::steady();
        match command {
            BotCommand::Probed(found) => self.lease.end_probe(*found, now),
            BotCommand::Conflict { others } => self.lease.conflict(*others, now),
            BotCommand::Reached => self.lease.reached(now),
            BotCommand::Unreached { others } => self.lease.unreached(*others, now),
            BotCommand::Serve(_) | BotCommand::Card(..) | BotCommand::Chats(_) => {}
        }
    }
}

/// The records of one bot on the hub.
struct BotStreams {
    trust: Trust,
    lease: Followed,
    cards: Followed,
    chats: Followed,
}

/// A record that was heard.
enum Heard {
    Lease(LeaseRecord, u64),
    Card(CardSubject, CardRecord),
    Chats(String, ChatsRecord),
    /// A record that cannot be read, or is not believed.
    Refused(String, RecordFault),
}

impl BotStreams {
    async fn begin(line: &HubLine, bot: i64) -> Result<Self> {
        let (jetstream, trust) = (&line.jetstream, line.trust.clone());
        Ok(Self {
            trust,
            lease: Followed::begin(jetstream, streams::LEASE, &lease_subject(bot)).await?,
            cards: Followed::begin(jetstream, streams::CARDS, &CardSubject::every(bot)).await?,
            chats: Followed::begin(jetstream, streams::CHATS, &every_chats(bot)).await?,
        })
    }

    /// Lists what is there: the loop is told of cards and chats before a lease can follow.
    async fn list(&mut self, reports: &Sink<HubReport>) -> Result<Option<(LeaseRecord, u64)>> {
        let (mut cards, mut chats, mut there) = (BTreeMap::new(), BTreeMap::new(), None);
        let mut pace = Pace::default();
        while !(self.cards.is_caught_up() && self.chats.is_caught_up() && self.lease.is_caught_up())
        {
            // There may be much to read, and the line may be slow: only silence ends it.
            let heard = timeout(WITHIN, self.next()).await;
            match heard.context("it does not list")?? {
                Heard::Lease(record, sequence) => there = Some((record, sequence)),
                Heard::Card(subject, record) => _ = cards.insert(subject.ask, record),
                Heard::Chats(node, record) => _ = chats.insert(node, record),
                // This was left by a device that is off the desk now.
                Heard::Refused(_, RecordFault::Former) => {}
                Heard::Refused(subject, fault) => {
                    reports.post(HubReport::Refused(subject, fault));
                    pace.count();
                }
            }
            pace.keep(reports).await;
        }
        reports.post(HubReport::Bot(BotReport::Listed { cards, chats }));
        Ok(there)
    }

    async fn next(&mut self) -> Result<Heard> {
        let (message, read): (Message, Reader) = tokio::select! {
            message = self.lease.next() => (message?, lease),
            message = self.cards.next() => (message?, card),
            message = self.chats.next() => (message?, chats),
        };
        let heard = read(&self.trust, &message);
        Ok(heard.unwrap_or_else(|fault| Heard::Refused(message.subject.to_string(), fault)))
    }
}

type Reader = fn(&Trust, &Message) -> Result<Heard, RecordFault>;

fn lease(trust: &Trust, message: &Message) -> Result<Heard, RecordFault> {
    let record = opened(trust, message)?;
    let sequence = message
        .info()
        .map_err(|_| RecordFault::Unreadable)?
        .stream_sequence;
    Ok(Heard::Lease(record, sequence))
}

fn card(trust: &Trust, message: &Message) -> Result<Heard, RecordFault> {
    let subject = CardSubject::parse(&message.subject).ok_or(RecordFault::Unreadable)?;
    Ok(Heard::Card(subject, opened(trust, message)?))
}

fn chats(trust: &Trust, message: &Message) -> Result<Heard, RecordFault> {
    let node = message
        .subject
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .to_owned();
    Ok(Heard::Chats(node, opened(trust, message)?))
}

fn opened<T: DeserializeOwned>(trust: &Trust, message: &Message) -> Result<T, RecordFault> {
    Ok(trust.open(&message.subject, &message.payload)?.record)
}

/// Writes the lease, if the expected record is still the last one.
async fn write(line: HubLine, bot: i64, claim: LeaseClaim) -> (LeaseClaim, ClaimEnd) {
    let end = try_write(&line, bot, &claim).await;
    if let Err(error) = &end {
        tracing::debug!(
            error = format!("{error:#}"),
            "it is unknown whether the lease was written"
        );
    }
    (claim, end.unwrap_or(ClaimEnd::Unknown))
}

async fn try_write(line: &HubLine, bot: i64, claim: &LeaseClaim) -> Result<ClaimEnd> {
    let subject = lease_subject(bot);
    let mut headers = HeaderMap::new();
    let expects = claim.expects.to_string();
    headers.insert(
        async_nats::header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE,
        expects.as_str(),
    );
    let body = sealed(&line.key, &subject, &claim.record)?;
    let sent = line
        .jetstream
        .publish_with_headers(subject, headers, body.into())
        .await;
    match sent.context("Failed to ask for the lease")?.await {
        Ok(written) => Ok(ClaimEnd::Written(written.sequence)),
        Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(ClaimEnd::Refused),
        Err(error) => Err(error).context("Failed to ask for the lease"),
    }
}

/// Waits until that time of the steady clock; for ever if there is none.
async fn reached(at: Option<Span>) {
    match at {
        Some(at) => {
            let left = u64::try_from(at.0.saturating_sub(clock::steady().0)).unwrap_or(0);
            sleep(Duration::from_millis(left.max(1))).await;
        }
        None => std::future::pending().await,
    }
}
