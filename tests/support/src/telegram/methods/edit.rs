//! The methods that change what is there: edits, deletions, reactions, and answers to taps.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::chats::{ChatId, Kind, Message};
use super::super::html::{Entity, units};
use super::super::markup::{self, Markup};
use super::super::params::Params;
use super::super::refusal::Refusal;
use super::super::{Alert, Data, shapes};
use super::message_text;

/// The time for which a tap can be answered; users report it, the documentation is silent.
const ANSWER_AGE: Duration = Duration::from_secs(15);
/// The longest answer to a tap: <https://core.telegram.org/bots/api#answercallbackquery>, "0-200
/// characters".
const ALERT_LIMIT: usize = 200;
/// The age in seconds up to which a message can be deleted:
/// <https://core.telegram.org/bots/api#deletemessage>, "less than 48 hours ago".
const DELETE_AGE: i64 = 48 * 60 * 60;

const NOT_MODIFIED: &str = "message is not modified: specified new message content and reply \
    markup are exactly the same as a current content and reply markup of the message";

/// The contents of a message that an edit may change.
#[derive(PartialEq)]
struct Content {
    text: String,
    entities: Vec<Entity>,
    markup: Markup,
}

impl Content {
    fn of(message: &Message) -> Content {
        Content {
            text: message.text.clone(),
            entities: message.entities.clone(),
            markup: message.markup.clone(),
        }
    }
}

/// Executes editMessageText: <https://core.telegram.org/bots/api#editmessagetext>.
///
/// An edit without `reply_markup` removes the buttons.
pub(super) fn edit_message_text(data: &mut Data, params: &Params) -> Result<Value, Refusal> {
    let (formatted, html) = message_text(params, "MESSAGE_TOO_LONG")?;
    let markup = inline_markup(params)?;
    let message = editable(data, params)?;
    if message.document.is_some() {
        return Err(Refusal::mistake("there is no text in the message to edit"));
    }
    let content = Content {
        text: formatted.text,
        entities: formatted.entities,
        markup,
    };
    edit(data, &message, content, html)
}

/// Executes editMessageReplyMarkup: <https://core.telegram.org/bots/api#editmessagereplymarkup>.
pub(super) fn edit_message_reply_markup(
    data: &mut Data,
    params: &Params,
) -> Result<Value, Refusal> {
    let markup = inline_markup(params)?;
    let message = editable(data, params)?;
    let html = message.html.clone();
    edit(
        data,
        &message,
        Content {
            markup,
            ..Content::of(&message)
        },
        html,
    )
}

fn inline_markup(params: &Params) -> Result<Markup, Refusal> {
    let markup = markup::parse(params.json("reply_markup", "reply keyboard markup")?)?;
    match markup.is_editable() {
        true => Ok(markup),
        false => Err(Refusal::mistake("inline keyboard expected")),
    }
}

fn editable(data: &Data, params: &Params) -> Result<Message, Refusal> {
    let chat = data.chats.writable(params.chat()?)?;
    let gone = || Refusal::bad_request("message to edit not found");
    let message = chat.log.get(&params.message()?).ok_or_else(gone)?;
    // <https://core.telegram.org/bots/api#updating-messages>: only the bot's own messages, "without
    // reply_markup or with inline keyboards".
    match message.from_bot && message.markup.is_editable() && message.service.is_none() {
        true => Ok(message.clone()),
        false => Err(Refusal::mistake("message can't be edited")),
    }
}

fn edit(data: &mut Data, old: &Message, content: Content, html: String) -> Result<Value, Refusal> {
    if Content::of(old) == content {
        return Err(Refusal::bad_request(NOT_MODIFIED));
    }
    let now = data.clock.now();
    if data.rates.is_edit_storm(old.chat, old.id, now) {
        data.complain(format!(
            "message {} is edited too often in a second",
            old.id
        ));
    }
    let kind = data.chats.get(old.chat)?.kind;
    data.rates.admit(old.chat, kind, now)?;
    let Content {
        text,
        entities,
        markup,
    } = content;
    let (edits, edited) = (old.edits + 1, Some(data.clock.date()));
    let message = Message {
        text,
        entities,
        markup,
        html,
        edits,
        edited,
        ..old.clone()
    };
    data.chats.post(message.clone());
    Ok(shapes::message(data, &message))
}

