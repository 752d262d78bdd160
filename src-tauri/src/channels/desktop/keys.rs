//! The keys of a notification's actions: the text that comes back with a press, on every system.
//!
//! A key holds the seal of our database and the target of its button. So a press finds the ask that
//! was shown, or nothing. That holds also on a card whose id was never noted, because Beckon was
//! killed a moment too early. A key has no comma, at which macOS would split it.

use super::NotificationAction;
use beckon_core::{ButtonPress, ButtonTarget};

/// The meaning of a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PressedKey {
    /// A press on the body, or on a button that opens. Only the notification itself tells which ask
    /// it is of.
    Open,
    /// A press on an answering button, with the target that the button was made for.
    Button(ButtonTarget, ButtonPress),
}

/// Returns the key of a button.
pub(super) fn key(seal: &str, target: ButtonTarget, act: NotificationAction) -> String {
    let what = match act {
        // The name that daemons give to a click on the body.
        NotificationAction::Open => return "default".into(),
        NotificationAction::Press(ButtonPress::Choose { question, choice }) => {
            format!("{question}.{choice}")
        }
        NotificationAction::Press(ButtonPress::Once) => "once".into(),
        NotificationAction::Press(ButtonPress::Reject) => "reject".into(),
        NotificationAction::Press(ButtonPress::Continue) => "continue".into(),
        NotificationAction::Press(ButtonPress::Cancel) => "cancel".into(),
        NotificationAction::Press(ButtonPress::Dismiss) => "dismiss".into(),
    };
    let ButtonTarget {
        serial,
        fingerprint,
    } = target;
    format!("{seal}:{serial}:{fingerprint}:{what}")
}

/// Reads a key; `None` for those of other programs and other databases.
pub(super) fn pressed(key: &str, seal: &str) -> Option<PressedKey> {
    if key == "default" || key == "open" {
        return Some(PressedKey::Open);
    }
    let (serial, rest) = key.strip_prefix(seal)?.strip_prefix(':')?.split_once(':')?;
    let (fingerprint, what) = rest.split_once(':')?;
    let (serial, fingerprint) = (serial.parse().ok()?, fingerprint.parse().ok()?);
    let press = match what {
        "once" => ButtonPress::Once,
        "reject" => ButtonPress::Reject,
        "continue" => ButtonPress::Continue,
        "cancel" => ButtonPress::Cancel,
        "dismiss" => ButtonPress::Dismiss,
        indices => {
            let (question, choice) = indices.split_once('.')?;
            ButtonPress::Choose {
                question: question.parse().ok()?,
                choice: choice.parse().ok()?,
            }
        }
    };
    Some(PressedKey::Button(
        ButtonTarget {
            serial,
            fingerprint,
        },
        press,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target() -> ButtonTarget {
        ButtonTarget {
            serial: 7,
            fingerprint: "0123456789".parse().unwrap(),
        }
    }

    #[test]
    fn every_button_comes_back_as_what_it_was() {
        let presses = [
            ButtonPress::Choose {
                question: 0,
                choice: 3,
            },
            ButtonPress::Once,
            ButtonPress::Reject,
            ButtonPress::Continue,
            ButtonPress::Cancel,
            ButtonPress::Dismiss,
        ];
        for press in presses {
            let key = key("s", target(), NotificationAction::Press(press));
            assert_eq!(
                pressed(&key, "s"),
                Some(PressedKey::Button(target(), press))
            );
        }
        assert_eq!(
            pressed(&key("s", target(), NotificationAction::Open), "s"),
            Some(PressedKey::Open)
        );
    }

    #[test]
    fn a_key_of_another_database_or_another_program_is_nothing() {
        let ours = "s:7:0123456789:once";
        assert!(pressed(ours, "s").is_some());
        assert_eq!(pressed(ours, "t"), None);
        for strange in [
            "7:0123456789:once",
            "once",
            "inline-reply",
            // As an older Beckon wrote it.
            "s:7:once",
            "s:7:0123456789:",
            "s:7:0123456789:a.b",
            "s::0123456789:once",
            "s:7::once",
            "s:7:012345678:once",
        ] {
            assert_eq!(pressed(strange, "s"), None, "{strange}");
        }
    }
}
