//! Asks and uses that are word for word the same.

use super::super::ids::CallMark;
use super::super::input_paths::PathOrigins;
use super::super::transcript::{Decider, LineStamp, RecordedResult};
use super::*;
use serde_json::json;

/// Makes an ask that was asked that many hundredths of a second after a time.
fn ask(hundredths: u64, is_answered: bool) -> WaitingAsk {
    let number = 100_000_000 * (1 << 15) / 1_000 + (hundredths << 15);
    let mut rest = number;
    let mut digits = Vec::new();
    for _ in 0..8 {
        digits.push(char::from_digit(u32::try_from(rest % 36).unwrap(), 36).unwrap());
        rest /= 36;
    }
    let tail: String = digits.into_iter().rev().collect();
    WaitingAsk {
        id: format!("cc.session.main.t.01234567.{tail}"),
        is_answered,
    }
}

fn stamp(hundredths: u64) -> HookStamp {
    HookStamp::in_id(&ask(hundredths, false).id).unwrap()
}

#[test]
fn what_was_answered_ends_before_what_is_open_and_the_oldest_first() {
    let [first, second, third] = [1, 2, 3].map(|at| ask(at, false));
    let [early, late] = [4, 5].map(|at| ask(at, true));
    let asks = [&late, &third, &early, &first, &second].map(Clone::clone);
    assert_eq!(first_to_end(&asks), Some(&early));
    let open = [&third, &first, &second].map(Clone::clone);
    assert_eq!(first_to_end(&open), Some(&first));
    assert_eq!(first_to_end(&[]), None);
}

#[test]
fn an_event_is_about_what_was_asked_before_it() {
    assert!(ask(1, false).is_before(stamp(2)));
    assert!(
        !ask(2, false).is_before(stamp(2)),
        "nobody knows, and a card too many does less harm"
    );
    assert!(!ask(3, false).is_before(stamp(2)));
    let older = WaitingAsk {
        id: "cc.session.main.t.01234567.x".into(),
        is_answered: false,
    };
    assert!(older.is_before(stamp(2)));
}

fn call(id: &str, command: &str) -> ToolUse {
    ToolUse {
        tool_name: "Bash".into(),
        tool_input: json!({ "command": command }),
        id: Some(id.into()),
    }
}

fn written(at: Option<i64>) -> LineStamp {
    LineStamp { offset: 0, at }
}

fn used(id: &str, message: &str, command: &str) -> RecordedUse {
    RecordedUse {
        id: id.into(),
        message: Some(message.into()),
        call: CallMark::of(&call(id, command), PathOrigins::default()),
        tool: "Bash".into(),
        written: written(Some(900)),
    }
}

fn ended(of: &str) -> RecordedResult {
    RecordedResult {
        of: of.into(),
        written: written(None),
        text: String::new(),
        is_error: false,
        is_accepted: None,
        has_run: true,
        decider: Decider::Unsaid,
    }
}

fn uses(results: Vec<RecordedResult>) -> EqualUses {
    let tail = TranscriptTail {
        uses: vec![
            used("earlier", "m0", "make"),
            used("a", "m", "make"),
            used("x", "m", "ls"),
            used("b", "m", "make"),
            // Told twice, as after a session was taken up again.
            used("b", "m", "make"),
        ],
        results,
        ..TranscriptTail::default()
    };
    EqualUses::of(&call("a", "make"), &tail).unwrap()
}

#[test]
fn the_uses_of_one_message_are_counted() {
    let expected = |ended: usize| EqualUses {
        count: 2,
        ended,
        since: Some(900),
    };
    assert_eq!(uses(Vec::new()), expected(1), "the one that is told of");
    assert_eq!(uses(vec![ended("a"), ended("x")]), expected(1));
    assert_eq!(uses(vec![ended("a"), ended("b")]), expected(2));
}

#[test]
fn an_end_whose_ask_has_ended_ends_no_other() {
    let one = uses(Vec::new());
    assert!(!one.are_accounted_for(0));
    assert!(one.are_accounted_for(1));
    let both = uses(vec![ended("b")]);
    assert!(!both.are_accounted_for(1));
    let single = EqualUses { count: 1, ..one };
    assert!(
        !single.are_accounted_for(3),
        "there is nothing to mistake it for"
    );
}

#[test]
fn of_open_asks_those_go_for_which_no_use_is_left() {
    let [first, second] = [1, 2].map(|at| ask(at, false));
    let answered = ask(3, true);
    let both = [first.clone(), second.clone()];
    let of = |uses: &EqualUses, asks: &[WaitingAsk]| uses.surplus(asks);

    let one_left = uses(Vec::new());
    assert_eq!(of(&one_left, &both), both[..1]);
    assert_eq!(
        of(&one_left, std::slice::from_ref(&second)),
        [],
        "what ended was never asked, or is told once more"
    );
    assert_eq!(
        of(&one_left, &[answered.clone(), second.clone()]),
        [],
        "somebody looks what became of the answer"
    );
    let none_left = uses(vec![ended("b")]);
    assert_eq!(
        of(&none_left, &[second.clone(), answered, first.clone()]),
        [first, second]
    );
}

#[test]
fn without_a_name_the_transcript_tells_nothing() {
    let tail = TranscriptTail {
        uses: vec![used("a", "m", "make")],
        ..TranscriptTail::default()
    };
    let unnamed = ToolUse {
        id: None,
        ..call("a", "make")
    };
    assert_eq!(EqualUses::of(&unnamed, &tail), None);
    assert_eq!(EqualUses::of(&call("b", "make"), &tail), None);
}
