//! A small version of the real loop: event, core, commit, effects, with death in between; and the
//! checks of every turn.

use super::{Human, Post, World, seen};
use beckon_core::{
    AnswerRefusal, AskId, AskState, Channel, Effect, Entry, Event, News, Reminder, RowChange, Step,
};

impl World {
    /// Runs one turn of the loop.
    pub fn feed(&mut self, event: Event) -> Option<Result<AskId, AnswerRefusal>> {
        let mut step = self.decide(event);
        let verdict = step.verdict.take();
        self.conclude(step, None)?;
        verdict
    }

    /// Lets the desk decide.
    pub fn decide(&mut self, event: Event) -> Step {
        self.note(|| format!("event {event:?}"));
        self.human.hear(&event);
        self.hear(&event);
        let was_away = std::mem::replace(&mut self.away, self.human.away(&self.policy, self.now));
        self.note_withdrawn(&event);
        let step = self.desk.handle(event, self.now);
        self.note_going(&step);
        let late = self.desk.next_deadline().filter(|at| *at <= self.now);
        assert_eq!(late, None, "a deadline of the past: the loop would spin");
        self.returned_now |= was_away && !self.away;
        self.look_closely();
        step
    }

    /// Commits a step together with the position in Telegram's updates, and executes its effects.
    /// `None` if Beckon dies meanwhile.
    pub fn conclude(&mut self, step: Step, read: Option<i64>) -> Option<()> {
        let returned = std::mem::take(&mut self.returned_now);
        if self.dies() {
            self.crash("before the commit");
            return None;
        }
        let saved = self.disk.commit(&step.save, read);
        self.note_saved(&step, saved);
        if let Some(next) = read.filter(|_| saved) {
            self.phone.saved_up_to(next);
        }
        self.note_serials(&step);
        self.note_kept(&step);
        self.note_answers(&step, saved);
        self.note_cards(&step, returned);
        for effect in step.effects {
            if self.dies() {
                self.crash("before an effect");
                return None;
            }
            self.run(effect);
        }
        Some(())
    }

    /// Notes a step that the disk refused: nothing of it is kept, and the loop goes on.
    fn note_saved(&mut self, step: &Step, saved: bool) {
        if saved {
            return;
        }
        self.note(|| "    the disk is full".into());
        self.tally.refused_steps += 1;
        self.unsaved
            .extend(step.save.iter().filter_map(|row| match row {
                RowChange::Ask(entry) => Some(entry.ask.id.clone()),
                RowChange::Card { ask, .. }
                | RowChange::NoCard { ask, .. }
                | RowChange::Gone { ask, .. } => Some(ask.clone()),
                RowChange::Standing { .. } => None,
            }));
    }

    /// Checks that a number belongs to the same ask for ever, whatever was lost.
    fn note_serials(&mut self, step: &Step) {
        for row in &step.save {
            let RowChange::Ask(entry) = row else { continue };
            let id = &entry.ask.id;
            let of = self
                .serials
                .entry(entry.serial)
                .or_insert_with(|| id.clone());
            assert_eq!(of, id, "the number {} is used twice", entry.serial);
        }
    }

    /// Checks that an answer which was kept for a vanished ask is given back to its human when
    /// another ask gets the name.
    fn note_kept(&mut self, step: &Step) {
        for news in &step.news {
            let News::Asked(id) = news else { continue };
            if self.kept.remove(id) {
                let told = step.news.contains(&News::Returned(id.clone()));
                assert!(told, "{id}: an answer is gone without a word");
                self.tally.came_back_in_place += 1;
            }
        }
        for row in &step.save {
            match row {
                RowChange::Gone {
                    ask,
                    given: Some(_),
                    ..
                } => drop(self.kept.insert(ask.clone())),
                RowChange::Ask(entry) => drop(self.kept.remove(&entry.ask.id)),
                _ => {}
            }
        }
    }

    fn hear(&mut self, event: &Event) {
        match event {
            Event::ChannelUp(channel) => drop(self.heard.insert(*channel)),
            Event::ChannelDown(channel) => drop(self.heard.remove(channel)),
            _ => {}
        }
    }

    /// Counts the answers to withdrawals: each gets one, and those from before the channel went
    /// down get none.
    fn note_withdrawn(&mut self, event: &Event) {
        match event {
            Event::ChannelUp(channel) => self.going.retain(|(_, of), _| of != channel),
            Event::Withdrawn { channel, ask } => {
                let key = (ask.clone(), *channel);
                if let Some((count, _)) = self.going.get_mut(&key) {
                    *count -= 1;
                    if *count == 0 {
                        self.going.remove(&key);
                    }
                }
            }
            _ => {}
        }
    }

