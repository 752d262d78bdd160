//! A wall clock that a test sets for one program, by loading libfaketime into it. Only the time of
//! the day changes; clocks that count from a start go on as before, as on a machine whose owner
//! sets the clock.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::SystemTime;

use tempfile::TempDir;

use crate::beckon::Builder;

/// The folder in which Debian puts its libraries for each machine.
const LIBRARIES: &str = "/usr/lib";
/// The library for programs with threads.
const LIBRARY: &str = "faketime/libfaketimeMT.so.1";

/// The clock; it shows the system's time until it is set.
pub struct WallClock {
    folder: TempDir,
    ahead: AtomicI64,
}

impl WallClock {
    /// Makes a clock that is not set yet.
    pub fn new() -> WallClock {
        let folder = tempfile::Builder::new().prefix("clock-").tempdir().unwrap();
        let clock = WallClock {
            folder,
            ahead: AtomicI64::new(0),
        };
        clock.set_ahead(0);
        clock
    }

    /// Makes the program use this clock, and so every command on its home.
    pub fn rule(&self, program: Builder) -> Builder {
        program
            .env("LD_PRELOAD", library())
            .env("FAKETIME_TIMESTAMP_FILE", self.file())
            .env("FAKETIME_NO_CACHE", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
    }

    /// Sets the clock this many seconds ahead of the system's clock, or behind it. It goes on from
    /// there.
    pub fn set_ahead(&self, seconds: i64) {
        // The file is replaced in one step: it is read whenever the program looks at the clock.
        let fresh = self.folder.path().join("fresh");
        std::fs::write(&fresh, format!("{seconds:+}\n")).unwrap();
        std::fs::rename(fresh, self.file()).unwrap();
        self.ahead.store(seconds, Ordering::Relaxed);
    }

    /// Moves the clock by this many seconds from what it shows now.
    pub fn set_by(&self, seconds: i64) {
        self.set_ahead(self.ahead.load(Ordering::Relaxed) + seconds);
    }

    /// Sets the clock to a time, in seconds since 1970.
    pub fn set_to(&self, seconds: i64) {
        self.set_ahead(seconds - system_now() / 1_000);
    }

    /// Returns how many seconds the clock is ahead of the system's clock.
    pub fn ahead(&self) -> i64 {
        self.ahead.load(Ordering::Relaxed)
    }

    /// Returns what the clock shows, in milliseconds since 1970.
    pub fn now(&self) -> i64 {
        system_now() + self.ahead.load(Ordering::Relaxed) * 1_000
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("ahead")
    }
}

impl Default for WallClock {
    fn default() -> WallClock {
        WallClock::new()
    }
}

fn system_now() -> i64 {
    i64::try_from(SystemTime::UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap()
}

fn library() -> &'static Path {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    FOUND.get_or_init(|| {
        let machines = std::fs::read_dir(LIBRARIES)
            .into_iter()
            .flatten()
            .filter_map(Result::ok);
        let mut places = machines.map(|machine| machine.path().join(LIBRARY));
        let found = places.find(|place| place.exists());
        found.expect("no libfaketime: `cargo xtask setup` installs it")
    })
}
