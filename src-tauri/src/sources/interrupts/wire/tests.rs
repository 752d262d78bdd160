//! Tests of every shape that the documents allow, and of what services make of them.

use super::*;
use serde_json::json;

fn named(event: &str, data: Value) -> Sse {
    Sse::default().event(event).data(data.to_string())
}

fn interrupt_of(data: Value) -> Interrupt {
    match read(&named("interrupt", data)) {
        ServiceFrame::Interrupt(interrupt) => *interrupt,
        other => panic!("no interrupt: {other:?}"),
    }
}

fn kind(data: Value) -> AskContent {
    interrupt_of(data).kind
}

fn choice(label: &str, value: &str) -> Choice {
    Choice {
        label: label.into(),
        value: Some(value.into()),
        ..Choice::default()
    }
}

#[test]
fn the_documented_interrupt_is_read_in_both_forms() {
    let data = json!({
        "info": "the agent asks 1 question", "taskName": "user Q&A", "data": {}, "thread_id": "t",
        "questions": [{ "question": "Favourite colour?", "options": [
            { "label": "Red", "value": "red" },
            { "label": "Custom", "value": "__custom__", "allow_custom": true },
        ] }],
    });
    let expected = Interrupt {
        thread: Some("t".into()),
        title: Some("user Q&A".into()),
        kind: AskContent::Questions(vec![Question {
            question: "Favourite colour?".into(),
            custom: true,
            choices: vec![choice("Red", "red")],
            ..Question::default()
        }]),
        words: Some("the agent asks 1 question".into()),
        ordinary: false,
    };
    assert_eq!(interrupt_of(data.clone()), expected);
    let enveloped = json!({ "event": "interrupt", "data": data });
    let frame = Sse::default().data(enveloped.to_string());
    assert_eq!(
        read(&frame),
        ServiceFrame::Interrupt(Box::new(expected.clone()))
    );
    assert_eq!(
        read(&named("message", enveloped)),
        ServiceFrame::Interrupt(Box::new(expected))
    );
}

#[test]
fn own_words_are_allowed_where_an_option_says_so_or_none_is_there() {
    let custom = |options: Value| match kind(json!({ "questions": [{ "options": options }] })) {
        AskContent::Questions(questions) => (questions[0].custom, questions[0].choices.len()),
        other => panic!("{other:?}"),
    };
    assert_eq!(custom(json!([{ "label": "A", "value": "a" }])), (false, 1));
    assert_eq!(
        custom(json!([{ "label": "A", "value": "a" }, { "value": "__custom__" }])),
        (true, 1)
    );
    assert_eq!(
        custom(json!([{ "label": "A", "value": "a", "allow_custom": true }])),
        (true, 0)
    );
    assert_eq!(custom(json!([])), (true, 0));
    assert_eq!(custom(json!(null)), (true, 0));
}

#[test]
fn a_choice_always_has_a_value_that_is_not_empty() {
    let options = json!([
        { "label": "A", "value": "" }, { "value": "b" }, "c", { "label": "D", "value": 4 },
        { "label": " ", "value": null }, {},
    ]);
    let AskContent::Questions(questions) = kind(json!({ "questions": [{ "options": options }] }))
    else {
        panic!("no questions")
    };
    let expected = [
        choice("A", "A"),
        choice("b", "b"),
        choice("c", "c"),
        choice("D", "4"),
    ];
    assert_eq!(questions[0].choices, expected);
}

#[test]
fn without_questions_it_is_a_confirm_with_all_that_is_to_be_approved() {
    for questions in [json!(null), json!([])] {
        let data =
            json!({ "info": "Deploy?", "questions": questions, "data": { "thread_id": "t" } });
        assert_eq!(kind(data), AskContent::Confirm("Deploy?".into()));
    }
    let data = json!({ "info": "Run it?", "data": { "command": "rm -rf build" } });
    let told = "Run it?\n\n{\n  \"command\": \"rm -rf build\"\n}";
    assert_eq!(kind(data), AskContent::Confirm(told.into()));
    assert_eq!(
        kind(json!({ "taskName": "Deploy" })),
        AskContent::Confirm("Deploy".into())
    );
    assert_eq!(
        kind(json!("Deploy?")),
        AskContent::Confirm("Deploy?".into())
    );
    let actions = json!([{ "label": "Yes", "value": "Confirm" }, "cancel"]);
    assert_eq!(
        kind(json!({ "info": "Go?", "options": actions })),
        AskContent::Confirm("Go?".into())
    );
}

