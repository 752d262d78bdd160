//! Tests of which cards are sent, which asks are on the list only, and what is said beside them.

use super::dispatch::{GROUP, Scene, answering, asked, in_state, lost, message};
use super::*;
use beckon_core::{
    Answer, AskState, Channel, Draft, Event, FinishedTurn, ForwardMode, Outcome, Policy, Reminder,
    Span, Surface, TurnEnd,
};
use button::ListTap;
use outbox::{ABOUT_LIST, CardLoss, ListUrgency, OutgoingNote, Priority, WantedCard, WantedList};
use pairing::pairings::PairingChange;
use updates::dispatch::Reaction;

fn all(count: u64) -> Vec<Entry> {
    (1..=count).map(asked).collect()
}

/// Makes a scene in which these asks come one after the other, and nothing has been sent yet.
fn flooded(count: u64) -> Scene {
    let mut scene = Scene::of(&[]);
    all(count)
        .into_iter()
        .for_each(|entry| scene.door.telegram.show(Box::new(entry), None, false));
    scene
}

fn wanted(commands: &[WorkerCommand]) -> Vec<&WantedCard> {
    let wanted = commands.iter().filter_map(|command| match command {
        WorkerCommand::Want(wanted, ..) => Some(&**wanted),
        _ => None,
    });
    wanted.collect()
}

fn serials(commands: &[WorkerCommand]) -> Vec<u64> {
    wanted(commands)
        .into_iter()
        .map(|wanted| wanted.serial)
        .collect()
}

fn notes(commands: &[WorkerCommand]) -> Vec<&OutgoingNote> {
    let notes = commands.iter().filter_map(|command| match command {
        WorkerCommand::Say(CHAT, note) => Some(note),
        _ => None,
    });
    notes.collect()
}

fn urgency(commands: &[WorkerCommand]) -> Option<ListUrgency> {
    let of = |command: &WorkerCommand| match command {
        WorkerCommand::ListChanged(_, urgency) => Some(*urgency),
        _ => None,
    };
    commands.iter().rev().find_map(of)
}

fn list(commands: &[WorkerCommand], of: ChatId) -> Option<&WantedList> {
    commands.iter().find_map(|command| match command {
        WorkerCommand::List(chat, wanted) if *chat == of => Some(&**wanted),
        _ => None,
    })
}

fn withdraw(scene: &mut Scene, n: u64) {
    let outcome = Outcome::Answered {
        answer: Answer::Dismiss,
        by: Surface::Window,
    };
    let state = AskState::Settled {
        outcome,
        at: Timestamp(0),
    };
    let ending = Box::new(in_state(n, state));
    scene
        .door
        .telegram
        .withdraw(asked(n).ask.id, None, Some(ending));
}

fn tap(scene: &mut Scene, on: i32, tap: ListTap) -> Reaction {
    let (query, data) = ("1".to_owned(), button::list("seal", tap));
    scene.hears(UpdateContent::Tap {
        query,
        message: Some(on),
        accessible: true,
        data,
    })
}

fn toast(commands: &[WorkerCommand]) -> &str {
    let text = commands.iter().find_map(|command| match command {
        WorkerCommand::Answer { text, .. } => Some(text.as_str()),
        _ => None,
    });
    text.unwrap()
}

#[test]
fn a_pause_that_is_not_saved_is_told_late_and_says_so_within_a_toast() {
    let mut scene = Scene::of(&all(2));
    tap(&mut scene, 77, ListTap::Pause);

    let held = scene.door.telegram.take_held_words();
    let answers = |command: &WorkerCommand| matches!(command, WorkerCommand::Answer { .. });
    assert!(!scene.commands().iter().any(answers), "it is not saved yet");
    scene.door.telegram.say_held_words(held, false);

    let commands = scene.commands();
    let told = toast(&commands);
    assert!(told.starts_with("Paused until"), "{told}");
    assert!(told.contains("isn't saved yet"), "{told}");
    // The limit of <https://core.telegram.org/bots/api#answercallbackquery>.
    assert!(told.chars().count() <= 200, "{told}");
}

