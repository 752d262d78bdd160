//! The fields of an update that Beckon reads, by the names that
//! <https://core.telegram.org/bots/api#update> gives them. All other fields are passed over, so
//! that one that is new to a server takes nobody's words away.
//!
//! Not here: what they mean.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// A message: <https://core.telegram.org/bots/api#message>
#[derive(Debug, Deserialize)]
pub(super) struct MessageFields {
    #[serde(default)]
    pub(super) message_id: i32,
    /// The time, in seconds since 1970.
    pub(super) date: i64,
    pub(super) chat: ChatFields,
    pub(super) from: Option<UserFields>,
    /// The chat in whose name it is written; `from` is a stand-in then.
    pub(super) sender_chat: Option<SenderChatFields>,
    pub(super) message_thread_id: Option<i32>,
    #[serde(default)]
    pub(super) is_topic_message: bool,
    pub(super) text: Option<String>,
    pub(super) caption: Option<String>,
    /// The entities, which are read by themselves, as `reply_to_message`.
    pub(super) entities: Option<Value>,
    pub(super) caption_entities: Option<Value>,
    pub(super) media_group_id: Option<String>,
    /// The message of the same chat that is answered. It is read by itself: an oddity in there does
    /// not concern the words.
    pub(super) reply_to_message: Option<Value>,
    pub(super) external_reply: Option<Value>,
    pub(super) reply_to_story: Option<IgnoredAny>,
    pub(super) forward_origin: Option<IgnoredAny>,
    pub(super) migrate_to_chat_id: Option<i64>,
    pub(super) message_auto_delete_timer_changed: Option<TimerFields>,
}

/// A change of a chat's timer: <https://core.telegram.org/bots/api#messageautodeletetimerchanged>
#[derive(Debug, Deserialize)]
pub(super) struct TimerFields {
    pub(super) message_auto_delete_time: u64,
}

/// A chat in whose name somebody writes: the group itself, or a channel.
#[derive(Debug, Deserialize)]
pub(super) struct SenderChatFields {
    #[serde(default)]
    pub(super) id: i64,
}

/// A message that is answered.
#[derive(Debug, Deserialize)]
pub(super) struct RepliedFields {
    pub(super) message_id: i32,
    pub(super) from: Option<UserFields>,
    pub(super) reply_markup: Option<KeyboardFields>,
}

/// A message of another topic or chat that is answered: <https://core.telegram.org/bots/api#externalreplyinfo>.
#[derive(Debug, Deserialize)]
pub(super) struct ExternalFields {
    pub(super) origin: OriginFields,
}

/// The origin of a message: <https://core.telegram.org/bots/api#messageorigin>
#[derive(Debug, Deserialize)]
pub(super) struct OriginFields {
    pub(super) sender_user: Option<UserFields>,
}

/// A keyboard: <https://core.telegram.org/bots/api#inlinekeyboardmarkup>
#[derive(Debug, Deserialize)]
pub(super) struct KeyboardFields {
    pub(super) inline_keyboard: Vec<Vec<ButtonFields>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ButtonFields {
    pub(super) callback_data: Option<String>,
}

/// A user: <https://core.telegram.org/bots/api#user>
#[derive(Debug, Deserialize)]
pub(super) struct UserFields {
    pub(super) id: i64,
    #[serde(default)]
    pub(super) is_bot: bool,
    #[serde(default)]
    pub(super) first_name: String,
    pub(super) last_name: Option<String>,
}

/// A chat: <https://core.telegram.org/bots/api#chat>
#[derive(Debug, Deserialize)]
pub(super) struct ChatFields {
    pub(super) id: i64,
    #[serde(rename = "type")]
    pub(super) kind: ChatKind,
    pub(super) title: Option<String>,
    #[serde(default)]
    pub(super) is_forum: bool,
}

#[derive(Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum ChatKind {
    Private,
    Supergroup,
    /// A group, a channel, or a kind that is new.
    #[serde(other)]
    Other,
}

/// A tap on a button: <https://core.telegram.org/bots/api#callbackquery>
#[derive(Debug, Deserialize)]
pub(super) struct CallbackQueryFields {
    pub(super) id: String,
    pub(super) from: UserFields,
    pub(super) message: Option<TappedFields>,
    pub(super) data: Option<String>,
}

/// The message with the button, or what is left of it.
#[derive(Debug, Deserialize)]
pub(super) struct TappedFields {
    pub(super) message_id: i32,
    pub(super) chat: ChatFields,
    /// The time; 0 when the message is gone:
    /// <https://core.telegram.org/bots/api#inaccessiblemessage>.
    pub(super) date: i64,
    pub(super) message_thread_id: Option<i32>,
    #[serde(default)]
    pub(super) is_topic_message: bool,
}

/// A change of the bot's standing in a chat: <https://core.telegram.org/bots/api#chatmemberupdated>
#[derive(Debug, Deserialize)]
pub(super) struct MemberFields {
    pub(super) chat: ChatFields,
    pub(super) from: UserFields,
    pub(super) new_chat_member: StandingFields,
}

#[derive(Debug, Deserialize)]
pub(super) struct StandingFields {
    pub(super) status: Standing,
}

/// The standing of the bot in a chat.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Standing {
    Kicked,
    Left,
    /// Any standing with which the bot is let in.
    #[serde(other)]
    Other,
}

/// A change of the reactions to a message:
/// <https://core.telegram.org/bots/api#messagereactionupdated>
#[derive(Debug, Deserialize)]
pub(super) struct ReactionFields {
    pub(super) chat: ChatFields,
    pub(super) message_id: i32,
    /// The person who reacts; `None` where a chat does.
    pub(super) user: Option<UserFields>,
    pub(super) old_reaction: Vec<EmojiFields>,
    pub(super) new_reaction: Vec<EmojiFields>,
}

/// A reaction; one that is no emoji of Unicode has none.
#[derive(Debug, Deserialize)]
pub(super) struct EmojiFields {
    pub(super) emoji: Option<String>,
}
