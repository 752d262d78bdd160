//! The two streams between editor and agent. Each passes its bytes on as they come, whatever they
//! are and whatever becomes of Beckon; a line of ours goes between two of theirs.
//!
//! Not here: what the lines mean.

use super::asking::{Asker, Ended};
use super::lines::{LineCutter, LinePart};
use super::permission::{AcpAsk, PermissionRequest};
use super::table::{Act, Passage, PermissionTable};
use crate::integrations::claude_code::asks_by_hooks;
use crate::sources::local_asks::messages::AskerReceipt;
use beckon_client::text::Texts;
use beckon_client::wire::{AskedState, LocalAskStatus, PermissionDecision};
use std::io::Result;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

/// The most bytes that are read at once: as many as a pipe holds (pipe(7)).
const PIECE: usize = 64 * 1024;

/// The state and the ways out that both streams share.
pub(super) struct Relay<'a> {
    state: Mutex<RelayState>,
    to_agent: UnboundedSender<Vec<u8>>,
    to_editor: UnboundedSender<Vec<u8>>,
    /// The agent's program, until it says its name.
    program: String,
    texts: &'a Texts,
}

struct RelayState {
    table: PermissionTable,
    asker: Asker,
}

impl<'a> Relay<'a> {
    pub(super) fn new(
        asker: Asker,
        to_agent: UnboundedSender<Vec<u8>>,
        to_editor: UnboundedSender<Vec<u8>>,
        program: String,
        texts: &'a Texts,
    ) -> Self {
        let table = PermissionTable::default();
        Self {
            state: Mutex::new(RelayState { table, asker }),
            to_agent,
            to_editor,
            program,
            texts,
        }
    }

    /// Passes on what the agent writes.
    pub(super) async fn pass_to_editor(
        &self,
        mut agent: impl AsyncRead + Unpin,
        mut editor: impl AsyncWrite + Unpin,
        mut ours: UnboundedReceiver<Vec<u8>>,
    ) -> Result<()> {
        let mut lines = LineCutter::default();
        let mut piece = vec![0; PIECE];
        loop {
            tokio::select! {
                biased;
                Some(line) = ours.recv(), if lines.is_between_lines() => {
                    write(&mut editor, &line).await?;
                }
                read = agent.read(&mut piece) => {
                    let bytes = &piece[..read?];
                    if bytes.is_empty() {
                        return Ok(());
                    }
                    write(&mut editor, bytes).await?;
                    self.hear_agent(lines.take(bytes));
                }
            }
        }
    }

    /// Passes on what the editor writes, but for its answers to what was answered before. When it
    /// ends, the agent's input ends.
    pub(super) async fn pass_to_agent(
        &self,
        mut editor: impl AsyncRead + Unpin,
        mut agent: impl AsyncWrite + Unpin,
        mut ours: UnboundedReceiver<Vec<u8>>,
    ) -> Result<()> {
        let mut lines = LineCutter::default();
        let mut piece = vec![0; PIECE];
        loop {
            tokio::select! {
                biased;
                Some(line) = ours.recv(), if lines.has_handed_out_lines() => {
                    write(&mut agent, &line).await?;
                }
                read = editor.read(&mut piece) => {
                    let bytes = &piece[..read?];
                    let parts = if bytes.is_empty() {
                        lines.rest().into_iter().collect()
                    } else {
                        lines.take(bytes)
                    };
                    for part in parts {
                        self.pass_part(part, &mut agent).await?;
                    }
                    if bytes.is_empty() {
                        // The agent's input is closed with it.
                        return Ok(());
                    }
                }
            }
        }
    }

    async fn pass_part(&self, part: LinePart, agent: &mut (impl AsyncWrite + Unpin)) -> Result<()> {
        let line = match part {
            LinePart::Piece(piece) => return write(agent, &piece).await,
            LinePart::Line(line) => line,
        };
        match self.hear_editor(&line) {
            Passage::Whole => write(agent, &line).await,
            Passage::Rest(rest) => write(agent, &rest).await,
            Passage::Nothing => Ok(()),
        }
    }

    fn hear_agent(&self, parts: Vec<LinePart>) {
        let mut state = self.lock();
        for part in parts {
            if let LinePart::Line(line) = part {
                let acts = state.table.hear_agent(&line);
                self.act(&mut state.asker, acts);
            }
        }
    }

    fn hear_editor(&self, line: &[u8]) -> Passage {
        let mut state = self.lock();
        let (passage, acts) = state.table.hear_editor(line);
        self.act(&mut state.asker, acts);
        passage
    }

    fn act(&self, asker: &mut Asker, acts: Vec<Act>) {
        for act in acts {
            match act {
                // Claude Code's own hooks ask: one card is enough.
                Act::Ask(_, request) if request.is_of_claude() && asks_by_hooks() => {}
                Act::Ask(number, request) => asker.ask(number, self.to_ask(&request)),
                Act::End(number, receipt) => asker.end(number, receipt),
            }
        }
    }

    fn to_ask(&self, request: &PermissionRequest) -> AcpAsk {
        request.to_ask(&self.program, self.texts)
    }

    /// Passes on what was decided in Beckon, unless the editor was faster.
    pub(super) fn on_ended(&self, (number, asked): Ended) {
        let mut state = self.lock();
        let Some(decision) = decision(&asked) else {
            // Nobody has decided: the editor's dialog stands.
            return state.asker.end(number, AskerReceipt::Taken);
        };
        let Some(answer) = state.table.answer(number, decision) else {
            return state.asker.end(number, AskerReceipt::Lost);
        };
        // The receivers live as long as their streams; without them nobody waits.
        let _ = self.to_agent.send(answer.to_agent);
        let _ = self.to_editor.send(answer.to_editor);
    }

    /// Ends all asks: the editor or the agent has gone.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        let acts = state.table.end();
        self.act(&mut state.asker, acts);
    }

    /// Returns the asker, when both streams have ended.
    pub(super) fn into_asker(self) -> Asker {
        let state = self.state.into_inner();
        state.unwrap_or_else(PoisonError::into_inner).asker
    }

    fn lock(&self) -> MutexGuard<'_, RelayState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn decision(asked: &LocalAskStatus) -> Option<PermissionDecision> {
    let decided = asked.decision.as_ref();
    let decided = decided.filter(|_| asked.state == AskedState::Answered)?;
    decided.reply.known()
}

async fn write(to: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> Result<()> {
    to.write_all(bytes).await?;
    to.flush().await
}
