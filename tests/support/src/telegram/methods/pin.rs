//! The methods about pinned messages.

use serde_json::{Value, json};

use super::super::Data;
use super::super::chats::{BOT, Kind, Message};
use super::super::params::Params;
use super::super::refusal::Refusal;

/// Executes pinChatMessage: <https://core.telegram.org/bots/api#pinchatmessage>.
///
/// "In private chats and channel direct messages chats, all non-service messages can be pinned.
/// Conversely, the bot must be an administrator with the 'can_pin_messages' right […] to pin
/// messages in groups". A service message in the chat says that it was pinned
/// (<https://core.telegram.org/bots/api#message>, `pinned_message`).
pub(super) fn pin_chat_message(data: &mut Data, params: &Params) -> Result<Value, Refusal> {
    let (id, message) = (params.chat()?, params.message()?);
    may_pin(data, params)?;
    let gone = || Refusal::bad_request("message to pin not found");
    let chat = data.chats.get(id)?;
    let pinned = chat
        .log
        .get(&message)
        .filter(|message| message.service.is_none());
    let pinned = pinned.cloned().ok_or_else(gone)?;
    // A message that is pinned already is not announced again.
    if !chat.pinned.contains(&message) {
        data.chats.get_mut(id)?.pinned.push(message);
        let draft = data.chats.draft(id, BOT, data.clock.date());
        let value = json!({ "message_id": pinned.id, "date": pinned.date });
        data.chats.post(Message {
            service: Some(("pinned_message", value)),
            ..draft
        });
    }
    Ok(json!(true))
}

/// Executes unpinChatMessage: <https://core.telegram.org/bots/api#unpinchatmessage>. A call without
/// `message_id` means that "the most recent pinned message (by sending date) will be unpinned".
pub(super) fn unpin_chat_message(data: &mut Data, params: &Params) -> Result<Value, Refusal> {
    may_pin(data, params)?;
    let chat = data.chats.get_mut(params.chat()?)?;
    let message = params
        .integer("message_id")
        .or_else(|| chat.pinned.iter().max().copied());
    let known = chat.pinned.len();
    chat.pinned.retain(|pinned| Some(*pinned) != message);
    match chat.pinned.len() < known {
        true => Ok(json!(true)),
        false => Err(Refusal::bad_request("message to unpin not found")),
    }
}

fn may_pin(data: &Data, params: &Params) -> Result<(), Refusal> {
    let chat = data.chats.writable(params.chat()?)?;
    match chat.kind == Kind::Private || chat.may_pin {
        true => Ok(()),
        false => Err(Refusal::bad_request(
            "not enough rights to manage pinned messages in the chat",
        )),
    }
}
