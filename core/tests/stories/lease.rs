//! Stories of one bot for several machines: a hub that keeps the last lease, machines whose clocks
//! begin anywhere, and what each of them may send.

mod unreached;

use crate::common::{Story, id, single};
use beckon_core::hub::{
    AskSubject, CardMove, CardPlace, CardRecord, ClaimEnd, HOLDS_FOR, LEASE_LIVES, Lease,
    LeaseClaim, LeaseHolder, LeaseRecord, Permit, Probe, RECORD_VERSION, SharedCards, SharedChats,
    UntoldCards, owner_of, owner_target, way,
};
use beckon_core::{
    Ask, ButtonTarget, Channel, ChannelView, Effect, Event, MOST_COUNTED, PresenceOverride,
    RowChange, SourceReport, Span, Step,
};
use std::collections::BTreeMap;

/// A hub as it treats a lease: it stores a record that expects the last one, and forgets what is
/// old.
#[derive(Default)]
struct Hub {
    last: Option<(LeaseRecord, u64, Span)>,
    sequence: u64,
}

impl Hub {
    fn there(&mut self, now: Span) -> Option<(LeaseRecord, u64)> {
        self.last
            .take_if(|(_, _, at)| now.0 - at.0 >= LEASE_LIVES.0);
        self.last
            .as_ref()
            .map(|(record, sequence, _)| (record.clone(), *sequence))
    }

    fn write(&mut self, claim: &LeaseClaim, now: Span) -> ClaimEnd {
        let there = self.there(now).map_or(0, |(_, sequence)| sequence);
        if there != claim.expects {
            return ClaimEnd::Refused;
        }
        self.sequence += 1;
        self.last = Some((claim.record.clone(), self.sequence, now));
        ClaimEnd::Written(self.sequence)
    }
}

/// A machine with a clock of its own.
struct Machine {
    lease: Lease,
    ahead: i64,
    /// Whether it is stopped, or its claims go nowhere.
    stopped: bool,
}

/// All machines, at a time of the hub's clock.
struct World {
    hub: Hub,
    machines: Vec<Machine>,
    now: i64,
}

impl World {
    fn of(count: usize) -> Self {
        let machine = |number: usize| {
            let ahead = 1_000_000 * i64::try_from(number).unwrap();
            let name = format!("machine{number}");
            let lease = Lease::new(&name, &name, "run", Span(ahead));
            Machine {
                lease,
                ahead,
                stopped: false,
            }
        };
        let machines = (0..count).map(machine).collect();
        let mut world = Self {
            hub: Hub::default(),
            machines,
            now: 0,
        };
        (0..count).for_each(|number| world.connect(number));
        world
    }

    fn connect(&mut self, number: usize) {
        let there = self.hub.there(Span(self.now));
        let machine = &mut self.machines[number];
        machine.lease.connect(there, Span(self.now + machine.ahead));
    }

    fn at(&self, number: usize) -> Span {
        Span(self.now + self.machines[number].ahead)
    }

    fn may_send(&self, number: usize) -> bool {
        self.machines[number]
            .lease
            .permit(self.at(number))
            .allows(self.at(number))
    }

    fn holder(&self, number: usize) -> LeaseHolder {
        self.machines[number].lease.holder(self.at(number))
    }

    /// Lets seconds pass in steps of a tenth, and checks that never two machines may send at once.
    fn pass(&mut self, seconds: i64) {
        for _ in 0..seconds * 10 {
            self.now += 100;
            (0..self.machines.len()).for_each(|number| self.turn(number));
            let senders = (0..self.machines.len())
                .filter(|number| self.may_send(*number))
                .count();
            assert!(senders <= 1, "{senders} may send at {}", self.now);
        }
    }

    fn turn(&mut self, number: usize) {
        let at = self.at(number);
        let machine = &mut self.machines[number];
        if machine.stopped {
            return;
        }
        let Some(claim) = machine.lease.claim(at) else {
            return;
        };
        let end = self.hub.write(&claim, Span(self.now));
        machine.lease.end_claim(&claim, end);
        if let ClaimEnd::Written(sequence) = end {
            for number in 0..self.machines.len() {
                let at = self.at(number);
                let machine = &mut self.machines[number];
                if !machine.stopped {
                    machine.lease.hear(claim.record.clone(), sequence, at);
                }
            }
        }
    }

