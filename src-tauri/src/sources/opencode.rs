//! An OpenCode server (v1 question and permission API): one stream, read for as long as the server
//! is watched, and the requests beside it.
//!
//! The connection loop stands here; what a frame means is in `told`, what follows from it in
//! `watch`, what goes over the wire in `stream`, `api` and `wire`.

mod api;
mod delivery;
mod directories;
mod discovery;
mod gathered;
mod journal;
mod leaving;
mod listing;
mod peek;
mod sessions;
mod stream;
mod told;
mod turns;
mod watch;
pub mod wire;

use crate::config::{Server, is_address};
use crate::mailbox::{Input, Mailbox};
use crate::secrets::Secret;
use api::Api;
use beckon_core::{Answer, Entry, Event, SourceId, SourceReport, SourceState};
use directories::Directories;
use rand::Rng;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use stream::Broken;
use tokio::sync::mpsc;

/// Back-off between connections: from 250 ms, doubling …
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// … up to this: what is asked is to be seen within 2 s of a server being there …
const LONGEST_PAUSE: Duration = Duration::from_millis(1_500);
/// … and a refused password is tried again only so often.
const REFUSED_PAUSE: Duration = Duration::from_secs(30);
/// A stream that lived for so long resets the back-off.
const LIVING: Duration = Duration::from_secs(5);

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

/// Watches a server from now on. `directories` are those in which asks are known already. Needs a tokio runtime.
pub fn start(server: Server, mailbox: Mailbox, directories: BTreeSet<String>) -> Handle {
    let (commands, inbox) = mpsc::unbounded_channel();
    tokio::spawn(run(server, mailbox, inbox, directories));
    Handle { commands }
}

/// Why a server cannot be watched.
#[derive(Debug, thiserror::Error)]
pub enum Unreachable {
    /// It does not let us in.
    #[error("the password is wrong or missing")]
    Unauthorized,
    /// Anything else.
    #[error("{0}")]
    Other(String),
}

/// Does a server answer, and let us in? Its version, if it tells.
///
/// # Errors
/// Says why not.
pub async fn probe(
    server: &Server,
    password: Option<Secret>,
) -> Result<Option<String>, Unreachable> {
    if !is_address(&server.url) {
        return Err(Unreachable::Other("that is no address like http://127.0.0.1:4096".into()));
    }
    let api = Api::new(server, password);
    let answer = api.get("/global/health", None).timeout(api::HEADERS_WITHIN).send().await;
    let response = answer.map_err(|error| Unreachable::Other(api::reason(&error)))?;
    match response.status().as_u16() {
        200 => Ok(response.json::<wire::Health>().await.ok().and_then(|health| health.version)),
        401 | 403 => Err(Unreachable::Unauthorized),
        status => Err(Unreachable::Other(format!("HTTP {status}"))),
    }
}

/// Tells the loop what a source reports.
#[derive(Clone)]
struct Reporter {
    source: SourceId,
    mailbox: Mailbox,
}

impl Reporter {
    fn tell(&self, report: SourceReport) {
        self.mailbox.post(Event::Source(self.source.clone(), report));
    }
}

async fn run(
    server: Server,
    mailbox: Mailbox,
    mut inbox: mpsc::UnboundedReceiver<Command>,
    with_asks: BTreeSet<String>,
) {
    let mut directories = Directories::new(with_asks);
    let reporter = Reporter { source: SourceId(server.name.clone()), mailbox };
    reporter.tell(SourceReport::State(SourceState::Connecting { error: None }));
    let mut pause = FIRST_PAUSE;
    let mut last_error = None;
    let mut leaving = leaving::Leaving::default();
    let mut password = api::password_at_hand(&server);
    loop {
        let api = Api::new(&server, password.clone());
        let began = Instant::now();
        let broken = watch::connect_and_watch(&api, &reporter, &mut inbox, &mut directories).await;
        let Some(broken) = broken else { return };
        if began.elapsed() >= LIVING {
            pause = FIRST_PAUSE;
            last_error = None;
        }
        if matches!(broken, Broken::Refused) && new_password(&server, &mut password).await {
            continue;
        }
        if leaving.has_left(&server).await {
            reporter.mailbox.input(Input::Left(server));
            return;
        }
        report_broken(&reporter, &broken, &mut last_error);
        let wait = match broken {
            Broken::Refused => REFUSED_PAUSE,
            Broken::Other(_) => jittered(pause),
        };
        pause = (pause * 2).min(LONGEST_PAUSE);
        if !serve_while_waiting(&api, &reporter, &mut inbox, wait).await {
            return;
        }
    }
}

/// Looks into the keychain: has a password been set there that was not tried?
async fn new_password(server: &Server, password: &mut Option<Secret>) -> bool {
    let stored = api::stored_password(&server.name).await;
    let new = stored.is_some() && stored != *password;
    if new {
        *password = stored;
    }
    new
}

/// The same trouble is logged once, not at each try.
fn report_broken(reporter: &Reporter, broken: &Broken, last: &mut Option<String>) {
    let (state, text) = match broken {
        Broken::Refused => (SourceState::Unauthorized, "the password is refused".to_owned()),
        Broken::Other(text) => {
            (SourceState::Connecting { error: Some(text.clone()) }, text.clone())
        }
    };
    if last.as_ref() != Some(&text) {
        tracing::info!(source = %reporter.source, reason = text, "not connected");
        *last = Some(text);
    }
    reporter.tell(SourceReport::State(state));
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
                Some(command) => delivery::carry_out(api, reporter, command),
            },
        }
    }
}

/// ± 20 %, so that many servers or many Beckons do not knock in step.
fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(rand::rng().random_range(0.8..1.2))
}
