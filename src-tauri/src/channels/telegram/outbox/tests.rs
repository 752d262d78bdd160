//! Stories of the outbox, without a network.

mod adopted;
mod deletions;
mod forms;
mod limits;
mod lists;
mod order;
mod places;
mod troubles;

use super::super::card::{CardButton, CardDocument, CardMessage, ReplyPrompt};
use super::*;
use beckon_core::AskId;
use std::time::Duration;

const ME: ChatId = ChatId(7);
const GROUP: ChatId = ChatId(-100);

/// An outbox, its clock, and what Telegram has been told.
struct Desk {
    outbox: Outbox,
    now: Instant,
    last_id: i32,
    sent: Vec<(Instant, ChatId, OutboxCall)>,
}

impl Desk {
    fn new() -> Self {
        let now = Instant::now();
        Self {
            outbox: Outbox::new(),
            now,
            last_id: 0,
            sent: Vec::new(),
        }
    }

    fn want(&mut self, wanted: &WantedCard) -> Vec<CallOutcome> {
        self.outbox.want(wanted, &[ME], &[], self.now)
    }

    /// Begins one call as soon as it may be.
    fn begin(&mut self) -> (ChatId, OutboxCall) {
        let (chat, call) = loop {
            match self.outbox.next(self.now) {
                Some(next) => break next,
                None => self.now = self.outbox.due(self.now).expect("something waits"),
            }
        };
        self.sent.push((self.now, chat, call.clone()));
        (chat, call)
    }

    /// Carries out one call as soon as it may be, which ends like that.
    fn one(&mut self, result: Result<(), CallError>) -> (OutboxCall, Vec<CallOutcome>) {
        let (chat, call) = self.begin();
        let made = self.made(&call);
        let outcomes = self
            .outbox
            .done(chat, call.lane(), result.map(|()| made), self.now);
        (call, outcomes)
    }

    /// Returns the id of the message or topic that a call makes, if it makes one.
    fn made(&mut self, call: &OutboxCall) -> Option<i32> {
        let makes = !matches!(
            call,
            OutboxCall::Edit { .. }
                | OutboxCall::Delete { .. }
                | OutboxCall::Strip { .. }
                | OutboxCall::Pin { .. }
        );
        self.last_id += 1;
        makes.then_some(self.last_id)
    }

    /// Carries out all there is, waiting where it must.
    fn all(&mut self) -> Vec<CallOutcome> {
        let mut outcomes = Vec::new();
        loop {
            while let Some((chat, call)) = self.outbox.next(self.now) {
                self.sent.push((self.now, chat, call.clone()));
                let made = self.made(&call);
                outcomes.extend(self.outbox.done(chat, call.lane(), Ok(made), self.now));
            }
            match self.outbox.due(self.now) {
                Some(due) => {
                    assert!(due > self.now, "it is due, but there is no call");
                    self.now = due;
                }
                None => return outcomes,
            }
        }
    }

    /// Checks that nothing is left to be sent.
    fn quiet(&mut self) {
        let before = self.sent.len();
        self.all();
        assert_eq!(self.calls()[before..], [] as [&OutboxCall; 0]);
    }

    /// Returns how many calls went out within any such time, at most.
    fn most_within(&self, time: Duration) -> usize {
        let starting = |at: &Instant| {
            self.sent
                .iter()
                .filter(|(then, ..)| then >= at && *then < *at + time)
                .count()
        };
        self.sent
            .iter()
            .map(|(at, ..)| starting(at))
            .max()
            .unwrap_or(0)
    }

    fn calls(&self) -> Vec<&OutboxCall> {
        self.sent.iter().map(|(_, _, call)| call).collect()
    }
}

fn ask(n: u32) -> AskId {
    AskId::new("local", format!("que_{n}"))
}

