//! The proving of a connection to a port: it is used only after the other end has proven that it
//! knows the token (`proof.rs`). The token is then shown on that same connection.
//!
//! It is a layer around the client's connector, so that no request is sent before the proof.

use crate::connection::proof;
use crate::platform::secret::Secret;
use hyper::rt::{Read, Write};
use hyper_util::rt::TokioIo;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tower_layer::Layer;
use tower_service::Service;

/// The error of reqwest's connectors.
type ConnectError = Box<dyn Error + Send + Sync>;

/// The most bytes of a proof, including its HTTP head.
const LONGEST: u64 = 2_048;

/// The error if the listener does not know the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Failed to find Beckon at its port: somebody else listens there")]
pub(super) struct Unproven;

/// The layer that asks each new connection for the proof.
#[derive(Clone, Debug)]
pub(super) struct ProvingLayer {
    token: Secret,
}

impl ProvingLayer {
    pub(super) fn new(token: Secret) -> Self {
        Self { token }
    }
}

impl<S> Layer<S> for ProvingLayer {
    type Service = ProvenConnector<S>;

    fn layer(&self, connector: S) -> ProvenConnector<S> {
        ProvenConnector {
            connector,
            token: self.token.clone(),
        }
    }
}

/// A connector of proven connections.
#[derive(Clone, Debug)]
pub(super) struct ProvenConnector<S> {
    connector: S,
    token: Secret,
}

impl<S, R> Service<R> for ProvenConnector<S>
where
    S: Service<R>,
    S::Response: Read + Write + Unpin + Send,
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
        let (connecting, token) = (self.connector.call(to), self.token.clone());
        Box::pin(async move {
            let mut connection = connecting.await.map_err(Into::into)?;
            prove(&mut TokioIo::new(&mut connection), &token).await?;
            Ok(connection)
        })
    }
}

/// Asks for the proof on a new connection. Another program may send anything, or nothing: the bytes
/// are limited here, and the time by the connector.
async fn prove(
    connection: &mut (impl AsyncRead + AsyncWrite + Unpin),
    token: &Secret,
) -> Result<(), ConnectError> {
    let nonce = proof::nonce();
    let path = proof::PATH;
    let question = format!("GET {path}?nonce={nonce} HTTP/1.1\r\nhost: beckon\r\n\r\n");
    connection.write_all(question.as_bytes()).await?;
    let mut told = Vec::new();
    let mut limited = connection.take(LONGEST);
    while body(&told).is_none_or(|body| body.len() < proof::LENGTH) {
        if limited.read_buf(&mut told).await? == 0 {
            return Err(Unproven.into());
        }
    }
    let proven = body(&told).is_some_and(|body| proof::is_answer(token.expose(), &nonce, body));
    if proven { Ok(()) } else { Err(Unproven.into()) }
}

/// Returns what follows the HTTP head.
fn body(told: &[u8]) -> Option<&[u8]> {
    let end = memchr::memmem::find(told, b"\r\n\r\n")?;
    Some(&told[end + 4..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::duplex;

    /// Returns how the proving ends if the listener says that to the nonce.
    async fn told_by(listener: impl Fn(&str) -> String) -> Result<(), ConnectError> {
        let (mut ours, mut theirs) = duplex(4_096);
        let token = Secret::new("token".into());
        let answering = async {
            let mut heard = vec![0; 1_024];
            let length = theirs.read(&mut heard).await.unwrap();
            let heard = String::from_utf8_lossy(&heard[..length]).into_owned();
            assert!(!heard.contains("token"), "{heard}");
            let nonce = heard.split(['=', ' ']).nth(2).unwrap().to_owned();
            // Not all of it is read, where it is too much.
            let _ = theirs.write_all(listener(&nonce).as_bytes()).await;
            drop(theirs);
        };
        let asking = async {
            let proven = prove(&mut ours, &token).await;
            drop(ours);
            proven
        };
        let (proven, ()) = tokio::join!(asking, answering);
        proven
    }

    #[tokio::test]
    async fn a_listener_is_believed_for_the_right_answer_only() {
        let head = "HTTP/1.1 200 OK\r\ncontent-length: 64\r\n\r\n";
        let right = |nonce: &str| format!("{head}{}", proof::answer("token", nonce));
        assert!(told_by(right).await.is_ok());
        let wrong: [&dyn Fn(&str) -> String; 6] = [
            &|_| String::new(),
            &|_| "x".repeat(9_000),
            &|nonce| format!("{head}{nonce}"),
            &|nonce| format!("{head}{}", proof::answer("another", nonce)),
            &|nonce| format!("{head}{}more", proof::answer("token", nonce)),
            &|nonce| proof::answer("token", nonce),
        ];
        for (at, wrong) in wrong.into_iter().enumerate() {
            let refused = told_by(wrong).await.unwrap_err();
            assert!(refused.is::<Unproven>(), "{at}: {refused}");
        }
    }
}
