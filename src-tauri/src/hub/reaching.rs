//! A command's own connection: to the hub of a code, or as this device to its hub; and what is
//! there of the desk and of who is online.

use super::fault::{HubFault, OddServer};
use super::follow::Followed;
use super::guard::{self, HubAddress};
use super::invite::PresentedCode;
use super::key::DeviceKey;
use super::login::{self, Login, ServerWord, WITHIN};
use super::requests::{self, DeskReply, DeskRequest};
use super::tls::OtherServer;
use super::{streams, trust};
use crate::platform::account;
use crate::platform::owner::OtherUser;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions};
use beckon_client::config::HubConfig;
use beckon_client::text::words;
use beckon_core::hub::{DeskRecord, HereRecord, HereSubject};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{sleep, timeout};

/// How long until a client that was refused tries once more.
const AGAIN: Duration = Duration::from_millis(250);

/// A connection of a command's own.
pub(super) struct AtHub {
    pub(super) client: Client,
    words: tokio::sync::Mutex<UnboundedReceiver<ServerWord>>,
}

impl AtHub {
    pub(super) async fn connect(
        options: ConnectOptions,
        address: &HubAddress,
    ) -> Result<Self, HubFault> {
        let (to, words) = unbounded_channel();
        let options = login::heard(options, to.clone()).connection_timeout(WITHIN);
        let options = options.request_timeout(Some(WITHIN)).max_reconnects(1);
        match timeout(WITHIN, guard::connect(options, address, to)).await {
            Ok(Ok(client)) => Ok(Self {
                client,
                words: words.into(),
            }),
            Ok(Err(error)) => Err(fault_of(error)),
            Err(_) => Err(HubFault::Unreachable("it does not answer".into())),
        }
    }

    /// Runs the work, unless the server forbids it: a forbidden request is not answered, and the
    /// server says so separately.
    pub(super) async fn unless_forbidden<T>(
        &self,
        work: impl Future<Output = Result<T, HubFault>>,
    ) -> Result<T, HubFault> {
        let mut words = self.words.lock().await;
        tokio::select! {
            // The work's result goes first: a server that no longer lets this device in ends the
            // connection right after its answer.
            biased;
            done = work => done,
            Some(word) = words.recv() => Err(match word {
                ServerWord::Forbidden(what) => HubFault::Forbidden(what),
                ServerWord::Ended(why) => HubFault::Unreachable(why),
                ServerWord::Odd(odd) => HubFault::Odd(odd),
            }),
        }
    }

    pub(super) async fn ask(
        &self,
        admin: &str,
        subject: &str,
        question: (String, String),
    ) -> Result<DeskReply, HubFault> {
        let asked = async { Ok(requests::ask((&self.client, admin), subject, question).await?) };
        self.unless_forbidden(asked).await
    }

    pub(super) fn jetstream(&self) -> Context {
        let mut jetstream = jetstream::new(self.client.clone());
        jetstream.set_timeout(WITHIN);
        jetstream
    }
}

/// Returns why there is no connection.
fn fault_of(error: anyhow::Error) -> HubFault {
    if error.is::<OtherServer>() {
        return HubFault::OtherServer;
    }
    if error.is::<OtherUser>() {
        return HubFault::OtherUser;
    }
    if let Some(odd) = error.downcast_ref::<OddServer>() {
        return HubFault::Odd(*odd);
    }
    if error.downcast_ref().is_some_and(login::is_unknown) {
        return HubFault::NotLetIn;
    }
    match error.downcast() {
        Ok(unusable) => HubFault::UnusableCa(unusable),
        Err(error) => HubFault::Unreachable(words::causes(&error)),
    }
}

/// The newest list of who belongs to a desk.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewestDesk {
    pub(crate) desk: Option<DeskRecord>,
    /// The revision of the list that the hub shows, where it is an older one; 0 where it shows none.
    pub(crate) older: Option<u64>,
}

impl NewestDesk {
    fn of(known: Option<DeskRecord>, shown: Option<DeskRecord>) -> Self {
        let Some(known) = known else {
            return Self {
                desk: shown,
                older: None,
            };
        };
        let revision = shown.as_ref().map_or(0, |shown| shown.revision);
        let shown = shown.filter(|shown| shown.supersedes(Some(&known)));
        Self {
            older: (revision < known.revision).then_some(revision),
            desk: Some(shown.unwrap_or(known)),
        }
    }
}

