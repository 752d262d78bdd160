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

/// A line of that time. Its place in the file is the same number.
fn written(at: i64) -> LineStamp {
    LineStamp {
        offset: u64::try_from(at).unwrap(),
        at: Some(at),
    }
}

fn used(id: &str, message: &str, command: &str, at: i64) -> RecordedUse {
    RecordedUse {
        id: id.into(),
        message: Some(message.into()),
        call: mark(command),
        tool: "Bash".into(),
        written: written(at),
    }
}

fn run(of: &str, at: i64, decider: Decider) -> RecordedResult {
    RecordedResult {
        of: of.into(),
        written: written(at),
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
        tool: "Bash".into(),
        use_id: None,
        refusal: None,
        ends_the_use: false,
        asked_at: ASKED,
        decided_at: DECIDED,
        recorded: None,
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
    let read = RecordedUse {
        tool: "Read".into(),
        ..used("b", "m", "ls", 910)
    };
    let unknown = tail(vec![read], Vec::new());
    assert_eq!(no().outcome(&unknown), RecordedOutcome::NotFound);
}

#[test]
fn a_transcript_without_any_use_may_be_of_another_form() {
    let nothing = tail(Vec::new(), Vec::new());
    assert_eq!(no().outcome(&nothing), RecordedOutcome::Unreadable);
}

#[test]
fn a_reason_is_what_the_model_reads_and_no_part_of_claudes_own_sentence() {
    let own = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. \
               if it was a file edit, the new_string was NOT written to the file). STOP what you \
               are doing and wait for the user to tell you how to proceed.";
    let long = "x".repeat(COMPARED);
    let ends_in_a_blank = format!("{} ", "x".repeat(COMPARED - 1));
    let longer_than_that = format!("{ends_in_a_blank}and so on");
    let longer = format!("{long} and so on");
    let table = [
        (own, "no", false),
        (own, "STOP", false),
        (own, own, true),
        (longer_than_that.as_str(), ends_in_a_blank.as_str(), true),
        ("no", "no", true),
        (" no\n", "no", true),
        ("no, not that", "no", false),
        ("it is no", "no", false),
        ("Error: no", "no", true),
        ("Error: no", "Error: no", true),
        ("<tool_use_error>no</tool_use_error>", "no", true),
        ("PreToolUse:AskUserQuestion hook error:  no \n", "no", true),
        ("PreToolUse:AskUserQuestion hook error: no", "hook", false),
        ("it fails: hook error: no", "no", false),
        ("PreToolUse:a b hook error: no", "no", false),
        ("", "", true),
        ("anything", "", false),
        (longer.as_str(), long.as_str(), true),
    ];
    for (text, reason, is_ours) in table {
        let result = refused("a", 6_000, text, Decider::Unsaid);
        let tail = tail(vec![used("a", "m", "make", 900)], vec![result]);
        let answer = HandedAnswer {
            refusal: Some(reason.into()),
            ..no()
        };
        let is_taken = answer.outcome(&tail) == RecordedOutcome::Taken;
        assert_eq!(is_taken, is_ours, "{reason:?} in {text:?}");
    }
}

#[test]
fn what_stood_in_the_file_was_there_before_whatever_the_clocks_say() {
    // The file was 5,000 bytes long when the answer was handed over.
    let recorded = Some(5_000);
    let result = |offset: u64, at: Option<i64>| RecordedResult {
        written: LineStamp { offset, at },
        ..refused("a", 0, REASON, Decider::Hook)
    };
    let table = [
        (result(4_000, Some(DECIDED)), RecordedOutcome::EndedBefore),
        (result(4_000, Some(9_000)), RecordedOutcome::EndedBefore),
        (result(4_000, None), RecordedOutcome::EndedBefore),
        (result(5_000, Some(DECIDED)), RecordedOutcome::Taken),
        (result(6_000, Some(1)), RecordedOutcome::Taken),
        (result(6_000, None), RecordedOutcome::Taken),
    ];
    for (result, outcome) in table {
        let said = format!("{result:?}");
        let tail = tail(vec![used("a", "m", "make", 900)], vec![result]);
        let answer = HandedAnswer { recorded, ..no() };
        assert_eq!(answer.outcome(&tail), outcome, "{said}");
    }
}

#[test]
fn a_use_is_found_although_the_clock_was_set_back_since() {
    let late = RecordedUse {
        written: LineStamp {
            offset: 900,
            at: Some(3_600_000),
        },
        ..used("a", "m", "make", 900)
    };
    let refused = refused("a", 6_000, REASON, Decider::Hook);
    let tail = tail(vec![late], vec![refused]);
    let answer = HandedAnswer {
        recorded: Some(5_000),
        ..no()
    };
    assert_eq!(answer.outcome(&tail), RecordedOutcome::Taken);
}

