//! One hook that asks: it waits as long as somebody waits for it, and hands the answer over.
//!
//! Not here: what is asked and what an answer means to Claude Code (`permission.rs`,
//! `questions.rs`, `elicitation.rs`), and hooks that ask nothing (`notes.rs`).

use super::dialog::SessionDialog;
use super::elicitation::ElicitationInput;
use super::ids::{HookThread, ThreadIds, id};
use super::questions::QuestionCall;
use super::suggestions::AlwaysRules;
use super::unreadable::{self, UnreadableInput};
use super::{ASKS, HookDecision, HookOutput, ToolUse, TranscriptWitness, permission};
use crate::api::{AskerBody, ReceiptBody};
use crate::cli::CommandContext;
use crate::cli::ask::waiting::{QUESTION, interrupted, silence_of_beckon, until_it_ends};
use crate::sources::local_asks::messages::AskerReceipt;
use beckon_client::connection::{Client, ClientError, encode};
use beckon_client::wire::{AskedState, ListedAsk, LocalAskStatus, Status};
use beckon_core::{Presence, PresenceOverride, UnknownShape};
use serde::Serialize;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Where permissions are asked.
const PERMISSION: &str = "/permission";
/// Where Claude Code shows its dialog only after the hook: so long somebody who is here may answer
/// in Beckon before it stands in the terminal. Who is away has all the time.
const HELD: Duration = Duration::from_secs(15);
/// So often it is looked whether somebody is here.
const LOOK: Duration = Duration::from_secs(1);

/// A no in the terminal ends the hook before the register tells of it: so often, and so long apart,
/// it is looked whether that is why.
const REFUSED_LOOKS: u32 = 10;
const REFUSED_LOOK: Duration = Duration::from_millis(50);

/// One hook under way.
pub(super) struct RunningHook<'a> {
    pub(super) context: &'a CommandContext,
    pub(super) client: Client,
    pub(super) ids: ThreadIds,
    pub(super) session_id: String,
    pub(super) directory: String,
    pub(super) agent_type: Option<String>,
    /// What there is to see of its input.
    pub(super) raw: String,
}

/// What the terminal shows while the hook waits.
enum TerminalState {
    /// The dialog, as far as the register knows of it.
    Dialog(Option<SessionDialog>),
    /// Nothing, until the hook has ended.
    Held(Option<SessionDialog>),
}

/// Why the hook waits no more.
enum WaitEnd {
    /// The ask has ended.
    Asked(LocalAskStatus),
    /// Nobody is there to be asked.
    Unasked,
    /// It can't be asked; why, for the log.
    Refused(String),
    /// Somebody answered in the terminal.
    Elsewhere,
    /// Nobody waits for the hook, or it is to make way for the terminal.
    Over,
}

impl WaitEnd {
    /// A Beckon that isn't there, or isn't the one it was, is nobody to ask. Everything else would
    /// lose the ask in silence.
    fn of_refusal(refused: &ClientError) -> Self {
        match refused {
            ClientError::NotRunning | ClientError::Unproven | ClientError::Silent(_) => {
                Self::Unasked
            }
            ClientError::Problem(status, _) | ClientError::Odd(status) => {
                Self::Refused(format!("the local API answers {status}"))
            }
            ClientError::TooLarge => {
                Self::Refused("it is more than the local API takes".to_owned())
            }
            ClientError::Exposed(_) | ClientError::Said(_) | ClientError::Other(_) => {
                Self::Refused("it can't be sent to the local API".to_owned())
            }
        }
    }
}

