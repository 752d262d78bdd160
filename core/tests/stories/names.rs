//! Stories of the names of asks: how they are made, how asks are found by them, and how long they
//! are remembered.

use crate::common::*;
use beckon_core::{
    AnswerRefusal, Ask, AskId, ButtonPress, ButtonTarget, Event, Outcome, SavedState, SettledAsk,
    Span, Surface,
};

#[test]
fn an_ask_is_called_by_its_own_id() {
    let story = Story::asked();
    assert_eq!(names(&story), ["q1"]);
}

#[test]
fn of_two_sources_with_the_same_id_the_later_has_its_name_before_it() {
    let mut story = Story::asked();
    story.ask(of_neighbour("q1"));
    story.ask(of_neighbour("q2"));
    assert_eq!(names(&story), ["q1", "neighbour/q1", "q2"]);
    story.replied("q1", "Red");
    assert_eq!(
        names(&story),
        ["neighbour/q1", "q2"],
        "who knows it by that name goes on"
    );
}

#[test]
fn a_name_means_one_ask_for_a_program_and_stays_its_over_a_restart() {
    let mut story = Story::asked();
    story.ask(of_neighbour("q1"));
    let neighbour = AskId::new("neighbour", "q1");
    assert_eq!(story.desk.find("q1").len(), 2, "a person may mean either");
    for settled in [false, true] {
        if settled {
            story.replied("q1", "Red");
        }
        assert_eq!(story.desk.named("q1"), Some(id("q1")));
        assert_eq!(story.desk.named("local/q1"), Some(id("q1")));
        assert_eq!(story.desk.named("neighbour/q1"), Some(neighbour.clone()));
        assert_eq!(story.desk.named("q"), None);
    }
    let open = story.desk.entry(&neighbour).unwrap().clone();
    let memory = vec![(id("q1"), story.memory("q1").clone())];
    story.restart_with(SavedState {
        entries: vec![open],
        memory,
        ..SavedState::default()
    });
    assert_eq!(names(&story), ["neighbour/q1"]);
    assert_eq!(story.desk.named("q1"), Some(id("q1")));
    story.wait(Span::minutes(8 * 24 * 60));
    assert_eq!(
        names(&story),
        ["neighbour/q1"],
        "although the other one is forgotten"
    );
    assert_eq!(story.desk.named("q1"), None);
    story.ask(single("q1"));
    assert_eq!(
        names(&story),
        ["neighbour/q1", "local/q1"],
        "nor is its name given to another"
    );
}

#[test]
fn the_view_has_the_oldest_first_and_finds_by_either_name() {
    let mut story = Story::asked();
    story.ask(single("a0"));
    assert_eq!(names(&story), ["q1", "a0"]);
    let view = story.desk.view(story.now);
    for name in ["q1", "local/q1"] {
        assert_eq!(
            view.find(name).map(|ask| &ask.entry.ask.id),
            Some(&id("q1"))
        );
    }
    assert_eq!(view.find("q"), None);
}

#[test]
fn a_name_or_its_beginning_finds_an_ask() {
    let mut story = Story::new();
    story.ask(single("que_abc"));
    story.ask(single("que_abd"));
    for name in ["que_abc", "local/que_abc"] {
        assert_eq!(story.desk.find(name), [id("que_abc")]);
    }
    assert_eq!(
        story.desk.find("que_ab").len(),
        2,
        "ambiguous: the caller asks back"
    );
    assert_eq!(story.desk.find("local/que_abd"), [id("que_abd")]);
    assert!(story.desk.find("abc").is_empty());
    assert!(story.desk.find("").is_empty());
}

#[test]
fn a_whole_name_is_not_mistaken_for_the_beginning_of_another() {
    let mut story = Story::new();
    story.ask(single("q1"));
    story.ask(single("q10"));
    assert_eq!(story.desk.find("q1"), [id("q1")]);
}

#[test]
fn a_settled_ask_is_found_by_its_whole_name_and_an_open_one_before_it() {
    let mut story = Story::asked();
    story.replied("q1", "Red");
    assert_eq!(story.desk.find("q1"), [id("q1")]);
    assert!(story.desk.find("q").is_empty());
    story.ask(of_neighbour("q1"));
    assert_eq!(story.desk.find("q1"), [AskId::new("neighbour", "q1")]);
}

#[test]
fn an_id_with_a_slash_is_still_found() {
    let mut story = Story::new();
    story.ask(single("thread/7"));
    for name in ["thread/7", "local/thread/7", "thread/"] {
        assert_eq!(story.desk.find(name), [id("thread/7")]);
    }
}

#[test]
fn a_settled_ask_is_remembered_for_seven_days() {
    let mut story = Story::asked();
    story.replied("q1", "Red");
    let answers = Some(vec![vec!["Red".to_owned()]]);
    let refused = AnswerRefusal::Settled {
        outcome: Outcome::Elsewhere { answers },
    };
    story.wait(Span::minutes(7 * 24 * 60 - 60));
    assert_eq!(press(&mut story), Err(refused));
    story.wait(Span::minutes(60));
    assert_eq!(press(&mut story), Err(AnswerRefusal::Unknown));
    assert!(story.desk.memory(&id("q1")).is_none());
}

#[test]
fn a_press_on_a_card_of_an_earlier_life_meets_a_memory() {
    let mut story = Story::new();
    let memory = SettledAsk {
        serial: 1,
        fingerprint: single("q1").fingerprint(),
        request: single("q1").request_fingerprint(),
        outcome: Outcome::Expired,
        at: story.now,
        ask: None,
        given: None,
        responder: None,
        listed: false,
        told_on: Vec::new(),
        unanswered: false,
        told_lost: false,
    };
    story.restart_with(SavedState {
        memory: vec![(id("q1"), memory)],
        ..SavedState::default()
    });
    assert_eq!(
        press(&mut story),
        Err(AnswerRefusal::Settled {
            outcome: Outcome::Expired
        })
    );
    story.ask(single("q2"));
    assert_eq!(story.entry("q2").serial, 2);
}

#[test]
fn the_topic_is_what_is_asked() {
    let topic = |ask| beckon_core::Entry::new(ask, 1).topic().to_owned();
    assert_eq!(topic(single("q")), "Which colour?");
    assert_eq!(topic(permission("p")), "bash");
    assert_eq!(topic(confirm("c")), "Shall I go on?");
    assert_eq!(
        topic(ask("q", beckon_core::AskContent::Questions(Vec::new()))),
        ""
    );
}

fn names(story: &Story) -> Vec<String> {
    story
        .desk
        .view(story.now)
        .asks
        .into_iter()
        .map(|ask| ask.name)
        .collect()
}

fn press(story: &mut Story) -> Result<AskId, AnswerRefusal> {
    let press = ButtonPress::Choose {
        question: 0,
        choice: 0,
    };
    let target = ButtonTarget {
        serial: 1,
        fingerprint: single("q1").fingerprint(),
    };
    let event = Event::Pressed {
        target,
        press,
        by: Surface::Notification,
    };
    story.feed(event).verdict.expect("a press has a verdict")
}

fn of_neighbour(own: &str) -> Ask {
    Ask {
        id: AskId::new("neighbour", own),
        ..single(own)
    }
}