fn card(html: &str) -> CardMessage {
    let keyboard = vec![vec![CardButton::tell("Yes", "s.1.c0.0")]];
    CardMessage {
        html: html.into(),
        keyboard,
        document: None,
        prompt: None,
    }
}

fn wanted(n: u32, html: &str) -> WantedCard {
    let (serial, project) = (u64::from(n), "shop".into());
    WantedCard {
        ask: ask(n),
        serial,
        project,
        card: card(html),
        silent: false,
        last: false,
        priority: Priority::Now,
    }
}

fn last(n: u32, html: &str) -> WantedCard {
    WantedCard {
        last: true,
        card: CardMessage {
            keyboard: Vec::new(),
            ..card(html)
        },
        ..wanted(n, html)
    }
}

fn html(call: &OutboxCall) -> String {
    match call {
        OutboxCall::Send { card, .. } | OutboxCall::Edit { card, .. } => card.html.clone(),
        _ => String::new(),
    }
}

fn document(html: &str) -> CardDocument {
    let instead = format!("{html}, unsent");
    CardDocument {
        name: "question.txt".into(),
        text: "long".into(),
        instead,
    }
}

fn note(html: &str) -> OutgoingNote {
    OutgoingNote {
        html: html.into(),
        silent: true,
        ..OutgoingNote::default()
    }
}

#[test]
fn a_card_is_sent_once_and_then_edited() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    let posted = PostedCard::at(ME, 1);
    assert_eq!(desk.all(), [CallOutcome::Posted(ask(1), posted)]);
    desk.want(&wanted(1, "a"));
    desk.want(&wanted(1, "b"));
    desk.all();
    assert!(matches!(
        desk.calls()[..],
        [OutboxCall::Send { .. }, OutboxCall::Edit { message: 1, .. }]
    ));
}

#[test]
fn an_end_is_written_once_and_then_the_card_is_done() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    assert_eq!(desk.want(&last(1, "over")), []);
    assert_eq!(desk.all(), [CallOutcome::Finished(ask(1))]);
    assert_eq!(desk.outbox.due(desk.now), None, "nothing is kept of it");
}

#[test]
fn a_card_that_ends_before_it_was_sent_is_never_sent() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    assert_eq!(desk.want(&last(1, "over")), [CallOutcome::Finished(ask(1))]);
    assert_eq!((desk.all(), desk.calls().len()), (vec![], 0));
}

#[test]
fn a_card_that_ends_while_it_is_sent_is_ended_when_it_has_arrived() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    let (chat, _) = desk.outbox.next(desk.now).unwrap();
    assert_eq!(desk.want(&last(1, "over")), []);
    let outcomes = desk.outbox.done(chat, Lane::Calls, Ok(Some(9)), desk.now);
    assert!(
        matches!(outcomes[..], [CallOutcome::Posted(..)]),
        "{outcomes:?}"
    );
    assert!(matches!(
        desk.one(Ok(())).0,
        OutboxCall::Edit { message: 9, .. }
    ));
}

#[test]
fn what_stood_before_a_restart_is_edited_and_not_sent_again() {
    let mut desk = Desk::new();
    let posted = PostedCard {
        prompt: Some(6),
        ..PostedCard::at(ME, 5)
    };
    desk.outbox
        .want(&wanted(1, "a"), &[ME], &[posted], desk.now);
    desk.all();
    let calls = desk.calls();
    assert!(
        matches!(
            calls[..],
            [
                OutboxCall::Edit { message: 5, .. },
                OutboxCall::Delete { message: 6 }
            ]
        ),
        "{calls:?}"
    );
}

/// Message numbers are each bot's own.
#[test]
fn nothing_that_was_to_be_done_to_one_bots_messages_is_done_by_another() {
    let (mut desk, posted) = (Desk::new(), PostedCard::at(ME, 5));
    desk.outbox.serve(UserId(1));
    desk.outbox.strip(ME, 4);
    desk.outbox
        .want(&wanted(1, "a"), &[ME], &[posted], desk.now);
    desk.outbox.serve(UserId(1));
    assert!(desk.outbox.due(desk.now).is_some(), "the same one goes on");
    desk.outbox.serve(UserId(2));
    desk.quiet();
}

