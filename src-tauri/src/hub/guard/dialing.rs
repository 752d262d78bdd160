//! The dialing of a hub's server: checks who owns the listener, reads its greeting, and encrypts
//! the connection where that is wanted. Nothing of this device is sent yet.

use super::operations::{Greeting, Operation, OperationReader};
use crate::hub::fault::OddServer;
use crate::hub::login::WITHIN;
use crate::hub::tls;
use crate::platform::owner::{self, OtherUser};
use anyhow::{Context as _, Result};
use async_nats::rustls::pki_types::ServerName;
use beckon_client::config::HubConfig;
use std::path::PathBuf;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use url::Url;

/// The usual port: <https://docs.nats.io/running-a-nats-service/configuration>
const USUAL_PORT: u16 = 4222;

/// The address of a hub, and the certificate to trust there.
#[derive(Clone, Debug)]
pub(in crate::hub) struct HubAddress {
    pub(in crate::hub) url: String,
    pub(in crate::hub) trust: ServerTrust,
    /// Whether the server may be another local user's.
    pub(in crate::hub) any_user: bool,
}

/// The certificate that a server must have.
#[derive(Clone, Debug)]
pub(in crate::hub) enum ServerTrust {
    /// A certificate that the system trusts.
    System,
    /// A certificate that is signed by the one in this file.
    File(PathBuf),
    /// A certificate that is signed by the one with this fingerprint.
    Fingerprint([u8; 32]),
}

impl HubAddress {
    /// Returns the address in the settings.
    pub(in crate::hub) fn of(config: &HubConfig) -> Self {
        let ca = config.ca.clone();
        Self {
            url: config.url.clone(),
            trust: ca.map_or(ServerTrust::System, ServerTrust::File),
            any_user: config.any_user,
        }
    }

    fn read(&self) -> Result<Place> {
        let url = Url::parse(&self.url).context("Failed to read the address of the hub")?;
        let host = url.host_str().unwrap_or_default();
        let host = host.trim_matches(['[', ']']).to_owned();
        Ok(Place {
            host,
            port: url.port().unwrap_or(USUAL_PORT),
            is_encrypted: url.scheme() == "tls" || self.is_pinned(),
        })
    }

    /// Whether a single certificate is trusted. Its holder proves its identity before this device
    /// sends anything, so the listener may belong to any user.
    fn is_pinned(&self) -> bool {
        !matches!(self.trust, ServerTrust::System)
    }
}

struct Place {
    host: String,
    port: u16,
    is_encrypted: bool,
}

/// A way to the server, encrypted or not.
pub(super) trait Wire: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Wire for T {}

/// A server whose greeting was read.
pub(super) struct GreetedServer {
    pub(super) wire: Box<dyn Wire>,
    pub(super) greeting: Greeting,
    /// The reader, with what the server has sent after its greeting, if anything.
    pub(super) reader: OperationReader,
}

/// Connects to a hub's server.
///
/// # Errors
/// When it is not reached, belongs to another user, breaks the protocol, or is not the one that is
/// meant.
pub(super) async fn dial(address: &HubAddress) -> Result<GreetedServer> {
    let dialed = timeout(WITHIN, dial_for_long(address)).await;
    dialed.context("it does not answer")?
}

async fn dial_for_long(address: &HubAddress) -> Result<GreetedServer> {
    let place = address.read()?;
    let mut stream = TcpStream::connect((place.host.as_str(), place.port)).await?;
    if !address.any_user && !address.is_pinned() && owner::leads_to_another(&stream).await {
        return Err(OtherUser.into());
    }
    stream.set_nodelay(true)?;
    let (greeting, reader) = greeted(&mut stream).await?;
    if !place.is_encrypted && !greeting.tls_required {
        return Ok(GreetedServer {
            wire: Box::new(stream),
            greeting,
            reader,
        });
    }
    // An attacker in between could have sent these bytes ahead of the encrypted connection.
    if !reader.is_empty() {
        return Err(OddServer::SpeaksFirst.into());
    }
    let wire = encrypted(stream, &address.trust, place.host).await?;
    Ok(GreetedServer {
        wire,
        greeting,
        reader,
    })
}

async fn greeted(stream: &mut TcpStream) -> Result<(Greeting, OperationReader)> {
    let mut reader = OperationReader::default();
    let mut bytes = [0; 4096];
    loop {
        match reader.next()? {
            Some(Operation::Greeting(greeting)) => return Ok((greeting, reader)),
            Some(_) => return Err(OddServer::NoNats.into()),
            None => {}
        }
        let read = stream.read(&mut bytes).await?;
        if read == 0 {
            anyhow::bail!("the connection ended");
        }
        reader.push(&bytes[..read]);
    }
}

async fn encrypted(stream: TcpStream, trust: &ServerTrust, host: String) -> Result<Box<dyn Wire>> {
    let (config, other) = tls::client_config(trust).await?;
    let name = ServerName::try_from(host).context("Failed to read the address of the hub")?;
    let connected = TlsConnector::from(config).connect(name, stream).await;
    if other.is_met() {
        return Err(other.into());
    }
    Ok(Box::new(connected?))
}
