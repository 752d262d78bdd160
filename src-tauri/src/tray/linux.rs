//! The tray on Linux: a StatusNotifierItem by ksni, on a thread of its own.
//!
//! Not here: what is drawn (`menu.rs`), the lines of the menu (`linux/lines.rs`), when they may
//! move (`linux/held.rs`), and what the panel is like (`linux/panel.rs`). It needs no GTK, since the
//! panel draws.

#[path = "linux/held.rs"]
mod held;
#[path = "linux/lines.rs"]
mod lines;
#[path = "linux/panel.rs"]
mod panel;

use super::icon::{Panel, SIZES, pixels};
use super::{
    IconState, Menu, MenuAction, REDRAW, SharedTrayState, TimedGlimpse, TrayEvents, TrayPicture,
    TrayState, lock,
};
use beckon_client::text::{Texts, Value};
use held::HeldMenu;
use ksni::blocking::{Handle, TrayMethods};
use ksni::{Category, MenuItem, OfflineReason, ToolTip};
use lines::{mark, menu_items};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// The time after which a session bus that is not there, or broke, is tried again.
const RETRY: Duration = Duration::from_secs(30);

enum TrayCommand {
    Draw(Box<TimedGlimpse>),
    /// The panel's tone has changed: draws the same in the other tone.
    Again,
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
    let panel = Arc::new(Mutex::new(Panel::Dark));
    let room = TrayThread {
        texts,
        events,
        state: state.clone(),
        panel: panel.clone(),
    };
    let again = commands.clone();
    panel::watch(move |seen| {
        *lock(&panel) = seen;
        // After `quit` nobody is left to draw for.
        let _ = again.send(TrayCommand::Again);
    });
    let thread = std::thread::Builder::new()
        .name("tray".into())
        .spawn(move || room.run(&inbox));
    if let Err(error) = thread {
        state.set(TrayState::Fails(error.to_string()));
    }
    TrayHandle {
        commands,
        ended: Arc::default(),
    }
}

pub(super) fn run_main_loop(door: &TrayHandle) {
    let mut ended = lock(&door.ended.0);
    while !*ended {
        ended = door
            .ended
            .1
            .wait(ended)
            .unwrap_or_else(std::sync::PoisonError::into_inner);
    }
}

pub(super) fn activation_token() -> Option<String> {
    ksni::current_xdg_activation_token()
}

/// The state with which the tray's thread works.
struct TrayThread {
    texts: Arc<Texts>,
    events: TrayEvents,
    state: SharedTrayState,
    panel: Arc<Mutex<Panel>>,
}

impl TrayThread {
    fn run(self, inbox: &Receiver<TrayCommand>) {
        let mut seen = TimedGlimpse::nothing();
        let mut icon = self.connect(&seen);
        let mut held = None;
        while let Some(next) = next(inbox, wait(icon.is_some(), held, &seen), &seen) {
            seen = next;
            let open = icon.as_ref().filter(|icon| !icon.is_closed());
            let drawn = open.and_then(|icon| icon.update(|it| it.show(seen.clone())));
            held = drawn.as_ref().and_then(|drawn| drawn.held);
            if drawn.is_none() {
                icon = self.connect(&seen);
            }
        }
        if let Some(icon) = icon {
            icon.shutdown().wait();
        }
    }

