//! The words of the answers to a permission. Most are allowed or rejected; a plan and an agent that
//! repeats itself have words of their own, the same on every surface.
//! `ui/src/answer/deciding.ts` reads the same texts.
//!
//! Not here: the title that is answered (`words/wanting.rs`).

use crate::text::Texts;
use beckon_core::Permission;

/// The use of a word: on a button, or for what was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionWord {
    /// The button that allows.
    Allow,
    /// The button that rejects at once.
    Reject,
    /// The button that rejects and asks for a reason, beside the one that rejects at once.
    RejectBecause,
    /// The answer that allowed.
    Allowed,
    /// The answer that rejected.
    Rejected,
}

/// Returns the word for an answer to a permission. `general` is the key of the surface's own word,
/// for whatever is simply allowed or rejected.
pub fn decision(
    texts: &Texts,
    permission: &Permission,
    word: DecisionWord,
    general: &str,
) -> String {
    let Some(kind) = kind_with_own_words(permission) else {
        return texts.get(general);
    };
    let answer = match word {
        DecisionWord::Allow | DecisionWord::Allowed => "once",
        DecisionWord::Reject | DecisionWord::Rejected => "reject",
        DecisionWord::RejectBecause => "because",
    };
    match word {
        DecisionWord::Allowed | DecisionWord::Rejected => {
            texts.get(&format!("did-{answer}-{kind}"))
        }
        _ => texts.get(&format!("{answer}-{kind}")),
    }
}

/// Returns the ending of the keys for the kinds of permission to which "Allow once" is no answer.
fn kind_with_own_words(permission: &Permission) -> Option<&'static str> {
    match permission.permission.as_str() {
        "plan" => Some("plan"),
        "doom_loop" => Some("repeat"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DecisionWord::{Allow, Allowed, Reject, RejectBecause, Rejected};

    fn asked(name: &str) -> Permission {
        Permission {
            permission: name.into(),
            ..Permission::default()
        }
    }

    #[test]
    fn a_plan_is_started_and_whoever_repeats_itself_keeps_going() {
        let texts = Texts::load("en");
        let said = |name: &str| {
            [Allow, Reject, RejectBecause, Allowed, Rejected]
                .map(|word| decision(&texts, &asked(name), word, "desktop-once"))
        };

        assert_eq!(
            said("plan"),
            [
                "Start",
                "Keep planning",
                "Say what to change",
                "Started",
                "Kept planning"
            ]
        );
        assert_eq!(
            said("doom_loop"),
            [
                "Keep going",
                "Stop",
                "Stop and say why",
                "Kept going",
                "Stopped"
            ]
        );
        assert_eq!(said("bash"), ["Allow once"; 5]);
    }
}
