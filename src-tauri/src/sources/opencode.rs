//! An OpenCode server: one stream, read for as long as the server is watched, and the requests
//! beside it.
//!
//! The connection loop stands here; what a frame means is in `told`, what follows from it in
//! `watch`, what goes over the wire in `stream`, `api` and `wire`.

mod api;
mod compatibility;
mod delivery;
mod descriptions;
mod dialect;
mod directories;
mod discovery;
mod forms;
mod gathered;
mod generation;
mod journal;
pub mod kin;
mod leaving;
mod lenient;
mod listing;
mod peek;
pub mod plugin;
mod proof;
mod recheck;
mod reporter;
mod requests;
pub mod service;
mod sessions;
mod stream;
mod survey;
mod told;
mod turns;
mod v2;
mod watch;
pub mod wire;

use crate::app::inbox::{Input, Mailbox};
use crate::app::snapshot::Gaps;
use crate::config::Server;
use crate::platform::secrets::Secret;
use crate::sources::http::backoff::BackOff;
use crate::sources::http::credential::Credential;
use crate::sources::http::sse::Broken;
use crate::sources::http::{HEADERS_WITHIN, fault, json};
use crate::sources::probe::{Found, Unreachable};
use crate::text::Texts;
use api::Api;
use beckon_core::{Answer, Entry, Fault, SourceReport, SourceState};
pub use compatibility::{Part, Support, survey};
use delivery::Known;
use directories::Directories;
use generation::Generation;
use reporter::Reporter;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

#[derive(Debug)]
enum Command {
    Deliver(Box<Entry>, Answer),
    Refresh,
    Inquire(Box<Entry>),
}

/// A watched server. Dropping it ends the watch.
#[derive(Debug)]
pub struct Handle {
    commands: mpsc::UnboundedSender<Command>,
}

impl Handle {
    /// Sends an answer.
    pub fn deliver(&self, entry: Box<Entry>, answer: Answer) {
        let _ = self.commands.send(Command::Deliver(entry, answer));
    }

    /// Reads the whole open list anew.
    pub fn refresh(&self) {
        let _ = self.commands.send(Command::Refresh);
    }

    /// Finds out what became of an ask that is gone.
    pub fn inquire(&self, entry: Box<Entry>) {
        let _ = self.commands.send(Command::Inquire(entry));
    }
}

/// What a source has beside its settings.
pub struct Beside {
    /// Where it tells what it hears.
    pub mailbox: Mailbox,
    /// The words for what its answers have to be.
    pub texts: Arc<Texts>,
    /// This Beckon's name among Beckons.
    pub instance: Arc<str>,
}

/// Watches a server from now on. `directories` are those in which asks are known already. Needs a tokio runtime.
pub fn start(server: Server, beside: Beside, directories: BTreeSet<String>) -> Handle {
    let (commands, inbox) = mpsc::unbounded_channel();
    let Beside { mailbox, texts, instance } = beside;
    let reporter = Reporter::new(&server.name, mailbox, instance);
    tokio::spawn(run(server, reporter, forms::Context::new(texts), inbox, directories));
    Handle { commands }
}

/// Is what a server of that version says read without having been tried on a real one?
pub fn is_experimental(version: &str) -> bool {
    Generation::of(version) == Generation::Forms
}

/// Does a server answer, and let us in? What it says of itself.
///
/// # Errors
/// Says why not.
pub(super) async fn probe(server: &Server, password: Option<Secret>) -> Result<Found, Unreachable> {
    let api = Api::new(server, password);
    let answer = api.get("/global/health", None).timeout(HEADERS_WITHIN).send().await;
    let response = answer.map_err(|error| fault(&error))?;
    let told = match response.status().as_u16() {
        200 => json::<wire::Health>(response, HEADERS_WITHIN).await.ok(),
        401 | 403 => return Err(Unreachable::Unauthorized),
        // One of 2.x tells it elsewhere.
        400..=499 => None,
        status => return Err(Fault::Status(status).into()),
    };
    match told {
        Some(health) if health.kin.is_some() => Ok(Found::Beckon(health.version)),
        Some(health) => Ok(Found::OpenCode(health.version)),
        None => {
            let version = forms::version(&api).await;
            version.map(|it| Found::OpenCode(Some(it))).ok_or(Unreachable::Stranger)
        }
    }
}

async fn run(
    server: Server,
    reporter: Reporter,
    forms: forms::Context,
    mut inbox: mpsc::UnboundedReceiver<Command>,
    with_asks: BTreeSet<String>,
) {
    let mut directories = Directories::new(with_asks);
    reporter.tell(SourceReport::State(SourceState::Connecting { error: None }));
    let mut back_off = BackOff::new();
    let mut last_error = None;
    let secret = format!("opencode:{}", server.name);
    let mut password = Credential::at_hand(secret, server.password.clone());
    let mut hearing = Hearing::First;
    let mut leaving = leaving::Leaving::default();
    loop {
        let api = Api::new(&server, password.secret().cloned());
        let api = match hearing {
            Hearing::First => api,
            Hearing::Forms => api.in_forms(forms.clone()),
        };
        back_off.begin();
        let broken = watch::connect_and_watch(&api, &reporter, &mut inbox, &mut directories).await;
        let Some(broken) = broken else { return };
        reporter.lacks(Gaps::default());
        if back_off.lived() {
            last_error = None;
        }
        if matches!(broken, Broken::Refused) && password.renew().await {
            continue;
        }
        if hearing.improves(&broken, &api).await {
            continue;
        }
        if leaving.has_left(&server).await {
            reporter.input(Input::Left(server));
            return;
        }
        reporter.broken(&broken, &mut last_error);
        let wait = back_off.pause(&broken);
        if !serve_while_waiting(&api, &reporter, &mut inbox, wait).await {
            return;
        }
    }
}

/// As what a server is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hearing {
    /// As one of 1.x, until it turns out to be newer.
    First,
    /// As one of 2.x.
    Forms,
}

impl Hearing {
    /// Is it newer than it was heard as? Then it is heard anew at once.
    async fn improves(&mut self, broken: &Broken, api: &Api) -> bool {
        if !matches!(broken, Broken::NoStream(_)) {
            return false;
        }
        // Where one of 2.x was, another server may stand now.
        let newer = api.forms().is_none() && forms::version(api).await.is_some();
        *self = if newer { Self::Forms } else { Self::First };
        newer
    }
}

/// Answers are tried also while the stream is down; `false` when nobody needs the server any more.
async fn serve_while_waiting(
    api: &Api,
    reporter: &Reporter,
    inbox: &mut mpsc::UnboundedReceiver<Command>,
    wait: Duration,
) -> bool {
    let until = tokio::time::sleep(wait);
    tokio::pin!(until);
    loop {
        tokio::select! {
            () = &mut until => return true,
            command = inbox.recv() => match command {
                None => return false,
                // The list is read when the stream is back.
                Some(Command::Refresh) => {}
                Some(command) => delivery::carry_out(api, reporter, Known::Before, command),
            },
        }
    }
}
