//! The sentences that say why an answer is not taken.

use super::limiting::shortened;
use crate::text::{Texts, Value};
use crate::wire::{AnswerPlace, AnsweredBy, WireWord};
use beckon_core::{
    Answer, AnswerRefusal, Ask, AskState, Entry, Grant, InvalidAnswer, LateAnswer, LimitMeasure,
    NumberBound, Outcome, Surface, TextFormat,
};

/// The most characters of a longer answer that come back.
const ANSWER: usize = 2_000;

/// Says why an answer was refused.
pub fn refusal(texts: &Texts, refusal: &AnswerRefusal) -> String {
    refusal_after(texts, refusal, None)
}

/// Says the same, if it is known who was faster.
pub fn refusal_after(
    texts: &Texts,
    refusal: &AnswerRefusal,
    faster: Option<&AnsweredBy>,
) -> String {
    match refusal {
        AnswerRefusal::Unknown => texts.get("refusal-unknown"),
        AnswerRefusal::Answering { by } => decided(
            texts,
            "refusal-answering",
            Some(AnswerPlace::from(*by)),
            faster,
        ),
        AnswerRefusal::Settled { outcome } => settled(texts, outcome, faster),
        AnswerRefusal::Changed => texts.get("refusal-changed"),
        AnswerRefusal::Held(hold) => super::hold(texts, hold),
        AnswerRefusal::NeedsAnother(hold) => super::needs_another(texts, hold),
        AnswerRefusal::Invalid(invalid) => invalid_answer(texts, invalid),
    }
}

/// The person whose answer it is, as the reader of the sentence sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerOwner<'a> {
    /// The reader.
    Reader,
    /// The person of that name; others may read it as well.
    Named(&'a str),
    /// A person whose name is not known.
    Somebody,
}

