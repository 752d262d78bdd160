//! The room's task: it finds the token, learns which bot it has, polls, and sends what the outbox
//! finds.

pub(super) mod command;
pub(super) mod outcomes;
pub(super) mod permit;
pub(super) mod sender;

use super::api::proxy::{ProxyError, ProxyLogin};
use super::api::{BotApi, CallError};
use super::outbox::Outbox;
use super::{ApiAddress, BotIdentity, TelegramReport};
use crate::channels::telegram::pairing::pairings::UserId;
use crate::channels::telegram::updates::poll::{LongPoll, ReadPosition};
use crate::channels::telegram::updates::probe::probe;
use crate::channels::telegram::worker::command::{
    CommandMenu, RestartReason, WorkerCommand, report_outcomes,
};
use crate::channels::telegram::worker::permit::SendPermit;
use crate::channels::telegram::worker::sender::MessageSender;
use crate::platform::secrets::{self, Secret};
use crate::platform::sink::Sink;
use beckon_core::hub::Permit;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedReceiver;

/// The longest pause before a server is asked again that does not say who the bot is.
const ASK_AGAIN: Duration = Duration::from_secs(10);
/// The pause before it is looked at whether the server answers again.
const KNOCK_AFTER: Duration = Duration::from_secs(1);
/// The number of commands that are taken in together.
const MOST_AT_ONCE: usize = 1_000;

pub(super) struct TelegramWorker {
    pub(super) address: ApiAddress,
    pub(super) reading: ReadPosition,
    pub(super) report: Sink<TelegramReport>,
    pub(super) commands: UnboundedReceiver<WorkerCommand>,
    pub(super) outbox: Outbox,
    pub(super) menu: CommandMenu,
    pub(super) permit: SendPermit,
}

impl TelegramWorker {
    /// Runs as long as the loop may send commands.
    pub(super) async fn run(mut self) {
        let mut known = None;
        loop {
            let found = match known.take() {
                Some(known) => Ok(known),
                None => self.find_secrets().await.map(|api| (api, None)),
            };
            let (api, again) = match found {
                Ok((api, bot)) => {
                    let again = self.work(&api, bot).await;
                    (Some(api), again)
                }
                Err(again) => (None, Some(again)),
            };
            report_outcomes(&self.report, self.outbox.abandon());
            match again {
                None => return,
                Some(RestartReason::Woken(bot)) => {
                    known = api.and_then(|api| api.renewed()).zip(Some(bot))
                }
                Some(RestartReason::NotServing(bot)) => known = api.zip(Some(Some(bot))),
                Some(again) if self.wait(&again).await => {}
                Some(_) => return,
            }
        }
    }

    async fn find_secrets(&self) -> Result<BotApi, RestartReason> {
        let trouble = match secrets::read(super::SECRET).await {
            Ok(Some(token)) => return self.connect(token, self.proxy_login().await?),
            Ok(None) => None,
            Err(trouble) => Some(trouble),
        };
        self.report.post(TelegramReport::NoToken(trouble.clone()));
        Err(RestartReason::NoSecret(trouble))
    }

    /// Reads the proxy's password. If it is out of reach, the proxy is not tried without it: some
    /// shut out whoever tries.
    async fn proxy_login(&self) -> Result<Option<ProxyLogin>, RestartReason> {
        self.address.proxy_login().await.map_err(|trouble| {
            let keychain = match &trouble {
                CallError::Proxy(_, ProxyError::PasswordOutOfReach(keychain)) => Some(keychain),
                _ => None,
            };
            let restart = RestartReason::NoSecret(keychain.cloned());
            self.report.post(TelegramReport::Trouble(trouble));
            restart
        })
    }

    fn connect(&self, token: Secret, proxy: Option<ProxyLogin>) -> Result<BotApi, RestartReason> {
        BotApi::new(&self.address, token, proxy).map_err(|error| {
            self.report
                .post(TelegramReport::Trouble(CallError::Other(format!(
                    "{error:#}"
                ))));
            RestartReason::Refused
        })
    }

