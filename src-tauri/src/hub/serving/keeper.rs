//! The keeper of a desk while its hub is served: publishes who belongs to it, and lets in devices
//! with a code. Every change is on the disk before it is published, and reaches the devices before
//! the server: an owner refuses what a removed device signs, whether or not the server still lets
//! it in.
//!
//! Not here: what is asked of it (`questions.rs`).

use super::clearing::clear_place;
use super::configuration::{LEAVE, ServerConfiguration};
use super::desk_file::DeskFile;
use super::door::{self, LocalQuestion};
use super::program::{NatsServer, RunningServer};
use super::{HubPlan, ServeEnd, ServeEvent, ServingAt};
use crate::hub::follow::{Followed, next_of};
use crate::hub::guard::{self, HubAddress};
use crate::hub::invite::{GOOD_FOR, InviteCode};
use crate::hub::key::DeviceKey;
use crate::hub::login::{self, Login, WITHIN};
use crate::hub::{streams, trust};
use crate::platform::signals;
use anyhow::{Context as _, Result};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, Subscriber};
use beckon_client::config::HubConfig;
use beckon_client::platform::clock;
use beckon_client::platform::paths::write_private;
use beckon_client::text::words;
use beckon_core::hub::{DeskRecord, DeviceEntry};
use beckon_core::{Responder, Span, Voucher};
use futures_util::StreamExt;
use futures_util::stream::{SelectAll, select_all};
use rand::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::pin::pin;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

/// How long a started server may take until it accepts connections.
const STARTS_WITHIN: Duration = Duration::from_secs(10);
/// How long to wait between tries until then.
const LOOK: Duration = Duration::from_millis(50);

/// How long the server may take to go by a new configuration; it takes milliseconds. A device that
/// asked for the change waits for longer than this ([`WITHIN`]).
const LOADS_WITHIN: Duration = Duration::from_secs(2);

/// How long until it is looked again whether a code is over, while codes are out: a timer for its
/// end would stand still while the machine sleeps.
const LOOK_AT_CODES: Duration = Duration::from_secs(15);

/// How long until a failed step is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// The desk's plan, server and keys.
pub(super) struct Kept {
    pub(super) plan: HubPlan,
    pub(super) server: NatsServer,
    pub(super) key: DeviceKey,
    pub(super) login: Login,
    pub(super) ca: Option<OwnCa>,
    /// The name of the server in this run.
    pub(super) name: String,
    pub(super) events: UnboundedSender<ServeEvent>,
}

/// The certificate that signs the server's.
pub(super) struct OwnCa {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) fingerprint: [u8; 32],
}

/// A code that is out. It is forgotten when this program ends: nothing of it is on the disk.
pub(super) struct Invitation {
    pub(super) code: InviteCode,
    /// The person whose device joins by it, as the admin has said: a device cannot say so of
    /// itself.
    pub(super) person: String,
    /// The time until which it is good, by a clock that goes on while the machine sleeps.
    pub(super) until: Span,
    /// The key of the device that has joined by it. That device may ask again if the answer did not
    /// reach it.
    pub(super) used_by: Option<String>,
    /// The requests that were made by it already: a server in between may send them again.
    pub(super) heard: BTreeSet<String>,
}

impl Invitation {
    fn new(code: InviteCode, person: String, now: Span) -> Self {
        let lives = i64::try_from(GOOD_FOR.as_millis()).unwrap_or(i64::MAX);
        Self {
            code,
            person,
            until: Span(now.0.saturating_add(lives)),
            used_by: None,
            heard: BTreeSet::new(),
        }
    }

    pub(super) fn is_good(&self, now: Span) -> bool {
        now < self.until
    }
}

pub(super) struct Keeper {
    pub(super) kept: Kept,
    running: RunningServer,
    pub(super) desk: DeskFile,
    /// The codes that are out, by the subjects where their bearers ask.
    pub(super) invitations: BTreeMap<String, Invitation>,
    pub(super) client: Client,
    jetstream: Context,
    loaded: Loaded,
    /// Whether the server lets in others than it should.
    stale: bool,
    /// The task that holds the connection, and makes it anew.
    _guarding: JoinSet<()>,
    /// The reason why the server is behind, as it was last told.
    unloaded: Option<String>,
}

/// The configuration that the server goes by.
struct Loaded {
    text: String,
    /// A login that no other configuration lets in.
    probe: Login,
}

