//! The events: everything that can happen. The reports of a source are in `event/source_report.rs`.

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

/// An event. The time of it is given beside it.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a few pass at a time, and none is stored"
)]
pub enum Event {
    /// A deadline may have come. Spurious ticks are harmless.
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
    /// tap moved the draft or was taken as the answer; the entry's state tells which.
    Tapped {
        /// The target that the button was made for.
        target: ButtonTarget,
        /// The button.
        tap: CardTap,
        /// The clearness of the card: consent beside something hidden is asked for twice.
        sight: CardSight,
        /// The surface where it was tapped.
        by: Surface,
        /// The person who tapped, if it is not this machine's user.
        responder: Option<Responder>,
    },
    /// A human wrote something to such a card. The verdict is as for a tap.
    Wrote {
        /// The target that the card was made for.
        target: ButtonTarget,
        /// The step of the answer under way that its human had before them.
        seen: SeenStep,
        /// The text, exactly as it was written.
        text: WrittenText,
        /// The clearness of the card, as for a tap.
        sight: CardSight,
        /// The surface where it was written.
        by: Surface,
        /// The person who wrote, if it is not this machine's user.
        responder: Option<Responder>,
    },
    /// A channel works, or works again. Whatever it showed before is void.
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
    /// The human closed a notification without answering. It does not come back by itself. If a
    /// message is gone it is unknown who deleted it: its channel keeps it on its list.
    Closed {
        /// The channel.
        channel: Channel,
        /// The ask.
        ask: AskId,
    },
    /// A human asks a channel for the card of an open ask that it does not show.
    CalledFor {
        /// The channel.
        channel: Channel,
        /// The ask.
        ask: AskId,
    },
    /// A channel has taken a card away, as [`crate::Effect::Withdraw`] told it to, or knows of
    /// none. Until then the desk remembers the card, so that a crash leaves none behind. Each
    /// withdrawal is answered once, except those from before the channel went down.
    Withdrawn {
        /// The channel.
        channel: Channel,
        /// The ask.
        ask: AskId,
    },
    /// A card has got its last look from another machine, which serves the channel in this Beckon's
    /// place.
    EndedElsewhere {
        /// The channel.
        channel: Channel,
        /// The ask.
        ask: AskId,
    },
    /// Presence was read.
    Presence(PresenceReading),
    /// The human said where they are.
    Said {
        /// The human's word on where they are.
        said: PresenceOverride,
        /// The time until which that holds; after it the readings count. `None` if it holds until
        /// further notice.
        until: Option<Timestamp>,
    },
    /// The human paused ringing until then; `None` ends the pause.
    Pause(Option<Timestamp>),
    /// There is news of the human's other machines.
    Seats(SeatNews),
    /// The settings changed.
    Policy(Policy),
    /// The person who sits at this machine, and so answers there from now on, is known.
    User(Responder),
    /// The rules of the team that this machine belongs to have changed; `None` if it belongs to no
    /// team.
    Team(Option<TeamSeat>),
    /// The wall clock was set forward by this much, or back if this is negative. A sleep of the
    /// machine is no such change.
    ClockSet(Span),
    /// The difference of local time from UTC has changed; local time is ahead by this much.
    UtcOffset(Span),
}

/// A button of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ButtonPress {
    /// Answers a question with a choice, both from 0.
    Choose {
        /// The question.
        question: usize,
        /// The choice.
        choice: usize,
    },
    /// Allows the permission once.
    Once,
    /// Rejects the permission.
    Reject,
    /// Goes on (a confirm).
    Continue,
    /// Stops (a confirm).
    Cancel,
    /// Dismisses the question set.
    Dismiss,
}

impl ButtonPress {
    /// Returns the answer of this press, if it is a complete one for an ask of that many questions.
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
