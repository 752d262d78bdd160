//! The methods of the Bot API: their names, their parameters, and what they have in common. Each
//! method is in `methods/`, except for getUpdates, which waits and is in `updates.rs`.

mod about;
mod edit;
mod pin;
mod send;

use serde_json::Value;

use super::Data;
use super::html::{self, Entity, Formatted, units};
use super::params::Params;
use super::refusal::Refusal;

/// A method of the Bot API that is imitated:
/// <https://core.telegram.org/bots/api#available-methods>.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are the documentation's")]
pub enum Method {
    GetMe,
    GetUpdates,
    SendMessage,
    EditMessageText,
    EditMessageReplyMarkup,
    AnswerCallbackQuery,
    DeleteMessage,
    SetMyCommands,
    GetWebhookInfo,
    DeleteWebhook,
    CreateForumTopic,
    SendDocument,
    SendChatAction,
    GetChat,
    SetMessageReaction,
    PinChatMessage,
    UnpinChatMessage,
}

/// The parameters that sendMessage and sendDocument have in common.
const SENDING: [&str; 12] = [
    "business_connection_id",
    "chat_id",
    "message_thread_id",
    "direct_messages_topic_id",
    "parse_mode",
    "disable_notification",
    "protect_content",
    "allow_paid_broadcast",
    "message_effect_id",
    "suggested_post_parameters",
    "reply_parameters",
    "reply_markup",
];

impl Method {
    /// Finds a method by its name; case does not matter.
    pub(super) fn parse(name: &str) -> Option<Method> {
        let methods = [
            Method::GetMe,
            Method::GetUpdates,
            Method::SendMessage,
            Method::EditMessageText,
            Method::EditMessageReplyMarkup,
            Method::AnswerCallbackQuery,
            Method::DeleteMessage,
            Method::SetMyCommands,
            Method::GetWebhookInfo,
            Method::DeleteWebhook,
            Method::CreateForumTopic,
            Method::SendDocument,
            Method::SendChatAction,
            Method::GetChat,
            Method::SetMessageReaction,
            Method::PinChatMessage,
            Method::UnpinChatMessage,
        ];
        methods
            .into_iter()
            .find(|method| format!("{method:?}").eq_ignore_ascii_case(name))
    }

    /// Tells whether the documentation knows such a parameter.
    pub(super) fn takes(self, parameter: &str) -> bool {
        let sends = matches!(self, Method::SendMessage | Method::SendDocument);
        self.own_parameters().contains(&parameter) || (sends && SENDING.contains(&parameter))
    }