impl RunningHook<'_> {
    /// A tool wants to run; `held`: its dialog comes after the hook.
    pub(super) async fn permits(
        &self,
        call: &ToolUse,
        suggestions: &[Value],
        held: bool,
    ) -> Option<HookOutput> {
        let terminal = TerminalState::of(&self.session_id, held);
        if call.tool_name == ASKS {
            let in_words = |decision: HookDecision| decision.of_permission(call);
            return self.answers(call, terminal, in_words).await;
        }
        let always = AlwaysRules::suggested(suggestions, &self.context.texts);
        let asker = self.asker(&self.ids.of_call(call));
        let asked = permission::requesting(call, always.as_ref(), asker).cut();
        let decide = |ended: &LocalAskStatus| {
            let decision = permission::decision(ended, always)?;
            Some(decision.of_permission(call))
        };
        self.ask(PERMISSION, &asked, &asked.asker, terminal, decide)
            .await
    }

    /// Shows that something is asked which nobody here can read.
    pub(super) async fn show(
        context: &CommandContext,
        client: Client,
        input: UnreadableInput,
    ) -> Option<HookOutput> {
        let thread = input
            .agent_id
            .as_deref()
            .map_or(HookThread::Main, HookThread::Subagent);
        let hook = RunningHook {
            context,
            client,
            ids: ThreadIds::new(&input.session_id, thread),
            session_id: input.session_id,
            directory: input.cwd,
            agent_type: None,
            raw: input.raw,
        };

        let held = input.agent_id.is_some();
        let terminal = TerminalState::of(&hook.session_id, held);
        hook.wait_unreadable(&input.reason, input.asked, &terminal)
            .await;
        None
    }

    /// Keeps a card that says so for as long as the dialog stands, where that is known.
    async fn wait_unreadable(
        &self,
        reason: &str,
        asked: Option<UnknownShape>,
        terminal: &TerminalState,
    ) {
        let TerminalState::Dialog(Some(_)) = terminal else {
            return self.leave_unreadable(reason, asked).await;
        };
        if asked.is_none() {
            return self.leave_unreadable(reason, asked).await;
        }

        let told = self.unreadable(reason, asked);
        let Some(id) = told.asker.id.clone() else {
            return;
        };
        match self.wait(unreadable::PLACE, &told, terminal).await {
            WaitEnd::Elsewhere => self.receipt(&id, AskerReceipt::Elsewhere).await,
            WaitEnd::Over => self.receipt(&id, AskerReceipt::Over).await,
            WaitEnd::Asked(_) | WaitEnd::Unasked | WaitEnd::Refused(_) => {}
        }
    }

    /// Questions whose tool has yet to begin.
    pub(super) async fn answers_before(&self, call: &ToolUse) -> Option<HookOutput> {
        let terminal = TerminalState::of(&self.session_id, true);
        self.answers(call, terminal, HookDecision::before_the_tool)
            .await
    }

    async fn answers(
        &self,
        call: &ToolUse,
        terminal: TerminalState,
        in_words: impl FnOnce(HookDecision) -> Value,
    ) -> Option<HookOutput> {
        let Some(questions) = QuestionCall::read(&call.tool_input) else {
            let reason = "its questions are of another form";
            let asked = Some(UnknownShape::Question);
            self.wait_unreadable(reason, asked, &terminal).await;
            return None;
        };
        let asking = questions.asking(self.asker(&self.ids.of_call(call))).cut();
        let decide = |ended: &LocalAskStatus| questions.decision(ended).map(in_words);
        self.ask(QUESTION, &asking, &asking.asker, terminal, decide)
            .await
    }

    /// A form of an MCP server.
    pub(super) async fn fills_in(&self, elicitation: &ElicitationInput) -> Option<HookOutput> {
        let terminal = TerminalState::of(&self.session_id, true);
        let form = match elicitation.form(&self.context.texts) {
            Some(form) => form,
            // Claude Code itself tells of a page that is to be opened.
            None if elicitation.is_of_page() => return None,
            None => {
                let reason = "a field of its form is of another kind";
                let asked = Some(UnknownShape::Question);
                self.wait_unreadable(reason, asked, &terminal).await;
                return None;
            }
        };
        let asker = self.asker(&self.ids.of_server(&elicitation.mcp_server_name));
        let asking = form.asking(elicitation, asker).cut();
        let decide = |ended: &LocalAskStatus| form.decision(ended);
        self.ask(QUESTION, &asking, &asking.asker, terminal, decide)
            .await
    }

    pub(super) fn asker(&self, beginning: &str) -> AskerBody {
        let subagent = self.agent_type.iter().map(String::as_str);
        let agent: Vec<&str> = ["Claude Code"].into_iter().chain(subagent).collect();
        AskerBody {
            id: Some(id(beginning)),
            agent: Some(agent.join(" · ")),
            directory: Some(self.directory.clone()).filter(|directory| !directory.is_empty()),
            // The hook lives as long as its ask waits, below the agent in its terminal.
            pid: Some(std::process::id()),
            receipts: true,
            ..AskerBody::default()
        }
    }

    async fn ask<B: Serialize>(
        &self,
        place: &str,
        asking: &B,
        asker: &AskerBody,
        terminal: TerminalState,
        decide: impl FnOnce(&LocalAskStatus) -> Option<Value>,
    ) -> Option<HookOutput> {
        let id = asker.id.as_deref()?;
        match self.wait(place, asking, &terminal).await {
            WaitEnd::Asked(asked) => {
                return self.hand_over(id, &asked, terminal, decide(&asked)).await;
            }
            WaitEnd::Elsewhere => self.receipt(id, AskerReceipt::Elsewhere).await,
            WaitEnd::Over => self.receipt(id, AskerReceipt::Over).await,
            WaitEnd::Refused(reason) => {
                let is_question = place == QUESTION;
                let asked = if is_question {
                    UnknownShape::Question
                } else {
                    UnknownShape::Permission
                };
                self.wait_unreadable(&reason, Some(asked), &terminal).await;
            }
            WaitEnd::Unasked => {}
        }
        None
    }

    async fn wait<B: Serialize>(
        &self,
        place: &str,
        asking: &B,
        terminal: &TerminalState,
    ) -> WaitEnd {
        tokio::select! {
            asked = until_it_ends(&self.context.paths, place, asking) => {
                asked.map_or_else(|refused| WaitEnd::of_refusal(&refused), WaitEnd::Asked)
            }
            // A dead or hung one hears no receipt; it will miss this asker.
            () = silence_of_beckon(&self.context.paths) => WaitEnd::Unasked,
            () = interrupted() => terminal.interrupted().await,
            () = terminal.answered() => WaitEnd::Elsewhere,
            () = terminal.left() => WaitEnd::Over,
            () = orphaned() => WaitEnd::Over,
            () = self.is_wanted_there(terminal) => WaitEnd::Over,
        }
    }

    /// The answer goes to Claude Code if its dialog still stands; a moment ago it did, or there is
    /// no way to know. What becomes of it is told later.
    async fn hand_over(
        &self,
        id: &str,
        asked: &LocalAskStatus,
        terminal: TerminalState,
        decision: Option<Value>,
    ) -> Option<HookOutput> {
        let receipt = match decision {
            Some(_) if terminal.is_answered() => AskerReceipt::Elsewhere,
            Some(decision) => {
                return Some(HookOutput {
                    decision,
                    witness: terminal.witness(id),
                });
            }
            None if asked.state == AskedState::Answered => AskerReceipt::Lost,
            // Nobody has decided, and Claude Code is told as much: nothing.
            None => AskerReceipt::Taken,
        };
        self.receipt(id, receipt).await;
        None
    }

    /// Ends when the terminal is to have its dialog: somebody is here and has had their time.
    async fn is_wanted_there(&self, terminal: &TerminalState) {
        if matches!(terminal, TerminalState::Dialog(_)) {
            return std::future::pending().await;
        }
        let mut here_since: Option<Instant> = None;
        while here_since.is_none_or(|since| since.elapsed() < HELD) {
            tokio::time::sleep(LOOK).await;
            here_since = match self.is_here().await {
                true => here_since.or_else(|| Some(Instant::now())),
                false => None,
            };
        }
    }

    async fn is_here(&self) -> bool {
        let Ok(client) = self.context.client() else {
            return false;
        };
        let status = client.get::<Status>("/status").await;
        status.is_ok_and(|Status { presence, .. }| match presence.said {
            PresenceOverride::Here => true,
            PresenceOverride::Away => false,
            PresenceOverride::Auto => presence.state == Presence::Here,
        })
    }

    /// Says what became of an ask. One that has ended meanwhile needs nothing.
    pub(super) async fn receipt(&self, id: &str, receipt: AskerReceipt) {
        let Ok(client) = self.context.client() else {
            return;
        };
        let path = format!("/question/{}", encode(id));
        let received = ReceiptBody { receipt };
        let place = format!("{path}/receipt");
        let heard = client
            .post::<_, bool>(&place, &received, Duration::ZERO)
            .await;
        if heard.is_err() && receipt != AskerReceipt::Taken {
            // An older Beckon that still runs knows of no receipts.
            let _ = client.delete::<bool>(&path).await;
        }
    }

    /// The open asks whose ids begin so.
    pub(super) async fn waiting(&self, beginning: &str) -> Vec<String> {
        let listed: Vec<ListedAsk> = self.client.get("/list").await.unwrap_or_default();
        let ids = listed.into_iter().map(|ask| ask.id);
        ids.filter(|id| id.starts_with(beginning)).collect()
    }
}