#[test]
fn a_card_is_done_once_its_end_stands_in_every_chat() {
    let mut desk = Desk::new();
    desk.outbox
        .want(&wanted(1, "a"), &[ME, GROUP], &[], desk.now);
    desk.all();
    desk.outbox
        .want(&last(1, "over"), &[ME, GROUP], &[], desk.now);
    assert_eq!(desk.one(Ok(())).1, []);
    assert_eq!(desk.one(Ok(())).1, [CallOutcome::Finished(ask(1))]);
}

#[test]
fn what_stands_around_a_card_is_told_with_it() {
    let mut desk = Desk::new();
    let mut awaiting = wanted(1, "a");
    awaiting.card.prompt = Some(ReplyPrompt {
        html: "Write".into(),
        placeholder: "…".into(),
        selective: false,
        asks: AwaitedText::Text { question: 0 },
    });
    awaiting.card.document = Some(document("a"));
    desk.want(&awaiting);
    let card = PostedCard::at(ME, 1);
    let prompted = PostedCard {
        prompt: Some(2),
        prompt_asks: Some(AwaitedText::Text { question: 0 }),
        ..card
    };
    let whole = PostedCard {
        document: Some(3),
        ..prompted
    };
    let posted = [card, prompted, whole].map(|posted| CallOutcome::Posted(ask(1), posted));
    assert_eq!(desk.all(), posted);
}

#[test]
fn cards_that_are_void_are_sent_anew_when_they_are_wanted_again() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    desk.want(&wanted(1, "b"));
    desk.outbox.forget_cards();
    desk.quiet();
    desk.want(&wanted(1, "b"));
    assert!(matches!(desk.one(Ok(())).0, OutboxCall::Send { .. }));
}

#[test]
fn what_is_no_card_is_drawn_anew_or_taken_away_as_it_is_said() {
    let mut desk = Desk::new();
    desk.outbox.redraw(ME, 5, card("page 2"));
    desk.outbox.delete(ME, 6);
    desk.all();
    let (card, form) = (card("page 2"), CardForm::Marked);
    let edit = OutboxCall::Edit {
        message: 5,
        card,
        form,
    };
    assert_eq!(desk.calls(), [&edit, &OutboxCall::Delete { message: 6 }]);
}

#[test]
fn a_card_in_a_chat_that_is_no_longer_paired_gets_its_end_too() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    desk.outbox.want(&last(1, "over"), &[], &[], desk.now);
    assert_eq!(desk.all(), [CallOutcome::Finished(ask(1))]);
}

#[test]
fn a_deleted_card_is_not_sent_again_by_itself() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    desk.want(&wanted(1, "b"));
    assert_eq!(
        desk.one(Err(CallError::MessageGone)).1,
        [CallOutcome::Lost(
            ask(1),
            PostedCard::at(ME, 1),
            CardLoss::Deleted
        )]
    );
    assert_eq!(desk.outbox.next(desk.now), None);

    desk.want(&wanted(2, "a"));
    desk.all();
    desk.want(&last(2, "over"));
    assert_eq!(
        desk.one(Err(CallError::MessageGone)).1,
        [CallOutcome::Finished(ask(2))]
    );
}

#[test]
fn markup_that_is_refused_is_sent_as_plain_words() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "<b>a</b>"));
    desk.one(Err(CallError::Markup("can't parse entities".into())));
    assert!(matches!(
        desk.one(Ok(())).0,
        OutboxCall::Send {
            form: CardForm::Plain,
            ..
        }
    ));
    assert_eq!(desk.outbox.next(desk.now), None);
}

