//! The last lines of a file, read from its end.
//!
//! A conversation may have gigabytes, and a single line many megabytes (a picture that a tool
//! returned). With a plain limit in bytes such a line would hide the lines that matter. So the
//! length of a line counts only up to a limit, a line that is longer than another limit is skipped,
//! and never more than one line is in memory.
//!
//! Not here: the content of the lines.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

/// The number of bytes that are read at once.
const BLOCK: u64 = 256 << 10;
/// The longest line that is read; a longer one is skipped.
const LONGEST_LINE: usize = 8 << 20;
/// The most bytes that count for one line.
const COUNTED: usize = 64 << 10;

/// The limits of reading back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) lines: usize,
    /// The most bytes of all lines together, counted as above.
    pub(super) counted_bytes: usize,
    /// The most bytes that are read.
    pub(super) bytes: u64,
}

/// A part of a file that is read backwards.
#[derive(Debug)]
pub(super) struct BackwardLines<'a> {
    file: &'a mut File,
    /// The offset at which to stop: a line begins there.
    floor: u64,
    /// The offset from which on everything was read.
    position: u64,
    /// The end of a line whose beginning has yet to be read.
    unfinished: Vec<u8>,
    /// Whether the line is too long, so that nothing of it is kept.
    is_too_long: bool,
    /// The end of the last line break, once it was seen.
    whole_to: Option<u64>,
    reach: Reach,
}

impl<'a> BackwardLines<'a> {
    /// Makes a reader of that part, which must begin with a line.
    pub(super) fn new(file: &'a mut File, part: Range<u64>, reach: Reach) -> Self {
        Self {
            file,
            floor: part.start,
            position: part.end,
            unfinished: Vec::new(),
            is_too_long: false,
            whole_to: None,
            reach,
        }
    }

    /// Calls `take` with each line and its offset, the last one first. What follows the last line
    /// break is left out, since it may be half a line. Returns the end of that break; `None` if the
    /// file can't be read.
    pub(super) fn read(mut self, mut take: impl FnMut(&[u8], u64)) -> Option<u64> {
        while self.position > self.floor && self.has_reach() {
            let size = BLOCK.min(self.position - self.floor);
            self.position -= size;
            self.reach.bytes = self.reach.bytes.saturating_sub(size);

            let block = self.block(size)?;
            self.take_lines(&block, &mut take);
        }
        if self.position == self.floor && self.has_reach() {
            self.finish(&[], self.floor, &mut take);
        }
        Some(self.whole_to.unwrap_or(self.floor))
    }

    fn has_reach(&self) -> bool {
        let Reach {
            lines,
            counted_bytes,
            bytes,
        } = self.reach;
        lines > 0 && counted_bytes > 0 && bytes > 0
    }

    fn block(&mut self, size: u64) -> Option<Vec<u8>> {
        let mut block = vec![0; usize::try_from(size).ok()?];
        self.file.seek(SeekFrom::Start(self.position)).ok()?;
        self.file.read_exact(&mut block).ok()?;
        Some(block)
    }

    fn take_lines(&mut self, block: &[u8], take: &mut impl FnMut(&[u8], u64)) {
        let mut rest = block;
        while let Some(end) = memchr::memrchr(b'\n', rest) {
            let begins = self.position + end as u64 + 1;
            self.finish(&rest[end + 1..], begins, take);
            if !self.has_reach() {
                return;
            }
            rest = &rest[..end];
        }
        self.keep(rest);
    }

    /// Completes the line that begins with these bytes.
    fn finish(&mut self, beginning: &[u8], begins: u64, take: &mut impl FnMut(&[u8], u64)) {
        self.whole_to.get_or_insert(begins);
        self.keep(beginning);
        if !self.is_too_long {
            take(&self.unfinished, begins);
        }

        let counted = self.unfinished.len().clamp(1, COUNTED);
        self.reach.counted_bytes = self.reach.counted_bytes.saturating_sub(counted);
        self.reach.lines -= 1;
        self.unfinished.clear();
        self.is_too_long = false;
    }

    fn keep(&mut self, earlier: &[u8]) {
        let length = self.unfinished.len() + earlier.len();
        if self.is_too_long || length > LONGEST_LINE {
            self.is_too_long = true;
            self.unfinished = Vec::new();
            return;
        }
        self.unfinished.splice(..0, earlier.iter().copied());
    }
}
