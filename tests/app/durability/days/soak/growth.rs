//! The check for growth: the last quarter of the readings is compared with the first. The history
//! and the log, which are kept on purpose, may grow with the asks, and no faster in the end than in
//! the beginning.

use super::gauge::Sample;
use std::fmt::Write as _;

/// The number of readings below which nothing is concluded.
const FEWEST: usize = 40;

/// The rule for a column.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// The median of the last quarter may exceed that of the first by at most this amount.
    Flat(u64),
    /// The growth per ask may exceed what it was in the beginning by at most this many per cent.
    PerAsk(u64),
}

type Column = (&'static str, fn(&Sample) -> u64, Rule);

/// The columns with their rules; sizes are in KiB.
const COLUMNS: [Column; 7] = [
    ("memory", |sample| sample.resident, Rule::Flat(3 << 10)),
    (
        "memory of its own",
        |sample| sample.own,
        Rule::Flat(2 << 10),
    ),
    ("open files", |sample| sample.files, Rule::Flat(2)),
    ("threads", |sample| sample.threads, Rule::Flat(1)),
    ("write-ahead log", |sample| sample.ahead, Rule::Flat(512)),
    ("database", |sample| sample.database, Rule::PerAsk(25)),
    ("log files", |sample| sample.logs, Rule::PerAsk(25)),
];

/// Returns the columns that have grown.
pub(super) fn judge(samples: &[Sample]) -> Vec<String> {
    if samples.len() < FEWEST {
        return Vec::new();
    }
    COLUMNS
        .iter()
        .filter_map(|column| grown(samples, column))
        .collect()
}

fn grown(samples: &[Sample], (name, of, rule): &Column) -> Option<String> {
    let (first, last) = quarters(samples);
    match *rule {
        Rule::Flat(margin) => {
            let (before, after) = (median(first, *of), median(last, *of));
            let is_more = after > before + margin;
            is_more.then(|| format!("{name}: {before} in the first quarter, {after} in the last"))
        }
        Rule::PerAsk(percent) => {
            let (before, after) = (per_ask(first, *of), per_ask(last, *of));
            let is_more = after * 100.0 > before * (100 + percent) as f64;
            is_more.then(|| {
                format!("{name}: {before:.2} an ask in the first quarter, {after:.2} in the last")
            })
        }
    }
}

fn quarters(samples: &[Sample]) -> (&[Sample], &[Sample]) {
    let quarter = samples.len() / 4;
    (&samples[..quarter], &samples[samples.len() - quarter..])
}

fn median(samples: &[Sample], of: fn(&Sample) -> u64) -> u64 {
    let mut values: Vec<u64> = samples.iter().map(of).collect();
    values.sort_unstable();
    values[values.len() / 2]
}

fn per_ask(samples: &[Sample], of: fn(&Sample) -> u64) -> f64 {
    let (first, last) = (&samples[0], &samples[samples.len() - 1]);
    of(last).saturating_sub(of(first)) as f64 / (last.asks - first.asks).max(1) as f64
}

/// Returns the table for `docs/proof.md`.
pub(super) fn table(samples: &[Sample]) -> String {
    let mut table = "| | first quarter | last quarter |\n|---|---|---|\n".to_owned();
    if samples.len() < FEWEST {
        return table;
    }
    let (first, last) = quarters(samples);
    for (name, of, rule) in COLUMNS {
        let _ = match rule {
            Rule::Flat(_) => {
                writeln!(
                    table,
                    "| {name} | {} | {} |",
                    median(first, of),
                    median(last, of)
                )
            }
            Rule::PerAsk(_) => {
                let (before, after) = (per_ask(first, of), per_ask(last, of));
                writeln!(table, "| {name}, an ask | {before:.2} | {after:.2} |")
            }
        };
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{Sample, judge};

    /// Returns the readings of an hour of a program that keeps only what it must.
    fn hour() -> Vec<Sample> {
        let reading = |number: u64| Sample {
            seconds: number * 5,
            asks: number * 14,
            resident: 40_000 + number % 7 * 100,
            own: 9_000 + number % 5 * 50,
            files: 24 + number % 3,
            threads: 7 + u64::from(number.is_multiple_of(40)),
            database: 2_000 + number * 28,
            ahead: 4_000,
            logs: 100 + number,
        };
        (0..720).map(reading).collect()
    }

    #[test]
    fn what_is_kept_on_purpose_may_grow_with_what_is_asked() {
        assert_eq!(judge(&hour()), Vec::<String>::new());
    }

    #[test]
    fn three_files_that_stay_open_in_an_hour_are_found() {
        let mut hour = hour();
        hour.iter_mut()
            .enumerate()
            .for_each(|(at, sample)| sample.files += at as u64 / 150);
        assert_eq!(
            judge(&hour),
            ["open files: 25 in the first quarter, 29 in the last"]
        );
    }

    #[test]
    fn half_a_kilobyte_of_each_ask_that_stays_in_memory_is_found() {
        let mut hour = hour();
        hour.iter_mut()
            .for_each(|sample| sample.own += sample.asks / 2);
        let found = judge(&hour);
        assert!(
            matches!(found.as_slice(), [one] if one.starts_with("memory of its own")),
            "{found:?}"
        );
    }

    #[test]
    fn a_log_that_says_ever_more_of_each_ask_is_found() {
        let mut hour = hour();
        hour.iter_mut()
            .for_each(|sample| sample.logs += sample.asks * sample.asks / 100_000);
        let found = judge(&hour);
        assert!(
            matches!(found.as_slice(), [one] if one.starts_with("log files")),
            "{found:?}"
        );
    }
}
