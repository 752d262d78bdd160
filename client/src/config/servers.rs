//! The tables of `config.toml` that name who is watched: `[[opencode]]` and `[[interrupts]]`.
//!
//! Not here: one table of either kind, as others handle it (`origin`).

use super::address;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An OpenCode server.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct OpenCodeServer {
    /// The name, which is unique; the password is the secret `opencode:<name>`.
    #[serde(default = "local")]
    pub name: String,
    /// The address at which the server listens.
    #[serde(default = "usual_url", deserialize_with = "address::typed")]
    pub url: String,
    /// The user name for HTTP Basic.
    #[serde(default = "usual_username")]
    pub username: String,
    /// Whether a listener on this machine may be another user's.
    #[serde(default)]
    pub any_user: bool,
    /// The password from a registration over the local API; never from the file, and never written.
    #[serde(skip)]
    pub password: Option<crate::platform::secret::Secret>,
    /// The registration, if the server has registered itself. A change of the file does not remove
    /// such a server.
    #[serde(skip)]
    pub registered: Option<RegisteredProcess>,
}

/// The facts that a server tells of itself when it registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisteredProcess {
    /// The transport by which the server is reached.
    pub way: ServerTransport,
    /// The id of its process.
    pub pid: Option<u32>,
    /// The directory in which it works.
    pub directory: Option<String>,
    /// The ports on which its process listens: it may be watched there already.
    pub ports: BTreeSet<u16>,
}

/// The transport by which a server is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ServerTransport {
    /// Over a port of its own.
    #[default]
    Port,
    /// Through the plugin, which passes everything on to the server.
    Door,
    /// Through the plugin, which finds no way to the server and makes do with its events.
    Events,
}

impl OpenCodeServer {
    /// Returns its port, if it is on this machine.
    pub fn local_port(&self) -> Option<u16> {
        let url = url::Url::parse(&self.url).ok()?;
        let local = match url.host()? {
            url::Host::Domain(name) => name == "localhost",
            url::Host::Ipv4(address) => address.is_loopback(),
            url::Host::Ipv6(address) => address.is_loopback(),
        };
        url.port_or_known_default().filter(|_| local)
    }

    /// Returns the process that has registered it.
    pub fn pid(&self) -> Option<u32> {
        self.registered
            .as_ref()
            .and_then(|registered| registered.pid)
    }
}

/// A service with the ask_user / resume API.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct InterruptsService {
    /// The name, which is unique, also among the servers; the bearer token is the secret
    /// `interrupts:<name>`.
    pub name: String,
    /// The API that the service speaks.
    pub kind: InterruptsKind,
    /// The address that its events come from.
    #[serde(deserialize_with = "address::typed")]
    pub stream: String,
    /// The address for answers. The id of the thread is appended behind a slash, or replaces
    /// `{thread}`.
    #[serde(deserialize_with = "address::typed")]
    pub resume: String,
    /// The thread that the stream belongs to, where its events name none; stands in for `{thread}`
    /// in the stream's address.
    pub thread: Option<String>,
    /// The address of a LangGraph server, which has one for both.
    #[serde(deserialize_with = "address::typed")]
    pub url: String,
    /// Whether a listener on this machine may be another user's.
    pub any_user: bool,
}

/// The values of `interrupts.kind`: the API that a service speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InterruptsKind {
    /// The ask_user / resume API.
    #[default]
    Resume,
    /// LangGraph's API.
    LangGraph,
}

impl Default for OpenCodeServer {
    fn default() -> Self {
        Self {
            name: local(),
            url: usual_url(),
            username: usual_username(),
            any_user: false,
            password: None,
            registered: None,
        }
    }
}

impl Default for InterruptsService {
    fn default() -> Self {
        Self {
            name: "interrupts".into(),
            kind: InterruptsKind::default(),
            stream: "http://127.0.0.1:8000/api/stream".into(),
            resume: "http://127.0.0.1:8000/api/resume".into(),
            thread: None,
            url: "http://127.0.0.1:2024".into(),
            any_user: false,
        }
    }
}

fn local() -> String {
    "local".into()
}

fn usual_url() -> String {
    "http://127.0.0.1:4096".into()
}

fn usual_username() -> String {
    "opencode".into()
}
