//! One connection after the other: subscribe, list, then what comes and goes until it breaks. A new
//! one begins anew, so nothing that was said meanwhile is missed.

use super::follow::Followed;
use super::key::DeviceKey;
use super::publishing::{publish, publish_answer};
use super::streams::{self, OtherRules};
use super::trust::Trust;
use super::{HubCommand, HubReport, HubState, OutgoingAnswer, Publication, ReceivedAnswer};
use crate::platform::account;
use crate::platform::sink::Sink;
use anyhow::{Context as _, Result, bail};
use async_nats::jetstream::message::Message;
use async_nats::jetstream::{self, Context};
use async_nats::{ConnectOptions, Event};
use beckon_client::config::HubConfig;
use beckon_core::hub::{
    AnswerRecord, AnswerSubject, AskRecord, AskSubject, Envelope, HereRecord, HereSubject,
    RecordFault, Signed,
};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
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
        let link = HubLink::new(&config, &node, &reports).await;
        let Err(broken) = link.hold(&mut inbox).await else { return };
        if broken.is::<Anew>() {
            continue;
        }
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

/// Nothing is amiss, but all is to be read once more: whose records are believed is another.
#[derive(Debug, thiserror::Error)]
#[error("what is believed has changed")]
struct Anew;

struct HubLink<'a> {
    config: &'a HubConfig,
    node: &'a str,
    reports: &'a Sink<HubReport>,
    /// Without it nothing is told, and what others say is heard.
    key: Option<Arc<DeviceKey>>,
    trust: Trust,
}

impl<'a> HubLink<'a> {
    async fn new(config: &'a HubConfig, node: &'a str, reports: &'a Sink<HubReport>) -> Self {
        let key = read_key().await;
        let mut trust = Trust::of(&config.devices);
        if let Ok(key) = &key {
            trust.add(&account::machine().unwrap_or_default(), &key.public());
        }
        let public = key.as_ref().map(|key| key.public()).map_err(Clone::clone);
        reports.post(HubReport::Key(public));
        Self { config, node, reports, key: key.ok(), trust }
    }

    /// Until it breaks, or nobody is there any more who could want it.
    async fn hold(&self, inbox: &mut UnboundedReceiver<HubCommand>) -> Result<()> {
        let (lost, mut is_lost) = unbounded_channel();
        let jetstream =
            timeout(WITHIN, self.connect(lost)).await.context("it does not answer")??;
        timeout(WITHIN, streams::ensure(&jetstream)).await.context("it does not answer")??;
        let own = AnswerSubject::every_to(self.node);
        let mut asks = Followed::begin(&jetstream, streams::ASKS, &AskSubject::every()).await?;
        let mut answers = Followed::begin(&jetstream, streams::ANSWERS, &own).await?;
        let mut here = Followed::begin(&jetstream, streams::HERE, &HereSubject::every()).await?;
        let list = self.list(&mut asks, &mut here);
        let listed = timeout(WITHIN, list).await.context("it does not tell what there is")??;
        self.reports.post(HubReport::State(HubState::Connected));
        self.reports.post(listed);
        let mut beat = interval(HEARTBEAT);
        let (failed, mut is_failed) = unbounded_channel::<String>();
        let mut found = self.look_for_key();
        loop {
            tokio::select! {
                message = asks.next() => self.on_ask(&message?),
                message = answers.next() => self.on_answer(&message?),
                message = here.next() => self.on_here(&message?),
                command = inbox.recv() => match command {
                    Some(command) => self.carry_out(command, &jetstream, &failed).await?,
                    None => return Ok(()),
                },
                _ = beat.tick() => self.reports.post(HubReport::Beat),
                _ = found.join_next(), if !found.is_empty() => return Err(Anew.into()),
                why = is_lost.recv() => bail!(why.unwrap_or_default()),
                why = is_failed.recv() => bail!(why.unwrap_or_default()),
            }
        }
    }

