//! What a team's rules make of a request: who decides it, and who has agreed.

use crate::text::{Texts, Value};
use beckon_core::hub::team::Hold;
use beckon_core::visible;

/// That others decide it, and who.
pub fn hold(texts: &Texts, hold: &Hold) -> String {
    match hold.agreed.is_empty() {
        true => said(texts, "hold", hold),
        false => said(texts, "hold-agreed", hold),
    }
}

/// That a yes counts, and whose is needed as well.
pub fn needs_another(texts: &Texts, hold: &Hold) -> String {
    said(texts, "hold-yours", hold)
}

fn said(texts: &Texts, key: &str, hold: &Hold) -> String {
    let agreed = names(texts, "hold-and", &hold.agreed);
    match names(texts, "hold-or", &hold.deciders) {
        Some(who) => {
            texts.with(key, &[("who", who.into()), ("agreed", agreed.unwrap_or_default().into())])
        }
        None => {
            let agreed = Value::from(agreed.unwrap_or_default());
            texts.with(&format!("{key}-nobody"), &[("agreed", agreed)])
        }
    }
}

/// All of them in a row; `None` where there is nobody.
fn names(texts: &Texts, last: &str, names: &[String]) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| visible::prose(name).text).collect();
    let (end, rest) = names.split_last()?;
    if rest.is_empty() {
        return Some(end.clone());
    }
    let rest = rest.join(&texts.get("hold-comma"));
    Some(texts.with(last, &[("names", rest.into()), ("last", end.clone().into())]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(deciders: &[&str], agreed: &[&str]) -> Hold {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Hold { deciders: names(deciders), agreed: names(agreed) }
    }

    #[test]
    fn a_hold_names_who_can_decide_as_one_would_say_it() {
        let english = Texts::load("en");
        let said = |deciders: &[&str], agreed: &[&str]| hold(&english, &held(deciders, agreed));
        assert_eq!(said(&["Ada"], &[]), "Held: Ada can decide.");
        assert_eq!(said(&["Ada", "Ben", "Cleo"], &[]), "Held: Ada, Ben or Cleo can decide.");
        assert_eq!(said(&["Ben"], &["Ada"]), "Ada said yes. Someone else has to agree: Ben.");
        assert_eq!(
            said(&[], &[]),
            "Held, and nobody on the team can decide it now. You can still answer in the agent."
        );
        let chinese = hold(&Texts::load("zh-CN"), &held(&["Ada", "Ben"], &[]));
        assert_eq!(chinese, "待他人决定：可由 Ada 或 Ben 决定。");
    }

    #[test]
    fn a_name_that_hides_something_shows_it() {
        let said = hold(&Texts::load("en"), &held(&["Ada\u{202e}x"], &[]));
        assert_eq!(said, "Held: Ada⟨U+202E⟩x can decide.");
    }
}
