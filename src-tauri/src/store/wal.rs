//! The check whether SQLite's write-ahead log is intact. SQLite takes a log whose header is broken
//! for empty, and stops reading at the first frame that does not fit. It reports neither, and then
//! overwrites the rest.
//!
//! The check only reads, as <https://sqlite.org/fileformat2.html#the_write_ahead_log> describes the
//! format.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Result};
use std::path::Path;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// The number with which a log begins. Its lowest bit tells the byte order of the words that are
/// summed.
const MAGIC: u32 = 0x377f_0682;

/// Whether a transaction that was committed to this log is lost. A last transaction that was never
/// finished does not count, and neither do frames that are left from an earlier use of the file.
pub(super) fn is_damaged(path: &Path) -> Result<bool> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        file => file?,
    };
    let holds_frames = file.metadata()?.len() > HEADER as u64;
    Ok(holds_frames && !is_whole(BufReader::new(file))?)
}

fn is_whole(mut log: impl Read) -> Result<bool> {
    let mut header = [0; HEADER];
    if !fill(&mut log, &mut header)? {
        return Ok(false);
    }
    let Some(mut sum) = Sum::of(&header) else {
        return Ok(false);
    };
    let mut frame = vec![0; FRAME_HEADER + word(&header, 8) as usize];
    let mut broken = false;
    while fill(&mut log, &mut frame)? {
        // A frame with another salt is left from an earlier use of the file, or was never written.
        let is_of_this_log = frame[8..16] == header[16..24];
        let is_commit = word(&frame, 4) != 0;
        if broken && is_of_this_log && is_commit {
            return Ok(false);
        }
        // A single broken frame may be the end of the log, torn by a power cut.
        broken = broken || !is_of_this_log || !sum.takes(&frame);
    }
    Ok(true)
}

/// Fills the buffer; returns false if too little is left.
fn fill(log: &mut impl Read, buffer: &mut [u8]) -> Result<bool> {
    match log.read_exact(buffer) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        done => done.map(|()| true),
    }
}

/// The checksum of everything up to a point, as the log keeps it in each header.
#[derive(Clone, Copy)]
struct Sum {
    big_endian: bool,
    sums: (u32, u32),
}

impl Sum {
    /// Reads a header; `None` if it is none.
    fn of(header: &[u8; HEADER]) -> Option<Self> {
        let (magic, page) = (word(header, 0), word(header, 8));
        let mut sum = Self {
            big_endian: magic & 1 == 1,
            sums: (0, 0),
        };
        sum.add(&header[..24]);
        let is_page = page.is_power_of_two() && (512..=65_536).contains(&page);
        (magic & !1 == MAGIC && is_page && sum.is_at(header, 24)).then_some(sum)
    }

    /// Adds the frame to the checksum, and returns whether the frame follows what came before.
    fn takes(&mut self, frame: &[u8]) -> bool {
        self.add(&frame[..8]);
        self.add(&frame[FRAME_HEADER..]);
        self.is_at(frame, 16)
    }

    fn is_at(&self, bytes: &[u8], at: usize) -> bool {
        self.sums == (word(bytes, at), word(bytes, at + 4))
    }

    fn add(&mut self, bytes: &[u8]) {
        let read = if self.big_endian {
            u32::from_be_bytes
        } else {
            u32::from_le_bytes
        };
        let (words, _) = bytes.as_chunks::<4>();
        let (pairs, _) = words.as_chunks::<2>();
        for [first, second] in pairs {
            self.sums.0 = self
                .sums
                .0
                .wrapping_add(read(*first))
                .wrapping_add(self.sums.1);
            self.sums.1 = self
                .sums
                .1
                .wrapping_add(read(*second))
                .wrapping_add(self.sums.0);
        }
    }
}

/// Reads a word of a header, which is big-endian.
fn word(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4]
        .iter()
        .fold(0, |word, byte| word << 8 | u32::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;

    const PAGE: usize = 4096;
    const FRAME: usize = FRAME_HEADER + PAGE;

    /// Returns the log of a database that was never closed, with a few transactions in it. After
    /// `restarts` the log was begun anew that often, and its former content is behind its end.
    fn log(restarts: u32) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let connection = Connection::open(&path).unwrap();
        connection
            .pragma_update(None, "journal_mode", "wal")
            .unwrap();
        connection.execute_batch("CREATE TABLE t (x TEXT)").unwrap();
        for _ in 0..restarts {
            (0..9).for_each(|_| put(&connection));
            connection
                .query_row("PRAGMA wal_checkpoint", [], |_| Ok(()))
                .unwrap();
        }
        (0..3).for_each(|_| put(&connection));
        std::fs::read(folder.path().join("a.db-wal")).unwrap()
    }

    fn put(connection: &Connection) {
        connection
            .execute("INSERT INTO t VALUES ('x')", [])
            .unwrap();
    }

    fn whole(log: &[u8]) -> bool {
        is_whole(log).unwrap()
    }

    #[test]
    fn a_log_is_whole_also_when_it_was_begun_anew() {
        for restarts in 0..3 {
            assert!(whole(&log(restarts)), "{restarts}");
        }
    }

    #[test]
    fn a_log_whose_end_never_arrived_is_whole() {
        let reused = log(1);
        for end in (HEADER..reused.len()).step_by(97) {
            assert!(whole(&reused[..end]), "{end}");
        }
        let mut torn = log(0);
        let last = torn.len() - FRAME;
        torn[last + 100..].fill(0);
        assert!(whole(&torn));
    }

    #[test]
    fn a_log_without_its_head_is_damaged() {
        for restarts in 0..2 {
            for head in [0..4, 0..HEADER, 0..PAGE, 24..28, HEADER..HEADER + 16] {
                let mut log = log(restarts);
                log[head.clone()].fill(0);
                assert!(!whole(&log), "{head:?} after {restarts}");
            }
        }
        assert!(!whole(&[0; 2 * PAGE]), "nothing but zeros has arrived");
    }

    #[test]
    fn a_log_with_a_hole_before_what_was_committed_is_damaged() {
        let mut log = log(0);
        log[HEADER + FRAME + 300] ^= 1;
        assert!(!whole(&log));
    }
}