impl TerminalState {
    fn of(session: &str, held: bool) -> Self {
        let dialog = SessionDialog::of(session);
        if held {
            Self::Held(dialog)
        } else {
            Self::Dialog(dialog)
        }
    }

    /// Was it answered there?
    fn is_answered(&self) -> bool {
        matches!(self, Self::Dialog(Some(dialog)) if dialog.is_gone())
    }

    async fn answered(&self) {
        match self {
            Self::Dialog(Some(dialog)) => dialog.gone().await,
            Self::Dialog(None) | Self::Held(_) => std::future::pending().await,
        }
    }

    async fn left(&self) {
        match self {
            Self::Dialog(Some(dialog)) | Self::Held(Some(dialog)) => dialog.left().await,
            Self::Dialog(None) | Self::Held(None) => std::future::pending().await,
        }
    }

    /// Claude Code ends its hook when it ends itself, and when its dialog is answered with a no;
    /// then the register says so a moment later.
    async fn interrupted(&self) -> WaitEnd {
        let Self::Dialog(Some(dialog)) = self else {
            return WaitEnd::Over;
        };
        let mut looks = 0;
        while dialog.lives() && looks < REFUSED_LOOKS {
            if dialog.is_gone() {
                return WaitEnd::Elsewhere;
            }
            looks += 1;
            tokio::time::sleep(REFUSED_LOOK).await;
        }
        WaitEnd::Over
    }

