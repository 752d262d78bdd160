//! Tests of which interrupt is which ask, whatever the two streams say in whatever order.

use super::*;
use beckon_core::{AskContent, Outcome};

const NOW: Timestamp = Timestamp(1_000);

fn threads() -> ThreadTable {
    ThreadTable::restore(SourceId("s".into()), &[], &[])
}

fn confirm(text: &str) -> Interrupt {
    let kind = AskContent::Confirm(text.into());
    Interrupt {
        thread: None,
        title: None,
        kind,
        words: None,
        ordinary: true,
    }
}

impl ThreadTable {
    fn heard(&mut self, text: &str) -> Vec<SourceReport> {
        self.interrupted("t", confirm(text), Some(1), NOW)
    }

    /// Sends an answer given by hand, that long after the first stream was opened.
    fn sends(&mut self, ask: &Ask, line: u64, after: Duration) -> Result<(), DeliveryFailure> {
        let mut entry = Entry::new(ask.clone(), 1);
        entry.state = answering(None);
        let line = OpenStream {
            number: line,
            since: moment(Duration::ZERO),
        };
        self.delivers(&entry, &Answer::Continue, Some(&line), moment(after))
    }

    fn posts(&mut self, ask: &Ask) {
        assert_eq!(self.sends(ask, 1, LATER), Ok(()));
    }

    /// Returns the one ask that these words open.
    fn opens(&mut self, text: &str) -> Ask {
        asked(&self.heard(text)).expect("an ask")
    }
}

const LATER: Duration = Duration::from_secs(10);

/// Returns the moment that long after the first.
fn moment(after: Duration) -> ClockMoment {
    static FIRST: std::sync::OnceLock<ClockMoment> = std::sync::OnceLock::new();
    let first = FIRST.get_or_init(ClockMoment::now);
    let wall = Timestamp(first.wall.0 + i64::try_from(after.as_millis()).unwrap());
    ClockMoment {
        wall,
        steady: first.steady + after,
    }
}

