//! The content of an update, as far as Beckon listens: words and taps, and who is there.
//!
//! Not here: how it is read (`parsing`), what follows from it, and whether its sender has any say.

use super::sent_text::SentText;
use crate::channels::telegram::pairing::pairings::{ChatId, UserId};
use beckon_core::Timestamp;

/// An update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncomingUpdate {
    /// The update's number; each is handled once.
    pub update: i64,
    /// The person; `None` where it is not known who it was.
    pub from: Option<UpdateSender>,
    /// Whether an administrator wrote it in the group's name: Telegram does not tell which one.
    pub anonymous: bool,
    /// The place where it happened.
    pub place: UpdatePlace,
    /// The act.
    pub what: UpdateContent,
}

impl IncomingUpdate {
    /// Whether the same person did both in one chat.
    pub(super) fn is_of_same_place(&self, other: &Self) -> bool {
        let person = |update: &Self| update.from.as_ref().map(|from| from.id);
        person(self) == person(other) && self.place.chat == other.place.chat
    }
}

/// The person who did something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateSender {
    /// Their id.
    pub id: UserId,
    /// First and last name.
    pub name: String,
}

/// The place where something was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdatePlace {
    /// The chat.
    pub chat: ChatId,
    /// Whether it is a private chat with the bot.
    pub private: bool,
    /// The group's title.
    pub title: String,
    /// Whether the group has topics.
    pub topics: bool,
    /// The topic, if it was in one.
    pub thread: Option<i32>,
}

/// A message of the bot, as a reply quotes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepliedMessage {
    /// The message's number.
    pub message: i32,
    /// The data of the first of its buttons, if it has any.
    pub button: Option<String>,
}

/// The message that a message answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageRelation {
    /// No message: it is by itself.
    Alone,
    /// A message of this bot.
    ToBot(RepliedMessage),
    /// A message of this bot in another topic or chat. Telegram does not tell what it showed when
    /// it was answered (<https://core.telegram.org/bots/api#externalreplyinfo>): it answers no
    /// card.
    ToBotElsewhere,
    /// A message of another person or bot, or of another chat, or a story. It answers no card.
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

/// The end of a text, by its length: whether more of it may be in the next message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextEnd {
    /// The text is too short to have been split.
    Last,
    /// The text may have been split at a break.
    MayGoOn,
    /// The text is nearly as long as a message can be, and most likely was split.
    LooksCut,
}

/// The content of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpdateContent {
    /// An update that cannot be read. It is counted, and passed over.
    Unreadable,
    /// A person wrote.
    Text {
        /// The message that the words answer.
        relation: MessageRelation,
        /// The words.
        text: SentText,
        /// The thing that the words are the caption of.
        media: Option<MediaMessage>,
        /// The time, by Telegram's clock.
        at: Timestamp,
        /// The message's number in its chat; of joined parts that of the last one.
        number: i32,
        /// The end of the words: Telegram's apps split a long text.
        end: TextEnd,
    },
    /// A person changed what they had written.
    Edited {
        /// The message's number in its chat.
        number: i32,
        /// The words as they are now.
        text: String,
    },
    /// A person sent something without words.
    Wordless {
        /// The message that it answers.
        relation: MessageRelation,
        /// The thing that was sent.
        media: MediaMessage,
    },
    /// A person tapped a button.
    Tap {
        /// The id with which the tap is answered.
        query: String,
        /// The message with the button, if it is still known.
        message: Option<i32>,
        /// Whether the message is there for the bot; otherwise it is deleted, or too old
        /// (<https://core.telegram.org/bots/api#inaccessiblemessage>).
        accessible: bool,
        /// The data of the button.
        data: String,
    },
    /// A person put the eyes on a message, or took them away.
    Eyes {
        /// The message.
        message: i32,
        /// Whether the eyes are there now.
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
