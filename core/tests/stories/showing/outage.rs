//! Stories of Telegram being unreachable for a week while asks come and go: nothing is lost, and
//! nothing grows.

use crate::common::*;
use beckon_core::{
    AskId, Channel, Desk, Effect, Event, Policy, PresenceOverride, RowChange, SourceReport, Span,
    Step, Surface,
};
use std::collections::{BTreeMap, BTreeSet};

const TELEGRAM: Channel = Channel::Telegram;
const WEEK: i64 = 7 * 24 * 60;

#[test]
fn a_week_without_telegram_leaves_the_desk_no_larger_than_a_week_with_it() {
    let (mut with, mut without) = (Week::new(), Week::new());
    without.feed(Event::ChannelDown(TELEGRAM));
    for minute in 0..WEEK / 10 {
        with.pass(minute);
        without.pass(minute);
    }
    let (with, without) = (with.size(), without.size());
    assert!(without <= with, "{without} without, {with} with");
}

#[test]
fn after_a_week_without_telegram_every_old_message_tells_its_end_and_what_waits_rings_once() {
    let mut week = Week::new();
    week.ask("early");
    week.ask("late");
    week.feed(Event::ChannelDown(TELEGRAM));
    week.end("early");
    let mut sent = 0;
    for minute in 0..WEEK / 10 {
        sent += week.pass(minute);
    }
    assert_eq!(sent, 0, "nobody was told anything");
    week.ask("new");
    let step = week.feed(Event::ChannelUp(TELEGRAM));
    let ended: Vec<_> = endings(&step)
        .into_iter()
        .filter(|(on, _)| *on == TELEGRAM)
        .collect();
    assert_eq!(ended.len(), 1);
    assert!(ended[0].1.is_some_and(beckon_core::AskState::is_settled));
    let rung = shows(&step)
        .into_iter()
        .filter(|(_, _, replaces)| replaces.is_none());
    let rung: BTreeSet<&str> = rung.map(|(_, own, _)| own).collect();
    let waiting = week.desk.view(week.now).asks;
    let unsent = waiting.iter().map(|ask| ask.entry.ask.id.own.as_str());
    assert_eq!(rung, unsent.filter(|own| *own != "late").collect());
    assert!(shows(&week.feed(Event::Tick)).is_empty());
}

#[test]
fn after_the_outage_nothing_of_it_is_left() {
    let [with, without] = [false, true].map(|cut| over(Week::new(), cut));
    assert!(without.cards.is_empty(), "{:?}", without.cards);
    assert_eq!(without.size(), with.size());
    assert!(
        without.size() < 2_000,
        "only what is known of channels and sources"
    );
}

#[test]
fn a_chat_that_confirms_nothing_holds_its_cards_for_a_month_at_most() {
    let [deaf, fine] = [true, false].map(|deaf| {
        let mut week = Week::new();
        week.deaf = deaf;
        (0..50).for_each(|minute| _ = week.pass(minute));
        week.end("q48");
        week.end("q49");
        assert_eq!(week.cards.is_empty(), !deaf);
        week.now = week.now + Span::minutes(31 * 24 * 60);
        week.feed(Event::Tick);
        week
    });
    assert!(deaf.cards.is_empty(), "{:?}", deaf.cards);
    assert_eq!(deaf.size(), fine.size());
}

#[test]
fn a_chat_that_never_comes_back_is_given_up_after_a_month() {
    let mut week = Week::new();
    week.ask("q1");
    week.feed(Event::ChannelDown(TELEGRAM));
    week.end("q1");
    assert_eq!(week.cards.len(), 1);
    week.now = week.now + Span::minutes(31 * 24 * 60);
    week.feed(Event::Tick);
    assert!(week.cards.is_empty());
    assert!(withdraws(&week.feed(Event::ChannelUp(TELEGRAM))).is_empty());
}

