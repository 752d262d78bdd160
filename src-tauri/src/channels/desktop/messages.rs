//! The messages between the channel and the file of the system: a notification to show, and what
//! became of it.
//!
//! Not here: the text of a notification (`notice.rs`).

use super::DesktopFault;
use beckon_client::wire::Abilities;
use beckon_core::{AskId, ButtonPress, ButtonTarget};

/// A notification in plain text. The file of a system adds the markup that this system knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NotificationText {
    /// The first line: who asks, and what is asked.
    pub title: String,
    /// The text, at most a few lines.
    pub body: String,
    /// The buttons, in the order of the choices; the one that opens the window comes last.
    pub buttons: Vec<NotificationButton>,
    /// A field for an answer in the human's own words, where the system has one.
    pub reply: Option<Box<ReplyField>>,
    /// The project of the ask: notifications of one project are grouped where the system can do
    /// that.
    pub group: String,
    /// The hint at how else to answer, for a daemon that draws no buttons.
    pub elsewhere: String,
    /// Whether an agent waits, so that the notification is to stay until it is answered.
    pub urgent: bool,
    /// Whether the notification is to come through although the desktop is told not to disturb.
    pub breaks_through: bool,
}

/// A button of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotificationButton {
    /// The effect of a press.
    pub press: NotificationAction,
    /// The text on the button.
    pub label: String,
}

/// A field in a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplyField {
    /// The text on the button that unfolds the field.
    pub label: String,
    /// The text in the field while that is empty.
    pub placeholder: String,
    /// The text on the button that sends.
    pub send: String,
}

/// An action of the human on a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotificationAction {
    /// A press on an answering button.
    Press(ButtonPress),
    /// A press on "Answer…", "Open…" or the body.
    Open,
}

/// The sound of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotificationSound {
    /// A sound, since an agent waits.
    Rings,
    /// No sound: the notification redraws one that has rung, nobody has to answer, or the human
    /// wants quiet.
    Silent,
}

/// A command to the file of the system.
#[derive(Debug)]
pub(crate) enum DesktopCommand {
    Show {
        ask: AskId,
        target: ButtonTarget,
        notice: NotificationText,
        replaces: Option<String>,
        sound: NotificationSound,
    },
    Withdraw {
        ask: AskId,
        handle: Option<String>,
    },
}

/// A report of the file of the system.
#[derive(Debug)]
pub(crate) enum DesktopReport {
    Up {
        name: String,
        can: Abilities,
    },
    Down {
        why: DesktopFault,
        /// The reason in the words of the system.
        reason: String,
    },
    /// Whether the desktop is told not to disturb; `None` where it does not say.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "told on Linux only")
    )]
    DoNotDisturb(Option<bool>),
    Shown {
        ask: AskId,
        handle: String,
    },
    Withdrawn {
        ask: AskId,
    },
    Acted {
        target: ButtonTarget,
        act: NotificationAction,
    },
    /// The human wrote something into the field of a card.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "a field on Linux only")
    )]
    Replied {
        /// The target that the card showed.
        target: ButtonTarget,
        text: String,
    },
    /// The action [`NotificationAction::Open`], where the system gives out an activation token with
    /// it.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only Wayland needs one")
    )]
    Opened {
        serial: u64,
        activation: Option<String>,
    },
    Closed {
        ask: AskId,
    },
    /// The daemon has closed the card because of a click that was meant for another one.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only a daemon of Linux puts another one there")
    )]
    Misclicked {
        ask: AskId,
    },
    Ended,
}

impl DesktopReport {
    /// Makes the report that there are no notifications, with the reason.
    pub(super) fn down(error: &anyhow::Error) -> Self {
        match error.downcast_ref() {
            Some(&why) => Self::Down {
                why,
                reason: error.root_cause().to_string(),
            },
            None => Self::Down {
                why: DesktopFault::Other,
                reason: format!("{error:#}"),
            },
        }
    }
}
