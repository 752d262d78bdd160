//! Tests that the proxies follow their RFCs byte for byte.

use beckon_support::proxy::{Asked, Proxy, Speaks};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::JoinHandle;

/// Starts a server that echoes the bytes of one client.
fn echo() -> (SocketAddr, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut writing = stream.try_clone().unwrap();
        let _ = std::io::copy(&mut stream, &mut writing);
    });
    (address, thread)
}

/// Sends each first text and expects the second one in return.
fn talk(proxy: &Proxy, says: &[(&[u8], &[u8])]) -> TcpStream {
    let mut stream = TcpStream::connect(proxy.address()).unwrap();
    for (said, wanted) in says {
        stream.write_all(said).unwrap();
        let mut heard = vec![0; wanted.len()];
        stream.read_exact(&mut heard).unwrap();
        assert_eq!(&heard, wanted, "after {said:?}");
    }
    stream
}

fn ended(mut stream: TcpStream) -> bool {
    match stream.read(&mut [0; 1]) {
        Ok(read) => read == 0,
        Err(error) => error.kind() == ErrorKind::ConnectionReset,
    }
}

/// The request CONNECT (RFC 1928, 4): VER CMD RSV ATYP, the name with its length, the port.
const CONNECT: &[u8] = b"\x05\x01\x00\x03\x0bexample.org\x01\xbb";
/// The reply to a request that succeeded (RFC 1928, 6): VER REP RSV ATYP, bound to 0.0.0.0:0.
const SUCCEEDED: &[u8] = b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00";

#[test]
fn socks5_without_a_password() {
    let (server, echoing) = echo();
    let proxy = Proxy::start(Speaks::Socks5);
    proxy.leads("example.org", server);
    let mut stream = talk(
        &proxy,
        &[(b"\x05\x01\x00", b"\x05\x00"), (CONNECT, SUCCEEDED)],
    );
    stream.write_all(b"hello").unwrap();
    let mut heard = [0; 5];
    stream.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"hello");
    assert_eq!(
        proxy.asked(),
        [Asked {
            host: "example.org".into(),
            port: 443
        }]
    );
    drop(stream);
    echoing.join().unwrap();
}

#[test]
fn socks5_with_a_password() {
    let (server, _echoing) = echo();
    let proxy = Proxy::start(Speaks::Socks5);
    proxy.leads("example.org", server);
    proxy.login("me", "secret");
    // RFC 1929, 2: VER ULEN UNAME PLEN PASSWD, then VER STATUS.
    let greeting: (&[u8], &[u8]) = (b"\x05\x02\x00\x02", b"\x05\x02");
    talk(
        &proxy,
        &[
            greeting,
            (b"\x01\x02me\x06secret", b"\x01\x00"),
            (CONNECT, SUCCEEDED),
        ],
    );
    assert!(ended(talk(
        &proxy,
        &[greeting, (b"\x01\x02me\x05wrong", b"\x01\x01")]
    )));
    assert!(
        ended(talk(&proxy, &[(b"\x05\x01\x00", b"\x05\xff")])),
        "no acceptable methods"
    );
    assert_eq!((proxy.asked().len(), proxy.refused()), (1, 2));
}

#[test]
fn socks5_says_why_it_does_not_connect() {
    let proxy = Proxy::start(Speaks::Socks5);
    let asks = |request: &[u8], reply: u8| {
        let wanted = [&[5, reply], &SUCCEEDED[2..]].concat();
        talk(
            &proxy,
            &[(b"\x05\x01\x00", b"\x05\x00"), (request, &wanted)],
        );
    };
    asks(CONNECT, 4);
    asks(b"\x05\x02\x00\x03", 7);
    asks(b"\x05\x01\x00\x01", 8);
    assert!(
        ended(talk(&proxy, &[(b"\x04\x01", b"")])),
        "SOCKS4 is another protocol"
    );
}

#[test]
fn http_tunnels_and_passes_on() {
    let (server, echoing) = echo();
    let proxy = Proxy::start(Speaks::Http);
    proxy.leads("server.example.com", server);
    // RFC 9110, 9.3.6.
    let connect = b"CONNECT server.example.com:80 HTTP/1.1\r\nHost: server.example.com\r\n\r\n";
    let established = b"HTTP/1.1 200 Connection established\r\n\r\n";
    let stream = talk(&proxy, &[(connect, established), (b"hello", b"hello")]);
    drop(stream);
    echoing.join().unwrap();

    let (server, echoing) = echo();
    proxy.leads("www.example.org", server);
    // RFC 9112, 3.2.2.
    let whole = b"GET http://www.example.org/pub/WWW/TheProject.html HTTP/1.1\r\n\
        Host: www.example.org\r\nProxy-Connection: keep-alive\r\n\r\n";
    let passed = b"GET /pub/WWW/TheProject.html HTTP/1.1\r\n\
        host: www.example.org\r\nconnection: close\r\n\r\n";
    drop(talk(&proxy, &[(whole, passed)]));
    echoing.join().unwrap();
    let ports: Vec<u16> = proxy.asked().iter().map(|asked| asked.port).collect();
    assert_eq!(ports, [80, 80]);
}

#[test]
fn http_lets_nobody_through_without_the_password() {
    let proxy = Proxy::start(Speaks::Http);
    proxy.login("Aladdin", "open sesame");
    let refused = b"HTTP/1.1 407 Proxy Authentication Required\r\n";
    let request = |field: &str| format!("CONNECT example.org:443 HTTP/1.1\r\n{field}\r\n");
    talk(&proxy, &[(request("").as_bytes(), refused)]);
    // RFC 7617, 2.
    let known = "Proxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n";
    talk(
        &proxy,
        &[(request(known).as_bytes(), b"HTTP/1.1 502 Bad Gateway\r\n")],
    );
    assert_eq!((proxy.asked().len(), proxy.refused()), (1, 1));
}