    fn note_going(&mut self, step: &Step) {
        for effect in &step.effects {
            match effect {
                Effect::Show { channel, entry, .. } => {
                    self.shown
                        .insert((entry.ask.id.clone(), *channel), entry.serial);
                }
                Effect::Withdraw {
                    channel,
                    ask,
                    handle,
                    ..
                } => {
                    let serial = self.shown_at(ask, *channel, handle.as_ref());
                    self.going
                        .entry((ask.clone(), *channel))
                        .or_insert((0, serial))
                        .0 += 1;
                }
                _ => {}
            }
        }
    }

    /// Returns the number of the ask that the card with that handle shows, or that was shown last.
    fn shown_at(&self, ask: &AskId, channel: Channel, handle: Option<&String>) -> Option<u64> {
        let stands = handle.and_then(|handle| {
            if !channel.stays_until_settled() {
                self.desktop
                    .cards
                    .get(handle)
                    .map(|card| card.target.serial)
            } else {
                self.chat.messages.get(handle).map(|m| m.entry.serial)
            }
        });
        stands.or(self.shown.get(&(ask.clone(), channel)).copied())
    }

    fn dies(&mut self) -> bool {
        !self.calm && self.rng.one_in(200)
    }

    /// Checks, at every fourth turn, that each waiting ask has its cards where it is to ring.
    fn look_closely(&mut self) {
        self.turns += 1;
        if !self.turns.is_multiple_of(4) {
            return;
        }
        for held in self.server.asks.values() {
            let Some(entry) = self.desk.entry(&held.ask.id) else {
                continue;
            };
            if !entry.waits() || entry.hold_until.is_some_and(|until| until > self.now) {
                continue;
            }
            for channel in [Channel::Desktop, Channel::Telegram] {
                self.look_at(entry, channel);
            }
        }
    }

    fn look_at(&self, entry: &Entry, channel: Channel) {
        let stamps = [Some(entry.ask.asked_at), entry.reminded_at, entry.warned_at];
        let to_come = stamps.into_iter().flatten().find(|at| *at > self.now);
        assert_eq!(
            to_come, None,
            "{}: it has happened, and is still to come",
            entry.ask.id
        );
        let id = &entry.ask.id;
        let snooze = entry.attention.wakes_at();
        assert!(
            snooze.is_none_or(|until| until > self.now),
            "{id}: it sleeps on"
        );
        let wanted = self.is_wanted(channel, entry);
        let stands = entry
            .cards
            .get(&channel)
            .map(|card| card.closed || !card.stale);
        // Only one card of a name can be shown at a time.
        let going = self.going.get(&(id.clone(), channel));
        let is_next = going.is_some_and(|(_, serial)| *serial != Some(entry.serial));
        if wanted && !is_next && self.heard.contains(&channel) {
            assert_eq!(stands, Some(true), "{id} is to ring on {channel:?}");
        }
        let closed = entry.cards.get(&channel).is_some_and(|card| card.closed);
        if channel == Channel::Desktop && !wanted {
            assert!(
                stands.is_none() || closed,
                "{id} is not to stand on the desktop"
            );
        }
    }

    /// Tells whether the ask is to ring on that channel, by what its human has said about it and
    /// about themselves.
    pub fn is_wanted(&self, channel: Channel, entry: &Entry) -> bool {
        let since = entry.attention.waits_since(entry.ask.asked_at);
        let rings = self.human.wants(channel, &self.policy, since, self.now);
        rings && entry.attention.is_wanted()
    }

    fn note_answers(&mut self, step: &Step, saved: bool) {
        for news in &step.news {
            let News::Answered(id, _) = news else {
                continue;
            };
            let answered = step.save.iter().find_map(|row| match row {
                RowChange::Ask(entry) if entry.ask.id == *id => match &entry.state {
                    AskState::Answering { answer, .. } => Some((entry, answer.clone())),
                    _ => None,
                },
                _ => None,
            });
            let (entry, answer) = answered.expect("an accepted answer is saved in the same step");
            assert_eq!(entry.ask.check(&answer), Ok(()), "{id}: {answer:?}");
            let seen = seen(entry);
            // An answer that came back may be given anew.
            if self.returned.remove(&seen) {
                self.accepted.remove(&seen);
            }
            let first = self
                .accepted
                .entry(seen.clone())
                .or_insert_with(|| answer.clone());
            assert_eq!(*first, answer, "{id}: a second answer was accepted");
            self.tally.answers += 1;
            if !saved {
                self.at_risk.insert(seen);
            }
        }
    }