fn answering(sent_at: Option<Timestamp>) -> AskState {
    let (answer, by, tried_at) = (Answer::Continue, Surface::Cli, Some(NOW));
    AskState::Answering {
        answer,
        by,
        at: NOW,
        attempts: 1,
        tried_at,
        sent_at,
        unanswered: false,
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
    SourceReport::Replied {
        own: ask.id.own.clone(),
        answers,
    }
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
    assert_eq!(reports[0], SourceReport::Overtaken { own });
    assert_ne!(asked(&reports).unwrap().id, first.id);
}

#[test]
fn what_is_said_again_while_an_answer_finds_nobody_is_the_next() {
    let mut threads = threads();
    let first = threads.opens("Go?");
    threads.posts(&first);
    assert_eq!(threads.heard("Go?"), []);
    let reports = threads.failed(&first, DeliveryFailure::NotFound, NOW);
    let own = first.id.own.clone();
    assert_eq!(
        reports[0],
        SourceReport::NotSent {
            own,
            failure: DeliveryFailure::NotFound
        }
    );
    assert_ne!(asked(&reports).unwrap().id, first.id);
}

#[test]
fn a_name_from_before_a_restart_is_given_to_nothing_else() {
    let first = threads().opens("Go?");
    let open = [Entry::new(first.clone(), 1)];
    let ended = [first.id.clone()];
    let source = || SourceId("s".into());
    for mut threads in [
        ThreadTable::restore(source(), &open, &[]),
        ThreadTable::restore(source(), &[], &ended),
    ] {
        let reports = threads.heard("Stop?");
        assert_ne!(asked(&reports).unwrap().id, first.id);
    }
}

/// The desk means to try it again, so "answered" would be taken for "by that answer".
#[test]
fn an_answer_that_never_arrived_has_not_ended_what_another_ended() {
    let mut threads = threads();
    let first = threads.opens("Go?");
    threads.posts(&first);
    threads.failed(
        &first,
        DeliveryFailure::Other("connection refused".into()),
        NOW,
    );
    let own = first.id.own;
    assert_eq!(threads.heard("Stop?")[0], SourceReport::Overtaken { own });
}

#[test]
fn the_same_words_after_an_answer_was_taken_are_a_new_ask() {
    let mut threads = threads();
    let first = threads.opens("Go?");
    threads.posts(&first);
    assert_eq!(threads.proven(&first), [replied(&first)]);
    assert_ne!(threads.opens("Go?").id, first.id);
}

#[test]
fn the_next_in_the_same_words_on_both_streams_is_one_ask() {
    let mut threads = threads();
    let first = threads.opens("Go?");
    threads.posts(&first);
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
    threads.posts(&first);
    threads.heard("Go?");
    threads.proven(&first);
    let reports = threads.over("t", NOW);
    assert_ne!(asked(&reports).unwrap().id, first.id);
}

#[test]
fn a_refused_answer_leaves_its_ask_waiting() {
    let mut threads = threads();
    let ask = threads.opens("Go?");
    threads.posts(&ask);
    let failure = DeliveryFailure::Returned(ReturnReason::Refused("no".into()));
    threads.failed(&ask, failure, NOW);
    assert_eq!(threads.opens("Go?"), ask);
}

#[test]
fn a_dismissal_is_proven_as_a_rejection() {
    let mut threads = threads();
    let ask = threads.opens("Go?");
    let mut entry = Entry::new(ask.clone(), 1);
    entry.state = answering(None);
    let line = OpenStream {
        number: 1,
        since: moment(Duration::ZERO),
    };
    threads
        .delivers(&entry, &Answer::Dismiss, Some(&line), moment(LATER))
        .unwrap();
    assert_eq!(
        threads.proven(&ask),
        [SourceReport::Rejected {
            own: ask.id.own.clone()
        }]
    );
}

#[test]
fn every_answer_that_was_on_its_way_is_unproven_after_a_restart() {
    let ask = threads().opens("Go?");
    let entry = |state| {
        let mut entry = Entry::new(ask.clone(), 1);
        entry.state = state;
        entry
    };
    assert_eq!(unproven(&[entry(AskState::Open)]), []);
    assert_eq!(
        unproven(&[entry(answering(None)), entry(answering(Some(NOW)))]).len(),
        2
    );
    let settled = AskState::Settled {
        outcome: Outcome::Gone,
        at: NOW,
    };
    assert_eq!(unproven(&[entry(settled)]), []);
}

#[test]
fn an_answer_goes_only_to_what_was_heard_on_the_stream_that_is_open() {
    let mut threads = threads();
    let ask = threads.opens("Go?");
    let doubted = Err(DeliveryFailure::Returned(ReturnReason::Unconfirmed));
    let early = threads.sends(&ask, 2, Duration::from_millis(10));
    assert!(
        matches!(early, Err(DeliveryFailure::Other(_))),
        "it may still be said"
    );
    assert_eq!(threads.sends(&ask, 2, LATER), doubted);
    threads.interrupted("t", confirm("Go?"), Some(2), NOW);
    assert_eq!(threads.sends(&ask, 2, LATER), Ok(()));
}

#[test]
fn one_who_was_told_that_it_may_be_over_may_insist_but_not_with_the_same_press() {
    let mut threads = threads();
    let ask = threads.opens("Go?");
    let doubted = Err(DeliveryFailure::Returned(ReturnReason::Unconfirmed));
    assert_eq!(threads.sends(&ask, 2, LATER), doubted);
    assert_eq!(
        threads.sends(&ask, 2, LATER + Duration::from_millis(500)),
        doubted,
        "twice tapped"
    );
    assert_eq!(
        threads.sends(&ask, 3, LATER * 2),
        doubted,
        "the stream broke again"
    );
    assert_eq!(threads.sends(&ask, 3, LATER * 3), Ok(()));
}

#[test]
fn an_answer_that_was_not_sent_did_not_end_what_its_thread_waited_for() {
    let mut threads = threads();
    let ask = threads.opens("Go?");
    let _ = threads.sends(&ask, 2, Duration::ZERO);
    let own = ask.id.own.clone();
    let gone = SourceReport::NotSent {
        own,
        failure: DeliveryFailure::NotFound,
    };
    assert_eq!(
        threads.interrupted("t", confirm("Stop?"), Some(2), NOW)[0],
        gone
    );
    assert_eq!(
        threads.sends(&ask, 2, LATER),
        Err(DeliveryFailure::NotFound)
    );
}

#[test]
fn what_names_no_thread_is_kept_apart_and_takes_no_answer_but_that_nobody_wants_it() {
    let mut threads = threads();
    let first = threads.nameless(confirm("First?"), NOW);
    let second = threads.nameless(confirm("Second?"), NOW);
    let ask = |reports: &[SourceReport]| asked(&reports[..1]).unwrap();
    let (first, second) = (ask(&first), ask(&second));
    assert_ne!(first.id, second.id);
    assert_eq!(
        ask(&threads.nameless(confirm("First?"), NOW)),
        first,
        "said again"
    );
    let refused = Err(DeliveryFailure::Returned(ReturnReason::NoThread));
    assert_eq!(threads.sends(&second, 1, LATER), refused);
    let mut entry = Entry::new(first, 1);
    entry.state = answering(None);
    let cancelled = threads.delivers(&entry, &Answer::Cancel, None, moment(LATER));
    assert_eq!(cancelled, Err(DeliveryFailure::NotFound));
}

#[test]
fn two_asks_of_one_moment_have_two_ids() {
    let mut threads = threads();
    assert_ne!(threads.opens("Go?").id, threads.opens("Stop?").id);
}

#[test]
fn after_a_restart_a_thread_waits_for_what_is_open_and_for_nothing_that_is_over() {
    let mut entry = Entry::new(threads().opens("a"), 1);
    let waits = |entry: Entry| ThreadTable::restore(SourceId("s".into()), &[entry], &[]).waits("t");
    assert!(waits(entry.clone()));
    entry.state = AskState::Settled {
        outcome: Outcome::Gone,
        at: NOW,
    };
    assert!(!waits(entry));
}

#[test]
fn an_ask_bears_the_title_and_the_words_of_its_interrupt_and_the_name_of_its_service() {
    let title = Some("Deploy".to_owned());
    let told = Interrupt {
        title: title.clone(),
        words: Some("Ready.".into()),
        ..confirm("a")
    };
    let session = asked(&threads().interrupted("t", told, Some(1), NOW))
        .unwrap()
        .session;
    let api = Some(ORDINARY.to_owned());
    let (id, directory, last_words) = ("t".into(), "s".into(), Some("Ready.".into()));
    assert_eq!(
        session,
        Session {
            id,
            title,
            directory,
            last_words,
            api,
            ..Session::default()
        }
    );
    let answers = Interrupt {
        ordinary: false,
        ..confirm("b")
    };
    let ask = asked(&threads().interrupted("t", answers, Some(1), NOW)).unwrap();
    assert_eq!(ask.session.api, None);
}

#[test]
fn an_answer_that_was_sent_may_have_ended_what_is_replaced() {
    let mut threads = threads();
    let ask = threads.opens("a");
    threads.posts(&ask);
    let own = ask.id.own;
    let reports = threads.heard("b");
    assert_eq!(reports[0], SourceReport::Replied { own, answers: None });
}

#[test]
fn what_names_no_thread_still_names_none_after_a_restart() {
    let ask = asked(&threads().nameless(confirm("a"), NOW)[..1]).unwrap();
    let told = unproven(&[
        Entry::new(ask.clone(), 1),
        Entry::new(threads().opens("b"), 2),
    ]);
    assert_eq!(told, [no_thread(&ask)]);
}

#[test]
fn what_has_not_been_said_in_time_comes_back_to_its_human() {
    let mut threads = threads();
    let ask = threads.opens("a");
    let soon = threads.sends(&ask, 2, SAID_WITHIN - Duration::from_millis(1));
    assert!(matches!(soon, Err(DeliveryFailure::Other(_))), "{soon:?}");
    let late = threads.sends(&ask, 2, SAID_WITHIN);
    assert_eq!(
        late,
        Err(DeliveryFailure::Returned(ReturnReason::Unconfirmed))
    );
}

#[test]
fn an_answer_is_posted_from_when_it_is_sent_until_it_is_forsaken() {
    let mut threads = threads();
    let ask = threads.opens("a");
    assert!(!threads.is_posted(&ask));
    threads.posts(&ask);
    assert!(threads.is_posted(&ask));
    threads.forsaken(&ask);
    assert!(!threads.is_posted(&ask));
    assert_eq!(threads.proven(&ask), [], "there is no answer that could be");
}
