//! The tray on macOS and Windows: tray-icon, driven by tao's event loop on the main thread.
//!
//! Not here: what is drawn (`menu.rs`), and the lines of the menu (`native/lines.rs`).

#[path = "native/lines.rs"]
mod lines;

use super::icon::{Panel, pixels, size_for};
use super::{
    IconState, MenuAction, REDRAW, SharedTrayState, TimedGlimpse, TrayEvents, TrayPicture,
    TrayState, lock,
};
use anyhow::{Context, Result};
use beckon_client::text::{Texts, Value};
use lines::NativeMenu;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};
use tao::event::{Event, StartCause};
use tao::event_loop::{ControlFlow, EventLoop, EventLoopBuilder, EventLoopProxy};
use tao::platform::run_return::EventLoopExtRunReturn;
use tray_icon::menu::MenuEvent;
use tray_icon::{MouseButton, MouseButtonState, TrayIcon, TrayIconBuilder, TrayIconEvent};

/// How long the end is waited for. Windows ends whatever has not ended five seconds after it was
/// told that the session ends.
const ENDED_WITHIN: Duration = Duration::from_secs(4);

/// A reason to wake the loop.
enum LoopWake {
    Draw,
    /// A line of the menu was pressed; its id.
    Pressed(String),
    /// A button of the mouse went down on the icon: the menu is about to open, or a window.
    Touched,
    /// The icon itself was clicked.
    Clicked,
    Quit,
}

/// The way to the main loop.
#[derive(Clone)]
pub(super) struct TrayHandle {
    texts: Arc<Texts>,
    events: TrayEvents,
    state: SharedTrayState,
    slot: Arc<Mutex<LoopSlot>>,
    /// The signal that nothing but the loop is left.
    over: Arc<Condvar>,
}

/// The state that waits for the loop, which may start later than the tray.
#[derive(Default)]
struct LoopSlot {
    seen: Option<TimedGlimpse>,
    ended: bool,
    proxy: Option<EventLoopProxy<LoopWake>>,
    /// The id of the thread on which the loop runs.
    #[cfg(windows)]
    thread: u32,
}

impl TrayHandle {
    pub(super) fn draw(&self, seen: TimedGlimpse) {
        let mut slot = lock(&self.slot);
        slot.seen = Some(seen);
        slot.wake(LoopWake::Draw);
    }

    pub(super) fn quit(&self) {
        let mut slot = lock(&self.slot);
        slot.ended = true;
        slot.wake(LoopWake::Quit);
        #[cfg(windows)]
        end_loop_of(slot.thread);
        self.over.notify_all();
    }

    /// Ends Beckon in order when the session ends, or the system closes the program: when this
    /// returns, tao ends the process.
    fn end_tidily(&self) {
        if !self.ended() {
            tracing::info!("the system ends Beckon");
            (self.events)(MenuAction::Quit);
            let runs = |slot: &mut LoopSlot| !slot.ended;
            let _ = self
                .over
                .wait_timeout_while(lock(&self.slot), ENDED_WITHIN, runs);
        }
    }

    fn ended(&self) -> bool {
        lock(&self.slot).ended
    }
}

impl LoopSlot {
    fn wake(&self, wake: LoopWake) {
        // A loop that has ended needs no waking.
        let _ = self.proxy.as_ref().map(|proxy| proxy.send_event(wake));
    }
}

pub(super) fn start(texts: Arc<Texts>, events: TrayEvents, state: SharedTrayState) -> TrayHandle {
    TrayHandle {
        texts,
        events,
        state,
        slot: Arc::default(),
        over: Arc::default(),
    }
}

pub(super) fn activation_token() -> Option<String> {
    None
}

pub(super) fn run_main_loop(door: &TrayHandle) {
    let mut main_loop = main_loop();
    let proxy = main_loop.create_proxy();
    listen(&proxy);
    lock(&door.slot).proxy = Some(proxy);
    #[cfg(windows)]
    {
        // SAFETY: a number comes out.
        #[expect(unsafe_code)]
        let own = unsafe { windows_sys::Win32::System::Threading::GetCurrentThreadId() };
        lock(&door.slot).thread = own;
    }
    let mut desk = TrayItem::new(door.clone());
    main_loop.run_return(|event, _, flow| {
        match event {
            Event::NewEvents(StartCause::Init | StartCause::ResumeTimeReached { .. })
            | Event::UserEvent(LoopWake::Draw) => desk.draw(),
            Event::UserEvent(LoopWake::Pressed(id)) => desk.pressed(&id),
            Event::UserEvent(LoopWake::Touched) => desk.touched(),
            Event::UserEvent(LoopWake::Clicked) => desk.clicked(),
            Event::LoopDestroyed => desk.door.end_tidily(),
            _ => {}
        }
        *flow = if door.ended() {
            ControlFlow::Exit
        } else {
            desk.next()
        };
    });
    lock(&door.slot).proxy = None;
}

