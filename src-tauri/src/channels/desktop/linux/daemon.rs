//! The daemon that shows our cards, what stands on it, and what it was shown while it was told not to
//! disturb.
//!
//! Not here: the calls to it.

use super::{NotificationSound, NotificationText, disturb, request};
use crate::platform::part;
use beckon_client::wire::Abilities;
use beckon_core::{AskId, ButtonTarget};
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinSet;
use zbus::Connection;

/// Before the first card is shown it should be known whether it may disturb, but nobody waits for
/// that longer than this.
const TOLD_WITHIN: Duration = Duration::from_millis(500);

/// Daemons that advertise `actions` and draw no button for them, by the names that they give themselves.
/// The specification leaves open what becomes of an action, so that each was looked at:
///
/// - dunst 1.9.0 writes "(A)" and leaves the choice to a menu program (`docs/measured.md`).
/// - mako 1.7.1 shows nothing; `makoctl menu` hands the choice to a menu program (`docs/measured.md`).
/// - fnott 1.8 needs "a dmenu-like utility to display and let user select action": its README,
///   <https://codeberg.org/dnkl/fnott>.
const WITHOUT_BUTTONS: [&str; 3] = ["dunst", "mako", "fnott"];

/// Daemons that close a notification when one of its buttons is pressed, and show the next one in its place
/// at once, by the names that they give themselves: xfce4-notifyd 0.7.3 (`docs/measured.md`).
const FILLING_PLACES: [&str; 1] = ["Xfce Notify Daemon"];

/// No notification has this number
/// (<https://specifications.freedesktop.org/notification-spec/latest/protocol.html>). A daemon that answers it all
/// the same cannot be told which one is meant (<https://github.com/Sweets/tiramisu/issues/51>).
pub(super) const NOBODYS: u32 = 0;

/// The second click of a double click comes within this. GTK's own limit is 400 ms
/// (`gtk-double-click-time`), Windows' 500; nobody reads and aims at another notification sooner.
const DOUBLE_CLICK: Duration = Duration::from_millis(600);

/// Whether a daemon shows the next notification under the pointer that has just pressed one.
pub(super) fn fills_places(name: &str) -> bool {
    FILLING_PLACES.contains(&name)
}

/// Whether a daemon draws the actions that it says it takes.
pub(super) fn draws_buttons(name: &str) -> bool {
    !WITHOUT_BUTTONS.contains(&name)
}

/// The daemon as it is now, and what we show on it.
pub(super) struct NotificationDaemon {
    pub(super) owner: String,
    pub(super) can: Abilities,
    pub(super) extras: Extras,
    pub(super) draws_default: bool,
    /// It keeps closed cards, and shows one again when its human asks for it (`dunstctl history-pop`).
    pub(super) has_history: bool,
    pub(super) markup: bool,
    /// Whether the next notification comes up under the pointer when one is pressed.
    pub(super) fills_places: bool,
    /// When a button was pressed last, and of which notification.
    pub(super) pressed: Option<(Instant, u32)>,
    pub(super) shown: HashMap<u32, SentNotification>,
    pub(super) ids: HashMap<AskId, u32>,
    /// The token of the click that comes next, and of which notification.
    pub(super) activation: Option<(u32, String)>,
    /// Whether it is told not to disturb, as far as it says.
    pub(super) do_not_disturb: Option<bool>,
    /// Where it says so.
    pub(super) told: watch::Receiver<Option<bool>>,
    /// Watches that, and ends with this.
    pub(super) disturb: JoinSet<()>,
}

/// What some daemons take beyond the specification, Plasma first of all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extras {
    /// A name below which cards are grouped.
    pub(super) origin: bool,
    /// A field for own words.
    pub(super) reply: bool,
}

/// A card as it was sent.
pub(super) struct SentNotification {
    pub(super) ask: AskId,
    pub(super) target: ButtonTarget,
    /// It has a field, and what is written there may be on its way until the daemon has closed it.
    pub(super) replies: bool,
    /// It was pressed by a click that was meant for another one, and is shown again when the daemon has
    /// closed it.
    pub(super) is_misclicked: bool,
    /// What is to be shown again, and how, because the daemon was told not to disturb.
    pub(super) held: Option<(NotificationText, NotificationSound)>,
}

