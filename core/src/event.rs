//! The events: everything that can happen to the desk. The reports of a source are in
//! `event/source_report.rs`.

mod source_report;

pub use source_report::{
    DecisionKind, DeliveryFailure, FinishedTurn, ReturnReason, SourceFault, SourceListing,
    SourceReport, SourceState, ToldDecision, TurnEnd,
};

use crate::hub::SeatNews;
use crate::hub::team::TeamSeat;
use crate::{
    Answer, AskId, Attention, ButtonTarget, CardSight, CardTap, Channel, Fingerprint, Grant,
    Policy, PresenceOverride, PresenceReading, Reply, Responder, SeenStep, SourceId, Span, Surface,
    Timestamp, WrittenText,
};
use alloc::string::String;
use alloc::vec;

/// Something that happened. Its time is given separately.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a few pass at a time, and none is stored"
)]
pub enum Event {
    /// A deadline may have come. A tick without a deadline is harmless.
    Tick,
    /// A source reports.
    Source(SourceId, SourceReport),
    /// A source is no longer watched.
    SourceRemoved(SourceId),
    /// A human gave a complete answer.
    Answered {
        /// The ask that is answered.
        ask: AskId,
        /// The answer.
        answer: Answer,
        /// The fingerprint of what they saw, where the surface can tell: the answer is refused if
        /// the ask has changed.
        seen: Option<Fingerprint>,
        /// The surface where they answered.
        by: Surface,
        /// The person who answered, if it is not this machine's user.
        responder: Option<Responder>,
    },
    /// A human says how far an open ask may ask for attention. The verdict is as for an answer.
    Attend {
        /// The ask.
        ask: AskId,
        /// The attention that it may ask for.
        attention: Attention,
        /// The fingerprint of what they saw, as for an answer.
        seen: Option<Fingerprint>,
    },
    /// A human pressed a button of a card.
    Pressed {
        /// The target that the button was made for.
        target: ButtonTarget,
        /// The button.
        press: ButtonPress,
        /// The surface where it was pressed.
        by: Surface,
    },
    /// A human tapped a button of a card that shows one step at a time. The verdict is `Ok` if the
    /// tap changed the draft or was taken as the answer; the entry's state tells which.
    Tapped {
        /// The target that the button was made for.
        target: ButtonTarget,
        /// The button.
        tap: CardTap,
        /// Whether the card shows all that it allows. If it hides something, consent is asked for
        /// twice.
        sight: CardSight,
        /// The surface where it was tapped.
        by: Surface,
        /// The person who tapped, if it is not this machine's user.
        responder: Option<Responder>,
    },
    /// A human wrote words for such a card. The verdict is as for a tap.
    Wrote {
        /// The target that the card was made for.
        target: ButtonTarget,
        /// The step of the answer that the human saw when they wrote.
        seen: SeenStep,
        /// The text, exactly as it was written.
        text: WrittenText,
        /// The card's content, as for a tap.
        sight: CardSight,
        /// The surface where it was written.
        by: Surface,
        /// The person who wrote, if it is not this machine's user.
        responder: Option<Responder>,
    },
    /// A channel works (again). Everything that it showed before is gone.
    ChannelUp(Channel),
    /// A channel does not work.
    ChannelDown(Channel),
    /// A channel shows a card.
    Shown {
        /// The channel.
        channel: Channel,
        /// The ask.
        ask: AskId,
        /// The handle by which the channel finds the card again, also after a restart.
        handle: String,
    },
    /// The human closed a notification without answering, so it does not come back by itself. If a
    /// message in a chat is gone it is unknown who deleted it, so the channel keeps the ask on its
    /// list.
    Closed {
        /// The channel.
        channel: Channel,
        /// The ask.
        ask: AskId,
    },
    /// A human asks a channel for the card of an open ask that the channel does not show.
    CalledFor {
        /// The channel.
        channel: Channel,
        /// The ask.
        ask: AskId,
    },
    /// A channel has removed a card, as [`crate::Effect::Withdraw`] told it to, or does not know
    /// the card. Until then the desk remembers the card, so that a crash leaves none behind. There
    /// is one such event for each withdrawal, and none for withdrawals from before the channel went
    /// down.
    Withdrawn {
        /// The channel.
        channel: Channel,
        /// The ask.
        ask: AskId,
    },
    /// Another machine, which serves the channel in this Beckon's place, has shown a card's ending.
    EndedElsewhere {
        /// The channel.
        channel: Channel,
        /// The ask.
        ask: AskId,
    },
    /// A presence reading.
    Presence(PresenceReading),
    /// The human said where they are, or that the readings count again.
    Said {
        /// What the human said.
        said: PresenceOverride,
        /// The time until which the human's word holds; then the readings count again. `None` for
        /// until further notice.
        until: Option<Timestamp>,
    },
    /// A pause: nothing rings until then. `None` ends it.
    Pause(Option<Timestamp>),
    /// News of the human's other machines.
    Seats(SeatNews),
    /// The settings changed.
    Policy(Policy),
    /// The person who sits at this machine. Answers given here are theirs from now on.
    User(Responder),
    /// The rules of the team that this machine belongs to; `None` where it belongs to none.
    Team(Option<TeamSeat>),
    /// The wall clock was set: it shows this much more than it would have, or less. A sleep of the
    /// machine is no such change.
    ClockSet(Span),
    /// Local time is ahead of UTC by this much now.
    UtcOffset(Span),
}

/// A button of a notification or of the tray's menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ButtonPress {
    /// A choice of a question; both are counted from 0.
    Choose {
        /// The question.
        question: usize,
        /// The choice.
        choice: usize,
    },
    /// Allow once.
    Once,
    /// Reject the permission.
    Reject,
    /// Answer a confirm with yes.
    Continue,
    /// Answer a confirm with no.
    Cancel,
    /// Dismiss the question set.
    Dismiss,
}

impl ButtonPress {
    /// Returns the answer that this press is, if it is a complete answer to an ask with `questions`
    /// questions.
    pub fn answer(self, questions: usize) -> Option<Answer> {
        Some(match self {
            Self::Choose {
                question: 0,
                choice,
            } if questions == 1 => Answer::Replies(vec![Reply::choice(choice)]),
            Self::Choose { .. } => return None,
            Self::Once => Answer::Grant(Grant::Once),
            Self::Reject => Answer::Grant(Grant::Reject { reason: None }),
            Self::Continue => Answer::Continue,
            Self::Cancel => Answer::Cancel,
            Self::Dismiss => Answer::Dismiss,
        })
    }
}
