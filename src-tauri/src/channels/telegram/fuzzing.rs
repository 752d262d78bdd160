//! The fuzz target of everything that comes from Telegram, and what must hold of it.

#![allow(clippy::expect_used, reason = "a panic is how a door objects")]

use super::pairing::pairings::{ChatId, PairedPerson, Pairings, UserId};
use super::updates::bot_command::{BotCommand, start_code};
use super::updates::parsing::parse_update;
use super::updates::update::{
    IncomingUpdate, MessageRelation, TextEnd, UpdateContent, UpdatePlace, UpdateSender,
};
use super::{Reaction, TelegramChannel, TelegramSettings, api, button};
use crate::platform::sink::Sink;
use beckon_client::config::TelegramConfig;
use beckon_client::platform::clock;
use beckon_client::text::Texts;
use beckon_core::{
    Ask, AskContent, AskId, ChannelView, Choice, Desk, Event, OnePress, Question, Session,
    SourceId, SourceListing, SourceReport, Timestamp,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

static TEXTS: LazyLock<Arc<Texts>> = LazyLock::new(|| Arc::new(Texts::load("en")));

const BOT: UserId = UserId(1);
const SEAL: &str = "Ab3dE6gH1J";
/// The number of the person who is paired, Ada.
const ADA: i64 = 7;

pub(crate) fn telegram(data: &[u8]) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    let runtime = runtime.expect("a runtime");
    let _inside = runtime.enter();
    let mut chat = FuzzedChat::new();
    match api::answer::updates(data) {
        Some(updates) => updates.into_iter().for_each(|update| chat.hear(update)),
        None => chat.read(&String::from_utf8_lossy(data)),
    }
}

struct FuzzedChat {
    telegram: TelegramChannel,
    desk: Desk,
}

impl FuzzedChat {
    /// Makes a chat in which Ada is paired and is asked something.
    fn new() -> Self {
        let name = "Ada".into();
        let ada = PairedPerson {
            id: UserId(ADA),
            name,
            private: true,
        };
        let people = BTreeMap::from([(UserId(ADA), ada)]);
        let settings = TelegramSettings {
            address: (&TelegramConfig::default()).into(),
            seal: SEAL.into(),
            pairings: Pairings {
                people,
                ..Pairings::default()
            },
            one_press: OnePress::default(),
            silent_for: None,
            shared: false,
        };
        let never = std::future::pending();
        let (events, report) = (Sink::new(|_| {}), Sink::new(|_| {}));
        let telegram = super::start(settings, TEXTS.clone(), events, report, never);
        Self {
            telegram,
            desk: asked(),
        }
    }

    /// Hears an update. One that has a number is known by it, whatever else it says.
    fn hear(&mut self, update: Value) {
        let number = update.get("update_id").and_then(Value::as_u64);
        let number = number.filter(|number| u32::try_from(*number).is_ok());
        let shown = update.to_string();
        let heard = parse_update(update, BOT);
        if let Some(number) = number {
            let heard = heard.as_ref().map(|heard| heard.update);
            assert_eq!(heard, i64::try_from(number).ok(), "{shown}");
        }
        if let Some(heard) = heard {
            self.take(&heard);
        }
    }

    /// Reads any other text: as the data of a button, and as what somebody writes.
    fn read(&mut self, text: &str) {
        let _ = (BotCommand::parse(text, "some_bot"), start_code(text));
        for data in [text.to_owned(), format!("{SEAL}.{text}")] {
            if let Some((target, tap)) = button::read(&data, SEAL) {
                assert_eq!(button::data(SEAL, target, tap), data);
                assert!(data.len() <= 64, "{data}");
                assert_eq!(button::read_test(&data, SEAL), None, "{data}");
            }
            if let Some(sent) = button::read_test(&data, SEAL) {
                assert_eq!(button::test(SEAL, sent), data);
            }
            let query = "1".to_owned();
            self.say(UpdateContent::Tap {
                query,
                message: Some(5),
                accessible: true,
                data,
            });
        }
        let (relation, at) = (MessageRelation::Alone, clock::now());
        self.say(UpdateContent::Text {
            relation,
            text: text.into(),
            media: None,
            at,
            number: 0,
            end: TextEnd::Last,
        });
    }

    fn say(&mut self, what: UpdateContent) {
        for who in [ADA, ADA + 1] {
            let place = UpdatePlace {
                chat: ChatId(who),
                private: true,
                title: String::new(),
                topics: false,
                thread: None,
            };
            let from = Some(UpdateSender {
                id: UserId(who),
                name: "Ada".into(),
            });
            self.take(&IncomingUpdate {
                update: 1,
                anonymous: false,
                from,
                place,
                what: what.clone(),
            });
        }
    }

    /// Takes an update: only a paired person has a say, and says it once.
    fn take(&mut self, heard: &IncomingUpdate) {
        let is_ada = heard
            .from
            .as_ref()
            .is_some_and(|from| from.id == UserId(ADA));
        let now = clock::now();
        match self
            .telegram
            .dispatch(heard, ChannelView::of(&self.desk, now))
        {
            Reaction::Tell(event) => {
                assert!(is_ada, "a stranger: {heard:?}");
                let verdict = self.desk.handle(event, now).verdict;
                let view = ChannelView::of(&self.desk, now);
                self.telegram.reply(heard, verdict.as_ref(), view);
            }
            Reaction::Enter(_) | Reaction::Nothing => {}
        }
    }
}

/// Makes a desk with a question and a confirm.
fn asked() -> Desk {
    let choice = |label: &str| Choice {
        label: label.into(),
        ..Choice::default()
    };
    let question = Question {
        question: "Which one?".into(),
        choices: vec![choice("Red"), choice("Blue")],
        custom: true,
        ..Question::default()
    };
    let ask = |own: &str, kind| Ask {
        id: AskId::new("local", own),
        kind,
        session: Session {
            id: own.into(),
            ..Session::default()
        },
        call: None,
        asked_at: Timestamp(0),
    };
    let asks = vec![
        (ask("que_1", AskContent::Questions(vec![question])), true),
        (ask("con_1", AskContent::Confirm("Go on?".into())), true),
    ];
    let mut desk = Desk::default();
    let listed = SourceReport::Listed(SourceListing {
        asks,
        ..SourceListing::default()
    });
    desk.handle(
        Event::Source(SourceId("local".into()), listed),
        clock::now(),
    );
    desk
}
