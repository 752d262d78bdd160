//! The command `beckon hook claude-code`: the one command for every hook of Claude Code. The JSON
//! on stdin tells what happened, and a decision goes back as JSON on stdout; both as documented at
//! <https://code.claude.com/docs/en/hooks> and as Claude Code 2.1.330 was seen to do it.
//!
//! A permission, or a set of questions, is asked while Claude Code's own dialog is shown: the first
//! answer wins. If that is given in the terminal, this process is not told. It sees it in the
//! register of Claude Code's sessions (`dialog.rs`), and if that says nothing, the events that can
//! only come afterwards end its ask: the tool has run, the turn is over, the next prompt. An answer
//! that was handed to Claude Code counts as taken when its own transcript shows it (`proof.rs`), or
//! else by the same signs, and not before.
//!
//! Here: what happens, and which part handles it.

mod asking;
mod dialog;
mod elicitation;
mod equals;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod ids;
mod input;
mod input_paths;
mod notes;
mod overwriting;
mod permission;
mod proof;
mod questions;
mod register;
mod stamps;
mod suggestions;
mod terminal;
mod transcript;
mod unreadable;
mod witness;

pub(super) use asking::HookBeginning;
pub(super) use witness::AnswerWitness;
use witness::SAYS_WITHIN;

use super::super::CommandContext;
use super::super::ask::waiting::returned;
use crate::integrations::claude_code::{trial_answer, usage};
use asking::{RunningHook, project_root};
use beckon_client::connection::Client;
use clap::Args;
use ids::{HookThread, ThreadIds};
use input::{HookEvent, HookInput, ToolUse};
use proof::COMPARED;
use register::RunningClaude;
use serde_json::{Value, json};
use std::time::Duration;
use terminal::{TerminalState, orphaned};
use transcript::TranscriptPlace;

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

/// A decision for Claude Code, and the witness of what becomes of it.
pub(super) struct HookOutput {
    /// The JSON that Claude Code reads.
    pub(super) decision: Value,
    /// The process that stays behind and looks.
    pub(super) witness: Option<AnswerWitness>,
}

/// Returns what the hook has to say; nothing is no opinion.
pub(super) async fn decide(
    context: &CommandContext,
    arguments: &HookArguments,
    began: HookBeginning,
    message: &[u8],
) -> Option<HookOutput> {
    let input = HookInput::read(message);
    if matches!(&input, Ok(input) if matches!(input.event, HookEvent::Trial)) {
        return Some(HookOutput {
            decision: trial_answer(),
            witness: None,
        });
    }

    usage::note(&context.paths);
    let client = reach_beckon(context, input.as_ref().ok()).await?;
    let input = match input {
        Ok(input) => input,
        Err(unreadable) => return RunningHook::show(context, client, *unreadable).await,
    };
    let thread = input
        .agent_id
        .as_deref()
        .map_or(HookThread::Main, HookThread::Subagent);
    // A subagent works in the background: its dialog comes when the hook has nothing to say.
    let held = input.agent_id.is_some();
    let claude = RunningClaude::of(&input.session_id);
    let root = project_root().unwrap_or_default();
    let folders = [root.as_str(), input.cwd.as_str()];
    let hook = RunningHook {
        context,
        client,
        ids: ThreadIds::new(&input.session_id, thread, &input.cwd, &claude),
        claude,
        transcript: TranscriptPlace::new(input.transcript, input.agent_id.as_deref(), &folders),
        directory: input.cwd,
        agent_type: input.agent_type,
        began,
        raw: input.raw,
    };

    match input.event {
        HookEvent::PermissionRequest { call, suggestions } => {
            hook.permits(&call, &suggestions, held).await
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

/// Returns a client of a Beckon that lives. A Beckon that is hung or away is waited for only if
/// nobody has to wait for the hook: by a witness, and while the dialog is also shown in the
/// terminal.
async fn reach_beckon(context: &CommandContext, input: Option<&HookInput>) -> Option<Client> {
    let client = context.client().ok();
    if let Some(client) = client
        && client.is_alive(ALIVE_WITHIN).await
    {
        return Some(client);
    }

    if input.is_some_and(|input| matches!(input.event, HookEvent::Witness(_))) {
        let returned = tokio::time::timeout(SAYS_WITHIN, returned(&context.paths));
        return returned.await.ok();
    }
    let input = input.filter(|input| input.asks_beside_a_dialog())?;
    let terminal = TerminalState::of(&RunningClaude::of(&input.session_id), false);
    if !terminal.stands_soon().await {
        return None;
    }

    tokio::select! {
        client = returned(&context.paths) => Some(client),
        () = terminal.answered() => None,
        () = terminal.left() => None,
        () = orphaned() => None,
    }
}

/// A human's decision about a tool.
#[derive(Debug)]
enum HookDecision {
    /// The tool may run: with this input, and with these changes of the permissions, if any.
    Allow {
        input: Option<Value>,
        always: Vec<Value>,
    },
    /// The tool may not run; the reason is for the model.
    Deny(String),
}

impl HookDecision {
    /// Writes it in the form of `PermissionRequest`. A tool that needs its user, as a plan does, is only
    /// allowed together with an input; an empty one leaves the input as it is.
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

    /// Writes it in the form of `PreToolUse`.
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

/// Returns the beginning of the reason in a decision of ours, if it is a no.
fn refusal_in(decision: &Value) -> Option<String> {
    let output = &decision["hookSpecificOutput"];
    let (word, reason) = match output.get("decision") {
        Some(decision) => (&decision["behavior"], &decision["message"]),
        None => (
            &output["permissionDecision"],
            &output["permissionDecisionReason"],
        ),
    };
    let reason = reason.as_str().unwrap_or_default().trim();
    (word == "deny").then(|| reason.chars().take(COMPARED).collect())
}

/// Returns the answers in a decision of ours as the model reads them, if it answers questions: each as
/// `"question"="answer"`, no longer than is compared.
fn given_in(decision: &Value) -> Vec<String> {
    let output = &decision["hookSpecificOutput"];
    let input = output.get("decision").unwrap_or(output);
    let answers = input["updatedInput"]["answers"].as_object();
    let pairs = answers.into_iter().flatten();
    let given = pairs.filter_map(|(question, answer)| {
        let told = format!("\"{question}\"=\"{}\"", answer.as_str()?);
        Some(told.chars().take(COMPARED).collect())
    });
    given.collect()
}
