//! The acts of people, which a test plays. Each act makes the update that the bot would get.

use std::time::Duration;

use serde_json::{Value, json};

use super::chats::{ANONYMOUS, BOT, ChatId, Document, Door, Kind, Message, UserId};
use super::html::{self, Entity, EntityKind, units};
use super::markup::Action;
use super::updates::{CALLBACK_AGE, MESSAGE_AGE};
use super::{Data, Tap, Telegram, USERNAME, shapes};

/// The options of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Whether the bot sees only commands, mentions and replies to itself. Off where it is
    /// administrator.
    pub privacy_mode: bool,
    /// Whether the group has topics, and therefore is a supergroup.
    pub topics: bool,
}

impl Default for Group {
    fn default() -> Group {
        Group {
            privacy_mode: true,
            topics: false,
        }
    }
}

/// The longest payload of a start link: <https://core.telegram.org/bots/features#deep-linking>.
const PAYLOAD_LIMIT: usize = 64;

impl Telegram {
    /// Adds a person who has never written to the bot.
    pub fn user(&self, name: &str) -> UserId {
        self.change(|data| data.chats.add_person(name))
    }

    /// Returns the private chat of a person who started the bot long ago.
    pub fn private(&self, user: UserId) -> ChatId {
        self.change(|data| data.chat(user.into()).door = Door::Open);
        user.into()
    }

    /// Adds a group with the bot and these people in it.
    pub fn group(&self, members: &[UserId], group: Group) -> ChatId {
        let kind = if group.topics {
            Kind::Supergroup
        } else {
            Kind::Group
        };
        self.change(|data| {
            let chat = data.chats.add_group(kind, members);
            chat.privacy_mode = group.privacy_mode;
            chat.has_topics = group.topics;
            chat.id
        })
    }

    /// Writes a text; returns the message's number.
    ///
    /// # Panics
    /// When the person is not in the chat, or has blocked the bot.
    pub fn text(&self, user: UserId, chat: ChatId, text: &str) -> i64 {
        self.write(user, chat, text, |_| {})
    }

    /// Writes a text as an anonymous administrator: in the group's name, by a stand-in account
    /// (<https://core.telegram.org/bots/api#message>, `sender_chat`).
    pub fn text_anonymously(
        &self,
        user: UserId,
        group: ChatId,
        reply_to: Option<i64>,
        text: &str,
    ) -> i64 {
        let chat = self.change(|data| shapes::chat(data, &data.chats.chats[&group]));
        self.write(user, group, text, |message| {
            message.from = ANONYMOUS;
            message.reply_to = reply_to;
            message.more.insert("sender_chat".to_owned(), chat);
        })
    }

    /// Writes a text in a topic.
    pub fn text_in(&self, user: UserId, chat: ChatId, thread: i64, text: &str) -> i64 {
        self.write(user, chat, text, |message| message.thread = Some(thread))
    }

    /// Answers a message.
    ///
    /// # Panics
    /// When there is no such message.
    pub fn reply(&self, user: UserId, chat: ChatId, to: i64, text: &str) -> i64 {
        let thread = self.change(|data| data.message(chat, to).thread);
        self.write(user, chat, text, |message| {
            message.reply_to = Some(to);
            message.thread = thread;
        })
    }

    /// Answers a message with a text for which the app has replaced the typed markup with entities.
    ///
    /// # Panics
    /// When there is no such message.
    pub fn reply_formatted(
        &self,
        user: UserId,
        (chat, to): (ChatId, i64),
        text: &str,
        entities: &[Entity],
    ) -> i64 {
        let thread = self.change(|data| data.message(chat, to).thread);
        self.write(user, chat, text, |message| {
            message.reply_to = Some(to);
            message.thread = thread;
            message.entities = entities.to_vec();
        })
    }

    /// Sends a command, with its slash: `/status`.
    ///
    /// # Panics
    /// When the slash is missing.
    pub fn command(&self, user: UserId, chat: ChatId, command: &str) -> i64 {
        assert!(
            command.starts_with('/'),
            "a command begins with a slash: {command}"
        );
        self.text(user, chat, command)
    }

    /// Sends a file with a caption.
    pub fn document(&self, user: UserId, chat: ChatId, file: Document, caption: &str) -> i64 {
        self.write(user, chat, caption, |message| message.document = Some(file))
    }

