//! The effect of a team's rules on the asks of this desk: which are for others to decide, and which
//! take the yes of two.
//!
//! Not here: the rules themselves (`hub/team.rs`). A hold follows from them and from the time, so
//! it is never kept; who has agreed is.

use super::entry::GivenBy;
use super::{AnswerRefusal, Desk, Entry, Transition};
use crate::hub::team::{Agreement, Approvals, FirstAnswers, Hold, Ruling, TeamSeat};
use crate::{Answer, AskContent, AskId, Attention, News, ReturnReason, Surface, Timestamp};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

/// The weight of an answer.
pub(super) enum Weight {
    /// An answer that decides.
    Decides,
    /// An answer that is one of two that are needed.
    Agrees(Agreement),
}

impl Transition<'_> {
    pub(super) fn on_team(&mut self, team: Option<TeamSeat>) {
        if self.desk.team != team {
            self.desk.team = team;
            self.look_anew();
        }
    }

    /// Applies the rules at the present time to what is held.
    pub(super) fn update_hold(&mut self, id: &AskId) {
        self.drop_void(id);
        self.forget_agreed(id);
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let (hold, until) = self.desk.hold_of(entry, self.now);
        let is_freed = entry.hold.is_some() && hold.is_none();
        if self.desk.entries.set_hold(id, hold, until) {
            self.step.news.push(News::Held(id.clone()));
            self.refresh_cards(id);
        }
        if is_freed {
            self.begin_waiting(id);
        }
    }

    /// Drops the yes of a person who may not decide any more, and for good: if they may decide
    /// again later, they have to say it again.
    fn drop_void(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let Some((seat, ruling)) = self.desk.ruling(entry, self.now) else {
            return;
        };
        let counts = |known: &&Agreement| seat.counts(known, &ruling);
        if entry.agreed.iter().all(|known| counts(&known)) {
            return;
        }
        let agreed = entry.agreed.iter().filter(counts).cloned().collect();
        self.change(id, |entry, step| {
            entry.agreed = agreed;
            step.news.push(News::Held(id.clone()));
        });
    }

    /// Takes back what is said of an answer from here once that counts no longer.
    fn forget_agreed(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let person = self.desk.team.as_ref().map(|seat| &seat.person);
        let counts = entry.agreed_by().any(|name| Some(name) == person);
        if entry.returned == Some(ReturnReason::NeedsAnother) && !counts {
            self.change(id, |entry, _| entry.returned = None);
        }
    }

    /// Makes the ask wait for this human from now on: reminders that count from its asking would
    /// come too early.
    fn begin_waiting(&mut self, id: &AskId) {
        let since = Some(self.now);
        self.change(id, |entry, _| {
            if entry.attention.is_wanted() {
                entry.attention = Attention::Wanted { since };
            }
        });
    }

    /// Notes the yes of a person; another person has to follow.
    pub(super) fn agree(&mut self, id: &AskId, agreement: Agreement) -> AnswerRefusal {
        // If it is said again no row changes, but the news refer to a row.
        self.save(id);
        self.change(id, |entry, step| {
            entry
                .agreed
                .retain(|known| known.person != agreement.person);
            entry.agreed.push(agreement);
            entry.draft = None;
            step.news.push(News::Agreed(id.clone()));
        });
        self.ring(id);
        let hold = self
            .desk
            .entries
            .get(id)
            .and_then(|entry| self.desk.others(entry, self.now));
        AnswerRefusal::NeedsAnother(hold.unwrap_or_default())
    }
}

impl Transition<'_> {
    /// Notes that the answer of this desk's human counts as one of two at the ask's owner: the ask
    /// comes back to be held, not to be answered once more.
    pub(super) fn note_agreed(&mut self, id: &AskId, why: &ReturnReason) {
        let seat = self
            .desk
            .team
            .as_ref()
            .filter(|_| *why == ReturnReason::NeedsAnother);
        let Some((person, key)) = seat.map(|seat| (seat.person.clone(), seat.key.clone())) else {
            return;
        };
        self.change(id, |entry, _| {
            if let Some((answer, by)) = entry.given() {
                let responder = entry.responder.clone();
                entry.agreed.push(Agreement {
                    person,
                    answer,
                    by,
                    responder,
                    key,
                });
            }
        });
    }
}

