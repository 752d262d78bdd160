//! Words that a human wrote into a notification, and that could not be sent: they are given back in a
//! notification that stays, for they stand nowhere else.
//!
//! Not here: whether they are taken.

use super::notice::written;
use super::{DesktopChannel, DesktopCommand, NotificationSound, NotificationText};
use beckon_client::text::{Value, words};
use beckon_core::{AnswerRefusal, AskId, ButtonTarget};

/// The source of notifications that are no asks.
const OURS: &str = "beckon";

/// Is it none of an ask?
pub(super) fn is_hint(ask: &AskId) -> bool {
    let ours = [super::hint_id(), super::absence::id()].contains(ask);
    ours || ask.source.0 == OURS && ask.own.starts_with("reply-")
}

impl DesktopChannel {
    /// Tells why those words were not sent, and gives them back.
    pub fn give_back(&self, target: ButtonTarget, refusal: &AnswerRefusal, text: &str) {
        let why = Value::from(words::refusal(&self.texts, refusal));
        let said = [("why", why), ("text", Value::from(written(text)))];
        let notice = NotificationText {
            title: self.texts.get("desktop-reply-refused"),
            body: self.texts.with("desktop-reply-back", &said),
            // It stays until it is waved away.
            urgent: true,
            ..NotificationText::default()
        };
        // Another such word must not take its place.
        let ask = AskId::new(OURS, format!("reply-{}", target.serial));
        let (target, replaces, sound) = (ButtonTarget::default(), None, NotificationSound::Silent);
        let _ = self.commands.send(DesktopCommand::Show { ask, target, notice, replaces, sound });
    }
}
