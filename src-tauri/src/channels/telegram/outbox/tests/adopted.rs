//! Tests of a card that turns out to be in another message than was thought.

use super::*;

/// Makes a desk whose first card is being sent, and turns out to be in message 5 already.
fn found_while_it_is_sent() -> Desk {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    assert!(matches!(desk.begin().1, OutboxCall::Send { .. }));
    desk.outbox
        .want(&wanted(1, "b"), &[ME], &[PostedCard::at(ME, 5)], desk.now);
    desk
}

#[test]
fn a_card_that_turns_out_to_stand_there_already_is_edited_and_not_sent() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.outbox
        .want(&wanted(1, "b"), &[ME], &[PostedCard::at(ME, 5)], desk.now);
    assert!(matches!(
        desk.one(Ok(())).0,
        OutboxCall::Edit { message: 5, .. }
    ));
}

#[test]
fn a_card_that_arrives_where_it_stood_already_loses_its_keyboard() {
    let mut desk = found_while_it_is_sent();
    let outcomes = desk.outbox.done(ME, Lane::Calls, Ok(Some(9)), desk.now);
    assert!(outcomes.is_empty(), "{outcomes:?}");
    desk.all();
    let calls = desk.calls();
    assert!(
        matches!(
            calls[1..],
            [
                OutboxCall::Edit { message: 5, .. },
                OutboxCall::Strip { message: 9 }
            ]
        ),
        "{calls:?}"
    );
}

#[test]
fn the_end_of_a_card_that_is_sent_in_vain_is_written_where_it_stood_already() {
    for trouble in [
        CallError::Network("cut".into()),
        CallError::Other("no".into()),
    ] {
        let mut desk = found_while_it_is_sent();
        assert!(
            desk.want(&last(1, "over")).is_empty(),
            "its end is not written yet"
        );
        let outcomes = desk.outbox.done(ME, Lane::Calls, Err(trouble), desk.now);
        assert!(outcomes.is_empty(), "{outcomes:?}");
        assert!(matches!(desk.all()[..], [CallOutcome::Finished(_)]));
        assert!(matches!(
            desk.calls()[1..],
            [OutboxCall::Edit { message: 5, .. }]
        ));
    }
}

#[test]
fn what_becomes_of_a_message_that_is_the_card_no_longer_says_nothing_of_the_card() {
    for result in [
        Ok(None),
        Err(CallError::MessageGone),
        Err(CallError::Other("no".into())),
    ] {
        let mut desk = Desk::new();
        desk.outbox
            .want(&wanted(1, "a"), &[ME], &[PostedCard::at(ME, 6)], desk.now);
        assert!(matches!(
            desk.begin().1,
            OutboxCall::Edit { message: 6, .. }
        ));
        desk.outbox
            .want(&wanted(1, "a"), &[ME], &[PostedCard::at(ME, 5)], desk.now);
        let outcomes = desk.outbox.done(ME, Lane::Calls, result, desk.now);
        assert!(outcomes.is_empty(), "{outcomes:?}");
        assert!(matches!(
            desk.one(Ok(())).0,
            OutboxCall::Edit { message: 5, .. }
        ));
        desk.quiet();
    }
}
