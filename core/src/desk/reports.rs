//! The reports of a source, and what follows: new asks, ends, lists, suspicions.

use super::answering::LIST_LAG;
use super::assessment::Assessment;
use super::ending::EndNote;
use super::entry::{CALL_LISTED_WITHIN, QUIET_FOR};
use super::{Desk, Entry, Transition};
use crate::hub;
use crate::{
    Answer, Ask, AskContent, AskId, AskState, CallInput, Effect, Fingerprint, News, Outcome,
    ReturnReason, Session, SourceId, SourceListing, SourceReport, SourceState, Span, Timestamp,
};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

/// The time after the end of an ask within which all reports from before it have arrived, also over
/// a bad line.
pub(super) const SAID_LATE: Span = Span::minutes(5);

impl Transition<'_> {
    pub(super) fn on_report(&mut self, source: &SourceId, report: SourceReport) {
        let ask = |own: String| AskId {
            source: source.clone(),
            own,
        };
        match report {
            SourceReport::State(state) => self.on_source_state(source, state),
            SourceReport::Listed(listing) => self.on_listed(source, listing),
            SourceReport::Asked(new) => self.on_asked(new),
            SourceReport::Replied { own, answers } => self.on_replied(&ask(own), answers),
            SourceReport::Overtaken { own } => self.on_overtaken(&ask(own)),
            SourceReport::Rejected { own } => self.on_rejected(&ask(own)),
            // The reason may be told later.
            SourceReport::Gone { own } => {
                self.settle_as(&ask(own), Outcome::Gone, EndNote::TOLD_LATER);
            }
            SourceReport::Decided(told) => self.on_decided(source, told),
            SourceReport::SessionQuiet { session } => self.on_quiet(source, &session),
            SourceReport::SessionGone { session } => {
                for id in self.desk.ids_of_session(source, &session) {
                    self.settle(&id, Outcome::Gone);
                }
            }
            SourceReport::Disposed { directory } => self.on_disposed(source, directory.as_deref()),
            SourceReport::Sent { own } => self.on_sent(&ask(own)),
            SourceReport::NotSent { own, failure } => self.on_not_sent(&ask(own), failure),
            SourceReport::Explained { own, answers } => self.on_explained(&ask(own), answers),
            SourceReport::Unexplained { own } => self.on_unexplained(&ask(own)),
            SourceReport::Described(session) => self.on_described(source, session),
            SourceReport::CallTold { own, input } => self.on_call_told(&ask(own), input),
            SourceReport::Turn(turn) => self.on_turn(source, turn),
        }
    }

    fn on_source_state(&mut self, source: &SourceId, state: SourceState) {
        let known = self.desk.sources.entry(source.clone()).or_default();
        if known.state.as_ref() != Some(&state) {
            known.state = Some(state);
            self.step.news.push(News::Source(source.clone()));
        }
    }

    /// Ends the asks of a source that nobody watches any more: they can neither be answered nor
    /// proven over.
    pub(super) fn on_source_removed(&mut self, source: &SourceId) {
        for id in self.desk.ids_of_source(source) {
            self.settle(&id, Outcome::Gone);
        }
        self.desk.sources.remove(source);
        self.step.news.push(News::Source(source.clone()));
    }

    fn on_asked(&mut self, ask: Ask) {
        match self
            .desk
            .memory
            .get(&ask.id)
            .map(|memory| comes_back(memory, &ask, self.now))
        {
            Some(FormerState::Anew) => self.open_in_place(ask, true),
            // A list may overtake the frames that were before it: an end of the directory, say,
            // from before this was asked has then ended it too.
            Some(FormerState::Again) => self.reopen(ask),
            Some(FormerState::Late) => self.read_anew(&ask.id.source),
            None if self.desk.entries.contains_key(&ask.id) => self.meet(ask, true),
            None => self.open(ask, true),
        }
    }

    fn on_listed(&mut self, source: &SourceId, listing: SourceListing) {
        self.desk
            .sources
            .entry(source.clone())
            .or_default()
            .refreshed_at = Some(self.now);
        let listed: BTreeSet<AskId> = listing.asks.iter().map(|(ask, _)| ask.id.clone()).collect();
        for (ask, busy) in listing.asks {
            let is_unsure = listing.unsure.contains(&ask.id.own);
            if !(is_unsure && self.has_ended(&ask)) {
                self.on_listed_ask(ask, busy, listing.partial);
            }
        }
        for id in self.desk.ids_of_source(source) {
            let unread = |e: &Entry| listing.unread.contains(&e.ask.session.directory);
            let unsure = listed.contains(&id) || listing.unsure.contains(&id.own);
            if !unsure && !self.desk.entries.get(&id).is_some_and(unread) {
                self.on_unlisted(&id);
            }
        }
    }

    /// Whether the very same ask was there before, and has ended.
    fn has_ended(&self, ask: &Ask) -> bool {
        let memory = self.desk.memory.get(&ask.id);
        let former = memory.map(|memory| comes_back(memory, ask, self.now));
        matches!(former, Some(FormerState::Again | FormerState::Late))
    }

    fn on_listed_ask(&mut self, ask: Ask, busy: bool, partial: bool) {
        match self
            .desk
            .memory
            .get(&ask.id)
            .map(|memory| comes_back(memory, &ask, self.now))
        {
            Some(FormerState::Anew) => self.open_in_place(ask, busy),
            Some(FormerState::Again) if busy => self.reopen(ask),
            Some(FormerState::Again) => {}
            Some(FormerState::Late) if partial => {}
            Some(FormerState::Late) => self.on_listed_late(ask, busy),
            None if self.desk.entries.contains_key(&ask.id) => {
                let busy = busy && !self.fell_silent_lately(&ask.id);
                self.meet(ask, busy);
            }
            None => self.open(ask, busy),
        }
    }

    /// Handles an ask in a list that arrives after the ask's end. This list may have been read
    /// before the end, but not the next one: an ask in that one is open, whatever was reported.
    fn on_listed_late(&mut self, ask: Ask, busy: bool) {
        let Some(memory) = self.desk.memory.get_mut(&ask.id) else {
            return;
        };
        if core::mem::replace(&mut memory.listed, true) {
            self.open_in_place(ask, busy);
        } else {
            self.read_anew(&ask.id.source);
        }
    }

    /// Opens an ask under the name of an ask that has ended. Its source has begun its numbers anew,
    /// or was put back to an older state, and asks something else, or asks for another session. An
    /// answer that was still on its way to the former ask is not for this one.
    fn open_in_place(&mut self, ask: Ask, busy: bool) {
        let given = self
            .desk
            .memory
            .remove(&ask.id)
            .and_then(|memory| memory.given);
        let id = ask.id.clone();
        self.open(ask, busy);
        self.change(&id, |entry, _| entry.changed = true);
        if given.is_some() {
            self.come_back(&id, ReturnReason::Changed);
        }
    }

    /// Takes in an ask that is on the desk already. If the report does not say by which way it is
    /// answered, the known way stays.
    fn meet(&mut self, mut ask: Ask, busy: bool) {
        let id = ask.id.clone();
        let Some(entry) = self.desk.entries.get(&id) else {
            return;
        };
        // An ask belongs to one session: if the session differs, the former ask has ended
        // unnoticed.
        if entry.ask.session.id != ask.session.id {
            self.settle(&id, Outcome::Gone);
            return self.open_in_place(ask, busy);
        }
        let known = &entry.ask.session;
        ask.session.api = ask.session.api.or_else(|| known.api.clone());
        let rerouted = known.api != ask.session.api;
        // Lists never name the arguments of a call; they were looked up.
        ask.kind.learn_input(&entry.ask.kind);
        if entry.learns_from(&ask) {
            self.learn_input(&id, ask);
        } else if entry.ask.kind == ask.kind && hub::is_other_round(&known.api, &ask.session.api) {
            self.next_round(&id, ask.session);
        }
        // The content that another Beckon holds is part of the way, and of what is asked.
        else if entry.ask.kind != ask.kind || (rerouted && !known.via.is_empty()) {
            self.ask_anew(ask, busy);
        } else if rerouted || known.team != ask.session.team {
            self.change(&id, |entry, _| {
                (entry.ask.session.api, entry.ask.session.team) =
                    (ask.session.api, ask.session.team);
            });
        }
        self.confirm(&id, busy);
    }

    /// Takes in the call of an ask that is otherwise the same. Drafts on what was shown before
    /// count for nothing, yet nothing has changed at its source.
    fn learn_input(&mut self, id: &AskId, told: Ask) {
        let now = self.now;
        self.change(id, |entry, _| {
            (entry.ask.kind, entry.ask.session.api) = (told.kind, told.session.api);
            entry.ask.session.team = told.session.team;
            entry.content_learned(now);
        });
        self.step.news.push(News::CallTold(id.clone()));
    }

    /// Takes in the arguments of a call, which have arrived now. An answer that is on its way was
    /// given by a human who was told that they are unknown, and goes on.
    fn on_call_told(&mut self, id: &AskId, input: CallInput) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let is_news = entry.ask.kind.input().is_some_and(|known| *known != input);
        if !is_news {
            return;
        }
        let now = self.now;
        self.change(id, |entry, _| {
            if let AskContent::Permission(permission) = &mut entry.ask.kind {
                permission.input = input;
            }
            entry.content_learned(now);
        });
        self.step.news.push(News::CallTold(id.clone()));
        self.ring(id);
    }

    /// Takes in that its owner asks the very same once more: a draft stays, and buttons of the
    /// former round count for nothing.
    fn next_round(&mut self, id: &AskId, session: Session) {
        let state = self.desk.entries.get(id).map(|entry| &entry.state);
        let comes_back = matches!(state, Some(AskState::Answering { .. }));
        self.change(id, |entry, _| {
            (entry.ask.session.api, entry.ask.session.team) = (session.api, session.team);
            // The owner tells who has agreed.
            entry.agreed.clear();
            entry.fingerprint = entry.ask.fingerprint();
            entry.in_flight = false;
            entry.is_unlisted = false;
        });
        if comes_back {
            self.come_back(id, ReturnReason::Changed);
        }
    }

    /// Takes in that the ask has other content now: what was shown, begun and answered before
    /// counts for nothing. It rings if its session waits for it.
    fn ask_anew(&mut self, ask: Ask, busy: bool) {
        let (id, now) = (ask.id.clone(), self.now);
        let state = self.desk.entries.get(&id).map(|entry| &entry.state);
        let comes_back = matches!(state, Some(AskState::Answering { .. }));
        self.change(&id, |entry, step| {
            entry.ask_anew(ask);
            entry.quiet_since = (!busy).then_some(now);
            step.news.push(News::Changed(entry.ask.id.clone()));
            if comes_back {
                entry.come_back(ReturnReason::Changed, step);
            }
        });
        self.open_again(&id);
        self.ring(&id);
        if comes_back {
            self.tell_returned(&id);
        }
    }

    /// Whether the session fell silent so lately that the list may have been read before that; the
    /// next list will tell.
    fn fell_silent_lately(&self, id: &AskId) -> bool {
        let since = self
            .desk
            .entries
            .get(id)
            .and_then(|entry| entry.quiet_since);
        since.is_some_and(|since| self.now - since < LIST_LAG)
    }

    /// Opens an ask again that had ended. Its old serial returns with it, so that old buttons work
    /// again. An answer that was under way is sent again. If it ended a moment ago, the list may
    /// have been read before that, so it does not ring before a second one.
    fn reopen(&mut self, ask: Ask) {
        let Some(memory) = self.desk.memory.remove(&ask.id) else {
            return;
        };
        let id = ask.id.clone();
        let mut entry = Entry::new(ask, memory.serial);
        entry.quiet_since = (self.now - memory.at < QUIET_FOR).then_some(self.now);
        entry.reminded_at = Some(self.now);
        if let Some((answer, by)) = memory.given {
            entry.responder = memory.responder;
            entry.state = AskState::Answering {
                answer,
                by,
                at: self.now,
                attempts: 0,
                tried_at: None,
                sent_at: None,
                unanswered: memory.unanswered,
            };
        }
        self.desk.take_back(&mut entry);
        self.step.news.push(News::Reopened(id.clone()));
        self.put(entry);
        self.retry(&id);
        self.ring(&id);
    }

    /// Takes in that the source has the ask; `busy` tells whether its session still waits for it.
    /// An ask with an answer on its way is never given up because its session is not busy: the
    /// delivery will tell.
    fn confirm(&mut self, id: &AskId, busy: bool) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let quiet_long = entry
            .quiet_since
            .is_some_and(|since| self.now - since >= QUIET_FOR);
        if !busy && quiet_long && entry.state == AskState::Open {
            self.settle(id, Outcome::Gone);
            return;
        }
        let quiet_since = if busy {
            None
        } else {
            entry.quiet_since.or(Some(self.now))
        };
        let until = entry.awaits_call().map(|within| self.now + within);
        let hold_until = entry.hold_until.min(until);
        let is_the_same = entry.hold_until == hold_until
            && entry.quiet_since == quiet_since
            && !entry.is_unlisted;
        // A list confirms thousands at once, and for most of them nothing has changed.
        if !is_the_same {
            self.change(id, |entry, _| {
                entry.hold_until = hold_until;
                entry.quiet_since = quiet_since;
                entry.is_unlisted = false;
            });
        }
        self.redeliver(id);
        self.ring(id);
    }

    fn on_quiet(&mut self, source: &SourceId, session: &str) {
        for id in self.desk.ids_of_session(source, session) {
            let now = self.now;
            self.change(&id, |entry, _| {
                entry.quiet_since = entry.quiet_since.or(Some(now))
            });
            self.ring(&id);
        }
    }

    fn on_disposed(&mut self, source: &SourceId, directory: Option<&str>) {
        for id in self.desk.ids_of_source(source) {
            let entry = self.desk.entries.get(&id);
            let here = |entry: &Entry| {
                directory.is_none_or(|directory| entry.ask.session.directory == directory)
            };
            if entry.is_some_and(here) {
                self.settle(&id, Outcome::Gone);
            }
        }
    }

    fn on_described(&mut self, source: &SourceId, session: Session) {
        for id in self.desk.ids_of_session(source, &session.id) {
            self.change(&id, |entry, _| merge(&mut entry.ask.session, &session));
        }
    }

    /// Asks for the source's list anew after a 200 without proof, or for a session that fell
    /// silent.
    pub(super) fn verify(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let unproven = matches!(
            entry.state,
            AskState::Answering {
                sent_at: Some(_),
                ..
            }
        );
        if !unproven && entry.quiet_since.is_none() {
            return;
        }
        let refreshed_at = self
            .desk
            .sources
            .get(&id.source)
            .and_then(|source| source.refreshed_at);
        if refreshed_at.is_none_or(|at| self.now - at >= Span::seconds(1)) {
            self.read_anew(&id.source.clone());
        }
    }

    fn read_anew(&mut self, source: &SourceId) {
        self.desk
            .sources
            .entry(source.clone())
            .or_default()
            .refreshed_at = Some(self.now);
        self.step.effects.push(Effect::Refresh(source.clone()));
    }
}

