//! Reads SSE from a server that the user named: bytes in, frames out, and every way in which that
//! can break.
//!
//! Not here: what a frame means, when to connect again, and how the cap is kept (`capped`).

mod capped;
#[cfg(any(test, fuzzing))]
pub(in crate::sources) mod fuzzing;

use super::{HEADERS_WITHIN, LARGEST, fault, frame_data, is_of_kind};
use crate::platform::retry_after::retry_after;
use beckon_client::platform::clock;
use beckon_core::SourceFault;
use capped::{CappedBytes, RefusedFrame};
use futures_util::Stream;
use reqwest::{RequestBuilder, Response, StatusCode, header};
use sse_stream::{Sse, SseByteStream};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// The most frames of a flood that are passed over before anything else gets its turn.
const AT_A_TIME: usize = 256;
/// The time after which a watchdog that is not wanted goes off all the same.
const NEVER: Duration = Duration::from_secs(24 * 3_600);

/// The reason for which a stream ended.
#[derive(Debug)]
pub(in crate::sources) enum StreamError {
    /// 401 or 403.
    Refused,
    /// There is no event stream at that address.
    NoStream(SourceFault),
    /// The server closed the stream, as one does that has said everything.
    Ended,
    /// The server asks not to be asked again before that time has passed.
    Busy(SourceFault, Duration),
    /// Anything else.
    Other(SourceFault),
}

impl StreamError {
    /// Makes an error of a status that is neither a refusal nor the lack of a stream.
    pub(in crate::sources) fn of_status(response: &Response) -> Self {
        let fault = SourceFault::Status(response.status().as_u16());
        match retry_after(response.headers(), clock::now()) {
            Some(wait) => Self::Busy(fault, wait),
            None => Self::Other(fault),
        }
    }

    /// Returns the fault that broke the stream; `None` for a refusal.
    pub(in crate::sources) fn fault(&self) -> Option<SourceFault> {
        match self {
            Self::Refused => None,
            Self::Ended => Some(SourceFault::Ended),
            Self::NoStream(fault) | Self::Busy(fault, _) | Self::Other(fault) => {
                Some(fault.clone())
            }
        }
    }
}

/// The frames of one connection.
pub(in crate::sources) struct SseFrames {
    frames: Pin<Box<dyn Stream<Item = Result<Sse, sse_stream::Error>> + Send>>,
    silence: Option<Duration>,
    last_heard: Instant,
    /// Goes off when the stream may have been silent for too long. It is set anew only then, since
    /// a timer for each frame would cost more than the frame.
    watchdog: Pin<Box<Sleep>>,
    refused: RefusedFrame,
    /// Whether the next `None` of [`SseFrames::next`] has to report a refused frame.
    tells_loss: bool,
    /// Whether a frame was refused since [`SseFrames::has_lost_some`] was last called.
    lost: bool,
}

impl SseFrames {
    /// Opens a stream. `silence` is how long it may say nothing, for a server that promises to say
    /// something.
    pub(in crate::sources) async fn open(
        request: RequestBuilder,
        silence: Option<Duration>,
    ) -> Result<Self, StreamError> {
        let request = request.header(header::ACCEPT, "text/event-stream");
        match tokio::time::timeout(HEADERS_WITHIN, request.send()).await {
            Ok(Ok(response)) => Self::of(response, silence),
            Ok(Err(error)) => Err(StreamError::Other(fault(&error))),
            Err(_) => Err(StreamError::Other(SourceFault::Silent)),
        }
    }

    /// Reads the frames of a response.
    pub(in crate::sources) fn of(
        response: Response,
        silence: Option<Duration>,
    ) -> Result<Self, StreamError> {
        check(&response)?;
        let refused = RefusedFrame::default();
        let bytes = CappedBytes::new(response.bytes_stream(), refused.clone(), LARGEST);
        Ok(Self {
            frames: Box::pin(SseByteStream::new(bytes)),
            silence,
            last_heard: Instant::now(),
            watchdog: Box::pin(tokio::time::sleep(silence.unwrap_or(NEVER))),
            refused,
            tells_loss: false,
            lost: false,
        })
    }

    /// Treats silence of that length from now on as a dead connection.
    pub(in crate::sources) fn speaks_within(&mut self, silence: Duration) {
        self.silence = Some(silence);
        self.watchdog.as_mut().reset(Instant::now() + silence);
    }

    /// Tells whether a frame was refused for its size since the last call.
    pub(in crate::sources) fn has_lost_some(&mut self) -> bool {
        std::mem::take(&mut self.lost)
    }

    /// Returns the next frame that is wanted.
    ///
    /// `None` means that a frame was refused for its size, or that others are to have their turn in
    /// a flood of frames that are not wanted. Dropping the future loses nothing.
    pub(in crate::sources) async fn next(
        &mut self,
        wanted: impl Fn(&Sse) -> bool,
    ) -> Result<Option<Sse>, StreamError> {
        poll_fn(|cx| self.poll_next(&wanted, cx)).await
    }

    /// Polls for a frame. One that is not wanted is passed over here, where it costs no round of
    /// the caller's loop.
    fn poll_next(
        &mut self,
        wanted: &impl Fn(&Sse) -> bool,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<Sse>, StreamError>> {
        let mut heard = false;
        for _ in 0..AT_A_TIME {
            let polled = self.frames.as_mut().poll_next(cx);
            if self.refused.swap(false, Ordering::Relaxed) {
                (self.tells_loss, self.lost) = (true, true);
            }
            let Poll::Ready(frame) = polled else {
                return if std::mem::take(&mut self.tells_loss) {
                    Poll::Ready(Ok(None))
                } else {
                    self.poll_silence(heard, cx)
                };
            };
            heard = true;
            let frame = frame
                .ok_or(StreamError::Ended)?
                .map_err(|error| StreamError::Other(SourceFault::Other(error.to_string())))?;
            if wanted(&frame) {
                self.last_heard = Instant::now();
                let data = frame.data.map(frame_data);
                return Poll::Ready(Ok(Some(Sse { data, ..frame })));
            }
        }
        self.last_heard = Instant::now();
        Poll::Ready(Ok(None))
    }

    fn poll_silence<T>(
        &mut self,
        heard: bool,
        cx: &mut Context<'_>,
    ) -> Poll<Result<T, StreamError>> {
        if heard {
            self.last_heard = Instant::now();
        }
        while self.watchdog.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            let due = self
                .silence
                .map_or(now + NEVER, |silence| self.last_heard + silence);
            if due <= now {
                return Poll::Ready(Err(StreamError::Other(SourceFault::FellSilent)));
            }
            self.watchdog.as_mut().reset(due);
        }
        Poll::Pending
    }
}

fn check(response: &Response) -> Result<(), StreamError> {
    match response.status() {
        StatusCode::OK => {}
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => return Err(StreamError::Refused),
        status @ StatusCode::NOT_FOUND => {
            return Err(StreamError::NoStream(SourceFault::Status(status.as_u16())));
        }
        _ => return Err(StreamError::of_status(response)),
    }
    let kind = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|v| v.to_str().ok());
    if kind.is_some_and(|kind| is_of_kind(kind, "text/event-stream")) {
        return Ok(());
    }
    Err(StreamError::NoStream(SourceFault::NoEvents(
        kind.map(str::to_owned),
    )))
}