impl NotificationDaemon {
    /// From now on it is known whether it is told not to disturb, as far as it says.
    pub(super) async fn watch_disturb(&mut self, connection: Connection, name: String) {
        let (tell, told) = watch::channel(None);
        self.told = told;
        self.disturb
            .spawn(part::within(disturb::watch(connection, name, tell)));
        let _ = tokio::time::timeout(TOLD_WITHIN, self.told.changed()).await;
        self.do_not_disturb = *self.told.borrow();
    }

    /// Notes a press, and returns whether it is the second click of a double click whose first one was on
    /// another notification: that one has gone, and this one stands in its place.
    pub(super) fn note_press(&mut self, id: u32, now: Instant) -> bool {
        let Some((at, before)) = self.pressed.replace((now, id)) else {
            return false;
        };
        self.fills_places && before != id && now.duration_since(at) < DOUBLE_CLICK
    }

    /// Is another content to be shown than on that card, on which somebody may be writing? What they
    /// write is for what they read.
    pub(super) fn is_written_on(&self, id: u32, target: ButtonTarget) -> bool {
        self.shown
            .get(&id)
            .is_some_and(|sent| sent.replies && sent.target != target)
    }

    /// Notes a card that was shown, and returns the ask of another one that had its number: that card has gone.
    /// Some daemons give each program one number, or equal notifications the same
    /// (<https://github.com/pithos/pithos/pull/541>, <https://github.com/dunst-project/dunst/issues/427>).
    pub(super) fn note(&mut self, id: u32, sent: SentNotification) -> Option<AskId> {
        if id == NOBODYS {
            return None;
        }

        let ask = sent.ask.clone();
        self.ids.insert(ask.clone(), id);
        let before = self.shown.insert(id, sent);
        let other = before.filter(|before| before.ask != ask)?.ask;
        let stood = self.ids.get(&other) == Some(&id);
        stood.then(|| {
            self.ids.remove(&other);
            other
        })
    }

    /// Nobody wants that card any more. One with a field is known until the daemon has closed it.
    pub(super) fn give_up(&mut self, id: u32) {
        if let Some(sent) = self.shown.get_mut(&id) {
            sent.held = None;
            if !sent.replies {
                self.shown.remove(&id);
            }
        }
    }

    /// What of a card is kept because it came without a sign. One that has not rung yet still is to
    /// ring, however often it is redrawn meanwhile.
    pub(super) fn held(
        &self,
        former: Option<u32>,
        notice: NotificationText,
        sound: NotificationSound,
    ) -> Option<(NotificationText, NotificationSound)> {
        let before = former.and_then(|id| self.shown.get(&id)?.held.as_ref());
        let sound = before.map_or(sound, |(_, owed)| *owed);
        let held = notice.urgent && !request::is_critical(&notice, self.do_not_disturb);
        held.then_some((notice, sound))
    }

    /// What came without a sign, in the order in which it was asked.
    pub(super) fn take_held(
        &mut self,
    ) -> Vec<(
        u32,
        AskId,
        ButtonTarget,
        (NotificationText, NotificationSound),
    )> {
        let held = |(id, shown): (&u32, &mut SentNotification)| {
            Some((*id, shown.ask.clone(), shown.target, shown.held.take()?))
        };
        let mut held: Vec<_> = self.shown.iter_mut().filter_map(held).collect();
        held.sort_by_key(|(_, _, target, _)| target.serial);
        held
    }
}

/// Waits for another word on whether it is told not to disturb.
pub(super) async fn told(daemon: &mut Option<NotificationDaemon>) -> Option<bool> {
    if let Some(daemon) = daemon
        && daemon.told.changed().await.is_ok()
    {
        return *daemon.told.borrow();
    }
    std::future::pending().await
}
