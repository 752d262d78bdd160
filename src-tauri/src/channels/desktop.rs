//! The desktop notifications: their text (`notice`, plain and tested), and the system's own way of
//! showing them, in one file per system, with equal signatures.

mod absence;
mod keys;
mod messages;
mod notice;
mod replies;
mod state;
#[cfg_attr(target_os = "linux", path = "desktop/linux.rs")]
#[cfg_attr(target_os = "macos", path = "desktop/macos.rs")]
#[cfg_attr(windows, path = "desktop/windows.rs")]
mod system;
mod together;
#[cfg(any(windows, test))]
mod windows_xml;

pub(crate) use state::{ChannelState, DesktopFault};

use messages::{
    DesktopCommand, DesktopReport, NotificationAction, NotificationButton, NotificationSound,
    NotificationText, ReplyField,
};
pub(crate) use notice::notice;

use crate::channels::CardChannel;
use crate::platform::sink::Sink;
use beckon_client::text::Texts;
use beckon_client::text::words;
use beckon_core::{
    Ask, AskId, BreakThrough, ButtonTarget, Channel, Entry, Event, FinishedTurn, OnePress,
    Reminder, Surface,
};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// The desktop channel.
pub struct DesktopChannel {
    commands: mpsc::UnboundedSender<DesktopCommand>,
    texts: Arc<Texts>,
    shown: HashMap<AskId, NotificationText>,
    common: together::CommonNotification,
    sound: bool,
    one_press: OnePress,
    break_through: BreakThrough,
    /// The ask of which the user was told that its answer does not arrive.
    undelivered: Option<AskId>,
    state: Arc<Mutex<ChannelState>>,
    ended: oneshot::Receiver<()>,
}

/// The longest time for which removing the cards may hold up the end of the program; a daemon may
/// hang.
const END_WITHIN: Duration = Duration::from_millis(500);

/// The news that the channel posts to the loop.
#[derive(Debug)]
pub(crate) enum DesktopNews {
    /// An event for the desk.
    Event(Box<Event>),
    /// The human's own words, and the target of the card into which they were written.
    Replied(ButtonTarget, String),
    /// The human has closed a notification.
    WavedAway(AskId),
    /// A notification was closed by a click that was meant for another one.
    Misclicked(AskId),
    /// The state of notifications has changed: whether they work, or are told not to disturb.
    Changed,
}

/// Starts the channel. `icon` is the picture beside the text, `seal` that of the database (see
/// `store`). `open` is called with an ask's serial and the activation token of the click when its
/// answer window is wanted.
pub(crate) fn start(
    texts: Arc<Texts>,
    news: Sink<DesktopNews>,
    icon: Option<PathBuf>,
    seal: String,
    open: impl Fn(u64, Option<String>) + Send + Sync + 'static,
) -> DesktopChannel {
    let state = Arc::new(Mutex::new(ChannelState::default()));
    let seen = state.clone();
    let (end, ended) = oneshot::channel();
    let end = Mutex::new(Some(end));
    let report = Arc::new(move |report| match report {
        DesktopReport::Ended => {
            let end = end.lock().unwrap_or_else(PoisonError::into_inner).take();
            let _ = end.map(|end| end.send(()));
        }
        report => on_report(report, &news, &seen, &open),
    });
    let over = texts.get("desktop-over");
    let commands = system::start(report, icon, seal, over);
    let (one_press, break_through) = Default::default();
    let shown = HashMap::new();
    let undelivered = None;
    DesktopChannel {
        commands,
        texts,
        shown,
        common: together::CommonNotification::default(),
        sound: true,
        one_press,
        break_through,
        undelivered,
        state,
        ended,
    }
}

impl DesktopChannel {
    /// Sets whether asks make a sound from now on.
    pub fn sound(&mut self, sound: bool) {
        self.sound = sound;
    }

    /// Sets what may be allowed by a button. Returns whether that has changed; then the shown cards
    /// have to be redrawn.
    pub fn one_press(&mut self, one_press: OnePress) -> bool {
        std::mem::replace(&mut self.one_press, one_press) != one_press
    }

    /// Sets which asks come through from now on while the desktop is told not to disturb.
    pub fn break_through(&mut self, break_through: BreakThrough) {
        self.break_through = break_through;
    }

    /// Whether the ask can be answered by buttons alone, apart from own words.
    pub fn answers_by_a_press(&self, ask: &Ask) -> bool {
        notice::answers_by_a_press(ask, self.one_press)
    }

    /// Redraws a card that is shown, after its text has changed. A card that the human closed stays
    /// closed.
    pub fn redraw(&mut self, entry: &Entry) {
        if self.update_together(entry) {
            return;
        }
        let card = entry.cards.get(&Channel::Desktop);
        let stands = card.is_some_and(|card| !card.closed && !card.stale);
        if stands && self.shown.contains_key(&entry.ask.id) {
            self.draw(entry);
        }
    }

