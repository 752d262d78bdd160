//! Finds the user at the far end of one TCP connection of this machine. Linux is asked about that
//! connection alone (`sock_diag(7)`), and its answer is there when the question is sent, in
//! microseconds.
//!
//! Not here: the whole table (`linux.rs`), which the system walks in milliseconds, more with each
//! connection that was closed of late (`docs/measured.md`).

use netlink_packet_core::{NLM_F_REQUEST, NetlinkHeader, NetlinkMessage, NetlinkPayload};
use netlink_packet_sock_diag::SockDiagMessage;
use netlink_packet_sock_diag::constants::{AF_INET, AF_INET6, IPPROTO_TCP};
use netlink_packet_sock_diag::inet::{ExtensionFlags, InetRequest, SocketId, StateFlags};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink};
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::OwnedFd;

/// The cookie `INET_DIAG_NOCOOKIE`: the addresses alone say which socket is meant.
const NO_COOKIE: [u8; 8] = [0xff; 8];
/// The most bytes of an answer. The answer about one socket has 72 bytes and a few attributes.
const LARGEST: usize = 4_096;

/// Returns the users of the socket that took this connection and of the one that listens for such.
/// The addresses must not be IPv4 within IPv6. Fails where the system can't be asked so.
pub(super) fn users(there: SocketAddr, here: SocketAddr) -> io::Result<Vec<u32>> {
    let socket = rustix::net::socket_with(
        AddressFamily::NETLINK,
        SocketType::DGRAM,
        SocketFlags::CLOEXEC,
        Some(netlink::SOCK_DIAG),
    )?;
    // Nobody connects from port 0, so this finds the listening socket, by the system's own choice.
    let anybody = match there {
        SocketAddr::V4(_) => SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)),
        SocketAddr::V6(_) => SocketAddr::from((Ipv6Addr::UNSPECIFIED, 0)),
    };
    let (taker, listener) = (user(&socket, there, here)?, user(&socket, there, anybody)?);
    Ok(taker.into_iter().chain(listener).collect())
}

/// Returns the user of the socket with these addresses, or of the one that listens for it.
fn user(socket: &OwnedFd, local: SocketAddr, remote: SocketAddr) -> io::Result<Option<u32>> {
    rustix::net::send(socket, &request(local, remote), SendFlags::empty())?;
    let mut answer = [0; LARGEST];
    let (length, _) = rustix::net::recv(socket, &mut answer, RecvFlags::DONTWAIT)?;
    let answer = NetlinkMessage::deserialize(&answer[..length]).map_err(io::Error::other)?;
    match answer.payload {
        NetlinkPayload::InnerMessage(SockDiagMessage::InetResponse(found)) => {
            Ok(Some(found.header.uid))
        }
        NetlinkPayload::Error(error) => match error.to_io() {
            error if error.kind() == io::ErrorKind::NotFound => Ok(None),
            error => Err(error),
        },
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

fn request(local: SocketAddr, remote: SocketAddr) -> Vec<u8> {
    let mut header = NetlinkHeader::default();
    header.flags = NLM_F_REQUEST;
    let request = InetRequest {
        family: if local.is_ipv4() { AF_INET } else { AF_INET6 },
        protocol: IPPROTO_TCP,
        extensions: ExtensionFlags::empty(),
        states: StateFlags::all(),
        socket_id: SocketId {
            source_port: local.port(),
            destination_port: remote.port(),
            source_address: local.ip(),
            destination_address: remote.ip(),
            interface_id: 0,
            cookie: NO_COOKIE,
        },
    };
    let mut message = NetlinkMessage::new(header, SockDiagMessage::InetRequest(request).into());
    message.finalize();
    let mut bytes = vec![0; message.buffer_len()];
    message.serialize(&mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    fn of_both(address: &str) -> (Vec<u32>, Vec<u32>) {
        let listener = TcpListener::bind(address).unwrap();
        let port = listener.local_addr().unwrap().port();
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let (there, here) = (stream.peer_addr().unwrap(), stream.local_addr().unwrap());
        let taken = listener.accept().unwrap();
        let both = users(there, here).unwrap();
        drop(listener);
        let left = users(there, here).unwrap();
        drop(taken);
        (both, left)
    }

    #[test]
    fn who_listens_and_who_took_the_connection_are_found_however_it_listens() {
        let ours = rustix::process::geteuid().as_raw();
        for address in ["127.0.0.1:0", "0.0.0.0:0", "[::]:0"] {
            let (both, left) = of_both(address);
            assert_eq!(both, [ours, ours], "{address}");
            assert_eq!(left, [ours], "{address}: nobody listens any more");
        }
    }

    #[test]
    fn where_nobody_listens_there_is_nobody() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let there = listener.local_addr().unwrap();
        drop(listener);
        assert_eq!(
            users(there, "127.0.0.1:9".parse().unwrap()).unwrap(),
            [0; 0]
        );
        let there6 = SocketAddr::from((Ipv6Addr::LOCALHOST, there.port()));
        assert_eq!(users(there6, "[::1]:9".parse().unwrap()).unwrap(), [0; 0]);
    }
}
