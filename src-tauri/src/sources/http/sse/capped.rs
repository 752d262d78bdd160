//! A cap for frames: one that is too large is refused, and the stream goes on behind it, wherever
//! the chunks are cut.

use futures_util::Stream;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

/// A stream of bytes that counts them since the last frame border. A chunk that takes a frame above
/// the cap is replaced by a border of ours, which makes the parser drop the frame's beginning; the
/// rest of the frame is skipped.
pub(super) struct CappedBytes<S> {
    inner: S,
    /// The most bytes of a frame.
    cap: usize,
    since_border: usize,
    skipping: bool,
    /// The end of the last chunk, where a border may have begun.
    seam: Vec<u8>,
    refused: RefusedFrame,
}

/// Whether a frame was refused.
pub(super) type RefusedFrame = Arc<AtomicBool>;

/// The number of bytes that are kept of the last chunk: a border is `\r\n\r\n` at most.
const SEAM: usize = 3;

impl<S> CappedBytes<S> {
    pub(super) fn new(inner: S, refused: RefusedFrame, cap: usize) -> Self {
        Self {
            inner,
            cap,
            since_border: 0,
            skipping: false,
            seam: Vec::new(),
            refused,
        }
    }

    fn admit<B: AsRef<[u8]> + From<Vec<u8>>>(&mut self, chunk: B) -> B {
        if self.skipping {
            return self.skip(chunk.as_ref());
        }
        self.since_border = match self.last_border(chunk.as_ref()) {
            Some(after) => after,
            None => self.since_border + chunk.as_ref().len(),
        };
        let end = (self.since_border > self.cap).then(|| closing(&self.seam));
        self.remember(chunk.as_ref());
        let Some(end) = end else { return chunk };
        self.refused.store(true, Ordering::Relaxed);
        self.skipping = true;
        self.since_border = 0;
        B::from(end)
    }

    /// Drops everything up to the next border, wherever the chunks are cut.
    fn skip<B: AsRef<[u8]> + From<Vec<u8>>>(&mut self, chunk: &[u8]) -> B {
        let joined = [self.seam.as_slice(), chunk].concat();
        match first_border(&joined) {
            None => {
                self.remember(chunk);
                B::from(Vec::new())
            }
            Some(end) => {
                self.skipping = false;
                self.seam.clear();
                self.admit(B::from(joined[end..].to_vec()))
            }
        }
    }

    /// Returns how many bytes of a chunk come after its last border. That border may have begun in
    /// the chunk before.
    fn last_border(&self, chunk: &[u8]) -> Option<usize> {
        if let Some(end) = last_border(chunk) {
            return Some(chunk.len() - end);
        }
        let head = &chunk[..chunk.len().min(SEAM)];
        let end = last_border(&[self.seam.as_slice(), head].concat())?;
        end.checked_sub(self.seam.len())
            .filter(|&end| end > 0)
            .map(|end| chunk.len() - end)
    }

    fn remember(&mut self, chunk: &[u8]) {
        self.seam
            .extend_from_slice(&chunk[chunk.len().saturating_sub(SEAM)..]);
        let surplus = self.seam.len().saturating_sub(SEAM);
        self.seam.drain(..surplus);
    }
}

impl<S, B, E> Stream for CappedBytes<S>
where
    S: Stream<Item = Result<B, E>> + Unpin,
    B: AsRef<[u8]> + From<Vec<u8>>,
{
    type Item = Result<B, E>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = Pin::new(&mut self.inner).poll_next(cx);
        polled.map(|item| item.map(|chunk| chunk.map(|chunk| self.admit(chunk))))
    }
}

/// Returns the border of ours that closes a frame broken off behind these bytes. A character that
/// was cut is completed, since the parser would end the stream at bytes that are not UTF-8.
fn closing(before: &[u8]) -> Vec<u8> {
    let cut = before
        .utf8_chunks()
        .last()
        .map_or(&[][..], |chunk| chunk.invalid());
    let missing: &[u8] = match cut {
        [0xc2..=0xdf] | [0xe0..=0xef, _] | [0xf0..=0xf4, _, _] => b"\x80",
        [0xe0] => b"\xa0\x80",
        [0xe1..=0xef] | [0xf0..=0xf4, _] => b"\x80\x80",
        [0xf0] => b"\x90\x80\x80",
        [0xf1..=0xf4] => b"\x80\x80\x80",
        _ => b"",
    };
    [missing, b"\n\n"].concat()
}

/// Returns the end of the last frame border in a chunk. It searches from the end, where in a flood
/// of small frames the border nearly always is.
fn last_border(chunk: &[u8]) -> Option<usize> {
    memchr::memrchr2_iter(b'\n', b'\r', chunk)
        .find(|&at| ends_frame(chunk, at))
        .map(|at| at + 1)
}

fn first_border(chunk: &[u8]) -> Option<usize> {
    memchr::memchr2_iter(b'\n', b'\r', chunk)
        .find(|&at| ends_frame(chunk, at))
        .map(|at| at + 1)
}

/// Tells whether the byte at `at` ends a frame: a line ends with CR LF, LF or CR, and an empty line
/// ends a frame
/// (<https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation>).
fn ends_frame(chunk: &[u8], at: usize) -> bool {
    match (&chunk[..at], chunk[at]) {
        // The second half of the end of an empty line.
        ([.., b'\n' | b'\r', b'\r'], b'\n') => true,
        (before, b'\n') => before.ends_with(b"\n"),
        (before, _) => matches!(before, [.., b'\n' | b'\r']),
    }
}

#[cfg(test)]
mod tests;