    fn own_parameters(self) -> &'static [&'static str] {
        match self {
            Method::GetMe | Method::GetWebhookInfo => &[],
            Method::GetUpdates => &["offset", "limit", "timeout", "allowed_updates"],
            Method::SendMessage => &["text", "entities", "link_preview_options"],
            Method::SendDocument => &[
                "document",
                "thumbnail",
                "caption",
                "caption_entities",
                "disable_content_type_detection",
            ],
            Method::EditMessageText => &[
                "business_connection_id",
                "chat_id",
                "message_id",
                "inline_message_id",
                "text",
                "parse_mode",
                "entities",
                "link_preview_options",
                "reply_markup",
            ],
            Method::EditMessageReplyMarkup => &[
                "business_connection_id",
                "chat_id",
                "message_id",
                "inline_message_id",
                "reply_markup",
            ],
            Method::AnswerCallbackQuery => &[
                "callback_query_id",
                "text",
                "show_alert",
                "url",
                "cache_time",
            ],
            Method::DeleteMessage => &["chat_id", "message_id"],
            Method::SetMyCommands => &["commands", "scope", "language_code"],
            Method::DeleteWebhook => &["drop_pending_updates"],
            Method::CreateForumTopic => &["chat_id", "name", "icon_color", "icon_custom_emoji_id"],
            Method::SendChatAction => &[
                "business_connection_id",
                "chat_id",
                "message_thread_id",
                "action",
            ],
            Method::GetChat => &["chat_id"],
            Method::SetMessageReaction => &["chat_id", "message_id", "reaction", "is_big"],
            Method::PinChatMessage => &[
                "business_connection_id",
                "chat_id",
                "message_id",
                "disable_notification",
            ],
            Method::UnpinChatMessage => &["business_connection_id", "chat_id", "message_id"],
        }
    }

    /// Executes the method and returns the `result` of its answer.
    ///
    /// # Panics
    /// For getUpdates, which `updates.rs` executes.
    pub(super) fn run(self, data: &mut Data, params: &Params) -> Result<Value, Refusal> {
        match self {
            Method::GetUpdates => unreachable!("getUpdates waits and is done in updates.rs"),
            Method::GetMe => Ok(about::get_me(data)),
            Method::GetChat => about::get_chat(data, params),
            Method::SetMyCommands => about::set_my_commands(data, params),
            Method::GetWebhookInfo => Ok(about::get_webhook_info(data)),
            Method::DeleteWebhook => Ok(about::delete_webhook(data, params)),
            Method::CreateForumTopic => about::create_forum_topic(data, params),
            Method::SendMessage => send::send_message(data, params),
            Method::SendDocument => send::send_document(data, params),
            Method::SendChatAction => send::send_chat_action(data, params),
            Method::EditMessageText => edit::edit_message_text(data, params),
            Method::EditMessageReplyMarkup => edit::edit_message_reply_markup(data, params),
            Method::DeleteMessage => edit::delete_message(data, params),
            Method::SetMessageReaction => edit::set_message_reaction(data, params),
            Method::PinChatMessage => pin::pin_chat_message(data, params),
            Method::UnpinChatMessage => pin::unpin_chat_message(data, params),
            Method::AnswerCallbackQuery => edit::answer_callback_query(data, params),
        }
    }
}

/// The names of a text's parameters, which differ between methods, and its limit.
struct TextFields {
    text: &'static str,
    entities: &'static str,
    /// The longest text in UTF-16 units, after the entities are parsed.
    limit: usize,
    too_long: &'static str,
}

/// Reads a text with its markup; returns it also as HTML.
fn formatted(params: &Params, fields: &TextFields) -> Result<(Formatted, String), Refusal> {
    let raw = params.text(fields.text).unwrap_or_default();
    let (formatted, html) = match params.text("parse_mode") {
        None => {
            let what = "entities";
            let entities: Vec<Entity> = params.json(fields.entities, what)?.unwrap_or_default();
            let nested = |why: String| Refusal::mistake(&format!("can't parse entities: {why}"));
            html::may_nest(&entities).map_err(nested)?;
            let plain = Formatted {
                text: raw.to_owned(),
                entities,
            };
            (html::trimmed(plain), html::escape(raw.trim()))
        }
        Some(mode) if mode.eq_ignore_ascii_case("html") => (html::parse(raw)?, raw.to_owned()),
        Some(_) => {
            return Err(Refusal::mistake(
                "unsupported parse_mode: only HTML is imitated",
            ));
        }
    };
    if units(&formatted.text) > fields.limit {
        return Err(Refusal::mistake(fields.too_long));
    }
    Ok((formatted, html))
}

/// The longest text of a message: <https://core.telegram.org/bots/api#sendmessage>, "1-4096
/// characters after entities parsing".
const TEXT_LIMIT: usize = 4096;

/// Reads the text of a message, which must not be empty.
fn message_text(params: &Params, too_long: &'static str) -> Result<(Formatted, String), Refusal> {
    if params.text("text").is_none() {
        return Err(Refusal::mistake("message text is empty"));
    }
    let fields = TextFields {
        text: "text",
        entities: "entities",
        limit: TEXT_LIMIT,
        too_long,
    };
    let (formatted, html) = formatted(params, &fields)?;
    if formatted.text.is_empty() {
        return Err(Refusal::mistake("message text is empty"));
    }
    Ok((formatted, html))
}
