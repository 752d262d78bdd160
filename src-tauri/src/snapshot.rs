//! What the loop shows of itself to those who only look: everything at once, or news as it comes.

use beckon_core::{Entry, News, Timestamp, View};
use std::collections::BTreeMap;

/// Everything there is to see.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The desk.
    pub view: View,
    /// The addresses of the sources by name.
    pub urls: BTreeMap<String, String>,
    /// Desktop notifications.
    pub desktop: ChannelState,
    /// What is amiss, in words.
    pub warnings: Vec<String>,
}

/// Does a channel work?
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ChannelState {
    /// Not known yet.
    #[default]
    Starting,
    /// It does, through the service of that name.
    Works(String),
    /// It does not, for that reason.
    Down(String),
}

/// A piece of news with its time and the ask it is about.
#[derive(Clone, Debug)]
pub struct Bulletin {
    /// When.
    pub at: Timestamp,
    /// What.
    pub news: News,
    /// The ask, as it stands after it.
    pub entry: Option<Entry>,
}