    fn sender(&self) -> Option<usize> {
        (0..self.machines.len()).find(|number| self.may_send(*number))
    }
}

fn served_by(node: &str, machine: &str) -> LeaseHolder {
    LeaseHolder::Other {
        node: node.into(),
        machine: machine.into(),
    }
}

#[test]
fn one_of_three_serves_and_goes_on_serving() {
    let mut world = World::of(3);
    assert_eq!(world.sender(), None, "nobody before it is written");
    world.pass(1);
    assert_eq!(world.sender(), Some(0));
    assert_eq!(world.holder(1), served_by("machine0", "machine0"));
    world.pass(600);
    assert_eq!(world.sender(), Some(0));
    assert!(
        world.hub.sequence <= 110,
        "it writes no more often than it must"
    );
}

#[test]
fn another_one_follows_when_the_hub_has_forgotten_the_holder() {
    let mut world = World::of(3);
    world.pass(10);
    world.machines[0].stopped = true;
    let since = world.now;
    world.pass(20);
    assert_eq!(
        world.sender(),
        None,
        "the holder has stopped by itself, and nobody else has begun"
    );
    world.pass(12);
    assert_eq!(world.sender(), Some(1));
    assert!(world.now - since >= LEASE_LIVES.0);
    assert_eq!(world.holder(2), served_by("machine1", "machine1"));
    // The stopped machine wakes up, and looks at its clock before anything else.
    world.machines[0].stopped = false;
    assert!(!world.may_send(0));
    world.pass(5);
    assert_eq!((world.sender(), world.may_send(0)), (Some(1), false));
}

#[test]
fn a_holder_stops_before_the_hub_forgets_it_and_counts_from_before_it_wrote() {
    let mut lease = Lease::new("a", "laptop", "run", Span(0));
    lease.connect(None, Span(0));
    let claim = lease.claim(Span(0)).unwrap();
    assert_eq!(
        (claim.expects, lease.claim(Span(1))),
        (0, None),
        "one at a time"
    );
    lease.end_claim(&claim, ClaimEnd::Written(7));
    assert_eq!(lease.permit(Span(4_000)), Permit::Until(HOLDS_FOR));
    assert_eq!(lease.holder(Span(4_000)), LeaseHolder::Own(7));
    assert_eq!(lease.permit(HOLDS_FOR), Permit::Never);
    let told = Permit::Until(HOLDS_FOR);
    assert!(
        told.allows(Span(HOLDS_FOR.0 - 1)) && !told.allows(HOLDS_FOR),
        "also by an old word"
    );
    assert!(HOLDS_FOR < LEASE_LIVES);
    let again = lease.claim(Span(6_000)).unwrap();
    assert_eq!((again.expects, again.at), (7, Span(6_000)));
    // The outcome of the claim is unknown: it is repeated, and the former lease holds as long as it
    // did.
    lease.end_claim(&again, ClaimEnd::Unknown);
    assert_eq!(lease.claim(Span(6_500)), None);
    assert_eq!(lease.claim(Span(7_000)).unwrap().expects, 7);
    assert_eq!(lease.permit(Span(19_999)), Permit::Until(HOLDS_FOR));
}

#[test]
fn what_was_written_and_not_acknowledged_is_known_again_when_it_is_heard() {
    let mut lease = Lease::new("a", "laptop", "run", Span(0));
    lease.connect(None, Span(0));
    let claim = lease.claim(Span(0)).unwrap();
    lease.end_claim(&claim, ClaimEnd::Unknown);
    lease.hear(claim.record.clone(), 9, Span(500));
    assert_eq!(
        lease.permit(Span(500)),
        Permit::Never,
        "nobody knows since when it counts"
    );
    let refreshed = lease.claim(Span(1_000)).unwrap();
    assert_eq!(refreshed.expects, 9);
    lease.end_claim(&refreshed, ClaimEnd::Written(10));
    assert!(lease.permit(Span(1_000)).allows(Span(1_000)));
}