    /// Follows `t.me/<bot>?start=<payload>` and presses Start, which also lifts a block.
    ///
    /// # Panics
    /// When a start link could not carry that payload.
    pub fn start_link(&self, user: UserId, payload: &str) -> i64 {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let length = payload.len();
        let valid = (1..=PAYLOAD_LIMIT).contains(&length) && payload.chars().all(fits);
        assert!(valid, "no payload of a start link: {payload:?}");
        let blocked = self.change(|data| data.chat(user.into()).door == Door::Shut);
        if blocked {
            self.set_block(user, false);
        }
        self.private(user);
        self.text(user, user.into(), &format!("/start {payload}"))
    }

    /// Edits a message of the person's own.
    pub fn edit_text(&self, user: UserId, chat: ChatId, id: i64, text: &str) {
        self.change(|data| {
            let date = data.clock.date();
            let message = data.message(chat, id);
            assert!(message.from == user, "message {id} is not by {user:?}");
            message.edited = Some(date);
            message.edits += 1;
            set_text(message, text);
            let message = message.clone();
            data.tell_message("edited_message", &message);
        });
    }

    /// Taps the button with this label in the message's present keyboard; returns the query's id.
    ///
    /// # Panics
    /// When there is no such button, or it sends nothing to the bot.
    pub fn tap(&self, user: UserId, chat: ChatId, message: i64, label: &str) -> String {
        let data = self.change(|data| {
            data.expect_member(user, chat);
            let message = data.message(chat, message);
            let Some(button) = message.button(label) else {
                panic!("no button {label:?} among {:?}", message.labels());
            };
            let Action::Callback(data) = &button.action else {
                panic!("a tap on {label:?} sends nothing: {:?}", button.action);
            };
            data.clone()
        });
        self.tap_data(user, chat, message, &data)
    }

    /// Taps with any data as any person: on a button that is gone, or a forged one.
    pub fn tap_data(&self, user: UserId, chat: ChatId, message: i64, data: &str) -> String {
        self.change(|state| state.tap(user, chat, message, data))
    }

    /// Sets a reaction, or removes it. The bot is told in its own chat with that person. In groups
    /// only an administrator is told (<https://core.telegram.org/bots/api#update>), which the bot
    /// never is here.
    pub fn react(&self, user: UserId, chat: ChatId, message: i64, emoji: Option<&str>) {
        self.change(|data| {
            data.message(chat, message);
            let new = emoji.map(str::to_owned);
            let old = std::mem::replace(
                data.reactions.entry((chat, message, user)).or_default(),
                new,
            );
            let list = |emoji: Option<&String>| {
                emoji
                    .map(|emoji| json!({ "type": "emoji", "emoji": emoji }))
                    .into_iter()
                    .collect()
            };
            let (old, new): (Vec<_>, Vec<_>) = (
                list(old.as_ref()),
                list(data.reactions[&(chat, message, user)].as_ref()),
            );
            if old == new || data.chats.chats[&chat].kind != Kind::Private {
                return;
            }
            let body = json!({ "chat": shapes::chat(data, &data.chats.chats[&chat]),
                "message_id": message, "user": shapes::user(data, user),
                "date": data.clock.date(), "old_reaction": old, "new_reaction": new });
            data.tell("message_reaction", &body, MESSAGE_AGE);
        });
    }

    /// Makes an update of any other kind, with this body in the field `kind`.
    pub fn push_update(&self, kind: &str, body: &Value) {
        self.change(|data| data.tell(kind, body, MESSAGE_AGE));
    }

    /// Deletes a message for all. The bot is not told.
    pub fn delete_message(&self, chat: ChatId, message: i64) {
        self.change(|data| {
            let chat = data.chat(chat);
            chat.pinned.retain(|pinned| *pinned != message);
            chat.log.remove(&message);
        });
    }

    /// Makes a chat delete each message `after` it was written, from now on; `None` ends that. The
    /// bot is told of the timer in a service message
    /// (<https://core.telegram.org/bots/api#messageautodeletetimerchanged>), and of no deletion.
    pub fn set_auto_delete(&self, by: UserId, chat: ChatId, after: Option<Duration>) {
        self.change(|data| {
            let seconds = after.map(|after| i64::try_from(after.as_secs()).unwrap());
            data.chat(chat).auto_delete = seconds;
            let timer = json!({ "message_auto_delete_time": seconds.unwrap_or(0) });
            data.announce(by, chat, "message_auto_delete_timer_changed", timer);
        });
    }

