//! The loop's reaction to changed settings: the policy and the language change, servers come and
//! go. Which of those are watched is decided in `registry`.

use super::*;
use crate::platform::account;
use beckon_core::{OnePress, Responder, Voucher};

/// Returns the person who sits at this machine, by its settings and its system.
pub(crate) fn user(config: &Config) -> Responder {
    let named = Some(config.person.name.clone()).filter(|name| !name.trim().is_empty());
    let (person, device) = (named.or_else(account::person), account::machine());
    Responder::new(person.as_deref(), device.as_deref(), Voucher::Machine)
}

impl App {
    /// Applies changed settings: servers come and go, the policy applies at once.
    pub(super) fn configure(&mut self, config: Config, warning: Option<Warning>) {
        self.config_warning = warning;
        let one_press = config.permissions.one_press;
        self.channels
            .telegram
            .configure((&config.telegram).into(), one_press);
        let others = self.press_once(one_press);
        if self.texts.switch(&config.language) || others {
            self.redraw(&config.language);
        }
        self.channels.desktop.sound(config.notifications.sound);
        self.channels
            .desktop
            .break_through(config.notifications.break_through);
        self.presence.away_after(config.presence.away_after);
        self.take_hotkey(&config.window.hotkey);
        self.opener.keep_warm(config.window.keep_warm);
        self.updates.switch(config.updates.check);
        self.handle(Event::Policy(config.policy()));
        self.handle(Event::User(user(&config)));
        self.configure_hub(config.hub);
        self.name_user();
        self.configure_sources(config.opencode, config.interrupts);
        self.opener.changed();
    }

    /// Names the local user's device as it is listed on the hub, if there is one: the names that
    /// machines give themselves may be equal.
    pub(super) fn name_user(&mut self) {
        let Some(user) = self.desk.user() else { return };
        let device = self
            .hub
            .as_ref()
            .and_then(hub::HubRoom::own_device)
            .or_else(account::machine);
        let named = Responder::new(user.person.as_deref(), device.as_deref(), Voucher::Machine);
        if named != *user {
            self.handle(Event::User(named));
        }
    }

    /// Applies what one press may allow, and tells whether that changed on the desktop.
    fn press_once(&mut self, one_press: OnePress) -> bool {
        if let Some(tray) = &self.tray {
            tray.one_press(one_press);
        }
        self.channels.desktop.one_press(one_press)
    }

    /// Warns that the settings file changed and cannot be used: the last settings stay.
    pub(super) fn warn(&mut self, warning: Warning) {
        self.config_warning = Some(warning);
        self.opener.changed();
    }

    /// Draws everything visible once more: the language changed, or what its buttons may allow.
    pub(super) fn redraw(&mut self, language: &str) {
        tracing::info!(language, "everything visible is redrawn");
        let view = self.desk.view(clock::now());
        let entries = view.asks.iter().map(|ask| &ask.entry);
        entries.for_each(|entry| self.channels.desktop.redraw(entry));
        self.channels.telegram.redraw();
        if let Some(tray) = &self.tray {
            tray.forget();
        }
        self.draw();
    }
}
