//! Frames and what they tell.

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
    assert_eq!(why(&format!(r#"{{"name":"APIError","data":{data}}}"#)), "401 Unauthorized: no key");
    assert_eq!(why(r#"{"name":"MessageOutputLengthError","data":{}}"#), "MessageOutputLengthError");
    let long = format!(r#"{{"name":"UnknownError","data":{{"message":"{}"}}}}"#, "ö".repeat(900));
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
    for kind in ["session.status", "session.deleted", "message.updated", "something.new"] {
        assert!(matches!(told(&frame(kind)), StreamEvent::Nothing), "{kind}");
    }
}
