//! What a source says, and what follows: new asks, ends, lists, suspicions.

use super::Desk;
use super::answering::LIST_LAG;
use super::entry::QUIET_FOR;
use crate::{
    Answer, Ask, AskId, AskState, Effect, Fingerprint, News, Outcome, ReturnReason, Session,
    SourceId, SourceListing, SourceReport, SourceState, Span, Step, Timestamp,
};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

/// What a source has said before the end of an ask has arrived so long after it, also over a bad line.
pub(super) const SAID_LATE: Span = Span::minutes(5);

impl Desk {
    pub(super) fn on_report(
        &mut self,
        source: &SourceId,
        report: SourceReport,
        now: Timestamp,
        step: &mut Step,
    ) {
        let ask = |own: String| AskId { source: source.clone(), own };
        match report {
            SourceReport::State(state) => self.on_source_state(source, state, step),
            SourceReport::Listed(listing) => self.on_listed(source, listing, now, step),
            SourceReport::Asked(new) => self.on_asked(new, now, step),
            SourceReport::Replied { own, answers } => {
                self.on_replied(&ask(own), answers, now, step);
            }
            SourceReport::Overtaken { own } => self.on_overtaken(&ask(own), now, step),
            SourceReport::Rejected { own } => self.on_rejected(&ask(own), now, step),
            SourceReport::SessionQuiet { session } => self.on_quiet(source, &session, now, step),
            SourceReport::SessionGone { session } => {
                for id in self.ids_of_session(source, &session) {
                    self.settle(&id, Outcome::Gone, now, step);
                }
            }
            SourceReport::Disposed { directory } => {
                self.on_disposed(source, directory.as_deref(), now, step);
            }
            SourceReport::Sent { own } => self.on_sent(&ask(own), now, step),
            SourceReport::NotSent { own, failure } => {
                self.on_not_sent(&ask(own), failure, now, step);
            }
            SourceReport::Explained { own, answers } => {
                self.on_explained(&ask(own), answers, now, step);
            }
            SourceReport::Described(session) => self.on_described(source, session, step),
            SourceReport::Turn(turn) => self.on_turn(turn, now, step),
        }
    }

    fn on_source_state(&mut self, source: &SourceId, state: SourceState, step: &mut Step) {
        let known = self.sources.entry(source.clone()).or_default();
        if known.state.as_ref() != Some(&state) {
            known.state = Some(state);
            step.news.push(News::Source(source.clone()));
        }
    }

    /// Nobody watches that source any more: its asks can neither be answered nor proven over.
    pub(super) fn on_source_removed(&mut self, source: &SourceId, now: Timestamp, step: &mut Step) {
        for id in self.ids_of_source(source) {
            self.settle(&id, Outcome::Gone, now, step);
        }
        self.sources.remove(source);
        step.news.push(News::Source(source.clone()));
    }

    fn on_asked(&mut self, ask: Ask, now: Timestamp, step: &mut Step) {
        match self.memory.get(&ask.id).map(|memory| comes_back(memory, &ask, now)) {
            Some(FormerState::Anew) => self.open_in_place(ask, true, now, step),
            // A list may overtake the frames that were before it: an end of the directory, say,
            // from before this was asked has then ended it too.
            Some(FormerState::Again) => self.reopen(ask, now, step),
            Some(FormerState::Late) => self.read_anew(&ask.id.source, now, step),
            None if self.entries.contains_key(&ask.id) => self.meet(ask, true, now, step),
            None => self.open(ask, true, now, step),
        }
    }

    fn on_listed(
        &mut self,
        source: &SourceId,
        listing: SourceListing,
        now: Timestamp,
        step: &mut Step,
    ) {
        self.sources.entry(source.clone()).or_default().refreshed_at = Some(now);
        let listed: BTreeSet<AskId> = listing.asks.iter().map(|(ask, _)| ask.id.clone()).collect();
        for (ask, busy) in listing.asks {
            self.on_listed_ask(ask, busy, listing.partial, now, step);
        }
        for id in self.ids_of_source(source) {
            let unread = |e: &super::Entry| listing.unread.contains(&e.ask.session.directory);
            if !listed.contains(&id) && !self.entries.get(&id).is_some_and(unread) {
                self.vanish(&id, now, step);
            }
        }
    }

    fn on_listed_ask(
        &mut self,
        ask: Ask,
        busy: bool,
        partial: bool,
        now: Timestamp,
        step: &mut Step,
    ) {
        match self.memory.get(&ask.id).map(|memory| comes_back(memory, &ask, now)) {
            Some(FormerState::Anew) => self.open_in_place(ask, busy, now, step),
            Some(FormerState::Again) if busy => self.reopen(ask, now, step),
            Some(FormerState::Again) => {}
            Some(FormerState::Late) if partial => {}
            Some(FormerState::Late) => self.on_listed_late(ask, busy, now, step),
            None if self.entries.contains_key(&ask.id) => {
                let busy = busy && !self.fell_silent_lately(&ask.id, now);
                self.meet(ask, busy, now, step);
            }
            None => self.open(ask, busy, now, step),
        }
    }

