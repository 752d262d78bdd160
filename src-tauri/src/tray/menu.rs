//! The menu, tooltip and icon for a view of the desk, as plain data that the platforms draw and
//! tests compare.
//!
//! Not here: drawing, clocks, and what an action does.

mod asks;
mod latest;
mod presence;
mod standing;
#[cfg(test)]
mod tests;

pub(crate) use presence::OverrideUntil;
pub(crate) use standing::IconState;

use super::latest::LatestAnswers;
use super::words::{WIDTH, cut};
use asks::ask_items;
use beckon_client::text::words;
use beckon_client::text::{Texts, Value};
use beckon_client::wire::PauseFor;
use beckon_core::hub::HUB_SOURCE;
use beckon_core::{
    AskView, ButtonPress, ButtonTarget, Channel, DeskView, ForwardMode, OnePress, PresenceOverride,
    PresenceView, SourceFault, SourceState, SourceView, Timestamp,
};
use jiff::tz::TimeZone;
use latest::latest_item;
use presence::presence_item;

/// The most asks in the menu; the answer window and the command line have them all.
pub(crate) const MOST_ASKS: usize = 20;
const MOST_SOURCES: usize = 5;

/// The action that a click asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuAction {
    /// A button of an ask.
    Press {
        /// The ask that stands in the menu.
        target: ButtonTarget,
        /// The button.
        press: ButtonPress,
    },
    /// Open the ask of that serial in the answer window.
    Open(u64),
    /// Go to where the session of the ask of that serial runs.
    OpenSession(u64),
    /// State where the human is.
    Said {
        /// The presence that they state.
        said: PresenceOverride,
        /// The time until which it holds.
        until: OverrideUntil,
    },
    /// Stop ringing for a while, or ring again.
    Pause(PauseFor),
    /// Prepare for a window: the menu itself opens, and a window may be wanted next.
    OpenMenu,
    /// Open the answer window, whichever ask waits.
    OpenBeckon,
    /// Open the list of all that waits.
    OpenInbox,
    /// Open what was asked and answered.
    OpenHistory,
    /// Open the settings.
    OpenSettings,
    /// End the program.
    Quit,
}

/// A menu.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Menu {
    /// The lines from top to bottom.
    pub lines: Vec<MenuLine>,
}

/// A line of a menu.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MenuLine {
    /// Something to read or press.
    Item(MenuEntry),
    /// A line that separates sections.
    Separator,
}

/// An entry to read or press. One with children is a submenu.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MenuEntry {
    /// The text as a person reads it; nothing in it is escaped.
    pub label: String,
    /// Whether it can be pressed.
    pub enabled: bool,
    /// Whether this one holds, if it is one of several of which one does.
    pub checked: Option<bool>,
    /// The action that pressing it asks for.
    pub action: Option<MenuAction>,
    /// The lines of its submenu.
    pub children: Vec<MenuLine>,
}

impl Menu {
    /// Tells whether two menus differ in words alone. Then one that is open may stay open, and a
    /// press in it means the same.
    pub(crate) fn has_shape_of(&self, other: &Self) -> bool {
        have_one_shape(&self.lines, &other.lines)
    }
}

fn have_one_shape(lines: &[MenuLine], others: &[MenuLine]) -> bool {
    let alike = |(line, other): (&MenuLine, &MenuLine)| match (line, other) {
        (MenuLine::Separator, MenuLine::Separator) => true,
        (MenuLine::Item(line), MenuLine::Item(other)) => {
            let kind = |entry: &MenuEntry| (entry.action, entry.enabled, entry.checked.is_some());
            kind(line) == kind(other) && have_one_shape(&line.children, &other.children)
        }
        _ => false,
    };
    lines.len() == others.len() && lines.iter().zip(others).all(alike)
}

/// The part of a [`DeskView`] that the tray shows. It is small, so that the loop can hand it over
/// and go on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TraySnapshot {
    asks: Vec<AskView>,
    waiting: usize,
    /// The number of those that have a card on the phone.
    on_phone: usize,
    sources: Vec<SourceView>,
    presence: PresenceView,
    /// The machines at which the human sits instead, as [`PresenceView::elsewhere`] means it.
    seated: Vec<String>,
    forwards: bool,
    paused_until: Option<Timestamp>,
    latest: LatestAnswers,
    one_press: OnePress,
    /// The notices about what keeps a phone from ringing, a sentence each.
    notices: Vec<String>,
}

impl TraySnapshot {
    /// Takes from a view what the tray shows, with the last answers.
    pub(super) fn of(view: &DeskView, latest: &LatestAnswers, one_press: OnePress) -> Self {
        Self {
            asks: view.wanting().take(MOST_ASKS).cloned().collect(),
            waiting: view.wanting().count(),
            on_phone: view
                .wanting()
                .filter(|ask| ask.entry.cards.contains_key(&Channel::Telegram))
                .count(),
            sources: view.sources.clone(),
            presence: view.presence,
            seated: view
                .seats
                .iter()
                .filter(|seat| seat.seated)
                .map(|seat| cut(&seat.machine, WIDTH / 3))
                .collect(),
            forwards: view.presence.is_gone()
                && view.channels.contains(&Channel::Telegram)
                && view.forward != ForwardMode::Never,
            paused_until: view.paused_until,
            latest: latest.clone(),
            one_press,
            notices: Vec::new(),
        }
    }

    /// Returns the same with notices about what keeps a phone from ringing.
    pub(crate) fn with_notices(self, notices: Vec<String>) -> Self {
        Self { notices, ..self }
    }

