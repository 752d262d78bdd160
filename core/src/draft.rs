//! An answer under way on a channel that shows one step at a time: pages, taps, written words.
//! There are only state changes here, without IO; the desk keeps the draft, and takes the finished
//! answer.
//!
//! Not here: what a page looks like, and every word on it.

mod tapping;
mod writing;
mod written;

use crate::{Answer, Ask, Fingerprint, Grant, InvalidAnswer, Reply};
use alloc::borrow::ToOwned;
use alloc::vec;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
pub use written::WrittenText;

/// An answer under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The page that the card shows.
    pub page: CardPage,
    /// The page to which [`CardTap::Keep`] and [`CardTap::Back`] lead from a page that asks "Are
    /// you sure?". On any other page it has no meaning.
    pub keep: CardPage,
    /// The replies, one per question; an empty one is not given yet.
    pub replies: Vec<Reply>,
    /// The meaning of the next words that the human writes, if they are awaited.
    pub awaits: Option<AwaitedText>,
}

/// A page of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardPage {
    /// A question, counted from 0. `Question(0)` is also the first page of a permission, a confirm,
    /// and a set without questions.
    Question(usize),
    /// All replies of a set, before they are sent.
    Review,
    /// "Are you sure?", before the question set is dismissed.
    SureDismiss,
    /// "Are you sure?", before something is allowed always. It shows the patterns.
    SureAlways,
    /// "Are you sure?", before something is allowed once, or a confirm answered with yes, although
    /// the card hides something. It says what.
    SureHidden,
}

/// Whether a card shows all that it may allow, so that one tap is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardSight {
    /// The card shows all of it, none of it can be taken for something else, and no danger is
    /// known.
    Clear,
    /// The card does not show all of it, or it could be taken for something else, or is dangerous.
    Obscured,
}

/// The meaning of the next written words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AwaitedText {
    /// The own answer to a question.
    Text {
        /// The question's index, from 0.
        question: usize,
    },
    /// The reason of a rejection.
    Reason,
}

/// The part of an answer under way that the human saw when they wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenStep {
    /// The whole ask, or an unknown part: what the card shows now counts.
    Whole,
    /// The card with that page.
    Page(CardPage),
    /// The card with a page that asks "Are you sure?".
    Sure,
    /// The message that asks for their words for this; `None` if it asks for nothing any more.
    Prompt(Option<AwaitedText>),
}

/// A tap on a card. It names its question and the wanted state. So a tap on a keyboard that is
/// about to be redrawn still means what its button said, since several people may look at one card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardTap {
    /// Take a choice. Where several may be taken, the others stay.
    Choose {
        /// The question's index, from 0.
        question: usize,
        /// The choice's index, from 0.
        choice: usize,
    },
    /// Take back a choice, where several may be taken.
    Unchoose {
        /// The question's index, from 0.
        question: usize,
        /// The choice's index, from 0.
        choice: usize,
    },
    /// Go on to the next page, since enough is chosen.
    Done {
        /// The question's index, from 0.
        question: usize,
        /// [`Draft::shown`], as the card was drawn.
        shown: Fingerprint,
    },
    /// Write own text for a question.
    Own {
        /// The question's index, from 0.
        question: usize,
    },
    /// Do not write own text after all.
    NotOwn {
        /// The question's index, from 0.
        question: usize,
    },
    /// Go to the page before that one.
    Back {
        /// The page of the button.
        from: CardPage,
    },
    /// Go to the review.
    Review,
    /// Send the answer that the review shows. In a set without questions: answer with yes.
    Send {
        /// [`Draft::shown`], as the card was drawn.
        shown: Fingerprint,
    },
    /// Dismiss the question set; asks "Are you sure?" first.
    Dismiss,
    /// Allow once.
    Once,
    /// Allow always; asks "Are you sure?" first.
    Always,
    /// Reject the permission.
    Reject,
    /// Reject with a reason that is written next.
    RejectWithReason,
    /// Do not write a reason after all.
    RejectWithoutReason,
    /// Answer a confirm with yes.
    Continue,
    /// Answer a confirm with no.
    Cancel,
    /// Confirm the page that asks whether to dismiss, or to allow always.
    Sure,
    /// Confirm the page that asks whether to allow although something is hidden. It is a button of
    /// its own, so that a press on it can never mean "always".
    SureHidden,
    /// Go back from a page that asks "Are you sure?".
    Keep,
}

