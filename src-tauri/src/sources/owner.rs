//! A server of this machine is spoken to only where it is the owner's own, or root's: whichever user
//! finds its port free may listen there, would be shown its password, and could ask a human anything.
//!
//! A layer around the client's connector: each new connection is looked at before a word is said on
//! it. Not here: how the system tells (`processes.rs`).

use crate::processes;
use hyper::http::Extensions;
use hyper_util::client::legacy::connect::{Connection, HttpInfo};
use std::error::Error;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::Semaphore;
use tower_layer::Layer;
use tower_service::Service;

/// What reqwest's connectors fail with.
type Failure = Box<dyn Error + Send + Sync>;

/// The system's table is read on another thread; a crowd of connections needs no crowd of threads.
static ONE_AT_A_TIME: Semaphore = Semaphore::const_new(1);

/// Another user of this machine listens there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("another user of this machine listens there")]
pub(super) struct Another;

/// Looks at each new connection, unless the settings say that it may lead to anybody.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    pub(super) looks: bool,
}

impl<S> Layer<S> for Own {
    type Service = Owned<S>;

    fn layer(&self, connector: S) -> Owned<S> {
        Owned { connector, looks: self.looks }
    }
}

/// A connector that leads to no other user of this machine.
#[derive(Clone, Debug)]
pub(super) struct Owned<S> {
    connector: S,
    looks: bool,
}

impl<S, R> Service<R> for Owned<S>
where
    S: Service<R>,
    S::Response: Connection + Send,
    S::Error: Into<Failure>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, Failure>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        self.connector.poll_ready(cx).map_err(Into::into)
    }

    fn call(&mut self, to: R) -> Self::Future {
        let (connecting, looks) = (self.connector.call(to), self.looks);
        Box::pin(async move {
            let connection = connecting.await.map_err(Into::into)?;
            match ends(&connection).filter(|_| looks) {
                Some((there, here)) if is_anothers(there, here).await => Err(Another.into()),
                _ => Ok(connection),
            }
        })
    }
}

/// Both ends of a connection that does not leave this machine.
fn ends(connection: &impl Connection) -> Option<(SocketAddr, SocketAddr)> {
    let mut told = Extensions::new();
    connection.connected().get_extras(&mut told);
    let ends = told.get::<HttpInfo>()?;
    let (there, here) = (ends.remote_addr(), ends.local_addr());
    (there.ip().is_loopback() || there.ip() == here.ip()).then_some((there, here))
}

/// Looked at after the connection is made, not before: then nobody can come in between.
async fn is_anothers(there: SocketAddr, here: SocketAddr) -> bool {
    let _turn = ONE_AT_A_TIME.acquire().await;
    let looked = tokio::task::spawn_blocking(move || processes::is_anothers(there, here)).await;
    looked.unwrap_or(true)
}
