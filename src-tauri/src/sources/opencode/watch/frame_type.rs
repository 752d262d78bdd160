//! Finds the event type of a `/global/event` frame without parsing it: nearly all frames are of no
//! interest, and some are megabytes long.

/// Tells whether a frame has to be parsed; one whose type cannot be found has to. `in_forms`: the
/// frame is of 2.x.
pub(in crate::sources::opencode) fn is_of_interest(frame: &str, in_forms: bool) -> bool {
    let Some(kind) = event_type(frame, in_forms) else {
        return true;
    };
    let (family, rest) = kind.split_once('.').unwrap_or((kind, ""));
    match family {
        // Messages come first, since a flood consists of parts of them.
        "message" => rest == "updated",
        "question" | "permission" | "ask" | "form" | "server" | "global" => true,
        "session" => {
            let step_over = matches!(
                rest,
                "next.step.ended" | "next.step.failed" | "next.tool.failed"
            );
            let changed = matches!(rest, "created" | "deleted" | "updated" | "renamed");
            let state = matches!(rest, "idle" | "error" | "status");
            step_over || changed || state || rest.starts_with("execution.")
        }
        _ => false,
    }
}

/// Finds the type, if it stands before any nested value; `None` asks for a full parse. The type
/// stands in the payload, and on 2.x in the frame itself. Keys may come in any order (`id, type,
/// properties`, `type, properties, id`, …), and parts inside `properties` have a `type` of their
/// own, so the first `"type":` of the frame proves nothing.
fn event_type(frame: &str, in_forms: bool) -> Option<&str> {
    let mut rest = frame.trim_start().strip_prefix('{')?;
    if !in_forms {
        rest = value_of("payload", rest)?.strip_prefix('{')?;
    }
    let (kind, _) = string(value_of("type", rest)?)?;
    (!kind.contains('\\')).then_some(kind)
}

fn value_of<'a>(wanted: &str, mut rest: &'a str) -> Option<&'a str> {
    loop {
        let (key, value) = key(rest)?;
        if key == wanted {
            return Some(value);
        }
        let (_, after) = string(value).or_else(|| number(value))?;
        rest = after.trim_start().strip_prefix(',')?;
    }
}

fn key(text: &str) -> Option<(&str, &str)> {
    let (key, after) = string(text)?;
    Some((key, after.trim_start().strip_prefix(':')?.trim_start()))
}

/// Reads a JSON string at the start, without unescaping: a type with an escape is none of those we
/// look for.
fn string(text: &str) -> Option<(&str, &str)> {
    let body = text.trim_start().strip_prefix('"')?;
    let bytes = body.as_bytes();
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', &bytes[at..])?;
        match bytes[at] {
            b'"' => return Some((&body[..at], &body[at + 1..])),
            _ => at += 2,
        }
        if at > bytes.len() {
            return None;
        }
    }
}

/// Reads a number at the start: 2.x tells when something happened.
fn number(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::{event_type, is_of_interest};

    #[test]
    fn the_type_is_found_in_every_order_of_keys() {
        let frames = [
            r#"{"directory":"/a","payload":{"type":"question.asked","properties":{"type":"x"}}}"#,
            r#"{"directory":"/a","project":"p","payload":{"id":"evt_1","type":"question.asked"}}"#,
            r#"{ "payload" : { "type" : "question.asked" } }"#,
        ];
        for frame in frames {
            assert_eq!(event_type(frame, false), Some("question.asked"), "{frame}");
        }
        let in_forms =
            r#"{"id":"evt_1","created":1795205302854,"type":"question.asked","data":{"type":"x"}}"#;
        assert_eq!(event_type(in_forms, true), Some("question.asked"));
    }

    #[test]
    fn a_type_is_looked_for_where_the_server_has_it() {
        let frame = r#"{"type":"sync","payload":{"type":"question.asked"}}"#;
        assert_eq!(event_type(frame, false), Some("question.asked"));
        assert_eq!(event_type(frame, true), Some("sync"));
    }

    #[test]
    fn a_type_with_an_escape_in_it_is_left_to_the_parser() {
        assert_eq!(
            event_type(r#"{"payload":{"type":"question\u002easked"}}"#, false),
            None
        );
    }

    #[test]
    fn a_type_inside_the_properties_is_not_taken() {
        let frame = r#"{"payload":{"properties":{"type":"text"},"type":"question.asked"}}"#;
        assert_eq!(event_type(frame, false), None);
    }

    #[test]
    fn escapes_in_the_directory_do_not_confuse_it() {
        let frame = r#"{"directory":"/a\"\\","payload":{"type":"t"}}"#;
        assert_eq!(event_type(frame, false), Some("t"));
    }

    #[test]
    fn a_torn_frame_has_no_type() {
        for frame in ["", "{", r#"{"payload":{"ty"#, r#"{"a\"#, r#"{"a":"\"#] {
            assert_eq!(event_type(frame, false), None, "{frame}");
        }
    }

    #[test]
    fn frames_about_asks_and_the_state_of_sessions_are_of_interest() {
        let is =
            |kind: &str| is_of_interest(&format!(r#"{{"payload":{{"type":"{kind}"}}}}"#), false);
        for kind in [
            "question.asked",
            "permission.v2.replied",
            "ask.asked",
            "form.created",
            "server.connected",
            "global.disposed",
            "message.updated",
            "session.created",
            "session.renamed",
            "session.idle",
            "session.next.step.ended",
            "session.next.tool.failed",
            "session.execution.started",
        ] {
            assert!(is(kind), "{kind}");
        }
        for kind in [
            "message.part.updated",
            "message.removed",
            "session.diff",
            "session.next.text.delta",
            "file.edited",
            "todo.updated",
        ] {
            assert!(!is(kind), "{kind}");
        }
        assert!(is_of_interest("{torn", false), "who cannot tell looks");
    }

    #[test]
    fn nothing_is_no_number() {
        assert_eq!(event_type(r#"{"a":,"type":"x"}"#, true), None);
    }
}
