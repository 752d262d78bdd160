//! Notifications that give a human's words back: those that were written into a notification and
//! could not be sent, and answers that came too late. They stay, for the words stand nowhere else.
//!
//! Not here: whether the words are taken.

use super::notice::{written, written_back};
use super::{DesktopChannel, DesktopCommand, NotificationSound, NotificationText};
use beckon_client::text::{Value, words};
use beckon_core::{AnswerRefusal, AskId, ButtonTarget, Entry};

/// The source of notifications that are no asks.
const OURS: &str = "beckon";

/// Whether this is the name of a notification that is of no ask.
pub(super) fn is_hint(ask: &AskId) -> bool {
    let ours = [
        super::hint_id(),
        super::absence::id(),
        super::together::id(),
    ];
    ours.contains(ask) || ask.source.0 == OURS && ask.own.starts_with("reply-")
}

impl DesktopChannel {
    /// Tells why a human's words were not sent, and gives them back.
    pub fn give_back(&self, target: ButtonTarget, refusal: &AnswerRefusal, text: &str) {
        let why = Value::from(words::refusal(&self.texts, refusal));
        let said = [("why", why), ("text", Value::from(written(text)))];
        let title = self.texts.get("desktop-reply-refused");
        self.tell_for_good(
            target.serial,
            title,
            self.texts.with("desktop-reply-back", &said),
        );
    }

    /// Tells that an answer came too late.
    pub fn tell_late(&self, entry: &Entry, title: &str, body: &str) {
        let (title, body) = written_back(title, body);
        self.tell_for_good(entry.serial, title, body);
    }

    /// Shows a notification that stays until it is waved away.
    fn tell_for_good(&self, serial: u64, title: String, body: String) {
        let notice = NotificationText {
            title,
            body,
            urgent: true,
            ..NotificationText::default()
        };
        // Another such notification must not take its place.
        let ask = AskId::new(OURS, format!("reply-{serial}"));
        let (target, replaces, sound) = (ButtonTarget::default(), None, NotificationSound::Silent);
        let _ = self.commands.send(DesktopCommand::Show {
            ask,
            target,
            notice,
            replaces,
            sound,
        });
    }
}
