//! Answers, and whether they fit their ask. The servers validate nothing, so this must.

use crate::{Ask, AskContent, Choice, LimitMeasure, NumberBound, Outcome, Question, TextFormat};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// One human's complete answer to an ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// One reply per question, in the order of the questions.
    Replies(Vec<Reply>),
    /// For a permission.
    Grant(Grant),
    /// For a confirm: go on.
    Continue,
    /// For a confirm: stop.
    Cancel,
    /// The question set is rejected as a whole.
    Dismiss,
}

/// The reply to one question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// Indices into the question's choices, from 0.
    #[serde(default)]
    pub choices: Vec<usize>,
    /// Own text.
    #[serde(default)]
    pub text: Option<String>,
}

/// The reply to a permission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grant {
    /// This once.
    Once,
    /// For everything that the permission's `always` patterns match.
    Always,
    /// No, with the human's reason for the agent.
    Reject {
        /// Goes to the agent as feedback.
        reason: Option<String>,
    },
}

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

impl Reply {
    /// One choice, index from 0.
    pub fn choice(index: usize) -> Self {
        Self { choices: vec![index], text: None }
    }

    /// Own text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { choices: Vec::new(), text: Some(text.into()) }
    }

    fn check(&self, number: usize, question: &Question) -> Result<(), InvalidAnswer> {
        let count = question.choices.len();
        for (position, &index) in self.choices.iter().enumerate() {
            if index >= count {
                return Err(InvalidAnswer::NoSuchChoice {
                    question: number,
                    choice: index.saturating_add(1),
                    count,
                });
            }
            if self.choices[..position].contains(&index) {
                return Err(InvalidAnswer::Twice { question: number, choice: index + 1 });
            }
        }
        let texts = match &self.text {
            Some(_) if !question.custom => {
                return Err(InvalidAnswer::NoOwnText { question: number });
            }
            Some(text) if text.trim().is_empty() => {
                return Err(InvalidAnswer::Empty { question: number });
            }
            text => usize::from(text.is_some()),
        };
        match self.choices.len() + texts {
            0 => return Err(InvalidAnswer::Empty { question: number }),
            1 => {}
            _ if question.multiple => {}
            _ => return Err(InvalidAnswer::TooMany { question: number }),
        }
        let limits = question.limits.as_ref();
        limits.map_or(Ok(()), |limits| limits.check(number, question.multiple, self))
    }

    fn to_values(&self, question: &Question) -> Vec<String> {
        self.texts(question, |index| Some(question.choices.get(index)?.delivered().to_owned()))
    }

    fn to_labels(&self, question: &Question) -> Vec<String> {
        let labels = question.labels();
        self.texts(question, |index| labels.get(index).cloned())
    }

    fn texts(&self, question: &Question, of: impl Fn(usize) -> Option<String>) -> Vec<String> {
        // Nothing goes back for "no answer".
        if question.limits.as_ref().is_some_and(|limits| limits.is_none(self)) {
            return Vec::new();
        }
        let choices = self.choices.iter().filter_map(|&index| of(index));
        choices.chain(self.text.clone()).collect()
    }

    /// Reads one answer list that consists of texts. A text that names choices with different values
    /// is refused and never guessed at; of choices that are the same in all, each is as good.
    fn from_texts(
        number: usize,
        question: &Question,
        texts: &[String],
        naming: ChoiceNaming,
    ) -> Result<Self, InvalidAnswer> {
        let mut reply = Self::default();
        for text in texts {
            let named = question.named(text, naming);
            let first = named.first().map(|&index| naming.means(question, index));
            if named.iter().any(|&index| Some(naming.means(question, index)) != first) {
                return Err(InvalidAnswer::AmbiguousLabel { question: number });
            }
            match named.into_iter().find(|index| !reply.choices.contains(index)) {
                Some(index) => reply.choices.push(index),
                None if question.custom && reply.text.is_none() => reply.text = Some(text.clone()),
                None if question.custom => return Err(InvalidAnswer::TooMany { question: number }),
                None => return Err(InvalidAnswer::NoSuchLabel { question: number }),
            }
        }
        Ok(reply)
    }
}

