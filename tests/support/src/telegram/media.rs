//! The messages of people that are more than plain text of their own: pictures, voices, forwarded
//! words.

use serde_json::{Value, json};

use super::Telegram;
use super::chats::{BOT, ChatId, UserId};

/// A picture or a voice, as a person sends it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Media<'a> {
    /// The words below it.
    pub caption: &'a str,
    /// The message that it answers.
    pub reply_to: Option<i64>,
    /// The album that it is a part of.
    pub album: Option<&'a str>,
}

impl Telegram {
    /// Sends a photo: <https://core.telegram.org/bots/api#photosize>.
    pub fn photo(&self, user: UserId, chat: ChatId, media: Media<'_>) -> i64 {
        let size = json!({ "file_id": "photo", "file_unique_id": "photo", "width": 90,
            "height": 67, "file_size": 1_253 });
        self.media(user, chat, media, "photo", json!([size]))
    }

    /// Sends a voice note: <https://core.telegram.org/bots/api#voice>.
    pub fn voice(&self, user: UserId, chat: ChatId, media: Media<'_>) -> i64 {
        let voice = json!({ "file_id": "voice", "file_unique_id": "voice", "duration": 3,
            "mime_type": "audio/ogg", "file_size": 9_000 });
        self.media(user, chat, media, "voice", voice)
    }

    fn media(&self, user: UserId, chat: ChatId, of: Media<'_>, kind: &str, value: Value) -> i64 {
        self.write(user, chat, of.caption, |message| {
            message.is_media = true;
            message.reply_to = of.reply_to;
            message.more.insert(kind.to_owned(), value);
            let album = of
                .album
                .map(|album| ("media_group_id".to_owned(), json!(album)));
            message.more.extend(album);
        })
    }

    /// Forwards a message that `author` has written elsewhere:
    /// <https://core.telegram.org/bots/api#messageoriginuser>.
    pub fn forward(&self, user: UserId, chat: ChatId, author: UserId, text: &str) -> i64 {
        let author = self.look(|data| super::shapes::user(data, author));
        let origin = json!({ "type": "user", "date": 1_700_000_000, "sender_user": author });
        self.write(user, chat, text, |message| {
            message.more.insert("forward_origin".to_owned(), origin);
        })
    }

    /// Answers a message of the bot from another topic of its supergroup, where the app offers
    /// that. The text of the answered message is not included in the update
    /// (<https://core.telegram.org/bots/api#externalreplyinfo>).
    ///
    /// # Panics
    /// When the bot reads commands and replies only, since this is neither.
    pub fn reply_from_topic(
        &self,
        user: UserId,
        (chat, to): (ChatId, i64),
        thread: Option<i64>,
        text: &str,
    ) -> i64 {
        let (bot, place) = self.look(|data| {
            let place = &data.chats.chats[&chat];
            assert!(
                !place.privacy_mode,
                "the bot is not told of it in privacy mode"
            );
            (
                super::shapes::user(data, BOT),
                super::shapes::chat(data, place),
            )
        });
        let origin = json!({ "type": "user", "date": 1_700_000_000, "sender_user": bot });
        let external = json!({ "origin": origin, "chat": place, "message_id": to });
        self.write(user, chat, text, |message| {
            message.thread = thread;
            message.more.insert("external_reply".to_owned(), external);
        })
    }

    /// Answers a message of another chat in this one:
    /// <https://core.telegram.org/bots/api#externalreplyinfo>.
    pub fn reply_elsewhere(&self, user: UserId, chat: ChatId, author: UserId, text: &str) -> i64 {
        let author = self.look(|data| super::shapes::user(data, author));
        let origin = json!({ "type": "user", "date": 1_700_000_000, "sender_user": author });
        self.write(user, chat, text, |message| {
            message
                .more
                .insert("external_reply".to_owned(), json!({ "origin": origin }));
            let quote = json!({ "text": "part of it", "position": 0 });
            message.more.insert("quote".to_owned(), quote);
        })
    }
}