#[test]
fn a_holder_that_is_refused_stops_at_once() {
    let mut lease = Lease::new("a", "laptop", "run", Span(0));
    lease.connect(None, Span(0));
    let claim = lease.claim(Span(0)).unwrap();
    lease.end_claim(&claim, ClaimEnd::Written(7));
    let again = lease.claim(Span(6_000)).unwrap();
    lease.end_claim(&again, ClaimEnd::Refused);
    assert_eq!(lease.permit(Span(6_000)), Permit::Never);
    let other = LeaseRecord {
        node: "b".into(),
        machine: "tower".into(),
        ..claim.record
    };
    lease.hear(other, 12, Span(6_100));
    assert_eq!(lease.holder(Span(6_100)), served_by("b", "tower"));
    assert_eq!(lease.claim(Span(20_000)), None, "it is there");
    assert_eq!(
        lease.claim(Span(21_100)).unwrap().expects,
        0,
        "nobody has heard of it for long"
    );
}

#[test]
fn after_a_restart_its_own_lease_is_taken_at_once_and_a_copy_on_another_machine_is_somebody_else() {
    let record = |run: &str| LeaseRecord {
        v: RECORD_VERSION,
        node: "a".into(),
        machine: "laptop".into(),
        run: run.into(),
        released: false,
    };
    let mut lease = Lease::new("a", "laptop", "second", Span(0));
    lease.connect(Some((record("first"), 5)), Span(0));
    let claim = lease.claim(Span(0)).unwrap();
    assert_eq!(claim.expects, 5);
    lease.end_claim(&claim, ClaimEnd::Written(6));
    assert_eq!(lease.holder(Span(0)), LeaseHolder::Own(6));
    lease.hear(record("copy"), 7, Span(100));
    assert_eq!(lease.permit(Span(100)), Permit::Never);
    assert_eq!(lease.claim(Span(7_000)), None);
}

#[test]
fn who_lets_go_is_followed_at_once() {
    let mut world = World::of(2);
    world.pass(3);
    let at = world.at(0);
    let released = world.machines[0].lease.release(at).unwrap();
    assert!(!world.may_send(0));
    world.machines[0].stopped = true;
    let ClaimEnd::Written(sequence) = world.hub.write(&released, Span(world.now)) else {
        panic!("it was the last one");
    };
    let at = world.at(1);
    world.machines[1].lease.hear(released.record, sequence, at);
    assert_eq!(world.holder(1), LeaseHolder::Nobody);
    world.pass(1);
    assert_eq!(world.sender(), Some(1));
    let at_other = world.at(1);
    assert_eq!(
        world.machines[1]
            .lease
            .release(at_other)
            .map(|it| it.expects),
        Some(3)
    );
}

#[test]
fn without_the_hub_the_last_holder_looks_first_and_the_others_later() {
    let mut world = World::of(2);
    world.pass(10);
    for number in 0..2 {
        let at = world.at(number);
        world.machines[number].lease.disconnect(at);
    }
    assert!(world.may_send(0), "the hub may be back in a moment");
    world.pass(30);
    assert_eq!(
        world.sender(),
        None,
        "somebody else could have the lease by now"
    );
    assert_eq!(world.holder(0), LeaseHolder::Unknown);
    world.pass(20);
    let permit =
        |world: &World, number: usize| world.machines[number].lease.permit(world.at(number));
    assert_eq!(
        [permit(&world, 0), permit(&world, 1)],
        [Permit::Probe, Permit::Never]
    );
    let at = world.at(0);
    world.machines[0].lease.end_probe(Probe::Free, at);
    assert_eq!(world.holder(0), LeaseHolder::Alone);
    world.pass(75);
    assert_eq!(
        [permit(&world, 0), permit(&world, 1)],
        [Permit::Alone, Permit::Probe]
    );
    let at = world.at(1);
    world.machines[1].lease.end_probe(Probe::Served, at);
    world.pass(59);
    assert_eq!(permit(&world, 1), Permit::Never);
    world.pass(2);
    assert_eq!(permit(&world, 1), Permit::Probe);
    world.connect(0);
    world.connect(1);
    assert_eq!(world.sender(), None, "the hub decides again");
    world.pass(1);
    assert_eq!(world.sender(), Some(0));
}

