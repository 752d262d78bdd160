//! What a source says: how it is reached, what it asks, what became of answers.
//!
//! Not here: what follows from it (`desk/reports.rs`).

use crate::hub::HubRefusal;
use crate::{Answer, Ask, CallInput, Responder, Session, Span};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// What a source says.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "most reports carry an ask, and each lives for a moment"
)]
pub enum SourceReport {
    /// Its connection changed.
    State(SourceState),
    /// Its whole open list, read after the stream was subscribed.
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
    /// Somebody answered an ask at the source before our answer was there; how is not told.
    Overtaken {
        /// The source's own request id.
        own: String,
    },
    /// An ask was rejected, by us or by others.
    Rejected {
        /// The source's own request id.
        own: String,
    },
    /// Nobody waits for it any more, or is known to. An answer that was sent is not proven by that.
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
        /// How.
        failure: DeliveryFailure,
    },
    /// What became of an ask that is no longer there (see [`crate::Effect::Inquire`]).
    Explained {
        /// The source's own request id.
        own: String,
        /// The answers the agent got; `None` when it was rejected.
        answers: Option<Vec<Vec<String>>>,
    },
    /// What became of such an ask cannot be found out.
    Unexplained {
        /// The source's own request id.
        own: String,
    },
    /// More about a session.
    Described(Session),
    /// What the call is given that waits for a permission.
    CallTold {
        /// The source's own request id.
        own: String,
        /// Its arguments.
        input: CallInput,
    },
    /// An agent has finished, and waits for nobody.
    Turn(FinishedTurn),
}

/// What another Beckon tells of an ask of its that was decided.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldDecision {
    /// The ask's id.
    pub own: String,
    /// How.
    pub how: DecisionKind,
    /// By whom, as far as that is known.
    pub by: Option<Responder>,
    /// It surely was another answer than one that was given here; otherwise what it says tells.
    pub is_anothers: bool,
}

/// How an ask was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionKind {
    /// Answered, as [`Ask::to_source_texts`] has it, where that is told.
    Answered(Option<Vec<Vec<String>>>),
    /// Rejected or dismissed.
    Rejected,
}

impl DecisionKind {
    /// What an answer of ours decides.
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
    /// How long it worked.
    pub took: Span,
    /// How it ended.
    pub end: TurnEnd,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    /// As it should.
    Done,
    /// It did not; the reason in the source's words.
    Failed(String),
}

/// A source's whole open list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceListing {
    /// Each open ask, and whether its session is busy (not busy: a zombie suspect).
    pub asks: Vec<(Ask, bool)>,
    /// Directories that could not be read; their asks are neither confirmed nor missing.
    pub unread: BTreeSet<String>,
    /// Asks that are neither confirmed nor missing, by the source's own ids. One that is listed as well is
    /// shown unless it has ended already: nobody could tell whether it is over.
    pub unsure: BTreeSet<String>,
    /// It is still being read: what was read by now.
    pub partial: bool,
}

/// The state of a source's connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceState {
    /// Not connected yet, or again.
    Connecting {
        /// What went wrong last, if anything.
        error: Option<SourceFault>,
    },
    /// Connected and reconciled.
    Live {
        /// The source's version, if it tells.
        version: Option<String>,
    },
    /// The password is wrong or missing.
    Unauthorized,
}

/// Why a source is out of reach.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum SourceFault {
    /// It lets us connect and says nothing.
    #[error("it accepts connections but does not answer")]
    Silent,
    /// It has said nothing for longer than it promised.
    #[error("the stream fell silent")]
    FellSilent,
    /// It has closed the stream.
    #[error("the stream ended")]
    Ended,
    /// A status of HTTP that is no good news.
    #[error("it answers HTTP {0}")]
    Status(u16),
    /// Something else than events; its media type, if it has one.
    #[error("it sends no events but {}", .0.as_deref().unwrap_or("no type"))]
    NoEvents(Option<String>),
    /// It sends more than anybody reads.
    #[error("it sends more than is read")]
    TooLarge,
    /// It sends too slowly.
    #[error("it sends too slowly")]
    TooSlow,
    /// It is of another generation than it was heard as.
    #[error("it calls itself newer")]
    Newer,
    /// On this machine another user listens there.
    #[error("another user of this machine listens there")]
    AnotherUser,
    /// The Beckon of that machine has not been heard of for a while.
    #[error("that machine is away")]
    OwnerAway,
    /// The hub over which that machine is reached is not connected.
    #[error("the hub is not connected")]
    HubDown,
    /// Our own watch of it failed again and again.
    #[error("left out until Beckon is restarted, after faults of its own")]
    LeftOut,
    /// Anything else, in the words of the system or a library.
    #[error("{0}")]
    Other(String),
}

/// Why a delivery failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryFailure {
    /// The source does not know the request: it has ended.
    NotFound,
    /// It comes back to the human: sending it once more would help nobody, or could answer something
    /// that nobody has seen.
    Returned(ReturnReason),
    /// The source refuses the request as such (RFC 9110, 15.5), in these words. Tried again like
    /// `Other`, since a server may be busy behind it; once the quick tries are over it comes back.
    Refused(String),
    /// The answer was written to its source, and the connection broke before that said anything: it may
    /// have been taken. Tried again.
    Unanswered(String),
    /// Anything else: it did not arrive. Tried again.
    Other(String),
}

/// Why an answer came back.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReturnReason {
    /// The source does not take it, for a reason in its own words.
    Refused(String),
    /// The source does not accept who we say we are.
    Unauthorized,
    /// The session is another user's.
    Forbidden,
    /// It may have been taken: the connection broke before anything showed it.
    Unproven,
    /// What is asked is no longer what was answered.
    Changed,
    /// It did not arrive in time, for that reason, and later it could meet something else.
    Undelivered(SourceFault),
    /// Nobody knows whether the agent still waits for this: nothing was heard of it since the
    /// connection was lost.
    Unconfirmed,
    /// The source does not say which thread waits, so nothing can be sent there.
    NoThread,
    /// It counts, and somebody else of the team has to agree as well.
    NeedsAnother,
    /// It was for another machine's agent, and did not get there.
    Hub(HubRefusal),
}
