//! The loop's state for readers: everything at once, or news as it comes.

use crate::channels::desktop::ChannelState;
use crate::channels::telegram::TelegramView;
use crate::sources::UnreadParts;
use crate::tray;
use beckon_client::wire::{Leg, RegisteredServer, SourceKind, UpdateStatus};
use beckon_core::{DeskView, Entry, News, Timestamp};
use std::collections::BTreeMap;

/// Everything there is to see.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    /// The desk's view; without the asks if they were not requested.
    pub view: DeskView,
    /// The number of asks that wait for a human.
    pub open: usize,
    /// The sources' addresses, by name.
    pub places: BTreeMap<String, SourcePlace>,
    /// The sources that are other Beckons, each with a text about a circle, if it watches this one.
    pub beckons: BTreeMap<String, Option<String>>,
    /// The parts of the sources that could not be read, where there are some.
    pub gaps: BTreeMap<String, UnreadParts>,
    /// The number of asks since this start that could not be read.
    pub unreadable: usize,
    /// The servers that have registered themselves.
    pub registered: Vec<RegisteredServer>,
    /// The backends that tell where the human is, each with what it tells.
    pub legs: Vec<Leg>,
    /// The state of desktop notifications.
    pub desktop: ChannelState,
    /// The state of Telegram.
    pub telegram: TelegramView,
    /// The state of the tray, unless Beckon runs without one.
    pub tray: Option<tray::TrayState>,
    /// The search for a newer Beckon.
    pub updates: UpdateStatus,
    /// The warnings, as text.
    pub warnings: Vec<String>,
    /// The reason why there is no hot key although one is set. It is among the warnings, too.
    pub hotkey_error: Option<String>,
}

/// The address of a source, and its protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SourcePlace {
    /// The protocol that the source speaks.
    pub kind: SourceKind,
    /// The source's URL.
    pub url: String,
}

/// A piece of news with its time and the ask it is about.
#[derive(Clone, Debug)]
pub(crate) struct Bulletin {
    /// The time of the news.
    pub at: Timestamp,
    /// The news itself.
    pub news: News,
    /// The ask after the news.
    pub entry: Option<Entry>,
    /// The ask's name, as in every list.
    pub name: Option<String>,
}
