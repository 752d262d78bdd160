//! The names of a notification's actions: what a press says when it comes back, on every system.
//!
//! A key holds the seal of our database and the target of its button. So a press finds the ask that
//! was shown, or nothing, also on a card whose id was never noted because Beckon was killed a moment
//! too early. It has no comma, at which macOS would split it.

use super::Act;
use beckon_core::{Press, Target};

/// What a press means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pressed {
    /// The body, or a button that opens; whose, only the notification itself tells.
    Open,
    /// An answering button, and what it was made for.
    Button(Target, Press),
}

/// The key of a button.
pub(super) fn key(seal: &str, target: Target, act: Act) -> String {
    let what = match act {
        // The name that daemons give to a click on the body.
        Act::Open => return "default".into(),
        Act::Press(Press::Choose { question, choice }) => format!("{question}.{choice}"),
        Act::Press(Press::Once) => "once".into(),
        Act::Press(Press::Reject) => "reject".into(),
        Act::Press(Press::Continue) => "continue".into(),
        Act::Press(Press::Cancel) => "cancel".into(),
        Act::Press(Press::Dismiss) => "dismiss".into(),
    };
    let Target { serial, fingerprint } = target;
    format!("{seal}:{serial}:{fingerprint}:{what}")
}

/// Reads a key; `None` for those of other programs and other databases.
pub(super) fn pressed(key: &str, seal: &str) -> Option<Pressed> {
    if key == "default" || key == "open" {
        return Some(Pressed::Open);
    }
    let (serial, rest) = key.strip_prefix(seal)?.strip_prefix(':')?.split_once(':')?;
    let (fingerprint, what) = rest.split_once(':')?;
    let (serial, fingerprint) = (serial.parse().ok()?, fingerprint.parse().ok()?);
    let press = match what {
        "once" => Press::Once,
        "reject" => Press::Reject,
        "continue" => Press::Continue,
        "cancel" => Press::Cancel,
        "dismiss" => Press::Dismiss,
        indices => {
            let (question, choice) = indices.split_once('.')?;
            Press::Choose { question: question.parse().ok()?, choice: choice.parse().ok()? }
        }
    };
    Some(Pressed::Button(Target { serial, fingerprint }, press))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target() -> Target {
        Target { serial: 7, fingerprint: "0123456789".parse().unwrap() }
    }

    #[test]
    fn every_button_comes_back_as_what_it_was() {
        let presses = [
            Press::Choose { question: 0, choice: 3 },
            Press::Once,
            Press::Reject,
            Press::Continue,
            Press::Cancel,
            Press::Dismiss,
        ];
        for press in presses {
            let key = key("s", target(), Act::Press(press));
            assert_eq!(pressed(&key, "s"), Some(Pressed::Button(target(), press)));
        }
        assert_eq!(pressed(&key("s", target(), Act::Open), "s"), Some(Pressed::Open));
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
