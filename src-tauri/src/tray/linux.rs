//! The tray on Linux: a StatusNotifierItem by ksni, on a thread of its own.
//!
//! Not here: what is drawn (`menu.rs`). No GTK: the panel draws.

use super::icon::{Panel, SIZES, pixels};
use super::menu::{MenuEntry, MenuLine};
use super::{
    IconState, MenuAction, REDRAW, SharedTrayState, TimedGlimpse, TrayEvents, TrayPicture,
    TrayState, lock,
};
use beckon_client::text::{Texts, Value};
use ksni::blocking::{Handle, TrayMethods};
use ksni::menu::{RadioGroup, RadioItem, StandardItem, SubMenu};
use ksni::{Category, MenuItem, OfflineReason, ToolTip};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Without a session bus, or after it broke, it is tried again so often.
const RETRY: Duration = Duration::from_secs(30);

enum TrayCommand {
    Draw(Box<TimedGlimpse>),
    Quit,
}

/// The way to the tray's thread.
#[derive(Clone)]
pub(super) struct TrayHandle {
    commands: Sender<TrayCommand>,
    ended: Arc<(Mutex<bool>, Condvar)>,
}

impl TrayHandle {
    pub(super) fn draw(&self, seen: TimedGlimpse) {
        // After `quit` nobody is left to draw for.
        let _ = self.commands.send(TrayCommand::Draw(Box::new(seen)));
    }

    pub(super) fn quit(&self) {
        let _ = self.commands.send(TrayCommand::Quit);
        *lock(&self.ended.0) = true;
        self.ended.1.notify_all();
    }
}

pub(super) fn start(texts: Arc<Texts>, events: TrayEvents, state: SharedTrayState) -> TrayHandle {
    let (commands, inbox) = channel();
    let room = TrayThread { texts, events, state: state.clone() };
    let thread = std::thread::Builder::new().name("tray".into()).spawn(move || room.run(&inbox));
    if let Err(error) = thread {
        state.set(TrayState::Fails(error.to_string()));
    }
    TrayHandle { commands, ended: Arc::default() }
}

pub(super) fn run_main_loop(door: &TrayHandle) {
    let mut ended = lock(&door.ended.0);
    while !*ended {
        ended = door.ended.1.wait(ended).unwrap_or_else(std::sync::PoisonError::into_inner);
    }
}

pub(super) fn activation_token() -> Option<String> {
    ksni::current_xdg_activation_token()
}

/// What the thread works with.
struct TrayThread {
    texts: Arc<Texts>,
    events: TrayEvents,
    state: SharedTrayState,
}

impl TrayThread {
    fn run(self, inbox: &Receiver<TrayCommand>) {
        let mut seen = TimedGlimpse::nothing();
        let mut icon = self.connect(&seen);
        while let Some(next) = next(inbox, wait(icon.is_some(), &seen), &seen) {
            seen = next;
            let drawn = icon.as_ref().filter(|icon| !icon.is_closed());
            if drawn.and_then(|icon| icon.update(|it| it.show(seen.clone()))).is_none() {
                icon = self.connect(&seen);
            }
        }
        if let Some(icon) = icon {
            icon.shutdown().wait();
        }
    }

    fn connect(&self, seen: &TimedGlimpse) -> Option<Handle<TrayItem>> {
        let icon = TrayItem::new(self, seen.clone());
        let panel = icon.panel.clone();
        // With this assumption ksni waits for a panel that comes later.
        match icon.assume_sni_available(true).spawn() {
            Ok(icon) => {
                if panel.load(Ordering::Acquire) {
                    self.state.set(TrayState::Works);
                }
                Some(icon)
            }
            Err(error) => {
                self.state.set(TrayState::Fails(said(&self.texts, &error)));
                None
            }
        }
    }
}

fn said(texts: &Texts, error: &ksni::Error) -> String {
    match error {
        ksni::Error::Dbus(reason) => {
            texts.with("tray-error-bus", &[("reason", Value::from(reason.to_string()))])
        }
        _ => texts.get("tray-error-host"),
    }
}

/// How long until something is to be done unasked.
fn wait(connected: bool, seen: &TimedGlimpse) -> Option<Duration> {
    match connected {
        false => Some(RETRY),
        true => seen.glimpse.ages().then_some(REDRAW),
    }
}

