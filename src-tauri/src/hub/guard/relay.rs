//! The relay between the hub's server and the NATS library, which lets the guard read every byte.
//! The library dials by itself and takes no connection of ours. So it is given the address of a
//! listener on the loopback, the door, which is open until the library has come. The library shows
//! a token; a visitor without it gets a greeting at most. The port stays taken for as long as the
//! library may reconnect to it. The reasons are in docs/decisions.md.

use super::dialing::{GreetedServer, Wire};
use super::flow::{self, Unread};
use super::operations::{Greeting, Operation, OperationReader, PING, PONG, ServerMessage};
use super::outgoing::{OutgoingReader, Said};
use super::unasked::Unasked;
use crate::hub::fault::OddServer;
use anyhow::{Context as _, Result, bail};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use rand::Rng;
use serde_json::Value;
use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf, split};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

/// The time limit for a visitor to show the token; the library does so at once.
const INTRODUCED_WITHIN: Duration = Duration::from_secs(5);
/// The time without taking any bytes after which a server counts as gone. The library would have
/// dropped it by then.
const TAKEN_WITHIN: Duration = Duration::from_secs(30);
/// The pause after a failed accept: the system may be out of file descriptors for a moment.
const AFTER_FAILURE: Duration = Duration::from_millis(100);
/// The most visitors whose first line is awaited at once.
const MOST_VISITORS: usize = 64;
/// The largest first line of a visitor. The library's has a key and a signature in it, and little
/// more.
const LARGEST_INTRODUCTION: usize = 16 * 1024;
/// The number of bytes that are read at once.
const PIECE: usize = 64 * 1024;
/// The library's subscription for replies to its requests. It keeps none of those messages.
const REPLIES: u64 = 0;

/// What a server has sent so far, as far as that is limited.
#[derive(Default)]
struct Heard {
    unread: Unread,
    unasked: Unasked,
}

/// The door through which the library comes in.
pub(super) struct Door {
    listener: TcpListener,
    token: String,
}

/// The library's connection, after it has shown the token.
pub(super) struct IntroducedLibrary {
    stream: TcpStream,
    /// The library's first bytes, for the server.
    first: Vec<u8>,
}

impl Door {
    pub(super) async fn open() -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await;
        let listener = listener.context("Failed to open a way for the hub's library")?;
        let token: u128 = rand::rng().random();
        Ok(Self {
            listener,
            token: format!("{token:032x}"),
        })
    }

    pub(super) fn url(&self) -> Result<String> {
        Ok(format!("nats://{}", self.listener.local_addr()?))
    }

    pub(super) fn token(&self) -> String {
        self.token.clone()
    }

    /// Waits for the library. Other visitors may come first, and do not hold it up.
    pub(super) async fn admit(&self, greeting: &Greeting) -> IntroducedLibrary {
        let mut visitors = FuturesUnordered::new();
        loop {
            tokio::select! {
                come = self.listener.accept(), if visitors.len() < MOST_VISITORS => {
                    // On some systems accept fails for a visitor that has left already.
                    let Ok((stream, _)) = come else {
                        sleep(AFTER_FAILURE).await;
                        continue;
                    };
                    let introduced = introduced(stream, greeting, &self.token);
                    visitors.push(timeout(INTRODUCED_WITHIN, introduced));
                }
                Some(visitor) = visitors.next() => {
                    if let Ok(Ok(library)) = visitor {
                        return library;
                    }
                }
            }
        }
    }

    /// Accepts connections and drops them, for ever.
    pub(super) async fn turn_away(&self) -> Infallible {
        loop {
            if self.listener.accept().await.is_err() {
                sleep(AFTER_FAILURE).await;
            }
        }
    }
}

/// Returns the library's connection if the visitor shows the token, which no other program knows.
async fn introduced(
    mut stream: TcpStream,
    greeting: &Greeting,
    token: &str,
) -> Result<IntroducedLibrary> {
    stream.set_nodelay(true)?;
    stream.write_all(&greeting.write()).await?;
    let mut first = Vec::new();
    loop {
        if let Some(end) = memchr::memmem::find(&first, b"\r\n") {
            let rest = first.split_off(end);
            let mut first = without_token(&first, token)?;
            first.extend(rest);
            return Ok(IntroducedLibrary { stream, first });
        }
        if first.len() > LARGEST_INTRODUCTION || stream.read_buf(&mut first).await? == 0 {
            bail!("somebody else came");
        }
    }
}