/// The result of a tap or a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DraftMove {
    /// The draft has changed.
    Draft,
    /// The answer is complete.
    Answer(Answer),
}

impl Draft {
    /// Makes a draft in which nothing is answered yet.
    pub fn new(ask: &Ask) -> Self {
        Self {
            page: CardPage::Question(0),
            keep: CardPage::Question(0),
            replies: vec![Reply::default(); ask.questions().len()],
            awaits: None,
        }
    }

    /// Returns the fingerprint of the replies as a card shows them. The buttons that send the
    /// replies carry it: a tap sends what was shown above the button, and nothing that another
    /// person has added since.
    pub fn shown(&self) -> Fingerprint {
        Fingerprint::of_replies(&self.replies)
    }

    /// Whether the card shows that question, or asks "Are you sure?" over it.
    fn shows(&self, question: usize) -> bool {
        let page = CardPage::Question(question);
        self.page == page || (self.page.asks() && self.keep == page)
    }

    /// Whether the card still shows what the human saw.
    fn is_still(&self, seen: SeenStep) -> bool {
        match seen {
            SeenStep::Whole => true,
            SeenStep::Page(CardPage::Question(question)) => self.shows(question),
            // A set without questions has no other page.
            SeenStep::Page(CardPage::Review) if self.replies.is_empty() => true,
            SeenStep::Page(page) => self.page == page,
            SeenStep::Sure => self.page.asks(),
            SeenStep::Prompt(awaited) => awaited.is_some() && self.awaits == awaited,
        }
    }

    /// Returns the move that follows if the card hides something. Consent is then asked for once
    /// more, whichever button or word gave it.
    pub fn ask_twice(&mut self, ask: &Ask, moved: DraftMove) -> DraftMove {
        match moved {
            DraftMove::Answer(Answer::Grant(Grant::Once) | Answer::Continue) => {
                self.ask_first(CardPage::SureHidden)
            }
            DraftMove::Answer(Answer::Replies(_)) if ask.is_consent() => {
                self.page = CardPage::Review;
                DraftMove::Draft
            }
            moved => moved,
        }
    }

    /// Moves on after a question is answered: to the next one, to the review after the last, or,
    /// when there is only this one, to the answer.
    fn go_on(&mut self, ask: &Ask, question: usize) -> Result<DraftMove, InvalidAnswer> {
        self.awaits = None;
        let count = ask.questions().len();
        if count == 1 {
            return self.complete(ask);
        }
        self.page = if question + 1 < count {
            CardPage::Question(question + 1)
        } else {
            CardPage::Review
        };
        Ok(DraftMove::Draft)
    }

    fn complete(&self, ask: &Ask) -> Result<DraftMove, InvalidAnswer> {
        let answer = Answer::Replies(self.replies.clone());
        ask.check(&answer)?;
        Ok(DraftMove::Answer(answer))
    }

    /// Adds own text to a question. Where several answers are allowed, the chosen ones stay;
    /// otherwise it replaces them.
    fn own_text(
        &mut self,
        ask: &Ask,
        index: usize,
        text: &WrittenText,
    ) -> Result<DraftMove, InvalidAnswer> {
        let (question, reply) = self.at(ask, index)?;
        if !question.custom {
            return Err(InvalidAnswer::NoOwnText {
                question: index + 1,
            });
        }
        let text = text.fitting(question);
        if question.multiple {
            reply.text = Some(text.to_owned());
            self.awaits = None;
            self.page = CardPage::Question(index);
            return Ok(DraftMove::Draft);
        }
        *reply = Reply::text(text);
        self.go_on(ask, index)
    }

    /// Returns a question and the reply to it.
    fn at<'a>(
        &mut self,
        ask: &'a Ask,
        index: usize,
    ) -> Result<(&'a crate::Question, &mut Reply), InvalidAnswer> {
        let pair = ask.questions().get(index).zip(self.replies.get_mut(index));
        pair.ok_or(InvalidAnswer::NoSuchQuestion {
            question: index.saturating_add(1),
            count: ask.questions().len(),
        })
    }
}
