//! The snapshot from which tray, windows, command line and API are drawn.

use crate::hub::{Elsewhere, SeatView};
use crate::{
    AskId, ButtonTarget, Channel, Desk, Entry, ForwardMode, PresenceState, SourceId, SourceState,
    Timestamp,
};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The snapshot of everything there is to see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeskView {
    /// The asks that are not settled, oldest first.
    pub asks: Vec<AskView>,
    /// The sources.
    pub sources: Vec<SourceView>,
    /// The human's presence.
    pub presence: PresenceView,
    /// The word of their other machines.
    pub seats: Vec<SeatView>,
    /// The channels that work.
    pub channels: Vec<Channel>,
    /// The end of the pause: nothing rings until then.
    pub paused_until: Option<Timestamp>,
    /// The times when asks go to where a human is reached who is away.
    pub forward: ForwardMode,
}

/// The view that a channel may look up when a human turns to it: an ask as it is now, and the
/// overview.
#[derive(Clone, Copy, Debug)]
pub struct ChannelView<'a> {
    desk: &'a Desk,
    now: Timestamp,
}

/// An ask with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct AskView {
    /// The name that a person or a program calls it by: the source's own id, with `source/` before
    /// it when another source used the same before.
    pub name: String,
    /// The ask and its state.
    pub entry: Entry,
}

/// A source with its connection.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceView {
    /// The source's name.
    pub id: SourceId,
    /// The source's connection.
    pub state: SourceState,
}

/// The human's presence.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PresenceView {
    /// The reading and what the human said.
    pub standing: PresenceState,
    /// Whether they count as away.
    pub away: bool,
    /// The time until which their word holds.
    pub said_until: Option<Timestamp>,
    /// The word of their other machines.
    pub elsewhere: Elsewhere,
    /// Whether the other machines are told nothing of it.
    pub withheld: bool,
}

impl PresenceView {
    /// Whether they sit at none of their machines, as far as is known.
    pub fn is_gone(&self) -> bool {
        self.away && self.elsewhere.is_nobody_seated()
    }
}

impl<'a> ChannelView<'a> {
    /// Makes a view of the desk at `now`.
    pub fn of(desk: &'a Desk, now: Timestamp) -> Self {
        Self { desk, now }
    }

    /// Returns the time that the clock shows.
    pub fn now(self) -> Timestamp {
        self.now
    }

    /// Returns the time until which nothing rings.
    pub fn paused_until(self) -> Option<Timestamp> {
        self.desk.outline(self.now).paused_until
    }

    /// Returns an ask that is not settled.
    pub fn entry(self, id: &AskId) -> Option<&'a Entry> {
        self.desk.entry(id)
    }

    /// Returns the asks that are not settled.
    pub fn entries(self) -> impl Iterator<Item = &'a Entry> {
        self.desk.asks().map(|(_, entry)| entry)
    }

    /// Returns the ask for which a button was made, if it can still be answered by that.
    pub fn entry_of(self, target: ButtonTarget) -> Option<&'a Entry> {
        self.desk.entry_of(target)
    }

    /// Returns the target here of a button that was made for an ask of that owner.
    pub fn shared_target(self, node: &str, made_for: ButtonTarget) -> Option<ButtonTarget> {
        self.desk.shared_target(node, made_for)
    }

    /// Returns everything that can be seen.
    pub fn overview(self) -> DeskView {
        self.desk.view(self.now)
    }
}

impl DeskView {
    /// Returns the asks that wait for a human: open, and their session still busy.
    pub fn waiting(&self) -> impl Iterator<Item = &AskView> {
        self.asks.iter().filter(|ask| ask.entry.waits())
    }

    /// Whether none of the sources is reachable, though there are some: then it is unknown who
    /// waits.
    pub fn is_deaf(&self) -> bool {
        let live = |source: &SourceView| matches!(source.state, SourceState::Live { .. });
        !self.sources.is_empty() && !self.sources.iter().any(live)
    }

    /// Returns the asks that wait for a human, and those whose agent still waits although they are
    /// answered.
    pub fn wanting(&self) -> impl Iterator<Item = &AskView> {
        self.asks.iter().filter(|ask| ask.entry.wants_a_human())
    }

    /// Returns the ask of that name.
    pub fn find(&self, name: &str) -> Option<&AskView> {
        self.asks
            .iter()
            .find(|ask| ask.name == name || ask.entry.ask.id.to_string() == name)
    }
}
