//! The room's task: finds the token, says who the bot is, polls, and sends what the outbox finds.

use super::api::{Api, Trouble};
use super::card::Card;
use super::line::Line;
use super::outbox::{Note, Outbox, Outcome, Posted, Wanted};
use super::poll::{Poll, Reading};
use super::{Address, Bot, Report, Reporter};
use crate::channels::telegram::pairings::{ChatId, UserId};
use crate::platform::secrets::{self, Secret};
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
pub(super) enum Command {
    /// A card is to look like that.
    Want(Box<Wanted>, Vec<ChatId>, Vec<Posted>),
    /// Say something.
    Say(ChatId, Note),
    /// Take the keyboard off a message.
    Strip(ChatId, i32),
    /// Give a message that is no ask's another look.
    Redraw(ChatId, i32, Box<Card>),
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
    Menu(Menu),
    /// The chat goes on under another id.
    Move(ChatId, ChatId),
    /// The token or the address is another.
    Reload { address: Address },
    /// The machine has slept: what is under way is dead.
    Wake,
}

/// Why the room begins anew.
pub(super) enum Anew {
    Reload,
    Refused,
    Woken(Option<Bot>),
    /// There is no token, or that keeps it out of reach.
    NoToken(Option<secrets::Trouble>),
}

impl Anew {
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

pub(super) struct Room {
    pub(super) address: Address,
    pub(super) reading: Reading,
    pub(super) report: Reporter,
    pub(super) commands: UnboundedReceiver<Command>,
    pub(super) outbox: Outbox,
    pub(super) menu: Menu,
}

/// The commands that the bot's menu shows, with their words.
pub(super) type Menu = Vec<(&'static str, String)>;

impl Room {
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
                Some(Anew::Woken(bot)) => known = api.and_then(|api| api.renewed()).zip(Some(bot)),
                Some(again) if self.wait(&again).await => {}
                Some(_) => return,
            }
        }
    }

    async fn find_token(&self) -> Result<Api, Anew> {
        let trouble = match secrets::read(super::SECRET).await {
            Ok(Some(token)) => return self.connect(token),
            Ok(None) => None,
            Err(trouble) => Some(trouble),
        };
        (self.report)(Report::NoToken(trouble.clone()));
        Err(Anew::NoToken(trouble))
    }

    fn connect(&self, token: Secret) -> Result<Api, Anew> {
        Api::new(&self.address, token).map_err(|error| {
            (self.report)(Report::Trouble(Trouble::Other(format!("{error:#}"))));
            Anew::Refused
        })
    }

    /// `false` when nobody commands any more.
    async fn wait(&mut self, anew: &Anew) -> bool {
        let due = anew.due();
        tokio::pin!(due);
        loop {
            tokio::select! {
                () = &mut due => return true,
                command = self.commands.recv() => match command {
                    None => return false,
                    Some(Command::Reload { address }) => {
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
    async fn work(&mut self, api: &Api, bot: Option<Bot>) -> Option<Anew> {
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
        let polling = Poll { api, bot: &bot, reading, report, recovered: &recovered }.run();
        tokio::pin!(polling);
        let mut line = Line::new(api, &bot, outbox, report);
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
                    report(Report::Refused);
                    return Some(Anew::Refused);
                }
            }
        }
    }

    /// Learns who the bot is. What is wanted before waits in the outbox.
    async fn meet(&mut self, api: &Api) -> Option<Result<Bot, Anew>> {
        let Self { report, commands, outbox, address, menu, .. } = self;
        let introduction = introduce(api, report);
        tokio::pin!(introduction);
        loop {
            tokio::select! {
                bot = &mut introduction => {
                    report(bot.as_ref().map_or(Report::Refused, |bot| Report::Works(bot.clone())));
                    return Some(bot.map_err(|_| Anew::Refused));
                }
                command = commands.recv() => match command? {
                    Command::Reload { address: new } => {
                        *address = new;
                        return Some(Err(Anew::Reload));
                    }
                    Command::Wake => return Some(Err(Anew::Woken(None))),
                    Command::Menu(new) => *menu = new,
                    command => take(outbox, report, command),
                },
            }
        }
    }

    fn without_connection(&mut self, command: Command) {
        match command {
            Command::Menu(new) => self.menu = new,
            command => take(&mut self.outbox, &self.report, command),
        }
    }
}

/// What needs no connection.
pub(super) fn take(outbox: &mut Outbox, report: &Reporter, command: Command) {
    match command {
        Command::Want(wanted, chats, posted) => {
            tell(report, outbox.want(&wanted, &chats, &posted, Instant::now()));
        }
        Command::Say(chat, note) => outbox.say(chat, note),
        Command::Strip(chat, message) => outbox.strip(chat, message),
        Command::Redraw(chat, message, card) => outbox.redraw(chat, message, *card),
        Command::Delete(chat, message) => outbox.delete(chat, message),
        Command::Topics(chat, known) => outbox.topics(chat, known),
        Command::Forget(chat) => tell(report, outbox.forget(chat)),
        Command::ForgetCards => outbox.forget_cards(),
        Command::Move(from, to) => tell(report, outbox.move_chat(from, to)),
        // Without a connection there is nobody to answer, and nothing to begin anew.
        Command::Answer { .. } | Command::Reload { .. } | Command::Wake | Command::Menu(_) => {}
    }
}

pub(super) fn tell(report: &Reporter, outcomes: Vec<Outcome>) {
    outcomes.into_iter().for_each(|outcome| report(Report::Outbox(outcome)));
}

/// Asks who the bot is until there is an answer.
async fn introduce(api: &Api, report: &Reporter) -> Result<Bot, Trouble> {
    let mut pause = Duration::from_millis(500);
    loop {
        match get_me(api).await {
            Err(Trouble::Unauthorized) => return Err(Trouble::Unauthorized),
            Err(trouble) => {
                report(Report::Trouble(trouble));
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(ASK_AGAIN);
            }
            bot => return bot,
        }
    }
}

/// <https://core.telegram.org/bots/api#getme>
pub(super) async fn get_me(api: &Api) -> Result<Bot, Trouble> {
    #[derive(Deserialize)]
    struct Me {
        id: i64,
        username: String,
        #[serde(default)]
        can_read_all_group_messages: bool,
    }
    let me: Me = api.raw("getMe", &json!({})).await?;
    Ok(Bot { id: UserId(me.id), name: me.username, reads_groups: me.can_read_all_group_messages })
}
