//! The words for what a team's rules make of a request: who decides it, and who has agreed.

use crate::text::{Texts, Value};
use beckon_core::hub::team::{FirstAnswers, Hold};
use beckon_core::{Entry, visible};

/// Says that others decide a request, and who they are.
pub fn hold(texts: &Texts, hold: &Hold) -> String {
    let key = match (hold.agreed.is_empty(), hold.said) {
        (true, _) => "hold",
        (false, FirstAnswers::Yes) => "hold-agreed",
        (false, FirstAnswers::Answer) => "hold-answered",
        (false, FirstAnswers::Apart) => "hold-apart",
    };
    said(texts, key, hold)
}

/// Says that an answer counts, and whose answer is needed as well.
pub fn needs_another(texts: &Texts, hold: &Hold) -> String {
    said(texts, "hold-yours", hold)
}

/// Says who has answered already, to a person who decides it by saying the same.
pub fn agreed(texts: &Texts, people: &[String], said: FirstAnswers) -> String {
    let key = match said {
        FirstAnswers::Yes => "agreed-yes",
        FirstAnswers::Answer => "agreed-answer",
        FirstAnswers::Apart => "agreed-apart",
    };
    let people = names(texts, "hold-and", people).unwrap_or_default();
    texts.with(key, &[("agreed", people.into())])
}

/// Says the same of an ask that waits for this desk's human.
pub fn agreed_to(texts: &Texts, entry: &Entry) -> Option<String> {
    let (people, said) = entry.first_answers().filter(|_| entry.hold.is_none())?;
    Some(agreed(texts, &people, said))
}

fn said(texts: &Texts, key: &str, hold: &Hold) -> String {
    let agreed = names(texts, "hold-and", &hold.agreed);
    match names(texts, "hold-or", &hold.deciders) {
        Some(who) => texts.with(
            key,
            &[
                ("who", who.into()),
                ("agreed", agreed.unwrap_or_default().into()),
            ],
        ),
        None => {
            let agreed = Value::from(agreed.unwrap_or_default());
            texts.with(&format!("{key}-nobody"), &[("agreed", agreed)])
        }
    }
}

/// Returns all names in a row; `None` if there are none.
fn names(texts: &Texts, last: &str, names: &[String]) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| visible::prose(name).text).collect();
    let (end, rest) = names.split_last()?;
    if rest.is_empty() {
        return Some(end.clone());
    }
    let rest = rest.join(&texts.get("hold-comma"));
    Some(texts.with(
        last,
        &[("names", rest.into()), ("last", end.clone().into())],
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(deciders: &[&str], agreed: &[&str]) -> Hold {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Hold {
            deciders: names(deciders),
            agreed: names(agreed),
            said: FirstAnswers::Yes,
        }
    }

    #[test]
    fn of_people_who_disagree_nobody_says_that_they_said_yes() {
        let english = Texts::load("en");
        let said = |said| {
            hold(
                &english,
                &Hold {
                    said,
                    ..held(&["Ben"], &["Ada", "Cleo"])
                },
            )
        };
        let same = "Ada and Cleo answered. Someone else has to give the same answer: Ben.";
        assert_eq!(said(FirstAnswers::Answer), same);
        let apart = "Ada and Cleo gave different answers. Someone else has to agree with one of \
                     them: Ben.";
        assert_eq!(said(FirstAnswers::Apart), apart);
        let yours = |said| agreed(&english, &["Ada".to_owned()], said);
        assert_eq!(
            yours(FirstAnswers::Yes),
            "Ada said yes. If you do, too, it's decided."
        );
        assert_eq!(
            yours(FirstAnswers::Answer),
            "Ada answered. If you give the same answer, it's decided."
        );
    }

    #[test]
    fn a_hold_names_who_can_decide_as_one_would_say_it() {
        let english = Texts::load("en");
        let said = |deciders: &[&str], agreed: &[&str]| hold(&english, &held(deciders, agreed));
        assert_eq!(said(&["Ada"], &[]), "Waiting for Ada.");
        assert_eq!(
            said(&["Ada", "Ben", "Cleo"], &[]),
            "Waiting for Ada, Ben or Cleo."
        );
        assert_eq!(
            said(&["Ben"], &["Ada"]),
            "Ada said yes. Someone else has to agree: Ben."
        );
        assert_eq!(
            said(&[], &[]),
            "Nobody on the team can decide this now. You can still answer in the agent."
        );
        let chinese = hold(&Texts::load("zh-CN"), &held(&["Ada", "Ben"], &[]));
        assert_eq!(chinese, "等待 Ada 或 Ben 决定。");
    }

    #[test]
    fn a_name_that_hides_something_shows_it() {
        let said = hold(&Texts::load("en"), &held(&["Ada\u{202e}x"], &[]));
        assert_eq!(said, "Waiting for Ada⟨U+202E⟩x.");
    }
}
