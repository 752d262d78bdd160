//! An ask on the desk: what is stored of it, and when something is due for it.

use super::assessment::Assessment;
use crate::hub::team::{Agreement, Hold};
use crate::{
    Answer, Ask, AskContent, AskId, AskState, Attention, ButtonTarget, Channel, Draft, Fingerprint,
    InvalidAnswer, Outcome, Policy, Reach, RejectionReach, Responder, ReturnReason, Span, Surface,
    Timestamp,
};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The pause before the second try of a failed delivery, which most often succeeds. It doubles up
/// to [`RETRY`].
const FIRST_RETRY: Span = Span::millis(50);
/// The longest pause among the quick tries.
const RETRY: Span = Span::millis(300);
/// The number of quick tries. (This and the pauses are those documented for Hermes.) After them the
/// pauses grow.
const QUICK_TRIES: u32 = 20;
/// The longest pause between two tries.
const SLOWEST_RETRY: Span = Span::seconds(60);
/// The time after a 200 without a proof on the stream at which the ask is checked.
const PROOF_WITHIN: Span = Span::millis(1_500);
/// The time after which a quiet session is checked again. If it is still quiet, its asks are gone.
pub(super) const QUIET_FOR: Span = Span::seconds(3);
/// The time after which a delivery without a result counts as lost; sources give up sooner.
const LOST_AFTER: Span = Span::seconds(30);

/// The largest count of other permissions that is shown: each further one would redraw all former
/// cards.
pub const MOST_COUNTED: usize = 9;

/// A card of an ask on a channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// The handle by which the channel finds the card again; `None` until the channel tells it.
    pub handle: Option<String>,
    /// Whether the card is from before a restart of Beckon or of the channel, and has to be shown
    /// again.
    pub stale: bool,
    /// Whether the human closed the card.
    pub closed: bool,
    /// The time when it was last shown in this run; it needs no reminder at that moment.
    pub shown_at: Option<Timestamp>,
    /// Whether the ask was set aside after this card rang, for a card that stays. Not saved.
    pub silenced: bool,
}

/// A card whose ask is forgotten and whose ask id has been reused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftoverCard {
    /// The ask's id.
    pub ask: AskId,
    /// The channel that shows the card.
    pub channel: Channel,
    /// The number of the ask that the card shows, as far as it is known.
    pub serial: Option<u64>,
    /// The handle by which the channel finds the card.
    pub handle: Option<String>,
}

