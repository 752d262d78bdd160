//! The room's task: finds the token, says who the bot is, polls, and sends what the outbox finds.

use super::api::{BotApi, CallError};
use super::card::CardMessage;
use super::outbox::{CallOutcome, Outbox, OutgoingNote, PostedCard, WantedCard};
use super::pairings::{ChatId, UserId};
use super::poll::{LongPoll, ReadPosition};
use super::sender::MessageSender;
use super::{ApiAddress, BotIdentity, TelegramReport};
use crate::platform::secrets::{self, Secret};
use crate::platform::sink::Sink;
use serde::Deserialize;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedReceiver;

/// A token that was refused is tried again after so long.
const LOOK_AGAIN: Duration = Duration::from_secs(30);
/// A server that does not say who the bot is, is asked again after at most so long.
const ASK_AGAIN: Duration = Duration::from_secs(10);
/// So many commands are taken in together.
const MOST_AT_ONCE: usize = 1_000;

/// What the loop asks of the room.
#[derive(Debug)]
pub(super) enum WorkerCommand {
    /// A card is to look like that.
    Want(Box<WantedCard>, Vec<ChatId>, Vec<PostedCard>),
    /// Say something.
    Say(ChatId, OutgoingNote),
    /// Take the keyboard off a message.
    Strip(ChatId, i32),
    /// Give a message that is no ask's another look.
    Redraw(ChatId, i32, Box<CardMessage>),
    /// Take a message away.
    Delete(ChatId, i32),
    /// Answer a tap: the text appears for a moment.
    Answer { query: String, text: String },
    /// The group with topics, and those it has.
    Topics(Option<ChatId>, Vec<(String, i32)>),
    /// Nothing more goes there.
    Forget(ChatId),
    /// Every card is void: what is still open will be wanted anew.
    ForgetCards,
    /// The commands that the bot's menu shows have other words.
    Menu(CommandMenu),
    /// The chat goes on under another id.
    Move(ChatId, ChatId),
    /// The token or the address is another.
    Reload { address: ApiAddress },
    /// The machine has slept: what is under way is dead.
    Wake,
}

/// Why the room begins anew.
pub(super) enum RestartReason {
    Reload,
    Refused,
    Woken(Option<BotIdentity>),
    /// There is no token, or that keeps it out of reach.
    NoToken(Option<secrets::KeychainError>),
}

impl RestartReason {
    /// Returns when it is time, unless somebody says so before.
    async fn due(&self) {
        match self {
            Self::Reload | Self::Woken(_) => {}
            Self::Refused => tokio::time::sleep(LOOK_AGAIN).await,
            // Who stores one says so.
            Self::NoToken(None) => std::future::pending().await,
            Self::NoToken(Some(trouble)) => secrets::look_again(trouble).await,
        }
    }
}

pub(super) struct TelegramWorker {
    pub(super) address: ApiAddress,
    pub(super) reading: ReadPosition,
    pub(super) report: Sink<TelegramReport>,
    pub(super) commands: UnboundedReceiver<WorkerCommand>,
    pub(super) outbox: Outbox,
    pub(super) menu: CommandMenu,
}

