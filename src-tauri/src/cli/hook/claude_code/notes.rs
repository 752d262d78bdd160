//! The hooks that need no decision: the asks that they end, and what they tell the human.

use super::asking::RunningHook;
use super::dialog::SessionDialog;
use super::equals::{EqualUses, WaitingAsk, first_to_end};
use super::ids::IdBeginnings;
use super::questions::QuestionCall;
use super::transcript::TranscriptPlace;
use super::{ASKS, HookEvent, ToolUse};
use crate::api::NotifyBody;
use crate::sources::local_asks::messages::AskerReceipt;
use beckon_client::connection::encode;
use beckon_client::text::Value as Word;
use beckon_client::wire::{HistoryEntry, HistoryPage, LocalAskStatus, NotifyResult};
use std::time::Duration;

/// The most characters of a notice, which is a few lines.
const NOTICE: usize = 300;
/// The number of ended asks that are searched for those of one message.
const LOOKED_BACK: usize = 200;
/// The kinds of notice that announce a dialog. If that is asked here already, no notice is needed.
const ASKED: [&str; 2] = ["permission_prompt", "elicitation_dialog"];

impl RunningHook<'_> {
    pub(super) async fn take_note(&self, event: HookEvent, finished: bool) {
        match event {
            HookEvent::PostToolUse(call) | HookEvent::PostToolUseFailure(call) => {
                self.close_one_that_ran(&call).await;
                // A tool of an MCP server has run, so its forms are filled in.
                if let Some(server) = server_of(&call.tool_name) {
                    self.close(&self.ids.of_server(server), AskerReceipt::Over)
                        .await;
                }
            }
            HookEvent::PermissionDenied(call) => {
                self.close_one_of(&call, AskerReceipt::Over).await;
            }
            HookEvent::ElicitationResult { server } => {
                let forms = self.asked_before(&self.ids.of_server(&server)).await;
                if let Some(form) = first_to_end(&forms) {
                    self.tell(&form.id, AskerReceipt::Elsewhere).await;
                }
            }
            HookEvent::Notification {
                message,
                title,
                kind,
            } => self.notice(title, &message, kind.as_deref()).await,
            HookEvent::Stop {
                last_words,
                works_on,
            } => {
                self.close(self.ids.of_thread(), AskerReceipt::Over).await;
                if finished && !works_on {
                    self.finished(last_words, "hook-finished").await;
                }
            }
            HookEvent::StopFailure { last_words } => {
                self.close(self.ids.of_thread(), AskerReceipt::Over).await;
                if finished {
                    self.finished(last_words, "hook-failed").await;
                }
            }
            // Older versions do not say which dialog it was.
            HookEvent::SubagentStop if self.ids.is_main() => {}
            HookEvent::SubagentStop => self.close(self.ids.of_thread(), AskerReceipt::Over).await,
            HookEvent::UserPromptSubmit => self.prompted().await,
            HookEvent::SessionEnd => self.close(self.ids.of_session(), AskerReceipt::Over).await,
            HookEvent::PermissionRequest { .. }
            | HookEvent::PreToolUse(_)
            | HookEvent::Elicitation(_)
            | HookEvent::Trial
            | HookEvent::Witness(_)
            | HookEvent::Another => {}
        }
    }

    /// Ends the asks of the thread's tools, since nobody types a prompt while a dialog is shown.
    /// The end of a background task is a prompt as well, and comes at any time, so the dialog is
    /// checked first.
    async fn prompted(&self) {
        let stands = SessionDialog::of(&self.claude).is_some_and(|it| it.stands_since().is_some());
        if !stands {
            self.close(&self.ids.of_tools(), AskerReceipt::Over).await;
        }
    }

    /// Reports the fate of the asks whose ids begin so.
    async fn close(&self, beginnings: &IdBeginnings, receipt: AskerReceipt) {
        for ask in self.asked_before(beginnings).await {
            self.tell(&ask.id, receipt).await;
        }
    }

    /// Returns the asks whose ids begin so and that were made before this event: Claude Code goes
    /// on while its events are handled.
    async fn asked_before(&self, beginnings: &IdBeginnings) -> Vec<WaitingAsk> {
        let mut asks = self.waiting(beginnings).await;
        asks.retain(|ask| ask.is_before(self.began.stamp));
        asks
    }

    /// Reports that one call has run. A question tells whose answers it ran with.
    async fn close_one_that_ran(&self, call: &ToolUse) {
        let asks = self.asked_before(&self.ids.of_call(call)).await;
        let receipt = match first_to_end(&asks) {
            Some(ask) if call.tool_name == ASKS => self.receipt_by_answers(&ask.id, call).await,
            _ => AskerReceipt::Done,
        };
        self.close_one_of(call, receipt).await;
    }

    /// Compares the answers with which a question has ended with those that were handed over. Other ones
    /// count only where no transcript can tell more.
    async fn receipt_by_answers(&self, id: &str, call: &ToolUse) -> AskerReceipt {
        let place = format!("/question/{}", encode(id));
        let asked: Option<LocalAskStatus> = self.client.get(&place).await.ok();
        let handed = asked.as_ref().and_then(|asked| asked.answers.as_deref());
        let are_ours = QuestionCall::read(&call.tool_input)
            .zip(handed)
            .and_then(|(questions, answers)| questions.has_ended_with(answers));
        let is_recorded = || {
            self.transcript
                .as_ref()
                .and_then(TranscriptPlace::read)
                .is_some()
        };

        match are_ours {
            Some(true) => AskerReceipt::Taken,
            Some(false) if !is_recorded() => AskerReceipt::Elsewhere,
            Some(false) | None => AskerReceipt::Done,
        }
    }

    /// Reports the fate of one call. Of several calls that are word for word the same, one has
    /// ended.
    async fn close_one_of(&self, call: &ToolUse, receipt: AskerReceipt) {
        let asks = self.asked_before(&self.ids.of_call(call)).await;
        let Some(first) = first_to_end(&asks) else {
            return;
        };

        let Some(uses) = self.equals_of(call) else {
            return self.tell(&first.id, receipt).await;
        };
        for ask in self.without_a_use(&asks, call, &uses).await {
            self.tell(&ask.id, receipt).await;
        }
    }

    /// Returns the open asks for which no use is left. For answered asks the transcript tells.
    async fn without_a_use(
        &self,
        asks: &[WaitingAsk],
        call: &ToolUse,
        uses: &EqualUses,
    ) -> Vec<WaitingAsk> {
        // A hook beside a dialog notices itself that its own has gone.
        if self.claude.entry.is_some() {
            return uses.surplus(asks);
        }
        let mut open = asks.to_vec();
        open.retain(|ask| !ask.is_answered);
        let answered = asks.len() - open.len();
        let ended = self.ended_asks_of(call, uses).await;
        if uses.are_accounted_for(answered + ended) {
            return Vec::new();
        }
        first_to_end(&open).into_iter().cloned().collect()
    }

    /// Returns the uses that are word for word the same as that call, if there are several.
    fn equals_of(&self, call: &ToolUse) -> Option<EqualUses> {
        let tail = self.transcript.as_ref().and_then(TranscriptPlace::read)?;
        EqualUses::of(call, &tail).filter(|uses| uses.count > 1)
    }

    /// Returns how many asks of that call, and of its equals, have ended.
    async fn ended_asks_of(&self, call: &ToolUse, uses: &EqualUses) -> usize {
        let place = format!("/history?limit={LOOKED_BACK}");
        let history: Option<HistoryPage> = self.client.get(&place).await.ok();
        let entries = history.map_or_else(Vec::new, |page| page.entries);
        let beginnings = self.ids.of_call(call);
        let is_its = |entry: &&HistoryEntry| {
            let since = uses.since.is_none_or(|since| entry.asked_at >= since);
            since && beginnings.fit(&entry.id)
        };
        entries.iter().filter(is_its).count()
    }

    async fn notice(&self, title: Option<String>, message: &str, kind: Option<&str>) {
        let asks = kind.is_some_and(|kind| ASKED.contains(&kind));
        if !asks || self.waiting(self.ids.of_session()).await.is_empty() {
            self.say(title, message).await;
        }
    }

    async fn finished(&self, last_words: Option<String>, otherwise: &str) {
        let last_words = last_words.filter(|words| !words.trim().is_empty());
        let words = last_words.unwrap_or_else(|| self.context.texts.get(otherwise));
        self.say(None, &words).await;
    }

    pub(super) async fn say(&self, title: Option<String>, message: &str) {
        let project = self.directory.trim_end_matches(['/', '\\']);
        let project = project.rsplit(['/', '\\']).next().unwrap_or_default();
        let named = || {
            self.context
                .texts
                .with("hook-title", &[("project", Word::from(project))])
        };
        let title = title.unwrap_or_else(named);
        let said = NotifyBody {
            title,
            message: message.trim().chars().take(NOTICE).collect(),
        };
        // Nothing is asked here, so nothing is lost if this fails.
        let _ = self
            .client
            .post::<_, NotifyResult>("/notify", &said, Duration::ZERO)
            .await;
    }
}

/// Returns the server in `mcp__SERVER__TOOL`.
fn server_of(tool: &str) -> Option<&str> {
    tool.strip_prefix("mcp__")?
        .split_once("__")
        .map(|(server, _)| server)
}
