//! A phone: a paired person with Telegram, against the strict fake of its server.

use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON, yes_or_no};
use beckon_support::beckon::{Beckon, Builder};
use beckon_support::eventually;
use beckon_support::replay::Kind;
use beckon_support::telegram::{
    Action, Alert, Call, ChatId, Message, Method, Outcome, TOKEN, Telegram, UserId,
};
use serde_json::{Value, json};

pub(crate) struct Phone {
    pub(crate) telegram: Telegram,
    pub(crate) user: UserId,
    pub(crate) chat: ChatId,
}

impl Phone {
    /// Starts a server with a person who has never written to the bot.
    pub(crate) fn new() -> Self {
        let telegram = Telegram::start();
        let user = telegram.user("Ada");
        Self {
            telegram,
            user,
            chat: user.into(),
        }
    }

    /// Returns the settings that lead to the server.
    pub(crate) fn config(&self) -> String {
        format!("[telegram]\napi_url = \"{}\"\n", self.telegram.url())
    }

    /// Gives the token to a program.
    pub(crate) fn knows_token(program: Builder) -> Builder {
        program.env("BECKON_TELEGRAM_TOKEN", TOKEN)
    }

    /// Opens the link that `beckon telegram pair` prints.
    pub(crate) async fn pair(&self, beckon: &Beckon) {
        self.pair_reading(beckon, "Paired with").await;
    }

    /// Pairs in a language in which the bot greets with these words.
    pub(crate) async fn pair_reading(&self, beckon: &Beckon, greeting: &str) {
        let code = pairing_code(beckon).await;
        self.telegram.start_link(self.user, &code);
        self.says(greeting).await;
    }

    /// Waits for a card with this text that takes an answer.
    pub(crate) async fn card(&self, text: &str) -> Message {
        let wanted = |message: &Message| {
            message.text.contains(text) && !message.keyboard().is_empty() && !is_list(message)
        };
        self.telegram.wait_for(self.chat, wanted, SOON).await
    }

    /// Waits for the card of a command once its call is completely known: a tap on an earlier one
    /// comes back.
    pub(crate) async fn card_of_call(&self, command: &str) -> Message {
        let is_told = |message: &Message| message.text.contains("description: Run a command");
        let wanted = |message: &Message| {
            message.text.contains(command) && is_told(message) && !is_list(message)
        };
        self.telegram.wait_for(self.chat, wanted, SOON).await
    }

    pub(crate) async fn says(&self, text: &str) -> Message {
        self.telegram
            .wait_for(self.chat, |message| message.text.contains(text), SOON)
            .await
    }

    /// Taps a button that the message has now or soon gets.
    pub(crate) async fn tap(&self, message: i64, label: &str) {
        eventually(&format!("a button {label}"), SOON, async || {
            let message = self.telegram.message(self.chat, message)?;
            message.button(label).map(drop)
        })
        .await;
        self.telegram.tap(self.user, self.chat, message, label);
    }

    /// Waits until the message shows this text.
    pub(crate) async fn shows(&self, message: i64, text: &str) -> Message {
        eventually(&format!("the card shows {text}"), SOON, async || {
            self.telegram
                .message(self.chat, message)
                .filter(|message| message.text.contains(text))
        })
        .await
    }

    /// Waits until the card's first line says how it ended, and it has no buttons.
    pub(crate) async fn ended(&self, message: i64, text: &str) -> Message {
        eventually(
            &format!("the card has ended with {text}"),
            SOON,
            async || {
                let message = self.telegram.message(self.chat, message)?;
                let first = message.text.lines().next().unwrap_or_default();
                (first.contains(text) && message.keyboard().is_empty()).then_some(message)
            },
        )
        .await
    }

    /// Waits for the message that asks for words.
    pub(crate) async fn prompt(&self) -> Message {
        self.telegram
            .wait_for(self.chat, Message::forces_reply, SOON)
            .await
    }

    /// Waits until a tap was answered with these words.
    pub(crate) async fn told(&self, text: &str) -> Alert {
        eventually(&format!("a tap is told {text}"), SOON, async || {
            let told = |alert: &Alert| alert.text.as_deref().unwrap_or_default().contains(text);
            self.telegram.alerts().into_iter().find(told)
        })
        .await
    }

