//! Finds out which parts of the API a server of an untried version supports: every route that
//! Beckon needs is read once, and the server's own `/doc` says which answers it takes. Nothing is
//! written there.

use super::OpenCodeApi;
use crate::sources::http::{is_of_kind, reason, understood as understood_body};
use crate::sources::opencode::wire::{PermissionRequest, QuestionRequest};
use beckon_client::config::OpenCodeServer;
use beckon_client::platform::secret::Secret;
use reqwest::{Response, header};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// The most that is read of an answer. The largest of them is `/doc`, with less than a megabyte.
const LARGEST: usize = 8 << 20;
/// How long an answer may take. A server makes its own description when it is first asked for,
/// which takes a while on a busy machine.
const READ_WITHIN: Duration = Duration::from_secs(15);
/// The type of the first frame, which says that the stream lives.
const FIRST_FRAME: &str = "server.connected";

/// A part of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiPart {
    /// The event stream.
    Events,
    /// The list of open questions.
    Questions,
    /// The list of open permissions.
    Permissions,
    /// The states of the sessions that are busy.
    Status,
    /// The routes that take answers, as `/doc` names them.
    Answers,
    /// The questions of the second core, which 1.18 has beside the first.
    SecondCore,
    /// The forms of 2.x.
    Forms,
}

/// The support that a server has for a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartSupport {
    /// The server has it as this Beckon knows it.
    Known,
    /// The server does not have it.
    Absent,
    /// The server has it in another form, or answers with an error.
    Odd(String),
}

impl ApiPart {
    /// All parts, in the order in which they are read.
    pub const ALL: [Self; 7] = [
        Self::Events,
        Self::Questions,
        Self::Permissions,
        Self::Status,
        Self::Answers,
        Self::SecondCore,
        Self::Forms,
    ];

    /// Returns the path at which the part is read.
    pub fn path(self) -> &'static str {
        match self {
            Self::Events => "/global/event",
            Self::Questions => "/question",
            Self::Permissions => "/permission",
            Self::Status => "/session/status",
            Self::Answers => "/doc",
            Self::SecondCore => "/api/question/request",
            Self::Forms => "/api/form",
        }
    }

    /// Tells whether a server can do without it: Beckon takes another way then.
    pub fn is_optional(self) -> bool {
        matches!(self, Self::SecondCore | Self::Forms)
    }
}

/// Reads each part once.
pub async fn survey(
    server: &OpenCodeServer,
    password: Option<Secret>,
) -> Vec<(ApiPart, PartSupport)> {
    let api = OpenCodeApi::new(server, password);
    let mut found = Vec::new();
    for part in ApiPart::ALL {
        found.push((part, look(&api, part).await.unwrap_or_else(|how| how)));
    }
    found
}

async fn look(api: &OpenCodeApi, part: ApiPart) -> Result<PartSupport, PartSupport> {
    let sent = tokio::time::timeout(READ_WITHIN, api.get(part.path(), None).send()).await;
    let sent = sent.map_err(|_| PartSupport::Odd("no answer".into()))?;
    let response = sent.map_err(|error| PartSupport::Odd(reason(&error)))?;
    match response.status().as_u16() {
        200..=299 => {}
        404 => return Err(PartSupport::Absent),
        // 1.1.53 passes unknown paths on to a page on the web, which it may not reach.
        500..=599 if part.is_optional() => return Err(PartSupport::Absent),
        status => return Err(PartSupport::Odd(format!("it answers {status}"))),
    }
    let kind = response.headers().get(header::CONTENT_TYPE);
    let kind = kind
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    match part {
        ApiPart::Events if is_of_kind(&kind, "text/event-stream") => first_frame(response).await,
        ApiPart::Events => Err(PartSupport::Odd(kind)),
        _ if is_of_kind(&kind, "text/html") => Err(PartSupport::Absent),
        _ => understood(part, &body(response).await?),
    }
}

