//! The outcome of an answer, as it is told to the human who gave it. The API says why one is
//! refused.

use crate::cli::{CommandContext, CommandResult, fail, say, say_json};
use beckon_client::text::Value;
use beckon_client::text::words;
use beckon_client::wire::{AlsoRejects, Problem, Verdict, VerdictState};
use std::process::ExitCode;

/// Tells that an ask is over: by an answer, or else because nobody waits any more.
pub(super) fn over(context: &CommandContext, json: bool, problem: Problem) -> CommandResult {
    match problem.by {
        Some(_) => already(context, json, problem),
        None => tell(context, json, &Verdict::new(VerdictState::Gone, None)),
    }
}

pub(super) fn already(context: &CommandContext, json: bool, problem: Problem) -> CommandResult {
    let verdict = Verdict::new(VerdictState::AlreadyAnswered, problem.by);
    tell(
        context,
        json,
        &Verdict {
            responder: problem.responder.map(|who| *who),
            ..verdict
        },
    )
}

pub(super) fn tell(context: &CommandContext, json: bool, verdict: &Verdict) -> CommandResult {
    let by = words::answered_by(
        &context.texts,
        verdict.by.as_ref(),
        verdict.responder.as_ref(),
    );
    let key = format!("answer-{}", verdict.state.to_string().replace(' ', "-"));
    let line = match &verdict.undelivered {
        Some(trouble) => words::undelivered_told(&context.texts, trouble),
        None => context.texts.with(&key, &[("by", Value::from(by))]),
    };
    let arrived = verdict.undelivered.is_none();
    let ok = arrived
        && matches!(
            verdict.state.known(),
            Some(VerdictState::Taken | VerdictState::Sent)
        );
    match (json, ok) {
        (true, _) => say_json(verdict),
        (false, true) => {
            say(&line);
            also_rejected(context, verdict)
                .iter()
                .for_each(|also| say(also));
        }
        (false, false) => return Ok(fail(&line, 1)),
    }
    Ok(if ok {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Returns the line about what was rejected with it; of an answer that nobody has confirmed, what
/// would be.
fn also_rejected(context: &CommandContext, verdict: &Verdict) -> Option<String> {
    let AlsoRejects { count, certain } = verdict.also_rejects?;
    let key = match (verdict.state == VerdictState::Taken, certain) {
        (true, true) => "answer-also-rejected",
        (true, false) => "answer-also-rejected-perhaps",
        (false, true) => "also-rejects",
        (false, false) => "also-rejects-perhaps",
    };
    Some(context.texts.with(key, &[("count", Value::from(count))]))
}
