//! View → menu, tooltip and icon, as plain data that the platforms draw and tests compare.
//!
//! Not here: drawing, clocks, and what an action does.

mod asks;
mod latest;
mod presence;
#[cfg(test)]
mod tests;

pub(crate) use presence::OverrideUntil;

use super::latest::LatestAnswers;
use super::words::{WIDTH, cut};
use asks::ask_items;
use beckon_client::text::words::{self, age};
use beckon_client::text::{Texts, Value};
use beckon_client::wire::PauseFor;
use beckon_core::{
    AskView, ButtonPress, ButtonTarget, Channel, DeskView, ForwardMode, OnePress, PresenceOverride,
    PresenceView, SourceState, SourceView, Timestamp,
};
use jiff::tz::TimeZone;
use latest::latest_item;
use presence::presence_item;

/// More asks than that make no menu; the answer window and the command line have them all.
pub(crate) const MOST_ASKS: usize = 20;
const MOST_SOURCES: usize = 5;

/// What a click asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuAction {
    /// A button of an ask.
    Press {
        /// What stands in the menu.
        target: ButtonTarget,
        /// The button.
        press: ButtonPress,
    },
    /// Open the ask of that serial in the answer window.
    Open(u64),
    /// The human says where they are.
    Said {
        /// What they say.
        said: PresenceOverride,
        /// How long it holds.
        until: OverrideUntil,
    },
    /// No ringing for a while, or again.
    Pause(PauseFor),
    /// The menu itself opens: a window may be wanted next.
    OpenMenu,
    /// Open the answer window, whoever waits.
    OpenBeckon,
    /// Open what was asked and answered.
    OpenHistory,
    /// Open the settings.
    OpenSettings,
    /// Show the folder with the logs.
    OpenLogs,
    /// End the program.
    Quit,
}

/// A menu.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Menu {
    /// From top to bottom.
    pub lines: Vec<MenuLine>,
}

/// A line of a menu.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MenuLine {
    /// Something to read or press.
    Item(MenuEntry),
    /// A rule.
    Separator,
}

/// Something to read or press. One with children is a submenu.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MenuEntry {
    /// As a person reads it; nothing in it is escaped.
    pub label: String,
    /// Can it be pressed?
    pub enabled: bool,
    /// One of several of which one holds: is it this one?
    pub checked: Option<bool>,
    /// What pressing it asks for.
    pub action: Option<MenuAction>,
    /// Its submenu.
    pub children: Vec<MenuLine>,
}

/// What the icon says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum IconState {
    /// Nobody waits.
    #[default]
    Quiet,
    /// So many wait.
    Waiting(usize),
    /// No agent is reachable.
    NoSource,
    /// The human is away and Telegram rings.
    Forwarding,
    /// Nobody waits, and nobody who comes will be heard.
    Paused,
}

/// As much of a [`DeskView`] as the tray shows. Small, so that the loop can hand it over and go on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TraySnapshot {
    asks: Vec<AskView>,
    waiting: usize,
    sources: Vec<SourceView>,
    presence: PresenceView,
    forwards: bool,
    paused_until: Option<Timestamp>,
    latest: LatestAnswers,
    one_press: OnePress,
}

impl TraySnapshot {
    /// What of a view is to be seen, and the last answers.
    pub(super) fn of(view: &DeskView, latest: &LatestAnswers, one_press: OnePress) -> Self {
        Self {
            asks: view.wanting().take(MOST_ASKS).cloned().collect(),
            waiting: view.wanting().count(),
            sources: view.sources.clone(),
            presence: view.presence,
            forwards: view.presence.away
                && view.channels.contains(&Channel::Telegram)
                && view.forward != ForwardMode::Never,
            paused_until: view.paused_until,
            latest: latest.clone(),
            one_press,
        }
    }

    /// What a click on the icon asks for: the ask that has waited longest, else the calm window.
    pub(crate) fn clicked(&self) -> MenuAction {
        self.oldest().map_or(MenuAction::OpenBeckon, MenuAction::Open)
    }

    /// The serial of the ask that has waited longest.
    pub(crate) fn oldest(&self) -> Option<u64> {
        let mut waiting = self.asks.iter().filter(|ask| ask.entry.waits_now());
        waiting.next().map(|ask| ask.entry.serial)
    }

    /// Does a text of it change by mere waiting?
    pub(crate) fn ages(&self) -> bool {
        self.waiting > 0
    }