/// An ask with its state, its cards and its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The ask's number, which is never used twice, and which buttons carry.
    pub serial: u64,
    /// The ask.
    pub ask: Ask,
    /// The fingerprint of the present ask. It is kept, since a diff can be long.
    pub(super) fingerprint: Fingerprint,
    /// The fingerprint without the ask's id: equal asks have the same.
    pub(super) content: Fingerprint,
    /// The assessment of the ask. Kept, since reading a long command takes its time.
    pub(super) assessment: Assessment,
    /// The state: open, answering or settled.
    pub state: AskState,
    /// The person whose answer is on its way or was taken, as far as that is known.
    pub responder: Option<Responder>,
    /// The answer under way, while the ask is open.
    pub draft: Option<Draft>,
    /// Whether something else was asked under the same id before. Not saved.
    pub changed: bool,
    /// The reason why the last answer came back. A human who sends that answer again is told this
    /// reason, and the answer is not taken.
    pub returned: Option<ReturnReason>,
    /// The trouble of an answer that has not been taken for longer than usual. Saved, so that a
    /// restart does not tell it again.
    pub undelivered: Option<UndeliveredAnswer>,
    /// The failure of the last try to deliver its answer.
    pub(super) failure: Option<String>,
    /// The answer that was given here to an ask that ended by another answer.
    pub late: Option<LateAnswer>,
    /// The time when the human was last reminded of it.
    pub reminded_at: Option<Timestamp>,
    /// The time when they were warned that it will expire.
    pub warned_at: Option<Timestamp>,
    /// The time when the ask will expire, set once the human was warned, so that every card shows
    /// it, also a later one. It follows from the settings, and is not saved.
    pub expires: Option<Timestamp>,
    /// The attention that the ask may call for.
    pub attention: Attention,
    /// The hold, if other people of a team decide the ask. It follows from the team's rules, and is
    /// not saved.
    pub hold: Option<Hold>,
    /// The time at which those rules may decide differently.
    pub(super) ruled_until: Option<Timestamp>,
    /// The agreements so far, where two must agree.
    pub agreed: Vec<Agreement>,
    /// The ask's cards, at most one a channel.
    pub cards: BTreeMap<Channel, Card>,
    /// The number of other permissions that its source rejects together with it, at most
    /// [`MOST_COUNTED`].
    pub also_rejects: usize,
    /// The number of equal permissions of its session that are answered together with it.
    pub also_asked: usize,
    /// Whether the ask is one of several equal permissions that is not shown itself: it has no
    /// card.
    pub behind: bool,
    /// The time since which its session is not busy (any more), so that it may be a zombie.
    pub quiet_since: Option<Timestamp>,
    /// The time before which it is not shown, unless its source confirms it or reports the
    /// arguments of its call.
    pub hold_until: Option<Timestamp>,
    pub(super) in_flight: bool,
    /// Whether a list without the ask was read while its answer was on its way; the answer may be
    /// the reason.
    pub(super) is_unlisted: bool,
    pub(super) alarm: Option<Timestamp>,
}

/// An answer that was accepted here but had no effect, since the ask was decided elsewhere before,
/// or its agent had stopped waiting. Its words may be kept nowhere else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LateAnswer {
    /// The answer.
    pub answer: Answer,
    /// The surface where it was given.
    pub by: Surface,
    /// The person who gave it, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responder: Option<Responder>,
    /// Whether the answer was sent to its source, which did not respond and does not ask any more,
    /// so that it is unknown whether the agent got it.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub may_have_arrived: bool,
}

/// The time for which a permission's card waits for the arguments of its call. A server on this
/// machine needs a few milliseconds for them, and a card that is drawn twice rings twice.
const CALL_WITHIN: Span = Span(100);
/// The time for which the card waits if another machine's Beckon reads the arguments and sends them
/// over a line.
const CALL_WITHIN_ELSEWHERE: Span = Span::seconds(1);
/// The time for which a list of asks waits for the call of a new one. A call that is reported later
/// may have been missing from the list.
pub const CALL_LISTED_WITHIN: Span = Span::seconds(1);

/// An answer that its agent has not taken for longer than usual.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndeliveredAnswer {
    /// The time when the answer was given.
    pub since: Timestamp,
    /// The last try's failure, in the words of the system or the source; `None` when it seemed to
    /// arrive, and nothing has shown since that it was taken.
    pub why: Option<String>,
}

/// An answer and where it came from.
pub(super) type GivenAnswer = (Answer, Surface);

/// The surface where an answer was given and, where it is not this machine's user, the person who
/// gave it.
pub(super) type GivenBy = (Surface, Option<Responder>);

/// A settled ask, as it is remembered.
#[derive(Clone, Debug, PartialEq)]
pub struct SettledAsk {
    /// The ask's number.
    pub serial: u64,
    /// The fingerprint of what was shown.
    pub fingerprint: Fingerprint,
    /// The fingerprint of the request, whatever was known of its call
    /// ([`Ask::request_fingerprint`]).
    pub request: Fingerprint,
    /// The ask's outcome.
    pub outcome: Outcome,
    /// The time when it settled.
    pub at: Timestamp,
    /// The ask itself, where what became of it is still to be found out.
    pub ask: Option<Box<Ask>>,
    /// Our answer, where the proof of it is still to be found.
    pub given: Option<(Answer, Surface)>,
    /// The person who gave that answer, or else the one that ended the ask, as far as that is
    /// known; of an end in an earlier life the store says more.
    pub responder: Option<Responder>,
    /// Whether its source has listed it since. Not kept over a restart.
    pub listed: bool,
    /// The channels where a message tells its end, or is to. Not kept over a restart.
    pub told_on: Vec<Channel>,
    /// Whether the answer that is in `given` may have been taken. Not kept over a restart.
    pub unanswered: bool,
    /// Whether the person who gave that answer was told that it is lost. Not kept over a restart.
    pub told_lost: bool,
}