/// The failure to have a changed list loaded: nats-server goes by an older one.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct NotLoaded(pub(super) String);

/// Keeps the desk until it is told to end.
pub(super) async fn keep(kept: Kept) -> Result<()> {
    let mut desk = DeskFile::open(kept.plan.folder.join("desk.json"))?;
    let own = DeviceEntry {
        key: kept.key.public(),
        login: kept.login.public(),
        person: Some(kept.plan.person.clone()),
    };
    desk.put_own(&named(&kept.plan.device), &own)?;
    let loaded = configure(&kept, &desk, &BTreeMap::new()).await;
    let loaded = loaded.map_err(|error| ServeEnd::ServerEnded(words::causes(&error)))?;
    let mut running = kept.server.start(&kept.configuration())?;
    let (client, guarding) = tokio::select! {
        why = running.ended() => return Err(ServeEnd::ServerEnded(why).into()),
        connected = connected(&kept) => connected?,
    };
    let mut jetstream = jetstream::new(client.clone());
    jetstream.set_timeout(WITHIN);
    let invitations = BTreeMap::new();
    let mut keeper = Keeper {
        kept,
        running,
        desk,
        invitations,
        client,
        jetstream,
        loaded,
        stale: false,
        _guarding: guarding,
        unloaded: None,
    };
    let ended = keeper.attend().await;
    keeper.running.end().await;
    ended
}

impl Kept {
    fn configuration(&self) -> PathBuf {
        self.plan.folder.join("nats.conf")
    }

    fn at(&self, code: String) -> ServingAt {
        let ca = self.ca.as_ref().map(|ca| ca.path.clone());
        let (url, others) = (self.plan.own_url(), self.plan.url_for_others());
        ServingAt {
            url,
            others,
            admin: self.key.public(),
            ca,
            code,
        }
    }
}

/// Writes the configuration of who is let in, once it is known that the server takes it.
async fn configure(
    kept: &Kept,
    desk: &DeskFile,
    invitations: &BTreeMap<String, Invitation>,
) -> Result<Loaded> {
    let probe = Login::of_seed(rand::rng().random())?;
    let text = configuration(kept, desk, invitations, &probe.public())?;
    let draft = kept.plan.folder.join("nats.draft.conf");
    write_private(&draft, text.as_bytes())?;

    let server = kept.server.clone();
    tokio::task::spawn_blocking(move || server.check(&draft)).await??;

    write_private(&kept.configuration(), text.as_bytes())?;
    Ok(Loaded { text, probe })
}

fn configuration(
    kept: &Kept,
    desk: &DeskFile,
    invitations: &BTreeMap<String, Invitation>,
    probe: &str,
) -> Result<String> {
    let devices = desk.record().devices;
    let devices: Vec<String> = devices.into_values().map(|it| it.login).collect();
    let invited = invitations
        .iter()
        .map(|(subject, invitation)| Ok((invitation.code.login()?.public(), subject.clone())));
    let invited: Vec<_> = invited.collect::<Result<_>>()?;

    let written = ServerConfiguration {
        name: &kept.name,
        listen: &kept.plan.listen.written(),
        folder: &kept.plan.folder,
        tls: kept.plan.is_tls(),
        syncs: kept.server.syncs(),
        admin: &kept.login.public(),
        devices: &devices,
        invited: &invited,
        probe,
    };
    Ok(written.write())
}

/// Waits until the server takes connections.
async fn connected(kept: &Kept) -> Result<(Client, JoinSet<()>)> {
    connected_as(kept, &kept.login, STARTS_WITHIN).await
}

/// Waits until the server lets that login in.
async fn connected_as(
    kept: &Kept,
    login: &Login,
    within: Duration,
) -> Result<(Client, JoinSet<()>)> {
    let ca = kept.ca.as_ref().map(|ca| ca.path.clone());
    let config = HubConfig {
        url: kept.plan.own_url(),
        ca,
        ..HubConfig::default()
    };
    let until = Instant::now() + within;
    loop {
        let options = login::options(Some(login))?.request_timeout(Some(WITHIN));
        match guard::connect_again_and_again(options, &HubAddress::of(&config)).await {
            Ok(there) if there.0.server_info().server_name == kept.name => return Ok(there),
            // Another server has that place; ours cannot get it, and is about to say so.
            Ok(_) if Instant::now() < until => sleep(LOOK).await,
            Ok(_) => return Err(ServeEnd::Silent("another server is there".into()).into()),
            Err(error) if Instant::now() >= until => {
                return Err(ServeEnd::Silent(error.to_string()).into());
            }
            Err(_) => sleep(LOOK).await,
        }
    }
}

