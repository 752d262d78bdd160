//! Taking an answer, delivering it, and proving that it was taken.

use super::ending::EndNote;
use super::entry::{GivenAnswer, GivenBy, LateAnswer};
use super::holds::Weight;
use super::{AnswerRefusal, Desk, Entry, Transition};
use crate::{
    Answer, Ask, AskId, AskState, ButtonPress, ButtonTarget, DecisionKind, DeliveryFailure, Effect,
    Fingerprint, News, Outcome, Responder, ReturnReason, SourceId, Span, Step, Surface, Timestamp,
    ToldDecision, Voucher,
};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The lag of a list: one that is read this soon after a 200 may still hold the ask, and proves
/// nothing.
pub(super) const LIST_LAG: Span = Span::seconds(1);

impl Transition<'_> {
    pub(super) fn on_press(&mut self, target: ButtonTarget, press: ButtonPress, by: Surface) {
        let id = match self.desk.target(target) {
            Ok(id) => id,
            Err(refusal) => return self.step.verdict = Some(Err(refusal)),
        };
        let questions = self
            .desk
            .entries
            .get(&id)
            .map_or(1, |entry| entry.ask.questions().len());
        match press.answer(questions) {
            Some(answer) => self.on_answer(id, answer, Some(target.fingerprint), (by, None)),
            None => {
                let incomplete = AnswerRefusal::Invalid(crate::InvalidAnswer::WrongKind);
                self.step.verdict = Some(Err(self.desk.taken(&id).unwrap_or(incomplete)));
            }
        }
    }

    pub(super) fn on_answer(
        &mut self,
        id: AskId,
        answer: Answer,
        seen: Option<Fingerprint>,
        by: GivenBy,
    ) {
        let same = |entry: &Entry| seen.is_none_or(|seen| entry.showed(seen));
        let verdict = match self.desk.entries.get(&id) {
            Some(entry) if entry.state == AskState::Open && !same(entry) => {
                Err(AnswerRefusal::Changed)
            }
            Some(entry) if seen == Some(entry.target().fingerprint) => {
                self.accept_all(&id, answer, by)
            }
            _ => self.accept(&id, answer, by),
        };
        self.step.verdict = Some(verdict.map(|()| id));
    }

    /// Accepts the answer, and the same answer for the equals that stand behind the ask.
    fn accept_all(&mut self, id: &AskId, answer: Answer, by: GivenBy) -> Result<(), AnswerRefusal> {
        let behind = self.desk.behind(id);
        let verdict = self.accept(id, answer.clone(), by.clone());
        if !matches!(verdict, Ok(()) | Err(AnswerRefusal::NeedsAnother(_))) {
            return verdict;
        }
        for id in behind {
            // The equal is open and asks the same, so its verdict is the first one's.
            let _ = self.accept(&id, answer.clone(), by.clone());
        }
        verdict
    }

    fn accept(&mut self, id: &AskId, answer: Answer, by: GivenBy) -> Result<(), AnswerRefusal> {
        if let Some(refusal) = self.desk.taken(id) {
            return Err(refusal);
        }
        let entry = self.desk.entries.get(id).ok_or(AnswerRefusal::Unknown)?;
        entry.ask.check(&answer)?;
        if let Weight::Agrees(agreement) = self.desk.weigh(entry, &answer, &by, self.now)? {
            return Err(self.agree(id, agreement));
        }
        let (now, (by, responder)) = (self.now, by);
        let responder = responder.or_else(|| self.desk.user_at(by));
        self.change(id, |entry, step| {
            entry.take_answer((answer, by), responder, now);
            step.news.push(News::Answered(id.clone(), by));
            step.effects.extend(entry.deliver(now));
        });
        self.ring(id);
        Ok(())
    }

    fn deliver(&mut self, id: &AskId) {
        let now = self.now;
        self.change(id, |entry, step| step.effects.extend(entry.deliver(now)));
    }

    pub(super) fn retry(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        if entry.retry_at().is_none_or(|at| self.now < at) {
            return;
        }
        if !entry.is_unlisted {
            return self.deliver(id);
        }
        // The source lost the try, which may have been taken before.
        self.end_try(id);
        self.change(id, |entry, _| entry.note_unanswered());
        self.vanish(id);
    }

    pub(super) fn on_sent(&mut self, id: &AskId) {
        let now = self.now;
        let is_unlisted = self.end_try(id);
        self.change(id, |entry, step| {
            entry.note_failure(None);
            // OpenCode 1.1.53 says yes to anything, also to an answer for something that ended
            // before.
            if is_unlisted {
                return entry.note_unanswered();
            }
            if let AskState::Answering { sent_at, .. } = &mut entry.state {
                *sent_at = Some(now);
                step.news.push(News::Sent(id.clone()));
            }
        });
        if is_unlisted {
            self.vanish(id);
        }
    }

    /// Notes that a try is over. Returns whether a list without its ask was read during the try.
    fn end_try(&mut self, id: &AskId) -> bool {
        let is_unlisted = (self.desk.entries.get(id)).is_some_and(|entry| entry.is_unlisted);
        self.change(id, |entry, _| {
            entry.in_flight = false;
            entry.is_unlisted = false;
        });
        is_unlisted
    }

    pub(super) fn on_not_sent(&mut self, id: &AskId, failure: DeliveryFailure) {
        let is_unlisted = self.end_try(id);
        if is_unlisted {
            if let DeliveryFailure::Unanswered(_) = failure {
                self.change(id, |entry, _| entry.note_unanswered());
            }
            return self.vanish(id);
        }
        match failure {
            DeliveryFailure::NotFound => self.vanish(id),
            DeliveryFailure::Returned(why) => self.hand_back(id, why),
            DeliveryFailure::Refused(why) if self.desk.refused_for_good(id) => {
                self.hand_back(id, ReturnReason::Refused(why));
            }
            DeliveryFailure::Unanswered(why) => self.change(id, |entry, _| {
                entry.note_unanswered();
                entry.note_failure(Some(why));
            }),
            DeliveryFailure::Refused(why) | DeliveryFailure::Other(why) => {
                self.change(id, |entry, _| entry.note_failure(Some(why)));
            }
        }
    }

    /// Opens the ask again: its answer came back. It says why, and rings. An expiry is tried again
    /// instead, since no human gave that answer and it would be due again at once.
    fn hand_back(&mut self, id: &AskId, why: ReturnReason) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        match entry.state {
            AskState::Answering {
                by: Surface::Clock, ..
            } => {
                self.change(id, |entry, _| entry.forget_sent());
            }
            AskState::Answering { .. } => {
                self.note_agreed(id, &why);
                self.come_back(id, why);
            }
            // The source knows beforehand that it can take no answer.
            AskState::Open if entry.returned.as_ref() != Some(&why) => {
                self.change(id, |entry, _| entry.returned = Some(why));
                self.update_fleeting(id);
            }
            AskState::Open | AskState::Settled { .. } => {}
        }
    }

    /// Opens the ask again, which says what came back, and rings.
    pub(super) fn come_back(&mut self, id: &AskId, why: ReturnReason) {
        self.change(id, |entry, step| entry.come_back(why, step));
        self.open_again(id);
        self.ring(id);
        self.tell_returned(id);
    }

    /// Sends the answer once more: the ask is still there although its answer was sent, or was on
    /// its way when Beckon died.
    pub(super) fn redeliver(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let AskState::Answering { sent_at, .. } = entry.state else {
            return;
        };
        let early = sent_at.is_some_and(|at| self.now - at < LIST_LAG);
        if !entry.in_flight && !early {
            self.deliver(id);
        }
    }

    /// Ends an ask as its source tells: answered by us, or elsewhere.
    pub(super) fn on_replied(&mut self, id: &AskId, answers: Option<Vec<Vec<String>>>) {
        self.conclude(id, None, |ask, given| replied(ask, given, answers));
    }

    pub(super) fn on_rejected(&mut self, id: &AskId) {
        self.conclude(id, None, rejected);
    }

    pub(super) fn on_overtaken(&mut self, id: &AskId) {
        self.conclude(id, None, |_, _| Outcome::Elsewhere { answers: None });
    }

    /// Ends an ask as another Beckon tells, which names who decided it.
    pub(super) fn on_decided(&mut self, source: &SourceId, told: ToldDecision) {
        let ToldDecision {
            own,
            how,
            by,
            is_anothers,
        } = told;
        let id = AskId {
            source: source.clone(),
            own,
        };
        self.conclude(&id, by, |ask, given| {
            let given = given.filter(|_| !is_anothers);
            match how {
                DecisionKind::Answered(answers) => replied(ask, given, answers),
                DecisionKind::Rejected => rejected(ask, given),
            }
        });
    }

    /// Ends an ask with the outcome that the source tells, and with who decided it if that was not
    /// us. If a list had shown before that the ask is gone, what is remembered of it is corrected.
    fn conclude(
        &mut self,
        id: &AskId,
        by: Option<Responder>,
        outcome: impl FnOnce(&Ask, Option<GivenAnswer>) -> Outcome,
    ) {
        match self.desk.entries.get(id) {
            Some(entry) => {
                let outcome = outcome(&entry.ask, entry.given());
                self.settle_as(
                    id,
                    outcome,
                    EndNote {
                        by,
                        ..EndNote::default()
                    },
                );
            }
            None => self.explain(id, by, outcome),
        }
    }

    /// Handles a list in which the ask is missing. While its answer is on its way nothing follows:
    /// the answer itself may be the reason, and what becomes of it says more.
    pub(super) fn on_unlisted(&mut self, id: &AskId) {
        let is_under_way = (self.desk.entries.get(id)).is_some_and(Entry::is_being_sent);
        if is_under_way {
            self.change(id, |entry, _| entry.is_unlisted = true);
        } else {
            self.vanish(id);
        }
    }

    /// Handles that the ask is no longer at its source.
    ///
    /// 1. If the source had said yes to our answer, that proves it taken.
    /// 2. If our answer may have been taken, the source is asked. Until it has said what it knows,
    ///    nothing is told: an end by our answer would be called one without.
    /// 3. Otherwise somebody else answered, or the agent gave up. The ask is over, and the source
    ///    is asked.
    pub(super) fn vanish(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        if entry.may_have_been_taken() {
            let inquiry = Effect::Inquire(Box::new(entry.clone()));
            return self.step.effects.push(inquiry);
        }
        let sent = matches!(
            entry.state,
            AskState::Answering {
                sent_at: Some(_),
                ..
            }
        );
        let outcome = match entry.given().filter(|_| sent) {
            Some((answer, by)) => ended_by(answer, by),
            None => Outcome::Gone,
        };
        let gone = outcome == Outcome::Gone;
        if gone {
            self.step
                .effects
                .push(Effect::Inquire(Box::new(entry.clone())));
        }
        self.settle_as(
            id,
            outcome,
            EndNote {
                by: None,
                inquired: gone,
                looked_up: gone,
            },
        );
    }

    /// Takes in what the source found out about a vanished ask.
    pub(super) fn on_explained(&mut self, id: &AskId, answers: Option<Vec<Vec<String>>>) {
        let is_awaited = self.desk.entries.get(id).map(Entry::may_have_been_taken);
        if is_awaited == Some(false) {
            return;
        }
        self.conclude(id, None, |ask, given| match answers {
            Some(answers) => replied(ask, given, Some(answers)),
            None => rejected(ask, given),
        });
    }

    /// Handles that the source cannot say what became of a vanished ask; if we had answered it, its
    /// human is told so.
    pub(super) fn on_unexplained(&mut self, id: &AskId) {
        let is_awaited = self.desk.entries.get(id).map(Entry::may_have_been_taken);
        match is_awaited {
            Some(true) => self.settle_as(id, Outcome::Gone, EndNote::TOLD_LATER),
            Some(false) => {}
            None => self.tell_lost(id),
        }
    }

    /// Tells that an answer did not arrive, once it is known that nothing explains the end of its
    /// ask.
    fn tell_lost(&mut self, id: &AskId) {
        let Some(memory) = self.desk.memory.get_mut(id) else {
            return;
        };
        let is_lost = memory.outcome == Outcome::Gone && !memory.told_lost;
        let Some(ask) = memory.ask.clone().filter(|_| is_lost) else {
            return;
        };
        memory.told_lost = true;
        let mut entry = Entry::new(*ask, memory.serial);
        entry.responder.clone_from(&memory.responder);
        entry.late = entry.late(memory.given.clone(), &memory.outcome);
        entry.state = AskState::Settled {
            outcome: memory.outcome.clone(),
            at: memory.at,
        };
        self.give_back(&entry, true);
    }

    /// Corrects what is remembered of an ask that had vanished.
    fn explain(
        &mut self,
        id: &AskId,
        by: Option<Responder>,
        outcome: impl FnOnce(&Ask, Option<GivenAnswer>) -> Outcome,
    ) {
        let Some(memory) = self.desk.memory.get_mut(id) else {
            return;
        };
        let Some(ask) = memory.ask.take() else { return };
        let given = memory.given.take();
        let outcome = outcome(&ask, given.clone());
        let mut entry = Entry::new(*ask, memory.serial);
        entry.responder = memory.responder.take();
        entry.late = entry.late(given, &outcome);
        memory.responder = outcome.responder(entry.responder.take(), by);
        memory.outcome = outcome.clone();
        let told_on = core::mem::take(&mut memory.told_on);
        entry.responder = memory.responder.clone();
        entry.state = AskState::Settled {
            outcome: outcome.clone(),
            at: memory.at,
        };
        self.correct_ending(&entry, &told_on);
        self.give_back(&entry, true);
        self.step.save.push(crate::RowChange::Ask(Box::new(entry)));
        self.step.news.push(News::Settled(id.clone(), outcome));
    }

    /// Rejects the ask at its source when `expire_after` has run out; no human is named for that.
    pub(super) fn expire(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        if entry
            .expires_at(&self.desk.policy)
            .is_some_and(|at| self.now >= at)
        {
            let refusal = entry.ask.refusal();
            // The ask is open and the refusal fits it, so this cannot be refused.
            let _ = self.accept(id, refusal, (Surface::Clock, None));
        }
    }
}