    /// Shows a short text that needs no answer.
    pub fn hint(&self, title: String, body: String) {
        self.show_hint(
            NotificationText {
                title,
                body,
                ..NotificationText::default()
            },
            0,
        );
    }

    /// Shows a hint. `serial` names the session or ask that its button is about; 0 without a
    /// button.
    fn show_hint(&self, mut notice: NotificationText, serial: u64) {
        let (ask, target) = (
            hint_id(),
            ButtonTarget {
                serial,
                ..ButtonTarget::default()
            },
        );
        // The hint may contain an agent's words.
        (notice.title, notice.body) = notice::hint(&notice.title, &notice.body);
        let (replaces, sound) = (None, NotificationSound::Silent);
        let _ = self.commands.send(DesktopCommand::Show {
            ask,
            target,
            notice,
            replaces,
            sound,
        });
    }

    /// Removes the hint that the answer to this ask does not arrive: it has arrived, or has come
    /// back.
    pub fn no_longer_undelivered(&mut self, ask: &AskId) {
        if self.undelivered.take_if(|told| told == ask).is_some() {
            self.take_down(hint_id(), None);
        }
    }

    /// Returns whether notifications work, and which asks come through while they must not disturb.
    pub fn state(&self) -> ChannelState {
        let mut state = locked(&self.state).clone();
        if let ChannelState::Works { break_through, .. } = &mut state {
            *break_through = self.break_through;
        }
        state
    }

    /// Removes every card, since the buttons of a program that has ended do nothing.
    pub async fn end(mut self) {
        let shown = std::mem::take(&mut self.shown).into_keys();
        for ask in shown.chain([hint_id(), absence::id(), together::id()]) {
            let handle = None;
            let _ = self.commands.send(DesktopCommand::Withdraw { ask, handle });
        }
        let Self {
            commands, ended, ..
        } = self;
        drop(commands);
        let _ = tokio::time::timeout(END_WITHIN, ended).await;
    }

    /// Shows a request, in a notification of its own or in the shared one.
    fn ring(&mut self, entry: Box<Entry>, replaces: Option<String>) {
        let sound = if self.sound {
            NotificationSound::Rings
        } else {
            NotificationSound::Silent
        };
        if self.has_place(&entry, replaces.as_deref()) {
            self.ring_as(&entry, replaces, sound);
        } else {
            self.tell_together(entry, sound);
        }
    }

    fn ring_as(&mut self, entry: &Entry, replaces: Option<String>, sound: NotificationSound) {
        let notice = self.notice(entry);
        self.shown.insert(entry.ask.id.clone(), notice.clone());
        self.send(entry, notice, replaces, sound);
    }

    /// Shows a request again whose notification was closed by a click that was meant for another one.
    pub fn show_again(&mut self, entry: &Entry) {
        self.ring_as(entry, None, NotificationSound::Silent);
    }

    fn draw(&mut self, entry: &Entry) {
        if self.update_together(entry) {
            return;
        }
        let notice = self.notice(entry);
        let before = self.shown.insert(entry.ask.id.clone(), notice.clone());
        if before.as_ref() != Some(&notice) {
            self.send(entry, notice, None, NotificationSound::Silent);
        }
    }

    fn take_down(&mut self, ask: AskId, handle: Option<String>) {
        self.shown.remove(&ask);
        let command = DesktopCommand::Withdraw {
            ask: ask.clone(),
            handle,
        };
        let _ = self.commands.send(command);
        self.give_place_up(&ask);
    }

    /// Tells the human that an answer does not arrive.
    fn tell_undelivered(&mut self, entry: &Entry) {
        let Some(trouble) = &entry.undelivered else {
            return;
        };
        self.undelivered = Some(entry.ask.id.clone());
        let about = words::topic(&self.texts, entry).into();
        let title = self.texts.with("undelivered-title", &[("about", about)]);
        self.hint(title, words::undelivered(&self.texts, trouble));
    }

    fn notice(&self, entry: &Entry) -> NotificationText {
        let breaks_through = self.break_through.lets(&entry.ask.kind);
        NotificationText {
            breaks_through,
            ..notice(entry, &self.texts, self.one_press)
        }
    }

    fn send(
        &self,
        entry: &Entry,
        notice: NotificationText,
        replaces: Option<String>,
        sound: NotificationSound,
    ) {
        let (ask, target) = (entry.ask.id.clone(), entry.target());
        let _ = self.commands.send(DesktopCommand::Show {
            ask,
            target,
            notice,
            replaces,
            sound,
        });
    }
}