/// A connection of this device to its hub.
pub(super) struct Member {
    pub(super) hub: AtHub,
    key: DeviceKey,
    admin: Option<String>,
    devices: BTreeMap<String, String>,
}

impl Member {
    pub(super) async fn reach(config: &HubConfig) -> Result<Self, HubFault> {
        let key = DeviceKey::read_or_make()
            .await
            .map_err(HubFault::Keychain)?;
        let options = login::options(Some(&Login::of(&key)?))?;
        let address = HubAddress::of(config);
        let hub = match AtHub::connect(options.clone(), &address).await {
            // A server that is just being told who may come in refuses a client at that moment.
            Err(HubFault::NotLetIn) => {
                sleep(AGAIN).await;
                AtHub::connect(options, &address).await?
            }
            reached => reached?,
        };
        let (admin, devices) = (config.admin.clone(), config.devices.clone());
        Ok(Self {
            hub,
            key,
            admin,
            devices,
        })
    }

    /// Connects to the hub of a code that has brought this device there; nothing of it is kept yet.
    pub(super) async fn by_code(presented: &PresentedCode) -> Result<Self, HubFault> {
        let key = DeviceKey::read_or_make()
            .await
            .map_err(HubFault::Keychain)?;
        let options = login::options(Some(&Login::of(&key)?))?;
        let hub = AtHub::connect(options, &presented.address()).await?;
        Ok(Self {
            hub,
            key,
            admin: Some(presented.code.admin()),
            devices: BTreeMap::new(),
        })
    }

    /// Whether this device is the one that administers the hub.
    pub(super) fn is_admin(&self) -> bool {
        self.admin.as_ref() == Some(&self.key.public())
    }

    pub(super) async fn request(
        &self,
        subject: &str,
        request: DeskRequest,
    ) -> Result<DeskReply, HubFault> {
        let question = requests::write(&self.key, subject, request)?;
        let admin = self.admin.as_deref().unwrap_or_default();
        self.hub.ask(admin, subject, question).await
    }

    /// Returns the desk record, as its admin has signed it last.
    pub(super) async fn desk(&self) -> Result<Option<DeskRecord>, HubFault> {
        let Some(admin) = &self.admin else {
            return Ok(None);
        };
        let subject = DeskRecord::subject();
        let read = self.hub.unless_forbidden(async {
            let held = async {
                let mut held =
                    Followed::begin(&self.hub.jetstream(), streams::DESK, &subject).await?;
                let mut last = None;
                while !held.is_caught_up() {
                    last = Some(held.next_held().await?);
                }
                anyhow::Ok(last)
            };
            Ok(held.await?)
        });
        let message = read.await?;
        let read = message.map(|message| trust::open_of(admin, &subject, &message.payload));
        read.transpose().map_err(|_| HubFault::Forged)
    }

    /// Returns the newest list that is known here or shown there. The server may show an older one,
    /// or none: a device that was taken off must not get back by that.
    pub(super) async fn newest_desk(
        &self,
        known: Option<DeskRecord>,
    ) -> Result<NewestDesk, HubFault> {
        let shown = match self.desk().await {
            Err(HubFault::Forged) if known.is_some() => None,
            shown => shown?,
        };
        Ok(NewestDesk::of(known, shown))
    }

    /// Returns the devices whose records are believed, by that list.
    pub(super) fn trust(&self, desk: Option<&DeskRecord>) -> trust::Trust {
        let mut trust = trust::Trust::of(&self.devices).with_desk(desk);
        trust.add(&account::machine().unwrap_or_default(), &self.key.public());
        trust
    }

    /// Returns the devices that were heard of lately, each with its Beckon's version, if it says
    /// so.
    pub(super) async fn there(
        &self,
        desk: Option<&DeskRecord>,
    ) -> Result<BTreeMap<String, Option<String>>, HubFault> {
        let trust = trust::Trust::of(&self.devices).with_desk(desk);
        let every = HereSubject::every();
        self.hub
            .unless_forbidden(async {
                let held = async {
                    let mut here =
                        Followed::begin(&self.hub.jetstream(), streams::HERE, &every).await?;
                    let mut there = BTreeMap::new();
                    while !here.is_caught_up() {
                        let message = here.next_held().await?;
                        let known = trust.open::<HereRecord>(&message.subject, &message.payload);
                        let known = known.ok().map(|it| (it.device, it.record.version));
                        there.extend(known);
                    }
                    anyhow::Ok(there)
                };
                Ok(held.await?)
            })
            .await
    }
}
