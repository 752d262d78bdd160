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
    /// What the human's other machines say about where the human is.
    pub seats: Vec<SeatView>,
    /// The channels that work.
    pub channels: Vec<Channel>,
    /// The end of the pause: nothing rings until then.
    pub paused_until: Option<Timestamp>,
    /// When asks are forwarded to the channels that reach a human who is away.
    pub forward: ForwardMode,
}

/// A view of the desk for a channel, to look up an ask as it is now, or an overview.
#[derive(Clone, Copy, Debug)]
pub struct ChannelView<'a> {
    desk: &'a Desk,
    now: Timestamp,
}

/// An ask with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct AskView {
    /// The name by which a person or a program refers to the ask: the source's own id, with
    /// `source/` before it when another source used the same id before.
    pub name: String,
    /// The ask, its state and its history on the desk.
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
    /// The measured presence, and what the human said about it.
    pub standing: PresenceState,
    /// Whether the human counts as away.
    pub away: bool,
    /// The time until which what they said holds.
    pub said_until: Option<Timestamp>,
    /// What the human's other machines say about where the human is.
    pub elsewhere: Elsewhere,
    /// Whether the presence is kept from the human's other machines.
    pub withheld: bool,
}

impl PresenceView {
    /// Whether the human sits at none of their machines, as far as is known.
    pub fn is_gone(&self) -> bool {
        self.away && self.elsewhere.is_nobody_seated()
    }
}

impl<'a> ChannelView<'a> {
    /// Makes a view of the desk at `now`.
    pub fn of(desk: &'a Desk, now: Timestamp) -> Self {
        Self { desk, now }
    }

    /// Returns the time of this view.
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

    /// Returns the ask for which a button was made, if that button can still answer it.
    pub fn entry_of(self, target: ButtonTarget) -> Option<&'a Entry> {
        self.desk.entry_of(target)
    }

    /// Returns this desk's target for a button that was made for an ask of that owner.
    pub fn shared_target(self, node: &str, made_for: ButtonTarget) -> Option<ButtonTarget> {
        self.desk.shared_target(node, made_for)
    }

    /// Returns the snapshot of the whole desk.
    pub fn overview(self) -> DeskView {
        self.desk.view(self.now)
    }
}

impl DeskView {
    /// Returns the asks that wait for a human: those that are open and whose session is still busy.
    pub fn waiting(&self) -> impl Iterator<Item = &AskView> {
        self.asks.iter().filter(|ask| ask.entry.waits())
    }

    /// Whether there are sources but none is reachable, so that it is unknown whether anybody
    /// waits.
    pub fn is_deaf(&self) -> bool {
        let live = |source: &SourceView| matches!(source.state, SourceState::Live { .. });
        !self.sources.is_empty() && !self.sources.iter().any(live)
    }

    /// Returns the asks that wait for a human, and the answered ones whose agent still waits.
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
