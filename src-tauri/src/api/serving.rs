//! The API's connections: accepted, served, and closed. Any user of the machine can open one to the
//! port; until it has shown the token it has little time, and gives way to later ones.
//!
//! Not here: what is served, and who has shown the token.

pub(super) mod proof;
pub(super) mod socket;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::collections::VecDeque;
use std::io::{Error, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::AbortHandle;
use tower_service::Service;

/// The most connections to the port that have not shown the token yet.
const STRANGERS: usize = 512;
/// How long each of them may stay at least: in a burst of clients that come at once, none has shown
/// anything yet when the last of them is accepted, and on a busy machine not for a while.
const AT_LEAST: Duration = Duration::from_secs(1);
/// How long to wait if none may be closed yet; most have shown the token after that.
const LOOK_AGAIN: Duration = Duration::from_millis(5);
/// How long each of them may stay at most. Clients show the token with their first bytes.
const SHOWN_WITHIN: Duration = Duration::from_secs(5);
/// How long to wait after a failed accept: without a free file descriptor the next one would fail
/// as well.
const PAUSE: Duration = Duration::from_millis(100);

/// Whether a connection has shown the token. It goes with each of its requests.
#[derive(Clone, Debug, Default)]
pub(super) struct ConnectionPass(Arc<AtomicBool>);

impl ConnectionPass {
    /// Notes that the connection has shown the token.
    pub(super) fn admit(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_admitted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Serves the port without end.
pub(super) async fn serve_port(listener: TcpListener, router: Router) {
    let mut lobby = Lobby::default();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                lobby.make_room().await;
                let pass = ConnectionPass::default();
                let visit = visit(stream, router.clone(), pass.clone());
                lobby.enter(tokio::spawn(visit).abort_handle(), pass);
            }
            Err(error) => pause(&error).await,
        }
    }
}

/// The connections that have not shown the token, the earliest first.
#[derive(Debug, Default)]
struct Lobby(VecDeque<Guest>);

#[derive(Debug)]
struct Guest {
    connection: AbortHandle,
    pass: ConnectionPass,
    since: Instant,
}

impl Guest {
    fn is_stranger(&self) -> bool {
        !self.connection.is_finished() && !self.pass.is_admitted()
    }
}

impl Lobby {
    /// Makes room for one more connection. The earliest is closed, not the latest: a client that
    /// has the token shows it at once.
    async fn make_room(&mut self) {
        self.0.retain(Guest::is_stranger);
        while self.0.len() >= STRANGERS {
            let Some(earliest) = self
                .0
                .pop_front_if(|guest| guest.since.elapsed() >= AT_LEAST)
            else {
                tokio::time::sleep(LOOK_AGAIN).await;
                self.0.retain(Guest::is_stranger);
                continue;
            };
            earliest.connection.abort();
        }
    }

    fn enter(&mut self, connection: AbortHandle, pass: ConnectionPass) {
        self.0.push_back(Guest {
            connection,
            pass,
            since: Instant::now(),
        });
    }
}

/// Serves a connection to the port, and closes it if the token is not shown in time.
async fn visit<I>(stream: I, router: Router, pass: ConnectionPass)
where
    I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    tokio::select! {
        () = serve(stream, router, pass.clone()) => {}
        () = turned_out(pass) => {}
    }
}

async fn turned_out(pass: ConnectionPass) {
    tokio::time::sleep(SHOWN_WITHIN).await;
    if pass.is_admitted() {
        std::future::pending::<()>().await;
    }
}

/// Serves one connection until either side ends it.
pub(super) async fn serve<I>(stream: I, router: Router, pass: ConnectionPass)
where
    I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(pass.clone());
        router.clone().call(request)
    });
    let served = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
    if let Err(error) = served {
        tracing::debug!(%error, "a connection to the API has ended");
    }
}

/// Waits after a failed accept, unless only that one connection is affected.
pub(super) async fn pause(error: &Error) {
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    ) {
        return;
    }
    tracing::debug!(%error, "the API cannot take a connection");
    tokio::time::sleep(PAUSE).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a connection that does nothing.
    fn silent() -> (tokio::task::JoinHandle<()>, ConnectionPass) {
        (
            tokio::spawn(std::future::pending()),
            ConnectionPass::default(),
        )
    }

    #[tokio::test]
    async fn the_earliest_of_too_many_strangers_gives_way_and_nobody_with_the_token() {
        let mut lobby = Lobby::default();
        let all: Vec<_> = (0..STRANGERS + 10).map(|_| silent()).collect();
        for (at, (connection, pass)) in all.iter().enumerate() {
            if at == 3 {
                pass.admit();
            }
            lobby.make_room().await;
            lobby.enter(connection.abort_handle(), pass.clone());
        }
        let mut ended = Vec::new();
        for (at, (connection, _)) in all.into_iter().enumerate() {
            tokio::task::yield_now().await;
            if connection.is_finished() {
                ended.push(at);
            }
        }
        assert_eq!(ended, [0, 1, 2, 4, 5, 6, 7, 8, 9]);
    }
}
