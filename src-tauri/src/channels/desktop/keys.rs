//! The names of a notification's actions: what a press says when it comes back, on every system.
//!
//! A key holds the seal of our database and the serial of its ask, which is never used twice. So a
//! press finds its ask, or nothing, also on a card whose id was never noted because Beckon was
//! killed a moment too early. It has no comma, at which macOS would split it.

use super::Act;
use beckon_core::Press;

/// What a press means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pressed {
    /// The body, or a button that opens; whose, only the notification itself tells.
    Open,
    /// An answering button of the ask with that serial.
    Button(u64, Press),
}

/// The key of a button.
pub(super) fn key(seal: &str, serial: u64, act: Act) -> String {
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
    format!("{seal}:{serial}:{what}")
}

/// Reads a key; `None` for those of other programs and other databases.
pub(super) fn pressed(key: &str, seal: &str) -> Option<Pressed> {
    if key == "default" || key == "open" {
        return Some(Pressed::Open);
    }
    let (serial, what) = key.strip_prefix(seal)?.strip_prefix(':')?.split_once(':')?;
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
    Some(Pressed::Button(serial.parse().ok()?, press))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let key = key("s", 7, Act::Press(press));
            assert_eq!(pressed(&key, "s"), Some(Pressed::Button(7, press)));
        }
        assert_eq!(pressed(&key("s", 7, Act::Open), "s"), Some(Pressed::Open));
    }

    #[test]
    fn a_key_of_another_database_or_another_program_is_nothing() {
        for strange in ["t:7:once", "7:once", "once", "s:7:", "s:7:a.b", "s::once", "inline-reply"]
        {
            assert_eq!(pressed(strange, "s"), None, "{strange}");
        }
    }
}
