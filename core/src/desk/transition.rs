//! The handling of one event: the desk, the time, and what follows.

use super::{Desk, Entry};
use crate::{Ask, Event, News, Step, Timestamp};

/// The way from one state of the desk to the next. It lives for one event, so `now` is one time for
/// all that is decided, and everything that follows is in one step.
pub(super) struct Transition<'a> {
    pub(super) desk: &'a mut Desk,
    pub(super) now: Timestamp,
    pub(super) step: Step,
}

impl Transition<'_> {
    /// Carries the event through, and returns all that follows from it and from the time.
    pub(super) fn complete(mut self, event: Event) -> Step {
        match event {
            Event::Tick => {}
            Event::Source(source, report) => self.on_report(&source, report),
            Event::SourceRemoved(source) => self.on_source_removed(&source),
            Event::Answered {
                ask,
                answer,
                seen,
                by,
                responder,
            } => {
                self.on_answer(ask, answer, seen, (by, responder));
            }
            Event::Attend {
                ask,
                attention,
                seen,
            } => self.on_attend(ask, attention, seen),
            Event::Pressed { target, press, by } => self.on_press(target, press, by),
            Event::Tapped {
                target,
                tap,
                sight,
                by,
                responder,
            } => {
                self.on_tap(target, tap, sight, (by, responder));
            }
            Event::Wrote {
                target,
                seen,
                text,
                sight,
                by,
                responder,
            } => {
                self.on_text(target, (seen, text), sight, (by, responder));
            }
            Event::ChannelUp(channel) => self.on_channel_up(channel),
            Event::ChannelDown(channel) => self.on_channel_down(channel),
            Event::Shown {
                channel,
                ask,
                handle,
            } => self.on_shown(channel, ask, handle),
            Event::Closed { channel, ask } => self.on_closed(channel, &ask),
            Event::CalledFor { channel, ask } => self.on_called_for(channel, &ask),
            Event::Withdrawn { channel, ask } => self.on_withdrawn(channel, ask),
            Event::EndedElsewhere { channel, ask } => self.forget_card(channel, ask),
            Event::Presence(reading) => self.on_presence(reading),
            Event::Said { said, until } => self.on_said(said, until),
            Event::Pause(until) => self.on_pause(until),
            Event::Seats(news) => self.on_seats(news),
            Event::Policy(policy) => self.on_policy(policy),
            Event::User(user) => self.desk.user = Some(user),
            Event::Team(team) => self.on_team(team),
            Event::ClockSet(by) => self.on_clock_set(by),
            Event::UtcOffset(offset) => self.on_utc_offset(offset),
        }
        self.keep_time();
        self.ring_alarms();
        self.forget();
        self.stack_changed();
        self.count_beside();
        self.end_digest();
        self.step
    }

    /// Opens a new ask. When its session is not `busy` it is a zombie suspect from the start, and
    /// silent.
    pub(super) fn open(&mut self, mut ask: Ask, busy: bool) {
        self.desk.last_serial += 1;
        // The source may have read the clock just before it was set back.
        ask.asked_at = ask.asked_at.min(self.now);
        let id = ask.id.clone();
        let mut entry = Entry::new(ask, self.desk.last_serial);
        entry.quiet_since = (!busy).then_some(self.now);
        entry.hold_until = entry.awaits_call().map(|within| self.now + within);
        self.step.news.push(News::Asked(id.clone()));
        self.note_asked();
        self.put(entry);
        self.ring(&id);
        self.note_equal(&id);
    }
}
