//! Cards that are gone from a chat, by a hand or by the chat's own timer.

use super::*;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const MINUTE: Duration = Duration::from_secs(60);

/// Makes a desk with a card that was sent to a chat with such a timer.
fn sent(timer: Option<Duration>) -> Desk {
    let mut desk = Desk::new();
    desk.outbox.set_timer(ME, timer);
    desk.want(&wanted(1, "a"));
    desk.one(Ok(()));
    desk
}

fn lost(loss: CardLoss) -> CallOutcome {
    CallOutcome::Lost(ask(1), PostedCard::at(ME, 1), loss)
}

fn comeback() -> [CallOutcome; 1] {
    [CallOutcome::Comeback(ask(1), ME)]
}

fn note(about: u64, silent: bool) -> OutgoingNote {
    OutgoingNote {
        html: "still waiting".into(),
        silent,
        about: Some(about),
        ..OutgoingNote::default()
    }
}

#[test]
fn a_card_is_looked_for_when_the_timer_is_over_and_comes_back() {
    let mut desk = sent(Some(DAY));
    let begun = desk.now;
    let (call, outcomes) = desk.one(Err(CallError::MessageGone));
    assert!(matches!(call, OutboxCall::Edit { message: 1, .. }));
    assert_eq!(outcomes, [lost(CardLoss::Expired)]);
    assert!(desk.now >= begun + DAY && desk.now < begun + DAY + 2 * MINUTE);
    assert_eq!(desk.outbox.take_comebacks(desk.now), comeback());
    assert_eq!(desk.outbox.take_comebacks(desk.now), [], "said once");
}

#[test]
fn a_timer_of_seconds_makes_no_card_come_every_few_seconds() {
    let mut desk = sent(Some(Duration::from_secs(5)));
    let begun = desk.now;
    desk.now += Duration::from_secs(20);
    desk.want(&wanted(1, "b"));
    let (_, outcomes) = desk.one(Err(CallError::MessageGone));
    assert_eq!(outcomes, [lost(CardLoss::Expired)]);
    assert_eq!(desk.outbox.take_comebacks(desk.now), []);
    desk.now = desk.outbox.due(desk.now).expect("it comes back");
    assert_eq!(desk.outbox.take_comebacks(desk.now), comeback());
    assert!(desk.now >= begun + 10 * MINUTE, "{:?}", desk.now - begun);
}

#[test]
fn what_was_deleted_long_before_the_timer_was_over_a_human_has_deleted() {
    let mut desk = sent(Some(DAY));
    desk.now += 3 * MINUTE;
    desk.want(&wanted(1, "b"));
    let (_, outcomes) = desk.one(Err(CallError::MessageGone));
    assert_eq!(outcomes, [lost(CardLoss::Deleted)]);
    assert_eq!(desk.outbox.due(desk.now), None);
}

#[test]
fn a_card_of_before_a_restart_is_the_timers_where_there_is_one() {
    for (timer, loss) in [(Some(DAY), CardLoss::Expired), (None, CardLoss::Deleted)] {
        let mut desk = Desk::new();
        desk.outbox.set_timer(ME, timer);
        let posted = [PostedCard::at(ME, 1)];
        desk.outbox.want(&wanted(1, "a"), &[ME], &posted, desk.now);
        assert_eq!(desk.one(Err(CallError::MessageGone)).1, [lost(loss)]);
    }
}

#[test]
fn a_card_that_is_there_after_all_is_looked_for_once_each_time() {
    let mut desk = sent(Some(DAY));
    let begun = desk.now;
    for (nth, result) in [(1, Err(CallError::NotModified)), (2, Ok(())), (3, Ok(()))] {
        let (call, outcomes) = desk.one(result);
        assert!(matches!(call, OutboxCall::Edit { .. }), "{call:?}");
        assert_eq!(outcomes, []);
        assert!(desk.now >= begun + nth * DAY, "{:?}", desk.now - begun);
    }
}

#[test]
fn a_card_that_is_looked_for_in_vain_while_nothing_gets_through_is_not_asked_for_without_pause() {
    let mut desk = sent(Some(DAY));
    for _ in 0..8 {
        desk.one(Err(CallError::Network("down".into())));
    }
    let before = desk.now;
    desk.one(Err(CallError::MessageGone));
    assert!(desk.now > before);
}

#[test]
fn what_has_ended_or_was_called_for_does_not_come_back() {
    let mut desk = sent(Some(DAY));
    desk.want(&last(1, "over"));
    desk.all();
    assert_eq!(desk.outbox.due(desk.now), None);

    let mut desk = sent(Some(DAY));
    desk.one(Err(CallError::MessageGone));
    desk.want(&wanted(1, "a"));
    assert_eq!(desk.outbox.take_comebacks(desk.now), []);
    assert!(matches!(desk.one(Ok(())).0, OutboxCall::Send { .. }));
}

#[test]
fn a_note_about_a_card_that_is_gone_calls_for_the_card() {
    for silent in [true, false] {
        let mut desk = sent(None);
        desk.outbox.say(ME, note(1, silent));
        let (call, outcomes) = desk.one(Err(CallError::MessageGone));
        assert!(matches!(call, OutboxCall::Say { under: Some(1), .. }));
        assert_eq!(outcomes, [lost(CardLoss::CalledFor { silent })]);
        desk.quiet();
    }
}

#[test]
fn a_note_about_a_list_that_is_gone_rings_all_the_same() {
    let mut desk = Desk::new();
    let list = |html: &str| WantedList {
        card: card(html),
        serials: [1].into(),
        known: Some(9),
    };
    desk.outbox.want_list(ME, list("2 waiting"));
    desk.all();
    desk.outbox.say(ME, note(ABOUT_LIST, false));
    let (call, outcomes) = desk.one(Err(CallError::MessageGone));
    assert!(matches!(call, OutboxCall::Say { under: Some(9), .. }));
    assert_eq!(outcomes, [CallOutcome::List(ME, None)]);
    let (call, _) = desk.one(Ok(()));
    assert!(matches!(call, OutboxCall::Say { under: None, .. }));
}

#[test]
fn whoever_asks_has_every_card_looked_for_once() {
    let mut desk = sent(None);
    desk.want(&wanted(2, "b"));
    desk.all();
    desk.outbox.look_for_cards(ME);
    desk.outbox.look_for_cards(ME);
    let (call, outcomes) = desk.one(Err(CallError::MessageGone));
    assert!(matches!(call, OutboxCall::Edit { message: 1, .. }));
    assert_eq!(outcomes, [lost(CardLoss::Deleted)]);
    let (call, _) = desk.one(Err(CallError::NotModified));
    assert!(matches!(call, OutboxCall::Edit { message: 2, .. }));
    desk.quiet();
}

#[test]
fn a_chats_timer_is_asked_for_once_and_heard() {
    let mut desk = Desk::new();
    desk.outbox.ask_for_timers(&[ME]);
    desk.outbox.ask_for_timers(&[ME]);
    let (chat, call) = desk.begin();
    assert_eq!(call, OutboxCall::LookUpTimer);
    desk.outbox.done(chat, call.lane(), Ok(Some(5)), desk.now);
    desk.want(&wanted(1, "a"));
    desk.one(Ok(()));
    assert_eq!(
        desk.one(Err(CallError::MessageGone)).1,
        [lost(CardLoss::Expired)]
    );
}
