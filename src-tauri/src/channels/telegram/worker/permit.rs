//! The permit by which anything is sent and polled. Where several machines share the bot it runs
//! out by itself, and a process that was stopped looks at the clock before it goes on.
//!
//! Not here: who gets it (`beckon_core::hub`).

use beckon_client::platform::clock;
use beckon_core::hub::Permit;
use std::time::Duration;
use tokio::sync::watch;

/// The permit as it was told last.
#[derive(Clone, Debug)]
pub(in crate::channels::telegram) struct SendPermit(watch::Receiver<Permit>);

impl SendPermit {
    pub(in crate::channels::telegram) fn new(told: watch::Receiver<Permit>) -> Self {
        Self(told)
    }

    /// Whether a call may begin.
    pub(in crate::channels::telegram) fn allows(&self) -> bool {
        self.0.borrow().allows(clock::steady())
    }

    pub(super) fn told(&mut self) -> Permit {
        *self.0.borrow_and_update()
    }

    /// Waits until another permit is told.
    pub(super) async fn changed(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending().await
        }
    }

    /// Returns when nothing may be sent any more.
    pub(super) async fn ended(&mut self) {
        loop {
            let (told, now) = (self.told(), clock::steady());
            if !told.allows(now) {
                return;
            }
            let left = match told {
                Permit::Until(until) => u64::try_from(until.0 - now.0).ok(),
                _ => None,
            };
            tokio::select! {
                () = self.changed() => {}
                () = over(left) => {}
            }
        }
    }
}

async fn over(millis: Option<u64>) {
    match millis {
        Some(millis) => tokio::time::sleep(Duration::from_millis(millis)).await,
        None => std::future::pending().await,
    }
}
