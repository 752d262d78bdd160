//! The backend for Wayland: `ext-idle-notify-v1`, by which the compositor says when keyboard and
//! mouse have rested for a while and when they are used again. It does not say for how long they
//! have rested: a fresh notification counts from its own beginning, and so do we.
//!
//! See <https://wayland.app/protocols/ext-idle-notify-v1>.

use super::{BackendRequest, FactSink, blocking, readable};
use crate::presence::evidence::{LastInput, PresenceFact};
use anyhow::{Context, Result};
use beckon_core::{PresenceSource, Span};
use std::convert::Infallible;
use std::os::fd::OwnedFd;
use tokio::io::unix::AsyncFd;
use tokio::sync::{Semaphore, watch};
use wayland_client::backend::WaylandError;
use wayland_client::globals::{GlobalListContents, registry_queue_init};
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::{Connection, Dispatch, EventQueue, Proxy, QueueHandle, delegate_noop};
use wayland_protocols::ext::idle_notify::v1::client::ext_idle_notification_v1::{
    self, ExtIdleNotificationV1,
};
use wayland_protocols::ext::idle_notify::v1::client::ext_idle_notifier_v1::{
    self, ExtIdleNotifierV1,
};

static GATE: Semaphore = Semaphore::const_new(1);

/// The connection to the compositor.
pub(super) struct WaylandWatch {
    queue: EventQueue<EventSink>,
    readable: AsyncFd<OwnedFd>,
    notifier: ExtIdleNotifierV1,
    seat: WlSeat,
}

impl WaylandWatch {
    pub(super) async fn open() -> Result<Self> {
        let (connection, queue, notifier, seat) = blocking(&GATE, connect).await?;
        let socket = connection.backend().poll_fd().try_clone_to_owned()?;
        Ok(Self {
            queue,
            readable: readable(socket)?,
            notifier,
            seat,
        })
    }

    pub(super) async fn run(
        mut self,
        sink: &FactSink,
        wish: &mut watch::Receiver<BackendRequest>,
    ) -> Result<Infallible> {
        let mut idle_after = wish.borrow_and_update().idle_after;
        let mut notification = self.notify(idle_after)?;
        let mut heard = EventSink { sink: sink.clone() };
        heard.hands(false, Span(0));
        loop {
            self.queue.dispatch_pending(&mut heard)?;
            tokio::select! {
                ready = self.readable.readable() => {
                    let mut ready = ready?;
                    if !read(&self.queue)? {
                        ready.clear_ready();
                    }
                }
                Ok(()) = wish.changed() => {
                    let wished = wish.borrow_and_update().idle_after;
                    if wished != idle_after {
                        idle_after = wished;
                        notification.destroy();
                        notification = self.notify(idle_after)?;
                        heard.hands(false, Span(0));
                    }
                }
            }
        }
    }

    /// Asks for a notification. Where the compositor can tell input from what keeps a screen
    /// alight, only input counts: a film goes on although nobody is there.
    fn notify(&self, idle_after: Span) -> Result<ExtIdleNotificationV1> {
        let millis = u32::try_from(idle_after.0)?;
        let handle = self.queue.handle();
        let of_input = ext_idle_notifier_v1::REQ_GET_INPUT_IDLE_NOTIFICATION_SINCE;
        let notification = if self.notifier.version() >= of_input {
            self.notifier
                .get_input_idle_notification(millis, &self.seat, &handle, idle_after)
        } else {
            self.notifier
                .get_idle_notification(millis, &self.seat, &handle, idle_after)
        };
        self.queue.flush()?;
        Ok(notification)
    }
}

fn connect() -> Result<(Connection, EventQueue<EventSink>, ExtIdleNotifierV1, WlSeat)> {
    let connection = Connection::connect_to_env().context("Failed to reach a compositor")?;
    let (globals, queue) = registry_queue_init::<EventSink>(&connection)?;
    let handle = queue.handle();
    let notifier = globals
        .bind::<ExtIdleNotifierV1, _, _>(&handle, 1..=2, ())
        .context("Failed to find ext-idle-notify-v1")?;
    let seat = globals
        .bind::<WlSeat, _, _>(&handle, 1..=1, ())
        .context("Failed to find a seat")?;
    Ok((connection, queue, notifier, seat))
}

/// Reads what has arrived; returns false when that was all.
fn read(queue: &EventQueue<EventSink>) -> Result<bool> {
    // Without a guard there are events to dispatch first.
    let Some(guard) = queue.prepare_read() else {
        return Ok(true);
    };
    match guard.read() {
        Ok(_) => Ok(true),
        Err(WaylandError::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(error).context("Failed to go on"),
    }
}

/// The receiver of the compositor's events.
struct EventSink {
    sink: FactSink,
}

impl EventSink {
    fn hands(&self, idle: bool, untouched: Span) {
        let last_input = LastInput::Ago(untouched);
        self.sink.post((
            PresenceSource::Wayland,
            PresenceFact::Hands { idle, last_input },
        ));
    }
}

impl Dispatch<ExtIdleNotificationV1, Span> for EventSink {
    fn event(
        heard: &mut Self,
        _: &ExtIdleNotificationV1,
        event: ext_idle_notification_v1::Event,
        idle_after: &Span,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        match event {
            ext_idle_notification_v1::Event::Idled => heard.hands(true, *idle_after),
            ext_idle_notification_v1::Event::Resumed => heard.hands(false, Span(0)),
            _ => {}
        }
    }
}

impl Dispatch<WlRegistry, GlobalListContents> for EventSink {
    fn event(
        _: &mut Self,
        _: &WlRegistry,
        _: wl_registry::Event,
        _: &GlobalListContents,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
    }
}

delegate_noop!(EventSink: ExtIdleNotifierV1);
delegate_noop!(EventSink: ignore WlSeat);
