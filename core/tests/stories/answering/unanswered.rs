//! Stories of answers that were sent and got no response. Such an answer may have been taken: its
//! end is looked up before anything is said about it. An answer that certainly did not arrive is
//! reported to the human who gave it.

use crate::common::*;
use beckon_core::{
    Answer, DeliveryFailure, Effect, Grant, LateAnswer, Outcome, RowChange, SourceReport, Span,
    Step, Surface,
};

fn granted() -> Story {
    let mut story = Story::new();
    story.ask(permission("q1"));
    let allow = Answer::Grant(Grant::Once);
    story.answer("q1", allow, Surface::Notification);
    story
}

fn breaks(story: &mut Story) -> Step {
    story.report(SourceReport::NotSent {
        own: "q1".into(),
        failure: DeliveryFailure::Unanswered("connection reset".into()),
    })
}

fn unexplained(story: &mut Story) -> Step {
    story.report(SourceReport::Unexplained { own: "q1".into() })
}

fn explained(story: &mut Story, word: &str) -> Step {
    story.report(SourceReport::Explained {
        own: "q1".into(),
        answers: Some(vec![vec![word.into()]]),
    })
}

fn given_back(step: &Step) -> Vec<LateAnswer> {
    let back = |effect: &Effect| match effect {
        Effect::GiveBack { late, .. } => Some(late.clone()),
        _ => None,
    };
    step.effects.iter().filter_map(back).collect()
}

#[test]
fn an_answer_whose_connection_broke_is_looked_up_before_its_end_is_told() {
    for is_listed_first in [true, false] {
        let mut story = granted();
        breaks(&mut story);
        let step = if is_listed_first {
            story.list(&[])
        } else {
            story.not_found("q1")
        };
        assert!(inquires(&step));
        assert!(settled(&step).is_empty());

        let step = explained(&mut story, "once");
        let ours = Outcome::Answered {
            answer: Answer::Grant(Grant::Once),
            by: Surface::Notification,
        };
        assert_eq!(settled(&step), [&ours]);
        assert_eq!(given_back(&step), []);
    }
}

/// The connections of the stream and of the answer break together, and the stream is back first:
/// its list does not contain the ask any more.
#[test]
fn a_list_that_overtakes_the_end_of_a_try_ends_nothing_by_itself() {
    let mut story = granted();
    let step = story.list(&[]);
    assert!(settled(&step).is_empty());
    assert!(!inquires(&step));

    let step = breaks(&mut story);
    assert!(inquires(&step));
    assert!(settled(&step).is_empty());
    let step = explained(&mut story, "once");
    assert!(matches!(settled(&step)[..], [Outcome::Answered { .. }]));
}

#[test]
fn a_yes_to_what_was_listed_no_more_is_looked_up_before_it_is_called_taken() {
    let mut story = granted();
    story.list(&[]);
    let step = story.sent("q1");
    assert!(inquires(&step));
    assert!(settled(&step).is_empty());
    let step = explained(&mut story, "reject");
    let answers = Some(vec![vec!["reject".into()]]);
    assert_eq!(settled(&step), [&Outcome::Elsewhere { answers }]);
}

#[test]
fn an_answer_that_never_left_is_lost_where_its_ask_is_listed_no_more() {
    let mut story = granted();
    story.list(&[]);
    let step = story.fails("q1");
    assert_eq!(settled(&step), [&Outcome::Gone]);
    let back = given_back(&unexplained(&mut story));
    assert_eq!(back.len(), 1);
    assert!(!back[0].may_have_arrived);
}

#[test]
fn what_a_later_list_has_again_is_asked_as_before() {
    let mut story = granted();
    story.list(&[]);
    story.list(&[("q1", true)]);
    let step = breaks(&mut story);
    assert!(!inquires(&step));
    let step = story.wait(Span::millis(50));
    assert_eq!(deliveries(&step).len(), 1);
}

