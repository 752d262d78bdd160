//! The renewal: once a day all that still matters is published again, and what is over is
//! forgotten. The hub keeps nothing for ever, and neither does the memory of a machine that stays
//! connected.
//!
//! Not here: how long what is kept (`beckon_core::hub::Renewal`).

use super::*;
use beckon_core::hub::AskSubject;

impl App {
    pub(super) fn renew(&mut self) {
        let Some(hub) = self.hub.as_mut().filter(|hub| hub.listed) else {
            return;
        };
        if !hub.renewal.is_due(clock::steady()) {
            return;
        }
        tracing::debug!("the records on the hub are published again");
        let desk = &self.desk;
        hub.owner
            .forget_rounds(|serial| desk.id_of(serial).is_some());
        let (gone, doubted) = (hub.remote.forget_old(), hub.remote.doubt_sent());
        let own = |ask: &AskSubject| ask.node == *self.instance && desk.id_of(ask.serial).is_some();
        let remote = &hub.remote;
        hub.bot
            .cards
            .forget_ended(|ask| own(ask) || remote.get(ask).is_some());
        self.share_open();
        self.follow(gone);
        doubted
            .into_iter()
            .for_each(|source| self.list_machine(source));
    }
}
