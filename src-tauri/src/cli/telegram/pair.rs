//! The command `beckon telegram pair`: shows the link, and waits until somebody has opened it.

use super::super::{CommandContext, CommandResult, fail, say, say_json, say_raw};
use super::{line, look, settled};
use anyhow::Context as _;
use beckon_client::connection::{Client, ClientError};
use beckon_client::platform::clock;
use beckon_client::platform::failure::SystemFailure;
use beckon_client::platform::qr;
use beckon_client::text::Value;
use beckon_client::wire::Paired;
use beckon_client::wire::PairingLink;
use beckon_core::{Span, Timestamp};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// How long until it is looked again whether the link was opened.
const LOOK: Duration = Duration::from_millis(500);
/// The difference in their ends within which two codes count as one: two programs that look at the
/// clock see it set by a little more or less.
const SAME: Span = Span::millis(400);
/// The number of looks that may show another end before the link counts as another one.
const DOUBTS: u32 = 3;
/// The exit code when the time is up, as with `beckon ask`.
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
    say(&context
        .texts
        .with("pair-link", &[("link", link.link.clone().into())]));
    let group = [
        ("link", link.group_link.clone().into()),
        ("command", link.group_command.clone().into()),
    ];
    say(&context.texts.with("pair-group", &group));
    let left = clock::until(Timestamp(link.expires_at))
        .as_secs()
        .div_ceil(60);
    say(&context
        .texts
        .with("pair-waiting", &[("minutes", Value::from(left))]));
    Ok(())
}

async fn wait(
    context: &CommandContext,
    client: &Client,
    before: &[Paired],
    until: Timestamp,
) -> CommandResult {
    let (mut end, mut clocks) = (LinkEnd::at(until), clock::ClockWatch::start());
    loop {
        tokio::time::sleep(LOOK).await;
        let set = clocks.look();
        let telegram = look(client).await?;
        match telegram.pairing_until.map(Timestamp) {
            Some(out) if end.is_of_the_same_link(out, set) => {}
            Some(_) => return Ok(fail(&context.texts.get("pair-replaced"), 1)),
            None if telegram.status.pairing_exposed => {
                return Ok(fail(&context.texts.get("pair-exposed"), 1));
            }
            None if clock::now() >= end.until + set.unwrap_or(Span(0)) => {
                return Ok(fail(&context.texts.get("pair-expired"), TIMED_OUT));
            }
            None => return Ok(welcome(context, before, &telegram.people)),
        }
    }
}

/// The time until which the link is good. Beckon moves it when the clock is set, and so does this
/// command, a look sooner or later.
#[derive(Debug)]
struct LinkEnd {
    until: Timestamp,
    /// The number of looks for which it may still be seen a little off.
    settling: u32,
    /// The number of looks in a row at which it was another link's.
    doubts: u32,
}

impl LinkEnd {
    fn at(until: Timestamp) -> Self {
        Self {
            until,
            settling: 0,
            doubts: 0,
        }
    }

    /// Whether the link that is out is the one that is waited for.
    fn is_of_the_same_link(&mut self, out: Timestamp, set: Option<Span>) -> bool {
        self.settling = if set.is_some() {
            DOUBTS
        } else {
            self.settling.saturating_sub(1)
        };
        self.until = self.until + set.unwrap_or(Span(0));
        let near = self.settling > 0 && (out - self.until).0.abs() < SAME.0;
        if out == self.until || near {
            (self.until, self.doubts) = (out, 0);
        } else {
            self.doubts += 1;
        }
        self.doubts < DOUBTS
    }
}

/// Tells who is new; nobody is if the link was opened by a person who was paired already.
fn welcome(context: &CommandContext, before: &[Paired], after: &[Paired]) -> ExitCode {
    say(&context.texts.get("pair-done"));
    for paired in after.iter().filter(|paired| !before.contains(paired)) {
        say(&line(context, paired));
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Span = Span::minutes(60);

    #[test]
    fn a_newer_link_is_another_however_soon_it_comes() {
        let mut end = LinkEnd::at(Timestamp(600_000));
        assert!(end.is_of_the_same_link(Timestamp(600_000), None));
        let newer = Timestamp(600_150);
        assert!((0..DOUBTS).any(|_| !end.is_of_the_same_link(newer, None)));
    }

    #[test]
    fn a_clock_that_is_set_changes_no_link_whoever_sees_it_first() {
        let (before, after) = (Timestamp(600_000), Timestamp(600_010) + HOUR);
        for looks in [
            [(after, None), (after, Some(HOUR))],
            [(before, Some(HOUR)), (after, None)],
        ] {
            let mut end = LinkEnd::at(before);
            for (out, set) in looks {
                assert!(end.is_of_the_same_link(out, set), "{looks:?}");
            }
            assert!(
                (0..9).all(|_| end.is_of_the_same_link(after, None)),
                "{looks:?}"
            );
        }
    }
}
