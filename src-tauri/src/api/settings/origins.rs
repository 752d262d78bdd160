//! The places that asks come from, of every kind: tried, added to the settings, taken out of them.
//!
//! Not here: another name or address for a place that is in the settings (`change`).

mod change;

pub(in crate::api) use change::change;

use crate::api::error::ApiError;
use crate::api::settings::{ONE_AT_A_TIME, edited, file};
use crate::api::{ApiState, problem};
use crate::platform::secrets::{self, KeychainError, Secret};
use crate::sources::probe::{FoundServer, ProbeError, probe, recognise};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use beckon_client::config::{
    InterruptsKind, InterruptsService, OpenCodeServer, OriginTable, edit, trim_address,
};
use beckon_client::text::words;
use beckon_client::text::{Texts, Value};
use beckon_client::wire::ServerTested;
use beckon_client::wire::SourceKind;
use serde::Deserialize;

/// The body of `POST /settings/servers` and of `POST /servers/test`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct OriginBody {
    /// The protocol that the server speaks.
    #[serde(default)]
    kind: SourceKind,
    /// The server's name; a test needs none.
    name: Option<String>,
    /// The server's address; of a service with interrupts, that of its events.
    url: String,
    /// The address for answers, of a service with interrupts.
    resume: Option<String>,
    /// The user name for HTTP Basic, of an OpenCode.
    username: Option<String>,
    /// A password or token that is not kept yet. It goes into the keychain, and never into the file.
    password: Option<String>,
}

impl OriginBody {
    fn origin(self) -> Result<OriginTable, ApiError> {
        let Self {
            kind,
            name,
            url,
            resume,
            username,
            ..
        } = self;
        let url = trim_address(&url).to_owned();
        let usual = InterruptsService::default();
        Ok(match kind {
            SourceKind::OpenCode => {
                let usual = OpenCodeServer::default();
                let username = username.unwrap_or(usual.username);
                let name = name.unwrap_or(usual.name);
                OriginTable::OpenCode(OpenCodeServer {
                    name,
                    url,
                    username,
                    ..OpenCodeServer::default()
                })
            }
            SourceKind::Interrupts => {
                let resume = resume.ok_or(ApiError::NoResume)?;
                let name = name.unwrap_or(usual.name);
                OriginTable::Service(InterruptsService {
                    name,
                    stream: url,
                    resume: trim_address(&resume).to_owned(),
                    ..InterruptsService::default()
                })
            }
            SourceKind::LangGraph => {
                let (name, kind) = (name.unwrap_or(usual.name), InterruptsKind::LangGraph);
                OriginTable::Service(InterruptsService {
                    name,
                    kind,
                    url,
                    ..InterruptsService::default()
                })
            }
        })
    }
}

/// Handles `POST /settings/servers`.
pub(in crate::api) async fn add(
    State(room): State<ApiState>,
    Json(new): Json<OriginBody>,
) -> Response {
    if new.name.as_ref().is_none_or(|name| name.trim().is_empty()) {
        return problem(&room, &ApiError::Nameless);
    }
    let password = new.password.clone().filter(|given| !given.is_empty());
    let origin = match new.origin() {
        Ok(origin) => origin,
        Err(lacks) => return problem(&room, &lacks),
    };
    let _turn = ONE_AT_A_TIME.lock().await;
    let known = file(&room)
        .ok()
        .and_then(|file| edit::find(&file, origin.name()));
    let secret = origin.secret();
    let keeps = known.is_none().then_some(password);
    if let Some(password) = keeps.clone()
        && let Err(refused) = begin_secret(&room, &secret, password).await
    {
        return refused;
    }
    let response = edited(&room, |file| edit::add(file, &origin)).await;
    if keeps.is_some() && !response.status().is_success() {
        forget(&secret).await;
    }
    response
}

/// Puts the password of a server that is about to be added into the keychain. If that fails, the
/// server is not added: without the password it would be there and let nobody in.
async fn begin_secret(
    room: &ApiState,
    secret: &str,
    password: Option<String>,
) -> Result<(), Response> {
    let Some(password) = password else {
        // A secret that a former server of that name has left in the keychain is not for this one.
        forget(secret).await;
        return Ok(());
    };
    secrets::write(secret, Secret::new(password))
        .await
        .map_err(|trouble| problem(room, &ApiError::Keychain(secret.to_owned(), trouble)))
}

