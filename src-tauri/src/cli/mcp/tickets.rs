//! The questions of one MCP client: each is waited for in the background, whatever becomes of the
//! call that asked it. So Beckon sees an asker as long as this process lives.

use crate::api::Asking;
use crate::cli::ask::{QUESTION, until_it_ends};
use crate::client::encode;
use crate::client::{Client, Refused};
use crate::paths::Paths;
use crate::wire::{Asked, AskedState};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// What came of a wait.
#[derive(Clone, Debug)]
pub(super) enum Waited {
    /// Nothing yet.
    Pending,
    /// The end.
    Ended(Asked),
    /// It could not be asked; why, for the model.
    Failed(String),
}

/// By ticket, what the background has heard.
#[derive(Debug, Default)]
pub(super) struct Tickets {
    known: Mutex<BTreeMap<String, watch::Receiver<Waited>>>,
}

impl Tickets {
    /// Asks, and waits in the background.
    pub(super) fn ask(&self, paths: &Paths, asking: Asking) -> String {
        let ticket = asking.asker.id.clone().unwrap_or_default();
        let (tell, heard) = watch::channel(Waited::Pending);
        self.lock().insert(ticket.clone(), heard);
        let paths = paths.clone();
        tokio::spawn(async move {
            let waited = match until_it_ends(&paths, QUESTION, &asking).await {
                Ok(asked) => Waited::Ended(asked),
                Err(refused) => Waited::Failed(refused.to_string()),
            };
            // The other end is kept for as long as this process lives.
            let _ = tell.send(waited);
        });
        ticket
    }

    /// The end of it, if it comes within so long.
    pub(super) async fn wait(&self, paths: &Paths, ticket: &str, patience: Duration) -> Waited {
        let heard = self.lock().get(ticket).cloned();
        let Some(mut heard) = heard else { return remembered(paths, ticket).await };
        let ended = heard.wait_for(|waited| !matches!(waited, Waited::Pending));
        match tokio::time::timeout(patience, ended).await {
            Ok(Ok(waited)) => waited.clone(),
            Ok(Err(_)) => Waited::Failed("The question was lost.".into()),
            Err(_) => Waited::Pending,
        }
    }

    /// Nobody needs that answer any more.
    pub(super) async fn withdraw(&self, paths: &Paths, ticket: &str) {
        // Without a Beckon there is nothing to withdraw it from; it will be missed.
        let Ok(client) = Client::new(paths) else { return };
        let _ = client.delete::<bool>(&format!("/question/{}", encode(ticket))).await;
    }

    /// Nobody needs any answer any more.
    pub(super) async fn withdraw_all(&self, paths: &Paths) {
        let pending = |heard: &watch::Receiver<Waited>| matches!(*heard.borrow(), Waited::Pending);
        let known = self.lock().clone();
        for (ticket, _) in known.into_iter().filter(|(_, heard)| pending(heard)) {
            self.withdraw(paths, &ticket).await;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, watch::Receiver<Waited>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A ticket of an earlier process: Beckon keeps how it ended.
async fn remembered(paths: &Paths, ticket: &str) -> Waited {
    match look(paths, ticket).await {
        Ok(asked) if asked.state == AskedState::Open => Waited::Pending,
        Ok(asked) => Waited::Ended(asked),
        Err(refused) => Waited::Failed(refused.to_string()),
    }
}

async fn look(paths: &Paths, ticket: &str) -> Result<Asked, Refused> {
    Client::new(paths)?.get(&format!("/question/{}", encode(ticket))).await
}
