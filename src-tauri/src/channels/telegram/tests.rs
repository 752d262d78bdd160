//! Stories of the channel, without a network.

mod dispatch;
mod lists;

use super::*;
use crate::channels::CardChannel;
use crate::channels::telegram::pairing::pairings::PairedPerson;
use beckon_core::{
    Ask, AskContent, ButtonTarget, Card, CardPage, CardTap, Channel, ChannelView, Desk, Entry,
    Policy, SavedState, Session,
};
use std::collections::BTreeMap;
use tokio::sync::mpsc::UnboundedReceiver;
use updates::update::{TextEnd, UpdateContent, UpdatePlace, UpdateSender};

const ADA: UserId = UserId(7);
const CHAT: ChatId = ChatId(7);

/// The door of the room, and what comes out on both of its sides.
struct Door {
    telegram: TelegramChannel,
    commands: UnboundedReceiver<WorkerCommand>,
    inbox: UnboundedReceiver<Event>,
}

impl Door {
    /// Makes a door where Ada is paired, and updates of the first bot were read.
    fn new() -> Self {
        let (commands, told) = mpsc::unbounded_channel();
        let (posted, inbox) = mpsc::unbounded_channel();
        let ada = PairedPerson {
            id: ADA,
            name: "Ada".into(),
            private: true,
        };
        let people = BTreeMap::from([(ADA, ada)]);
        let read = ReadOffset {
            bot: UserId(1),
            address: None,
            next: 9,
        };
        let pairings = Pairings {
            read: Some(read),
            people,
            ..Pairings::default()
        };
        let telegram = TelegramChannel {
            writers: Writers::default(),
            unfinished: UnfinishedTexts::default(),
            one_press: OnePress::default(),
            quiet_times: QuietTimes::default(),
            commands,
            texts: Arc::new(Texts::load("en")),
            zone: jiff::tz::TimeZone::UTC,
            seal: "seal".into(),
            events: Sink::new(move |event| _ = posted.send(event)),
            whose: Some(UserId(1)),
            pairings,
            bot: None,
            connection: ConnectionState::Starting,
            cards: HashMap::new(),
            ended: EndedCards::default(),
            withdrawals: HashMap::new(),
            pairing: PendingPairing::default(),
            ignored: 0,
            unread_updates: 0,
            blocked: BTreeSet::new(),
            held_back: BTreeMap::new(),
            standing: SaidPresence::default(),
            taken: TakenUpdates::default(),
            album: None,
            taken_album: None,
            refused: None,
            list: WaitingList::default(),
            holder: None,
            permit: Arc::new(watch::channel(Permit::Always).0),
            up: false,
            has_rival: false,
            was_silent: true,
            taken_words: TakenWords::default(),
            held_words: Vec::new(),
            tests: Vec::new(),
            address: (&beckon_client::config::TelegramConfig::default()).into(),
        };
        Self {
            telegram,
            commands: told,
            inbox,
        }
    }

    fn works(&mut self, bot: i64) {
        let bot = BotIdentity {
            id: UserId(bot),
            name: format!("bot_{bot}"),
            reads_groups: false,
        };
        self.telegram.on_report(TelegramReport::Works(bot));
    }

    fn outcome(&mut self, outcome: CallOutcome) {
        self.telegram.on_report(TelegramReport::Outbox(outcome));
    }

    /// Returns the messages that are to lose their buttons; all other commands are passed over.
    fn stripped(&mut self) -> Vec<i32> {
        let commands = std::iter::from_fn(|| self.commands.try_recv().ok());
        let stripped = commands.filter_map(|command| match command {
            WorkerCommand::Strip(CHAT, message) => Some(message),
            _ => None,
        });
        stripped.collect()
    }

    /// Returns the message in Ada's chat that the last card takes the place of, if any.
    fn wanted_at(&mut self) -> Option<i32> {
        let mut at = None;
        while let Ok(command) = self.commands.try_recv() {
            if let WorkerCommand::Want(_, chats, posted) = command {
                assert!(chats.is_empty() || chats == [CHAT]);
                at = posted.first().map(|posted| posted.message);
            }
        }
        at
    }

    fn events(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Ok(event) = self.inbox.try_recv() {
            events.push(event);
        }
        events
    }

    /// Returns the messages that the card is in, as the desk was last told.
    fn handle(&mut self) -> Option<String> {
        self.events()
            .into_iter()
            .rev()
            .find_map(|event| match event {
                Event::Shown { handle, .. } => Some(handle),
                _ => None,
            })
    }
}

