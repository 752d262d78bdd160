//! One connection after the other: subscribe, list, then what comes and goes until it breaks. A new
//! one begins anew, so nothing that was said meanwhile is missed.

use super::follow::Followed;
use super::key::{self, DeviceKey};
use super::streams::{self, OtherRules};
use super::{HubCommand, HubReport, HubState, OutgoingAnswer, Publication, ReceivedAnswer};
use crate::platform::sink::Sink;
use anyhow::{Context as _, Result, bail};
use async_nats::jetstream::message::Message;
use async_nats::jetstream::{self, Context};
use async_nats::{ConnectOptions, Event};
use beckon_client::config::HubConfig;
use beckon_core::hub::{AnswerRecord, AnswerSubject, AskRecord, AskSubject, LARGEST_RECORD};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, interval, sleep, timeout};

/// A hub that has said nothing for so long is not there.
const WITHIN: Duration = Duration::from_secs(5);
/// Says so often that it is there.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// A connection that broke is made anew after so long at first, …
const SOONEST: Duration = Duration::from_millis(250);
/// … and at least so often.
const LATEST: Duration = Duration::from_secs(15);
/// One that stood for so long was a good one.
const GOOD: Duration = Duration::from_secs(30);

pub(super) async fn run(
    config: HubConfig,
    node: String,
    reports: Sink<HubReport>,
    mut inbox: UnboundedReceiver<HubCommand>,
) {
    let mut pause = SOONEST;
    loop {
        let began = Instant::now();
        let link = HubLink { config: &config, node: &node, reports: &reports };
        let Err(broken) = link.hold(&mut inbox).await else { return };
        let state = match broken.downcast_ref::<OtherRules>() {
            Some(OtherRules(name)) => HubState::OtherRules((*name).to_owned()),
            None => HubState::Down(format!("{broken:#}")),
        };
        tracing::debug!(?state, "the connection to the hub ended");
        reports.post(HubReport::State(state));
        if began.elapsed() > GOOD {
            pause = SOONEST;
        }
        sleep(pause).await;
        pause = (pause * 2).min(LATEST);
        // What was to be told meanwhile is told from the list that follows.
        while let Ok(command) = inbox.try_recv() {
            link.give_back(command);
        }
    }
}

struct HubLink<'a> {
    config: &'a HubConfig,
    node: &'a str,
    reports: &'a Sink<HubReport>,
}

impl HubLink<'_> {
    /// Until it breaks, or nobody is there any more who could want it.
    async fn hold(&self, inbox: &mut UnboundedReceiver<HubCommand>) -> Result<()> {
        let (lost, mut is_lost) = unbounded_channel();
        let jetstream =
            timeout(WITHIN, self.connect(lost)).await.context("it does not answer")??;
        timeout(WITHIN, streams::ensure(&jetstream)).await.context("it does not answer")??;
        let own = AnswerSubject::every_to(self.node);
        let mut asks = Followed::begin(&jetstream, streams::ASKS, &AskSubject::every()).await?;
        let mut answers = Followed::begin(&jetstream, streams::ANSWERS, &own).await?;
        let mut here = Followed::begin(&jetstream, streams::HERE, "bk.here.>").await?;
        let list = self.list(&mut asks, &mut here);
        let listed = timeout(WITHIN, list).await.context("it does not tell what there is")??;
        self.reports.post(HubReport::State(HubState::Connected));
        self.reports.post(listed);
        let mut beat = interval(HEARTBEAT);
        let (failed, mut is_failed) = unbounded_channel::<String>();
        loop {
            tokio::select! {
                message = asks.next() => self.on_ask(&message?),
                message = answers.next() => self.on_answer(&message?),
                message = here.next() => self.on_here(&message?),
                command = inbox.recv() => match command {
                    Some(command) => self.carry_out(command, &jetstream, &failed).await?,
                    None => return Ok(()),
                },
                _ = beat.tick() => self.beat(&jetstream, &failed).await?,
                why = is_lost.recv() => bail!(why.unwrap_or_default()),
                why = is_failed.recv() => bail!(why.unwrap_or_default()),
            }
        }
    }

    async fn connect(&self, lost: UnboundedSender<String>) -> Result<Context> {
        let options = ConnectOptions::new()
            .name("beckon")
            .connection_timeout(WITHIN)
            .request_timeout(Some(WITHIN))
            .ping_interval(HEARTBEAT)
            // Ours begins anew, and lists anew.
            .max_reconnects(1)
            .event_callback(move |event| {
                let lost = lost.clone();
                async move {
                    match event {
                        Event::Disconnected | Event::Closed | Event::LameDuckMode => {
                            let _ = lost.send("the connection ended".into());
                        }
                        Event::ServerError(error) => tracing::warn!(%error, "the hub refuses"),
                        Event::ClientError(error) => tracing::debug!(%error, "the hub's client"),
                        Event::SlowConsumer(_) => _ = lost.send("too much at once".into()),
                        Event::Connected | Event::Draining => {}
                    }
                }
            });
        let client = options.connect(self.config.url.as_str()).await;
        let mut jetstream = jetstream::new(client.context("Failed to connect to the hub")?);
        jetstream.set_timeout(WITHIN);
        Ok(jetstream)
    }

    async fn list(&self, asks: &mut Followed, here: &mut Followed) -> Result<HubReport> {
        let (mut records, mut there) = (BTreeMap::new(), Vec::new());
        while !asks.is_caught_up() {
            if let Some((subject, record)) = self.read_ask(&asks.next().await?) {
                records.insert(subject, record);
            }
        }
        while !here.is_caught_up() {
            there.extend(node_of(&here.next().await?));
        }
        Ok(HubReport::Listed { asks: records, here: there })
    }

    fn on_ask(&self, message: &Message) {
        if let Some((subject, record)) = self.read_ask(message) {
            self.reports.post(HubReport::Shared(subject, record));
        }
    }

    fn read_ask(&self, message: &Message) -> Option<(AskSubject, AskRecord)> {
        let subject = AskSubject::parse(&message.subject);
        let record = readable(message).and_then(|bytes| serde_json::from_slice(bytes).ok());
        let read = subject.zip(record);
        if read.is_none() {
            self.reports.post(HubReport::Unreadable);
        }
        read
    }

    fn on_answer(&self, message: &Message) {
        let Some(to) = AnswerSubject::parse(&message.subject) else {
            return self.reports.post(HubReport::Unreadable);
        };
        let record: Option<AnswerRecord> =
            readable(message).and_then(|bytes| serde_json::from_slice(bytes).ok());
        let device = record.as_ref().and_then(|it| key::signer(&self.config.devices, it, &to));
        let record = record.and_then(|record| {
            let answer = serde_json::from_str(&record.answer).ok()?;
            Some((record, answer))
        });
        self.reports.post(HubReport::Answered(ReceivedAnswer { to, record, device }));
    }

    fn on_here(&self, message: &Message) {
        if let Some(node) = node_of(message) {
            self.reports.post(HubReport::Here(node));
        }
    }

    async fn beat(&self, jetstream: &Context, failed: &UnboundedSender<String>) -> Result<()> {
        self.reports.post(HubReport::Beat);
        let subject = format!("bk.here.own.{}", self.node);
        publish(jetstream, subject, Vec::new(), failed).await
    }

    async fn carry_out(
        &self,
        command: HubCommand,
        jetstream: &Context,
        failed: &UnboundedSender<String>,
    ) -> Result<()> {
        match command {
            HubCommand::Share(subject, record) => {
                let body = serde_json::to_vec(&record)?;
                publish(jetstream, subject.subject(), body, failed).await
            }
            HubCommand::Answer(answer) => {
                let (jetstream, reports) = (jetstream.clone(), self.reports.clone());
                tokio::spawn(async move {
                    let published = publish_answer(&jetstream, &answer).await;
                    tracing::debug!(?published, "an answer was published");
                    if let Some(ask) = answer.ask {
                        reports.post(HubReport::Published(ask, answer.to, published));
                    }
                });
                Ok(())
            }
        }
    }

    /// It was never sent.
    fn give_back(&self, command: HubCommand) {
        if let HubCommand::Answer(OutgoingAnswer { ask: Some(ask), to, .. }) = command {
            let why = Publication::Unknown("the hub is not connected".into());
            self.reports.post(HubReport::Published(ask, to, why));
        }
    }
}

