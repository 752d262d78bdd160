use super::super::card::{Button, Card, Document, Prompt};
use super::*;
use beckon_core::AskId;

const ME: ChatId = ChatId(7);
const GROUP: ChatId = ChatId(-100);

/// An outbox, its clock, and what Telegram has been told.
struct Desk {
    outbox: Outbox,
    now: Instant,
    last_id: i32,
    sent: Vec<(Instant, ChatId, Call)>,
}

impl Desk {
    fn new() -> Self {
        let now = Instant::now();
        Self { outbox: Outbox::new(now), now, last_id: 0, sent: Vec::new() }
    }

    fn want(&mut self, wanted: &Wanted) -> Vec<Outcome> {
        self.outbox.want(wanted, &[ME], &[], self.now)
    }

    /// Carries out one call, which ends like that.
    fn one(&mut self, result: Result<(), Trouble>) -> (Call, Vec<Outcome>) {
        let (chat, call) = self.outbox.next(self.now).expect("a call is due");
        self.sent.push((self.now, chat, call.clone()));
        let made = self.made(&call);
        let outcomes = self.outbox.done(chat, result.map(|()| made), self.now);
        (call, outcomes)
    }

    /// The id of the message or topic that a call makes, if it makes one.
    fn made(&mut self, call: &Call) -> Option<i32> {
        let makes = !matches!(call, Call::Edit { .. } | Call::Delete { .. } | Call::Strip { .. });
        self.last_id += 1;
        makes.then_some(self.last_id)
    }

    /// Carries out all there is, waiting where it must.
    fn all(&mut self) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        loop {
            while let Some((chat, call)) = self.outbox.next(self.now) {
                self.sent.push((self.now, chat, call.clone()));
                let made = self.made(&call);
                outcomes.extend(self.outbox.done(chat, Ok(made), self.now));
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

    fn calls(&self) -> Vec<&Call> {
        self.sent.iter().map(|(_, _, call)| call).collect()
    }
}

fn ask(n: u32) -> AskId {
    AskId::new("local", format!("que_{n}"))
}

fn card(html: &str) -> Card {
    let keyboard = vec![vec![Button { label: "Yes".into(), data: "s.1.c0.0".into() }]];
    Card { html: html.into(), keyboard, document: None, prompt: None }
}

fn wanted(n: u32, html: &str) -> Wanted {
    Wanted { ask: ask(n), project: "shop".into(), card: card(html), silent: false, last: false }
}

fn last(n: u32, html: &str) -> Wanted {
    Wanted { last: true, card: Card { keyboard: Vec::new(), ..card(html) }, ..wanted(n, html) }
}

#[test]
fn a_card_is_sent_once_and_then_edited() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    let posted = Posted { chat: ME, message: 1, prompt: None, document: None };
    assert_eq!(desk.all(), [Outcome::Posted(ask(1), posted)]);
    desk.want(&wanted(1, "a"));
    desk.want(&wanted(1, "b"));
    desk.all();
    assert!(matches!(desk.calls()[..], [Call::Send { .. }, Call::Edit { message: 1, .. }]));
}

#[test]
fn of_many_looks_only_the_newest_is_sent() {
    let mut desk = Desk::new();
    for look in ["a", "b", "c"] {
        desk.want(&wanted(1, look));
    }
    desk.all();
    assert!(matches!(desk.calls()[..], [Call::Send { card, .. }] if card.html == "c"));
}

#[test]
fn a_call_without_an_answer_is_found_again_later_and_later() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    let mut waits = Vec::new();
    for _ in 0..4 {
        desk.one(Err(Trouble::Network("refused".into())));
        assert_eq!(desk.outbox.next(desk.now), None, "it does not knock again at once");
        let due = desk.outbox.due(desk.now).unwrap();
        waits.push(due - desk.now);
        desk.now = due;
    }
    assert!(waits.is_sorted() && waits[3] >= waits[0] * 4, "{waits:?}");
    assert!(matches!(desk.one(Ok(())).0, Call::Send { .. }));
}

