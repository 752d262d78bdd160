//! Why the API does not do something: for each reason its status, its code for programs, and its
//! sentence for people, in the language of the moment. No other words leave the API.

use crate::channels::telegram;
use crate::config::edit;
use crate::platform::secrets::KeychainError;
use crate::text::words;
use crate::text::{Texts, Value};
use crate::wire::{self, Problem};
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use beckon_core::{AnswerRefusal, Outcome, ReturnReason};
use std::path::PathBuf;

/// The address that others are to look like.
const LIKE: &str = "http://127.0.0.1:4096";

/// Why not.
#[derive(Debug)]
pub(super) enum ApiError {
    /// No token, or a wrong one.
    Unauthorized,
    /// JSON of another shape; in the words of its reader.
    Shape(String),
    /// The desk does not take an answer.
    Refused(AnswerRefusal),
    /// The agent's server has given the answer back.
    Returned(ReturnReason),
    /// A name means so many asks.
    Ambiguous(usize),
    /// No word of OpenCode's for a permission.
    Grant,
    /// A presence with two ends.
    UntilAndFor,
    /// No length of time.
    For,
    /// An end for what has none.
    Auto,
    /// What is asked here cannot be asked.
    Unaskable(AskRefusal),
    /// Something else was asked under that id.
    IdTaken,
    /// No ask of that id is open here.
    NotOpen,
    /// Nobody asked that here.
    NotAsked,
    /// No ask of that session is open.
    NoSession,
    /// The loop has ended: nothing more is asked.
    Stopping,
    /// The same, for a window.
    Ending,
    /// The ask has ended; and how, if that is known.
    Over(Option<Outcome>),
    /// What is typed for an ask that is settled.
    Settled,
    /// What was typed could not be saved.
    NotKept,
    /// Nothing to tell.
    EmptyNotice,
    /// Nobody of that number is paired.
    NotPaired,
    /// There is no bot that could pair; and why, if that is known.
    NoBot(Option<String>),
    /// No token of a bot.
    BotToken,
    /// Telegram refuses the token, or cannot be asked about it.
    BotRefused(anyhow::Error),
    /// No address of a server.
    Address,
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
    /// A setting cannot be changed like that.
    Setting(edit::EditError),
    /// Somebody else's file lies where ours would.
    Foreign(PathBuf),
    /// A file is out of reach.
    File(anyhow::Error),
    /// The history is out of reach.
    Database(anyhow::Error),
    /// The local network is out of reach.
    Network(anyhow::Error),
}

/// Why something cannot be asked.
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
}

impl ApiError {
    /// The answer to whoever asked for it.
    pub(super) fn response(&self, texts: &Texts) -> Response {
        let (status, code) = self.kind();
        let problem = Problem { code: code.into(), message: self.words(texts), by: self.by() };
        (status, Json(problem)).into_response()
    }

    fn kind(&self) -> (StatusCode, &'static str) {
        match self {
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized"),
            Self::Refused(refusal) => of_refusal(refusal),
            Self::Setting(refused) => of_setting(refused),
            Self::Returned(_) => (StatusCode::BAD_GATEWAY, "returned"),
            Self::Ambiguous(_) => (StatusCode::BAD_REQUEST, "ambiguous"),
            Self::IdTaken => (StatusCode::CONFLICT, "id taken"),
            Self::NameTaken(_) => (StatusCode::CONFLICT, "name taken"),
            Self::NotOpen | Self::NotAsked | Self::NoSession | Self::NotPaired => {
                (StatusCode::NOT_FOUND, "unknown")
            }
            Self::Stopping => (StatusCode::SERVICE_UNAVAILABLE, "stopping"),
            Self::Ending => (StatusCode::SERVICE_UNAVAILABLE, "ending"),
            Self::Over(_) | Self::Settled => (StatusCode::GONE, "settled"),
            Self::NotKept => (StatusCode::INTERNAL_SERVER_ERROR, "not kept"),
            Self::NoBot(_) => (StatusCode::CONFLICT, "no bot"),
            Self::BotRefused(_) => (StatusCode::BAD_REQUEST, "refused"),
            Self::Keychain(..) => (StatusCode::SERVICE_UNAVAILABLE, "keychain"),
            Self::Foreign(_) => (StatusCode::CONFLICT, "foreign"),
            Self::File(_) => (StatusCode::INTERNAL_SERVER_ERROR, "file"),
            Self::Database(_) => (StatusCode::INTERNAL_SERVER_ERROR, "database"),
            Self::Network(_) => (StatusCode::BAD_GATEWAY, "network"),
            _ => (StatusCode::BAD_REQUEST, "invalid"),
        }
    }