#[test]
fn other_options_of_an_ordinary_interrupt_are_choices_with_one_that_every_service_takes() {
    let asked = |options: Value| match kind(json!({ "info": "Which?", "options": options })) {
        AskContent::Questions(questions) => questions[0].choices.clone(),
        other => panic!("{other:?}"),
    };
    let blue = json!([{ "label": "Blue", "value": "blue" }, "cancel"]);
    let expected = [
        choice("Blue", "blue"),
        choice("cancel", "cancel"),
        choice("continue", "continue"),
    ];
    assert_eq!(asked(blue), expected);
    let approve =
        json!([{ "label": "批准", "value": "approve" }, { "label": "拒绝", "value": "reject" }]);
    assert_eq!(
        asked(approve),
        [choice("批准", "approve"), choice("拒绝", "reject")]
    );
}

#[test]
fn a_name_and_its_data_on_one_level_are_an_interrupt_too() {
    let questions =
        json!([{ "question": "Colour?", "options": [{ "label": "Red", "value": "r" }] }]);
    let flat = json!({ "event": "interrupt", "thread_id": "t", "questions": questions });
    let nested =
        json!({ "event": "interrupt", "data": { "thread_id": "t", "questions": questions } });
    let both =
        json!({ "event": "interrupt", "thread_id": "t", "questions": questions, "data": {} });
    for frame in [flat, nested, both] {
        let ServiceFrame::Interrupt(found) = read(&Sse::default().data(frame.to_string())) else {
            panic!("no interrupt: {frame}")
        };
        assert_eq!(found.thread.as_deref(), Some("t"), "{frame}");
        let AskContent::Questions(questions) = found.kind else {
            panic!("no question: {frame}")
        };
        assert_eq!(questions[0].choices, [choice("Red", "r")], "{frame}");
    }
}

#[test]
fn nothing_of_what_is_approved_is_hidden() {
    let asked = |data: Value| match kind(data) {
        AskContent::Confirm(words) => words,
        other => panic!("{other:?}"),
    };
    let told = asked(json!({ "info": "Run it?", "command": "rm -rf /", "thread_id": "t" }));
    assert_eq!(told, "Run it?\n\n{\n  \"command\": \"rm -rf /\"\n}");
    assert!(asked(json!({ "tool": "deploy" })).contains("deploy"));
    assert!(asked(json!([{ "tool": "deploy" }])).contains("deploy"));
}

#[test]
fn what_stands_in_another_shape_than_the_documents_is_shown_too() {
    let command = json!({ "command": "rm -rf /" });
    for odd in [
        json!({ "info": command }),
        json!({ "taskName": [command] }),
        json!({ "info": "Run it?", "options": command }),
        json!({ "info": "Run it?", "options": [{ "rm -rf": "rm -rf /" }] }),
        json!({ "info": "Run it?", "thread_id": command }),
    ] {
        let AskContent::Confirm(words) = kind(odd.clone()) else {
            panic!("{odd}")
        };
        assert!(words.contains("rm -rf /"), "{odd}: {words}");
    }
    for beside in [json!(null), json!({}), json!("Run it?")] {
        let frame = json!({ "event": "interrupt", "data": beside, "command": "rm -rf /" });
        let ServiceFrame::Interrupt(found) = read(&Sse::default().data(frame.to_string())) else {
            panic!("no interrupt: {frame}")
        };
        let AskContent::Confirm(words) = found.kind else {
            panic!("{frame}")
        };
        assert!(words.contains("rm -rf /"), "{frame}: {words}");
    }
}

#[test]
fn an_own_word_that_says_more_than_its_action_is_a_choice() {
    for option in [
        json!({ "label": "Yes, and delete everything", "value": "confirm" }),
        json!({ "label": "Yes", "value": "confirm", "description": "Deletes everything" }),
    ] {
        let asked = kind(json!({ "info": "Go?", "options": [option, "cancel"] }));
        let AskContent::Questions(questions) = asked else {
            panic!("{option}")
        };
        assert_eq!(action(&questions[0].choices[0]), Some(ResumeChoice::GoOn));
    }
}

