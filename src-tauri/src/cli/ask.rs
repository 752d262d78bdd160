//! The command `beckon ask`: ask the human, wait, print the answer. The waiting, also over a
//! restart of Beckon, is in `ask/waiting.rs`.

pub(super) mod origin;
pub(super) mod receipts;
pub(super) mod waiting;

use super::usage::WrongValue;
use super::{CommandContext, CommandResult, NOT_RUNNING, fail, say_json, say_raw};
use crate::api::{AskerBody, QuestionBody, TimeLimit, new_id};
use crate::sources::opencode::wire::{OptionInfo, QuestionInfo};
use beckon_client::config::parse_span;
use beckon_client::wire::{AskedState, LocalAskStatus};
use beckon_core::visible::is_blank;
use clap::Args;
use std::process::ExitCode;
use waiting::{QUESTION, interrupted, until_it_ends};

const DISMISSED: u8 = 3;
const TIMED_OUT: u8 = 4;
/// The exit code of a shell for a program that Ctrl-C has ended.
const INTERRUPTED: u8 = 130;

#[derive(Clone, Debug, Args)]
pub(super) struct AskArguments {
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    question: String,
    #[arg(
        long,
        value_name = "LABEL[=DESCRIPTION]",
        value_parser = option,
        allow_hyphen_values = true
    )]
    choice: Vec<OptionInfo>,
    #[arg(long)]
    multiple: bool,
    #[arg(long = "no-custom", requires = "choice")]
    no_custom: bool,
    #[arg(long, value_name = "TIME", value_parser = time)]
    timeout: Option<String>,
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    title: Option<String>,
    #[arg(long)]
    json: bool,
}

/// Reads a choice. The first `=` ends the label, unless a backslash is before it: then it belongs
/// to the label.
fn option(text: &str) -> Result<OptionInfo, WrongValue> {
    let bare = |(at, _): &(usize, &str)| !text[..*at].ends_with('\\');
    let border = text.match_indices('=').find(bare).map(|(at, _)| at);
    let (label, description) = match border {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, ""),
    };
    if is_blank(label) {
        return Err(WrongValue::Label);
    }
    Ok(OptionInfo {
        label: label.replace("\\=", "="),
        description: description.into(),
    })
}

/// Reads a time; a bare number is seconds.
fn time(text: &str) -> Result<String, WrongValue> {
    let bare = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = if bare {
        format!("{text}s")
    } else {
        text.to_owned()
    };
    match parse_span(&text) {
        Some(_) => Ok(text),
        None => Err(WrongValue::Time),
    }
}

pub(super) async fn run(context: &CommandContext, arguments: AskArguments) -> CommandResult {
    let json = arguments.json;
    let asking = asking(arguments);
    let asked = tokio::select! {
        asked = until_it_ends(&context.paths, QUESTION, &asking) => asked?,
        () = interrupted() => return give_up(context, asking).await,
    };
    Ok(tell(context, &asked, json))
}

fn asking(arguments: AskArguments) -> QuestionBody {
    let question = QuestionInfo {
        question: arguments.question,
        header: String::new(),
        options: arguments.choice,
        multiple: Some(arguments.multiple),
        custom: Some(!arguments.no_custom),
    };
    let timeout = arguments.timeout.map(TimeLimit::Text);
    let asker = AskerBody {
        id: Some(new_id()),
        title: arguments.title,
        agent: arguments.agent.or_else(origin::program),
        directory: origin::directory(),
        pid: Some(std::process::id()),
        timeout,
        ..AskerBody::default()
    };
    QuestionBody {
        questions: vec![question],
        limits: Vec::new(),
        asker,
    }
}

/// Withdraws the question, with a single try: a human who pressed Ctrl-C does not wait for a Beckon
/// that is away. In that case Beckon misses the asker.
async fn give_up(context: &CommandContext, asking: QuestionBody) -> CommandResult {
    waiting::withdraw(&context.paths, &asking.asker.id.unwrap_or_default()).await;
    Ok(ExitCode::from(INTERRUPTED))
}

fn tell(context: &CommandContext, asked: &LocalAskStatus, json: bool) -> ExitCode {
    if json {
        say_json(asked);
    }
    let silently = |code: u8| ExitCode::from(code);
    let aloud = |key: &str, code: u8| {
        if json {
            silently(code)
        } else {
            fail(&context.texts.get(key), code)
        }
    };
    match asked.state {
        AskedState::Answered => {
            let texts = asked.answers.iter().flatten().flatten();
            // The text is printed exactly as the human wrote it.
            texts.filter(|_| !json).for_each(|text| say_raw(text));
            ExitCode::SUCCESS
        }
        AskedState::Dismissed => aloud("ask-dismissed", DISMISSED),
        AskedState::TimedOut => aloud("ask-timed-out", TIMED_OUT),
        AskedState::Gone => aloud("ask-gone", DISMISSED),
        AskedState::Open => silently(NOT_RUNNING),
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
            assert_eq!(
                (read.label.as_str(), read.description.as_str()),
                (label, description)
            );
        }
        assert!(option("=nothing").is_err());
    }
}
