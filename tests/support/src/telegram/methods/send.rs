//! The methods that send new messages.

use serde::Deserialize;
use serde_json::{Value, json};

use super::super::Data;
use super::super::chats::{BOT, ChatId, Document, Message};
use super::super::html::Formatted;
use super::super::markup::{self, Markup};
use super::super::params::Params;
use super::super::refusal::Refusal;
use super::super::shapes;
use super::{TextFields, formatted, message_text};

/// The longest caption: <https://core.telegram.org/bots/api#senddocument>, "0-1024 characters after
/// entities parsing".
const CAPTION_LIMIT: usize = 1024;
/// The largest file: <https://core.telegram.org/bots/api#sending-files>, "50 MB max size for other
/// files".
const FILE_LIMIT: usize = 50 * 1024 * 1024;

const ACTIONS: [&str; 11] = [
    "typing",
    "upload_photo",
    "record_video",
    "upload_video",
    "record_voice",
    "upload_voice",
    "upload_document",
    "choose_sticker",
    "find_location",
    "record_video_note",
    "upload_video_note",
];

/// The parameters of a reply, as far as they are imitated:
/// <https://core.telegram.org/bots/api#replyparameters>.
#[derive(Deserialize)]
struct ReplyParameters {
    message_id: i64,
    #[serde(default)]
    allow_sending_without_reply: bool,
}

/// The contents of a new message, checked as far as that is possible without knowing the chat.
struct Content {
    formatted: Formatted,
    html: String,
    document: Option<Document>,
}

/// Executes sendMessage: <https://core.telegram.org/bots/api#sendmessage>.
pub(super) fn send_message(data: &mut Data, params: &Params) -> Result<Value, Refusal> {
    let (formatted, html) = message_text(params, "message is too long")?;
    send(
        data,
        params,
        Content {
            formatted,
            html,
            document: None,
        },
    )
}

/// Executes sendDocument: <https://core.telegram.org/bots/api#senddocument>. Only uploads are
/// supported.
pub(super) fn send_document(data: &mut Data, params: &Params) -> Result<Value, Refusal> {
    let missing = || Refusal::mistake("there is no document in the request");
    let document = params.file("document").ok_or_else(missing)?;
    if document.bytes.is_empty() {
        return Err(Refusal::mistake("file must be non-empty"));
    }
    if document.bytes.len() > FILE_LIMIT {
        return Err(Refusal::mistake("file is too big"));
    }
    let caption = TextFields {
        text: "caption",
        entities: "caption_entities",
        limit: CAPTION_LIMIT,
        too_long: "message caption is too long",
    };
    let (formatted, html) = formatted(params, &caption)?;
    send(
        data,
        params,
        Content {
            formatted,
            html,
            document: Some(document.clone()),
        },
    )
}

fn send(data: &mut Data, params: &Params, content: Content) -> Result<Value, Refusal> {
    let chat = params.chat()?;
    let markup = markup::parse(params.json("reply_markup", "reply keyboard markup")?)?;
    let (thread, reply_to) = place(data, chat, params)?;
    let message = write(data, chat, content, markup)?;
    let silent = params.flag("disable_notification");
    let message = Message {
        thread,
        reply_to,
        silent,
        ..message
    };
    data.chats.post(message.clone());
    Ok(shapes::message(data, &message))
}

/// Returns the topic and the replied-to message. A reply goes to the topic of the message it
/// answers.
fn place(
    data: &Data,
    chat: ChatId,
    params: &Params,
) -> Result<(Option<i64>, Option<i64>), Refusal> {
    let chat = data.chats.writable(chat)?;
    let thread = chat.topic(params.integer("message_thread_id"))?;
    let wanted = params.json::<ReplyParameters>("reply_parameters", "reply parameters")?;
    let original = wanted
        .as_ref()
        .and_then(|wanted| chat.log.get(&wanted.message_id));
    if original.is_none() && wanted.is_some_and(|wanted| !wanted.allow_sending_without_reply) {
        return Err(Refusal::bad_request("message to be replied not found"));
    }
    let thread = thread.or(original.and_then(|original| original.thread));
    chat.admit_to(thread)?;
    Ok((thread, original.map(|original| original.id)))
}

fn write(
    data: &mut Data,
    chat: ChatId,
    content: Content,
    markup: Markup,
) -> Result<Message, Refusal> {
    let kind = data.chats.get(chat)?.kind;
    data.rates.admit(chat, kind, data.clock.now())?;
    let Content {
        formatted: Formatted { text, entities },
        html,
        document,
    } = content;
    let draft = data.chats.draft(chat, BOT, data.clock.date());
    Ok(Message {
        text,
        entities,
        html,
        document,
        markup,
        ..draft
    })
}

/// Executes sendChatAction: <https://core.telegram.org/bots/api#sendchataction>. The call has no
/// effect but its entry in the record.
pub(super) fn send_chat_action(data: &mut Data, params: &Params) -> Result<Value, Refusal> {
    if !params
        .text("action")
        .is_some_and(|action| ACTIONS.contains(&action))
    {
        return Err(Refusal::mistake("wrong parameter action in request"));
    }
    let chat = data.chats.writable(params.chat()?)?;
    chat.topic(params.integer("message_thread_id"))?;
    Ok(json!(true))
}