    /// Makes the bot a group's administrator who may pin messages, or takes that right away.
    pub fn let_pin(&self, group: ChatId, allowed: bool) {
        self.change(|data| data.chat(group).may_pin = allowed);
    }

    /// Unpins a message for all. The bot is not told.
    pub fn unpin(&self, chat: ChatId, message: i64) {
        self.change(|data| data.chat(chat).pinned.retain(|pinned| *pinned != message));
    }

    /// Closes a topic, or General, so that only administrators can write there. A service message
    /// tells the bot (<https://core.telegram.org/bots/api#forumtopicclosed>).
    pub fn close_topic(&self, by: UserId, chat: ChatId, thread: Option<i64>) {
        self.change(|data| {
            data.chat(chat).closed.insert(thread);
            data.announce_in(by, chat, thread, ("forum_topic_closed", json!({})));
        });
    }

    /// Opens a closed topic again.
    pub fn reopen_topic(&self, by: UserId, chat: ChatId, thread: Option<i64>) {
        self.change(|data| {
            data.chat(chat).closed.remove(&thread);
            data.announce_in(by, chat, thread, ("forum_topic_reopened", json!({})));
        });
    }

    /// Deletes a topic with all of its messages.
    pub fn delete_topic(&self, chat: ChatId, thread: i64) {
        self.change(|data| {
            let chat = data.chat(chat);
            chat.topics.remove(&thread);
            chat.log.retain(|_, message| message.thread != Some(thread));
        });
    }

    /// Blocks the bot.
    pub fn block(&self, user: UserId) {
        self.set_block(user, true);
    }

    /// Lifts the block.
    pub fn unblock(&self, user: UserId) {
        self.set_block(user, false);
    }

    fn set_block(&self, user: UserId, blocked: bool) {
        self.shut(user, user.into(), blocked);
    }

    /// Removes the bot from a group.
    pub fn kick(&self, by: UserId, group: ChatId) {
        self.shut(by, group, true);
    }

    fn shut(&self, by: UserId, chat: ChatId, shut: bool) {
        let (was, is) = if shut {
            ("member", "kicked")
        } else {
            ("kicked", "member")
        };
        self.change(|data| {
            data.chat(chat).door = if shut { Door::Shut } else { Door::Open };
            let body = shapes::my_chat_member(data, &data.chats.chats[&chat], by, was, is);
            data.tell("my_chat_member", &body, MESSAGE_AGE);
        });
    }

    /// Turns a group into a supergroup; returns the supergroup's number, which is a new one.
    pub fn migrate(&self, group: ChatId) -> ChatId {
        self.change(|data| {
            let old = data.chat(group).clone();
            assert!(
                old.kind == Kind::Group,
                "only small groups migrate: {group:?}"
            );
            let members: Vec<UserId> = old.members.iter().copied().collect();
            let new = data.chats.add_group(Kind::Supergroup, &members);
            new.privacy_mode = old.privacy_mode;
            let new = new.id;
            data.chat(group).door = Door::Migrated(new);
            let by = members.first().copied().unwrap_or(BOT);
            data.announce(by, group, "migrate_to_chat_id", json!(new.0));
            data.announce(by, new, "migrate_from_chat_id", json!(group.0));
            new
        })
    }

    pub(super) fn write(
        &self,
        user: UserId,
        chat: ChatId,
        text: &str,
        fill: impl FnOnce(&mut Message),
    ) -> i64 {
        self.change(|data| {
            data.expect_member(user, chat);
            let mut message = data.chats.draft(chat, user, data.clock.date());
            set_text(&mut message, text);
            fill(&mut message);
            data.chats.post(message.clone());
            if data.is_visible(&message) {
                data.tell_message("message", &message);
            }
            message.id
        })
    }
}

fn set_text(message: &mut Message, text: &str) {
    message.text = text.to_owned();
    message.html = html::escape(text);
    message.entities = entities_of(text);
}

/// Tells whether Telegram takes a word behind a slash for a command: `/start@jobs_bot` is one
/// (<https://core.telegram.org/bots/api#messageentity>), of letters, digits and underscores
/// (<https://core.telegram.org/bots/features#commands>); a path is none.
fn is_command(word: &str) -> bool {
    let (name, bot) = word.split_once('@').unwrap_or((word, "some_bot"));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    [name, bot]
        .iter()
        .all(|part| !part.is_empty() && part.chars().all(is_plain))
}

