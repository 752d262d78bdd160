//! The connections to the hub, one after the other: subscribe, list, then follow until the
//! connection breaks. Each connection lists everything anew, so nothing that was published
//! meanwhile is missed.

use super::fault::{OddServer, UnusableCa};
use super::follow::{Followed, next_of};
use super::guard::{self, HubAddress};
use super::key::DeviceKey;
use super::listing::AskListing;
use super::login::{self, Login, ServerWord, WITHIN};
use super::pace::Pace;
use super::pauses::{self, Pauses};
use super::places::{self, Places};
use super::publishing::{publish, publish_answer};
use super::rooms::DeviceRooms;
use super::streams::{self, OtherRules};
use super::trust::{self, Trust};
use super::{HubCommand, HubReport, HubState, OutgoingAnswer, Publication};
use crate::platform::account;
use crate::platform::owner::OtherUser;
use crate::platform::part;
use crate::platform::sink::Sink;
use anyhow::{Context as _, Result, anyhow};
use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::message::Message;
use async_nats::jetstream::{self, Context};
use beckon_client::config::HubConfig;
use beckon_client::text::words;
use beckon_core::hub::{AnswerSubject, AskSubject, DeskRecord, HereSubject};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout};

/// The interval at which this machine publishes a sign of life.
const HEARTBEAT: Duration = Duration::from_secs(15);

pub(super) async fn run(
    (config, node): (HubConfig, String),
    mut desk: Option<DeskRecord>,
    reports: Sink<HubReport>,
    mut inbox: UnboundedReceiver<HubCommand>,
    linked: watch::Sender<Option<HubLine>>,
) {
    let mut pauses = Pauses::default();
    let mut was_unknown = false;
    let mut listing = AskListing::default();
    loop {
        let began = Instant::now();
        let mut link = HubLink::new(&config, &node, &reports, (desk.take(), &linked)).await;
        link.listing = listing;
        let held = Box::pin(link.hold(&mut inbox)).await;
        listing = std::mem::take(&mut link.listing);
        linked.send_replace(None);
        let Err(broken) = held else { return };
        desk = link.desk.take();
        if broken.is::<Anew>() {
            continue;
        }
        let state = state_of(&broken);
        tracing::debug!(?state, "the connection to the hub ended");
        // A server whose list of logins is being changed refuses clients at that moment, so a
        // single refusal is not reported.
        let is_unknown = state == HubState::Unknown;
        if was_unknown || !is_unknown {
            reports.post(HubReport::State(state));
        }
        was_unknown = is_unknown;
        sleep(pauses.after(began.elapsed(), pauses::is_unreached(&broken))).await;
        // Commands that came meanwhile are dropped: the loop publishes anew after the list that
        // follows.
        while let Ok(command) = inbox.try_recv() {
            link.report_unsent(command);
        }
    }
}

fn state_of(broken: &anyhow::Error) -> HubState {
    if let Some(OtherRules(name)) = broken.downcast_ref() {
        return HubState::OtherRules((*name).to_owned());
    }
    if let Some(Forbidden(what)) = broken.downcast_ref() {
        return HubState::Forbidden(what.clone());
    }
    if let Some(unusable) = broken.downcast_ref::<UnusableCa>() {
        return HubState::UnusableCa(unusable.clone());
    }
    if let Some(odd) = broken.downcast_ref::<OddServer>() {
        return HubState::Odd(*odd);
    }
    if broken.is::<OtherUser>() {
        return HubState::OtherUser;
    }
    match broken.downcast_ref() {
        Some(error) if login::is_unknown(error) => HubState::Unknown,
        _ => HubState::Down(words::causes(broken)),
    }
}

/// The end of a connection because the device has a key now: it may be let in where it was not.
#[derive(Debug, thiserror::Error)]
#[error("the key has changed")]
struct Anew;

/// The error for something that the server does not let this device do.
#[derive(Debug, thiserror::Error)]
#[error("the hub does not allow it: {0}")]
struct Forbidden(String);

