//! The results of an event: rows to be saved, effects to be carried out, and news.

use crate::{
    Answer, AskId, Channel, Entry, FinishedTurn, LateAnswer, Outcome, PresenceOverride, SourceId,
    Surface, Timestamp,
};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The changes that an event leads to: commit `save`, then run `effects`, then tell `news`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// Rows to commit, all or nothing, before anything else.
    pub save: Vec<RowChange>,
    /// The effects to run then.
    pub effects: Vec<Effect>,
    /// The news for watchers.
    pub news: Vec<News>,
    /// The verdict on an answer, for an answering event.
    pub verdict: Option<Result<AskId, crate::AnswerRefusal>>,
}

impl Step {
    /// Appends the step that follows from another event, to be committed and run together with
    /// this.
    pub fn append(&mut self, mut next: Self) {
        self.save.append(&mut next.save);
        self.effects.append(&mut next.effects);
        self.news.append(&mut next.news);
        self.verdict = next.verdict;
    }
}

/// A row to commit, or to delete.
#[derive(Clone, Debug, PartialEq)]
pub enum RowChange {
    /// An ask, its state and its draft, by its id. What [`RowChange::Gone`] kept of it is void.
    Ask(Box<Entry>),
    /// A card that was asked for, or whose handle became known. A name has one card on a channel at
    /// a time.
    Card {
        /// The ask.
        ask: AskId,
        /// The ask's number, by which the card is told from one of another ask of that name; `None`
        /// if it is not known any more.
        serial: Option<u64>,
        /// The channel.
        channel: Channel,
        /// The handle by which the channel finds the card, once known.
        handle: Option<String>,
        /// Whether the human closed it.
        closed: bool,
    },
    /// A card that is gone: its channel has taken it away.
    NoCard {
        /// The ask.
        ask: AskId,
        /// The channel.
        channel: Channel,
    },
    /// The answer that is kept of an ask that ended as gone, in case it comes back or is explained.
    /// Follows its [`RowChange::Ask`] in the same step.
    Gone {
        /// The ask.
        ask: AskId,
        /// The answer that was on its way.
        given: Option<(Answer, Surface)>,
        /// Whether its source is asked what became of it.
        inquired: bool,
    },
    /// The presence that the human set, and the pause.
    Standing {
        /// The human's word: here, away, or by the readings.
        said: PresenceOverride,
        /// The time until which that word holds.
        said_until: Option<Timestamp>,
        /// The end of the pause.
        paused_until: Option<Timestamp>,
    },
}

/// An effect: something that the program does for the desk.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Shows a card, in place of the one that `replaces` names if that is still there.
    Show {
        /// The channel.
        channel: Channel,
        /// The ask.
        entry: Box<Entry>,
        /// The handle of a former card. If it is a message that is still there, it is edited, and
        /// nothing rings.
        replaces: Option<String>,
        /// Whether it makes no sound: quiet hours, or no human is to be rung there now. Only where
        /// [`Channel::can_be_silent`].
        silent: bool,
    },
    /// Rings once more for a card that is there.
    Remind {
        /// The channel.
        channel: Channel,
        /// The ask.
        entry: Box<Entry>,
        /// The reason for ringing once more.
        reminder: Reminder,
        /// Whether it makes no sound. Only where [`Channel::can_be_silent`].
        silent: bool,
    },
    /// Tells of a finished turn, always without a sound.
    Tell {
        /// The channel.
        channel: Channel,
        /// The source where it ran.
        source: SourceId,
        /// The turn.
        turn: Box<FinishedTurn>,
    },
    /// Tells a human who is back what was answered meanwhile, and what waits; always without a
    /// sound.
    Digest {
        /// The channel.
        channel: Channel,
        /// The number of asks that were answered while they were away, by anybody.
        answered: usize,
        /// The number of asks that wait now.
        waiting: usize,
    },
    /// Takes a digest away, since nothing of what it tells waits any more.
    EndDigest {
        /// The channel.
        channel: Channel,
    },
    /// Redraws a card if it looks different now: its ask, its draft or its state has changed. Does
    /// not ring, and does nothing if there is no such card.
    Update {
        /// The channel.
        channel: Channel,
        /// The ask.
        entry: Box<Entry>,
    },
    /// Takes a card away; [`crate::Event::Withdrawn`] follows when that is done. Repeated after the
    /// channel was down.
    Withdraw {
        /// The channel.
        channel: Channel,
        /// The ask.
        ask: AskId,
        /// The card's handle, when it is known.
        handle: Option<String>,
        /// The ask as it ended, for a channel that leaves a last line; `None` if it is still open,
        /// or if nothing more is known of it.
        ending: Option<Box<Entry>>,
    },
    /// Sends an answer to the agent.
    Deliver {
        /// The ask.
        entry: Box<Entry>,
        /// The answer.
        answer: Answer,
    },
    /// Gives an answer back that was accepted here in vain, since the ask had been decided
    /// elsewhere before. The person who gave it is told so; they may have their words nowhere else.
    GiveBack {
        /// The ask, as it ended.
        entry: Box<Entry>,
        /// The answer.
        late: LateAnswer,
    },
    /// Reads a source's whole list anew.
    Refresh(SourceId),
    /// Asks the source what became of an ask that is gone.
    Inquire(Box<Entry>),
}

/// The reason for which a card rings once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reminder {
    /// An ask that is still open.
    StillOpen,
    /// An ask that will be rejected at its source then.
    ExpiresAt(Timestamp),
    /// An answer to it came back; [`Entry::returned`] says why.
    Returned,
    /// An ask whose agent has not taken the answer; [`Entry::undelivered`] says why.
    Undelivered,
}

/// An event that watchers want to know of.
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
    /// The agent has not taken the answer for longer than usual; it is tried on.
    Undelivered(AskId),
    /// The answer came back, and the ask is open again.
    Returned(AskId),
    /// The ask has ended.
    Settled(AskId, Outcome),
    /// The ask had ended, and is open after all.
    Reopened(AskId),
    /// The human has seen the ask, snoozed it, or wants it again.
    Attention(AskId),
    /// The people who decide an ask by a team's rules have changed.
    Held(AskId),
    /// A person has agreed, the last of [`Entry::agreed`]; another person has to, as well.
    Agreed(AskId),
    /// The source asks something else under the same name now.
    Changed(AskId),
    /// More is known of the call that waits.
    CallTold(AskId),
    /// A source's connection changed.
    Source(SourceId),
    /// Presence or pause changed.
    Standing,
}
