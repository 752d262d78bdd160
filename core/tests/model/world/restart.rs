//! The death of Beckon, alone or with the whole machine, and its new start with what is on the
//! disk.

use super::{Human, World, seen};
use beckon_core::{AskState, Channel, Desk, Event, Span};

impl World {
    /// Kills Beckon with SIGKILL, or cuts the power of its machine, and starts it again.
    pub fn crash(&mut self, when: &str) {
        let power = self.rng.one_in(3);
        self.note(|| format!("{} {when}", if power { "POWER CUT" } else { "CRASH" }));
        self.tally.crashes += 1;
        self.forget_rooms();
        if power {
            self.cut_power();
        }
        if self.rng.one_in(8) {
            self.set_clock_unseen();
        }
        let used = self.disk.open();
        self.lose_what_is_not_saved();
        self.inbox = [Channel::Desktop, Channel::Telegram]
            .map(Event::ChannelUp)
            .into();
        let saved = self.disk.rows.load(used);
        self.human = Human {
            said: saved.said,
            said_until: saved.said_until,
            paused_until: saved.paused_until,
            ..Human::default()
        };
        self.away = self.human.away(&self.policy, self.now);
        self.desk = Desk::restore(self.policy, saved, self.now);
    }

    /// Drops what the process knew. Some of its requests are on their way.
    fn forget_rooms(&mut self) {
        self.chat.fail();
        self.chat.up = true;
        self.heard.clear();
        self.inquiries.clear();
        (self.window, self.returned_now) = (None, false);
        (self.server.frames, self.reading, self.wants_list) = (None, None, false);
        let mut posts = std::mem::take(&mut self.posts);
        posts.retain(|_| self.rng.one_in(2));
        posts.iter_mut().for_each(|post| post.orphan = true);
        self.posts = posts;
    }

    /// Loses the tail of the disk, empties the desktop, and ends the agents of this machine.
    fn cut_power(&mut self) {
        self.tally.power_cuts += 1;
        let lost = self.disk.lose_tail(&mut self.rng);
        self.tally.lost_steps += lost;
        self.losses += u64::from(lost > 0);
        self.note(|| format!("{lost} steps are lost"));
        self.desktop.fail(true);
        self.desktop.up = true;
        if self.rng.one_in(2) {
            self.server.restart();
        }
        (self.reminders, self.warnings) = Default::default();
    }

    /// Sets a wrong clock right before Beckon runs.
    fn set_clock_unseen(&mut self) {
        let by = [Span::seconds(-7_200), Span::seconds(7_200)][self.rng.below(2)];
        self.note(|| format!("the clock is set by {by:?} meanwhile"));
        self.tally.clocks_set_unseen += 1;
        self.now = self.now + by;
        (self.reminders, self.warnings) = Default::default();
    }

    fn lose_what_is_not_saved(&mut self) {
        let rows = &self.disk.rows;
        self.phone.restart(rows.read);
        let closed = rows
            .cards
            .iter()
            .filter(|((id, of), card)| *of == Channel::Desktop && card.closed && !rows.is_over(id));
        self.closed = closed.map(|((id, _), _)| id.clone()).collect();
        self.kept = rows.kept().cloned().collect();
        self.losses += u64::from(!self.unsaved.is_empty());
        self.lose_cards();
        self.forget_answers();
    }

    /// Makes the rooms forget the cards, as at a start. They are told again where cards are; a card
    /// whose handle is not noted is not found any more, and its buttons stay.
    fn lose_cards(&mut self) {
        let rows = &self.disk.rows;
        self.desktop
            .forget(|ask, handle| rows.has_card(ask, Channel::Desktop, handle));
        let (strays, messages) = (&mut self.strays, &mut self.chat.messages);
        for (ask, handle) in std::mem::take(&mut self.chat.known) {
            let Some(message) = messages.get_mut(&handle) else {
                continue;
            };
            message.stray |= message.live && !rows.has_card(&ask, Channel::Telegram, &handle);
            let stands = rows.cards_of(&ask).remove(&Channel::Telegram);
            let is_its = stands.is_some_and(|card| card.handle.as_ref() == Some(&handle));
            *strays.entry(ask.clone()).or_default() += u32::from(!is_its && !rows.is_over(&ask));
        }
        self.going.clear();
        self.tally.strays += messages.values().filter(|message| message.stray).count() as u64;
        if !self.unsaved.is_empty() {
            (self.reminders, self.warnings) = Default::default();
        }
    }

    /// Removes answers that a full disk could not save, which is its price. Their asks wait anew.
    fn forget_answers(&mut self) {
        for key in std::mem::take(&mut self.at_risk) {
            let row = self.disk.rows.asks.get(&key.0).map(|row| &row.entry);
            let known =
                row.is_some_and(|entry| seen(entry) == key && entry.state != AskState::Open);
            if let Some(answer) = (!known).then(|| self.accepted.remove(&key)).flatten() {
                self.tally.forgotten_answers += 1;
                self.forgotten.entry(key.0).or_default().push(answer);
            }
        }
    }
}
