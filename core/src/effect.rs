//! The results of an event: rows to be saved, effects to be carried out, and news.

use crate::{
    Answer, AskId, Channel, Entry, FinishedTurn, LateAnswer, Outcome, PresenceOverride, SourceId,
    Surface, Timestamp,
};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The results of an event. Commit `save` first, then run `effects`, then publish `news`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// Rows to commit, all or nothing, before anything else.
    pub save: Vec<RowChange>,
    /// The effects to run after that.
    pub effects: Vec<Effect>,
    /// The news for watchers.
    pub news: Vec<News>,
    /// The verdict on an answer, for an answering event.
    pub verdict: Option<Result<AskId, crate::AnswerRefusal>>,
}

impl Step {
    /// Appends the step of another event, to be committed and run together with this one.
    pub fn append(&mut self, mut next: Self) {
        self.save.append(&mut next.save);
        self.effects.append(&mut next.effects);
        self.news.append(&mut next.news);
        self.verdict = next.verdict;
    }
}

/// A row to commit.
#[derive(Clone, Debug, PartialEq)]
pub enum RowChange {
    /// An ask, its state and its draft, by its id. It replaces what [`RowChange::Gone`] kept of it.
    Ask(Box<Entry>),
    /// A card was requested, or its handle became known. An id has one card on a channel at a time.
    Card {
        /// The ask.
        ask: AskId,
        /// The ask's number, which tells this card from that of another ask with the same id;
        /// `None` when it is not known any more.
        serial: Option<u64>,
        /// The channel.
        channel: Channel,
        /// The channel's handle, once known.
        handle: Option<String>,
        /// Whether the human has closed the card.
        closed: bool,
    },
    /// A card is gone, because its channel has removed it.
    NoCard {
        /// The ask.
        ask: AskId,
        /// The channel.
        channel: Channel,
    },
    /// The answer to an ask that ended as gone. It is kept in case the ask comes back or its end is
    /// explained. Follows the ask's [`RowChange::Ask`] in the same step.
    Gone {
        /// The ask.
        ask: AskId,
        /// The answer that was on its way.
        given: Option<(Answer, Surface)>,
        /// Whether the source is being asked what became of the ask.
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

/// An action that is to be carried out.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Show a card, in place of the one with the handle `replaces`, if that is still there.
    Show {
        /// The channel.
        channel: Channel,
        /// The ask.
        entry: Box<Entry>,
        /// The handle of a former card. As long as its message is there it is edited, and nothing
        /// rings.
        replaces: Option<String>,
        /// Whether the card makes no sound, because of quiet hours, or because nobody is to be rung
        /// there now. Only where [`Channel::can_be_silent`].
        silent: bool,
    },
    /// Ring again for a card that is shown.
    Remind {
        /// The channel.
        channel: Channel,
        /// The ask.
        entry: Box<Entry>,
        /// The reason for ringing once more.
        reminder: Reminder,
        /// Whether the reminder makes no sound. Only where [`Channel::can_be_silent`].
        silent: bool,
    },
    /// Tell of a finished turn, always without a sound.
    Tell {
        /// The channel.
        channel: Channel,
        /// The source where it ran.
        source: SourceId,
        /// The turn.
        turn: Box<FinishedTurn>,
    },
    /// Tell a human who is back what was answered meanwhile, and what waits. Always without a
    /// sound.
    Digest {
        /// The channel.
        channel: Channel,
        /// The number of asks that were answered while they were away, by whomever.
        answered: usize,
        /// The number of asks that wait now.
        waiting: usize,
    },
    /// Remove a digest: nothing that it tells of waits any more.
    EndDigest {
        /// The channel.
        channel: Channel,
    },
    /// Redraw a card if it looks different now: its ask, draft or state has changed. It does not
    /// ring, and nothing happens if there is no such card.
    Update {
        /// The channel.
        channel: Channel,
        /// The ask.
        entry: Box<Entry>,
    },
    /// Remove a card, and post [`crate::Event::Withdrawn`] when that is done. Repeated after the
    /// channel was down.
    Withdraw {
        /// The channel.
        channel: Channel,
        /// The ask.
        ask: AskId,
        /// The card's handle, when it is known.
        handle: Option<String>,
        /// The ask as it ended, for a channel that shows the ending; `None` when the ask is still
        /// open, or is not known any more.
        ending: Option<Box<Entry>>,
    },
    /// Send an answer to the agent.
    Deliver {
        /// The ask.
        entry: Box<Entry>,
        /// The answer.
        answer: Answer,
    },
    /// Tell the human who gave an answer that it had no effect, since the ask was decided elsewhere
    /// before. They may have their words nowhere else.
    GiveBack {
        /// The ask, as it ended.
        entry: Box<Entry>,
        /// The answer.
        late: LateAnswer,
    },
    /// Read a source's whole list again.
    Refresh(SourceId),
    /// Ask a source what became of an ask that is gone.
    Inquire(Box<Entry>),
}

/// The reason why a card rings again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reminder {
    /// An ask that is still open.
    StillOpen,
    /// The ask will be rejected at its source at that time.
    ExpiresAt(Timestamp),
    /// An answer came back; [`Entry::returned`] says why.
    Returned,
    /// The agent has not taken the answer; [`Entry::undelivered`] says why.
    Undelivered,
}

/// An event that watchers want to know of.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// A new ask.
    Asked(AskId),
    /// A channel shows the card.
    Shown(AskId, Channel),
    /// An answer was accepted.
    Answered(AskId, Surface),
    /// The source said 200 to the answer.
    Sent(AskId),
    /// The agent has not taken the answer for longer than usual; delivery is tried again.
    Undelivered(AskId),
    /// The answer came back, and the ask is open again.
    Returned(AskId),
    /// The ask has ended.
    Settled(AskId, Outcome),
    /// The ask had ended, and is open again.
    Reopened(AskId),
    /// The human has seen the ask, snoozed it, or wants it again.
    Attention(AskId),
    /// Under a team's rules, other people decide the ask now.
    Held(AskId),
    /// A person has agreed, the last one of [`Entry::agreed`]; another person has to agree as well.
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
