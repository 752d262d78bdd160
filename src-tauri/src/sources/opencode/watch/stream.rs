//! OpenCode's event stream: which of its frames are of interest, and how much silence is normal.

use super::frame_type;
use crate::sources::http::sse::{self, StreamError};
use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::forms;
use sse_stream::Sse;
use std::time::Duration;
use tokio::time::Instant;

/// The silence after which a stream is dead. Heartbeats come every 30 s on 1.1.53.
const SILENCE: Duration = Duration::from_secs(75);
/// The silence after which the stream of a newer server is dead: heartbeats come every 10 s on
/// 1.18.33.
const SHORT_SILENCE: Duration = Duration::from_secs(25);
/// The time between two heartbeats below which the server is such a newer one.
const SHORT_HEARTBEAT: Duration = Duration::from_secs(15);

/// The frames of one connection.
pub(in crate::sources::opencode) struct OpenCodeFrames {
    frames: sse::SseFrames,
    last_heartbeat: Option<Instant>,
    short: bool,
    /// Whether the frames are those of 2.x.
    in_forms: bool,
}

impl OpenCodeFrames {
    /// Subscribes to `/global/event`, on 2.x to `/api/event`: one connection sees every directory.
    pub(in crate::sources::opencode) async fn open(api: &OpenCodeApi) -> Result<Self, StreamError> {
        let (path, silence) = match api.forms() {
            Some(_) => ("/api/event", forms::SILENCE),
            None => ("/global/event", SILENCE),
        };
        let silence = silence_of_test().unwrap_or(silence);
        let frames = sse::SseFrames::open(api.get(path, None), Some(silence)).await?;
        Ok(Self {
            frames,
            last_heartbeat: None,
            short: false,
            in_forms: api.forms().is_some(),
        })
    }

    /// Returns the data of the next frame of interest; `None` lets others have their turn in a
    /// flood of frames without. Dropping the future loses nothing.
    pub(in crate::sources::opencode) async fn next(
        &mut self,
    ) -> Result<Option<String>, StreamError> {
        let in_forms = self.in_forms;
        let frame = self
            .frames
            .next(|frame| is_of_interest(frame, in_forms))
            .await?;
        Ok(frame.and_then(|frame| frame.data))
    }

    /// Tells whether a frame was refused for its size since the last call.
    pub(in crate::sources::opencode) fn has_lost_some(&mut self) -> bool {
        self.frames.has_lost_some()
    }

    /// Learns from the pace of the heartbeats how much silence is normal.
    pub(in crate::sources::opencode) fn heartbeat(&mut self) {
        let now = Instant::now();
        let last = self.last_heartbeat.replace(now);
        if last.is_some_and(|last| now - last < SHORT_HEARTBEAT) && !self.short {
            self.short = true;
            self.frames.speaks_within(SHORT_SILENCE);
        }
    }
}

/// Returns the silence in seconds that a test sets, since tests cannot wait for a minute.
fn silence_of_test() -> Option<Duration> {
    let seconds = std::env::var("BECKON_STREAM_SILENCE").ok()?;
    seconds.parse().ok().map(Duration::from_secs)
}

/// Tells whether a frame is of interest. Comments and blocks without data are not.
fn is_of_interest(frame: &Sse, in_forms: bool) -> bool {
    let data = frame.data.as_ref().filter(|data| !data.is_empty());
    data.is_some_and(|data| frame_type::is_of_interest(data, in_forms))
}
