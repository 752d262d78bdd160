//! A NATS server that is hostile, or no NATS server at all: its lines are written byte for byte
//! (<https://docs.nats.io/reference/reference-protocols/nats-protocol>). It stores nothing and
//! checks nothing.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The greeting of an ordinary server.
pub const GREETING: &str = concat!(
    r#"INFO {"server_id":"LIAR","server_name":"liar","version":"2.10.26","proto":1,"headers":true,"#,
    r#""max_payload":1048576,"client_id":5,"nonce":"bm9uY2U"} "#,
    "\r\n"
);

/// The bytes that the server writes on each connection.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Written at once.
    pub first: Vec<u8>,
    /// Written after the client has introduced itself.
    pub then: Vec<u8>,
    /// Written after that, again and again until the client is gone.
    pub endless: Vec<u8>,
}

impl Lines {
    /// Makes lines that are written instead of a greeting.
    pub fn first(first: impl AsRef<[u8]>) -> Lines {
        Lines {
            first: first.as_ref().to_vec(),
            then: Vec::new(),
            endless: Vec::new(),
        }
    }

    /// Makes lines that are written once the client is let in.
    pub fn then(then: impl AsRef<[u8]>) -> Lines {
        Lines {
            then: [b"PONG\r\n", then.as_ref()].concat(),
            ..Lines::first(GREETING)
        }
    }

    /// Appends bytes that are repeated for as long as the client listens.
    pub fn endless(self, endless: impl AsRef<[u8]>) -> Lines {
        Lines {
            endless: endless.as_ref().to_vec(),
            ..self
        }
    }
}

/// The server, for as long as the test runs.
pub struct LyingNats {
    address: SocketAddr,
    lines: Arc<Mutex<Lines>>,
    heard: Arc<AtomicUsize>,
}

impl LyingNats {
    /// Starts a server that writes `lines` on each connection.
    pub fn start(lines: Lines) -> LyingNats {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let liar = LyingNats {
            address: listener.local_addr().unwrap(),
            lines: Arc::new(Mutex::new(lines)),
            heard: Arc::default(),
        };
        let lines = Arc::clone(&liar.lines);
        let heard = Arc::clone(&liar.heard);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let lines = lines.lock().unwrap().clone();
                let heard = Arc::clone(&heard);
                std::thread::spawn(move || {
                    // A client that has had enough disconnects, which is no error.
                    let _ = lie(stream, &lines);
                    heard.fetch_add(1, Ordering::Relaxed);
                });
            }
        });
        liar
    }

    /// Changes the lines for connections from now on.
    pub fn say(&self, lines: Lines) {
        *self.lines.lock().unwrap() = lines;
    }

    /// Returns how many connections have ended.
    pub fn ended(&self) -> usize {
        self.heard.load(Ordering::Relaxed)
    }

    /// Returns the server's URL.
    pub fn url(&self) -> String {
        format!("nats://{}", self.address)
    }
}

fn lie(mut stream: TcpStream, lines: &Lines) -> std::io::Result<()> {
    stream.write_all(&lines.first)?;
    let mut heard: Vec<u8> = Vec::new();
    let mut bytes = [0; 4096];
    while !lines.then.is_empty() && !heard.windows(6).any(|it| it == b"PING\r\n") {
        let read = stream.read(&mut bytes)?;
        if read == 0 {
            return Ok(());
        }
        heard.extend(&bytes[..read]);
    }
    stream.write_all(&lines.then)?;
    while !lines.endless.is_empty() {
        stream.write_all(&lines.endless)?;
    }
    while stream.read(&mut bytes)? > 0 {}
    Ok(())
}