#[test]
fn beyond_a_handful_a_flood_rings_once_and_places_are_filled_in_silence() {
    let mut scene = flooded(8);
    let commands = scene.commands();
    assert_eq!(serials(&commands), [1, 2, 3, 4, 5]);
    assert!(wanted(&commands).iter().all(|wanted| !wanted.silent));
    let html =
        "📥 More is waiting than there are cards here: see the list, or send /pending.".to_owned();
    let rings = OutgoingNote {
        html,
        about: Some(ABOUT_LIST),
        ..OutgoingNote::default()
    };
    assert_eq!(notes(&commands), [&rings]);
    withdraw(&mut scene, 1);
    scene.door.telegram.update(Box::new(answering(2)));
    let commands = scene.commands();
    let open: Vec<_> = wanted(&commands)
        .into_iter()
        .filter(|it| it.serial > 2)
        .collect();
    assert_eq!(
        open.iter()
            .map(|it| (it.serial, it.silent))
            .collect::<Vec<_>>(),
        [(6, true), (7, true)]
    );

    let mut silent = Scene::of(&all(5));
    silent.door.telegram.show(Box::new(asked(6)), None, true);
    assert_eq!(notes(&silent.commands()), [] as [&OutgoingNote; 0]);
}

#[test]
fn what_is_asked_anew_gives_up_its_former_place_on_the_list() {
    let mut scene = flooded(6);
    let again = Entry::new(asked(6).ask, 7);
    scene.door.telegram.show(Box::new(again), None, true);
    scene.commands();
    withdraw(&mut scene, 1);
    assert_eq!(serials(&scene.commands())[..1], [7]);
}

#[test]
fn a_list_is_told_of_from_two_cards_on_and_the_sooner_the_less_the_cards_tell() {
    let changed = |count| urgency(&flooded(count).commands());
    assert_eq!(changed(1), None, "one card needs none");
    assert_eq!(
        (changed(2), changed(5)),
        (Some(ListUrgency::Whenever), Some(ListUrgency::Whenever))
    );
    assert_eq!(changed(6), Some(ListUrgency::Soon));
    let mut stands = flooded(1);
    stands.commands();
    let made = TelegramReport::Outbox(CallOutcome::List(CHAT, Some(77)));
    let changes = stands.door.telegram.on_report(made);
    assert_eq!(changes, [PairingChange::List(CHAT, Some(77))]);
    assert_eq!(
        urgency(&stands.commands()),
        Some(ListUrgency::Whenever),
        "what has changed since"
    );
    withdraw(&mut stands, 1);
    assert_eq!(urgency(&stands.commands()), Some(ListUrgency::Now));
    stands.door.outcome(CallOutcome::List(CHAT, None));
    assert_eq!(urgency(&stands.commands()), None);
}

#[test]
fn a_list_is_drawn_where_two_wait_or_where_one_stands() {
    let mut two = flooded(2);
    two.commands();
    two.door.outcome(CallOutcome::DrawList(CHAT));
    let commands = two.commands();
    let drawn = list(&commands, CHAT).unwrap();
    assert!(
        drawn.card.html.starts_with("🔔 <b>2 waiting</b>"),
        "{}",
        drawn.card.html
    );
    assert_eq!(drawn.known, None);
    let mut one = flooded(1);
    one.commands();
    one.door.outcome(CallOutcome::DrawList(CHAT));
    assert!(list(&one.commands(), CHAT).is_none());
    one.door.outcome(CallOutcome::List(CHAT, Some(77)));
    one.door.outcome(CallOutcome::DrawList(CHAT));
    let commands = one.commands();
    assert_eq!(list(&commands, CHAT).unwrap().known, Some(77));
}

