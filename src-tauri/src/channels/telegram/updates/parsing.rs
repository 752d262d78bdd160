//! The parsing of what Telegram sends into an update of ours. An edited message answers nothing:
//! what it said at first has been taken already.
//!
//! Not here: which updates there are (`update`), and what follows from them.

mod message_fields;

use super::long_texts::end_of;
use super::reactions::SEEN;
use super::sent_text::{SentText, begins_with_command, read_marks};
use super::update::{
    IncomingUpdate, MediaMessage, MessageRelation, RepliedMessage, TextEnd, UpdateContent,
    UpdatePlace, UpdateSender,
};
use crate::channels::telegram::pairing::pairings::{ChatId, UserId};
use beckon_client::json::fields;
use beckon_core::Timestamp;
use message_fields::{
    CallbackQueryFields, ChatFields, ChatKind, EmojiFields, ExternalFields, MemberFields,
    MessageFields, ReactionFields, RepliedFields, Standing, UserFields,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

const NOWHERE: UpdatePlace = UpdatePlace {
    chat: ChatId(0),
    private: false,
    title: String::new(),
    topics: false,
    thread: None,
};
/// The kinds of things that a person sends with a caption or without any words, by their fields in
/// <https://core.telegram.org/bots/api#message>. Other messages without words are made by the
/// server.
const MEDIA: [&str; 17] = [
    "animation",
    "audio",
    "checklist",
    "contact",
    "dice",
    "document",
    "game",
    "location",
    "paid_media",
    "photo",
    "poll",
    "sticker",
    "story",
    "venue",
    "video",
    "video_note",
    "voice",
];

/// An act that was heard of: who did it, where, and what it was.
struct Heard {
    from: Option<UpdateSender>,
    anonymous: bool,
    place: UpdatePlace,
    what: UpdateContent,
}

impl Heard {
    fn by(from: Option<UpdateSender>, place: UpdatePlace, what: UpdateContent) -> Self {
        Self {
            from,
            anonymous: false,
            place,
            what,
        }
    }
}

/// Reads an update of that bot; `None` for what is no update at all. One that cannot be read has
/// its number nevertheless: it is not to be read again and again.
pub(in crate::channels::telegram) fn parse_update(
    mut update: Value,
    bot: UserId,
) -> Option<IncomingUpdate> {
    let number = update_number(&update)?;
    let heard = update.as_object_mut().and_then(|update| heard(update, bot));
    let heard = heard.unwrap_or_else(|| {
        tracing::warn!(update = number, "an update of Telegram cannot be read");
        Heard::by(None, NOWHERE, UpdateContent::Unreadable)
    });
    let Heard {
        from,
        anonymous,
        place,
        what,
    } = heard;
    Some(IncomingUpdate {
        update: number,
        from,
        anonymous,
        place,
        what,
    })
}

/// Returns the number of an update, also where a server before Telegram's writes it as a text.
fn update_number(update: &Value) -> Option<i64> {
    let number = fields::text(update, "update_id")?;
    let number: u32 = number.trim().trim_end_matches(".0").parse().ok()?;
    Some(i64::from(number))
}

/// Reads what an update says; `None` for what cannot be read. An update has one of these fields,
/// whatever a newer server puts beside it; one of another kind was not asked for and says nothing.
fn heard(update: &mut Map<String, Value>, bot: UserId) -> Option<Heard> {
    leave_out_nulls(update);
    let says_something = update.len() > 1;
    let mut take = |field: &str| update.remove(field);
    if let Some(message) = take("message") {
        let media = MEDIA
            .iter()
            .any(|field| message.get(field).is_some_and(|it| !it.is_null()));
        return Some(of_message(read(message)?, media, bot));
    }
    if let Some(message) = take("edited_message") {
        return Some(of_edited(read(message)?, bot));
    }
    if let Some(query) = take("callback_query") {
        return Some(of_tap(read(query)?));
    }
    if let Some(change) = take("my_chat_member") {
        return Some(of_standing(&read(change)?));
    }
    if let Some(change) = take("message_reaction") {
        return Some(of_reaction(&read(change)?));
    }
    says_something.then(|| Heard::by(None, NOWHERE, UpdateContent::Nothing))
}

/// Takes a field that is `null` for one that is absent, at every depth.
fn leave_out_nulls(fields: &mut Map<String, Value>) {
    fields.retain(|_, value| !value.is_null());
    let objects = fields.values_mut().filter_map(Value::as_object_mut);
    objects.for_each(leave_out_nulls);
}

fn read<T: DeserializeOwned>(fields: Value) -> Option<T> {
    serde_json::from_value(fields).ok()
}

fn of_message(message: MessageFields, media: bool, bot: UserId) -> Heard {
    // It is not known who writes on behalf of a chat: the sender is a stand-in.
    let from = message
        .from
        .as_ref()
        .filter(|_| message.sender_chat.is_none())
        .and_then(person);
    let sender_chat = message.sender_chat.as_ref();
    let anonymous = sender_chat.is_some_and(|sender| sender.id == message.chat.id);
    let thread = message
        .message_thread_id
        .filter(|_| message.is_topic_message);
    let place = UpdatePlace {
        thread,
        ..place(&message.chat)
    };
    Heard {
        from,
        anonymous,
        place,
        what: said(message, media, bot),
    }
}

/// Reads an edited message. Its words answer nothing; all that follows from them is that the person
/// is told, if they differ from words that were taken.
fn of_edited(message: MessageFields, bot: UserId) -> Heard {
    let heard = of_message(message, false, bot);
    let what = match heard.what {
        UpdateContent::Text { number, text, .. } => UpdateContent::Edited {
            number,
            text: text.plain,
        },
        _ => UpdateContent::Nothing,
    };
    Heard { what, ..heard }
}

fn said(mut message: MessageFields, media: bool, bot: UserId) -> UpdateContent {
    if let Some(to) = message.migrate_to_chat_id {
        return UpdateContent::Moved(ChatId(to));
    }
    if let Some(timer) = message.message_auto_delete_timer_changed {
        return UpdateContent::Timer(timer.message_auto_delete_time);
    }
    let replied = message.reply_to_message.take().map(read);
    let external = message.external_reply.take();
    let relation = relation(&message, (replied, external), bot);
    let media = media.then_some(MediaMessage {
        album: message.media_group_id,
    });
    let entities = message.entities.take();
    let text = message.text.take().map(|text| (text, entities));
    let caption_entities = message.caption_entities.take();
    let caption = message.caption.take().map(|text| (text, caption_entities));
    match (text.or(caption), media) {
        (Some((text, entities)), media) => {
            let at = Timestamp(message.date.saturating_mul(1_000));
            let is_own = media.is_none() && relation.may_answer();
            let end = if is_own { end_of(&text) } else { TextEnd::Last };
            UpdateContent::Text {
                end,
                relation,
                number: message.message_id,
                text: SentText {
                    plain: text,
                    begins_with_command: begins_with_command(entities.as_ref()),
                    marks: read_marks(entities),
                },
                media,
                at,
            }
        }
        (None, Some(media)) => UpdateContent::Wordless { relation, media },
        (None, None) => UpdateContent::Nothing,
    }
}

/// Returns what a message answers. By <https://core.telegram.org/bots/api#message>,
/// `reply_to_message` is of the same chat; a message of another chat comes as `external_reply`, a
/// story as `reply_to_story`.
fn relation(
    message: &MessageFields,
    (replied, external): (Option<Option<RepliedFields>>, Option<Value>),
    bot: UserId,
) -> MessageRelation {
    let elsewhere = external.is_some() || message.reply_to_story.is_some();
    let begins = |replied: &RepliedFields| begins_topic(message, replied);
    match replied.filter(|replied| !replied.as_ref().is_some_and(begins)) {
        _ if message.forward_origin.is_some() => MessageRelation::Forwarded,
        // A message that can't be read is none that this bot wrote.
        Some(replied) => replied
            .and_then(|replied| of_bot(replied, bot))
            .map_or(MessageRelation::Elsewhere, MessageRelation::ToBot),
        None if external.is_some_and(|external| is_of_bot(external, bot)) => {
            MessageRelation::ToBotElsewhere
        }
        None if elsewhere => MessageRelation::Elsewhere,
        None => MessageRelation::Alone,
    }
}

/// Whether this bot wrote a message of another topic or chat.
fn is_of_bot(external: Value, bot: UserId) -> bool {
    let author = read::<ExternalFields>(external).and_then(|it| it.origin.sender_user);
    author.is_some_and(|author| author.id == bot.0)
}

/// Whether a message answers the one that began its topic: in a topic, a message that answers
/// nothing does. Outside of topics a thread is a chain of replies, and its first message is
/// answered like any other.
fn begins_topic(message: &MessageFields, replied: &RepliedFields) -> bool {
    message.is_topic_message && message.message_thread_id == Some(replied.message_id)
}

/// Returns the message that is answered, if this bot wrote it: a card is not answered by answering
/// another person, or another bot.
fn of_bot(replied: RepliedFields, bot: UserId) -> Option<RepliedMessage> {
    replied.from.filter(|from| from.id == bot.0)?;
    let rows = replied
        .reply_markup
        .map(|markup| markup.inline_keyboard)
        .unwrap_or_default();
    let first = rows.into_iter().flatten().next();
    let button = first.and_then(|button| button.callback_data);
    Some(RepliedMessage {
        message: replied.message_id,
        button,
    })
}

fn of_tap(query: CallbackQueryFields) -> Heard {
    let place = query
        .message
        .as_ref()
        .map_or(NOWHERE, |tapped| UpdatePlace {
            thread: tapped.message_thread_id.filter(|_| tapped.is_topic_message),
            ..place(&tapped.chat)
        });
    let what = UpdateContent::Tap {
        query: query.id,
        message: query.message.as_ref().map(|tapped| tapped.message_id),
        accessible: query.message.is_some_and(|tapped| tapped.date != 0),
        data: query.data.unwrap_or_default(),
    };
    Heard::by(person(&query.from), place, what)
}

fn of_standing(change: &MemberFields) -> Heard {
    let what = match change.new_chat_member.status {
        Standing::Kicked | Standing::Left => UpdateContent::Barred,
        Standing::Other => UpdateContent::Unbarred,
    };
    Heard::by(person(&change.from), place(&change.chat), what)
}

/// Reads a reaction. Where a person has more than one, the eyes may be there before and after: then
/// nothing has changed.
fn of_reaction(change: &ReactionFields) -> Heard {
    let has = |reactions: &[EmojiFields]| {
        reactions
            .iter()
            .any(|reaction| reaction.emoji.as_deref() == Some(SEEN))
    };
    let (before, seen) = (has(&change.old_reaction), has(&change.new_reaction));
    let what = match before == seen {
        true => UpdateContent::Nothing,
        false => UpdateContent::Eyes {
            message: change.message_id,
            seen,
        },
    };
    Heard::by(
        change.user.as_ref().and_then(person),
        place(&change.chat),
        what,
    )
}

fn person(user: &UserFields) -> Option<UpdateSender> {
    let names = [Some(user.first_name.as_str()), user.last_name.as_deref()];
    let name = names.into_iter().flatten().collect::<Vec<_>>().join(" ");
    (!user.is_bot).then_some(UpdateSender {
        id: UserId(user.id),
        name,
    })
}

fn place(chat: &ChatFields) -> UpdatePlace {
    UpdatePlace {
        chat: ChatId(chat.id),
        private: chat.kind == ChatKind::Private,
        title: chat.title.clone().unwrap_or_default(),
        topics: chat.kind == ChatKind::Supergroup && chat.is_forum,
        thread: None,
    }
}

#[cfg(test)]
mod tests;
