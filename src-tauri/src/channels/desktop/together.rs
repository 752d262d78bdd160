//! The shared notification, which tells how many requests wait without one of their own, and names
//! the next of them.
//!
//! Not here: which requests these are (`beckon_core::NotificationPlaces`).

use super::{
    DesktopChannel, DesktopCommand, NotificationAction, NotificationButton, NotificationSound,
    NotificationText, notice,
};
use beckon_client::text::{Texts, Value};
use beckon_core::{AskId, ButtonTarget, Entry, NotificationPlaces, Placement};
use std::collections::HashMap;

/// The most requests that the notification names.
const NAMED: usize = 3;

/// The shared notification, and the requests in it.
#[derive(Debug, Default)]
pub(super) struct CommonNotification {
    places: NotificationPlaces,
    /// The requests as the channel was last told of them.
    entries: HashMap<AskId, Box<Entry>>,
    /// The text of the notification, while it is shown.
    shown: Option<NotificationText>,
    /// Whether the human has closed the notification. It is shown again with the next request, but
    /// not because one of its requests is over.
    is_waved_away: bool,
}

/// Returns the id of the shared notification, which belongs to no single request.
pub(super) fn id() -> AskId {
    AskId::new("beckon", "more")
}

impl DesktopChannel {
    /// Sets whether new notifications are held back from now on.
    pub fn hold(&mut self, is_held: bool) {
        if self.common.places.is_held() != is_held {
            self.common.places.hold(is_held);
            self.fill_places();
        }
    }

    /// Decides whether a request gets a notification of its own; otherwise it is put into the
    /// shared one. `stands` is the handle of the notification that it had before.
    pub(super) fn has_place(&mut self, entry: &Entry, stands: Option<&str>) -> bool {
        let ask = &entry.ask.id;
        if ask.source.is_self_test() {
            return true;
        }
        let placed = self
            .common
            .places
            .admit(entry.serial, ask, stands.is_some());
        match placed {
            Placement::Own => true,
            Placement::InPlaceOf(other) => {
                self.close_own(other, None);
                true
            }
            Placement::Together => {
                self.close_own(ask.clone(), stands.map(str::to_owned));
                false
            }
        }
    }

    /// Closes the own notification of a request that is in the shared one from now on.
    fn close_own(&mut self, ask: AskId, handle: Option<String>) {
        let stood = self.shown.remove(&ask).is_some() || handle.is_some();
        if stood {
            let _ = self.commands.send(DesktopCommand::Withdraw { ask, handle });
        }
    }

    /// Puts a request into the shared notification.
    pub(super) fn tell_together(&mut self, entry: Box<Entry>, sound: NotificationSound) {
        let is_first = self.common.shown.is_none();
        self.common.entries.insert(entry.ask.id.clone(), entry);
        self.common.is_waved_away = false;
        let sound = if is_first {
            sound
        } else {
            NotificationSound::Silent
        };
        self.draw_common(sound, true);
    }

    /// Redraws a request that is in the shared notification; returns `false` if it is not.
    pub(super) fn update_together(&mut self, entry: &Entry) -> bool {
        let is_together = self.common.places.is_together(&entry.ask.id);
        if is_together {
            let known = Box::new(entry.clone());
            self.common.entries.insert(entry.ask.id.clone(), known);
            self.draw_common(NotificationSound::Silent, false);
        }
        is_together
    }

    /// Frees the place of a request for the next one.
    pub(super) fn give_place_up(&mut self, ask: &AskId) {
        self.common.places.remove(ask);
        self.common.entries.remove(ask);
        self.fill_places();
    }

    /// Notes that the human has closed the notification of this ask, or the shared one.
    pub fn on_waved_away(&mut self, ask: &AskId) {
        if *ask == id() {
            self.common.shown = None;
            self.common.is_waved_away = true;
        } else {
            self.common.places.close(ask);
        }
    }

    fn fill_places(&mut self) {
        while let Some(ask) = self.common.promote() {
            // It was in the shared notification, which has rung for it.
            if let Some(entry) = self.common.entries.remove(&ask) {
                self.ring_as(&entry, None, NotificationSound::Silent);
            }
        }
        self.draw_common(NotificationSound::Silent, false);
    }

    /// Draws the shared notification as it should look now. With `anew` it is sent even if its text
    /// has not changed, since the daemon that showed it may be gone.
    fn draw_common(&mut self, sound: NotificationSound, anew: bool) {
        let common = &mut self.common;
        let stands = common.shown.is_some();
        if common.places.together().len() == 0 {
            if common.shown.take().is_some() {
                let _ = self.commands.send(DesktopCommand::Withdraw {
                    ask: id(),
                    handle: None,
                });
            }
            return;
        }
        let comes_up = !common.places.is_held() && !common.is_waved_away;
        if !stands && !comes_up {
            return;
        }
        let notice = common.notice(&self.texts);
        if !anew && common.shown.as_ref() == Some(&notice) {
            return;
        }
        common.shown = Some(notice.clone());
        // The notification belongs to no single request, so a press opens the list.
        let _ = self.commands.send(DesktopCommand::Show {
            ask: id(),
            target: ButtonTarget::default(),
            notice,
            replaces: None,
            sound,
        });
    }
}

impl CommonNotification {
    /// Returns the next request that gets a notification of its own. `None` while the human has
    /// closed the shared notification: they want none of its requests until something new is asked.
    fn promote(&mut self) -> Option<AskId> {
        if self.is_waved_away {
            return None;
        }
        self.places.promote()
    }

    fn notice(&self, texts: &Texts) -> NotificationText {
        let together = self.places.together();
        let count = [("count", Value::from(together.len()))];
        let next = together.filter_map(|ask| self.entries.get(ask));
        let heads: Vec<String> = next
            .take(NAMED)
            .map(|entry| notice::head(entry, texts))
            .collect();
        let open = NotificationButton {
            press: NotificationAction::Open,
            label: texts.get("desktop-open-inbox"),
        };
        NotificationText {
            title: texts.with("desktop-more", &count),
            body: heads.join("\n"),
            buttons: vec![open],
            elsewhere: texts.get("desktop-elsewhere"),
            urgent: true,
            ..NotificationText::default()
        }
    }
}

#[cfg(test)]
mod tests;
