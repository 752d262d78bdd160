//! Random lives of a desk in a tiny world (`world/`), and what must hold at the end of each.
//!
//! `BECKON_MODEL_CASES` sets how many; `BECKON_MODEL_SEED` runs one and prints its story.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    missing_docs,
    unreachable_pub
)]

mod world;

use beckon_core::{
    Answer, Ask, Channel, Event, Grant, Kind, Outcome, Override, Presence, Press, Reply, Session,
    Sight, SourceReport, Span, State, Surface, Tap, Turn, TurnEnd,
};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use world::{End, Human, Message, Tally, World};

#[test]
fn whatever_happens_every_promise_holds_in_the_end() {
    if let Some(seed) = number("BECKON_MODEL_SEED") {
        return tell(seed);
    }
    let cases = number("BECKON_MODEL_CASES").unwrap_or(100_000);
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get() as u64);
    let (next, tally) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    let work = || -> Vec<u64> {
        let seeds = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let failed = |seed: &u64| match catch_unwind(|| live(*seed)) {
            Ok(more) => {
                tally.lock().unwrap().add(more);
                false
            }
            Err(_) => true,
        };
        seeds.take_while(|seed| *seed < cases).filter(failed).take(5).collect()
    };
    let failed: Vec<u64> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(failed.is_empty(), "failing seeds (read one with BECKON_MODEL_SEED): {failed:?}");
    let tally = tally.into_inner().unwrap();
    eprintln!("{tally:?}");
    assert!(cases < 1_000 || tally.rarest() >= 4, "too tame a world");
}

/// One life, and what happened in it.
fn live(seed: u64) -> Tally {
    let mut world = World::new(seed);
    happen(&mut world);
    world.settle();
    check(&world);
    world.tally
}

fn happen(world: &mut World) {
    world.connect();
    if !world.rng.one_in(4) {
        begin_well(world);
    }
    for _ in 0..15 + world.rng.below(40) {
        act(world);
    }
}

/// Everything works, and two asks are on the desk.
fn begin_well(world: &mut World) {
    while world.next_event() {}
    world.end_list();
    for _ in 0..2 {
        let now = world.now;
        world.server.ask(&mut world.rng, now);
    }
    while world.next_frame() || world.next_event() || world.next_order() {}
}

/// One thing happens, or nothing.
fn act(world: &mut World) {
    let place = world.rng.below(3);
    match world.rng.below(70) {
        0..=2 | 40..=41 => {
            let now = world.now;
            world.server.ask(&mut world.rng, now);
        }
        4..=8 => drop(world.next_frame()),
        9..=12 => drop(world.next_post()),
        13..=15 => world.next_events(),
        16..=18 => answer(world),
        19..=21 => press(world),
        22 => others_answer(world),
        23 => drop(world.next_inquiry()),
        24 if world.server.frames.is_some() => world.cut(),
        24..=25 if world.server.frames.is_none() => world.connect(),
        25 => world.begin_list(),
        26..=28 => world.end_list(),
        29 => world.server.quiet(place),
        30 => world.server.busy_again(place),
        31 => misfortune(world, place),
        32 => channel_trouble(world),
        33 => human_moves(world),
        34 if world.rng.one_in(2) => world.crash("by chance"),
        35 => close_a_card(world),
        42..=50 => world.next_orders(),
        51..=60 => tap(world),
        61..=63 => write(world),
        64..=65 => human_moves(world),
        66 => finish_a_turn(world),
        67 if world.rng.one_in(3) => sleep(world),
        68 => ask_something_else(world),
        69 => {
            let by = [Span::seconds(-7_200), Span::seconds(7_200), Span::seconds(-9)];
            let by = by[world.rng.below(3)];
            world.set_clock(by);
        }
        36..=37 => {
            let span = Span::millis(world.rng.below(4_000) as i64);
            world.pass(span);
        }
        _ => {
            let span = Span::millis(world.rng.below(400) as i64);
            world.pass(span);
        }
    }
}

fn answer(world: &mut World) {
    let asks: Vec<Ask> =
        world.desk.view(world.now).asks.into_iter().map(|ask| ask.entry.ask).collect();
    let Some(ask) = world.rng.pick(&asks) else { return };
    let answer = any_answer(world, &ask);
    let by = [Surface::Cli, Surface::Window, Surface::Telegram][world.rng.below(3)];
    world.feed(Event::Answered { ask: ask.id, answer, seen: None, by });
}