    /// Takes a snapshot in which nothing was answered yet.
    #[cfg(test)]
    pub(crate) fn without_answers(view: &DeskView) -> Self {
        Self::of(view, &LatestAnswers::default(), OnePress::default())
    }

    /// Returns what a click on the icon asks for: the ask that has waited longest, else the calm
    /// window.
    pub(crate) fn clicked(&self) -> MenuAction {
        self.oldest()
            .map_or(MenuAction::OpenBeckon, MenuAction::Open)
    }

    /// Returns the serial of the ask that has waited longest.
    pub(crate) fn oldest(&self) -> Option<u64> {
        let mut waiting = self.asks.iter().filter(|ask| ask.entry.waits_now());
        waiting.next().map(|ask| ask.entry.serial)
    }

    /// Tells whether one of its texts changes as time passes.
    pub(crate) fn ages(&self) -> bool {
        self.waiting > 0
    }

    /// Returns the menu at `now`.
    pub(crate) fn menu(&self, texts: &Texts, zone: &TimeZone, now: Timestamp) -> Menu {
        let sections = [
            self.way_out(texts, zone, now),
            self.requests(texts, now),
            vec![pressable(texts.get("tray-open"), MenuAction::OpenBeckon)]
                .into_iter()
                .chain(latest_item(texts, zone, &self.latest, now))
                .collect(),
            vec![presence_item(
                texts,
                zone,
                (&self.presence, &self.seated),
                now,
            )]
            .into_iter()
            .chain(self.pause_item(texts, now))
            .collect(),
            vec![
                pressable(texts.get("tray-settings"), MenuAction::OpenSettings),
                pressable(texts.get("tray-quit"), MenuAction::Quit),
            ],
        ];
        let sections: Vec<Vec<MenuLine>> = sections
            .into_iter()
            .filter(|section| !section.is_empty())
            .collect();
        Menu {
            lines: sections.join(&MenuLine::Separator),
        }
    }

    /// Returns the lines of who waits, and of what keeps others from being heard.
    fn requests(&self, texts: &Texts, now: Timestamp) -> Vec<MenuLine> {
        let mut lines = ask_items(texts, &self.asks, self.one_press, now);
        if self.waiting > self.asks.len() {
            let more = [("count", Value::from(self.waiting - self.asks.len()))];
            lines.push(pressable(
                texts.with("tray-more-asks", &more),
                MenuAction::OpenInbox,
            ));
        }
        let mut troubles: Vec<MenuLine> = Vec::new();
        for trouble in self
            .sources
            .iter()
            .filter_map(|source| source_line(texts, source))
        {
            // Without the hub all machines have the same line.
            if !troubles.contains(&trouble) {
                troubles.push(trouble);
            }
        }
        lines.extend(troubles.into_iter().take(MOST_SOURCES));
        let notices = self.notices.iter().take(MOST_SOURCES);
        lines.extend(notices.map(|notice| note(notice.clone())));
        lines
    }

    /// Returns the lines that end a pause, which come first while nothing rings.
    fn way_out(&self, texts: &Texts, zone: &TimeZone, now: Timestamp) -> Vec<MenuLine> {
        let Some(until) = self.pause(now) else {
            return Vec::new();
        };
        let time = [("time", Value::from(words::clock(texts, zone, until, now)))];
        let resume = MenuAction::Pause(PauseFor::End);
        vec![
            note(texts.with("tray-paused", &time)),
            pressable(texts.get("tray-pause-end"), resume),
        ]
    }

    fn pause_item(&self, texts: &Texts, now: Timestamp) -> Option<MenuLine> {
        let pause = |key: &str, pause| pressable(texts.get(key), MenuAction::Pause(pause));
        let lengths = vec![
            pause("tray-pause-half-hour", PauseFor::HalfHour),
            pause("tray-pause-tomorrow", PauseFor::UntilTomorrow),
            MenuLine::Separator,
            note(texts.get("tray-pause-means")),
        ];
        self.pause(now)
            .is_none()
            .then(|| submenu(texts.get("tray-pause"), lengths))
    }

    fn pause(&self, now: Timestamp) -> Option<Timestamp> {
        self.paused_until.filter(|until| *until > now)
    }
}

fn source_line(texts: &Texts, source: &SourceView) -> Option<MenuLine> {
    let key = match source.state {
        SourceState::Live { .. } | SourceState::Connecting { error: None } => return None,
        SourceState::Connecting {
            error: Some(SourceFault::HubDown),
        } => "tray-hub-down",
        SourceState::Connecting { error: Some(_) } => "tray-source-unreachable",
        SourceState::Unauthorized => "tray-source-unauthorized",
    };
    let name = source.id.0.strip_prefix(HUB_SOURCE).unwrap_or(&source.id.0);
    let name = cut(name, WIDTH / 3);
    Some(note(texts.with(key, &[("source", Value::from(name))])))
}

fn note(label: String) -> MenuLine {
    MenuLine::Item(MenuEntry {
        label: cut(&label, WIDTH),
        ..MenuEntry::default()
    })
}

fn pressable(label: String, action: MenuAction) -> MenuLine {
    let label = cut(&label, WIDTH);
    MenuLine::Item(MenuEntry {
        label,
        enabled: true,
        action: Some(action),
        ..MenuEntry::default()
    })
}

fn submenu(label: String, children: Vec<MenuLine>) -> MenuLine {
    MenuLine::Item(MenuEntry {
        label: cut(&label, WIDTH),
        enabled: true,
        children,
        ..MenuEntry::default()
    })
}
