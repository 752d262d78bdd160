//! The owner's side of shared asks: which round an ask is in, and which answer counts.
//!
//! Not here: when others are told of it (`telling.rs`).

use super::team::FirstAnswers;
use super::telling::Told;
use super::{
    AnswerRecord, AnswerSubject, AskRecord, RECORD_VERSION, Sender, SharedDecision, SharedEnd,
    SharedState,
};
use crate::{Ask, AskState, DecisionKind, Entry, Fingerprint, Outcome, ReturnReason, Surface};
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;

/// The most places that are remembered as taken. A device that takes more of them can only keep
/// asks from being answered on other machines.
const MOST_OCCUPIED: usize = 65_536;

/// The owner of asks on the hub, with the rounds of its asks, and the count of refused answers.
#[derive(Clone, Debug, Default)]
pub struct HubOwner {
    /// The name of this Beckon among Beckons.
    node: String,
    /// The name of its machine, for people.
    machine: String,
    /// The number of used-up answers, by serial.
    pub(super) used: BTreeMap<u64, u32>,
    /// The nonces of answers under way that came over the hub, by serial.
    nonces: BTreeMap<u64, String>,
    /// The places on the hub that hold an answer although nothing was asked in their rounds, by
    /// serial and round.
    pub(super) occupied: BTreeSet<(u64, u32)>,
    /// The reasons why asks are asked once more after an answer that came over the hub, by serial.
    reasons: BTreeMap<u64, ReturnReason>,
    /// The records that were published.
    pub(super) told: Told,
    refusals: Refusals,
}

/// A reason why an answer is not delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum AnswerFault {
    /// A record that cannot be read: unknown, of another version, or too large.
    #[error("the answer is of another version, or no answer")]
    Unreadable,
    /// An answer that no listed device has signed.
    #[error("no listed device has signed the answer")]
    Forged,
    /// An answer to something else than what is asked.
    #[error("the answer is to something else than what is asked")]
    OtherContent,
    /// An answer that does not fit what is asked.
    #[error("the answer does not fit")]
    Unfit,
    /// An ask that others of the team decide.
    #[error("others of the team decide this")]
    Held,
}

/// The number of answers that were refused, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refusals {
    /// [`AnswerFault::Unreadable`]
    pub unreadable: u32,
    /// [`AnswerFault::Forged`]
    pub forged: u32,
    /// [`AnswerFault::OtherContent`]
    pub other_content: u32,
    /// [`AnswerFault::Unfit`]
    pub unfit: u32,
    /// [`AnswerFault::Held`]
    pub held: u32,
}

impl Refusals {
    /// Returns the sum for all reasons.
    pub fn total(self) -> u32 {
        self.unreadable + self.forged + self.other_content + self.unfit + self.held
    }
}

impl HubOwner {
    /// Makes an owner with the rounds that were used up before this start.
    pub fn new(node: String, machine: String, used: BTreeMap<u64, u32>) -> Self {
        Self {
            node,
            machine,
            used,
            ..Self::default()
        }
    }