#[test]
fn a_chat_that_is_told_to_wait_waits_and_the_others_do_not() {
    let mut desk = Desk::new();
    desk.outbox.want(&wanted(1, "a"), &[ME, GROUP], &[], desk.now);
    let (_, first) = (desk.one(Err(Trouble::TooFast(Duration::from_secs(7)))), desk.sent[0].1);
    let (_, second) = (desk.one(Ok(())), desk.sent[1].1);
    assert_ne!(first, second);
    assert_eq!(desk.outbox.next(desk.now), None);
    assert!(desk.outbox.due(desk.now).unwrap() >= desk.now + Duration::from_secs(7));
}

#[test]
fn a_hundred_cards_in_a_second_arrive_in_order_and_within_the_limits() {
    for (chat, most_in, window) in [(ME, 4, 1), (GROUP, 20, 60)] {
        let mut desk = Desk::new();
        for n in 0..100 {
            desk.outbox.want(&wanted(n, &format!("{n}")), &[chat], &[], desk.now);
        }
        desk.all();
        let order: Vec<String> = desk.calls().iter().map(|call| html(call)).collect();
        assert_eq!(order, (0..100).map(|n| n.to_string()).collect::<Vec<_>>());
        for (at, ..) in &desk.sent {
            let until = *at + Duration::from_secs(window);
            let together = desk.sent.iter().filter(|(t, ..)| t >= at && *t < until).count();
            assert!(together <= most_in, "{together} calls within {window} s in {chat:?}");
        }
    }
}

fn html(call: &Call) -> String {
    match call {
        Call::Send { card, .. } | Call::Edit { card, .. } => card.html.clone(),
        _ => String::new(),
    }
}

#[test]
fn the_card_that_somebody_answers_goes_before_new_ones() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    (2..20).for_each(|n| _ = desk.want(&wanted(n, "new")));
    desk.want(&wanted(1, "answered"));
    assert!(matches!(desk.one(Ok(())).0, Call::Edit { card, .. } if card.html == "answered"));
}

#[test]
fn an_end_is_written_once_and_then_the_card_is_done() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    assert_eq!(desk.want(&last(1, "over")), []);
    assert_eq!(desk.all(), [Outcome::Finished(ask(1))]);
    assert_eq!(desk.outbox.due(desk.now), None, "nothing is kept of it");
}

#[test]
fn a_card_that_ends_before_it_was_sent_is_never_sent() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    assert_eq!(desk.want(&last(1, "over")), [Outcome::Finished(ask(1))]);
    assert_eq!((desk.all(), desk.calls().len()), (vec![], 0));
}

#[test]
fn a_card_that_ends_while_it_is_sent_is_ended_when_it_has_arrived() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    let (chat, _) = desk.outbox.next(desk.now).unwrap();
    assert_eq!(desk.want(&last(1, "over")), []);
    let outcomes = desk.outbox.done(chat, Ok(Some(9)), desk.now);
    assert!(matches!(outcomes[..], [Outcome::Posted(..)]), "{outcomes:?}");
    assert!(matches!(desk.one(Ok(())).0, Call::Edit { message: 9, .. }));
}

#[test]
fn what_stood_before_a_restart_is_edited_and_not_sent_again() {
    let mut desk = Desk::new();
    let posted = Posted { chat: ME, message: 5, prompt: Some(6), document: None };
    desk.outbox.want(&wanted(1, "a"), &[ME], &[posted], desk.now);
    desk.all();
    let calls = desk.calls();
    assert!(
        matches!(calls[..], [Call::Edit { message: 5, .. }, Call::Delete { message: 6 }]),
        "{calls:?}"
    );
}

#[test]
fn a_card_in_a_chat_that_is_no_longer_paired_gets_its_end_too() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    desk.outbox.want(&last(1, "over"), &[], &[], desk.now);
    assert_eq!(desk.all(), [Outcome::Finished(ask(1))]);
}

#[test]
fn a_deleted_card_was_waved_away_and_is_not_sent_again() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    desk.want(&wanted(1, "b"));
    assert_eq!(desk.one(Err(Trouble::MessageGone)).1, [Outcome::Closed(ask(1))]);
    assert_eq!(desk.outbox.next(desk.now), None);
}

#[test]
fn markup_that_is_refused_is_sent_as_plain_words() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "<b>a</b>"));
    desk.one(Err(Trouble::Markup("can't parse entities".into())));
    assert!(matches!(desk.one(Ok(())).0, Call::Send { plain: true, .. }));
    assert_eq!(desk.outbox.next(desk.now), None);
}

