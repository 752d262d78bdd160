//! Tests of what taps, words and commands lead to, and of what is said of them.

use super::*;
use beckon_core::{
    Answer, AnswerRefusal, AskState, Attention, AwaitedText, CardTap, Draft, Outcome, Policy,
    PresenceOverride, Question, Responder, SeenStep, Surface,
};
use button::ListTap;
use card::CardButton;
use outbox::CardLoss;
use pairing::pairings::{PairedGroup, PairedPerson};
use updates::dispatch::Reaction;
use updates::update::{MediaMessage, MessageRelation, RepliedMessage};

pub(super) const GROUP: ChatId = ChatId(-1_001_234);

/// Makes an ask with a question that is answered in own words.
pub(super) fn asked(n: u64) -> Entry {
    let id = AskId::new("local", format!("que_{n}"));
    let question = format!("Which {n}?");
    let kind = AskContent::Questions(vec![Question {
        question,
        ..Question::default()
    }]);
    let session = Session {
        directory: "/me/shop-api".into(),
        ..Session::default()
    };
    let asked_at = Timestamp(i64::try_from(n).unwrap() * 60_000);
    Entry::new(
        Ask {
            id,
            kind,
            session,
            call: None,
            asked_at,
        },
        n,
    )
}

pub(super) fn in_state(n: u64, state: AskState) -> Entry {
    let mut entry = asked(n);
    entry.state = state;
    entry
}

fn awaiting(n: u64) -> Entry {
    let mut entry = asked(n);
    let awaits = Some(AwaitedText::Text { question: 0 });
    entry.draft = Some(Draft {
        awaits,
        ..Draft::new(&entry.ask)
    });
    entry
}

pub(super) fn answering(n: u64) -> Entry {
    let (answer, by, at) = (Answer::Dismiss, Surface::Window, Timestamp(0));
    let state = AskState::Answering {
        answer,
        by,
        at,
        attempts: 1,
        tried_at: None,
        sent_at: None,
        unanswered: false,
    };
    in_state(n, state)
}

fn settled(n: u64, by: Surface) -> Box<Entry> {
    let outcome = Outcome::Answered {
        answer: Answer::Dismiss,
        by,
    };
    Box::new(in_state(
        n,
        AskState::Settled {
            outcome,
            at: Timestamp(0),
        },
    ))
}

/// Returns the outcome that a card is gone from Ada's chat.
pub(super) fn lost(serial: u64, loss: CardLoss) -> CallOutcome {
    let posted = PostedCard::at(CHAT, message(serial));
    CallOutcome::Lost(asked(serial).ask.id, posted, loss)
}

/// Returns the message that the card of an ask is in.
pub(super) fn message(serial: u64) -> i32 {
    i32::try_from(serial).unwrap() * 10
}

/// A desk with these asks, and their cards in Ada's chat.
pub(super) struct Scene {
    pub(super) door: Door,
    pub(super) desk: Desk,
}

impl Scene {
    pub(super) fn of(entries: &[Entry]) -> Self {
        let mut door = Door::new();
        door.works(1);
        for entry in entries {
            door.telegram.show(Box::new(entry.clone()), None, false);
            let posted = PostedCard::at(CHAT, message(entry.serial));
            door.outcome(CallOutcome::Posted(entry.ask.id.clone(), posted));
        }
        let saved = SavedState {
            entries: entries.to_vec(),
            ..SavedState::default()
        };
        let desk = Desk::restore(Policy::default(), saved, Timestamp(0));
        let mut scene = Self { door, desk };
        scene.commands();
        scene.door.events();
        scene
    }

    pub(super) fn with_group(mut self) -> Self {
        let group = PairedGroup {
            chat: GROUP,
            title: "Team".into(),
            topics: false,
        };
        self.door.telegram.pairings.group = Some(group);
        self
    }

    /// Returns what the channel wants, where everything is saved at once.
    pub(super) fn commands(&mut self) -> Vec<WorkerCommand> {
        let held = self.door.telegram.take_held_words();
        self.door.telegram.say_held_words(held, true);
        std::iter::from_fn(|| self.door.commands.try_recv().ok()).collect()
    }

    /// Notes that Ada has tapped "Write my own" on these cards.
    fn asks_to_write(&mut self, entries: &[Entry]) {
        for entry in entries {
            let writers = &mut self.door.telegram.writers;
            let own = AwaitedText::Text { question: 0 };
            writers.begin(CHAT, ADA, (entry.target(), own), Timestamp(0));
        }
    }