impl Entry {
    fn take_answer(
        &mut self,
        (answer, by): GivenAnswer,
        responder: Option<Responder>,
        at: Timestamp,
    ) {
        self.responder = responder;
        (self.hold_until, self.draft, self.returned, self.failure) = (None, None, None, None);
        self.forget_attention();
        self.agreed.clear();
        self.state = AskState::Answering {
            answer,
            by,
            at,
            attempts: 0,
            tried_at: None,
            sent_at: None,
            unanswered: false,
        };
    }

    /// Counts the try, and sends the answer.
    fn deliver(&mut self, now: Timestamp) -> Option<Effect> {
        let AskState::Answering {
            answer,
            attempts,
            tried_at,
            sent_at,
            ..
        } = &mut self.state
        else {
            return None;
        };
        *attempts += 1;
        (*tried_at, *sent_at) = (Some(now), None);
        let answer = answer.clone();
        (self.in_flight, self.is_unlisted, self.hold_until) = (true, false, None);
        Some(Effect::Deliver {
            entry: Box::new(self.clone()),
            answer,
        })
    }

    /// Returns the late answer: one that a human at this machine gave to an ask that ended by
    /// another answer or by none.
    pub(super) fn late(&self, given: Option<GivenAnswer>, outcome: &Outcome) -> Option<LateAnswer> {
        let vouched = self.responder.as_ref().map(|responder| &responder.vouched);
        let is_own = !matches!(vouched, Some(Voucher::Device { .. } | Voucher::Peer { .. }));
        let (answer, by) = given.filter(|(_, by)| is_own && *by != Surface::Clock)?;
        let texts = self.ask.to_source_texts(&answer);
        let is_lost = match outcome {
            // A human who gave the same answer has lost nothing.
            Outcome::Elsewhere { answers } => answers.is_none() || texts != *answers,
            Outcome::DismissedElsewhere | Outcome::Gone => texts.is_some(),
            Outcome::Answered { .. } | Outcome::Expired => false,
        };
        let may_have_arrived = *outcome == Outcome::Gone && self.may_have_been_taken();
        is_lost.then(|| LateAnswer {
            answer,
            by,
            responder: self.responder.clone(),
            may_have_arrived,
        })
    }

