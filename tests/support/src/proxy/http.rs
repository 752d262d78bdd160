//! The HTTP proxy: tunnels by CONNECT (RFC 9110, 9.3.6), whole addresses for requests that are not
//! encrypted (RFC 9112, 3.2.2), passwords by the Basic scheme (RFC 7617). A connection carries only
//! one request.

use std::io::{ErrorKind, Result};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::TcpStream;

use super::Desk;

const ESTABLISHED: &[u8] = b"HTTP/1.1 200 Connection established\r\n\r\n";
const UNAUTHORIZED: &[u8] = b"HTTP/1.1 407 Proxy Authentication Required\r\n\
    proxy-authenticate: Basic realm=\"proxy\"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const BAD_GATEWAY: &[u8] =
    b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
/// The largest head of a request, in bytes.
const LONGEST: usize = 16 << 10;

/// The first line of a request and its header fields.
struct Head {
    method: String,
    target: String,
    fields: Vec<(String, String)>,
}

pub(super) async fn serve(mut client: TcpStream, desk: &Desk) -> Result<()> {
    let (head, rest) = read(&mut client).await?;
    let said = head.login();
    let said = said
        .as_ref()
        .map(|(user, password)| (user.as_str(), password.as_str()));
    if !desk.lets_in(said) {
        return client.write_all(UNAUTHORIZED).await;
    }
    let Some((host, port, path)) = head.asked() else {
        return Err(ErrorKind::InvalidData.into());
    };
    let Some(mut server) = desk.connect(host, port).await else {
        return client.write_all(BAD_GATEWAY).await;
    };
    match path {
        None => client.write_all(ESTABLISHED).await?,
        Some(path) => server.write_all(head.passed_on(path).as_bytes()).await?,
    }
    server.write_all(&rest).await?;
    copy_bidirectional(&mut client, &mut server).await.map(drop)
}

/// Reads the head, and returns it with the bytes that came after it.
async fn read(client: &mut TcpStream) -> Result<(Head, Vec<u8>)> {
    let mut read = Vec::new();
    let end = loop {
        if let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if read.len() > LONGEST || client.read_buf(&mut read).await? == 0 {
            return Err(ErrorKind::InvalidData.into());
        }
    };
    let text = String::from_utf8_lossy(&read[..end]).into_owned();
    let head = Head::parse(&text).ok_or(ErrorKind::InvalidData)?;
    Ok((head, read.split_off(end + 4)))
}

impl Head {
    fn parse(text: &str) -> Option<Head> {
        let mut lines = text.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let (method, target) = (first.next()?.to_owned(), first.next()?.to_owned());
        let field = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        Some(Head {
            method,
            target,
            fields: lines.filter_map(field).collect(),
        })
    }

    fn login(&self) -> Option<(String, String)> {
        let (_, value) = self
            .fields
            .iter()
            .find(|(name, _)| name == "proxy-authorization")?;
        let said = BASE64_STANDARD.decode(value.strip_prefix("Basic ")?).ok()?;
        let said = String::from_utf8(said).ok()?;
        said.split_once(':')
            .map(|(user, password)| (user.to_owned(), password.to_owned()))
    }

    /// Returns host, port and the path there; a tunnel has no path.
    fn asked(&self) -> Option<(&str, u16, Option<&str>)> {
        let split = |server| str::rsplit_once(server, ':').or(Some((server, "80")));
        if self.method == "CONNECT" {
            let (host, port) = self.target.rsplit_once(':')?;
            return Some((host, port.parse().ok()?, None));
        }
        let rest = self.target.strip_prefix("http://")?;
        let (server, path) = rest.split_at(rest.find('/')?);
        let (host, port) = split(server)?;
        Some((host, port.parse().ok()?, Some(path)))
    }

    /// Returns the head to be sent to the server, without the fields meant for the proxy.
    fn passed_on(&self, path: &str) -> String {
        let kept =
            |(name, _): &&(String, String)| !name.starts_with("proxy-") && name != "connection";
        let fields = self.fields.iter().filter(kept);
        let fields: String = fields
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        format!(
            "{} {path} HTTP/1.1\r\n{fields}connection: close\r\n\r\n",
            self.method
        )
    }
}
