//! The decision about an ask, as a type, so that each window can say it in its own language.
//!
//! Not here: where it was decided, which is an entry's `by`.

use beckon_core::{Answer, Ask, AskContent, Grant, Outcome, UnknownAsk, UnknownShape};
use serde::{Deserialize, Serialize};

/// The kind of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AskKind {
    /// A question set.
    Question,
    /// A request for permission to do something.
    Permission,
    /// A request to go on or to stop.
    Confirm,
}

/// The decision, here or elsewhere, or why there was none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// The question got its answer.
    Answered,
    /// The permission was granted, this once.
    Once,
    /// The permission was granted for good.
    Always,
    /// The permission was refused.
    Rejected,
    /// The confirm was answered with yes.
    Continued,
    /// The confirm was answered with no.
    Cancelled,
    /// The question was dismissed: nobody wanted to answer it.
    Dismissed,
    /// The time limit ran out.
    Expired,
    /// The agent stopped waiting.
    Gone,
}

/// The answer to a question: the choices, and the person's own text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Replied {
    /// The labels of the choices.
    pub choices: Vec<String>,
    /// The person's own text.
    pub text: Option<String>,
}

/// All that was decided about an ask.
pub(super) struct AskDecision {
    pub(super) ending: Ending,
    pub(super) reason: Option<String>,
    pub(super) replies: Vec<Replied>,
}

impl AskKind {
    /// Returns the kind of an ask.
    pub fn of(kind: &AskContent) -> Self {
        match kind {
            AskContent::Questions(_)
            | AskContent::Unknown(UnknownAsk {
                asked: UnknownShape::Question,
                ..
            }) => Self::Question,
            AskContent::Permission(_)
            | AskContent::Unknown(UnknownAsk {
                asked: UnknownShape::Permission,
                ..
            }) => Self::Permission,
            AskContent::Confirm(_) => Self::Confirm,
        }
    }
}

impl Ending {
    /// All values.
    pub const ALL: [Self; 9] = [
        Self::Answered,
        Self::Once,
        Self::Always,
        Self::Rejected,
        Self::Continued,
        Self::Cancelled,
        Self::Dismissed,
        Self::Expired,
        Self::Gone,
    ];

    /// Returns the word in JSON.
    pub fn word(self) -> String {
        super::word(&self)
    }
}

impl AskDecision {
    pub(super) fn of(ask: &Ask, outcome: &Outcome) -> Self {
        let answer = ask.final_answer(outcome);
        let reason = match &answer {
            Some(Answer::Grant(Grant::Reject { reason })) => reason.clone(),
            _ => None,
        };
        let replies = match (&answer, outcome) {
            (Some(answer @ Answer::Replies(_)), _) => replies(ask, answer),
            (
                None,
                Outcome::Elsewhere {
                    answers: Some(texts),
                },
            ) => as_told(texts),
            _ => Vec::new(),
        };
        Self {
            ending: ending(outcome, answer.as_ref()),
            reason,
            replies,
        }
    }
}

/// Returns the decision about an ask that ended with that outcome.
pub fn ending_of(ask: &Ask, outcome: &Outcome) -> Ending {
    ending(outcome, ask.final_answer(outcome).as_ref())
}

fn ending(outcome: &Outcome, answer: Option<&Answer>) -> Ending {
    match (outcome, answer) {
        (Outcome::Expired, _) => Ending::Expired,
        (Outcome::Gone, _) => Ending::Gone,
        (_, None | Some(Answer::Replies(_))) => Ending::Answered,
        (_, Some(Answer::Grant(Grant::Once))) => Ending::Once,
        (_, Some(Answer::Grant(Grant::Always))) => Ending::Always,
        (_, Some(Answer::Grant(Grant::Reject { .. }))) => Ending::Rejected,
        (_, Some(Answer::Continue)) => Ending::Continued,
        (_, Some(Answer::Cancel)) => Ending::Cancelled,
        (_, Some(Answer::Dismiss)) => Ending::Dismissed,
    }
}

/// Returns the replies of an answer. A person's own text comes after the labels.
fn replies(ask: &Ask, answer: &Answer) -> Vec<Replied> {
    let Answer::Replies(given) = answer else {
        return Vec::new();
    };
    let shown = ask.to_labels(answer).unwrap_or_default();
    let pairs = shown.into_iter().zip(given);
    let replied = pairs.map(|(mut choices, reply)| {
        let text = reply.text.as_ref().and_then(|_| choices.pop());
        Replied { choices, text }
    });
    replied.collect()
}

