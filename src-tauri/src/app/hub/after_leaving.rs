//! The bot of a machine that has left the hub, if other machines have it as well: it is theirs as
//! long as one of them polls, so no token has to be removed. The machine that left listens now and
//! then, and serves the bot when no other one does.
//!
//! Not here: the rules (`beckon_core::hub`), and how it listens (`channels/telegram`).

use super::*;
use crate::channels::telegram::pairing::pairings::UserId;
use crate::hub::{BotCommand, LeftBot};
use beckon_core::hub::Permit;

/// The task that looks after the bot of a hub that was left, and which bot that is.
#[derive(Debug)]
pub(super) struct LeftBotRoom {
    number: HubNumber,
    keeper: LeftBot,
    kept: Option<UserId>,
}

impl LeavingHubs {
    /// Returns a new number, for a hub that is joined or a bot that is looked after.
    pub(super) fn next_number(&mut self) -> HubNumber {
        self.last = HubNumber(self.last.0 + 1);
        self.last
    }

    /// Whether reports with that number are from the task that looks after the bot.
    pub(super) fn is_of_left_bot(&self, number: HubNumber) -> bool {
        self.bot.as_ref().is_some_and(|bot| bot.number == number)
    }
}

impl App {
    /// Notes that this machine is on no hub, and tells whether its bot stays with one: other
    /// machines may still have it.
    pub(super) fn leaves_bot(&mut self) -> bool {
        // If the hub was left while Beckon did not run, it is unknown who else has the bot: it is
        // taken to be shared.
        let is_shared = self.hub.as_ref().is_none_or(HubRoom::shares_bot);
        let is_leaving = self.leaving.count > 0 && self.leaving.leaves_bot;
        let stays = self
            .store
            .at_no_hub(is_shared || is_leaving, clock::now())
            .unwrap_or_else(|error| {
                tracing::warn!(
                    error = format!("{error:#}"),
                    "leaving the hub can't be saved"
                );
                is_leaving || self.hub.as_ref().is_some_and(HubRoom::shares_bot)
            });
        stays && hub::IS_BUILT
    }

    /// Looks from that time on (steady clock) whether others serve the bot, and serves it only if
    /// nobody does.
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

    /// Stops looking after the bot: from now on a hub says who serves it.
    pub(super) fn share_bot_again(&mut self) {
        if self.leaving.bot.take().is_some() {
            self.channels.telegram.permit().send_replace(Permit::Never);
            self.channels.telegram.set_holder(LeaseHolder::Nobody);
        }
    }

    /// Tells the task that looks after the bot which bot it is.
    pub(super) fn tell_left_bot(&mut self) {
        let bot = self.channels.telegram.bot_id();
        let Some(left) = self.leaving.bot.as_mut().filter(|left| left.kept != bot) else {
            return;
        };
        left.kept = bot;
        left.keeper.tell(BotCommand::Serve(bot.map(|bot| bot.0)));
    }

    /// Tells the task that looks after the bot of other pollers that were noticed.
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
