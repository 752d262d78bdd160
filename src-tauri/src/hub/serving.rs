//! A hub of one's own: starts an installed nats-server with a configuration that lets in only the
//! devices of the desk, publishes the desk record, and gives out codes by which more devices join.
//!
//! Not here: what a person reads of it (`cli/hub`), and what a device that joins does
//! (`joining.rs`).

mod certificate;
mod clearing;
pub(super) mod configuration;
mod desk_file;
pub(super) mod door;
mod keeper;
mod program;
mod questions;

pub(crate) use program::{NatsServer, NoServer};

use super::key::DeviceKey;
use super::login::Login;
use anyhow::{Context as _, Result, ensure};
use beckon_client::config::trim_address;
use beckon_client::platform::failure::SystemFailure;
use beckon_client::platform::paths::write_private;
use beckon_client::platform::private;
use beckon_core::hub::DeskRecord;
use rand::Rng;
use std::fs::File;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use url::Host;

/// The plan of a hub.
#[derive(Clone, Debug)]
pub(crate) struct HubPlan {
    /// The folder of its files.
    pub(crate) folder: PathBuf,
    /// The address on which it listens.
    pub(crate) listen: Listen,
    /// The name under which other machines reach it, if that differs.
    pub(crate) address: Option<String>,
    /// Whether it uses TLS also on the loopback.
    pub(crate) tls: bool,
    /// The name of this device.
    pub(crate) device: String,
    /// The person to whom the device belongs. A machine that joins by a plain code belongs to them,
    /// too.
    pub(crate) person: String,
}

/// `HOST:PORT`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listen {
    host: String,
    port: u16,
}

impl std::str::FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = trim_address(text)
            .rsplit_once(':')
            .and_then(|(host, port)| Some((host, port.parse().ok()?)));
        let listen = parts.and_then(|(host, port)| Some((host.parse::<HostName>().ok()?, port)));
        let Some((HostName(host), port)) = listen.filter(|(_, port)| *port != 0) else {
            return Err("HOST:PORT".into());
        };
        Ok(Self { host, port })
    }
}

/// The name or IP address of a machine, without the brackets of an IPv6 address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostName(pub(crate) String);

impl std::str::FromStr for HostName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = trim_address(text).trim_matches(['[', ']']);
        let is_ip = name.parse::<IpAddr>().is_ok();
        if is_ip || Host::parse(name).is_ok() {
            Ok(Self(name.to_owned()))
        } else {
            Err("HOST".into())
        }
    }
}

impl Listen {
    fn ip(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }

    fn is_here(&self) -> bool {
        self.host == "localhost" || self.ip().is_some_and(|ip| ip.is_loopback())
    }

    fn is_everywhere(&self) -> bool {
        self.ip().is_some_and(|ip| ip.is_unspecified())
    }

    /// Returns the address with the same port, for every machine.
    pub(crate) fn everywhere(&self) -> String {
        at("0.0.0.0", self.port)
    }

    fn written(&self) -> String {
        at(&self.host, self.port)
    }
}

impl HubPlan {
    fn is_tls(&self) -> bool {
        self.tls || !self.is_here_only()
    }

    /// Whether it cannot be reached from another machine.
    pub(crate) fn is_here_only(&self) -> bool {
        self.listen.is_here() && self.address.is_none()
    }

    /// Returns the address at which this device reaches it.
    fn own_url(&self) -> String {
        let host = if self.listen.is_everywhere() {
            "127.0.0.1"
        } else {
            &self.listen.host
        };
        self.url(host)
    }

    /// Returns the address at which others reach it.
    fn url_for_others(&self) -> String {
        match &self.address {
            Some(address) => self.url(address),
            None if self.listen.is_everywhere() => self.url(&self.device),
            None => self.own_url(),
        }
    }

    fn url(&self, host: &str) -> String {
        let scheme = if self.is_tls() { "tls" } else { "nats" };
        format!("{scheme}://{}", at(host, self.listen.port))
    }

    /// Returns every name by which a client may call it.
    fn names(&self) -> Vec<String> {
        let given = [self.listen.host.clone(), self.device.clone()].into_iter();
        let always = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        given.chain(self.address.clone()).chain(always).collect()
    }
}

fn at(host: &str, port: u16) -> String {
    if host.contains(':') {
        format!("[{host}]:{port}")
    } else {
        format!("{host}:{port}")
    }
}

/// An event of the hub, for a person.
#[derive(Clone, Debug)]
pub(crate) enum ServeEvent {
    /// The hub runs.
    Ready(ServingAt),
    /// A device has joined, by that name.
    Joined(String),
    /// A device has left, or was taken off.
    Left(String),
    /// The list was changed, but nats-server still uses an older one; with the reason.
    NotLoaded(String),
}

/// The address of a running hub, and what a device has to know to join it.
#[derive(Clone, Debug)]
pub(crate) struct ServingAt {
    /// The address at which this device reaches it.
    pub(crate) url: String,
    /// The address at which others reach it.
    pub(crate) others: String,
    /// The admin's public key.
    pub(crate) admin: String,
    /// The certificate that signs the server's.
    pub(crate) ca: Option<PathBuf>,
    /// The first code.
    pub(crate) code: String,
}

