//! The SOCKS5 proxy (RFC 1928) with passwords (RFC 1929). It supports CONNECT only, and no address
//! but a name, since the proxy is there to look names up.

use std::io::{Error, ErrorKind, Result};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional};
use tokio::net::TcpStream;

use super::Desk;

/// The methods of authentication (RFC 1928, 3).
const NO_AUTHENTICATION: u8 = 0x00;
const USERNAME_PASSWORD: u8 = 0x02;
const NO_ACCEPTABLE: u8 = 0xff;
/// The replies (RFC 1928, 6).
const SUCCEEDED: u8 = 0x00;
const HOST_UNREACHABLE: u8 = 0x04;
const COMMAND_NOT_SUPPORTED: u8 = 0x07;
const ADDRESS_TYPE_NOT_SUPPORTED: u8 = 0x08;

/// A request that was understood, or the reply that says why it was not.
type Request = std::result::Result<(String, u16), u8>;

pub(super) async fn serve(mut client: TcpStream, desk: &Desk) -> Result<()> {
    if !greet(&mut client, desk).await? {
        return Ok(());
    }
    let (host, port) = match request(&mut client).await? {
        Ok(asked) => asked,
        Err(refusal) => return reply(&mut client, refusal).await,
    };
    match desk.connect(&host, port).await {
        None => reply(&mut client, HOST_UNREACHABLE).await,
        Some(mut server) => {
            reply(&mut client, SUCCEEDED).await?;
            copy_bidirectional(&mut client, &mut server).await.map(drop)
        }
    }
}

/// Negotiates the authentication (RFC 1928, 3); returns `false` for a client that is refused.
async fn greet(client: &mut (impl AsyncRead + AsyncWrite + Unpin), desk: &Desk) -> Result<bool> {
    version(client, 5).await?;
    let methods = octets(client).await?;
    let wanted = if desk.wants_login() {
        USERNAME_PASSWORD
    } else {
        NO_AUTHENTICATION
    };
    if !methods.contains(&wanted) {
        let _ = desk.lets_in(None);
        client.write_all(&[5, NO_ACCEPTABLE]).await?;
        return Ok(false);
    }
    client.write_all(&[5, wanted]).await?;
    if wanted == NO_AUTHENTICATION {
        return Ok(true);
    }
    version(client, 1).await?;
    let (user, password) = (octets(client).await?, octets(client).await?);
    let said = (std::str::from_utf8(&user), std::str::from_utf8(&password));
    let lets_in = matches!(said, (Ok(user), Ok(password)) if desk.lets_in(Some((user, password))));
    client.write_all(&[1, u8::from(!lets_in)]).await?;
    Ok(lets_in)
}

/// Reads the request (RFC 1928, 4).
async fn request(client: &mut (impl AsyncRead + Unpin)) -> Result<Request> {
    version(client, 5).await?;
    let mut head = [0; 3];
    client.read_exact(&mut head).await?;
    match head {
        [1, 0, 3] => {}
        [1, 0, _] => return Ok(Err(ADDRESS_TYPE_NOT_SUPPORTED)),
        _ => return Ok(Err(COMMAND_NOT_SUPPORTED)),
    }
    let host = String::from_utf8(octets(client).await?);
    let host = host.map_err(|_| Error::from(ErrorKind::InvalidData))?;
    Ok(Ok((host, client.read_u16().await?)))
}

/// Sends the reply (RFC 1928, 6), with 0.0.0.0:0 as the bound address.
async fn reply(client: &mut (impl AsyncWrite + Unpin), reply: u8) -> Result<()> {
    client.write_all(&[5, reply, 0, 1, 0, 0, 0, 0, 0, 0]).await
}

async fn version(client: &mut (impl AsyncRead + Unpin), wanted: u8) -> Result<()> {
    match client.read_u8().await? {
        version if version == wanted => Ok(()),
        _ => Err(ErrorKind::InvalidData.into()),
    }
}

/// Reads as many octets as the first octet says.
async fn octets(client: &mut (impl AsyncRead + Unpin)) -> Result<Vec<u8>> {
    let mut octets = vec![0; client.read_u8().await?.into()];
    client.read_exact(&mut octets).await?;
    Ok(octets)
}