/// Removes a server (`DELETE /settings/servers/{name}`). Its secret goes too: otherwise the next
/// server of that name would be shown it, wherever that is.
pub(in crate::api) async fn remove(
    State(room): State<ApiState>,
    Path(name): Path<String>,
) -> Response {
    let _turn = ONE_AT_A_TIME.lock().await;
    let mut gone = None;
    let response = edited(&room, |file| {
        gone = edit::find(file, &name);
        edit::remove(file, &name)
    });
    let response = response.await;
    if let Some(origin) = gone.filter(|_| response.status().is_success()) {
        forget(&origin.secret()).await;
    }
    response
}

/// Removes a secret. Without a keychain there is nothing to remove.
async fn forget(secret: &str) {
    if let Err(KeychainError::Absent(_)) = secrets::kept(secret).await {
        return;
    }
    if let Err(trouble) = secrets::remove(secret).await {
        tracing::warn!(secret, %trouble, "the secret of what was removed is still in the keychain");
    }
}

/// Tries a server (`POST /servers/test`): what answers there, and whether it lets us in.
pub(in crate::api) async fn test(
    State(room): State<ApiState>,
    Json(asked): Json<OriginBody>,
) -> Response {
    let (kind, url, named) = (
        asked.kind,
        trim_address(&asked.url).to_owned(),
        asked.name.is_some(),
    );
    let given = asked.password.clone().map(Secret::new);
    let origin = match asked.origin() {
        Ok(origin) => origin,
        Err(lacks) => return problem(&room, &lacks),
    };
    let secret = match given {
        None if named => secrets::read(&origin.secret()).await.ok().flatten(),
        given => given,
    };
    let tested = match probe(origin, secret.clone()).await {
        Ok(found) => found_there(&found, &room.texts),
        Err(ProbeError::Stranger) => stranger(kind, recognise(&url, secret).await, &room.texts),
        Err(unreachable) => refused(kind, &unreachable, &room.texts),
    };
    Json(tested).into_response()
}

fn found_there(found: &FoundServer, texts: &Texts) -> ServerTested {
    let key = match found {
        FoundServer::OpenCode(None) => "server-test-opencode",
        FoundServer::OpenCode(Some(_)) => "server-test-opencode-version",
        FoundServer::Beckon(None) => "server-test-beckon",
        FoundServer::Beckon(Some(_)) => "server-test-beckon-version",
        FoundServer::LangGraph(None) => "server-test-langgraph",
        FoundServer::LangGraph(Some(_)) => "server-test-langgraph-version",
        FoundServer::Interrupts { takes: true } => "server-test-interrupts",
        FoundServer::Interrupts { takes: false } => "server-test-interrupts-half",
    };
    let version = [("version", Value::from(found.version().unwrap_or_default()))];
    ServerTested {
        ok: true,
        kind: Some(found.kind()),
        version: found.version().map(str::to_owned),
        unauthorized: false,
        message: texts.with(key, &version),
    }
}

/// Returns the result for a server that is not what was looked for.
fn stranger(wanted: SourceKind, found: Option<SourceKind>, texts: &Texts) -> ServerTested {
    let no = texts.get(match wanted {
        SourceKind::OpenCode => "server-test-no-opencode",
        SourceKind::Interrupts => "server-test-no-interrupts",
        SourceKind::LangGraph => "server-test-no-langgraph",
    });
    let message = match found {
        None => no,
        Some(SourceKind::OpenCode) => texts.get("server-test-is-opencode"),
        Some(SourceKind::Interrupts) => texts.get("server-test-is-interrupts"),
        Some(SourceKind::LangGraph) => texts.get("server-test-is-langgraph"),
    };
    ServerTested {
        ok: false,
        kind: found,
        version: None,
        unauthorized: false,
        message,
    }
}

fn refused(kind: SourceKind, unreachable: &ProbeError, texts: &Texts) -> ServerTested {
    let unauthorized = *unreachable == ProbeError::Unauthorized;
    let message = match (unreachable, kind) {
        (ProbeError::Unauthorized, SourceKind::OpenCode) => texts.get("server-test-unauthorized"),
        (ProbeError::Unauthorized, _) => texts.get("server-test-unauthorized-token"),
        (ProbeError::Stranger, _) => texts.get("server-test-no-opencode"),
        (ProbeError::NoAddress(fault), _) => ApiError::Address(*fault).words(texts),
        (ProbeError::Out(fault), _) => {
            let detail = Value::from(words::fault(texts, fault));
            texts.with("server-test-failed", &[("detail", detail)])
        }
    };
    ServerTested {
        ok: false,
        kind: None,
        version: None,
        unauthorized,
        message,
    }
}