    /// Returns this Beckon's name among Beckons.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Returns this Beckon as the sender of answers.
    pub fn sender(&self) -> Sender<'_> {
        let machine = Some(self.machine.as_str()).filter(|machine| !machine.is_empty());
        Sender {
            node: &self.node,
            machine,
        }
    }

    /// Returns the numbers of refused answers.
    pub fn refusals(&self) -> Refusals {
        self.refusals
    }

    /// Returns the round for which an answer is wanted, or whose answer is under way.
    pub fn round(&self, entry: &Entry) -> u32 {
        match entry.state {
            AskState::Open => self.next(entry.serial),
            AskState::Answering { .. } | AskState::Settled { .. } => self.used(entry.serial).max(1),
        }
    }

    /// Returns the first free round after those that are used up.
    fn next(&self, serial: u64) -> u32 {
        let mut round = self.used(serial).saturating_add(1);
        while self.occupied.contains(&(serial, round)) {
            round = round.saturating_add(1);
        }
        round
    }

    /// Counts one more answer of that ask as used up. Returns the new number, to be committed
    /// together with what used it up.
    pub fn use_up(&mut self, serial: u64) -> u32 {
        let used = self.next(serial);
        self.set_used(serial, used);
        self.forget(serial);
        used
    }

    pub(super) fn used(&self, serial: u64) -> u32 {
        self.used.get(&serial).copied().unwrap_or_default()
    }

    pub(super) fn set_used(&mut self, serial: u64, used: u32) {
        self.used.insert(serial, used);
    }

    /// Notes the nonce of an answer under way that came over the hub.
    pub fn note_nonce(&mut self, serial: u64, nonce: String) {
        self.nonces.insert(serial, nonce);
    }

    /// Returns the nonce of the answer that is under way, if it came over the hub.
    pub fn nonce(&self, serial: u64) -> Option<&str> {
        self.nonces.get(&serial).map(String::as_str)
    }

    /// Judges whether this answer may go to its agent. `None` if nothing is asked in its round,
    /// which is no fault of its device. `record` is `None` if it could not be read; `signed` tells
    /// whether a listed device has signed it.
    pub fn judge(
        &mut self,
        entry: Option<&Entry>,
        to: &AnswerSubject,
        record: Option<&AnswerRecord>,
        signed: bool,
    ) -> Option<Result<(), AnswerFault>> {
        let next = self.next(to.ask.serial);
        let entry = entry?;
        if entry.state != AskState::Open || to.round != next {
            self.occupy(to);
            return None;
        }
        let readable = record.filter(|record| record.v == RECORD_VERSION);
        let Some(record) = readable else {
            return Some(Err(AnswerFault::Unreadable));
        };
        if !signed {
            return Some(Err(AnswerFault::Forged));
        }
        if record.shown != shown(&entry.ask) {
            return Some(Err(AnswerFault::OtherContent));
        }
        Some(Ok(()))
    }

    /// Notes that the place of a future round is taken, so that this round is skipped.
    fn occupy(&mut self, to: &AnswerSubject) {
        let is_to_come = to.round > self.used(to.ask.serial);
        if is_to_come && self.occupied.len() < MOST_OCCUPIED {
            self.occupied.insert((to.ask.serial, to.round));
        }
    }

    /// Counts a refused answer, and keeps the reason for the next round's record. Returns how many
    /// answers of that ask are used up, to be committed before the next round is published.
    pub fn refuse(&mut self, serial: u64, fault: AnswerFault) -> u32 {
        let count = match fault {
            AnswerFault::Unreadable => &mut self.refusals.unreadable,
            AnswerFault::Forged => &mut self.refusals.forged,
            AnswerFault::OtherContent => &mut self.refusals.other_content,
            AnswerFault::Unfit => &mut self.refusals.unfit,
            AnswerFault::Held => &mut self.refusals.held,
        };
        *count = count.saturating_add(1);
        let used = self.use_up(serial);
        self.reasons.insert(serial, fault.into());
        used
    }

    /// Notes that the answer that used up the last round counts as the first of two.
    pub fn note_agreed(&mut self, serial: u64) {
        self.reasons.insert(serial, ReturnReason::NeedsAnother);
    }

    /// Returns the record of an ask as it is now, without its content.
    pub(super) fn record(&self, entry: &Entry, name: &str) -> AskRecord {
        let state = match &entry.state {
            AskState::Open => SharedState::Open,
            AskState::Answering { .. } => {
                SharedState::Answering(self.nonces.get(&entry.serial).cloned())
            }
            AskState::Settled { outcome, .. } => SharedState::Ended(end(&entry.ask, outcome)),
        };
        let reason = self.reasons.get(&entry.serial).or(entry.returned.as_ref());
        AskRecord {
            v: RECORD_VERSION,
            machine: self.machine.clone(),
            name: name.to_owned(),
            count: 0,
            round: self.round(entry),
            shown: shown(&entry.ask),
            state,
            reason: reason.cloned(),
            waited_ms: 0,
            agreed: entry
                .agreed
                .iter()
                .map(|known| known.person.clone())
                .collect(),
            apart: entry.said() == FirstAnswers::Apart,
            decided: self.decided(entry),
            signer: None,
            heard_at: None,
            ask: String::new(),
        }
    }

    /// Returns the decision of an ask and who made it, if a human has decided.
    fn decided(&self, entry: &Entry) -> Option<SharedDecision> {
        let how = decision(entry)?;
        let by = entry.responder.as_ref();
        let person = by.and_then(|by| by.person.clone());
        let device = by.and_then(|by| by.device.clone());
        Some(SharedDecision {
            how,
            person,
            device,
            nonce: self.nonces.get(&entry.serial).cloned(),
        })
    }

    /// Takes in a record of our own, of this run or an earlier one: the rounds that it names are
    /// used up, whatever is remembered here.
    pub(super) fn learn(&mut self, serial: u64, record: &AskRecord) {
        let there = match record.state {
            SharedState::Open => record.round.saturating_sub(1),
            SharedState::Answering(_) | SharedState::Ended(_) => record.round,
        };
        self.set_used(serial, self.used(serial).max(there));
    }

    /// Forgets the nonce and the reason of an ask's last answer.
    pub(super) fn forget(&mut self, serial: u64) {
        self.nonces.remove(&serial);
        self.reasons.remove(&serial);
    }
}

