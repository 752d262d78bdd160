//! The state of the connection to a server, from the watcher to the delivery task.

use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::watch::vouched::VouchedAsks;
use std::sync::Arc;
use tokio::sync::{Notify, watch};

/// How certain it is that the server still asks what it last told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sources::opencode) enum AskKnowledge {
    /// The server's whole list was read on the connection that is open.
    Listed,
    /// The server's list was not read since the last break; the server may have been restarted.
    Before,
}

/// The connection as it stands.
struct ServerConnection {
    api: OpenCodeApi,
    stream: StreamState,
}

enum StreamState {
    /// The watcher is finding out the server's password or dialect. Deliveries wait for that, which
    /// has a limit that is shorter than the desk's patience.
    Unsettled,
    /// There is no stream; an answer may get through all the same.
    Down,
    /// There is a stream, and its reader reads the list anew on request.
    Up {
        known: AskKnowledge,
        list_requested: Arc<Notify>,
    },
}

/// Makes both ends of the channel that tells how a server is reached, before its first connection.
pub(in crate::sources::opencode) fn of(api: OpenCodeApi) -> (ConnectionReporter, ConnectionView) {
    let (said, seen) = watch::channel(ServerConnection {
        api,
        stream: StreamState::Unsettled,
    });
    let vouched: Arc<VouchedAsks> = Arc::default();
    let reporter = ConnectionReporter {
        connection: said,
        vouched: vouched.clone(),
    };
    let view = ConnectionView {
        connection: seen,
        vouched,
    };
    (reporter, view)
}

/// The watcher's end.
pub(in crate::sources::opencode) struct ConnectionReporter {
    connection: watch::Sender<ServerConnection>,
    vouched: Arc<VouchedAsks>,
}

impl ConnectionReporter {
    /// Returns what was heard of asks, on all connections so far.
    pub(in crate::sources::opencode) fn vouched(&self) -> Arc<VouchedAsks> {
        self.vouched.clone()
    }

    /// Notes that the watcher is finding out how to talk to the server.
    pub(in crate::sources::opencode) fn set_unsettled(&self) {
        self.connection
            .send_modify(|connection| connection.stream = StreamState::Unsettled);
    }

    /// Notes that the server is reached through `api` from now on, without a stream.
    pub(in crate::sources::opencode) fn set_down(&self, api: &OpenCodeApi) {
        let (api, stream) = (api.clone(), StreamState::Down);
        self.connection
            .send_replace(ServerConnection { api, stream });
    }

    /// Notes that the stream is connected, and vouches for what it tells from now on. Returns the
    /// notifier that makes its reader read the list anew.
    pub(in crate::sources::opencode) fn set_up(&self) -> Arc<Notify> {
        self.vouched.begin_connection();
        let list_requested = Arc::new(Notify::new());
        let stream = StreamState::Up {
            known: AskKnowledge::Before,
            list_requested: list_requested.clone(),
        };
        self.connection
            .send_modify(|connection| connection.stream = stream);
        list_requested
    }

    /// Notes that the whole list was read while this stream was connected.
    pub(in crate::sources::opencode) fn set_listed(&self) {
        self.connection.send_modify(|connection| {
            if let StreamState::Up { known, .. } = &mut connection.stream {
                *known = AskKnowledge::Listed;
            }
        });
    }
}

/// The delivery task's end.
#[derive(Clone)]
pub(in crate::sources::opencode) struct ConnectionView {
    connection: watch::Receiver<ServerConnection>,
    vouched: Arc<VouchedAsks>,
}

impl ConnectionView {
    /// Waits until it is known how to talk to the server, and returns that. After the watch has
    /// ended nobody finds it out, and the last known way is used.
    pub(in crate::sources::opencode) async fn settled(&mut self) -> (OpenCodeApi, AskKnowledge) {
        let is_settled = |it: &ServerConnection| !matches!(it.stream, StreamState::Unsettled);
        let _ = self.connection.wait_for(is_settled).await;
        let connection = self.connection.borrow();
        let known = match connection.stream {
            StreamState::Up { known, .. } => known,
            StreamState::Unsettled | StreamState::Down => AskKnowledge::Before,
        };
        (connection.api.clone(), known)
    }

    /// Tells whether an abort that was heard, on any connection, has ended an ask.
    pub(super) fn was_aborted(&self, own: &str) -> bool {
        self.vouched.was_aborted(own)
    }

    /// Tells whether the present stream vouches for that ask.
    pub(super) fn vouches_for(&self, own: &str) -> bool {
        let is_up = matches!(self.connection.borrow().stream, StreamState::Up { .. });
        is_up && self.vouched.has(own)
    }

    /// Requests that the list be read anew. Without a stream it will be read anyway, once there is
    /// one.
    pub(super) fn request_list(&self) {
        if let StreamState::Up { list_requested, .. } = &self.connection.borrow().stream {
            list_requested.notify_one();
        }
    }
}
