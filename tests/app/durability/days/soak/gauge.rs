//! The gauge of Beckon's memory, files, threads and disk space. They are read every few seconds
//! from outside, and written to the file that `BECKON_SOAK_CSV` names.

use super::super::world::World;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_secs(5);

/// A reading; sizes are in KiB.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    pub(super) seconds: u64,
    /// The number of asks so far, including those before the first reading.
    pub(super) asks: u64,
    pub(super) resident: u64,
    /// The part of `resident` that is its own, without pages of the program's file.
    pub(super) own: u64,
    pub(super) files: u64,
    pub(super) threads: u64,
    pub(super) database: u64,
    /// The size of the database's log, which is not merged into the database yet.
    pub(super) ahead: u64,
    pub(super) logs: u64,
}

impl Sample {
    const HEADER: &str = "seconds,asks,resident,own,files,threads,database,ahead,logs";

    fn line(&self) -> String {
        let Self {
            seconds,
            asks,
            resident,
            own,
            files,
            threads,
            database,
            ahead,
            logs,
        } = self;
        format!("{seconds},{asks},{resident},{own},{files},{threads},{database},{ahead},{logs}\n")
    }
}

/// A thread that takes readings until it is stopped.
pub(super) struct Gauge {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Vec<Sample>>,
}

impl Gauge {
    pub(super) fn start(world: &Arc<World>, crowd: Arc<AtomicUsize>) -> Self {
        let (stop, world) = (Arc::<AtomicBool>::default(), world.clone());
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || read(&world, &crowd, &stopped));
        Self { stop, thread }
    }

    pub(super) fn stop(self) -> Vec<Sample> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}

fn read(world: &World, crowd: &AtomicUsize, stop: &AtomicBool) -> Vec<Sample> {
    let (began, mut samples) = (Instant::now(), Vec::<Sample>::new());
    while !stop.load(Ordering::Relaxed) {
        let asks = world.wire.asked_count() + crowd.load(Ordering::Relaxed);
        samples.push(sample(world, began.elapsed(), asks as u64));
        write(&samples);
        std::thread::sleep(EVERY);
    }
    samples
}

fn sample(world: &World, since: Duration, asks: u64) -> Sample {
    let process = format!("/proc/{}", world.beckon.pid().expect("it runs"));
    let status = std::fs::read_to_string(format!("{process}/status")).unwrap_or_default();
    let line = |name: &str| {
        let line = status
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap_or_default();
        line.split_whitespace()
            .nth(1)
            .and_then(|word| word.parse().ok())
            .unwrap_or_default()
    };
    let entries = |name: &str| {
        std::fs::read_dir(format!("{process}/{name}")).map_or(0, |it| it.count() as u64)
    };
    let home = world.beckon.home();
    Sample {
        seconds: since.as_secs(),
        asks,
        resident: line("VmRSS"),
        own: line("RssAnon"),
        files: entries("fd"),
        threads: entries("task"),
        database: size(&home.join("beckon.db")),
        ahead: size(&home.join("beckon.db-wal")),
        logs: sizes(&home.join("logs")),
    }
}

fn size(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |it| it.len() / 1_024)
}

fn sizes(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .map(|file| file.metadata().map_or(0, |it| it.len()))
        .sum::<u64>()
        / 1_024
}

/// Writes all readings anew each time, so that a soak that is broken off has its readings, too.
fn write(samples: &[Sample]) {
    let Some(file) = std::env::var_os("BECKON_SOAK_CSV") else {
        return;
    };
    let mut text = format!("{}\n", Sample::HEADER);
    samples
        .iter()
        .for_each(|sample| _ = write!(text, "{}", sample.line()));
    std::fs::write(file, text).unwrap();
}
