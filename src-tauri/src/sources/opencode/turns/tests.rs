//! Turns as the recorded servers tell them, in the order in which they were recorded.

use super::*;
use std::time::Duration;

/// A stream of one connection; every event comes a second after the one before.
struct Stream {
    turns: RunningTurns,
    now: Instant,
    over: Vec<EndedTurn>,
}

impl Stream {
    fn new() -> Self {
        Self {
            turns: RunningTurns::default(),
            now: Instant::now(),
            over: Vec::new(),
        }
    }

    fn then(
        &mut self,
        event: impl FnOnce(&mut RunningTurns, Instant) -> Option<EndedTurn>,
    ) -> &mut Self {
        self.now += Duration::from_secs(1);
        self.over.extend(event(&mut self.turns, self.now));
        self
    }

    fn busy(&mut self, session: &str) -> &mut Self {
        self.then(|turns, _| {
            turns.busy(session.into(), "/a".into());
            None
        })
    }

    fn speaks(&mut self, session: &str, reply: MessageProgress) -> &mut Self {
        let stamp = (reply == MessageProgress::Unfinished).then_some(1_000);
        let spoken = AssistantMessage {
            prompt: format!("prompt of {session}"),
            stamp,
            reply,
        };
        self.then(|turns, now| {
            turns.spoke(session, spoken, now);
            None
        })
    }

    /// A step as both versions tell it: busy, a message begins.
    fn begins(&mut self, session: &str) -> &mut Self {
        self.busy(session)
            .speaks(session, MessageProgress::Unfinished)
            .busy(session)
    }

    fn idle(&mut self, session: &str) -> &mut Self {
        self.then(|turns, now| turns.idle(session, now))
    }

    fn aborted(&mut self, session: &str) -> &mut Self {
        self.then(|turns, _| {
            turns.aborted(session);
            None
        })
    }

    fn fails(&mut self, session: &str) -> &mut Self {
        self.then(|turns, _| {
            turns.failed(session, "401 no".into());
            None
        })
    }

    fn starts(&mut self, session: &str, child: &str) -> &mut Self {
        self.then(|turns, _| {
            turns.created(child, Some(session.into()));
            None
        })
    }

    fn told(&self) -> Vec<(&str, Option<&str>)> {
        self.over
            .iter()
            .map(|over| (over.session.as_str(), over.failed.as_deref()))
            .collect()
    }

    fn forgets_everything(&self) -> bool {
        self.turns.runs.is_empty() && self.turns.starters.is_empty()
    }
}

#[test]
fn a_turn_is_told_once_however_often_its_end_is() {
    let mut stream = Stream::new();
    stream
        .begins("s")
        .speaks("s", MessageProgress::Finished)
        .busy("s")
        .idle("s")
        .idle("s")
        .idle("s");
    assert_eq!(stream.told(), [("s", None)]);
    assert!(stream.forgets_everything());
    stream
        .begins("s")
        .speaks("s", MessageProgress::Finished)
        .idle("s");
    assert_eq!(stream.told(), [("s", None), ("s", None)]);
}

#[test]
fn its_length_is_counted_from_the_first_message_that_was_seen_of_it() {
    let mut stream = Stream::new();
    stream
        .begins("s")
        .speaks("s", MessageProgress::CallsTools)
        .begins("s");
    stream
        .speaks("s", MessageProgress::Finished)
        .busy("s")
        .idle("s");
    let over = &stream.over[0];
    assert_eq!(
        (over.anchor.prompt.as_str(), over.anchor.stamp),
        ("prompt of s", 1_000)
    );
    assert_eq!(over.at - over.anchor.at, Duration::from_secs(8));
}

#[test]
fn a_turn_of_which_no_message_was_seen_is_not_told_since_nobody_knows_how_long_it_was() {
    let mut stream = Stream::new();
    stream.busy("s").fails("s").idle("s");
    assert_eq!(stream.told(), []);
    assert!(stream.forgets_everything());
}

#[test]
fn the_end_of_a_turn_that_was_not_seen_at_all_is_not_told() {
    let mut stream = Stream::new();
    stream
        .idle("s")
        .idle("s")
        .fails("s")
        .speaks("s", MessageProgress::Finished)
        .idle("s");
    assert_eq!(stream.told(), []);
    assert!(stream.forgets_everything());
}

#[test]
fn a_failed_turn_says_why() {
    let mut stream = Stream::new();
    stream
        .begins("s")
        .fails("s")
        .idle("s")
        .speaks("s", MessageProgress::Unfinished)
        .idle("s");
    assert_eq!(stream.told(), [("s", Some("401 no"))]);
}

#[test]
fn an_error_after_which_the_session_goes_on_is_not_its_end() {
    let mut stream = Stream::new();
    stream
        .begins("s")
        .fails("s")
        .begins("s")
        .speaks("s", MessageProgress::Finished)
        .busy("s")
        .idle("s");
    assert_eq!(stream.told(), [("s", None)]);
}

