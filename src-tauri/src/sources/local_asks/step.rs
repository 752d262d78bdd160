//! The consequences of a request, or of time that has passed, for the loop to carry out.
//!
//! Not here: what follows when (`sources/local_asks.rs`).

use super::messages::{AskProgress, HandedEnd, IdClash, ReceiptEnd, RecordChange};
use beckon_core::Event;
use tokio::sync::oneshot;

/// The consequences of a request: commit `changes` with what the desk makes of `events`, then say
/// `words`.
#[derive(Debug, Default)]
pub(crate) struct LocalStep {
    /// The changes to commit.
    pub changes: Vec<RecordChange>,
    /// The events for the desk.
    pub events: Vec<Event>,
    /// The replies to the askers.
    pub words: Vec<AskerReply>,
}

/// A reply to an asker. An asker that has gone misses nothing.
#[derive(Debug)]
pub(crate) enum AskerReply {
    /// The ask is made, or its id clashes.
    Asked(oneshot::Sender<Result<(), IdClash>>, Result<(), IdClash>),
    /// The state of an ask.
    Seen(oneshot::Sender<Option<AskProgress>>, Option<AskProgress>),
    /// The end of an ask.
    End(oneshot::Sender<HandedEnd>, HandedEnd),
    /// Whether the ask was still open.
    Ended(oneshot::Sender<bool>, bool),
    /// The answer to a receipt.
    Received(oneshot::Sender<ReceiptEnd>, ReceiptEnd),
}

impl AskerReply {
    /// Sends the reply.
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