impl Desk {
    /// Returns the weight of an answer of that origin.
    ///
    /// # Errors
    /// When it is for others to give.
    pub(super) fn weigh(
        &self,
        entry: &Entry,
        answer: &Answer,
        (by, responder): &GivenBy,
        now: Timestamp,
    ) -> Result<Weight, AnswerRefusal> {
        let Some((seat, ruling)) = self.ruling(entry, now) else {
            return Ok(Weight::Decides);
        };
        if *by == Surface::Clock {
            return Ok(Weight::Decides);
        }
        let person = match responder {
            Some(responder) if responder.is_of_another_device() => responder.person.as_ref(),
            _ => Some(&seat.person),
        };
        let is_here = person == Some(&seat.person);
        let may = |person: &&String| {
            if is_here {
                seat.lets(&ruling)
            } else {
                ruling.lets(person)
            }
        };
        let Some(person) = person.filter(may) else {
            return Err(AnswerRefusal::Held(hold(entry, &ruling, None)));
        };
        let key = seat.key_of(responder.as_ref());
        let agrees = |known: &Agreement| {
            let is_other = known.person != *person && (known.key.is_none() || known.key != key);
            is_other && known.answer == *answer && seat.counts(known, &ruling)
        };
        // For an ask of another machine, its owner counts who has agreed.
        let is_enough = entry.ask.session.team.is_some()
            || ruling.approvals == Approvals::One
            || !answer.allows()
            || entry.agreed.iter().any(agrees);
        if is_enough {
            return Ok(Weight::Decides);
        }
        let responder = responder.clone().or_else(|| self.user_at(*by));
        let (person, answer) = (person.clone(), answer.clone());
        Ok(Weight::Agrees(Agreement {
            person,
            answer,
            by: *by,
            responder,
            key,
        }))
    }

    fn ruling(&self, entry: &Entry, now: Timestamp) -> Option<(&TeamSeat, Ruling)> {
        let seat = self.team.as_ref().filter(|seat| seat.team.is_several())?;
        let team = entry.ask.session.team.as_ref();
        let starter = team.map_or(&seat.person, |team| &team.person);
        Some((seat, seat.team.rule_entry(entry, starter, now)))
    }

    /// Returns the hold of the ask, if it is held, and the time until which that is so.
    fn hold_of(&self, entry: &Entry, now: Timestamp) -> (Option<Hold>, Option<Timestamp>) {
        let Some((seat, ruling)) = self.ruling(entry, now) else {
            return (None, None);
        };
        let has_agreed = ruling.approvals == Approvals::Two
            && entry.agreed_by().any(|name| *name == seat.person);
        let is_mine = seat.lets(&ruling) && !has_agreed;
        let held = (!is_mine).then(|| hold(entry, &ruling, Some(&seat.person)));
        (held, ruling.changes_at)
    }

    /// Returns the people who could decide it in addition to those who have agreed.
    fn others(&self, entry: &Entry, now: Timestamp) -> Option<Hold> {
        self.ruling(entry, now)
            .map(|(_, ruling)| hold(entry, &ruling, None))
    }
}

impl Entry {
    /// Returns the people who have agreed, here or at its owner.
    pub(crate) fn agreed_by(&self) -> impl Iterator<Item = &String> {
        let there = self.ask.session.team.iter().flat_map(|team| &team.agreed);
        self.agreed.iter().map(|known| &known.person).chain(there)
    }

    /// Returns what the people who agreed have said, as far as it is known here.
    pub(crate) fn said(&self) -> FirstAnswers {
        let mut answers = self.agreed.iter().map(|known| &known.answer);
        let first = answers.next();
        let is_apart = answers.any(|answer| Some(answer) != first);
        match self.ask.kind {
            _ if is_apart
                || self
                    .ask
                    .session
                    .team
                    .as_ref()
                    .is_some_and(|team| team.apart) =>
            {
                FirstAnswers::Apart
            }
            AskContent::Questions(_) => FirstAnswers::Answer,
            _ => FirstAnswers::Yes,
        }
    }

    /// Returns the people who have agreed, and what they said; `None` if there are none.
    pub fn first_answers(&self) -> Option<(Vec<String>, FirstAnswers)> {
        let people: BTreeSet<String> = self.agreed_by().cloned().collect();
        let said = self.said();
        (!people.is_empty()).then(|| (people.into_iter().collect(), said))
    }
}

fn hold(entry: &Entry, ruling: &Ruling, but: Option<&str>) -> Hold {
    let agreed: BTreeSet<String> = entry.agreed_by().cloned().collect();
    let is_other = |name: &str| !agreed.contains(name) && but != Some(name) && !name.is_empty();
    let deciders = ruling
        .answerers
        .iter()
        .filter(|name| is_other(name))
        .cloned()
        .collect();
    Hold {
        deciders,
        agreed: agreed.into_iter().collect(),
        said: entry.said(),
    }
}
