//! The people, chats and messages in their present state, and the rules for who may write where.
//! Their JSON is in `shapes.rs`, what people do is in `people.rs`.

use std::collections::{BTreeMap, BTreeSet};

use super::html::{Entity, EntityKind};
use super::markup::{Button, Markup};
use super::refusal::Refusal;

/// A person, or the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UserId(pub i64);

/// The number of a chat. A person's chat with the bot has the person's number; groups have negative
/// ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChatId(pub i64);

impl From<UserId> for ChatId {
    fn from(user: UserId) -> ChatId {
        ChatId(user.0)
    }
}

/// A file in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The file's name.
    pub name: String,
    /// The file's contents.
    pub bytes: Vec<u8>,
}

/// A message as it stands now.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The message's number, as `message_id`.
    pub id: i64,
    /// The chat that it is in.
    pub chat: ChatId,
    /// The author.
    pub from: UserId,
    /// Whether the bot is the author.
    pub from_bot: bool,
    /// The text that a reader sees: that of the message, or a document's caption.
    pub text: String,
    /// The text with its markup, as it was sent; plain text escaped.
    pub html: String,
    /// The stretches of the text that are shown in another way.
    pub entities: Vec<Entity>,
    /// The buttons, or the request for a reply.
    pub markup: Markup,
    /// The message that it answers.
    pub reply_to: Option<i64>,
    /// The topic that it is in.
    pub thread: Option<i64>,
    /// Whether it came without a sound.
    pub silent: bool,
    /// The file that it carries.
    pub document: Option<Document>,
    /// The number of edits.
    pub edits: u32,
    /// The bot's reactions to it.
    pub reactions: Vec<String>,
    /// The time of writing, in seconds since 1970 by the clock of the imitation.
    pub date: i64,
    /// The time of the last edit.
    pub edited: Option<i64>,
    /// The time at which the chat's timer deletes it.
    pub(super) expires: Option<i64>,
    /// The field that makes it a service message, with its value.
    pub(super) service: Option<(&'static str, serde_json::Value)>,
    /// Whether the text is the caption of a picture or voice in `more`.
    pub(super) is_media: bool,
    /// Further fields, as the Bot API shows them.
    pub(super) more: serde_json::Map<String, serde_json::Value>,
}

impl Message {
    /// Returns the rows of buttons; empty if the message has none.
    pub fn keyboard(&self) -> &[Vec<Button>] {
        match &self.markup {
            Markup::Keyboard(rows) => rows,
            _ => &[],
        }
    }

    /// Returns the labels of the buttons, row by row.
    pub fn labels(&self) -> Vec<Vec<&str>> {
        let rows = self.keyboard().iter();
        rows.map(|row| row.iter().map(|button| button.label.as_str()).collect())
            .collect()
    }

    /// Returns the button with that label.
    pub fn button(&self, label: &str) -> Option<&Button> {
        self.keyboard()
            .iter()
            .flatten()
            .find(|button| button.label == label)
    }

    /// Returns the grey text of the reply box that the message opens.
    pub fn placeholder(&self) -> Option<&str> {
        match &self.markup {
            Markup::ForceReply { placeholder, .. } => placeholder.as_deref(),
            _ => None,
        }
    }

    /// Tells whether the message opens the reply box of that person
    /// (<https://core.telegram.org/bots/api#forcereply>). It does so for everybody, unless it is
    /// selective; a selective one opens it only for those whom it mentions. The author of the
    /// answered message, whom Telegram includes, is not considered here: when the bot answers
    /// itself, that is the bot.
    pub fn forces_reply_of(&self, user: UserId) -> bool {
        let Markup::ForceReply { selective, .. } = self.markup else {
            return false;
        };
        let mention = format!("tg://user?id={}", user.0);
        let is_mention = |entity: &Entity| matches!(&entity.kind, EntityKind::TextLink { url } if *url == mention);
        !selective || self.entities.iter().any(is_mention)
    }

    /// Tells whether the message opens a reply box.
    pub fn forces_reply(&self) -> bool {
        matches!(self.markup, Markup::ForceReply { .. })
    }
}