/// Ends the loop by a message to its thread. Closing all windows of a program closes tao's, too,
/// and with them what wakes its loop. No thread has the number 0.
#[cfg(windows)]
fn end_loop_of(thread: u32) {
    use windows_sys::Win32::UI::WindowsAndMessaging::{PostThreadMessageW, WM_QUIT};
    // SAFETY: numbers go in; a thread that has ended hears nothing.
    #[expect(unsafe_code)]
    unsafe {
        PostThreadMessageW(thread, WM_QUIT, 0, 0);
    }
}

fn main_loop() -> EventLoop<LoopWake> {
    #[cfg_attr(not(target_os = "macos"), expect(unused_mut))]
    let mut main_loop = EventLoopBuilder::<LoopWake>::with_user_event().build();
    #[cfg(target_os = "macos")]
    {
        use tao::platform::macos::{ActivationPolicy, EventLoopExtMacOS};
        // Beckon has an icon in the menu bar, and none in the dock.
        main_loop.set_activation_policy(ActivationPolicy::Accessory);
    }
    main_loop
}

fn listen(proxy: &EventLoopProxy<LoopWake>) {
    let menu = Mutex::new(proxy.clone());
    MenuEvent::set_event_handler(Some(move |event: MenuEvent| {
        let _ = lock(&menu).send_event(LoopWake::Pressed(event.id.0));
    }));
    let clicks = Mutex::new(proxy.clone());
    TrayIconEvent::set_event_handler(Some(move |event: TrayIconEvent| {
        let TrayIconEvent::Click {
            button,
            button_state,
            ..
        } = event
        else {
            return;
        };
        let wake = match (button, button_state) {
            (_, MouseButtonState::Down) => LoopWake::Touched,
            (MouseButton::Left, MouseButtonState::Up) => LoopWake::Clicked,
            (_, MouseButtonState::Up) => return,
        };
        let _ = lock(&clicks).send_event(wake);
    }));
}

/// The icon as it is drawn now.
struct TrayItem {
    door: TrayHandle,
    seen: TimedGlimpse,
    picture: Option<TrayPicture>,
    icon: Option<TrayIcon>,
    /// The tone for which the icon was drawn.
    panel: Option<Panel>,
    lines: NativeMenu,
}

impl TrayItem {
    fn new(door: TrayHandle) -> Self {
        let seen = TimedGlimpse::nothing();
        let (picture, icon, panel) = (None, None, None);
        Self {
            door,
            seen,
            picture,
            icon,
            panel,
            lines: NativeMenu::default(),
        }
    }

    fn draw(&mut self) {
        if let Some(seen) = lock(&self.door.slot).seen.take() {
            self.seen = seen;
        }
        let picture = self.seen.picture(&self.door.texts);
        if self.picture.as_ref() == Some(&picture) {
            return;
        }
        match self.show(&picture) {
            Ok(()) => {
                self.picture = Some(picture);
                self.door.state.set(TrayState::Works);
            }
            Err(error) => {
                self.picture = None;
                let reason = [("reason", Value::from(format!("{error:#}")))];
                let text = self.door.texts.with("tray-error-system", &reason);
                self.door.state.set(TrayState::Fails(text));
            }
        }
    }

    fn show(&mut self, picture: &TrayPicture) -> Result<()> {
        if self.icon.is_none() {
            self.icon = Some(create()?);
            self.picture = None;
        }
        let before = self.picture.take().unwrap_or_default();
        let first = before == TrayPicture::default();
        let Some(icon) = &self.icon else {
            return Ok(());
        };
        let panel = panel();
        if first || before.icon != picture.icon || self.panel != Some(panel) {
            let drawn = native_icon(picture.icon, panel)?;
            set_icon(icon, drawn).context("Failed to set the tray's icon")?;
            self.panel = Some(panel);
        }
        if first || before.menu != picture.menu {
            self.lines.show(icon, &before.menu, &picture.menu)?;
        }
        let tooltip = Some(picture.tooltip.as_str());
        icon.set_tooltip(tooltip)
            .context("Failed to set the tray's tooltip")
    }

