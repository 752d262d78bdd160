//! The errors of the API: for each its status, its code for programs, and its sentence for people,
//! in the language of the moment. No other words leave the API.
//!
//! The text of each is in `error/row.rs`.

mod row;

use crate::destination::DestinationError;
use crate::hub::fault::MembershipFault;
use crate::platform::secrets::KeychainError;
use axum::Json;
use axum::response::{IntoResponse, Response};
use beckon_client::config::{AddressFault, edit};
use beckon_client::text::Texts;
use beckon_client::wire::{AnsweredBy, Problem};
use beckon_core::cut::QuestionSurplus;
use beckon_core::{AnswerRefusal, Outcome, ReturnReason};
use row::ErrorRow;
use std::path::PathBuf;

/// A reason why a request is not carried out.
#[derive(Debug)]
pub(super) enum ApiError {
    /// No token, or a wrong one.
    Unauthorized,
    /// JSON of another shape; in the words of its reader.
    Shape(String),
    /// The desk does not take an answer; and who was faster, if that is known.
    Refused(AnswerRefusal, Option<Box<AnsweredBy>>),
    /// The agent's server has given the answer back.
    Returned(ReturnReason),
    /// The number of asks that a name means, if it is not one.
    Ambiguous(usize),
    /// No word of OpenCode's for a permission.
    Grant,
    /// A presence with two ends.
    UntilAndFor,
    /// No length of time.
    For,
    /// An end for what has none.
    Auto,
    /// A time for what is no snooze.
    SnoozeTime,
    /// A session whose place cannot be reached.
    NotShown(DestinationError),
    /// An ask that cannot be asked.
    Unaskable(AskRefusal),
    /// Something else was asked under that id.
    IdTaken,
    /// A proof of an answer that has proven another one before.
    ProofUsed,
    /// No ask of that id is open here.
    NotOpen,
    /// An id that was not asked here.
    NotAsked,
    /// No ask of that session is open.
    NoSession,
    /// The loop has ended: nothing more is asked.
    Stopping,
    /// An action of a window after the loop has ended.
    Ending,
    /// The ask has ended; how, if that is known, and who decided it.
    Over(Option<Outcome>, Option<Box<AnsweredBy>>),
    /// A draft for an ask that is settled.
    Settled,
    /// A draft that could not be saved.
    NotKept,
    /// An action that counts, and is not saved.
    NotSaved,
    /// Nothing to tell.
    EmptyNotice,
    /// A number of which no chat is paired.
    NotPaired,
    /// There is no bot that could pair; and why, if that is known.
    NoBot(Option<String>),
    /// No token of a bot.
    BotToken,
    /// Telegram refuses the token, or cannot be asked about it.
    BotRefused(anyhow::Error),
    /// No address of a server, and why.
    Address(AddressFault),
    /// A server registers itself under a name that is not its own.
    NameTaken(String),
    /// A server without a name.
    Nameless,
    /// A service with interrupts that takes answers nowhere.
    NoResume,
    /// No secret that Beckon has a use for.
    NoSecret,
    /// A secret without a letter.
    EmptySecret,
    /// The keychain refuses the secret of that name.
    Keychain(String, KeychainError),
    /// A variable of the environment gives a secret, which would go to another address.
    EnvironmentSecret(String),
    /// A setting cannot be changed like that.
    Setting(edit::EditError),
    /// A file of somebody else's where ours would be.
    Foreign(PathBuf),
    /// A file is out of reach.
    File(anyhow::Error),
    /// The history is out of reach.
    Database(anyhow::Error),
    /// Nothing of that number was always allowed from here.
    NoGrant,
    /// A permission that was always allowed and cannot be taken back from here.
    Irrevocable,
    /// The agent's server did not take it back.
    NotRevoked(anyhow::Error),
    /// The local network is out of reach.
    Network(anyhow::Error),
    /// A hub that this machine has not joined, or not left, or from which it has not taken another
    /// off.
    Hub(MembershipFault),
}

/// A reason why something cannot be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AskRefusal {
    /// No questions.
    NoQuestions,
    /// A question, from 1, without text or without a way to answer it.
    Question(usize),
    /// A permission without a name.
    NoPermission,
    /// An id that is none, with the most letters of one.
    Id(usize),
    /// No time limit.
    Timeout,
    /// More than is shown, or kept.
    Surplus(QuestionSurplus),
}

impl ApiError {
    /// Returns the HTTP response.
    pub(super) fn response(&self, texts: &Texts) -> Response {
        let ErrorRow {
            status,
            code,
            message,
            by,
            responder,
        } = self.row(texts);
        let (by, responder) = (by.map(Into::into), responder.map(Box::new));
        let problem = Problem {
            code: code.into(),
            message,
            by,
            responder,
        };
        (status, Json(problem)).into_response()
    }

    /// Returns the sentence for a person.
    pub(super) fn words(&self, texts: &Texts) -> String {
        self.row(texts).message
    }
}

#[cfg(test)]
pub(super) mod tests;