#[test]
fn a_try_of_which_nothing_comes_back_is_looked_up_after_half_a_minute() {
    let mut story = granted();
    story.list(&[]);
    let step = story.wait(Span::seconds(31));
    assert!(inquires(&step));
    assert!(deliveries(&step).is_empty());
}

#[test]
fn an_answer_that_may_have_arrived_is_called_so_where_nothing_explains_the_end() {
    let mut story = granted();
    breaks(&mut story);
    story.list(&[]);
    let step = unexplained(&mut story);
    assert_eq!(settled(&step), [&Outcome::Gone]);
    let back = given_back(&step);
    assert!(back[0].may_have_arrived);
    assert_eq!(back.len(), 1);
    let saved = step.save.iter().find_map(|row| match row {
        RowChange::Ask(entry) => entry.late.clone(),
        _ => None,
    });
    assert_eq!(saved.as_ref(), back.first(), "the history says so as well");
}

#[test]
fn another_answer_that_was_taken_instead_is_told_as_that() {
    let mut story = granted();
    breaks(&mut story);
    story.list(&[]);
    let step = explained(&mut story, "reject");
    let answers = Some(vec![vec!["reject".into()]]);
    assert_eq!(settled(&step), [&Outcome::Elsewhere { answers }]);
    assert_eq!(given_back(&step).len(), 1);
}

#[test]
fn a_try_that_a_crash_cut_short_may_have_arrived() {
    let mut story = granted();
    let entry = stored(story.entry("q1"));
    story.restart(vec![entry]);
    let step = story.list(&[]);
    assert!(inquires(&step));
    assert!(settled(&step).is_empty());
}

#[test]
fn what_still_asks_is_answered_again() {
    let mut story = granted();
    breaks(&mut story);
    let step = story.wait(Span::millis(50));
    assert_eq!(deliveries(&step).len(), 1);
    story.sent("q1");
    let step = story.list(&[]);
    assert!(matches!(settled(&step)[..], [Outcome::Answered { .. }]));
}

#[test]
fn a_trouble_that_was_told_is_over_with_its_ask_and_the_answer_is_called_lost() {
    let mut story = granted();
    story.fails("q1");
    story.wait(Span::seconds(5));
    assert!(story.entry("q1").undelivered.is_some());
    story.list(&[]);
    let step = story.fails("q1");
    assert_eq!(settled(&step), [&Outcome::Gone]);
    let back = given_back(&step);
    assert_eq!(back.len(), 1);
    assert!(!back[0].may_have_arrived);
    let is_in_trouble = |row: &RowChange| match row {
        RowChange::Ask(entry) => entry.undelivered.is_some(),
        _ => false,
    };
    assert!(!step.save.iter().any(is_in_trouble));
    assert_eq!(given_back(&unexplained(&mut story)), [], "once");
}

#[test]
fn a_lost_answer_of_which_nothing_was_told_is_looked_up_first() {
    let mut story = granted();
    story.fails("q1");
    assert_eq!(given_back(&story.list(&[])), []);
    assert_eq!(given_back(&unexplained(&mut story)).len(), 1);
    assert_eq!(given_back(&unexplained(&mut story)), [], "once");
}

#[test]
fn an_answer_to_a_session_that_is_deleted_is_given_back_at_once() {
    let mut story = granted();
    story.fails("q1");
    let session = story.entry("q1").ask.session.id.clone();
    let step = story.report(SourceReport::SessionGone { session });
    assert_eq!(given_back(&step).len(), 1);
}

#[test]
fn who_wanted_nothing_done_has_lost_nothing() {
    let mut story = Story::asked();
    story.answer("q1", Answer::Dismiss, Surface::Notification);
    story.fails("q1");
    story.list(&[]);
    assert_eq!(given_back(&unexplained(&mut story)), []);
    let state = story.memory("q1").outcome.clone();
    assert_eq!(state, Outcome::Gone);
}
