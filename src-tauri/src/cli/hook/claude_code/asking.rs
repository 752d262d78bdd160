//! A hook that asks: it waits as long as its answer is needed, and hands the answer to Claude Code.
//!
//! Not here: what is asked and what an answer means to Claude Code (`permission.rs`,
//! `questions.rs`, `elicitation.rs`), and hooks that ask nothing (`notes.rs`).

use super::elicitation::ElicitationInput;
use super::equals::WaitingAsk;
use super::ids::{HookThread, IdBeginnings, ThreadIds, id};
use super::overwriting::ExistingFile;
use super::permission::PermissionContext;
use super::proof::HandedAnswer;
use super::questions::QuestionCall;
use super::register::RunningClaude;
use super::stamps::HookStamp;
use super::suggestions::AlwaysRules;
use super::terminal::{TerminalState, orphaned};
use super::transcript::TranscriptPlace;
use super::unreadable::UnreadableInput;
use super::{
    ASKS, AnswerWitness, HookDecision, HookOutput, PLANS, ToolUse, given_in, permission, refusal_in,
};
use crate::api::{AskerBody, ReceiptBody};
use crate::cli::CommandContext;
use crate::cli::ask::receipts::{ReceiptFate, receipt};
use crate::cli::ask::waiting::{
    PERMISSION, QUESTION, UNREADABLE, interrupted, silence_of_beckon, until_it_ends_anywhere,
};
use crate::sources::local_asks::messages::AskerReceipt;
use beckon_client::connection::{Client, ClientError};
use beckon_client::platform::clock;
use beckon_client::wire::{AskedState, ListedAsk, ListedState, LocalAskStatus, Status};
use beckon_core::{Presence, PresenceOverride, Timestamp, UnknownShape};
use serde::Serialize;
use serde_json::Value;
use std::time::{Duration, Instant};

/// The time that a person at the machine has to answer in Beckon before Claude Code shows its
/// dialog, where the dialog comes only after the hook. A person who is away has no such limit.
const HELD: Duration = Duration::from_secs(15);
/// The pause between two checks whether a human is here.
const LOOK: Duration = Duration::from_secs(1);

/// A hook under way.
pub(super) struct RunningHook<'a> {
    pub(super) context: &'a CommandContext,
    pub(super) client: Client,
    pub(super) ids: ThreadIds,
    pub(super) claude: RunningClaude,
    pub(super) directory: String,
    pub(super) agent_type: Option<String>,
    /// The transcript of the hook's thread.
    pub(super) transcript: Option<TranscriptPlace>,
    pub(super) began: HookBeginning,
    /// The hook's input as text, for a card that shows it as it came.
    pub(super) raw: String,
}

/// Returns the folder in which Claude Code was started. It tells its hooks, wherever its session
/// works now: <https://code.claude.com/docs/en/hooks>.
pub(super) fn project_root() -> Option<String> {
    let folder = std::env::var("CLAUDE_PROJECT_DIR").ok();
    folder.filter(|folder| !folder.is_empty())
}

/// The time at which a hook began.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct HookBeginning {
    pub(super) stamp: HookStamp,
    pub(super) at: Timestamp,
}

impl HookBeginning {
    /// Returns the beginning of this process, which has just started.
    pub(in super::super) fn now() -> Self {
        Self {
            stamp: HookStamp::own(),
            at: clock::now(),
        }
    }
}

/// A request of a hook to Beckon.
struct AskRequest<'a, B> {
    place: &'a str,
    body: &'a B,
    asker: &'a AskerBody,
    /// The tool that waits; `None` for a form of a server.
    call: Option<&'a ToolUse>,
}

/// The reason why a hook stops waiting.
pub(super) enum WaitEnd {
    /// The ask has ended.
    Asked(LocalAskStatus),
    /// No Beckon runs.
    Unasked,
    /// The request cannot be asked; the reason is for the log.
    Refused(String),
    /// A person answered in the terminal.
    Elsewhere,
    /// The hook is over: nobody waits for it any more, or the terminal is to show its dialog.
    Over,
}

impl WaitEnd {
    /// Judges a failed request. A Beckon that does not run, or is another one now, cannot be asked.
    /// Any other failure has to be told, or the ask would be lost in silence.
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
            ClientError::Exposed(_)
            | ClientError::Misused(_)
            | ClientError::Said(_)
            | ClientError::Other(_) => {
                Self::Refused("it can't be sent to the local API".to_owned())
            }
        }
    }
}

