//! The promises that must hold at the end of a life, when nothing more is under way.

use crate::world::{End, Message, World};
use beckon_core::{Ask, ButtonTarget, Channel, Entry, Outcome};
use std::collections::BTreeMap;

pub fn check(world: &World) {
    every_open_ask_is_visible(world);
    every_answer_arrived(world);
    every_outcome_is_true(world);
    every_notification_is_where_it_belongs(world);
    every_message_says_what_holds(world);
    nothing_is_left_in_the_rows(world);
}

fn every_open_ask_is_visible(world: &World) {
    let view = world.desk.view(world.now);
    for held in world
        .server
        .open()
        .filter(|held| world.server.waits(&held.ask.id.own))
    {
        let seen = view
            .waiting()
            .filter(|ask| shows(&ask.entry, &held.ask))
            .count();
        assert_eq!(seen, 1, "{} waits at the server", held.ask.id);
    }
    for ask in &view.asks {
        let id = &ask.entry.ask.id;
        assert!(
            world.server.waits(&id.own),
            "{id} is on the desk, and nobody waits for it"
        );
    }
}

/// Tells whether an entry shows the ask, as its own or as an equal one that is stacked behind it,
/// and in the session that waits for it.
fn shows(entry: &Entry, ask: &Ask) -> bool {
    let of_session = entry.ask.session.id == ask.session.id;
    let equal = entry.also_asked > 0 && entry.ask.kind == ask.kind;
    of_session && (entry.ask.id == ask.id || equal)
}

