//! The check whether an answer fits its ask. The further demands of a form are in `limits`.

use super::{Answer, Grant, InvalidAnswer, Reply};
use crate::visible::is_blank;
use crate::{Ask, AskContent, Question};
use alloc::collections::BTreeSet;

impl Reply {
    fn check(&self, number: usize, question: &Question) -> Result<(), InvalidAnswer> {
        let count = question.choices.len();
        let mut chosen = BTreeSet::new();
        for &index in &self.choices {
            if index >= count {
                return Err(InvalidAnswer::NoSuchChoice {
                    question: number,
                    choice: index.saturating_add(1),
                    count,
                });
            }
            if !chosen.insert(index) {
                return Err(InvalidAnswer::Twice {
                    question: number,
                    choice: index + 1,
                });
            }
        }
        let texts = match &self.text {
            Some(_) if !question.custom => {
                return Err(InvalidAnswer::NoOwnText { question: number });
            }
            Some(text) if is_blank(text) => {
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
        limits.map_or(Ok(()), |limits| {
            limits.check(number, question.multiple, self)
        })
    }
}

impl Ask {
    /// Checks whether this answer fits.
    ///
    /// # Errors
    /// Says which rule it breaks.
    pub fn check(&self, answer: &Answer) -> Result<(), InvalidAnswer> {
        match (&self.kind, answer) {
            (AskContent::Questions(questions), Answer::Replies(replies)) => {
                check_all(questions, replies)
            }
            (AskContent::Permission(permission), Answer::Grant(Grant::Always))
                if permission.always.is_empty() =>
            {
                Err(InvalidAnswer::NoAlways)
            }
            (AskContent::Questions(_), Answer::Dismiss)
            | (AskContent::Permission(_), Answer::Grant(_))
            | (AskContent::Confirm(_), Answer::Continue | Answer::Cancel) => Ok(()),
            _ => Err(InvalidAnswer::WrongKind),
        }
    }
}

fn check_all(questions: &[Question], replies: &[Reply]) -> Result<(), InvalidAnswer> {
    if questions.len() != replies.len() {
        return Err(InvalidAnswer::WrongCount {
            expected: questions.len(),
            got: replies.len(),
        });
    }
    let mut pairs = questions.iter().zip(replies).enumerate();
    pairs.try_for_each(|(i, (question, reply))| reply.check(i + 1, question))
}
