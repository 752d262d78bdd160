//! Reads what Telegram sends as an update of ours. An edited message says nothing: what it said at
//! first has been taken already.
//!
//! Not here: which updates there are (`update`), and what follows from them.

use super::reactions::SEEN;
use super::update::{
    IncomingUpdate, MediaMessage, MessageRelation, RepliedMessage, UpdateContent, UpdatePlace,
    UpdateSender,
};
use crate::channels::telegram::pairing::pairings::{ChatId, UserId};
use beckon_core::Timestamp;
use serde_json::Value;
use teloxide::types::{
    CallbackQuery, Chat, ChatKind, ChatMemberStatus, InlineKeyboardButtonKind,
    MaybeInaccessibleMessage, MediaKind, Message, MessageCommon, MessageKind,
    MessageReactionUpdated, PublicChatKind, ReactionType, Update, UpdateKind, User,
};

const NOWHERE: UpdatePlace =
    UpdatePlace { chat: ChatId(0), private: false, title: String::new(), topics: false };

fn of_message(message: &Message, elsewhere: bool, bot: UserId) -> UpdateContent {
    if let Some(to) = message.migrate_to_chat_id() {
        return UpdateContent::Moved(ChatId(to.0));
    }
    let common = match &message.kind {
        MessageKind::Common(common) => common,
        // A die is thrown by a person; all else is told by the server.
        MessageKind::Dice(_) => {
            return UpdateContent::Wordless {
                relation: MessageRelation::Alone,
                media: MediaMessage { album: None },
            };
        }
        _ => return UpdateContent::Nothing,
    };
    let relation = relation(message, common, elsewhere, bot);
    let album = message.media_group_id().map(|album| album.0.clone());
    let media =
        (!matches!(common.media_kind, MediaKind::Text(_))).then_some(MediaMessage { album });
    match (message.text().or(message.caption()), media) {
        (Some(text), media) => {
            let at = Timestamp(message.date.timestamp_millis());
            UpdateContent::Text { relation, text: text.to_owned(), media, at }
        }
        (None, Some(media)) => UpdateContent::Wordless { relation, media },
        (None, None) => UpdateContent::Nothing,
    }
}

/// Reads an update of that bot; `None` for what is no update at all. One that is not understood
/// says nothing, but has its number: it is not to be read again and again.
pub(in crate::channels::telegram) fn parse_update(
    mut update: Value,
    bot: UserId,
) -> Option<IncomingUpdate> {
    let number = i64::from(u32::try_from(update.get("update_id")?.as_u64()?).ok()?);
    keep_known(&mut update);
    let elsewhere = take_external_reply(&mut update);
    // From text: the types here borrow the names of fields from it.
    let Ok(update) = serde_json::from_str::<Update>(&update.to_string()) else {
        tracing::warn!(update = number, "an update of Telegram is not understood");
        let what = UpdateContent::Nothing;
        return Some(IncomingUpdate { update: number, from: None, place: NOWHERE, what });
    };
    let id = i64::from(update.id.0);
    if matches!(update.kind, UpdateKind::Error(_)) {
        tracing::warn!(update = id, "an update of Telegram is not understood");
    }
    let from = update.from().filter(|user| !user.is_bot).map(sender);
    let place = match &update.kind {
        // Of a reaction the types here know the chat only that reacts.
        UpdateKind::MessageReaction(change) => place(&change.chat),
        _ => update.chat().map(place).unwrap_or(NOWHERE),
    };
    // Who writes on behalf of a chat is nobody in particular: the sender is a stand-in.
    let on_behalf = matches!(&update.kind, UpdateKind::Message(it) if it.sender_chat.is_some());
    let what = match update.kind {
        UpdateKind::Message(message) => of_message(&message, elsewhere, bot),
        UpdateKind::CallbackQuery(query) => of_tap(query),
        UpdateKind::MessageReaction(change) => eyes(&change),
        UpdateKind::MyChatMember(change) => match change.new_chat_member.status() {
            ChatMemberStatus::Banned | ChatMemberStatus::Left => UpdateContent::Barred,
            _ => UpdateContent::Unbarred,
        },
        _ => UpdateContent::Nothing,
    };
    Some(IncomingUpdate { update: id, from: from.filter(|_| !on_behalf), place, what })
}