    /// The state of the icon.
    pub(crate) fn icon(&self) -> IconState {
        let hopeless = |source: &SourceView| match &source.state {
            SourceState::Live { .. } | SourceState::Connecting { error: None } => false,
            SourceState::Connecting { error: Some(_) } | SourceState::Unauthorized => true,
        };
        match self.waiting {
            0 if !self.sources.is_empty() && self.sources.iter().all(hopeless) => {
                IconState::NoSource
            }
            0 if self.paused_until.is_some() => IconState::Paused,
            0 if self.forwards => IconState::Forwarding,
            0 => IconState::Quiet,
            count => IconState::Waiting(count),
        }
    }

    /// The text beside the pointer.
    pub(crate) fn tooltip(&self, texts: &Texts, zone: &TimeZone, now: Timestamp) -> String {
        let said = self.standing(texts, now);
        let Some(until) = self.paused_until.filter(|until| *until > now) else { return said };
        let time = Value::from(words::clock(texts, zone, until, now));
        texts.with("tray-tooltip-paused", &[("said", Value::from(said)), ("time", time)])
    }

    fn standing(&self, texts: &Texts, now: Timestamp) -> String {
        match self.icon() {
            IconState::Quiet | IconState::Paused => texts.get("tray-tooltip-quiet"),
            IconState::NoSource => texts.get("tray-tooltip-no-source"),
            IconState::Forwarding => texts.get("tray-tooltip-forwarding"),
            IconState::Waiting(count) => {
                let since = self.asks.iter().map(|ask| ask.entry.ask.asked_at).min();
                let longest = age(texts, now - since.unwrap_or(now));
                let args = [("count", Value::from(count)), ("age", Value::from(longest))];
                texts.with("tray-tooltip-waiting", &args)
            }
        }
    }

    /// The menu at `now`.
    pub(crate) fn menu(&self, texts: &Texts, zone: &TimeZone, now: Timestamp) -> Menu {
        let mut lines = ask_items(texts, &self.asks, self.one_press);
        if self.waiting > self.asks.len() {
            let more = Value::from(self.waiting - self.asks.len());
            lines.push(note(texts.with("tray-more-asks", &[("count", more)])));
        }
        if !lines.is_empty() {
            lines.push(MenuLine::Separator);
        }
        let troubles = self.sources.iter().filter_map(|source| source_line(texts, source));
        lines.extend(troubles.take(MOST_SOURCES));
        lines.push(presence_item(texts, zone, &self.presence, now));
        lines.push(self.pause_item(texts, zone, now));
        lines.push(MenuLine::Separator);
        lines.push(pressable(texts.get("tray-open"), MenuAction::OpenBeckon));
        lines.extend(latest_item(texts, zone, &self.latest, now));
        lines.push(pressable(texts.get("tray-settings"), MenuAction::OpenSettings));
        lines.push(pressable(texts.get("tray-open-logs"), MenuAction::OpenLogs));
        lines.push(pressable(texts.get("tray-quit"), MenuAction::Quit));
        Menu { lines }
    }

    fn pause_item(&self, texts: &Texts, zone: &TimeZone, now: Timestamp) -> MenuLine {
        let pause = |key: &str, pause| pressable(texts.get(key), MenuAction::Pause(pause));
        match self.paused_until.filter(|until| *until > now) {
            Some(until) => {
                let time = Value::from(words::clock(texts, zone, until, now));
                let label = texts.with("tray-paused", &[("time", time)]);
                submenu(label, vec![pause("tray-pause-end", PauseFor::End)])
            }
            None => submenu(
                texts.get("tray-pause"),
                vec![
                    pause("tray-pause-half-hour", PauseFor::HalfHour),
                    pause("tray-pause-tomorrow", PauseFor::UntilTomorrow),
                ],
            ),
        }
    }
}

fn source_line(texts: &Texts, source: &SourceView) -> Option<MenuLine> {
    let key = match source.state {
        SourceState::Live { .. } | SourceState::Connecting { error: None } => return None,
        SourceState::Connecting { error: Some(_) } => "tray-source-unreachable",
        SourceState::Unauthorized => "tray-source-unauthorized",
    };
    let name = cut(&source.id.0, WIDTH / 3);
    Some(note(texts.with(key, &[("source", Value::from(name))])))
}

fn note(label: String) -> MenuLine {
    MenuLine::Item(MenuEntry { label: cut(&label, WIDTH), ..MenuEntry::default() })
}

fn pressable(label: String, action: MenuAction) -> MenuLine {
    let label = cut(&label, WIDTH);
    MenuLine::Item(MenuEntry { label, enabled: true, action: Some(action), ..MenuEntry::default() })
}

fn submenu(label: String, children: Vec<MenuLine>) -> MenuLine {
    MenuLine::Item(MenuEntry {
        label: cut(&label, WIDTH),
        enabled: true,
        children,
        ..MenuEntry::default()
    })
}
