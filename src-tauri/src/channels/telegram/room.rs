//! The room's task: finds the token, says who the bot is, polls, and sends what the outbox finds.

use super::api::{Api, Trouble};
use super::outbox::{Call, Note, Outbox, Posted, Wanted};
use super::poll::{self, Read};
use super::{Bot, Report, Reporter, send};
use crate::book::{ChatId, UserId};
use crate::secrets::{self, Secret};
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use serde::Deserialize;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;

/// A token that was refused is tried again after so long.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// What the loop asks of the room.
#[derive(Debug)]
pub(super) enum Command {
    /// A card is to look like that.
    Want(Box<Wanted>, Vec<ChatId>, Vec<Posted>),
    /// Say something.
    Say(ChatId, Note),
    /// Take the keyboard off a message.
    Strip(ChatId, i32),
    /// Answer a tap: the text appears for a moment.
    Answer { query: String, text: String, alert: bool },
    /// The group with topics, and those it has.
    Topics(Option<ChatId>, Vec<(String, i32)>),
    /// Nothing more goes there.
    Forget(ChatId),
    /// The token or the address is another.
    Reload { address: String },
    /// The machine has slept: what is under way is dead.
    Wake,
}

/// Why the room begins anew.
enum Anew {
    Reload,
    Refused,
    /// There is no token, or that keeps it out of reach.
    NoToken(Option<secrets::Trouble>),
}

impl Anew {
    /// Returns when it is time, unless somebody says so before.
    async fn due(&self) {
        match self {
            Self::Reload => {}
            Self::Refused => tokio::time::sleep(LOOK_AGAIN).await,
            // Who stores one says so.
            Self::NoToken(None) => std::future::pending().await,
            Self::NoToken(Some(trouble)) => secrets::look_again(trouble).await,
        }
    }
}

pub(super) struct Room {
    pub(super) address: String,
    pub(super) read: Read,
    pub(super) report: Reporter,
    pub(super) commands: UnboundedReceiver<Command>,
    pub(super) outbox: Outbox,
    /// The commands that the bot's menu shows, with their words.
    pub(super) menu: Vec<(&'static str, String)>,
}

type Sent = (ChatId, Result<Option<i32>, Trouble>);

impl Room {
    /// Runs as long as somebody commands.
    pub(super) async fn run(mut self) {
        loop {
            let again = match self.find_token().await {
                Ok(api) => match self.work(&api).await {
                    Some(again) => again,
                    None => return,
                },
                Err(again) => again,
            };
            if !self.wait(&again).await {
                return;
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
                    Some(command) => self.outbox_only(command),
                },
            }
        }
    }

    /// Works until the token is refused or another; `None` when nobody commands any more.
    async fn work(&mut self, api: &Api) -> Option<Anew> {
        let bot = tokio::select! {
            bot = introduce(api, &self.report) => bot,
            anew = take_until_reload(&mut self.commands, &mut self.outbox, &self.report, &mut self.address) => return anew,
        };
        let Ok(bot) = bot else {
            (self.report)(Report::Refused);
            return Some(Anew::Refused);
        };
        (self.report)(Report::Works(bot.clone()));
        let menu =
            self.menu.iter().map(|(name, words)| json!({ "command": name, "description": words }));
        let menu = json!({ "commands": menu.collect::<Vec<_>>() });
        let Self { report, commands, outbox, read, address, .. } = self;
        let mut calls: FuturesUnordered<BoxFuture<'_, Sent>> = FuturesUnordered::new();
        let asides: FuturesUnordered<BoxFuture<'_, ()>> = FuturesUnordered::new();
        asides.push(Box::pin(async {
            let _: Result<bool, Trouble> = api.raw("setMyCommands", &menu).await;
        }));
        let mut asides = asides;
        loop {
            // A poll that is dropped has acknowledged nothing.
            let polling = poll::run(api, &bot, read, report);
            tokio::pin!(polling);
            loop {
                while let Some((chat, call)) = outbox.next(Instant::now()) {
                    calls.push(Box::pin(carry_out(api, chat, call)));
                }
                let due = outbox.due(Instant::now());
                tokio::select! {
                    biased;
                    command = commands.recv() => match command? {
                        Command::Reload { address: new } => {
                            *address = new;
                            return Some(Anew::Reload);
                        }
                        Command::Wake => break,
                        Command::Answer { query, text, alert } => {
                            asides.push(Box::pin(send::answer(api, query, text, alert)));
                        }
                        command => take(outbox, report, command),
                    },
                    Some((chat, result)) = calls.next() => {
                        for outcome in outbox.done(chat, result, Instant::now()) {
                            report(Report::Outbox(outcome));
                        }
                    }
                    Some(()) = asides.next() => {}
                    () = reached(due) => {}
                    _refused = &mut polling => {
                        report(Report::Refused);
                        return Some(Anew::Refused);
                    }
                }
            }
        }
    }

    fn outbox_only(&mut self, command: Command) {
        take(&mut self.outbox, &self.report, command);
    }
}

fn take(outbox: &mut Outbox, report: &Reporter, command: Command) {
    let now = Instant::now();
    match command {
        Command::Want(wanted, chats, posted) => {
            for outcome in outbox.want(&wanted, &chats, &posted, now) {
                report(Report::Outbox(outcome));
            }
        }
        Command::Say(chat, note) => outbox.say(chat, note, now),
        Command::Strip(chat, message) => outbox.strip(chat, message, now),
        Command::Topics(chat, known) => outbox.topics(chat, known),
        Command::Forget(chat) => outbox.forget(chat),
        // Without a connection there is nobody to answer, and nothing to begin anew.
        Command::Answer { .. } | Command::Reload { .. } | Command::Wake => {}
    }
}

/// What is wanted before the bot is known waits in the outbox.
async fn take_until_reload(
    commands: &mut UnboundedReceiver<Command>,
    outbox: &mut Outbox,
    report: &Reporter,
    address: &mut String,
) -> Option<Anew> {
    loop {
        match commands.recv().await? {
            Command::Reload { address: new } => {
                *address = new;
                return Some(Anew::Reload);
            }
            command => take(outbox, report, command),
        }
    }
}

async fn carry_out(api: &Api, chat: ChatId, call: Call) -> Sent {
    (chat, send::send(api, chat, call).await)
}

async fn reached(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
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
                pause = (pause * 2).min(LOOK_AGAIN);
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
