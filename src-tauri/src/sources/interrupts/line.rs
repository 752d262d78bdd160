//! The stream of a service: connects again and again, and reports what it hears.

use super::StreamNews;
use super::api::InterruptsApi;
use super::wire::{self, ServiceFrame};
use crate::sources::http::backoff::BackOff;
use crate::sources::http::sse::{SseFrames, StreamError};
use std::sync::Arc;

/// Listens until the future is dropped.
pub(super) async fn listen(api: Arc<InterruptsApi>, tell: impl Fn(StreamNews)) {
    let mut back_off = BackOff::new();
    loop {
        back_off.begin();
        let broken = connection(&api, &tell).await;
        back_off.lived();
        if matches!(broken, StreamError::Refused) && api.renew().await {
            continue;
        }
        let pause = back_off.pause(&broken);
        tell(StreamNews::Down(broken));
        tokio::time::sleep(pause).await;
    }
}

/// Holds one connection until it breaks. The API knows no heartbeat, so silence means nothing; a
/// dead peer is found by TCP's keep-alive.
async fn connection(api: &InterruptsApi, tell: &impl Fn(StreamNews)) -> StreamError {
    let mut frames = match SseFrames::open(api.stream().await, None).await {
        Ok(frames) => frames,
        Err(broken) => return broken,
    };
    tell(StreamNews::Up);
    loop {
        match frames.next(wire::is_interrupt).await {
            Ok(frame) => {
                if let Some(ServiceFrame::Interrupt(interrupt)) = frame.as_ref().map(wire::read) {
                    tell(StreamNews::Interrupt(interrupt));
                }
            }
            Err(broken) => return broken,
        }
    }
}
