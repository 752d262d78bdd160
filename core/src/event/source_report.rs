//! The reports of a source: how it is reached, what it asks, what became of answers.
//!
//! Not here: what follows from it (`desk/reports.rs`).

use crate::hub::HubRefusal;
use crate::{Answer, Ask, CallInput, Responder, Session, Span};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A report of a source.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "most reports carry an ask, and each lives for a moment"
)]
pub enum SourceReport {
    /// A change of the source's connection.
    State(SourceState),
    /// The source's whole open list, read after the stream was subscribed.
    Listed(SourceListing),
    /// A new ask.
    Asked(Ask),
    /// An ask was answered, by us or by others; the answer as [`Ask::to_source_texts`].
    Replied {
        /// The source's own request id.
        own: String,
        /// The answer, when told.
        answers: Option<Vec<Vec<String>>>,
    },
    /// An answer that was given at the source before ours was there; its content is not told.
    Overtaken {
        /// The source's own request id.
        own: String,
    },
    /// An ask was rejected, by us or by others.
    Rejected {
        /// The source's own request id.
        own: String,
    },
    /// An ask for which nobody waits any more, as far as is known. That does not prove that an
    /// answer that was sent was taken.
    Gone {
        /// The source's own request id.
        own: String,
    },
    /// An ask of another Beckon was decided there.
    Decided(ToldDecision),
    /// A session went idle or failed: its asks are suspects, not dead.
    SessionQuiet {
        /// The session.
        session: String,
    },
    /// A session was deleted.
    SessionGone {
        /// The session.
        session: String,
    },
    /// A directory's instance was disposed of; `None` means all of them.
    Disposed {
        /// The directory, as the source writes it.
        directory: Option<String>,
    },
    /// The source said 200 to a delivery. Not a proof.
    Sent {
        /// The source's own request id.
        own: String,
    },
    /// A delivery failed.
    NotSent {
        /// The source's own request id.
        own: String,
        /// The reason for which it failed.
        failure: DeliveryFailure,
    },
    /// The end of an ask that is no longer there (see [`crate::Effect::Inquire`]).
    Explained {
        /// The source's own request id.
        own: String,
        /// The answers the agent got; `None` when it was rejected.
        answers: Option<Vec<Vec<String>>>,
    },
    /// An inquiry that found nothing (see [`crate::Effect::Inquire`]).
    Unexplained {
        /// The source's own request id.
        own: String,
    },
    /// New facts about a session.
    Described(Session),
    /// The arguments of the call that waits for a permission.
    CallTold {
        /// The source's own request id.
        own: String,
        /// The call's arguments.
        input: CallInput,
    },
    /// An agent has finished, and waits for no human.
    Turn(FinishedTurn),
}

/// The decision of an ask of another Beckon, as that one tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldDecision {
    /// The ask's id.
    pub own: String,
    /// The decision.
    pub how: DecisionKind,
    /// The person and device that decided; `None` where they are not known.
    pub by: Option<Responder>,
    /// Whether it surely was another answer than one that was given here; otherwise the texts tell.
    pub is_anothers: bool,
}

/// The kind of decision that ended an ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionKind {
    /// The ask was answered; the texts as [`Ask::to_source_texts`] has them, if they are told.
    Answered(Option<Vec<Vec<String>>>),
    /// The ask was rejected or dismissed.
    Rejected,
}

impl DecisionKind {
    /// Returns the decision that an answer of ours makes.
    pub fn of(ask: &Ask, answer: &Answer) -> Self {
        match ask.to_source_texts(answer) {
            None => Self::Rejected,
            texts => Self::Answered(texts),
        }
    }
}

/// A turn of a session that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedTurn {
    /// The session; never one that another started.
    pub session: Session,
    /// The time that the turn took.
    pub took: Span,
    /// The turn's end.
    pub end: TurnEnd,
}

/// The end of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    /// A turn that ended as it should.
    Done,
    /// A turn that failed; the reason in the source's words.
    Failed(String),
}

