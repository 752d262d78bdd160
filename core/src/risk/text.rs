//! Scripts as they reach the shell that runs them. The quotes of the outer shell are removed, and
//! each byte still knows its place in the command line that a human is shown.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The placeholder for the output of a substitution (`$(…)`), which is unknown before the command
/// runs.
pub(super) const SAID: char = '\u{1a}';

/// A piece of a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) text: String,
    /// The place in the command line of each byte of `text`.
    at: Vec<u32>,
}

impl Text {
    /// Returns the whole command line as a piece.
    pub(super) fn of_line(line: &str) -> Text {
        Text {
            text: line.into(),
            at: (0..u32::try_from(line.len()).unwrap_or_default()).collect(),
        }
    }

    /// Adds a character with its place in the line.
    pub(super) fn push(&mut self, c: char, at: usize) {
        self.text.push(c);
        let at = u32::try_from(at).unwrap_or_default();
        self.at.extend((at..).take(c.len_utf8()));
    }

    /// Appends `other` from byte `from` on, as a further word of a script; a shell puts blanks
    /// between words.
    pub(super) fn add(&mut self, other: &Text, from: usize) {
        if !self.text.is_empty() {
            let last = self.at.len() - 1;
            self.push(' ', self.place(last));
        }
        if let (Some(text), Some(at)) = (other.text.get(from..), other.at.get(from..)) {
            self.text.push_str(text);
            self.at.extend_from_slice(at);
        }
    }

    /// Returns the text with each character replaced by another of the same length in bytes.
    pub(super) fn mapped(&self, to: impl Fn(char) -> char) -> Text {
        let mut mapped = Text::default();
        for (at, c) in self.text.char_indices() {
            let new = to(c);
            // A character of another length would have no place in the line, so the old one stays.
            let new = if new.len_utf8() == c.len_utf8() {
                new
            } else {
                c
            };
            mapped.push(new, self.place(at));
        }
        mapped
    }

    /// Returns the place in the command line of the byte at `at`.
    pub(super) fn place(&self, at: usize) -> usize {
        let place = self.at.get(at).copied().unwrap_or_default();
        usize::try_from(place).unwrap_or_default()
    }

    /// Returns the place in the command line of a range of this text that is not empty.
    pub(super) fn places(&self, range: &Range<usize>) -> Range<usize> {
        let last = range.end.saturating_sub(1).max(range.start);
        let start = self.place(range.start);
        start..self.place(last).max(start) + 1
    }
}
