//! The tables of `config.toml` that name the servers and services to watch: `[[opencode]]` and
//! `[[interrupts]]`.
//!
//! Not here: a table of either kind, as other code handles it (`origin`).

use super::address;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An OpenCode server.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct OpenCodeServer {
    /// The server's unique name; its password is the secret `opencode:<name>`.
    #[serde(default = "local")]
    pub name: String,
    /// The server's address.
    #[serde(default = "usual_url", deserialize_with = "address::typed")]
    pub url: String,
    /// The user name for HTTP Basic.
    #[serde(default = "usual_username")]
    pub username: String,
    /// Whether the listener on this machine may be another user's.
    #[serde(default)]
    pub any_user: bool,
    /// The password from a registration over the local API. It is never in the file, and never
    /// written.
    #[serde(skip)]
    pub password: Option<crate::platform::secret::Secret>,
    /// The process of a server that has registered itself; a change of the file does not remove it.
    #[serde(skip)]
    pub registered: Option<RegisteredProcess>,
}

/// The facts that a server tells when it registers itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisteredProcess {
    /// The way in which the server is reached.
    pub way: ServerTransport,
    /// The id of the server's process.
    pub pid: Option<u32>,
    /// The directory in which the server works.
    pub directory: Option<String>,
    /// The ports on which the process listens, at which it may be watched already.
    pub ports: BTreeSet<u16>,
}

/// The way in which a server is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ServerTransport {
    /// The server has a port of its own.
    #[default]
    Port,
    /// The plugin passes all requests on to the server.
    Door,
    /// The plugin finds no way to the server, and only passes its events on.
    Events,
}

impl OpenCodeServer {
    /// Returns the server's port, if it is on this machine.
    pub fn local_port(&self) -> Option<u16> {
        let url = url::Url::parse(&self.url).ok()?;
        let local = match url.host()? {
            url::Host::Domain(name) => name == "localhost",
            url::Host::Ipv4(address) => address.is_loopback(),
            url::Host::Ipv6(address) => address.is_loopback(),
        };
        url.port_or_known_default().filter(|_| local)
    }

    /// Returns the process that registered the server.
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
    /// The service's name, unique also among the servers; its bearer token is the secret
    /// `interrupts:<name>`.
    pub name: String,
    /// The protocol that the service speaks.
    pub kind: InterruptsKind,
    /// The address of the service's events.
    #[serde(deserialize_with = "address::typed")]
    pub stream: String,
    /// The address for answers. The thread's id is appended after a slash, or replaces `{thread}`.
    #[serde(deserialize_with = "address::typed")]
    pub resume: String,
    /// The thread that the stream belongs to, for events that name none. It replaces `{thread}` in
    /// the stream's address.
    pub thread: Option<String>,
    /// The address of a LangGraph server, which has one for events and answers.
    #[serde(deserialize_with = "address::typed")]
    pub url: String,
    /// Whether the listener on this machine may be another user's.
    pub any_user: bool,
}

/// `interrupts.kind`
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
