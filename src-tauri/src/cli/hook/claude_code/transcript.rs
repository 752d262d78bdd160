//! Claude Code's own record of a conversation, which it writes while its hooks run: a file of JSON
//! lines, with the calls of tools, and how each of them ended.
//!
//! Claude Code writes that file at the same moment, and its form is not documented (seen in 2.1.330
//! and 2.1.332). So what can't be read says nothing, and the caller does without. What the lines
//! prove is in `proof.rs`.

mod backwards;
mod lines;
mod threads;

#[cfg(test)]
pub(super) use lines::HookAllowance;
pub(super) use lines::{Decider, KEPT, LineStamp, RecordedResult, RecordedUse, TranscriptTail};

use backwards::{BackwardLines, Reach};
use serde::{Deserialize, Serialize};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The reach back from the end: a use that is looked for was written within the last minutes.
const REACH: Reach = Reach {
    lines: 4_000,
    counted_bytes: 4 << 20,
    bytes: 64 << 20,
};
/// The id of a subagent has 17 characters.
const LONGEST_AGENT: usize = 64;

/// The place where one thread of a session is recorded.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct TranscriptPlace {
    /// The file that Claude Code names: the main thread's.
    session: PathBuf,
    /// A subagent has a file of its own, and had none in older versions.
    agent: Option<String>,
}

impl TranscriptPlace {
    /// Returns the place that a hook is told of. It is no whole path where that of Claude Code's own
    /// settings is none, and starts from one of the folders then: that in which Claude Code was started,
    /// which the session may have left. Without such a file it is in the first folder.
    pub(super) fn new(
        session: Option<PathBuf>,
        agent: Option<&str>,
        folders: &[&str],
    ) -> Option<Self> {
        let session = session?;
        let files = folders
            .iter()
            .map(|folder| Path::new(folder).join(&session));
        let files: Vec<PathBuf> = files.filter(|file| file.is_absolute()).collect();
        let known = files.iter().find(|file| file.is_file());
        let session = known.or(files.first())?.clone();
        let agent = agent.map(str::to_owned);
        Some(Self { session, agent })
    }

    /// Whether there is a file to read.
    pub(super) fn exists(&self) -> bool {
        self.file().is_some()
    }

    /// Returns how long the file is, if it is sure to be the one that is read later, too: a
    /// subagent may be recorded in the main thread's file until it has one of its own.
    pub(super) fn length(&self) -> Option<u64> {
        let (file, metadata) = self.file()?;
        let is_its_own = self.candidates().first() == Some(&file);
        is_its_own.then_some(metadata.len())
    }

    /// Reads the end of it. Returns `None` if nothing can be read there.
    pub(super) fn read(&self) -> Option<TranscriptTail> {
        let (file, metadata) = self.file()?;
        let mut file = open(&file)?;
        let agent = self.agent.as_deref();
        LastLines::read(&mut file, 0..metadata.len(), REACH, agent).map(|last| last.tail)
    }

    /// Returns the file, if it is one: a pipe or a device would block, or change.
    fn file(&self) -> Option<(PathBuf, Metadata)> {
        let candidates = self.candidates().into_iter();
        let mut files = candidates.filter_map(|file| {
            let metadata = std::fs::metadata(&file).ok()?;
            metadata.is_file().then_some((file, metadata))
        });
        files.next()
    }

    /// Returns the folder in which newer versions record what the session's subagents do.
    fn subagents(&self) -> PathBuf {
        self.session.with_extension("").join("subagents")
    }

