//! The state of the channel: which bot it has, whether it can send, and what is said of that.

use super::{BotIdentity, CallError, ConnectionState, SECRET, TelegramChannel, words};
use crate::channels::telegram::TelegramView;
use crate::channels::telegram::card::time;
use crate::channels::telegram::outbox::RefusedCards;
use crate::channels::telegram::pairing::pairings::{ChatId, PairingChange, UserId};
use crate::channels::telegram::worker::command::WorkerCommand;
use crate::platform::part::Part;
use crate::platform::secrets;
use beckon_client::wire::{Paired, ProxyState, ProxyStatus, Standing};
use beckon_core::{Channel, Event, Timestamp};

impl ConnectionState {
    pub(super) fn first() -> Self {
        if Part::Telegram.is_left_out() {
            Self::LeftOut
        } else {
            Self::Starting
        }
    }

    /// Returns the state of the proxy, where there is one. Any answer, whatever it says, has come
    /// through it.
    fn of_proxy(&self) -> ProxyState {
        match self {
            Self::Works | Self::Refused => ProxyState::Works,
            Self::Trouble(CallError::Proxy(_, error)) => error.state(),
            // An HTTP proxy may itself answer that a server is out of order.
            Self::Trouble(CallError::Network(_) | CallError::Server(_)) => ProxyState::Unknown,
            Self::Trouble(_) => ProxyState::Works,
            Self::Starting | Self::LeftOut | Self::NoToken(_) => ProxyState::Unknown,
        }
    }
}

impl TelegramChannel {
    /// Returns what there is to be seen of the channel.
    pub fn view(&self, now: Timestamp) -> TelegramView {
        let people = self.pairings.people.values();
        let people = people.map(|person| Paired {
            id: person.id.0,
            name: person.name.clone(),
            group: false,
            blocked: self.blocked.contains(&ChatId(person.id.0)),
        });
        let group = self.pairings.group.iter();
        let group = group.map(|group| Paired {
            id: group.chat.0,
            name: group.title.clone(),
            group: true,
            blocked: self.blocked.contains(&group.chat),
        });
        let (state, error) = self.health();
        TelegramView {
            state,
            error,
            bot: self.bot.as_ref().map(|bot| bot.name.clone()),
            reads_groups: self.bot.as_ref().is_some_and(|bot| bot.reads_groups),
            paired: people.chain(group).collect(),
            ignored: self.ignored,
            unread_updates: self.unread_updates,
            troubles: self.troubles(now),
            token_from_environment: secrets::from_environment(SECRET).is_some(),
            proxy: self.proxy(),
            pairing_until: self.pairing.out_until(now),
            pairing_exposed: self.pairing.is_exposed(),
        }
    }

    /// Returns what is amiss in single chats: where Telegram takes nothing for now, who has blocked
    /// the bot, and cards that are refused.
    fn troubles(&self, now: Timestamp) -> Vec<String> {
        if self.connection != ConnectionState::Works || !self.serves() {
            return Vec::new();
        }
        let paired = self.pairings.chats();
        let is_paired = |chat: &ChatId| paired.contains(chat);
        let held_back = self.held_back.iter();
        let held_back = held_back.filter(|(chat, until)| is_paired(chat) && now < **until);
        let held_back = held_back.map(|(chat, until)| {
            let time = time::clock(&self.card_context(), *until);
            let args = [
                ("name", self.chat_name(*chat).into()),
                ("time", time.into()),
            ];
            self.texts.with("telegram-chat-held-back", &args)
        });

        let blocked = self.blocked.iter().filter(|chat| is_paired(chat));
        let blocked = blocked.map(|chat| {
            let key = if chat.0 < 0 {
                "telegram-chat-removed"
            } else {
                "telegram-chat-blocked"
            };
            let args = [("name", self.chat_name(*chat).into())];
            self.texts.with(key, &args)
        });

        let refused = self.refused.iter().map(|RefusedCards { count, reason }| {
            let args = [
                ("count", (*count).into()),
                ("reason", reason.clone().into()),
            ];
            self.texts.with("telegram-cards-refused", &args)
        });
        held_back.chain(blocked).chain(refused).collect()
    }

