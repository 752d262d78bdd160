//! The parts of the resident that it can do without. What panics at each start is left out
//! (`fault.rs`), so a task knows of which part it is, and hands that on to those it begins.
//!
//! Not here: what a part does. What libraries begin by themselves is of no part.

use futures_util::future::{Either, ready};
use std::fmt;
use std::sync::OnceLock;
use tokio::task::JoinHandle;

tokio::task_local! {
    static CURRENT: Part;
}
static LEFT_OUT: OnceLock<Vec<Part>> = OnceLock::new();

/// A part, by what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Looks for servers on this machine.
    Discovery,
    /// Talks with other machines.
    Hub,
    /// Shows notifications.
    Notifications,
    /// Knows whether somebody is here.
    Presence,
    /// Watches an agent server; its name.
    Source(String),
    /// Talks with Telegram.
    Telegram,
    /// Asks whether there is a newer version.
    Updates,
}

const SOURCE: &str = "source:";

/// As an argument of the program.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Discovery => f.write_str("discovery"),
            Self::Hub => f.write_str("hub"),
            Self::Notifications => f.write_str("notifications"),
            Self::Presence => f.write_str("presence"),
            Self::Source(name) => write!(f, "{SOURCE}{name}"),
            Self::Telegram => f.write_str("telegram"),
            Self::Updates => f.write_str("updates"),
        }
    }
}

impl Part {
    /// What is written of it; `None` for what another version may know.
    pub(crate) fn read(text: &str) -> Option<Self> {
        Some(match text {
            "discovery" => Self::Discovery,
            "hub" => Self::Hub,
            "notifications" => Self::Notifications,
            "presence" => Self::Presence,
            "telegram" => Self::Telegram,
            "updates" => Self::Updates,
            _ => Self::Source(text.strip_prefix(SOURCE)?.to_owned()),
        })
    }

    /// Work of this part: nothing, if it is left out.
    pub(crate) fn run<F: Future<Output = ()>>(self, work: F) -> impl Future<Output = ()> {
        match self.is_left_out() {
            true => Either::Left(ready(())),
            false => Either::Right(CURRENT.scope(self, work)),
        }
    }

    /// What the loop does for this part.
    pub(crate) fn during<T>(self, work: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self, work)
    }

    /// It does nothing for as long as the program runs.
    pub(crate) fn is_left_out(&self) -> bool {
        left_out().contains(self)
    }

    /// The part whose work this is.
    pub(crate) fn current() -> Option<Self> {
        CURRENT.try_with(Self::clone).ok()
    }
}

/// The program runs without these. To be said once, before any of them begins.
pub(crate) fn leave_out(parts: Vec<Part>) {
    let _ = LEFT_OUT.set(parts);
}

/// Those without which the program runs.
pub(crate) fn left_out() -> &'static [Part] {
    LEFT_OUT.get().map_or(&[], Vec::as_slice)
}

/// Work of the part that begins it, in a task of its own.
pub(crate) fn spawn<F>(work: F) -> JoinHandle<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    tokio::spawn(within(work))
}

/// Work of the part that begins it, on a thread that may wait.
pub(crate) fn spawn_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> JoinHandle<T> {
    match Part::current() {
        Some(part) => tokio::task::spawn_blocking(move || CURRENT.sync_scope(part, work)),
        None => tokio::task::spawn_blocking(work),
    }
}

/// Work of the part that begins it, for whoever makes a task of it.
pub(crate) fn within<F: Future>(work: F) -> impl Future<Output = F::Output> {
    match Part::current() {
        Some(part) => Either::Left(CURRENT.scope(part, work)),
        None => Either::Right(work),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_read_from_what_is_written_of_it() {
        let source = |name: &str| Part::Source(name.into());
        let parts = [
            Part::Discovery,
            Part::Hub,
            Part::Notifications,
            Part::Presence,
            source("local 4096"),
            source("hub"),
            source(""),
            Part::Telegram,
            Part::Updates,
        ];
        for part in parts {
            assert_eq!(Part::read(&part.to_string()), Some(part));
        }
        assert_eq!(Part::read("a newer part"), None);
    }

    #[tokio::test]
    async fn a_task_is_of_the_part_that_began_it_however_deep() {
        let told = |part: Option<Part>| assert_eq!(part, Some(Part::Hub));
        let work = async move {
            told(Part::current());
            spawn(async move {
                told(Part::current());
                spawn_blocking(move || told(Part::current())).await.unwrap();
                told(spawn(async { Part::current() }).await.unwrap());
            })
            .await
            .unwrap();
        };
        Part::Hub.run(work).await;
        assert_eq!(Part::current(), None);
        assert_eq!(spawn(async { Part::current() }).await.unwrap(), None);
    }
}
