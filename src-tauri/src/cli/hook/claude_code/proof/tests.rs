//! What an answer's fate looks like in a transcript and in the register.

use super::super::input::ToolUse;
use super::super::transcript::HookAllowance;
use super::*;
use serde_json::json;

const ASKED: i64 = 1_000;
const DECIDED: i64 = 5_000;
const REASON: &str = "写测试 first";

fn mark(command: &str) -> CallMark {
    CallMark::of(&ToolUse {
        tool_name: "Bash".into(),
        tool_input: json!({ "command": command }),
        id: None,
    })
}

fn used(id: &str, message: &str, command: &str, at: i64) -> RecordedUse {
    RecordedUse {
        id: id.into(),
        message: Some(message.into()),
        call: mark(command),
        at: Some(at),
    }
}

fn run(of: &str, at: i64, decider: Decider) -> RecordedResult {
    RecordedResult {
        of: of.into(),
        at: Some(at),
        text: "made".into(),
        is_error: false,
        has_run: true,
        decider,
    }
}

fn refused(of: &str, at: i64, text: &str, decider: Decider) -> RecordedResult {
    RecordedResult {
        text: text.into(),
        is_error: true,
        has_run: false,
        ..run(of, at, decider)
    }
}

fn tail(uses: Vec<RecordedUse>, results: Vec<RecordedResult>) -> TranscriptTail {
    TranscriptTail {
        uses,
        results,
        allowed_by_hook: Vec::new(),
    }
}

fn yes() -> HandedAnswer {
    HandedAnswer {
        call: mark("make"),
        use_id: None,
        refusal: None,
        ends_the_use: false,
        asked_at: ASKED,
        decided_at: DECIDED,
    }
}

fn no() -> HandedAnswer {
    HandedAnswer {
        refusal: Some(REASON.into()),
        ends_the_use: true,
        ..yes()
    }
}

#[test]
fn the_end_of_a_use_tells_whose_answer_it_was() {
    let table = [
        (
            refused("a", 6_000, REASON, Decider::Hook),
            RecordedOutcome::Elsewhere,
            RecordedOutcome::Taken,
        ),
        (
            refused("a", 6_000, REASON, Decider::Unsaid),
            RecordedOutcome::Elsewhere,
            RecordedOutcome::Taken,
        ),
        (
            refused("a", 6_000, "another's reason", Decider::Hook),
            RecordedOutcome::Elsewhere,
            RecordedOutcome::Elsewhere,
        ),
        (
            refused("a", 6_000, REASON, Decider::User),
            RecordedOutcome::Elsewhere,
            RecordedOutcome::Elsewhere,
        ),
        (
            run("a", 6_000, Decider::Hook),
            RecordedOutcome::Taken,
            RecordedOutcome::Elsewhere,
        ),
        (
            run("a", 6_000, Decider::Unsaid),
            RecordedOutcome::Taken,
            RecordedOutcome::Elsewhere,
        ),
        (
            run("a", 6_000, Decider::User),
            RecordedOutcome::Elsewhere,
            RecordedOutcome::Elsewhere,
        ),
    ];
    for (result, of_yes, of_no) in table {
        let said = format!("{result:?}");
        let tail = tail(vec![used("a", "m", "make", 900)], vec![result]);
        assert_eq!(yes().outcome(&tail), of_yes, "{said}");
        assert_eq!(no().outcome(&tail), of_no, "{said}");
    }
}

#[test]
fn a_command_that_prints_the_reason_was_not_refused() {
    let mut result = run("a", 6_000, Decider::Unsaid);
    result.text = REASON.into();
    let tail = tail(vec![used("a", "m", "make", 900)], vec![result]);
    assert_eq!(no().outcome(&tail), RecordedOutcome::Elsewhere);
}

#[test]
fn what_ended_before_the_answer_was_not_ended_by_it() {
    let uses = vec![used("a", "m", "make", 900)];
    let tail = tail(uses, vec![refused("a", 4_000, REASON, Decider::Hook)]);
    assert_eq!(no().outcome(&tail), RecordedOutcome::EndedBefore);
}

#[test]
fn of_two_equal_uses_the_one_that_had_not_ended_counts() {
    let uses = || vec![used("a", "m", "make", 900), used("b", "m", "make", 910)];
    let first = || refused("a", 4_000, REASON, Decider::Hook);
    let pending = tail(uses(), vec![first()]);
    assert_eq!(
        no().outcome(&pending),
        RecordedOutcome::Pending { alone: true }
    );
    let second = refused("b", 6_000, REASON, Decider::Hook);
    assert_eq!(
        no().outcome(&tail(uses(), vec![first(), second])),
        RecordedOutcome::Taken
    );
    let run = run("b", 6_000, Decider::User);
    assert_eq!(
        no().outcome(&tail(uses(), vec![first(), run])),
        RecordedOutcome::Elsewhere
    );
}

#[test]
fn what_is_pending_since_an_earlier_message_is_pending_no_more() {
    // Claude Code was killed, and the session was taken up again.
    let uses = vec![
        used("old", "m0", "make", 500),
        used("a", "m1", "make", 900),
        used("next", "m2", "make", 7_000),
    ];
    let tail = tail(uses, vec![run("a", 6_000, Decider::User)]);
    assert_eq!(no().outcome(&tail), RecordedOutcome::Elsewhere);
}

