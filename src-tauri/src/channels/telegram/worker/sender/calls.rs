//! The requests of the Bot API that carry out the calls of the outbox.

use crate::channels::telegram::api::{BotApi, CallError};
use crate::channels::telegram::card::{
    ButtonAction, ButtonStyle, CardButton, CardDocument, CardMessage,
};
use crate::channels::telegram::outbox::{CardForm, OutboxCall};
use crate::channels::telegram::pairing::pairings::ChatId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use teloxide::payloads::{
    AnswerCallbackQuery, AnswerCallbackQuerySetters, CreateForumTopic, DeleteMessage,
    EditMessageReplyMarkup, EditMessageText, EditMessageTextSetters, PinChatMessage,
    PinChatMessageSetters, SendMessage, SendMessageSetters,
};
use teloxide::requests::Payload;
use teloxide::types::{
    ForceReply, LinkPreviewOptions, MessageId, ParseMode, Recipient, ReplyMarkup, ReplyParameters,
    ThreadId,
};

#[derive(Deserialize)]
struct CallRequest {
    message_id: Option<i32>,
    message_thread_id: Option<i32>,
}

/// Carries a call out. Returns the id of the message or topic that it made.
pub(in crate::channels::telegram) async fn send(
    api: &BotApi,
    chat: ChatId,
    call: OutboxCall,
) -> Result<Option<i32>, CallError> {
    match call {
        OutboxCall::Send {
            thread,
            card,
            form,
            silent,
        } => {
            let message = text(chat, thread, &card.html, form).disable_notification(silent);
            made(with_keyboard(api, &message, keyboard(&card.keyboard, form)).await)
        }
        OutboxCall::Edit {
            message,
            card,
            form,
        } => edit(api, chat, message, &card, form).await,
        OutboxCall::Ask {
            thread,
            prompt,
            under,
        } => {
            let force = ForceReply::new().input_field_placeholder(prompt.placeholder);
            let force = if prompt.selective {
                force.selective()
            } else {
                force
            };
            // The human who is asked is looking at the chat already.
            let message = text(chat, thread, &prompt.html, CardForm::Marked)
                .disable_notification(true)
                .reply_parameters(under_message(under));
            made(
                api.call(&message.reply_markup(ReplyMarkup::ForceReply(force)))
                    .await,
            )
        }
        OutboxCall::Say {
            thread,
            note,
            under,
        } => {
            let message =
                text(chat, thread, &note.html, CardForm::Marked).disable_notification(note.silent);
            // A note does without `allow_sending_without_reply`: if the message that it answers is
            // gone, that is to be known, and the card comes in its place.
            let message = match under {
                Some(under) => message.reply_parameters(ReplyParameters::new(MessageId(under))),
                None => message,
            };
            made(with_keyboard(api, &message, keyboard(&note.keyboard, CardForm::Marked)).await)
        }
        OutboxCall::Attach {
            thread,
            document,
            under,
        } => attach(api, chat, thread, document, under).await,
        OutboxCall::Delete { message } => gone_is_fine(
            api.call(&DeleteMessage::new(recipient(chat), MessageId(message)))
                .await,
        ),
        OutboxCall::Strip { message } => {
            let call = EditMessageReplyMarkup::new(recipient(chat), MessageId(message));
            gone_is_fine(api.call(&call).await)
        }
        OutboxCall::Pin { message } => {
            let call = PinChatMessage::new(recipient(chat), MessageId(message));
            api.call::<_, Value>(&call.disable_notification(true))
                .await
                .map(|_| None)
        }
        OutboxCall::LookUpTimer => {
            #[derive(Deserialize)]
            struct ChatFields {
                message_auto_delete_time: Option<i32>,
            }
            // <https://core.telegram.org/bots/api#chatfullinfo>
            let chat: ChatFields = api.raw("getChat", &json!({ "chat_id": chat.0 })).await?;
            Ok(Some(chat.message_auto_delete_time.unwrap_or(0)))
        }
        OutboxCall::MakeTopic { name } => {
            // "1-128 characters" (https://core.telegram.org/bots/api#createforumtopic).
            let name: String = name.chars().take(128).collect();
            let topic: CallRequest = api
                .call(&CreateForumTopic::new(recipient(chat), name))
                .await?;
            Ok(topic.message_thread_id)
        }
    }
}

async fn attach(
    api: &BotApi,
    chat: ChatId,
    thread: Option<i32>,
    document: CardDocument,
    under: i32,
) -> Result<Option<i32>, CallError> {
    let bytes = document.text.as_bytes().to_vec();
    let size = bytes.len();
    let part = reqwest::multipart::Part::bytes(bytes).file_name(document.name);
    let reply = json!({ "message_id": under, "allow_sending_without_reply": true });
    let form = reqwest::multipart::Form::new()
        .text("chat_id", chat.0.to_string())
        .text("disable_notification", "true")
        .text("reply_parameters", reply.to_string())
        .part("document", part);
    let form = thread.into_iter().fold(form, |form, thread| {
        form.text("message_thread_id", thread.to_string())
    });
    made(api.upload("sendDocument", form, size).await)
}

/// Answers a tap, so that the button stops waiting. It may be too late for that: no harm.
pub(in crate::channels::telegram) async fn answer(api: &BotApi, query: String, text: String) {
    let call = AnswerCallbackQuery::new(query.into());
    let call = if text.is_empty() {
        call
    } else {
        call.text(text)
    };
    let done: Result<bool, CallError> = api.call(&call).await;
    if let Err(trouble) = done {
        tracing::debug!(%trouble, "a tap was not answered");
    }
}