#[test]
fn in_a_supergroup_a_line_leads_to_its_card_as_long_as_that_stands() {
    let mut scene = Scene::of(&all(2)).with_group();
    for n in 1..=2 {
        let posted = PostedCard {
            deleted: n == 2,
            ..PostedCard::at(GROUP, message(n) + 1)
        };
        scene
            .door
            .outcome(CallOutcome::Posted(asked(n).ask.id, posted));
    }
    scene.door.outcome(CallOutcome::DrawList(GROUP));
    scene.door.outcome(CallOutcome::DrawList(CHAT));
    let commands = scene.commands();
    let there = &list(&commands, GROUP).unwrap().card;
    assert!(
        there.html.contains("https://t.me/c/1234/11"),
        "{}",
        there.html
    );
    assert_eq!(there.html.matches("href").count(), 1);
    assert_eq!(there.keyboard[0][0].label, "2");
    assert!(!list(&commands, CHAT).unwrap().card.html.contains("href"));
}

#[test]
fn pending_answers_with_a_list_of_what_waits() {
    let mut scene = Scene::of(&all(2));
    let (relation, media) = (updates::update::MessageRelation::Alone, None);
    let (text, at) = ("/pending".into(), Timestamp(0));
    scene.hears(UpdateContent::Text {
        relation,
        text,
        media,
        at,
        number: 0,
        end: TextEnd::Last,
    });
    let commands = scene.commands();
    let [note] = notes(&commands)[..] else {
        panic!("{commands:?}")
    };
    assert!(
        note.silent && note.html.starts_with("🔔 <b>2 waiting</b>"),
        "{}",
        note.html
    );
    assert_eq!(note.keyboard[0].len(), 2);
}

#[test]
fn a_page_is_turned_in_the_list_that_stands_and_in_an_answer() {
    let mut scene = Scene::of(&all(9));
    scene.door.outcome(CallOutcome::List(CHAT, Some(77)));
    scene.commands();
    tap(&mut scene, 77, ListTap::Page(1));
    let commands = scene.commands();
    assert!(
        list(&commands, CHAT)
            .unwrap()
            .card
            .html
            .contains("Page 2 of 2")
    );
    assert_eq!(toast(&commands), "");
    tap(&mut scene, 78, ListTap::Page(1));
    let commands = scene.commands();
    let redrawn = commands.iter().find_map(|command| match command {
        WorkerCommand::Redraw(CHAT, 78, card) => Some(card),
        _ => None,
    });
    assert!(
        redrawn.unwrap().html.contains("Page 2 of 2"),
        "{commands:?}"
    );
}

#[test]
fn opening_points_to_a_card_that_stands_and_sends_one_that_does_not() {
    let mut scene = Scene::of(&all(2)).with_group();
    (3..8).for_each(|n| scene.door.telegram.show(Box::new(asked(n)), None, true));
    scene.commands();
    tap(&mut scene, 77, ListTap::Open(2));
    let commands = scene.commands();
    let html = "👆 shop-api: Which 2?".to_owned();
    let points = OutgoingNote {
        html,
        silent: true,
        about: Some(2),
        ..OutgoingNote::default()
    };
    assert_eq!(
        (notes(&commands), serials(&commands)),
        (vec![&points], vec![])
    );
    assert_eq!(toast(&commands), "");
    tap(&mut scene, 77, ListTap::Open(7));
    assert_eq!(serials(&scene.commands()), [7], "it was on the list only");
    scene.door.outcome(lost(1, CardLoss::Deleted));
    scene.commands();
    tap(&mut scene, 77, ListTap::Open(1));
    let commands = scene.commands();
    let chats = commands.iter().find_map(|command| match command {
        WorkerCommand::Want(wanted, chats, _) if wanted.serial == 1 => Some(chats),
        _ => None,
    });
    assert_eq!(
        chats,
        Some(&vec![CHAT, GROUP]),
        "whoever has deleted it wants it now"
    );
    scene.door.telegram.update(Box::new(asked(2)));
    let commands = scene.commands();
    let stands = commands.iter().any(|command| match command {
        WorkerCommand::Want(_, _, posted) => posted[..] == [PostedCard::at(CHAT, message(2))],
        _ => false,
    });
    assert!(stands, "the others stand where they stood: {commands:?}");
}

