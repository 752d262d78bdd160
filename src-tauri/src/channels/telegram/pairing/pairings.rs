//! The facts that Beckon remembers of Telegram between runs: who may answer, where cards go, and
//! how far the updates were read. Plain data: the channel decides by it, the store keeps it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A chat's id, as Telegram numbers them; groups are negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChatId(pub i64);

/// A person's id, as Telegram numbers them. It is also the id of their private chat with the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UserId(pub i64);

/// A person who may answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedPerson {
    /// The person's id.
    pub id: UserId,
    /// The person's name, as they have chosen it.
    pub name: String,
    /// Whether they opened the bot themselves: it may write to them.
    pub private: bool,
}

/// A group where cards go. Only paired people answer there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedGroup {
    /// The chat's id.
    pub chat: ChatId,
    /// The group's title.
    pub title: String,
    /// Whether the group has topics.
    pub topics: bool,
}

/// The place up to which a bot's updates were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOffset {
    /// The bot whose updates these are.
    pub bot: UserId,
    /// The server: another server of the Bot API has other numbers. `None` when it was not noted.
    pub address: Option<String>,
    /// The offset to go on with.
    pub next: i64,
}

/// All that is remembered of Telegram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairings {
    /// The place up to which the updates were read.
    pub read: Option<ReadOffset>,
    /// The paired people.
    pub people: BTreeMap<UserId, PairedPerson>,
    /// The paired group.
    pub group: Option<PairedGroup>,
    /// The topic of each project in the group.
    pub topics: BTreeMap<String, i32>,
    /// The message in each chat that is the list of all that waits.
    pub lists: BTreeMap<ChatId, i32>,
}

/// A change of [`Pairings`], to be committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairingChange {
    /// The updates are read up to there.
    Read(ReadOffset),
    /// The person is paired, or more is known of them.
    Person(PairedPerson),
    /// No longer paired.
    NoPerson(UserId),
    /// The group is this one now, or there is none. The topics of another group are void.
    Group(Option<PairedGroup>),
    /// A project's topic, or that it has none.
    Topic(String, Option<i32>),
    /// A chat's list is in that message, or there is none.
    List(ChatId, Option<i32>),
}

impl ReadOffset {
    /// Returns the offset for that bot at that server; `None` when it is of another bot or server.
    pub fn offset(&self, bot: UserId, address: &str) -> Option<i64> {
        let there = self.address.as_deref().is_none_or(|read| read == address);
        (self.bot == bot && there).then_some(self.next)
    }
}

impl Pairings {
    /// Takes a change over.
    pub fn apply(&mut self, change: &PairingChange) {
        match change.clone() {
            PairingChange::Read(read) => self.read = Some(read),
            PairingChange::Person(person) => _ = self.people.insert(person.id, person),
            PairingChange::NoPerson(id) => _ = self.people.remove(&id),
            PairingChange::Group(group) => {
                if self.group.as_ref().map(|g| g.chat) != group.as_ref().map(|g| g.chat) {
                    self.topics.clear();
                }
                self.group = group;
            }
            PairingChange::Topic(project, Some(thread)) => _ = self.topics.insert(project, thread),
            PairingChange::Topic(project, None) => _ = self.topics.remove(&project),
            PairingChange::List(chat, Some(message)) => _ = self.lists.insert(chat, message),
            PairingChange::List(chat, None) => _ = self.lists.remove(&chat),
        }
    }

    /// Returns the chats that cards go to; a group in which nobody may answer is not among them.
    pub fn chats(&self) -> Vec<ChatId> {
        let private = self.people.values().filter(|person| person.private);
        let group = self.group.iter().filter(|_| !self.people.is_empty());
        private
            .map(|person| ChatId(person.id.0))
            .chain(group.map(|group| group.chat))
            .collect()
    }

    /// Returns the change that the bot may write to a person, if they were paired in the group and
    /// write to the bot alone for the first time.
    pub fn opened_by(&self, user: UserId, chat: ChatId) -> Option<PairingChange> {
        let person = self.people.get(&user)?;
        let is_new = chat.0 == user.0 && !person.private;
        is_new.then(|| {
            PairingChange::Person(PairedPerson {
                private: true,
                ..person.clone()
            })
        })
    }

    /// Returns the change of the group's title or topics, if they differ from what is known.
    pub fn renamed(&self, chat: ChatId, title: &str, topics: bool) -> Option<PairingChange> {
        let group = self.group.as_ref().filter(|group| group.chat == chat)?;
        let is_new = (group.title.as_str(), group.topics) != (title, topics);
        is_new.then(|| {
            PairingChange::Group(Some(PairedGroup {
                chat,
                title: title.to_owned(),
                topics,
            }))
        })
    }

    /// Whether that person may answer in that chat. Only paired people may, in their private chat
    /// with the bot or in the paired group.
    pub fn admits(&self, user: UserId, chat: ChatId) -> bool {
        let group = self.group.as_ref().is_some_and(|group| group.chat == chat);
        self.people.contains_key(&user) && (chat.0 == user.0 || group)
    }
}
