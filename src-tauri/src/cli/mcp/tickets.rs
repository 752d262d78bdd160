//! The questions of one MCP client: each is waited for in the background, whatever becomes of the
//! call that asked it. So Beckon sees an asker as long as this process lives, or until the client
//! gives the question up.

use crate::api::QuestionBody;
use crate::cli::ask::waiting::{QUESTION, until_it_ends, withdraw, withdraw_until_heard};
use beckon_client::connection::{Client, ClientError, encode};
use beckon_client::platform::paths::Paths;
use beckon_client::wire::{AskedState, LocalAskStatus};
use futures_util::future::join_all;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// How long a withdrawal takes to reach a Beckon that runs.
const WITHDRAWN_WITHIN: Duration = Duration::from_secs(3);

/// The outcome of a wait.
#[derive(Clone, Debug)]
pub(super) enum WaitOutcome {
    /// Nothing yet.
    Pending,
    /// The end.
    Ended(Box<LocalAskStatus>),
    /// The question could not be asked; with the reason, for the model.
    Failed(String),
}

/// The questions that are waited for, by ticket.
#[derive(Debug, Default)]
pub(super) struct TicketBox {
    known: Mutex<BTreeMap<String, Ticket>>,
    /// The withdrawals under way.
    leaving: Mutex<JoinSet<()>>,
    /// Whether the client has gone: nothing more is asked for it.
    closed: AtomicBool,
}

#[derive(Debug)]
struct Ticket {
    heard: watch::Receiver<WaitOutcome>,
    /// The task that asks.
    asker: JoinHandle<()>,
}

impl TicketBox {
    /// Asks, and waits in the background; returns the ticket.
    pub(super) fn ask(&self, paths: &Paths, asking: QuestionBody) -> String {
        let id = asking.asker.id.clone().unwrap_or_default();
        let (tell, heard) = watch::channel(WaitOutcome::Pending);
        let paths = paths.clone();
        let is_closed = self.closed.load(Ordering::SeqCst);
        let asker = tokio::spawn(async move {
            if is_closed {
                return;
            }
            let waited = match until_it_ends(&paths, QUESTION, &asking).await {
                Ok(asked) => WaitOutcome::Ended(Box::new(asked)),
                Err(refused) => WaitOutcome::Failed(refused.to_string()),
            };
            // The receiver is kept for as long as this process lives.
            let _ = tell.send(waited);
        });
        self.lock().insert(id.clone(), Ticket { heard, asker });
        id
    }

    /// Returns the end of a question, if it comes in that time.
    pub(super) async fn wait(&self, paths: &Paths, id: &str, patience: Duration) -> WaitOutcome {
        let heard = self.lock().get(id).map(|ticket| ticket.heard.clone());
        let Some(mut heard) = heard else {
            return remembered(paths, id).await;
        };
        let ended = heard.wait_for(|waited| !matches!(waited, WaitOutcome::Pending));
        match tokio::time::timeout(patience, ended).await {
            Ok(Ok(waited)) => waited.clone(),
            Ok(Err(_)) => WaitOutcome::Failed("The question was withdrawn.".into()),
            Err(_) => WaitOutcome::Pending,
        }
    }

    /// Withdraws a question: it is asked no more, and Beckon is told so, now or as soon as it is
    /// back.
    pub(super) async fn withdraw(&self, paths: &Paths, id: &str) {
        let known = self.lock().remove(id);
        if let Some(ticket) = known {
            ticket.stop().await;
        }
        let paths = paths.clone();
        let id = id.to_owned();
        let mut leaving = self.leaving();
        while leaving.try_join_next().is_some() {}
        leaving.spawn(async move { withdraw_until_heard(&paths, &id).await });
    }

    /// Withdraws all questions, and takes no more. Each is withdrawn once, and withdrawals under
    /// way get a while: this process ends, and Beckon misses it.
    pub(super) async fn withdraw_all(&self, paths: &Paths) {
        self.closed.store(true, Ordering::SeqCst);
        let pending = |ticket: &Ticket| matches!(*ticket.heard.borrow(), WaitOutcome::Pending);
        let known = std::mem::take(&mut *self.lock());
        let open = known.into_iter().filter(|(_, ticket)| pending(ticket));
        let withdrawals = open.map(async |(id, ticket)| {
            ticket.stop().await;
            withdraw(paths, &id).await
        });
        join_all(withdrawals).await;

        let leaving = std::mem::take(&mut *self.leaving());
        let _ = tokio::time::timeout(WITHDRAWN_WITHIN, leaving.join_all()).await;
    }

    fn leaving(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.leaving.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Ticket>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// Stops asking; when this returns, nothing more is asked.
    async fn stop(self) {
        self.asker.abort();
        // The only possible result is that it was stopped.
        let _ = self.asker.await;
    }
}

/// Looks for a ticket of an earlier process: Beckon keeps how it ended.
async fn remembered(paths: &Paths, ticket: &str) -> WaitOutcome {
    match look(paths, ticket).await {
        Ok(asked) if asked.state == AskedState::Open => WaitOutcome::Pending,
        Ok(asked) => WaitOutcome::Ended(Box::new(asked)),
        Err(refused) => WaitOutcome::Failed(refused.to_string()),
    }
}

async fn look(paths: &Paths, ticket: &str) -> Result<LocalAskStatus, ClientError> {
    Client::new(paths)?
        .get(&format!("/question/{}", encode(ticket)))
        .await
}