    pub(super) fn hears(&mut self, what: UpdateContent) -> Reaction {
        self.hears_from(&heard(1, what))
    }

    fn hears_from(&mut self, heard: &IncomingUpdate) -> Reaction {
        self.door
            .telegram
            .dispatch(heard, ChannelView::of(&self.desk, Timestamp(0)))
    }

    /// Tells the channel how the desk decided what somebody did.
    fn replies_to(&mut self, heard: &IncomingUpdate, verdict: &Result<AskId, AnswerRefusal>) {
        let view = ChannelView::of(&self.desk, Timestamp(0));
        self.door.telegram.reply(heard, Some(verdict), view);
    }

    fn in_group(&mut self, what: UpdateContent) -> Reaction {
        self.hears_from(&in_group(what))
    }

    /// Returns what is said in that chat, and checks that nothing else happens.
    fn said(&mut self, chat: ChatId) -> Vec<String> {
        let said = self.said_anywhere();
        assert!(said.iter().all(|(to, _)| *to == chat), "{said:?}");
        said.into_iter().map(|(_, html)| html).collect()
    }

    /// Returns what is said in each chat, and checks that nothing else happens but a look for
    /// cards.
    fn said_anywhere(&mut self) -> Vec<(ChatId, String)> {
        let said = |command| match command {
            WorkerCommand::Say(to, note) => Some((to, note.html)),
            WorkerCommand::LookForCards(_) => None,
            other => panic!("{other:?}"),
        };
        self.commands().into_iter().filter_map(said).collect()
    }

    /// Returns what a tap on that message is told, once the desk has decided so, and which
    /// keyboards go.
    fn told(
        &mut self,
        data: &str,
        on: i32,
        verdict: Result<AskId, AnswerRefusal>,
    ) -> (Vec<String>, Vec<i32>) {
        let heard = heard(1, tap_on(data, on));
        let view = ChannelView::of(&self.desk, Timestamp(0));
        self.door.telegram.reply(&heard, Some(&verdict), view);
        let (mut told, mut stripped) = (Vec::new(), Vec::new());
        for command in self.commands() {
            match command {
                WorkerCommand::Answer { text, .. } => told.push(text),
                WorkerCommand::Strip(CHAT, message) => stripped.push(message),
                other => panic!("{other:?}"),
            }
        }
        (told, stripped)
    }
}

fn in_group(what: UpdateContent) -> IncomingUpdate {
    let place = UpdatePlace {
        chat: GROUP,
        private: false,
        title: "Team".into(),
        topics: false,
        thread: None,
    };
    IncomingUpdate {
        place,
        ..heard(1, what)
    }
}

fn text(relation: MessageRelation, text: &str) -> UpdateContent {
    let (text, media, at) = (text.into(), None, Timestamp(0));
    UpdateContent::Text {
        relation,
        text,
        media,
        at,
        number: 0,
        end: TextEnd::Last,
    }
}

fn words(said: &str) -> UpdateContent {
    text(MessageRelation::Alone, said)
}

fn to_bot(message: i32) -> MessageRelation {
    MessageRelation::ToBot(RepliedMessage {
        message,
        button: None,
    })
}

fn tap_on(data: &str, message: i32) -> UpdateContent {
    UpdateContent::Tap {
        query: "1".into(),
        message: Some(message),
        accessible: true,
        data: data.to_owned(),
    }
}

fn button(entry: &Entry) -> String {
    button::data("seal", entry.target(), back())
}

fn photo(relation: MessageRelation, album: Option<&str>) -> UpdateContent {
    let media = MediaMessage {
        album: album.map(str::to_owned),
    };
    UpdateContent::Wordless { relation, media }
}

/// Returns the serial of the ask for which words were taken.
fn wrote(reaction: &Reaction) -> Option<u64> {
    match reaction {
        Reaction::Tell(Event::Wrote {
            target,
            by: Surface::Telegram,
            ..
        }) => Some(target.serial),
        _ => None,
    }
}

const WHICH: &str = "Nothing was sent. Reply to the card";
const NO_CARD: &str = "Nothing was sent: that message is not an open card.";
const NO_LONGER: &str = "This card is no longer valid.";
const NO_COMMAND: &str = "There is no such command.";
const NOT_UNDERSTOOD: &str = "No card is waiting for text.";

#[track_caller]
fn says(said: &[String], beginning: &str) {
    assert!(
        said.len() == 1 && said[0].starts_with(beginning),
        "{said:?}"
    );
}

