//! Why a command was not done, as the web view is told.

use beckon_client::config;
use beckon_client::connection::ClientError;
use beckon_client::platform::paths::Paths;
use beckon_client::text::Texts;
use beckon_client::wire::{Problem, ProblemCode, Verdict, VerdictState, WireWord};

/// What a command gives: its value, or a problem that the web view gets thrown.
pub(crate) type CommandResult<T> = Result<T, Problem>;

/// A refusal as a problem.
pub(crate) fn problem(refused: ClientError) -> Problem {
    let code = match refused {
        ClientError::Problem(_, problem) => return problem,
        ClientError::NotRunning | ClientError::Unproven => ProblemCode::NotRunning,
        ClientError::Exposed(_)
        | ClientError::Silent(_)
        | ClientError::Odd(_)
        | ClientError::TooLarge
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

/// In the language of the settings at this moment: there may be no resident to ask for it.
fn texts() -> Texts {
    let language = Paths::from_env().map(|paths| config::language(&paths.config));
    Texts::load(&language.unwrap_or_else(|_| "auto".into()))
}

/// Anything else that went wrong.
pub(crate) fn failed(error: impl Into<anyhow::Error>) -> Problem {
    problem(ClientError::Other(error.into()))
}

/// That somebody else was faster is an answer, not an error.
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