/// A reason why serving the hub has ended.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServeEnd {
    /// The hub is served from the same files already.
    #[error("it is served already")]
    AlreadyServed,
    /// The server has ended; what it said.
    #[error("nats-server has ended: {0}")]
    ServerEnded(String),
    /// The server runs, and lets nobody in; with the reason.
    #[error("nats-server does not answer: {0}")]
    Silent(String),
}

/// The time limit for a request through the door: the server has to be told of the change, or even
/// restarted.
const ANSWERS_WITHIN: Duration = Duration::from_secs(30);

/// Returns the list in that folder's file, if a desk is kept there.
pub(crate) fn kept_desk(folder: &Path) -> Option<DeskRecord> {
    let file = desk_file::DeskFile::open(folder.join("desk.json")).ok()?;
    Some(file.record()).filter(|desk| desk.revision > 0)
}

/// Serves the hub until told to end.
///
/// # Errors
/// When it cannot be served, or no longer.
pub(crate) async fn serve(
    plan: HubPlan,
    server: NatsServer,
    events: UnboundedSender<ServeEvent>,
) -> Result<()> {
    prepare(&plan.folder)?;
    let _lock = locked(&plan.folder)?;
    let key = DeviceKey::read_or_make().await?;
    let login = Login::of(&key)?;
    let ca = certified(&plan, &key)?;
    let number: [u8; 4] = rand::rng().random();
    let name = format!("beckon-{:08x}", u32::from_be_bytes(number));
    Box::pin(keeper::keep(keeper::Kept {
        plan,
        server,
        key,
        login,
        ca,
        name,
        events,
    }))
    .await
}

fn prepare(folder: &Path) -> Result<()> {
    private::create(folder).with_context(|| SystemFailure::NoPlace(folder.into()))?;
    private::close(folder).with_context(|| SystemFailure::Create(folder.into()))?;
    let is_private = private::is_private(folder);
    let is_private = is_private.with_context(|| SystemFailure::Create(folder.into()))?;
    ensure!(is_private, SystemFailure::Exposed(folder.into()));
    Ok(())
}

/// Takes the folder's lock: two hubs would end each other's server.
fn locked(folder: &Path) -> Result<File> {
    let path = folder.join("lock");
    let lock = File::create(&path).with_context(|| SystemFailure::Write(path.clone()))?;
    lock.try_lock().map_err(|_| ServeEnd::AlreadyServed)?;
    Ok(lock)
}

/// Writes the certificates, and returns the one that signs the server's, if it has one.
fn certified(plan: &HubPlan, key: &DeviceKey) -> Result<Option<keeper::OwnCa>> {
    if !plan.is_tls() {
        return Ok(None);
    }
    let made = certificate::make(key, &plan.names())?;
    write_private(&plan.folder.join("server.pem"), made.chain.as_bytes())?;
    write_private(&plan.folder.join("server.key"), made.key.as_bytes())?;
    let path = plan.folder.join("ca.pem");
    write_private(&path, made.ca.as_bytes())?;
    Ok(Some(keeper::OwnCa {
        path,
        text: made.ca,
        fingerprint: made.fingerprint,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(listen: &str, address: Option<&str>) -> HubPlan {
        HubPlan {
            folder: PathBuf::new(),
            listen: listen.parse().unwrap(),
            address: address.map(str::to_owned),
            tls: false,
            device: "tower".into(),
            person: "Ada".into(),
        }
    }

    #[test]
    fn a_host_is_taken_without_what_a_copy_brought_along_and_an_address_is_none() {
        let host = |text: &str| text.parse().map(|HostName(name)| name);
        for text in [
            "hub.example",
            " hub.example\n",
            "\u{feff}hub.example\u{200b}",
        ] {
            assert_eq!(host(text), Ok("hub.example".to_owned()), "{text:?}");
        }
        assert_eq!(host("[::1]"), Ok("::1".to_owned()));
        for text in [
            "",
            " ",
            "https://hub.example",
            "hub.example/",
            "hub.example?x",
            "a b",
        ] {
            assert!(host(text).is_err(), "{text:?}");
        }
        assert_eq!(
            " 127.0.0.1:4223\u{200b}".parse(),
            Ok(plan("127.0.0.1:4223", None).listen)
        );
    }

    #[test]
    fn off_this_machine_it_is_tls_and_others_are_told_a_name_that_they_reach() {
        let urls = |listen, address| {
            let plan = plan(listen, address);
            (plan.own_url(), plan.url_for_others())
        };
        let told = |own: &str, others: &str| (own.to_owned(), others.to_owned());
        let here = "nats://127.0.0.1:4223";
        assert_eq!(urls("127.0.0.1:4223", None), told(here, here));
        let lan = "tls://10.0.0.7:4223";
        assert_eq!(urls("10.0.0.7:4223", None), told(lan, lan));
        assert_eq!(
            urls("0.0.0.0:4223", None),
            told("tls://127.0.0.1:4223", "tls://tower:4223")
        );
        let named = told("tls://127.0.0.1:4223", "tls://hub.example:4223");
        assert_eq!(urls("0.0.0.0:4223", Some("hub.example")), named);
        let tunnelled = told("tls://127.0.0.1:4223", "tls://hub.example:4223");
        assert_eq!(urls("127.0.0.1:4223", Some("hub.example")), tunnelled);
        assert_eq!(urls("[::1]:4223", None).0, "nats://[::1]:4223");
        for strange in ["", "4223", ":4223", "host:", "host:x", "host:0"] {
            assert!(strange.parse::<Listen>().is_err(), "{strange}");
        }
    }
}