    fn witness(self, id: &str) -> Option<TranscriptWitness> {
        let (dialog, since) = match self {
            Self::Dialog(dialog) => {
                let dialog = dialog?;
                let since = Some(dialog.stands_since()?);
                (dialog, since)
            }
            Self::Held(dialog) => (dialog?, None),
        };
        Some(TranscriptWitness {
            ask: id.to_owned(),
            register: dialog.file(),
            since,
        })
    }
}

/// Claude Code has ended, and nobody reads what is decided. The hook's parent may be a shell that
/// stays when Claude Code is killed, so that one's parent counts.
#[cfg(unix)]
async fn orphaned() {
    use std::os::unix::process::parent_id;
    let parents = || (parent_id(), shell_of(parent_id()));
    let (parent, claude) = parents();
    while parents() == (parent, claude) {
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
}

/// The parent of a process that is a shell which runs only this hook.
#[cfg(target_os = "linux")]
fn shell_of(pid: u32) -> Option<u32> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    if !String::from_utf8_lossy(&line).contains("hook claude-code") {
        return None;
    }
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?
        .1
        .split_whitespace()
        .nth(1)?
        .parse()
        .ok()
}

/// Other shells become the hook, as they are told to since Beckon writes `exec` before it.
#[cfg(all(unix, not(target_os = "linux")))]
fn shell_of(_: u32) -> Option<u32> {
    None
}

/// The register tells here, and else the ask goes with the turn.
#[cfg(not(unix))]
async fn orphaned() {
    std::future::pending().await
}
