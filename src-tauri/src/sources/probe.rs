//! Finds out what answers at an address, before it is watched or when somebody doubts it. It only
//! reads: nothing is changed there.

use super::http::sse::StreamError;
use super::{interrupts, langgraph, opencode};
use beckon_client::config::{
    AddressFault, InterruptsKind, InterruptsService, OpenCodeServer, OriginTable,
};
use beckon_client::platform::secret::Secret;
use beckon_client::wire::SourceKind;
use beckon_core::SourceFault;
use url::Url;

/// The server that answers, with its version, if it tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FoundServer {
    /// An OpenCode.
    OpenCode(Option<String>),
    /// Another Beckon, which speaks as an OpenCode does.
    Beckon(Option<String>),
    /// A service with the ask_user / resume API.
    Interrupts {
        /// Whether the address for answers says that it takes some; where it does not say so,
        /// nobody knows.
        takes: bool,
    },
    /// A LangGraph server.
    LangGraph(Option<String>),
}

impl FoundServer {
    /// Returns the kind of source that it is.
    pub(crate) fn kind(&self) -> SourceKind {
        match self {
            Self::OpenCode(_) | Self::Beckon(_) => SourceKind::OpenCode,
            Self::Interrupts { .. } => SourceKind::Interrupts,
            Self::LangGraph(_) => SourceKind::LangGraph,
        }
    }

    /// Returns the server's version, if it tells.
    pub(crate) fn version(&self) -> Option<&str> {
        match self {
            Self::OpenCode(version) | Self::Beckon(version) | Self::LangGraph(version) => {
                version.as_deref()
            }
            Self::Interrupts { .. } => None,
        }
    }
}

/// The reason for which a source cannot be watched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ProbeError {
    /// The server does not let us in.
    #[error("the password or token is wrong or missing")]
    Unauthorized,
    /// Something answers, but not as this kind does.
    #[error("something else answers there")]
    Stranger,
    /// The address is none of a server.
    #[error("it {0}")]
    NoAddress(AddressFault),
    /// The server is out of reach.
    #[error(transparent)]
    Out(#[from] SourceFault),
}

impl From<StreamError> for ProbeError {
    fn from(broken: StreamError) -> Self {
        match broken {
            StreamError::Refused => Self::Unauthorized,
            StreamError::NoStream(_) => Self::Stranger,
            StreamError::Ended => Self::Out(SourceFault::Ended),
            StreamError::Busy(fault, _) | StreamError::Other(fault) => Self::Out(fault),
        }
    }
}

/// Checks whether the source answers and lets us in.
///
/// # Errors
/// The reason for which it cannot be watched.
pub(crate) async fn probe(
    origin: OriginTable,
    secret: Option<Secret>,
) -> Result<FoundServer, ProbeError> {
    if let Some(fault) = origin.address_fault() {
        return Err(ProbeError::NoAddress(fault));
    }
    match origin {
        OriginTable::OpenCode(server) => opencode::probe(&server, secret).await,
        OriginTable::Service(service) => match service.kind {
            InterruptsKind::Resume => interrupts::probe(service, secret).await,
            InterruptsKind::LangGraph => langgraph::probe(service, secret).await,
        },
    }
}

/// Returns the kind of a stranger, if it is anything that can be watched.
pub(crate) async fn recognise(url: &str, secret: Option<Secret>) -> Option<SourceKind> {
    let parsed = Url::parse(url).ok()?;
    let base = parsed.origin().ascii_serialization();
    let server = OpenCodeServer {
        url: base.clone(),
        ..OpenCodeServer::default()
    };
    let graph = InterruptsService {
        url: base,
        kind: InterruptsKind::LangGraph,
        ..InterruptsService::default()
    };
    let (stream, resume) = (url.to_owned(), url.to_owned());
    let service = InterruptsService {
        stream,
        resume,
        ..InterruptsService::default()
    };
    for origin in [
        OriginTable::OpenCode(server),
        OriginTable::Service(graph),
        OriginTable::Service(service),
    ] {
        if let Ok(found) = probe(origin, secret.clone()).await {
            return Some(found.kind());
        }
    }
    None
}