#[test]
fn who_has_blocked_the_bot_is_sent_nothing_more() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.want(&wanted(2, "b"));
    assert_eq!(
        desk.one(Err(CallError::Blocked)).1,
        [CallOutcome::Blocked(ME)]
    );
    desk.want(&wanted(3, "c"));
    assert_eq!(desk.outbox.next(desk.now), None);
    desk.outbox.forget(ME);
    desk.want(&wanted(3, "c"));
    assert!(
        matches!(desk.one(Ok(())).0, OutboxCall::Send { .. }),
        "they have unblocked it"
    );
}

#[test]
fn a_chat_in_which_the_bot_could_not_write_is_tried_again_after_a_while() {
    let mut desk = Desk::new();
    let minutes = |count: u64| Duration::from_secs(count * 60);
    for wait in [1, 5, 30, 30] {
        desk.want(&wanted(1, "a"));
        desk.one(Err(CallError::ChatGone));
        assert_eq!(desk.outbox.take_due_again(desk.now), []);
        let due = desk.outbox.due(desk.now).expect("it is not given up");
        assert_eq!(due, desk.now + minutes(wait));
        desk.now = due;
        let again = [CallOutcome::TryAgain(ME)];
        assert_eq!(desk.outbox.take_due_again(desk.now), again);
        assert_eq!(desk.outbox.take_due_again(desk.now), [], "said once");
        desk.outbox.forget(ME);
    }
    desk.want(&wanted(1, "a"));
    desk.one(Ok(()));
    desk.want(&wanted(2, "b"));
    desk.one(Err(CallError::Blocked));
    let due = desk.outbox.due(desk.now);
    assert_eq!(due, Some(desk.now + minutes(1)), "it had worked in between");
}

#[test]
fn a_group_that_has_moved_gets_its_cards_anew_under_its_new_id() {
    let mut desk = Desk::new();
    desk.outbox.want(&wanted(1, "a"), &[GROUP], &[], desk.now);
    desk.all();
    desk.outbox.want(&wanted(1, "b"), &[GROUP], &[], desk.now);
    let moved = desk.one(Err(CallError::Moved(-200))).1;
    assert_eq!(moved, [CallOutcome::Moved(GROUP, ChatId(-200))]);
    let (call, _) = desk.one(Ok(()));
    assert_eq!(
        (desk.sent.last().unwrap().1, html(&call)),
        (ChatId(-200), "b".into())
    );
    assert!(
        matches!(call, OutboxCall::Send { silent: true, .. }),
        "it rang in the former one"
    );
}

#[test]
fn what_was_on_its_way_when_a_group_moved_is_said_in_the_new_one_and_what_never_came_rings_there() {
    let mut desk = Desk::new();
    desk.outbox.say(GROUP, note("too late"));
    desk.outbox.want(&wanted(1, "a"), &[GROUP], &[], desk.now);
    desk.one(Err(CallError::Moved(-200)));
    desk.all();
    let sent: Vec<_> = desk.sent[1..]
        .iter()
        .map(|(_, to, call)| (*to, call))
        .collect();
    let there = ChatId(-200);
    assert!(
        matches!(
            sent[..],
            [
                (one, OutboxCall::Say { .. }),
                (other, OutboxCall::Send { silent: false, .. })
            ] if one == there && other == there
        ),
        "{sent:?}"
    );
}

#[test]
fn the_moment_at_which_something_is_sent_decides_whether_it_sounds() {
    let mut desk = Desk::new();
    let mut reminder = note("still open");
    reminder.silent = false;
    desk.outbox.say(ME, reminder);
    desk.want(&wanted(1, "a"));
    desk.want(&WantedCard {
        silent: true,
        ..wanted(2, "b")
    });
    desk.all();
    let until = Timestamp(60_000);
    desk.outbox.set_quiet_times(QuietTimes {
        paused_until: Some(until),
        ..QuietTimes::default()
    });
    let sounds = |at: i64| {
        let calls = desk.calls().into_iter().cloned();
        let sent = calls.map(|call| desk.outbox.sounding(call, Timestamp(at)));
        let silent = sent.map(|call| match call {
            OutboxCall::Send { silent, .. } => silent,
            OutboxCall::Say { note, .. } => note.silent,
            _ => panic!("{call:?}"),
        });
        silent.collect::<Vec<_>>()
    };
    assert_eq!(sounds(59_999), [true, true, true]);
    assert_eq!(sounds(60_000), [false, false, true]);
}

