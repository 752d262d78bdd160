//! The other threads of a session. A dialog in the terminal may be any thread's, so to know whose
//! it is one asks whether anything else is under way.

use super::{LastLines, Reach, TranscriptPlace, open};
use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The reach back from the end: a thread waits for what it has written last, but for the progress of
/// what runs.
const REACH: Reach = Reach {
    lines: 2_000,
    counted_bytes: 1 << 20,
    bytes: 16 << 20,
};
/// A session with more threads than this is not looked through …
const MOST_THREADS: usize = 100;
/// … and neither is a folder with more in it: each thread has a few files there.
const MOST_FILES: usize = 2_000;
/// The tools that start a subagent. The uses for which a subagent waits are in its own transcript.
const STARTS_A_THREAD: [&str; 2] = ["Agent", "Task"];

impl TranscriptPlace {
    /// Whether a use of another thread has not ended; in doubt one has. A transcript that was not
    /// written to since then is of an earlier run, which was killed.
    pub(in super::super) fn has_open_uses_elsewhere(&self, since: Option<SystemTime>) -> bool {
        let is_main_open = self.agent.is_some() && is_open(&self.session, None, since);
        is_main_open || self.has_an_open_subagent(since)
    }

    fn has_an_open_subagent(&self, since: Option<SystemTime>) -> bool {
        let Ok(entries) = std::fs::read_dir(self.subagents()) else {
            return false;
        };
        let mut files = 0;
        let mut threads = 0;
        for entry in entries {
            files += 1;
            let other = entry.ok().and_then(|entry| self.other_thread(&entry));
            threads += usize::from(other.is_some());
            if threads > MOST_THREADS || files > MOST_FILES {
                return true;
            }
            if other.is_some_and(|(file, agent)| is_open(&file, Some(&agent), since)) {
                return true;
            }
        }
        false
    }

    /// Returns the transcript of another subagent, and its id, if that is one.
    fn other_thread(&self, entry: &DirEntry) -> Option<(PathBuf, String)> {
        let file = entry.path();
        let agent = agent_of(&file)?;
        (self.agent.as_ref() != Some(&agent)).then_some((file, agent))
    }
}

/// Returns the subagent of a file that is named `agent-ID.jsonl`.
fn agent_of(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    let agent = name.strip_prefix("agent-")?.strip_suffix(".jsonl")?;
    Some(agent.to_owned())
}

/// Whether a use in the last message of that thread has not ended.
fn is_open(file: &Path, agent: Option<&str>, since: Option<SystemTime>) -> bool {
    let Some(mut file) = open(file) else {
        return false;
    };
    let Ok(metadata) = file.metadata() else {
        return true;
    };
    let written = metadata.modified().ok();
    let is_over = written
        .zip(since)
        .is_some_and(|(written, since)| written < since);
    if is_over {
        return false;
    }

    let Some(last) = LastLines::read(&mut file, 0..metadata.len(), REACH, agent) else {
        return true;
    };
    let tail = last.tail;
    let together = tail.uses.last().map(|it| tail.called_with(it));
    let may_ask = |tool: &str| !STARTS_A_THREAD.contains(&tool);
    together.is_some_and(|together| {
        let mut asking = together.iter().filter(|it| may_ask(&it.tool));
        asking.any(|it| tail.result_of(it).is_none())
    })
}