    /// A list that arrives after the end may have been read before it; the next one was not, so what
    /// that has is open, whatever was said.
    fn on_listed_late(&mut self, ask: Ask, busy: bool, now: Timestamp, step: &mut Step) {
        let Some(memory) = self.memory.get_mut(&ask.id) else { return };
        if core::mem::replace(&mut memory.listed, true) {
            self.open_in_place(ask, busy, now, step);
        } else {
            self.read_anew(&ask.id.source, now, step);
        }
    }

    /// A source that has begun its numbers anew, or was put back to an older state, asks something
    /// else, or for another session, under the name of an ask that has ended. An answer that was
    /// still on its way to that one is not for this.
    fn open_in_place(&mut self, ask: Ask, busy: bool, now: Timestamp, step: &mut Step) {
        let given = self.memory.remove(&ask.id).and_then(|memory| memory.given);
        let id = ask.id.clone();
        self.open(ask, busy, now, step);
        self.entries.get_mut(&id).into_iter().for_each(|entry| entry.changed = true);
        if given.is_some() {
            self.come_back(&id, ReturnReason::Changed, now, step);
        }
    }

    /// The source has an ask that is on the desk. Who does not say by which way it is answered means
    /// the known one.
    fn meet(&mut self, mut ask: Ask, busy: bool, now: Timestamp, step: &mut Step) {
        let id = ask.id.clone();
        let Some(entry) = self.entries.get_mut(&id) else { return };
        // What a session asks is not another's: that one has ended, and nobody was there to hear it.
        if entry.ask.session.id != ask.session.id {
            self.settle(&id, Outcome::Gone, now, step);
            return self.open_in_place(ask, busy, now, step);
        }
        let known = &mut entry.ask.session;
        ask.session.api = ask.session.api.or_else(|| known.api.clone());
        let rerouted = known.api != ask.session.api;
        known.api.clone_from(&ask.session.api);
        // What another Beckon holds is part of its way, and of what is asked.
        if entry.ask.kind != ask.kind || (rerouted && !known.via.is_empty()) {
            self.change(ask, now, step);
        } else if rerouted {
            self.save(&id, step);
        }
        self.confirm(&id, busy, now, step);
    }

    /// It asks something else by now: what was shown, begun and answered before counts for nothing.
    fn change(&mut self, ask: Ask, now: Timestamp, step: &mut Step) {
        let id = ask.id.clone();
        let Some(entry) = self.entries.get_mut(&id) else { return };
        entry.content = Fingerprint::of_content(&ask.kind);
        (entry.behind, entry.also_asked) = (false, 0);
        entry.ask.kind = ask.kind;
        entry.fingerprint = entry.ask.fingerprint();
        (entry.draft, entry.in_flight, entry.changed) = (None, false, true);
        step.news.push(News::Changed(id.clone()));
        match entry.state {
            AskState::Answering { .. } => self.come_back(&id, ReturnReason::Changed, now, step),
            AskState::Open | AskState::Settled { .. } => {
                self.save(&id, step);
                self.open_again(&id, step);
                self.ring(&id, now, step);
            }
        }
        self.redraw(&id, step);
    }

    /// The list may have been read before the session fell silent; the next one will tell.
    fn fell_silent_lately(&self, id: &AskId, now: Timestamp) -> bool {
        let since = self.entries.get(id).and_then(|entry| entry.quiet_since);
        since.is_some_and(|since| now - since < LIST_LAG)
    }

    /// Its old serial returns with it, so that old buttons work again. An answer that was under way
    /// goes on its way again. The list may have been read before the ask ended, so it does not ring
    /// before a second one, if it ended a moment ago.
    fn reopen(&mut self, ask: Ask, now: Timestamp, step: &mut Step) {
        let Some(memory) = self.memory.remove(&ask.id) else { return };
        let id = ask.id.clone();
        let mut entry = super::Entry::new(ask, memory.serial);
        entry.quiet_since = (now - memory.at < QUIET_FOR).then_some(now);
        entry.reminded_at = Some(now);
        if let Some((answer, by)) = memory.given {
            entry.state = AskState::Answering {
                answer,
                by,
                at: now,
                attempts: 0,
                tried_at: None,
                sent_at: None,
            };
        }
        self.take_back(&mut entry);
        step.news.push(News::Reopened(id.clone()));
        self.insert(entry);
        self.save(&id, step);
        self.retry(&id, now, step);
        self.ring(&id, now, step);
    }

