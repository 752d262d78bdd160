//! `beckon ask`: ask the human, wait, print the answer.
//!
//! The id is ours, so that asking again after a lost connection is the same ask: Beckon may be
//! killed and started again meanwhile.

use super::usage::Wrong;
use super::{Context, Done, NOT_RUNNING, fail, say_json, say_raw};
use crate::api::{Asker, Asking, Timeout, new_id};
use crate::client::{Client, Refused};
use crate::config::parse_span;
use crate::paths::Paths;
use crate::sources::opencode::wire::{OptionInfo, QuestionInfo};
use crate::wire::{Asked, AskedState};
use clap::Args;
use serde::Serialize;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// One request waits for so long; then the next one does.
const POLL: Duration = Duration::from_secs(60);
/// A Beckon that is away in the middle of it is expected back for so long …
const RETURNS_WITHIN: Duration = Duration::from_secs(60);
/// … and looked for so often.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

const DISMISSED: u8 = 3;
const TIMED_OUT: u8 = 4;
/// As a shell says it of a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

#[derive(Clone, Debug, Args)]
pub(super) struct Arguments {
    #[arg(long, value_name = "TEXT")]
    question: String,
    #[arg(long, value_name = "LABEL[=DESCRIPTION]", value_parser = option)]
    choice: Vec<OptionInfo>,
    #[arg(long)]
    multiple: bool,
    #[arg(long = "no-custom", requires = "choice")]
    no_custom: bool,
    #[arg(long, value_name = "TIME", value_parser = time)]
    timeout: Option<String>,
    #[arg(long)]
    json: bool,
}

/// The first `=` ends the label, unless a backslash stands before it: that one belongs to it.
fn option(text: &str) -> Result<OptionInfo, Wrong> {
    let bare = |(at, _): &(usize, &str)| !text[..*at].ends_with('\\');
    let border = text.match_indices('=').find(bare).map(|(at, _)| at);
    let (label, description) = match border {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, ""),
    };
    if label.trim().is_empty() {
        return Err(Wrong::Label);
    }
    Ok(OptionInfo { label: label.replace("\\=", "="), description: description.into() })
}

/// A bare number is seconds.
fn time(text: &str) -> Result<String, Wrong> {
    let bare = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = if bare { format!("{text}s") } else { text.to_owned() };
    match parse_span(&text) {
        Some(_) => Ok(text),
        None => Err(Wrong::Time),
    }
}

pub(super) async fn run(context: &Context, arguments: Arguments) -> Done {
    let json = arguments.json;
    let asking = asking(arguments);
    let asked = tokio::select! {
        asked = until_it_ends(&context.paths, QUESTION, &asking) => asked?,
        () = interrupted() => return withdraw(context, asking).await,
    };
    Ok(tell(context, &asked, json))
}

fn asking(arguments: Arguments) -> Asking {
    let question = QuestionInfo {
        question: arguments.question,
        header: String::new(),
        options: arguments.choice,
        multiple: Some(arguments.multiple),
        custom: Some(!arguments.no_custom),
    };
    let timeout = arguments.timeout.map(Timeout::Text);
    let asker = Asker { id: Some(new_id()), directory: here(), timeout, ..Asker::default() };
    Asking { questions: vec![question], asker }
}

/// The directory that the card names.
pub(super) fn here() -> Option<String> {
    std::env::current_dir().ok().map(|dir| dir.display().to_string())
}

/// Where questions are asked.
pub(super) const QUESTION: &str = "/question";

/// Asks there, and asks again until it has ended. What is asked has an id.
pub(super) async fn until_it_ends<B: Serialize>(
    paths: &Paths,
    place: &str,
    asking: &B,
) -> Result<Asked, Refused> {
    let mut asked_before = false;
    let mut missing_since: Option<Instant> = None;
    loop {
        match wait_once(paths, place, asking).await {
            Ok(asked) if asked.state != AskedState::Open => return Ok(asked),
            Ok(_) => {
                (asked_before, missing_since) = (true, None);
                continue;
            }
            Err(refused) if is_final(&refused, asked_before) => return Err(refused),
            Err(_) => asked_before = true,
        }
        if missing_since.get_or_insert_with(Instant::now).elapsed() >= RETURNS_WITHIN {
            return Err(Refused::NotRunning);
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

async fn wait_once<B: Serialize>(paths: &Paths, place: &str, asking: &B) -> Result<Asked, Refused> {
    let path = format!("{place}?wait={}", POLL.as_secs());
    Client::new(paths)?.post(&path, asking, POLL).await
}

/// A Beckon that was there once may come back, with the answer.
fn is_final(refused: &Refused, asked_before: bool) -> bool {
    match refused {
        Refused::NotRunning | Refused::Unproven => !asked_before,
        Refused::Problem(status, _) | Refused::Odd(status) => !status.is_server_error(),
        Refused::Silent(_) | Refused::Other(_) => false,
        Refused::Exposed(_) | Refused::Said(_) => true,
    }
}

async fn withdraw(context: &Context, asking: Asking) -> Done {
    let path = format!("{QUESTION}/{}", asking.asker.id.unwrap_or_default());
    // Without a Beckon there is nothing to withdraw it from; it will be missed.
    if let Ok(client) = context.client() {
        let _ = client.delete::<bool>(&path).await;
    }
    Ok(ExitCode::from(INTERRUPTED))
}

fn tell(context: &Context, asked: &Asked, json: bool) -> ExitCode {
    if json {
        say_json(asked);
    }
    let silently = |code: u8| ExitCode::from(code);
    let aloud = |key: &str, code: u8| match json {
        true => silently(code),
        false => fail(&context.texts.get(key), code),
    };
    match asked.state {
        AskedState::Answered => {
            let texts = asked.answers.iter().flatten().flatten();
            // What the human wrote, exactly.
            texts.filter(|_| !json).for_each(|text| say_raw(text));
            ExitCode::SUCCESS
        }
        AskedState::Dismissed => aloud("ask-dismissed", DISMISSED),
        AskedState::TimedOut => aloud("ask-timed-out", TIMED_OUT),
        AskedState::Gone => aloud("ask-gone", DISMISSED),
        AskedState::Open => silently(NOT_RUNNING),
    }
}

/// Somebody wants this program to end.
#[cfg(unix)]
pub(super) async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut term), Ok(mut int)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = int.recv() => {}
    }
}

/// Somebody wants this program to end.
#[cfg(not(unix))]
pub(super) async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use super::option;

    #[test]
    fn the_first_bare_equals_sign_ends_a_label() {
        let table = [
            ("Yes", "Yes", ""),
            ("Yes=at once", "Yes", "at once"),
            ("x=1=one", "x", "1=one"),
            (r"x\=1=one", "x=1", "one"),
            (r"x\=1", "x=1", ""),
            (r"C:\dir=a folder=", r"C:\dir", "a folder="),
        ];
        for (text, label, description) in table {
            let read = option(text).unwrap();
            assert_eq!((read.label.as_str(), read.description.as_str()), (label, description));
        }
        assert!(option("=nothing").is_err());
    }
}