/// By what a text names a choice.
#[derive(Clone, Copy)]
enum ChoiceNaming {
    /// A client of OpenCode's dialect, which knows labels: as [`Question::labels`] tells them apart,
    /// as they came, or, where no label is meant, by the value.
    Labels,
    /// A source, which tells what it got: the value, and nothing else.
    Values,
}

impl ChoiceNaming {
    /// What must not differ between choices that one text names: for a client what the agent gets,
    /// for a source what a person reads.
    fn means(self, question: &Question, index: usize) -> &str {
        let choice = &question.choices[index];
        match self {
            Self::Labels => choice.delivered(),
            Self::Values => &choice.label,
        }
    }
}

impl Question {
    /// The labels, each of those that stand for several values with its number among them: `Drop it
    /// (1)`, `Drop it (2)`. For whoever can tell choices apart by nothing but their text.
    pub fn labels(&self) -> Vec<String> {
        let mut labels: Vec<String> = Vec::new();
        for (index, choice) in self.choices.iter().enumerate() {
            let label = match self.is_ambiguous(&choice.label) {
                true => self.told_apart(index, &labels),
                false => choice.label.clone(),
            };
            labels.push(label);
        }
        labels
    }

    /// The label with the first number that makes it another than all before and all as they came.
    fn told_apart(&self, index: usize, before: &[String]) -> String {
        let label = &self.choices[index].label;
        let nth = 1 + self.choices[..index].iter().filter(|twin| twin.label == *label).count();
        let numbered = (nth..).map(|n| format!("{label} ({n})"));
        let taken = |text: &String| {
            before.contains(text) || self.choices.iter().any(|choice| choice.label == *text)
        };
        let mut free = numbered.filter(|text| !taken(text));
        free.next().unwrap_or_else(|| label.clone())
    }

    /// Do choices with that label deliver different values?
    fn is_ambiguous(&self, label: &str) -> bool {
        let mut twins = self.choices.iter().filter(|choice| choice.label == label);
        let first = twins.next().map(Choice::delivered);
        twins.any(|twin| Some(twin.delivered()) != first)
    }

    /// The choices that a text may mean, by the first reading that finds any.
    fn named(&self, text: &str, naming: ChoiceNaming) -> Vec<usize> {
        let all = |is: &dyn Fn(usize) -> bool| -> Vec<usize> {
            (0..self.choices.len()).filter(|&index| is(index)).collect()
        };
        let valued = || all(&|index| self.choices[index].delivered() == text);
        let ChoiceNaming::Labels = naming else { return valued() };
        let labels = self.labels();
        let labelled = all(&|index| labels[index] == text || self.choices[index].label == text);
        if labelled.is_empty() { valued() } else { labelled }
    }
}

impl Ask {
    /// The questions, empty for the other kinds.
    pub fn questions(&self) -> &[Question] {
        match &self.kind {
            AskContent::Questions(questions) => questions,
            AskContent::Permission(_) | AskContent::Confirm(_) | AskContent::Unknown(_) => &[],
        }
    }

    /// Does this answer fit?
    ///
    /// # Errors
    /// Says which rule it breaks.
    pub fn check(&self, answer: &Answer) -> Result<(), InvalidAnswer> {
        match (&self.kind, answer) {
            (AskContent::Questions(questions), Answer::Replies(replies)) => {
                check_all(questions, replies)
            }
            (AskContent::Questions(_), Answer::Dismiss)
            | (AskContent::Permission(_), Answer::Grant(_))
            | (AskContent::Confirm(_), Answer::Continue | Answer::Cancel) => Ok(()),
            _ => Err(InvalidAnswer::WrongKind),
        }
    }

    /// The answer as a source tells it in its own "replied" event: one list of texts per question,
    /// for a permission its one word. A dismissal has none.
    pub fn to_source_texts(&self, answer: &Answer) -> Option<Vec<Vec<String>>> {
        let word = match answer {
            Answer::Replies(replies) => return Some(self.replies_to_texts(replies)),
            Answer::Grant(Grant::Once) => "once",
            Answer::Grant(Grant::Always) => "always",
            Answer::Grant(Grant::Reject { .. }) => "reject",
            Answer::Continue => "continue",
            Answer::Cancel => "cancel",
            Answer::Dismiss => return None,
        };
        Some(vec![vec![word.to_owned()]])
    }