#[test]
fn who_serves_alone_and_is_disturbed_again_and_again_steps_back_for_longer_and_longer() {
    let mut lease = Lease::new("a", "laptop", "run", Span(0));
    assert_eq!(lease.due(Span(0)), Some(Span::seconds(120)));
    let mut now = Span::seconds(120);
    for pause in [60, 120, 240, 480, 600, 600] {
        assert_eq!(lease.permit(now), Permit::Probe);
        lease.end_probe(Probe::Free, now);
        lease.conflict(true, now);
        lease.conflict(true, now);
        assert_eq!(
            lease.permit(now),
            Permit::Alone,
            "once or twice is an accident"
        );
        lease.conflict(true, now);
        assert_eq!(lease.permit(now), Permit::Never);
        now = Span(now.0 + pause * 1_000);
        assert_eq!(lease.permit(Span(now.0 - 1)), Permit::Never);
    }
    lease.end_probe(Probe::Free, now);
    lease.conflict(true, now);
    lease.conflict(true, now);
    let calm = Span(now.0 + 60_000);
    lease.peace(Span(calm.0 - 1));
    lease.peace(calm);
    lease.conflict(true, calm);
    lease.conflict(true, calm);
    assert_eq!(
        lease.permit(calm),
        Permit::Alone,
        "what was a minute ago is another matter"
    );
}

#[test]
fn who_takes_turns_with_another_one_steps_back_though_each_turn_goes_well() {
    let mut lease = Lease::new("a", "laptop", "run", Span(0));
    let mut now = Span::seconds(120);
    lease.end_probe(Probe::Free, now);
    for _ in 0..3 {
        assert_eq!(lease.permit(now), Permit::Alone);
        lease.conflict(true, now);
        // Both machines wait for five seconds, and then the other one lets a poll pass.
        now = Span(now.0 + 8_000);
        lease.reached(now);
        now = Span(now.0 + 2_000);
    }
    assert_eq!(lease.permit(now), Permit::Never);
}

fn stands(token: u64, handle: &str) -> CardRecord {
    CardRecord {
        v: RECORD_VERSION,
        token,
        place: CardPlace::Stands(handle.into()),
    }
}

#[test]
fn of_two_cards_of_an_ask_that_of_the_younger_lease_stays() {
    let ask = || AskSubject {
        node: "Ab3d".into(),
        serial: 7,
    };
    let mirrored = |handle: &str| Some(CardMove::Mirror(CardPlace::Stands(handle.into())));
    let mut cards = SharedCards::default();
    assert_eq!(cards.take(ask(), stands(5, "old"), None), mirrored("old"));
    assert_eq!(
        cards.take(ask(), stands(5, "old"), None),
        None,
        "it is known"
    );
    let written = cards
        .note(&ask(), 9, CardPlace::Stands("new".into()))
        .unwrap();
    assert_eq!(written, stands(9, "new"));
    assert_eq!(cards.note(&ask(), 9, CardPlace::Stands("new".into())), None);
    let late = cards.take(ask(), stands(5, "late"), Some(9));
    assert_eq!(late, Some(CardMove::Stray("late".into())));
    assert_eq!(
        cards.take(ask(), stands(5, "late"), None),
        None,
        "its holder sees to that"
    );
    assert_eq!(cards.get(&ask()), Some(&stands(9, "new")));
    assert_eq!(
        cards.take(ask(), stands(12, "next"), Some(9)),
        mirrored("next")
    );
}

fn at(token: u64, place: CardPlace) -> CardRecord {
    CardRecord {
        v: RECORD_VERSION,
        token,
        place,
    }
}

fn ask_of(serial: u64) -> AskSubject {
    AskSubject {
        node: "Ab3d".into(),
        serial,
    }
}

#[test]
fn whoever_serves_the_bot_closes_what_was_left_open_and_others_only_note_it() {
    let left = || at(5, CardPlace::Leftover("old".into()));
    let mut of_holder = SharedCards::default();
    of_holder.note(&ask_of(7), 9, CardPlace::Ended);
    let closes = Some(CardMove::Leftover("old".into()));
    assert_eq!(of_holder.take(ask_of(7), left(), Some(9)), closes);
    let written = of_holder.note(&ask_of(7), 9, CardPlace::Ended);
    assert_eq!(
        written,
        Some(at(9, CardPlace::Ended)),
        "it is over on the hub too"
    );
    let mut of_another = SharedCards::default();
    assert_eq!(of_another.take(ask_of(7), left(), None), None);
    assert_eq!(
        of_another.get(&ask_of(7)),
        Some(&left()),
        "if it serves next"
    );
}