    /// Waits for the answer to a tap; returns its words.
    pub(crate) async fn answer_to(&self, tap: &str) -> String {
        eventually("the tap is answered", SOON, async || {
            let alert = self
                .telegram
                .alerts()
                .into_iter()
                .find(|alert| alert.callback == tap)?;
            Some(alert.text.unwrap_or_default())
        })
        .await
    }

    /// Waits until a call of this method has met its scripted fault.
    pub(crate) async fn spoilt(&self, method: Method) -> Call {
        let spoilt = |call: &Call| matches!(call.outcome, Outcome::Spoilt(_));
        self.telegram
            .wait_call(|call| call.method == method && spoilt(call), SOON)
            .await
    }

    /// Waits until the card has the title of its session, after which it is not redrawn by itself.
    pub(crate) async fn settled_down(&self, message: i64) {
        self.shows(message, "A session").await;
    }

    /// Waits until the message is deleted.
    pub(crate) async fn gone(&self, message: i64) {
        eventually("the message goes", SOON, async || {
            self.telegram
                .message(self.chat, message)
                .is_none()
                .then_some(())
        })
        .await;
    }

    pub(crate) fn reply(&self, message: i64, text: &str) {
        self.telegram.reply(self.user, self.chat, message, text);
    }

    /// Returns the cards that wait for an answer.
    pub(crate) fn open_cards(&self) -> Vec<Message> {
        let mut messages = self.telegram.messages_with_buttons(self.chat);
        messages.retain(|message| !is_list(message));
        messages
    }

    /// Returns the lists of waiting asks in a chat; there should be one at most.
    pub(crate) fn lists(&self, chat: ChatId) -> Vec<Message> {
        let mut messages = self.telegram.messages(chat);
        messages.retain(|message| message.button("I'm here").is_some());
        messages
    }

    /// Waits for the one list of a chat with this text.
    pub(crate) async fn list(&self, chat: ChatId, text: &str) -> Message {
        let says =
            |message: &Message| message.button("I'm here").is_some() && message.text.contains(text);
        let list = self.telegram.wait_for(chat, says, 2 * SOON);
        let Ok(list) = tokio::time::timeout(SOON, list).await else {
            panic!("no list says {text}: {:?}", self.telegram.messages(chat));
        };
        assert_eq!(self.lists(chat).len(), 1, "never more than one");
        list
    }

    /// Waits until every tap is answered.
    pub(crate) async fn taps_answered(&self) {
        eventually("every tap is answered", SOON, async || {
            self.telegram.unanswered_taps().is_empty().then_some(())
        })
        .await;
    }

    /// Returns how often the bot has sent a message with this text.
    pub(crate) fn sent(&self, text: &str) -> usize {
        let sends = self.telegram.calls_of(Method::SendMessage);
        sends
            .iter()
            .filter(|call| call.param("text").contains(text))
            .count()
    }

    /// Checks that nothing waits, that every tap was answered, and that Beckon kept to the rules.
    pub(crate) async fn nothing_left(&self) {
        eventually("no open card", SOON, async || {
            self.open_cards().is_empty().then_some(())
        })
        .await;
        eventually("nothing on the list", SOON, async || {
            self.lists(self.chat).is_empty().then_some(())
        })
        .await;
        self.taps_answered().await;
        assert_eq!(self.telegram.complaints(), Vec::<String>::new());
    }
}

/// A phone beside an imitated OpenCode. Nothing reports where the human is, so both places ring.
pub(crate) struct Outing {
    pub(crate) stage: Rehearsal,
    pub(crate) phone: Phone,
}

impl Outing {
    /// Starts everything, waits until it is ready, and pairs.
    pub(crate) async fn start() -> Self {
        Self::with("").await
    }

    /// Starts everything as [`start`](Self::start) does, with more settings.
    pub(crate) async fn with(more: &str) -> Self {
        Self::without_beckon(more).begun().await
    }

    async fn begun(self) -> Self {
        self.stage.beckon.start();
        self.stage.ready().await;
        self.phone.pair(&self.stage.beckon).await;
        self.phone.telegram.wait_polled(SOON).await;
        self
    }

