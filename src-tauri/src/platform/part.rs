//! The parts of the resident that it can do without. A part that panics at each start is left out
//! (`fault.rs`), so a task knows of which part it is, and hands that on to the tasks it begins.
//!
//! Work that a library begins by itself is known by the thread on which it runs, where a part has
//! threads of its own ([`Part::runtime_of_hub`]), or by where it panics ([`Part::of_place`]).
//!
//! Not here: what a part does.

#[cfg(feature = "hub")]
mod hub_runtime;

use futures_util::future::{Either, ready};
use std::cell::OnceCell;
use std::fmt;
use std::sync::OnceLock;
use tokio::task::JoinHandle;

tokio::task_local! {
    static CURRENT: Part;
}
thread_local! {
    static OF_THREAD: OnceCell<Part> = const { OnceCell::new() };
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
    /// Watches agent servers, all of them.
    Sources,
    /// Talks with Telegram.
    Telegram,
    /// Asks whether there is a newer version.
    Updates,
}

const SOURCE: &str = "source:";

/// The parts that talk with others, in the order in which they are left out when nobody knows which
/// of them panics: the most dispensable comes first, notifications last.
pub(crate) const TALKING: [Part; 7] = [
    Part::Hub,
    Part::Updates,
    Part::Discovery,
    Part::Presence,
    Part::Telegram,
    Part::Sources,
    Part::Notifications,
];

/// The libraries that only one part uses, as the registry names their folders.
const LIBRARIES: [(&str, Part); 7] = [
    ("async-nats-", Part::Hub),
    ("nkeys-", Part::Hub),
    ("mac-notification-sys-", Part::Notifications),
    ("mdns-sd-", Part::Discovery),
    ("minisign-verify-", Part::Updates),
    ("teloxide-", Part::Telegram),
    ("teloxide-core-", Part::Telegram),
];

/// Writes the part as an argument of the program.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Discovery => f.write_str("discovery"),
            Self::Hub => f.write_str("hub"),
            Self::Notifications => f.write_str("notifications"),
            Self::Presence => f.write_str("presence"),
            Self::Source(name) => write!(f, "{SOURCE}{name}"),
            Self::Sources => f.write_str("sources"),
            Self::Telegram => f.write_str("telegram"),
            Self::Updates => f.write_str("updates"),
        }
    }
}

impl Part {
    /// Reads a part from an argument; `None` for one that only another version may know.
    pub(crate) fn read(text: &str) -> Option<Self> {
        Some(match text {
            "discovery" => Self::Discovery,
            "hub" => Self::Hub,
            "notifications" => Self::Notifications,
            "presence" => Self::Presence,
            "sources" => Self::Sources,
            "telegram" => Self::Telegram,
            "updates" => Self::Updates,
            _ => Self::Source(text.strip_prefix(SOURCE)?.to_owned()),
        })
    }

    /// Runs the work of this part; does nothing if the part is left out.
    pub(crate) fn run<F: Future<Output = ()>>(self, work: F) -> impl Future<Output = ()> {
        if self.is_left_out() {
            Either::Left(ready(()))
        } else {
            Either::Right(CURRENT.scope(self, work))
        }
    }

    /// Marks what the loop does for this part as its work.
    pub(crate) fn during<T>(self, work: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self, work)
    }

    /// Tells whether the part is left out for as long as the program runs.
    pub(crate) fn is_left_out(&self) -> bool {
        let is_source = matches!(self, Self::Source(_));
        left_out().contains(self) || is_source && left_out().contains(&Self::Sources)
    }

    /// Returns the part whose work this is.
    pub(crate) fn current() -> Option<Self> {
        let of_thread = || OF_THREAD.try_with(|it| it.get().cloned()).ok().flatten();
        CURRENT.try_with(Self::clone).ok().or_else(of_thread)
    }

    /// Returns the part whose library stands in that file, by the name of the library's folder.
    pub(crate) fn of_place(file: &str) -> Option<Self> {
        let folders = || file.split(['/', '\\']);
        let is_version = |text: &str| text.starts_with(|it: char| it.is_ascii_digit());
        let known = LIBRARIES.iter().find(|(library, _)| {
            folders().any(|it| it.strip_prefix(library).is_some_and(is_version))
        });
        known.map(|(_, part)| part.clone())
    }
}

/// Leaves these parts out. To be called once, before any of them begins.
pub(crate) fn leave_out(parts: Vec<Part>) {
    let _ = LEFT_OUT.set(parts);
}

/// Returns the parts that are left out.
pub(crate) fn left_out() -> &'static [Part] {
    LEFT_OUT.get().map_or(&[], Vec::as_slice)
}

/// Spawns a task as work of the part that begins it.
pub(crate) fn spawn<F>(work: F) -> JoinHandle<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    tokio::spawn(within(work))
}

/// Spawns work on a thread that may wait, as work of the part that begins it.
pub(crate) fn spawn_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> JoinHandle<T> {
    match Part::current() {
        Some(part) => tokio::task::spawn_blocking(move || CURRENT.sync_scope(part, work)),
        None => tokio::task::spawn_blocking(work),
    }
}

/// Marks a future as work of the part that makes it, for whoever makes a task of it.
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
            Part::Sources,
            Part::Telegram,
            Part::Updates,
        ];
        for part in parts {
            assert_eq!(Part::read(&part.to_string()), Some(part));
        }
        assert_eq!(Part::read("a newer part"), None);
    }

    #[test]
    fn a_library_that_only_one_part_uses_is_known_by_its_folder() {
        let registry = "/home/me/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f";
        let of = |file: &str| Part::of_place(&format!("{registry}/{file}"));
        assert_eq!(of("async-nats-0.51.0/src/connection.rs"), Some(Part::Hub));
        assert_eq!(of("teloxide-core-0.13.0/src/bot.rs"), Some(Part::Telegram));
        let windows = r"C:\Users\me\.cargo\registry\src\x\mdns-sd-0.21.0\src\dns.rs";
        assert_eq!(Part::of_place(windows), Some(Part::Discovery));
        assert_eq!(of("bytes-1.10.0/src/bytes_mut.rs"), None);
        assert_eq!(of("async-nats-kit-1.0.0/src/lib.rs"), None);
        assert_eq!(Part::of_place("src-tauri/src/hub/connection.rs"), None);
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
