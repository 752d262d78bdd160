//! Answers as texts: what goes back to a source, what it reports, and OpenCode's dialect, in which
//! a choice is known by its label. Whether what was read fits is in `check`.

use super::named::{AmbiguousText, ChoiceNaming, NamedChoices};
use super::{Answer, Grant, InvalidAnswer, Reply};
use crate::{Ask, AskContent, Question};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

impl Reply {
    fn to_values(&self, question: &Question) -> Vec<String> {
        self.texts(question, |index| {
            Some(question.choices.get(index)?.delivered().to_owned())
        })
    }

    fn to_labels(&self, question: &Question) -> Vec<String> {
        let labels = question.labels();
        self.texts(question, |index| labels.get(index).cloned())
    }

    fn texts(&self, question: &Question, of: impl Fn(usize) -> Option<String>) -> Vec<String> {
        // Nothing is sent back for "no answer".
        if question
            .limits
            .as_ref()
            .is_some_and(|limits| limits.is_none(self))
        {
            return Vec::new();
        }
        let choices = self.choices.iter().filter_map(|&index| of(index));
        choices.chain(self.text.clone()).collect()
    }

    /// Reads one answer list that consists of texts. A text that names choices with different
    /// values is refused and never guessed at. Of choices that are equal in all, each is as good.
    fn from_texts(
        number: usize,
        question: &Question,
        texts: &[String],
        naming: ChoiceNaming,
    ) -> Result<Self, InvalidAnswer> {
        let mut reply = Self::default();
        let mut named = NamedChoices::new(question, naming);
        let mut chosen = BTreeSet::new();
        for text in texts {
            let ambiguous = |AmbiguousText| InvalidAnswer::AmbiguousLabel { question: number };
            match named.take(text, &chosen).map_err(ambiguous)? {
                Some(index) => {
                    chosen.insert(index);
                    reply.choices.push(index);
                }
                None if question.custom && reply.text.is_none() => reply.text = Some(text.clone()),
                None if question.custom => return Err(InvalidAnswer::TooMany { question: number }),
                None => return Err(InvalidAnswer::NoSuchLabel { question: number }),
            }
        }
        Ok(reply)
    }
}

impl Ask {
    /// Returns the answer as a source reports it in its own "replied" event: one list of texts per
    /// question, for a permission its one word. A dismissal has none.
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

    /// Reads an answer that a source reported: the reverse of [`Ask::to_source_texts`]. `None` if
    /// it fits no answer to this ask.
    pub fn from_source_texts(&self, told: &[Vec<String>]) -> Option<Answer> {
        let word = told
            .first()
            .and_then(|texts| texts.first())
            .map(String::as_str);
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

    /// Returns the answer in the words that the human saw: as [`Ask::to_source_texts`], with the
    /// labels of choices in place of their values.
    pub fn to_labels(&self, answer: &Answer) -> Option<Vec<Vec<String>>> {
        let Answer::Replies(replies) = answer else {
            return self.to_source_texts(answer);
        };
        let pairs = self.questions().iter().zip(replies);
        Some(
            pairs
                .map(|(question, reply)| reply.to_labels(question))
                .collect(),
        )
    }

    /// Returns what goes back to the agent for these replies: one list of texts per question.
    pub fn replies_to_texts(&self, replies: &[Reply]) -> Vec<Vec<String>> {
        self.questions()
            .iter()
            .zip(replies)
            .map(|(q, reply)| reply.to_values(q))
            .collect()
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