#[test]
fn whoever_is_not_paired_is_counted_and_told_nothing() {
    let mut scene = Scene::of(&[asked(1)]);
    let data = button(&asked(1));
    for update in 1..=2 {
        let mut heard = heard(update, tap_on(&data, message(1)));
        heard.from = Some(UpdateSender {
            id: UserId(8),
            name: "Eve".into(),
        });
        heard.place.chat = ChatId(8);
        assert!(matches!(scene.hears_from(&heard), Reaction::Nothing));
    }
    assert_eq!(
        (
            scene.commands().len(),
            scene.door.telegram.view(Timestamp(0)).ignored
        ),
        (0, 2)
    );
}

#[test]
fn a_button_of_another_installation_is_counted_told_so_and_taken_off() {
    let mut scene = Scene::of(&[]);
    scene.hears(tap_on("other.1.x", 5));
    let commands = scene.commands();
    assert!(
        matches!(
            &commands[..],
            [WorkerCommand::Answer { query, text }, WorkerCommand::Strip(CHAT, 5)]
                if query == "1" && text.starts_with("This card is from an earlier installation")
        ),
        "{commands:?}"
    );
    assert_eq!(scene.door.telegram.view(Timestamp(0)).ignored, 1);
}

#[test]
fn where_another_program_reads_the_same_bot_a_button_may_be_its_own() {
    let mut scene = Scene::of(&[]);
    let rival = TelegramReport::Trouble(CallError::OtherPoller);
    scene.door.telegram.on_report(rival);
    scene.door.works(1);
    scene.commands();
    scene.hears(tap_on("other.1.x", 5));
    let commands = scene.commands();
    assert!(
        matches!(
            &commands[..],
            [WorkerCommand::Answer { text, .. }]
                if text.starts_with("Another program uses this bot")
        ),
        "{commands:?}"
    );
}

#[test]
fn who_mends_words_that_were_taken_is_told_that_the_first_ones_count() {
    let entry = asked(1);
    let mut scene = Scene::of(std::slice::from_ref(&entry));
    let edited = |number, text: &str| UpdateContent::Edited {
        number,
        text: text.into(),
    };
    let button = Some(button(&entry));
    let relation = MessageRelation::ToBot(RepliedMessage {
        message: message(1),
        button,
    });
    let said = heard(1, text(relation, "postgers"));
    let UpdateContent::Text { number, .. } = said.what else {
        panic!("{said:?}")
    };
    scene.hears(edited(number, "postgres"));
    assert_eq!(scene.said(CHAT), [] as [&str; 0], "nothing was taken yet");
    scene.replies_to(&said, &Ok(entry.ask.id.clone()));
    scene.commands();
    scene.hears(edited(number, "postgers"));
    assert_eq!(scene.said(CHAT), [] as [&str; 0], "a preview came");
    scene.hears(edited(number, "postgres"));
    says(&scene.said(CHAT), "Edits change nothing here");
}

#[test]
fn a_tap_on_a_card_that_telegram_does_not_let_change_is_acknowledged_in_words() {
    let entry = asked(1);
    let mut scene = Scene::of(std::slice::from_ref(&entry));
    let tapped = heard(1, tap_on(&button(&entry), message(1)));
    let acknowledged = |scene: &mut Scene| {
        scene.replies_to(&tapped, &Ok(entry.ask.id.clone()));
        let commands = scene.commands();
        let text = commands.into_iter().find_map(|command| match command {
            WorkerCommand::Answer { text, .. } => Some(text),
            _ => None,
        });
        text.unwrap()
    };
    assert_eq!(acknowledged(&mut scene), "");
    let until = Timestamp(600_000);
    scene.door.telegram.held_back.insert(CHAT, until);
    assert!(acknowledged(&mut scene).starts_with("It counts."));
}

#[test]
fn after_a_restart_a_group_still_knows_who_is_asked_for_words() {
    let entry = awaiting(1);
    let mut scene = Scene::of(std::slice::from_ref(&entry)).with_group();
    let posted = PostedCard {
        prompt: Some(77),
        ..PostedCard::at(GROUP, 70)
    };
    let asked = BTreeMap::from([(GROUP, BTreeSet::from([ADA]))]);
    let handle = scene.door.telegram.write_asking([&posted], &asked);
    scene.door.telegram.cards.clear();
    scene
        .door
        .telegram
        .show(Box::new(entry), Some(handle), true);
    let commands = scene.commands();
    let prompt = commands.iter().find_map(|command| match command {
        WorkerCommand::Want(wanted, chats, _) if *chats == [GROUP] => wanted.card.prompt.clone(),
        _ => None,
    });
    assert!(prompt.is_some_and(|prompt| prompt.selective));
}