fn id() -> AskId {
    AskId::new("local", "que_1")
}

fn entry() -> Box<Entry> {
    let kind = AskContent::Confirm("Go on?".into());
    let session = Session::default();
    Box::new(Entry::new(
        Ask {
            id: id(),
            kind,
            session,
            call: None,
            asked_at: Timestamp(0),
        },
        1,
    ))
}

const WITHDRAWN: fn(&Event) -> bool = |event| matches!(event, Event::Withdrawn { .. });

#[test]
fn another_bot_sends_every_card_anew() {
    let mut door = Door::new();
    door.works(1);
    door.telegram.show(entry(), None, false);
    door.outcome(CallOutcome::Posted(id(), PostedCard::at(CHAT, 5)));
    let handle = door.handle();
    door.works(1);
    assert_eq!(door.events(), [], "the same one goes on");
    door.works(2);
    assert_eq!(door.events(), [Event::ChannelUp(Channel::Telegram)]);
    door.telegram.show(entry(), handle.clone(), false);
    assert_eq!(
        door.wanted_at(),
        None,
        "it cannot edit what the former one wrote"
    );

    let mut restarted = Door::new();
    restarted.works(2);
    restarted.telegram.show(entry(), handle.clone(), false);
    assert_eq!(restarted.wanted_at(), None);
    let mut same = Door::new();
    same.works(1);
    same.telegram.show(entry(), handle, false);
    assert_eq!(same.wanted_at(), Some(5));
}

#[test]
fn a_card_withdrawn_several_times_is_confirmed_as_often_once_its_end_stands() {
    let mut door = Door::new();
    door.works(1);
    door.telegram.show(entry(), None, false);
    door.telegram.withdraw(id(), None, Some(entry()));
    door.outcome(CallOutcome::Posted(id(), PostedCard::at(CHAT, 5)));
    let handle = door.handle();
    door.telegram.withdraw(id(), handle, Some(entry()));
    assert!(!door.events().iter().any(WITHDRAWN));
    door.outcome(CallOutcome::Finished(id()));
    assert_eq!(
        door.events()
            .iter()
            .filter(|event| WITHDRAWN(event))
            .count(),
        2
    );
    door.outcome(CallOutcome::Finished(id()));
    assert_eq!(door.events(), []);
}

#[test]
fn an_end_that_is_known_better_is_written_where_the_first_one_stands() {
    let mut door = ended();
    door.telegram.withdraw(id(), None, Some(entry()));
    assert_eq!(door.wanted_at(), Some(5));
    door.outcome(CallOutcome::Finished(id()));
    assert_eq!(
        door.events()
            .iter()
            .filter(|event| WITHDRAWN(event))
            .count(),
        1
    );

    let mut other = ended();
    other.works(2);
    other.telegram.withdraw(id(), None, Some(entry()));
    assert_eq!(
        other.wanted_at(),
        None,
        "what the former bot wrote it cannot edit"
    );

    let mut unpaired = ended();
    unpaired.telegram.pairings.people.clear();
    unpaired.telegram.withdraw(id(), None, Some(entry()));
    assert_eq!(unpaired.wanted_at(), None, "that chat hears nothing more");
}

/// Makes a tap on that message, whose button was made for that target.
fn tap_on(message: i32, target: ButtonTarget, tap: CardTap) -> IncomingUpdate {
    let data = button::data("seal", target, tap);
    heard(
        1,
        UpdateContent::Tap {
            query: "1".into(),
            message: Some(message),
            accessible: true,
            data,
        },
    )
}

fn back() -> CardTap {
    CardTap::Back {
        from: CardPage::Review,
    }
}

/// Returns the messages that the card is noted in once that message was tapped, if that is news.
fn noted(door: &mut Door, desk: &Desk, message: i32) -> Option<String> {
    let tap = tap_on(message, desk.entry(&id()).unwrap().target(), back());
    match door
        .telegram
        .adopt(&tap, ChannelView::of(desk, Timestamp(0)))
    {
        Some(Event::Shown { handle, .. }) => Some(handle),
        other => {
            assert_eq!(other, None);
            None
        }
    }
}

/// Makes the desk of an earlier life, which knows that much of its card.
fn desk(handle: Option<&str>) -> Desk {
    let card = Card {
        handle: handle.map(ToOwned::to_owned),
        ..Card::default()
    };
    let mut entry = *entry();
    entry.cards.insert(Channel::Telegram, card);
    let saved = SavedState {
        entries: vec![entry],
        ..SavedState::default()
    };
    Desk::restore(Policy::default(), saved, Timestamp(0))
}