#[test]
fn a_card_that_awaits_words_has_a_prompt_for_as_long() {
    let mut desk = Desk::new();
    let prompt = ReplyPrompt {
        html: "Write".into(),
        placeholder: "…".into(),
        selective: false,
        asks: AwaitedText::Text { question: 0 },
    };
    let mut awaiting = wanted(1, "a");
    awaiting.card.prompt = Some(prompt.clone());
    desk.want(&awaiting);
    desk.all();
    assert!(matches!(desk.calls()[1], OutboxCall::Ask { under: 1, prompt: p, .. } if *p == prompt));
    desk.want(&wanted(1, "a"));
    desk.all();
    assert!(matches!(desk.calls()[2], OutboxCall::Delete { message: 2 }));
}

#[test]
fn a_document_is_attached_once() {
    let mut desk = Desk::new();
    let document = Some(document("a"));
    for look in ["a", "b"] {
        let card = CardMessage {
            document: document.clone(),
            ..card(look)
        };
        desk.want(&WantedCard {
            card,
            ..wanted(1, look)
        });
        desk.all();
    }
    let attached = |call: &&&OutboxCall| matches!(call, OutboxCall::Attach { under: 1, .. });
    assert_eq!(desk.calls().iter().filter(attached).count(), 1);
}

#[test]
fn a_project_gets_its_topic_and_the_main_chat_when_it_cannot() {
    let mut desk = Desk::new();
    desk.outbox.topics(Some(GROUP), []);
    desk.outbox.want(&wanted(1, "a"), &[GROUP], &[], desk.now);
    let outcomes = desk.all();
    assert_eq!(outcomes[0], CallOutcome::Topic("shop".into(), Some(1)));
    assert!(matches!(
        desk.calls()[1],
        OutboxCall::Send {
            thread: Some(1),
            ..
        }
    ));

    let other = WantedCard {
        project: "other".into(),
        ..wanted(2, "b")
    };
    desk.outbox.want(&other, &[GROUP], &[], desk.now);
    desk.one(Err(CallError::Other("BOT_FORUM_CREATE_FORBIDDEN".into())));
    assert!(matches!(
        desk.one(Ok(())).0,
        OutboxCall::Send { thread: None, .. }
    ));
}

#[test]
fn topics_are_those_of_their_group_and_stay_while_it_is_the_same() {
    let thread = |other: ChatId| {
        let mut desk = Desk::new();
        desk.outbox.topics(Some(GROUP), [("shop".into(), 44)]);
        desk.outbox.topics(Some(other), []);
        desk.outbox.want(&wanted(1, "a"), &[other], &[], desk.now);
        desk.begin().1
    };
    assert!(matches!(
        thread(GROUP),
        OutboxCall::Send {
            thread: Some(44),
            ..
        }
    ));
    assert!(matches!(thread(ChatId(-200)), OutboxCall::MakeTopic { .. }));
}

#[test]
fn a_topic_that_cannot_be_made_for_now_is_tried_a_few_times_and_holds_up_no_card() {
    let mut desk = Desk::new();
    desk.outbox.topics(Some(GROUP), []);
    desk.outbox.want(&wanted(1, "a"), &[GROUP], &[], desk.now);
    for _ in 0..5 {
        assert!(matches!(
            desk.one(Err(CallError::Server(502))).0,
            OutboxCall::MakeTopic { .. }
        ));
    }
    assert!(matches!(
        desk.one(Ok(())).0,
        OutboxCall::Send { thread: None, .. }
    ));
    desk.now += Duration::from_secs(60);
    desk.outbox.want(&wanted(2, "b"), &[GROUP], &[], desk.now);
    assert!(matches!(desk.one(Ok(())).0, OutboxCall::MakeTopic { .. }));
}

