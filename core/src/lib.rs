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
//! Not here: IO, clocks, async, words that a person reads.

mod answer;
mod ask;
mod cut;
mod desk;
mod draft;
mod effect;
mod event;
mod fingerprint;
mod limits;
mod policy;
mod presence;
mod timestamp;
mod view;
pub mod visible;

pub use answer::{Answer, Grant, InvalidAnswer, Reply};
pub use ask::{
    Ask, AskId, UnknownShape, CallRef, Choice, AskContent, Outcome, Permission, Question, RejectionReach, Session,
    SourceId, AskState, Surface, UnknownAsk,
};
pub use desk::{
    Card, Channel, Desk, Entry, MOST_COUNTED, MOST_REMEMBERED, Memory, REMEMBERED, Refusal, Saved,
    Undelivered,
};
pub use draft::{Awaits, Draft, Moved, Page, Sight, Tap};
pub use effect::{Effect, News, Reminder, Save, Step};
pub use event::{
    Event, Failure, Fault, Listing, Press, Returned, SourceReport, SourceState, Turn, TurnEnd,
};
pub use fingerprint::{Fingerprint, NoFingerprint, Target};
pub use limits::{Format, Limits, Measure, Number};
pub use policy::{BreakThrough, Forward, OnePress, Policy, QuietHours, Ring, Situation};
pub use presence::{Evidence, Override, Presence, Reading, Standing};
pub use timestamp::{Span, Timestamp};
pub use view::{AskView, PresenceView, SourceView, View};
pub use visible::Visible;