#[test]
fn a_message_that_nobody_noted_is_noted_when_it_is_tapped() {
    let mut door = Door::new();
    door.works(1);
    let first = noted(&mut door, &desk(None), 5).unwrap();
    assert_eq!(
        noted(&mut door, &desk(Some(&first)), 5),
        None,
        "it is known by now"
    );

    door.telegram.show(entry(), None, false);
    assert_eq!(noted(&mut door, &desk(None), 5), Some(first));
    assert_eq!(door.wanted_at(), Some(5), "and is edited");
    door.outcome(CallOutcome::Posted(id(), PostedCard::at(CHAT, 6)));
    assert_eq!(door.stripped(), [6], "what was on its way is the second");
    assert_eq!(door.handle(), None);
}

#[test]
fn the_tapped_one_of_two_messages_is_the_card() {
    let mut door = Door::new();
    door.works(1);
    door.telegram.show(entry(), None, false);
    door.outcome(CallOutcome::Posted(id(), PostedCard::at(CHAT, 6)));
    assert!(noted(&mut door, &desk(None), 5).is_some());
    assert_eq!((door.stripped(), door.wanted_at()), (vec![6], None));
    assert_eq!(noted(&mut door, &desk(None), 5), None);
}

#[test]
fn a_tap_in_one_chat_leaves_noted_what_stands_in_the_others() {
    let mut door = Door::new();
    door.works(1);
    let other = PostedCard::at(ChatId(-9), 3);
    let handle = door.telegram.write_handle([&other]);
    let both = door
        .telegram
        .write_handle([&other, &PostedCard::at(CHAT, 5)]);
    assert_eq!(noted(&mut door, &desk(Some(&handle)), 5), Some(both));
}

#[test]
fn a_stranger_makes_nothing_the_card() {
    let mut door = Door::new();
    door.works(1);
    let mut tap = tap_on(5, entry().target(), back());
    tap.from = Some(UpdateSender {
        id: UserId(8),
        name: "Eve".into(),
    });
    let desk = desk(None);
    assert_eq!(
        door.telegram
            .adopt(&tap, ChannelView::of(&desk, Timestamp(0))),
        None
    );
}

#[test]
fn a_message_that_is_gone_takes_no_card_down() {
    let mut door = Door::new();
    door.works(1);
    let desk = desk(noted(&mut door, &desk(None), 5).as_deref());
    let mut tap = tap_on(4, entry().target(), back());
    let UpdateContent::Tap { accessible, .. } = &mut tap.what else {
        panic!("{tap:?}")
    };
    *accessible = false;
    assert_eq!(
        door.telegram
            .adopt(&tap, ChannelView::of(&desk, Timestamp(0))),
        None
    );
    assert_eq!(door.stripped(), [0; 0]);
}

#[test]
fn a_card_that_ends_while_it_is_sent_to_two_chats_is_noted_in_both() {
    let mut door = Door::new();
    door.works(1);
    door.telegram.show(entry(), None, false);
    door.telegram.withdraw(id(), None, Some(entry()));
    let (here, there) = (PostedCard::at(CHAT, 5), PostedCard::at(ChatId(-9), 3));
    door.outcome(CallOutcome::Posted(id(), here));
    door.outcome(CallOutcome::Posted(id(), there));
    assert_eq!(
        door.handle(),
        Some(door.telegram.write_handle([&here, &there]))
    );
}

/// Makes a door whose card was in message 5, which has the end of its ask now.
fn ended() -> Door {
    let mut door = Door::new();
    door.works(1);
    door.telegram.show(entry(), None, false);
    door.outcome(CallOutcome::Posted(id(), PostedCard::at(CHAT, 5)));
    door.telegram.withdraw(id(), None, Some(entry()));
    door.outcome(CallOutcome::Finished(id()));
    door.wanted_at();
    door.events();
    door
}