/// The newest thing to draw, or what was drawn before when only time has passed; `None` at the end.
fn next(
    inbox: &Receiver<TrayCommand>,
    wait: Option<Duration>,
    before: &TimedGlimpse,
) -> Option<TimedGlimpse> {
    let first = match wait {
        Some(wait) => inbox.recv_timeout(wait),
        None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    let mut seen = match first {
        Ok(TrayCommand::Draw(seen)) => *seen,
        Err(RecvTimeoutError::Timeout) => before.clone(),
        Ok(TrayCommand::Quit) | Err(RecvTimeoutError::Disconnected) => return None,
    };
    while let Ok(command) = inbox.try_recv() {
        match command {
            TrayCommand::Draw(newer) => seen = *newer,
            TrayCommand::Quit => return None,
        }
    }
    Some(seen)
}

/// The item as ksni asks for it.
struct TrayItem {
    texts: Arc<Texts>,
    events: TrayEvents,
    state: SharedTrayState,
    seen: TimedGlimpse,
    picture: TrayPicture,
    pixels: Vec<ksni::Icon>,
    /// Does a panel show it? Assumed until ksni says otherwise.
    panel: Arc<AtomicBool>,
    /// Changes whenever some line of the menu means something else than before.
    odd: bool,
}

impl TrayItem {
    fn new(room: &TrayThread, seen: TimedGlimpse) -> Self {
        let picture = seen.picture(&room.texts);
        Self {
            texts: room.texts.clone(),
            events: room.events.clone(),
            state: room.state.clone(),
            pixels: argb(picture.icon),
            picture,
            seen,
            panel: Arc::new(AtomicBool::new(true)),
            odd: false,
        }
    }

    fn show(&mut self, seen: TimedGlimpse) {
        let picture = seen.picture(&self.texts);
        if picture.icon != self.picture.icon {
            self.pixels = argb(picture.icon);
        }
        if !picture.menu.has_shape_of(&self.picture.menu) {
            self.odd = !self.odd;
        }
        self.picture = picture;
        self.seen = seen;
    }
}

impl ksni::Tray for TrayItem {
    fn id(&self) -> String {
        "beckon".into()
    }

    fn title(&self) -> String {
        "Beckon".into()
    }

    fn category(&self) -> Category {
        Category::Communications
    }

    fn icon_pixmap(&self) -> Vec<ksni::Icon> {
        self.pixels.clone()
    }

    fn tool_tip(&self) -> ToolTip {
        ToolTip { title: self.picture.tooltip.clone(), ..ToolTip::default() }
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        (self.events)(self.seen.glimpse.clicked());
    }

    fn menu_about_to_show(&mut self) {
        // "12 s ago" was true when it was drawn.
        self.show(self.seen.clone());
        (self.events)(MenuAction::OpenMenu);
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        let mut items = vec![mark(self.odd)];
        items.extend(menu_items(&self.picture.menu.lines));
        items
    }

    fn watcher_online(&self) {
        self.panel.store(true, Ordering::Release);
        self.state.set(TrayState::Works);
    }

    fn watcher_offline(&self, reason: OfflineReason) -> bool {
        let text = match &reason {
            OfflineReason::Error(error) => said(&self.texts, error),
            _ => self.texts.get("tray-error-host"),
        };
        self.panel.store(false, Ordering::Release);
        self.state.set(TrayState::Fails(text));
        true
    }
}

/// An invisible line whose shape changes with `odd`. ksni keeps the ids of menu lines while the
/// shape of the menu stays, so a click in a menu that a panel still shows could reach another ask
/// that has taken the place of the one clicked. A new shape makes ksni forget the old ids.
fn mark(odd: bool) -> MenuItem<TrayItem> {
    let inside = || StandardItem { visible: false, ..StandardItem::default() }.into();
    let submenu = odd.then(inside).into_iter().collect();
    SubMenu { visible: false, submenu, ..SubMenu::default() }.into()
}

fn menu_items(lines: &[MenuLine]) -> Vec<MenuItem<TrayItem>> {
    let runs = lines.chunk_by(|one, next| one_of_several(one) && one_of_several(next));
    let drawn = |run: &[MenuLine]| match run.first().is_some_and(one_of_several) {
        true => vec![radio_group(run)],
        false => run.iter().map(menu_item).collect(),
    };
    runs.flat_map(drawn).collect()
}

fn one_of_several(line: &MenuLine) -> bool {
    matches!(line, MenuLine::Item(MenuEntry { checked: Some(_), .. }))
}

fn radio_group(lines: &[MenuLine]) -> MenuItem<TrayItem> {
    let items = lines.iter().filter_map(|line| match line {
        MenuLine::Item(item) => Some(item),
        MenuLine::Separator => None,
    });
    let selected = items.clone().position(|item| item.checked == Some(true));
    let actions: Vec<Option<MenuAction>> = items.clone().map(|item| item.action).collect();
    let options = items.map(|item| {
        let (label, enabled) = (escaped(&item.label), item.enabled);
        RadioItem { label, enabled, ..RadioItem::default() }
    });
    let select = Box::new(move |icon: &mut TrayItem, pressed: usize| {
        if let Some(Some(action)) = actions.get(pressed) {
            (icon.events)(*action);
        }
    });
    RadioGroup { selected: selected.unwrap_or(usize::MAX), select, options: options.collect() }
        .into()
}

/// The menu protocol takes an underscore for the mark of an access key.
fn escaped(label: &str) -> String {
    label.replace('_', "__")
}

fn menu_item(line: &MenuLine) -> MenuItem<TrayItem> {
    let item = match line {
        MenuLine::Separator => return MenuItem::Separator,
        MenuLine::Item(item) => item,
    };
    let MenuEntry { label, enabled, action, children, checked: _ } = item;
    let (label, enabled, action) = (escaped(label), *enabled, *action);
    let activate = Box::new(move |icon: &mut TrayItem| {
        if let Some(action) = action {
            (icon.events)(action);
        }
    });
    if !children.is_empty() {
        let submenu = menu_items(children);
        return SubMenu { label, enabled, submenu, ..SubMenu::default() }.into();
    }
    StandardItem { label, enabled, activate, ..StandardItem::default() }.into()
}

fn argb(state: IconState) -> Vec<ksni::Icon> {
    let pictures = SIZES.iter().filter_map(|&size| {
        let mut data = pixels(state, Panel::Dark, size).rgba;
        data.chunks_exact_mut(4).for_each(|pixel| pixel.rotate_right(1));
        let side = i32::try_from(size).ok()?;
        Some(ksni::Icon { width: side, height: side, data })
    });
    pictures.collect()
}

#[cfg(test)]
#[path = "linux/tests.rs"]
mod tests;
