//! One hook that asks: it waits as long as somebody waits for it, and hands the answer over.
//!
//! Not here: what is asked and what an answer means to Claude Code (`permission.rs`,
//! `questions.rs`, `elicitation.rs`), and hooks that ask nothing (`notes.rs`).

use super::dialog::Dialog;
use super::elicitation::Elicitation;
use super::ids::{Ids, id};
use super::questions::Questions;
use super::suggestions::Always;
use super::{ASKS, Call, Decision, Output, Witness, permission};
use crate::api::{Asker, Received};
use crate::cli::Context;
use crate::cli::ask::waiting::{QUESTION, interrupted, silence_of_beckon, until_it_ends};
use crate::client::{Client, encode};
use crate::sources::local_asks::messages::Receipt;
use crate::wire::{Asked, AskedState, Listed, Status};
use beckon_core::{Override, Presence};
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
pub(super) struct Hook<'a> {
    pub(super) context: &'a Context,
    pub(super) client: Client,
    pub(super) ids: Ids,
    pub(super) session_id: String,
    pub(super) directory: String,
    pub(super) agent_type: Option<String>,
}

/// What the terminal shows while the hook waits.
enum Terminal {
    /// The dialog, as far as the register knows of it.
    Dialog(Option<Dialog>),
    /// Nothing, until the hook has ended.
    Held(Option<Dialog>),
}

/// Why the hook waits no more.
enum End {
    /// The ask has ended.
    Asked(Asked),
    /// It could not be asked.
    Unasked,
    /// Somebody answered in the terminal.
    Elsewhere,
    /// Nobody waits for the hook, or it is to make way for the terminal.
    Over,
}

