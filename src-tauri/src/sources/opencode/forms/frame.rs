//! What a frame of `/api/event` means: `{type, location, data}`. Heartbeats are comments, and no
//! frames.

use super::super::requests::RequestContext;
use super::super::wire::EndedRequest;
use super::super::wire::sessions::SessionInfo;
use super::super::wire::v2::Location;
use crate::sources::opencode::dialect::ApiDialect;
use crate::sources::opencode::events::{FormReplied, StreamEvent, named};
use anyhow::{Context, Result};
use beckon_client::text::Texts;
use beckon_core::SourceId;
use serde::Deserialize;
use serde_json::value::RawValue;

/// A frame.
#[derive(Deserialize)]
struct FormFrame<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    location: Option<Location>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct FormCreated<'a> {
    #[serde(borrow)]
    form: &'a RawValue,
}

#[derive(Deserialize)]
struct FormCancelled {
    id: String,
}

#[derive(Deserialize)]
struct SessionNews {
    #[serde(rename = "sessionID")]
    session_id: String,
    #[serde(default)]
    title: Option<String>,
}

/// Fails when it cannot be understood and may have been an ask or the end of one.
pub(in super::super) fn read(data: &str, source: &SourceId, texts: &Texts) -> Result<StreamEvent> {
    let FormFrame { kind, location, data } = serde_json::from_str(data)?;
    let data = data.map_or("null", RawValue::get);
    let directory = || {
        let directory = location.as_ref().map(|location| location.directory.as_str());
        directory.context("Failed to tell where something was asked")
    };
    let found = |directory| RequestContext { source, directory, dialect: ApiDialect::Forms };
    Ok(match kind.as_str() {
        "form.created" => {
            let FormCreated { form } = understood(data)?;
            StreamEvent::Asked(found(directory()?).form(named(form.get())?, texts))
        }
        "form.replied" => {
            let replied: FormReplied = understood(data)?;
            StreamEvent::FormReplied(replied)
        }
        "form.cancelled" => {
            let FormCancelled { id: own } = understood(data)?;
            StreamEvent::Rejected { own }
        }
        "permission.asked" => StreamEvent::Asked(found(directory()?).permission(named(data)?)),
        "permission.replied" => {
            let ended: EndedRequest = understood(data)?;
            StreamEvent::Replied(ended)
        }
        "server.connected" => StreamEvent::Connected,
        _ => {
            of_session(&kind, data, directory().unwrap_or_default()).unwrap_or(StreamEvent::Nothing)
        }
    })
}

fn understood<'a, T: Deserialize<'a>>(data: &'a str) -> Result<T> {
    serde_json::from_str(data).context("Failed to understand an event")
}

fn of_session(kind: &str, data: &str, directory: &str) -> Option<StreamEvent> {
    let kind = kind.strip_prefix("session.")?;
    let news = || serde_json::from_str::<SessionNews>(data).ok();
    let session = || news().map(|news| news.session_id);
    Some(match kind {
        "execution.started" => {
            StreamEvent::Busy { session: session()?, directory: directory.to_owned() }
        }
        "execution.succeeded" | "execution.failed" | "execution.interrupted" => {
            StreamEvent::Idle { session: session()? }
        }
        "renamed" => {
            let SessionNews { session_id: id, title } = news()?;
            StreamEvent::Updated(SessionInfo {
                id,
                title,
                directory: None,
                parent_id: None,
                agent: None,
            })
        }
        "deleted" => StreamEvent::Deleted { session: session()? },
        _ => return None,
    })
}
