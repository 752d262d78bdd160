//! The bot of a machine that has left the hub, where other machines have it as well: it is theirs as long
//! as one of them polls, and nobody has to remove a token. Who left listens now and then, and serves the
//! bot when nobody else does.
//!
//! Not here: the rules (`beckon_core::hub`), and how it is listened (`channels/telegram`).

use super::*;
use crate::channels::telegram::pairing::pairings::UserId;
use crate::hub::{BotCommand, LeftBot};
use beckon_core::hub::Permit;

/// Who looks after it, and of which bot.
#[derive(Debug)]
pub(super) struct LeftBotRoom {
    number: HubNumber,
    keeper: LeftBot,
    kept: Option<UserId>,
}

impl LeavingHubs {
    /// One more is joined, or its bot looked after.
    pub(super) fn next_number(&mut self) -> HubNumber {
        self.last = HubNumber(self.last.0 + 1);
        self.last
    }

    /// Is that who looks after the bot?
    pub(super) fn is_of_left_bot(&self, number: HubNumber) -> bool {
        self.bot.as_ref().is_some_and(|bot| bot.number == number)
    }
}

impl App {
    /// This machine is on no hub: does its bot stay with one?
    pub(super) fn leaves_bot(&mut self) -> bool {
        // Of one that was left while nobody ran nobody knows.
        let is_shared = self.hub.as_ref().is_none_or(HubRoom::shares_bot);
        let is_leaving = self.leaving.count > 0 && self.leaving.leaves_bot;
        let stays = self
            .store
            .at_no_hub(is_shared || is_leaving, clock::now())
            .unwrap_or_else(|error| {
                tracing::warn!(
                    error = format!("{error:#}"),
                    "that the hub was left can't be kept"
                );
                is_leaving || self.hub.as_ref().is_some_and(HubRoom::shares_bot)
            });
        stays && hub::IS_BUILT
    }

    /// From that time on it is looked whether others serve the bot.
    pub(super) fn keep_off_bot(&mut self, from: Span) {
        if self.leaving.bot.is_some() {
            return;
        }
        self.channels.telegram.share(true);
        let number = self.leaving.next_number();
        let reports = self
            .mailbox
            .sink(move |report| LoopInput::Hub(number, report));
        let machine = account::machine().unwrap_or_default();
        let permit = self.channels.telegram.permit();
        let keeper = LeftBot::keep((self.instance.to_string(), machine), permit, from, reports);
        self.leaving.bot = Some(LeftBotRoom {
            number,
            keeper,
            kept: None,
        });
        self.channels.telegram.set_holder(LeaseHolder::Left);
        self.tell_left_bot();
    }

    /// A hub says from now on who serves the bot.
    pub(super) fn share_bot_again(&mut self) {
        if self.leaving.bot.take().is_some() {
            self.channels.telegram.permit().send_replace(Permit::Never);
            self.channels.telegram.set_holder(LeaseHolder::Nobody);
        }
    }

    /// Who looks after it learns which bot it is.
    pub(super) fn tell_left_bot(&mut self) {
        let bot = self.channels.telegram.bot_id();
        let Some(left) = self.leaving.bot.as_mut().filter(|left| left.kept != bot) else {
            return;
        };
        left.kept = bot;
        left.keeper.tell(BotCommand::Serve(bot.map(|bot| bot.0)));
    }

    /// Who else polls concerns who looks after it.
    pub(super) fn tell_left_of_polls(&self, command: BotCommand) {
        if let Some(left) = &self.leaving.bot {
            left.keeper.tell(command);
        }
    }

    pub(super) fn on_left_bot(&mut self, holder: LeaseHolder) {
        self.channels.telegram.set_holder(holder);
        self.opener.changed();
    }
}