impl Entry {
    /// Whether another Beckon, or an earlier run of this one, knew less of the call than is told
    /// now. If an answer is on its way through another Beckon, it was given for less than that
    /// Beckon holds now, unless the round is still the same.
    fn learns_from(&self, told: &Ask) -> bool {
        let is_partial = |ask: &Ask| ask.kind.input().is_some_and(|input| input.is_partial);
        let goes_on = told.session.api == self.ask.session.api;
        let is_free = self.ask.session.via.is_empty() || goes_on || self.state == AskState::Open;
        is_partial(&self.ask)
            && !is_partial(told)
            && is_free
            && self.ask.kind.is_same_request(&told.kind)
    }

    fn content_learned(&mut self, now: Timestamp) {
        self.hold_until = None;
        let before = self.fingerprint;
        self.content = Fingerprint::of_content(&self.ask.kind);
        self.fingerprint = self.ask.fingerprint();
        self.assessment = Assessment::of(&self.ask);
        if self.fingerprint != before {
            self.draft = None;
            // The people who agreed had not seen the arguments; and the id alone may be typed in
            // answer to a list that was printed without them.
            self.agreed.clear();
            self.changed |= now - self.ask.asked_at > CALL_LISTED_WITHIN;
        }
    }

    fn ask_anew(&mut self, ask: Ask) {
        self.content = Fingerprint::of_content(&ask.kind);
        (self.behind, self.also_asked) = (false, 0);
        (self.ask.kind, self.ask.session.api) = (ask.kind, ask.session.api);
        self.fingerprint = self.ask.fingerprint();
        self.assessment = Assessment::of(&self.ask);
        (self.draft, self.in_flight, self.changed) = (None, false, true);
        (self.agreed, self.ask.session.team) = (Vec::new(), ask.session.team);
        self.forget_attention();
    }
}