    /// Whether its answer was written to its source, without a reply.
    pub fn may_have_been_taken(&self) -> bool {
        matches!(
            self.state,
            AskState::Answering {
                sent_at: None,
                unanswered: true,
                ..
            }
        )
    }

    /// Whether a try is on its way, of which its source has said nothing yet.
    fn is_being_sent(&self) -> bool {
        self.in_flight && matches!(self.state, AskState::Answering { sent_at: None, .. })
    }

    /// Notes that a try was written to its source, and that nothing came back.
    fn note_unanswered(&mut self) {
        if let AskState::Answering { unanswered, .. } = &mut self.state {
            *unanswered = true;
        }
    }

    /// Notes that Beckon was ended in the middle of a try, which may therefore have been taken.
    pub(super) fn note_interrupted(&mut self) {
        let is_explained = (self.undelivered.as_ref()).is_some_and(|trouble| trouble.why.is_some());
        let was_trying = matches!(
            self.state,
            AskState::Answering {
                attempts: 1..,
                sent_at: None,
                ..
            }
        );
        if was_trying && !is_explained {
            self.note_unanswered();
        }
    }

    fn forget_sent(&mut self) {
        if let AskState::Answering { sent_at, .. } = &mut self.state {
            *sent_at = None;
        }
    }

    /// Opens it (again), with what came back.
    pub(super) fn come_back(&mut self, why: ReturnReason, step: &mut Step) {
        (self.state, self.returned) = (AskState::Open, Some(why));
        self.responder = None;
        (self.undelivered, self.failure) = (None, None);
        step.news.push(News::Returned(self.ask.id.clone()));
    }
}

