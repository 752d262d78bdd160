//! A bot that several machines share: who serves it, and what its holder leaves for the next one.
//!
//! Not here: the lease (`hub/lease.rs`), and what the channel does without it (`channels/telegram`).

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

/// The bot, as far as others share it.
#[derive(Debug, Default)]
pub(super) struct SharedBot {
    /// Which bot the lease is kept of.
    kept: Option<UserId>,
    /// The token of the lease that is held here, or was last.
    pub(super) token: u64,
    /// Which messages are which cards.
    pub(super) cards: SharedCards,
    /// Who may answer.
    chats: SharedChats,
    /// The machines that have the bot, by their names among Beckons.
    bearers: BTreeSet<String>,
    /// They were heard of, over this connection and of this bot.
    pub(super) are_bearers_known: bool,
    /// Cards were sent without the hub, of which nobody there knows.
    was_alone: bool,
    /// What was told of cards and has not come back.
    pub(super) untold: UntoldCards,
}

impl SharedBot {
    /// Over another connection all of it is told anew.
    pub(super) fn forget(&mut self) {
        *self = Self {
            token: self.token,
            untold: std::mem::take(&mut self.untold),
            ..Self::joining()
        };
    }

    /// That of a hub which is joined: what was sent before nobody there knows.
    pub(super) fn joining() -> Self {
        Self {
            was_alone: true,
            ..Self::default()
        }
    }
}

impl App {
    /// Who keeps the lease learns which bot it is of.
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

    /// Who else polls concerns who keeps the lease.
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

    /// Whoever serves the bot is called as it is elsewhere here, and not as it calls itself.
    fn named_holder(&self, holder: LeaseHolder) -> LeaseHolder {
        let LeaseHolder::Other { node, machine } = holder else {
            return holder;
        };
        let signer = self.hub.as_ref().and_then(|hub| hub.signers.get(&node));
        let machine = signer.map_or_else(|| shown_name(&machine), |signer| signer.device.clone());
        LeaseHolder::Other { node, machine }
    }

    /// It may have served the bot before it was heard of.
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

    /// The channel tells of a card. One that it sent before another machine took over is that one's to
    /// judge.
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

    /// What was sent by a lease that is over, or without any: who serves the bot by now goes on with
    /// it, or takes it away.
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

    /// Those of which the hub says another thing, or nothing.
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

    /// Where every card stands, for the next holder.
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

    /// Only who serves the bot knows.
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

    /// It stands beside the card; and the hub has its record in place of ours.
    fn on_stray(&mut self, ask: AskSubject, handle: &str) {
        let Some(hub) = &mut self.hub else { return };
        let Some(known) = hub.bot.cards.get(&ask).cloned() else {
            return;
        };
        let telegram = &self.channels.telegram;
        match &known.place {
            CardPlace::Stands(card) => telegram.remove_strays(handle, Some(card)),
            CardPlace::Deleted => telegram.remove_strays(handle, None),
            // It may be the card itself, told late: its end is to be read.
            CardPlace::Ended | CardPlace::Leftover(_) => telegram.close_leftovers(handle, None),
        }
        hub.tell_card(ask, known);
    }

    /// What has come (again) may have a card already.
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

    /// An ask has come of which a card stands already.
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

    /// The desk learns where a card stands that another machine has sent.
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
            // The next holder sees to it.
            CardPlace::Leftover(_) => {}
        }
    }

    /// Where the record of an ask's card stands, if others know the ask.
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

    /// What an ask is called here.
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

    /// Who may answer has changed here: what is to be kept of that, and others are told.
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

    /// A machine that has the bot as well, and perhaps knows more of who may answer.
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
        self.opener.changed();
    }
}

impl HubRoom {
    /// Tells of a card until the hub has that.
    pub(super) fn tell_card(&mut self, subject: AskSubject, record: CardRecord) {
        self.bot.untold.tell(subject.clone(), record.clone());
        self.handle.tell_bot(BotCommand::Card(subject, record));
    }

    /// Is another machine heard of that has the bot as well?
    fn has_other_bearer(&self) -> bool {
        self.other_bearers()
            .any(|node| self.heard.contains_key(node))
    }

    /// Has another machine the bot as well, whether it is there or not? So it is taken to be where
    /// nobody knows: who then finds that nobody else polls has lost less than a minute.
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
