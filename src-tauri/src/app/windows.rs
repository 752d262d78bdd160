//! The loop's work for windows: pages that are wanted, what was typed, the hot key, the self-test.

use super::App;
use crate::app::inbox::LoopInput;
use crate::app::warning::Warning;
use crate::sources::Source;
use crate::sources::selftest;
use beckon_client::platform::clock;
use beckon_client::text::Value;
use beckon_client::wire::{Page, PageRequest, Tab, WindowDraft};
use beckon_core::{Ask, AskId, Event, SourceId};
use std::time::Duration;
use tokio::sync::oneshot;

/// How long after a notification a window is prepared. No human presses sooner, and the
/// notification itself is not to wait for a program that starts.
const PREPARE_AFTER: Duration = Duration::from_millis(200);

impl App {
    /// Prepares a window while the human reads a notification whose buttons cannot answer the ask.
    pub(super) fn expect_window(&self, ask: &Ask) {
        let expected = self.opener.prepares() && !self.channels.desktop.answers_by_a_press(ask);
        if !expected || self.desk.presence(clock::now()).away {
            return;
        }
        let mailbox = self.mailbox.clone();
        tokio::spawn(async move {
            tokio::time::sleep(PREPARE_AFTER).await;
            mailbox.input(LoopInput::PrepareWindow);
        });
    }

    /// Prepares a window for what was asked meanwhile: the human has come back.
    pub(super) fn expect_windows(&self) {
        let view = self.desk.view(clock::now());
        let mut asks = view.waiting().map(|ask| &ask.entry.ask);
        if let Some(ask) = asks.find(|ask| !self.channels.desktop.answers_by_a_press(ask)) {
            self.expect_window(ask);
        }
    }

    pub(super) fn open_ask(&mut self, serial: u64, activation: Option<String>) {
        if let Some(origin) = self.turns.find(serial) {
            return self.go(origin.clone());
        }
        let view = self.desk.view(clock::now());
        let ask = view.asks.iter().find(|ask| ask.entry.serial == serial);
        // A notice about all asks at once, or about none, leads to the list of all.
        let page = ask.map_or_else(Page::inbox, |ask| Page::answer(Some(ask.name.clone())));
        if !self.opener.open(PageRequest::here(page, activation)) {
            self.hint_at_the_command(serial);
        }
    }

    pub(super) fn open_window(&mut self, wish: PageRequest, reply: Option<oneshot::Sender<bool>>) {
        let comes = self.opener.open(wish);
        match reply {
            Some(reply) => _ = reply.send(comes),
            None if !comes => self.come_forward(),
            None => {}
        }
    }

    /// Notes that the window program has ended: no window has the keyboard any more.
    pub(super) fn on_window_ended(&mut self) {
        self.opener.ended();
        self.channels.desktop.hold(false);
    }

    /// Sets the hot key. Without a tray there are no windows either, and nothing to press for.
    pub(super) fn take_hotkey(&mut self, wanted: &str) {
        if self.tray.is_none() {
            return;
        }
        let mailbox = self.mailbox.clone();
        let wish = PageRequest::here(Page::oldest(), None);
        let taken = self.hotkey.set(wanted, move || {
            mailbox.input(LoopInput::Window(wish.clone(), None));
        });
        if let Err(error) = taken {
            tracing::warn!(%error, "there is no hot key");
            self.hotkey_warning = Some(Warning::Hotkey(error));
        } else if self.hotkey.is_well() {
            self.hotkey_warning = None;
        }
    }

    pub(super) fn welcome(&mut self) {
        let page = Page::Settings { tab: Tab::Welcome };
        self.opener.open(PageRequest::here(page, None));
    }

    /// Keeps what was typed in a window. Returns false if it can never be saved; a draft that the
    /// disk refuses for the moment is kept like every other row.
    pub(super) fn keep_draft(&mut self, ask: &AskId, draft: &WindowDraft) -> bool {
        let saved = self.store.keep_draft(ask, draft, clock::now());
        self.note_saving(saved) || self.store.refusal().is_some()
    }

    /// Shows a hint how to answer in a terminal: there is no window program.
    fn hint_at_the_command(&self, serial: u64) {
        let view = self.desk.view(clock::now());
        let Some(ask) = view.asks.iter().find(|ask| ask.entry.serial == serial) else {
            return;
        };
        let id = [("id", Value::from(ask.name.clone()))];
        self.channels.desktop.hint(
            self.texts.get("hint-title"),
            self.texts.with("hint-body", &id),
        );
    }

    /// Begins or ends the self-test. Its pretend source is watched while it runs, and its remaining
    /// asks go at the end.
    pub(super) fn self_test(&mut self, runs: bool) {
        let id = SourceId(selftest::NAME.into());
        if runs {
            let handle = selftest::SelfTestHandle::new(self.mailbox.sink(LoopInput::Source));
            self.sources.insert(id, Source::SelfTest(handle));
        } else {
            self.sources.remove(&id);
            self.handle(Event::SourceRemoved(id));
        }
    }

    pub(super) fn come_forward(&self) {
        let view = self.watched_only(self.desk.view(clock::now()));
        let count = view.wanting().count();
        let key = if count == 0 && view.is_deaf() {
            "running-body-deaf"
        } else {
            "running-body"
        };
        let body = self.texts.with(key, &[("count", Value::from(count))]);
        self.channels
            .desktop
            .hint(self.texts.get("running-title"), body);
    }
}