fn every_answer_arrived(world: &World) {
    for ((id, _), answer) in &world.accepted {
        let held = &world.server.asks[&id.own];
        // Answers that were sent before the content changed were for the former content.
        if held.changed {
            continue;
        }
        let forgotten = world.forgotten.get(id).into_iter().flatten();
        let given: Vec<_> = forgotten.chain([answer]).collect();
        let honest = held.posts.iter().all(|post| given.contains(&post));
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
    for held in world
        .server
        .asks
        .values()
        .filter(|held| !held.posts.is_empty())
    {
        let said = world.accepted.keys().any(|(id, _)| *id == held.ask.id);
        let forgotten = world.forgotten.contains_key(&held.ask.id);
        assert!(said || forgotten, "{}: nobody said that", held.ask.id);
    }
}

/// Checks that each outcome is what really happened. An old server says 200 to everything, so "gone
/// after a 200" may take another client's answer for ours; a new one proves all it says.
fn every_outcome_is_true(world: &World) {
    for held in world.server.asks.values() {
        let Some(memory) = world.desk.memory(&held.ask.id) else {
            continue;
        };
        if held.changed {
            continue;
        }
        let real = held.end.as_ref();
        match &memory.outcome {
            Outcome::Answered { answer, .. } => {
                let target = ButtonTarget {
                    serial: memory.serial,
                    fingerprint: memory.fingerprint,
                };
                let seen = (held.ask.id.clone(), target);
                assert_eq!(Some(answer), world.accepted.get(&seen));
                let told = held.ask.to_source_texts(answer);
                let same = matches!(real, Some(End::Others(others)) if *others == told);
                let ours = real == Some(&End::Ours(answer.clone())) || same;
                let forgotten = world.forgotten.contains_key(&held.ask.id);
                assert!(
                    ours || forgotten || world.server.silent,
                    "{}: {real:?}",
                    held.ask.id
                );
            }
            Outcome::Elsewhere { answers } => {
                let others = real == Some(&End::Others(answers.clone()));
                let forgotten = world.forgotten.contains_key(&held.ask.id);
                assert!(others || forgotten, "{}: {real:?}", held.ask.id);
            }
            Outcome::Expired | Outcome::DismissedElsewhere | Outcome::Gone => {}
        }
    }
}

fn every_notification_is_where_it_belongs(world: &World) {
    let view = world.desk.view(world.now);
    assert_eq!(
        view.presence.away,
        world.human.away(&world.policy, world.now)
    );
    let mut counts = BTreeMap::new();
    for card in world.desktop.cards.values().filter(|card| !card.lost) {
        *counts.entry(&card.ask).or_insert(0) += 1;
    }
    for ask in view.waiting() {
        let id = &ask.entry.ask.id;
        let count = counts.remove(id).unwrap_or(0);
        let paused = world.human.paused(world.now);
        let rings = !paused && ask.entry.attention.is_wanted();
        let wanted = usize::from(rings && !world.closed.contains(id));
        assert!(
            count == wanted || (!world.desktop.up && count <= 1),
            "{id}: {count} cards"
        );
    }
    assert!(
        !world.desktop.up || counts.is_empty(),
        "left on the desktop: {counts:?}"
    );
}

fn every_message_says_what_holds(world: &World) {
    if !world.chat.up {
        return;
    }
    for (id, count) in &world.chat.sent {
        // A changed ask rings again.
        if world.server.asks[&id.own].changed {
            continue;
        }
        let again = [&world.reopened, &world.strays].map(|of| of.get(id).unwrap_or(&0));
        assert!(
            *count <= 1 + again[0] + again[1],
            "{id}: the phone rang {count} times"
        );
    }
    let mut live = BTreeMap::new();
    for message in world
        .chat
        .messages
        .values()
        .filter(|message| !message.stray)
    {
        match (world.desk.entry(&message.ask), message.live) {
            (Some(entry), true) => {
                assert_eq!(message.entry.state, entry.state, "{}", message.ask);
                assert_eq!(message.entry.draft, entry.draft, "{}", message.ask);
                let serials = (message.entry.serial, message.rang_for);
                assert_eq!(
                    serials,
                    (entry.serial, entry.serial),
                    "{} never rang",
                    message.ask
                );
                *live.entry(message.ask.clone()).or_insert(0) += 1;
            }
            (None, true) => panic!("{}: a message that waits for ever", message.ask),
            (_, false) => every_last_line_is_true(world, message),
        }
    }
    for ask in world.desk.view(world.now).waiting() {
        let id = &ask.entry.ask.id;
        let wanted = world.is_wanted(Channel::Telegram, &ask.entry);
        let count = live.get(id).copied().unwrap_or(0);
        assert!(
            count == 1 || (count == 0 && !wanted),
            "{id}: {count} messages"
        );
    }
}

/// Checks that the last line of a message is true. An exception is a vanished ask whose outcome
/// became known after the line was written; another is a line by a Beckon that has lost its memory
/// since.
fn every_last_line_is_true(world: &World, message: &Message) {
    let held = &world.server.asks[&message.ask.own];
    // When the name was given to another ask, nothing more is known of the former one than that it
    // is over.
    let is_former = world.serial_of(&message.ask) != Some(message.entry.serial);
    if held.changed || (is_former && message.ending.is_none()) {
        return;
    }
    let outcome = world
        .desk
        .memory(&message.ask)
        .map(|memory| &memory.outcome);
    let says = match &message.ending {
        Some(Outcome::Elsewhere { answers }) => Some(End::Others(answers.clone())),
        Some(Outcome::DismissedElsewhere) => Some(End::Others(None)),
        Some(Outcome::Expired) => Some(End::Ours(held.ask.refusal())),
        Some(Outcome::Answered { answer, .. }) => Some(End::Ours(answer.clone())),
        _ => None,
    };
    let gone = message.ending == Some(Outcome::Gone);
    let lost = world.tally.lost_steps + world.tally.refused_steps > 0;
    let told = |end: &End| match end {
        End::Ours(answer) => held.ask.to_source_texts(answer),
        End::Others(answers) => answers.clone(),
        End::Vanished => None,
    };
    let true_then =
        lost && says.is_some() && says.as_ref().map(told) == held.end.as_ref().map(told);
    let holds = gone || true_then || message.ending.as_ref() == outcome;
    assert!(
        holds,
        "{}: {:?} in the chat, {outcome:?} here",
        message.ask, message.ending
    );
}

/// Checks that a restart would read what the desk holds.
fn nothing_is_left_in_the_rows(world: &World) {
    let saved = world.disk.rows.load(0);
    for card in &saved.leftover {
        let may = world.unsaved.contains(&card.ask) || !world.chat.up || !world.desktop.up;
        assert!(may, "{card:?} stands for ever");
    }
    for entry in &saved.entries {
        let id = &entry.ask.id;
        if world.unsaved.contains(id) {
            continue;
        }
        let Some(held) = world.desk.entry(id) else {
            assert!(!world.chat.up || !world.desktop.up, "{id}: a card for ever");
            continue;
        };
        assert_eq!(
            (&entry.state, &entry.draft),
            (&held.state, &held.draft),
            "{id}"
        );
        let waits =
            !held.state.is_settled() && world.tally.clocks_set + world.tally.clocks_set_unseen == 0;
        assert!(!waits || entry.attention == held.attention, "{id}");
        // A start corrects times that lie in the future, and saves them with its next step.
        if world.tally.clocks_set + world.tally.clocks_set_unseen == 0 {
            assert_eq!(entry.reminded_at, held.reminded_at, "{id}");
        }
        for (channel, card) in &held.cards {
            let row = entry
                .cards
                .get(channel)
                .map(|card| (&card.handle, card.closed));
            assert_eq!(
                row,
                Some((&card.handle, card.closed)),
                "{id} on {channel:?}"
            );
        }
    }
}
