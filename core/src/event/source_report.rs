//! The reports of a source: its connection, its asks, and what became of answers.
//!
//! Not here: what follows from a report (`desk/reports.rs`).

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
    /// An ask was answered, by us or by others; the answer as [`Ask::to_source_texts`] returns it.
    Replied {
        /// The source's own request id.
        own: String,
        /// The answer, when told.
        answers: Option<Vec<Vec<String>>>,
    },
    /// An ask was answered at the source before our answer arrived. The source does not tell that
    /// answer's content.
    Overtaken {
        /// The source's own request id.
        own: String,
    },
    /// An ask was rejected, by us or by others.
    Rejected {
        /// The source's own request id.
        own: String,
    },
    /// An ask for which nobody waits any more, as far as is known. It does not prove that an answer
    /// that was sent was taken.
    Gone {
        /// The source's own request id.
        own: String,
    },
    /// An ask of another Beckon was decided there.
    Decided(ToldDecision),
    /// A session went idle or failed. Its asks may have ended with it, so they are suspects until
    /// the next list.
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
    /// The source said 200 to a delivery. That does not prove that the agent got the answer.
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
    /// More about a session.
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

/// The decision of another Beckon's ask, as that Beckon tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldDecision {
    /// The ask's id.
    pub own: String,
    /// The decision.
    pub how: DecisionKind,
    /// The person and device that decided; `None` where they are not known.
    pub by: Option<Responder>,
    /// Whether that Beckon says that the decision was another answer than ours. If false, the texts
    /// of both are compared.
    pub is_anothers: bool,
}

/// The kind of decision that ended an ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionKind {
    /// An answer, as [`Ask::to_source_texts`] returns it; `None` where its texts are not told.
    Answered(Option<Vec<Vec<String>>>),
    /// Rejected or dismissed.
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

/// A turn of a session that is over. A turn is the agent's work from a prompt until it stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedTurn {
    /// The session. Sessions that another session started are not reported.
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
    /// The open asks, each with whether its session is busy. An ask of a session that is not busy
    /// may be a zombie: listed although nobody waits for it.
    pub asks: Vec<(Ask, bool)>,
    /// Directories that could not be read; their asks are neither confirmed nor missing.
    pub unread: BTreeSet<String>,
    /// Asks that are neither confirmed nor missing, by the source's own ids: it could not be found
    /// out whether they are over. One that is also in `asks` is shown, unless it has ended here
    /// already.
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
    /// Connected and reconciled.
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
    /// The source accepts a connection and sends nothing.
    #[error("it accepts connections but does not answer")]
    Silent,
    /// The source has sent nothing for longer than the interval of its heartbeat.
    #[error("the stream fell silent")]
    FellSilent,
    /// The source has closed the stream.
    #[error("the stream ended")]
    Ended,
    /// An HTTP status other than success.
    #[error("it answers HTTP {0}")]
    Status(u16),
    /// A response that is no event stream; its media type, if it has one.
    #[error("it sends no events but {}", .0.as_deref().unwrap_or("no type"))]
    NoEvents(Option<String>),
    /// A response that is larger than Beckon reads.
    #[error("it sends more than is read")]
    TooLarge,
    /// The source sends too slowly.
    #[error("it sends too slowly")]
    TooSlow,
    /// The source's version is of a newer generation than the one that this watch speaks.
    #[error("it calls itself newer")]
    Newer,
    /// Another user of this machine listens at the source's address.
    #[error("another user of this machine listens there")]
    AnotherUser,
    /// The Beckon of that machine has not been heard on the hub for a while.
    #[error("that machine is away")]
    OwnerAway,
    /// The hub over which that machine is reached is not connected.
    #[error("the hub is not connected")]
    HubDown,
    /// Beckon's own watch of the source has crashed again and again.
    #[error("left out until Beckon is restarted, after faults of its own")]
    LeftOut,
    /// Anything else, in the words of the system or a library.
    #[error("{0}")]
    Other(String),
}

/// The reason for which a delivery failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryFailure {
    /// The source does not know the request: it has ended.
    NotFound,
    /// A failure for which the answer goes back to the human. Sending it once more would not help,
    /// or could answer something that nobody has seen.
    Returned(ReturnReason),
    /// The source refuses the request as such (RFC 9110, 15.5), in these words. Delivery is tried
    /// again as for `Other`, since a server may be busy behind the refusal; after the quick tries
    /// the answer goes back to the human.
    Refused(String),
    /// The connection broke after the answer was sent and before a response came, so the agent may
    /// have got it. Delivery is tried again.
    Unanswered(String),
    /// Any other failure: the answer did not arrive. Delivery is tried again.
    Other(String),
}

/// The reason for which an answer came back.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReturnReason {
    /// The source refuses the answer, in these words.
    Refused(String),
    /// The source does not accept our credentials.
    Unauthorized,
    /// The session is another user's.
    Forbidden,
    /// The connection broke before anything showed whether the answer was taken.
    Unproven,
    /// The ask has changed since it was answered.
    Changed,
    /// The answer did not arrive in time, for that reason. If sent later it could meet another ask.
    Undelivered(SourceFault),
    /// Nothing was heard of the ask since the connection was lost, so it is unknown whether the
    /// agent still waits for it.
    Unconfirmed,
    /// The source does not say which thread waits, so nothing can be sent there.
    NoThread,
    /// The answer counts, but another person of the team has to agree as well.
    NeedsAnother,
    /// The answer was for another machine's agent and did not get there.
    Hub(HubRefusal),
}
