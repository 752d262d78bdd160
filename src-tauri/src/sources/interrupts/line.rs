//! The stream of a service: connects again and again, and tells what it hears.

use super::Heard;
use super::api::Api;
use super::wire::{self, Frame};
use crate::sources::http::backoff::BackOff;
use crate::sources::http::sse::{Broken, Frames};
use std::sync::Arc;

/// Listens until it is dropped.
pub(super) async fn listen(api: Arc<Api>, tell: impl Fn(Heard)) {
    let mut back_off = BackOff::new();
    loop {
        back_off.begin();
        let broken = connection(&api, &tell).await;
        back_off.lived();
        if matches!(broken, Broken::Refused) && api.renew().await {
            continue;
        }
        let pause = back_off.pause(&broken);
        tell(Heard::Down(broken));
        tokio::time::sleep(pause).await;
    }
}

/// One connection, until it breaks. The API knows no heartbeat, so silence is nothing: a dead peer
/// is found by TCP's keep-alive.
async fn connection(api: &Api, tell: &impl Fn(Heard)) -> Broken {
    let mut frames = match Frames::open(api.stream().await, None).await {
        Ok(frames) => frames,
        Err(broken) => return broken,
    };
    tell(Heard::Up);
    loop {
        match frames.next(wire::is_interrupt).await {
            Ok(frame) => {
                if let Some(Frame::Interrupt(interrupt)) = frame.as_ref().map(wire::read) {
                    tell(Heard::Interrupt(*interrupt));
                }
            }
            Err(broken) => return broken,
        }
    }
}
