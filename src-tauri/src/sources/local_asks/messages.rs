//! The messages about asks that are made through Beckon itself, between the local API, the loop,
//! the source `local_asks` and the store. They are plain data: what follows from them is in
//! `sources/local_asks.rs`.

use beckon_core::{
    Answer, AskContent, AskerProcess, Entry, Fingerprint, Grant, Reply, Span, Timestamp, shown_hash,
};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

/// An ask that somebody makes.
#[derive(Clone, Debug)]
pub struct NewAsk {
    /// The id. An ask made again under the same id is the same ask: an asker whose connection broke
    /// repeats itself, and is asked for once.
    pub own: String,
    /// Whether the asker chose the id, and can ask again under it.
    pub is_named: bool,
    /// Whether the asker waits by a connection, and is missed when that is gone. Otherwise it holds
    /// a ticket, its id, and fetches the answer when it likes.
    pub attended: bool,
    /// Whether the asker passes an answer on, and says itself what became of it by an
    /// [`AskerReceipt`]. Then being handed the end proves nothing.
    pub receipts: bool,
    /// The content.
    pub kind: AskContent,
    /// The asker's name for its work.
    pub title: Option<String>,
    /// The asker's name for itself.
    pub agent: Option<String>,
    /// The folder in which the asker works.
    pub directory: String,
    /// The folder of the project that it works on, where it stands elsewhere.
    pub project_root: Option<String>,
    /// The asker's process, or that of the agent it asks for.
    pub process: Option<AskerProcess>,
    /// The time after which the ask ends unanswered.
    pub timeout: Option<Span>,
}

/// The end of an ask, for its asker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskEnd {
    /// The human answered the questions.
    Answered(AnsweredQuestions),
    /// The human decided about a permission.
    Granted(Grant),
    /// The human will not answer.
    Dismissed,
    /// The time ran out before anybody answered.
    TimedOut,
    /// The asker withdrew it, or was missed for too long.
    Gone,
}

impl AskEnd {
    /// Whether the end neither allows nor says anything.
    pub fn refuses(&self) -> bool {
        match self {
            Self::Answered(_) | Self::Granted(Grant::Once | Grant::Always) => false,
            Self::Granted(Grant::Reject { .. }) | Self::Dismissed | Self::TimedOut | Self::Gone => {
                true
            }
        }
    }

    /// The texts, if it was answered.
    pub fn answers(&self) -> Option<&[Vec<String>]> {
        match self {
            Self::Answered(answered) => Some(&answered.texts),
            Self::Granted(_) | Self::Dismissed | Self::TimedOut | Self::Gone => None,
        }
    }
}

/// An end on its way to its asker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandedEnd {
    /// The end itself.
    pub end: AskEnd,
    /// Whether the asker holds a ticket. It may fetch the end again after a crash and a restart,
    /// and must read the same then, so it hears of no end that is not saved. One that waits acts on
    /// the end at once and never comes back for it.
    pub by_ticket: bool,
}

/// The report of an asker on an ask whose answer it passes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AskerReceipt {
    /// The agent took our answer.
    Taken,
    /// The ask was answered in another place.
    Elsewhere,
    /// The action that was asked for is done. Our answer counts as the deciding one if it allowed
    /// that, otherwise somebody else's.
    Done,
    /// Nobody waits for the ask any more. If an answer was passed on before, it counts as taken.
    Over,
    /// The answer was passed on, but not taken.
    Lost,
}

/// A receipt, with the ask that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedAnswer {
    /// The ask.
    pub own: String,
    /// The fate of the ask's answer.
    pub receipt: AskerReceipt,
    /// The asker's own name for the proof that our answer was taken. Two asks that are word for
    /// word the same need a proof each.
    pub proof: Option<String>,
}

/// The loop's reply to a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptEnd {
    /// The receipt counts.
    Counted,
    /// No such ask is open, or nobody has answered it.
    NotOpen,
    /// The proof counts for another answer already.
    ProofUsed,
}

/// An answer to a set of questions, in the order of the questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "KeptAnswer")]
pub struct AnsweredQuestions {
    /// The texts, a list per question.
    pub texts: Vec<Vec<String>>,
    /// The choices by index, since texts do not tell equal labels apart. `None` for an answer that
    /// an older Beckon kept.
    pub replies: Option<Vec<Reply>>,
}

/// An answered set of questions as it is in the database. An older Beckon kept only the texts.
#[derive(Deserialize)]
#[serde(untagged)]
enum KeptAnswer {
    Texts(Vec<Vec<String>>),
    Whole {
        texts: Vec<Vec<String>>,
        replies: Option<Vec<Reply>>,
    },
}

