//! The state of the connection to a server: the watcher reports it, the delivery task goes by it.

use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::watch::vouched::VouchedAsks;
use std::sync::Arc;
use tokio::sync::{Notify, watch};

/// The certainty that the server still asks what it was last heard to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sources::opencode) enum AskKnowledge {
    /// The server's whole list was read on the connection that is open.
    Listed,
    /// Nothing was listed since the last break; the server may have started anew.
    Before,
}

/// The connection as it stands.
struct ServerConnection {
    api: OpenCodeApi,
    stream: StreamState,
}

enum StreamState {
    /// The watcher is finding out the server's password or dialect. What is to be sent waits for
    /// that, which is bounded and shorter than the desk's patience.
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

    /// Notes that it is being found out how the server is to be asked.
    pub(in crate::sources::opencode) fn set_unsettled(&self) {
        self.connection
            .send_modify(|connection| connection.stream = StreamState::Unsettled);
    }

    /// Notes that the server is asked by `api` from now on, without a stream.
    pub(in crate::sources::opencode) fn set_down(&self, api: &OpenCodeApi) {
        let (api, stream) = (api.clone(), StreamState::Down);
        self.connection
            .send_replace(ServerConnection { api, stream });
    }

    /// Notes that the stream is there, and vouches for what it tells from now on. Returns what
    /// wakes its reader when the list is to be read anew.
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

    /// Notes that the whole list was read beside the stream that is there.
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
    /// Waits until it is known how the server is asked, and returns that. After the watch has ended
    /// nobody finds it out, and the server is asked as before.
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

    /// Tells whether an ask was ended by an abort that was heard, on whatever connection.
    pub(super) fn was_aborted(&self, own: &str) -> bool {
        self.vouched.was_aborted(own)
    }

    /// Tells whether the stream that is there vouches for that ask.
    pub(super) fn vouches_for(&self, own: &str) -> bool {
        let is_up = matches!(self.connection.borrow().stream, StreamState::Up { .. });
        is_up && self.vouched.has(own)
    }

    /// Asks for the list to be read anew. Without a stream it will be read anyway, when there is
    /// one.
    pub(super) fn request_list(&self) {
        if let StreamState::Up { list_requested, .. } = &self.connection.borrow().stream {
            list_requested.notify_one();
        }
    }
}