/// Finds the commands and mentions in a person's text.
fn entities_of(text: &str) -> Vec<Entity> {
    let mut entities = Vec::new();
    let mut offset = 0;
    for word in text.split(char::is_whitespace) {
        let kind = match word.chars().next() {
            Some('/') if is_command(&word[1..]) => Some(EntityKind::BotCommand),
            Some('@') if word.len() > 1 => Some(EntityKind::Mention),
            _ => None,
        };
        let length = units(word);
        entities.extend(kind.map(|kind| Entity {
            kind,
            offset,
            length,
        }));
        // Every white space character is one UTF-16 unit.
        offset += length + 1;
    }
    entities
}

impl Data {
    fn chat(&mut self, id: ChatId) -> &mut super::chats::Chat {
        self.chats
            .chats
            .get_mut(&id)
            .unwrap_or_else(|| panic!("there is no chat {id:?}"))
    }

    fn message(&mut self, chat: ChatId, id: i64) -> &mut Message {
        let log = &mut self.chat(chat).log;
        log.get_mut(&id)
            .unwrap_or_else(|| panic!("there is no message {id} in {chat:?}"))
    }

    fn expect_member(&mut self, user: UserId, chat: ChatId) {
        let chat = self.chat(chat);
        assert!(
            chat.members.contains(&user),
            "{user:?} is not in {:?}",
            chat.id
        );
        if chat.door == Door::NeverOpened {
            chat.door = Door::Open;
        }
        assert!(
            chat.door == Door::Open,
            "nobody writes to the bot in {:?}: {:?}",
            chat.id,
            chat.door
        );
    }

    /// Tells whether the bot sees the message:
    /// <https://core.telegram.org/bots/features#privacy-mode>.
    fn is_visible(&self, message: &Message) -> bool {
        let chat = &self.chats.chats[&message.chat];
        if chat.kind == Kind::Private || !chat.privacy_mode {
            return true;
        }
        let original = message.reply_to.and_then(|id| chat.log.get(&id));
        let meant = format!("@{USERNAME}").to_lowercase();
        let mut words = message.text.split_whitespace().map(str::to_lowercase);
        let commanded = words.next().filter(|word| word.starts_with('/'));
        let for_other = |word: &String| word.contains('@') && !word.ends_with(&meant);
        original.is_some_and(|original| original.from_bot)
            || message.text.to_lowercase().contains(&meant)
            || commanded.is_some_and(|command| !for_other(&command))
    }

    fn tell(&mut self, kind: &str, body: &Value, age: Duration) {
        let expires = self.clock.now() + age;
        self.queue.push(kind, body, expires);
    }

    fn tell_message(&mut self, kind: &str, message: &Message) {
        let body = shapes::message(self, message);
        self.tell(kind, &body, MESSAGE_AGE);
    }

    /// Posts a service message, which everybody sees.
    fn announce(&mut self, by: UserId, chat: ChatId, field: &'static str, value: Value) {
        self.announce_in(by, chat, None, (field, value));
    }

    fn announce_in(
        &mut self,
        by: UserId,
        chat: ChatId,
        thread: Option<i64>,
        service: (&'static str, Value),
    ) {
        let draft = self.chats.draft(chat, by, self.clock.date());
        let message = Message {
            thread,
            service: Some(service),
            ..draft
        };
        self.chats.post(message.clone());
        self.tell_message("message", &message);
    }

    /// Makes the update of a tap, and returns its id:
    /// <https://core.telegram.org/bots/api#callbackquery>.
    fn tap(&mut self, user: UserId, chat: ChatId, message: i64, data: &str) -> String {
        let id = (4_000_000_000_000_000_000_u64 + self.taps.len() as u64).to_string();
        let at = self.clock.now();
        self.taps.insert(
            id.clone(),
            Tap {
                user,
                chat,
                message,
                at,
                answered: false,
            },
        );
        let chat = self.chat(chat).clone();
        let body = json!({ "id": id, "from": shapes::user(self, user),
            "message": shapes::maybe_inaccessible(self, &chat, message),
            "chat_instance": format!("{}", chat.id.0.wrapping_mul(31)), "data": data });
        self.tell("callback_query", &body, CALLBACK_AGE);
        id
    }
}
