//! A bot that several machines share: which machine serves it, and the records that this one leaves
//! for the next.
//!
//! Not here: the lease (`hub/lease.rs`), and what the channel does without it
//! (`channels/telegram`).

use super::watching::shown_name;
use super::*;
use crate::channels::telegram::pairing::pairings::UserId;
use crate::channels::telegram::{CallError, TelegramReport};
use crate::hub::{BotCommand, BotReport};
use crate::store::SharedChatRow;
use beckon_core::hub::{
    AskSubject, CardMove, CardPlace, CardRecord, ChatChange, ChatsRecord, LeaseHolder,
    RECORD_VERSION, SharedCards, SharedChats, UntoldCards, owner_of,
};

/// The state of the bot that is shared with other machines.
#[derive(Debug, Default)]
pub(super) struct SharedBot {
    /// The bot that this machine has, and for whose lease it tries.
    kept: Option<UserId>,
    /// The token of the lease that is held here, or was last.
    pub(super) token: u64,
    /// The records of which messages are which asks' cards.
    pub(super) cards: SharedCards,
    /// The records of which chats may answer.
    chats: SharedChats,
    /// The machines that have the bot, by their names among Beckons.
    bearers: BTreeSet<String>,
    /// Whether the list of machines with this bot was read over this connection.
    pub(super) are_bearers_known: bool,
    /// Whether cards may have been sent without the hub, so that no record of them is there.
    was_alone: bool,
    /// Records of cards that were published and have not come back from the hub.
    pub(super) untold: UntoldCards,
}

impl SharedBot {
    /// Forgets what the last connection told; the next one tells it again.
    pub(super) fn forget(&mut self) {
        *self = Self {
            token: self.token,
            untold: std::mem::take(&mut self.untold),
            ..Self::joining()
        };
    }

    /// Returns the state for a hub that is being joined, which has no records of the cards sent
    /// before.
    pub(super) fn joining() -> Self {
        Self {
            was_alone: true,
            ..Self::default()
        }
    }
}

impl App {
    /// Tells the keeper of the lease which bot it is for.
    pub(in crate::app) fn tell_bot(&mut self) {
        self.tell_left_bot();
        let bot = self.channels.telegram.bot_id();
        let Some(hub) = self.hub.as_mut().filter(|hub| hub.bot.kept != bot) else {
            return;
        };
        (hub.bot.kept, hub.bot.are_bearers_known) = (bot, false);
        hub.bot.untold = UntoldCards::default();
        hub.handle.tell_bot(BotCommand::Serve(bot.map(|bot| bot.0)));
        if let Some(bot) = bot {
            let kept = self.store.shared_chats(bot.0).unwrap_or_else(|error| {
                tracing::warn!(
                    error = format!("{error:#}"),
                    "the shared chats can't be read"
                );
                BTreeMap::new()
            });
            hub.bot.chats = SharedChats::restore(kept);
            let chats = self.note_chats();
            self.commit_rows(
                &CommitRows {
                    chats: &chats,
                    ..CommitRows::default()
                },
                clock::now(),
            );
        }
    }

    /// Tells the keeper of the lease what the channel noticed of other pollers.
    pub(in crate::app) fn tell_of_polls(&self, report: &TelegramReport) {
        let others = || self.hub.as_ref().is_some_and(HubRoom::has_other_bearer);
        let command = match report {
            TelegramReport::Probed(found) => BotCommand::Probed(*found),
            TelegramReport::Trouble(CallError::OtherPoller) => {
                BotCommand::Conflict { others: others() }
            }
            TelegramReport::Trouble(trouble) if trouble.is_unreached() => {
                BotCommand::Unreached { others: others() }
            }
            TelegramReport::Works(_) => BotCommand::Reached,
            _ => return,
        };
        match &self.hub {
            Some(hub) => hub.handle.tell_bot(command),
            None => self.tell_left_of_polls(command),
        }
    }

    pub(super) fn on_bot(&mut self, report: BotReport) {
        match report {
            BotReport::Listed { cards, chats } => self.on_bot_list(cards, chats),
            BotReport::Card(subject, record) => self.on_shared_card(subject.ask, record),
            BotReport::Chats(node, record) => self.hear_chats(node, record),
            BotReport::Holder(holder) => self.on_holder(holder),
            BotReport::Asked(ask) => self.mirror_card(&ask),
        }
    }