    /// Ends when this device has a key after all.
    fn look_for_key(&self) -> JoinSet<()> {
        let mut looking = JoinSet::new();
        if self.key.is_none() {
            looking.spawn(async {
                while read_key().await.is_err() {
                    sleep(HEARTBEAT).await;
                }
            });
        }
        looking
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
            there.extend(self.read_here(&here.next().await?));
        }
        Ok(HubReport::Listed { asks: records, here: there })
    }

    fn on_ask(&self, message: &Message) {
        if let Some((subject, record)) = self.read_ask(message) {
            self.reports.post(HubReport::Shared(subject, record));
        }
    }

    fn read_ask(&self, message: &Message) -> Option<(AskSubject, Signed<AskRecord>)> {
        self.believed(message, AskSubject::parse)
    }

    fn on_here(&self, message: &Message) {
        if let Some((subject, record)) = self.read_here(message) {
            self.reports.post(HubReport::Here(subject, record));
        }
    }

    fn read_here(&self, message: &Message) -> Option<(HereSubject, Signed<HereRecord>)> {
        self.believed(message, HereSubject::parse)
    }

    /// What is said there, if it is one of ours, and of a device that is believed. Anything else is
    /// counted and goes no further.
    fn believed<S, T: DeserializeOwned>(
        &self,
        message: &Message,
        parse: fn(&str) -> Option<S>,
    ) -> Option<(S, Signed<T>)> {
        let subject = parse(&message.subject).ok_or(RecordFault::Unreadable);
        let read = subject.and_then(|subject| {
            Ok((subject, self.trust.open(&message.subject, &message.payload)?))
        });
        read.map_err(|fault| self.refuse(message, fault)).ok()
    }

    fn refuse(&self, message: &Message, fault: RecordFault) {
        tracing::debug!(subject = %message.subject, ?fault, "a record on the hub is refused");
        self.reports.post(HubReport::Refused(message.subject.to_string(), fault));
    }

    fn on_answer(&self, message: &Message) {
        let Some(to) = AnswerSubject::parse(&message.subject) else {
            return self.refuse(message, RecordFault::Unreadable);
        };
        let envelope = Envelope::read(&message.payload).ok();
        let device = envelope.as_ref().and_then(|it| self.trust.signer(it, &message.subject));
        let device = device.map(str::to_owned);
        let record = envelope.and_then(|envelope| {
            let record: AnswerRecord = serde_json::from_str(&envelope.body).ok()?;
            let answer = serde_json::from_str(&record.answer).ok()?;
            Some((record, answer))
        });
        self.reports.post(HubReport::Answered(ReceivedAnswer { to, record, device }));
    }

    async fn carry_out(
        &self,
        command: HubCommand,
        jetstream: &Context,
        failed: &UnboundedSender<String>,
    ) -> Result<()> {
        match command {
            HubCommand::Share(subject, record) => {
                let Some(key) = &self.key else { return Ok(()) };
                publish(jetstream, key, (subject.subject(), &record), failed).await
            }
            HubCommand::Here(record) => {
                let Some(key) = &self.key else { return Ok(()) };
                let subject = HereSubject { node: self.node.to_owned() }.subject();
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
        let key = self.key.clone();
        tokio::spawn(async move {
            let key = match key {
                Some(key) => Ok(key),
                None => read_key().await,
            };
            let published = match key {
                Ok(key) => publish_answer(&jetstream, &key, &answer).await,
                Err(why) => Publication::NoKey(why),
            };
            tracing::debug!(?published, "an answer was published");
            if let Some(ask) = answer.ask {
                reports.post(HubReport::Published(ask, answer.to, published));
            }
        });
    }

    /// It was never sent.
    fn give_back(&self, command: HubCommand) {
        if let HubCommand::Answer(OutgoingAnswer { ask: Some(ask), to, .. }) = command {
            let why = Publication::Unknown("the hub is not connected".into());
            self.reports.post(HubReport::Published(ask, to, why));
        }
    }
}

/// Or why there is none; empty where none was made yet.
async fn read_key() -> Result<Arc<DeviceKey>, String> {
    match DeviceKey::read().await {
        Ok(Some(key)) => Ok(Arc::new(key)),
        Ok(None) => Err(String::new()),
        Err(trouble) => Err(trouble.to_string()),
    }
}