/// A source's whole open list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceListing {
    /// The open asks, each with whether its session is busy (not busy: a zombie suspect).
    pub asks: Vec<(Ask, bool)>,
    /// The directories that could not be read; their asks are neither confirmed nor missing.
    pub unread: BTreeSet<String>,
    /// The asks that are neither confirmed nor missing, by the source's own ids. If such an ask is
    /// listed as well, it is shown unless it has ended already: it could not be told whether it is
    /// over.
    pub unsure: BTreeSet<String>,
    /// Whether the list is still being read, so that it holds only what was read until now.
    pub partial: bool,
}

/// The state of a source's connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceState {
    /// The source is not connected yet, or not any more.
    Connecting {
        /// The last thing that went wrong, if anything.
        error: Option<SourceFault>,
    },
    /// The source is connected, and its list was read.
    Live {
        /// The source's version, if it tells.
        version: Option<String>,
    },
    /// The password is wrong or missing.
    Unauthorized,
}

/// The reason for which a source is out of reach.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum SourceFault {
    /// The source lets us connect and says nothing.
    #[error("it accepts connections but does not answer")]
    Silent,
    /// The source has said nothing for longer than it promised.
    #[error("the stream fell silent")]
    FellSilent,
    /// The source has closed the stream.
    #[error("the stream ended")]
    Ended,
    /// The source answers with a status of HTTP that is no good news.
    #[error("it answers HTTP {0}")]
    Status(u16),
    /// The source sends something else than events; the media type, if it has one.
    #[error("it sends no events but {}", .0.as_deref().unwrap_or("no type"))]
    NoEvents(Option<String>),
    /// The source sends more than anybody reads.
    #[error("it sends more than is read")]
    TooLarge,
    /// The source sends too slowly.
    #[error("it sends too slowly")]
    TooSlow,
    /// The source is of another generation than it was heard as.
    #[error("it calls itself newer")]
    Newer,
    /// The source's port on this machine is another user's.
    #[error("another user of this machine listens there")]
    AnotherUser,
    /// The Beckon of that machine has not been heard of for a while.
    #[error("that machine is away")]
    OwnerAway,
    /// The hub over which that machine is reached is not connected.
    #[error("the hub is not connected")]
    HubDown,
    /// The watch of the source was given up, since it failed again and again.
    #[error("left out until Beckon is restarted, after faults of its own")]
    LeftOut,
    /// Another fault, in the words of the system or a library.
    #[error("{0}")]
    Other(String),
}

/// The reason for which a delivery failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryFailure {
    /// The source does not know the request: it has ended.
    NotFound,
    /// The answer comes back to the human: sending it once more would not help, or could answer
    /// something that nobody has seen.
    Returned(ReturnReason),
    /// The source refuses the request as such (RFC 9110, 15.5), in these words. Tried again like
    /// `Other`, since a server may be busy behind it; once the quick tries are over it comes back.
    Refused(String),
    /// The answer was written to its source, and the connection broke before that said anything: it
    /// may have been taken. Tried again.
    Unanswered(String),
    /// The answer did not arrive, for another reason. Tried again.
    Other(String),
}

/// The reason for which an answer came back.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReturnReason {
    /// The source does not take it, for a reason in its own words.
    Refused(String),
    /// The source does not accept who we say we are.
    Unauthorized,
    /// The session is another user's.
    Forbidden,
    /// An answer that may have been taken: the connection broke before anything showed it.
    Unproven,
    /// An ask that has changed since it was answered.
    Changed,
    /// An answer that did not arrive in time, for that reason; later it could meet something else.
    Undelivered(SourceFault),
    /// An ask of which nothing was heard since the connection was lost: it is unknown whether the
    /// agent still waits for it.
    Unconfirmed,
    /// The source does not say which thread waits, so nothing can be sent there.
    NoThread,
    /// An answer that counts, while another person of the team has to agree as well.
    NeedsAnother,
    /// An answer for another machine's agent that did not get there.
    Hub(HubRefusal),
}