impl From<KeptAnswer> for AnsweredQuestions {
    fn from(kept: KeptAnswer) -> Self {
        match kept {
            KeptAnswer::Texts(texts) => Self {
                texts,
                replies: None,
            },
            KeptAnswer::Whole { texts, replies } => Self { texts, replies },
        }
    }
}

/// The saved facts of an ask that the desk does not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskRecord {
    /// The id.
    pub own: String,
    /// The content that the id stands for, also after the ask has ended: an old answer must not be
    /// given to another question under the same id.
    pub asked: AskedContent,
    /// See [`NewAsk::attended`].
    pub attended: bool,
    /// See [`NewAsk::receipts`].
    pub receipts: bool,
    /// The time at which it ends unanswered.
    pub deadline: Option<Timestamp>,
    /// The end and its time, kept for an asker that has yet to fetch it. It is saved before it is
    /// handed over, since the asker may read it after Beckon was killed.
    pub ended: Option<(AskEnd, Timestamp)>,
    /// The proof that its answer was taken: see [`ReceivedAnswer::proof`].
    pub proof: Option<String>,
    /// Whether its asker was handed the end and waits no longer, so that only the last word on what
    /// became of it may still come.
    pub is_over: bool,
}

/// The content that an id stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "one passes with each change of a record, and none is kept"
)]
pub(crate) enum AskedContent {
    /// The whole content, as long as the ask waits.
    Whole(AskContent),
    /// A hash of the content. Once an ask is over it only matters whether the same is asked once
    /// more.
    Hashed(String),
}

impl AskedContent {
    /// Returns the hash that stands for a content.
    pub(crate) fn hash_of(kind: &AskContent) -> String {
        shown_hash(kind, Fingerprint::default())
    }

    /// Returns the form in which an ask that is over is kept.
    pub(crate) fn into_hash(self) -> String {
        match self {
            Self::Whole(kind) => Self::hash_of(&kind),
            Self::Hashed(hash) => hash,
        }
    }
}

/// A change of the saved records, to be committed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a few pass at a time, and none is stored"
)]
pub(crate) enum RecordChange {
    /// Stores a new record, or a changed one.
    Put(AskRecord),
    /// Deletes the records that ended before that time.
    Forget(Timestamp),
}

/// The state of an ask, for its asker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskProgress {
    /// The ask waits for an answer; with its content.
    Open(AskContent),
    /// The ask has ended for its asker.
    Ended(AskEnd),
}

/// The error that an id already stands for something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdClash;

/// A message to the source `asks`.
#[derive(Debug)]
pub enum AskerRequest {
    /// An asker asks. The reply comes when the ask is committed.
    Ask(Box<NewAsk>, oneshot::Sender<Result<(), IdClash>>),
    /// An asker wants the state of an ask; `None` when nobody asked that here.
    Look(String, oneshot::Sender<Option<AskProgress>>),
    /// An asker wants the state of an ask, and stays for its end until [`AskerRequest::Left`].
    Attend {
        /// The ask.
        own: String,
        /// The channel for the state now; `None` when nobody asked that here.
        seen: oneshot::Sender<Option<AskProgress>>,
        /// The channel for the end, which comes at once if the ask has ended.
        end: oneshot::Sender<HandedEnd>,
    },
    /// An asker has turned away, or its connection is gone.
    Left(String),
    /// The end was written to the asker's connection.
    Taken(String),
    /// An asker tells what became of an answer, or of the ask.
    Receipt(ReceivedAnswer, oneshot::Sender<ReceiptEnd>),
    /// An asker needs no answer any more; the reply is `false` when there is nothing to withdraw.
    Withdraw(String, oneshot::Sender<bool>),
    /// The desk has an answer for an ask.
    Deliver(Box<Entry>, Answer),
    /// The desk wants the list of open asks.
    List,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_by_index_and_one_of_an_older_beckon_is_still_read() {
        let texts = vec![vec!["Drop it".to_owned()]];
        let older: AskEnd = serde_json::from_str(r#"{"answered":[["Drop it"]]}"#).unwrap();
        assert_eq!(
            older,
            AskEnd::Answered(AnsweredQuestions {
                texts: texts.clone(),
                replies: None
            })
        );
        let end = AskEnd::Answered(AnsweredQuestions {
            texts,
            replies: Some(vec![Reply::choice(1)]),
        });
        let kept = serde_json::to_string(&end).unwrap();
        assert_eq!(serde_json::from_str::<AskEnd>(&kept).unwrap(), end);
    }
}