impl Desk {
    fn ids_of_session(&self, source: &SourceId, session: &str) -> Vec<AskId> {
        let key = (source.clone(), session.to_owned());
        self.by_session
            .get(&key)
            .into_iter()
            .flatten()
            .cloned()
            .collect()
    }
}

/// The state of an ask that had ended when its source spoke of it.
enum FormerState {
    /// A new ask under its name: it asks something else, or it comes long after the end.
    Anew,
    /// An ask that is still open. It was given up too early, and a false end is worse than a stale
    /// card.
    Again,
    /// An ask that is most likely over: the report was sent before the end. The source's list will
    /// tell.
    Late,
}

/// Judges a report of an ask that is remembered as ended. If the source says long after the end
/// that somebody waits, it is believed. Another Beckon is believed at once: if it only lost sight
/// of an ask it calls the ask rejected, as it has no other word for that. A dismissal of ours that
/// was on its way then seems taken, but may not have arrived.
fn comes_back(memory: &super::SettledAsk, ask: &Ask, now: Timestamp) -> FormerState {
    let of_kin = !ask.session.via.is_empty();
    match memory.outcome {
        _ if memory.request != ask.request_fingerprint() => FormerState::Anew,
        Outcome::Gone => FormerState::Again,
        Outcome::DismissedElsewhere
        | Outcome::Expired
        | Outcome::Answered {
            answer: Answer::Dismiss,
            ..
        } if of_kin => FormerState::Again,
        _ if now - memory.at >= SAID_LATE => FormerState::Anew,
        _ => FormerState::Late,
    }
}

/// Fills in what is newly known; directory and id stay as they came with the ask.
fn merge(known: &mut Session, news: &Session) {
    let fill = |old: &mut Option<String>, new: &Option<String>| {
        if new.is_some() {
            old.clone_from(new);
        }
    };
    fill(&mut known.title, &news.title);
    fill(&mut known.agent, &news.agent);
    fill(&mut known.parent, &news.parent);
    fill(&mut known.last_words, &news.last_words);
    known.process = news.process.or(known.process);
}
