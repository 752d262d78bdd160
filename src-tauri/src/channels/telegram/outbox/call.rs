//! A call to the API, and the form in which a card goes out with it.
//!
//! Not here: which call goes next (`chat`), and how it becomes a request (`worker/sender`).

use super::OutgoingNote;
use crate::channels::telegram::card::{CardDocument, CardMessage, ReplyPrompt};

/// The form in which a card goes out, the richest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::channels::telegram) enum CardForm {
    /// A card with its markup, and with buttons that have a colour or copy something.
    Marked,
    /// A card with its markup and plain buttons: an older server may not know the others.
    Unstyled,
    /// A card of words and buttons.
    Plain,
    /// A card of words alone: its choices are numbered, and it is answered by a reply.
    Bare,
}

impl CardForm {
    pub(super) fn poorer(self) -> Option<Self> {
        match self {
            Self::Marked => Some(Self::Unstyled),
            Self::Unstyled => Some(Self::Plain),
            Self::Plain => Some(Self::Bare),
            Self::Bare => None,
        }
    }

    pub(in crate::channels::telegram) fn is_marked(self) -> bool {
        matches!(self, Self::Marked | Self::Unstyled)
    }
}

/// A queue of a chat's calls: one call of each lane is under way at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::channels::telegram) enum Lane {
    /// All calls that are short.
    Calls,
    /// The calls that send a file, which may take minutes.
    Files,
}

/// A call to the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::channels::telegram) enum OutboxCall {
    Send {
        thread: Option<i32>,
        card: CardMessage,
        form: CardForm,
        silent: bool,
    },
    Edit {
        message: i32,
        card: CardMessage,
        form: CardForm,
    },
    Ask {
        thread: Option<i32>,
        prompt: ReplyPrompt,
        under: i32,
    },
    Attach {
        thread: Option<i32>,
        document: CardDocument,
        under: i32,
    },
    Delete {
        message: i32,
    },
    Say {
        thread: Option<i32>,
        note: OutgoingNote,
        under: Option<i32>,
    },
    Strip {
        message: i32,
    },
    Pin {
        message: i32,
    },
    MakeTopic {
        name: String,
    },
    /// Asks after how long the chat deletes its messages; 0 for never.
    LookUpTimer,
}

impl OutboxCall {
    /// Returns the form in which a card goes with it.
    pub(super) fn form(&self) -> Option<CardForm> {
        match self {
            Self::Send { form, .. } | Self::Edit { form, .. } => Some(*form),
            _ => None,
        }
    }

    /// Returns the topic to which it is to go.
    pub(super) fn thread(&self) -> Option<i32> {
        match self {
            Self::Send { thread, .. }
            | Self::Ask { thread, .. }
            | Self::Attach { thread, .. }
            | Self::Say { thread, .. } => *thread,
            _ => None,
        }
    }

    /// Returns the message that a note answers.
    pub(super) fn under(&self) -> Option<i32> {
        match self {
            Self::Say { under, .. } => *under,
            _ => None,
        }
    }

    /// Makes a card go out in the form [`CardForm::Unstyled`] at most.
    pub(super) fn unstyled(mut self) -> Self {
        if let Self::Send { form, .. } | Self::Edit { form, .. } = &mut self
            && *form == CardForm::Marked
        {
            *form = CardForm::Unstyled;
        }
        self
    }

    /// Makes the call without a sound.
    pub(super) fn silenced(mut self) -> Self {
        match &mut self {
            Self::Send { silent, .. } => *silent = true,
            Self::Say { note, .. } => note.silent = true,
            _ => {}
        }
        self
    }

    pub(in crate::channels::telegram) fn lane(&self) -> Lane {
        match self {
            Self::Attach { .. } => Lane::Files,
            _ => Lane::Calls,
        }
    }
}
