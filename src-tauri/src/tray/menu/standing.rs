//! The state at a glance: that of the icon, and the sentence beside the pointer.
//!
//! Not here: the menu, and what the icon looks like (`tray/icon.rs`).

use super::{TraySnapshot, words};
use beckon_client::text::{Texts, Value};
use beckon_core::{SourceState, SourceView, Timestamp};
use jiff::tz::TimeZone;

/// The state that the icon shows. A state that holds notifications back or sends them elsewhere
/// goes before the number, which alone would promise a notification that nobody sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum IconState {
    /// No ask waits.
    #[default]
    Quiet,
    /// The number of asks that wait.
    Waiting(usize),
    /// No agent is reachable.
    NoSource,
    /// The human is away and their phone is told.
    Forwarding,
    /// Notifications are paused: no ask that comes rings.
    Paused,
}

impl TraySnapshot {
    /// Returns the state of the icon.
    pub(crate) fn icon(&self) -> IconState {
        match self.waiting {
            _ if self.paused_until.is_some() => IconState::Paused,
            0 if self.is_deaf() => IconState::NoSource,
            _ if self.forwards => IconState::Forwarding,
            0 => IconState::Quiet,
            count => IconState::Waiting(count),
        }
    }

    /// Returns the text beside the pointer.
    pub(crate) fn tooltip(&self, texts: &Texts, zone: &TimeZone, now: Timestamp) -> String {
        let sentence = self.sentence(texts, zone, now);
        match self.notices.first() {
            Some(notice) => format!("{sentence}\n{notice}"),
            None => sentence,
        }
    }

    fn sentence(&self, texts: &Texts, zone: &TimeZone, now: Timestamp) -> String {
        match self.icon() {
            IconState::Quiet => texts.get("tray-tooltip-quiet"),
            IconState::NoSource => texts.get("tray-tooltip-no-source"),
            IconState::Forwarding => self.forwarding(texts),
            IconState::Paused => self.paused(texts, zone, now),
            IconState::Waiting(count) => {
                let since = self.asks.iter().map(|ask| ask.entry.ask.asked_at).min();
                let longest = words::age(texts, now - since.unwrap_or(now));
                let args = [("count", Value::from(count)), ("age", Value::from(longest))];
                texts.with("tray-tooltip-waiting", &args)
            }
        }
    }

    /// Returns the sentence while the phone is told. It says "on the phone" only if every ask has a
    /// card there.
    fn forwarding(&self, texts: &Texts) -> String {
        let key = match self.on_phone == self.waiting {
            true => "tray-tooltip-on-phone",
            false => "tray-tooltip-away",
        };
        texts.with(key, &[("count", Value::from(self.waiting))])
    }

    fn paused(&self, texts: &Texts, zone: &TimeZone, now: Timestamp) -> String {
        let until = self.paused_until.unwrap_or(now);
        let time = Value::from(words::clock(texts, zone, until, now));
        let key = match self.waiting {
            0 if self.is_deaf() => "tray-tooltip-paused-no-source",
            _ => "tray-tooltip-paused",
        };
        texts.with(key, &[("time", time), ("count", Value::from(self.waiting))])
    }

    fn is_deaf(&self) -> bool {
        let hopeless = |source: &SourceView| match &source.state {
            SourceState::Live { .. } | SourceState::Connecting { error: None } => false,
            SourceState::Connecting { error: Some(_) } | SourceState::Unauthorized => true,
        };
        !self.sources.is_empty() && self.sources.iter().all(hopeless)
    }
}
