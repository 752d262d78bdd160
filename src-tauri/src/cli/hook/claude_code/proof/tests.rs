//! Tests of how an answer's fate shows in a transcript and in the register.

use super::super::input::ToolUse;
use super::super::input_paths::PathOrigins;
use super::super::transcript::HookAllowance;
use super::*;
use serde_json::json;

const ASKED: i64 = 1_000;
const DECIDED: i64 = 5_000;
const REASON: &str = "写测试 first";

fn mark(command: &str) -> CallMark {
    let call = ToolUse {
        tool_name: "Bash".into(),
        tool_input: json!({ "command": command }),
        id: None,
    };
    CallMark::of(&call, PathOrigins::default())
}

/// Makes the stamp of a line of that time. Its place in the file is the same number.
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
        is_accepted: None,
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

/// Makes the outcome that this use proves the answer taken.
fn taken(id: &str, message: &str) -> RecordedOutcome {
    RecordedOutcome::Taken(mark_of(id, message))
}

/// Makes the mark of a use in that message.
fn mark_of(id: &str, message: &str) -> UseMark {
    UseMark {
        id: id.into(),
        message: MessageMark::Id(message.into()),
    }
}

/// Makes the outcome that this use is still going on.
fn goes_on(id: &str, message: &str, alone: bool) -> RecordedOutcome {
    RecordedOutcome::Pending {
        of: mark_of(id, message),
        alone,
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
        given: Vec::new(),
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

/// An older version does not say who answered, but tells the model what.
#[test]
fn answers_that_the_model_reads_otherwise_were_given_in_the_terminal() {
    let answered = HandedAnswer {
        given: vec!["\"Which?\"=\"Blue\"".into()],
        ends_the_use: true,
        ..yes()
    };
    let outcome = |text: &str| {
        let result = RecordedResult {
            text: text.into(),
            ..run("a", 6_000, Decider::Unsaid)
        };
        let tail = tail(vec![used("a", "m", "make", 900)], vec![result]);
        answered.outcome(&tail, &[])
    };

    let read = "User has answered your questions: \"Which?\"=\"Blue\". You can now continue";
    assert_eq!(outcome(read), taken("a", "m"));
    let other = read.replace("Blue", "Red");
    assert_eq!(outcome(&other), RecordedOutcome::Elsewhere);
    assert_eq!(outcome("Done."), taken("a", "m"), "it tells of none");
    let cut = format!("{other}{}", "x".repeat(KEPT));
    assert_eq!(
        outcome(&cut),
        taken("a", "m"),
        "of a cut one nothing is known"
    );
}

#[test]
fn the_end_of_a_use_tells_whose_answer_it_was() {
    let table = [
        (
            refused("a", 6_000, REASON, Decider::Hook),
            RecordedOutcome::Elsewhere,
            taken("a", "m"),
        ),
        (
            refused("a", 6_000, REASON, Decider::Unsaid),
            RecordedOutcome::Elsewhere,
            taken("a", "m"),
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
            taken("a", "m"),
            RecordedOutcome::Elsewhere,
        ),
        (
            run("a", 6_000, Decider::Unsaid),
            taken("a", "m"),
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
        assert_eq!(yes().outcome(&tail, &[]), of_yes, "{said}");
        assert_eq!(no().outcome(&tail, &[]), of_no, "{said}");
    }
}

#[test]
fn a_command_that_prints_the_reason_was_not_refused() {
    let mut result = run("a", 6_000, Decider::Unsaid);
    result.text = REASON.into();
    let tail = tail(vec![used("a", "m", "make", 900)], vec![result]);
    assert_eq!(no().outcome(&tail, &[]), RecordedOutcome::Elsewhere);
}

#[test]
fn what_ended_before_the_answer_was_not_ended_by_it() {
    let uses = vec![used("a", "m", "make", 900)];
    let tail = tail(uses, vec![refused("a", 4_000, REASON, Decider::Hook)]);
    assert_eq!(no().outcome(&tail, &[]), RecordedOutcome::EndedBefore);
}

#[test]
fn of_two_equal_uses_the_one_that_had_not_ended_counts() {
    let uses = || vec![used("a", "m", "make", 900), used("b", "m", "make", 910)];
    let first = || refused("a", 4_000, REASON, Decider::Hook);
    let pending = tail(uses(), vec![first()]);
    assert_eq!(no().outcome(&pending, &[]), goes_on("b", "m", true));
    let second = refused("b", 6_000, REASON, Decider::Hook);
    assert_eq!(
        no().outcome(&tail(uses(), vec![first(), second]), &[]),
        taken("b", "m")
    );
    let run = run("b", 6_000, Decider::User);
    assert_eq!(
        no().outcome(&tail(uses(), vec![first(), run]), &[]),
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
    assert_eq!(no().outcome(&tail, &[]), RecordedOutcome::Elsewhere);
}

#[test]
fn another_call_proves_nothing() {
    let uses = vec![used("a", "m", "make", 900), used("b", "m", "ls", 910)];
    let results = vec![refused("b", 6_000, REASON, Decider::Hook)];
    let pending = tail(uses, results);
    assert_eq!(no().outcome(&pending, &[]), goes_on("a", "m", true));
    let read = RecordedUse {
        tool: "Read".into(),
        ..used("b", "m", "ls", 910)
    };
    let unknown = tail(vec![read], Vec::new());
    assert_eq!(no().outcome(&unknown, &[]), RecordedOutcome::NotFound);
}

#[test]
fn a_transcript_without_any_use_may_be_of_another_form() {
    let nothing = tail(Vec::new(), Vec::new());
    assert_eq!(no().outcome(&nothing, &[]), RecordedOutcome::Unreadable);
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
        let is_taken = answer.outcome(&tail, &[]) == taken("a", "m");
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
        (result(5_000, Some(DECIDED)), taken("a", "m")),
        (result(6_000, Some(1)), taken("a", "m")),
        (result(6_000, None), taken("a", "m")),
    ];
    for (result, outcome) in table {
        let said = format!("{result:?}");
        let tail = tail(vec![used("a", "m", "make", 900)], vec![result]);
        let answer = HandedAnswer { recorded, ..no() };
        assert_eq!(answer.outcome(&tail, &[]), outcome, "{said}");
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
    assert_eq!(answer.outcome(&tail, &[]), taken("a", "m"));
}

#[test]
fn a_call_that_another_hook_changed_is_the_only_one_of_its_tool() {
    let changed = |results| tail(vec![used("a", "m", "make -j1", 900)], results);
    let alone = goes_on("a", "m", true);
    assert_eq!(yes().outcome(&changed(Vec::new()), &[]), alone);
    let ran = vec![run("a", 6_000, Decider::Hook)];
    assert_eq!(yes().outcome(&changed(ran), &[]), taken("a", "m"));
    let refused = vec![refused("a", 6_000, REASON, Decider::Hook)];
    assert_eq!(no().outcome(&changed(refused), &[]), taken("a", "m"));

    // With two uses it is unknown which one is meant.
    let two = vec![used("a", "m", "make -j1", 900), used("b", "m", "ls", 910)];
    assert_eq!(
        yes().outcome(&tail(two, Vec::new()), &[]),
        RecordedOutcome::NotFound
    );
    let over = vec![run("a", 950, Decider::User)];
    assert_eq!(
        yes().outcome(&changed(over), &[]),
        RecordedOutcome::NotFound
    );
}

#[test]
fn two_processes_that_go_on_with_one_session_do_not_hide_each_others_uses() {
    let uses = || vec![used("a", "m", "make", 900), used("x", "other", "ls", 950)];
    let pending = tail(uses(), Vec::new());
    assert_eq!(no().outcome(&pending, &[]), goes_on("a", "m", true));
    let refused = vec![refused("a", 6_000, REASON, Decider::Hook)];
    assert_eq!(no().outcome(&tail(uses(), refused), &[]), taken("a", "m"));
}

#[test]
fn a_use_whose_name_is_known_is_no_other() {
    let uses = vec![used("a", "m", "make", 900), used("b", "m", "make", 910)];
    let tail = tail(uses, vec![refused("a", 6_000, REASON, Decider::Hook)]);
    let of = |id: &str| HandedAnswer {
        use_id: Some(id.into()),
        ..no()
    };
    assert_eq!(of("a").outcome(&tail, &[]), taken("a", "m"));
    assert_eq!(of("b").outcome(&tail, &[]), goes_on("b", "m", true));
    assert_eq!(of("c").outcome(&tail, &[]), RecordedOutcome::NotFound);
}

#[test]
fn a_yes_that_is_noted_while_the_tool_runs_is_taken() {
    let mut running = tail(vec![used("a", "m", "make", 900)], Vec::new());
    let note = |at: i64| HookAllowance {
        of: "a".into(),
        written: written(at),
    };
    running.allowed_by_hook = vec![note(4_000)];
    assert_eq!(yes().outcome(&running, &[]), goes_on("a", "m", true));
    running.allowed_by_hook = vec![note(5_010)];
    assert_eq!(yes().outcome(&running, &[]), taken("a", "m"));
    assert_eq!(no().outcome(&running, &[]), goes_on("a", "m", true));
}

#[test]
fn one_end_proves_one_answer() {
    let uses = || vec![used("a", "m", "make", 900), used("b", "m", "make", 910)];
    let refused_by = |id: &str, at: i64| refused(id, at, REASON, Decider::Hook);
    let of_first = [mark_of("a", "m")];

    // Both were refused from here.
    let both = tail(uses(), vec![refused_by("a", 6_000), refused_by("b", 6_100)]);
    assert_eq!(no().outcome(&both, &[]), taken("a", "m"));
    assert_eq!(no().outcome(&both, &of_first), taken("b", "m"));

    // One was refused from here, and the other was allowed in the terminal.
    let one = tail(
        uses(),
        vec![refused_by("a", 6_000), run("b", 6_100, Decider::User)],
    );
    assert_eq!(no().outcome(&one, &of_first), RecordedOutcome::Elsewhere);
    let running = tail(uses(), vec![refused_by("a", 6_000)]);
    assert_eq!(no().outcome(&running, &of_first), goes_on("b", "m", true));

    // The same holds for two yeses, one of which the terminal refused.
    let allowed = run("a", 6_000, Decider::Hook);
    let refused = refused("b", 6_100, "no", Decider::User);
    let one = tail(uses(), vec![allowed, refused]);
    assert_eq!(yes().outcome(&one, &[]), taken("a", "m"));
    assert_eq!(yes().outcome(&one, &of_first), RecordedOutcome::Elsewhere);
}

#[test]
fn of_two_that_ended_as_it_wanted_the_first_end_is_the_answers() {
    let uses = vec![used("a", "m", "make", 900), used("b", "m", "make", 910)];
    let results = vec![
        refused("b", 6_000, REASON, Decider::Hook),
        refused("a", 6_100, REASON, Decider::Hook),
    ];
    let both = tail(uses, results);
    assert_eq!(no().outcome(&both, &[]), taken("b", "m"));
    // An answer that was handed over after the first end.
    let later = HandedAnswer {
        recorded: Some(6_050),
        ..no()
    };
    assert_eq!(later.outcome(&both, &[]), taken("a", "m"));
}

#[test]
fn a_proof_stays_the_same_when_the_file_is_written_anew() {
    let at = |offset: u64| RecordedUse {
        written: LineStamp {
            offset,
            at: Some(900),
        },
        ..used("a", "m", "make", 900)
    };
    assert_eq!(at(900).mark(), at(200).mark());
    let nameless = |offset: u64| RecordedUse {
        message: None,
        ..at(offset)
    };
    assert_ne!(nameless(900).mark(), nameless(200).mark());
}

#[test]
fn what_a_rule_has_let_run_was_not_let_run_from_here() {
    let tail = tail(
        vec![used("a", "m", "make", 900)],
        vec![run("a", 6_000, Decider::Other)],
    );
    assert_eq!(yes().outcome(&tail, &[]), RecordedOutcome::Elsewhere);
}

#[test]
fn what_was_let_run_was_not_refused_whatever_its_error_says() {
    let result = RecordedResult {
        is_accepted: Some(true),
        ..refused("a", 6_000, REASON, Decider::Hook)
    };
    let tail = tail(vec![used("a", "m", "make", 900)], vec![result]);
    assert_eq!(no().outcome(&tail, &[]), RecordedOutcome::Elsewhere);
}

#[test]
fn an_id_that_is_used_again_is_another_use() {
    let uses = || vec![used("a", "m0", "make", 500), used("a", "m1", "make", 900)];
    let named = HandedAnswer {
        use_id: Some("a".into()),
        ..no()
    };
    for answer in [no(), named] {
        let pending = tail(uses(), vec![run("a", 600, Decider::User)]);
        let alone = goes_on("a", "m1", true);
        assert_eq!(answer.outcome(&pending, &[]), alone, "{answer:?}");
        let refused = refused("a", 6_000, REASON, Decider::Hook);
        let ended = tail(uses(), vec![run("a", 600, Decider::User), refused]);
        assert_eq!(answer.outcome(&ended, &[]), taken("a", "m1"), "{answer:?}");
    }
}

#[test]
fn in_a_file_that_was_written_anew_only_the_clocks_tell_what_was_there_before() {
    let result = RecordedResult {
        written: LineStamp {
            offset: 2_000,
            at: Some(6_000),
        },
        ..refused("a", 0, REASON, Decider::Hook)
    };
    let tail = tail(vec![used("a", "m", "make", 900)], vec![result]);
    let mut answer = HandedAnswer {
        recorded: Some(5_000),
        ..no()
    };
    answer.compare_length(5_000);
    assert_eq!(answer.outcome(&tail, &[]), RecordedOutcome::EndedBefore);
    answer.compare_length(2_500);
    assert_eq!(answer.outcome(&tail, &[]), taken("a", "m"));
    answer.compare_length(9_000);
    assert_eq!(answer.outcome(&tail, &[]), taken("a", "m"), "it stays so");
}

#[test]
fn a_verdict_is_given_as_soon_as_there_is_one_and_not_before() {
    const MOVED: TerminalSight = TerminalSight::MovedOn;
    const STANDS: TerminalSight = TerminalSight::Stands;
    const UNKNOWN: TerminalSight = TerminalSight::Unknown;
    const HELD: TerminalSight = TerminalSight::Held;
    const CAME: TerminalSight = TerminalSight::StandsAfterHeld;
    const ENDED: TerminalSight = TerminalSight::Ended;
    let alone = goes_on("a", "m", true);
    let beside = goes_on("a", "m", false);
    let question = HandedAnswer {
        ends_the_use: true,
        ..yes()
    };
    let (yes, no) = (yes(), no());
    // Each row has the last second without a verdict, if there is one, and the verdict after that.
    let table = [
        (
            "a no beside a dialog that stands",
            &no,
            beside.clone(),
            STANDS,
            Some(9),
            Verdict::Elsewhere,
        ),
        (
            "a no whose dialog stands",
            &no,
            alone.clone(),
            STANDS,
            Some(9),
            Verdict::NotTaken,
        ),
        (
            "a no whose dialog has gone",
            &no,
            alone.clone(),
            MOVED,
            Some(9),
            Verdict::Elsewhere,
        ),
        (
            "a no that nothing tells of",
            &no,
            alone.clone(),
            UNKNOWN,
            Some(3_599),
            Verdict::Unclear,
        ),
        (
            "a yes whose dialog has gone",
            &yes,
            alone.clone(),
            MOVED,
            Some(2),
            Verdict::Taken(Some(mark_of("a", "m"))),
        ),
        (
            "a yes whose dialog stands",
            &yes,
            alone.clone(),
            STANDS,
            Some(9),
            Verdict::NotTaken,
        ),
        (
            "a yes beside another dialog",
            &yes,
            beside.clone(),
            STANDS,
            Some(3_599),
            Verdict::Unclear,
        ),
        (
            "an answer whose dialog has gone",
            &question,
            alone.clone(),
            MOVED,
            Some(9),
            Verdict::Taken(None),
        ),
        (
            "a proof",
            &no,
            taken("a", "m"),
            STANDS,
            None,
            Verdict::Taken(Some(mark_of("a", "m"))),
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
            "a no without a record, whose dialog has gone",
            &no,
            RecordedOutcome::Unreadable,
            MOVED,
            Some(4),
            Verdict::Taken(None),
        ),
        (
            "a yes without a readable record, whose dialog has gone",
            &yes,
            RecordedOutcome::Unreadable,
            MOVED,
            Some(2),
            Verdict::Taken(None),
        ),
        (
            "a yes without a record, whose dialog has gone",
            &yes,
            RecordedOutcome::NoTranscript,
            MOVED,
            None,
            Verdict::Taken(None),
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
            Verdict::Taken(None),
        ),
        (
            "a yes that another hook has changed, beside a dialog",
            &yes,
            RecordedOutcome::NotFound,
            STANDS,
            Some(3_599),
            Verdict::Unclear,
        ),
        (
            "a held yes that another hook has changed",
            &yes,
            RecordedOutcome::NotFound,
            HELD,
            Some(0),
            Verdict::Taken(None),
        ),
        (
            "a held yes without a record",
            &yes,
            RecordedOutcome::Unreadable,
            HELD,
            Some(0),
            Verdict::Taken(None),
        ),
        (
            "a held yes whose Claude has ended",
            &yes,
            alone.clone(),
            ENDED,
            Some(0),
            Verdict::Unread,
        ),
        (
            "a held yes that was taken before Claude ended",
            &yes,
            taken("a", "m"),
            ENDED,
            None,
            Verdict::Taken(Some(mark_of("a", "m"))),
        ),
        (
            "a held yes whose tool runs",
            &yes,
            alone.clone(),
            HELD,
            Some(2),
            Verdict::Taken(Some(mark_of("a", "m"))),
        ),
        (
            "a held yes whose dialog came all the same",
            &yes,
            alone.clone(),
            CAME,
            Some(9),
            Verdict::NotTaken,
        ),
        (
            "a held yes beside another dialog",
            &yes,
            beside.clone(),
            CAME,
            Some(3_599),
            Verdict::Unclear,
        ),
        (
            "a held no whose tool runs",
            &no,
            alone.clone(),
            HELD,
            Some(9),
            Verdict::Elsewhere,
        ),
        (
            "a held no whose dialog came all the same",
            &no,
            alone.clone(),
            CAME,
            Some(9),
            Verdict::NotTaken,
        ),
        (
            "a held no beside another dialog",
            &no,
            beside.clone(),
            CAME,
            Some(3_599),
            Verdict::Unclear,
        ),
        (
            "a held answer that nothing follows",
            &question,
            alone.clone(),
            HELD,
            Some(3_599),
            Verdict::Unclear,
        ),
        (
            "a held answer whose dialog came all the same",
            &question,
            alone.clone(),
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
                outcome: outcome.clone(),
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