    fn on_bot_list(
        &mut self,
        cards: BTreeMap<AskSubject, CardRecord>,
        chats: BTreeMap<String, ChatsRecord>,
    ) {
        let Some(hub) = &mut self.hub else { return };
        hub.bot.are_bearers_known = true;
        hub.bot.cards.replace(cards);
        let was_alone = std::mem::take(&mut hub.bot.was_alone);
        self.tell_untold();
        if was_alone {
            self.offer_cards();
        }
        self.offer_leftovers();
        chats
            .into_iter()
            .for_each(|(node, record)| self.hear_chats(node, record));
        self.tell_chats();
        let Some(hub) = &self.hub else { return };
        let there = hub.bot.cards.all();
        let there: Vec<_> = there
            .map(|(ask, record)| (ask.clone(), record.place.clone()))
            .collect();
        for (ask, place) in there {
            self.mirror(&ask, place);
        }
        self.publish_cards();
        self.close_leftovers();
    }

    fn on_holder(&mut self, holder: LeaseHolder) {
        let Some(hub) = &mut self.hub else { return };
        match holder {
            LeaseHolder::Own(token) => hub.bot.token = token,
            LeaseHolder::Alone => hub.bot.was_alone = true,
            LeaseHolder::Nobody
            | LeaseHolder::Other { .. }
            | LeaseHolder::Unknown
            | LeaseHolder::Left
            | LeaseHolder::Foreign => {}
        }
        let holder = self.named_holder(holder);
        self.channels.telegram.set_holder(holder);
        self.publish_cards();
        self.offer_leftovers();
        self.close_leftovers();
        self.opener.changed();
    }

    /// Replaces the holder's own name by the name under which its machine is known here.
    fn named_holder(&self, holder: LeaseHolder) -> LeaseHolder {
        let LeaseHolder::Other { node, machine } = holder else {
            return holder;
        };
        let signer = self.hub.as_ref().and_then(|hub| hub.signers.get(&node));
        let machine = signer.map_or_else(|| shown_name(&machine), |signer| signer.device.clone());
        LeaseHolder::Other { node, machine }
    }

    /// Renames the holder once its machine is heard of, since it may have served the bot before
    /// that.
    pub(super) fn name_holder(&mut self) {
        let Some(known) = self.channels.telegram.holder().cloned() else {
            return;
        };
        let named = self.named_holder(known.clone());
        if named != known {
            self.channels.telegram.set_holder(named);
            self.opener.changed();
        }
    }

    /// Handles an event about a card. If another machine has taken the bot over since the card was
    /// sent, that machine decides about it.
    pub(in crate::app) fn on_card_event(&mut self, event: Event) {
        let (Event::Shown { ask, .. } | Event::Closed { ask, .. } | Event::Withdrawn { ask, .. }) =
            &event
        else {
            return;
        };
        let (ask, subject) = (ask.clone(), self.card_subject(ask));
        let (Some(subject), false) = (subject, self.channels.telegram.serves()) else {
            let ends = matches!(event, Event::Withdrawn { .. });
            self.handle(event);
            self.offer_leftovers();
            return if ends {
                self.publish_end(&ask)
            } else {
                self.publish_card(&ask)
            };
        };
        if let Event::Shown { handle, .. } = event {
            self.offer_card(subject, CardPlace::Stands(handle));
        }
    }

    /// Publishes a card that was sent under an earlier lease, or without one. The machine that
    /// serves the bot now takes it over, or removes it.
    pub(super) fn offer_card(&mut self, subject: AskSubject, place: CardPlace) {
        let place = self.as_leftover(&subject, place);
        let Some(hub) = &mut self.hub else { return };
        let record = CardRecord {
            v: RECORD_VERSION,
            token: hub.bot.token,
            place,
        };
        hub.tell_card(subject, record);
    }

    /// Publishes the cards of which the hub has a different record, or none.
    fn offer_cards(&mut self) {
        let Some(hub) = &self.hub else { return };
        let cards = self.desk.asks().filter_map(|(_, entry)| {
            let handle = entry.cards.get(&Channel::Telegram)?.handle.clone()?;
            Some((self.card_subject(&entry.ask.id)?, handle))
        });
        let is_known = |subject: &AskSubject, handle: &String| {
            let known = hub.bot.cards.get(subject).map(|known| &known.place);
            matches!(known, Some(CardPlace::Stands(known)) if known == handle)
        };
        let offers: Vec<_> = cards
            .filter(|(ask, handle)| !is_known(ask, handle))
            .collect();
        offers
            .into_iter()
            .for_each(|(subject, handle)| self.offer_card(subject, CardPlace::Stands(handle)));
    }

    /// Publishes the place of every card, for the next holder.
    fn publish_cards(&mut self) {
        let asks: Vec<AskId> = self
            .desk
            .asks()
            .map(|(_, entry)| entry.ask.id.clone())
            .collect();
        asks.iter().for_each(|ask| self.publish_card(ask));
    }