#[test]
fn a_call_that_another_hook_changed_is_the_only_one_of_its_tool() {
    let changed = |results| tail(vec![used("a", "m", "make -j1", 900)], results);
    let alone = RecordedOutcome::Pending { alone: true };
    assert_eq!(yes().outcome(&changed(Vec::new())), alone);
    let ran = vec![run("a", 6_000, Decider::Hook)];
    assert_eq!(yes().outcome(&changed(ran)), RecordedOutcome::Taken);
    let refused = vec![refused("a", 6_000, REASON, Decider::Hook)];
    assert_eq!(no().outcome(&changed(refused)), RecordedOutcome::Taken);

    // Of two nobody knows which one it is.
    let two = vec![used("a", "m", "make -j1", 900), used("b", "m", "ls", 910)];
    assert_eq!(
        yes().outcome(&tail(two, Vec::new())),
        RecordedOutcome::NotFound
    );
    let over = vec![run("a", 950, Decider::User)];
    assert_eq!(yes().outcome(&changed(over)), RecordedOutcome::NotFound);
}

#[test]
fn two_processes_that_go_on_with_one_session_do_not_hide_each_others_uses() {
    let uses = || vec![used("a", "m", "make", 900), used("x", "other", "ls", 950)];
    let pending = tail(uses(), Vec::new());
    assert_eq!(
        no().outcome(&pending),
        RecordedOutcome::Pending { alone: true }
    );
    let refused = vec![refused("a", 6_000, REASON, Decider::Hook)];
    assert_eq!(no().outcome(&tail(uses(), refused)), RecordedOutcome::Taken);
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
        written: written(at),
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
    const MOVED: TerminalSight = TerminalSight::MovedOn;
    const STANDS: TerminalSight = TerminalSight::Stands;
    const UNKNOWN: TerminalSight = TerminalSight::Unknown;
    const HELD: TerminalSight = TerminalSight::Held;
    const CAME: TerminalSight = TerminalSight::StandsAfterHeld;
    const ENDED: TerminalSight = TerminalSight::Ended;
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
            UNKNOWN,
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
            UNKNOWN,
            Some(9),
            Verdict::Unclear,
        ),
        (
            "a no that another hook has changed, whose dialog has gone",
            &no,
            RecordedOutcome::NotFound,
            MOVED,
            Some(9),
            Verdict::Unclear,
        ),
        (
            "a yes not yet written",
            &yes,
            RecordedOutcome::NotFound,
            MOVED,
            None,
            Verdict::Taken,
        ),
        (
            "a yes that another hook has changed, beside a dialog",
            &yes,
            RecordedOutcome::NotFound,
            STANDS,
            Some(599),
            Verdict::Unclear,
        ),
        (
            "a held yes that another hook has changed",
            &yes,
            RecordedOutcome::NotFound,
            HELD,
            Some(0),
            Verdict::Taken,
        ),
        (
            "a held yes without a record",
            &yes,
            RecordedOutcome::Unreadable,
            HELD,
            Some(0),
            Verdict::Taken,
        ),
        (
            "a held yes whose Claude has ended",
            &yes,
            alone,
            ENDED,
            Some(0),
            Verdict::Unread,
        ),
        (
            "a held yes that was taken before Claude ended",
            &yes,
            RecordedOutcome::Taken,
            ENDED,
            None,
            Verdict::Taken,
        ),
        (
            "a held yes whose tool runs",
            &yes,
            alone,
            HELD,
            Some(1),
            Verdict::Taken,
        ),
        (
            "a held yes whose dialog came all the same",
            &yes,
            alone,
            CAME,
            Some(9),
            Verdict::NotTaken,
        ),
        (
            "a held yes beside another dialog",
            &yes,
            beside,
            CAME,
            Some(599),
            Verdict::Unclear,
        ),
        (
            "a held no whose tool runs",
            &no,
            alone,
            HELD,
            Some(9),
            Verdict::Elsewhere,
        ),
        (
            "a held no whose dialog came all the same",
            &no,
            alone,
            CAME,
            Some(9),
            Verdict::NotTaken,
        ),
        (
            "a held no beside another dialog",
            &no,
            beside,
            CAME,
            Some(599),
            Verdict::Unclear,
        ),
        (
            "a held answer that nothing follows",
            &question,
            alone,
            HELD,
            Some(599),
            Verdict::Unclear,
        ),
        (
            "a held answer whose dialog came all the same",
            &question,
            alone,
            CAME,
            Some(9),
            Verdict::NotTaken,
        ),
        (
            "a held answer that the terminal gave",
            &question,
            RecordedOutcome::Elsewhere,
            HELD,
            None,
            Verdict::Elsewhere,
        ),
    ];
    for (name, answer, outcome, terminal, last, verdict) in table {
        let after = |seconds: u64| {
            let seen = Observation {
                outcome,
                terminal,
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