impl Desk {
    /// Returns the ask that a button was made for, open or remembered. If the button's serial or
    /// name now belongs to another ask, it was made for none that is known.
    pub(super) fn target(&self, target: ButtonTarget) -> Result<AskId, AnswerRefusal> {
        let id = self
            .by_serial
            .get(&target.serial)
            .ok_or(AnswerRefusal::Unknown)?;
        let is_it = match (self.entries.get(id), self.memory.get(id)) {
            (Some(entry), _) if entry.state == AskState::Open => {
                entry.serial == target.serial && entry.showed(target.fingerprint)
            }
            (Some(entry), _) => target.was_made_for(entry.serial, entry.fingerprint),
            (None, Some(memory)) => target.was_made_for(memory.serial, memory.fingerprint),
            (None, None) => return Err(AnswerRefusal::Unknown),
        };
        if is_it {
            Ok(id.clone())
        } else {
            Err(AnswerRefusal::Changed)
        }
    }

    /// Returns the reason why it can no longer be answered, if there is one.
    pub(super) fn taken(&self, id: &AskId) -> Option<AnswerRefusal> {
        match (
            self.entries.get(id).map(|entry| &entry.state),
            self.memory.get(id),
        ) {
            (Some(AskState::Answering { by, .. }), _) => Some(AnswerRefusal::Answering { by: *by }),
            (Some(_), _) => None,
            (None, Some(memory)) => Some(AnswerRefusal::Settled {
                outcome: memory.outcome.clone(),
            }),
            (None, None) => Some(AnswerRefusal::Unknown),
        }
    }

    /// Returns the user of this machine, if the surface is one of its own.
    pub(super) fn user_at(&self, by: Surface) -> Option<Responder> {
        self.user.clone().filter(|_| by.is_of_this_machine())
    }

    fn refused_for_good(&self, id: &AskId) -> bool {
        self.entries.get(id).is_some_and(Entry::tried_quickly)
    }
}

fn replied(ask: &Ask, given: Option<GivenAnswer>, answers: Option<Vec<Vec<String>>>) -> Outcome {
    let ours =
        |(answer, _): &GivenAnswer| answers.is_none() || ask.to_source_texts(answer) == answers;
    match given.filter(ours) {
        Some((answer, by)) => ended_by(answer, by),
        None => Outcome::Elsewhere { answers },
    }
}

fn rejected(ask: &Ask, given: Option<GivenAnswer>) -> Outcome {
    match given.filter(|(answer, _)| ask.to_source_texts(answer).is_none()) {
        Some((answer, by)) => ended_by(answer, by),
        None => Outcome::DismissedElsewhere,
    }
}

fn ended_by(answer: Answer, by: Surface) -> Outcome {
    match by {
        Surface::Clock => Outcome::Expired,
        by => Outcome::Answered { answer, by },
    }
}