#[test]
fn an_abort_is_not_told_whether_it_is_named_before_the_end_after_it_or_never() {
    let mut newer = Stream::new();
    newer
        .begins("s")
        .aborted("s")
        .idle("s")
        .speaks("s", MessageProgress::Unfinished)
        .idle("s");
    let mut older = Stream::new();
    older.begins("s").idle("s").aborted("s").idle("s").idle("s");
    let mut silent = Stream::new();
    silent.begins("s").idle("s");
    let mut second_step = Stream::new();
    second_step
        .begins("s")
        .speaks("s", MessageProgress::CallsTools)
        .busy("s")
        .idle("s");
    for stream in [newer, older, silent, second_step] {
        assert_eq!(stream.told(), []);
        assert!(stream.forgets_everything());
    }
}

#[test]
fn a_turn_that_ends_as_the_human_rejects_what_was_asked_is_done() {
    let mut stream = Stream::new();
    stream
        .begins("s")
        .speaks("s", MessageProgress::CallsTools)
        .idle("s");
    assert_eq!(stream.told(), [("s", None)]);
}

#[test]
fn a_session_that_another_one_started_is_not_told() {
    let mut stream = Stream::new();
    stream.begins("s").starts("s", "child").begins("child");
    stream
        .speaks("child", MessageProgress::Finished)
        .busy("child")
        .idle("child");
    assert_eq!(stream.told(), []);
    stream
        .speaks("s", MessageProgress::CallsTools)
        .begins("s")
        .speaks("s", MessageProgress::Finished)
        .idle("s");
    assert_eq!(stream.told(), [("s", None)]);
    assert!(stream.forgets_everything());
}

#[test]
fn a_turn_lasts_until_whatever_it_started_at_any_depth_is_idle() {
    let mut stream = Stream::new();
    stream.begins("s").starts("s", "child").begins("child");
    stream.starts("child", "grandchild").begins("grandchild");
    stream
        .speaks("child", MessageProgress::Finished)
        .idle("child");
    stream.speaks("s", MessageProgress::Finished).idle("s");
    assert_eq!(stream.told(), []);
    stream
        .speaks("grandchild", MessageProgress::Finished)
        .idle("grandchild");
    assert_eq!(stream.told(), [("s", None)]);
    assert!(stream.forgets_everything());
}

#[test]
fn a_child_that_fails_does_not_fail_the_turn() {
    let mut stream = Stream::new();
    stream
        .begins("s")
        .starts("s", "child")
        .begins("child")
        .fails("child")
        .idle("child");
    stream
        .speaks("s", MessageProgress::CallsTools)
        .begins("s")
        .speaks("s", MessageProgress::Finished)
        .idle("s");
    assert_eq!(stream.told(), [("s", None)]);
}

#[test]
fn a_child_that_is_deleted_is_waited_for_no_longer() {
    let mut stream = Stream::new();
    stream.begins("s").starts("s", "child").begins("child");
    stream.speaks("s", MessageProgress::Finished).idle("s");
    stream.then(|turns, now| turns.deleted("child", now));
    assert_eq!(stream.told(), [("s", None)]);
}

#[test]
fn a_child_of_an_earlier_connection_is_known_once_it_is_changed() {
    let mut stream = Stream::new();
    stream.begins("s").begins("child").then(|turns, _| {
        turns.updated("child", Some("s".into()));
        turns.updated("stranger", Some("s".into()));
        None
    });
    stream
        .speaks("child", MessageProgress::Finished)
        .idle("child");
    assert_eq!(stream.told(), []);
    assert!(!stream.turns.starters.contains_key("stranger"));
}

#[test]
fn deleted_and_disposed_turns_are_forgotten() {
    let mut stream = Stream::new();
    stream
        .begins("s")
        .starts("s", "child")
        .begins("child")
        .begins("t");
    stream.then(|turns, now| turns.deleted("s", now));
    stream.then(|turns, _| {
        turns.disposed(Some("/b"));
        assert!(turns.runs.contains_key("t"));
        turns.disposed(Some("/a"));
        None
    });
    assert_eq!(stream.told(), []);
    assert!(stream.forgets_everything());
}

#[test]
fn sessions_that_started_each_other_in_a_circle_hang_nobody() {
    let mut stream = Stream::new();
    stream
        .starts("a", "b")
        .starts("b", "a")
        .begins("a")
        .speaks("a", MessageProgress::Finished)
        .idle("a");
    assert_eq!(stream.told(), [("a", None)]);
}

#[test]
fn a_turn_whose_end_looks_complete_is_not_told_when_it_was_broken_off() {
    let mut turns = Stream::new();
    turns
        .begins("s")
        .speaks("s", MessageProgress::Finished)
        .aborted("s")
        .idle("s");
    assert_eq!(turns.told(), []);
}