#[test]
fn what_cannot_be_opened_says_why() {
    let mut scene = Scene::of(&all(2));
    withdraw(&mut scene, 1);
    scene.door.telegram.cards.remove(&asked(2).ask.id);
    let forward = ForwardMode::Never;
    let never = Policy {
        forward,
        ..Policy::default()
    };
    scene.desk.handle(Event::Policy(never), Timestamp(0));
    scene.commands();
    for (serial, why) in [
        (1, "Already answered: Dismissed, in the window"),
        (2, "This has no card here."),
        (99, "This card is no longer valid."),
    ] {
        tap(&mut scene, 77, ListTap::Open(serial));
        let commands = scene.commands();
        assert!(toast(&commands).starts_with(why), "{commands:?}");
    }
}

#[test]
fn another_bot_has_no_list_and_a_handful_of_new_cards() {
    let mut scene = Scene::of(&all(5));
    scene.door.outcome(CallOutcome::List(CHAT, Some(77)));
    scene.commands();
    let id = UserId(2);
    let bot = BotIdentity {
        id,
        name: "other".into(),
        reads_groups: false,
    };
    let changes = scene.door.telegram.on_report(TelegramReport::Works(bot));
    assert_eq!(changes, [PairingChange::List(CHAT, None)]);
    (6..11).for_each(|n| scene.door.telegram.show(Box::new(asked(n)), None, true));
    assert_eq!(serials(&scene.commands()), [6, 7, 8, 9, 10]);
}

#[test]
fn a_reminder_points_to_the_card_or_to_the_list() {
    let mut scene = flooded(6);
    scene.commands();
    for (n, silent, about) in [(1, false, 1), (6, true, ABOUT_LIST)] {
        scene
            .door
            .telegram
            .remind(Box::new(asked(n)), Reminder::StillOpen, silent);
        let commands = scene.commands();
        let [note] = notes(&commands)[..] else {
            panic!("{commands:?}")
        };
        assert_eq!((note.silent, note.about), (silent, Some(about)));
        assert!(
            note.html.contains(&format!("\nshop-api: Which {n}?")),
            "{}",
            note.html
        );
    }
}

#[test]
fn a_finished_turn_and_a_message_are_said_in_silence() {
    let mut scene = Scene::of(&[]);
    let (session, took) = (asked(1).ask.session, Span::minutes(4));
    scene.door.telegram.tell_turn(
        &FinishedTurn {
            session,
            took,
            end: TurnEnd::Done,
        },
        None,
    );
    scene.door.telegram.tell_message("Build", "is green");
    let commands = scene.commands();
    let note = |html: &str, project: Option<&str>| OutgoingNote {
        html: html.into(),
        silent: true,
        project: project.map(str::to_owned),
        ..OutgoingNote::default()
    };
    let turn = note("🏁 <b>Done in 4 min</b>\nshop-api", Some("shop-api"));
    assert_eq!(
        notes(&commands),
        [&turn, &note("💬 <b>Build</b>: is green", None)]
    );
}

#[test]
fn a_message_and_a_late_answer_name_what_they_hide() {
    let mut scene = Scene::of(&[]);
    let hidden = "ok \u{202e}txt.exe";
    scene.door.telegram.tell_message(hidden, hidden);
    scene.door.telegram.tell_late(None, hidden, hidden);
    let said: Vec<String> = notes(&scene.commands())
        .iter()
        .map(|note| note.html.clone())
        .collect();
    let shown = "ok ⟨U+202E⟩txt.exe";
    assert_eq!(said[0], format!("💬 <b>{shown}</b>: {shown}"));
    assert_eq!(said[1], format!("⚠️ <b>{shown}</b>\n{shown}"));
}