#[test]
fn what_was_told_of_a_card_is_told_until_the_hub_has_it() {
    let mut untold = UntoldCards::default();
    untold.tell(ask_of(1), stands(5, "first"));
    untold.tell(ask_of(1), stands(5, "first, with a note"));
    untold.tell(ask_of(2), at(5, CardPlace::Ended));
    untold.tell(ask_of(3), stands(5, "heard of"));
    untold.hear(&ask_of(1), &stands(5, "first"));
    untold.hear(&ask_of(3), &stands(5, "heard of"));
    let mut there = SharedCards::default();
    let rest = vec![
        (ask_of(1), stands(5, "first, with a note")),
        (ask_of(2), at(5, CardPlace::Ended)),
    ];
    assert_eq!(untold.after_list(&there), rest);
    // A younger lease has written meanwhile. It may not know the message of the first card, but it
    // knows better about the end of the second.
    there.note(&ask_of(1), 9, CardPlace::Stands("second".into()));
    there.note(&ask_of(2), 9, CardPlace::Stands("anew".into()));
    assert_eq!(untold.after_list(&there), rest[..1]);
    there.tell_anew(&ask_of(1), &rest[0].1);
    assert_eq!(there.get(&ask_of(1)), Some(&stands(9, "second")));
    assert_eq!(there.messages_before(&ask_of(1), 9), None);
    assert_eq!(there.messages_before(&ask_of(1), 12), Some("second"));
    // The hub's list already contains the record.
    let mut of_hub = SharedCards::default();
    of_hub.tell_anew(&ask_of(1), &rest[0].1);
    assert_eq!(untold.after_list(&of_hub), []);
}

#[test]
fn whoever_was_unpaired_stays_so_whatever_old_record_comes_again() {
    let here = |names: &[&str]| -> BTreeMap<String, String> {
        names
            .iter()
            .map(|name| (format!("person:{name}"), "{}".to_owned()))
            .collect()
    };
    let (mut laptop, mut tower) = (SharedChats::default(), SharedChats::default());
    assert_eq!(laptop.reconcile(&here(&["ada", "bob"])).len(), 2);
    let old = laptop.record();
    assert_eq!(tower.merge(old.clone()).len(), 2);
    assert_eq!(
        tower.reconcile(&here(&["ada"])).len(),
        1,
        "Bob is unpaired there"
    );
    assert_eq!(laptop.merge(tower.record()).len(), 1);
    assert_eq!(laptop.get("person:bob"), None);
    assert_eq!(
        (laptop.merge(old.clone()), tower.merge(old)),
        (Vec::new(), Vec::new())
    );
    assert_eq!(laptop, tower);
    // Bob is paired anew and may answer again, everywhere.
    tower.reconcile(&here(&["ada", "bob"]));
    laptop.merge(tower.record());
    assert_eq!(laptop.get("person:bob"), Some("{}"));
    let mut forged = tower.record();
    forged.entries.get_mut("person:bob").unwrap().mark = u64::MAX;
    assert_eq!(
        laptop.merge(forged),
        Vec::new(),
        "no machine has changed anything so often"
    );
}

#[test]
fn of_two_simultaneous_changes_the_stricter_one_holds() {
    let paired = BTreeMap::from([("person:bob".to_owned(), "{}".to_owned())]);
    let (mut laptop, mut tower) = (SharedChats::default(), SharedChats::default());
    laptop.reconcile(&paired);
    tower.merge(laptop.record());
    laptop.reconcile(&BTreeMap::new());
    tower.reconcile(&BTreeMap::from([(
        "person:bob".to_owned(),
        "{\"private\":true}".to_owned(),
    )]));
    let (one, other) = (laptop.record(), tower.record());
    laptop.merge(other);
    tower.merge(one);
    assert_eq!(
        (laptop.get("person:bob"), tower.get("person:bob")),
        (None, None)
    );
}

/// Returns an ask as another machine shows it; its owner's number for it is 7.
fn shared(round: u32) -> Ask {
    let seen = single("q1").fingerprint();
    let mut ask = single("Ab3d-7");
    ask.id.source.0 = "hub:laptop".into();
    (ask.session.via, ask.session.api) = (vec!["Ab3dE6gH1J".into()], Some(way(round, seen)));
    ask
}