    /// Waits until it is time to begin anew. Returns `false` when no command can come any more.
    async fn wait(&mut self, restart: &RestartReason) -> bool {
        let due = restart.due();
        tokio::pin!(due);
        loop {
            tokio::select! {
                // What comes now can be done over the next connection.
                biased;
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

    /// Works until the token is refused or changed, or the connections are dead; `None` when no
    /// command can come any more.
    async fn work(&mut self, api: &BotApi, bot: Option<BotIdentity>) -> Option<RestartReason> {
        let bot = match bot {
            Some(bot) => bot,
            None => match self.identify_bot(api).await? {
                Ok(bot) => bot,
                Err(restart) => return Some(restart),
            },
        };
        if let Some(restart) = self.wait_permit(api, &bot).await? {
            return Some(restart);
        }
        let Self {
            report,
            commands,
            outbox,
            reading,
            address,
            menu,
            permit,
        } = self;
        let (recovered, permitted) = (Notify::new(), permit.clone());
        // A poll that is dropped has acknowledged nothing.
        let polling = LongPoll {
            api,
            bot: &bot,
            reading,
            report,
            permit: permit.clone(),
            recovered: &recovered,
        };
        let polling = polling.run();
        tokio::pin!(polling);
        outbox.serve(bot.id);
        let mut line = MessageSender::new(api, &bot, outbox, report, permitted);
        line.offer(menu);
        let mut told = Vec::new();
        loop {
            line.send();
            tokio::select! {
                biased;
                () = permit.ended() => {
                    line.hear_out().await;
                    return Some(RestartReason::NotServing(bot.clone()));
                }
                // Commands that were told at once are sent in order: all of them come before the
                // next call.
                count = commands.recv_many(&mut told, MOST_AT_ONCE) => {
                    let restart = line.take(told.drain(..), address, menu);
                    if restart.is_some() {
                        line.hear_out().await;
                    }
                    if restart.is_some() || count == 0 {
                        return restart;
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

    /// Waits until this Beckon serves the bot. What is wanted before waits in the outbox. Returns
    /// `None` when no command can come any more.
    async fn wait_permit(
        &mut self,
        api: &BotApi,
        bot: &BotIdentity,
    ) -> Option<Option<RestartReason>> {
        loop {
            let told = self.permit.told();
            if self.permit.allows() {
                return Some(None);
            }
            self.reading.others_heard();
            let Self {
                report,
                commands,
                outbox,
                address,
                menu,
                permit,
                ..
            } = self;
            let finding = find_out(api, report, told);
            tokio::pin!(finding);
            loop {
                tokio::select! {
                    command = commands.recv() => match command? {
                        WorkerCommand::Reload { address: new } => {
                            *address = new;
                            return Some(Some(RestartReason::Reload));
                        }
                        WorkerCommand::Wake => {
                            return Some(Some(RestartReason::Woken(Some(bot.clone()))));
                        }
                        WorkerCommand::Menu(new) => *menu = new,
                        command => command.queue(outbox, report),
                    },
                    () = permit.changed() => break,
                    found = &mut finding => match found {
                        Ok(()) => break,
                        Err(restart) => return Some(Some(restart)),
                    },
                }
            }
        }
    }

    /// Learns who the bot is. What is wanted before waits in the outbox.
    async fn identify_bot(&mut self, api: &BotApi) -> Option<Result<BotIdentity, RestartReason>> {
        let Self {
            report,
            commands,
            outbox,
            address,
            menu,
            ..
        } = self;
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
                    command => command.queue(outbox, report),
                },
            }
        }
    }

    fn without_connection(&mut self, command: WorkerCommand) {
        match command {
            WorkerCommand::Menu(new) => self.menu = new,
            command => command.queue(&mut self.outbox, &self.report),
        }
    }
}

/// Finds out whether another program polls, or whether Telegram answers again, where that is
/// wanted.
async fn find_out(
    api: &BotApi,
    report: &Sink<TelegramReport>,
    told: Permit,
) -> Result<(), RestartReason> {
    match told {
        Permit::Probe => {
            report.post(TelegramReport::Probed(probe(api).await));
            // The consequences come first: another poll would end that of the program that was
            // found.
            tokio::time::sleep(KNOCK_AFTER).await;
        }
        Permit::Knock => {
            // The consequences of the last answer come first.
            tokio::time::sleep(KNOCK_AFTER).await;
            let Ok(bot) = introduce(api, report).await else {
                report.post(TelegramReport::Refused);
                return Err(RestartReason::Refused);
            };
            report.post(TelegramReport::Works(bot));
        }
        Permit::Always | Permit::Never | Permit::Until(_) | Permit::Alone => {
            std::future::pending().await
        }
    }
    Ok(())
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

/// Asks who the bot is: <https://core.telegram.org/bots/api#getme>
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

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_client::config;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::sync::mpsc::unbounded_channel;

    #[tokio::test]
    async fn who_was_found_polling_is_not_disturbed_again_before_that_is_minded() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let api_url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            assert!(stream.read(&mut [0; 1_024]).await.unwrap() > 0);
            let body = r#"{"ok":false,"error_code":409,"description":"Conflict: terminated by other getUpdates request"}"#;
            let length = body.len();
            let head = format!("HTTP/1.1 409 Conflict\r\ncontent-length: {length}\r\n\r\n");
            stream.write_all(head.as_bytes()).await.unwrap();
            stream.write_all(body.as_bytes()).await.unwrap();
        });
        let config = config::TelegramConfig {
            api_url,
            ..config::TelegramConfig::default()
        };
        let api = BotApi::new(&(&config).into(), Secret::new("1:a".into()), None).unwrap();
        let (reported, mut reports) = unbounded_channel();
        let report = Sink::new(move |report| _ = reported.send(report));
        let finding = find_out(&api, &report, Permit::Probe);
        tokio::pin!(finding);
        let found = tokio::select! {
            biased;
            _ = &mut finding => None,
            found = reports.recv() => found,
        };
        assert!(
            matches!(
                found,
                Some(TelegramReport::Probed(beckon_core::hub::Probe::Served))
            ),
            "the next one does not begin with the report"
        );
    }
}
