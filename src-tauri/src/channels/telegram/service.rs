//! The service of a bot that several machines share. Without the bot's lease the channel neither
//! polls nor sends, and tells which machine does.
//!
//! Not here: the lease (`beckon_core::hub`), and the messages that its holder leaves (`app/hub`).

use super::button::{self, ListTap};
use super::outbox::PostedCard;
use super::{ConnectionState, Reaction, TelegramChannel, WorkerCommand};
use crate::channels::telegram::pairing::pairings::{ChatId, UserId};
use beckon_client::wire::Standing;
use beckon_core::hub::{HUB_SOURCE, LeaseHolder, Permit};
use beckon_core::{ButtonTarget, CardTap, ChannelView, Entry};
use std::sync::Arc;
use tokio::sync::watch;

impl TelegramChannel {
    /// Sets whether several machines share the bot.
    pub fn share(&mut self, shared: bool) {
        if shared == self.holder.is_some() {
            return;
        }
        self.permit.send_replace(if shared {
            Permit::Never
        } else {
            Permit::Always
        });
        self.serve(shared.then_some(LeaseHolder::Nobody));
    }

    /// Returns the sender of the permit, which says whether anything may be sent.
    pub fn permit(&self) -> Arc<watch::Sender<Permit>> {
        Arc::clone(&self.permit)
    }

    /// Returns which machine holds the lease, where several machines share the bot; `None` where no
    /// other machine has it.
    pub fn holder(&self) -> Option<&LeaseHolder> {
        self.holder.as_ref()
    }

    /// Sets the holder of the lease, which is another machine or this one.
    pub fn set_holder(&mut self, holder: LeaseHolder) {
        self.serve(Some(holder));
    }

    fn serve(&mut self, holder: Option<LeaseHolder>) {
        let before = self.serves();
        self.holder = holder;
        if before && !self.serves() {
            self.stand_by();
        }
        self.report_availability();
    }

    /// Stops sending and forgets the cards, which the next holder takes over. When this machine
    /// serves again, it is told which messages the cards are in by then.
    fn stand_by(&mut self) {
        self.command(WorkerCommand::StandBy);
        self.cards.clear();
        self.list.clear();
        self.withdrawals.clear();
    }

    /// Whether this Beckon sends and polls.
    pub fn serves(&self) -> bool {
        matches!(
            self.holder,
            None | Some(LeaseHolder::Own(_) | LeaseHolder::Alone)
        )
    }

    /// Whether an ask of another machine is left to that machine while the hub is out of reach. The
    /// ask could not be answered from here, and would be shown twice. A card that is shown already
    /// stays.
    pub(super) fn leaves_to_others(&self, entry: &Entry, replaces: Option<&str>) -> bool {
        let is_known = replaces.is_some() || self.cards.contains_key(&entry.ask.id);
        self.holder == Some(LeaseHolder::Alone)
            && !is_known
            && entry.ask.id.source.0.starts_with(HUB_SOURCE)
    }

    /// Returns the bot that the token belongs to, if it is known and Telegram accepts the token.
    pub fn bot_id(&self) -> Option<UserId> {
        let is_taken = !matches!(
            self.connection,
            ConnectionState::NoToken(_)
                | ConnectionState::Refused
                | ConnectionState::LeftOut
                | ConnectionState::Starting
        );
        self.bot.as_ref().filter(|_| is_taken).map(|bot| bot.id)
    }

    /// Reads the target for which a card's button was made, and the tap. Cards of other machines
    /// that share the bot carry their owners' seals and targets.
    pub(super) fn read_button(
        &self,
        data: &str,
        view: ChannelView<'_>,
    ) -> Option<(ButtonTarget, CardTap)> {
        if self.holder.is_none() || data.starts_with(&self.seal) {
            return button::read(data, &self.seal);
        }
        let (node, made_for, tap) = button::read_any(data)?;
        Some((view.shared_target(node, made_for)?, tap))
    }

    /// Reads the tap on a list, and whether the list is one of this Beckon's.
    pub(super) fn read_list_button(&self, data: &str) -> Option<(bool, ListTap)> {
        let (seal, tap) = button::read_any_list(data)?;
        let is_own = seal == self.seal;
        (is_own || self.holder.is_some()).then_some((is_own, tap))
    }

    /// Draws a list anew that the former holder drew, after a tap on one of its lines: the number
    /// of that line belongs to no ask here.
    pub(super) fn on_foreign_line(
        &mut self,
        (chat, query, message): (ChatId, &str, Option<i32>),
        view: ChannelView<'_>,
    ) -> Reaction {
        self.turn(chat, message, 0, view);
        let text = self.texts.get("telegram-press-again");
        self.command(WorkerCommand::Answer {
            query: query.to_owned(),
            text,
        });
        Reaction::Nothing
    }

    pub(super) fn standing_by(&self) -> (Standing, Option<String>) {
        let bot = self.bot.as_ref().map_or("", |bot| bot.name.as_str());
        let with = |key: &str, machine: &str| {
            self.texts
                .with(key, &[("bot", bot.into()), ("machine", machine.into())])
        };
        match &self.holder {
            Some(LeaseHolder::Other { machine, .. }) => {
                (Standing::Standby, Some(with("telegram-served-by", machine)))
            }
            Some(LeaseHolder::Unknown) => {
                (Standing::Standby, Some(with("telegram-served-unknown", "")))
            }
            Some(LeaseHolder::Left) => (Standing::Standby, Some(with("telegram-served-left", ""))),
            Some(LeaseHolder::Foreign) => {
                (Standing::Standby, Some(with("telegram-served-foreign", "")))
            }
            _ => (Standing::Starting, Some(with("telegram-served-soon", ""))),
        }
    }

    /// Takes the buttons off messages whose ask is over, except the messages of the card itself.
    pub fn close_leftovers(&self, leftover: &str, card: Option<&str>) {
        let known = self.read_handle(card);
        let is_known = |message: i32| known.iter().any(|posted| posted.has(message));
        for posted in self.read_handle(Some(leftover)) {
            if posted.deleted || is_known(posted.message) {
                continue;
            }
            tracing::info!(
                chat = posted.chat.0,
                message = posted.message,
                "a message whose ask is over loses its buttons"
            );
            self.take_down(&posted);
        }
    }

    /// Deletes messages that another holder sent for the same ask because it did not know of the
    /// card that is shown here.
    pub fn remove_strays(&self, stray: &str, card: Option<&str>) {
        let known = self.read_handle(card);
        let is_known = |message: &i32| known.iter().any(|posted| posted.has(*message));
        for posted in self.read_handle(Some(stray)) {
            let PostedCard {
                chat,
                message,
                prompt,
                document,
                ..
            } = posted;
            let messages = [Some(message), prompt, document].into_iter().flatten();
            for message in messages.filter(|message| !is_known(message)) {
                tracing::info!(
                    chat = chat.0,
                    message,
                    "a second message of the same card is deleted"
                );
                self.command(WorkerCommand::Delete(chat, message));
            }
        }
    }
}