    /// The source has the ask; `busy` tells whether its session still waits for it. One with an
    /// answer on its way is never given up for that: the delivery will tell.
    fn confirm(&mut self, id: &AskId, busy: bool, now: Timestamp, step: &mut Step) {
        let Some(entry) = self.entries.get_mut(id) else { return };
        entry.hold_until = None;
        let quiet_long = entry.quiet_since.is_some_and(|since| now - since >= QUIET_FOR);
        if !busy && quiet_long && entry.state == AskState::Open {
            self.settle(id, Outcome::Gone, now, step);
            return;
        }
        entry.quiet_since = if busy { None } else { entry.quiet_since.or(Some(now)) };
        self.redeliver(id, now, step);
        self.ring(id, now, step);
    }

    fn on_quiet(&mut self, source: &SourceId, session: &str, now: Timestamp, step: &mut Step) {
        for id in self.ids_of_session(source, session) {
            if let Some(entry) = self.entries.get_mut(&id) {
                entry.quiet_since.get_or_insert(now);
            }
            self.ring(&id, now, step);
        }
    }

    fn on_disposed(
        &mut self,
        source: &SourceId,
        directory: Option<&str>,
        now: Timestamp,
        step: &mut Step,
    ) {
        for id in self.ids_of_source(source) {
            let entry = self.entries.get(&id);
            let here = |entry: &super::Entry| {
                directory.is_none_or(|directory| entry.ask.session.directory == directory)
            };
            if entry.is_some_and(here) {
                self.settle(&id, Outcome::Gone, now, step);
            }
        }
    }

    fn on_described(&mut self, source: &SourceId, session: Session, step: &mut Step) {
        for id in self.ids_of_session(source, &session.id) {
            let Some(entry) = self.entries.get_mut(&id) else { continue };
            if merge(&mut entry.ask.session, &session) {
                self.save(&id, step);
                self.redraw(&id, step);
            }
        }
    }

    /// A 200 without proof, or a session that fell silent: read the list anew.
    pub(super) fn verify(&mut self, id: &AskId, now: Timestamp, step: &mut Step) {
        let Some(entry) = self.entries.get(id) else { return };
        let unproven = matches!(entry.state, AskState::Answering { sent_at: Some(_), .. });
        if !unproven && entry.quiet_since.is_none() {
            return;
        }
        let refreshed_at = self.sources.get(&id.source).and_then(|source| source.refreshed_at);
        if refreshed_at.is_none_or(|at| now - at >= Span::seconds(1)) {
            self.read_anew(&id.source.clone(), now, step);
        }
    }

    fn read_anew(&mut self, source: &SourceId, now: Timestamp, step: &mut Step) {
        self.sources.entry(source.clone()).or_default().refreshed_at = Some(now);
        step.effects.push(Effect::Refresh(source.clone()));
    }

    fn ids_of_session(&self, source: &SourceId, session: &str) -> Vec<AskId> {
        let key = (source.clone(), session.to_owned());
        self.by_session.get(&key).into_iter().flatten().cloned().collect()
    }
}

/// What an ask is that had ended when its source spoke of it.
enum FormerState {
    /// Another one under its name.
    Anew,
    /// The same: it was given up too early, and a false drop is worse than a stale card.
    Again,
    /// Most likely nothing: that was said before it ended. The source's list will tell.
    Late,
}

/// A source that says for long after the end that somebody waits is believed. So is another Beckon at
/// once: what it only lost sight of it calls rejected, having no other word for that. A dismissal of
/// ours that was on its way seems taken by that, and may not have arrived.
fn comes_back(memory: &super::SettledAsk, ask: &Ask, now: Timestamp) -> FormerState {
    let of_kin = !ask.session.via.is_empty();
    match memory.outcome {
        _ if memory.fingerprint != ask.fingerprint() => FormerState::Anew,
        Outcome::Gone => FormerState::Again,
        Outcome::DismissedElsewhere
        | Outcome::Expired
        | Outcome::Answered { answer: Answer::Dismiss, .. }
            if of_kin =>
        {
            FormerState::Again
        }
        _ if now - memory.at >= SAID_LATE => FormerState::Anew,
        _ => FormerState::Late,
    }
}

/// Takes over what is newly known; directory and id stay as they came with the ask.
fn merge(known: &mut Session, news: &Session) -> bool {
    let before = known.clone();
    let fill = |old: &mut Option<String>, new: &Option<String>| {
        if new.is_some() {
            old.clone_from(new);
        }
    };
    fill(&mut known.title, &news.title);
    fill(&mut known.agent, &news.agent);
    fill(&mut known.parent, &news.parent);
    fill(&mut known.last_words, &news.last_words);
    *known != before
}
