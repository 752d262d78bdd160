//! The last answers, each with as much of its ask as one line of the menu shows.
//!
//! Not here: the line itself (`menu/latest.rs`).

use super::words::{WIDTH, cut, line, place};
use beckon_core::{
    Answer, Ask, AskState, Entry, Grant, Outcome, Responder, Span, Surface, Timestamp,
};

/// The number of last answers that are kept.
pub(crate) const MOST: usize = 3;

/// The last answers, the newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LatestAnswers(Vec<FinishedAsk>);

/// An ask that is over.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FinishedAsk {
    serial: u64,
    /// The place that asked, as [`place`] names it.
    pub place: String,
    /// The way in which it ended.
    pub what: AskEnding,
    /// The surface on which it was answered; `None` for the agent itself.
    pub by: Option<Surface>,
    /// The person who answered, as far as that is known.
    pub who: Option<Responder>,
    /// The time at which it ended.
    pub at: Timestamp,
}

/// The ending of an ask.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum AskEnding {
    /// An answer to one question, in the words that the human saw.
    Chosen(Vec<String>),
    /// The number of answers to a set of questions.
    Answers(usize),
    /// An answer whose content is not known.
    Answered,
    /// Allowed this once.
    Once,
    /// Allowed from then on.
    Always,
    /// Not allowed.
    Rejected,
    /// A confirm was answered with yes.
    Continued,
    /// A confirm was answered with no.
    Cancelled,
    /// A question was dismissed.
    Dismissed,
    /// A time limit, after which nobody had answered.
    Expired(Span),
}

impl LatestAnswers {
    /// Lists the last answers, the newest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &FinishedAsk> {
        self.0.iter()
    }

    /// Notes that an ask is over, or that its ending has become known later. Of two that ended at
    /// the same time, the later noted counts as the newer. An ask that its agent gave up has no
    /// answer, and is left out.
    pub(super) fn note(&mut self, entry: &Entry) {
        let Some(ended) = FinishedAsk::of(entry) else {
            return;
        };
        self.0.retain(|old| old.serial != ended.serial);
        let newer = self.0.partition_point(|old| old.at > ended.at);
        self.0.insert(newer, ended);
        self.0.truncate(MOST);
    }
}

impl FinishedAsk {
    fn of(entry: &Entry) -> Option<Self> {
        let AskState::Settled { outcome, at } = &entry.state else {
            return None;
        };
        let ask = &entry.ask;
        let (what, by) = match outcome {
            Outcome::Gone => return None,
            Outcome::Expired
            | Outcome::Answered {
                by: Surface::Clock, ..
            } => (AskEnding::Expired(*at - ask.asked_at), Some(Surface::Clock)),
            Outcome::Answered { by, .. } => (AskEnding::of(ask, outcome), Some(*by)),
            Outcome::Elsewhere { .. } | Outcome::DismissedElsewhere => {
                (AskEnding::of(ask, outcome), None)
            }
        };
        let who = entry.responder.clone().filter(|_| outcome.is_decided());
        Some(Self {
            serial: entry.serial,
            place: place(ask),
            what,
            by,
            who,
            at: *at,
        })
    }
}

impl AskEnding {
    /// Converts an outcome. A word of a source's protocol is not meant for a person, so an ending
    /// that is not understood is only "answered".
    fn of(ask: &Ask, outcome: &Outcome) -> Self {
        match (ask.final_answer(outcome), outcome) {
            (Some(answer), _) => Self::given(ask, &answer),
            (
                None,
                Outcome::Elsewhere {
                    answers: Some(answers),
                },
            ) if !ask.questions().is_empty() => Self::chosen(answers),
            (None, _) => Self::Answered,
        }
    }

    fn given(ask: &Ask, answer: &Answer) -> Self {
        match answer {
            Answer::Replies(_) => Self::chosen(&ask.to_labels(answer).unwrap_or_default()),
            Answer::Dismiss => Self::Dismissed,
            Answer::Grant(Grant::Once) => Self::Once,
            Answer::Grant(Grant::Always) => Self::Always,
            Answer::Grant(Grant::Reject { .. }) => Self::Rejected,
            Answer::Continue => Self::Continued,
            Answer::Cancel => Self::Cancelled,
        }
    }

    fn chosen(answers: &[Vec<String>]) -> Self {
        let [one] = answers else {
            return if answers.is_empty() {
                Self::Answered
            } else {
                Self::Answers(answers.len())
            };
        };
        let texts = one
            .iter()
            .map(|text| line(text))
            .filter(|text| !text.is_empty());
        // No more is kept than a line shows.
        let texts: Vec<String> = texts.take(WIDTH).map(|text| cut(&text, WIDTH)).collect();
        if texts.is_empty() {
            Self::Answered
        } else {
            Self::Chosen(texts)
        }
    }
}

#[cfg(test)]
mod tests;
