//! Keeps a desk while its hub is served: says who belongs to it, and lets in who has a code. Every
//! change is on the disk before anybody hears of it, and reaches the devices before the server: an owner
//! refuses what a removed device signs, whether or not the server still lets it in.
//!
//! Not here: what is asked of it (`questions.rs`).

use super::configuration::{ADMIN, LEAVE, ServerConfiguration};
use super::desk_file::DeskFile;
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
use beckon_client::platform::paths::write_private;
use beckon_core::hub::{DeskRecord, DeviceEntry};
use beckon_core::{Responder, Voucher};
use futures_util::StreamExt;
use futures_util::stream::{SelectAll, select_all};
use rand::Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::pin::pin;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// A server that is started takes connections within so long.
const STARTS_WITHIN: Duration = Duration::from_secs(10);
/// Until then it is tried so often.
const LOOK: Duration = Duration::from_millis(50);

/// What did not succeed is tried again after so long.
const AGAIN: Duration = Duration::from_millis(500);

/// What is kept, and with what.
pub(super) struct Kept {
    pub(super) plan: HubPlan,
    pub(super) server: NatsServer,
    pub(super) key: DeviceKey,
    pub(super) login: Login,
    pub(super) ca: Option<OwnCa>,
    /// What the server calls itself, in this run.
    pub(super) name: String,
    pub(super) events: UnboundedSender<ServeEvent>,
}

/// The certificate that the server's is signed by.
pub(super) struct OwnCa {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) fingerprint: [u8; 32],
}

/// A code that is out. It is forgotten with this program: nothing of it lies on the disk.
pub(super) struct Invitation {
    pub(super) code: InviteCode,
    /// Whose device joins by it, as the admin has said: nobody says so of themselves.
    pub(super) person: Option<String>,
    pub(super) until: Instant,
    /// Whose device has joined by it. It may ask again if it has not heard that.
    pub(super) used_by: Option<String>,
}

pub(super) struct Keeper {
    pub(super) kept: Kept,
    running: RunningServer,
    pub(super) desk: DeskFile,
    /// By the subjects where their bearers ask.
    pub(super) invitations: BTreeMap<String, Invitation>,
    pub(super) client: Client,
    jetstream: Context,
    /// The server lets in others than it should.
    stale: bool,
    /// Holds the connection, and makes it anew.
    _guarding: JoinSet<()>,
}

/// Until it is told to end.
pub(super) async fn keep(kept: Kept) -> Result<()> {
    let mut desk = DeskFile::open(kept.plan.folder.join("desk.json"))?;
    let own = DeviceEntry {
        key: kept.key.public(),
        login: kept.login.public(),
        person: kept.plan.person.clone(),
    };
    desk.put(&named(&kept.plan.device), &own)?;
    configure(&kept, &desk, &BTreeMap::new())?;
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
        stale: false,
        _guarding: guarding,
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

fn configure(
    kept: &Kept,
    desk: &DeskFile,
    invitations: &BTreeMap<String, Invitation>,
) -> Result<()> {
    let devices: Vec<String> = desk
        .record()
        .devices
        .into_values()
        .map(|it| it.login)
        .collect();
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
    };
    write_private(&kept.configuration(), written.write().as_bytes())
}

