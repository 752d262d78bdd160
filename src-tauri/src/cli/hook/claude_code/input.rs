//! The input that Claude Code gives a hook, read leniently: one odd field must not lose the ask.
//! Each field is looked up by itself; `null` and other types count as absent, and unused fields are
//! not looked at. Numbers keep their digits: nobody allows another one than they were shown.
//!
//! Not here: the bytes (`beckon_client::json`), and what the event leads to.

use super::elicitation::ElicitationInput;
use super::witness::AnswerWitness;
use super::{ASKS, unreadable::UnreadableInput};
use crate::integrations::claude_code::TRIAL;
use beckon_client::json::fields::{list, string, text};
use beckon_client::json::{self, Flaws, LenientJson, exact};
use beckon_core::UnknownShape;
use serde::Deserialize;
use serde_json::Value;
use std::path::PathBuf;

/// An event as Claude Code reports it.
#[derive(Debug)]
pub(super) struct HookInput {
    pub(super) session_id: String,
    pub(super) cwd: String,
    /// The id of the subagent, if one asks.
    pub(super) agent_id: Option<String>,
    pub(super) agent_type: Option<String>,
    /// The file in which Claude Code records the conversation.
    pub(super) transcript: Option<PathBuf>,
    pub(super) event: HookEvent,
    /// The input as text, for a card in case it can't be asked.
    pub(super) raw: String,
}

#[derive(Debug)]
pub(super) enum HookEvent {
    PermissionRequest {
        call: ToolUse,
        suggestions: Vec<Value>,
    },
    PreToolUse(ToolUse),
    PostToolUse(ToolUse),
    PostToolUseFailure(ToolUse),
    PermissionDenied(ToolUse),
    Elicitation(ElicitationInput),
    ElicitationResult {
        server: String,
    },
    Notification {
        message: String,
        title: Option<String>,
        kind: Option<String>,
    },
    Stop {
        last_words: Option<String>,
        works_on: bool,
    },
    StopFailure {
        last_words: Option<String>,
    },
    SubagentStop,
    UserPromptSubmit,
    SessionEnd,
    /// A trial by a Beckon that is about to write this command into Claude Code's settings.
    Trial,
    /// An order of a hook of ours that has ended.
    Witness(AnswerWitness),
    Another,
}

/// A tool that is to run, or has.
#[derive(Clone, Debug)]
pub(super) struct ToolUse {
    pub(super) tool_name: String,
    pub(super) tool_input: Value,
    /// Claude Code's name for this one call. A permission is asked without it.
    pub(super) id: Option<String>,
}

/// The name of the event that a hook of ours sends to another process of ours.
pub(super) const WITNESS: &str = "beckon:witness";

impl HookInput {
    /// Reads it.
    ///
    /// # Errors
    /// With what could be read, if that isn't enough to know what is asked.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Box<UnreadableInput>> {
        let Some(LenientJson { value, flaws }) = json::read_exact(bytes) else {
            let shown = String::from_utf8_lossy(bytes).into_owned();
            return Err(Box::new(UnreadableInput::of_nothing(shown)));
        };
        let unreadable = |reason: &'static str, asked: Option<UnknownShape>| {
            Box::new(UnreadableInput {
                reason: reason.to_owned(),
                asked,
                session_id: text(&value, "session_id").unwrap_or_default(),
                cwd: string(&value, "cwd").unwrap_or_default(),
                agent_id: string(&value, "agent_id"),
                raw: if flaws.reshaped {
                    String::from_utf8_lossy(bytes).into_owned()
                } else {
                    shown(&value)
                },
            })
        };

        let Some(name) = string(&value, "hook_event_name") else {
            let asked = Some(UnknownShape::Permission);
            return Err(unreadable("it doesn't say what happened", asked));
        };
        let name = name.trim();
        let asked = asked_by(name, &value);
        if asked.is_some() && flaws.cut {
            return Err(unreadable("it ends in the middle", asked));
        }
        if asked.is_some() && flaws.reshaped {
            return Err(unreadable(
                "a quote, a comma or a bracket is missing",
                asked,
            ));
        }
        let Some(event) = HookEvent::read(name, &value, bytes) else {
            return Err(unreadable("a part is missing", asked));
        };
        if matches!(event, HookEvent::Another) && may_ask(&value, flaws) {
            let asked = Some(UnknownShape::Permission);
            return Err(unreadable("nobody knows what happened", asked));
        }

        Ok(Self {
            session_id: text(&value, "session_id").unwrap_or_default(),
            cwd: string(&value, "cwd").unwrap_or_default(),
            agent_id: string(&value, "agent_id"),
            agent_type: string(&value, "agent_type"),
            transcript: string(&value, "transcript_path").map(PathBuf::from),
            event,
            raw: shown(&value),
        })
    }
}

