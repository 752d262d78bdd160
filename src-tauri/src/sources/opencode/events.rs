//! Reads the frames of the stream as events. What follows from an event is in `watch`.

use crate::sources::opencode::dialect::ApiDialect;
use crate::sources::opencode::requests::RequestContext;
use crate::sources::opencode::turns::{AssistantMessage, MessageProgress};
use crate::sources::opencode::wire::EndedRequest;
use crate::sources::opencode::wire::frames::{
    ErrorInfo, GlobalFrame, InstanceDisposed, MessageChanged, MessageState, SessionChanged,
    SessionNews,
};
use crate::sources::opencode::wire::sessions::SessionInfo;
use anyhow::{Context, Result};
use beckon_core::{Ask, SourceId};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The most characters of an error's text that are kept: a server may send a stack trace.
const LONGEST_REASON: usize = 200;

/// An event of the stream.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub(in crate::sources::opencode) enum StreamEvent {
    Heartbeat,
    /// The stream is subscribed.
    Connected,
    Asked(Ask),
    Replied(EndedRequest),
    Rejected {
        own: String,
    },
    /// A form of 2.x was answered.
    FormReplied(FormReplied),
    Busy {
        session: String,
        directory: String,
    },
    Idle {
        session: String,
    },
    /// A step of the second core is over. That core tells neither that a turn is over nor, when a
    /// turn was broken off, that its asks are; but no step ends while something waits.
    StepOver {
        session: String,
    },
    /// A tool of the second core failed. An ask may have ended with it, or with another ask that
    /// was rejected.
    ToolFailed {
        session: String,
    },
    /// The human broke the turn off.
    Aborted {
        session: String,
    },
    /// A turn failed; with the reason in few words.
    Failed {
        session: String,
        why: String,
    },
    Created(SessionInfo),
    Updated(SessionInfo),
    Deleted {
        session: String,
    },
    /// An assistant's message made progress.
    Spoke {
        session: String,
        spoken: AssistantMessage,
    },
    /// The instance of a directory is gone; `None` means all of them.
    Disposed {
        directory: Option<String>,
    },
    /// Anything else.
    Nothing,
}

/// The data of `form.replied`.
#[derive(Deserialize)]
pub(in crate::sources::opencode) struct FormReplied {
    pub(in crate::sources::opencode) id: String,
    #[serde(rename = "sessionID")]
    pub(in crate::sources::opencode) session_id: String,
    pub(in crate::sources::opencode) answer: serde_json::Map<String, serde_json::Value>,
}

impl StreamEvent {
    /// Cuts the long texts of an ask.
    pub(in crate::sources::opencode) fn cut(self) -> Self {
        match self {
            Self::Asked(ask) => Self::Asked(ask.cut()),
            other => other,
        }
    }

    /// Reads a frame. Fails when the frame cannot be understood and may have been an ask or the end
    /// of one. Any other frame of unknown shape is [`StreamEvent::Nothing`].
    pub(in crate::sources::opencode) fn read(data: &str, source: &SourceId) -> Result<Self> {
        let frame: GlobalFrame<'_> = serde_json::from_str(data)?;
        let directory = frame.directory.unwrap_or_default();
        let properties = EventProperties(frame.payload.properties);
        let found = |dialect| RequestContext {
            source,
            directory: &directory,
            dialect,
        };
        Ok(match frame.payload.kind.as_str() {
            "question.asked" => {
                Self::Asked(found(ApiDialect::First).question(named(properties.text())?))
            }
            "permission.asked" => {
                Self::Asked(found(ApiDialect::First).permission(named(properties.text())?))
            }
            "ask.asked" => Self::Asked(found(ApiDialect::First).other(named(properties.text())?)),
            "question.v2.asked" => {
                Self::Asked(found(ApiDialect::Second).question(named(properties.text())?))
            }
            "permission.v2.asked" => {
                Self::Asked(found(ApiDialect::Second).permission(named(properties.text())?))
            }
            "question.replied"
            | "permission.replied"
            | "ask.replied"
            | "question.v2.replied"
            | "permission.v2.replied" => Self::Replied(properties.understood()?),
            "question.rejected" | "ask.rejected" | "question.v2.rejected" => {
                let EndedRequest {
                    request_id: own, ..
                } = properties.understood()?;
                Self::Rejected { own }
            }
            "server.heartbeat" => Self::Heartbeat,
            "server.connected" => Self::Connected,
            "server.instance.disposed" => {
                let disposed: Option<InstanceDisposed> = properties.if_known();
                let named = disposed.and_then(|disposed| disposed.directory);
                Self::Disposed {
                    directory: Some(named.unwrap_or(directory)),
                }
            }
            "global.disposed" => Self::Disposed { directory: None },
            kind => properties
                .of_session(kind, directory)
                .unwrap_or(Self::Nothing),
        })
    }
}

