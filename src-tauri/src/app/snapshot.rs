//! What the loop shows of itself to those who only look: everything at once, or news as it comes.

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
    /// The desk; where nobody wants the asks, without them.
    pub view: DeskView,
    /// How many asks wait for a human.
    pub open: usize,
    /// Where the sources are, by name.
    pub places: BTreeMap<String, SourcePlace>,
    /// Which of them are other Beckons, and what is to be said of one.
    pub beckons: BTreeMap<String, Option<String>>,
    /// What could not be read of them, where that is something.
    pub gaps: BTreeMap<String, UnreadParts>,
    /// How often an agent asked something that could not be read, since this start.
    pub unreadable: usize,
    /// The servers that have registered themselves.
    pub registered: Vec<RegisteredServer>,
    /// Who tells where the human is, and what they say.
    pub legs: Vec<Leg>,
    /// Desktop notifications.
    pub desktop: ChannelState,
    /// Telegram.
    pub telegram: TelegramView,
    /// The tray, unless there is to be none.
    pub tray: Option<tray::TrayState>,
    /// Whether a newer Beckon is there.
    pub updates: UpdateStatus,
    /// What is amiss, in words.
    pub warnings: Vec<String>,
    /// Why there is no hot key although one is set; one of the warnings too.
    pub hotkey_error: Option<String>,
}

/// Where a source is, and what it speaks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SourcePlace {
    /// What it speaks.
    pub kind: SourceKind,
    /// Its address.
    pub url: String,
}

/// A piece of news with its time and the ask it is about.
#[derive(Clone, Debug)]
pub(crate) struct Bulletin {
    /// When.
    pub at: Timestamp,
    /// What.
    pub news: News,
    /// The ask, as it stands after it.
    pub entry: Option<Entry>,
    /// What the ask is called, as in every list.
    pub name: Option<String>,
}