impl HookInput {
    /// Whether its human can answer in the terminal while the hook waits.
    pub(super) fn asks_beside_a_dialog(&self) -> bool {
        self.agent_id.is_none() && matches!(self.event, HookEvent::PermissionRequest { .. })
    }
}

/// Returns what the event asks, if it asks its human something.
fn asked_by(name: &str, value: &Value) -> Option<UnknownShape> {
    let is_question = string(value, "tool_name").as_deref() == Some(ASKS);
    match name {
        "PermissionRequest" if is_question => Some(UnknownShape::Question),
        "PermissionRequest" => Some(UnknownShape::Permission),
        "PreToolUse" if is_question => Some(UnknownShape::Question),
        "Elicitation" => Some(UnknownShape::Question),
        _ => None,
    }
}

/// Whether an event with an unknown name may be an ask: it is about a tool, or its name is not what
/// Claude Code wrote.
fn may_ask(value: &Value, flaws: Flaws) -> bool {
    let is_of_tool = ["tool_name", "tool_input"]
        .iter()
        .any(|name| value.get(name).is_some());
    is_of_tool || flaws != Flaws::default()
}

/// Returns what of the input a person could make something of: the tool and what it is given, and
/// everything else where there is no tool.
fn shown(value: &Value) -> String {
    let parts = [
        "tool_name",
        "tool_input",
        "mcp_server_name",
        "message",
        "requested_schema",
    ];
    let parts = parts
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), value.get(*name)?.clone())));
    let parts: serde_json::Map<String, Value> = parts.collect();
    if parts.is_empty() {
        exact::written(value)
    } else {
        exact::written(&Value::Object(parts))
    }
}

impl HookEvent {
    /// Returns `None` where something is missing without which the event means nothing.
    fn read(name: &str, value: &Value, bytes: &[u8]) -> Option<Self> {
        let call = || ToolUse::read(value);
        Some(match name {
            "PermissionRequest" => Self::PermissionRequest {
                call: call()?,
                suggestions: list(value, "permission_suggestions").to_vec(),
            },
            "PreToolUse" => Self::PreToolUse(call()?),
            "PostToolUse" => Self::PostToolUse(call()?),
            "PostToolUseFailure" => Self::PostToolUseFailure(call()?),
            "PermissionDenied" => Self::PermissionDenied(call()?),
            "Elicitation" => Self::Elicitation(ElicitationInput::read(value, bytes)),
            "ElicitationResult" => Self::ElicitationResult {
                server: text(value, "mcp_server_name")?,
            },
            "Notification" => Self::Notification {
                message: text(value, "message")?,
                title: string(value, "title"),
                kind: string(value, "notification_type"),
            },
            "Stop" => Self::Stop {
                last_words: string(value, "last_assistant_message"),
                works_on: list(value, "background_tasks").iter().any(is_under_way),
            },
            "StopFailure" => Self::StopFailure {
                last_words: string(value, "last_assistant_message"),
            },
            "SubagentStop" => Self::SubagentStop,
            "UserPromptSubmit" => Self::UserPromptSubmit,
            "SessionEnd" => Self::SessionEnd,
            TRIAL => Self::Trial,
            WITNESS => Self::Witness(AnswerWitness::deserialize(value).ok()?),
            _ => Self::Another,
        })
    }
}

/// Whether a background task goes on. One without a state may.
fn is_under_way(task: &Value) -> bool {
    const OVER: [&str; 6] = [
        "completed",
        "failed",
        "killed",
        "stopped",
        "cancelled",
        "canceled",
    ];
    let state = string(task, "status").unwrap_or_default();
    !task.is_null() && !OVER.contains(&state.trim().to_ascii_lowercase().as_str())
}

impl ToolUse {
    fn read(value: &Value) -> Option<Self> {
        let tool_name = string(value, "tool_name").filter(|name| !name.trim().is_empty())?;
        let tool_input = value.get("tool_input").cloned().unwrap_or_default();
        Some(Self {
            tool_name,
            tool_input,
            id: string(value, "tool_use_id").filter(|id| !id.is_empty()),
        })
    }
}