/// Returns the replies of an answer that fits none of the questions as they are known here.
fn as_told(texts: &[Vec<String>]) -> Vec<Replied> {
    texts
        .iter()
        .map(|texts| Replied {
            choices: texts.clone(),
            text: None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::{AskId, Choice, Permission, Question, Reply, Session, Surface, Timestamp};

    fn ask(kind: AskContent) -> Ask {
        let (id, session) = (AskId::new("local", "q"), Session::default());
        Ask {
            id,
            kind,
            session,
            call: None,
            asked_at: Timestamp(0),
        }
    }

    fn permission() -> Ask {
        ask(AskContent::Permission(Permission::default()))
    }

    fn questions() -> Ask {
        let choice = |label: &str| Choice {
            label: label.into(),
            ..Choice::default()
        };
        let choices = vec![choice("Yes"), choice("No")];
        let question = Question {
            multiple: true,
            custom: true,
            choices,
            ..Question::default()
        };
        ask(AskContent::Questions(vec![question]))
    }

    fn here(ask: &Ask, answer: Answer) -> AskDecision {
        AskDecision::of(
            ask,
            &Outcome::Answered {
                answer,
                by: Surface::Tray,
            },
        )
    }

    fn elsewhere(ask: &Ask, texts: &[&str]) -> AskDecision {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        AskDecision::of(
            ask,
            &Outcome::Elsewhere {
                answers: Some(vec![texts]),
            },
        )
    }

    #[test]
    fn a_permission_is_told_by_what_was_granted_here_or_elsewhere() {
        let reject = Grant::Reject {
            reason: Some("not today".into()),
        };
        for (grant, word, ending) in [
            (Grant::Once, "once", Ending::Once),
            (Grant::Always, "always", Ending::Always),
            (reject, "reject", Ending::Rejected),
        ] {
            assert_eq!(here(&permission(), Answer::Grant(grant)).ending, ending);
            assert_eq!(elsewhere(&permission(), &[word]).ending, ending);
        }
        let reject = Grant::Reject {
            reason: Some("not today".into()),
        };
        let rejected = here(&permission(), Answer::Grant(reject));
        assert_eq!(rejected.reason.as_deref(), Some("not today"));
    }

    #[test]
    fn a_no_is_told_by_the_word_of_its_kind() {
        let confirm = ask(AskContent::Confirm("Go on?".into()));
        assert_eq!(here(&confirm, Answer::Continue).ending, Ending::Continued);
        assert_eq!(here(&confirm, Answer::Cancel).ending, Ending::Cancelled);
        assert_eq!(
            here(&questions(), Answer::Dismiss).ending,
            Ending::Dismissed
        );
        for (ask, ending) in [
            (confirm, Ending::Cancelled),
            (permission(), Ending::Rejected),
            (questions(), Ending::Dismissed),
        ] {
            assert_eq!(
                AskDecision::of(&ask, &Outcome::DismissedElsewhere).ending,
                ending
            );
        }
    }

    #[test]
    fn own_text_is_told_apart_from_what_was_chosen() {
        let reply = Reply {
            choices: vec![1],
            text: Some("later".into()),
        };
        let replied = Replied {
            choices: vec!["No".into()],
            text: Some("later".into()),
        };
        let decided = here(&questions(), Answer::Replies(vec![reply]));
        assert_eq!(
            (decided.ending, decided.replies),
            (Ending::Answered, vec![replied.clone()])
        );
        assert_eq!(elsewhere(&questions(), &["No", "later"]).replies, [replied]);
    }

    #[test]
    fn what_nobody_can_read_is_an_answer_all_the_same() {
        let strange = elsewhere(&questions(), &["a", "b"]);
        assert_eq!(strange.ending, Ending::Answered);
        assert_eq!(strange.replies[0].choices, ["a", "b"]);
        let unknown = AskDecision::of(&questions(), &Outcome::Elsewhere { answers: None });
        assert_eq!(
            (unknown.ending, unknown.replies.len()),
            (Ending::Answered, 0)
        );
    }
}
