//! The outcomes of the outbox: cards that were sent, have ended, or are gone, and chats that moved.

use crate::channels::telegram::TelegramChannel;
use crate::channels::telegram::outbox::{CallOutcome, CardLoss, PostedCard, RefusedCards};
use crate::channels::telegram::pairing::pairings::{ChatId, PairingChange};
use beckon_client::platform::clock;
use beckon_core::{AskId, Channel, Event, Span};
use std::time::Duration;

impl TelegramChannel {
    pub(in crate::channels::telegram) fn on_outcome(
        &mut self,
        outcome: CallOutcome,
    ) -> Vec<PairingChange> {
        match outcome {
            CallOutcome::Posted(ask, posted) => self.on_posted(ask, posted),
            CallOutcome::Finished(ask) => self.on_finished(&ask),
            CallOutcome::Lost(ask, posted, loss) => self.on_lost(&ask, posted, loss),
            CallOutcome::Comeback(ask, chat) => self.on_comeback(&ask, chat),
            CallOutcome::DrawList(chat) => self.draw_list(chat),
            CallOutcome::List(chat, message) => return self.on_list(chat, message),
            CallOutcome::Blocked(chat) => {
                tracing::warn!(chat = chat.0, "the bot may not write there any more");
                self.blocked.insert(chat);
                self.report_availability();
            }
            CallOutcome::HeldBack(chat, wait) => self.on_held_back(chat, wait),
            CallOutcome::TryAgain(chat) => self.unblock(chat),
            CallOutcome::Moved(from, to) => return self.moved(from, to),
            CallOutcome::Topic(project, thread) => {
                return self.apply_changes(vec![PairingChange::Topic(project, thread)]);
            }
            CallOutcome::Refused(refused) => self.on_refusals(refused),
        }
        Vec::new()
    }

    /// Notes which cards Telegram refuses. The log says so once, the status for as long as it is
    /// the case.
    fn on_refusals(&mut self, refused: Option<RefusedCards>) {
        match (&self.refused, &refused) {
            (None, Some(RefusedCards { count, reason })) => {
                tracing::warn!(count, reason, "Telegram refuses a card; it is tried again");
            }
            (Some(_), None) => tracing::info!("Telegram refuses no card any more"),
            (None, None) | (Some(_), Some(_)) => {}
        }
        self.refused = refused;
    }

    /// Notes a chat for which Telegram accepts nothing for now. The status says so for as long as
    /// it is the case, since a phone that should ring does not.
    fn on_held_back(&mut self, chat: ChatId, wait: Duration) {
        let wait_ms = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
        let until = clock::now() + Span::millis(wait_ms);
        tracing::warn!(chat = chat.0, ?wait, "Telegram takes nothing for a chat");
        self.held_back.insert(chat, until);
    }

    fn on_posted(&mut self, ask: AskId, posted: PostedCard) {
        if self.cards.contains_key(&ask) {
            return self.note_posted(&ask, posted);
        }
        // The card was withdrawn while it was on its way, perhaps in several chats.
        let all = self.ended.arrived(&ask, posted);
        self.report_shown(ask, self.write_handle(&all));
    }

    /// Confirms the withdrawals of a card that shows its end in every chat.
    fn on_finished(&mut self, ask: &AskId) {
        for _ in 0..self.withdrawals.remove(ask).unwrap_or(0) {
            let (channel, ask) = (Channel::Telegram, ask.clone());
            self.events.post(Event::Withdrawn { channel, ask });
        }
    }

    /// Notes that a card is gone from a chat. The ask stays on the list, in reminders and in its
    /// other chats: a missing message does not tell what its human wants.
    fn on_lost(&mut self, ask: &AskId, gone: PostedCard, loss: CardLoss) {
        let Some(shown) = self.cards.get_mut(ask) else {
            return;
        };
        let chat = gone.chat;
        let serial = shown.entry.serial;
        if let Some(posted) = shown.posted.get_mut(&chat) {
            if posted.message != gone.message {
                // The card was found in another message meanwhile, so it is not gone.
                return;
            }
            posted.deleted = true;
        }
        tracing::debug!(%ask, chat = chat.0, ?loss, "a card is gone from its chat");

        if let CardLoss::CalledFor { silent } = loss {
            return self.bring_back(ask, chat, silent);
        }
        if self.is_gone_everywhere(ask) {
            self.list.free_place(serial);
        }
        self.fill_up();
        self.report_handle(ask);
    }

    /// Sends a card again that its chat's timer had deleted. It makes no sound: the human did not
    /// dismiss it, and it rang when it first came.
    fn on_comeback(&mut self, ask: &AskId, chat: ChatId) {
        let is_gone = |posted: &PostedCard| posted.chat == chat && posted.deleted;
        let shown = self.cards.get(ask);
        if shown.is_some_and(|shown| shown.posted.values().any(is_gone)) {
            self.bring_back(ask, chat, true);
        }
    }
}