    pub(in crate::app) fn publish_card(&mut self, ask: &AskId) {
        let card = self
            .desk
            .entry(ask)
            .and_then(|entry| entry.cards.get(&Channel::Telegram));
        let place = card.and_then(|card| match (card.closed, &card.handle) {
            (true, _) => Some(CardPlace::Deleted),
            (false, Some(handle)) => Some(CardPlace::Stands(handle.clone())),
            (false, None) => None,
        });
        if let Some(place) = place {
            self.publish_place(ask, place);
        }
    }

    fn publish_end(&mut self, ask: &AskId) {
        let has_card = |entry: &Entry| entry.cards.contains_key(&Channel::Telegram);
        if !self.desk.entry(ask).is_some_and(has_card) {
            self.publish_place(ask, CardPlace::Ended);
        }
    }

    /// Publishes a card's place if this machine serves the bot, since then no other machine knows
    /// it.
    fn publish_place(&mut self, ask: &AskId, place: CardPlace) {
        if !self.channels.telegram.serves() {
            return;
        }
        let Some(subject) = self.card_subject(ask) else {
            return;
        };
        let Some(hub) = &mut self.hub else { return };
        let token = hub.bot.token;
        if let (Some(before), CardPlace::Stands(card)) =
            (hub.bot.cards.messages_before(&subject, token), &place)
        {
            self.channels.telegram.remove_strays(before, Some(card));
        }
        if let Some(record) = hub.bot.cards.note(&subject, token, place) {
            hub.tell_card(subject, record);
        }
    }

    fn on_shared_card(&mut self, ask: AskSubject, record: CardRecord) {
        let serves = self.channels.telegram.serves();
        let Some(hub) = &mut self.hub else { return };
        let own = serves.then_some(hub.bot.token);
        hub.bot.untold.hear(&ask, &record);
        match hub.bot.cards.take(ask.clone(), record, own) {
            None => {}
            Some(CardMove::Mirror(place)) => {
                self.mirror(&ask, place);
                self.ask_of_subject(&ask)
                    .iter()
                    .for_each(|ask| self.publish_card(ask));
            }
            Some(CardMove::Stray(handle)) => self.on_stray(ask, &handle),
            Some(CardMove::Leftover(handle)) => self.close_leftover(ask, &handle),
        }
    }

    /// Removes a message that is a second card of the ask, and publishes the record of the first
    /// one again: the record of the stray has taken its place on the hub.
    fn on_stray(&mut self, ask: AskSubject, handle: &str) {
        let Some(hub) = &mut self.hub else { return };
        let Some(known) = hub.bot.cards.get(&ask).cloned() else {
            return;
        };
        let telegram = &self.channels.telegram;
        match &known.place {
            CardPlace::Stands(card) => telegram.remove_strays(handle, Some(card)),
            CardPlace::Deleted => telegram.remove_strays(handle, None),
            // The message may be the card itself, whose record came late. Then its ending must stay
            // readable.
            CardPlace::Ended | CardPlace::Leftover(_) => telegram.close_leftovers(handle, None),
        }
        hub.tell_card(ask, known);
    }

    /// Checks whether an ask that has arrived (again) has a card already, sent by another machine.
    pub(super) fn look_for_card(&self, news: &News) {
        let (News::Asked(ask) | News::Reopened(ask)) = news else {
            return;
        };
        let Some((subject, hub)) = self.card_subject(ask).zip(self.hub.as_ref()) else {
            return;
        };
        if hub.bot.cards.get(&subject).is_some() {
            let asked = HubReport::Bot(BotReport::Asked(ask.clone()));
            self.mailbox.input(LoopInput::Hub(hub.number, asked));
        }
    }

    /// Takes over the card of an ask that has arrived after its card's record.
    fn mirror_card(&mut self, ask: &AskId) {
        let Some(subject) = self.card_subject(ask) else {
            return;
        };
        let record = self
            .hub
            .as_ref()
            .and_then(|hub| hub.bot.cards.get(&subject));
        if let Some(place) = record.map(|record| record.place.clone()) {
            self.mirror(&subject, place);
        }
    }