/// Runs a week with or without a cut to Telegram, in which everything is answered, and then more
/// time than anything is remembered.
fn over(mut week: Week, cut: bool) -> Week {
    if cut {
        week.feed(Event::ChannelDown(TELEGRAM));
    }
    for minute in 0..WEEK / 10 {
        week.pass(minute);
    }
    week.feed(Event::ChannelUp(TELEGRAM));
    for ask in week.desk.view(week.now).asks {
        week.end(&ask.entry.ask.id.own);
    }
    week.now = week.now + Span::minutes(2 * WEEK);
    week.feed(Event::Tick);
    week
}

/// A desk whose human is away, two channels that do what they are told, and the rows of the cards.
struct Week {
    desk: Desk,
    now: beckon_core::Timestamp,
    cards: BTreeMap<(AskId, Channel), Option<String>>,
    up: bool,
    /// Whether the chat never reports that a card is gone.
    deaf: bool,
    messages: u32,
}

impl Week {
    fn new() -> Self {
        let desk = Desk::new(Policy::default());
        let mut week = Self {
            desk,
            now: START,
            cards: BTreeMap::new(),
            up: true,
            deaf: false,
            messages: 0,
        };
        week.feed(Event::Said {
            said: PresenceOverride::Away,
            until: None,
        });
        week.feed(Event::ChannelUp(Channel::Desktop));
        week.feed(Event::ChannelUp(TELEGRAM));
        week
    }

    /// Lets ten minutes pass: one ask comes, and the one before the last is answered here or
    /// elsewhere. Returns how many messages were sent.
    fn pass(&mut self, minute: i64) -> u32 {
        let before = self.messages;
        self.now = self.now + Span::minutes(10);
        self.ask(&format!("q{minute}"));
        let own = format!("q{}", minute - 2);
        if minute % 3 == 0 {
            let (ask, by) = (id(&own), Surface::Tray);
            self.feed(Event::Answered {
                ask,
                answer: choose(1),
                seen: None,
                by,
                responder: None,
            });
        }
        self.end(&own);
        self.messages - before
    }

    fn ask(&mut self, own: &str) -> Step {
        let ask = beckon_core::Ask {
            asked_at: self.now,
            ..single(own)
        };
        self.feed(Event::Source(
            ask.id.source.clone(),
            SourceReport::Asked(ask),
        ))
    }

    fn end(&mut self, own: &str) -> Step {
        let answers = Some(vec![vec!["Green".into()]]);
        let replied = SourceReport::Replied {
            own: own.into(),
            answers,
        };
        self.feed(Event::Source(id(own).source, replied))
    }

    /// Runs one turn, and feeds all reports that the channels give about it.
    fn feed(&mut self, event: Event) -> Step {
        match &event {
            Event::ChannelUp(TELEGRAM) => self.up = true,
            Event::ChannelDown(TELEGRAM) => self.up = false,
            _ => {}
        }
        let step = self.desk.handle(event, self.now);
        self.commit(&step);
        for effect in &step.effects {
            if let Some(report) = self.carry_out(effect) {
                self.feed(report);
            }
        }
        step
    }

    fn commit(&mut self, step: &Step) {
        for row in step.save.clone() {
            match row {
                RowChange::Card {
                    ask,
                    channel,
                    handle,
                    ..
                } => {
                    self.cards.insert((ask, channel), handle);
                }
                RowChange::NoCard { ask, channel } => drop(self.cards.remove(&(ask, channel))),
                _ => {}
            }
        }
    }

    fn carry_out(&mut self, effect: &Effect) -> Option<Event> {
        match effect {
            Effect::Show { channel, entry, .. } => {
                assert!(self.up || *channel != TELEGRAM, "told while it is down");
                self.messages += u32::from(*channel == TELEGRAM);
                let (channel, ask) = (*channel, entry.ask.id.clone());
                let handle = format!("card of {ask}");
                Some(Event::Shown {
                    channel,
                    ask,
                    handle,
                })
            }
            Effect::Withdraw {
                channel: TELEGRAM, ..
            } if self.deaf => None,
            Effect::Withdraw { channel, ask, .. } => Some(Event::Withdrawn {
                channel: *channel,
                ask: ask.clone(),
            }),
            _ => None,
        }
    }

    /// Returns the length of everything that the desk holds, written out.
    fn size(&self) -> usize {
        format!("{:?}", self.desk).len()
    }
}