/// Returns the line `CONNECT {…}` without the token, which is only for the door.
fn without_token(line: &[u8], token: &str) -> Result<Vec<u8>> {
    let line = std::str::from_utf8(line)?;
    let json = line.strip_prefix("CONNECT ").context("no introduction")?;
    let mut options: Value = serde_json::from_str(json)?;
    let options = options.as_object_mut().context("no introduction")?;
    let shown = options.remove("auth_token");
    if shown.as_ref().and_then(Value::as_str) != Some(token) {
        bail!("somebody else came");
    }
    let json = serde_json::to_string(options)?;
    Ok(format!("CONNECT {json}").into_bytes())
}

/// Carries bytes both ways until either end is gone. If the server must not be listened to any
/// longer, `tell` is called before the library notices the end of its connection.
pub(super) async fn carry(
    library: IntroducedLibrary,
    server: GreetedServer,
    tell: impl FnOnce(OddServer),
) {
    let (from_server, mut to_server) = split(server.wire);
    let IntroducedLibrary { stream, first } = library;
    let (from_library, mut to_library) = stream.into_split();
    let heard = Mutex::new(Heard::default());
    let there = async {
        carry_there((first, from_library), &mut to_server, &heard).await?;
        timeout(TAKEN_WITHIN, to_server.shutdown()).await?
    };
    let back = carry_back(from_server, &mut to_library, (server.reader, &heard));
    let ended = tokio::select! {
        _ = there => Ok(()),
        ended = back => ended,
    };
    if let Err(found) = ended {
        tracing::warn!(%found, "the hub's server breaks the protocol; the connection is closed");
        tell(found);
    }
}

async fn carry_there(
    (first, mut from): (Vec<u8>, OwnedReadHalf),
    to: &mut WriteHalf<Box<dyn Wire>>,
    heard: &Mutex<Heard>,
) -> std::io::Result<()> {
    let mut reader = OutgoingReader::default();
    let mut bytes = vec![0; PIECE];
    let mut passed = Vec::new();
    note(reader.read(&first, &mut passed), heard);
    loop {
        // The library may have left meanwhile; that is seen only when nothing more can be read.
        timeout(TAKEN_WITHIN, write(&passed, to)).await??;
        passed.clear();
        let read = from.read(&mut bytes).await?;
        if read == 0 {
            return Ok(());
        }
        note(reader.read(&bytes[..read], &mut passed), heard);
    }
}

async fn write(bytes: &[u8], to: &mut WriteHalf<Box<dyn Wire>>) -> std::io::Result<()> {
    to.write_all(bytes).await?;
    to.flush().await
}

fn note(said: Vec<Said>, heard: &Mutex<Heard>) {
    let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
    for said in said {
        match said {
            Said::Asked => heard.unasked.ask(),
            Said::Answered(number) => heard.unread.answer(number),
            Said::Subscribed(subscription) => heard.unread.begin(subscription),
            Said::Unsubscribed(subscription) => heard.unread.end(subscription),
            Said::Pong => heard.unread.pong(),
        }
    }
}

async fn carry_back(
    mut from: ReadHalf<Box<dyn Wire>>,
    to: &mut OwnedWriteHalf,
    (mut reader, heard): (OperationReader, &Mutex<Heard>),
) -> Result<(), OddServer> {
    let mut bytes = vec![0; PIECE];
    let mut plain = Vec::new();
    loop {
        let taken = take_all(&mut reader, heard, &mut plain);
        if to.write_all(&plain).await.is_err() {
            return Ok(());
        }
        // Operations that were complete before the fault still go to the library.
        taken?;
        plain.clear();
        match from.read(&mut bytes).await {
            Ok(0) | Err(_) => return Ok(()),
            Ok(read) => reader.push(&bytes[..read]),
        }
    }
}

fn take_all(
    reader: &mut OperationReader,
    heard: &Mutex<Heard>,
    plain: &mut Vec<u8>,
) -> Result<(), OddServer> {
    let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
    while let Some(operation) = reader.next()? {
        match operation {
            Operation::Greeting(greeting) => {
                heard.unasked.word()?;
                plain.extend(greeting.write());
            }
            Operation::Plain(written) => {
                heard.unasked.word()?;
                plain.extend(written);
            }
            Operation::Pong => {
                heard.unasked.answer()?;
                plain.extend(PONG);
            }
            Operation::Ping => {
                heard.unread.ping()?;
                plain.extend(PING);
            }
            Operation::Message(message) => heard.take(message, plain)?,
        }
    }
    Ok(())
}

impl Heard {
    fn take(&mut self, message: ServerMessage, plain: &mut Vec<u8>) -> Result<(), OddServer> {
        let subscription = message.subscription;
        if subscription == REPLIES {
            self.unasked.answer()?;
        } else if !self.unread.has_reader(subscription) {
            return self.unasked.for_nobody(flow::size(&message));
        }
        let question = self.unread.send(&message)?;
        plain.extend(message.written);
        plain.extend(question.unwrap_or_default());
        Ok(())
    }
}
