//! The log files: a new one each day and whenever one is full. The latest are kept.
//!
//! Not here: what is written in them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The size in bytes at which a file is full. At most one line goes beyond it.
const FULL: u64 = 8 << 20;
/// The number of files that are kept.
const KEPT: usize = 7;

/// The name of the file of a day (by UTC): `beckon.2026-11-22.log`, then `beckon.2026-11-22.1.log`,
/// ….
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LogName {
    day: String,
    number: u32,
}

impl LogName {
    fn file(&self) -> String {
        match self.number {
            0 => format!("beckon.{}.log", self.day),
            number => format!("beckon.{}.{number}.log", self.day),
        }
    }

    fn read(file: &str) -> Option<Self> {
        let middle = file.strip_prefix("beckon.")?.strip_suffix(".log")?;
        let (day, number) = match middle.split_once('.') {
            None => (middle, 0),
            Some((day, number)) => (day, number.parse().ok()?),
        };
        let is_day = day.len() == 10 && day.parse::<jiff::civil::Date>().is_ok();
        is_day.then(|| Self {
            day: day.to_owned(),
            number,
        })
    }
}

/// A writer to the file of the day.
pub(super) struct RollingWriter {
    folder: PathBuf,
    clock: fn() -> SystemTime,
    name: LogName,
    file: File,
    written: u64,
}

impl RollingWriter {
    /// Starts writing at the end of today's last file.
    pub(super) fn start(folder: &Path, clock: fn() -> SystemTime) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let day = day_of(clock());
        let last = names(folder)?
            .into_iter()
            .rev()
            .find(|name| name.day == day);
        let name = last.unwrap_or(LogName { day, number: 0 });
        let (file, written) = open(folder, &name)?;
        let rolling = Self {
            folder: folder.to_owned(),
            clock,
            name,
            file,
            written,
        };
        rolling.prune();
        Ok(rolling)
    }

    /// Begins a new file if it is time. If that cannot be opened, the old one is used further.
    fn roll(&mut self) {
        let day = day_of((self.clock)());
        let name = match (day == self.name.day, self.written >= FULL) {
            (true, false) => return,
            (true, true) => LogName {
                day,
                number: self.name.number + 1,
            },
            (false, _) => LogName { day, number: 0 },
        };
        if let Ok((file, written)) = open(&self.folder, &name) {
            (self.name, self.file, self.written) = (name, file, written);
            self.prune();
        }
    }

    fn prune(&self) {
        let names = names(&self.folder).unwrap_or_default();
        let surplus = names.len().saturating_sub(KEPT);
        for name in &names[..surplus] {
            let _ = fs::remove_file(self.folder.join(name.file()));
        }
    }
}

impl Write for RollingWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.roll();
        let written = self.file.write(line)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn open(folder: &Path, name: &LogName) -> io::Result<(File, u64)> {
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.join(name.file()))?;
    let written = file.metadata()?.len();
    Ok((file, written))
}

/// Lists the log files, the oldest first.
fn names(folder: &Path) -> io::Result<Vec<LogName>> {
    let files = fs::read_dir(folder)?.flatten();
    let mut names: Vec<LogName> = files
        .filter_map(|file| LogName::read(file.file_name().to_str()?))
        .collect();
    names.sort();
    Ok(names)
}

fn day_of(time: SystemTime) -> String {
    let seconds = time
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let timestamp = i64::try_from(seconds)
        .ok()
        .and_then(|s| jiff::Timestamp::from_second(s).ok());
    timestamp.unwrap_or_default().strftime("%F").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn first_day() -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_795_305_600)
    }

    fn next_day() -> SystemTime {
        first_day() + Duration::from_secs(24 * 3_600)
    }

    fn size(folder: &Path) -> u64 {
        fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().metadata().unwrap().len())
            .sum()
    }

    fn write(rolling: &mut RollingWriter, megabytes: usize) {
        let line = vec![b'x'; 1 << 20];
        (0..megabytes).for_each(|_| rolling.write_all(&line).unwrap());
    }

    #[test]
    fn a_flood_fills_no_more_than_a_few_files_and_the_latest_stay() {
        let folder = tempfile::tempdir().unwrap();
        let mut rolling = RollingWriter::start(folder.path(), first_day).unwrap();
        write(&mut rolling, 200);
        rolling.write_all(b"the last line").unwrap();
        assert!(size(folder.path()) <= (KEPT as u64) * (FULL + (1 << 20)));
        let names = names(folder.path()).unwrap();
        assert_eq!(names.len(), KEPT);
        let last = fs::read(folder.path().join(names[KEPT - 1].file())).unwrap();
        assert!(last.ends_with(b"the last line"));
    }

    #[test]
    fn a_new_day_has_a_new_file_and_a_new_start_goes_on_in_the_last_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut rolling = RollingWriter::start(folder.path(), first_day).unwrap();
        write(&mut rolling, 9);
        drop(rolling);
        let mut rolling = RollingWriter::start(folder.path(), first_day).unwrap();
        write(&mut rolling, 1);
        rolling.clock = next_day;
        rolling.write_all(b"tomorrow").unwrap();
        let files: Vec<String> = names(folder.path())
            .unwrap()
            .iter()
            .map(LogName::file)
            .collect();
        assert_eq!(
            files,
            [
                "beckon.2026-11-22.log",
                "beckon.2026-11-22.1.log",
                "beckon.2026-11-23.log"
            ]
        );
    }

    #[test]
    fn what_is_no_log_of_ours_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..20 {
            fs::write(
                folder.path().join(format!("beckon.notes{number}.log")),
                "mine",
            )
            .unwrap();
        }
        drop(RollingWriter::start(folder.path(), first_day).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 21);
    }
}
