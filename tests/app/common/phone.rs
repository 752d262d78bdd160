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
    /// A server and a person who has never spoken with the bot.
    pub(crate) fn new() -> Self {
        let telegram = Telegram::start();
        let user = telegram.user("Ada");
        Self {
            telegram,
            user,
            chat: user.into(),
        }
    }

    /// The settings that lead there.
    pub(crate) fn config(&self) -> String {
        format!("[telegram]\napi_url = \"{}\"\n", self.telegram.url())
    }

    /// A program that has the token.
    pub(crate) fn knows_token(program: Builder) -> Builder {
        program.env("BECKON_TELEGRAM_TOKEN", TOKEN)
    }

    /// Opens the link that `beckon telegram pair` prints.
    pub(crate) async fn pair(&self, beckon: &Beckon) {
        self.pair_reading(beckon, "Paired with").await;
    }

    /// The same in a language in which the bot greets so.
    pub(crate) async fn pair_reading(&self, beckon: &Beckon, greeting: &str) {
        let code = pairing_code(beckon).await;
        self.telegram.start_link(self.user, &code);
        self.says(greeting).await;
    }

    /// A card that waits for an answer.
    pub(crate) async fn card(&self, text: &str) -> Message {
        let wanted = |message: &Message| {
            message.text.contains(text) && !message.keyboard().is_empty() && !is_list(message)
        };
        self.telegram.wait_for(self.chat, wanted, SOON).await
    }

    /// The card of a command, once all is known of its call: a tap on one from before comes back.
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

    /// Taps a button that the message has now or will have in a moment.
    pub(crate) async fn tap(&self, message: i64, label: &str) {
        eventually(&format!("a button {label}"), SOON, async || {
            let message = self.telegram.message(self.chat, message)?;
            message.button(label).map(drop)
        })
        .await;
        self.telegram.tap(self.user, self.chat, message, label);
    }

    /// The message shows this now.
    pub(crate) async fn shows(&self, message: i64, text: &str) -> Message {
        eventually(&format!("the card shows {text}"), SOON, async || {
            self.telegram
                .message(self.chat, message)
                .filter(|message| message.text.contains(text))
        })
        .await
    }

    /// The card says in its first line how it ended, and has no buttons.
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

    /// The message that asks for words.
    pub(crate) async fn prompt(&self) -> Message {
        self.telegram
            .wait_for(self.chat, Message::forces_reply, SOON)
            .await
    }

    /// A tap was answered with these words.
    pub(crate) async fn told(&self, text: &str) -> Alert {
        eventually(&format!("a tap is told {text}"), SOON, async || {
            let told = |alert: &Alert| alert.text.as_deref().unwrap_or_default().contains(text);
            self.telegram.alerts().into_iter().find(told)
        })
        .await
    }

    /// With what a tap was answered.
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

    /// Such a call has met its fault.
    pub(crate) async fn spoilt(&self, method: Method) -> Call {
        let spoilt = |call: &Call| matches!(call.outcome, Outcome::Spoilt(_));
        self.telegram
            .wait_call(|call| call.method == method && spoilt(call), SOON)
            .await
    }

    /// The title of the session stands on the card: it is not redrawn any more by itself.
    pub(crate) async fn settled_down(&self, message: i64) {
        self.shows(message, "A session").await;
    }

    /// The message was deleted.
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

    /// Cards that wait for an answer.
    pub(crate) fn open_cards(&self) -> Vec<Message> {
        let mut messages = self.telegram.messages_with_buttons(self.chat);
        messages.retain(|message| !is_list(message));
        messages
    }

    /// The lists of what waits that stand; there is to be one at most.
    pub(crate) fn lists(&self, chat: ChatId) -> Vec<Message> {
        let mut messages = self.telegram.messages(chat);
        messages.retain(|message| message.button("I'm here").is_some());
        messages
    }

    /// The one list of a chat, which says this.
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

    /// No button waits any more.
    pub(crate) async fn taps_answered(&self) {
        eventually("every tap is answered", SOON, async || {
            self.telegram.unanswered_taps().is_empty().then_some(())
        })
        .await;
    }

    /// How often the bot has sent a message with this text.
    pub(crate) fn sent(&self, text: &str) -> usize {
        let sends = self.telegram.calls_of(Method::SendMessage);
        sends
            .iter()
            .filter(|call| call.param("text").contains(text))
            .count()
    }

    /// Nothing waits, every tap was answered, and Beckon kept to the rules.
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

/// The phone beside an imitated OpenCode. Nothing tells where the human is, so that both places ring.
pub(crate) struct Outing {
    pub(crate) stage: Rehearsal,
    pub(crate) phone: Phone,
}

impl Outing {
    /// Everything started, ready and paired.
    pub(crate) async fn start() -> Self {
        Self::with("").await
    }

    /// The same, with more settings.
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

    /// The same, with a log that holds back nothing but secrets.
    pub(crate) async fn talkative() -> Self {
        let phone = Phone::new();
        let stage = Rehearsal::with(&phone.config(), |program| {
            Phone::knows_token(program).env("BECKON_LOG", "beckon=debug")
        });
        Self::of(stage, phone).begun().await
    }

    /// What stands in the log files.
    pub(crate) fn log(&self) -> String {
        let files = std::fs::read_dir(self.stage.beckon.home().join("logs")).unwrap();
        files
            .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
            .collect()
    }

