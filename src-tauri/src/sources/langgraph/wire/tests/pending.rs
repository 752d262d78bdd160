//! Interrupts as servers write them, with and without the id by which they are answered.

use super::*;

/// An interrupted thread with these interrupts of one task.
fn waiting(interrupts: &Value) -> ListedThread {
    listed(json!({ "interrupts": { "task": interrupts } }))
}

/// Returns the asks of a thread.
fn asks(thread: &ListedThread) -> Vec<Ask> {
    let source = SourceId("s".into());
    let pending = thread.pending();
    pending
        .map(|pending| ask(&source, thread, pending, Timestamp(0)))
        .collect()
}

const INTERRUPT_ID: &str = "a3f0c1d29b7e4856a3f0c1d29b7e4856";

/// Returns the body that is posted for the first interrupt.
fn resumed(interrupts: &Value, answer: &Answer) -> Result<Value, DeliveryFailure> {
    let thread = waiting(interrupts);
    let ask = &asks(&thread)[0];
    let pending = thread.find(ask).unwrap();
    let value = super::value(ask, pending, answer)?;
    thread.resume(pending, value)
}

#[test]
fn an_answer_goes_by_the_id_that_langgraph_knows_for_one() {
    for interrupt in [
        json!({ "id": INTERRUPT_ID, "value": "Go?" }),
        json!({ "interrupt_id": INTERRUPT_ID, "value": "Go?", "resumable": true }),
        json!({ "id": null, "interrupt_id": INTERRUPT_ID, "value": "Go?" }),
        json!(["0d1e", { "id": INTERRUPT_ID, "value": "Go?" }]),
    ] {
        let told = resumed(&json!([interrupt]), &says("yes"));
        assert_eq!(told, Ok(json!({ INTERRUPT_ID: "yes" })), "{interrupt}");
    }
}

/// A map of other keys is the answer itself to the graph.
#[test]
fn an_interrupt_without_such_an_id_gets_the_bare_answer_where_nothing_else_waits() {
    for interrupt in [
        json!({ "value": "Go?", "resumable": true, "ns": ["ask:1"], "when": "during" }),
        json!({ "id": null, "value": "Go?" }),
        json!({ "id": 7, "value": "Go?" }),
        json!({ "id": "8704", "value": "Go?" }),
    ] {
        let told = resumed(&json!([interrupt]), &says("yes"));
        assert_eq!(told, Ok(json!("yes")), "{interrupt}");

        let two = json!([interrupt, { "id": INTERRUPT_ID, "value": "And?" }]);
        let refused = resumed(&two, &says("yes"));
        assert!(
            refused.is_err(),
            "{interrupt}: which of the two would take it?"
        );
        // The graph would stay as it is, and nobody would notice.
        assert!(resumed(&json!([interrupt]), &Answer::Dismiss).is_err());
    }
}

#[test]
fn an_odd_interrupt_hides_no_other_of_its_thread_and_takes_no_answer() {
    let fine = json!({ "id": INTERRUPT_ID, "value": "Go?" });
    for odd in [
        json!(7),
        json!(null),
        json!("Go on?"),
        json!([]),
        json!({ "id": "8704" }),
    ] {
        let asks = asks(&waiting(&json!([odd, fine])));
        assert_eq!(asks.len(), 2, "{odd}");
        let refused = asks[0].check(&says("yes"));
        assert!(matches!(asks[0].kind, AskContent::Unknown(_)) && refused.is_err());
        assert_eq!(asks[1].questions()[0].question, "Go?");
    }
}

#[test]
fn a_call_that_stands_where_its_interrupt_should_is_the_interrupt() {
    let call = json!({ "action_request": { "action": "pay", "args": {} },
        "config": { "allow_accept": true, "allow_ignore": true } });
    let asks = asks(&waiting(&json!([call])));
    assert!(
        matches!(asks[0].kind, AskContent::Permission(_)),
        "{asks:?}"
    );
}

#[test]
fn what_else_a_thread_says_may_be_null_or_of_another_type() {
    let fine = json!({ "task": [{ "id": INTERRUPT_ID, "value": "Go?" }] });
    for metadata in [
        json!(null),
        json!(7),
        json!({ "assistant_id": null, "graph_id": 5 }),
    ] {
        let thread = listed(json!({ "metadata": metadata, "interrupts": fine }));
        assert_eq!(asks(&thread).len(), 1, "{metadata}");
    }
    for none in [json!(null), json!({ "task": null })] {
        let thread = listed(json!({ "interrupts": none }));
        assert!(thread.is_at_breakpoint(), "{none}");
    }
    assert_eq!(
        listed(json!({ "metadata": { "assistant_id": 7, "graph_id": "g" } })).assistant(),
        Some("g")
    );
}

#[test]
fn a_question_that_comes_as_json_in_a_text_is_asked_as_the_question() {
    let question = json!({ "question": "Which?", "options": ["Red", "Blue"] });
    let text = json!(question.to_string());
    assert_eq!(asked(text.clone()).0.questions()[0].choices.len(), 2);
    let nth = |n| Answer::Replies(vec![Reply::choice(n)]);
    assert_eq!(goes_back(text, &nth(1)), "Blue");

    let set =
        json!(json!({ "questions": [{ "question": "A?" }, { "question": "B?" }] }).to_string());
    let answer = Answer::Replies(vec![Reply::text("a"), Reply::text("b")]);
    assert_eq!(goes_back(set, &answer), json!(["a", "b"]));
    assert_eq!(
        goes_back(json!("[1, 2]"), &says("[3]")),
        "[3]",
        "a text was asked"
    );
}

#[test]
fn of_two_interrupts_under_one_id_neither_gets_the_answer_to_the_other() {
    let two = json!([
        { "id": INTERRUPT_ID, "value": "Create the circle?" },
        { "id": INTERRUPT_ID, "value": "Delete the square?" },
    ]);
    let refused = resumed(&two, &says("yes"));
    assert!(
        format!("{refused:?}").contains("the same id"),
        "{refused:?}"
    );

    let twice = json!([
        { "id": INTERRUPT_ID, "value": "Go?" },
        { "id": INTERRUPT_ID, "value": "Go?" },
    ]);
    assert!(resumed(&twice, &says("yes")).is_ok(), "they ask the same");
}