fn any_answer(world: &mut World, ask: &Ask) -> Answer {
    let one = Reply::choice(world.rng.below(3));
    match (&ask.kind, world.rng.below(4)) {
        (Kind::Permission(_), 0) => Answer::Grant(Grant::Always),
        (Kind::Permission(_), 1) => Answer::Grant(Grant::Reject { reason: Some("no".into()) }),
        (Kind::Permission(_), _) => Answer::Grant(Grant::Once),
        (_, 0) => Answer::Dismiss,
        (Kind::Questions(questions), _) if questions.len() == 2 => {
            Answer::Replies(vec![one, Reply { choices: vec![2, 0], text: Some("and".into()) }])
        }
        (_, 1) => Answer::Replies(vec![Reply::text("my own")]),
        _ => Answer::Replies(vec![one]),
    }
}

/// A press on any card that stands, also on one of the past.
fn press(world: &mut World) {
    let cards: Vec<_> = world.desktop.cards.values().cloned().collect();
    let Some(card) = world.rng.pick(&cards) else { return };
    let press = match &world.server.asks[&card.ask.own].ask.kind {
        Kind::Permission(_) => Press::Once,
        _ => Press::Choose { question: 0, choice: world.rng.below(3) },
    };
    let by = Surface::Notification;
    if let Some(Ok(id)) = world.feed(Event::Pressed { target: card.target, press, by }) {
        assert_eq!(id, card.ask, "a button of one ask answered another");
    }
}

/// A tap on any message of the chat, also on an old keyboard.
fn tap(world: &mut World) {
    let Some(message) = any_message(world) else { return };
    let target = message.entry.target();
    let tap = any_tap(world, &message.entry.ask);
    let (sight, by) = (any_sight(world), Surface::Telegram);
    draft(world, &message, Event::Tapped { target, tap, sight, by });
}

fn any_message(world: &mut World) -> Option<Message> {
    let count = world.chat.messages.len().max(1);
    world.chat.messages.values().nth(world.rng.below(count)).cloned()
}

fn any_tap(world: &mut World, ask: &Ask) -> Tap {
    let question = world.rng.below(ask.questions().len().max(1));
    let taps: &[Tap] = match &ask.kind {
        Kind::Permission(_) => &[
            Tap::Once,
            Tap::Always,
            Tap::Reject,
            Tap::RejectWithReason,
            Tap::Sure,
            Tap::SureHidden,
            Tap::Keep,
        ],
        _ => &[
            Tap::Choose { question, choice: world.rng.below(4) },
            Tap::Choose { question, choice: world.rng.below(3) },
            Tap::Done { question },
            Tap::Own { question },
            Tap::Back,
            Tap::Review,
            Tap::Send,
            Tap::Dismiss,
            Tap::Sure,
            Tap::Keep,
        ],
    };
    taps[world.rng.below(taps.len())]
}

fn write(world: &mut World) {
    let Some(message) = any_message(world) else { return };
    let target = message.entry.target();
    let text = ["1", "2", "3, 1", "yes", "No", "my own words", " "][world.rng.below(7)].into();
    let (sight, by) = (any_sight(world), Surface::Telegram);
    draft(world, &message, Event::Wrote { target, text, sight, by });
}

fn any_sight(world: &mut World) -> Sight {
    [Sight::Clear, Sight::Obscured][world.rng.below(2)]
}

fn draft(world: &mut World, message: &Message, event: Event) {
    let Some(verdict) = world.feed(event) else { return };
    let entry = world.desk.entry(&message.ask);
    if let Ok(id) = verdict {
        assert_eq!(id, message.ask, "a tap on one card moved another");
        let entry = entry.expect("it is on the desk");
        let started = entry
            .draft
            .as_ref()
            .is_some_and(|draft| draft.replies.len() == entry.ask.questions().len());
        let open = entry.state == State::Open;
        assert_eq!(started, open, "{id}: {:?}", entry.draft);
        world.tally.moves += u64::from(open);
        world.tally.completed += u64::from(!open);
    }
}

fn finish_a_turn(world: &mut World) {
    let took = Span::seconds(world.rng.below(120) as i64);
    let turn = Turn { session: Session::default(), took, end: TurnEnd::Done };
    world.report(SourceReport::Turn(turn));
}

/// A laptop is shut and opened; what tells of it may come late, or not at all.
fn sleep(world: &mut World) {
    if world.rng.one_in(2) {
        world.feed(Human::reading(Presence::Asleep, None));
    }
    let span = Span::millis(world.rng.below(120_000) as i64);
    world.sleep(span);
    if world.rng.one_in(2) {
        world.feed(Human::reading(Presence::Here, None));
    }
}

fn others_answer(world: &mut World) {
    let open: Vec<Ask> = world.server.open().map(|held| held.ask.clone()).collect();
    let Some(ask) = world.rng.pick(&open) else { return };
    let answer = any_answer(world, &ask);
    world.server.others_answer(&ask.id.own, &answer);
}

