//! `beckon telegram pair`: shows the link, and waits until somebody has opened it.

use super::super::{CommandContext, CommandResult, fail, say, say_json, say_raw};
use super::{line, look, settled};
use crate::client::{Client, ClientError};
use crate::platform::clock;
use crate::platform::failure::SystemFailure;
use crate::platform::qr;
use crate::text::Value;
use crate::wire::Paired;
use crate::wire::PairingLink;
use anyhow::Context as _;
use beckon_core::{Span, Timestamp};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// While waiting, look so often.
const LOOK: Duration = Duration::from_millis(500);
/// Codes that end within this are one: two programs that look at the clock see it set by a little
/// more or less.
const SAME: Span = Span::millis(400);
/// As with `beckon ask`.
const TIMED_OUT: u8 = 4;

pub(super) async fn run(
    context: &CommandContext,
    json: bool,
    file: Option<PathBuf>,
) -> CommandResult {
    let client = context.client()?;
    let before = settled(&client).await?;
    let link: PairingLink = client.post("/telegram/pair", &(), Duration::ZERO).await?;
    if let Some(file) = &file {
        write_svg(file, &link.link)?;
    }
    if json {
        say_json(&link);
        return Ok(ExitCode::SUCCESS);
    }
    show(context, &link, file.as_deref())?;
    wait(context, &client, &before.people, Timestamp(link.expires_at)).await
}

fn write_svg(file: &Path, link: &str) -> Result<(), ClientError> {
    let written = std::fs::write(file, qr::svg(link)?);
    Ok(written.with_context(|| SystemFailure::Write(file.into()))?)
}

fn show(
    context: &CommandContext,
    link: &PairingLink,
    file: Option<&Path>,
) -> Result<(), ClientError> {
    match file {
        None => say_raw(&qr::text(&link.link, std::io::stdout().is_terminal())?),
        Some(file) => {
            let file = Value::from(file.display().to_string());
            say(&context.texts.with("pair-svg", &[("file", file)]));
        }
    }
    say(&context.texts.with("pair-link", &[("link", link.link.clone().into())]));
    let left = clock::until(Timestamp(link.expires_at)).as_secs().div_ceil(60);
    say(&context.texts.with("pair-waiting", &[("minutes", Value::from(left))]));
    Ok(())
}

async fn wait(
    context: &CommandContext,
    client: &Client,
    before: &[Paired],
    until: Timestamp,
) -> CommandResult {
    let (mut until, mut clocks) = (until, clock::ClockWatch::start());
    let mut doubted = false;
    loop {
        tokio::time::sleep(LOOK).await;
        // Beckon moves the end of a code with a clock that is set, and so does whoever waits for it.
        let set = clocks.look();
        until = until + set.unwrap_or(Span(0));
        let telegram = look(client).await?;
        let out = telegram.pairing_until.map(Timestamp);
        match out {
            Some(out) if out == until => doubted = false,
            Some(out) if set.is_some() && (out - until).0.abs() < SAME.0 => until = out,
            // Beckon may have seen first that the clock was set.
            Some(_) if !doubted => doubted = true,
            Some(_) => return Ok(fail(&context.texts.get("pair-replaced"), 1)),
            None if clock::now() >= until => {
                return Ok(fail(&context.texts.get("pair-expired"), TIMED_OUT));
            }
            None => return Ok(welcome(context, before, &telegram.people)),
        }
    }
}

/// Who is new; nobody is when the link was opened by somebody who was paired already.
fn welcome(context: &CommandContext, before: &[Paired], after: &[Paired]) -> ExitCode {
    say(&context.texts.get("pair-done"));
    for paired in after.iter().filter(|paired| !before.contains(paired)) {
        say(&line(context, paired));
    }
    ExitCode::SUCCESS
}
