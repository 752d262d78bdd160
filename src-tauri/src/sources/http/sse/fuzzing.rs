//! Invariants of a stream in which some frames are too large.

use super::capped::{CappedBytes, RefusedFrame};
use axum::body::Bytes;
use futures_util::{FutureExt, StreamExt, stream};
use sse_stream::{Sse, SseByteStream};
use std::convert::Infallible;

/// A cap that is small enough for a fuzzer.
const CAP: usize = 48;
/// Lengths of the pieces. They are below the cap, as the chunks of a network are.
const PIECES: [usize; 3] = [1, 3, 16];

/// Checks that no frame below the cap is lost beside those above it, wherever the stream is cut.
pub(in crate::sources) fn capped(data: &[u8]) {
    // The parser ends a stream at bytes that are not UTF-8.
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    // A byte order mark is passed over at the beginning of a stream and is text elsewhere. A frame
    // that is read by itself has its beginning elsewhere than the stream.
    if text.contains('\u{feff}') {
        return;
    }
    let small: Vec<Sse> = frames(data)
        .filter(|frame| frame.len() <= CAP)
        .flat_map(|frame| read(frame, CAP))
        .collect();
    let piece = PIECES[data.len() % PIECES.len()];
    let read = read_in(data, piece);
    let mut rest = read.iter();
    let lost = small.iter().find(|frame| !rest.any(|read| read == *frame));
    assert_eq!(
        lost,
        None,
        "in pieces of {piece}, of {:?}",
        data.escape_ascii().to_string()
    );
}

fn read(frame: &[u8], piece: usize) -> Vec<Sse> {
    let pieces = frame
        .chunks(piece)
        .map(|piece| Ok::<_, Infallible>(Bytes::copy_from_slice(piece)));
    let all = SseByteStream::new(stream::iter(pieces)).filter_map(|frame| async { frame.ok() });
    all.collect().now_or_never().unwrap_or_default()
}

fn read_in(data: &[u8], piece: usize) -> Vec<Sse> {
    let pieces = data
        .chunks(piece)
        .map(|piece| Ok::<_, Infallible>(Bytes::copy_from_slice(piece)));
    let capped = CappedBytes::new(stream::iter(pieces), RefusedFrame::default(), CAP);
    let all = SseByteStream::new(capped).filter_map(|frame| async { frame.ok() });
    all.collect().now_or_never().unwrap_or_default()
}

/// Cuts a stream into frames by the letter of
/// <https://html.spec.whatwg.org/multipage/server-sent-events.html>: a line ends with CR LF, LF or
/// CR, and an empty one ends a frame.
fn frames(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut frames, mut frame, mut line, mut at) = (Vec::new(), 0, 0, 0);
    while at < data.len() {
        let end = match &data[at..] {
            [b'\r', b'\n', ..] => at + 2,
            [b'\r' | b'\n', ..] => at + 1,
            _ => {
                at += 1;
                continue;
            }
        };
        if line == at {
            frames.push(&data[frame..end]);
            frame = end;
        }
        (line, at) = (end, end);
    }
    frames.into_iter()
}
