//! The notification that tells of several requests together: how many more wait, and the next of
//! them.
//!
//! Not here: which requests these are (`beckon_core::NotificationPlaces`).

use super::{
    DesktopChannel, DesktopCommand, NotificationAction, NotificationButton, NotificationSound,
    NotificationText, notice,
};
use beckon_client::text::{Texts, Value};
use beckon_core::{AskId, ButtonTarget, Entry, NotificationPlaces, Placement};
use std::collections::HashMap;

/// The number of requests that are named.
const NAMED: usize = 3;

/// The notification of many requests, and what it tells of.
#[derive(Debug, Default)]
pub(super) struct CommonNotification {
    places: NotificationPlaces,
    /// The requests as the channel was told of them last.
    entries: HashMap<AskId, Box<Entry>>,
    /// The text of the notification, while it is up.
    shown: Option<NotificationText>,
    /// Whether its human has closed it. It comes up again with the next request, but not because
    /// one of the requests that it told of is over.
    is_waved_away: bool,
}

/// Returns the name of that notification, which is of no request in particular.
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

    /// Decides whether a request has a notification of its own from now on. One that has none is
    /// told of with the others. `stands` is the handle of the notification that it had before.
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

    /// Takes the own notification of a request away, which is told of with the others from now on.
    fn close_own(&mut self, ask: AskId, handle: Option<String>) {
        let stood = self.shown.remove(&ask).is_some() || handle.is_some();
        if stood {
            let _ = self.commands.send(DesktopCommand::Withdraw { ask, handle });
        }
    }

    /// Tells of a request with the others.
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

    /// Redraws a request that is told of with the others; returns `false` where it is not.
    pub(super) fn update_together(&mut self, entry: &Entry) -> bool {
        let is_together = self.common.places.is_together(&entry.ask.id);
        if is_together {
            let known = Box::new(entry.clone());
            self.common.entries.insert(entry.ask.id.clone(), known);
            self.draw_common(NotificationSound::Silent, false);
        }
        is_together
    }

    /// Frees the place of a request, which the next one gets.
    pub(super) fn give_place_up(&mut self, ask: &AskId) {
        self.common.places.remove(ask);
        self.common.entries.remove(ask);
        self.fill_places();
    }

    /// Notes that the human has closed the notification of this ask, or that of many requests.
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
            // It has waited among the others, and the notification of these has rung.
            if let Some(entry) = self.common.entries.remove(&ask) {
                self.ring_as(&entry, None, NotificationSound::Silent);
            }
        }
        self.draw_common(NotificationSound::Silent, false);
    }

    /// Draws the notification as it is to look now. With `anew` it is sent even if its text has not
    /// changed, since the daemon that showed it may be gone.
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
        // It is made for no request: a press opens the list of all.
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
    /// closed the notification of many: they want none of these, until something new is asked.
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