/// The reason for which an answer was not accepted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AnswerRefusal {
    /// No such ask.
    #[error("there is no such ask")]
    Unknown,
    /// An answer is already on its way.
    #[error("it is already being answered")]
    Answering {
        /// The surface where that answer was given.
        by: Surface,
    },
    /// An ask that has ended.
    #[error("it is already settled")]
    Settled {
        /// The ask's outcome.
        outcome: Outcome,
    },
    /// The ask has changed since it was shown to the human who answers.
    #[error("it is not what was shown")]
    Changed,
    /// An ask that others decide.
    #[error("others decide it")]
    Held(Hold),
    /// The answer counts as one of two that are needed.
    #[error("somebody else has to agree as well")]
    NeedsAnother(Hold),
    /// An answer that does not fit the ask.
    #[error(transparent)]
    Invalid(#[from] InvalidAnswer),
}

impl AnswerRefusal {
    /// Whether the answered ask is not the one that waits, or no longer: a button for it has no
    /// use.
    pub fn is_of_another_state(&self) -> bool {
        match self {
            Self::Unknown | Self::Changed | Self::Answering { .. } | Self::Settled { .. } => true,
            Self::Invalid(_) | Self::Held(_) | Self::NeedsAnother(_) => false,
        }
    }
}

impl LateAnswer {
    /// Whether a command, a program or a window learns from its verdict what became of the answer.
    pub(super) fn has_caller(&self) -> bool {
        matches!(self.by, Surface::Window | Surface::Cli | Surface::Api)
    }
}

impl Entry {
    /// Makes a new, open ask.
    pub fn new(ask: Ask, serial: u64) -> Self {
        Self {
            serial,
            fingerprint: ask.fingerprint(),
            content: Fingerprint::of_content(&ask.kind),
            assessment: Assessment::of(&ask),
            ask,
            state: AskState::Open,
            responder: None,
            draft: None,
            changed: false,
            returned: None,
            undelivered: None,
            failure: None,
            late: None,
            reminded_at: None,
            warned_at: None,
            expires: None,
            attention: Attention::default(),
            hold: None,
            ruled_until: None,
            agreed: Vec::new(),
            cards: BTreeMap::new(),
            also_rejects: 0,
            also_asked: 0,
            behind: false,
            quiet_since: None,
            hold_until: None,
            in_flight: false,
            is_unlisted: false,
            alarm: None,
        }
    }

    /// Returns the target that its buttons are made for.
    pub fn target(&self) -> ButtonTarget {
        let fingerprint = self.fingerprint.times(self.also_asked + 1);
        ButtonTarget {
            serial: self.serial,
            fingerprint,
        }
    }

    /// Whether `seen` shows the ask as it is now, or alone: before its equals came or where each is
    /// asked by itself.
    pub(super) fn showed(&self, seen: Fingerprint) -> bool {
        seen == self.fingerprint || seen == self.target().fingerprint
    }

    /// Whether the channel has a card of it that is neither closed nor stale.
    pub(super) fn has_card(&self, channel: Channel) -> bool {
        self.cards
            .get(&channel)
            .is_some_and(|card| !card.closed && !card.stale)
    }

    /// Whether its card on the channel came up at `now`.
    pub(super) fn shown_now(&self, channel: Channel, now: Timestamp) -> bool {
        self.cards
            .get(&channel)
            .is_some_and(|card| card.shown_at == Some(now))
    }

