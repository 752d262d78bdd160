//! The events of one life and their frequencies. The checks are in `promises.rs`, and those of
//! every turn in `world/beckon.rs`.

use crate::world::{Human, Message, Relation, What, World, awaits_words, kind};
use beckon_core::{
    Answer, Ask, AskContent, AskId, Attention, ButtonPress, ButtonTarget, CardTap, Channel, Draft,
    Entry, Event, FinishedTurn, Grant, Presence, PresenceOverride, Reply, Session, SourceReport,
    Span, Surface, TurnEnd,
};
use std::collections::{BTreeSet, VecDeque};

pub fn happen(world: &mut World) {
    world.connect();
    if !world.rng.one_in(4) {
        begin_well(world);
    }
    for _ in 0..15 + world.rng.below(40) {
        act(world);
    }
}

/// Begins with everything working and two asks on the desk.
fn begin_well(world: &mut World) {
    while world.next_event() {}
    world.end_list();
    for _ in 0..2 {
        world.server.ask(&mut world.rng);
    }
    while world.next_frame() || world.next_event() || world.next_order() {}
}

/// Executes at most one event.
fn act(world: &mut World) {
    let place = world.rng.below(3);
    match world.rng.below(73) {
        0..=2 | 40..=41 => world.server.ask(&mut world.rng),
        3 | 72 => count_anew(world),
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
        34 => world.crash("by chance"),
        35 => close_a_card(world),
        42..=50 => world.next_orders(),
        51..=57 => tap(world),
        58..=60 => drop(world.next_updates()),
        61..=63 => write(world),
        64..=65 => human_moves(world),
        66 if world.rng.one_in(2) => finish_a_turn(world),
        66 => disk_trouble(world),
        67 if world.rng.one_in(3) => sleep(world),
        68 => ask_something_else(world),
        69 => {
            let by = [
                Span::seconds(-7_200),
                Span::seconds(7_200),
                Span::seconds(-9),
            ];
            let by = by[world.rng.below(3)];
            world.set_clock(by);
        }
        70..=71 => set_aside(world),
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

/// Answers an ask by its name at once, or in a window that was opened a while ago.
fn answer(world: &mut World) {
    let asks: Vec<Ask> = world
        .desk
        .view(world.now)
        .asks
        .into_iter()
        .map(|ask| ask.entry.ask)
        .collect();
    let Some(ask) = world.rng.pick(&asks) else {
        return;
    };
    match world.rng.below(3) {
        0 => world.window = Some(ask),
        1 => answer_in_window(world),
        _ => {
            let answer = any_answer(world, &ask);
            world.feed(Event::Answered {
                ask: ask.id,
                answer,
                seen: None,
                by: Surface::Cli,
                responder: None,
            });
        }
    }
}

fn answer_in_window(world: &mut World) {
    let Some(ask) = world.window.take() else {
        return;
    };
    let answer = any_answer(world, &ask);
    let (seen, by) = (Some(ask.fingerprint()), Surface::Window);
    if let Some(Ok(id)) = world.feed(Event::Answered {
        ask: ask.id,
        answer,
        seen,
        by,
        responder: None,
    }) {
        let taken = world.desk.entry(&id).map(|entry| entry.ask.fingerprint());
        assert_eq!(taken, seen, "{id}: its human saw something else");
    }
}

fn any_answer(world: &mut World, ask: &Ask) -> Answer {
    let one = Reply::choice(world.rng.below(3));
    match (&ask.kind, world.rng.below(4)) {
        (AskContent::Permission(_), 0) => Answer::Grant(Grant::Always),
        (AskContent::Permission(_), 1) => Answer::Grant(Grant::Reject {
            reason: Some("no".into()),
        }),
        (AskContent::Permission(_), _) => Answer::Grant(Grant::Once),
        (_, 0) => Answer::Dismiss,
        (AskContent::Questions(questions), _) if questions.len() == 2 => Answer::Replies(vec![
            one,
            Reply {
                choices: vec![2, 0],
                text: Some("and".into()),
            },
        ]),
        (_, 1) => Answer::Replies(vec![Reply::text("my own")]),
        _ => Answer::Replies(vec![one]),
    }
}

/// Presses a button on any card of the desktop, also on an outdated one.
fn press(world: &mut World) {
    let cards: Vec<_> = world.desktop.cards.values().cloned().collect();
    let Some(card) = world.rng.pick(&cards) else {
        return;
    };
    let press = match &world.server.asks[&card.ask.own].ask.kind {
        AskContent::Permission(_) => ButtonPress::Once,
        _ => ButtonPress::Choose {
            question: 0,
            choice: world.rng.below(3),
        },
    };
    let by = Surface::Notification;
    if let Some(Ok(id)) = world.feed(Event::Pressed {
        target: card.target,
        press,
        by,
    }) {
        let entry = world.desk.entry(&id).expect("it is on the desk");
        let meant = card
            .target
            .was_made_for(entry.serial, entry.ask.fingerprint());
        assert!(meant, "{id}: a button was made for something else");
    }
}

/// Taps a button on any message of the chat, also on an old keyboard.
fn tap(world: &mut World) {
    let Some(message) = any_message(world) else {
        return;
    };
    let target = message.entry.target();
    let tap = any_tap(world, &message.entry);
    world.put(What::Tap(target, tap), [target].into());
}

fn any_message(world: &mut World) -> Option<Message> {
    let count = world.chat.messages.len().max(1);
    world
        .chat
        .messages
        .values()
        .nth(world.rng.below(count))
        .cloned()
}

/// Makes a tap on a button that may be on that card as it was drawn.
fn any_tap(world: &mut World, entry: &Entry) -> CardTap {
    let ask = &entry.ask;
    let draft = entry.draft.clone();
    let draft = draft.unwrap_or_else(|| Draft::new(ask));
    let (shown, from) = (draft.shown(), draft.page);
    let question = world.rng.below(ask.questions().len().max(1));
    let taps: &[CardTap] = match &ask.kind {
        AskContent::Permission(_) => &[
            CardTap::Once,
            CardTap::Always,
            CardTap::Reject,
            CardTap::RejectWithReason,
            CardTap::RejectWithoutReason,
            CardTap::Sure,
            CardTap::SureHidden,
            CardTap::Keep,
        ],
        _ => &[
            CardTap::Choose {
                question,
                choice: world.rng.below(4),
            },
            CardTap::Choose {
                question,
                choice: world.rng.below(3),
            },
            CardTap::Unchoose {
                question,
                choice: world.rng.below(3),
            },
            CardTap::Done { question, shown },
            CardTap::Own { question },
            CardTap::NotOwn { question },
            CardTap::Back { from },
            CardTap::Review,
            CardTap::Send { shown },
            CardTap::Dismiss,
            CardTap::Sure,
            CardTap::Keep,
        ],
    };
    taps[world.rng.below(taps.len())]
}

/// Writes words that answer a card, nothing, or another message, in which case no card is meant.
fn write(world: &mut World) {
    let Some(message) = any_message(world) else {
        return;
    };
    let target = message.entry.target();
    let (relation, meant): (_, BTreeSet<ButtonTarget>) = match world.rng.below(5) {
        0..=1 => (Relation::Elsewhere, [].into()),
        2 => (Relation::Alone, awaited_by_now(world)),
        _ => (Relation::ToCard(target), [target].into()),
    };
    let text = ["1", "2", "3, 1", "yes", "No", "my own words", " "][world.rng.below(7)].into();
    let awaited = world.awaiting().next().is_some();
    match relation {
        Relation::ToCard(_) => world.tally.replies += 1,
        Relation::Alone => world.tally.words_alone += 1,
        Relation::Elsewhere => world.tally.words_elsewhere += u64::from(awaited),
    }
    world.put(What::Words(relation, text), meant);
}

/// Returns the cards for which the human wants to write words, or is about to. That begins with
/// their tap, and lasts also while the room does not know where the card is (it has just started,
/// and the card is to be shown anew).
fn awaited_by_now(world: &World) -> BTreeSet<ButtonTarget> {
    let awaiting = world
        .desk
        .asks()
        .map(|(_, entry)| entry)
        .filter(|entry| awaits_words(entry));
    awaiting
        .map(beckon_core::Entry::target)
        .chain(world.phone.will_await())
        .collect()
}

fn finish_a_turn(world: &mut World) {
    let took = Span::seconds(world.rng.below(120) as i64);
    let turn = FinishedTurn {
        session: Session::default(),
        took,
        end: TurnEnd::Done,
    };
    world.report(SourceReport::Turn(turn));
}

/// Shuts and opens a laptop; the report of that may come late, or not at all.
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

/// Fills the disk or makes room on it; or lets a week pass at Telegram.
fn disk_trouble(world: &mut World) {
    if world.rng.one_in(3) {
        world.tally.renumbered += u64::from(world.phone.renumber(&mut world.rng));
    } else {
        world.disk.full = !world.disk.full;
    }
}

fn others_answer(world: &mut World) {
    let open: Vec<Ask> = world.server.open().map(|held| held.ask.clone()).collect();
    let Some(ask) = world.rng.pick(&open) else {
        return;
    };
    let answer = any_answer(world, &ask);
    world.server.others_answer(&ask.id.own, &answer);
}

/// Makes the server ask something else under the name of an open ask.
fn ask_something_else(world: &mut World) {
    let open: Vec<String> = world
        .server
        .open()
        .map(|held| held.ask.id.own.clone())
        .collect();
    if let Some(own) = world.rng.pick(&open) {
        world.server.change(&own, &mut world.rng);
    }
}

/// Makes the server give the name of an ended ask to a new one, at once or a long while later. The
/// new one has the same content only if all reports about the former one have been processed.
fn count_anew(world: &mut World) {
    let Some(id) = any_ended(world) else { return };
    if world.rng.one_in(2) {
        a_long_while(world);
    }
    if world.desk.memory(&id).is_none() {
        return;
    }
    let kinds = &world.server.asks[&id.own].kinds;
    let heard = world.server.frames.as_ref().is_none_or(VecDeque::is_empty);
    let same = heard && world.rng.one_in(2);
    let kind = if same {
        world.rng.pick(kinds)
    } else {
        (0..4)
            .map(|_| kind(&mut world.rng))
            .find(|kind| !kinds.contains(kind))
    };
    let Some(kind) = kind else { return };
    world.tally.named_again += 1;
    world.tally.same_again += u64::from(same);
    world.server.ask_anew(&id.own, kind, &mut world.rng);
}

/// Lets a long time pass, in which all earlier reports arrive.
fn a_long_while(world: &mut World) {
    while world.next_frame() || world.next_event() {}
    world.end_list();
    world.sleep(Span::minutes(7));
}

/// Picks an ended ask, preferably one whose answer may be delivered again. Asks to which an answer
/// is on its way are left out, since it would meet whatever has the name by then.
fn any_ended(world: &mut World) -> Option<AskId> {
    let kept = !world.rng.one_in(4) && !world.kept.is_empty();
    let ended = world.server.ended().map(|held| &held.ask.id);
    let posted = |id: &AskId| world.posts.iter().any(|post| post.own == id.own);
    let free = ended.filter(|id| !posted(id) && (!kept || world.kept.contains(*id)));
    let free: Vec<AskId> = free.cloned().collect();
    world.rng.pick(&free)
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
    // A channel reports in order: what it has shown is reported before it fails.
    while world.next_event() {}
    let (channel, up) = if world.rng.one_in(2) {
        (Channel::Desktop, &mut world.desktop.up)
    } else {
        (Channel::Telegram, &mut world.chat.up)
    };
    *up = !*up;
    let event = if *up {
        Event::ChannelUp(channel)
    } else {
        Event::ChannelDown(channel)
    };
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
        6 => Event::Said {
            said: PresenceOverride::Away,
            until: None,
        },
        7 => Event::Said {
            said: PresenceOverride::Here,
            until: None,
        },
        8 => Event::Said {
            said: PresenceOverride::Away,
            until: soon,
        },
        9 => Event::Said {
            said: PresenceOverride::Auto,
            until: None,
        },
        _ => Event::Pause(soon),
    };
    world.feed(event);
}

/// Leaves an ask open, and sets for how long it is to be quiet.
fn set_aside(world: &mut World) {
    let view = world.desk.view(world.now);
    let open: Vec<_> = view.waiting().map(|ask| &ask.entry).collect();
    let Some(entry) = world.rng.pick(&open) else {
        return;
    };
    let soon = Some(world.now + Span::millis(world.rng.below(6_000) as i64));
    let attention = match world.rng.below(5) {
        0 => Attention::default(),
        1 => Attention::Seen,
        2 => Attention::Snoozed { until: None },
        _ => Attention::Snoozed { until: soon },
    };
    let (ask, seen) = (entry.ask.id.clone(), Some(entry.target().fingerprint));
    world.feed(Event::Attend {
        ask,
        attention,
        seen,
    });
}

fn close_a_card(world: &mut World) {
    let handles: Vec<String> = world.desktop.cards.keys().cloned().collect();
    let Some(handle) = world.rng.pick(&handles).filter(|_| world.desktop.up) else {
        return;
    };
    if let Some(ask) = world.desktop.close(&handle) {
        world.inbox.push_back(Event::Closed {
            channel: Channel::Desktop,
            ask,
        });
    }
}