/// Waits until the server takes connections.
async fn connected(kept: &Kept) -> Result<(Client, JoinSet<()>)> {
    let ca = kept.ca.as_ref().map(|ca| ca.path.clone());
    let config = HubConfig {
        url: kept.plan.own_url(),
        ca,
        ..HubConfig::default()
    };
    let until = Instant::now() + STARTS_WITHIN;
    loop {
        let options = login::options(Some(&kept.login))?.request_timeout(Some(WITHIN));
        match guard::connect_again_and_again(options, &HubAddress::of(&config)).await {
            Ok(there) if there.0.server_info().server_name == kept.name => return Ok(there),
            // Ours does not get that place, and is about to say so.
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
        streams::ensure(&self.jetstream, true).await?;
        streams::bound(self.jetstream.clone()).await;
        let mut mirror = Some(self.mirrored().await?);
        let (code, _) = self.invite(None).await?;
        let _ = self.kept.events.send(ServeEvent::Ready(self.kept.at(code)));
        let mut told_to_end = pin!(signals::told_to_end());
        loop {
            let expiry = self.invitations.values().map(|it| it.until).min();
            let is_behind = mirror.is_none() || self.stale;
            tokio::select! {
                why = self.running.ended() => return Err(ServeEnd::ServerEnded(why).into()),
                () = &mut told_to_end => return Ok(()),
                question = questions.next() => {
                    self.on_question(question.context("the connection ended")?).await;
                }
                shown = next_of(&mut mirror) => {
                    let is_ours = shown.is_ok_and(|shown| self.is_ours(&shown.payload));
                    // Whoever has written something else there is corrected.
                    mirror = mirror.filter(|_| is_ours);
                }
                () = sleep_until(expiry.unwrap_or_else(Instant::now)), if expiry.is_some() => {
                    self.expire().await;
                }
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
        for subject in [
            "bk.enrol.*".to_owned(),
            format!("{ADMIN}.*"),
            LEAVE.to_owned(),
        ] {
            let subscribed = self.client.subscribe(subject).await;
            all.push(subscribed.context("Failed to listen for requests")?);
        }
        Ok(select_all(all))
    }

    /// Hears what the hub shows of the desk, after it shows what stands here.
    async fn mirrored(&mut self) -> Result<Followed> {
        let subject = DeskRecord::subject();
        let mut mirror = Followed::begin(&self.jetstream, streams::DESK, &subject).await?;
        while !mirror.is_caught_up() {
            let shown = mirror.next().await?;
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

    /// The server was told of something, or is slow.
    async fn mirrored_again(&mut self) -> Option<Followed> {
        let mirrored = timeout(WITHIN, self.mirrored())
            .await
            .map_err(anyhow::Error::from);
        let mirrored = mirrored.and_then(|mirrored| mirrored);
        mirrored
            .inspect_err(|error| tracing::warn!(%error, "the desk is not shown"))
            .ok()
    }

    fn is_ours(&self, shown: &[u8]) -> bool {
        let is_ours = shown == self.sealed().as_bytes();
        if !is_ours {
            tracing::warn!("something else stood in the place of the desk, and is replaced");
        }
        is_ours
    }

    fn sealed(&self) -> String {
        let text = self.desk.text(self.kept.server.syncs());
        self.kept.key.seal(&DeskRecord::subject(), text).write()
    }

    async fn publish(&self) -> Result<()> {
        let sent = async {
            self.jetstream
                .publish(DeskRecord::subject(), self.sealed().into())
                .await?
                .await?;
            anyhow::Ok(())
        };
        sent.await.context("Failed to tell who belongs to the desk")
    }

    /// The devices first; the server when whoever asked has heard of it, whom it may let in no more.
    pub(super) async fn tell(&mut self) -> Result<()> {
        self.stale = true;
        self.publish().await
    }

    /// The server lets in who is on the desk, or has a code.
    async fn admit(&mut self) -> Result<()> {
        configure(&self.kept, &self.desk, &self.invitations)?;
        self.running
            .reload(&self.kept.server, &self.kept.configuration())
            .await?;
        self.stale = false;
        Ok(())
    }

    pub(super) async fn admit_if_stale(&mut self) {
        if self.stale
            && let Err(error) = self.admit().await
        {
            tracing::warn!(
                error = format!("{error:#}"),
                "the server knows an older list"
            );
        }
    }

    /// A code by which a device of that person joins, or one more of the admin's; and whose that is.
    pub(super) async fn invite(
        &mut self,
        person: Option<String>,
    ) -> Result<(String, Option<String>)> {
        let plan = &self.kept.plan;
        let person = person.or_else(|| plan.person.clone());
        let code = InviteCode {
            url: plan.url_for_others(),
            admin: self.kept.key.public_bytes(),
            ca: self.kept.ca.as_ref().map(|ca| ca.fingerprint),
            secret: rand::rng().random(),
        };
        let (subject, written) = (code.subject(), code.write());
        let until = Instant::now() + GOOD_FOR;
        let invitation = Invitation {
            code,
            person: person.clone(),
            until,
            used_by: None,
        };
        self.invitations.insert(subject, invitation);
        self.admit().await?;
        Ok((written, person))
    }

    async fn expire(&mut self) {
        let now = Instant::now();
        self.invitations
            .retain(|_, invitation| invitation.until > now);
        self.stale = true;
        self.admit_if_stale().await;
    }
}

/// As names are shown: others choose them.
pub(super) fn named(name: &str) -> String {
    Responder::new(None, Some(name), Voucher::Machine)
        .device
        .unwrap_or_else(|| "?".into())
}