#[test]
fn a_card_of_whose_end_nothing_is_known_loses_its_keyboard_and_its_prompt() {
    let mut scene = Scene::of(&all(1));
    let posted = PostedCard {
        prompt: Some(11),
        ..PostedCard::at(CHAT, message(1))
    };
    scene
        .door
        .outcome(CallOutcome::Posted(asked(1).ask.id, posted));
    assert!(scene.commands().is_empty(), "the same message");
    scene.door.events();
    scene.door.telegram.withdraw(asked(1).ask.id, None, None);
    let commands = scene.commands();
    assert!(
        matches!(
            commands[..],
            [
                WorkerCommand::Strip(CHAT, 10),
                WorkerCommand::Delete(CHAT, 11)
            ]
        ),
        "{commands:?}"
    );
    assert_eq!(
        scene
            .door
            .events()
            .iter()
            .filter(|event| WITHDRAWN(event))
            .count(),
        1
    );
}

#[test]
fn a_look_is_as_urgent_as_what_it_tells() {
    let mut scene = Scene::of(&all(1));
    let mut priority = |entry: Entry| {
        scene.door.telegram.update(Box::new(entry));
        wanted(&scene.commands())[0].priority
    };
    let mut drafted = asked(1);
    drafted.draft = Some(Draft::new(&drafted.ask));
    let mut expires = drafted.clone();
    expires.expires = Some(Timestamp(60_000));
    assert_eq!(priority(asked(1)), Priority::Whenever);
    assert_eq!(priority(drafted), Priority::Now);
    assert_eq!(
        priority(expires.clone()),
        Priority::Now,
        "its time is short"
    );
    assert_eq!(priority(expires), Priority::Whenever);
    assert_eq!(
        priority(answering(1)),
        Priority::Now,
        "it does not expire any more"
    );
    assert_eq!(priority(asked(1)), Priority::Now);
    assert_eq!(priority(answering(1)), Priority::Passing);
}

#[test]
fn a_card_that_was_deleted_is_drawn_no_more_in_that_chat() {
    let mut scene = Scene::of(&all(1)).with_group();
    let chats = |scene: &mut Scene| {
        scene.door.telegram.update(Box::new(asked(1)));
        scene
            .commands()
            .into_iter()
            .find_map(|command| match command {
                WorkerCommand::Want(_, chats, _) => Some(chats),
                _ => None,
            })
    };
    assert_eq!(chats(&mut scene), Some(vec![CHAT, GROUP]));
    scene.door.outcome(lost(1, CardLoss::Deleted));
    assert_eq!(chats(&mut scene), Some(vec![GROUP]));
}

#[test]
fn where_the_desk_knows_of_a_message_the_end_is_written_there() {
    let mut door = ended();
    let handle = door.telegram.write_handle([&PostedCard::at(CHAT, 8)]);
    door.telegram.withdraw(id(), Some(handle), Some(entry()));
    assert_eq!(door.wanted_at(), Some(8));
}

#[test]
fn what_has_no_card_here_is_called_for_by_its_number() {
    let mut scene = Scene::of(&all(2));
    let ask = asked(2).ask.id;
    scene.door.telegram.cards.remove(&ask);
    let reaction = tap(&mut scene, 77, ListTap::Open(2));
    let called = Event::CalledFor {
        channel: Channel::Telegram,
        ask,
    };
    assert!(
        matches!(&reaction, Reaction::Tell(event) if *event == called),
        "{reaction:?}"
    );
    (3..9).for_each(|n| scene.door.telegram.show(Box::new(asked(n)), None, true));
    scene.commands();
    scene.door.telegram.show(Box::new(asked(2)), None, true);
    assert_eq!(
        serials(&scene.commands()),
        [2],
        "it comes, however many there are"
    );
}

