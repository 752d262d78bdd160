//! Stories of what is remembered of settled asks, and of how many.

use beckon_core::{
    AnswerRefusal, Ask, AskContent, AskId, ButtonPress, ButtonTarget, Desk, Event, MOST_REMEMBERED,
    Outcome, Policy, Question, SavedState, Session, SourceId, SourceReport, Surface, Timestamp,
};

fn tell(desk: &mut Desk, report: SourceReport, at: usize) {
    let now = Timestamp(i64::try_from(at).unwrap());
    desk.handle(Event::Source(SourceId("local".into()), report), now);
}

fn ask(number: usize) -> Ask {
    let id = id(number);
    let kind = AskContent::Questions(vec![Question::default()]);
    let session = Session {
        id: "ses_1".into(),
        ..Session::default()
    };
    Ask {
        id,
        kind,
        session,
        call: None,
        asked_at: Timestamp(0),
    }
}

fn id(number: usize) -> AskId {
    AskId::new("local", format!("que_{number}"))
}

fn come_and_go(desk: &mut Desk, number: usize) {
    tell(desk, SourceReport::Asked(ask(number)), number);
    let own = id(number).own;
    tell(desk, SourceReport::Replied { own, answers: None }, number);
}

fn press(desk: &mut Desk, number: usize) -> Option<Result<AskId, AnswerRefusal>> {
    let serial = u64::try_from(number).unwrap();
    let target = ButtonTarget {
        serial,
        fingerprint: ask(number).fingerprint(),
    };
    let pressed = Event::Pressed {
        target,
        press: ButtonPress::Dismiss,
        by: Surface::Notification,
    };
    desk.handle(pressed, Timestamp(0)).verdict
}

#[test]
fn the_latest_settled_asks_are_remembered_and_the_others_forgotten_with_their_numbers() {
    let mut desk = Desk::new(Policy::default());
    let all = MOST_REMEMBERED + 100;
    (1..=all).for_each(|number| come_and_go(&mut desk, number));
    assert!((1..=100).all(|number| desk.memory(&id(number)).is_none()));
    assert!((101..=all).all(|number| desk.memory(&id(number)).is_some()));
    assert_eq!(press(&mut desk, 100), Some(Err(AnswerRefusal::Unknown)));
    let settled = AnswerRefusal::Settled {
        outcome: Outcome::Elsewhere { answers: None },
    };
    assert_eq!(press(&mut desk, 101), Some(Err(settled)));
}

#[test]
fn an_ask_that_comes_back_again_and_again_pushes_no_other_one_out() {
    let mut desk = Desk::new(Policy::default());
    come_and_go(&mut desk, 1);
    for now in 2..3 * MOST_REMEMBERED {
        tell(&mut desk, SourceReport::Asked(ask(2)), now);
        tell(
            &mut desk,
            SourceReport::SessionGone {
                session: "ses_1".into(),
            },
            now,
        );
    }
    assert!(desk.memory(&id(1)).is_some());
    assert_eq!(
        desk.memory(&id(2)).map(|memory| &memory.outcome),
        Some(&Outcome::Gone)
    );
    let later = 3 * MOST_REMEMBERED;
    (later..later + MOST_REMEMBERED).for_each(|number| come_and_go(&mut desk, number));
    assert!(
        (1..=2).all(|number| desk.memory(&id(number)).is_none()),
        "each in its turn"
    );
    assert!(desk.memory(&id(later)).is_some());
}

#[test]
fn the_name_of_one_that_was_forgotten_for_later_ones_is_free() {
    let mut desk = Desk::new(Policy::default());
    (1..=MOST_REMEMBERED + 1).for_each(|number| come_and_go(&mut desk, number));
    let neighbour = |number| {
        let own = id(number).own;
        let ask = Ask {
            id: AskId::new("neighbour", own),
            ..ask(number)
        };
        (ask.id.clone(), SourceReport::Asked(ask))
    };
    for (number, name) in [(1, "que_1"), (2, "neighbour/que_2")] {
        let (id, asked) = neighbour(number);
        let source = Event::Source(SourceId("neighbour".into()), asked);
        desk.handle(source, Timestamp(0));
        assert_eq!(desk.name(&id), name);
    }
}

#[test]
fn of_what_was_kept_over_a_restart_the_latest_is_remembered() {
    let mut before = Desk::new(Policy::default());
    let all = MOST_REMEMBERED;
    (1..=all).for_each(|number| come_and_go(&mut before, number));
    let kept = |number| (id(number), before.memory(&id(number)).unwrap().clone());
    // The memory in the store's order: the latest first.
    let memory = (1..=all).rev().map(kept).collect();
    let saved = SavedState {
        memory,
        last_serial: 9_000,
        ..SavedState::default()
    };
    let mut desk = Desk::restore(Policy::default(), saved, Timestamp(0));
    come_and_go(&mut desk, all + 1);
    assert!(desk.memory(&id(1)).is_none() && desk.memory(&id(2)).is_some());
    assert_eq!(
        desk.memory(&id(all + 1)).map(|memory| memory.serial),
        Some(9_001)
    );
}
