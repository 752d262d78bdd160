//! Reads the frames of `/api/event`: `{type, location, data}`. Heartbeats are comments, and no
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

/// A frame of the stream.
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

/// Reads a frame. Fails when it cannot be understood and may have been an ask or the end of one.
pub(in super::super) fn read(data: &str, source: &SourceId, texts: &Texts) -> Result<StreamEvent> {
    let FormFrame {
        kind,
        location,
        data,
    } = serde_json::from_str(data)?;
    let data = data.map_or("null", RawValue::get);
    let directory = || {
        let directory = location
            .as_ref()
            .map(|location| location.directory.as_str());
        directory.context("Failed to tell where something was asked")
    };
    let found = |directory| RequestContext {
        source,
        directory,
        dialect: ApiDialect::Forms,
    };
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
        "execution.started" => StreamEvent::Busy {
            session: session()?,
            directory: directory.to_owned(),
        },
        "execution.succeeded" | "execution.failed" | "execution.interrupted" => StreamEvent::Idle {
            session: session()?,
        },
        "renamed" => {
            let SessionNews {
                session_id: id,
                title,
            } = news()?;
            StreamEvent::Updated(SessionInfo {
                id,
                title,
                directory: None,
                parent_id: None,
                agent: None,
            })
        }
        "deleted" => StreamEvent::Deleted {
            session: session()?,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(kind: &str, data: &str) -> Result<StreamEvent> {
        let frame = format!(r#"{{"type":"{kind}","location":{{"directory":"/a"}},"data":{data}}}"#);
        read(&frame, &SourceId("local".into()), &Texts::load("en"))
    }

    #[test]
    fn what_is_asked_is_of_the_place_that_its_frame_names() {
        let form = r#"{"form":{"id":"frm_1","sessionID":"s","title":"T","fields":[]}}"#;
        let permission = r#"{"id":"per_1","sessionID":"s","action":"bash","resources":["ls"]}"#;
        for (kind, data, own) in [
            ("form.created", form, "frm_1"),
            ("permission.asked", permission, "per_1"),
        ] {
            let Ok(StreamEvent::Asked(ask)) = told(kind, data) else {
                panic!("{kind}")
            };
            assert_eq!(
                (ask.id.own.as_str(), ask.session.directory.as_str()),
                (own, "/a")
            );
            let nowhere = format!(r#"{{"type":"{kind}","data":{data}}}"#);
            assert!(read(&nowhere, &SourceId("local".into()), &Texts::load("en")).is_err());
            assert!(told(kind, "{}").is_err(), "{kind} without a name");
        }
    }

    #[test]
    fn an_end_is_told_by_its_kind_and_one_that_is_not_understood_is_an_error() {
        let replied = r#"{"id":"frm_1","sessionID":"s","answer":{"a":1}}"#;
        let event = told("form.replied", replied);
        assert!(matches!(event, Ok(StreamEvent::FormReplied(it)) if it.id == "frm_1"));
        let event = told("form.cancelled", r#"{"id":"frm_1"}"#);
        assert!(matches!(event, Ok(StreamEvent::Rejected { own }) if own == "frm_1"));
        let ended = r#"{"sessionID":"s","requestID":"per_1","reply":"once"}"#;
        let event = told("permission.replied", ended);
        assert!(matches!(event, Ok(StreamEvent::Replied(it)) if it.request_id == "per_1"));
        for kind in ["form.replied", "form.cancelled", "permission.replied"] {
            assert!(told(kind, "7").is_err(), "{kind}");
        }
    }

    #[test]
    fn what_a_session_does_is_told_and_anything_else_is_nothing() {
        let of = |kind: &str| told(kind, r#"{"sessionID":"s","title":"T"}"#).unwrap();
        assert!(matches!(of("server.connected"), StreamEvent::Connected));
        assert!(matches!(
            of("session.execution.started"),
            StreamEvent::Busy { session, directory } if session == "s" && directory == "/a"
        ));
        for end in ["succeeded", "failed", "interrupted"] {
            let event = of(&format!("session.execution.{end}"));
            assert!(
                matches!(event, StreamEvent::Idle { session } if session == "s"),
                "{end}"
            );
        }
        let renamed = of("session.renamed");
        assert!(matches!(renamed, StreamEvent::Updated(it) if it.title.as_deref() == Some("T")));
        let deleted = of("session.deleted");
        assert!(matches!(deleted, StreamEvent::Deleted { session } if session == "s"));
        assert!(matches!(of("session.new"), StreamEvent::Nothing));
        assert!(matches!(of("something.new"), StreamEvent::Nothing));
    }
}