#[test]
fn a_card_that_is_gone_stays_on_the_list_which_tells_of_it_alone_if_need_be() {
    for loss in [CardLoss::Deleted, CardLoss::Expired] {
        let mut scene = Scene::of(&all(1));
        scene.door.telegram.draw_list(CHAT);
        assert!(
            list(&scene.commands(), CHAT).is_none(),
            "one card needs none"
        );
        scene.door.outcome(lost(1, loss));
        assert!(urgency(&scene.commands()).is_some());
        assert_eq!(scene.door.events(), [shown_as_gone()], "nobody closed it");
        scene.door.telegram.draw_list(CHAT);
        let commands = scene.commands();
        let drawn = list(&commands, CHAT).expect("it is drawn");
        assert!(drawn.card.html.contains("1 waiting"), "{drawn:?}");
    }
}

fn shown_as_gone() -> Event {
    let posted = PostedCard {
        deleted: true,
        ..PostedCard::at(CHAT, message(1))
    };
    let scene = Scene::of(&[]);
    Event::Shown {
        channel: Channel::Telegram,
        ask: asked(1).ask.id,
        handle: scene.door.telegram.write_handle([&posted]),
    }
}

#[test]
fn a_reminder_of_a_card_that_is_gone_is_the_card() {
    let mut scene = Scene::of(&all(1)).with_group();
    scene.door.outcome(lost(1, CardLoss::Deleted));
    scene.commands();
    let entry = Box::new(asked(1));
    scene
        .door
        .telegram
        .remind(entry, Reminder::StillOpen, false);
    let commands = scene.commands();
    assert_eq!(notes(&commands), [] as [&OutgoingNote; 0]);
    let sent = commands.iter().find_map(|command| match command {
        WorkerCommand::Want(wanted, chats, _) => Some((wanted.silent, chats.clone())),
        _ => None,
    });
    assert_eq!(sent, Some((false, vec![CHAT, GROUP])));
    let said = |chat| {
        let is_said =
            |command: &WorkerCommand| matches!(command, WorkerCommand::Say(to, _) if *to == chat);
        commands.iter().any(is_said)
    };
    assert!(said(GROUP), "where it stands it is pointed to");
}

#[test]
fn a_card_to_which_a_note_points_in_vain_comes_in_its_place() {
    for silent in [true, false] {
        let mut scene = Scene::of(&all(1));
        scene.door.outcome(lost(1, CardLoss::CalledFor { silent }));
        let commands = scene.commands();
        let sent: Vec<bool> = wanted(&commands).iter().map(|it| it.silent).collect();
        assert_eq!(sent, [silent]);
    }
}

#[test]
fn a_card_that_the_timer_took_comes_back_in_silence_unless_it_came_meanwhile() {
    let mut scene = Scene::of(&all(1));
    let comeback = || CallOutcome::Comeback(asked(1).ask.id, CHAT);
    scene.door.outcome(comeback());
    assert_eq!(serials(&scene.commands()), [] as [u64; 0], "it stands");
    scene.door.outcome(lost(1, CardLoss::Expired));
    scene.commands();
    scene.door.outcome(comeback());
    let commands = scene.commands();
    let sent: Vec<bool> = wanted(&commands).iter().map(|it| it.silent).collect();
    assert_eq!(sent, [true]);
}

#[test]
fn a_place_that_a_deleted_card_had_is_anothers() {
    let mut scene = Scene::of(&all(5));
    scene.door.telegram.show(Box::new(asked(6)), None, true);
    assert_eq!(serials(&scene.commands()), [] as [u64; 0]);
    scene.door.outcome(lost(1, CardLoss::Deleted));
    assert_eq!(serials(&scene.commands()), [6]);
    scene.door.telegram.update(Box::new(asked(1)));
    assert_eq!(serials(&scene.commands()), [] as [u64; 0], "it stays away");
}