#[test]
fn another_call_proves_nothing() {
    let uses = vec![used("a", "m", "make", 900), used("b", "m", "ls", 910)];
    let results = vec![refused("b", 6_000, REASON, Decider::Hook)];
    let pending = tail(uses, results);
    assert_eq!(
        no().outcome(&pending),
        RecordedOutcome::Pending { alone: true }
    );
    let unknown = tail(vec![used("b", "m", "ls", 910)], Vec::new());
    assert_eq!(no().outcome(&unknown), RecordedOutcome::NotFound);
    assert_eq!(
        no().outcome(&tail(Vec::new(), Vec::new())),
        RecordedOutcome::NotFound
    );
}

#[test]
fn a_use_whose_name_is_known_is_no_other() {
    let uses = vec![used("a", "m", "make", 900), used("b", "m", "make", 910)];
    let tail = tail(uses, vec![refused("a", 6_000, REASON, Decider::Hook)]);
    let of = |id: &str| HandedAnswer {
        use_id: Some(id.into()),
        ..no()
    };
    assert_eq!(of("a").outcome(&tail), RecordedOutcome::Taken);
    assert_eq!(
        of("b").outcome(&tail),
        RecordedOutcome::Pending { alone: true }
    );
    assert_eq!(of("c").outcome(&tail), RecordedOutcome::NotFound);
}

#[test]
fn a_yes_that_is_noted_while_the_tool_runs_is_taken() {
    let mut running = tail(vec![used("a", "m", "make", 900)], Vec::new());
    let note = |at: i64| HookAllowance {
        of: "a".into(),
        at: Some(at),
    };
    running.allowed_by_hook = vec![note(4_000)];
    assert_eq!(
        yes().outcome(&running),
        RecordedOutcome::Pending { alone: true }
    );
    running.allowed_by_hook = vec![note(5_010)];
    assert_eq!(yes().outcome(&running), RecordedOutcome::Taken);
    assert_eq!(
        no().outcome(&running),
        RecordedOutcome::Pending { alone: true }
    );
}

#[test]
fn a_verdict_is_given_as_soon_as_there_is_one_and_not_before() {
    const MOVED: Option<bool> = Some(true);
    const STANDS: Option<bool> = Some(false);
    let alone = RecordedOutcome::Pending { alone: true };
    let beside = RecordedOutcome::Pending { alone: false };
    let question = HandedAnswer {
        ends_the_use: true,
        ..yes()
    };
    let (yes, no) = (yes(), no());
    // Of each: the last second without a verdict, if there is one, and the verdict after that.
    let table = [
        (
            "a no beside a dialog that stands",
            &no,
            beside,
            STANDS,
            Some(9),
            Verdict::Elsewhere,
        ),
        (
            "a no whose dialog stands",
            &no,
            alone,
            STANDS,
            Some(9),
            Verdict::NotTaken,
        ),
        (
            "a no whose dialog has gone",
            &no,
            alone,
            MOVED,
            Some(9),
            Verdict::Elsewhere,
        ),
        (
            "a no that nothing tells of",
            &no,
            alone,
            None,
            Some(599),
            Verdict::Unclear,
        ),
        (
            "a yes whose dialog has gone",
            &yes,
            alone,
            MOVED,
            None,
            Verdict::Taken,
        ),
        (
            "a yes whose dialog stands",
            &yes,
            alone,
            STANDS,
            Some(9),
            Verdict::NotTaken,
        ),
        (
            "a yes beside another dialog",
            &yes,
            beside,
            STANDS,
            Some(599),
            Verdict::Unclear,
        ),
        (
            "an answer whose dialog has gone",
            &question,
            alone,
            MOVED,
            Some(9),
            Verdict::Taken,
        ),
        (
            "a proof",
            &no,
            RecordedOutcome::Taken,
            STANDS,
            None,
            Verdict::Taken,
        ),
        (
            "a disproof",
            &no,
            RecordedOutcome::Elsewhere,
            MOVED,
            None,
            Verdict::Elsewhere,
        ),
        (
            "too late",
            &no,
            RecordedOutcome::EndedBefore,
            MOVED,
            Some(0),
            Verdict::Elsewhere,
        ),
        (
            "unread, gone",
            &no,
            RecordedOutcome::Unreadable,
            MOVED,
            None,
            Verdict::Taken,
        ),
        (
            "unread, stands",
            &no,
            RecordedOutcome::Unreadable,
            STANDS,
            Some(9),
            Verdict::NotTaken,
        ),
        (
            "unread, unknown",
            &no,
            RecordedOutcome::Unreadable,
            None,
            Some(9),
            Verdict::Unclear,
        ),
        (
            "a no not yet written",
            &no,
            RecordedOutcome::NotFound,
            MOVED,
            Some(0),
            Verdict::Taken,
        ),
        (
            "a yes not yet written",
            &yes,
            RecordedOutcome::NotFound,
            MOVED,
            None,
            Verdict::Taken,
        ),
    ];
    for (name, answer, outcome, dialog_moved_on, last, verdict) in table {
        let after = |seconds: u64| {
            let seen = Observation {
                outcome,
                dialog_moved_on,
                waited: Duration::from_secs(seconds),
            };
            seen.verdict(Some(answer))
        };
        if let Some(last) = last {
            assert_eq!(after(last), None, "{name}");
        }
        assert_eq!(
            after(last.map_or(0, |last| last + 1)),
            Some(verdict),
            "{name}"
        );
    }
}
