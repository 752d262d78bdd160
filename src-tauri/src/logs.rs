//! Where log lines go: stderr and `logs/`, with anything that looks like a bot token struck out.
//!
//! Levels: INFO is a change of state that a user would notice, WARN wants somebody to look. Message
//! texts and answers stay at DEBUG; secrets are never logged, the striking out is the last line of
//! defence.

use crate::paths::Paths;
use anyhow::{Context, Result};
use std::io::{self, Write};
use tracing_appender::rolling::{Builder, Rotation};
use tracing_subscriber::{EnvFilter, Layer, layer::SubscriberExt, util::SubscriberInitExt};

/// Starts logging; `BECKON_LOG` sets the filter (as `RUST_LOG` does elsewhere).
///
/// # Errors
/// When the log directory cannot be written.
pub fn start(paths: &Paths) -> Result<()> {
    let files = Builder::new()
        .rotation(Rotation::DAILY)
        .filename_prefix("beckon")
        .filename_suffix("log")
        .max_log_files(7)
        .build(&paths.logs)
        .context("Failed to open the log directory")?;
    let files = std::sync::Mutex::new(Redacting(files));
    let filter = || {
        EnvFilter::try_from_env("BECKON_LOG").unwrap_or_else(|_| EnvFilter::new("warn,beckon=info"))
    };
    let to_file =
        tracing_subscriber::fmt::layer().with_ansi(false).with_writer(files).with_filter(filter());
    let to_stderr = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_writer(|| Redacting(io::stderr()))
        .with_filter(filter());
    tracing_subscriber::registry().with(to_file).with(to_stderr).init();
    Ok(())
}

struct Redacting<W>(W);

impl<W: Write> Write for Redacting<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.write_all(redact(&String::from_utf8_lossy(line)).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Strikes out whatever has the form of a bot token: six or more digits, a colon, thirty or more
/// of `[A-Za-z0-9_-]` (<https://core.telegram.org/bots/api#authorizing-your-bot>).
fn redact(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(colon) = rest.find(':') {
        let digits = rest[..colon].bytes().rev().take_while(u8::is_ascii_digit).count();
        let of_secret = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        let secret = rest[colon + 1..].bytes().take_while(of_secret).count();
        if digits >= 6 && secret >= 30 {
            out.push_str(&rest[..colon - digits]);
            out.push_str("[redacted]");
            rest = &rest[colon + 1 + secret..];
        } else {
            out.push_str(&rest[..=colon]);
            rest = &rest[colon + 1..];
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn a_token_is_struck_out_and_the_rest_of_the_line_stays() {
        let line = "at 14:02:11 bot123456789:AAFz-x_0123456789abcdefghijklmnopq/getMe failed: no";
        assert_eq!(redact(line), "at 14:02:11 bot[redacted]/getMe failed: no");
    }

    #[test]
    fn a_line_without_a_token_is_unchanged() {
        let line = "http://127.0.0.1:4096 12:34 que_12345678:short";
        assert_eq!(redact(line), line);
    }
}