    /// Whether it waits for this desk's human.
    pub fn waits(&self) -> bool {
        let is_theirs = self.hold.is_none() && !self.behind;
        self.state == AskState::Open && self.quiet_since.is_none() && is_theirs
    }

    /// Marks the cards that stay until it is settled: they have not rung for what comes next.
    pub(super) fn silence(&mut self) {
        let standing = self
            .cards
            .iter_mut()
            .filter(|(channel, _)| channel.stays_until_settled());
        standing.for_each(|(_, card)| card.silenced = true);
    }

    /// Resets its attention, and with it what the cards have silenced.
    pub(super) fn forget_attention(&mut self) {
        self.attention = Attention::default();
        self.cards
            .values_mut()
            .for_each(|card| card.silenced = false);
    }

    /// Whether it waits now, and not for later.
    pub fn waits_now(&self) -> bool {
        self.waits() && !self.attention.is_snoozed()
    }

    /// Returns the time from which on it waits, as far as ringing goes.
    pub(super) fn waits_since(&self) -> Timestamp {
        self.attention.waits_since(self.ask.asked_at)
    }

    /// Returns the title by which a person knows it: the first question, or what is permitted.
    pub fn topic(&self) -> &str {
        match &self.ask.kind {
            AskContent::Questions(questions) => questions.first().map_or("", |q| &q.question),
            AskContent::Permission(permission) => &permission.permission,
            AskContent::Confirm(info) => info,
            AskContent::Unknown(unknown) => &unknown.raw,
        }
    }

    /// Whether a human has to look at it: it waits for an answer now, or its answer does not
    /// arrive.
    pub fn wants_a_human(&self) -> bool {
        self.waits_now() || self.undelivered.is_some()
    }

    /// Returns what else a rejection of it would reach, beside its equals; `None` if that is
    /// nothing.
    pub fn rejects_beside(&self) -> Option<(RejectionReach, usize)> {
        let AskContent::Permission(permission) = &self.ask.kind else {
            return None;
        };
        let others = self.also_rejects.saturating_sub(self.also_asked);
        (others > 0).then_some((permission.rejects, others))
    }

    pub(super) fn given(&self) -> Option<GivenAnswer> {
        match &self.state {
            AskState::Answering { answer, by, .. } => Some((answer.clone(), *by)),
            AskState::Open | AskState::Settled { .. } => None,
        }
    }

    /// Returns the earliest time after `after` at which something is due for it.
    pub(super) fn due(
        &self,
        policy: &Policy,
        refreshed: Option<Timestamp>,
        after: Option<Timestamp>,
    ) -> Option<Timestamp> {
        let after_refresh = |at: Timestamp, span: Span| at.max(refreshed.unwrap_or(at)) + span;
        let quiet = self.quiet_since.map(|at| after_refresh(at, QUIET_FOR));
        let escalation = match self.state {
            AskState::Open if self.attention.is_wanted() && !self.has_escalated() => {
                policy.escalation(self.waits_since())
            }
            _ => None,
        };
        let proof = match self.state {
            AskState::Answering {
                sent_at: Some(at), ..
            } => Some(after_refresh(at, PROOF_WITHIN)),
            _ => None,
        };
        let wake = self
            .attention
            .wakes_at()
            .filter(|_| self.state == AskState::Open);
        let expiry = self.expires_at(policy);
        let (reminder, warning) = (self.reminds_at(policy), self.warns_at(policy));
        let (retry, doubt) = (self.retry_at(), self.doubted_at());
        let ruling = self.ruled_until.filter(|_| self.state == AskState::Open);
        let own = [wake, self.hold_until, ruling];
        [
            quiet, expiry, escalation, reminder, warning, proof, retry, doubt,
        ]
        .into_iter()
        .chain(own)
        .flatten()
        .filter(|&at| after.is_none_or(|after| at > after))
        .min()
    }

