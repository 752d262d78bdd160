//! The event stream of the imitation: frames, odd cuts, breaks and floods. Who may open it is
//! decided in `routes.rs`.

use std::io;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::Replay;
use crate::eventually;

/// The behaviour of `/global/event` for a new connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Streaming {
    /// Streams, with `server.connected` first, and subscribes to the events a moment later, as
    /// 1.18.33 does when it has nothing else to do.
    Open,
    /// Streams likewise, and subscribes to the events after this time.
    Late(Duration),
    /// The same, with its kind written so.
    Named(&'static str),
    /// Streams, without a first event.
    Mute,
    /// Accepts and never sends a header.
    Hang,
    /// Responds with this status.
    Status(u16),
    /// Responds 200 with a web page.
    Html,
}

/// The amount that a flood sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flooded {
    /// The number of whole frames.
    pub frames: u64,
    /// The number of bytes in them.
    pub bytes: u64,
}

/// Returns an event as a frame of `/global/event`.
pub fn frame(directory: Option<&str>, name: &str, properties: Value) -> Vec<u8> {
    let mut event = json!({ "payload": { "id": "evt_replay", "type": name,
        "properties": properties } });
    if let Some(directory) = directory {
        event["directory"] = json!(directory);
    }
    format!("data: {event}\n\n").into_bytes()
}

struct Piece {
    bytes: io::Result<Bytes>,
    taken: Option<oneshot::Sender<Instant>>,
}

/// The open streams. Their queues are bounded, so that a flood goes no faster than it is read.
#[derive(Default)]
pub(super) struct Streams(Mutex<Vec<Stream>>);

struct Stream {
    sender: mpsc::Sender<Piece>,
    /// The moment from which the stream carries events; earlier ones are not sent on it. It ends as
    /// the others do.
    subscribes_at: Instant,
}

const QUEUED: usize = 256;

impl Streams {
    /// Returns the body of a new stream.
    pub(super) fn open(&self, greet: bool, subscribes_in: Duration) -> Body {
        let (sender, receiver) = mpsc::channel(QUEUED);
        if greet {
            let bytes = Ok(frame(None, "server.connected", json!({})).into());
            let _ = sender.try_send(Piece { bytes, taken: None });
        }
        let subscribes_at = Instant::now() + subscribes_in;
        self.0.lock().unwrap().push(Stream {
            sender,
            subscribes_at,
        });
        Body::from_stream(futures_util::stream::unfold(receiver, next))
    }

    /// Returns the streams that carry the events sent now.
    fn subscribed(&self) -> Vec<mpsc::Sender<Piece>> {
        let mut streams = self.0.lock().unwrap();
        streams.retain(|stream| !stream.sender.is_closed());
        let subscribed = streams
            .iter()
            .filter(|stream| stream.subscribes_at <= Instant::now());
        subscribed.map(|stream| stream.sender.clone()).collect()
    }

    /// Sends bytes to every stream; returns the moment at which the last of them took the bytes for
    /// writing.
    pub(super) async fn send(&self, bytes: &[u8]) -> Instant {
        let bytes = Bytes::copy_from_slice(bytes);
        let mut at = Instant::now();
        for stream in self.subscribed() {
            let (taken, when) = oneshot::channel();
            let piece = Piece {
                bytes: Ok(bytes.clone()),
                taken: Some(taken),
            };
            if stream.send(piece).await.is_ok() {
                // A piece that is queued at the moment when the other side hangs up is neither
                // taken nor dropped.
                tokio::select! {
                    biased;
                    taken = when => at = taken.unwrap_or(at),
                    () = stream.closed() => {}
                }
            }
        }
        at
    }

    async fn pour(&self, bytes: &Bytes) {
        for stream in self.subscribed() {
            let _ = stream
                .send(Piece {
                    bytes: Ok(bytes.clone()),
                    taken: None,
                })
                .await;
        }
    }

