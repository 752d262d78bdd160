//! `beckon hook claude-code`: the one command for every hook of Claude Code. What happened is told
//! by the JSON on stdin, and a decision goes back as JSON on stdout; both as documented at
//! <https://code.claude.com/docs/en/hooks> (read in November 2026).
//!
//! A permission, or a set of questions, is asked while Claude Code's own dialog stands: whoever
//! answers first wins. When that is the terminal, this process is not told, so the events that can
//! only come afterwards take its ask away: the tool has run, the turn is over, the next prompt.

mod permission;
mod questions;

use super::super::Context;
use super::super::ask::waiting::{QUESTION, interrupted, silence_of_beckon, until_it_ends};
use crate::api::{Asker, Said};
use crate::client::{Client, encode};
use crate::texts::Value as Word;
use crate::wire::{Asked, Listed, Noted};
use clap::Args;
use questions::Questions;
use rand::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// A Beckon that does not answer by then is dead or hung, and the agent is not kept waiting.
const ALIVE_WITHIN: Duration = Duration::from_millis(700);
/// So often it is looked whether Claude Code is still there.
#[cfg(unix)]
const LOOK: Duration = Duration::from_secs(2);
/// Where permissions are asked.
const PERMISSION: &str = "/permission";
/// The tool that asks questions.
const ASKS: &str = "AskUserQuestion";
/// Read by the model, so it stands here and not among the texts.
const DISMISSED: &str = "The user dismissed this question without answering it.";
/// Ids have 64 characters, and ours carry more than the session's.
const LONGEST_SESSION: usize = 36;
/// A notice is a few lines.
const NOTICE: usize = 300;

#[derive(Debug, Args)]
pub(in crate::cli) struct Arguments {
    #[arg(long)]
    finished: bool,
}

/// What Claude Code tells of what happened.
#[derive(Debug, Deserialize)]
struct Input {
    session_id: String,
    #[serde(default)]
    cwd: String,
    /// Of a subagent.
    #[serde(default)]
    agent_type: Option<String>,
    #[serde(flatten)]
    event: Event,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "hook_event_name")]
enum Event {
    PermissionRequest {
        #[serde(flatten)]
        call: Call,
        #[serde(default)]
        permission_suggestions: Vec<Value>,
    },
    PreToolUse(Call),
    PostToolUse(Call),
    PostToolUseFailure(Call),
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
    UserPromptSubmit,
    SessionEnd,
    #[serde(other)]
    Another,
}

/// A tool that is to run, or has.
#[derive(Clone, Debug, Deserialize)]
struct Call {
    tool_name: String,
    #[serde(default)]
    tool_input: Value,
}

/// What the hook has to say; nothing is no opinion.
pub(super) async fn decide(context: &Context, arguments: &Arguments, input: &str) -> Option<Value> {
    let Input { session_id, cwd, agent_type, event } = serde_json::from_str(input).ok()?;
    let client = context.client().ok()?;
    if !client.is_alive(ALIVE_WITHIN).await {
        return None;
    }
    let hook = Hook { context, client, session: short(&session_id), directory: cwd, agent_type };
    match event {
        Event::PermissionRequest { call, .. } if call.tool_name == ASKS => {
            hook.answers(&call).await.map(requested)
        }
        Event::PermissionRequest { call, permission_suggestions } => {
            let always = permission::for_this_session(&permission_suggestions);
            hook.request(&call, always).await.map(requested)
        }
        Event::PreToolUse(call) if call.tool_name == ASKS => hook.answers(&call).await.map(used),
        event => {
            hook.take_note(event, arguments.finished).await;
            None
        }
    }
}

/// The decision about a permission, in the words of `PermissionRequest`.
fn requested(decision: Decision) -> Value {
    let decision = match decision {
        Decision::Allow { input, always } => {
            let mut decision = json!({ "behavior": "allow" });
            if let Some(input) = input {
                decision["updatedInput"] = input;
            }
            if let Some(always) = always {
                decision["updatedPermissions"] = json!([always]);
            }
            decision
        }
        Decision::Deny(reason) => json!({ "behavior": "deny", "message": reason }),
    };
    json!({ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision } })
}

/// The same in the words of `PreToolUse`.
fn used(decision: Decision) -> Value {
    let mut output = json!({ "hookEventName": "PreToolUse" });
    match decision {
        Decision::Allow { input, .. } => {
            output["permissionDecision"] = json!("allow");
            output["updatedInput"] = input.unwrap_or_default();
        }
        Decision::Deny(reason) => {
            output["permissionDecision"] = json!("deny");
            output["permissionDecisionReason"] = json!(reason);
        }
    }
    json!({ "hookSpecificOutput": output })
}

/// What the human decided.
#[derive(Debug)]
enum Decision {
    /// It may run: with another input, and from now on, if that is said.
    Allow { input: Option<Value>, always: Option<Value> },
    /// It may not; why, for the model.
    Deny(String),
}

/// One hook under way.
struct Hook<'a> {
    context: &'a Context,
    client: Client,
    session: String,
    directory: String,
    agent_type: Option<String>,
}

