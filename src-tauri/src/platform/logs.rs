//! The log: lines go to stderr and `logs/`, with anything that looks like a bot token struck out.
//!
//! Levels: INFO is a change of state that a user would notice, WARN wants somebody to look. Message
//! texts and answers stay at DEBUG. Secrets are never logged; the striking out is the last line of
//! defence.

mod rolling;

use super::fault;
use anyhow::{Context, Result};
use beckon_client::platform::failure::SystemFailure;
use beckon_client::platform::paths::Paths;
use rolling::RollingWriter;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, Write};
use std::panic::PanicHookInfo;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};
use tracing::Level;
use tracing_subscriber::filter::{ParseError, Targets};
use tracing_subscriber::{Layer, layer::SubscriberExt, util::SubscriberInitExt};

const MINUTE: Duration = Duration::from_secs(60);
/// The most bytes that go to stderr in a minute.
const STDERR_A_MINUTE: usize = 1 << 20;

/// Starts logging; `BECKON_LOG` sets the filter, as `RUST_LOG` does elsewhere, by targets and
/// levels.
///
/// # Errors
/// When the log directory cannot be written.
pub(crate) fn start(paths: &Paths) -> Result<()> {
    let files = RollingWriter::start(&paths.logs, SystemTime::now)
        .with_context(|| SystemFailure::Write(paths.logs.clone()))?;
    let files = Mutex::new(RedactingWriter(files));
    // Somebody who sets the filter gets all of it.
    let most = if std::env::var_os("BECKON_LOG").is_some() {
        usize::MAX
    } else {
        STDERR_A_MINUTE
    };
    let stderr = Mutex::new(RedactingWriter(StderrWriter::new(io::stderr(), most)));
    let (filter, odd) = filter(std::env::var("BECKON_LOG").ok().as_deref());
    let to_file = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_writer(files);
    let to_stderr = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_writer(stderr);
    tracing_subscriber::registry()
        .with(to_file.with_filter(filter.clone()))
        .with(to_stderr.with_filter(filter))
        .init();
    if let Some(error) = odd {
        tracing::warn!(%error, "BECKON_LOG is not understood");
    }
    Ok(())
}

/// Returns the filter, and the reason if the wanted one is not understood. Errors of targets that
/// it does not name are logged in any case.
fn filter(wanted: Option<&str>) -> (Targets, Option<ParseError>) {
    let usual = || {
        Targets::new()
            .with_default(Level::WARN)
            .with_target("beckon", Level::INFO)
    };
    let parts = |wanted: &str| {
        wanted
            .split(',')
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(",")
    };
    match wanted.map(|wanted| format!("error,{}", parts(wanted)).parse()) {
        None => (usual(), None),
        Some(Ok(wanted)) => (wanted, None),
        Some(Err(error)) => (usual(), Some(error)),
    }
}

/// Redacts panics of a program without a log. The text of a panic may hold whatever was at hand, so
/// it is redacted too, and no core dump is written.
pub(crate) fn sieve_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let _ = writeln!(RedactingWriter(io::stderr()), "{panic}");
        std::process::exit(fault::EXIT_CODE)
    }));
}

/// Logs a panic, so that it goes where everything else goes.
pub(crate) fn log_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string);
    let message = panic.payload_as_str().unwrap_or("no text");
    let backtrace = Backtrace::capture();
    let backtrace =
        (backtrace.status() == BacktraceStatus::Captured).then(|| backtrace.to_string());
    tracing::error!(place, message, backtrace, "panic");
}

/// A writer to stderr that takes no more than a number of bytes a minute. Nobody knows where stderr
/// ends: perhaps in a file that nobody looks after.
struct StderrWriter<W> {
    inner: W,
    most: usize,
    since: Instant,
    written: usize,
    left_out: u64,
}

impl<W: Write> StderrWriter<W> {
    fn new(inner: W, most: usize) -> Self {
        Self {
            inner,
            most,
            since: Instant::now(),
            written: 0,
            left_out: 0,
        }
    }