#[test]
fn a_topic_that_was_deleted_is_forgotten_and_the_main_chat_serves() {
    let mut desk = Desk::new();
    desk.outbox.topics(Some(GROUP), [("shop".into(), 44)]);
    desk.outbox.want(&wanted(1, "a"), &[GROUP], &[], desk.now);
    let (call, outcomes) = desk.one(Err(CallError::TopicGone));
    assert!(matches!(
        call,
        OutboxCall::Send {
            thread: Some(44),
            ..
        }
    ));
    assert_eq!(outcomes, [CallOutcome::Topic("shop".into(), None)]);
    assert!(matches!(
        desk.one(Ok(())).0,
        OutboxCall::Send { thread: None, .. }
    ));
}

#[test]
fn what_was_under_way_when_the_connection_was_given_up_is_found_again() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    assert!(desk.outbox.next(desk.now).is_some());
    desk.want(&wanted(2, "b"));
    assert_eq!(desk.outbox.next(desk.now), None, "one call at a time");
    assert_eq!(desk.outbox.due(desk.now), None);
    desk.outbox.abandon();
    assert!(matches!(desk.one(Ok(())).0, OutboxCall::Send { .. }));
}

#[test]
fn a_keyboard_is_not_taken_off_a_message_that_turned_out_to_be_the_card() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    let (chat, _) = desk.outbox.next(desk.now).unwrap();
    desk.outbox.strip(ME, 9);
    desk.outbox.strip(ME, 8);
    desk.outbox.done(chat, Lane::Calls, Ok(Some(9)), desk.now);
    desk.all();
    assert!(matches!(
        desk.calls()[..],
        [OutboxCall::Strip { message: 8 }]
    ));
}

#[test]
fn a_card_that_arrives_in_a_chat_that_was_left_meanwhile_loses_its_keyboard() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    let (chat, _) = desk.outbox.next(desk.now).unwrap();
    desk.outbox.forget(ME);
    desk.outbox.done(chat, Lane::Calls, Ok(Some(9)), desk.now);
    desk.all();
    assert!(matches!(
        desk.calls()[..],
        [OutboxCall::Strip { message: 9 }]
    ));
}

#[test]
fn a_group_that_moves_with_an_end_to_be_written_leaves_nothing_behind() {
    let mut desk = Desk::new();
    desk.outbox.want(&wanted(1, "a"), &[GROUP], &[], desk.now);
    desk.all();
    desk.outbox.want(&last(1, "over"), &[GROUP], &[], desk.now);
    let moved = ChatId(-200);
    let outcomes = desk.one(Err(CallError::Moved(moved.0))).1;
    assert_eq!(
        outcomes,
        [
            CallOutcome::Finished(ask(1)),
            CallOutcome::Moved(GROUP, moved)
        ]
    );
    assert_eq!(desk.outbox.due(desk.now), None);
}

#[test]
fn a_card_that_ends_while_its_sending_fails_is_never_sent() {
    for given_up in [false, true] {
        let mut desk = Desk::new();
        desk.want(&wanted(1, "a"));
        let (chat, _) = desk.outbox.next(desk.now).unwrap();
        assert_eq!(desk.want(&last(1, "over")), [], "perhaps it arrives");
        let outcomes = match given_up {
            true => desk.outbox.abandon(),
            false => desk
                .outbox
                .done(chat, Lane::Calls, Err(CallError::Server(502)), desk.now),
        };
        assert_eq!(outcomes, [CallOutcome::Finished(ask(1))]);
        assert_eq!(desk.outbox.due(desk.now), None);
    }
}
