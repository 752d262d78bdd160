//! Tests of frames and what they tell.

use super::*;

fn told(frame: &str) -> StreamEvent {
    StreamEvent::read(frame, &SourceId("local".into())).unwrap()
}

fn why(error: &str) -> String {
    let frame = format!(
        r#"{{"payload":{{"type":"session.error","properties":{{"sessionID":"s","error":{error}}}}}}}"#
    );
    match told(&frame) {
        StreamEvent::Failed { why, .. } => why,
        _ => panic!("no failure"),
    }
}

#[test]
fn a_failure_is_told_in_short() {
    let data = r#"{"message":"\n Unauthorized: no key\n at x","statusCode":401}"#;
    assert_eq!(
        why(&format!(r#"{{"name":"APIError","data":{data}}}"#)),
        "401 Unauthorized: no key"
    );
    assert_eq!(
        why(r#"{"name":"MessageOutputLengthError","data":{}}"#),
        "MessageOutputLengthError"
    );
    let long = format!(
        r#"{{"name":"UnknownError","data":{{"message":"{}"}}}}"#,
        "ö".repeat(900)
    );
    assert_eq!(why(&long), "ö".repeat(LONGEST_REASON));
}

#[test]
fn an_abort_is_no_failure() {
    let frame = r#"{"payload":{"type":"session.error","properties":{"sessionID":"s","error":{"name":"MessageAbortedError"}}}}"#;
    assert!(matches!(told(frame), StreamEvent::Aborted { .. }));
}

#[test]
fn an_idle_session_is_known_by_either_event_and_by_no_other_status() {
    let status = |kind: &str| {
        told(&format!(
            r#"{{"directory":"/a","payload":{{"type":"session.status","properties":{{"sessionID":"s","status":{{"type":"{kind}"}}}}}}}}"#
        ))
    };
    assert!(matches!(status("idle"), StreamEvent::Idle { .. }));
    assert!(matches!(status("busy"), StreamEvent::Busy { .. }));
    assert!(matches!(status("retry"), StreamEvent::Busy { .. }));
    let idle = r#"{"payload":{"type":"session.idle","properties":{"sessionID":"s"}}}"#;
    assert!(matches!(told(idle), StreamEvent::Idle { .. }));
}

#[test]
fn an_ask_of_unknown_shape_is_an_error_and_anything_else_is_nothing() {
    let source = SourceId("local".into());
    let frame = |kind: &str| format!(r#"{{"payload":{{"type":"{kind}","properties":7}}}}"#);
    for kind in [
        "question.asked",
        "permission.asked",
        "ask.asked",
        "question.replied",
        "question.rejected",
        "question.v2.asked",
        "permission.v2.asked",
        "question.v2.replied",
        "permission.v2.replied",
        "question.v2.rejected",
    ] {
        assert!(StreamEvent::read(&frame(kind), &source).is_err(), "{kind}");
    }
    for kind in [
        "session.status",
        "session.deleted",
        "message.updated",
        "something.new",
    ] {
        assert!(matches!(told(&frame(kind)), StreamEvent::Nothing), "{kind}");
    }
}

fn of(kind: &str, properties: &str) -> StreamEvent {
    told(&format!(
        r#"{{"payload":{{"type":"{kind}","properties":{properties}}}}}"#
    ))
}

#[test]
fn a_session_that_comes_changes_or_goes_is_told_by_its_name() {
    let info =
        r#"{"info":{"id":"s","directory":"/a","title":"T","time":{"created":1,"updated":1}}}"#;
    assert!(matches!(of("session.created", info), StreamEvent::Created(it) if it.id == "s"));
    assert!(matches!(of("session.updated", info), StreamEvent::Updated(it) if it.id == "s"));
    let gone = |properties| match of("session.deleted", properties) {
        StreamEvent::Deleted { session } => session,
        _ => panic!("not gone"),
    };
    assert_eq!(gone(info), "s");
    assert_eq!(gone(r#"{"sessionID":"s"}"#), "s");
}

#[test]
fn of_the_second_core_a_step_that_is_over_and_a_tool_that_failed_are_told() {
    let s = r#"{"sessionID":"s"}"#;
    for kind in ["session.next.step.ended", "session.next.step.failed"] {
        assert!(matches!(of(kind, s), StreamEvent::StepOver { session } if session == "s"));
    }
    let failed = of("session.next.tool.failed", s);
    assert!(matches!(failed, StreamEvent::ToolFailed { session } if session == "s"));
}

#[test]
fn only_an_assistant_that_answers_speaks() {
    let spoke = |role: &str, parent: &str, finish: &str| {
        let message = format!(
            r#"{{"info":{{"id":"m","sessionID":"s","role":"{role}"{parent},"time":{{"created":5}}{finish}}}}}"#
        );
        match of("message.updated", &message) {
            StreamEvent::Spoke { spoken, .. } => Some((spoken.prompt, spoken.reply)),
            _ => None,
        }
    };
    let parent = r#","parentID":"p""#;
    let told = |reply| Some(("p".to_owned(), reply));
    assert_eq!(
        spoke("assistant", parent, ""),
        told(MessageProgress::Unfinished)
    );
    let calls = r#","finish":"tool-calls""#;
    assert_eq!(
        spoke("assistant", parent, calls),
        told(MessageProgress::CallsTools)
    );
    let over = r#","finish":"stop""#;
    assert_eq!(
        spoke("assistant", parent, over),
        told(MessageProgress::Finished)
    );
    assert_eq!(spoke("user", parent, ""), None);
    assert_eq!(spoke("assistant", "", ""), None);
}

#[test]
fn what_is_asked_is_read_out_of_its_frame() {
    let question = r#"{"id":"que_1","sessionID":"s","questions":[{"question":"Which?","header":"H","options":[]}]}"#;
    let StreamEvent::Asked(ask) = of("question.asked", question) else {
        panic!("not asked")
    };
    assert_eq!(
        (ask.id.own.as_str(), ask.session.id.as_str()),
        ("que_1", "s")
    );
}
