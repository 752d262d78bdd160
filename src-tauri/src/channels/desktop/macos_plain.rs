//! The notifications on macOS for a program without a bundle, which has only the old notification
//! centre. A notification there has one button, or one drop-down of labels, and can be neither
//! replaced nor removed.
//!
//! Not here: the text of a notification.

use super::super::{
    DesktopCommand, DesktopReport, NotificationAction, NotificationSound, NotificationText,
};
use super::{CAN, Inbox, Tell};
use anyhow::{Context, Result};
use beckon_core::{AskId, ButtonTarget};
use mac_notification_sys::{MainButton, Notification, NotificationResponse};
use std::collections::HashSet;

pub(super) fn run(mut inbox: Inbox, tell: &Tell) {
    tell(DesktopReport::Up {
        name: "macOS, without a bundle".into(),
        can: CAN,
    });
    let mut shown = HashSet::new();
    while let Some(command) = inbox.blocking_recv() {
        match command {
            // A card that is shown stays as it is: a second one would ring again.
            DesktopCommand::Show { ask, .. } if shown.contains(&ask) => {}
            DesktopCommand::Show {
                ask,
                target,
                notice,
                sound,
                replaces: _,
            } => {
                shown.insert(ask.clone());
                if let Err(error) = show(ask, target, notice, sound, tell.clone()) {
                    tracing::warn!(
                        serial = target.serial,
                        error = format!("{error:#}"),
                        "no notification"
                    );
                }
            }
            // The card stays until it is clicked; the desk then tells that the ask is over.
            DesktopCommand::Withdraw { ask, handle: _ } => {
                shown.remove(&ask);
                tell(DesktopReport::Withdrawn { ask });
            }
        }
    }
}

fn show(
    ask: AskId,
    target: ButtonTarget,
    notice: NotificationText,
    sound: NotificationSound,
    tell: Tell,
) -> Result<()> {
    tell(DesktopReport::Shown {
        ask: ask.clone(),
        handle: format!("ask-{}", target.serial),
    });
    let wait = move || match send(&notice, sound) {
        Ok(NotificationResponse::ActionButton(label)) => {
            let act = act(&notice, &label);
            tell(DesktopReport::Acted { target, act });
        }
        Ok(NotificationResponse::Click) => tell(DesktopReport::Acted {
            target,
            act: NotificationAction::Open,
        }),
        Ok(_) => tell(DesktopReport::Closed { ask }),
        Err(error) => {
            tracing::warn!(
                serial = target.serial,
                error = format!("{error:#}"),
                "no notification"
            );
        }
    };
    let thread = std::thread::Builder::new()
        .name("notification".into())
        .spawn(wait);
    thread
        .map(drop)
        .context("Failed to wait for a notification")
}

fn send(notice: &NotificationText, sound: NotificationSound) -> Result<NotificationResponse> {
    let labels = labels(notice);
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let mut sent = Notification::new();
    sent.title(&notice.title)
        .message(&notice.body)
        .wait_for_click(true);
    if sound == NotificationSound::Rings {
        sent.default_sound();
    }
    match labels.as_slice() {
        [] => {}
        [one] => {
            sent.main_button(MainButton::SingleAction(one));
        }
        several => {
            sent.main_button(MainButton::DropdownActions(title(notice), several));
        }
    }
    sent.send().context("Failed to show a notification")
}

/// Returns the labels of the buttons. The centre splits labels at commas and reports a press by its
/// label, so labels are made unique and free of commas.
fn labels(notice: &NotificationText) -> Vec<String> {
    let numbered = notice.buttons.iter().enumerate();
    numbered
        .map(|(n, button)| format!("{}  {}", n + 1, button.label.replace(',', "،")))
        .collect()
}

/// Returns the label of the drop-down itself. A press on it is reported with that label and opens
/// the window.
fn title(notice: &NotificationText) -> &str {
    let open = notice
        .buttons
        .iter()
        .find(|button| button.press == NotificationAction::Open);
    open.map_or("…", |button| &button.label)
}

fn act(notice: &NotificationText, label: &str) -> NotificationAction {
    let at = labels(notice).iter().position(|it| it == label);
    at.and_then(|at| notice.buttons.get(at))
        .map_or(NotificationAction::Open, |button| button.press)
}