    fn begin_anew(&mut self, now: Instant) -> io::Result<()> {
        (self.since, self.written) = (now, 0);
        match std::mem::take(&mut self.left_out) {
            0 => Ok(()),
            lines => writeln!(
                self.inner,
                "… {lines} lines left out; logs/ has more of them"
            ),
        }
    }

    fn write_at(&mut self, line: &[u8], now: Instant) -> io::Result<()> {
        if now.duration_since(self.since) >= MINUTE {
            self.begin_anew(now)?;
        }
        if self.written > self.most {
            self.left_out += 1;
            return Ok(());
        }
        self.written += line.len();
        self.inner.write_all(line)
    }
}

impl<W: Write> Write for StderrWriter<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.write_at(line, Instant::now())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

struct RedactingWriter<W>(W);

impl<W: Write> Write for RedactingWriter<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // Only whole lines come here, so no token comes in two pieces.
        self.0
            .write_all(redact(&String::from_utf8_lossy(line)).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Strikes out whatever has the form of a bot token: six or more digits, a colon, thirty or more of
/// `[A-Za-z0-9_-]` (<https://core.telegram.org/bots/api#authorizing-your-bot>).
fn redact(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(colon) = rest.find(':') {
        let digits = rest[..colon]
            .bytes()
            .rev()
            .take_while(u8::is_ascii_digit)
            .count();
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
    use super::*;
    use std::sync::Arc;

    const TOKEN: &str = "123456789:AAFz-x_0123456789abcdefghijklmnopq";

    #[test]
    fn a_token_is_struck_out_and_the_rest_of_the_line_stays() {
        let line = format!("at 14:02:11 bot{TOKEN}/getMe failed: no");
        assert_eq!(redact(&line), "at 14:02:11 bot[redacted]/getMe failed: no");
    }

    #[test]
    fn a_line_without_a_token_is_unchanged() {
        let line = "http://127.0.0.1:4096 12:34 que_12345678:short";
        assert_eq!(redact(line), line);
    }

    #[test]
    fn a_filter_names_parts_and_levels_and_errors_are_logged_in_any_case() {
        let (filter, odd) = filter(Some("beckon=debug, zbus=off"));
        assert!(odd.is_none());
        let logged = |target: &str, level| filter.would_enable(target, &level);
        assert!(logged("beckon::hub", Level::DEBUG) && !logged("beckon", Level::TRACE));
        assert!(logged("hyper", Level::ERROR) && !logged("hyper", Level::WARN));
        assert!(!logged("zbus", Level::ERROR));
    }

    #[test]
    fn a_filter_that_is_not_understood_leaves_the_usual_one_and_is_told_of() {
        let (filter, odd) = filter(Some("beckon=loud"));
        assert!(odd.is_some());
        assert!(filter.would_enable("beckon", &Level::INFO));
        assert!(!filter.would_enable("hyper", &Level::INFO));
    }

    #[test]
    fn stderr_takes_so_much_a_minute_and_says_how_much_it_left_out() {
        let paper = Paper::default();
        let mut sparing = StderrWriter::new(paper.clone(), 100);
        let start = sparing.since;
        for _ in 0..1_000 {
            sparing.write_at(b"0123456789\n", start).unwrap();
        }
        assert!(paper.0.lock().unwrap().len() <= 111);
        sparing.write_at(b"later\n", start + MINUTE).unwrap();
        let written = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
        assert!(written.contains("990 lines left out"), "{written}");
        assert!(written.ends_with("later\n"), "{written}");
    }

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_panic_is_logged_without_the_token_it_names() {
        let paper = Paper::default();
        let writer = paper.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_writer(move || RedactingWriter(writer.clone()))
            .with_ansi(false)
            .finish();
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(log_panic));
        let panicked = tracing::subscriber::with_default(subscriber, || {
            std::panic::catch_unwind(|| panic!("no answer from /bot{TOKEN}/getMe"))
        });
        std::panic::set_hook(before);
        assert!(panicked.is_err());
        let written = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
        assert!(
            written.contains("ERROR") && written.contains("/bot[redacted]/getMe"),
            "{written}"
        );
        assert!(written.contains("logs.rs"), "{written}");
    }
}
