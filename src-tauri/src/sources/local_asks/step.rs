//! What follows from a wish or from time that has passed, for the loop to carry out.
//!
//! Not here: what follows when (`sources/local_asks.rs`).

use super::messages::{AskProgress, HandedEnd, IdClash, ReceiptEnd, RecordChange};
use beckon_core::Event;
use tokio::sync::oneshot;

/// What follows from a wish: commit `changes` with what the desk makes of `events`, then say `words`.
#[derive(Debug, Default)]
pub(crate) struct LocalStep {
    /// To commit.
    pub changes: Vec<RecordChange>,
    /// For the desk.
    pub events: Vec<Event>,
    /// For the askers.
    pub words: Vec<AskerReply>,
}

/// A word to an asker. One that has gone misses nothing.
#[derive(Debug)]
pub(crate) enum AskerReply {
    /// It is asked, or cannot be.
    Asked(oneshot::Sender<Result<(), IdClash>>, Result<(), IdClash>),
    /// How it stands.
    Seen(oneshot::Sender<Option<AskProgress>>, Option<AskProgress>),
    /// How it ended.
    End(oneshot::Sender<HandedEnd>, HandedEnd),
    /// It is over now, or was before.
    Ended(oneshot::Sender<bool>, bool),
    /// What follows from its receipt.
    Received(oneshot::Sender<ReceiptEnd>, ReceiptEnd),
}

impl AskerReply {
    /// Says it.
    pub(crate) fn say(self) {
        match self {
            Self::Asked(to, word) => _ = to.send(word),
            Self::Seen(to, word) => _ = to.send(word),
            Self::End(to, word) => _ = to.send(word),
            Self::Ended(to, word) => _ = to.send(word),
            Self::Received(to, word) => _ = to.send(word),
        }
    }
}