    /// Tells the desk the place of a card that another machine has sent.
    fn mirror(&mut self, subject: &AskSubject, place: CardPlace) {
        let Some(ask) = self.ask_of_subject(subject) else {
            return;
        };
        let channel = Channel::Telegram;
        let card = self
            .desk
            .entry(&ask)
            .and_then(|entry| entry.cards.get(&channel));
        match place {
            CardPlace::Stands(handle) => {
                if card.is_none_or(|card| card.handle.as_ref() != Some(&handle)) {
                    self.channels.telegram.stands_already(&ask, &handle);
                    self.handle(Event::Shown {
                        channel,
                        ask,
                        handle,
                    });
                }
            }
            CardPlace::Deleted => {
                if card.is_none() && self.desk.entry(&ask).is_some() {
                    let (ask, handle) = (ask.clone(), String::new());
                    self.handle(Event::Shown {
                        channel,
                        ask,
                        handle,
                    });
                }
                self.handle(Event::Closed { channel, ask });
            }
            CardPlace::Ended => _ = self.handle(Event::EndedElsewhere { channel, ask }),
            // The next holder closes it.
            CardPlace::Leftover(_) => {}
        }
    }

    /// Returns the subject of a card's record, if other machines know the ask.
    fn card_subject(&self, id: &AskId) -> Option<AskSubject> {
        let hub = self.hub.as_ref()?;
        match self.desk.entry(id) {
            Some(entry) if entry.ask.is_shared() => Some(AskSubject {
                node: self.instance.to_string(),
                serial: entry.serial,
            }),
            Some(entry) => owner_of(entry),
            None if id.source.0.starts_with(HUB_SOURCE) => {
                hub.remote.find(id).map(|(subject, _)| subject.clone())
            }
            None => {
                let serial = self.desk.memory(id)?.serial;
                let subject = AskSubject {
                    node: self.instance.to_string(),
                    serial,
                };
                hub.bot.cards.get(&subject).is_some().then_some(subject)
            }
        }
    }

    /// Returns the local id of the ask behind a subject of the hub.
    pub(super) fn ask_of_subject(&self, subject: &AskSubject) -> Option<AskId> {
        let hub = self.hub.as_ref()?;
        if *subject.node == *self.instance {
            return self.desk.id_of(subject.serial).cloned();
        }
        let record = hub.remote.get(subject)?;
        Some(AskId {
            source: record.source(),
            own: subject.own_id(),
        })
    }

    /// Publishes which chats may answer, after a change here. Returns the rows to save.
    pub(in crate::app) fn note_chats(&mut self) -> Vec<SharedChatRow> {
        let Some(hub) = self.hub.as_mut() else {
            return Vec::new();
        };
        let Some(bot) = hub.bot.kept else {
            return Vec::new();
        };
        let here = self.channels.telegram.shared_chats();
        let changes = hub.bot.chats.reconcile(&here);
        if !changes.is_empty() {
            hub.handle
                .tell_bot(BotCommand::Chats(hub.bot.chats.record()));
        }
        rows_of(bot, changes)
    }

    fn tell_chats(&self) {
        if let Some(hub) = &self.hub {
            hub.handle
                .tell_bot(BotCommand::Chats(hub.bot.chats.record()));
        }
    }

    /// Merges the record of another machine with this bot, which may know more chats that may
    /// answer.
    fn hear_chats(&mut self, node: String, record: ChatsRecord) {
        let Some(hub) = &mut self.hub else { return };
        let Some(bot) = hub.bot.kept else { return };
        hub.bot.bearers.insert(node);
        let changes = hub.bot.chats.merge(record);
        if changes.is_empty() {
            return;
        }
        let pairings = self.channels.telegram.take_over_chats(&changes);
        let chats = rows_of(bot, changes);
        let rows = CommitRows {
            pairings: &pairings,
            chats: &chats,
            ..CommitRows::default()
        };
        self.commit_rows(&rows, clock::now());
        self.tell_once_saved();
        self.opener.changed();
    }
}

impl HubRoom {
    /// Publishes a card's record, and keeps it until the hub has it.
    pub(super) fn tell_card(&mut self, subject: AskSubject, record: CardRecord) {
        self.bot.untold.tell(subject.clone(), record.clone());
        self.handle.tell_bot(BotCommand::Card(subject, record));
    }

    /// Whether another machine that has the bot is online.
    fn has_other_bearer(&self) -> bool {
        self.other_bearers()
            .any(|node| self.heard.contains_key(node))
    }

    /// Whether another machine has the bot, online or not. While that is unknown the answer is yes:
    /// waiting although nobody else polls costs less than a minute.
    pub(super) fn shares_bot(&self) -> bool {
        !self.bot.are_bearers_known || self.other_bearers().next().is_some()
    }

    fn other_bearers(&self) -> impl Iterator<Item = &String> {
        self.bot
            .bearers
            .iter()
            .filter(|node| *node != self.owner.node())
    }
}

fn rows_of(bot: UserId, changes: Vec<ChatChange>) -> Vec<SharedChatRow> {
    let row = |(name, entry)| SharedChatRow {
        bot: bot.0,
        name,
        entry,
    };
    changes.into_iter().map(row).collect()
}
