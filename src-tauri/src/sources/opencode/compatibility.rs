//! What a server of a version that nobody has tried supports: every route that Beckon needs is read
//! once, and the server's own `/doc` says which answers it takes. Nothing is written there.

use super::api::Api;
use super::wire::{PermissionRequest, QuestionRequest};
use crate::config::Server;
use crate::platform::secrets::Secret;
use crate::sources::http::reason;
use reqwest::{Response, header};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// The largest of these answers is `/doc`, with less than a megabyte.
const LARGEST: usize = 8 << 20;
/// A server makes its own description when it is first asked for; on a busy machine that takes a while.
const READ_WITHIN: Duration = Duration::from_secs(15);
/// The first frame says that the stream lives.
const FIRST_FRAME: &str = "server.connected";

/// A part of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The event stream.
    Events,
    /// The list of open questions.
    Questions,
    /// The list of open permissions.
    Permissions,
    /// Which sessions are busy.
    Status,
    /// The routes that take answers, as `/doc` names them.
    Answers,
    /// The questions of the second core, which 1.18 has beside the first.
    SecondCore,
    /// The forms of 2.x.
    Forms,
}

/// How a server has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// As this Beckon knows it.
    Known,
    /// Not at all.
    Absent,
    /// In another form, or with an error.
    Odd(String),
}

impl Part {
    /// Each of them.
    pub const ALL: [Self; 7] = [
        Self::Events,
        Self::Questions,
        Self::Permissions,
        Self::Status,
        Self::Answers,
        Self::SecondCore,
        Self::Forms,
    ];

    /// Where it is read.
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

    /// A server can do without: Beckon takes another way there.
    pub fn is_optional(self) -> bool {
        matches!(self, Self::SecondCore | Self::Forms)
    }
}

/// Reads each part once.
pub async fn survey(server: &Server, password: Option<Secret>) -> Vec<(Part, Support)> {
    let api = Api::new(server, password);
    let mut found = Vec::new();
    for part in Part::ALL {
        found.push((part, look(&api, part).await.unwrap_or_else(|how| how)));
    }
    found
}

async fn look(api: &Api, part: Part) -> Result<Support, Support> {
    let sent = tokio::time::timeout(READ_WITHIN, api.get(part.path(), None).send()).await;
    let sent = sent.map_err(|_| Support::Odd("no answer".into()))?;
    let response = sent.map_err(|error| Support::Odd(reason(&error)))?;
    match response.status().as_u16() {
        200..=299 => {}
        404 => return Err(Support::Absent),
        // 1.1.53 passes what it does not know on to a page of the web, which it may not reach.
        500..=599 if part.is_optional() => return Err(Support::Absent),
        status => return Err(Support::Odd(format!("it answers {status}"))),
    }
    let kind = response.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_owned();
    match part {
        Part::Events if kind.starts_with("text/event-stream") => first_frame(response).await,
        Part::Events => Err(Support::Odd(kind)),
        _ if kind.starts_with("text/html") => Err(Support::Absent),
        _ => understood(part, &body(response).await?),
    }
}

async fn first_frame(mut response: Response) -> Result<Support, Support> {
    let mut text = String::new();
    while !text.contains("\n\n") && text.len() < LARGEST {
        let chunk = tokio::time::timeout(READ_WITHIN, response.chunk()).await;
        let Ok(Ok(Some(bytes))) = chunk else { break };
        text += &String::from_utf8_lossy(&bytes);
    }
    match text.contains(FIRST_FRAME) {
        true => Ok(Support::Known),
        false => Err(Support::Odd(format!("its first frame is not {FIRST_FRAME}"))),
    }
}

async fn body(mut response: Response) -> Result<Vec<u8>, Support> {
    let mut bytes = Vec::new();
    loop {
        let chunk = tokio::time::timeout(READ_WITHIN, response.chunk()).await;
        match chunk.map_err(|_| Support::Odd("no end".into()))? {
            Ok(Some(chunk)) => bytes.extend(chunk),
            Ok(None) => return Ok(bytes),
            Err(error) => return Err(Support::Odd(reason(&error))),
        }
        if bytes.len() > LARGEST {
            return Err(Support::Odd("its answer has no end".into()));
        }
    }
}

fn understood(part: Part, body: &[u8]) -> Result<Support, Support> {
    match part {
        Part::Questions => read::<Vec<QuestionRequest>>(body).map(drop)?,
        Part::Permissions => read::<Vec<PermissionRequest>>(body).map(drop)?,
        Part::Status => read::<BTreeMap<String, Value>>(body).map(drop)?,
        Part::Answers => answers(&read::<Value>(body)?)?,
        Part::Events | Part::SecondCore | Part::Forms => read::<Value>(body).map(drop)?,
    }
    Ok(Support::Known)
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Support> {
    serde_json::from_slice(body).map_err(|error| Support::Odd(error.to_string()))
}

/// Names of parameters may differ; their places may not.
fn answers(doc: &Value) -> Result<(), Support> {
    let paths = doc["paths"].as_object().ok_or(Support::Absent)?;
    let taken = |wanted: &str| {
        let same = |path: &str| path.split('/').map(plain).eq(wanted.split('/').map(plain));
        paths.iter().any(|(path, operations)| same(path) && operations.get("post").is_some())
    };
    let wanted = ["/question/{}/reply", "/question/{}/reject", "/permission/{}/reply"];
    let missing: Vec<&str> = wanted.into_iter().filter(|path| !taken(path)).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Support::Odd(format!("without POST {}", missing.join(", ")))),
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
        assert_eq!(answers(&doc), Err(Support::Odd(lacks)));
        assert_eq!(answers(&json!({})), Err(Support::Absent));
    }

    #[test]
    fn what_comes_in_another_form_is_odd() {
        assert_eq!(understood(Part::Questions, b"[]"), Ok(Support::Known));
        assert!(matches!(understood(Part::Questions, b"{}"), Err(Support::Odd(_))));
        assert!(matches!(understood(Part::Permissions, b"[{}]"), Err(Support::Odd(_))));
        assert!(matches!(understood(Part::Status, b"[]"), Err(Support::Odd(_))));
    }
}
