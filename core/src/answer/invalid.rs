//! The reasons why an answer does not fit its ask, for a log; a person reads the sentences of the
//! locales.

use crate::{LimitMeasure, NumberBound, TextFormat};
use alloc::format;
use alloc::string::{String, ToString};

/// The rule that an answer breaks. Numbers are from 1, as people count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAnswer {
    /// The answer is not one for this kind of ask.
    #[error("this kind of ask cannot be answered like that")]
    WrongKind,
    /// The permission offers no "always": its agent would take the answer for more than it is.
    #[error("this permission can only be allowed once")]
    NoAlways,
    /// There are too few or too many replies: every question needs exactly one.
    #[error("expected {expected} replies, got {got}")]
    WrongCount {
        /// The number of questions.
        expected: usize,
        /// The number of replies.
        got: usize,
    },
    /// A reply in which nothing is chosen and nothing written.
    #[error("question {question} has no answer")]
    Empty {
        /// The question's number, from 1.
        question: usize,
    },
    /// A question that does not exist.
    #[error("there is no question {question}, only {count}")]
    NoSuchQuestion {
        /// The question's number, from 1.
        question: usize,
        /// The number of questions.
        count: usize,
    },
    /// A choice that does not exist.
    #[error("question {question} has no choice {choice}, only {count}")]
    NoSuchChoice {
        /// The question's number, from 1.
        question: usize,
        /// The choice's number, from 1.
        choice: usize,
        /// The number of choices.
        count: usize,
    },
    /// A reply with several choices to a question that takes one.
    #[error("question {question} takes one answer")]
    TooMany {
        /// The question's number, from 1.
        question: usize,
    },
    /// A choice that is given twice.
    #[error("question {question} has choice {choice} twice")]
    Twice {
        /// The question's number, from 1.
        question: usize,
        /// The choice's number, from 1.
        choice: usize,
    },
    /// A reply of own text to a question that does not take it (`custom` is false).
    #[error("question {question} takes no own text")]
    NoOwnText {
        /// The question's number, from 1.
        question: usize,
    },
    /// Own text of another form than its source demands.
    #[error("question {question} takes {format}")]
    WrongFormat {
        /// The question's number, from 1.
        question: usize,
        /// The form that the question takes.
        format: TextFormat,
    },
    /// A value, a length or a number of choices that is out of range.
    #[error("question {question} takes {}", range(*measure, least.as_ref(), most.as_ref()))]
    OutOfRange {
        /// The question's number, from 1.
        question: usize,
        /// The measure that is out of range.
        measure: LimitMeasure,
        /// The least that the question takes; `None` without a lower bound.
        least: Option<NumberBound>,
        /// The most that the question takes; `None` without an upper bound.
        most: Option<NumberBound>,
    },
    /// A number that is not above its bound.
    #[error("question {question} takes a number above {above}")]
    NotAbove {
        /// The question's number, from 1.
        question: usize,
        /// The bound, which is no answer itself.
        above: NumberBound,
    },
    /// A number that is not below its bound.
    #[error("question {question} takes a number below {below}")]
    NotBelow {
        /// The question's number, from 1.
        question: usize,
        /// The bound, which is no answer itself.
        below: NumberBound,
    },
    /// A number between two steps.
    #[error("question {question} takes a multiple of {step}")]
    NoMultiple {
        /// The question's number, from 1.
        question: usize,
        /// The step.
        step: NumberBound,
    },
    /// A number that would reach its source as another one, since only a double goes there.
    #[error("question {question} takes a number that a double keeps")]
    Rounded {
        /// The question's number, from 1.
        question: usize,
        /// The number that would arrive; `None` if it is beyond all.
        nearest: Option<NumberBound>,
    },
    /// Own text that its source's pattern does not match.
    #[error("question {question} takes what matches {pattern}")]
    NoMatch {
        /// The question's number, from 1.
        question: usize,
        /// The pattern, as JavaScript writes it.
        pattern: String,
    },
    /// A reply with the choice that means "no answer" and with an answer as well.
    #[error("question {question} has an answer and says that it has none")]
    NoneAndSome {
        /// The question's number, from 1.
        question: usize,
    },
    /// A text (OpenCode's dialect) that is no label and cannot be own text.
    #[error("question {question} has no choice with that label")]
    NoSuchLabel {
        /// The question's number, from 1.
        question: usize,
    },
    /// Words that are the number of one choice and the label of another.
    #[error("question {question} has a choice with that number and another one with that label")]
    AmbiguousNumber {
        /// The question's number, from 1.
        question: usize,
    },
    /// A step of the answer that is not the one that the human saw.
    #[error("the card shows another step by now")]
    Passed,
    /// An answer under way that has changed since the human saw it, and would have been sent.
    #[error("the answer is not what was shown")]
    Unseen,
    /// A text that is the label of several choices, which are not the same.
    #[error("question {question} has several choices with that label")]
    AmbiguousLabel {
        /// The question's number, from 1.
        question: usize,
    },
}

fn range(measure: LimitMeasure, least: Option<&NumberBound>, most: Option<&NumberBound>) -> String {
    let bounds = match (least, most) {
        (Some(least), Some(most)) if least == most => least.to_string(),
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (None, None) => return measure.to_string(),
    };
    match measure {
        LimitMeasure::Value => format!("{measure}, {bounds}"),
        LimitMeasure::Characters | LimitMeasure::Answers => format!("{bounds} {measure}"),
    }
}
