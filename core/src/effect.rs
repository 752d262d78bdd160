//! Everything we may do about it.

use crate::{Answer, AskId, Channel, Entry, Outcome, Override, SourceId, Surface, Timestamp};

/// What one event leads to: commit `save`, then run `effects`, then tell `news`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// Rows to commit, all or nothing, before anything else.
    pub save: Vec<Save>,
    /// What to do then.
    pub effects: Vec<Effect>,
    /// What to tell whoever watches.
    pub news: Vec<News>,
    /// What became of an answer, for an answering event.
    pub verdict: Option<Result<AskId, crate::Refusal>>,
}

/// A row to commit.
#[derive(Clone, Debug, PartialEq)]
pub enum Save {
    /// An ask and its state, by its id.
    Ask(Box<Entry>),
    /// A card was asked for, or its handle became known.
    Card {
        /// The ask.
        ask: AskId,
        /// The channel.
        channel: Channel,
        /// The channel's handle, once known.
        handle: Option<String>,
    },
    /// A card is gone: its channel was told so by the step before.
    NoCard {
        /// The ask.
        ask: AskId,
        /// The channel.
        channel: Channel,
    },
    /// What the human said of their presence, and the pause.
    Standing {
        /// Here, away, or by the readings.
        said: Override,
        /// The pause.
        paused_until: Option<Timestamp>,
    },
}

/// Something to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Show a card, in place of the one that `replaces` names if that still stands.
    Show {
        /// The channel.
        channel: Channel,
        /// The ask.
        entry: Box<Entry>,
        /// A former handle.
        replaces: Option<String>,
    },
    /// The ask behind a card is known better; redraw it if its text changes.
    Update {
        /// The channel.
        channel: Channel,
        /// The ask.
        entry: Box<Entry>,
    },
    /// Take a card away.
    Withdraw {
        /// The channel.
        channel: Channel,
        /// The ask.
        ask: AskId,
        /// Its handle, when it is from an earlier life of Beckon.
        handle: Option<String>,
    },
    /// Send an answer to the agent.
    Deliver {
        /// The ask.
        entry: Box<Entry>,
        /// The answer.
        answer: Answer,
    },
    /// Read a source's whole list anew.
    Refresh(SourceId),
    /// Find out what became of an ask that is gone.
    Inquire(Box<Entry>),
}

/// Something that whoever watches wants to know.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// A new ask.
    Asked(AskId),
    /// A card is up.
    Shown(AskId, Channel),
    /// An answer was accepted.
    Answered(AskId, Surface),
    /// The source said 200.
    Sent(AskId),
    /// It has ended.
    Settled(AskId, Outcome),
    /// It had ended, and is open after all.
    Reopened(AskId),
    /// A source's connection changed.
    Source(SourceId),
    /// Presence or pause changed.
    Standing,
}
