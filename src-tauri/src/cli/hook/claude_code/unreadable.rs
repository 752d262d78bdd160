//! The asks of Claude Code that cannot be read here, or that the local API doesn't take. Each
//! becomes a card that says so, a line in the log and a count: an ask is never lost in silence. The
//! answer is given in the terminal.

use super::asking::RunningHook;
use super::ids::id;
use crate::api::{TimeLimit, UnreadableBody};
use crate::cli::ask::waiting::UNREADABLE;
use beckon_core::UnknownShape;
use serde_json::Value;
use std::time::Duration;

/// The time after which such a card goes by itself, as nothing tells when its dialog was answered.
const STANDS: &str = "15m";
/// The number of characters of it that are shown.
const LONGEST: usize = 1_500;
/// The number of cards after which another one says nothing new: something is wrong with the hooks
/// themselves.
const MOST_CARDS: usize = 3;

/// The parts of an input that could be read.
#[derive(Debug)]
pub(super) struct UnreadableInput {
    /// The reason why the rest could not be read, for the log; it quotes nothing.
    pub(super) reason: String,
    /// The kind of request, if it is one.
    pub(super) asked: Option<UnknownShape>,
    pub(super) session_id: String,
    pub(super) cwd: String,
    pub(super) agent_id: Option<String>,
    /// The input as text.
    pub(super) raw: String,
}

impl UnreadableInput {
    /// Returns one of which nothing is known. It may be an ask, so it counts as one.
    pub(super) fn of_nothing(raw: String) -> Self {
        Self {
            reason: "it is no JSON".to_owned(),
            asked: Some(UnknownShape::Permission),
            session_id: String::new(),
            cwd: String::new(),
            agent_id: None,
            raw,
        }
    }
}

impl RunningHook<'_> {
    /// Returns the report of something that could not be read or asked.
    pub(super) fn unreadable(&self, reason: &str, asked: Option<UnknownShape>) -> UnreadableBody {
        let says = self.context.texts.get("hook-unreadable");
        let raw: String = self.raw.chars().take(LONGEST).collect();
        UnreadableBody {
            reason: reason.to_owned(),
            asked,
            raw: format!("{says}\n\n{raw}"),
            asker: self.asker(&self.ids.of_unreadable()),
        }
    }

    /// Reports it without waiting: the hook is in the way of the dialog, or it is unknown which
    /// dialog it is.
    pub(super) async fn leave_unreadable(&self, reason: &str, asked: Option<UnknownShape>) {
        let cards = self.waiting(&self.ids.of_unreadables()).await.len();
        let asked = asked.filter(|_| cards < MOST_CARDS);

        let mut told = self.unreadable(reason, asked);
        told.asker.id = Some(id(&self.ids.of_unreadable()));
        told.asker.ticket = true;
        told.asker.receipts = false;
        told.asker.timeout = Some(TimeLimit::Text(STANDS.to_owned()));
        // Beckon was there a moment ago; a hook has no one else to tell.
        let _ = self
            .client
            .post::<_, Value>(UNREADABLE, &told, Duration::ZERO)
            .await;
    }
}
