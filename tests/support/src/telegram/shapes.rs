//! The JSON of the Bot API's types: <https://core.telegram.org/bots/api#available-types>.

use serde_json::{Map, Value, json};

use super::chats::{ANONYMOUS, BOT, Chat, Kind, Message, UserId};
use super::{Data, USERNAME};

/// Makes a User: <https://core.telegram.org/bots/api#user>.
pub(super) fn user(data: &Data, id: UserId) -> Value {
    if id == BOT {
        return json!({ "id": id.0, "is_bot": true, "first_name": "Beckon", "username": USERNAME });
    }
    if id == ANONYMOUS {
        return json!({ "id": id.0, "is_bot": true, "first_name": "Group",
            "username": "GroupAnonymousBot" });
    }
    let person = &data.chats.people[&id];
    json!({ "id": person.id.0, "is_bot": false, "first_name": person.name,
        "username": person.username, "language_code": "en" })
}

/// Makes the bot's User, as getMe shows it.
pub(super) fn me(data: &Data) -> Value {
    let mut me = user(data, BOT);
    for (ability, able) in [
        ("can_join_groups", true),
        ("can_read_all_group_messages", false),
        ("supports_inline_queries", false),
        ("can_connect_to_business", false),
        ("has_main_web_app", false),
        ("has_topics_enabled", data.private_topics),
    ] {
        me[ability] = json!(able);
    }
    me
}

/// Makes a Chat: <https://core.telegram.org/bots/api#chat>.
pub(super) fn chat(data: &Data, chat: &Chat) -> Value {
    let kind = chat.kind.name();
    match chat.kind {
        Kind::Private => {
            let person = &data.chats.people[&UserId(chat.id.0)];
            json!({ "id": chat.id.0, "type": kind, "first_name": person.name,
                "username": person.username })
        }
        Kind::Group => json!({ "id": chat.id.0, "type": kind, "title": "A group",
            "all_members_are_administrators": false }),
        Kind::Supergroup => {
            let mut supergroup = json!({ "id": chat.id.0, "type": kind, "title": "A group" });
            if chat.has_topics {
                supergroup["is_forum"] = json!(true);
            }
            supergroup
        }
    }
}

/// Makes a ChatFullInfo: <https://core.telegram.org/bots/api#chatfullinfo>.
pub(super) fn chat_full_info(data: &Data, of: &Chat) -> Value {
    let mut info = chat(data, of);
    let gifts = of.kind == Kind::Private;
    info["accent_color_id"] = json!(0);
    info["max_reaction_count"] = json!(11);
    if let Some(seconds) = of.auto_delete {
        info["message_auto_delete_time"] = json!(seconds);
    }
    info["accepted_gift_types"] = json!({ "unlimited_gifts": gifts, "limited_gifts": gifts,
        "unique_gifts": gifts, "premium_subscription": gifts });
    info
}

/// Makes a Message, including the message that it answers:
/// <https://core.telegram.org/bots/api#message>.
pub(super) fn message(data: &Data, message: &Message) -> Value {
    let mut fields = flat_message(data, message);
    let chat = &data.chats.chats[&message.chat];
    // In a topic, a message that answers nothing counts as an answer to the message that began the
    // topic.
    let root = message
        .thread
        .filter(|thread| chat.has_topics && *thread != message.id);
    let original = message.reply_to.or(root).and_then(|id| chat.log.get(&id));
    if let Some(original) = original {
        fields["reply_to_message"] = flat_message(data, original);
    }
    fields
}

/// Makes a Message without the one that it answers: the API nests one level only.
fn flat_message(data: &Data, message: &Message) -> Value {
    let chat_of = &data.chats.chats[&message.chat];
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("message_id", json!(message.id));
    put("from", user(data, message.from));
    put("chat", chat(data, chat_of));
    put("date", json!(message.date));
    if let Some(edited) = message.edited {
        put("edit_date", json!(edited));
    }
    if let Some(thread) = message.thread {
        put("message_thread_id", json!(thread));
        put("is_topic_message", json!(true));
    } else if let Some(thread) = thread_of_replies(chat_of, message) {
        put("message_thread_id", json!(thread));
    }
    if let Some(markup) = message.markup.json() {
        put("reply_markup", markup);
    }
    fields.extend(content(message));
    Value::Object(fields)
}

/// Returns the thread of a reply in a supergroup without topics, where a chain of replies is a
/// thread named after its first message. Such a thread is no topic: `message_thread_id` comes
/// without `is_topic_message`.
fn thread_of_replies(chat: &Chat, message: &Message) -> Option<i64> {
    if chat.kind != Kind::Supergroup || chat.has_topics {
        return None;
    }
    let mut first = message.reply_to?;
    while let Some(earlier) = chat.log.get(&first).and_then(|message| message.reply_to) {
        first = earlier;
    }
    Some(first)
}

fn content(message: &Message) -> Map<String, Value> {
    let mut fields = Map::new();
    if let Some((name, value)) = &message.service {
        fields.insert((*name).to_owned(), value.clone());
        return fields;
    }
    let (text, entities) = match message.document.is_some() || message.is_media {
        true => ("caption", "caption_entities"),
        false => ("text", "entities"),
    };
    fields.extend(message.more.clone());
    if !message.text.is_empty() {
        fields.insert(text.to_owned(), json!(message.text));
    }
    if !message.entities.is_empty() {
        fields.insert(entities.to_owned(), json!(message.entities));
    }
    if let Some(document) = &message.document {
        let id = format!("document-{}-{}", message.chat.0, message.id);
        let document = json!({ "file_name": document.name, "mime_type": "text/plain",
            "file_id": id, "file_unique_id": id, "file_size": document.bytes.len() });
        fields.insert("document".to_owned(), document);
    }
    fields
}

/// Makes a MaybeInaccessibleMessage: a deleted message has date 0
/// (<https://core.telegram.org/bots/api#inaccessiblemessage>).
pub(super) fn maybe_inaccessible(data: &Data, of: &Chat, id: i64) -> Value {
    match of.log.get(&id) {
        Some(found) => message(data, found),
        None => json!({ "chat": chat(data, of), "message_id": id, "date": 0 }),
    }
}

/// Makes a ChatMemberUpdated about the bot's own membership:
/// <https://core.telegram.org/bots/api#chatmemberupdated>.
pub(super) fn my_chat_member(data: &Data, of: &Chat, by: UserId, was: &str, is: &str) -> Value {
    let member = |status: &str| {
        let mut member = json!({ "status": status, "user": user(data, BOT) });
        if status == "kicked" {
            member["until_date"] = json!(0);
        }
        member
    };
    json!({ "chat": chat(data, of), "from": user(data, by), "date": data.clock.date(),
        "old_chat_member": member(was), "new_chat_member": member(is) })
}
