//! The ids of notification actions on macOS and Windows: each says of itself which ask and which
//! button it is, so that no click can be taken for one of another notification.
//!
//! Not here: showing anything.

use super::super::Act;
use beckon_core::Press;

/// `17:choose.0.2`, `17:once`, `17:open`; without a comma, which macOS would split.
pub(super) fn encode(serial: u64, act: Act) -> String {
    let what = match act {
        Act::Open => "open".to_owned(),
        Act::Press(Press::Choose { question, choice }) => format!("choose.{question}.{choice}"),
        Act::Press(Press::Once) => "once".to_owned(),
        Act::Press(Press::Reject) => "reject".to_owned(),
        Act::Press(Press::Continue) => "continue".to_owned(),
        Act::Press(Press::Cancel) => "cancel".to_owned(),
        Act::Press(Press::Dismiss) => "dismiss".to_owned(),
    };
    format!("{serial}:{what}")
}

/// The ask's serial and the button, if the id is one of ours.
pub(super) fn decode(id: &str) -> Option<(u64, Act)> {
    let (serial, what) = id.split_once(':')?;
    let mut parts = what.split('.');
    let press = match parts.next()? {
        "choose" => {
            let (question, choice) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
            Press::Choose { question, choice }
        }
        "once" => Press::Once,
        "reject" => Press::Reject,
        "continue" => Press::Continue,
        "cancel" => Press::Cancel,
        "dismiss" => Press::Dismiss,
        "open" => return Some((serial.parse().ok()?, Act::Open)),
        _ => return None,
    };
    Some((serial.parse().ok()?, Act::Press(press)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_comes_back_as_it_went() {
        let presses = [
            Press::Choose { question: 0, choice: 12 },
            Press::Once,
            Press::Reject,
            Press::Continue,
            Press::Cancel,
            Press::Dismiss,
        ];
        for act in presses.map(Act::Press).into_iter().chain([Act::Open]) {
            assert_eq!(decode(&encode(7, act)), Some((7, act)));
        }
    }

    #[test]
    fn a_strange_id_means_nothing() {
        for id in ["", "open", "7:", "x:open", "7:choose", "7:choose.0", "7:always"] {
            assert_eq!(decode(id), None, "{id}");
        }
    }
}