impl CardChannel for DesktopChannel {
    // Whether a notification makes a sound depends on the settings and the system, not on
    // `_silent`.
    fn show(&mut self, entry: Box<Entry>, replaces: Option<String>, _silent: bool) {
        self.ring(entry, replaces);
    }

    fn update(&mut self, entry: Box<Entry>) {
        self.draw(&entry);
    }

    // A notification disappears, so its ending is shown nowhere.
    fn withdraw(&mut self, ask: AskId, handle: Option<String>, _ending: Option<Box<Entry>>) {
        self.take_down(ask, handle);
    }

    /// Shows the card once more. That an answer does not arrive is told by a hint instead, since
    /// the card is gone.
    fn remind(&mut self, entry: Box<Entry>, why: Reminder, _silent: bool) {
        match why {
            Reminder::Undelivered => self.tell_undelivered(&entry),
            Reminder::StillOpen | Reminder::ExpiresAt(_) | Reminder::Returned => {
                self.ring(entry, None);
            }
        }
    }

    fn tell_turn(&mut self, turn: &FinishedTurn, opens: Option<u64>) {
        let notice = notice::turn(turn, opens.is_some(), &self.texts);
        self.show_hint(notice, opens.unwrap_or_default());
    }

    fn tell_absence(&mut self, answered: usize, waiting: usize) {
        self.show_absence(answered, waiting);
    }

    fn end_absence(&mut self) {
        self.take_down(absence::id(), None);
    }

    fn tell_message(&mut self, title: &str, message: &str) {
        self.hint(title.to_owned(), message.to_owned());
    }
}

/// Returns the id of the hint, the one notification that is no ask. Words that were written in vain
/// have other ids (`replies`).
fn hint_id() -> AskId {
    AskId::new("beckon", "hint")
}

/// The callback for opening the answer window: it gets the ask's serial, and the activation token
/// of the click.
type OpenAsk<'a> = &'a dyn Fn(u64, Option<String>);

fn on_report(
    report: DesktopReport,
    news: &Sink<DesktopNews>,
    state: &Mutex<ChannelState>,
    open: OpenAsk<'_>,
) {
    let channel = Channel::Desktop;
    let tell = |event| news.post(DesktopNews::Event(Box::new(event)));
    match report {
        DesktopReport::Up { name, can } => {
            tracing::info!(daemon = name, "notifications work");
            let (do_not_disturb, break_through) = Default::default();
            let daemon = name;
            set(
                state,
                ChannelState::Works {
                    daemon,
                    can,
                    do_not_disturb,
                    break_through,
                },
            );
            tell(Event::ChannelUp(channel));
            news.post(DesktopNews::Changed);
        }
        DesktopReport::Down { why, reason } => {
            tracing::info!(%why, reason, "no notifications");
            set(state, ChannelState::Down(why, reason));
            tell(Event::ChannelDown(channel));
            news.post(DesktopNews::Changed);
        }
        DesktopReport::DoNotDisturb(on) => {
            tracing::info!(on, "do not disturb changed");
            if let ChannelState::Works { do_not_disturb, .. } = &mut *locked(state) {
                *do_not_disturb = on;
            }
            news.post(DesktopNews::Changed);
        }
        DesktopReport::Closed { ask } if ask == together::id() => {
            news.post(DesktopNews::WavedAway(ask));
        }
        DesktopReport::Shown { ask, .. }
        | DesktopReport::Closed { ask }
        | DesktopReport::Misclicked { ask }
        | DesktopReport::Withdrawn { ask }
            if replies::is_hint(&ask) => {}
        DesktopReport::Shown { ask, handle } => tell(Event::Shown {
            channel,
            ask,
            handle,
        }),
        DesktopReport::Acted {
            target,
            act: NotificationAction::Press(press),
        } => {
            tell(Event::Pressed {
                target,
                press,
                by: Surface::Notification,
            });
        }
        DesktopReport::Replied { target, text } => news.post(DesktopNews::Replied(target, text)),
        DesktopReport::Ended => {}
        DesktopReport::Acted {
            target,
            act: NotificationAction::Open,
        } => open(target.serial, None),
        DesktopReport::Opened { serial, activation } => open(serial, activation),
        DesktopReport::Misclicked { ask } => news.post(DesktopNews::Misclicked(ask)),
        DesktopReport::Withdrawn { ask } => tell(Event::Withdrawn { channel, ask }),
        DesktopReport::Closed { ask } => {
            news.post(DesktopNews::WavedAway(ask.clone()));
            tell(Event::Closed { channel, ask });
        }
    }
}

fn set(state: &Mutex<ChannelState>, new: ChannelState) {
    *locked(state) = new;
}

fn locked(state: &Mutex<ChannelState>) -> MutexGuard<'_, ChannelState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
