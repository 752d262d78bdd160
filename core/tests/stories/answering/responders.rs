//! Stories of who answered and with which device, from the answer to the proof that it was taken.

use crate::common::*;
use beckon_core::{
    Answer, CardSight, CardTap, DecisionKind, Event, Outcome, Responder, ReturnReason, RowChange,
    SourceReport, Step, Surface, ToldDecision, Voucher,
};

fn ada() -> Responder {
    Responder::new(Some("Ada"), Some("workstation"), Voucher::Machine)
}

fn bob() -> Responder {
    let vouched = Voucher::Telegram { user: 7 };
    Responder::new(Some("Bob"), Some("Telegram"), vouched)
}

/// Returns a desk at which Ada sits, with one question.
fn at_adas() -> Story {
    let mut story = Story::asked();
    story.feed(Event::User(ada()));
    story
}

fn answered_by(story: &mut Story, by: Surface, responder: Option<Responder>) -> Step {
    let (ask, answer, seen) = (id("q1"), choose(0), None);
    story.feed(Event::Answered {
        ask,
        answer,
        seen,
        by,
        responder,
    })
}

/// Returns the responder in the last saved row of an ask.
fn saved(step: &Step) -> Option<Option<Responder>> {
    step.save.iter().rev().find_map(|row| match row {
        RowChange::Ask(entry) => Some(entry.responder.clone()),
        _ => None,
    })
}

#[test]
fn whoever_sits_at_this_machine_has_answered_on_its_surfaces() {
    for by in [
        Surface::Notification,
        Surface::Tray,
        Surface::Window,
        Surface::Cli,
        Surface::Api,
    ] {
        let mut story = at_adas();
        let step = answered_by(&mut story, by, None);
        assert_eq!(saved(&step), Some(Some(ada())), "{by:?}");
        story.sent("q1");
        let step = story.replied("q1", "Red");
        assert_eq!(
            saved(&step),
            Some(Some(ada())),
            "{by:?}: it was taken, and is theirs"
        );
    }
}

#[test]
fn an_answer_from_telegram_is_that_of_who_tapped_and_not_of_who_sits_here() {
    let mut story = at_adas();
    let (target, tap) = (
        story.entry("q1").target(),
        CardTap::Choose {
            question: 0,
            choice: 0,
        },
    );
    let (sight, by) = (CardSight::Clear, Surface::Telegram);
    story.feed(Event::Tapped {
        target,
        tap,
        sight,
        by,
        responder: Some(bob()),
    });
    assert_eq!(story.entry("q1").responder, Some(bob()));
    let mut story = at_adas();
    answered_by(&mut story, Surface::Telegram, None);
    assert_eq!(story.entry("q1").responder, None, "nobody knows who it was");
}

#[test]
fn what_another_beckon_says_of_a_person_stands_as_its_word() {
    let vouched = Voucher::Peer {
        name: Some("laptop".into()),
    };
    let eve = Responder::new(Some("Eve"), None, vouched);
    let mut story = at_adas();
    answered_by(&mut story, Surface::Api, Some(eve.clone()));
    assert_eq!(story.entry("q1").responder, Some(eve));
    let silent = Responder::new(None, None, Voucher::Peer { name: None });
    let mut story = at_adas();
    answered_by(&mut story, Surface::Api, Some(silent.clone()));
    assert_eq!(
        story.entry("q1").responder,
        Some(silent),
        "it is not who sits here"
    );
}

#[test]
fn nobody_is_said_to_have_answered_what_was_answered_elsewhere_or_came_back() {
    let mut story = at_adas();
    let step = story.replied("q1", "Red");
    assert_eq!(saved(&step), Some(None));
    let mut story = at_adas();
    answered_by(&mut story, Surface::Window, None);
    let step = story.replied("q1", "Blue");
    assert_eq!(saved(&step), Some(None), "the other answer counts");
    let mut story = at_adas();
    answered_by(&mut story, Surface::Window, None);
    let failure = beckon_core::DeliveryFailure::Returned(ReturnReason::Unproven);
    let step = story.report(SourceReport::NotSent {
        own: "q1".into(),
        failure,
    });
    assert_eq!(saved(&step), Some(None), "it is open again");
}

#[test]
fn who_answered_is_remembered_while_it_is_found_out_what_became_of_the_answer() {
    let mut story = at_adas();
    answered_by(&mut story, Surface::Window, None);
    story.not_found("q1");
    assert_eq!(story.memory("q1").responder, Some(ada()));
    let answers = Some(vec![vec!["Red".into()]]);
    let step = story.report(SourceReport::Explained {
        own: "q1".into(),
        answers,
    });
    assert_eq!(saved(&step), Some(Some(ada())));
}

/// Makes another Beckon's report that Bob decided the ask there.
fn decided(how: DecisionKind, is_anothers: bool) -> SourceReport {
    let by = Some(bob());
    SourceReport::Decided(ToldDecision {
        own: "q1".into(),
        how,
        by,
        is_anothers,
    })
}

fn red() -> DecisionKind {
    DecisionKind::Answered(Some(vec![vec!["Red".into()]]))
}

#[test]
fn who_decided_it_at_another_beckon_is_known_here_as_well() {
    for how in [red(), DecisionKind::Rejected] {
        let mut story = at_adas();
        let step = story.report(decided(how, true));
        assert_eq!(saved(&step), Some(Some(bob())));
        assert_eq!(
            story.memory("q1").responder,
            Some(bob()),
            "a late answer is told so"
        );
    }
}

#[test]
fn the_same_answer_of_two_is_that_of_who_was_first() {
    let elsewhere = Outcome::Elsewhere {
        answers: Some(vec![vec!["Red".into()]]),
    };
    let mut story = at_adas();
    answered_by(&mut story, Surface::Window, None);
    story.sent("q1");
    let step = story.report(decided(red(), true));
    assert_eq!(saved(&step), Some(Some(bob())));
    assert_eq!(story.memory("q1").outcome, elsewhere);
    let mut story = at_adas();
    answered_by(&mut story, Surface::Window, None);
    story.sent("q1");
    let step = story.report(decided(red(), false));
    assert_eq!(
        saved(&step),
        Some(Some(ada())),
        "nothing says that it was another one"
    );
}

#[test]
fn what_is_asked_again_after_it_was_decided_elsewhere_has_nobody_who_answered() {
    let mut story = at_adas();
    story.report(decided(red(), true));
    story.now = story.now + beckon_core::Span::minutes(6);
    story.ask(single("q1"));
    assert_eq!(story.entry("q1").responder, None);
}

#[test]
fn equals_that_are_answered_together_have_one_responder() {
    let mut story = Story::new();
    story.feed(Event::User(ada()));
    story.ask(permission("p1"));
    story.ask(permission("p2"));
    let (ask, answer) = (id("p1"), Answer::Grant(beckon_core::Grant::Once));
    let (seen, by) = (Some(story.entry("p1").target().fingerprint), Surface::Tray);
    story.feed(Event::Answered {
        ask,
        answer,
        seen,
        by,
        responder: None,
    });
    for own in ["p1", "p2"] {
        assert_eq!(story.entry(own).responder, Some(ada()), "{own}");
    }
}
