//! `beckon hook claude-code`: the one command for every hook of Claude Code. What happened is told
//! by the JSON on stdin, and a decision goes back as JSON on stdout; both as documented at
//! <https://code.claude.com/docs/en/hooks> and as Claude Code 2.1.330 was seen to do it.
//!
//! A permission, or a set of questions, is asked while Claude Code's own dialog stands: whoever
//! answers first wins. When that is the terminal, this process is not told. It sees it in the
//! register of Claude Code's sessions (`dialog.rs`), and where that says nothing, the events that
//! can only come afterwards take its ask away: the tool has run, the turn is over, the next prompt.
//! By the same signs an answer that was handed to Claude Code counts as taken, and not before.
//!
//! Here: what happens, and who deals with it.

mod asking;
mod dialog;
mod elicitation;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod ids;
mod notes;
mod permission;
mod questions;
mod suggestions;
mod witness;

pub(super) use witness::TranscriptWitness;

use super::super::CommandContext;
use asking::RunningHook;
use clap::Args;
use elicitation::ElicitationInput;
use ids::{HookThread, ThreadIds};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// A Beckon that does not answer by then is dead or hung, and the agent is not kept waiting.
const ALIVE_WITHIN: Duration = Duration::from_millis(700);
/// The tool that asks questions.
const ASKS: &str = "AskUserQuestion";
/// The tool that asks for leave to go ahead with a plan.
const PLANS: &str = "ExitPlanMode";

#[derive(Debug, Args)]
pub(in crate::cli) struct HookArguments {
    #[arg(long)]
    finished: bool,
}

/// What a hook has to say, and who looks what becomes of it.
pub(super) struct HookOutput {
    /// For Claude Code.
    pub(super) decision: Value,
    /// To leave behind.
    pub(super) witness: Option<TranscriptWitness>,
}

/// What Claude Code tells of what happened.
#[derive(Debug, Deserialize)]
struct HookInput {
    session_id: String,
    #[serde(default)]
    cwd: String,
    /// Of a subagent.
    #[serde(default)]
    agent_id: Option<String>,
    #[serde(default)]
    agent_type: Option<String>,
    #[serde(flatten)]
    event: HookEvent,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "hook_event_name")]
enum HookEvent {
    PermissionRequest {
        #[serde(flatten)]
        call: ToolUse,
        #[serde(default)]
        permission_suggestions: Vec<Value>,
    },
    PreToolUse(ToolUse),
    PostToolUse(ToolUse),
    PostToolUseFailure(ToolUse),
    PermissionDenied(ToolUse),
    Elicitation(ElicitationInput),
    ElicitationResult {
        mcp_server_name: String,
    },
    Notification {
        message: String,
        #[serde(default)]
        title: Option<String>,
        #[serde(default)]
        notification_type: Option<String>,
    },
    Stop {
        #[serde(default)]
        last_assistant_message: Option<String>,
        #[serde(default)]
        background_tasks: Vec<Value>,
    },
    StopFailure {
        #[serde(default)]
        last_assistant_message: Option<String>,
    },
    SubagentStop,
    UserPromptSubmit,
    SessionEnd,
    /// From a hook of ours that has ended.
    #[serde(rename = "beckon:witness")]
    Witness(TranscriptWitness),
    #[serde(other)]
    Another,
}

/// A tool that is to run, or has.
#[derive(Clone, Debug, Deserialize)]
struct ToolUse {
    tool_name: String,
    #[serde(default)]
    tool_input: Value,
}

/// What the hook has to say; nothing is no opinion.
pub(super) async fn decide(
    context: &CommandContext,
    arguments: &HookArguments,
    input: &str,
) -> Option<HookOutput> {
    let HookInput {
        session_id,
        cwd,
        agent_id,
        agent_type,
        event,
    } = serde_json::from_str(input).ok()?;
    let client = context.client().ok()?;
    if !client.is_alive(ALIVE_WITHIN).await {
        return None;
    }
    let thread = agent_id
        .as_deref()
        .map_or(HookThread::Main, HookThread::Subagent);
    let ids = ThreadIds::new(&session_id, thread);
    let hook = RunningHook {
        context,
        client,
        ids,
        session_id,
        directory: cwd,
        agent_type,
    };
    match event {
        // A subagent works in the background: its dialog comes when the hook has nothing to say.
        HookEvent::PermissionRequest {
            call,
            permission_suggestions,
        } => {
            let held = agent_id.is_some();
            hook.permits(&call, &permission_suggestions, held).await
        }
        HookEvent::PreToolUse(call) if call.tool_name == ASKS => hook.answers_before(&call).await,
        HookEvent::Elicitation(elicitation) => hook.fills_in(&elicitation).await,
        HookEvent::Witness(witness) => {
            witness.look(&hook).await;
            None
        }
        event => {
            hook.take_note(event, arguments.finished).await;
            None
        }
    }
}

/// What the human decided.
#[derive(Debug)]
enum HookDecision {
    /// It may run: with this input, and with these changes of what is allowed, if any.
    Allow {
        input: Option<Value>,
        always: Vec<Value>,
    },
    /// It may not; why, for the model.
    Deny(String),
}

impl HookDecision {
    /// In the words of `PermissionRequest`. A tool that needs its user, as a plan does, is only
    /// allowed together with an input; an empty one leaves it as it is.
    fn of_permission(self, call: &ToolUse) -> Value {
        let decision = match self {
            Self::Allow { input, always } => {
                let mut decision = json!({ "behavior": "allow" });
                if let Some(input) = input.or_else(|| (call.tool_name == PLANS).then(|| json!({})))
                {
                    decision["updatedInput"] = input;
                }
                if !always.is_empty() {
                    decision["updatedPermissions"] = json!(always);
                }
                decision
            }
            Self::Deny(reason) => json!({ "behavior": "deny", "message": reason }),
        };
        json!({ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision } })
    }

    /// The same in the words of `PreToolUse`.
    fn before_the_tool(self) -> Value {
        let mut output = json!({ "hookEventName": "PreToolUse" });
        match self {
            Self::Allow { input, .. } => {
                output["permissionDecision"] = json!("allow");
                output["updatedInput"] = input.unwrap_or_default();
            }
            Self::Deny(reason) => {
                output["permissionDecision"] = json!("deny");
                output["permissionDecisionReason"] = json!(reason);
            }
        }
        json!({ "hookSpecificOutput": output })
    }
}