    /// What a source told, read: the reverse of [`Ask::to_source_texts`]. `None` is what fits no
    /// answer to it.
    pub fn from_source_texts(&self, told: &[Vec<String>]) -> Option<Answer> {
        let word = told.first().and_then(|texts| texts.first()).map(String::as_str);
        match (&self.kind, word?) {
            (AskContent::Questions(_), _) => self.read(told, ChoiceNaming::Values).ok(),
            (AskContent::Permission(_), "once") => Some(Answer::Grant(Grant::Once)),
            (AskContent::Permission(_), "always") => Some(Answer::Grant(Grant::Always)),
            (AskContent::Permission(_), "reject") => {
                Some(Answer::Grant(Grant::Reject { reason: None }))
            }
            (AskContent::Confirm(_), "continue") => Some(Answer::Continue),
            (AskContent::Confirm(_), "cancel") => Some(Answer::Cancel),
            _ => None,
        }
    }

    /// The answer that counted, wherever it was given, as far as it is known.
    pub fn final_answer(&self, outcome: &Outcome) -> Option<Answer> {
        match outcome {
            Outcome::Answered { answer, .. } => Some(answer.clone()),
            Outcome::Elsewhere { answers } => self.from_source_texts(answers.as_ref()?),
            Outcome::DismissedElsewhere => Some(self.refusal()),
            Outcome::Expired | Outcome::Gone => None,
        }
    }

    /// The answer in the words that the human saw: as [`Ask::to_source_texts`], with the labels of
    /// choices in place of their values.
    pub fn to_labels(&self, answer: &Answer) -> Option<Vec<Vec<String>>> {
        let Answer::Replies(replies) = answer else { return self.to_source_texts(answer) };
        let pairs = self.questions().iter().zip(replies);
        Some(pairs.map(|(question, reply)| reply.to_labels(question)).collect())
    }

    /// The answer of a human who will have nothing to do with it.
    pub fn refusal(&self) -> Answer {
        match self.kind {
            // One of unknown form takes none; elsewhere it may have been dismissed.
            AskContent::Questions(_) | AskContent::Unknown(_) => Answer::Dismiss,
            AskContent::Permission(_) => Answer::Grant(Grant::Reject { reason: None }),
            AskContent::Confirm(_) => Answer::Cancel,
        }
    }

    /// What goes back to the agent for these replies: one list of texts per question.
    pub fn replies_to_texts(&self, replies: &[Reply]) -> Vec<Vec<String>> {
        self.questions().iter().zip(replies).map(|(q, reply)| reply.to_values(q)).collect()
    }

    /// Reads an answer in OpenCode's dialect, one list of texts per question.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn replies_from_texts(&self, answers: &[Vec<String>]) -> Result<Answer, InvalidAnswer> {
        self.read(answers, ChoiceNaming::Labels)
    }

    fn read(&self, answers: &[Vec<String>], naming: ChoiceNaming) -> Result<Answer, InvalidAnswer> {
        let questions = self.questions();
        if answers.len() != questions.len() {
            return Err(InvalidAnswer::WrongCount {
                expected: questions.len(),
                got: answers.len(),
            });
        }
        let pairs = questions.iter().zip(answers).enumerate();
        let replies = pairs.map(|(i, (q, texts))| Reply::from_texts(i + 1, q, texts, naming));
        Ok(Answer::Replies(replies.collect::<Result<_, _>>()?))
    }
}

fn check_all(questions: &[Question], replies: &[Reply]) -> Result<(), InvalidAnswer> {
    if questions.len() != replies.len() {
        return Err(InvalidAnswer::WrongCount { expected: questions.len(), got: replies.len() });
    }
    let mut pairs = questions.iter().zip(replies).enumerate();
    pairs.try_for_each(|(i, (question, reply))| reply.check(i + 1, question))
}
