//! Stories of the channel, without a network.

use super::*;
use crate::book::Person;
use beckon_core::{Ask, Kind, Session};
use tokio::sync::mpsc::UnboundedReceiver;

const ADA: UserId = UserId(7);
const CHAT: ChatId = ChatId(7);

/// The door of the room, and what comes out on both of its sides.
struct Door {
    telegram: Telegram,
    commands: UnboundedReceiver<Command>,
    inbox: UnboundedReceiver<Input>,
}

impl Door {
    /// Ada is paired, and updates of the first bot were read.
    fn new() -> Self {
        let (commands, told) = mpsc::unbounded_channel();
        let (mailbox, inbox) = Mailbox::new();
        let ada = Person { id: ADA, name: "Ada".into(), private: true };
        let people = BTreeMap::from([(ADA, ada)]);
        let book = Book { read: Some((UserId(1), 9)), people, ..Book::default() };
        let telegram = Telegram {
            commands,
            texts: Arc::new(Texts::load("en")),
            zone: jiff::tz::TimeZone::UTC,
            seal: "seal".into(),
            mailbox,
            whose: Some(UserId(1)),
            book,
            bot: None,
            connection: Connection::Starting,
            cards: HashMap::new(),
            ended: Ended::default(),
            withdrawals: HashMap::new(),
            pairing: Pairing::default(),
            ignored: 0,
            blocked: BTreeSet::new(),
            up: false,
            tests: Vec::new(),
            address: String::new(),
        };
        Self { telegram, commands: told, inbox }
    }

    fn works(&mut self, bot: i64) {
        let bot = Bot { id: UserId(bot), name: format!("bot_{bot}"), reads_groups: false };
        self.telegram.on_report(Report::Works(bot));
    }

    fn outcome(&mut self, outcome: Outcome) {
        self.telegram.on_report(Report::Outbox(outcome));
    }

    /// The message in Ada's chat that the last card takes the place of, if any.
    fn wanted_at(&mut self) -> Option<i32> {
        let mut at = None;
        while let Ok(command) = self.commands.try_recv() {
            if let Command::Want(_, chats, posted) = command {
                assert!(chats.is_empty() || chats == [CHAT]);
                at = posted.first().map(|posted| posted.message);
            }
        }
        at
    }

    fn events(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Ok(Input::Event(event)) = self.inbox.try_recv() {
            events.push(event);
        }
        events
    }

    /// Where the card stands, as the desk was last told.
    fn handle(&mut self) -> Option<String> {
        self.events().into_iter().rev().find_map(|event| match event {
            Event::Shown { handle, .. } => Some(handle),
            _ => None,
        })
    }
}

fn id() -> AskId {
    AskId::new("local", "que_1")
}

fn entry() -> Box<Entry> {
    let kind = Kind::Confirm("Go on?".into());
    let session = Session::default();
    Box::new(Entry::new(Ask { id: id(), kind, session, call: None, asked_at: Timestamp(0) }, 1))
}

const WITHDRAWN: fn(&Event) -> bool = |event| matches!(event, Event::Withdrawn { .. });

#[test]
fn another_bot_sends_every_card_anew() {
    let mut door = Door::new();
    door.works(1);
    door.telegram.show(entry(), None, false);
    door.outcome(Outcome::Posted(id(), Posted::at(CHAT, 5)));
    let handle = door.handle();
    door.works(1);
    assert_eq!(door.events(), [], "the same one goes on");
    door.works(2);
    assert_eq!(door.events(), [Event::ChannelUp(Channel::Telegram)]);
    door.telegram.show(entry(), handle.clone(), false);
    assert_eq!(door.wanted_at(), None, "it cannot edit what the former one wrote");

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
    door.outcome(Outcome::Posted(id(), Posted::at(CHAT, 5)));
    let handle = door.handle();
    door.telegram.withdraw(id(), handle, Some(entry()));
    assert!(!door.events().iter().any(WITHDRAWN));
    door.outcome(Outcome::Finished(id()));
    assert_eq!(door.events().iter().filter(|event| WITHDRAWN(event)).count(), 2);
    door.outcome(Outcome::Finished(id()));
    assert_eq!(door.events(), []);
}

#[test]
fn after_a_gap_cards_say_that_presses_may_be_lost_until_they_are_answered_on() {
    let mut door = Door::new();
    door.works(1);
    door.telegram.show(entry(), None, false);
    let says_so = |door: &mut Door| {
        let mut said = None;
        while let Ok(command) = door.commands.try_recv() {
            if let Command::Want(wanted, ..) = command {
                said = Some(wanted.card.html.contains("press it again"));
            }
        }
        said
    };
    assert_eq!(says_so(&mut door), Some(false));
    door.telegram.on_report(Report::Missed);
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
    door.outcome(Outcome::Blocked(CHAT));
    let events = door.events();
    let (up, down) = (Event::ChannelUp(Channel::Telegram), Event::ChannelDown(Channel::Telegram));
    assert_eq!(events, [up, down]);
    let error = door.telegram.view(Timestamp(0)).error.unwrap();
    assert!(error.contains("press Start"), "{error}");
}