/// Checks that a request has an id. For one without, only the list tells whether it is still there.
pub(in crate::sources::opencode) fn named(raw: &str) -> Result<&str> {
    #[derive(Deserialize)]
    struct EventKind {
        #[serde(rename = "id")]
        _id: String,
    }
    let _: EventKind = serde_json::from_str(raw).context("Failed to understand an event")?;
    Ok(raw)
}

struct EventProperties<'a>(Option<&'a RawValue>);

impl EventProperties<'_> {
    fn text(&self) -> &str {
        self.0.map_or("null", RawValue::get)
    }

    fn understood<'a, T: Deserialize<'a>>(&'a self) -> Result<T> {
        serde_json::from_str(self.text()).context("Failed to understand an event")
    }

    fn if_known<'a, T: Deserialize<'a>>(&'a self) -> Option<T> {
        serde_json::from_str(self.0?.get()).ok()
    }

    fn of_session(&self, kind: &str, directory: String) -> Option<StreamEvent> {
        let info = || self.if_known().map(|SessionChanged { info }| info);
        Some(match kind {
            "session.status" | "session.idle" => {
                let SessionNews {
                    session_id, status, ..
                } = self.if_known()?;
                let session = session_id?;
                match status.is_some_and(|status| status.kind != "idle") {
                    true => StreamEvent::Busy { session, directory },
                    false => StreamEvent::Idle { session },
                }
            }
            "session.error" => {
                let SessionNews {
                    session_id, error, ..
                } = self.if_known()?;
                let (session, error) = (session_id?, error.unwrap_or_default());
                match error.name == "MessageAbortedError" {
                    true => StreamEvent::Aborted { session },
                    false => StreamEvent::Failed {
                        session,
                        why: in_short(error),
                    },
                }
            }
            "session.next.step.ended" | "session.next.step.failed" => {
                let SessionNews { session_id, .. } = self.if_known()?;
                StreamEvent::StepOver {
                    session: session_id?,
                }
            }
            "session.next.tool.failed" => {
                let SessionNews { session_id, .. } = self.if_known()?;
                StreamEvent::ToolFailed {
                    session: session_id?,
                }
            }
            "session.created" => StreamEvent::Created(info()?),
            "session.updated" => StreamEvent::Updated(info()?),
            "session.deleted" => {
                let named = self
                    .if_known()
                    .and_then(|news: SessionNews| news.session_id);
                StreamEvent::Deleted {
                    session: named.or_else(|| Some(info()?.id))?,
                }
            }
            "message.updated" => {
                let MessageChanged { info } = self.if_known()?;
                let session = info.session_id.clone();
                StreamEvent::Spoke {
                    session,
                    spoken: spoken(info)?,
                }
            }
            _ => return None,
        })
    }
}

/// Reads what an assistant said. The user's messages and replies to no prompt are of no interest.
fn spoken(message: MessageState) -> Option<AssistantMessage> {
    let prompt = message.parent_id.filter(|_| message.role == "assistant")?;
    let (reply, begun) = match message.finish.as_deref() {
        None => (MessageProgress::Unfinished, Some(message.time.created)),
        // Between the last word and the end of the message, its beginning is long ago.
        Some("tool-calls") => (MessageProgress::CallsTools, None),
        Some(_) => (MessageProgress::Finished, None),
    };
    Some(AssistantMessage {
        prompt,
        stamp: message.time.completed.or(begun),
        reply,
    })
}

/// Returns the provider's status, if it gave one, and the first line of what it said.
fn in_short(error: ErrorInfo) -> String {
    let status = error.data.status_code.map(|status| status.to_string());
    let message = error.data.message.unwrap_or_default();
    let line = message.lines().map(str::trim).find(|line| !line.is_empty());
    let words = line.map_or(error.name, str::to_owned);
    let parts: Vec<String> = status.into_iter().chain([words]).collect();
    parts.join(" ").chars().take(LONGEST_REASON).collect()
}

#[cfg(test)]
mod tests;