    fn connect(&self, seen: &TimedGlimpse) -> Option<Handle<TrayItem>> {
        let icon = TrayItem::new(self, seen.clone());
        let hosted = icon.hosted.clone();
        // With this assumption ksni waits for a panel that comes later.
        match icon.assume_sni_available(true).spawn() {
            Ok(icon) => {
                if hosted.load(Ordering::Acquire) {
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
        ksni::Error::Dbus(reason) => texts.with(
            "tray-error-bus",
            &[("reason", Value::from(reason.to_string()))],
        ),
        _ => texts.get("tray-error-host"),
    }
}

/// Returns how long until something is to be done unasked. Lines that are held back come when it is
/// their turn.
fn wait(connected: bool, held: Option<Duration>, seen: &TimedGlimpse) -> Option<Duration> {
    if !connected {
        return Some(RETRY);
    }
    let ages = seen.glimpse.ages().then_some(REDRAW);
    ages.into_iter().chain(held).min()
}

/// The result of drawing the tray once.
struct DrawnTray {
    /// How long lines of the menu are held back that have changed.
    held: Option<Duration>,
}

/// Returns the newest thing to draw, or what was drawn before when only time has passed; `None` at
/// the end.
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
        Ok(TrayCommand::Again) | Err(RecvTimeoutError::Timeout) => before.clone(),
        Ok(TrayCommand::Quit) | Err(RecvTimeoutError::Disconnected) => return None,
    };
    while let Ok(command) = inbox.try_recv() {
        match command {
            TrayCommand::Draw(newer) => seen = *newer,
            TrayCommand::Again => {}
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
    tooltip: String,
    icon: IconState,
    menu: HeldMenu,
    pixels: Vec<ksni::Icon>,
    panel: Arc<Mutex<Panel>>,
    /// The tone for which its pixels were drawn.
    drawn_for: Panel,
    /// Whether a panel shows it. That is assumed until ksni says otherwise.
    hosted: Arc<AtomicBool>,
}

impl TrayItem {
    fn new(room: &TrayThread, seen: TimedGlimpse) -> Self {
        let picture = seen.picture(&room.texts);
        let drawn_for = *lock(&room.panel);
        Self {
            texts: room.texts.clone(),
            events: room.events.clone(),
            state: room.state.clone(),
            pixels: argb(picture.icon, drawn_for),
            tooltip: picture.tooltip,
            icon: picture.icon,
            menu: HeldMenu::new(picture.menu),
            seen,
            panel: room.panel.clone(),
            drawn_for,
            hosted: Arc::new(AtomicBool::new(true)),
        }
    }

    fn show(&mut self, seen: TimedGlimpse) -> DrawnTray {
        let now = Instant::now();
        let menu = self.look(&seen);
        self.menu.draw(menu, now);
        self.seen = seen;
        DrawnTray {
            held: self.menu.waits(now),
        }
    }

    /// Takes over all but the menu, and returns that.
    fn look(&mut self, seen: &TimedGlimpse) -> Menu {
        let TrayPicture {
            menu,
            tooltip,
            icon,
        } = seen.picture(&self.texts);
        let panel = *lock(&self.panel);
        if icon != self.icon || panel != self.drawn_for {
            self.pixels = argb(icon, panel);
            self.drawn_for = panel;
        }
        self.icon = icon;
        self.tooltip = tooltip;
        menu
    }

    /// A line of the menu was pressed.
    fn press(&mut self, action: MenuAction) {
        if self.menu.press(Instant::now()) {
            (self.events)(action);
        } else {
            tracing::info!("a press in the tray's menu was aimed before its lines moved");
        }
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
        ToolTip {
            title: self.tooltip.clone(),
            ..ToolTip::default()
        }
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        (self.events)(self.seen.glimpse.clicked());
    }

    fn menu_about_to_show(&mut self) {
        // A text such as "12 s ago" was true when it was drawn.
        let menu = self.look(&self.seen.clone());
        self.menu.open(menu, Instant::now());
        (self.events)(MenuAction::OpenMenu);
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        let mut items = vec![mark(self.menu.is_odd())];
        items.extend(menu_items(&self.menu.shown().lines));
        items
    }

    fn watcher_online(&self) {
        self.hosted.store(true, Ordering::Release);
        self.state.set(TrayState::Works);
    }

    fn watcher_offline(&self, reason: OfflineReason) -> bool {
        let text = match &reason {
            OfflineReason::Error(error) => said(&self.texts, error),
            _ => self.texts.get("tray-error-host"),
        };
        self.hosted.store(false, Ordering::Release);
        self.state.set(TrayState::Fails(text));
        true
    }
}

fn argb(state: IconState, panel: Panel) -> Vec<ksni::Icon> {
    let pictures = SIZES.iter().filter_map(|&size| {
        let mut data = pixels(state, panel, size).rgba;
        data.chunks_exact_mut(4)
            .for_each(|pixel| pixel.rotate_right(1));
        let side = i32::try_from(size).ok()?;
        Some(ksni::Icon {
            width: side,
            height: side,
            data,
        })
    });
    pictures.collect()
}

#[cfg(test)]
#[path = "linux/tests.rs"]
mod tests;