impl Hook<'_> {
    /// A tool wants to run; `held`: its dialog comes after the hook.
    pub(super) async fn permits(
        &self,
        call: &Call,
        suggestions: &[Value],
        held: bool,
    ) -> Option<Output> {
        let terminal = Terminal::of(&self.session_id, held);
        if call.tool_name == ASKS {
            let in_words = |decision: Decision| decision.of_permission(call);
            return self.answers(call, terminal, in_words).await;
        }
        let always = Always::suggested(suggestions, &self.context.texts);
        let asked =
            permission::requesting(call, always.as_ref(), self.asker(&self.ids.of_call(call)));
        let decide = |ended: &Asked| {
            let decision = permission::decision(ended, always)?;
            Some(decision.of_permission(call))
        };
        self.ask(PERMISSION, &asked, &asked.asker, terminal, decide).await
    }

    /// Questions whose tool has yet to begin.
    pub(super) async fn answers_before(&self, call: &Call) -> Option<Output> {
        let terminal = Terminal::of(&self.session_id, true);
        self.answers(call, terminal, Decision::before_the_tool).await
    }

    async fn answers(
        &self,
        call: &Call,
        terminal: Terminal,
        in_words: impl FnOnce(Decision) -> Value,
    ) -> Option<Output> {
        let questions = Questions::read(&call.tool_input)?;
        let asking = questions.asking(self.asker(&self.ids.of_call(call)));
        let decide = |ended: &Asked| questions.decision(ended).map(in_words);
        self.ask(QUESTION, &asking, &asking.asker, terminal, decide).await
    }

    /// A form of an MCP server.
    pub(super) async fn fills_in(&self, elicitation: &Elicitation) -> Option<Output> {
        let form = elicitation.form(&self.context.texts)?;
        let asker = self.asker(&self.ids.of_server(&elicitation.mcp_server_name));
        let asking = form.asking(elicitation, asker);
        let terminal = Terminal::of(&self.session_id, true);
        let decide = |ended: &Asked| form.decision(ended);
        self.ask(QUESTION, &asking, &asking.asker, terminal, decide).await
    }

    fn asker(&self, beginning: &str) -> Asker {
        let subagent = self.agent_type.iter().map(String::as_str);
        let agent: Vec<&str> = ["Claude Code"].into_iter().chain(subagent).collect();
        Asker {
            id: Some(id(beginning)),
            agent: Some(agent.join(" · ")),
            directory: Some(self.directory.clone()).filter(|directory| !directory.is_empty()),
            receipts: true,
            ..Asker::default()
        }
    }

    async fn ask<B: Serialize>(
        &self,
        place: &str,
        asking: &B,
        asker: &Asker,
        terminal: Terminal,
        decide: impl FnOnce(&Asked) -> Option<Value>,
    ) -> Option<Output> {
        let id = asker.id.as_deref()?;
        match self.wait(place, asking, &terminal).await {
            End::Asked(asked) => return self.hand_over(id, &asked, terminal, decide(&asked)).await,
            End::Elsewhere => self.receipt(id, Receipt::Elsewhere).await,
            End::Over => self.receipt(id, Receipt::Over).await,
            End::Unasked => {}
        }
        None
    }

    async fn wait<B: Serialize>(&self, place: &str, asking: &B, terminal: &Terminal) -> End {
        tokio::select! {
            asked = until_it_ends(&self.context.paths, place, asking) => {
                asked.map_or(End::Unasked, End::Asked)
            }
            // A dead or hung one hears no receipt; it will miss this asker.
            () = silence_of_beckon(&self.context.paths) => End::Unasked,
            () = interrupted() => terminal.interrupted().await,
            () = terminal.answered() => End::Elsewhere,
            () = terminal.left() => End::Over,
            () = orphaned() => End::Over,
            () = self.is_wanted_there(terminal) => End::Over,
        }
    }

    /// The answer goes to Claude Code if its dialog still stands; a moment ago it did, or there is
    /// no way to know. What becomes of it is told later.
    async fn hand_over(
        &self,
        id: &str,
        asked: &Asked,
        terminal: Terminal,
        decision: Option<Value>,
    ) -> Option<Output> {
        let receipt = match decision {
            Some(_) if terminal.is_answered() => Receipt::Elsewhere,
            Some(decision) => {
                return Some(Output { decision, witness: terminal.witness(id) });
            }
            None if asked.state == AskedState::Answered => Receipt::Lost,
            // Nobody has decided, and Claude Code is told as much: nothing.
            None => Receipt::Taken,
        };
        self.receipt(id, receipt).await;
        None
    }

    /// Ends when the terminal is to have its dialog: somebody is here and has had their time.
    async fn is_wanted_there(&self, terminal: &Terminal) {
        if matches!(terminal, Terminal::Dialog(_)) {
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
        let Ok(client) = self.context.client() else { return false };
        let status = client.get::<Status>("/status").await;
        status.is_ok_and(|Status { presence, .. }| match presence.said {
            Override::Here => true,
            Override::Away => false,
            Override::Auto => presence.state == Presence::Here,
        })
    }

    /// Says what became of an ask. One that has ended meanwhile needs nothing.
    pub(super) async fn receipt(&self, id: &str, receipt: Receipt) {
        let Ok(client) = self.context.client() else { return };
        let path = format!("/question/{}", encode(id));
        let received = Received { receipt };
        let place = format!("{path}/receipt");
        let heard = client.post::<_, bool>(&place, &received, Duration::ZERO).await;
        if heard.is_err() && receipt != Receipt::Taken {
            // An older Beckon that still runs knows of no receipts.
            let _ = client.delete::<bool>(&path).await;
        }
    }

    /// The open asks whose ids begin so.
    pub(super) async fn waiting(&self, beginning: &str) -> Vec<String> {
        let listed: Vec<Listed> = self.client.get("/list").await.unwrap_or_default();
        let ids = listed.into_iter().map(|ask| ask.id);
        ids.filter(|id| id.starts_with(beginning)).collect()
    }
}

impl Terminal {
    fn of(session: &str, held: bool) -> Self {
        let dialog = Dialog::of(session);
        if held { Self::Held(dialog) } else { Self::Dialog(dialog) }
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
    async fn interrupted(&self) -> End {
        let Self::Dialog(Some(dialog)) = self else { return End::Over };
        let mut looks = 0;
        while dialog.lives() && looks < REFUSED_LOOKS {
            if dialog.is_gone() {
                return End::Elsewhere;
            }
            looks += 1;
            tokio::time::sleep(REFUSED_LOOK).await;
        }
        End::Over
    }

    fn witness(self, id: &str) -> Option<Witness> {
        let (dialog, since) = match self {
            Self::Dialog(dialog) => {
                let dialog = dialog?;
                let since = Some(dialog.stands_since()?);
                (dialog, since)
            }
            Self::Held(dialog) => (dialog?, None),
        };
        Some(Witness { ask: id.to_owned(), register: dialog.file(), since })
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
    stat.rsplit_once(") ")?.1.split_whitespace().nth(1)?.parse().ok()
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