impl Keeper {
    async fn attend(&mut self) -> Result<()> {
        let mut questions = self.listen().await?;
        let (local, mut asked_here) = unbounded_channel();
        let _door = door::open(&self.kept.plan.folder, local).context("Failed to open its door")?;
        streams::ensure(&self.jetstream, true).await?;
        streams::bound(self.jetstream.clone()).await;
        let mut mirror = Some(self.mirrored().await?);
        let (code, _) = self.invite(None).await?;
        let _ = self.kept.events.send(ServeEvent::Ready(self.kept.at(code)));
        let mut told_to_end = pin!(signals::told_to_end());
        loop {
            let is_behind = mirror.is_none() || self.stale;
            tokio::select! {
                why = self.running.ended() => return Err(ServeEnd::ServerEnded(why).into()),
                () = &mut told_to_end => return Ok(()),
                question = questions.next() => {
                    self.on_question(question.context("the connection ended")?).await;
                }
                Some(LocalQuestion { payload, answer }) = asked_here.recv() => {
                    if let Some(said) = self.on_local_question(&payload).await {
                        let _ = answer.send(said);
                    }
                }
                shown = next_of(&mut mirror) => {
                    let is_ours = shown.is_ok_and(|shown| self.is_ours(&shown.payload));
                    // A record that another client has written there is replaced.
                    mirror = mirror.filter(|_| is_ours);
                }
                () = sleep(LOOK_AT_CODES), if !self.invitations.is_empty() => self.expire().await,
                () = sleep(AGAIN), if is_behind => {
                    self.admit_if_stale().await;
                    if mirror.is_none() {
                        mirror = self.mirrored_again().await;
                    }
                }
            }
        }
    }

    async fn listen(&self) -> Result<SelectAll<Subscriber>> {
        let mut all = Vec::new();
        for subject in ["bk.enrol.*", LEAVE] {
            let subscribed = self.client.subscribe(subject).await;
            all.push(subscribed.context("Failed to listen for requests")?);
        }
        Ok(select_all(all))
    }

    /// Follows the hub's mirror of the desk, after it shows the file's content.
    async fn mirrored(&mut self) -> Result<Followed> {
        let subject = DeskRecord::subject();
        let mut mirror = Followed::begin(&self.jetstream, streams::DESK, &subject).await?;
        while !mirror.is_caught_up() {
            let shown = mirror.next_held().await?;
            let admin = self.kept.key.public();
            if let Ok(shown) = trust::open_of::<DeskRecord>(&admin, &subject, &shown.payload)
                && shown.revision > self.desk.record().revision
            {
                self.desk.raise_above(shown.revision)?;
            }
        }
        self.publish().await?;
        Ok(mirror)
    }

    /// Tries again to follow the mirror: the server was told of a change, or is slow.
    async fn mirrored_again(&mut self) -> Option<Followed> {
        let mirrored = timeout(WITHIN, self.mirrored())
            .await
            .map_err(anyhow::Error::from);
        let mirrored = mirrored.and_then(|mirrored| mirrored);
        mirrored
            .inspect_err(|error| tracing::warn!(%error, "the desk record can't be published"))
            .ok()
    }

    fn is_ours(&self, shown: &[u8]) -> bool {
        let is_ours = shown == self.sealed().as_bytes();
        if !is_ours {
            tracing::warn!("another record was in the place of the desk record, and is replaced");
        }
        is_ours
    }

    fn sealed(&self) -> String {
        let text = self.desk.text(self.kept.server.syncs());
        self.kept.key.seal(&DeskRecord::subject(), text).write()
    }

    pub(super) async fn publish(&self) -> Result<()> {
        let sent = async {
            self.jetstream
                .publish(DeskRecord::subject(), self.sealed().into())
                .await?
                .await?;
            anyhow::Ok(())
        };
        sent.await.context("Failed to tell who belongs to the desk")
    }

    /// Publishes who belongs to the desk: the devices are told first, and then the server whatever
    /// became of that. An owner refuses what a removed device signs before the server sends that
    /// device away.
    pub(super) async fn give_out(&mut self) -> Result<()> {
        self.stale = true;
        let published = self.publish().await;
        let admitted = self.admit().await;

        admitted?;
        published
    }