#[test]
fn the_thread_is_found_wherever_it_is_named_and_never_leaves_its_place_in_the_path() {
    let thread = |data: Value| interrupt_of(data).thread;
    assert_eq!(thread(json!({ "thread_id": "a" })).as_deref(), Some("a"));
    assert_eq!(thread(json!({ "threadId": 7 })).as_deref(), Some("7"));
    assert_eq!(
        thread(json!({ "data": { "thread_id": "b" } })).as_deref(),
        Some("b")
    );
    for none in [
        json!({}),
        json!({ "thread_id": ".." }),
        json!({ "thread_id": "" }),
    ] {
        assert_eq!(thread(none), None);
    }
    let outside = json!({ "event": "interrupt", "thread_id": "c", "data": {} });
    let ServiceFrame::Interrupt(found) = read(&Sse::default().data(outside.to_string())) else {
        panic!("no interrupt")
    };
    assert_eq!(found.thread.as_deref(), Some("c"));
    let ServiceFrame::Interrupt(found) = read(&named("interrupt", json!({})).id("d")) else {
        panic!("no interrupt")
    };
    assert_eq!(found.thread.as_deref(), Some("d"));
}

#[test]
fn the_frames_of_a_reply_are_told_apart() {
    for name in ["messages/partial", "tool/start", "tool/end"] {
        assert_eq!(read(&named(name, json!({}))), ServiceFrame::WentOn);
    }
    assert_eq!(read(&Sse::default().event("end")), ServiceFrame::End);
    assert_eq!(
        read(&Sse::default().data(r#"{"event":"end","data":null}"#)),
        ServiceFrame::End
    );
    let error = ServiceFrame::Error("answer at index 1 is empty".into());
    let message = json!({ "message": "answer at index 1 is empty" });
    assert_eq!(read(&named("error", message.clone())), error);
    assert_eq!(
        read(&named(
            "message",
            json!({ "event": "error", "data": message })
        )),
        error
    );
    for other in ["metadata", "ping", ""] {
        assert_eq!(read(&named(other, json!({}))), ServiceFrame::Nothing);
    }
    assert_eq!(read(&Sse::default().data("[DONE]")), ServiceFrame::Nothing);
}

#[test]
fn a_refusals_own_words_are_found_in_their_usual_shapes() {
    for body in [
        r#"{"detail":"no"}"#,
        r#"{"error":{"message":"no"}}"#,
        r#"{"message":"no"}"#,
        r#""no""#,
        " no\n",
    ] {
        assert_eq!(detail(body), "no");
    }
    assert_eq!(detail("[1]"), "");
}

#[test]
fn only_what_may_be_an_interrupt_is_worth_a_look() {
    let data = |data: &str| Sse::default().data(data);
    assert!(is_interrupt(&Sse::default().event("interrupt")));
    assert!(is_interrupt(&data(r#"{"event":"interrupt"}"#)));
    assert!(
        is_interrupt(&data(r#"{"event":"interr\u0075pt"}"#)),
        "though nobody does it"
    );
    assert!(!is_interrupt(
        &data(r#"{"event":"message"}"#).event("message")
    ));
    assert!(!is_interrupt(&Sse::default()));
}

#[test]
fn a_question_that_stands_alone_is_one_and_data_that_is_a_list_is_shown() {
    let AskContent::Questions(one) = kind(json!({ "questions": "Which?" })) else {
        panic!("none")
    };
    assert_eq!((one.len(), one[0].question.as_str()), (1, "Which?"));
    let object = json!({ "questions": { "question": "Which?" } });
    let AskContent::Questions(one) = kind(object) else {
        panic!("none")
    };
    assert_eq!((one.len(), one[0].question.as_str()), (1, "Which?"));
    let words = |body: Value| match kind(body) {
        AskContent::Confirm(words) => words,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        words(json!({ "info": "Go?", "data": ["rm"] })),
        "Go?\n\n[\n  \"rm\"\n]"
    );
    assert_eq!(words(json!({ "info": "Go?", "data": [] })), "Go?");
}

#[test]
fn what_stands_beside_the_name_of_the_event_counts_unless_its_data_tells_more() {
    assert!(is_flat(
        &json!({ "event": "interrupt", "info": "Go?", "data": { "n": 1 } })
    ));
    assert!(!is_flat(
        &json!({ "event": "interrupt", "data": { "n": 1 } })
    ));
    let both = json!({ "event": "interrupt", "info": "Go?", "data": { "info": "Stop?" } });
    assert!(!is_flat(&both));
    assert!(is_flat(
        &json!({ "event": "interrupt", "info": "Go?", "data": {} })
    ));
}

#[test]
fn an_empty_list_says_nothing() {
    assert_eq!(kind(json!([])), AskContent::Confirm(String::new()));
}
