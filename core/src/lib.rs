//! The decisions of Beckon.
//!
//! What comes in is an [`Event`] and the time; what goes out is a [`Step`]: rows to commit, then
//! effects to run, then news to tell. The caller promises to commit [`Step::save`] before it runs
//! [`Step::effects`], to run these before it handles the next event, to call [`Desk::handle`] with
//! [`Event::Tick`] when [`Desk::next_deadline`] has come (a spurious tick is harmless), and to
//! rebuild the desk with [`Desk::restore`] after a restart. The desk promises that an ask has at
//! most one answer, that an accepted answer is delivered until its source proves the end of the
//! ask, and that every card it asked for is withdrawn and remembered until its channel has said
//! that it is gone.
//!
//! Not here: IO, clocks, async, words that a person reads. Without the standard library there is
//! nothing to read a file or a clock with, so the compiler keeps them out.

#![no_std]

extern crate alloc;

mod answer;
mod ask;
mod channel;
pub mod cut;
mod desk;
mod draft;
mod effect;
mod event;
mod fingerprint;
pub mod hub;
mod login;
mod places;
mod policy;
mod presence;
mod responder;
pub mod risk;
mod timestamp;
mod updates;
mod view;
pub mod visible;

pub use answer::{
    Answer, AnswerLimits, Grant, InvalidAnswer, LimitMeasure, NumberBound, Reply, TextFormat,
    number, whole_number,
};
pub use ask::{
    AlwaysUntil, Argument, Ask, AskContent, AskId, AskState, AskerProcess, Attention, CallInput,
    CallRef, Choice, FileChange, LeftOut, MOST_ARGUMENTS, Outcome, Permission, PermissionPurpose,
    PermissionVerb, Question, QuestionConsent, RejectionReach, SELF_TEST, Session, SourceId,
    Surface, TeamPart, UnknownAsk, UnknownShape, mcp_tool,
};
pub use channel::{CardLifetime, Channel, ChannelTraits, Reach};
pub use desk::{
    AnswerRefusal, CALL_LISTED_WITHIN, Card, Desk, Entry, LateAnswer, LeftoverCard, MOST_COUNTED,
    MOST_REMEMBERED, REMEMBERED, SavedState, SettledAsk, UndeliveredAnswer,
};
pub use draft::{
    AwaitedText, CardPage, CardSight, CardTap, Draft, DraftMove, SeenStep, WrittenText,
};
pub use effect::{Effect, News, Reminder, RowChange, Step};
pub use event::{
    ButtonPress, DecisionKind, DeliveryFailure, Event, FinishedTurn, ReturnReason, SourceFault,
    SourceListing, SourceReport, SourceState, ToldDecision, TurnEnd,
};
pub use fingerprint::{ButtonTarget, Fingerprint, NoFingerprint, shown_hash};
pub use login::{LoginReach, LoginSession, SecondStart};
pub use places::{NOTIFICATIONS_AT_ONCE, NotificationPlaces, Placement};
pub use policy::{
    BreakThrough, ForwardMode, OnePress, Policy, PolicyInput, QuietHours, QuietTimes, RingTargets,
};
pub use presence::{Presence, PresenceOverride, PresenceReading, PresenceSource, PresenceState};
pub use responder::{LONGEST_NAME, Responder, Voucher};
pub use semver::Version;
pub use timestamp::{Span, Timestamp};
pub use updates::{FeedFault, ReleaseFeed, UpdateMemory, UpdateNews};
pub use view::{AskView, ChannelView, DeskView, PresenceView, SourceView};
pub use visible::VisibleText;
