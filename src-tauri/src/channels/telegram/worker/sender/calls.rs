//! One call of the outbox as a request of the Bot API.

use crate::channels::telegram::api::{BotApi, CallError};
use crate::channels::telegram::card::{CardButton, CardDocument, CardMessage};
use crate::channels::telegram::outbox::{CardForm, OutboxCall};
use crate::channels::telegram::pairing::pairings::ChatId;
use serde::Deserialize;
use teloxide::payloads::{
    AnswerCallbackQuery, AnswerCallbackQuerySetters, CreateForumTopic, DeleteMessage,
    EditMessageReplyMarkup, EditMessageText, EditMessageTextSetters, SendMessage,
    SendMessageSetters,
};
use teloxide::types::{
    ForceReply, InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions, MessageId,
    ParseMode, Recipient, ReplyMarkup, ReplyParameters, ThreadId,
};

#[derive(Deserialize)]
struct CallRequest {
    message_id: Option<i32>,
    message_thread_id: Option<i32>,
}

/// Carries a call out: the id of the message or topic that it made.
pub(in crate::channels::telegram) async fn send(
    api: &BotApi,
    chat: ChatId,
    call: OutboxCall,
) -> Result<Option<i32>, CallError> {
    match call {
        OutboxCall::Send { thread, card, form, silent } => {
            let message = text(chat, thread, &card.html, form).disable_notification(silent);
            let keyboard = ReplyMarkup::InlineKeyboard(keys(&card, form));
            made(api.call(&message.reply_markup(keyboard)).await)
        }
        OutboxCall::Edit { message, card, form } => edit(api, chat, message, &card, form).await,
        OutboxCall::Ask { thread, prompt, under } => {
            let force = ForceReply::new().input_field_placeholder(prompt.placeholder);
            let message = text(chat, thread, &prompt.html, CardForm::Marked)
                .reply_parameters(under_message(under));
            made(api.call(&message.reply_markup(ReplyMarkup::ForceReply(force))).await)
        }
        OutboxCall::Say { thread, note, under } => {
            let message =
                text(chat, thread, &note.html, CardForm::Marked).disable_notification(note.silent);
            let message = match under {
                Some(under) => message.reply_parameters(under_message(under)),
                None => message,
            };
            let message = match note.button {
                Some(button) => {
                    message.reply_markup(ReplyMarkup::InlineKeyboard(keyboard(&[vec![button]])))
                }
                None => message,
            };
            made(api.call(&message).await)
        }
        OutboxCall::Attach { thread, document, under } => {
            attach(api, chat, thread, document, under).await
        }
        OutboxCall::Delete { message } => {
            gone_is_fine(api.call(&DeleteMessage::new(recipient(chat), MessageId(message))).await)
        }
        OutboxCall::Strip { message } => {
            let call = EditMessageReplyMarkup::new(recipient(chat), MessageId(message));
            gone_is_fine(api.call(&call).await)
        }
        OutboxCall::MakeTopic { name } => {
            // "1-128 characters" (https://core.telegram.org/bots/api#createforumtopic).
            let name: String = name.chars().take(128).collect();
            let topic: CallRequest =
                api.call(&CreateForumTopic::new(recipient(chat), name)).await?;
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
    let reply = serde_json::json!({ "message_id": under, "allow_sending_without_reply": true });
    let form = reqwest::multipart::Form::new()
        .text("chat_id", chat.0.to_string())
        .text("disable_notification", "true")
        .text("reply_parameters", reply.to_string())
        .part("document", part);
    let form = thread
        .into_iter()
        .fold(form, |form, thread| form.text("message_thread_id", thread.to_string()));
    made(api.upload("sendDocument", form, size).await)
}

/// Answers a tap, so that the button stops waiting. It may be too late for that: no harm.
pub(in crate::channels::telegram) async fn answer(api: &BotApi, query: String, text: String) {
    let call = AnswerCallbackQuery::new(query.into());
    let call = if text.is_empty() { call } else { call.text(text) };
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
    let marked = form == CardForm::Marked;
    let words = if marked { card.html.clone() } else { unmarked(&card.html) };
    let call = EditMessageText::new(recipient(chat), MessageId(message), words)
        .link_preview_options(no_preview())
        .reply_markup(keys(card, form));
    let call = if marked { call.parse_mode(ParseMode::Html) } else { call };
    match api.call::<_, CallRequest>(&call).await {
        Ok(_) | Err(CallError::NotModified) => Ok(None),
        Err(trouble) => Err(trouble),
    }
}

fn text(chat: ChatId, thread: Option<i32>, html: &str, form: CardForm) -> SendMessage {
    let message = match form {
        CardForm::Marked => SendMessage::new(recipient(chat), html).parse_mode(ParseMode::Html),
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

fn gone_is_fine(result: Result<serde_json::Value, CallError>) -> Result<Option<i32>, CallError> {
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

fn keys(card: &CardMessage, form: CardForm) -> InlineKeyboardMarkup {
    keyboard(if form == CardForm::Bare { &[] } else { &card.keyboard })
}

fn keyboard(rows: &[Vec<CardButton>]) -> InlineKeyboardMarkup {
    let button = |button: &CardButton| InlineKeyboardButton::callback(&button.label, &button.data);
    let rows = rows.iter().map(|row| row.iter().map(button).collect::<Vec<_>>());
    InlineKeyboardMarkup::new(rows)
}

/// A link in an agent's text is not fetched: its server would learn of it.
fn no_preview() -> LinkPreviewOptions {
    LinkPreviewOptions {
        is_disabled: true,
        url: None,
        prefer_small_media: false,
        prefer_large_media: false,
        show_above_text: false,
    }
}

/// The words without their markup, for a server that does not understand it.
fn unmarked(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut in_tag = false;
    for c in html.chars() {
        match c {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            c if !in_tag => text.push(c),
            _ => {}
        }
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_without_markup_are_what_one_reads() {
        assert_eq!(unmarked("<b>a &lt;b&gt;</b> &amp;amp;"), "a <b> &amp;");
    }
}