impl AnswerOwner<'_> {
    /// Fills in the text of that name which speaks of the answer as theirs.
    fn text(self, texts: &Texts, key: &str, args: &[(&str, Value<'_>)]) -> String {
        match self {
            Self::Reader => texts.with(key, args),
            Self::Named(name) => {
                let named = [args, &[("name", name.into())]].concat();
                texts.with(&format!("{key}-of"), &named)
            }
            Self::Somebody => texts.with(&format!("{key}-somebody"), args),
        }
    }
}

/// Says how an ask ended for which that answer came too late, or that the answer was lost, and
/// gives back the answer's words.
pub fn too_late(texts: &Texts, entry: &Entry, late: &LateAnswer, owner: AnswerOwner<'_>) -> String {
    let why = match &entry.state {
        AskState::Settled {
            outcome: Outcome::Gone,
            ..
        } => lost(texts, late, owner),
        AskState::Settled { outcome, .. } => settled(
            texts,
            outcome,
            entry.responder.as_ref().map(AnsweredBy::from).as_ref(),
        ),
        AskState::Open | AskState::Answering { .. } => String::new(),
    };
    match words_of(&entry.ask, &late.answer) {
        Some(words) => {
            let text: String = words.chars().take(ANSWER).collect();
            let args = [("why", why.into()), ("text", text.into())];
            owner.text(texts, "too-late-back", &args)
        }
        None => why,
    }
}

/// Says what became of an answer whose agent has stopped waiting.
pub fn lost(texts: &Texts, late: &LateAnswer, owner: AnswerOwner<'_>) -> String {
    let key = if late.may_have_arrived {
        "lost-unproven"
    } else {
        "lost-not-arrived"
    };
    owner.text(texts, key, &[])
}

/// Returns what was chosen or written; nothing for an answer that is only a button.
fn words_of(ask: &Ask, answer: &Answer) -> Option<String> {
    let words = match answer {
        Answer::Replies(_) => ask.to_labels(answer)?.concat().join(", "),
        Answer::Grant(Grant::Reject { reason }) => reason.clone()?,
        Answer::Grant(Grant::Once | Grant::Always)
        | Answer::Dismiss
        | Answer::Continue
        | Answer::Cancel => return None,
    };
    Some(words).filter(|words| !words.trim().is_empty())
}

fn settled(texts: &Texts, outcome: &Outcome, faster: Option<&AnsweredBy>) -> String {
    let key = match outcome {
        Outcome::Answered {
            by: Surface::Clock, ..
        }
        | Outcome::Expired => "refusal-expired",
        Outcome::Answered { .. } | Outcome::Elsewhere { .. } => "refusal-answered",
        Outcome::DismissedElsewhere => "refusal-dismissed",
        Outcome::Gone => "refusal-gone",
    };
    decided(texts, key, AnswerPlace::of(outcome), faster)
}

fn decided(
    texts: &Texts,
    key: &str,
    place: Option<AnswerPlace>,
    who: Option<&AnsweredBy>,
) -> String {
    let by = super::answered_by(texts, place.map(WireWord::from).as_ref(), who);
    texts.with(key, &[("by", Value::from(by))])
}

/// Says why an answer does not fit its ask.
pub fn invalid_answer(texts: &Texts, invalid: &InvalidAnswer) -> String {
    let (key, question, count) = match invalid {
        InvalidAnswer::WrongKind => ("invalid-kind", 0, 0),
        InvalidAnswer::NoAlways => ("invalid-always", 0, 0),
        InvalidAnswer::WrongCount { expected, .. } => ("invalid-count", 0, *expected),
        InvalidAnswer::Empty { question } => ("invalid-empty", *question, 0),
        InvalidAnswer::NoSuchQuestion { question, count } => {
            ("invalid-question", *question, *count)
        }
        InvalidAnswer::NoSuchChoice {
            question, count, ..
        } => ("invalid-choice", *question, *count),
        InvalidAnswer::TooMany { question } => ("invalid-too-many", *question, 0),
        InvalidAnswer::Twice { question, .. } => ("invalid-twice", *question, 0),
        InvalidAnswer::NoOwnText { question } => ("invalid-own-text", *question, 0),
        InvalidAnswer::NoSuchLabel { question } => ("invalid-label", *question, 0),
        InvalidAnswer::AmbiguousNumber { question } => ("invalid-ambiguous-number", *question, 0),
        InvalidAnswer::AmbiguousLabel { question } => ("invalid-ambiguous", *question, 0),
        InvalidAnswer::Passed => ("invalid-passed", 0, 0),
        InvalidAnswer::Unseen => ("invalid-unseen", 0, 0),
        InvalidAnswer::NoneAndSome { question } => ("invalid-none", *question, 0),
        InvalidAnswer::WrongFormat { question, format } => (misformed(*format), *question, 0),
        InvalidAnswer::OutOfRange {
            question,
            measure,
            least,
            most,
        } => {
            let bounds = [least.as_ref(), most.as_ref()];
            return out_of_range(texts, *question, *measure, bounds);
        }
        InvalidAnswer::NotAbove { question, above } => {
            return demanded(texts, "invalid-above", *question, above.to_string());
        }
        InvalidAnswer::NotBelow { question, below } => {
            return demanded(texts, "invalid-below", *question, below.to_string());
        }
        InvalidAnswer::NoMultiple { question, step } => {
            return demanded(texts, "invalid-step", *question, step.to_string());
        }
        InvalidAnswer::Rounded {
            question,
            nearest: Some(nearest),
        } => return demanded(texts, "invalid-rounded", *question, nearest.to_string()),
        InvalidAnswer::Rounded {
            question,
            nearest: None,
        } => ("invalid-too-large", *question, 0),
        InvalidAnswer::NoMatch { question, pattern } => {
            return demanded(texts, "invalid-pattern", *question, shortened(pattern));
        }
    };
    texts.with(
        key,
        &[("question", question.into()), ("count", count.into())],
    )
}

fn demanded(texts: &Texts, key: &str, question: usize, demand: String) -> String {
    texts.with(
        key,
        &[("question", question.into()), ("demand", demand.into())],
    )
}

fn misformed(format: TextFormat) -> &'static str {
    match format {
        TextFormat::Text => "invalid-format-text",
        TextFormat::Email => "invalid-format-email",
        TextFormat::Uri => "invalid-format-uri",
        TextFormat::Date => "invalid-format-date",
        TextFormat::DateTime => "invalid-format-date-time",
        TextFormat::Number => "invalid-format-number",
        TextFormat::Integer => "invalid-format-integer",
    }
}

fn out_of_range(
    texts: &Texts,
    question: usize,
    measure: LimitMeasure,
    bounds: [Option<&NumberBound>; 2],
) -> String {
    let key = match measure {
        LimitMeasure::Value => "invalid-value",
        LimitMeasure::Characters => "invalid-characters",
        LimitMeasure::Answers => "invalid-answers",
    };
    let [least, most] = bounds.map(|bound| bound.map(|bound| bound.to_string()));
    let key = match (&least, &most) {
        (Some(_), Some(_)) => key.to_owned(),
        (Some(_), None) => format!("{key}-least"),
        (None, _) => format!("{key}-most"),
    };
    let [least, most] = [least, most].map(|bound| Value::from(bound.unwrap_or_default()));
    texts.with(
        &key,
        &[
            ("question", question.into()),
            ("least", least),
            ("most", most),
        ],
    )
}