async fn first_frame(mut response: Response) -> Result<PartSupport, PartSupport> {
    let mut text = String::new();
    while !text.contains("\n\n") && text.len() < LARGEST {
        let chunk = tokio::time::timeout(READ_WITHIN, response.chunk()).await;
        let Ok(Ok(Some(bytes))) = chunk else { break };
        text += &String::from_utf8_lossy(&bytes);
    }
    if text.contains(FIRST_FRAME) {
        Ok(PartSupport::Known)
    } else {
        Err(PartSupport::Odd(format!(
            "its first frame is not {FIRST_FRAME}"
        )))
    }
}

async fn body(mut response: Response) -> Result<Vec<u8>, PartSupport> {
    let mut bytes = Vec::new();
    loop {
        let chunk = tokio::time::timeout(READ_WITHIN, response.chunk()).await;
        match chunk.map_err(|_| PartSupport::Odd("no end".into()))? {
            Ok(Some(chunk)) => bytes.extend(chunk),
            Ok(None) => return Ok(bytes),
            Err(error) => return Err(PartSupport::Odd(reason(&error))),
        }
        if bytes.len() > LARGEST {
            return Err(PartSupport::Odd("its answer has no end".into()));
        }
    }
}

fn understood(part: ApiPart, body: &[u8]) -> Result<PartSupport, PartSupport> {
    match part {
        ApiPart::Questions => read::<Vec<QuestionRequest>>(body).map(drop)?,
        ApiPart::Permissions => read::<Vec<PermissionRequest>>(body).map(drop)?,
        ApiPart::Status => read::<BTreeMap<String, Value>>(body).map(drop)?,
        ApiPart::Answers => answers(&read::<Value>(body)?)?,
        ApiPart::Events | ApiPart::SecondCore | ApiPart::Forms => read::<Value>(body).map(drop)?,
    }
    Ok(PartSupport::Known)
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, PartSupport> {
    understood_body(body.to_vec()).map_err(|error| PartSupport::Odd(error.to_string()))
}

/// Checks that `/doc` names the routes that take answers. Names of parameters may differ; their
/// places may not.
fn answers(doc: &Value) -> Result<(), PartSupport> {
    let paths = doc["paths"].as_object().ok_or(PartSupport::Absent)?;
    let taken = |wanted: &str| {
        let same = |path: &str| path.split('/').map(plain).eq(wanted.split('/').map(plain));
        paths
            .iter()
            .any(|(path, operations)| same(path) && operations.get("post").is_some())
    };
    let wanted = [
        "/question/{}/reply",
        "/question/{}/reject",
        "/permission/{}/reply",
    ];
    let missing: Vec<&str> = wanted.into_iter().filter(|path| !taken(path)).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(PartSupport::Odd(format!(
            "without POST {}",
            missing.join(", ")
        )))
    }
}

fn plain(part: &str) -> &str {
    if part.starts_with('{') { "{}" } else { part }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_routes_for_answers_are_known_by_their_places() {
        let post = json!({ "post": {} });
        let mut doc = json!({ "paths": {
            "/question/{requestID}/reply": post, "/question/{id}/reject": post,
            "/permission/{requestID}/reply": post,
        } });
        assert_eq!(answers(&doc), Ok(()));
        doc["paths"]["/permission/{requestID}/reply"] = json!({ "get": {} });
        let lacks = "without POST /permission/{}/reply".to_owned();
        assert_eq!(answers(&doc), Err(PartSupport::Odd(lacks)));
        assert_eq!(answers(&json!({})), Err(PartSupport::Absent));
    }

    #[test]
    fn what_comes_in_another_form_is_odd() {
        assert_eq!(
            understood(ApiPart::Questions, b"[]"),
            Ok(PartSupport::Known)
        );
        assert!(matches!(
            understood(ApiPart::Questions, b"{}"),
            Err(PartSupport::Odd(_))
        ));
        assert!(matches!(
            understood(ApiPart::Permissions, b"[{}]"),
            Err(PartSupport::Odd(_))
        ));
        assert!(matches!(
            understood(ApiPart::Status, b"[]"),
            Err(PartSupport::Odd(_))
        ));
    }
}
