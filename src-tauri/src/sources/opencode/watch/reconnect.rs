//! Connects again after a connection broke: with which pauses, and as a server of which dialect.
//!
//! Not here: one connection, from its first frame to its end (`watch.rs` itself).

use super::connect_and_watch;
use super::liveness::ServerLiveness;
use crate::sources::http::backoff::BackOff;
use crate::sources::http::credential::ServerCredential;
use crate::sources::http::sse::StreamError;
use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::api::forms::FormContext;
use crate::sources::opencode::delivery::connection::ConnectionReporter;
use crate::sources::opencode::forms;
use crate::sources::opencode::listing::directories::KnownDirectories;
use crate::sources::opencode::reporter::OpenCodeReporter;
use crate::sources::{Report, UnreadParts};
use beckon_client::config::OpenCodeServer;
use beckon_core::{SourceReport, SourceState};

/// Connects again and again, until a server that registered itself has left.
pub(in crate::sources::opencode) async fn keep_watching(
    server: OpenCodeServer,
    mut password: ServerCredential,
    reporter: OpenCodeReporter,
    forms: FormContext,
    connection: ConnectionReporter,
    mut directories: KnownDirectories,
) {
    reporter.tell(SourceReport::State(SourceState::Connecting { error: None }));
    let (mut back_off, mut last_error) = (BackOff::new(), None);
    let mut identity = ServerIdentity::First;
    let mut liveness = ServerLiveness::default();
    loop {
        let api = OpenCodeApi::new(&server, password.secret().cloned());
        let api = match identity {
            ServerIdentity::First => api,
            ServerIdentity::Forms => api.in_forms(forms.clone()),
        };
        connection.set_down(&api);
        back_off.begin();
        let broken = connect_and_watch(&api, &reporter, &connection, &mut directories).await;
        connection.set_unsettled();
        reporter.report_unread(UnreadParts::default());
        if back_off.lived() {
            last_error = None;
        }
        if matches!(broken, StreamError::Refused) && password.renew().await {
            continue;
        }
        if identity.turns_out_newer(&broken, &api).await {
            continue;
        }
        connection.set_down(&api);
        if liveness.has_left(&server).await {
            return reporter.post(Report::Left(server));
        }
        reporter.report_broken(&broken, &mut last_error);
        tokio::time::sleep(back_off.pause(&broken)).await;
    }
}

/// The dialect as which a server is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ServerIdentity {
    /// The dialect of 1.x, until the server turns out to be newer.
    First,
    /// The dialect of 2.x.
    Forms,
}

impl ServerIdentity {
    /// Tells whether the server is newer than it was heard as; then it is heard anew at once.
    async fn turns_out_newer(&mut self, broken: &StreamError, api: &OpenCodeApi) -> bool {
        if !matches!(broken, StreamError::NoStream(_)) {
            return false;
        }
        // Another server may stand now where one of 2.x was.
        let newer = api.forms().is_none() && forms::version(api).await.is_some();
        *self = if newer { Self::Forms } else { Self::First };
        newer
    }
}
