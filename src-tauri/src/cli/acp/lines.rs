//! The lines of a stream, byte for byte as they came. Not here: what they mean.

/// The most bytes of a line that are kept in memory. A longer one is passed on in pieces and not
/// looked at: no request for a permission is as long.
const LONGEST: usize = 16 * 1024 * 1024;

/// A part of a stream; all parts together are the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LinePart {
    /// A whole line with its end, or the last one without.
    Line(Vec<u8>),
    /// A piece of a line that is too long.
    Piece(Vec<u8>),
}

/// Cuts a stream into its lines.
#[derive(Debug)]
pub(super) struct LineCutter {
    longest: usize,
    /// The line that has not ended yet.
    begun: Vec<u8>,
    /// Whether a line goes on of which pieces were handed out.
    in_pieces: bool,
}

impl Default for LineCutter {
    fn default() -> Self {
        Self::limited(LONGEST)
    }
}

impl LineCutter {
    /// Makes one with another length of the longest line.
    fn limited(longest: usize) -> Self {
        Self {
            longest,
            begun: Vec::new(),
            in_pieces: false,
        }
    }

    /// Takes the next bytes of the stream.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<LinePart> {
        let pieces = bytes.split_inclusive(|byte| *byte == b'\n');
        pieces.filter_map(|piece| self.take_piece(piece)).collect()
    }

    /// Takes bytes of one line.
    fn take_piece(&mut self, piece: &[u8]) -> Option<LinePart> {
        let ends = piece.ends_with(b"\n");
        self.begun.extend_from_slice(piece);

        if self.in_pieces || self.begun.len() > self.longest {
            self.in_pieces = !ends;
            return Some(LinePart::Piece(std::mem::take(&mut self.begun)));
        }
        ends.then(|| LinePart::Line(std::mem::take(&mut self.begun)))
    }

    /// Returns what is left at the end of the stream.
    pub(super) fn rest(&mut self) -> Option<LinePart> {
        let rest = std::mem::take(&mut self.begun);
        (!rest.is_empty()).then_some(LinePart::Line(rest))
    }

    /// Whether all bytes so far are handed out and the last of them ended a line.
    pub(super) fn is_between_lines(&self) -> bool {
        self.begun.is_empty() && !self.in_pieces
    }

    /// Whether the last bytes that were handed out ended a line.
    pub(super) fn has_handed_out_lines(&self) -> bool {
        !self.in_pieces
    }
}

#[cfg(test)]
mod tests {
    use super::LinePart::{Line, Piece};
    use super::*;

    #[test]
    fn the_parts_are_the_stream_however_it_is_read() {
        let stream = b"{\"a\":1}\r\n\n\xff\xfe\0\nlonger than the limit\nshort\nlast";
        for size in 1..=stream.len() {
            let mut cutter = LineCutter::limited(8);
            let mut parts = Vec::new();
            for bytes in stream.chunks(size) {
                parts.extend(cutter.take(bytes));
            }
            parts.extend(cutter.rest());
            let lines: Vec<&LinePart> = parts.iter().filter(|it| matches!(it, Line(_))).collect();
            let joined: Vec<u8> = parts
                .iter()
                .flat_map(|part| match part {
                    Line(bytes) | Piece(bytes) => bytes.clone(),
                })
                .collect();
            assert_eq!(joined, stream);
            let short = [&b"\n"[..], b"\xff\xfe\0\n", b"short\n", b"last"];
            let short: Vec<LinePart> = short.iter().map(|line| Line(line.to_vec())).collect();
            assert_eq!(
                lines,
                short.iter().collect::<Vec<_>>(),
                "in pieces of {size}"
            );
        }
    }

    #[test]
    fn nothing_fits_between_the_pieces_of_a_line() {
        let mut cutter = LineCutter::limited(3);
        assert!(cutter.is_between_lines());
        assert_eq!(cutter.take(b"ab"), []);
        assert!(!cutter.is_between_lines());
        assert!(cutter.has_handed_out_lines());
        assert_eq!(cutter.take(b"cd"), [Piece(b"abcd".to_vec())]);
        assert!(!cutter.has_handed_out_lines());
        assert_eq!(cutter.take(b"e\n"), [Piece(b"e\n".to_vec())]);
        assert!(cutter.is_between_lines() && cutter.has_handed_out_lines());
    }
}