#[test]
fn a_button_means_the_same_ask_on_every_machine_and_nothing_else() {
    let mut story = Story::new();
    story.ask(shared(1));
    let view = ChannelView::of(&story.desk, story.now);
    let entry = view.entries().next().unwrap();
    let seen = single("q1").fingerprint();
    let made_for = ButtonTarget {
        serial: 7,
        fingerprint: seen,
    };
    assert_eq!(owner_target(entry), Some(("Ab3dE6gH1J", made_for)));
    assert_eq!(owner_of(entry).map(|ask| ask.serial), Some(7));
    let means = |node: &str, target| view.shared_target(node, target);
    assert_eq!(means("Ab3dE6gH1J", made_for), Some(entry.target()));
    let (others, number) = (
        means("Zz3dE6gH1J", made_for),
        ButtonTarget {
            serial: 8,
            ..made_for
        },
    );
    assert_eq!((others, means("Ab3dE6gH1J", number)), (None, None));
    let several = ButtonTarget {
        fingerprint: seen.times(3),
        ..made_for
    };
    let here = means("Ab3dE6gH1J", several).unwrap();
    assert_eq!(
        here.fingerprint,
        entry.ask.fingerprint().times(3),
        "as many as were shown there"
    );
    for strange in [seen.times(MOST_COUNTED + 9), single("q2").fingerprint()] {
        let other = ButtonTarget {
            fingerprint: strange,
            ..made_for
        };
        let here = means("Ab3dE6gH1J", other).unwrap();
        assert_eq!(view.entry_of(here), None, "it was shown something else");
    }
}

#[test]
fn a_button_of_what_has_ended_is_known_by_its_owner_too() {
    let mut story = Story::new();
    let ask = shared(1);
    let (source, own) = (ask.id.source.clone(), ask.id.own.clone());
    story.ask(ask);
    let report = SourceReport::Rejected { own };
    story.feed(Event::Source(source, report));
    let view = ChannelView::of(&story.desk, story.now);
    let made_for = ButtonTarget {
        serial: 7,
        fingerprint: single("q1").fingerprint(),
    };
    assert!(view.entries().next().is_none());
    assert!(view.shared_target("Ab3dE6gH1J", made_for).is_some());
    assert_eq!(view.shared_target("Zz3dE6gH1J", made_for), None);
}

/// Returns a machine on standby: another one serves the bot, and has sent the card.
fn on_standby() -> Story {
    let mut story = Story::new();
    story.feed(Event::ChannelDown(Channel::Telegram));
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    let step = story.ask(single("q1"));
    assert!(on_telegram(&step).is_empty(), "{step:?}");
    let step = story.sent_as("q1", "theirs");
    assert!(on_telegram(&step).is_empty(), "{step:?}");
    story
}

fn on_telegram(step: &Step) -> Vec<&Effect> {
    let is_there = |effect: &&Effect| {
        matches!(
            effect,
            Effect::Show {
                channel: Channel::Telegram,
                ..
            } | Effect::Update {
                channel: Channel::Telegram,
                ..
            } | Effect::Withdraw {
                channel: Channel::Telegram,
                ..
            }
        )
    };
    step.effects.iter().filter(is_there).collect()
}

#[test]
fn the_next_holder_goes_on_with_the_card_that_stands() {
    let mut story = on_standby();
    let step = story.feed(Event::ChannelUp(Channel::Telegram));
    let [Effect::Show { replaces, .. }, ..] = on_telegram(&step)[..] else {
        panic!("{step:?}")
    };
    assert_eq!(replaces.as_deref(), Some("theirs"));
}

#[test]
fn an_end_that_the_former_holder_did_not_write_is_written_by_the_next() {
    let mut story = on_standby();
    let step = story.replied("q1", "Yes");
    assert!(on_telegram(&step).is_empty(), "{step:?}");
    let step = story.feed(Event::ChannelUp(Channel::Telegram));
    let [Effect::Withdraw { handle, ending, .. }] = on_telegram(&step)[..] else {
        panic!("{step:?}")
    };
    assert_eq!(
        (handle.as_deref(), ending.is_some()),
        (Some("theirs"), true)
    );
}

