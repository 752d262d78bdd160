//! The daemon that shows our cards, the cards that are on it, and those that it was sent while it
//! was told not to disturb.
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

/// The longest wait, before the first card is shown, for whether the daemon may disturb.
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

/// A number that no notification has
/// (<https://specifications.freedesktop.org/notification-spec/latest/protocol.html>). A daemon that
/// answers it all the same cannot be told which one is meant
/// (<https://github.com/Sweets/tiramisu/issues/51>).
pub(super) const NOBODYS: u32 = 0;

/// The time within which the second click of a double click comes. GTK's own limit is 400 ms
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
    /// Whether the daemon keeps closed cards, and shows one again when its human asks for it
    /// (`dunstctl history-pop`).
    pub(super) has_history: bool,
    pub(super) markup: bool,
    /// Whether the next notification comes up under the pointer when one is pressed.
    pub(super) fills_places: bool,
    /// The last press on a button: its time, and the id of its notification.
    pub(super) pressed: Option<(Instant, u32)>,
    pub(super) shown: HashMap<u32, SentNotification>,
    pub(super) ids: HashMap<AskId, u32>,
    /// The id of the notification whose click comes next, and the token of that click.
    pub(super) activation: Option<(u32, String)>,
    /// Whether the daemon is told not to disturb; `None` where it does not say.
    pub(super) do_not_disturb: Option<bool>,
    /// The latest word on that from the watching task.
    pub(super) told: watch::Receiver<Option<bool>>,
    /// The task that watches "do not disturb"; it ends with this value.
    pub(super) disturb: JoinSet<()>,
}

/// The hints that some daemons take beyond the specification, Plasma first of all.
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
    /// Whether the card has a field. What is written there may be on its way until the daemon has
    /// closed the card.
    pub(super) replies: bool,
    /// Whether the card was pressed by a click that was meant for another one. It is shown again
    /// when the daemon has closed it.
    pub(super) is_misclicked: bool,
    /// The text and the sound of a card that came without a sign, because the daemon was told not
    /// to disturb. It is shown again when the daemon may disturb.
    pub(super) held: Option<(NotificationText, NotificationSound)>,
}

impl NotificationDaemon {
    /// Starts to watch whether the daemon is told not to disturb, as far as it says, and waits a
    /// moment for the first word.
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

    /// Whether somebody may be writing on that card, which is to show another content now. What
    /// they write is meant for what they read, so that the other content gets a card of its own.
    pub(super) fn is_written_on(&self, id: u32, target: ButtonTarget) -> bool {
        self.shown
            .get(&id)
            .is_some_and(|sent| sent.replies && sent.target != target)
    }

    /// Notes a card that was shown, and returns the ask of another one that had its number: that
    /// card has gone. Some daemons give each program one number, or equal notifications the same
    /// (<https://github.com/pithos/pithos/pull/541>,
    /// <https://github.com/dunst-project/dunst/issues/427>).
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

    /// Forgets a card that is not wanted any more. One with a field is kept until the daemon has
    /// closed it.
    pub(super) fn give_up(&mut self, id: u32) {
        if let Some(sent) = self.shown.get_mut(&id) {
            sent.held = None;
            if !sent.replies {
                self.shown.remove(&id);
            }
        }
    }

    /// Returns what is kept of a card that comes without a sign. One that has not rung yet still is
    /// to ring, however often it is redrawn meanwhile.
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

    /// Takes the cards that came without a sign, in the order in which their asks came.
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

/// Waits until whether the daemon is told not to disturb is said anew.
pub(super) async fn told(daemon: &mut Option<NotificationDaemon>) -> Option<bool> {
    if let Some(daemon) = daemon
        && daemon.told.changed().await.is_ok()
    {
        return *daemon.told.borrow();
    }
    std::future::pending().await
}
