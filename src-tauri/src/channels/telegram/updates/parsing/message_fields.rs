//! The fields of an update that Beckon reads, by the names that
//! <https://core.telegram.org/bots/api#update> gives them. What else a server says is passed over, so
//! what is new to it takes nobody's words away.
//!
//! Not here: what they mean.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// <https://core.telegram.org/bots/api#message>
#[derive(Debug, Deserialize)]
pub(super) struct MessageFields {
    #[serde(default)]
    pub(super) message_id: i32,
    /// In seconds since 1970.
    pub(super) date: i64,
    pub(super) chat: ChatFields,
    pub(super) from: Option<UserFields>,
    /// Who writes for a chat; `from` is a stand-in then.
    pub(super) sender_chat: Option<SenderChatFields>,
    pub(super) message_thread_id: Option<i32>,
    #[serde(default)]
    pub(super) is_topic_message: bool,
    pub(super) text: Option<String>,
    pub(super) caption: Option<String>,
    /// Read by themselves, as `reply_to_message`.
    pub(super) entities: Option<Value>,
    pub(super) caption_entities: Option<Value>,
    pub(super) media_group_id: Option<String>,
    /// In the same chat. Read by itself: an oddity in there is not one of the words.
    pub(super) reply_to_message: Option<Value>,
    pub(super) external_reply: Option<Value>,
    pub(super) reply_to_story: Option<IgnoredAny>,
    pub(super) forward_origin: Option<IgnoredAny>,
    pub(super) migrate_to_chat_id: Option<i64>,
    pub(super) message_auto_delete_timer_changed: Option<TimerFields>,
}

/// <https://core.telegram.org/bots/api#messageautodeletetimerchanged>
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

/// <https://core.telegram.org/bots/api#messageorigin>
#[derive(Debug, Deserialize)]
pub(super) struct OriginFields {
    pub(super) sender_user: Option<UserFields>,
}

/// <https://core.telegram.org/bots/api#inlinekeyboardmarkup>
#[derive(Debug, Deserialize)]
pub(super) struct KeyboardFields {
    pub(super) inline_keyboard: Vec<Vec<ButtonFields>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ButtonFields {
    pub(super) callback_data: Option<String>,
}

/// <https://core.telegram.org/bots/api#user>
#[derive(Debug, Deserialize)]
pub(super) struct UserFields {
    pub(super) id: i64,
    #[serde(default)]
    pub(super) is_bot: bool,
    #[serde(default)]
    pub(super) first_name: String,
    pub(super) last_name: Option<String>,
}

/// <https://core.telegram.org/bots/api#chat>
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
    /// A group, a channel, or what is new.
    #[serde(other)]
    Other,
}

/// <https://core.telegram.org/bots/api#callbackquery>
#[derive(Debug, Deserialize)]
pub(super) struct CallbackQueryFields {
    pub(super) id: String,
    pub(super) from: UserFields,
    pub(super) message: Option<TappedFields>,
    pub(super) data: Option<String>,
}

/// A message with the button, or what is left of it.
#[derive(Debug, Deserialize)]
pub(super) struct TappedFields {
    pub(super) message_id: i32,
    pub(super) chat: ChatFields,
    /// 0 when it is gone: <https://core.telegram.org/bots/api#inaccessiblemessage>.
    pub(super) date: i64,
    pub(super) message_thread_id: Option<i32>,
    #[serde(default)]
    pub(super) is_topic_message: bool,
}

/// <https://core.telegram.org/bots/api#chatmemberupdated>
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

/// Of the bot in a chat.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Standing {
    Kicked,
    Left,
    /// In one way or another it is let in.
    #[serde(other)]
    Other,
}

/// <https://core.telegram.org/bots/api#messagereactionupdated>
#[derive(Debug, Deserialize)]
pub(super) struct ReactionFields {
    pub(super) chat: ChatFields,
    pub(super) message_id: i32,
    /// Nobody, where a chat reacts.
    pub(super) user: Option<UserFields>,
    pub(super) old_reaction: Vec<EmojiFields>,
    pub(super) new_reaction: Vec<EmojiFields>,
}

/// A reaction that is no emoji of Unicode has none.
#[derive(Debug, Deserialize)]
pub(super) struct EmojiFields {
    pub(super) emoji: Option<String>,
}