    async fn cut(&self) {
        let streams = std::mem::take(&mut *self.0.lock().unwrap());
        for stream in streams {
            let bytes = Err(io::Error::from(io::ErrorKind::ConnectionReset));
            let _ = stream.sender.send(Piece { bytes, taken: None }).await;
        }
    }
}

async fn next(
    mut receiver: mpsc::Receiver<Piece>,
) -> Option<(io::Result<Bytes>, mpsc::Receiver<Piece>)> {
    let piece = receiver.recv().await?;
    if let Some(taken) = piece.taken {
        let _ = taken.send(Instant::now());
    }
    Some((piece.bytes, receiver))
}

impl Replay {
    /// Sets the behaviour for new connections to the stream; open ones stay as they are.
    pub fn streaming(&self, streaming: Streaming) {
        self.change(|data| data.streaming = streaming);
    }

    /// Returns how many streams are open and carry all events.
    pub fn streams(&self) -> usize {
        self.world.streams.subscribed().len()
    }

    /// Waits until `count` streams are open and carry all events.
    pub async fn wait_streams(&self, count: usize, timeout: Duration) {
        let what = format!("{count} open event streams");
        eventually(&what, timeout, async || {
            (self.streams() == count).then_some(())
        })
        .await;
    }

    /// Sends bytes unchanged; returns the moment at which they were taken for writing.
    pub async fn send(&self, bytes: &[u8]) -> Instant {
        self.world.streams.send(bytes).await
    }

    /// Sends one event.
    pub async fn event(&self, directory: &str, name: &str, properties: Value) -> Instant {
        self.send(&frame(Some(directory), name, properties)).await
    }

    /// Sends bytes in pieces of these sizes, over and over, regardless of what the pieces cut
    /// through.
    pub async fn send_in_pieces(&self, bytes: &[u8], sizes: &[usize]) {
        let mut rest = bytes;
        for size in sizes.iter().cycle() {
            let (piece, after) = rest.split_at((*size).clamp(1, rest.len().max(1)).min(rest.len()));
            self.send(piece).await;
            rest = after;
            if rest.is_empty() {
                return;
            }
        }
    }

    /// Ends every stream cleanly, like a server that closes.
    pub fn end(&self) {
        self.world.streams.0.lock().unwrap().clear();
    }

    /// Breaks every stream in the middle, like a killed server.
    pub async fn cut(&self) {
        self.world.streams.cut().await;
    }

    /// Replays the frames of `recording` over and over for `duration`, at most `per_second` of
    /// them (`None`: as fast as they are read). Whole frames only, so that other events fit in.
    pub async fn flood(
        &self,
        recording: &[u8],
        per_second: Option<u64>,
        duration: Duration,
    ) -> Flooded {
        let frames = split_frames(recording);
        assert!(!frames.is_empty(), "the recording holds no frame");
        let began = Instant::now();
        let mut sent = Flooded::default();
        for bytes in frames.iter().cycle() {
            if began.elapsed() >= duration {
                break;
            }
            if let Some(rate) = per_second {
                wait_turn(began, sent.frames, rate).await;
            }
            self.world.streams.pour(bytes).await;
            sent.frames += 1;
            sent.bytes += bytes.len() as u64;
        }
        sent
    }
}

/// Waits until the frame number `sent` is due. Timers tick in milliseconds: frames that are due
/// already go at once, and the rate holds on average.
async fn wait_turn(began: Instant, sent: u64, rate: u64) {
    let due = began + Duration::from_nanos(sent * 1_000_000_000 / rate.max(1));
    if due > Instant::now() {
        tokio::time::sleep_until(due.into()).await;
    } else if sent.is_multiple_of(64) {
        tokio::task::yield_now().await;
    }
}

fn split_frames(recording: &[u8]) -> Vec<Bytes> {
    let text = String::from_utf8_lossy(recording);
    text.split_inclusive("\n\n")
        .filter(|frame| frame.ends_with("\n\n"))
        .map(|frame| Bytes::copy_from_slice(frame.as_bytes()))
        .collect()
}
