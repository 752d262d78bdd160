//! Claude Code's own record of a conversation, which it writes while its hooks run: a file of JSON
//! lines. The calls of tools stand in it, and how each of them ended.
//!
//! Somebody else writes that file at the same moment, and its form is nowhere documented (seen in
//! 2.1.330 and 2.1.332). So whatever can't be read says nothing, and whoever asks does without. What
//! the lines prove is in `proof.rs`.

mod lines;

#[cfg(test)]
pub(super) use lines::HookAllowance;
pub(super) use lines::{Decider, RecordedResult, RecordedUse, TranscriptTail};

use serde::{Deserialize, Serialize};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// What is looked for was written within the last minutes. A conversation may have gigabytes.
const MOST_BYTES: u64 = 4 << 20;
/// The id of a subagent has 17 characters.
const LONGEST_AGENT: usize = 64;

/// Where one thread of a session is recorded.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct TranscriptPlace {
    /// The file that Claude Code names: the main thread's.
    session: PathBuf,
    /// A subagent has a file of its own, and had none in older versions.
    agent: Option<String>,
}

impl TranscriptPlace {
    pub(super) fn new(session: Option<PathBuf>, agent: Option<&str>) -> Option<Self> {
        let session = session.filter(|file| file.is_absolute())?;
        let agent = agent.map(str::to_owned);
        Some(Self { session, agent })
    }

    /// Whether there is a file to read.
    pub(super) fn exists(&self) -> bool {
        self.file().is_some()
    }

    /// Reads the end of it. Returns `None` if nothing can be read there.
    pub(super) fn read(&self) -> Option<TranscriptTail> {
        let (file, metadata) = self.file()?;
        let bytes = read_end(&file, metadata.len())?;
        Some(TranscriptTail::parse(&bytes, self.agent.as_deref()))
    }

    /// The file, if it is one: a pipe or a device would block, or change.
    fn file(&self) -> Option<(PathBuf, Metadata)> {
        let candidates = self.candidates().into_iter();
        let mut files = candidates.filter_map(|file| {
            let metadata = std::fs::metadata(&file).ok()?;
            metadata.is_file().then_some((file, metadata))
        });
        files.next()
    }

    /// Where it may be recorded, the newest custom first.
    fn candidates(&self) -> Vec<PathBuf> {
        let Some(agent) = &self.agent else {
            return vec![self.session.clone()];
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if agent.is_empty() || agent.len() > LONGEST_AGENT || !agent.chars().all(plain) {
            return Vec::new();
        }
        let name = format!("agent-{agent}.jsonl");
        let below = self.session.with_extension("").join("subagents");
        vec![
            below.join(&name),
            self.session.with_file_name(&name),
            self.session.clone(),
        ]
    }
}

/// Reads whole lines of the end.
fn read_end(path: &Path, length: u64) -> Option<Vec<u8>> {
    let mut file = open(path)?;
    let start = length.saturating_sub(MOST_BYTES);
    file.seek(SeekFrom::Start(start)).ok()?;

    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    if start > 0 {
        let first = memchr::memchr(b'\n', &bytes)?;
        bytes.drain(..=first);
    }
    Some(bytes)
}

/// Never waits: what was a file a moment ago may be a pipe.
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

/// A transcript that is looked at again and again, and read only when it has changed.
#[derive(Debug)]
pub(super) struct TranscriptReader {
    place: TranscriptPlace,
    /// The length and time of the file that was read last.
    seen: Option<(u64, Option<std::time::SystemTime>)>,
    tail: Option<TranscriptTail>,
}

impl TranscriptReader {
    pub(super) fn new(place: TranscriptPlace) -> Self {
        Self {
            place,
            seen: None,
            tail: None,
        }
    }

    /// Returns what is recorded now; `None` if it can't be read.
    pub(super) fn look(&mut self) -> Option<&TranscriptTail> {
        let (_, metadata) = self.place.file()?;
        let now = Some((metadata.len(), metadata.modified().ok()));
        if self.seen != now {
            self.tail = self.place.read();
            self.seen = now;
        }
        self.tail.as_ref()
    }
}

#[cfg(test)]
mod tests;
