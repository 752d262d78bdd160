//! An answer under way, on a channel that shows one step at a time: pages, taps, written words. The
//! transitions are pure; the desk keeps the draft and takes the answer that results.
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
    /// The page to which [`CardTap::Keep`] and [`CardTap::Back`] lead from one of the "sure?"
    /// pages; without meaning on the others.
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
    /// A question, from 0. `Question(0)` is also the front of a permission, a confirm, and a
    /// question set without questions.
    Question(usize),
    /// The review: all replies of a set, before they are sent.
    Review,
    /// The question "sure?" before the question set is dismissed.
    SureDismiss,
    /// The question "sure?" before "allow always"; shows the patterns.
    SureAlways,
    /// The question "sure?" before "allow once" or "go on", since the card hides something; says
    /// what.
    SureHidden,
}

/// A card's clearness: whether it shows what it may allow, and one tap may allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardSight {
    /// A card that shows all of it, so that none of it can be taken for something else, and nothing
    /// dangerous is known of it.
    Clear,
    /// A card that does not show all of it, or could be taken for something else, or is dangerous.
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

/// The part of an answer under way that the human had in front of them when they wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenStep {
    /// An unknown part, or the whole ask: what the card shows counts.
    Whole,
    /// The card, with that page on it.
    Page(CardPage),
    /// The card, with one of the "sure?" pages on it.
    Sure,
    /// The message that asks for their own words to this; `None` if nothing is asked for any more.
    Prompt(Option<AwaitedText>),
}

/// A tap on a card. It names its question and the state that it wants, so that a tap on a keyboard
/// that is about to be redrawn still means what its button said: several people may look at one
/// card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardTap {
    /// A choice that is taken; where several may be taken, beside the others.
    Choose {
        /// The question's index, from 0.
        question: usize,
        /// The choice's index, from 0.
        choice: usize,
    },
    /// A choice that is taken back, where several may be taken.
    Unchoose {
        /// The question's index, from 0.
        question: usize,
        /// The choice's index, from 0.
        choice: usize,
    },
    /// Ends the choosing for a question, and moves on to the next.
    Done {
        /// The question's index, from 0.
        question: usize,
        /// The value of [`Draft::shown`] when the card was drawn.
        shown: Fingerprint,
    },
    /// Announces own words for a question.
    Own {
        /// The question's index, from 0.
        question: usize,
    },
    /// Takes back that own words are to come.
    NotOwn {
        /// The question's index, from 0.
        question: usize,
    },
    /// Returns to the page before that one.
    Back {
        /// The page of the button.
        from: CardPage,
    },
    /// Goes to the review.
    Review,
    /// Sends what the review shows; for a set without questions, goes on.
    Send {
        /// The value of [`Draft::shown`] when the card was drawn.
        shown: Fingerprint,
    },
    /// Dismisses the question set; "sure?" is asked first.
    Dismiss,
    /// Allows the permission once.
    Once,
    /// Allows the permission always; "sure?" is asked first.
    Always,
    /// Rejects the permission.
    Reject,
    /// Announces a reason for the rejection.
    RejectWithReason,
    /// Takes back that a reason is to come.
    RejectWithoutReason,
    /// Goes on (a confirm).
    Continue,
    /// Stops (a confirm).
    Cancel,
    /// Answers "sure?" with yes: dismisses, or allows always.
    Sure,
    /// Answers "sure?" with yes, although something is hidden: allows once, or goes on. It has a
    /// button of its own: one that was drawn for this must not come to mean "always".
    SureHidden,
    /// Answers "sure?" with no, and returns to the page before.
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

    /// Returns the fingerprint of the replies as a card shows them, for the buttons that send them:
    /// a tap on one sends what was shown above it, and nothing that another person has added since.
    pub fn shown(&self) -> Fingerprint {
        Fingerprint::of_replies(&self.replies)
    }

    /// Whether the card shows that question, or asks "sure?" in front of it.
    fn shows(&self, question: usize) -> bool {
        let page = CardPage::Question(question);
        self.page == page || (self.page.asks() && self.keep == page)
    }

    /// Whether this is still what the human had in front of them.
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

    /// Returns the move for a consent beside a text that hides something: consent is asked for once
    /// more, whichever button or word gave it. A no goes at once.
    pub fn ask_twice(&mut self, ask: &Ask, moved: DraftMove) -> DraftMove {
        match moved {
            DraftMove::Answer(Answer::Grant(Grant::Once) | Answer::Continue) => {
                self.ask_first(CardPage::SureHidden)
            }
            DraftMove::Answer(Answer::Replies(ref replies)) if ask.consents_by(replies) => {
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

    /// Adds the human's own words to a question: beside what is chosen where several answers may
    /// be, else instead of it.
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