    /// Where the answer that counts was given.
    fn by(&self) -> Option<String> {
        match self {
            Self::Refused(AnswerRefusal::Answering { by }) => Some(wire::surface(*by)),
            Self::Refused(AnswerRefusal::Settled { outcome }) | Self::Over(Some(outcome)) => {
                wire::outcome_by(outcome)
            }
            _ => None,
        }
    }

    /// For a person.
    pub(super) fn words(&self, texts: &Texts) -> String {
        let with = |key: &str, name: &str, value: Value<'_>| texts.with(key, &[(name, value)]);
        match self {
            Self::Refused(refusal) => words::refusal(texts, refusal),
            Self::Over(Some(outcome)) => {
                words::refusal(texts, &AnswerRefusal::Settled { outcome: outcome.clone() })
            }
            Self::Over(None) => words::refusal(texts, &AnswerRefusal::Unknown),
            Self::Returned(why) => words::returned(texts, why),
            Self::Setting(refused) => words::setting(texts, refused),
            Self::Keychain(name, trouble) => words::keychain(texts, trouble, name),
            Self::BotRefused(error) => telegram::not_stored(error, texts),
            Self::File(error) => words::failure(texts, error),
            Self::Unaskable(why) => why.words(texts),
            Self::NoBot(Some(why)) => why.clone(),
            Self::Shape(reason) => with("problem-shape", "reason", reason.as_str().into()),
            Self::Ambiguous(count) => with("problem-ambiguous", "count", (*count).into()),
            Self::Address => with("problem-address", "like", LIKE.into()),
            Self::NameTaken(name) => with("problem-name-taken", "name", name.as_str().into()),
            Self::Foreign(file) => {
                with("integrate-foreign", "file", file.display().to_string().into())
            }
            Self::Database(error) => with("problem-database", "reason", cause(error)),
            Self::Network(error) => with("problem-network", "reason", cause(error)),
            plain => texts.get(plain.key()),
        }
    }

    /// The sentence of those that need nothing told.
    fn key(&self) -> &'static str {
        match self {
            Self::Unauthorized => "problem-unauthorized",
            Self::Grant => "problem-grant",
            Self::UntilAndFor => "problem-until-and-for",
            Self::For => "problem-for",
            Self::Auto => "problem-auto",
            Self::IdTaken => "problem-id-taken",
            Self::NotOpen => "problem-not-open",
            Self::NotAsked => "problem-not-asked",
            Self::NoSession => "problem-no-session",
            Self::Stopping => "problem-stopping",
            Self::Ending => "problem-ending",
            Self::Settled => "problem-settled",
            Self::NotKept => "problem-not-kept",
            Self::EmptyNotice => "problem-empty-notice",
            Self::NotPaired => "problem-not-paired",
            Self::NoBot(_) => "telegram-starting",
            Self::BotToken => "login-no-token",
            Self::Nameless => "problem-nameless",
            Self::NoResume => "problem-no-resume",
            Self::NoSecret => "problem-no-secret",
            Self::EmptySecret => "secret-empty",
            _ => "failed",
        }
    }
}

impl AskRefusal {
    fn words(self, texts: &Texts) -> String {
        let (key, number) = match self {
            Self::NoQuestions => ("problem-no-questions", 0),
            Self::Question(number) => ("problem-question", number),
            Self::NoPermission => ("problem-no-permission", 0),
            Self::Id(most) => ("problem-id", most),
            Self::Timeout => ("problem-timeout", 0),
        };
        texts.with(key, &[("question", number.into()), ("most", number.into())])
    }
}

