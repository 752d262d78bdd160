//! The SSE stream: bytes in, frames out, and every way in which it can break.

use super::api::{Api, HEADERS_WITHIN, reason};
use super::{forms, peek};
use futures_util::Stream;
use reqwest::{StatusCode, header};
use sse_stream::SseByteStream;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// Heartbeats come every 30 s on 1.1.53 …
const SILENCE: Duration = Duration::from_secs(75);
/// … and every 10 s on 1.18.33, where less silence is enough.
const SHORT_SILENCE: Duration = Duration::from_secs(25);
/// Two heartbeats closer than this show that the server is one of the latter.
const SHORT_HEARTBEAT: Duration = Duration::from_secs(15);
/// The largest frame that is read; a 20 MB tool output is real.
const LARGEST_FRAME: usize = 32 << 20;

/// Why a stream ended.
#[derive(Debug)]
pub(super) enum Broken {
    /// 401 or 403.
    Refused,
    /// There is no such stream, in words as below; a server of 2.x has none.
    NoStream(String),
    /// There is, but the server says that it is one of 2.x.
    Newer,
    /// Anything else, in words for the log and `status`.
    Other(String),
}

/// Frames of a flood that are passed over before anything else gets its turn.
const AT_A_TIME: usize = 256;

/// The frames of one connection.
pub(super) struct Frames {
    frames: Pin<Box<dyn Stream<Item = Result<sse_stream::Sse, sse_stream::Error>> + Send>>,
    silence: Duration,
    last_heartbeat: Option<Instant>,
    last_heard: Instant,
    /// Goes off when it may have been silent for too long: set anew only then, since a timer for
    /// each frame would cost more than the frame.
    watchdog: Pin<Box<Sleep>>,
}

impl Frames {
    /// Subscribes to `/global/event`, on 2.x to `/api/event`: one connection sees every directory.
    pub(super) async fn open(api: &Api) -> Result<Self, Broken> {
        let (path, silence) = match api.speaks_forms() {
            true => ("/api/event", forms::SILENCE),
            false => ("/global/event", SILENCE),
        };
        let request = api.get(path, None).header(header::ACCEPT, "text/event-stream");
        let response = match tokio::time::timeout(HEADERS_WITHIN, request.send()).await {
            Ok(response) => response.map_err(|error| Broken::Other(reason(&error)))?,
            Err(_) => {
                return Err(Broken::Other("it accepts connections but does not answer".into()));
            }
        };
        check(&response)?;
        let bytes = Capped::new(response.bytes_stream());
        Ok(Self {
            frames: Box::pin(SseByteStream::new(bytes)),
            silence,
            last_heartbeat: None,
            last_heard: Instant::now(),
            watchdog: Box::pin(tokio::time::sleep(silence)),
        })
    }

    /// The data of the next frame of interest; `None` lets others have their turn in a flood of
    /// frames without. Dropping the future loses nothing.
    pub(super) async fn next(&mut self) -> Result<Option<String>, Broken> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// A frame without interest is passed over here, where it costs no round of the caller's.
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<String>, Broken>> {
        let mut heard = false;
        for _ in 0..AT_A_TIME {
            let Poll::Ready(frame) = self.frames.as_mut().poll_next(cx) else {
                return self.poll_silence(heard, cx);
            };
            heard = true;
            if let Some(data) = data_of(frame)?
                && peek::is_of_interest(&data)
            {
                self.last_heard = Instant::now();
                return Poll::Ready(Ok(Some(data)));
            }
        }
        self.last_heard = Instant::now();
        Poll::Ready(Ok(None))
    }

    fn poll_silence<T>(&mut self, heard: bool, cx: &mut Context<'_>) -> Poll<Result<T, Broken>> {
        if heard {
            self.last_heard = Instant::now();
        }
        while self.watchdog.as_mut().poll(cx).is_ready() {
            let due = self.last_heard + self.silence;
            if due <= Instant::now() {
                return Poll::Ready(Err(Broken::Other("the stream fell silent".into())));
            }
            self.watchdog.as_mut().reset(due);
        }
        Poll::Pending
    }

