//! The backend for GNOME: `org.gnome.Mutter.IdleMonitor`, which calls back when keyboard and mouse
//! come to rest and when they are used again. Nothing is polled.

use super::bus::{BusKind, PresenceBus, member_from, new_owner};
use super::{BackendRequest, FactSink};
use crate::presence::evidence::{LastInput, PresenceFact};
use anyhow::{Context, Result, bail};
use beckon_core::{PresenceSource, Span};
use std::convert::Infallible;
use tokio::sync::watch;
use zbus::MatchRule;
use zbus::message::Type;
use zbus::names::OwnedUniqueName;

const NAME: &str = "org.gnome.Mutter.IdleMonitor";
const PATH: &str = "/org/gnome/Mutter/IdleMonitor/Core";

/// The idle monitor.
pub(super) struct Mutter {
    bus: PresenceBus,
    owner: OwnedUniqueName,
}

/// The number that a watch is known by.
type WatchNumber = u32;

impl Mutter {
    pub(super) async fn open() -> Result<Self> {
        let bus = PresenceBus::open(BusKind::Session).await?;
        bus.listen_for_owner(NAME).await?;
        let owner = bus
            .owner(NAME)
            .await?
            .context("Failed to find it: this is not GNOME")?;
        let rule = MatchRule::builder()
            .msg_type(Type::Signal)
            .sender(owner.clone())?
            .path(PATH)?;
        bus.listen(rule.build()).await?;
        let mutter = Self { bus, owner };
        mutter.untouched().await?;
        Ok(mutter)
    }

    pub(super) async fn run(
        mut self,
        sink: &FactSink,
        wish: &mut watch::Receiver<BackendRequest>,
    ) -> Result<Infallible> {
        let mut idle_after = wish.borrow_and_update().idle_after;
        let mut rests = self.watch_rest(idle_after).await?;
        let mut moves = self.look(sink, idle_after).await?;
        loop {
            tokio::select! {
                signal = self.bus.signal() => {
                    let signal = signal?;
                    if new_owner(&signal).is_some() {
                        bail!("Failed to go on: the idle monitor is gone");
                    }
                    if member_from(&signal, &self.owner).as_deref() != Some("WatchFired") {
                        continue;
                    }
                    let fired: WatchNumber = signal.body().deserialize()?;
                    if fired == rests || Some(fired) == moves {
                        moves = self.look(sink, idle_after).await?;
                    }
                }
                Ok(()) = wish.changed() => {
                    let wished = wish.borrow_and_update().idle_after;
                    if wished != idle_after {
                        idle_after = wished;
                        self.call::<_, ()>("RemoveWatch", &rests).await?;
                        rests = self.watch_rest(idle_after).await?;
                    }
                    moves = self.look(sink, idle_after).await?;
                }
            }
        }
    }

    /// Tells the state. While keyboard and mouse rest, a watch for the next input is added; such a
    /// watch fires once.
    async fn look(&self, sink: &FactSink, idle_after: Span) -> Result<Option<WatchNumber>> {
        let mut untouched = self.untouched().await?;
        let mut moves = None;
        if untouched >= idle_after {
            moves = Some(self.call("AddUserActiveWatch", &()).await?);
            // An input from before the watch was there would not be told.
            untouched = self.untouched().await?;
        }
        let idle = untouched >= idle_after;
        sink.post((
            PresenceSource::Mutter,
            PresenceFact::Hands {
                idle,
                last_input: LastInput::Ago(untouched),
            },
        ));
        Ok(moves)
    }

    async fn untouched(&self) -> Result<Span> {
        let millis: u64 = self.call("GetIdletime", &()).await?;
        Ok(Span::millis(i64::try_from(millis)?))
    }

    async fn watch_rest(&self, idle_after: Span) -> Result<WatchNumber> {
        self.call("AddIdleWatch", &u64::try_from(idle_after.0)?)
            .await
    }

    async fn call<A, R>(&self, method: &str, args: &A) -> Result<R>
    where
        A: serde::Serialize + zbus::zvariant::DynamicType,
        R: serde::de::DeserializeOwned + zbus::zvariant::Type,
    {
        self.bus.call(&self.owner, PATH, NAME, method, args).await
    }
}
