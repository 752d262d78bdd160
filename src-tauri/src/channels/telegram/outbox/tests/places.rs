//! Chats and topics that refuse: a topic that is closed, General itself, and a chat that is held back.

use super::*;

const CLOSED: Result<(), CallError> = Err(CallError::TopicClosed);

/// Makes a desk with a group whose project has a topic.
fn topical() -> Desk {
    let mut desk = Desk::new();
    desk.outbox.topics(Some(GROUP), [("shop".into(), 44)]);
    desk
}

fn want(desk: &mut Desk, n: u32) {
    desk.outbox.want(&wanted(n, "a"), &[GROUP], &[], desk.now);
}

fn thread(call: &OutboxCall) -> Option<i32> {
    call.thread()
}

#[test]
fn a_chat_that_takes_nothing_outside_of_topics_is_tried_ever_more_slowly_and_starves_nobody() {
    for trouble in [CallError::TopicClosed, CallError::TopicGone] {
        let mut desk = Desk::new();
        want(&mut desk, 1);
        let begun = desk.now;
        for _ in 0..6 {
            let (call, outcomes) = desk.one(Err(trouble.clone()));
            assert!(matches!(call, OutboxCall::Send { thread: None, .. }));
            assert_eq!(outcomes, []);
        }
        let waited = desk.now - begun;
        assert!(waited > Duration::from_secs(60), "{trouble:?}: {waited:?}");
        assert!(desk.outbox.refusals().is_some(), "it is said");

        want(&mut desk, 2);
        let (call, _) = desk.one(Ok(()));
        assert!(matches!(call, OutboxCall::Send { .. }), "the others go on");
    }
}

#[test]
fn a_card_goes_to_the_main_chat_while_its_topic_is_closed_and_no_second_topic_is_made() {
    let mut desk = topical();
    want(&mut desk, 1);
    let (call, outcomes) = desk.one(CLOSED);
    assert_eq!((thread(&call), outcomes), (Some(44), vec![]));
    let (call, _) = desk.one(Ok(()));
    assert!(
        matches!(call, OutboxCall::Send { thread: None, .. }),
        "{call:?}"
    );

    desk.now += Duration::from_secs(60);
    want(&mut desk, 2);
    assert_eq!(thread(&desk.one(Ok(())).0), Some(44), "it is tried again");
    want(&mut desk, 3);
    assert_eq!(thread(&desk.one(Ok(())).0), Some(44), "it is open");
}

#[test]
fn what_belongs_to_a_card_goes_where_that_stands() {
    let mut desk = topical();
    want(&mut desk, 1);
    desk.one(CLOSED);
    desk.one(Ok(()));
    desk.now += Duration::from_secs(60);
    let mut asks = wanted(1, "a");
    asks.card.prompt = Some(ReplyPrompt {
        html: "?".into(),
        placeholder: "?".into(),
        selective: false,
        asks: AwaitedText::Text { question: 0 },
    });
    desk.outbox.want(&asks, &[GROUP], &[], desk.now);
    let (call, _) = desk.one(Ok(()));
    assert!(
        matches!(call, OutboxCall::Ask { thread: None, .. }),
        "{call:?}"
    );
}

#[test]
fn a_note_about_a_card_in_a_topic_that_was_closed_is_said_in_the_main_chat() {
    let mut desk = topical();
    want(&mut desk, 1);
    desk.one(Ok(()));
    let note = OutgoingNote {
        html: "still waiting".into(),
        about: Some(1),
        ..OutgoingNote::default()
    };
    desk.outbox.say(GROUP, note);
    assert_eq!(thread(&desk.one(CLOSED).0), Some(44));
    let (call, _) = desk.one(CLOSED);
    assert!(matches!(
        call,
        OutboxCall::Say {
            thread: None,
            under: Some(_),
            ..
        }
    ));
    let (call, _) = desk.one(Ok(()));
    assert!(matches!(
        call,
        OutboxCall::Say {
            thread: None,
            under: None,
            ..
        }
    ));
    desk.quiet();
}

#[test]
fn a_note_that_may_be_said_nowhere_is_let_go() {
    for trouble in [CallError::TopicClosed, CallError::TopicGone] {
        let mut desk = topical();
        let note = OutgoingNote {
            html: "done".into(),
            project: Some("shop".into()),
            ..OutgoingNote::default()
        };
        desk.outbox.say(GROUP, note);
        desk.one(Err(trouble.clone()));
        desk.one(Err(trouble));
        desk.quiet();
    }
}

#[test]
fn a_long_wait_is_told_and_a_short_one_is_not() {
    for (seconds, told) in [(2, false), (29, false), (30, true), (600, true)] {
        let mut desk = Desk::new();
        desk.want(&wanted(1, "a"));
        let wait = Duration::from_secs(seconds);
        let (_, outcomes) = desk.one(Err(CallError::TooFast(wait)));
        let expected = told.then_some(CallOutcome::HeldBack(ME, wait));
        assert_eq!(outcomes, expected.into_iter().collect::<Vec<_>>());
    }
}