impl Hook<'_> {
    async fn answers(&self, call: &Call) -> Option<Decision> {
        let questions = Questions::read(&call.tool_input)?;
        let asking = questions.asking(self.asker(call));
        let ended = self.until_it_ends(QUESTION, &asking, asking.asker.id.as_deref()).await?;
        questions.decision(&ended)
    }

    async fn request(&self, call: &Call, always: Option<Value>) -> Option<Decision> {
        let asked = permission::requesting(call, always.as_ref(), self.asker(call));
        let ended = self.until_it_ends(PERMISSION, &asked, asked.asker.id.as_deref()).await?;
        permission::decision(&ended, always)
    }

    /// Waits as long as somebody waits for this process, and Beckon lives. A dead or hung one hears
    /// no withdrawal; it will miss this asker.
    async fn until_it_ends<B: Serialize>(
        &self,
        place: &str,
        asking: &B,
        id: Option<&str>,
    ) -> Option<Asked> {
        tokio::select! {
            asked = until_it_ends(&self.context.paths, place, asking) => return asked.ok(),
            () = silence_of_beckon(&self.context.paths) => return None,
            () = interrupted() => {}
            () = orphaned() => {}
        }
        self.withdraw(id?).await;
        None
    }

    /// What needs no decision.
    async fn take_note(&self, event: Event, finished: bool) {
        match event {
            Event::PostToolUse(call) | Event::PostToolUseFailure(call) => {
                self.withdraw(&self.prefix_of(&call)).await;
            }
            Event::Notification { message, title, notification_type } => {
                self.notice(title, &message, notification_type.as_deref()).await;
            }
            Event::Stop { last_assistant_message, background_tasks } => {
                self.withdraw(&self.prefix()).await;
                if finished && background_tasks.is_empty() {
                    self.finished(last_assistant_message).await;
                }
            }
            Event::UserPromptSubmit | Event::SessionEnd => self.withdraw(&self.prefix()).await,
            Event::PermissionRequest { .. } | Event::PreToolUse(_) | Event::Another => {}
        }
    }

    fn asker(&self, call: &Call) -> Asker {
        let random: u32 = rand::rng().random();
        let subagent = self.agent_type.iter().map(String::as_str);
        let agent: Vec<&str> = ["Claude Code"].into_iter().chain(subagent).collect();
        Asker {
            id: Some(format!("{}{random:08x}", self.prefix_of(call))),
            agent: Some(agent.join(" · ")),
            directory: Some(self.directory.clone()).filter(|directory| !directory.is_empty()),
            ..Asker::default()
        }
    }

    /// How the ids of this session's asks begin.
    fn prefix(&self) -> String {
        format!("cc.{}.", self.session)
    }

    /// How those of one tool call begin: a permission tells no id of it.
    fn prefix_of(&self, call: &Call) -> String {
        let mut hasher = DefaultHasher::new();
        (&call.tool_name, call.tool_input.to_string()).hash(&mut hasher);
        format!("{}{:08x}.", self.prefix(), hasher.finish() >> 32)
    }

    /// Takes away the asks whose ids begin so: they were answered in the terminal, or given up.
    async fn withdraw(&self, prefix: &str) {
        for id in self.waiting(prefix).await {
            let path = format!("{QUESTION}/{}", encode(&id));
            // One that has ended meanwhile needs nothing.
            let _ = self.client.delete::<bool>(&path).await;
        }
    }

    async fn waiting(&self, prefix: &str) -> Vec<String> {
        let listed: Vec<Listed> = self.client.get("/list").await.unwrap_or_default();
        let ids = listed.into_iter().map(|ask| ask.id);
        ids.filter(|id| id.starts_with(prefix)).collect()
    }

    async fn notice(&self, title: Option<String>, message: &str, kind: Option<&str>) {
        // What is asked here already needs no second word.
        let asks = kind == Some("permission_prompt");
        if !asks || self.waiting(&self.prefix()).await.is_empty() {
            self.say(title, message).await;
        }
    }

    async fn finished(&self, last_words: Option<String>) {
        let finished = || self.context.texts.get("hook-finished");
        let words = last_words.filter(|words| !words.trim().is_empty()).unwrap_or_else(finished);
        self.say(None, &words).await;
    }

    async fn say(&self, title: Option<String>, message: &str) {
        let project = self.directory.trim_end_matches(['/', '\\']);
        let project = project.rsplit(['/', '\\']).next().unwrap_or_default();
        let named = || self.context.texts.with("hook-title", &[("project", Word::from(project))]);
        let title = title.unwrap_or_else(named);
        let said = Said { title, message: message.trim().chars().take(NOTICE).collect() };
        // Nobody is asked anything, so nothing is lost.
        let _ = self.client.post::<_, Noted>("/notify", &said, Duration::ZERO).await;
    }
}

/// A session's id as a part of ours.
fn short(session: &str) -> String {
    let plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    session.chars().filter(plain).take(LONGEST_SESSION).collect()
}

/// Claude Code has ended, and nobody reads what is decided.
#[cfg(unix)]
async fn orphaned() {
    use std::os::unix::process::parent_id;
    let parent = parent_id();
    while parent_id() == parent {
        tokio::time::sleep(LOOK).await;
    }
}

/// Nothing tells here; the ask goes with the turn.
#[cfg(not(unix))]
async fn orphaned() {
    std::future::pending().await
}