    /// Tells the devices. The server is told when the device that asked has its answer: it may not
    /// be let in after that.
    pub(super) async fn give_out_later(&mut self) -> Result<()> {
        self.stale = true;
        self.publish().await
    }

    /// Makes the server let in exactly the devices on the desk and the bearers of codes, and checks
    /// that it does: a server that does not take a list goes on with the one before it, without
    /// telling. Then it is started anew, which ends all connections for a moment.
    ///
    /// # Errors
    /// When it goes by an older list all the same ([`NotLoaded`]).
    async fn admit(&mut self) -> Result<()> {
        let admitted = self.try_admit().await;
        admitted.map_err(|error| NotLoaded(words::causes(&error)))?;

        self.stale = false;
        Ok(())
    }

    async fn try_admit(&mut self) -> Result<()> {
        if self.is_loaded()? {
            return Ok(());
        }
        let loaded = configure(&self.kept, &self.desk, &self.invitations).await?;
        let server = self.kept.server.clone();
        let file = self.kept.configuration();
        self.running.reload(&server, &file).await?;

        let is_heard = connected_as(&self.kept, &loaded.probe, LOADS_WITHIN).await;
        if is_heard.is_err() {
            tracing::warn!("nats-server goes by an older list, and is started anew");
            self.running.start_anew(&server, &file).await?;
            connected_as(&self.kept, &loaded.probe, STARTS_WITHIN).await?;
        }
        self.loaded = loaded;
        Ok(())
    }

    fn is_loaded(&self) -> Result<bool> {
        let Loaded { text, probe } = &self.loaded;
        let wanted = configuration(&self.kept, &self.desk, &self.invitations, &probe.public())?;
        Ok(wanted == *text)
    }

    /// Clears the records of a device that is off the list. Nobody reads them any more, so a
    /// failure does not make the removal fail.
    pub(super) async fn clear_place(&self, key: &str) {
        if let Err(error) = clear_place(&self.jetstream, key).await {
            let error = format!("{error:#}");
            tracing::warn!(
                error,
                "the records of a removed device could not be cleared"
            );
        }
    }

    /// Tries again to have the list loaded. The reason of a failure is told where the hub is
    /// served: no client waits for it here.
    pub(super) async fn admit_if_stale(&mut self) {
        if !self.stale {
            self.unloaded = None;
            return;
        }
        let why = self.admit().await.err().map(|error| words::causes(&error));
        if let Some(why) = why.as_ref().filter(|_| self.unloaded != why) {
            tracing::warn!(why, "nats-server still uses an older list");
            let _ = self.kept.events.send(ServeEvent::NotLoaded(why.clone()));
        }
        self.unloaded = why;
    }

    /// Returns a code by which a device of that person joins, or one more of the admin's; and the
    /// person.
    pub(super) async fn invite(&mut self, person: Option<String>) -> Result<(String, String)> {
        let plan = &self.kept.plan;
        let person = person.unwrap_or_else(|| plan.person.clone());
        let code = InviteCode {
            url: plan.url_for_others(),
            admin: self.kept.key.public_bytes(),
            ca: self.kept.ca.as_ref().map(|ca| ca.fingerprint),
            secret: rand::rng().random(),
        };
        let (subject, written) = (code.subject(), code.write());
        let invitation = Invitation::new(code, person.clone(), clock::steady());
        self.invitations.insert(subject.clone(), invitation);
        if let Err(error) = self.admit().await {
            self.invitations.remove(&subject);
            return Err(error);
        }
        Ok((written, person))
    }

    async fn expire(&mut self) {
        let known = self.invitations.len();
        let now = clock::steady();
        self.invitations.retain(|_, code| code.is_good(now));
        self.stale |= self.invitations.len() < known;
        self.admit_if_stale().await;
    }
}

/// Returns a name fit to be shown: others choose it.
pub(super) fn named(name: &str) -> String {
    Responder::new(None, Some(name), Voucher::Machine)
        .device
        .unwrap_or_else(|| "?".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_lives_ten_minutes_also_of_a_machine_that_sleeps() {
        let code = InviteCode {
            url: "nats://127.0.0.1:4223".into(),
            admin: [1; 32],
            ca: None,
            secret: [2; 16],
        };
        let given_out = Invitation::new(code, "Ada".into(), Span::seconds(100));
        assert!(given_out.is_good(Span::seconds(699)));
        assert!(!given_out.is_good(Span::seconds(700)));
    }
}