    fn pressed(&self, id: &str) {
        if let Some(action) = self.lines.meaning(id) {
            (self.door.events)(action);
        }
    }

    /// Draws anew before the menu opens: a text such as "12 s" was true when it was drawn.
    fn touched(&mut self) {
        self.draw();
        (self.door.events)(MenuAction::OpenMenu);
    }

    /// Handles a click on the icon. On macOS a left click opens the menu, as everywhere there.
    fn clicked(&self) {
        if cfg!(windows) {
            (self.door.events)(self.seen.glimpse.clicked());
        }
    }

    /// Returns when to draw again. The texts that age, beside the pointer and in the menu where
    /// that opens before we hear of it, are drawn anew.
    fn next(&self) -> ControlFlow {
        let idle = self.picture.is_some() && !self.seen.glimpse.ages();
        if idle {
            ControlFlow::Wait
        } else {
            ControlFlow::WaitUntil(Instant::now() + REDRAW)
        }
    }
}

fn create() -> Result<TrayIcon> {
    TrayIconBuilder::new()
        .with_id("beckon")
        .with_menu_on_left_click(cfg!(target_os = "macos"))
        .build()
        .context("Failed to create the tray icon")
}

fn native_icon(state: IconState, panel: Panel) -> Result<tray_icon::Icon> {
    let pixels = pixels(state, panel, size_for(place()));
    tray_icon::Icon::from_rgba(pixels.rgba, pixels.size, pixels.size)
        .context("Failed to make the tray's icon")
}

/// Sets the icon as a template. Elsewhere tray-icon ignores an icon that is set with that flag.
#[cfg(target_os = "macos")]
fn set_icon(icon: &TrayIcon, drawn: tray_icon::Icon) -> tray_icon::Result<()> {
    icon.set_icon_with_as_template(Some(drawn), true)
}

#[cfg(not(target_os = "macos"))]
fn set_icon(icon: &TrayIcon, drawn: tray_icon::Icon) -> tray_icon::Result<()> {
    icon.set_icon(Some(drawn))
}

/// Returns the width in pixels that the system has for the icon.
#[cfg(windows)]
fn place() -> u32 {
    use windows_sys::Win32::UI::WindowsAndMessaging::{GetSystemMetrics, SM_CXSMICON};
    // SAFETY: a number goes in and one comes out.
    #[expect(unsafe_code)]
    let width = unsafe { GetSystemMetrics(SM_CXSMICON) };
    u32::try_from(width).unwrap_or_default()
}

/// Returns a size that is large enough: macOS scales what it gets to the height of its menu bar.
#[cfg(target_os = "macos")]
fn place() -> u32 {
    64
}

/// Returns the tone of the task bar, which has a theme of its own, apart from that of the windows.
/// Where it is not written down, as before Windows 10 1903, it is dark.
#[cfg(windows)]
fn panel() -> Panel {
    use windows_sys::Win32::Foundation::ERROR_SUCCESS;
    use windows_sys::Win32::System::Registry::{HKEY_CURRENT_USER, RRF_RT_REG_DWORD, RegGetValueW};
    use windows_sys::w;
    const THEMES: windows_sys::core::PCWSTR =
        w!("Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize");
    let (mut light, mut bytes) = (0_u32, 4_u32);
    // SAFETY: both names end with a zero; there is room for the four bytes that are asked for.
    #[expect(unsafe_code)]
    let result = unsafe {
        let (name, kind) = (w!("SystemUsesLightTheme"), RRF_RT_REG_DWORD);
        let (kept, into) = (std::ptr::null_mut(), (&raw mut light).cast());
        RegGetValueW(
            HKEY_CURRENT_USER,
            THEMES,
            name,
            kind,
            kept,
            into,
            &raw mut bytes,
        )
    };
    if result == ERROR_SUCCESS && light != 0 {
        Panel::Light
    } else {
        Panel::Dark
    }
}

/// Returns that the panel recolours: the menu bar takes the colour of the wallpaper behind it, and
/// paints a template to suit.
#[cfg(target_os = "macos")]
fn panel() -> Panel {
    Panel::Recolours
}
