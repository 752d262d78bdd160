//! Which interrupt is which ask, whatever the two streams say in whatever order.

use super::*;
use beckon_core::{Kind, Outcome};

const NOW: Timestamp = Timestamp(1_000);

fn threads() -> Threads {
    Threads::restore(SourceId("s".into()), &[])
}

fn confirm(text: &str) -> Interrupt {
    Interrupt { thread: None, title: None, kind: Kind::Confirm(text.into()), words: None }
}

impl Threads {
    fn heard(&mut self, text: &str) -> Vec<SourceReport> {
        self.interrupted("t", confirm(text), NOW)
    }

    /// The one ask that this opens.
    fn opens(&mut self, text: &str) -> Ask {
        asked(&self.heard(text)).expect("an ask")
    }
}

fn asked(reports: &[SourceReport]) -> Option<Ask> {
    match reports {
        [.., SourceReport::Asked(ask)] => Some(ask.clone()),
        _ => None,
    }
}

fn replied(ask: &Ask) -> SourceReport {
    let answers = Some(vec![vec!["continue".to_owned()]]);
    SourceReport::Replied { own: ask.id.own.clone(), answers }
}

#[test]
fn what_a_thread_waits_for_said_again_is_the_same_ask() {
    let mut threads = threads();
    let ask = threads.opens("Go?");
    assert_eq!(threads.opens("Go?"), ask);
    assert_eq!(ask.session.id, "t");
}

#[test]
fn something_else_ends_what_was_before() {
    let mut threads = threads();
    let first = threads.opens("Go?");
    let reports = threads.heard("Stop?");
    let own = first.id.own.clone();
    assert_eq!(reports[0], SourceReport::Replied { own, answers: None });
    assert_ne!(asked(&reports).unwrap().id, first.id);
}

#[test]
fn the_same_words_after_an_answer_was_taken_are_a_new_ask() {
    let mut threads = threads();
    let first = threads.opens("Go?");
    threads.delivers(&first, Answer::Continue);
    assert_eq!(threads.proven(&first), [replied(&first)]);
    assert_ne!(threads.opens("Go?").id, first.id);
}

#[test]
fn the_next_in_the_same_words_on_both_streams_is_one_ask() {
    let mut threads = threads();
    let first = threads.opens("Go?");
    threads.delivers(&first, Answer::Continue);
    assert_eq!(threads.heard("Go?"), [], "the stream is ahead of the reply");
    threads.proven(&first);
    let second = threads.opens("Go?");
    assert_eq!(threads.over("t", NOW), []);
    assert_eq!(threads.opens("Go?"), second);
}

#[test]
fn the_next_in_the_same_words_on_the_stream_only_is_found_when_the_reply_ends() {
    let mut threads = threads();
    let first = threads.opens("Go?");
    threads.delivers(&first, Answer::Continue);
    threads.heard("Go?");
    threads.proven(&first);
    let reports = threads.over("t", NOW);
    assert_ne!(asked(&reports).unwrap().id, first.id);
}

#[test]
fn a_refused_answer_leaves_its_ask_waiting() {
    let mut threads = threads();
    let ask = threads.opens("Go?");
    threads.delivers(&ask, Answer::Continue);
    let failure = Failure::Returned(Returned::Refused("no".into()));
    threads.failed(&ask, failure);
    assert_eq!(threads.opens("Go?"), ask);
}

#[test]
fn a_dismissal_is_proven_as_a_rejection() {
    let mut threads = threads();
    let ask = threads.opens("Go?");
    threads.delivers(&ask, Answer::Dismiss);
    assert_eq!(threads.proven(&ask), [SourceReport::Rejected { own: ask.id.own.clone() }]);
}

#[test]
fn only_an_answer_with_a_200_is_unproven_after_a_restart() {
    let ask = threads().opens("Go?");
    let entry = |state| {
        let mut entry = Entry::new(ask.clone(), 1);
        entry.state = state;
        entry
    };
    let answering = |sent_at| State::Answering {
        answer: Answer::Continue,
        by: beckon_core::Surface::Cli,
        at: NOW,
        attempts: 1,
        tried_at: Some(NOW),
        sent_at,
    };
    assert_eq!(unproven(&[entry(State::Open), entry(answering(None))]), []);
    assert_eq!(unproven(&[entry(answering(Some(NOW)))]).len(), 1);
    let settled = State::Settled { outcome: Outcome::Gone, at: NOW };
    assert_eq!(unproven(&[entry(settled)]), []);
}

#[test]
fn two_asks_of_one_moment_have_two_ids() {
    let mut threads = threads();
    assert_ne!(threads.opens("Go?").id, threads.opens("Stop?").id);
}
