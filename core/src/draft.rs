//! An answer under way on a channel that shows one step at a time: pages, taps, written words. Pure
//! transitions; the desk keeps the draft and takes the answer that comes of it.
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
    /// All replies of a set, before they are sent.
    Review,
    /// Dismiss the question set: sure?
    SureDismiss,
    /// Allow always: sure? Shows the patterns.
    SureAlways,
    /// Allow once, or go on, though the card hides something: sure? Says what.
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

/// The part of an answer under way that its human had before them when they wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenStep {
    /// Not known, or the whole ask: what the card shows counts.
    Whole,
    /// The card, and on it that page.
    Page(CardPage),
    /// The card, and on it one of the "sure?" pages.
    Sure,
    /// The message that asks for their own words to this; `None` where nothing is asked for any more.
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
    /// Enough chosen; on to the next.
    Done {
        /// The question's index, from 0.
        question: usize,
        /// [`Draft::shown`], as the card was drawn.
        shown: Fingerprint,
    },
    /// I will write my own.
    Own {
        /// The question's index, from 0.
        question: usize,
    },
    /// I will not write my own.
    NotOwn {
        /// The question's index, from 0.
        question: usize,
    },
    /// The way to the page before that one.
    Back {
        /// The page of the button.
        from: CardPage,
    },
    /// The way to the review.
    Review,
    /// Send what the review shows; for a set without questions: go on.
    Send {
        /// [`Draft::shown`], as the card was drawn.
        shown: Fingerprint,
    },
    /// Dismiss the question set; asks first.
    Dismiss,
    /// Allow once.
    Once,
    /// Allow always; asks first.
    Always,
    /// Reject the permission.
    Reject,
    /// I will write why.
    RejectWithReason,
    /// I will not write why.
    RejectWithoutReason,
    /// Go on (a confirm).
    Continue,
    /// Stop (a confirm).
    Cancel,
    /// Yes, dismiss, or allow always.
    Sure,
    /// Yes, allow once, or go on, though something is hidden. A button of its own: one that was
    /// drawn for this must not come to mean "always".
    SureHidden,
    /// No, back to where I was.
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

    /// Whether this is still what its human had before them.
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

    /// Returns the move that follows beside a text that hides something: consent is asked for once
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
