//! The row of each error: its status, its code, its sentence. The errors are listed in `error`.

use super::{ApiError, AskRefusal};
use crate::channels::telegram;
use crate::hub::fault::{HubFault, MembershipFault};
use axum::http::StatusCode;
use beckon_client::config::edit;
use beckon_client::text::Texts;
use beckon_client::text::words;
use beckon_client::wire::{AnswerPlace, AnsweredBy, ProblemCode};
use beckon_core::cut::{
    LABELS, LONGEST_LABEL, MOST_CHOICES, MOST_CHOICES_IN_ALL, MOST_QUESTIONS, QuestionSurplus,
};
use beckon_core::{AnswerRefusal, Outcome};
use std::path::Path;

/// The address that others are to look like.
const LIKE: &str = "http://127.0.0.1:4096";

const GATEWAY: StatusCode = StatusCode::BAD_GATEWAY;
const UNAVAILABLE: StatusCode = StatusCode::SERVICE_UNAVAILABLE;
const INTERNAL: StatusCode = StatusCode::INTERNAL_SERVER_ERROR;

/// The response to an error.
pub(super) struct ErrorRow {
    pub(super) status: StatusCode,
    pub(super) code: ProblemCode,
    pub(super) message: String,
    /// The place where the answer that counts was given.
    pub(super) by: Option<AnswerPlace>,
    /// The person who gave it.
    pub(super) responder: Option<AnsweredBy>,
}

impl ErrorRow {
    fn new(status: StatusCode, code: ProblemCode, message: String) -> Self {
        Self {
            status,
            code,
            message,
            by: None,
            responder: None,
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
            Self::Surplus(surplus) => return surplus_in_words(surplus, texts),
        };
        texts.with(key, &[("question", number.into()), ("most", number.into())])
    }
}

fn surplus_in_words(surplus: QuestionSurplus, texts: &Texts) -> String {
    let (key, question, most) = match surplus {
        QuestionSurplus::Questions => ("problem-many-questions", 0, MOST_QUESTIONS),
        QuestionSurplus::Choices(number) => ("problem-many-choices", number, MOST_CHOICES),
        QuestionSurplus::AllChoices => ("problem-all-choices", 0, MOST_CHOICES_IN_ALL),
        QuestionSurplus::Label(number) => ("problem-long-label", number, LONGEST_LABEL / 1024),
        QuestionSurplus::AllLabels => ("problem-all-labels", 0, LABELS / 1024),
    };
    texts.with(key, &[("question", question.into()), ("most", most.into())])
}

