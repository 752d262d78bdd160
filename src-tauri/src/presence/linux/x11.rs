//! The backend for X11: the counter `IDLETIME` of the synchronisation extension, with an alarm for
//! coming to rest and one for moving again. Nothing is polled. Every X.Org server since 1.3 has it.
//!
//! See <https://www.x.org/releases/current/doc/xextproto/sync.html>.

use super::{BackendRequest, FactSink, blocking, readable};
use crate::presence::evidence::{LastInput, PresenceFact};
use anyhow::{Context, Result, ensure};
use beckon_core::{PresenceSource, Span};
use std::convert::Infallible;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use tokio::io::unix::AsyncFd;
use tokio::sync::{Semaphore, watch};
use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::Event;
use x11rb::protocol::sync::{
    Alarm, AlarmNotifyEvent, ChangeAlarmAux, ConnectionExt, Counter, CreateAlarmAux, Int64,
    TESTTYPE, VALUETYPE,
};
use x11rb::rust_connection::RustConnection;

static GATE: Semaphore = Semaphore::const_new(1);

/// The connection to the server.
pub(super) struct X11Watch {
    server: Arc<RustConnection>,
    counter: Counter,
    readable: AsyncFd<OwnedFd>,
}

/// The two alarms.
struct IdleAlarms {
    rests: Alarm,
    moves: Alarm,
}

impl X11Watch {
    pub(super) async fn open() -> Result<Self> {
        // In a Wayland session the X server is a guest and sees only what its own windows get.
        ensure!(
            std::env::var_os("WAYLAND_DISPLAY").is_none(),
            "this is a Wayland session"
        );
        let (server, counter) = blocking(&GATE, connect).await?;
        let readable = readable(server.stream().as_fd().try_clone_to_owned()?)?;
        Ok(Self {
            server: Arc::new(server),
            counter,
            readable,
        })
    }

    pub(super) async fn run(
        self,
        sink: &FactSink,
        wish: &mut watch::Receiver<BackendRequest>,
    ) -> Result<Infallible> {
        let mut idle_after = wish.borrow_and_update().idle_after;
        let alarms = self.set_alarms(idle_after)?;
        self.look(sink, idle_after).await?;
        loop {
            tokio::select! {
                ready = self.readable.readable() => {
                    let mut ready = ready?;
                    self.drain(&alarms, sink)?;
                    ready.clear_ready();
                }
                Ok(()) = wish.changed() => {
                    let wished = wish.borrow_and_update().idle_after;
                    if wished != idle_after {
                        idle_after = wished;
                        self.change_alarms(&alarms, idle_after)?;
                    }
                    self.look(sink, idle_after).await?;
                    // Events that came in beside the answer do not make the socket readable any
                    // more.
                    self.drain(&alarms, sink)?;
                }
            }
        }
    }

    /// Reads what has arrived, and tells of alarms.
    fn drain(&self, alarms: &IdleAlarms, sink: &FactSink) -> Result<()> {
        while let Some(event) = self.server.poll_for_event().context("Failed to go on")? {
            if let Event::SyncAlarmNotify(event) = event {
                alarms.ring(&event, sink);
            }
        }
        Ok(())
    }

    /// Asks the server how long there was no input, and tells it.
    async fn look(&self, sink: &FactSink, idle_after: Span) -> Result<()> {
        let (server, counter) = (self.server.clone(), self.counter);
        let query = move || {
            Ok(span(
                server.sync_query_counter(counter)?.reply()?.counter_value,
            ))
        };
        let untouched = blocking(&GATE, query).await?;
        let idle = untouched >= idle_after;
        sink.post((
            PresenceSource::X11,
            PresenceFact::Hands {
                idle,
                last_input: LastInput::Ago(untouched),
            },
        ));
        Ok(())
    }

    fn set_alarms(&self, idle_after: Span) -> Result<IdleAlarms> {
        Ok(IdleAlarms {
            rests: self.set_alarm(TESTTYPE::POSITIVE_TRANSITION, idle_after)?,
            moves: self.set_alarm(TESTTYPE::NEGATIVE_TRANSITION, just_before(idle_after))?,
        })
    }

    fn set_alarm(&self, test: TESTTYPE, at: Span) -> Result<Alarm> {
        let alarm = self.server.generate_id()?;
        let settings = CreateAlarmAux::new()
            .counter(self.counter)
            .value_type(VALUETYPE::ABSOLUTE)
            .value(int64(at))
            .test_type(test)
            // The alarm rings again at every such transition.
            .delta(int64(Span(0)))
            .events(1);
        self.server.sync_create_alarm(alarm, &settings)?;
        self.server.flush()?;
        Ok(alarm)
    }

    fn change_alarms(&self, alarms: &IdleAlarms, idle_after: Span) -> Result<()> {
        let at = |at| ChangeAlarmAux::new().value(int64(at));
        self.server
            .sync_change_alarm(alarms.rests, &at(idle_after))?;
        self.server
            .sync_change_alarm(alarms.moves, &at(just_before(idle_after)))?;
        Ok(self.server.flush()?)
    }
}

impl IdleAlarms {
    fn ring(&self, event: &AlarmNotifyEvent, sink: &FactSink) {
        let idle = event.alarm == self.rests;
        if idle || event.alarm == self.moves {
            let last_input = LastInput::Ago(span(event.counter_value));
            sink.post((
                PresenceSource::X11,
                PresenceFact::Hands { idle, last_input },
            ));
        }
    }
}

fn connect() -> Result<(RustConnection, Counter)> {
    let (server, _) = RustConnection::connect(None).context("Failed to reach an X server")?;
    let guest = server.extension_information("XWAYLAND")?.is_some();
    ensure!(!guest, "this X server is a guest of a Wayland compositor");
    server
        .sync_initialize(3, 1)?
        .reply()
        .context("Failed to find the SYNC extension")?;
    let counters = server.sync_list_system_counters()?.reply()?.counters;
    let idle = counters
        .into_iter()
        .find(|counter| counter.name == b"IDLETIME");
    let counter = idle.context("Failed to find the counter IDLETIME")?.counter;
    Ok((server, counter))
}

fn just_before(idle_after: Span) -> Span {
    Span(idle_after.0 - 1)
}

fn int64(span: Span) -> Int64 {
    let [b0, b1, b2, b3, lo @ ..] = span.0.to_be_bytes();
    Int64 {
        hi: i32::from_be_bytes([b0, b1, b2, b3]),
        lo: u32::from_be_bytes(lo),
    }
}

fn span(value: Int64) -> Span {
    Span((i64::from(value.hi) << 32) | i64::from(value.lo))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counters_halves_are_put_together_as_they_were_taken_apart() {
        for millis in [0, 30_000, i64::from(u32::MAX), 90 * 86_400_000, -1] {
            assert_eq!(span(int64(Span(millis))), Span(millis));
        }
    }
}
