//! What an update says, as far as Beckon listens: words and taps, and who is there.
//!
//! Not here: what follows from it, and whether its sender has any say.

use crate::book::{ChatId, UserId};
use beckon_core::Timestamp;
use teloxide::types::{
    Chat, ChatKind, ChatMemberStatus, InlineKeyboardButtonKind, MaybeInaccessibleMessage, Message,
    PublicChatKind, Update, UpdateKind, User,
};

/// An update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// Its number; each is handled once.
    pub update: i64,
    /// Who; `None` for what nobody in particular did.
    pub from: Option<Sender>,
    /// Where.
    pub place: Place,
    /// What.
    pub what: What,
}

/// Who.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    /// Their id.
    pub id: UserId,
    /// First and last name.
    pub name: String,
}

/// Where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The chat.
    pub chat: ChatId,
    /// A private chat with the bot.
    pub private: bool,
    /// A group's title.
    pub title: String,
    /// The group has topics.
    pub topics: bool,
}

/// A message of the bot, as a reply quotes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replied {
    /// Its number.
    pub message: i32,
    /// What the first of its buttons carries, if it has any.
    pub button: Option<String>,
}

/// What.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Somebody wrote.
    Text {
        /// The bot's message to which it replies.
        reply_to: Option<Replied>,
        /// The words.
        text: String,
        /// When, by Telegram's clock.
        at: Timestamp,
    },
    /// Somebody tapped a button.
    Tap {
        /// To be answered with this.
        query: String,
        /// On that message, if it is still known.
        message: Option<i32>,
        /// What the button carries.
        data: String,
    },
    /// The bot was blocked or thrown out.
    Barred,
    /// It is let in (again).
    Unbarred,
    /// The group goes on under that id.
    Moved(ChatId),
    /// Nothing that matters.
    Nothing,
}

/// Reads an update.
pub(super) fn heard(update: Update) -> Heard {
    let id = i64::from(update.id.0);
    let from = update.from().filter(|user| !user.is_bot).map(sender);
    let place = update.chat().map(place).unwrap_or(NOWHERE);
    let what = match update.kind {
        UpdateKind::Message(message) => of_message(&message),
        UpdateKind::CallbackQuery(query) => What::Tap {
            query: query.id.0,
            message: query.message.as_ref().map(|message| match message {
                MaybeInaccessibleMessage::Regular(message) => message.id.0,
                MaybeInaccessibleMessage::Inaccessible(message) => message.message_id.0,
            }),
            data: query.data.unwrap_or_default(),
        },
        UpdateKind::MyChatMember(change) => match change.new_chat_member.status() {
            ChatMemberStatus::Banned | ChatMemberStatus::Left => What::Barred,
            _ => What::Unbarred,
        },
        _ => What::Nothing,
    };
    Heard { update: id, from, place, what }
}

const NOWHERE: Place =
    Place { chat: ChatId(0), private: false, title: String::new(), topics: false };

fn of_message(message: &Message) -> What {
    if let Some(to) = message.migrate_to_chat_id() {
        return What::Moved(ChatId(to.0));
    }
    let Some(text) = message.text() else { return What::Nothing };
    What::Text {
        reply_to: message.reply_to_message().filter(|it| !is_topic(message, it)).and_then(replied),
        text: text.to_owned(),
        at: Timestamp(message.date.timestamp_millis()),
    }
}

/// In a topic, what answers nothing answers the message that began the topic.
fn is_topic(message: &Message, replied: &Message) -> bool {
    message.thread_id.is_some_and(|thread| thread.0 == replied.id)
}

/// Only what a bot wrote: nobody answers a card by answering another person.
fn replied(message: &Message) -> Option<Replied> {
    message.from.as_ref().filter(|from| from.is_bot)?;
    let rows = message.reply_markup().map(|markup| &markup.inline_keyboard);
    let first = rows.into_iter().flatten().flatten().next();
    let button = first.and_then(|button| match &button.kind {
        InlineKeyboardButtonKind::CallbackData(data) => Some(data.clone()),
        _ => None,
    });
    Some(Replied { message: message.id.0, button })
}

fn sender(user: &User) -> Sender {
    let id = UserId(i64::try_from(user.id.0).unwrap_or_default());
    Sender { id, name: user.full_name() }
}

fn place(chat: &Chat) -> Place {
    let topics = match &chat.kind {
        ChatKind::Public(public) => {
            matches!(&public.kind, PublicChatKind::Supergroup(group) if group.is_forum)
        }
        ChatKind::Private(_) => false,
    };
    Place {
        chat: ChatId(chat.id.0),
        private: chat.is_private(),
        title: chat.title().unwrap_or_default().to_owned(),
        topics,
    }
}
