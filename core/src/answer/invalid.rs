//! Why an answer does not fit, for a log; a person reads the sentences of the locales.

use crate::{LimitMeasure, NumberBound, TextFormat};
use alloc::format;
use alloc::string::{String, ToString};

/// Why an answer does not fit. Numbers are from 1, as people count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAnswer {
    /// Not an answer for this kind of ask.
    #[error("this kind of ask cannot be answered like that")]
    WrongKind,
    /// Every question needs exactly one reply.
    #[error("expected {expected} replies, got {got}")]
    WrongCount {
        /// Questions asked.
        expected: usize,
        /// Replies given.
        got: usize,
    },
    /// Nothing chosen and nothing written.
    #[error("question {question} has no answer")]
    Empty {
        /// From 1.
        question: usize,
    },
    /// No such question.
    #[error("there is no question {question}, only {count}")]
    NoSuchQuestion {
        /// From 1.
        question: usize,
        /// How many there are.
        count: usize,
    },
    /// No such choice.
    #[error("question {question} has no choice {choice}, only {count}")]
    NoSuchChoice {
        /// From 1.
        question: usize,
        /// From 1.
        choice: usize,
        /// How many there are.
        count: usize,
    },
    /// Several answers to a single choice.
    #[error("question {question} takes one answer")]
    TooMany {
        /// From 1.
        question: usize,
    },
    /// The same choice twice.
    #[error("question {question} has choice {choice} twice")]
    Twice {
        /// From 1.
        question: usize,
        /// From 1.
        choice: usize,
    },
    /// Own text where `custom` is false.
    #[error("question {question} takes no own text")]
    NoOwnText {
        /// From 1.
        question: usize,
    },
    /// Own text of another form than its source demands.
    #[error("question {question} takes {format}")]
    WrongFormat {
        /// From 1.
        question: usize,
        /// What it takes.
        format: TextFormat,
    },
    /// Too little or too much.
    #[error("question {question} takes {}", range(*measure, *least, *most))]
    OutOfRange {
        /// From 1.
        question: usize,
        /// Of what.
        measure: LimitMeasure,
        /// At least that.
        least: Option<NumberBound>,
        /// At most that.
        most: Option<NumberBound>,
    },
    /// A number that is not above its bound.
    #[error("question {question} takes a number above {above}")]
    NotAbove {
        /// From 1.
        question: usize,
        /// The bound, which is no answer itself.
        above: NumberBound,
    },
    /// A number that is not below its bound.
    #[error("question {question} takes a number below {below}")]
    NotBelow {
        /// From 1.
        question: usize,
        /// The bound, which is no answer itself.
        below: NumberBound,
    },
    /// A number between two steps.
    #[error("question {question} takes a multiple of {step}")]
    NoMultiple {
        /// From 1.
        question: usize,
        /// The step.
        step: NumberBound,
    },
    /// Own text that its source's pattern does not match.
    #[error("question {question} takes what matches {pattern}")]
    NoMatch {
        /// From 1.
        question: usize,
        /// As JavaScript writes it.
        pattern: String,
    },
    /// The choice that means "no answer", and an answer.
    #[error("question {question} has an answer and says that it has none")]
    NoneAndSome {
        /// From 1.
        question: usize,
    },
    /// A text (OpenCode's dialect) that is no label and cannot be own text.
    #[error("question {question} has no choice with that label")]
    NoSuchLabel {
        /// From 1.
        question: usize,
    },
    /// Words that are the number of one choice and the label of another.
    #[error("question {question} has a choice with that number and another one with that label")]
    AmbiguousNumber {
        /// From 1.
        question: usize,
    },
    /// The card shows another step of the answer by now than its human saw.
    #[error("the card shows another step by now")]
    Passed,
    /// The answer under way is another by now than its human saw, and would have sent.
    #[error("the answer is not what was shown")]
    Unseen,
    /// A text that is the label of several choices, which are not the same.
    #[error("question {question} has several choices with that label")]
    AmbiguousLabel {
        /// From 1.
        question: usize,
    },
}

fn range(measure: LimitMeasure, least: Option<NumberBound>, most: Option<NumberBound>) -> String {
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