    /// Starts everything as [`start`](Self::start) does, with a log that holds back nothing but
    /// secrets.
    pub(crate) async fn talkative() -> Self {
        let phone = Phone::new();
        let stage = Rehearsal::with(&phone.config(), |program| {
            Phone::knows_token(program).env("BECKON_LOG", "beckon=debug")
        });
        Self::of(stage, phone).begun().await
    }

    /// Returns the contents of the log files.
    pub(crate) fn log(&self) -> String {
        let files = std::fs::read_dir(self.stage.beckon.home().join("logs")).unwrap();
        files
            .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
            .collect()
    }

    /// Starts everything as [`start`](Self::start) does, with Telegram's limits in force for a time
    /// that is `times` times shorter.
    pub(crate) async fn hurried(times: u32) -> Self {
        let phone = Phone::new();
        phone.telegram.hurry_rates(times);
        let stage = Rehearsal::with(&phone.config(), |program| {
            Phone::knows_token(program).env("BECKON_TEST_TELEGRAM_TIMES", times.to_string())
        });
        Self::of(stage, phone).begun().await
    }

    /// Starts everything but Beckon.
    pub(crate) fn without_beckon(more: &str) -> Self {
        let phone = Phone::new();
        let stage = Rehearsal::with(&format!("{}{more}", phone.config()), Phone::knows_token);
        Self::of(stage, phone)
    }

    /// Puts the two together. The session has no title, so that nothing has to be looked up: no
    /// edit but the test's own counts for the limits.
    pub(crate) fn of(stage: Rehearsal, phone: Phone) -> Self {
        stage.replay.amend_session(SESSION, &json!({ "title": "" }));
        Self { stage, phone }
    }

    /// Kills Beckon and starts it again.
    pub(crate) async fn restart(&self) {
        self.stage.beckon.kill9();
        self.stage.beckon.start();
        self.stage.ready().await;
        self.phone.telegram.wait_polled(SOON).await;
    }

    /// Asks `text`, Yes or No, as the agent, without waiting for a card.
    pub(crate) async fn begin(&self, id: &str, text: &str) {
        self.begin_with(yes_or_no(id, text)).await;
    }

    pub(crate) async fn begin_with(&self, request: Value) {
        self.stage
            .replay
            .ask(Kind::Question, DIRECTORY, request)
            .await;
    }

    /// Asks `text`, Yes or No, as the agent; returns the card once Beckon has noted where it is.
    pub(crate) async fn ask(&self, id: &str, text: &str) -> Message {
        self.ask_with(yes_or_no(id, text), text).await
    }

    /// Asks any questions, as the agent; returns the card once Beckon has noted where it is.
    pub(crate) async fn ask_with(&self, request: Value, text: &str) -> Message {
        let id = request["id"].as_str().unwrap().to_owned();
        self.begin_with(request).await;
        let card = self.phone.card(text).await;
        self.noted(&id, &format!("\"message\":{}", card.id)).await;
        self.noted_on_the_desktop(&id).await;
        card
    }

    /// Waits until Beckon's note about the card on Telegram contains `part`.
    pub(crate) async fn noted(&self, id: &str, part: &str) {
        self.noted_on("telegram", id, part).await;
    }

    /// Waits until Beckon has noted its notification, and so knows it again after a crash.
    pub(crate) async fn noted_on_the_desktop(&self, id: &str) {
        self.noted_on("desktop", id, "").await;
    }

    async fn noted_on(&self, channel: &str, id: &str, part: &str) {
        let database = self.stage.beckon.home().join("beckon.db");
        eventually(&format!("{part} is noted of {id}"), SOON, async || {
            let connection = rusqlite::Connection::open(&database).ok()?;
            let handle = "SELECT handle FROM cards WHERE channel = ?1 AND own = ?2";
            let handle: Option<String> = connection
                .query_row(handle, [channel, id], |row| row.get(0))
                .ok()?;
            handle?.contains(part).then_some(())
        })
        .await;
    }

    /// Waits until Beckon has noted the list, and so knows it again after a crash.
    pub(crate) async fn noted_list(&self, list: &Message) {
        let database = self.stage.beckon.home().join("beckon.db");
        eventually("the list is noted", SOON, async || {
            let connection = rusqlite::Connection::open(&database).ok()?;
            let count = "SELECT count(*) FROM telegram_lists WHERE message = ?1";
            let noted: i64 = connection
                .query_row(count, [list.id], |row| row.get(0))
                .ok()?;
            (noted == 1).then_some(())
        })
        .await;
    }

