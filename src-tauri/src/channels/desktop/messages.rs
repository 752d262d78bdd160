//! What the channel and the system's file say to each other: a notification to show, and what became
//! of it.
//!
//! Not here: which words a notification has (`notice.rs`).

use super::DesktopFault;
use beckon_client::wire::Abilities;
use beckon_core::{AskId, ButtonPress, ButtonTarget};

/// One notification, in plain text; what markup a system knows is the system file's business.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NotificationText {
    /// Who asks, and what.
    pub title: String,
    /// At most a few lines.
    pub body: String,
    /// In the order of the choices, the window last.
    pub buttons: Vec<NotificationButton>,
    /// A field for an answer in the human's own words, where the system has one.
    pub reply: Option<Box<ReplyField>>,
    /// Whose it is: those of one project stand together where the system can do that.
    pub group: String,
    /// How else to answer, where a daemon draws no buttons.
    pub elsewhere: String,
    /// An agent waits: it is to stay until it is answered.
    pub urgent: bool,
    /// The notification is to come through although the desktop is told not to disturb.
    pub breaks_through: bool,
}

/// A button of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotificationButton {
    /// What pressing it does.
    pub press: NotificationAction,
    /// What stands on it.
    pub label: String,
}

/// A field in a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplyField {
    /// On the button that unfolds it.
    pub label: String,
    /// In it while it is empty.
    pub placeholder: String,
    /// On the button that sends.
    pub send: String,
}

/// What a human did to a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotificationAction {
    /// Pressed an answering button.
    Press(ButtonPress),
    /// Pressed "Answer…", "Open…" or the body.
    Open,
}

/// What is heard when a notification comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotificationSound {
    /// An agent waits.
    Rings,
    /// Nothing: it redraws one that has rung, nobody has to answer, or the human wants quiet.
    Silent,
}

/// What the system's file is to do.
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

/// What the system's file tells.
#[derive(Debug)]
pub(crate) enum DesktopReport {
    Up {
        name: String,
        can: Abilities,
    },
    Down {
        why: DesktopFault,
        /// In the words of the system.
        reason: String,
    },
    /// Whether it is told not to disturb; nothing where it does not say.
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
    /// Wrote something into the field of a card.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "a field on Linux only")
    )]
    Replied {
        /// What that card showed.
        target: ButtonTarget,
        text: String,
    },
    /// [`NotificationAction::Open`] where the system hands out a token with it.
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
    /// The daemon has closed it for a click that was meant for another one.
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
    /// That there are no notifications, and why.
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