async fn edit(
    api: &BotApi,
    chat: ChatId,
    message: i32,
    card: &CardMessage,
    form: CardForm,
) -> Result<Option<i32>, CallError> {
    let marked = form.is_marked();
    let words = if marked {
        card.html.clone()
    } else {
        unmarked(&card.html)
    };
    let call = EditMessageText::new(recipient(chat), MessageId(message), words)
        .link_preview_options(no_preview());
    let call = if marked {
        call.parse_mode(ParseMode::Html)
    } else {
        call
    };
    match with_keyboard(api, &call, keyboard(&card.keyboard, form)).await {
        Ok(_) | Err(CallError::NotModified) => Ok(None),
        Err(trouble) => Err(trouble),
    }
}

fn text(chat: ChatId, thread: Option<i32>, html: &str, form: CardForm) -> SendMessage {
    let message = match form {
        CardForm::Marked | CardForm::Unstyled => {
            SendMessage::new(recipient(chat), html).parse_mode(ParseMode::Html)
        }
        CardForm::Plain | CardForm::Bare => SendMessage::new(recipient(chat), unmarked(html)),
    };
    let message = message.link_preview_options(no_preview());
    match thread {
        Some(thread) => message.message_thread_id(ThreadId(MessageId(thread))),
        None => message,
    }
}

fn made(result: Result<CallRequest, CallError>) -> Result<Option<i32>, CallError> {
    result.map(|made| made.message_id)
}

fn gone_is_fine(result: Result<Value, CallError>) -> Result<Option<i32>, CallError> {
    match result {
        Ok(_) | Err(CallError::MessageGone | CallError::NotModified) => Ok(None),
        Err(trouble) => Err(trouble),
    }
}

fn recipient(chat: ChatId) -> Recipient {
    Recipient::Id(teloxide::types::ChatId(chat.0))
}

fn under_message(message: i32) -> ReplyParameters {
    ReplyParameters::new(MessageId(message)).allow_sending_without_reply()
}

/// Calls a method with a keyboard. It is added as JSON, since teloxide's types know no colours of
/// buttons: they end with Bot API 9.1.
async fn with_keyboard<P: Payload + Serialize>(
    api: &BotApi,
    payload: &P,
    keyboard: Value,
) -> Result<CallRequest, CallError> {
    let mut body = serde_json::to_value(payload).map_err(|it| CallError::Other(it.to_string()))?;
    body["reply_markup"] = keyboard;
    api.raw(P::NAME, &body).await
}

/// Returns the keyboard (<https://core.telegram.org/bots/api#inlinekeyboardmarkup>), as much of it
/// as goes in that form.
fn keyboard(rows: &[Vec<CardButton>], form: CardForm) -> Value {
    let rows = if form == CardForm::Bare { &[] } else { rows };
    let rows = rows
        .iter()
        .map(|row| row.iter().filter_map(|it| button(it, form)).collect());
    let rows = rows
        .filter(|row: &Vec<Value>| !row.is_empty())
        .collect::<Vec<_>>();
    json!({ "inline_keyboard": rows })
}

/// Returns a button (<https://core.telegram.org/bots/api#inlinekeyboardbutton>). One that copies
/// exists since Bot API 7.11.
fn button(button: &CardButton, form: CardForm) -> Option<Value> {
    let styled = form == CardForm::Marked;
    let mut json = match &button.action {
        ButtonAction::Tell(data) => json!({ "text": button.label, "callback_data": data }),
        ButtonAction::Copy(text) if styled => {
            json!({ "text": button.label, "copy_text": { "text": text } })
        }
        ButtonAction::Copy(_) => return None,
    };
    if let Some(style) = button.style.filter(|_| styled) {
        json["style"] = json!(match style {
            ButtonStyle::Success => "success",
            ButtonStyle::Danger => "danger",
            ButtonStyle::Primary => "primary",
        });
    }
    Some(json)
}

/// Returns the option by which a link in an agent's text is not fetched: its server would learn of
/// it.
fn no_preview() -> LinkPreviewOptions {
    LinkPreviewOptions {
        is_disabled: true,
        url: None,
        prefer_small_media: false,
        prefer_large_media: false,
        show_above_text: false,
    }
}

/// Takes the markup out of a text, for a server that does not understand it. What is quoted is
/// marked as in a mail, so that it is not taken for our own words.
fn unmarked(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let (mut tag, mut quoted) = (None, false);
    for c in html.chars() {
        match (c, &mut tag) {
            ('<', None) => tag = Some(String::new()),
            ('>', Some(name)) => {
                quoted = name.starts_with("blockquote") || (quoted && name != "/blockquote");
                if name.starts_with("blockquote") {
                    text.push_str("> ");
                }
                tag = None;
            }
            (c, Some(name)) => name.push(c),
            ('\n', None) if quoted => text.push_str("\n> "),
            (c, None) => text.push(c),
        }
    }
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_without_markup_are_what_one_reads() {
        assert_eq!(unmarked("<b>a &lt;b&gt;</b> &amp;amp;"), "a <b> &amp;");
        let quote = "a\n<blockquote expandable>b\nc</blockquote>\nd";
        assert_eq!(unmarked(quote), "a\n> b\n> c\nd");
    }
}