    /// Waits until no card is noted: none is still to be removed or kept for an ask that is over.
    pub(crate) async fn no_rows(&self) {
        let database = self.stage.beckon.home().join("beckon.db");
        eventually("no card is noted", SOON, async || {
            let connection = rusqlite::Connection::open(&database).ok()?;
            let rows = "SELECT count(*) FROM cards";
            let rows: i64 = connection.query_row(rows, [], |row| row.get(0)).ok()?;
            (rows == 0).then_some(())
        })
        .await;
    }

    /// Tells Beckon that the token has changed, so that it reads the new one at once.
    pub(crate) async fn reload(&self) {
        let endpoint = self.stage.beckon.endpoint().unwrap();
        let (url, token) = (
            endpoint["url"].as_str().unwrap(),
            endpoint["token"].as_str().unwrap(),
        );
        let reload = reqwest::Client::new().post(format!("{url}/telegram/reload"));
        let answer = reload.bearer_auth(token).send().await.unwrap();
        assert!(answer.status().is_success(), "{answer:?}");
    }

    /// Returns `channels.telegram` of the status.
    pub(crate) async fn status(&self) -> Value {
        self.stage.beckon.status().await["channels"]["telegram"].clone()
    }

    /// Waits until Telegram is `works` or `down`, with a reason that contains `part`.
    pub(crate) async fn wait_status(&self, state: &str, part: &str) -> Value {
        eventually(&format!("Telegram is {state}: {part}"), SOON, async || {
            let status = self.status().await;
            let told = status["error"].as_str().unwrap_or_default().contains(part);
            (status["state"] == state && told).then_some(status)
        })
        .await
    }

    /// Waits until this many updates of unpaired people were ignored.
    pub(crate) async fn wait_ignored(&self, count: u64) {
        eventually(&format!("{count} ignored updates"), SOON, async || {
            (self.status().await["ignored"] == count).then_some(())
        })
        .await;
    }

    /// Checks that nothing is open, shown or waiting anywhere, and that Beckon kept to all rules.
    pub(crate) async fn nothing_left(&self) {
        self.stage.nothing_left().await;
        self.phone.nothing_left().await;
        self.no_rows().await;
    }
}

/// Tells whether the message is the list of all that waits, or an answer to `/pending`.
pub(crate) fn is_list(message: &Message) -> bool {
    message.text.starts_with("🔔") && message.text.contains(" waiting")
}

/// Waits for a message with this text in another person's chat, or in a group.
pub(crate) async fn message(telegram: &Telegram, chat: ChatId, text: &str) -> Message {
    telegram
        .wait_for(chat, |message| message.text.contains(text), SOON)
        .await
}

/// Waits until that message has its last line and no buttons.
pub(crate) async fn ended_in(telegram: &Telegram, chat: ChatId, message: i64, text: &str) {
    eventually(&format!("it ends with {text}"), SOON, async || {
        let message = telegram.message(chat, message)?;
        (message.text.contains(text) && message.keyboard().is_empty()).then_some(())
    })
    .await;
}

/// Makes questions with these texts, each with the choices A and B.
pub(crate) fn set(id: &str, texts: &[&str]) -> Value {
    let options = json!([{ "label": "A", "description": "" }, { "label": "B", "description": "" }]);
    let question = |text: &&str| json!({ "question": text, "header": "H", "options": options });
    json!({ "id": id, "sessionID": SESSION, "questions": texts.iter().map(question).collect::<Vec<_>>() })
}

/// Returns the data that the button with that label sends.
pub(crate) fn data(card: &Message, label: &str) -> String {
    match &card.button(label).unwrap().action {
        Action::Callback(data) => data.clone(),
        other => panic!("no callback: {other:?}"),
    }
}

/// Waits until the bot is known; returns the code of a new pairing.
pub(crate) async fn pairing_code(beckon: &Beckon) -> String {
    eventually("a pairing code", SOON, async || {
        let paired = beckon.command(&["telegram", "pair", "--json"]).await;
        if paired.status != Some(0) {
            return None;
        }
        paired.json()["code"].as_str().map(str::to_owned)
    })
    .await
}