/// A person as Telegram knows them.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub(super) id: UserId,
    pub(super) name: String,
    pub(super) username: String,
}

/// The kinds of chats: <https://core.telegram.org/bots/api#chat>.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Private,
    Group,
    Supergroup,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Private => "private",
            Kind::Group => "group",
            Kind::Supergroup => "supergroup",
        }
    }
}

/// The bot's permission to write in a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Door {
    Open,
    /// A private chat that its person has not started.
    NeverOpened,
    /// The person has blocked the bot, or the group has removed it.
    Shut,
    /// The group has become this supergroup.
    Migrated(ChatId),
}

#[derive(Clone, Debug)]
pub(super) struct Chat {
    pub(super) id: ChatId,
    pub(super) kind: Kind,
    pub(super) members: BTreeSet<UserId>,
    pub(super) door: Door,
    pub(super) has_topics: bool,
    /// Whether the bot sees only the messages meant for it.
    pub(super) privacy_mode: bool,
    /// Whether the bot is an administrator with the right to pin.
    pub(super) may_pin: bool,
    /// The messages that are pinned, in the order in which they were pinned.
    pub(super) pinned: Vec<i64>,
    pub(super) topics: BTreeMap<i64, String>,
    /// The topics that are closed; `None` is General.
    pub(super) closed: BTreeSet<Option<i64>>,
    pub(super) log: BTreeMap<i64, Message>,
    /// The age in seconds at which messages written from now on are deleted.
    pub(super) auto_delete: Option<i64>,
    last_message: i64,
}

impl Chat {
    pub(super) fn new(id: ChatId, kind: Kind, members: &[UserId]) -> Chat {
        Chat {
            id,
            kind,
            members: members.iter().copied().collect(),
            door: Door::Open,
            has_topics: false,
            privacy_mode: true,
            may_pin: false,
            pinned: Vec::new(),
            topics: BTreeMap::new(),
            closed: BTreeSet::new(),
            log: BTreeMap::new(),
            auto_delete: None,
            last_message: 0,
        }
    }

    /// Checks that the bot may write here now.
    pub(super) fn admit(&self) -> Result<(), Refusal> {
        match (self.door, self.kind) {
            (Door::Open, _) => Ok(()),
            (Door::NeverOpened, _) => Err(Refusal::forbidden(
                "bot can't initiate conversation with a user",
            )),
            (Door::Shut, Kind::Private) => Err(Refusal::forbidden("bot was blocked by the user")),
            (Door::Shut, Kind::Group) => {
                Err(Refusal::forbidden("bot was kicked from the group chat"))
            }
            (Door::Shut, Kind::Supergroup) => Err(Refusal::forbidden(
                "bot was kicked from the supergroup chat",
            )),
            (Door::Migrated(to), _) => Err(Refusal::migrated(to.0)),
        }
    }

    /// Checks that the topic exists; `None` stands for no topic and always passes.
    pub(super) fn topic(&self, thread: Option<i64>) -> Result<Option<i64>, Refusal> {
        match thread {
            Some(thread) if !self.topics.contains_key(&thread) => {
                Err(Refusal::bad_request("message thread not found"))
            }
            known => Ok(known),
        }
    }

    /// Checks that a person without rights may write in a topic. `TOPIC_CLOSED`: "This topic was
    /// closed, you can't send messages to it anymore"
    /// (<https://core.telegram.org/method/messages.sendMessage>).
    pub(super) fn admit_to(&self, thread: Option<i64>) -> Result<(), Refusal> {
        if self.has_topics && self.closed.contains(&thread) {
            return Err(Refusal::bad_request("TOPIC_CLOSED"));
        }
        Ok(())
    }
}

/// All people and chats.
#[derive(Debug)]
pub(super) struct Chats {
    pub(super) people: BTreeMap<UserId, Person>,
    pub(super) chats: BTreeMap<ChatId, Chat>,
    /// The last message number of private chats and small groups, which count together; each
    /// supergroup counts for itself.
    last_message: i64,
    last_group: i64,
}