/// A server that lies, or counts anew.
fn ask_something_else(world: &mut World) {
    let open: Vec<String> = world.server.open().map(|held| held.ask.id.own.clone()).collect();
    if let Some(own) = world.rng.pick(&open) {
        world.server.change(&own, &mut world.rng);
    }
}

fn misfortune(world: &mut World, place: usize) {
    match world.rng.below(4) {
        0 => world.server.delete(place),
        1 => world.server.dispose(Some("/a")),
        2 => world.server.dispose(None),
        _ => {
            world.server.restart();
            world.cut();
        }
    }
}

fn channel_trouble(world: &mut World) {
    // A channel speaks in order: what it has shown is told before it fails.
    while world.next_event() {}
    let (channel, up) = match world.rng.one_in(2) {
        true => (Channel::Desktop, &mut world.desktop.up),
        false => (Channel::Telegram, &mut world.chat.up),
    };
    *up = !*up;
    let event = if *up { Event::ChannelUp(channel) } else { Event::ChannelDown(channel) };
    match channel {
        Channel::Desktop if !world.desktop.up => world.desktop.fail(world.rng.one_in(2)),
        Channel::Telegram if !world.chat.up => world.chat.fail(),
        _ => {}
    }
    world.feed(event);
}

fn human_moves(world: &mut World) {
    let soon = Some(world.now + Span::seconds(5));
    let event = match world.rng.below(11) {
        0..=1 => Human::reading(Presence::Here, None),
        2 => Human::reading(Presence::Idle, Some(world.now)),
        3 => Human::reading(Presence::Locked, None),
        4 => Human::reading(Presence::Unknown, None),
        5 => Human::reading(Presence::Asleep, None),
        6 => Event::Said { said: Override::Away, until: None },
        7 => Event::Said { said: Override::Here, until: None },
        8 => Event::Said { said: Override::Away, until: soon },
        9 => Event::Said { said: Override::Auto, until: None },
        _ => Event::Pause(soon),
    };
    world.feed(event);
}

fn close_a_card(world: &mut World) {
    let handles: Vec<String> = world.desktop.cards.keys().cloned().collect();
    let Some(handle) = world.rng.pick(&handles).filter(|_| world.desktop.up) else { return };
    if let Some(ask) = world.desktop.close(&handle) {
        world.inbox.push_back(Event::Closed { channel: Channel::Desktop, ask });
    }
}

fn check(world: &World) {
    every_open_ask_is_visible(world);
    every_answer_arrived(world);
    every_outcome_is_true(world);
    every_notification_is_where_it_belongs(world);
    every_message_says_what_holds(world);
    nothing_is_left_in_the_rows(world);
}

fn every_open_ask_is_visible(world: &World) {
    let view = world.desk.view(world.now);
    for held in world.server.open().filter(|held| world.server.waits(&held.ask.id.own)) {
        let seen = view.waiting().filter(|ask| ask.entry.ask.id == held.ask.id).count();
        assert_eq!(seen, 1, "{} waits at the server", held.ask.id);
    }
    for ask in &view.asks {
        let id = &ask.entry.ask.id;
        assert!(world.server.waits(&id.own), "{id} is on the desk, and nobody waits for it");
    }
}

fn every_answer_arrived(world: &World) {
    for ((id, _), answer) in &world.accepted {
        let held = &world.server.asks[&id.own];
        // What was sent before something else was asked was for that.
        if held.changed {
            continue;
        }
        let honest = held.posts.iter().all(|post| post == answer);
        assert!(honest, "{id}: accepted {answer:?}, sent {:?}", held.posts);
        match &held.end {
            Some(End::Ours(received)) => assert!(honest, "{id}: received {received:?}"),
            Some(_) => {}
            None => {
                let waits = world.server.waits(&id.own);
                assert!(!waits, "{id}: {answer:?} was accepted and never arrived");
            }
        }
    }
    for held in world.server.asks.values().filter(|held| !held.posts.is_empty()) {
        let said = world.accepted.keys().any(|(id, _)| *id == held.ask.id);
        assert!(said, "{}: nobody said that", held.ask.id);
    }
}