#[test]
fn after_a_gap_cards_say_that_presses_may_be_lost_until_they_are_answered_on() {
    let mut door = Door::new();
    door.works(1);
    door.telegram.show(entry(), None, false);
    let says_so = |door: &mut Door| {
        let mut said = None;
        while let Ok(command) = door.commands.try_recv() {
            if let WorkerCommand::Want(wanted, ..) = command {
                said = Some(wanted.card.html.contains("tap it again"));
            }
        }
        said
    };
    assert_eq!(says_so(&mut door), Some(false));
    door.telegram.on_report(TelegramReport::Missed);
    assert_eq!(says_so(&mut door), Some(true));
    let mut described = entry();
    described.ask.session.title = Some("A title".into());
    door.telegram.update(described.clone());
    assert_eq!(says_so(&mut door), Some(true), "nobody has pressed yet");
    described.draft = Some(beckon_core::Draft::new(&described.ask));
    door.telegram.update(described);
    assert_eq!(says_so(&mut door), Some(false));
}

#[test]
fn where_nobody_can_be_written_to_the_status_says_what_to_do() {
    let mut door = Door::new();
    door.works(1);
    door.outcome(CallOutcome::Blocked(CHAT));
    let events = door.events();
    let (up, down) = (
        Event::ChannelUp(Channel::Telegram),
        Event::ChannelDown(Channel::Telegram),
    );
    assert_eq!(events, [up, down]);
    let error = door.telegram.view(Timestamp(0)).error.unwrap();
    assert!(error.contains("press Start"), "{error}");
}

fn heard(update: i64, what: UpdateContent) -> IncomingUpdate {
    let from = Some(UpdateSender {
        id: ADA,
        name: "Ada".into(),
    });
    let place = UpdatePlace {
        chat: CHAT,
        private: true,
        title: String::new(),
        topics: false,
        thread: None,
    };
    IncomingUpdate {
        update,
        anonymous: false,
        from,
        place,
        what,
    }
}

fn batch(asked: i64, numbers: &[i64]) -> UpdateBatch {
    let heard = numbers
        .iter()
        .map(|number| heard(*number, UpdateContent::Nothing))
        .collect();
    let next = numbers.iter().max().unwrap() + 1;
    let read = ReadOffset {
        bot: UserId(1),
        address: Some("https://here".into()),
        next,
    };
    UpdateBatch {
        heard,
        asked,
        read,
        committed: oneshot::channel().0,
    }
}

fn fresh(door: &mut Door, batch: &UpdateBatch) -> Vec<i64> {
    let (fresh, _) = door.telegram.take_batch(batch);
    fresh.into_iter().map(|heard| heard.update).collect()
}

#[test]
fn updates_that_are_read_again_are_known_and_smaller_numbers_are_new() {
    let mut door = Door::new();
    assert_eq!(fresh(&mut door, &batch(9, &[900, 901])), [900, 901]);
    assert_eq!(
        fresh(&mut door, &batch(9, &[900, 901, 902])),
        [902],
        "not committed, or not told"
    );
    assert_eq!(
        fresh(&mut door, &batch(903, &[300])),
        [300],
        "after a quiet week"
    );
    assert_eq!(fresh(&mut door, &batch(903, &[300, 301])), [301]);
    assert_eq!(
        fresh(&mut door, &batch(302, &[902])),
        [902],
        "acknowledged long ago"
    );
    let mut elsewhere = batch(0, &[902]);
    elsewhere.read.address = Some("https://there".into());
    assert_eq!(
        fresh(&mut door, &elsewhere),
        [902],
        "another server counts for itself"
    );
}

#[test]
fn what_was_given_before_the_rest_of_a_text_is_not_taken_again_with_it() {
    let mut door = Door::new();
    let mut before = batch(9, &[901]);
    before.read.next = 9;
    assert_eq!(fresh(&mut door, &before), [901]);
    let mut before = batch(9, &[903]);
    before.read.next = 9;
    assert_eq!(fresh(&mut door, &before), [903]);
    assert_eq!(
        fresh(&mut door, &batch(9, &[900, 901, 902, 903])),
        [900, 902]
    );
    assert_eq!(fresh(&mut door, &batch(904, &[901])), [901], "acknowledged");
}

#[test]
fn whoever_taps_can_be_written_to_again() {
    let mut door = Door::new();
    door.works(1);
    door.outcome(CallOutcome::Blocked(CHAT));
    door.events();
    let tap = UpdateContent::Tap {
        query: "1".into(),
        message: Some(5),
        accessible: true,
        data: "odd".into(),
    };
    door.telegram.dispatch(
        &heard(1, tap),
        ChannelView::of(&Desk::default(), Timestamp(0)),
    );
    assert_eq!(door.events(), [Event::ChannelUp(Channel::Telegram)]);
}