impl ApiError {
    /// Returns the row of the error: adding an error means saying all of it here.
    pub(super) fn row(&self, texts: &Texts) -> ErrorRow {
        use ProblemCode as Code;
        use StatusCode as Http;
        let row = ErrorRow::new;
        let bad = |code, message| ErrorRow::new(Http::BAD_REQUEST, code, message);
        let internal = |code, message| ErrorRow::new(INTERNAL, code, message);
        let gateway = |code, message| ErrorRow::new(GATEWAY, code, message);
        let invalid = |message| ErrorRow::new(Http::BAD_REQUEST, Code::Invalid, message);
        let unknown = |message| ErrorRow::new(Http::NOT_FOUND, Code::Unknown, message);
        let key = |key| texts.get(key);
        let with = |key, name, value| texts.with(key, &[(name, value)]);
        let cause = |key, error| because(key, error, texts);
        match self {
            Self::Refused(refusal, faster) => of_refusal(refusal, faster.as_deref(), texts),
            Self::Setting(refused) => of_setting(refused, texts),
            Self::Over(outcome, who) => of_end(outcome.as_ref(), who.as_deref(), texts),
            Self::Unauthorized => unauthorized(texts),
            Self::Shape(reason) => invalid(with("problem-shape", "reason", reason.as_str().into())),
            Self::Returned(why) => gateway(Code::Returned, words::returned(texts, why)),
            Self::Ambiguous(count) => bad(Code::Ambiguous, ambiguous(*count, texts)),
            Self::Grant => invalid(key("problem-grant")),
            Self::UntilAndFor => invalid(key("problem-until-and-for")),
            Self::For => invalid(key("problem-for")),
            Self::Auto => invalid(key("problem-auto")),
            Self::SnoozeTime => invalid(key("problem-snooze-time")),
            Self::NotShown(why) => row(Http::CONFLICT, Code::NotShown, why.words(texts)),
            Self::Unaskable(why) => invalid(why.words(texts)),
            Self::IdTaken => row(Http::CONFLICT, Code::IdTaken, key("problem-id-taken")),
            Self::ProofUsed => row(Http::CONFLICT, Code::ProofUsed, key("problem-proof-used")),
            Self::NotOpen => unknown(key("problem-not-open")),
            Self::NotAsked => unknown(key("problem-not-asked")),
            Self::NoSession => unknown(key("problem-no-session")),
            Self::Stopping => row(UNAVAILABLE, Code::Stopping, key("problem-stopping")),
            Self::Ending => row(UNAVAILABLE, Code::Ending, key("problem-ending")),
            Self::Settled => row(Http::GONE, Code::Settled, key("problem-settled")),
            Self::NotSaved => ErrorRow::new(
                StatusCode::INSUFFICIENT_STORAGE,
                Code::NotSaved,
                texts.get("problem-not-saved"),
            ),
            Self::NotKept => internal(Code::NotKept, key("problem-not-kept")),
            Self::EmptyNotice => invalid(key("problem-empty-notice")),
            Self::NotPaired => unknown(key("problem-not-paired")),
            Self::NoBot(Some(why)) => row(Http::CONFLICT, Code::NoBot, why.clone()),
            Self::NoBot(None) => row(Http::CONFLICT, Code::NoBot, key("telegram-starting")),
            Self::BotToken => invalid(key("login-no-token")),
            Self::BotRefused(error) => bad(Code::Refused, telegram::not_stored(error, texts)),
            Self::Address(fault) => invalid(words::address(texts, *fault, LIKE)),
            Self::NameTaken(name) => row(Http::CONFLICT, Code::NameTaken, name_taken(name, texts)),
            Self::Nameless => invalid(key("problem-nameless")),
            Self::NoResume => invalid(key("problem-no-resume")),
            Self::NoSecret => invalid(key("problem-no-secret")),
            Self::EmptySecret => invalid(key("secret-empty")),
            Self::Keychain(name, why) => row(
                UNAVAILABLE,
                Code::Keychain,
                words::keychain(texts, why, name),
            ),
            Self::EnvironmentSecret(from) => row(Http::CONFLICT, Code::Refused, given(from, texts)),
            Self::Foreign(file) => row(Http::CONFLICT, Code::Foreign, foreign(file, texts)),
            Self::File(error) => internal(Code::File, words::failure(texts, error)),
            Self::Database(error) => internal(Code::Database, cause("problem-database", error)),
            Self::NoGrant => unknown(key("problem-no-grant")),
            Self::Irrevocable => row(Http::CONFLICT, Code::Refused, key("problem-irrevocable")),
            Self::NotRevoked(error) => gateway(Code::Failed, cause("problem-not-revoked", error)),
            Self::Network(error) => gateway(Code::Network, cause("problem-network", error)),
            Self::Hub(fault) => of_hub(fault, texts),
        }
    }
}

fn ambiguous(count: usize, texts: &Texts) -> String {
    texts.with("problem-ambiguous", &[("count", count.into())])
}

fn given(variable: &str, texts: &Texts) -> String {
    texts.with("problem-variable", &[("variable", variable.into())])
}

fn unauthorized(texts: &Texts) -> ErrorRow {
    let message = texts.get("problem-unauthorized");
    ErrorRow::new(StatusCode::UNAUTHORIZED, ProblemCode::Unauthorized, message)
}

/// Returns a sentence with the cause in the words of the system or a library.
fn because(key: &str, error: &anyhow::Error, texts: &Texts) -> String {
    texts.with(key, &[("reason", error.root_cause().to_string().into())])
}

fn name_taken(name: &str, texts: &Texts) -> String {
    texts.with("problem-name-taken", &[("name", name.into())])
}

fn foreign(file: &Path, texts: &Texts) -> String {
    texts.with(
        "integrate-foreign",
        &[("file", file.display().to_string().into())],
    )
}