/// Returns the hash of what the human sees.
fn shown(ask: &Ask) -> String {
    crate::shown_hash(&ask.kind, ask.fingerprint())
}

/// Returns the decision if a human made it; an expiry is no human's decision.
fn decision(entry: &Entry) -> Option<DecisionKind> {
    match &entry.state {
        AskState::Open
        | AskState::Answering {
            by: Surface::Clock, ..
        } => None,
        AskState::Answering { answer, .. } => Some(DecisionKind::of(&entry.ask, answer)),
        AskState::Settled { outcome, .. } if outcome.is_decided() => {
            Some(match end(&entry.ask, outcome) {
                SharedEnd::Answered(texts) => DecisionKind::Answered(texts),
                SharedEnd::Rejected | SharedEnd::Gone => DecisionKind::Rejected,
            })
        }
        AskState::Settled { .. } => None,
    }
}

fn end(ask: &Ask, outcome: &Outcome) -> SharedEnd {
    match outcome {
        Outcome::Answered { answer, .. } => match DecisionKind::of(ask, answer) {
            DecisionKind::Answered(texts) => SharedEnd::Answered(texts),
            DecisionKind::Rejected => SharedEnd::Rejected,
        },
        Outcome::Elsewhere { answers } => SharedEnd::Answered(answers.clone()),
        Outcome::DismissedElsewhere => SharedEnd::Rejected,
        // An expired ask was decided by nobody.
        Outcome::Expired | Outcome::Gone => SharedEnd::Gone,
    }
}

/// The sources whose agents are pretended: their asks are nothing for another machine.
const PRETENDED: [&str; 2] = ["demo", "self-test"];

impl Ask {
    /// Returns the name of the machine that shares it over the hub, if it is another machine's ask.
    pub fn machine(&self) -> Option<&str> {
        self.id.source.0.strip_prefix(super::HUB_SOURCE)
    }

    /// Whether it came from a source of this Beckon. An ask that came through another Beckon has
    /// its owner there.
    pub fn is_own(&self) -> bool {
        self.session.via.is_empty() && !self.id.source.0.starts_with(super::HUB_SOURCE)
    }

    /// Whether this Beckon is to share it over the hub.
    pub fn is_shared(&self) -> bool {
        self.is_own() && !PRETENDED.contains(&self.id.source.0.as_str())
    }
}

impl AskRecord {
    /// Whether what is shown here is what the owner says was shown.
    pub fn is_shown_as(&self, kind: &crate::AskContent, seen: Fingerprint) -> bool {
        self.shown == crate::shown_hash(kind, seen)
    }
}
