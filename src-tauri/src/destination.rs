//! The place where a session runs, and the way to it: its terminal is brought to the front, or its
//! page is opened in the browser. The place is looked up when a human wants to go there, and
//! nothing of it is kept.
//!
//! Not here: which asks there are, and who wanted to go.

mod address;
mod error;
mod terminal;
#[cfg(unix)]
mod tmux;
mod window;

pub(crate) use error::DestinationError;

use crate::platform::processes;
use crate::sources::discovery::unwatched;
use beckon_client::config::{InterruptsKind, OpenCodeServer, ServerTransport};
use beckon_client::platform::external;
use beckon_core::{AskerProcess, Session};

/// The facts that are known of a session before it is looked for.
#[derive(Clone, Debug)]
pub(crate) struct SessionOrigin {
    /// The session.
    pub session: Session,
    /// The program that runs the session.
    pub host: SessionHost,
}

/// The program that runs a session.
#[derive(Clone, Debug)]
pub(crate) enum SessionHost {
    /// The process that asked through Beckon itself.
    Asker(AskerProcess),
    /// An OpenCode that has registered itself, by its process.
    Registered(u32),
    /// An OpenCode that is watched at its port, by its address.
    OpenCode(String),
    /// A LangGraph server, by its address.
    LangGraph(String),
    /// Another Beckon, by the name of its source.
    Beckon(String),
    /// A program that is not known.
    Unknown,
}

/// The place where the session was found to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// The terminal or program in which that process runs.
    Terminal(u32),
    /// A page in the browser.
    Browser(String),
}

impl SessionHost {
    /// Returns the host of an OpenCode server's sessions.
    pub(crate) fn of_server(server: &OpenCodeServer) -> Self {
        let registered = server.registered.as_ref();
        let inside = registered.filter(|process| process.way != ServerTransport::Port);
        match inside.and_then(|process| process.pid) {
            Some(pid) => Self::Registered(pid),
            None => Self::OpenCode(server.url.clone()),
        }
    }

    /// Returns the host of the threads of a service with interrupts. A service that only streams
    /// them has no page.
    pub(crate) fn of_service(kind: InterruptsKind, url: &str) -> Self {
        match kind {
            InterruptsKind::LangGraph => Self::LangGraph(url.into()),
            InterruptsKind::Resume => Self::Unknown,
        }
    }

    /// Whether the session may be found, so that it is worth looking for.
    pub(crate) fn has_way(&self) -> bool {
        match self {
            Self::Asker(_) | Self::Registered(_) | Self::OpenCode(_) | Self::LangGraph(_) => true,
            Self::Beckon(_) | Self::Unknown => false,
        }
    }
}

impl SessionOrigin {
    /// Goes to the session. This asks the system and runs programs, which may take a few seconds.
    ///
    /// # Errors
    /// When the session is not found, or cannot be brought to the front.
    pub(crate) async fn show(self) -> Result<Destination, DestinationError> {
        let directory = self.session.directory.clone();
        let destination = tokio::task::spawn_blocking(move || self.locate());
        let destination = destination
            .await
            .map_err(|_| DestinationError::Unknown(directory.clone()))??;
        match &destination {
            Destination::Terminal(process) => terminal::raise(*process, &directory).await?,
            Destination::Browser(page) => open_page(page.clone()).await?,
        }
        Ok(destination)
    }

    fn locate(&self) -> Result<Destination, DestinationError> {
        let Session { id, directory, .. } = &self.session;
        match &self.host {
            SessionHost::Beckon(name) => Err(DestinationError::Elsewhere(name.clone())),
            SessionHost::Asker(asker) if processes::born(asker.pid) != Some(asker.born) => {
                Err(DestinationError::Ended)
            }
            SessionHost::Asker(AskerProcess { pid, .. }) | SessionHost::Registered(pid) => {
                Ok(Destination::Terminal(*pid))
            }
            SessionHost::OpenCode(url) => Ok(match unwatched::terminal_at(url, &self.session) {
                Some(pid) => Destination::Terminal(pid),
                None => Destination::Browser(address::of_opencode(url, directory, id)),
            }),
            SessionHost::LangGraph(url) => Ok(Destination::Browser(address::of_langgraph(url, id))),
            SessionHost::Unknown => Err(DestinationError::Unknown(directory.clone())),
        }
    }
}

async fn open_page(page: String) -> Result<(), DestinationError> {
    let opened = page.clone();
    let opened = tokio::task::spawn_blocking(move || external::open_link(&opened)).await;
    opened
        .map_err(anyhow::Error::from)
        .flatten()
        .map_err(|error| {
            tracing::info!(%error, "no browser opens the page of a session");
            DestinationError::NoBrowser(page)
        })
}
