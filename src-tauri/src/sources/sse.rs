//! SSE from a server that the user named: bytes in, frames out, and every way in which that can break.
//!
//! Not here: what a frame means, and when to connect again.

use super::http::{HEADERS_WITHIN, fault};
use beckon_core::Fault;
use futures_util::Stream;
use reqwest::{RequestBuilder, Response, StatusCode, header};
use sse_stream::{Sse, SseByteStream};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// The largest frame that is read; a 20 MB tool output is real.
const LARGEST_FRAME: usize = 32 << 20;
/// Frames of a flood that are passed over before anything else gets its turn.
const AT_A_TIME: usize = 256;
/// A watchdog that is not wanted looks up once in a while.
const NEVER: Duration = Duration::from_secs(24 * 3_600);

/// Why a stream ended.
#[derive(Debug)]
pub(super) enum Broken {
    /// 401 or 403.
    Refused,
    /// There is no such stream.
    NoStream(Fault),
    /// The server has closed it, as one does that has said everything.
    Ended,
    /// Anything else.
    Other(Fault),
}

impl Broken {
    /// What it is besides a refusal.
    pub(super) fn fault(&self) -> Option<Fault> {
        match self {
            Self::Refused => None,
            Self::Ended => Some(Fault::Ended),
            Self::NoStream(fault) | Self::Other(fault) => Some(fault.clone()),
        }
    }
}

/// The frames of one connection.
pub(super) struct Frames {
    frames: Pin<Box<dyn Stream<Item = Result<Sse, sse_stream::Error>> + Send>>,
    silence: Option<Duration>,
    last_heard: Instant,
    /// Goes off when it may have been silent for too long: set anew only then, since a timer for
    /// each frame would cost more than the frame.
    watchdog: Pin<Box<Sleep>>,
}

impl Frames {
    /// Opens a stream. `silence` is how long it may say nothing, where the server promises to say
    /// something.
    pub(super) async fn open(
        request: RequestBuilder,
        silence: Option<Duration>,
    ) -> Result<Self, Broken> {
        let request = request.header(header::ACCEPT, "text/event-stream");
        match tokio::time::timeout(HEADERS_WITHIN, request.send()).await {
            Ok(Ok(response)) => Self::of(response, silence),
            Ok(Err(error)) => Err(Broken::Other(fault(&error))),
            Err(_) => Err(Broken::Other(Fault::Silent)),
        }
    }

    /// The frames of a response.
    pub(super) fn of(response: Response, silence: Option<Duration>) -> Result<Self, Broken> {
        check(&response)?;
        let bytes = Capped::new(response.bytes_stream());
        Ok(Self {
            frames: Box::pin(SseByteStream::new(bytes)),
            silence,
            last_heard: Instant::now(),
            watchdog: Box::pin(tokio::time::sleep(silence.unwrap_or(NEVER))),
        })
    }

    /// From now on silence of so long means that the connection is dead.
    pub(super) fn speaks_within(&mut self, silence: Duration) {
        self.silence = Some(silence);
        self.watchdog.as_mut().reset(Instant::now() + silence);
    }

    /// The next frame that is wanted; `None` lets others have their turn in a flood of frames that
    /// are not. Dropping the future loses nothing.
    pub(super) async fn next(
        &mut self,
        wanted: impl Fn(&Sse) -> bool,
    ) -> Result<Option<Sse>, Broken> {
        poll_fn(|cx| self.poll_next(&wanted, cx)).await
    }

    /// A frame that is not wanted is passed over here, where it costs no round of the caller's.
    fn poll_next(
        &mut self,
        wanted: &impl Fn(&Sse) -> bool,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<Sse>, Broken>> {
        let mut heard = false;
        for _ in 0..AT_A_TIME {
            let Poll::Ready(frame) = self.frames.as_mut().poll_next(cx) else {
                return self.poll_silence(heard, cx);
            };
            heard = true;
            let frame = frame
                .ok_or(Broken::Ended)?
                .map_err(|error| Broken::Other(Fault::Other(error.to_string())))?;
            if wanted(&frame) {
                self.last_heard = Instant::now();
                return Poll::Ready(Ok(Some(frame)));
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
            let now = Instant::now();
            let due = self.silence.map_or(now + NEVER, |silence| self.last_heard + silence);
            if due <= now {
                return Poll::Ready(Err(Broken::Other(Fault::FellSilent)));
            }
            self.watchdog.as_mut().reset(due);
        }
        Poll::Pending
    }
}

fn check(response: &Response) -> Result<(), Broken> {
    match response.status() {
        StatusCode::OK => {}
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => return Err(Broken::Refused),
        status @ StatusCode::NOT_FOUND => {
            return Err(Broken::NoStream(Fault::Status(status.as_u16())));
        }
        status => return Err(Broken::Other(Fault::Status(status.as_u16()))),
    }
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok());
    if kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
        return Ok(());
    }
    Err(Broken::NoStream(Fault::NoEvents(kind.map(str::to_owned))))
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