/// The number of the bot itself, as in its token.
pub(super) const BOT: UserId = UserId(7_000_000_001);
/// The account that stands in for an anonymous administrator.
pub(super) const ANONYMOUS: UserId = UserId(1_087_968_824);
/// The number of the first person; longer than 32 bits, as real ones are.
const FIRST_PERSON: i64 = 7_300_000_001;

impl Default for Chats {
    fn default() -> Chats {
        Chats {
            people: BTreeMap::new(),
            chats: BTreeMap::new(),
            last_message: 100,
            last_group: 0,
        }
    }
}

impl Chats {
    pub(super) fn add_person(&mut self, name: &str) -> UserId {
        let id = UserId(FIRST_PERSON + i64::try_from(self.people.len()).unwrap());
        let username = format!(
            "{}_{}",
            name.to_lowercase().replace(' ', "_"),
            self.people.len()
        );
        self.people.insert(
            id,
            Person {
                id,
                name: name.to_owned(),
                username,
            },
        );
        let mut chat = Chat::new(id.into(), Kind::Private, &[id]);
        chat.door = Door::NeverOpened;
        self.chats.insert(chat.id, chat);
        id
    }

    pub(super) fn add_group(&mut self, kind: Kind, members: &[UserId]) -> &mut Chat {
        self.last_group += 1;
        let id = match kind {
            Kind::Supergroup => ChatId(-1_002_000_000_000 - self.last_group),
            Kind::Private | Kind::Group => ChatId(-4_000_000_000 - self.last_group),
        };
        self.chats
            .entry(id)
            .or_insert_with(|| Chat::new(id, kind, members))
    }

    pub(super) fn get(&self, id: ChatId) -> Result<&Chat, Refusal> {
        self.chats
            .get(&id)
            .ok_or_else(|| Refusal::bad_request("chat not found"))
    }

    pub(super) fn get_mut(&mut self, id: ChatId) -> Result<&mut Chat, Refusal> {
        self.chats
            .get_mut(&id)
            .ok_or_else(|| Refusal::bad_request("chat not found"))
    }

    /// Returns the chat, if the bot may write in it.
    pub(super) fn writable(&self, id: ChatId) -> Result<&Chat, Refusal> {
        let chat = self.get(id)?;
        chat.admit()?;
        Ok(chat)
    }

    /// Makes a message by `from` in `chat`, with the next number. It is not posted yet.
    pub(super) fn draft(&mut self, chat: ChatId, from: UserId, date: i64) -> Message {
        let auto_delete = self.chats.get(&chat).and_then(|chat| chat.auto_delete);
        let own = self
            .chats
            .get_mut(&chat)
            .filter(|chat| chat.kind == Kind::Supergroup);
        let counter = own.map_or(&mut self.last_message, |chat| &mut chat.last_message);
        *counter += 1;
        let id = *counter;
        Message {
            id,
            chat,
            from,
            from_bot: from == BOT,
            text: String::new(),
            html: String::new(),
            entities: Vec::new(),
            markup: Markup::None,
            reply_to: None,
            thread: None,
            silent: false,
            document: None,
            edits: 0,
            reactions: Vec::new(),
            date,
            edited: None,
            expires: auto_delete.map(|seconds| date + seconds),
            service: None,
            is_media: false,
            more: serde_json::Map::new(),
        }
    }

    /// Deletes the messages that the chats' timers delete by that date. The bot is not told.
    pub(super) fn delete_expired(&mut self, date: i64) {
        for chat in self.chats.values_mut() {
            let expired = |message: &Message| message.expires.is_some_and(|at| at <= date);
            chat.log.retain(|_, message| !expired(message));
            let log = &chat.log;
            chat.pinned.retain(|pinned| log.contains_key(pinned));
        }
    }

    /// Adds a message to its chat.
    pub(super) fn post(&mut self, message: Message) {
        let chat = self
            .chats
            .get_mut(&message.chat)
            .expect("a message of a known chat");
        chat.log.insert(message.id, message);
    }
}
