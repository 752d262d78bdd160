//! The event stream of the imitation: frames, odd cuts, breaks and floods. Who may open it lives
//! in `routes.rs`.

use std::io;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::Replay;
use crate::eventually;

/// What `/global/event` does with a new connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Streaming {
    /// Streams, `server.connected` first, and subscribes a moment later, as 1.18.33 does where
    /// nothing else is asked of it.
    Open,
    /// The same, and it takes so long.
    Late(Duration),
    /// The same, with its kind written so.
    Named(&'static str),
    /// Streams, without a first event.
    Mute,
    /// Accepts and never sends a header.
    Hang,
    /// Answers this status.
    Status(u16),
    /// Answers 200 with a web page.
    Html,
}

/// What a flood sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flooded {
    /// Whole frames.
    pub frames: u64,
    /// Bytes of them.
    pub bytes: u64,
}

/// One event as `/global/event` frames it.
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

/// The open streams. Bounded, so that a flood goes no faster than it is read.
#[derive(Default)]
pub(super) struct Streams(Mutex<Vec<Stream>>);

struct Stream {
    sender: mpsc::Sender<Piece>,
    /// What is sent before is not on it; it ends as the others do.
    subscribes_at: Instant,
}

const QUEUED: usize = 256;

impl Streams {
    /// A new stream's body.
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

    /// Those that tell of what is sent now.
    fn subscribed(&self) -> Vec<mpsc::Sender<Piece>> {
        let mut streams = self.0.lock().unwrap();
        streams.retain(|stream| !stream.sender.is_closed());
        let subscribed = streams
            .iter()
            .filter(|stream| stream.subscribes_at <= Instant::now());
        subscribed.map(|stream| stream.sender.clone()).collect()
    }

    /// Sends to every stream; gives the moment the last of them took it for writing.
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
                // What is queued at the moment in which the other side hangs up is neither taken nor
                // dropped.
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
    /// What new connections to the stream get; open ones stay as they are.
    pub fn streaming(&self, streaming: Streaming) {
        self.change(|data| data.streaming = streaming);
    }

    /// How many streams are open and tell of everything.
    pub fn streams(&self) -> usize {
        self.world.streams.subscribed().len()
    }

    /// Waits until `count` streams are open and tell of everything.
    pub async fn wait_streams(&self, count: usize, timeout: Duration) {
        let what = format!("{count} open event streams");
        eventually(&what, timeout, async || {
            (self.streams() == count).then_some(())
        })
        .await;
    }

    /// Sends bytes as they are; gives the moment they were taken for writing.
    pub async fn send(&self, bytes: &[u8]) -> Instant {
        self.world.streams.send(bytes).await
    }

    /// Sends one event.
    pub async fn event(&self, directory: &str, name: &str, properties: Value) -> Instant {
        self.send(&frame(Some(directory), name, properties)).await
    }

    /// Sends bytes in pieces of these sizes, over and over, whatever they cut through.
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

    /// Ends every stream cleanly, as a server that closes.
    pub fn end(&self) {
        self.world.streams.0.lock().unwrap().clear();
    }

    /// Breaks every stream in the middle, as a killed server.
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

/// Timers tick in milliseconds: what is due already goes at once, and the rate holds on average.
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
