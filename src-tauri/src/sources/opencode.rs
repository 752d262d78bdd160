//! Watches an OpenCode server: one stream, read for as long as the server is watched, and the
//! requests beside it.
//!
//! There are two tasks. `delivery` owns the commands and lives as long as the source. The watch
//! connects again and again and only reports how the server is reached. Its loop is in
//! `watch::reconnect`, what a frame means in `events`, what follows from it in `watch`, and what
//! goes over the wire in `watch::stream`, `api` and `wire`.

mod api;
mod delivery;
mod dialect;
mod events;
mod forms;
#[cfg(any(test, fuzzing))]
pub(in crate::sources) mod fuzzing;
mod listing;
pub(crate) mod peer;
pub(crate) mod plugin;
mod reporter;
mod requests;
pub(crate) mod service;
mod sessions;
mod turns;
mod watch;
pub(crate) mod wire;

use crate::platform::part::{self, Part};
use crate::sources::ReportSink;
use crate::sources::http::credential::ServerCredential;
use crate::sources::http::{HEADERS_WITHIN, fault, json};
use crate::sources::probe::{FoundServer, ProbeError};
use api::OpenCodeApi;
pub use api::compatibility::{ApiPart, PartSupport, survey};
use api::forms::FormContext;
pub(crate) use api::saved;
use beckon_client::config::OpenCodeServer;
use beckon_client::platform::secret::Secret;
use beckon_client::text::Texts;
use beckon_core::{Answer, Entry, SourceFault};
use delivery::OpenCodeCommand;
use delivery::connection::{self, ConnectionView};
use dialect::generation::ApiGeneration;
use listing::directories::KnownDirectories;
use reporter::OpenCodeReporter;
use saved::SavedPermissions;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use watch::reconnect::keep_watching;

/// A watched server. Dropping the handle ends the watch.
#[derive(Debug)]
pub struct OpenCodeHandle {
    commands: mpsc::UnboundedSender<OpenCodeCommand>,
    saved: SavedPermissions,
}

impl OpenCodeHandle {
    /// Sends an answer.
    pub fn deliver(&self, entry: Box<Entry>, answer: Answer) {
        let _ = self.commands.send(OpenCodeCommand::Deliver(entry, answer));
    }

    /// Reads the whole open list anew.
    pub fn refresh(&self) {
        let _ = self.commands.send(OpenCodeCommand::Refresh);
    }

    /// Finds out what became of an ask that is gone.
    pub fn inquire(&self, entry: Box<Entry>) {
        let _ = self.commands.send(OpenCodeCommand::Inquire(entry));
    }

    /// Returns access to the permissions that "always" has saved at the server.
    pub(crate) fn saved(&self) -> SavedPermissions {
        self.saved.clone()
    }
}

/// The context of a source, beside its settings.
pub struct SourceContext {
    /// The sink for its reports.
    pub reports: ReportSink,
    /// The words for what the answers to its forms have to be.
    pub texts: Arc<Texts>,
    /// The name of this Beckon among Beckons.
    pub instance: Arc<str>,
}

/// Watches a server from now on. `directories` are those in which asks are known already. Needs a
/// tokio runtime.
pub fn start(
    server: OpenCodeServer,
    beside: SourceContext,
    directories: BTreeSet<String>,
) -> OpenCodeHandle {
    let (commands, inbox) = mpsc::unbounded_channel();
    let SourceContext {
        reports,
        texts,
        instance,
    } = beside;
    let reporter = OpenCodeReporter::new(&server.name, reports, instance);
    let secret = format!("opencode:{}", server.name);
    let password = ServerCredential::at_hand(secret, server.password.clone());
    let (said, connection) = connection::of(OpenCodeApi::new(&server, password.secret().cloned()));
    let saved = SavedPermissions::of(connection.clone());
    let forms = FormContext::new(texts);
    let directories = KnownDirectories::new(directories);
    let part = Part::Source(server.name.clone());
    let watch = keep_watching(server, password, reporter.clone(), forms, said, directories);
    tokio::spawn(part.run(run(watch, reporter, connection, inbox)));
    OpenCodeHandle { commands, saved }
}

/// Tells whether Beckon reads a server of that version without having been tried on a real one.
pub fn is_experimental(version: &str) -> bool {
    ApiGeneration::of(version) == ApiGeneration::Forms
}

/// Checks whether a server answers and lets us in, and returns what it says it is.
///
/// # Errors
/// The reason for which the server cannot be watched.
pub(super) async fn probe(
    server: &OpenCodeServer,
    password: Option<Secret>,
) -> Result<FoundServer, ProbeError> {
    let api = OpenCodeApi::new(server, password);
    let answer = api
        .get("/global/health", None)
        .timeout(HEADERS_WITHIN)
        .send()
        .await;
    let response = answer.map_err(|error| fault(&error))?;
    let told = match response.status().as_u16() {
        200 => json::<wire::ServerHealth>(response, HEADERS_WITHIN)
            .await
            .ok(),
        401 | 403 => return Err(ProbeError::Unauthorized),
        // A server of 2.x tells its version elsewhere.
        400..=499 => None,
        status => return Err(SourceFault::Status(status).into()),
    };
    match told {
        Some(health) if health.kin.is_some() => Ok(FoundServer::Beckon(health.version)),
        Some(health) => Ok(FoundServer::OpenCode(health.version)),
        None => {
            let version = forms::version(&api).await;
            version
                .map(|it| FoundServer::OpenCode(Some(it)))
                .ok_or(ProbeError::Stranger)
        }
    }
}

/// Runs the delivery, and beside it the watch, which ends with it.
async fn run(
    watch: impl Future<Output = ()> + Send + 'static,
    reporter: OpenCodeReporter,
    connection: ConnectionView,
    commands: mpsc::UnboundedReceiver<OpenCodeCommand>,
) {
    let mut beside = JoinSet::new();
    beside.spawn(part::within(watch));
    delivery::run(reporter, connection, commands).await;
}
