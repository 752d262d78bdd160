//! The last answers: what is kept of an ask that is over, as much as one line tells.
//!
//! Not here: the line itself (`menu/latest.rs`).

use super::words::{WIDTH, cut, line, place};
use beckon_core::{
    Answer, Ask, Entry, Grant, Kind, Outcome, Question, Span, State, Surface, Timestamp,
};

/// So many are told of.
pub const MOST: usize = 3;

/// The last answers, the newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Latest(Vec<Ended>);

/// An ask that is over.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ended {
    serial: u64,
    /// Who asked, as [`place`] names it.
    pub place: String,
    /// What came of it.
    pub what: What,
    /// Where it was answered; `None`: at the source itself.
    pub by: Option<Surface>,
    /// When.
    pub at: Timestamp,
}

/// What came of an ask.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// One question's answer, in the words that the human saw.
    Chosen(Vec<String>),
    /// A set of questions: so many answers.
    Answers(usize),
    /// Answered, and nobody told what.
    Answered,
    /// Allowed this once.
    Once,
    /// Allowed from then on.
    Always,
    /// Not allowed.
    Rejected,
    /// Go on.
    Continued,
    /// Stop.
    Cancelled,
    /// Not to be answered.
    Dismissed,
    /// Nobody answered for so long.
    Expired(Span),
}

impl Latest {
    /// The newest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Ended> {
        self.0.iter()
    }

    /// An ask is over, or it is only now known how. The later noted of two that ended at the same
    /// time counts as the newer. One that its agent gave up has no answer.
    pub(super) fn note(&mut self, entry: &Entry) {
        let Some(ended) = Ended::of(entry) else { return };
        self.0.retain(|old| old.serial != ended.serial);
        let newer = self.0.partition_point(|old| old.at > ended.at);
        self.0.insert(newer, ended);
        self.0.truncate(MOST);
    }
}

impl Ended {
    fn of(entry: &Entry) -> Option<Self> {
        let State::Settled { outcome, at } = &entry.state else { return None };
        let ask = &entry.ask;
        let (what, by) = match outcome {
            Outcome::Gone => return None,
            Outcome::Expired | Outcome::Answered { by: Surface::Clock, .. } => {
                (What::Expired(*at - ask.asked_at), Some(Surface::Clock))
            }
            Outcome::Answered { answer, by } => (What::given(ask, answer), Some(*by)),
            Outcome::Elsewhere { answers } => (What::told(ask, answers.as_deref()), None),
            Outcome::DismissedElsewhere => (What::given(ask, &ask.refusal()), None),
        };
        Some(Self { serial: entry.serial, place: place(ask), what, by, at: *at })
    }
}

impl What {
    fn given(ask: &Ask, answer: &Answer) -> Self {
        match answer {
            Answer::Replies(_) => Self::chosen(&ask.shown(answer).unwrap_or_default()),
            Answer::Dismiss => Self::Dismissed,
            Answer::Grant(Grant::Once) => Self::Once,
            Answer::Grant(Grant::Always) => Self::Always,
            Answer::Grant(Grant::Reject { .. }) => Self::Rejected,
            Answer::Continue => Self::Continued,
            Answer::Cancel => Self::Cancelled,
        }
    }

    /// What the source tells of an answer that was not given here. Of a permission that is a word
    /// of its protocol, and no person's.
    fn told(ask: &Ask, answers: Option<&[Vec<String>]>) -> Self {
        let Some(answers) = answers else { return Self::Answered };
        if let Kind::Questions(questions) = &ask.kind {
            return match questions.as_slice() {
                [question] => Self::chosen(&labels(question, answers)),
                _ => Self::chosen(answers),
            };
        }
        let reject = Answer::Grant(Grant::Reject { reason: None });
        let grants = [Answer::Grant(Grant::Once), Answer::Grant(Grant::Always), reject];
        let known = grants.into_iter().chain([Answer::Continue, Answer::Cancel]);
        let meant = |answer: &Answer| ask.told(answer).as_deref() == Some(answers);
        known.into_iter().find(meant).map_or(Self::Answered, |answer| Self::given(ask, &answer))
    }

    fn chosen(answers: &[Vec<String>]) -> Self {
        let [one] = answers else {
            return if answers.is_empty() { Self::Answered } else { Self::Answers(answers.len()) };
        };
        let texts = one.iter().map(|text| line(text)).filter(|text| !text.is_empty());
        // More than a line holds is not kept.
        let texts: Vec<String> = texts.take(WIDTH).map(|text| cut(&text, WIDTH)).collect();
        if texts.is_empty() { Self::Answered } else { Self::Chosen(texts) }
    }
}

/// With the labels of choices in place of their values.
fn labels(question: &Question, answers: &[Vec<String>]) -> Vec<Vec<String>> {
    let label = |text: &String| {
        let choice = question.choices.iter().find(|choice| choice.delivered() == text);
        choice.map_or_else(|| text.clone(), |choice| choice.label.clone())
    };
    answers.iter().map(|texts| texts.iter().map(label).collect()).collect()
}

#[cfg(test)]
mod tests;