    /// Checks that a card which the human closed is shown again only when they return, by a
    /// reminder, or when its ask is opened again.
    fn note_cards(&mut self, step: &Step, returned: bool) {
        let now = self.now;
        let attended = |id: &AskId| step.news.contains(&News::Attention(id.clone()));
        let reminded = |id: &AskId| {
            step.save.iter().any(
                |row| matches!(row, RowChange::Ask(e) if e.ask.id == *id && e.reminded_at == Some(now)),
            )
        };
        for news in &step.news {
            if let News::Returned(id) = news {
                self.tally.came_back += 1;
                let was = self.accepted.keys().filter(|(of, _)| of == id).cloned();
                self.returned.extend(was.collect::<Vec<_>>());
            }
            if let News::Reopened(id) = news {
                *self.reopened.entry(id.clone()).or_default() += 1;
                self.tally.reopened += 1;
            }
            if let News::Attention(id) = news {
                self.tally.attended += 1;
                let wanted = self
                    .desk
                    .entry(id)
                    .filter(|entry| entry.attention.is_wanted());
                self.tally.called_again += u64::from(wanted.is_some());
                // The ask waits anew: its earlier reminders, perhaps one at this very moment,
                // belong to the former wait.
                let again = wanted.map(|entry| entry.serial);
                self.reminders
                    .retain(|(serial, _), _| Some(*serial) != again);
            }
            if let News::Reopened(id) | News::Settled(id, _) = news {
                self.closed.remove(id);
            }
        }
        for row in &step.save {
            match row {
                RowChange::Card {
                    ask, closed: true, ..
                } => drop(self.closed.insert(ask.clone())),
                RowChange::Card {
                    channel: Channel::Desktop,
                    handle: Some(_),
                    ask,
                    ..
                } => {
                    self.closed.remove(ask);
                }
                RowChange::NoCard {
                    ask,
                    channel: Channel::Desktop,
                } if self.closed.contains(ask) => {
                    let changed = self.server.asks[&ask.own].changed;
                    // A card that a crash has left, of an ask without a saved row, is removed for
                    // good.
                    let is_known = self.desk.entry(ask).is_some();
                    let wanted = returned || reminded(ask) || attended(ask) || changed;
                    let wanted = wanted || !is_known;
                    assert!(wanted, "{ask}: a closed card comes back");
                    self.closed.remove(ask);
                    self.tally.brought_back += 1;
                }
                _ => {}
            }
        }
    }

    fn run(&mut self, effect: Effect) {
        self.note(|| format!("    effect {}", short(&effect)));
        self.judge(&effect);
        match effect {
            Effect::Show {
                channel: Channel::Desktop,
                entry,
                replaces,
                ..
            } => {
                self.show(&entry, replaces);
            }
            Effect::Withdraw {
                channel: Channel::Desktop,
                ask,
                handle,
                ..
            } => {
                self.desktop.withdraw(&ask, handle);
                self.inbox.push_back(Event::Withdrawn {
                    channel: Channel::Desktop,
                    ask,
                });
            }
            Effect::Show { .. }
            | Effect::Update {
                channel: Channel::Telegram,
                ..
            }
            | Effect::Withdraw { .. } => {
                self.chat.orders.push_back(effect);
            }
            Effect::Update { .. }
            | Effect::Remind { .. }
            | Effect::Tell { .. }
            | Effect::Digest { .. }
            | Effect::EndDigest { .. } => {}
            Effect::Deliver { entry, answer } => {
                let seen = seen(&entry);
                let given = self.accepted.get(&seen);
                assert_eq!(given, Some(&answer), "{seen:?}: nobody answered that");
                self.posts.push(Post {
                    own: entry.ask.id.own,
                    answer,
                    orphan: false,
                });
            }
            Effect::GiveBack { entry, late } => {
                let seen = seen(&entry);
                let given = self.accepted.get(&seen);
                assert_eq!(given, Some(&late.answer), "{seen:?}: nobody answered that");
                let ours =
                    matches!(&entry.state, AskState::Settled { outcome, .. } if outcome.is_ours());
                assert!(!ours, "{seen:?}: it comes back although it was taken");
            }
            Effect::Refresh(_) => self.begin_list(),
            Effect::Inquire(entry) => self.inquiries.push(entry.ask.id),
        }
    }

    /// Returns the number of the ask that has that name.
    pub fn serial_of(&self, id: &AskId) -> Option<u64> {
        let open = self.desk.entry(id).map(|entry| entry.serial);
        open.or_else(|| self.desk.memory(id).map(|memory| memory.serial))
    }

    /// Checks that the expiry that the human was warned of is on every card.
    fn judge_expiry(&self, entry: &Entry) {
        let warned = entry.state == AskState::Open && entry.warned_at.is_some();
        let question = matches!(entry.ask.kind, beckon_core::AskContent::Questions(_));
        let span = self.policy.expire_after.filter(|_| warned && question);
        let expires = span.map(|span| entry.ask.asked_at + span);
        assert_eq!(entry.expires, expires, "{}", entry.ask.id);
    }

