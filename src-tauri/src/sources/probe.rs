//! What answers at an address, before it is watched or when somebody doubts it. Nothing is changed
//! there: all of it is reading.

use super::http::sse::StreamError;
use super::{interrupts, langgraph, opencode};
use beckon_client::config::{
    AddressFault, InterruptsKind, InterruptsService, OpenCodeServer, OriginTable,
};
use beckon_client::platform::secret::Secret;
use beckon_client::wire::SourceKind;
use beckon_core::SourceFault;
use url::Url;

/// What answers, with its version, if it tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FoundServer {
    /// An OpenCode.
    OpenCode(Option<String>),
    /// Another Beckon, which speaks as an OpenCode does.
    Beckon(Option<String>),
    /// A service with the ask_user / resume API.
    Interrupts {
        /// The address for answers says that it takes some; otherwise nobody knows.
        takes: bool,
    },
    /// A LangGraph server.
    LangGraph(Option<String>),
}

impl FoundServer {
    /// What it speaks.
    pub(crate) fn kind(&self) -> SourceKind {
        match self {
            Self::OpenCode(_) | Self::Beckon(_) => SourceKind::OpenCode,
            Self::Interrupts { .. } => SourceKind::Interrupts,
            Self::LangGraph(_) => SourceKind::LangGraph,
        }
    }

    /// Its version.
    pub(crate) fn version(&self) -> Option<&str> {
        match self {
            Self::OpenCode(version) | Self::Beckon(version) | Self::LangGraph(version) => {
                version.as_deref()
            }
            Self::Interrupts { .. } => None,
        }
    }
}

/// Why a source cannot be watched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ProbeError {
    /// It does not let us in.
    #[error("the password or token is wrong or missing")]
    Unauthorized,
    /// Something answers, but not as this kind does.
    #[error("something else answers there")]
    Stranger,
    /// That is no address of a server.
    #[error("it {0}")]
    NoAddress(AddressFault),
    /// It is out of reach.
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

/// Does it answer, and let us in?
///
/// # Errors
/// Says why not.
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

/// What a stranger is, if it is anything that can be watched.
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