#[test]
fn a_restart_of_a_moment_is_no_reason_to_tap_again() {
    for (was_silent, expected) in [(true, true), (false, false)] {
        let mut door = Door::new();
        door.telegram.was_silent = was_silent;
        door.works(1);
        let handle = door.telegram.write_handle([&PostedCard::at(CHAT, 5)]);
        let entry = asked(1);
        let ask = entry.ask.id.clone();
        door.telegram.show(Box::new(entry), Some(handle), true);
        assert_eq!(door.telegram.cards[&ask].missed, expected);
    }
}

#[test]
fn commands_are_answered_where_they_are_written() {
    let mut scene = Scene::of(&[]).with_group();
    for (command, beginning) in [
        ("/help", "/pending: what is waiting for you"),
        ("/start", "/pending: what is waiting for you"),
        ("/start abc", "This link is no longer valid."),
        ("/pending", "Nobody is waiting."),
        ("/dance", NO_COMMAND),
        ("/help@other_bot", NO_COMMAND),
        ("/away soon", "It isn't clear how long that is."),
    ] {
        assert!(matches!(scene.hears(words(command)), Reaction::Nothing));
        says(&scene.said(CHAT), beginning);
    }
    scene.hears(words("/status"));
    assert!(scene.said(CHAT)[0].contains("No notifications on the desktop"));
    scene.in_group(words("/dance"));
    assert_eq!(
        scene.said(GROUP),
        [] as [&str; 0],
        "it may be for another bot"
    );
    scene.in_group(words("/help"));
    says(&scene.said(GROUP), "/pending");
    let away = scene.hears(words("/away 1h"));
    let hour = Some(Timestamp(3_600_000));
    assert!(
        matches!(
            away,
            Reaction::Tell(Event::Said { said: PresenceOverride::Away, until }) if until == hour
        ),
        "{away:?}"
    );
    let said = scene.said_anywhere();
    let begins = |(chat, beginning): (ChatId, &str)| {
        said.iter()
            .any(|(to, html)| *to == chat && html.contains(beginning))
    };
    assert!(begins((CHAT, "You")), "{said:?}");
    assert!(begins((GROUP, "Ada set presence")), "{said:?}");
}

#[test]
fn words_alone_are_for_the_one_card_that_waits_for_them() {
    let mut one = Scene::of(&[asked(1), awaiting(2), answering(3)]);
    assert_eq!(
        wrote(&one.hears(words("Blue"))),
        None,
        "nobody here has asked to write"
    );
    one.said(CHAT);
    one.asks_to_write(&[awaiting(2)]);
    assert_eq!(wrote(&one.hears(words("Blue"))), Some(2));
    assert_eq!(one.said(CHAT), [] as [&str; 0]);
    let mut two = Scene::of(&[awaiting(1), awaiting(2)]).with_group();
    two.asks_to_write(&[awaiting(1), awaiting(2)]);
    assert_eq!(wrote(&two.hears(words("Blue"))), None);
    says(&two.said(CHAT), WHICH);
    two.door.outcome(lost(1, CardLoss::Deleted));
    two.commands();
    assert_eq!(
        wrote(&two.hears(words("Blue"))),
        Some(2),
        "that one was waved away"
    );
    let mut none = Scene::of(&[asked(1)]);
    none.hears(words("Blue"));
    says(&none.said(CHAT), NOT_UNDERSTOOD);
}