/// Executes deleteMessage: <https://core.telegram.org/bots/api#deletemessage>.
///
/// In groups the bot is taken for a member without rights: it can delete its own messages only.
pub(super) fn delete_message(data: &mut Data, params: &Params) -> Result<Value, Refusal> {
    let date = data.clock.date();
    let (chat, id) = (params.chat()?, params.message()?);
    data.chats.writable(chat)?;
    let chat = data.chats.get_mut(chat)?;
    let gone = || Refusal::bad_request("message to delete not found");
    let message = chat.log.get(&id).ok_or_else(gone)?;
    let foreign = !message.from_bot && chat.kind != Kind::Private;
    if foreign || date - message.date >= DELETE_AGE || message.service.is_some() {
        return Err(Refusal::bad_request("message can't be deleted"));
    }
    chat.log.remove(&id);
    chat.pinned.retain(|pinned| *pinned != id);
    Ok(json!(true))
}

/// Executes setMessageReaction: <https://core.telegram.org/bots/api#setmessagereaction>.
///
/// Bots have one reaction per message. Which emoji are allowed is not checked.
pub(super) fn set_message_reaction(data: &mut Data, params: &Params) -> Result<Value, Refusal> {
    let reactions: Vec<Value> = params
        .json("reaction", "reaction types")?
        .unwrap_or_default();
    if reactions.len() > 1 {
        return Err(Refusal::mistake("REACTIONS_TOO_MANY"));
    }
    let emoji = |reaction: &Value| {
        let emoji = reaction["emoji"]
            .as_str()
            .filter(|_| reaction["type"] == "emoji");
        emoji
            .map(ToOwned::to_owned)
            .ok_or_else(|| Refusal::mistake("REACTION_INVALID"))
    };
    let reactions = reactions.iter().map(emoji).collect::<Result<Vec<_>, _>>()?;
    let (chat, id) = (params.chat()?, params.message()?);
    message_to_react(data, chat, id)?.reactions = reactions;
    Ok(json!(true))
}

fn message_to_react(data: &mut Data, chat: ChatId, id: i64) -> Result<&mut Message, Refusal> {
    data.chats.writable(chat)?;
    let gone = || Refusal::bad_request("message to react not found");
    data.chats.get_mut(chat)?.log.get_mut(&id).ok_or_else(gone)
}

/// Executes answerCallbackQuery: <https://core.telegram.org/bots/api#answercallbackquery>.
pub(super) fn answer_callback_query(data: &mut Data, params: &Params) -> Result<Value, Refusal> {
    let invalid = || {
        Refusal::bad_request("query is too old and response timeout expired or query ID is invalid")
    };
    let text = params.text("text").map(ToOwned::to_owned);
    if text
        .as_deref()
        .is_some_and(|text| units(text) > ALERT_LIMIT)
    {
        return Err(Refusal::mistake("MESSAGE_TOO_LONG"));
    }
    let id = params.text("callback_query_id").ok_or_else(invalid)?;
    let now = data.clock.now();
    let open = data
        .taps
        .get_mut(id)
        .filter(|tap| now < tap.at + ANSWER_AGE && !tap.answered);
    let tap = open.ok_or_else(invalid)?;
    tap.answered = true;
    let alert = Alert {
        callback: id.to_owned(),
        user: tap.user,
        chat: tap.chat,
        message: tap.message,
        text,
        in_a_box: params.flag("show_alert"),
        at: Instant::now(),
    };
    data.alerts.push(alert);
    Ok(json!(true))
}