fn of_refusal(refusal: &AnswerRefusal, faster: Option<&AnsweredBy>, texts: &Texts) -> ErrorRow {
    use AnswerRefusal as Refusal;
    let (status, code, by) = match refusal {
        Refusal::Unknown => (StatusCode::NOT_FOUND, ProblemCode::Unknown, None),
        Refusal::Settled {
            outcome: Outcome::Gone,
        } => (StatusCode::NOT_FOUND, ProblemCode::Gone, None),
        Refusal::Settled { outcome } => (
            StatusCode::CONFLICT,
            ProblemCode::AlreadyAnswered,
            AnswerPlace::of(outcome),
        ),
        Refusal::Answering { by } => (
            StatusCode::CONFLICT,
            ProblemCode::AlreadyAnswered,
            Some((*by).into()),
        ),
        Refusal::Changed => (StatusCode::CONFLICT, ProblemCode::Changed, None),
        Refusal::Held(_) => (StatusCode::FORBIDDEN, ProblemCode::Held, None),
        Refusal::NeedsAnother(_) => (StatusCode::CONFLICT, ProblemCode::NeedsAnother, None),
        Refusal::Invalid(_) => (StatusCode::BAD_REQUEST, ProblemCode::Invalid, None),
    };
    let message = words::refusal_after(texts, refusal, faster);
    ErrorRow {
        status,
        code,
        message,
        by,
        responder: faster.cloned(),
    }
}

fn of_hub(fault: &MembershipFault, texts: &Texts) -> ErrorRow {
    let (status, code) = match fault {
        MembershipFault::NoCode => (StatusCode::BAD_REQUEST, ProblemCode::Invalid),
        MembershipFault::NotJoined | MembershipFault::OtherHub(_) => {
            (StatusCode::CONFLICT, ProblemCode::Refused)
        }
        MembershipFault::NotBuilt => (StatusCode::NOT_IMPLEMENTED, ProblemCode::Refused),
        MembershipFault::Unusable(_) => (StatusCode::CONFLICT, ProblemCode::BrokenFile),
        MembershipFault::Edit(refused) => return of_setting(refused, texts),
        MembershipFault::File(_) => (INTERNAL, ProblemCode::File),
        MembershipFault::StillListed(why) => {
            let ErrorRow { status, code, .. } = of_hub(why, texts);
            (status, code)
        }
        MembershipFault::Hub(HubFault::Keychain(_)) => (UNAVAILABLE, ProblemCode::Keychain),
        MembershipFault::Hub(HubFault::Refused(_) | HubFault::NotLetIn) => {
            (StatusCode::CONFLICT, ProblemCode::Refused)
        }
        MembershipFault::Hub(_) | MembershipFault::MayBeListed(_) => {
            (GATEWAY, ProblemCode::Network)
        }
    };
    ErrorRow::new(status, code, fault.words(texts))
}

fn of_end(outcome: Option<&Outcome>, who: Option<&AnsweredBy>, texts: &Texts) -> ErrorRow {
    let refusal = match outcome {
        Some(outcome) => AnswerRefusal::Settled {
            outcome: outcome.clone(),
        },
        None => AnswerRefusal::Unknown,
    };
    let by = outcome.and_then(AnswerPlace::of);
    let message = words::refusal_after(texts, &refusal, who);
    let responder = who.cloned();
    ErrorRow {
        by,
        responder,
        ..ErrorRow::new(StatusCode::GONE, ProblemCode::Settled, message)
    }
}

fn of_setting(refused: &edit::EditError, texts: &Texts) -> ErrorRow {
    let (status, code) = match refused {
        edit::EditError::NoSuchKey(_) | edit::EditError::NoSuchServer(_) => {
            (StatusCode::NOT_FOUND, ProblemCode::Unknown)
        }
        edit::EditError::Changed => (StatusCode::CONFLICT, ProblemCode::Changed),
        edit::EditError::Broken(_) => (StatusCode::CONFLICT, ProblemCode::BrokenFile),
        edit::EditError::Invalid(_) => (StatusCode::BAD_REQUEST, ProblemCode::Invalid),
    };
    ErrorRow::new(status, code, words::setting(texts, refused))
}
