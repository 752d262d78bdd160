//! The problems that the web view gets if a command was not done.

use beckon_client::config;
use beckon_client::connection::ClientError;
use beckon_client::platform::paths::Paths;
use beckon_client::text::Texts;
use beckon_client::wire::{Problem, ProblemCode, Verdict, VerdictState, WireWord};

/// The result of a command: its value, or a problem that the web view gets thrown.
pub(crate) type CommandResult<T> = Result<T, Problem>;

/// Makes a problem of a refusal.
pub(crate) fn problem(refused: ClientError) -> Problem {
    let code = match refused {
        ClientError::Problem(_, problem) => return problem,
        ClientError::NotRunning | ClientError::Unproven => ProblemCode::NotRunning,
        ClientError::Exposed(_)
        | ClientError::Silent(_)
        | ClientError::Odd(_)
        | ClientError::TooLarge
        | ClientError::Misused(_)
        | ClientError::Said(_)
        | ClientError::Other(_) => ProblemCode::Failed,
    };
    Problem {
        code: code.into(),
        message: refused.words(&texts()),
        by: None,
        responder: None,
    }
}

/// Returns the texts in the language of the settings at this moment: there may be no resident to
/// ask for it.
fn texts() -> Texts {
    let language = Paths::from_env().map(|paths| config::language(&paths.config));
    Texts::load(&language.unwrap_or_else(|_| "auto".into()))
}

/// Makes a problem of anything else that went wrong.
pub(crate) fn failed(error: impl Into<anyhow::Error>) -> Problem {
    problem(ClientError::Other(error.into()))
}

/// Returns the verdict on an answer. That somebody else was faster is a verdict, not an error.
pub(crate) fn verdict(answered: Result<Verdict, ClientError>) -> CommandResult<Verdict> {
    let lost = match &answered {
        Err(ClientError::Problem(_, Problem { code, by, .. })) => {
            faster(code).map(|state| Verdict::new(state, by.clone()))
        }
        Ok(_) | Err(_) => None,
    };
    lost.map_or_else(|| answered.map_err(problem), Ok)
}

fn faster(code: &WireWord<ProblemCode>) -> Option<VerdictState> {
    match code.known()? {
        ProblemCode::AlreadyAnswered => Some(VerdictState::AlreadyAnswered),
        ProblemCode::Gone => Some(VerdictState::Gone),
        _ => None,
    }
}