    /// Returns the files in which it may be recorded, the newest custom first.
    fn candidates(&self) -> Vec<PathBuf> {
        let Some(agent) = &self.agent else {
            return vec![self.session.clone()];
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if agent.is_empty() || agent.len() > LONGEST_AGENT || !agent.chars().all(plain) {
            return Vec::new();
        }
        let name = format!("agent-{agent}.jsonl");
        vec![
            self.subagents().join(&name),
            self.session.with_file_name(&name),
            self.session.clone(),
        ]
    }
}

/// The last lines of a part of a file, read.
struct LastLines {
    tail: TranscriptTail,
    /// The end of the last whole line.
    whole_to: u64,
}

impl LastLines {
    /// Reads them; the part begins with a line.
    fn read(file: &mut File, part: Range<u64>, reach: Reach, agent: Option<&str>) -> Option<Self> {
        let mut lines = Vec::new();
        let backwards = BackwardLines::new(file, part, reach);
        let take = |line: &[u8], begins: u64| {
            lines.push(TranscriptTail::of_line(line, begins, agent));
        };
        let whole_to = backwards.read(take)?;

        let mut tail = TranscriptTail::default();
        for line in lines.into_iter().rev() {
            tail.append(line);
        }
        Some(Self { tail, whole_to })
    }
}

/// Opens the file without ever waiting: what was a file a moment ago may be a pipe.
#[cfg(unix)]
fn open(path: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let at_once = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let mut options = OpenOptions::new();
    let file = options.read(true).custom_flags(at_once).open(path).ok()?;
    file.metadata().ok()?.is_file().then_some(file)
}

#[cfg(not(unix))]
fn open(path: &Path) -> Option<File> {
    OpenOptions::new().read(true).open(path).ok()
}

/// A transcript that is looked at again and again. Of a file that has grown only what is new is read:
/// what was seen once stays known, however much is written after it.
#[derive(Debug)]
pub(super) struct TranscriptReader {
    place: TranscriptPlace,
    read: Option<ReadTranscript>,
}

/// A transcript as far as it was read.
#[derive(Debug, Default)]
struct ReadTranscript {
    path: PathBuf,
    /// The length and time of the file then.
    seen: Option<(u64, Option<SystemTime>)>,
    /// The end of its last whole line.
    read_to: u64,
    tail: TranscriptTail,
}

impl TranscriptReader {
    pub(super) fn new(place: TranscriptPlace) -> Self {
        Self { place, read: None }
    }

    /// Returns how long the file is now; see [`TranscriptPlace::length`].
    pub(super) fn length(&self) -> Option<u64> {
        self.place.length()
    }

    /// Returns what is recorded now; `None` if it can't be read.
    pub(super) fn look(&mut self) -> Option<&TranscriptTail> {
        let agent = self.place.agent.as_deref();
        let (path, metadata) = self.place.file()?;
        if self.read.as_ref().is_none_or(|read| read.path != path) {
            self.read = Some(ReadTranscript::new(path));
        }
        let read = self.read.as_mut()?;
        read.look(&metadata, agent)?;
        Some(&read.tail)
    }
}

impl ReadTranscript {
    fn new(path: PathBuf) -> Self {
        Self {
            path,
            ..Self::default()
        }
    }

    fn look(&mut self, metadata: &Metadata, agent: Option<&str>) -> Option<()> {
        let length = metadata.len();
        let now = (length, metadata.modified().ok());
        if self.seen == Some(now) {
            return Some(());
        }

        let mut file = open(&self.path)?;
        let has_grown = self.seen.is_some_and(|(before, _)| length > before);
        if !has_grown || !ends_a_line(&mut file, self.read_to) {
            *self = Self::new(std::mem::take(&mut self.path));
        }

        let later = LastLines::read(&mut file, self.read_to..length, REACH, agent)?;
        self.tail.append(later.tail);
        self.tail.forget_all_but(REACH.lines);
        self.read_to = later.whole_to;
        self.seen = Some(now);
        Some(())
    }
}

/// Whether a line ends there; what was read before is of another file otherwise.
fn ends_a_line(file: &mut File, end: u64) -> bool {
    let Some(last) = end.checked_sub(1) else {
        return true;
    };
    let mut byte = [0];
    let is_there = file.seek(SeekFrom::Start(last)).is_ok() && file.read_exact(&mut byte).is_ok();
    is_there && byte == *b"\n"
}

#[cfg(test)]
mod tests;