impl RunningHook<'_> {
    /// Asks for a tool that wants to run. `held` tells that its dialog comes after the hook.
    pub(super) async fn permits(
        &self,
        call: &ToolUse,
        suggestions: &[Value],
        held: bool,
    ) -> Option<HookOutput> {
        let terminal = TerminalState::of(&self.claude, held);
        if call.tool_name == ASKS {
            let in_words = |decision: HookDecision| decision.of_permission(call);
            return self.answers(call, terminal, in_words).await;
        }
        let always = AlwaysRules::suggested(suggestions, &self.context.texts);
        let asker = self.asker(&self.ids.of_call(call));
        let existing = ExistingFile::before(call, &self.directory);
        let permission_context = PermissionContext {
            always: always.as_ref(),
            existing: existing.as_ref(),
            texts: &self.context.texts,
        };
        let asked = permission::requesting(call, &permission_context, asker).cut();
        let decide = |ended: &LocalAskStatus| {
            let decision = permission::decision(ended, always)?;
            Some(decision.of_permission(call))
        };
        let request = AskRequest {
            place: PERMISSION,
            body: &asked,
            asker: &asked.asker,
            call: Some(call),
        };
        self.ask(request, terminal, decide).await
    }

    /// Shows that something is asked that cannot be read here.
    pub(super) async fn show(
        context: &CommandContext,
        client: Client,
        input: UnreadableInput,
    ) -> Option<HookOutput> {
        let thread = input
            .agent_id
            .as_deref()
            .map_or(HookThread::Main, HookThread::Subagent);
        let claude = RunningClaude::of(&input.session_id);
        let hook = RunningHook {
            context,
            client,
            ids: ThreadIds::new(&input.session_id, thread, &input.cwd, &claude),
            claude,
            directory: input.cwd,
            agent_type: None,
            transcript: None,
            began: HookBeginning::now(),
            raw: input.raw,
        };

        let held = input.agent_id.is_some();
        let terminal = TerminalState::of(&hook.claude, held);
        hook.wait_unreadable(&input.reason, input.asked, &terminal)
            .await;
        None
    }

    /// Keeps that card for as long as the dialog is shown, if that is known.
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
        match self.wait(UNREADABLE, &told, terminal).await {
            WaitEnd::Elsewhere => self.tell(&id, AskerReceipt::Elsewhere).await,
            WaitEnd::Over => self.tell(&id, AskerReceipt::Over).await,
            WaitEnd::Asked(_) | WaitEnd::Unasked | WaitEnd::Refused(_) => {}
        }
    }

    /// Asks questions whose tool has yet to begin.
    pub(super) async fn answers_before(&self, call: &ToolUse) -> Option<HookOutput> {
        let terminal = TerminalState::of(&self.claude, true);
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
        let request = AskRequest {
            place: QUESTION,
            body: &asking,
            asker: &asking.asker,
            call: Some(call),
        };
        self.ask(request, terminal, decide).await
    }

    /// Asks a form of an MCP server.
    pub(super) async fn fills_in(&self, elicitation: &ElicitationInput) -> Option<HookOutput> {
        let terminal = TerminalState::of(&self.claude, true);
        let form = match elicitation.form(&self.context.texts) {
            Some(form) => form,
            // Claude Code itself announces a page that is to be opened.
            None if elicitation.is_of_page() => return None,
            None => {
                let reason = "a field of its form is of another kind";
                let asked = Some(UnknownShape::Question);
                self.wait_unreadable(reason, asked, &terminal).await;
                return None;
            }
        };
        let asker = self.asker(&self.ids.of_server(&elicitation.mcp_server_name));
        let asking = form.asking(elicitation, asker, &self.context.texts).cut();
        let decide = |ended: &LocalAskStatus| form.decision(ended);
        let request = AskRequest {
            place: QUESTION,
            body: &asking,
            asker: &asking.asker,
            call: None,
        };
        self.ask(request, terminal, decide).await
    }

    pub(super) fn asker(&self, beginnings: &IdBeginnings) -> AskerBody {
        let subagent = self.agent_type.iter().map(String::as_str);
        let agent: Vec<&str> = ["Claude Code"].into_iter().chain(subagent).collect();
        AskerBody {
            id: Some(id(beginnings)),
            agent: Some(agent.join(" · ")),
            directory: Some(self.directory.clone()).filter(|directory| !directory.is_empty()),
            project_root: project_root(),
            // The hook lives as long as its ask waits, below the agent in its terminal.
            pid: Some(std::process::id()),
            receipts: true,
            ..AskerBody::default()
        }
    }

    async fn ask<B: Serialize>(
        &self,
        request: AskRequest<'_, B>,
        terminal: TerminalState,
        decide: impl FnOnce(&LocalAskStatus) -> Option<Value>,
    ) -> Option<HookOutput> {
        let id = request.asker.id.as_deref()?;
        match self.wait(request.place, request.body, &terminal).await {
            WaitEnd::Asked(asked) => {
                let decision = decide(&asked);
                return self.hand_over(&request, &asked, terminal, decision).await;
            }
            WaitEnd::Elsewhere => self.tell(id, AskerReceipt::Elsewhere).await,
            WaitEnd::Over => self.tell(id, AskerReceipt::Over).await,
            WaitEnd::Refused(reason) => {
                let is_question = request.place == QUESTION;
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
        let paths = &self.context.paths;
        tokio::select! {
            asked = until_it_ends_anywhere(paths, place, asking, || terminal.stands()) => {
                asked.map_or_else(|refused| WaitEnd::of_refusal(&refused), WaitEnd::Asked)
            }
            // A Beckon that is dead or hangs hears no receipt; it will miss this asker.
            () = self.beckon_is_given_up(terminal) => WaitEnd::Unasked,
            () = interrupted() => terminal.interrupted().await,
            () = terminal.answered() => WaitEnd::Elsewhere,
            () = terminal.left() => WaitEnd::Over,
            () = orphaned() => WaitEnd::Over,
            () = self.is_wanted_there(terminal) => WaitEnd::Over,
        }
    }

    /// Returns when Beckon has been silent for a while and somebody waits for this hook. While a
    /// dialog is shown nobody does: it can be answered there, and here again once Beckon is back.
    async fn beckon_is_given_up(&self, terminal: &TerminalState) {
        loop {
            silence_of_beckon(&self.context.paths).await;
            if !terminal.stands_soon().await {
                return;
            }
        }
    }

    /// Hands the answer to Claude Code if its dialog is still shown, or if that cannot be known.
    /// The fate of the answer is reported later.
    async fn hand_over<B>(
        &self,
        request: &AskRequest<'_, B>,
        asked: &LocalAskStatus,
        terminal: TerminalState,
        decision: Option<Value>,
    ) -> Option<HookOutput> {
        let id = request.asker.id.as_deref()?;
        let receipt = match decision {
            Some(_) if terminal.is_answered() => AskerReceipt::Elsewhere,
            Some(decision) => {
                let transcript = self.transcript.clone().filter(TranscriptPlace::exists);
                let place = transcript.as_ref();
                let call = request.call;
                let answer = call.map(|call| self.handed(call, &decision, place));
                let witness = AnswerWitness::of(id, terminal.witnessed(), answer, transcript);
                return Some(HookOutput { decision, witness });
            }
            None if asked.state == AskedState::Answered => AskerReceipt::Lost,
            // Nobody has decided, which an empty output tells Claude Code.
            None => AskerReceipt::Taken,
        };
        self.receipt(id, receipt).await;
        None
    }

    /// Returns the answer that is handed over, in the form in which a witness looks for it.
    fn handed(
        &self,
        call: &ToolUse,
        decision: &Value,
        transcript: Option<&TranscriptPlace>,
    ) -> HandedAnswer {
        let refusal = refusal_in(decision);
        let needs_its_user = [ASKS, PLANS].contains(&call.tool_name.as_str());
        HandedAnswer {
            call: self.ids.mark_of(call),
            tool: call.tool_name.clone(),
            use_id: call.id.clone(),
            ends_the_use: refusal.is_some() || needs_its_user,
            refusal,
            given: given_in(decision),
            asked_at: self.began.at.0,
            decided_at: clock::now().0,
            recorded: transcript.and_then(TranscriptPlace::length),
        }
    }

    /// Returns when the terminal is to show its dialog: the human is here, and the time for an
    /// answer in Beckon is over.
    async fn is_wanted_there(&self, terminal: &TerminalState) {
        if matches!(terminal, TerminalState::Dialog(_)) {
            return std::future::pending().await;
        }
        let mut here_since: Option<Instant> = None;
        while here_since.is_none_or(|since| since.elapsed() < HELD) {
            tokio::time::sleep(LOOK).await;
            here_since = if self.is_here().await {
                here_since.or_else(|| Some(Instant::now()))
            } else {
                None
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

    /// Reports the fate of an ask. For an ask that has ended meanwhile nothing is needed.
    pub(super) async fn tell(&self, id: &str, receipt: AskerReceipt) {
        self.receipt(id, receipt).await;
    }

    async fn receipt(&self, id: &str, receipt: AskerReceipt) -> ReceiptFate {
        let proof = None;
        self.receipt_with(id, &ReceiptBody { receipt, proof }).await
    }

    /// Reports the fate of an ask with its proof.
    pub(super) async fn receipt_with(&self, id: &str, said: &ReceiptBody) -> ReceiptFate {
        receipt(&self.context.paths, id, said).await
    }

    /// Returns the asks that have not ended and whose ids begin like that.
    pub(super) async fn waiting(&self, beginnings: &IdBeginnings) -> Vec<WaitingAsk> {
        let listed: Vec<ListedAsk> = self.client.get("/list").await.unwrap_or_default();
        let its = listed.into_iter().filter(|ask| beginnings.fit(&ask.id));
        its.map(|ask| WaitingAsk {
            is_answered: ask.state.known() == Some(ListedState::Answering),
            id: ask.id,
        })
        .collect()
    }
}
