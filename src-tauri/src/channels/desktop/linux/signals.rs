//! The signals of the daemon, and what each means: a press, a click, the end of a card.
//!
//! Not here: the keys of the buttons (`keys`).

use super::daemon::{NotificationDaemon, SentNotification};
use super::{DesktopReport, NotificationAction, ReportSink};
use crate::channels::desktop::keys::{self, PressedKey};
use anyhow::Result;
use std::time::Instant;
use zbus::Message;
use zbus::zvariant::Structure;

/// Whether this `NameOwnerChanged` is stale: its old owner is not the daemon that we use. After a
/// `SIGSTOP` the queue still holds the changes from before we met the latest daemon.
pub(super) fn is_old_news(change: &Message, daemon: Option<&NotificationDaemon>) -> bool {
    let told: Result<(String, String, String), _> = change.body().deserialize();
    let left = told.map(|(_, left, _)| left).unwrap_or_default();
    daemon.is_some_and(|daemon| daemon.owner != left)
}

/// Reports what a signal means. A press on an unknown card counts by its key: Beckon was killed
/// before it noted the card's id. The id of that card is returned, so that it can be closed.
pub(super) fn on_signal(
    message: &Message,
    daemon: &mut NotificationDaemon,
    seal: &str,
    report: &ReportSink,
) -> Option<u32> {
    let header = message.header();
    // Only the daemon's signals count: ids and keys are small numbers, which any program on the bus
    // could guess.
    if header
        .sender()
        .is_none_or(|sender| *sender.as_str() != *daemon.owner)
    {
        return None;
    }
    match header.member().map(|member| member.as_str()) {
        Some("ActionInvoked") => {
            let (id, key) = message.body().deserialize::<(u32, String)>().ok()?;
            on_action(id, keys::pressed(&key, seal)?, daemon, report)
        }
        // This signal comes before the press that it belongs to.
        Some("ActivationToken") => {
            daemon.activation = message.body().deserialize().ok();
            None
        }
        // This signal comes before the end of the card, and only to us. A card whose id was never
        // noted could belong to any ask: the signal does not say what the card showed.
        Some("NotificationReplied") => {
            let (id, text) = message.body().deserialize::<(u32, String)>().ok()?;
            let SentNotification { target, .. } = daemon.shown.get(&id)?;
            report(DesktopReport::Replied {
                target: *target,
                text,
            });
            None
        }
        Some("NotificationClosed") => {
            let id = closed_id(message)?;
            let SentNotification {
                ask, is_misclicked, ..
            } = daemon.shown.remove(&id)?;
            // A card that was given up is no longer the card of its ask.
            if daemon.ids.get(&ask) == Some(&id) {
                daemon.ids.remove(&ask);
                report(if is_misclicked {
                    DesktopReport::Misclicked { ask }
                } else {
                    DesktopReport::Closed { ask }
                });
            }
            None
        }
        _ => None,
    }
}

/// Reads which card has gone. The reason says nothing here, so its type is nobody's concern:
/// Budgie's was signed (<https://github.com/BuddiesOfBudgie/budgie-desktop/issues/118>).
fn closed_id(message: &Message) -> Option<u32> {
    let body = message.body();
    let alone = body.deserialize::<u32>().ok();
    alone.or_else(|| {
        let arguments: Structure<'_> = body.deserialize().ok()?;
        arguments.fields().first()?.try_into().ok()
    })
}

fn on_action(
    id: u32,
    pressed: PressedKey,
    daemon: &mut NotificationDaemon,
    report: &ReportSink,
) -> Option<u32> {
    let token = daemon.activation.take().filter(|(of, _)| *of == id);
    let is_button = matches!(pressed, PressedKey::Button(..));
    let is_second_click = daemon.note_press(id, Instant::now());
    if let Some(shown) = daemon.shown.get_mut(&id)
        && is_button
        && is_second_click
    {
        tracing::debug!(ask = %shown.ask, "a press is the second click of one on another notification");
        shown.is_misclicked = true;
        return None;
    }

    let shown = daemon.shown.get(&id).map(|shown| shown.target.serial);
    match (pressed, shown) {
        (PressedKey::Open, Some(serial)) => {
            report(DesktopReport::Opened {
                serial,
                activation: token.map(|(_, token)| token),
            });
        }
        (PressedKey::Button(target, press), shown)
            if shown.is_none_or(|own| own == target.serial) =>
        {
            report(DesktopReport::Acted {
                target,
                act: NotificationAction::Press(press),
            });
        }
        _ => {}
    }
    let is_stray = shown.is_none() && is_button;
    is_stray.then_some(id)
}