/// The commands that the bot's menu shows, with their words.
pub(super) type CommandMenu = Vec<(&'static str, String)>;

impl TelegramWorker {
    /// Runs as long as somebody commands.
    pub(super) async fn run(mut self) {
        let mut known = None;
        loop {
            let found = match known.take() {
                Some(known) => Ok(known),
                None => self.find_token().await.map(|api| (api, None)),
            };
            let (api, again) = match found {
                Ok((api, bot)) => {
                    let again = self.work(&api, bot).await;
                    (Some(api), again)
                }
                Err(again) => (None, Some(again)),
            };
            tell(&self.report, self.outbox.abandon());
            match again {
                None => return,
                Some(RestartReason::Woken(bot)) => {
                    known = api.and_then(|api| api.renewed()).zip(Some(bot))
                }
                Some(again) if self.wait(&again).await => {}
                Some(_) => return,
            }
        }
    }

    async fn find_token(&self) -> Result<BotApi, RestartReason> {
        let trouble = match secrets::read(super::SECRET).await {
            Ok(Some(token)) => return self.connect(token),
            Ok(None) => None,
            Err(trouble) => Some(trouble),
        };
        self.report.post(TelegramReport::NoToken(trouble.clone()));
        Err(RestartReason::NoToken(trouble))
    }

    fn connect(&self, token: Secret) -> Result<BotApi, RestartReason> {
        BotApi::new(&self.address, token).map_err(|error| {
            self.report.post(TelegramReport::Trouble(CallError::Other(format!("{error:#}"))));
            RestartReason::Refused
        })
    }

    /// `false` when nobody commands any more.
    async fn wait(&mut self, anew: &RestartReason) -> bool {
        let due = anew.due();
        tokio::pin!(due);
        loop {
            tokio::select! {
                () = &mut due => return true,
                command = self.commands.recv() => match command {
                    None => return false,
                    Some(WorkerCommand::Reload { address }) => {
                        self.address = address;
                        return true;
                    }
                    Some(command) => self.without_connection(command),
                },
            }
        }
    }

    /// Works until the token is refused or another, or the connections are dead; `None` when nobody
    /// commands any more.
    async fn work(&mut self, api: &BotApi, bot: Option<BotIdentity>) -> Option<RestartReason> {
        let bot = match bot {
            Some(bot) => bot,
            None => match self.meet(api).await? {
                Ok(bot) => bot,
                Err(anew) => return Some(anew),
            },
        };
        let Self { report, commands, outbox, reading, address, menu } = self;
        let recovered = Notify::new();
        // A poll that is dropped has acknowledged nothing.
        let polling = LongPoll { api, bot: &bot, reading, report, recovered: &recovered }.run();
        tokio::pin!(polling);
        let mut line = MessageSender::new(api, &bot, outbox, report);
        line.offer(menu);
        let mut told = Vec::new();
        loop {
            line.send();
            tokio::select! {
                biased;
                // What was told at once is sent in order: all of it comes before the next call.
                count = commands.recv_many(&mut told, MOST_AT_ONCE) => {
                    let anew = line.take(told.drain(..), address, menu);
                    if anew.is_some() || count == 0 {
                        return anew;
                    }
                }
                () = line.progress() => {}
                () = recovered.notified() => line.resume(),
                () = &mut polling => {
                    report.post(TelegramReport::Refused);
                    return Some(RestartReason::Refused);
                }
            }
        }
    }

    /// Learns who the bot is. What is wanted before waits in the outbox.
    async fn meet(&mut self, api: &BotApi) -> Option<Result<BotIdentity, RestartReason>> {
        let Self { report, commands, outbox, address, menu, .. } = self;
        let introduction = introduce(api, report);
        tokio::pin!(introduction);
        loop {
            tokio::select! {
                bot = &mut introduction => {
                    report.post(bot.as_ref().map_or(TelegramReport::Refused, |bot| TelegramReport::Works(bot.clone())));
                    return Some(bot.map_err(|_| RestartReason::Refused));
                }
                command = commands.recv() => match command? {
                    WorkerCommand::Reload { address: new } => {
                        *address = new;
                        return Some(Err(RestartReason::Reload));
                    }
                    WorkerCommand::Wake => return Some(Err(RestartReason::Woken(None))),
                    WorkerCommand::Menu(new) => *menu = new,
                    command => take(outbox, report, command),
                },
            }
        }
    }

    fn without_connection(&mut self, command: WorkerCommand) {
        match command {
            WorkerCommand::Menu(new) => self.menu = new,
            command => take(&mut self.outbox, &self.report, command),
        }
    }
}

/// What needs no connection.
pub(super) fn take(outbox: &mut Outbox, report: &Sink<TelegramReport>, command: WorkerCommand) {
    match command {
        WorkerCommand::Want(wanted, chats, posted) => {
            tell(report, outbox.want(&wanted, &chats, &posted, Instant::now()));
        }
        WorkerCommand::Say(chat, note) => outbox.say(chat, note),
        WorkerCommand::Strip(chat, message) => outbox.strip(chat, message),
        WorkerCommand::Redraw(chat, message, card) => outbox.redraw(chat, message, *card),
        WorkerCommand::Delete(chat, message) => outbox.delete(chat, message),
        WorkerCommand::Topics(chat, known) => outbox.topics(chat, known),
        WorkerCommand::Forget(chat) => tell(report, outbox.forget(chat)),
        WorkerCommand::ForgetCards => outbox.forget_cards(),
        WorkerCommand::Move(from, to) => tell(report, outbox.move_chat(from, to)),
        // Without a connection there is nobody to answer, and nothing to begin anew.
        WorkerCommand::Answer { .. }
        | WorkerCommand::Reload { .. }
        | WorkerCommand::Wake
        | WorkerCommand::Menu(_) => {}
    }
}

pub(super) fn tell(report: &Sink<TelegramReport>, outcomes: Vec<CallOutcome>) {
    outcomes.into_iter().for_each(|outcome| report.post(TelegramReport::Outbox(outcome)));
}

/// Asks who the bot is until there is an answer.
async fn introduce(api: &BotApi, report: &Sink<TelegramReport>) -> Result<BotIdentity, CallError> {
    let mut pause = Duration::from_millis(500);
    loop {
        match get_me(api).await {
            Err(CallError::Unauthorized) => return Err(CallError::Unauthorized),
            Err(trouble) => {
                report.post(TelegramReport::Trouble(trouble));
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(ASK_AGAIN);
            }
            bot => return bot,
        }
    }
}

/// <https://core.telegram.org/bots/api#getme>
pub(super) async fn get_me(api: &BotApi) -> Result<BotIdentity, CallError> {
    #[derive(Deserialize)]
    struct BotUser {
        id: i64,
        username: String,
        #[serde(default)]
        can_read_all_group_messages: bool,
    }
    let me: BotUser = api.raw("getMe", &json!({})).await?;
    Ok(BotIdentity {
        id: UserId(me.id),
        name: me.username,
        reads_groups: me.can_read_all_group_messages,
    })
}