/// In the words of the system or a library.
fn cause(error: &anyhow::Error) -> Value<'static> {
    error.root_cause().to_string().into()
}

fn of_refusal(refusal: &AnswerRefusal) -> (StatusCode, &'static str) {
    match refusal {
        AnswerRefusal::Unknown => (StatusCode::NOT_FOUND, "unknown"),
        AnswerRefusal::Settled { outcome: Outcome::Gone } => (StatusCode::NOT_FOUND, "gone"),
        AnswerRefusal::Answering { .. } | AnswerRefusal::Settled { .. } => {
            (StatusCode::CONFLICT, "already answered")
        }
        AnswerRefusal::Changed => (StatusCode::CONFLICT, "changed"),
        AnswerRefusal::Invalid(_) => (StatusCode::BAD_REQUEST, "invalid"),
    }
}

fn of_setting(refused: &edit::EditError) -> (StatusCode, &'static str) {
    match refused {
        edit::EditError::NoSuchKey(_) | edit::EditError::NoSuchServer(_) => {
            (StatusCode::NOT_FOUND, "unknown")
        }
        edit::EditError::Broken(_) => (StatusCode::CONFLICT, "broken file"),
        edit::EditError::Invalid(_) => (StatusCode::BAD_REQUEST, "invalid"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigError;
    use crate::platform::failure::SystemFailure;
    use crate::text::languages;
    use anyhow::anyhow;
    use beckon_core::InvalidAnswer;

    fn all() -> Vec<ApiError> {
        use ApiError as O;
        let misfit = || ConfigError::Unreadable { line: 1, reason: "no".into() };
        let asked = [
            AskRefusal::NoQuestions,
            AskRefusal::Question(1),
            AskRefusal::NoPermission,
            AskRefusal::Id(64),
            AskRefusal::Timeout,
        ];
        let mut all: Vec<O> = asked.map(O::Unaskable).into();
        all.extend([O::Unauthorized, O::Shape("x".into()), O::Refused(AnswerRefusal::Unknown)]);
        all.extend([O::Refused(AnswerRefusal::Settled { outcome: Outcome::Expired })]);
        all.extend([
            O::Refused(InvalidAnswer::WrongKind.into()),
            O::Returned(ReturnReason::Forbidden),
        ]);
        all.extend([O::Ambiguous(2), O::Grant, O::UntilAndFor, O::For, O::Auto, O::IdTaken]);
        all.extend([O::NotOpen, O::NotAsked, O::NoSession, O::Stopping, O::Ending]);
        all.extend([O::Over(None), O::Over(Some(Outcome::Gone)), O::Settled, O::NotKept]);
        all.extend([O::EmptyNotice, O::NotPaired, O::NoBot(None), O::BotToken, O::Address]);
        all.extend([
            O::BotRefused(anyhow!("x")),
            O::NameTaken("x".into()),
            O::Nameless,
            O::NoResume,
            O::NoSecret,
            O::EmptySecret,
        ]);
        all.extend([O::Keychain("telegram".into(), KeychainError::Silent), O::Foreign("x".into())]);
        all.extend([O::Setting(edit::EditError::Broken(misfit()))]);
        all.extend([O::Setting(edit::EditError::Invalid(misfit()))]);
        all.extend([O::Setting(edit::EditError::NoSuchServer("x".into()))]);
        all.extend([O::File(SystemFailure::NoHome("HOME").into()), O::File(anyhow!("x"))]);
        all.extend([O::Database(anyhow!("x")), O::Network(anyhow!("x"))]);
        all
    }

    #[test]
    fn every_objection_has_a_sentence_of_its_own_in_every_language() {
        let english = Texts::load("en");
        for language in languages() {
            let texts = Texts::load(language);
            for objection in all() {
                let said = objection.words(&texts);
                assert!(!said.is_empty(), "{language}: {objection:?}");
                let same = said == objection.words(&english);
                assert_eq!(same, language == "en", "{language}: {objection:?}: {said}");
            }
        }
    }
}
