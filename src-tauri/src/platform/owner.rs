//! Makes sure that a server of this machine is spoken to only if it is the owner's own, or root's.
//! Any user who finds its port free may listen there, would be shown its password, and could ask a
//! human anything.
//!
//! It is a layer around the client's connector: each new connection is looked at before anything is
//! sent on it. Not here: how the system tells (`processes.rs`).

use crate::platform::part;
use crate::platform::processes::{TcpListeners, is_served_by_another};
use hyper::http::Extensions;
use hyper_util::client::legacy::connect::{Connection, HttpInfo};
use std::error::Error;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tower_layer::Layer;
use tower_service::Service;

/// The error type of reqwest's connectors.
type ConnectError = Box<dyn Error + Send + Sync>;

/// The system's table as it was read last, and when that began. Reading takes milliseconds. So of
/// many connections one looks, and those that waited for it meanwhile share what it saw.
static LATEST: Mutex<Option<(Instant, TcpListeners)>> = Mutex::const_new(None);

/// The error that another user of this machine listens at that port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("another user of this machine listens there")]
pub(crate) struct OtherUser;

/// A layer that looks at each new connection, unless the settings say that it may lead to anybody.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnerLayer {
    pub(crate) looks: bool,
}

impl<S> Layer<S> for OwnerLayer {
    type Service = OwnedConnector<S>;

    fn layer(&self, connector: S) -> OwnedConnector<S> {
        OwnedConnector {
            connector,
            looks: self.looks,
        }
    }
}

/// A connector that leads to no other user of this machine.
#[derive(Clone, Debug)]
pub(crate) struct OwnedConnector<S> {
    connector: S,
    looks: bool,
}

impl<S, R> Service<R> for OwnedConnector<S>
where
    S: Service<R>,
    S::Response: Connection + Send,
    S::Error: Into<ConnectError>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = ConnectError;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, ConnectError>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), ConnectError>> {
        self.connector.poll_ready(cx).map_err(Into::into)
    }

    fn call(&mut self, to: R) -> Self::Future {
        let (connecting, looks) = (self.connector.call(to), self.looks);
        Box::pin(async move {
            let connection = connecting.await.map_err(Into::into)?;
            match ends(&connection).filter(|_| looks) {
                Some((there, here)) if is_anothers(there, here).await => Err(OtherUser.into()),
                _ => Ok(connection),
            }
        })
    }
}

/// Returns both ends of a connection that does not leave this machine.
fn ends(connection: &impl Connection) -> Option<(SocketAddr, SocketAddr)> {
    let mut told = Extensions::new();
    connection.connected().get_extras(&mut told);
    let ends = told.get::<HttpInfo>()?;
    let (there, here) = (ends.remote_addr(), ends.local_addr());
    stays_here(there, here).then_some((there, here))
}

fn stays_here(there: SocketAddr, here: SocketAddr) -> bool {
    there.ip().is_loopback() || there.ip() == here.ip()
}

/// Tells whether another user of this machine listens there. For clients whose library talks before
/// a layer sees the connection: opens a probe connection, on which nothing is sent.
pub(crate) async fn is_taken_by_another(server: (&str, u16)) -> bool {
    match TcpStream::connect(server).await {
        Ok(connection) => leads_to_another(&connection).await,
        Err(_) => false,
    }
}

/// Tells whether another user of this machine listens at the other end.
pub(crate) async fn leads_to_another(connection: &TcpStream) -> bool {
    match (connection.peer_addr(), connection.local_addr()) {
        (Ok(there), Ok(here)) if stays_here(there, here) => is_anothers(there, here).await,
        _ => false,
    }
}

/// Tells whether the far end is another user's. It is looked at after the connection is made, so
/// that nobody can come in between. A table that was read before the connection was made says
/// nothing of it.
async fn is_anothers(there: SocketAddr, here: SocketAddr) -> bool {
    if let Some(another) = is_served_by_another(there, here) {
        return another;
    }
    let connected = Instant::now();
    let mut latest = LATEST.lock().await;
    if latest.as_ref().is_none_or(|(begun, _)| *begun <= connected) {
        let begun = Instant::now();
        let looked = part::spawn_blocking(TcpListeners::look).await;
        *latest = looked.ok().map(|sockets| (begun, sockets));
    }
    latest
        .as_ref()
        .is_none_or(|(_, sockets)| sockets.is_anothers(there, here))
}
