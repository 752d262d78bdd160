//! The stream of a service: connects again and again, and tells what it hears.

use super::Heard;
use super::api::Api;
use super::wire::{self, Frame};
use crate::sources::backoff::BackOff;
use crate::sources::sse::{Broken, Frames};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;

/// Listens until nobody wants to hear it.
pub(super) async fn listen(api: Arc<Api>, tell: UnboundedSender<Heard>) {
    let mut back_off = BackOff::new();
    while !tell.is_closed() {
        back_off.begin();
        let broken = connection(&api, &tell).await;
        back_off.lived();
        if matches!(broken, Broken::Refused) && api.renew().await {
            continue;
        }
        let pause = back_off.pause(&broken);
        let _ = tell.send(Heard::Down(broken));
        tokio::time::sleep(pause).await;
    }
}

/// One connection, until it breaks. The API knows no heartbeat, so silence is nothing: a dead peer
/// is found by TCP's keep-alive.
async fn connection(api: &Api, tell: &UnboundedSender<Heard>) -> Broken {
    let mut frames = match Frames::open(api.stream().await, None).await {
        Ok(frames) => frames,
        Err(broken) => return broken,
    };
    let _ = tell.send(Heard::Up);
    loop {
        match frames.next(wire::is_interrupt).await {
            Ok(frame) => {
                if let Some(Frame::Interrupt(interrupt)) = frame.as_ref().map(wire::read) {
                    let _ = tell.send(Heard::Interrupt(*interrupt));
                }
            }
            Err(broken) => return broken,
        }
    }
}