#[test]
fn an_end_that_another_holder_has_written_is_left_alone() {
    let mut story = on_standby();
    story.replied("q1", "Yes");
    let (channel, ask) = (Channel::Telegram, id("q1"));
    let step = story.feed(Event::EndedElsewhere {
        channel,
        ask: ask.clone(),
    });
    assert_eq!(
        step.save,
        [RowChange::NoCard {
            ask: ask.clone(),
            channel
        }]
    );
    let step = story.feed(Event::EndedElsewhere { channel, ask });
    assert_eq!(step.save, [], "it is known");
    let step = story.feed(Event::ChannelUp(Channel::Telegram));
    assert!(on_telegram(&step).is_empty(), "{step:?}");
}

#[test]
fn who_has_left_the_hub_serves_the_bot_only_while_nobody_else_does() {
    let minutes = |minutes| Span::minutes(minutes).0;
    let from = Span::seconds(45);
    let mut left = Lease::after_leaving("laptop1", "laptop", from);
    assert_eq!(left.permit(Span(0)), Permit::Never);
    assert_eq!(left.due(Span(0)), Some(from));
    let mut now = from;
    for pause in [1, 2, 4, 8, 10, 10].map(minutes) {
        assert_eq!(
            (left.permit(now), left.holder(now)),
            (Permit::Probe, LeaseHolder::Left)
        );
        left.end_probe(Probe::Served, now);
        assert_eq!(left.permit(Span(now.0 + pause - 1)), Permit::Never);
        now = Span(now.0 + pause);
    }
    left.end_probe(Probe::Free, now);
    assert_eq!(
        (left.permit(now), left.holder(now)),
        (Permit::Alone, LeaseHolder::Alone)
    );
    // A machine that is still on the hub has come, and does not step back.
    (0..3).for_each(|_| left.conflict(true, now));
    assert_eq!(
        (left.permit(now), left.holder(now)),
        (Permit::Never, LeaseHolder::Left)
    );
    assert_eq!(left.claim(now), None, "there is no lease to ask for");
}

/// No other machine on this hub wants the bot, but one on another hub does.
#[test]
fn who_holds_a_lease_and_is_disturbed_for_long_leaves_the_bot_to_whom_it_does_not_know() {
    let mut world = World::of(1);
    world.pass(3);
    let disturb = |world: &mut World, others: bool| {
        let at = world.at(0);
        world.machines[0].lease.conflict(others, at);
    };
    let probe = |world: &mut World, found: Probe| {
        let at = world.at(0);
        world.machines[0].lease.end_probe(found, at);
    };
    for _ in 0..20 {
        disturb(&mut world, true);
    }
    assert!(world.may_send(0), "whoever is not on this hub steps back");
    for pause in [60, 120, 240] {
        for _ in 0..5 {
            disturb(&mut world, false);
            world.pass(8);
        }
        assert!(world.may_send(0));
        disturb(&mut world, false);
        assert_eq!(
            (world.sender(), world.holder(0)),
            (None, LeaseHolder::Foreign)
        );
        world.pass(pause - 1);
        assert_eq!(world.machines[0].lease.permit(world.at(0)), Permit::Never);
        world.pass(1);
        assert_eq!(world.machines[0].lease.permit(world.at(0)), Permit::Probe);
        probe(&mut world, Probe::Free);
        assert!(matches!(world.holder(0), LeaseHolder::Own(_)));
    }
    // The pause stays as long as the last one until a minute has passed without a disturbance.
    for _ in 0..6 {
        disturb(&mut world, false);
    }
    world.pass(480);
    probe(&mut world, Probe::Served);
    assert_eq!(world.holder(0), LeaseHolder::Foreign);
    assert_eq!(world.machines[0].lease.permit(world.at(0)), Permit::Never);
    world.pass(600);
    probe(&mut world, Probe::Free);
    world.pass(61);
    for _ in 0..5 {
        disturb(&mut world, false);
    }
    assert!(world.may_send(0), "what disturbed before is forgotten");
}

#[test]
fn a_bot_that_stays_with_another_hub_is_probed_before_it_is_served_on_this_one() {
    let mut world = World::of(1);
    let lease = world.machines[0].lease.clone();
    world.machines[0].lease = lease.looks_first(world.at(0));
    world.connect(0);
    world.pass(3);
    assert_eq!(world.machines[0].lease.permit(world.at(0)), Permit::Probe);
    assert_eq!(world.holder(0), LeaseHolder::Foreign);
    let at = world.at(0);
    world.machines[0].lease.end_probe(Probe::Free, at);
    assert!(world.may_send(0));
}