fn of_tap(query: CallbackQuery) -> UpdateContent {
    let (message, accessible) = match &query.message {
        Some(MaybeInaccessibleMessage::Regular(message)) => (Some(message.id.0), true),
        Some(MaybeInaccessibleMessage::Inaccessible(gone)) => (Some(gone.message_id.0), false),
        None => (None, false),
    };
    let (query, data) = (query.id.0, query.data.unwrap_or_default());
    UpdateContent::Tap { query, message, accessible, data }
}

/// The types here take the first field for what the update is about: one that only a newer server
/// has must not stand before it.
fn keep_known(update: &mut Value) {
    const KNOWN: [&str; 5] =
        ["update_id", "message", "callback_query", "my_chat_member", "message_reaction"];
    if let Some(update) = update.as_object_mut() {
        update.retain(|field, _| KNOWN.contains(&field.as_str()));
    }
}

/// Whether it answers a message of another chat. The types here read what is answered there only
/// when that is no text, so it is taken out before.
fn take_external_reply(update: &mut Value) -> bool {
    let mut take = |of: &str| {
        let message = update.pointer_mut(of).and_then(Value::as_object_mut);
        message.and_then(|message| message.remove("external_reply")).is_some()
    };
    // What an own message answered that is now answered is of no matter.
    take("/message/reply_to_message");
    take("/message")
}

/// <https://core.telegram.org/bots/api#message>: `reply_to_message` is of the same chat; what is of
/// another one comes as `external_reply`, a story as `reply_to_story`.
fn relation(
    message: &Message,
    common: &MessageCommon,
    elsewhere: bool,
    bot: UserId,
) -> MessageRelation {
    let replied = common.reply_to_message.as_deref().filter(|it| !begins_topic(message, it));
    let elsewhere = elsewhere || common.reply_to_story.is_some();
    match replied {
        _ if common.forward_origin.is_some() => MessageRelation::Elsewhere,
        Some(replied) => {
            of_bot(replied, bot).map_or(MessageRelation::Elsewhere, MessageRelation::ToBot)
        }
        None if elsewhere => MessageRelation::Elsewhere,
        None => MessageRelation::Alone,
    }
}

/// In a topic, what answers nothing answers the message that began the topic. Outside of topics a
/// thread is a chain of replies, and its first message is answered like any other.
fn begins_topic(message: &Message, replied: &Message) -> bool {
    message.is_topic_message && message.thread_id.is_some_and(|thread| thread.0 == replied.id)
}

/// Only what this bot wrote: nobody answers a card by answering another person, or another bot.
fn of_bot(message: &Message, bot: UserId) -> Option<RepliedMessage> {
    message.from.as_ref().filter(|from| sender(from).id == bot)?;
    let rows = message.reply_markup().map(|markup| &markup.inline_keyboard);
    let first = rows.into_iter().flatten().flatten().next();
    let button = first.and_then(|button| match &button.kind {
        InlineKeyboardButtonKind::CallbackData(data) => Some(data.clone()),
        _ => None,
    });
    Some(RepliedMessage { message: message.id.0, button })
}

/// Who had more than one reaction to say may have kept the eyes.
fn eyes(change: &MessageReactionUpdated) -> UpdateContent {
    let has = |reactions: &[ReactionType]| {
        reactions.iter().any(|reaction| reaction.emoji().is_some_and(|emoji| emoji == SEEN))
    };
    let (before, seen) = (has(&change.old_reaction), has(&change.new_reaction));
    match before == seen {
        true => UpdateContent::Nothing,
        false => UpdateContent::Eyes { message: change.message_id.0, seen },
    }
}

fn sender(user: &User) -> UpdateSender {
    let id = UserId(i64::try_from(user.id.0).unwrap_or_default());
    UpdateSender { id, name: user.full_name() }
}

fn place(chat: &Chat) -> UpdatePlace {
    let topics = match &chat.kind {
        ChatKind::Public(public) => {
            matches!(&public.kind, PublicChatKind::Supergroup(group) if group.is_forum)
        }
        ChatKind::Private(_) => false,
    };
    UpdatePlace {
        chat: ChatId(chat.id.0),
        private: chat.is_private(),
        title: chat.title().unwrap_or_default().to_owned(),
        topics,
    }
}

#[cfg(test)]
mod tests;
