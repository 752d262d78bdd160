//! What an update says, as far as Beckon listens: words and taps, and who is there.
//!
//! Not here: how it is read (`parsing`), what follows from it, and whether its sender has any say.

use super::sent_text::SentText;
use crate::channels::telegram::pairing::pairings::{ChatId, UserId};
use beckon_core::Timestamp;

/// An update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncomingUpdate {
    /// Its number; each is handled once.
    pub update: i64,
    /// Who; `None` for what nobody in particular did.
    pub from: Option<UpdateSender>,
    /// An administrator wrote it in the group's name: which one, Telegram does not tell.
    pub anonymous: bool,
    /// Where.
    pub place: UpdatePlace,
    /// What.
    pub what: UpdateContent,
}

impl IncomingUpdate {
    /// Whether the same person did both in one chat.
    pub(super) fn is_of_same_place(&self, other: &Self) -> bool {
        let person = |update: &Self| update.from.as_ref().map(|from| from.id);
        person(self) == person(other) && self.place.chat == other.place.chat
    }
}

/// Who.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateSender {
    /// Their id.
    pub id: UserId,
    /// First and last name.
    pub name: String,
}

/// Where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdatePlace {
    /// The chat.
    pub chat: ChatId,
    /// A private chat with the bot.
    pub private: bool,
    /// A group's title.
    pub title: String,
    /// The group has topics.
    pub topics: bool,
    /// The topic, if it was in one.
    pub thread: Option<i32>,
}

/// A message of the bot, as a reply quotes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepliedMessage {
    /// Its number.
    pub message: i32,
    /// What the first of its buttons carries, if it has any.
    pub button: Option<String>,
}

/// What a message answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageRelation {
    /// Nothing: it stands by itself.
    Alone,
    /// A message of this bot.
    ToBot(RepliedMessage),
    /// A message of this bot in another topic or chat. What stood there when it was answered is not told
    /// (<https://core.telegram.org/bots/api#externalreplyinfo>): it answers no card.
    ToBotElsewhere,
    /// A message of somebody else or of another chat, or a story. It answers no card.
    Elsewhere,
    /// It is no word of the sender's own: it answers no card, and is no command
    /// (<https://github.com/link-assistant/hive-mind/issues/469>).
    Forwarded,
}

impl MessageRelation {
    /// Whether it answers a message of this bot.
    pub fn is_to_bot(&self) -> bool {
        matches!(self, Self::ToBot(_) | Self::ToBotElsewhere)
    }

    /// Whether the words may be for this bot.
    pub fn may_answer(&self) -> bool {
        !matches!(self, Self::Elsewhere | Self::Forwarded)
    }
}

/// A picture, a voice or the like, of which at most the caption can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaMessage {
    /// The album of which it is a part.
    pub album: Option<String>,
}

/// What.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpdateContent {
    /// Something that cannot be read. It is counted, and passed over.
    Unreadable,
    /// Somebody wrote.
    Text {
        /// What it answers.
        relation: MessageRelation,
        /// The words.
        text: SentText,
        /// What they are the caption of.
        media: Option<MediaMessage>,
        /// When, by Telegram's clock.
        at: Timestamp,
        /// The message's number in its chat; of joined parts that of the last one.
        number: i32,
        /// It may be the first part of a longer text.
        goes_on: bool,
    },
    /// Somebody changed what they had written.
    Edited {
        /// The message's number in its chat.
        number: i32,
        /// The words as they are now.
        text: String,
    },
    /// Somebody sent what has no words.
    Wordless {
        /// What it answers.
        relation: MessageRelation,
        /// What it is.
        media: MediaMessage,
    },
    /// Somebody tapped a button.
    Tap {
        /// To be answered with this.
        query: String,
        /// On that message, if it is still known.
        message: Option<i32>,
        /// It is there for the bot; otherwise deleted, or too old
        /// (<https://core.telegram.org/bots/api#inaccessiblemessage>).
        accessible: bool,
        /// What the button carries.
        data: String,
    },
    /// Somebody put the eyes on a message, or took them away.
    Eyes {
        /// Which.
        message: i32,
        /// They are there now.
        seen: bool,
    },
    /// The bot was blocked or thrown out.
    Barred,
    /// The bot may write there (again).
    Unbarred,
    /// The group goes on under that id.
    Moved(ChatId),
    /// The chat deletes each message so many seconds after it was written; 0 for never.
    Timer(u64),
    /// Nothing that matters.
    Nothing,
}
