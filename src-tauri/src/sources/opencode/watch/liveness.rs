//! Tells whether a server that registered itself has gone for good. One from the settings is waited
//! for without end.

use crate::platform::processes;
use beckon_client::config::OpenCodeServer;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;

/// The time after which a shut port of a living process counts as closed for good.
const SHUT_FOR: Duration = Duration::from_secs(60);
/// How long a connection may take. One to this machine is there at once, or refused.
const WITHIN: Duration = Duration::from_secs(1);

/// The moment since which nobody listens at the server's port.
#[derive(Default)]
pub(in crate::sources::opencode) struct ServerLiveness(Option<Instant>);

impl ServerLiveness {
    /// Tells whether the server has gone: its port refuses connections, and its process is gone or
    /// has not listened for [`SHUT_FOR`]. Any other may come back: it may be starting, stopped, or
    /// busy.
    pub(in crate::sources::opencode) async fn has_left(&mut self, server: &OpenCodeServer) -> bool {
        let (Some(pid), Some(port)) = (server.pid(), server.local_port()) else {
            return false;
        };
        if !refuses(port).await {
            self.0 = None;
            return false;
        }
        let shut_since = *self.0.get_or_insert_with(Instant::now);
        !processes::is_running(pid) || shut_since.elapsed() >= SHUT_FOR
    }
}

async fn refuses(port: u16) -> bool {
    let both = [
        SocketAddr::from((Ipv6Addr::LOCALHOST, port)),
        (Ipv4Addr::LOCALHOST, port).into(),
    ];
    let connected = tokio::time::timeout(WITHIN, TcpStream::connect(&both[..])).await;
    matches!(connected, Ok(Err(error)) if error.kind() == ErrorKind::ConnectionRefused)
}