    /// Learns from the pace of the heartbeats how much silence is normal.
    pub(super) fn heartbeat(&mut self) {
        let now = Instant::now();
        let last = self.last_heartbeat.replace(now);
        if last.is_some_and(|last| now - last < SHORT_HEARTBEAT) && self.silence > SHORT_SILENCE {
            self.silence = SHORT_SILENCE;
            self.watchdog.as_mut().reset(now + SHORT_SILENCE);
        }
    }
}

/// Comments and blocks without data are nothing.
fn data_of(
    frame: Option<Result<sse_stream::Sse, sse_stream::Error>>,
) -> Result<Option<String>, Broken> {
    match frame {
        None => Err(Broken::Other("the stream ended".into())),
        Some(Err(error)) => Err(Broken::Other(format!("the stream broke: {error}"))),
        Some(Ok(frame)) => Ok(frame.data.filter(|data| !data.is_empty())),
    }
}

fn check(response: &reqwest::Response) -> Result<(), Broken> {
    match response.status() {
        StatusCode::OK => {}
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => return Err(Broken::Refused),
        StatusCode::NOT_FOUND => return Err(Broken::NoStream("it answers 404".into())),
        status => return Err(Broken::Other(format!("it answers {status}"))),
    }
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok());
    if kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
        return Ok(());
    }
    Err(Broken::NoStream(format!("it is no OpenCode: it sends {}", kind.unwrap_or("no type"))))
}

/// Counts bytes since the last frame border. Of a frame above the cap only the beginning goes on,
/// closed by a border of ours, so that the parser drops it and the stream goes on.
struct Capped<S> {
    inner: S,
    since_border: usize,
    skipping: bool,
}

impl<S> Capped<S> {
    fn new(inner: S) -> Self {
        Self { inner, since_border: 0, skipping: false }
    }

    fn admit<B: AsRef<[u8]> + From<Vec<u8>>>(&mut self, chunk: B) -> B {
        if self.skipping {
            let Some(end) = first_border(chunk.as_ref()) else { return B::from(Vec::new()) };
            self.skipping = false;
            return self.admit(B::from(chunk.as_ref()[end..].to_vec()));
        }
        self.since_border = match last_border(chunk.as_ref()) {
            Some(end) => chunk.as_ref().len() - end,
            None => self.since_border + chunk.as_ref().len(),
        };
        if self.since_border > LARGEST_FRAME {
            tracing::warn!(cap = LARGEST_FRAME, "a frame above the cap is refused");
            self.skipping = true;
            self.since_border = 0;
            return B::from(b"\n\n".to_vec());
        }
        chunk
    }
}

impl<S, B, E> Stream for Capped<S>
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

/// The end of the last frame border in a chunk. Found from the end, where in a flood of small
/// frames it nearly always is. A border cut in two by a chunk's end is found with the next frame's.
fn last_border(chunk: &[u8]) -> Option<usize> {
    memchr::memrchr2_iter(b'\n', b'\r', chunk).find(|&at| ends_frame(chunk, at)).map(|at| at + 1)
}

fn first_border(chunk: &[u8]) -> Option<usize> {
    memchr::memchr2_iter(b'\n', b'\r', chunk).find(|&at| ends_frame(chunk, at)).map(|at| at + 1)
}

fn ends_frame(chunk: &[u8], at: usize) -> bool {
    let before = &chunk[..at];
    match chunk[at] {
        b'\n' => before.ends_with(b"\n") || before.ends_with(b"\r\n\r"),
        _ => before.ends_with(b"\r"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_is_found_in_each_of_its_forms() {
        assert_eq!(last_border(b"data: a\n\ndata: b"), Some(9));
        assert_eq!(last_border(b"data: a\r\n\r\ndata"), Some(11));
        assert_eq!(last_border(b"data: a\r\rdata"), Some(9));
        assert_eq!(last_border(b"data: a\ndata: b\n"), None);
    }

    #[test]
    fn a_frame_above_the_cap_is_refused_and_the_next_one_arrives() {
        let mut capped = Capped::new(());
        let chunk = vec![b'x'; 1 << 20];
        let passed: usize = (0..40).map(|_| capped.admit(chunk.clone()).len()).sum();
        assert!(passed <= LARGEST_FRAME + 2);
        let tail = capped.admit(b"end of it\n\ndata: next\n\n".to_vec());
        assert_eq!(tail, b"data: next\n\n");
        assert_eq!(capped.admit(b"data: one\n\n".to_vec()), b"data: one\n\n");
    }
}