#[test]
fn words_alone_are_nobodys_after_anything_else_was_said_or_done_there() {
    fn taps(scene: &mut Scene, data: String) {
        scene.hears(UpdateContent::Tap {
            query: "1".to_owned(),
            message: Some(77),
            accessible: true,
            data,
        });
    }

    type Interruption = (&'static str, fn(&mut Scene));
    let interruptions: [Interruption; 7] = [
        ("a line of a list", |scene| {
            taps(scene, button::list("seal", ListTap::Open(1)));
        }),
        ("a pause by the list", |scene| {
            taps(scene, button::list("seal", ListTap::Pause));
        }),
        ("the button of a test card", |scene| {
            taps(scene, button::test("seal", Timestamp(0)));
        }),
        ("a button of long ago", |scene| {
            taps(scene, "old".to_owned())
        }),
        ("a reaction", |scene| {
            let (message, seen) = (1, true);
            scene.hears(UpdateContent::Eyes { message, seen });
        }),
        ("an answer that came too late", |scene| {
            scene.door.telegram.tell_late(None, "Too late", "Blue");
        }),
        ("a test", |scene| {
            scene.door.telegram.test();
        }),
    ];
    for (what, interrupt) in interruptions {
        let mut scene = Scene::of(&[asked(1), awaiting(2)]);
        scene.asks_to_write(&[awaiting(2)]);
        interrupt(&mut scene);
        assert_eq!(wrote(&scene.hears(words("Blue"))), None, "{what}");
    }
}

#[test]
fn taps_and_words_are_those_of_whom_telegram_names_with_every_hidden_letter_named() {
    let mut scene = Scene::of(&[asked(1)]);
    let vouched = beckon_core::Voucher::Telegram { user: ADA.0 };
    for (name, shown) in [("Ada", "Ada"), ("A\u{202e}da", "A⟨U+202E⟩da")] {
        let from = Some(UpdateSender {
            id: ADA,
            name: name.into(),
        });
        let person = beckon_core::Responder::new(Some(shown), Some("Telegram"), vouched.clone());
        for what in [
            tap_on(&button(&asked(1)), message(1)),
            text(to_bot(message(1)), "Blue"),
        ] {
            let update = IncomingUpdate {
                from: from.clone(),
                ..heard(1, what)
            };
            match scene.hears_from(&update) {
                Reaction::Tell(
                    Event::Tapped { responder, .. } | Event::Wrote { responder, .. },
                ) => assert_eq!(responder, Some(person.clone())),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn words_that_answer_a_card_are_for_it_and_those_that_answer_no_card_for_none() {
    let mut scene = Scene::of(&[asked(1), asked(2)]);
    assert_eq!(
        wrote(&scene.hears(text(to_bot(message(2)), "Blue"))),
        Some(2)
    );
    let replied = RepliedMessage {
        message: 99,
        button: Some(button(&asked(1))),
    };
    let reply = scene.hears(text(MessageRelation::ToBot(replied), "Blue"));
    assert_eq!(wrote(&reply), Some(1), "its button says what it was");
    for relation in [to_bot(99), MessageRelation::Elsewhere] {
        assert_eq!(wrote(&scene.hears(text(relation, "Blue"))), None);
        says(&scene.said(CHAT), NO_CARD);
    }
    scene
        .door
        .telegram
        .withdraw(asked(1).ask.id, None, Some(settled(1, Surface::Window)));
    scene.commands();
    let late = scene.hears(text(to_bot(message(1)), "Blue"));
    assert_eq!(wrote(&late), Some(1), "the desk says that it is too late");

    let mut empty = Scene::of(&[]);
    empty.hears(text(to_bot(5), "Blue"));
    says(&empty.said(CHAT), NO_LONGER);
    empty.hears(text(MessageRelation::Elsewhere, "Blue"));
    says(&empty.said(CHAT), NOT_UNDERSTOOD);
}

#[test]
fn people_in_a_group_talk_with_each_other() {
    let mut scene = Scene::of(&[awaiting(1)]).with_group();
    let there = PostedCard::at(GROUP, 11);
    scene
        .door
        .outcome(CallOutcome::Posted(asked(1).ask.id, there));
    scene.commands();
    for relation in [MessageRelation::Alone, MessageRelation::Elsewhere] {
        assert!(matches!(
            scene.in_group(text(relation, "Blue")),
            Reaction::Nothing
        ));
        assert_eq!(scene.said(GROUP), [] as [&str; 0]);
    }
    scene.in_group(text(to_bot(99), "Blue"));
    says(&scene.said(GROUP), NO_CARD);
}

#[test]
fn a_message_without_words_is_refused_once() {
    let mut scene = Scene::of(&[]).with_group();
    let mut told = |what: UpdateContent| {
        scene.hears(what);
        scene.said(CHAT).len()
    };
    let alone = |album| photo(MessageRelation::Alone, album);
    assert_eq!(
        [alone(Some("7")), alone(Some("7"))].map(&mut told),
        [1, 0],
        "an album"
    );
    assert_eq!(
        [alone(Some("8")), alone(None), alone(None)].map(&mut told),
        [1, 1, 1]
    );
    scene.in_group(alone(None));
    assert_eq!(scene.said(GROUP), [] as [&str; 0]);
    scene.in_group(photo(to_bot(5), None));
    says(&scene.said(GROUP), "I can only read text. Nothing was sent");
}

#[test]
fn the_words_below_a_picture_are_taken_and_that_is_said_once() {
    let mut scene = Scene::of(&[asked(1)]);
    let mut reply = |media: Option<&str>| {
        let album = |album: &str| MediaMessage {
            album: Some(album.to_owned()),
        };
        let what = UpdateContent::Text {
            relation: to_bot(message(1)),
            text: "Blue".into(),
            media: media.map(album),
            at: Timestamp(0),
            number: 0,
            end: TextEnd::Last,
        };
        let view = ChannelView::of(&scene.desk, Timestamp(0));
        scene
            .door
            .telegram
            .reply(&heard(1, what), Some(&Ok(asked(1).ask.id)), view);
        scene.said(CHAT)
    };
    assert_eq!(reply(None), [] as [&str; 0]);
    says(
        &reply(Some("7")),
        "I can only read text: your caption counts",
    );
    assert_eq!(reply(Some("7")), [] as [&str; 0]);
}

#[test]
fn a_tap_is_told_what_came_of_it_and_a_keyboard_that_answers_nothing_goes() {
    let mut scene = Scene::of(&[asked(1)]);
    let (card, other) = (button(&asked(1)), button(&asked(2)));
    let taken = || Ok(asked(1).ask.id);
    let none = String::new;
    assert_eq!(
        scene.told(&card, message(1), taken()),
        (vec![none()], vec![])
    );
    assert_eq!(
        scene.told(&card, 99, taken()),
        (vec![none()], vec![]),
        "it is the card by now"
    );
    assert_eq!(
        scene.told(&other, 99, taken()),
        (vec![none()], vec![]),
        "perhaps it is the card"
    );
    let refused = scene.told(&other, 99, Err(AnswerRefusal::Unknown));
    assert_eq!(refused, (vec![NO_LONGER.to_owned()], vec![99]));
    let page = button::list("seal", button::ListTap::Here);
    assert_eq!(
        scene.told(&page, 99, Err(AnswerRefusal::Unknown)),
        (vec![], vec![])
    );

    let mut unsent = Scene::of(&[]);
    unsent.door.telegram.show(Box::new(asked(1)), None, true);
    unsent.commands();
    assert_eq!(unsent.told(&card, 99, taken()), (vec![none()], vec![]));
}

#[test]
fn who_comes_too_late_is_told_what_was_answered_and_by_whom() {
    let mut scene = Scene::of(&[answering(1), asked(2)]);
    let by = Surface::Window;
    let told = scene.told(
        &button(&asked(1)),
        message(1),
        Err(AnswerRefusal::Answering { by }),
    );
    says(&told.0, "Already answered: Dismissed, in the window");

    let grace = PairedPerson {
        id: UserId(8),
        name: "Grace".into(),
        private: false,
    };
    scene.door.telegram.pairings.people.insert(grace.id, grace);
    scene.hears(tap_on(&button(&asked(2)), message(2)));
    scene
        .door
        .telegram
        .withdraw(asked(2).ask.id, None, Some(settled(2, Surface::Telegram)));
    scene.commands();
    let outcome = Outcome::Answered {
        answer: Answer::Dismiss,
        by: Surface::Telegram,
    };
    let refusal = || AnswerRefusal::Settled {
        outcome: outcome.clone(),
    };
    let told = scene.told(&button(&asked(2)), message(2), Err(refusal()));
    says(&told.0, "Already answered by Ada ");
    assert_eq!(told.1, [message(2)]);
    let view = ChannelView::of(&scene.desk, Timestamp(0));
    let late = heard(1, text(to_bot(message(2)), "Blue"));
    scene
        .door
        .telegram
        .reply(&late, Some(&Err(refusal())), view);
    says(&scene.said(CHAT), "Already answered by Ada ");
}

#[test]
fn whoever_tapped_is_named_on_the_card_where_several_can_answer() {
    let ending = |people: usize, group: bool, taps: bool| {
        let mut scene = Scene::of(&[asked(1)]);
        for n in 1..people {
            let id = UserId(7 + i64::try_from(n).unwrap());
            let person = PairedPerson {
                id,
                name: "Grace".into(),
                private: false,
            };
            scene.door.telegram.pairings.people.insert(id, person);
        }
        if group {
            scene = scene.with_group();
        }
        if taps {
            scene.hears(tap_on(&button(&asked(1)), message(1)));
        }
        scene
            .door
            .telegram
            .withdraw(asked(1).ask.id, None, Some(settled(1, Surface::Telegram)));
        let wanted = scene
            .commands()
            .into_iter()
            .find_map(|command| match command {
                WorkerCommand::Want(wanted, ..) => Some(wanted),
                _ => None,
            });
        let wanted = wanted.unwrap();
        assert!(wanted.last);
        wanted.card.html.lines().next().unwrap().to_owned()
    };
    let named = "🚫 <b>Dismissed</b> · Ada, ";
    assert!(ending(1, false, true).starts_with("🚫 <b>Dismissed</b> · by you, "));
    assert!(ending(2, false, true).starts_with(named));
    assert!(ending(3, false, true).starts_with(named));
    assert!(ending(1, true, true).starts_with(named));
    assert!(ending(2, false, false).starts_with("🚫 <b>Dismissed</b> · on Telegram, "));
}

#[test]
fn eyes_on_a_card_are_told_and_on_anything_else_not() {
    let mut scene = Scene::of(&[asked(1)]);
    let eyes = |message| UpdateContent::Eyes {
        message,
        seen: true,
    };
    let reaction = scene.hears(eyes(message(1)));
    let id = asked(1).ask.id;
    assert!(
        matches!(
            &reaction,
            Reaction::Tell(Event::Attend { ask, attention: Attention::Seen, .. }) if *ask == id
        ),
        "{reaction:?}"
    );
    assert!(matches!(scene.hears(eyes(99)), Reaction::Nothing));
}

#[test]
fn an_answer_that_came_too_late_goes_back_to_whoever_gave_it_alone() {
    let mut scene = Scene::of(&[asked(1)]).with_group();
    let grace = PairedPerson {
        id: UserId(8),
        name: "Grace".into(),
        private: true,
    };
    let alan = PairedPerson {
        id: UserId(9),
        name: "Alan".into(),
        private: false,
    };
    for person in [grace, alan] {
        scene
            .door
            .telegram
            .pairings
            .people
            .insert(person.id, person);
    }
    let mut chats = |user: i64| -> Vec<ChatId> {
        let vouched = beckon_core::Voucher::Telegram { user };
        let who = Responder::new(None, Some("Telegram"), vouched);
        scene
            .door
            .telegram
            .tell_late(Some(&who), "Too late: Which one?", "“Blue”");
        let said = |command| match command {
            WorkerCommand::Say(chat, _) => Some(chat),
            _ => None,
        };
        scene.commands().into_iter().filter_map(said).collect()
    };
    assert_eq!(chats(8), [ChatId(8)]);
    assert_eq!(
        chats(9),
        [GROUP],
        "who has no chat with the bot can only have tapped in the group"
    );
}

/// Returns the step of the card that the words say their writer saw.
fn seen(reaction: &Reaction) -> Option<SeenStep> {
    match reaction {
        Reaction::Tell(Event::Wrote { seen, .. }) => Some(*seen),
        _ => None,
    }
}

fn tapped(reaction: &Reaction) -> Option<CardTap> {
    match reaction {
        Reaction::Tell(Event::Tapped { tap, .. }) => Some(*tap),
        _ => None,
    }
}

#[test]
fn a_reply_says_which_step_its_card_showed() {
    let own = AwaitedText::Text { question: 0 };
    let question = CardTap::Choose {
        question: 1,
        choice: 0,
    };
    let cases = [
        (question, SeenStep::Page(CardPage::Question(1))),
        (CardTap::Once, SeenStep::Page(CardPage::Question(0))),
        (CardTap::Keep, SeenStep::Sure),
        (back(), SeenStep::Page(CardPage::Review)),
    ];
    for (first, expected) in cases {
        let entry = awaiting(1);
        let mut scene = Scene::of(std::slice::from_ref(&entry)).with_group();
        let button = Some(button::data("seal", entry.target(), first));
        let message = message(1);
        let relation = MessageRelation::ToBot(RepliedMessage { message, button });
        assert_eq!(seen(&scene.hears(text(relation, "2"))), Some(expected));
    }

    let entry = awaiting(1);
    let mut scene = Scene::of(std::slice::from_ref(&entry)).with_group();
    scene.asks_to_write(std::slice::from_ref(&entry));
    let prompt = SeenStep::Prompt(Some(own));
    assert_eq!(seen(&scene.hears(words("2"))), Some(prompt));
}

#[test]
fn who_is_not_writing_takes_nobodys_wait_back_and_of_two_the_last_one_does() {
    let entry = awaiting(1);
    let mut scene = Scene::of(std::slice::from_ref(&entry)).with_group();
    let not_own = button::data("seal", entry.target(), CardTap::NotOwn { question: 0 });
    let own = CardTap::Own { question: 0 };
    let first = scene.hears(tap_on(&not_own, message(1)));
    assert_eq!(tapped(&first), Some(own), "they will write, too");
    let bob = UserId(99);
    let awaited = (entry.target(), AwaitedText::Text { question: 0 });
    let writers = &mut scene.door.telegram.writers;
    writers.begin(CHAT, bob, awaited, Timestamp(0));
    let still = scene.hears(tap_on(&not_own, message(1)));
    assert!(matches!(still, Reaction::Nothing), "{still:?}");
    let writers = &mut scene.door.telegram.writers;
    writers.begin(CHAT, ADA, awaited, Timestamp(0));
    writers.end(CHAT, bob, 1);
    let last = scene.hears(tap_on(&not_own, message(1)));
    assert_eq!(tapped(&last), Some(CardTap::NotOwn { question: 0 }));
}

/// Makes a scene where Ada and Bob may answer, in their own chats and in the group.
fn shared() -> Scene {
    let mut scene = Scene::of(&all_asked(2)).with_group();
    let bob = PairedPerson {
        id: BOB,
        name: "Bob".into(),
        private: true,
    };
    scene.door.telegram.pairings.people.insert(BOB, bob);
    scene
}

fn all_asked(count: u64) -> Vec<Entry> {
    (1..=count).map(asked).collect()
}

const BOB: UserId = UserId(8);

fn said_in(scene: &mut Scene, chat: ChatId) -> Vec<OutgoingNote> {
    let commands = scene.commands().into_iter();
    commands
        .filter_map(|command| match command {
            WorkerCommand::Say(to, note) if to == chat => Some(note),
            _ => None,
        })
        .collect()
}

#[test]
fn the_others_are_told_in_silence_who_says_what_for_all_of_them_and_can_undo_it() {
    for (said, part, undo) in [
        ("/here", "Ada set presence to “here”", Some(ListTap::Auto)),
        (
            "/away 1h",
            "Ada set presence to “away” until",
            Some(ListTap::Auto),
        ),
        ("/auto", "Ada set presence back to automatic", None),
    ] {
        for chat in [ChatId(BOB.0), GROUP] {
            let mut scene = shared();
            scene.hears(words(said));
            let notes = said_in(&mut scene, chat);
            let [note] = notes.as_slice() else {
                panic!("{said}: {notes:?}");
            };
            assert!(note.silent && note.html.contains(part), "{note:?}");
            let buttons: Vec<_> = note.keyboard.iter().flatten().collect();
            let data = undo.map(|tap| button::list("seal", tap));
            let expected = data.map(|data| CardButton::tell("Automatic", data));
            assert_eq!(buttons, expected.iter().collect::<Vec<_>>());
        }
        let mut scene = shared();
        scene.hears(words(said));
        assert_eq!(
            said_in(&mut scene, CHAT).len(),
            1,
            "whoever said it is answered"
        );
    }
}

#[test]
fn one_person_alone_is_told_nothing_of_what_they_said() {
    let mut scene = Scene::of(&all_asked(2));
    scene.hears(words("/here"));
    assert_eq!(said_in(&mut scene, CHAT).len(), 1);
}

#[test]
fn the_list_says_who_it_was_until_it_is_said_elsewhere_or_over() {
    let mut scene = shared();
    scene.hears(words("/here"));
    scene.commands();
    let drawn = |scene: &mut Scene| {
        scene.door.telegram.draw_list(ChatId(BOB.0));
        let commands = scene.commands().into_iter();
        let html = commands.filter_map(|command| match command {
            WorkerCommand::List(_, list) => Some(list.card.html),
            _ => None,
        });
        html.collect::<String>()
    };
    assert!(drawn(&mut scene).contains("Set as here by Ada"));
    let telegram = &mut scene.door.telegram;
    telegram.note_standing((PresenceOverride::Here, None), None);
    assert!(drawn(&mut scene).contains("Set as here by Ada"));
    let paused = Some(Timestamp(3_600_000));
    let telegram = &mut scene.door.telegram;
    telegram.note_standing((PresenceOverride::Auto, None), paused);
    let html = drawn(&mut scene);
    assert!(!html.contains("Set as here"), "{html}");
    assert!(
        html.contains("Paused until") && !html.contains("Ada"),
        "{html}"
    );
}