fn ended(word: Option<ServerWord>) -> anyhow::Error {
    match word {
        Some(ServerWord::Forbidden(what)) => Forbidden(what).into(),
        Some(ServerWord::Ended(why)) => anyhow!(why),
        Some(ServerWord::Odd(odd)) => odd.into(),
        None => anyhow!("the connection ended"),
    }
}

/// A connection, for other tasks that read and write over it.
#[derive(Clone)]
pub(super) struct HubLine {
    pub(super) jetstream: Context,
    pub(super) key: Arc<DeviceKey>,
    pub(super) trust: Trust,
}

pub(super) struct HubLink<'a> {
    config: &'a HubConfig,
    node: &'a str,
    pub(super) reports: &'a Sink<HubReport>,
    /// The device's key. Without it nothing is published, but other machines' records are read.
    key: Option<Arc<DeviceKey>>,
    /// The newest desk record that the admin has signed.
    desk: Option<DeskRecord>,
    pub(super) trust: Trust,
    /// The sender of the connection to the tasks that use it.
    linked: &'a watch::Sender<Option<HubLine>>,
    /// The places, in later rounds of own asks, where answers were looked for.
    places: Places,
    /// The asks that were read before the last connection broke.
    pub(super) listing: AskListing,
    /// The pace at which records go to the loop.
    pub(super) pace: Pace,
    /// The room of each device for its asks.
    pub(super) rooms: DeviceRooms,
}

/// The streams that are followed.
struct Streams {
    desk: Option<Followed>,
    asks: Followed,
    answers: Followed,
    here: Followed,
}