/// In the order in which they are told; that the hub has it is heard later.
async fn publish(
    jetstream: &Context,
    subject: String,
    body: Vec<u8>,
    failed: &UnboundedSender<String>,
) -> Result<()> {
    let acknowledged = jetstream.publish(subject, body.into()).await;
    let acknowledged = acknowledged.context("Failed to tell the hub")?;
    let failed = failed.clone();
    tokio::spawn(async move {
        if let Err(error) = acknowledged.await {
            let _ = failed.send(format!("it does not take what it is told: {error}"));
        }
    });
    Ok(())
}

/// Whatever is unclear of it is read back: what is there is the answer of that round.
async fn publish_answer(jetstream: &Context, answer: &OutgoingAnswer) -> Publication {
    let signing = match DeviceKey::read().await {
        Ok(Some(key)) => key,
        Ok(None) => return Publication::NoKey(String::new()),
        Err(trouble) => return Publication::NoKey(trouble.to_string()),
    };
    let record = signing.sign(answer.record.clone(), &answer.to);
    if answer.again {
        match read_back(jetstream, answer).await {
            Ok(None) => {}
            Ok(Some(known)) => return known,
            Err(error) => return Publication::Unknown(format!("{error:#}")),
        }
    }
    let Ok(body) = serde_json::to_vec(&record) else {
        return Publication::Unknown("it can't be written".into());
    };
    let sent = async {
        jetstream.publish(answer.to.subject(), body.into()).await?.await?;
        anyhow::Ok(())
    };
    let Err(error) = sent.await else { return Publication::Kept };
    match read_back(jetstream, answer).await {
        Ok(Some(known)) => known,
        Ok(None) => Publication::Unknown(format!("{error:#}")),
        Err(error) => Publication::Unknown(format!("{error:#}")),
    }
}

/// Which answer the hub has for that round: ours is known by its nonce.
async fn read_back(jetstream: &Context, answer: &OutgoingAnswer) -> Result<Option<Publication>> {
    use async_nats::jetstream::stream::LastRawMessageErrorKind::NoMessageFound;
    let stream = jetstream.get_stream_no_info(streams::ANSWERS).await;
    let stream = stream.context("Failed to look for the answers")?;
    match stream.get_last_raw_message_by_subject(&answer.to.subject()).await {
        Ok(message) => {
            let there: Option<AnswerRecord> = serde_json::from_slice(&message.payload).ok();
            let ours = there.is_some_and(|there| there.nonce == answer.record.nonce);
            Ok(Some(if ours { Publication::Kept } else { Publication::Lost }))
        }
        Err(error) if error.kind() == NoMessageFound => Ok(None),
        Err(error) => Err(error).context("Failed to read an answer back"),
    }
}

fn readable(message: &Message) -> Option<&[u8]> {
    (message.payload.len() <= LARGEST_RECORD).then_some(&message.payload)
}

fn node_of(message: &Message) -> Option<String> {
    message.subject.strip_prefix("bk.here.own.").map(str::to_owned)
}