    /// Checks that an effect is right in the present state.
    fn judge(&mut self, effect: &Effect) {
        let (policy, now) = (self.policy, self.now);
        if let Effect::Show { entry, .. } | Effect::Update { entry, .. } = effect {
            self.judge_expiry(entry);
        }
        match effect {
            Effect::Show {
                channel,
                entry,
                replaces,
                silent,
            } => {
                let redrawn = *channel == Channel::Telegram && replaces.is_some();
                let open = entry.state == AskState::Open;
                assert!(open || redrawn, "a new card of an ask that is not open");
                let rings = *channel == Channel::Desktop || replaces.is_none();
                assert!(
                    !rings || (self.is_wanted(*channel, entry) && entry.waits()),
                    "{channel:?}"
                );
                let quiet = *channel == Channel::Telegram && Human::quiet(&policy, now);
                assert!(!rings || *silent == quiet);
                self.tally.messages += u64::from(*channel == Channel::Telegram && rings);
            }
            Effect::Remind {
                channel,
                entry,
                reminder,
                ..
            } => {
                let about = entry.waits() || *reminder == Reminder::Undelivered;
                assert!(about, "a reminder of what does not wait");
                match reminder {
                    Reminder::Undelivered => {
                        self.tally.undelivered += 1;
                        assert!(
                            matches!(entry.state, AskState::Answering { .. }),
                            "{reminder:?}"
                        );
                    }
                    Reminder::StillOpen => {
                        self.tally.reminders += 1;
                        assert!(
                            self.is_wanted(*channel, entry),
                            "a reminder where it does not ring"
                        );
                        let before = self.reminders.insert((entry.serial, *channel), now);
                        let since = entry.attention.waits_since(entry.ask.asked_at);
                        let window = |at: beckon_core::Timestamp| {
                            policy.remind_every.map(|every| (at - since).0 / every.0)
                        };
                        let is_first = |at| at < since || since == now;
                        let may = |at| is_first(at) || window(at) < window(now);
                        assert!(before.is_none_or(may), "a burst");
                    }
                    Reminder::Returned => {
                        let changed = self.server.asks[&entry.ask.id.own].changed;
                        assert!(changed, "an answer came back for nothing");
                    }
                    Reminder::ExpiresAt(at) => {
                        self.tally.warnings += 1;
                        assert!(now < *at, "warned too late");
                        let count = self.warnings.entry((entry.serial, *channel)).or_default();
                        *count += 1;
                        let reopened = self.reopened.get(&entry.ask.id).unwrap_or(&0);
                        assert!(*count <= 1 + reopened, "warned twice");
                    }
                }
            }
            Effect::Withdraw {
                channel: Channel::Telegram,
                ending,
                ask,
                handle,
            } => {
                let shown = self.shown_at(ask, Channel::Telegram, handle.as_ref());
                let is_its = shown.is_some() && self.serial_of(ask) == shown;
                assert!(
                    ending.is_some() || !is_its || handle.is_none(),
                    "{ask}: a message that never tells its end"
                );
            }
            Effect::Digest {
                answered, waiting, ..
            } => {
                self.tally.digests += 1;
                assert!(!self.human.paused(now) && !self.human.away(&policy, now));
                assert!(answered + waiting > 1);
            }
            Effect::Tell { channel, .. } => {
                self.tally.told_turns += 1;
                assert!(!self.human.paused(now));
                assert_eq!(*channel == Channel::Telegram, self.human.away(&policy, now));
            }
            _ => {}
        }
    }

    fn show(&mut self, entry: &Entry, replaces: Option<String>) {
        let ask = entry.ask.id.clone();
        if let Some(handle) = self.desktop.show(&ask, entry.target(), replaces) {
            self.inbox.push_back(Event::Shown {
                channel: Channel::Desktop,
                ask,
                handle,
            });
        }
    }
}

fn short(effect: &Effect) -> String {
    match effect {
        Effect::Show {
            channel,
            entry,
            replaces,
            silent,
        } => {
            format!(
                "show {channel:?} {} {replaces:?} silent {silent}",
                entry.ask.id
            )
        }
        Effect::Update { channel, entry } => format!("update {channel:?} {}", entry.ask.id),
        Effect::Withdraw {
            channel,
            ask,
            handle,
            ending,
        } => {
            let ending = ending.as_ref().map(|entry| &entry.state);
            format!("withdraw {channel:?} {ask} {handle:?} {ending:?}")
        }
        Effect::Remind {
            channel,
            entry,
            reminder,
            ..
        } => {
            format!("remind {channel:?} {} {reminder:?}", entry.ask.id)
        }
        Effect::Deliver { entry, answer } => format!("deliver {} {answer:?}", entry.ask.id),
        other => format!("{other:?}").chars().take(120).collect(),
    }
}
