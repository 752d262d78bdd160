//! The rules of several machines of one person on a hub: what they write there, and who may answer
//! what.
//!
//! The Beckon whose source heard an ask owns it. It alone writes the ask's record, judges answers,
//! delivers one, and says what became of it. An answer goes to a subject of its own for each round,
//! of which the hub keeps the first; a round that is used up is never used again, so an ask whose
//! answer was refused or came back is asked again in the next round.
//!
//! Every record there is signed by the device that wrote it (`envelope.rs`).
//!
//! Not here: the wire, the keys (a signature comes in as the name of its device), and the clock.

mod cards;
mod chats;
mod desk;
mod elsewhere;
mod envelope;
mod here;
mod lease;
mod log;
mod owner;
mod record;
mod refusal;
mod remote;
mod renewal;
mod seats;
mod sending;
mod target;
pub mod team;
mod telling;

pub use cards::{CardMove, CardPlace, CardRecord, CardSubject, SharedCards, UntoldCards};
pub use chats::{ChatChange, ChatsRecord, MarkedEntry, SharedChats, chats_subject, every_chats};
pub use desk::{DeskRecord, DeviceEntry};
pub use elsewhere::Elsewhere;
pub use envelope::{Envelope, LARGEST_BODY, RecordFault, Signed};
pub use here::{Hands, HereRecord, Seat};
pub use lease::{
    AFTER_LEAVING, ClaimEnd, HOLDS_FOR, LEASE_LIVES, Lease, LeaseClaim, LeaseHolder, LeaseRecord,
    Permit, Probe, lease_subject,
};
pub use log::{LogFault, LogPlace, LogReader, LogRecord, LogStep, LogSubject};
pub use owner::{AnswerFault, HubOwner, Refusals};
pub use record::{
    AnswerRecord, AnswerSubject, AskRecord, AskSubject, HereSubject, LARGEST_RECORD, NoAskSubject,
    RECORD_VERSION, SharedDecision, SharedEnd, SharedState,
};
pub use refusal::HubRefusal;
pub use remote::{RemoteAsks, RemoteMove};
pub use renewal::{ANSWER_LIVES, ASK_LIVES, Renewal};
pub use seats::{HeardWhen, SeatNews, SeatView, Seats, UNHEARD_AFTER};
pub use sending::{Published, Sender, Sending, SentAnswer};
pub use target::{owner_of, owner_target};

use crate::Fingerprint;
use alloc::string::String;

/// Returns the way by which an ask of another machine is answered: in that round, with the
/// fingerprint that its owner gives it.
pub fn way(round: u32, seen: Fingerprint) -> String {
    alloc::format!("{WAY}{round}:{seen}")
}

/// Returns the owner's fingerprint in such a way.
pub fn seen_of(way: &str) -> Option<Fingerprint> {
    way.strip_prefix(WAY)?.split_once(':')?.1.parse().ok()
}

/// Returns the round in such a way.
pub(crate) fn round_of(way: &str) -> Option<u32> {
    way.strip_prefix(WAY)?.split_once(':')?.0.parse().ok()
}

/// Whether the new way leads to the same content in another round.
pub(crate) fn is_other_round(known: &Option<String>, new: &Option<String>) -> bool {
    let seen = |way: &Option<String>| seen_of(way.as_deref()?);
    known != new && seen(known).is_some() && seen(known) == seen(new)
}

/// The beginning of the way of an ask of another machine.
const WAY: &str = "hub:";

/// The beginning of the name of a machine's source, before the machine's name.
pub const HUB_SOURCE: &str = "hub:";
