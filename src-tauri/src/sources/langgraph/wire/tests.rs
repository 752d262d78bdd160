//! Tests of the shapes of values, and of what goes back for each.

mod pending;

use super::*;
use beckon_core::{Choice, Reply};
use std::collections::BTreeMap;

fn pending(value: Value) -> PendingInterrupt {
    PendingInterrupt {
        name: "8704".into(),
        value,
        is_odd: false,
    }
}

fn asked(value: Value) -> (Ask, PendingInterrupt) {
    let metadata = ThreadMetadata {
        graph_id: Some("agent".into()),
        assistant_id: None,
    };
    let pending = pending(value);
    let interrupts = Vec::new();
    let (thread_id, status) = ("t".into(), ThreadStatus::Other);
    let thread = ListedThread {
        thread_id,
        status,
        metadata,
        interrupts,
        strange: None,
    };
    (
        ask(&SourceId("s".into()), &thread, &pending, Timestamp(0)),
        pending,
    )
}

fn goes_back(value_asked: Value, answer: &Answer) -> Value {
    let (ask, pending) = asked(value_asked);
    assert_eq!(ask.check(answer), Ok(()));
    value(&ask, &pending, answer).unwrap()
}

fn says(text: &str) -> Answer {
    Answer::Replies(vec![Reply::text(text)])
}

#[test]
fn a_text_takes_words_and_gets_them_as_they_are() {
    assert_eq!(goes_back(json!("Your name?"), &says("true")), "true");
    assert_eq!(
        asked(json!("Your name?")).0.questions()[0].question,
        "Your name?"
    );
}

#[test]
fn other_json_is_shown_as_it_is_and_may_be_answered_with_json() {
    let draft = json!({ "draft": "Dear Ada" });
    let shown = asked(draft.clone()).0.questions()[0].question.clone();
    assert_eq!(shown, "{\n  \"draft\": \"Dear Ada\"\n}\n(JSON)");
    assert_eq!(
        goes_back(draft.clone(), &says("{\"ok\": true}")),
        json!({ "ok": true })
    );
    assert_eq!(goes_back(draft.clone(), &says("true")), json!(true));
    assert_eq!(goes_back(draft.clone(), &says("7 days")), "7 days");
    assert_eq!(goes_back(draft, &Answer::Dismiss), Value::Null);
}

#[test]
fn json_that_was_begun_and_is_none_does_not_go_where_json_may_be_wanted() {
    let unknown = json!({ "draft": "Dear Ada" });
    for broken in ["{\"ok\": tru", "[1, 2", "{ok: true}"] {
        assert!(own_words(&unknown, broken.to_owned()).is_err(), "{broken}");
    }
    for asked in [json!("Name?"), json!({ "question": "Name?" })] {
        let text = own_words(&asked, "[sic] Ada".to_owned());
        assert_eq!(text, Ok(json!("[sic] Ada")), "{asked}");
    }
}

#[test]
fn options_are_choices_and_their_value_goes_back() {
    let value =
        json!({ "question": "Which?", "options": [{ "label": "Red", "value": "r" }, "true"] });
    let (ask, _) = asked(value.clone());
    let choice = |label: &str, value: &str| Choice {
        label: label.into(),
        value: Some(value.into()),
        ..Choice::default()
    };
    assert_eq!(
        ask.questions()[0].choices,
        [choice("Red", "r"), choice("true", "true")]
    );
    let nth = |n| Answer::Replies(vec![Reply::choice(n)]);
    assert_eq!(goes_back(value.clone(), &nth(0)), "r");
    assert_eq!(goes_back(value, &nth(1)), "true");
}

#[test]
fn the_ask_user_shape_gets_one_text_per_question() {
    let value = json!({ "questions": [{ "question": "A?" }, { "question": "B?" }] });
    let answer = Answer::Replies(vec![Reply::text("a"), Reply::text("b")]);
    assert_eq!(goes_back(value, &answer), json!(["a", "b"]));
}

#[test]
fn one_id_with_another_value_is_another_ask() {
    assert_ne!(pending(json!("A?")).own(), pending(json!("B?")).own());
    assert_eq!(pending(json!("A?")).own(), pending(json!("A?")).own());
}

/// Returns two values whose hashes are the same, found as an attacker would find them.
fn alike() -> (Value, Value) {
    let mut known = BTreeMap::new();
    let mut values = (0_u32..).map(|number| json!(format!("Run step {number}?")));
    let met = values.find_map(|value| {
        let before = known.insert(hash(&value.to_string()), value.clone())?;
        Some((before, value))
    });
    met.unwrap()
}