#[test]
fn a_message_that_is_refused_for_good_is_given_up() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    for _ in 0..2 {
        desk.one(Err(Trouble::Other("Bad Request: nonsense".into())));
    }
    let (_, outcomes) = desk.one(Err(Trouble::Other("Bad Request: nonsense".into())));
    assert_eq!(outcomes, [Outcome::Finished(ask(1))]);
    assert_eq!(desk.outbox.due(desk.now), None);
}

#[test]
fn who_has_blocked_the_bot_is_sent_nothing_more() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.want(&wanted(2, "b"));
    assert_eq!(desk.one(Err(Trouble::Blocked)).1, [Outcome::Blocked(ME)]);
    desk.want(&wanted(3, "c"));
    assert_eq!(desk.outbox.next(desk.now), None);
    desk.outbox.forget(ME);
    desk.want(&wanted(3, "c"));
    assert!(matches!(desk.one(Ok(())).0, Call::Send { .. }), "they have unblocked it");
}

#[test]
fn a_group_that_has_moved_gets_its_cards_anew_under_its_new_id() {
    let mut desk = Desk::new();
    desk.outbox.want(&wanted(1, "a"), &[GROUP], &[], desk.now);
    desk.all();
    desk.outbox.want(&wanted(1, "b"), &[GROUP], &[], desk.now);
    let moved = desk.one(Err(Trouble::Moved(-200))).1;
    assert_eq!(moved, [Outcome::Moved(GROUP, ChatId(-200))]);
    let (call, _) = desk.one(Ok(()));
    assert_eq!((desk.sent.last().unwrap().1, html(&call)), (ChatId(-200), "b".into()));
}

#[test]
fn a_card_that_awaits_words_has_a_prompt_for_as_long() {
    let mut desk = Desk::new();
    let prompt = Prompt { html: "Write".into(), placeholder: "…".into() };
    let mut awaiting = wanted(1, "a");
    awaiting.card.prompt = Some(prompt.clone());
    desk.want(&awaiting);
    desk.all();
    assert!(matches!(desk.calls()[1], Call::Ask { under: 1, prompt: p, .. } if *p == prompt));
    desk.want(&wanted(1, "a"));
    desk.all();
    assert!(matches!(desk.calls()[2], Call::Delete { message: 2 }));
}

#[test]
fn a_document_is_attached_once() {
    let mut desk = Desk::new();
    let document = Some(Document { name: "question.txt".into(), text: "long".into() });
    for look in ["a", "b"] {
        let card = Card { document: document.clone(), ..card(look) };
        desk.want(&Wanted { card, ..wanted(1, look) });
        desk.all();
    }
    let attached = |call: &&&Call| matches!(call, Call::Attach { under: 1, .. });
    assert_eq!(desk.calls().iter().filter(attached).count(), 1);
}

#[test]
fn a_project_gets_its_topic_and_the_main_chat_when_it_cannot() {
    let mut desk = Desk::new();
    desk.outbox.topics(Some(GROUP), []);
    desk.outbox.want(&wanted(1, "a"), &[GROUP], &[], desk.now);
    let outcomes = desk.all();
    assert_eq!(outcomes[0], Outcome::Topic("shop".into(), Some(1)));
    assert!(matches!(desk.calls()[1], Call::Send { thread: Some(1), .. }));

    let other = Wanted { project: "other".into(), ..wanted(2, "b") };
    desk.outbox.want(&other, &[GROUP], &[], desk.now);
    desk.now += Duration::from_secs(60);
    desk.one(Err(Trouble::Other("BOT_FORUM_CREATE_FORBIDDEN".into())));
    assert!(matches!(desk.one(Ok(())).0, Call::Send { thread: None, .. }));
}

#[test]
fn a_topic_that_was_deleted_is_forgotten_and_the_main_chat_serves() {
    let mut desk = Desk::new();
    desk.outbox.topics(Some(GROUP), [("shop".into(), 44)]);
    desk.outbox.want(&wanted(1, "a"), &[GROUP], &[], desk.now);
    let (call, outcomes) = desk.one(Err(Trouble::TopicGone));
    assert!(matches!(call, Call::Send { thread: Some(44), .. }));
    assert_eq!(outcomes, [Outcome::Topic("shop".into(), None)]);
    assert!(matches!(desk.one(Ok(())).0, Call::Send { thread: None, .. }));
}
