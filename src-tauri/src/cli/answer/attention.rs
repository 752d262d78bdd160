//! The commands `beckon seen` and `beckon snooze`.

use crate::cli::list::name_in_path;
use crate::cli::{CommandContext, CommandResult, say, say_json};
use beckon_client::platform::clock;
use beckon_client::text::words;
use beckon_client::wire::{AttentionBody, AttentionWord, ListedAsk};
use clap::Args;
use std::process::ExitCode;
use std::time::Duration;

/// The length of a snooze if none is given.
const USUAL: &str = "15m";

/// The arguments of a snooze.
#[derive(Debug, Args)]
pub(in crate::cli) struct SnoozeArguments {
    id: String,
    #[arg(value_name = "TIME")]
    time: Option<String>,
    #[arg(long, conflicts_with = "time")]
    until_back: bool,
    #[arg(long, conflicts_with_all = ["time", "until_back"])]
    end: bool,
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) async fn snooze(
    context: &CommandContext,
    arguments: SnoozeArguments,
) -> CommandResult {
    let SnoozeArguments {
        id,
        time,
        until_back,
        end,
        json,
    } = arguments;
    let is = if end {
        AttentionWord::Wanted
    } else {
        AttentionWord::Snoozed
    };
    let span = (!until_back && !end).then(|| time.unwrap_or_else(|| USUAL.into()));
    attend(
        context,
        &id,
        AttentionBody {
            is,
            until: None,
            span,
            seen: None,
        },
        json,
    )
    .await
}

pub(in crate::cli) async fn seen(
    context: &CommandContext,
    id: &str,
    undo: bool,
    json: bool,
) -> CommandResult {
    let is = if undo {
        AttentionWord::Wanted
    } else {
        AttentionWord::Seen
    };
    attend(
        context,
        id,
        AttentionBody {
            is,
            until: None,
            span: None,
            seen: None,
        },
        json,
    )
    .await
}

async fn attend(
    context: &CommandContext,
    id: &str,
    said: AttentionBody,
    json: bool,
) -> CommandResult {
    let path = format!("/attention/{}", name_in_path(context, id)?);
    let ask: ListedAsk = context.client()?.post(&path, &said, Duration::ZERO).await?;
    if json {
        say_json(&ask);
    } else {
        say(&words::set_aside(
            &context.texts,
            ask.set_aside,
            clock::now(),
        ));
    }
    Ok(ExitCode::SUCCESS)
}