#[test]
fn what_only_shares_the_hash_of_what_was_asked_is_something_else() {
    let (seen, other) = alike();
    let (ask, _) = asked(seen.clone());
    let waits_for = |value: &Value| ListedThread {
        thread_id: "t".into(),
        status: ThreadStatus::Interrupted,
        metadata: ThreadMetadata::default(),
        interrupts: vec![pending(value.clone())],
        strange: None,
    };
    assert_eq!(
        pending(other.clone()).own(),
        ask.id.own,
        "it has the same name"
    );
    assert!(waits_for(&other).find(&ask).is_none());
    assert!(waits_for(&seen).find(&ask).is_some());
}

#[test]
fn a_thread_that_no_reader_takes_keeps_its_id_and_shows_what_it_says() {
    let deep = |id: &str| {
        let value = format!("{}{}", "[".repeat(200), "]".repeat(200));
        format!(
            r#"{{"thread_id":{id},"status":"interrupted","interrupts":{{"t":[{{"id":"i","value":{value}}}]}}}}"#
        )
    };
    let read = |text: &str| {
        ListedThread::read(&serde_json::value::RawValue::from_string(text.to_owned()).unwrap())
    };
    let thread = read(&deep("\"t\""));
    assert_eq!(thread.id(), "t");
    let ask = unknown(&SourceId("s".into()), &thread, Timestamp(0)).unwrap();
    let AskContent::Unknown(unknown) = &ask.kind else {
        panic!("{ask:?}")
    };
    assert!(unknown.raw.contains("[[[["), "{}", unknown.raw);
    assert_ne!(
        read(&deep("7")).id(),
        read(&deep("8")).id(),
        "each is one of its own"
    );
}

fn listed(fields: Value) -> ListedThread {
    let mut thread = json!({ "thread_id": "t", "status": "interrupted" });
    thread
        .as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    ListedThread::read(&RawValue::from_string(thread.to_string()).unwrap())
}

#[test]
fn a_thread_that_has_stopped_and_asks_nothing_is_at_a_breakpoint() {
    let pending = json!({ "task": [{ "id": "8704", "value": "Go?" }] });
    for (thread, is) in [
        (json!({}), true),
        (json!({ "interrupts": { "task": [] } }), true),
        (json!({ "interrupts": pending }), false),
        (json!({ "status": "idle" }), false),
        (json!({ "interrupts": 7 }), false),
    ] {
        assert_eq!(listed(thread.clone()).is_at_breakpoint(), is, "{thread}");
    }
}

#[test]
fn the_ask_of_a_breakpoint_says_which_nodes_come_next_and_is_named_by_its_checkpoint() {
    let breakpoint = |stand: Value| {
        let thread = listed(json!({ "metadata": { "graph_id": "agent" } }));
        let stand: ThreadStand = serde_json::from_value(stand).unwrap();
        breakpoint(&SourceId("s".into()), &thread, &stand, Timestamp(0))
    };
    let checkpoint = json!({ "checkpoint_id": "c1" });
    let waits = json!({ "next": ["pay", "ship"], "checkpoint": checkpoint, "tasks": [{}] });
    let ask = breakpoint(waits).unwrap();
    assert_eq!(ask.id.own, "breakpoint-c1");
    assert_eq!(ask.kind, AskContent::Confirm("→ pay, ship".into()));
    assert!(is_breakpoint(&ask) && !is_breakpoint(&asked(json!("Go?")).0));
    for none in [
        json!({ "next": [], "checkpoint": checkpoint }),
        json!({ "next": ["pay"] }),
        json!({ "next": ["pay"], "checkpoint": checkpoint, "tasks": [{ "interrupts": [1] }] }),
        json!({ "next": ["pay"], "checkpoint": checkpoint, "tasks": [{ "error": "broken" }] }),
    ] {
        assert_eq!(breakpoint(none.clone()), None, "{none}");
    }
}

#[test]
fn a_thread_is_run_by_its_assistant_or_else_by_its_graph() {
    let assistant = |metadata: Value| {
        listed(json!({ "metadata": metadata }))
            .assistant()
            .map(str::to_owned)
    };
    assert_eq!(
        assistant(json!({ "assistant_id": "a", "graph_id": "g" })),
        Some("a".into())
    );
    assert_eq!(assistant(json!({ "graph_id": "g" })), Some("g".into()));
    assert_eq!(assistant(json!({})), None);
}

#[test]
fn an_ask_is_of_its_thread_and_of_the_graph_that_runs_it() {
    let session = asked(json!("Go?")).0.session;
    assert_eq!(
        (session.id.as_str(), session.directory.as_str()),
        ("t", "s")
    );
    assert_eq!(session.agent.as_deref(), Some("agent"));
}