    /// Whether every channel that it would climb to has a card already.
    fn has_escalated(&self) -> bool {
        let rang = |card: &Card| !card.stale && !card.silenced;
        let sent = |channel| self.cards.get(&channel).is_some_and(rang);
        Channel::ALL
            .into_iter()
            .filter(|channel| channel.reach() == Reach::Away)
            .all(sent)
    }

    /// Returns the time that its card waits for what its call is given, where that is still to
    /// come: its source looks it up.
    pub(super) fn awaits_call(&self) -> Option<Span> {
        let input = self.ask.kind.input();
        if !input.is_some_and(|input| input.is_partial) {
            return None;
        }
        // Only the Beckon that heard the ask knows which call it is of.
        if !self.ask.is_own() {
            return Some(CALL_WITHIN_ELSEWHERE);
        }
        self.ask.call.as_ref().map(|_| CALL_WITHIN)
    }

    /// Whether it is not to be shown yet.
    pub(super) fn held(&self, now: Timestamp) -> bool {
        self.hold_until.is_some_and(|until| now < until)
    }

    /// Returns the time at which it is rejected at its source, if there is no answer. Only
    /// questions are rejected, and an ask that is shared over the hub only by its owner.
    pub(super) fn expires_at(&self, policy: &Policy) -> Option<Timestamp> {
        let is_anothers = self.ask.id.source.0.starts_with(crate::hub::HUB_SOURCE);
        let question = matches!(self.ask.kind, AskContent::Questions(_)) && !is_anothers;
        let open = question && self.state == AskState::Open;
        policy.expiry(self.ask.asked_at).filter(|_| open)
    }

    /// Returns the time at which the human is told that it will expire; once.
    pub(super) fn warns_at(&self, policy: &Policy) -> Option<Timestamp> {
        self.expires_at(policy)?;
        policy
            .warning(self.ask.asked_at)
            .filter(|_| self.waits() && self.warned_at.is_none())
    }

    /// Returns the time of the next reminder; in the past if a reminder was missed.
    pub(super) fn reminds_at(&self, policy: &Policy) -> Option<Timestamp> {
        let may_ring = self.waits() && self.attention.is_wanted();
        policy
            .reminder(self.waits_since(), self.reminded_at)
            .filter(|_| may_ring)
    }

    /// Whether its answer has been tried as often as it is tried quickly.
    pub(super) fn tried_quickly(&self) -> bool {
        matches!(
            self.state,
            AskState::Answering {
                attempts: QUICK_TRIES..,
                ..
            }
        )
    }

    /// Returns the time at which its answer is to be sent (again). After a restart its source's
    /// list is awaited first.
    pub(super) fn retry_at(&self) -> Option<Timestamp> {
        let AskState::Answering {
            at,
            attempts,
            tried_at,
            sent_at: None,
            ..
        } = &self.state
        else {
            return None;
        };
        let wait = if self.in_flight {
            LOST_AFTER
        } else {
            back_off(*attempts)
        };
        let next = tried_at.map_or(*at, |tried_at| tried_at + wait);
        Some(self.hold_until.map_or(next, |hold| next.max(hold)))
    }
}

/// Returns the pause after that many tries: from 50 ms up to 300 ms for the first ones, then
/// doubling from 1 s up to a minute.
fn back_off(attempts: u32) -> Span {
    match attempts.checked_sub(QUICK_TRIES) {
        None => Span(FIRST_RETRY.0 << attempts.saturating_sub(1).min(6)).min(RETRY),
        Some(more) => Span::seconds(1 << more.min(6)).min(SLOWEST_RETRY),
    }
}

impl AskId {
    /// Makes an id from its parts.
    pub fn new(source: impl Into<String>, own: impl Into<String>) -> Self {
        Self {
            source: crate::SourceId(source.into()),
            own: own.into(),
        }
    }
}