    /// The same where Telegram's limits hold for so many times shorter a time.
    pub(crate) async fn hurried(times: u32) -> Self {
        let phone = Phone::new();
        phone.telegram.hurry_rates(times);
        let stage = Rehearsal::with(&phone.config(), |program| {
            Phone::knows_token(program).env("BECKON_TEST_TELEGRAM_TIMES", times.to_string())
        });
        Self::of(stage, phone).begun().await
    }

    /// Everything but Beckon started.
    pub(crate) fn without_beckon(more: &str) -> Self {
        let phone = Phone::new();
        let stage = Rehearsal::with(&format!("{}{more}", phone.config()), Phone::knows_token);
        Self::of(stage, phone)
    }

    /// A session without a title leaves nothing to be found out: no edit that is not the test's own
    /// counts for the limits.
    pub(crate) fn of(stage: Rehearsal, phone: Phone) -> Self {
        stage.replay.amend_session(SESSION, &json!({ "title": "" }));
        Self { stage, phone }
    }

    /// Beckon is killed and started again.
    pub(crate) async fn restart(&self) {
        self.stage.beckon.kill9();
        self.stage.beckon.start();
        self.stage.ready().await;
        self.phone.telegram.wait_polled(SOON).await;
    }

    /// The agent asks `text`, Yes or No; nobody waits for a card.
    pub(crate) async fn begin(&self, id: &str, text: &str) {
        self.begin_with(yes_or_no(id, text)).await;
    }

    pub(crate) async fn begin_with(&self, request: Value) {
        self.stage
            .replay
            .ask(Kind::Question, DIRECTORY, request)
            .await;
    }

    /// The agent asks `text`, Yes or No: the card, of which Beckon has noted where it is.
    pub(crate) async fn ask(&self, id: &str, text: &str) -> Message {
        self.ask_with(yes_or_no(id, text), text).await
    }

    /// The same with any questions.
    pub(crate) async fn ask_with(&self, request: Value, text: &str) -> Message {
        let id = request["id"].as_str().unwrap().to_owned();
        self.begin_with(request).await;
        let card = self.phone.card(text).await;
        self.noted(&id, &format!("\"message\":{}", card.id)).await;
        self.noted_on_the_desktop(&id).await;
        card
    }

    /// What Beckon has written down of the card on Telegram holds this.
    pub(crate) async fn noted(&self, id: &str, part: &str) {
        self.noted_on("telegram", id, part).await;
    }

    /// Beckon knows its notification again after a crash.
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

    /// No card is to be taken away any more, and none is kept for one that is over.
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

    /// The token is another: looks at it at once.
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

    /// `channels.telegram` of the status.
    pub(crate) async fn status(&self) -> Value {
        self.stage.beckon.status().await["channels"]["telegram"].clone()
    }

    /// Waits until Telegram is `works` or `down`, for a reason that says `part`.
    pub(crate) async fn wait_status(&self, state: &str, part: &str) -> Value {
        eventually(&format!("Telegram is {state}: {part}"), SOON, async || {
            let status = self.status().await;
            let told = status["error"].as_str().unwrap_or_default().contains(part);
            (status["state"] == state && told).then_some(status)
        })
        .await
    }

    /// Waits until so many updates of people who have no say were passed over.
    pub(crate) async fn wait_ignored(&self, count: u64) {
        eventually(&format!("{count} ignored updates"), SOON, async || {
            (self.status().await["ignored"] == count).then_some(())
        })
        .await;
    }

    /// Nothing is open, stands or waits anywhere, and Beckon kept to all rules.
    pub(crate) async fn nothing_left(&self) {
        self.stage.nothing_left().await;
        self.phone.nothing_left().await;
        self.no_rows().await;
    }
}

/// The list of all that waits, or an answer to `/pending`.
pub(crate) fn is_list(message: &Message) -> bool {
    message.text.starts_with("🔔") && message.text.contains(" waiting")
}

/// A message of somebody else's, or in a group.
pub(crate) async fn message(telegram: &Telegram, chat: ChatId, text: &str) -> Message {
    telegram
        .wait_for(chat, |message| message.text.contains(text), SOON)
        .await
}

/// Such a message has its last line and no buttons.
pub(crate) async fn ended_in(telegram: &Telegram, chat: ChatId, message: i64, text: &str) {
    eventually(&format!("it ends with {text}"), SOON, async || {
        let message = telegram.message(chat, message)?;
        (message.text.contains(text) && message.keyboard().is_empty()).then_some(())
    })
    .await;
}

/// Questions of these texts, each with the choices A and B.
pub(crate) fn set(id: &str, texts: &[&str]) -> Value {
    let options = json!([{ "label": "A", "description": "" }, { "label": "B", "description": "" }]);
    let question = |text: &&str| json!({ "question": text, "header": "H", "options": options });
    json!({ "id": id, "sessionID": SESSION, "questions": texts.iter().map(question).collect::<Vec<_>>() })
}

/// What a button of that label carries.
pub(crate) fn data(card: &Message, label: &str) -> String {
    match &card.button(label).unwrap().action {
        Action::Callback(data) => data.clone(),
        other => panic!("no callback: {other:?}"),
    }
}

/// The code of a new pairing, once the bot is known.
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