#[test]
fn the_name_of_an_ask_ends_in_eight_digits_of_what_is_asked() {
    let own = |value: Value| asked(value).0.id.own;
    for value in [json!("Go?"), json!("Stop?"), json!({ "n": 1 })] {
        let (id, digits) = own(value)
            .split_once('-')
            .map(|(a, b)| (a.to_owned(), b.len()))
            .unwrap();
        assert_eq!((id.as_str(), digits), ("8704", 8));
    }
    assert_ne!(own(json!("Go?")), own(json!("Stop?")));
}

/// Returns the ask of an interrupt with that value, and the thread that has it.
fn listed_with(value: &str) -> (Ask, ListedThread) {
    let text = format!(
        r#"{{"thread_id":"t","status":"interrupted","interrupts":{{"k":[{{"id":"i","value":{value}}}]}}}}"#
    );
    let thread = ListedThread::read(&RawValue::from_string(text).unwrap());
    let pending = thread.pending().next().unwrap();
    let ask = ask(&SourceId("s".into()), &thread, pending, Timestamp(0));
    (ask, thread)
}

/// Returns the value that is sent, as it is written.
fn sent(value: &str, answer: &Answer) -> String {
    let (ask, thread) = listed_with(value);
    assert_eq!(ask.check(answer), Ok(()));
    let pending = thread.find(&ask).unwrap();
    exact::written(&super::value(&ask, pending, answer).unwrap())
}

const PENNIES: &str = "123456789012345678901234567890.10";

#[test]
fn a_card_that_wants_json_gets_json_of_any_kind() {
    let draft = r#"{"draft":"Dear Ada"}"#;
    for json in [
        "7",
        "-0.5",
        "null",
        "\"words\"",
        "true",
        "[1]",
        "{\"a\":1}",
        PENNIES,
        "1e3",
    ] {
        assert_eq!(sent(draft, &says(json)), json);
    }
    for text in ["7 days", "Null", "NaN", "'a'", "yes"] {
        assert_eq!(sent(draft, &says(text)), json!(text).to_string());
    }
    let question = r#"{"question":"How many?"}"#;
    assert_eq!(sent(question, &says("7")), "\"7\"", "it asked in words");
    for broken in ["{\"a\":", "\"words"] {
        assert!(
            own_words(&json!({ "draft": "" }), broken.into()).is_err(),
            "{broken}"
        );
    }
}

#[test]
fn no_number_loses_a_digit_on_its_way_to_a_person_and_back() {
    let call = format!(r#"{{"action":"pay","args":{{"amount":{PENNIES}}}}}"#);
    let inbox = format!(
        r#"{{"action_request":{call},"config":{{"allow_accept":true,"allow_ignore":true}}}}"#
    );
    let (ask, _) = listed_with(&inbox);
    let AskContent::Permission(shown) = &ask.kind else {
        panic!("{ask:?}")
    };
    assert_eq!(shown.patterns, [format!(r#"pay {{"amount":{PENNIES}}}"#)]);
    let approved = sent(&inbox, &Answer::Grant(beckon_core::Grant::Once));
    assert!(
        approved.contains(&format!(r#""amount":{PENNIES}"#)),
        "{approved}"
    );

    let unknown = format!("[{PENNIES}, 1e3]");
    let shown = listed_with(&unknown).0.questions()[0].question.clone();
    assert_eq!(shown, format!("[\n  {PENNIES},\n  1e3\n]\n(JSON)"));
    let asked = format!(r#"{{"question":{PENNIES},"options":[{PENNIES}]}}"#);
    assert_eq!(listed_with(&asked).0.questions()[0].question, PENNIES);
    assert_eq!(
        sent(&asked, &Answer::Replies(vec![Reply::choice(0)])),
        format!("\"{PENNIES}\"")
    );
}

#[test]
fn a_text_poses_as_no_number() {
    let posing = "[\"\u{fdd0}5\u{fdd0}\", \"\\ufdd06\\ufdd0\"]";
    let shown = listed_with(posing).0.questions()[0].question.clone();
    assert!(
        shown.contains("\"\u{fffd}5\u{fffd}\"") && shown.contains("\"\u{fffd}6"),
        "{shown}"
    );
}

#[test]
fn a_value_of_unknown_shape_is_called_what_it_calls_itself() {
    let header = |value: Value| asked(value).0.questions()[0].header.clone();
    assert_eq!(
        header(json!([{ "action": "send_email", "args": {} }])),
        "send_email"
    );
    assert_eq!(
        header(json!([{ "action": "pay" }, { "action": "pay" }, { "name": "ship" }])),
        "pay, ship"
    );
    assert_eq!(header(json!({ "type": "review", "draft": 1 })), "review");
    assert_eq!(header(json!({ "action": "\u{200b}", "draft": 1 })), "");
    assert_eq!(header(json!([1, 2])), "");
}