    /// Returns the name that a paired person or group has chosen.
    fn chat_name(&self, chat: ChatId) -> String {
        let person = self.pairings.people.get(&UserId(chat.0));
        let group = self.pairings.group.as_ref();
        let group = group.filter(|group| group.chat == chat);
        person
            .map(|person| person.name.clone())
            .or_else(|| group.map(|group| group.title.clone()))
            .unwrap_or_default()
    }

    fn proxy(&self) -> Option<ProxyStatus> {
        let address = self.address.proxy()?.to_string();
        Some(ProxyStatus {
            address,
            state: self.connection.of_proxy().into(),
        })
    }

    fn health(&self) -> (Standing, Option<String>) {
        let texts = &self.texts;
        match &self.connection {
            ConnectionState::Starting => (Standing::Starting, None),
            ConnectionState::LeftOut => (Standing::Down, Some(texts.get("telegram-left-out"))),
            ConnectionState::NoToken(None) => (Standing::Off, Some(texts.get("telegram-no-token"))),
            // Most machines without a keychain need none.
            ConnectionState::NoToken(Some(secrets::KeychainError::Absent(_)))
                if self.pairings.people.is_empty() =>
            {
                (Standing::Off, Some(texts.get("telegram-no-token")))
            }
            ConnectionState::NoToken(Some(trouble)) => (
                Standing::Down,
                Some(beckon_client::text::words::keychain(texts, trouble, SECRET)),
            ),
            ConnectionState::Refused => (Standing::Down, Some(texts.get("telegram-token-refused"))),
            // The other machines that share it serve the bot meanwhile.
            ConnectionState::Trouble(CallError::OtherPoller) if !self.serves() => {
                self.standing_by()
            }
            ConnectionState::Trouble(trouble) => {
                (Standing::Down, Some(words::trouble(trouble, texts)))
            }
            ConnectionState::Works if !self.serves() => self.standing_by(),
            ConnectionState::Works if self.pairings.chats().is_empty() => {
                (Standing::Works, Some(texts.get("telegram-nobody-paired")))
            }
            ConnectionState::Works if self.chats().is_empty() => {
                (Standing::Works, Some(texts.get("telegram-nobody-open")))
            }
            ConnectionState::Works => (Standing::Works, None),
        }
    }

    /// Takes over the bot behind the token. A new bot begins with nothing: every card is sent anew,
    /// and whether anybody has opened its chat is not known.
    pub(super) fn adopt_bot(&mut self, bot: BotIdentity) -> Vec<PairingChange> {
        let mut changes = Vec::new();
        let former = self.whose.replace(bot.id);
        if former.is_some_and(|former| former != bot.id) {
            tracing::info!(bot = bot.name, "another bot");
            self.command(WorkerCommand::ForgetCards);
            self.cards
                .values_mut()
                .for_each(|shown| shown.posted.clear());
            self.list.clear();
            self.ended.forget_places();
            changes = self.forget_lists(|_| true);
            self.blocked.clear();
            self.up = false;
        }
        self.bot = Some(bot);
        changes
    }

    pub(super) fn set_connection(&mut self, connection: ConnectionState) {
        if self.connection != connection {
            if connection == ConnectionState::Works {
                self.command(WorkerCommand::LookUpTimers(self.chats()));
            }
            let bot = self.bot.as_ref().map(|bot| bot.name.as_str());
            tracing::info!(?connection, bot, "telegram");
            self.connection = connection;
        }
        self.report_availability();
    }

    /// Tells the desk whether cards can be sent. A server that does not answer for a while changes
    /// nothing: the cards wait in the outbox.
    pub(super) fn report_availability(&mut self) {
        let token = !matches!(
            self.connection,
            ConnectionState::Starting
                | ConnectionState::LeftOut
                | ConnectionState::NoToken(_)
                | ConnectionState::Refused
        );
        let up = token && self.serves() && !self.chats().is_empty();
        if up == self.up || (self.connection == ConnectionState::Starting && self.serves()) {
            return;
        }
        self.up = up;
        let channel = Channel::Telegram;
        if up {
            self.events.post(Event::ChannelUp(channel));
        } else {
            // How asks end meanwhile is not told: a card that has ended must not be sent when this
            // works again.
            self.command(WorkerCommand::ForgetCards);
            self.events.post(Event::ChannelDown(channel));
        }
    }

    /// Tells the desk once more that cards can be sent, after chats have come: what is open is
    /// shown there too.
    pub(super) fn report_availability_anew(&mut self) {
        self.up = false;
        self.report_availability();
    }
}