/// An old server says 200 to everything, so "gone after a 200" may take another's answer for ours;
/// a new one proves all it says.
fn every_outcome_is_true(world: &World) {
    for held in world.server.asks.values() {
        let Some(memory) = world.desk.memory(&held.ask.id) else { continue };
        if held.changed {
            continue;
        }
        let real = held.end.as_ref();
        match &memory.outcome {
            Outcome::Answered { answer, .. } => {
                let seen = (held.ask.id.clone(), memory.fingerprint);
                assert_eq!(Some(answer), world.accepted.get(&seen));
                let told = held.ask.told(answer);
                let same = matches!(real, Some(End::Others(others)) if *others == told);
                let ours = real == Some(&End::Ours(answer.clone())) || same;
                assert!(ours || world.server.silent, "{}: {real:?}", held.ask.id);
            }
            Outcome::Elsewhere { answers } => {
                assert_eq!(real, Some(&End::Others(answers.clone())), "{}", held.ask.id);
            }
            Outcome::Expired | Outcome::DismissedElsewhere | Outcome::Gone => {}
        }
    }
}

fn every_notification_is_where_it_belongs(world: &World) {
    let view = world.desk.view(world.now);
    assert_eq!(view.presence.away, world.human.away(&world.policy, world.now));
    let mut counts = BTreeMap::new();
    for card in world.desktop.cards.values().filter(|card| !card.lost) {
        *counts.entry(&card.ask).or_insert(0) += 1;
    }
    for ask in view.waiting() {
        let id = &ask.entry.ask.id;
        let count = counts.remove(id).unwrap_or(0);
        let paused = world.human.paused(world.now);
        let wanted = usize::from(!paused && !world.closed.contains(id));
        assert!(count == wanted || (!world.desktop.up && count <= 1), "{id}: {count} cards");
    }
    assert!(!world.desktop.up || counts.is_empty(), "left on the desktop: {counts:?}");
}

fn every_message_says_what_holds(world: &World) {
    if !world.chat.up {
        return;
    }
    for (id, count) in &world.chat.sent {
        // Something else is another ring.
        if world.server.asks[&id.own].changed {
            continue;
        }
        let reopened = world.reopened.get(id).unwrap_or(&0);
        assert!(*count <= 1 + reopened, "{id}: the phone rang {count} times");
    }
    let mut live = BTreeMap::new();
    for message in world.chat.messages.values() {
        match (world.desk.entry(&message.ask), message.live) {
            (Some(entry), true) => {
                assert_eq!(message.entry.state, entry.state, "{}", message.ask);
                assert_eq!(message.entry.draft, entry.draft, "{}", message.ask);
                *live.entry(message.ask.clone()).or_insert(0) += 1;
            }
            (None, true) => panic!("{}: a message that waits for ever", message.ask),
            (_, false) => every_last_line_is_true(world, message),
        }
    }
    for ask in world.desk.view(world.now).waiting() {
        let (id, asked_at) = (&ask.entry.ask.id, ask.entry.ask.asked_at);
        let wanted = world.human.wants(Channel::Telegram, &world.policy, asked_at, world.now);
        let count = live.get(id).copied().unwrap_or(0);
        assert!(count == 1 || (count == 0 && !wanted), "{id}: {count} messages");
    }
}

/// What became of a vanished ask may be found out when the line is written already.
fn every_last_line_is_true(world: &World, message: &Message) {
    if world.server.asks[&message.ask.own].changed {
        return;
    }
    let outcome = world.desk.memory(&message.ask).map(|memory| &memory.outcome);
    let gone = message.ending == Some(Outcome::Gone);
    assert!(gone || message.ending.as_ref() == outcome, "{}: {message:?}", message.ask);
}

/// What a restart would read is what the desk holds.
fn nothing_is_left_in_the_rows(world: &World) {
    let saved = world.rows.load();
    for entry in &saved.entries {
        let id = &entry.ask.id;
        let Some(held) = world.desk.entry(id) else {
            assert!(!world.chat.up || !world.desktop.up, "{id}: a card for ever");
            continue;
        };
        assert_eq!((&entry.state, &entry.draft), (&held.state, &held.draft), "{id}");
        // A start puts times right that are still to come, and saves them with what comes next.
        if world.tally.clocks_set == 0 {
            assert_eq!(entry.reminded_at, held.reminded_at, "{id}");
        }
        for (channel, card) in &held.cards {
            let row = entry.cards.get(channel).map(|card| (&card.handle, card.closed));
            assert_eq!(row, Some((&card.handle, card.closed)), "{id} on {channel:?}");
        }
    }
}

/// Runs one seed and prints what happened.
fn tell(seed: u64) {
    let mut world = World::new(seed);
    world.log = Some(Vec::new());
    let result = catch_unwind(AssertUnwindSafe(|| {
        happen(&mut world);
        world.settle();
        check(&world);
    }));
    eprintln!("{}", world.log.unwrap().join("\n"));
    assert!(result.is_ok(), "seed {seed} fails");
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