impl<'a> HubLink<'a> {
    async fn new(
        config: &'a HubConfig,
        node: &'a str,
        reports: &'a Sink<HubReport>,
        (desk, linked): (Option<DeskRecord>, &'a watch::Sender<Option<HubLine>>),
    ) -> Self {
        let key = read_key().await;
        let public = key.as_ref().map(|key| key.public()).map_err(Clone::clone);
        reports.post(HubReport::Key(public));
        let (key, trust) = (key.ok(), Trust::default());
        let places = Places::default();
        let mut link = Self {
            config,
            node,
            reports,
            key,
            desk,
            trust,
            linked,
            places,
            listing: AskListing::default(),
            pace: Pace::default(),
            rooms: DeviceRooms::default(),
        };
        link.trust = link.trusted();
        link
    }

    fn trusted(&self) -> Trust {
        self.trusted_with(self.desk.as_ref())
    }

    fn trusted_with(&self, desk: Option<&DeskRecord>) -> Trust {
        let mut trust = Trust::of(&self.config.devices).with_desk(desk);
        if let Some(key) = &self.key {
            trust.add(&account::machine().unwrap_or_default(), &key.public());
        }
        trust
    }

    /// Runs the connection until it breaks, or until the loop has dropped its handle.
    async fn hold(&mut self, inbox: &mut UnboundedReceiver<HubCommand>) -> Result<()> {
        let (words, mut server) = unbounded_channel();
        let jetstream = timeout(WITHIN, self.connect(words))
            .await
            .context("it does not answer")??;
        let mut streams = self.begun(&jetstream, &mut server).await?;
        if self.config.admin.is_none() {
            part::spawn(streams::bound(jetstream.clone()));
        }
        let mut beat = interval(HEARTBEAT);
        let (failed, mut is_failed) = unbounded_channel::<String>();
        let mut found = self.look_for_key();
        loop {
            tokio::select! {
                word = server.recv() => return Err(ended(word)),
                message = next_of(&mut streams.desk) => {
                    if self.take_desk(&message?) {
                        streams = self.begun(&jetstream, &mut server).await?;
                    }
                }
                message = streams.asks.next() => self.on_ask(&message?),
                message = streams.answers.next() => self.on_answer(&message?),
                message = streams.here.next() => self.on_here(&message?),
                command = inbox.recv() => match command {
                    Some(command) => self.carry_out(command, &jetstream, &failed).await?,
                    None => return Ok(()),
                },
                _ = beat.tick() => self.reports.post(HubReport::Beat),
                _ = found.join_next(), if !found.is_empty() => return Err(Anew.into()),
                why = is_failed.recv() => return Err(why_failed(why, &mut server)),
            }
            self.pace.keep(self.reports).await;
        }
    }

    async fn connect(&self, words: UnboundedSender<ServerWord>) -> Result<Context> {
        let login = self.key.as_deref().map(Login::of).transpose()?;
        let options = login::options(login.as_ref())?;
        let options = login::heard(options, words.clone())
            .connection_timeout(WITHIN)
            .request_timeout(Some(WITHIN))
            .ping_interval(HEARTBEAT)
            // This task reconnects by itself, and lists anew.
            .max_reconnects(1);
        let client = guard::connect(options, &HubAddress::of(self.config), words).await?;
        let mut jetstream = jetstream::new(client);
        jetstream.set_timeout(WITHIN);
        Ok(jetstream)
    }

    /// Reads everything, at the start and whenever the set of trusted devices has changed.
    async fn begun(
        &mut self,
        jetstream: &Context,
        server: &mut UnboundedReceiver<ServerWord>,
    ) -> Result<Streams> {
        let (streams, listed) = tokio::select! {
            // Each step has its own limit: there may be much to read, and the line may be slow.
            begun = self.begin(jetstream) => begun?,
            // The server does not answer what it forbids.
            word = server.recv() => return Err(ended(word)),
        };
        self.reports.post(HubReport::State(HubState::Connected));
        self.reports.post(listed);
        self.tell_left_out();
        self.linked.send_replace(self.line(jetstream));
        Ok(streams)
    }

    /// Subscribes, first to the desk record, and lists.
    async fn begin(&mut self, jetstream: &Context) -> Result<(Streams, HubReport)> {
        let has_desk = self.config.admin.is_some();
        let made = streams::ensure(jetstream, has_desk).await?;
        let desk = match has_desk {
            true => Some(self.read_desk(jetstream).await?),
            false => None,
        };
        let own = AnswerSubject::every_to(self.node);
        // Only answers from now on are followed; older ones are looked up where they matter.
        let (answers, new) = (streams::ANSWERS, DeliverPolicy::New);
        let answers = Followed::begin_at(jetstream, answers, &own, new).await?;
        self.places = Places::default();
        let mut here = Followed::begin(jetstream, streams::HERE, &HereSubject::every()).await?;
        // The asks come last, since the server begins to send them at once. On a slow line its
        // answer to a later request would come behind megabytes of asks, and too late.
        let from = self.listing.resume(made, &self.trust);
        let every = AskSubject::every();
        let mut asks = Followed::begin_at(jetstream, streams::ASKS, &every, from).await?;
        let listed = self.list(&mut asks, &mut here).await?;
        Ok((
            Streams {
                desk,
                asks,
                answers,
                here,
            },
            listed,
        ))
    }

    async fn read_desk(&mut self, jetstream: &Context) -> Result<Followed> {
        let mut desk = Followed::begin(jetstream, streams::DESK, &DeskRecord::subject()).await?;
        while !desk.is_caught_up() {
            self.take_desk(&desk.next_held().await?);
            self.pace.keep(self.reports).await;
        }
        Ok(desk)
    }

    /// Takes in a desk record, if it is signed by the admin and newer. Returns whether it was.
    fn take_desk(&mut self, message: &Message) -> bool {
        let admin = self.config.admin.as_deref().unwrap_or_default();
        match trust::open_of::<DeskRecord>(admin, &message.subject, &message.payload) {
            Ok(desk) if desk.supersedes(self.desk.as_ref()) => {
                tracing::info!(
                    revision = desk.revision,
                    "who belongs to the desk has changed"
                );
                self.reports.post(HubReport::Desk(desk.clone()));
                self.desk = Some(desk);
                self.trust = self.trusted();
                true
            }
            Ok(desk) => {
                tracing::debug!(
                    revision = desk.revision,
                    "an older list of the desk is ignored"
                );
                self.pace.count();
                false
            }
            Err(fault) => {
                self.refuse(message, fault);
                false
            }
        }
    }

    /// Returns the connection for other tasks, if this device can sign. For the bot only the
    /// devices of this device's person are trusted.
    fn line(&self, jetstream: &Context) -> Option<HubLine> {
        let (jetstream, key) = (jetstream.clone(), self.key.clone()?);
        let own = self
            .desk
            .as_ref()
            .map(|desk| desk.only_person_of(&key.public()));
        let trust = self.trusted_with(own.as_ref());
        Some(HubLine {
            jetstream,
            key,
            trust,
        })
    }

    /// Starts looking for this device's key; the task ends when there is one.
    fn look_for_key(&self) -> JoinSet<()> {
        let mut looking = JoinSet::new();
        if self.key.is_none() {
            looking.spawn(part::within(async {
                while read_key().await.is_err() {
                    sleep(HEARTBEAT).await;
                }
            }));
        }
        looking
    }

    async fn carry_out(
        &mut self,
        command: HubCommand,
        jetstream: &Context,
        failed: &UnboundedSender<String>,
    ) -> Result<()> {
        match command {
            HubCommand::Share(subject, record) => {
                if let Some(key) = &self.key {
                    publish(jetstream, key, (subject.subject(), &record), failed).await?;
                }
                // Answers are looked for also without a key: an earlier run may have shared the ask
                // with one.
                if let Some(to) = self.places.next(&subject, &record) {
                    let line = (jetstream.clone(), self.trust.clone());
                    places::look(line, to, self.reports.clone(), failed.clone());
                }
                Ok(())
            }
            HubCommand::Here(record) => {
                let Some(key) = &self.key else { return Ok(()) };
                let subject = HereSubject {
                    node: self.node.to_owned(),
                }
                .subject();
                publish(jetstream, key, (subject, &record), failed).await
            }
            HubCommand::Answer(answer) => {
                self.send_answer(jetstream, answer);
                Ok(())
            }
        }
    }

    fn send_answer(&self, jetstream: &Context, answer: OutgoingAnswer) {
        let (jetstream, reports) = (jetstream.clone(), self.reports.clone());
        let (key, trust) = (self.key.clone(), self.trust.clone());
        part::spawn(async move {
            let key = match key {
                Some(key) => Ok(key),
                None => read_key().await,
            };
            let published = match key {
                Ok(key) => publish_answer(&jetstream, (&key, &trust), &answer).await,
                Err(why) => Publication::NoKey(why),
            };
            tracing::debug!(?published, "an answer was published");
            if let Some(ask) = answer.ask {
                reports.post(HubReport::Published(ask, answer.to, published));
            }
        });
    }

    /// Reports that an answer was never sent.
    fn report_unsent(&self, command: HubCommand) {
        if let HubCommand::Answer(OutgoingAnswer {
            ask: Some(ask), to, ..
        }) = command
        {
            let why = Publication::Unknown("the hub is not connected".into());
            self.reports.post(HubReport::Published(ask, to, why));
        }
    }
}

/// Returns why publishing failed. A forbidden record is not acknowledged; the server says so
/// separately.
fn why_failed(why: Option<String>, server: &mut UnboundedReceiver<ServerWord>) -> anyhow::Error {
    match server.try_recv() {
        Ok(word) => ended(Some(word)),
        Err(_) => anyhow!(why.unwrap_or_default()),
    }
}

/// Reads the device's key, or returns why there is none; an empty reason if none was made yet.
async fn read_key() -> Result<Arc<DeviceKey>, String> {
    match DeviceKey::read().await {
        Ok(Some(key)) => Ok(Arc::new(key)),
        Ok(None) => Err(String::new()),
        Err(trouble) => Err(trouble.to_string()),
    }
}
