//! The calls that are under way over one connection: those of the outbox, and what goes beside
//! them.
//!
//! Not here: which connection, and the long poll.

mod calls;

use crate::channels::telegram::ApiAddress;
use crate::channels::telegram::BotIdentity;
use crate::channels::telegram::TelegramReport;
use crate::channels::telegram::api::{BotApi, CallError};
use crate::channels::telegram::outbox::{Lane, Outbox, OutboxCall};
use crate::channels::telegram::pairing::pairings::ChatId;
use crate::channels::telegram::worker::command::{
    CommandMenu, RestartReason, WorkerCommand, report_outcomes,
};
use crate::channels::telegram::worker::permit::SendPermit;
use crate::platform::sink::Sink;
use beckon_client::platform::clock;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use serde_json::json;
use std::time::{Duration, Instant};

/// The longest wait for what is under way. A connection that has slept says nothing for ever; one
/// that has not takes a moment.
const HEARD_WITHIN: Duration = Duration::from_secs(2);

type SentCall = (ChatId, Lane, Result<Option<i32>, CallError>);

/// A connection at work.
pub(in crate::channels::telegram) struct MessageSender<'a> {
    api: &'a BotApi,
    bot: &'a BotIdentity,
    outbox: &'a mut Outbox,
    report: &'a Sink<TelegramReport>,
    permit: SendPermit,
    calls: FuturesUnordered<BoxFuture<'a, SentCall>>,
    /// The calls that are made in no order, and whose ends nothing waits for.
    asides: FuturesUnordered<BoxFuture<'a, ()>>,
}

impl<'a> MessageSender<'a> {
    pub(in crate::channels::telegram) fn new(
        api: &'a BotApi,
        bot: &'a BotIdentity,
        outbox: &'a mut Outbox,
        report: &'a Sink<TelegramReport>,
        permit: SendPermit,
    ) -> Self {
        let (calls, asides) = (FuturesUnordered::new(), FuturesUnordered::new());
        Self {
            api,
            bot,
            outbox,
            report,
            permit,
            calls,
            asides,
        }
    }

    /// Sends the bot's commands with their words.
    pub(in crate::channels::telegram) fn offer(&self, commands: &CommandMenu) {
        let command = |(name, words): &(_, _)| json!({ "command": name, "description": words });
        let menu = json!({ "commands": commands.iter().map(command).collect::<Vec<_>>() });
        let api = self.api;
        self.asides.push(Box::pin(async move {
            // <https://core.telegram.org/bots/api#setmycommands>
            let _: Result<bool, CallError> = api.raw("setMyCommands", &menu).await;
        }));
    }

    /// Begins all calls that may go out now.
    pub(in crate::channels::telegram) fn send(&mut self) {
        report_outcomes(self.report, self.outbox.take_due_again(Instant::now()));
        report_outcomes(self.report, self.outbox.take_comebacks(Instant::now()));
        report_outcomes(self.report, self.outbox.lists_to_draw(Instant::now()));
        while self.permit.allows()
            && let Some((chat, call)) = self.outbox.next(Instant::now())
        {
            let call = self.outbox.sounding(call, clock::now());
            self.calls.push(Box::pin(carry_out(self.api, chat, call)));
        }
    }

    /// Waits until something ends, or is due.
    pub(in crate::channels::telegram) async fn progress(&mut self) {
        let due = self.outbox.due(Instant::now());
        tokio::select! {
            biased;
            Some(call) = self.calls.next() => self.end(call),
            Some(()) = self.asides.next() => {}
            () = reached(due) => {}
        }
        self.tell_refusals();
    }

    fn tell_refusals(&mut self) {
        report_outcomes(self.report, self.outbox.refusals().into_iter().collect());
    }

    /// Waits a moment for what is under way, before the connection is given up. It may have been
    /// done already: a message of which this task does not hear would be sent twice, and a tap that
    /// is not answered spins on for long. Nothing new begins.
    pub(in crate::channels::telegram) async fn hear_out(&mut self) {
        let over = tokio::time::sleep(HEARD_WITHIN);
        tokio::pin!(over);
        while !self.calls.is_empty() || !self.asides.is_empty() {
            tokio::select! {
                biased;
                Some(call) = self.calls.next() => self.end(call),
                Some(()) = self.asides.next() => {}
                () = &mut over => return,
            }
        }
    }

    fn end(&mut self, (chat, lane, result): SentCall) {
        report_outcomes(
            self.report,
            self.outbox.done(chat, lane, result, Instant::now()),
        );
    }

    /// Lets the outbox go on, after the server has answered again.
    pub(in crate::channels::telegram) fn resume(&mut self) {
        self.outbox.resume();
    }

    /// Takes in what the loop asks. Returns why the room is to begin anew, if it is.
    pub(in crate::channels::telegram) fn take(
        &mut self,
        commands: impl Iterator<Item = WorkerCommand>,
        address: &mut ApiAddress,
        menu: &mut CommandMenu,
    ) -> Option<RestartReason> {
        let mut restart = None;
        for command in commands {
            match command {
                WorkerCommand::Reload { address: new } => {
                    *address = new;
                    restart = Some(RestartReason::Reload);
                }
                WorkerCommand::Wake => {
                    _ = restart.get_or_insert(RestartReason::Woken(Some(self.bot.clone())))
                }
                WorkerCommand::Menu(new) => {
                    *menu = new;
                    self.offer(menu);
                }
                WorkerCommand::Answer { .. } if !self.permit.allows() => {}
                WorkerCommand::Answer { query, text } => {
                    self.asides
                        .push(Box::pin(calls::answer(self.api, query, text)));
                }
                command => command.queue(self.outbox, self.report),
            }
        }
        self.tell_refusals();
        restart
    }
}

async fn carry_out(api: &BotApi, chat: ChatId, call: OutboxCall) -> SentCall {
    let lane = call.lane();
    (chat, lane, calls::send(api, chat, call).await)
}

async fn reached(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}
