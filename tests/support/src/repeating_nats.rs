//! A hub's server that goes bad: an honest nats-server until it is told to repeat what others have
//! once published. From then on it sends nothing but that, in turn and without an end, each record
//! with the next number and whoever's signature it has. No client can tell that from what is new.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How often the server looks whether it is told to repeat.
const LOOKS_EVERY: Duration = Duration::from_millis(20);
/// The number of records that are written at once.
const AT_ONCE: u64 = 100;

/// The server, for as long as the test runs.
pub struct RepeatingNats {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    repeats: AtomicBool,
    sent: AtomicU64,
    /// The records of asks that were ever sent: subject and content.
    remembered: Mutex<Vec<(String, Vec<u8>)>>,
}

impl RepeatingNats {
    /// Starts the server before the honest one at that port.
    pub fn before(port: u16) -> RepeatingNats {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let server = RepeatingNats {
            address: listener.local_addr().unwrap(),
            shared: Arc::default(),
        };
        let shared = Arc::clone(&server.shared);
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let far = TcpStream::connect(("127.0.0.1", port)).unwrap();
                let shared = Arc::clone(&shared);
                let (mut from_near, mut to_far) =
                    (near.try_clone().unwrap(), far.try_clone().unwrap());
                std::thread::spawn(move || {
                    let _ = std::io::copy(&mut from_near, &mut to_far);
                    let _ = to_far.shutdown(std::net::Shutdown::Both);
                });
                std::thread::spawn(move || {
                    // Either end may leave, which is no error.
                    let _ = pass(far, &near, &shared);
                    let _ = near.shutdown(std::net::Shutdown::Both);
                });
            }
        });
        server
    }

    /// Repeats from now on, or is honest again on new connections.
    pub fn repeat(&self, repeats: bool) {
        self.shared.repeats.store(repeats, Ordering::Relaxed);
    }

    /// Returns how many records it has repeated.
    pub fn sent(&self) -> u64 {
        self.shared.sent.load(Ordering::Relaxed)
    }

    /// Returns the server's URL.
    pub fn url(&self) -> String {
        format!("nats://{}", self.address)
    }
}

/// The delivery of a record to a subscription.
struct Delivery {
    subject: String,
    subscription: String,
    /// The parts of the reply subject: `$JS.ACK.stream.consumer.delivered.sequence.sequence of the
    /// consumer.time.pending`.
    reply: Vec<String>,
}

fn pass(far: TcpStream, mut near: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    far.set_read_timeout(Some(LOOKS_EVERY))?;
    let mut far = BufReader::new(far);
    let mut last: Option<Delivery> = None;
    let mut line = Vec::new();
    loop {
        if shared.repeats.load(Ordering::Relaxed)
            && let Some(last) = &last
        {
            return repeat(last, near, shared);
        }
        match far.read_until(b'\n', &mut line) {
            Ok(0) => return Ok(()),
            Ok(_) if line.ends_with(b"\n") => {}
            Ok(_) => continue,
            Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
            Err(error) => return Err(error),
        }
        let text = String::from_utf8_lossy(&line).into_owned();
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut body = Vec::new();
        if matches!(words.first(), Some(&("MSG" | "HMSG"))) {
            body = read_body(&mut far, words.last().unwrap().parse().unwrap())?;
        }
        near.write_all(&[line.as_slice(), &body].concat())?;
        line.clear();
        if let ["MSG", subject, subscription, reply, _] = words[..]
            && subject.starts_with("bk.ask.")
            && reply.starts_with("$JS.ACK.")
        {
            remember(shared, subject, &body);
            last = Some(Delivery {
                subject: subject.into(),
                subscription: subscription.into(),
                reply: reply.split('.').map(str::to_owned).collect(),
            });
        }
    }
}

fn read_body(far: &mut BufReader<TcpStream>, size: usize) -> std::io::Result<Vec<u8>> {
    let mut body = vec![0; size + 2];
    let mut read = 0;
    while read < body.len() {
        match far.read(&mut body[read..]) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(more) => read += more,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(body)
}

fn remember(shared: &Shared, subject: &str, body: &[u8]) {
    let record = (subject.to_owned(), body.to_vec());
    let mut remembered = shared.remembered.lock().unwrap();
    if !remembered.contains(&record) {
        remembered.push(record);
    }
}

/// Sends what is remembered of the last ask again and again, until the client has left.
fn repeat(last: &Delivery, mut near: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    let remembered = shared.remembered.lock().unwrap().clone();
    let bodies: Vec<Vec<u8>> = remembered
        .into_iter()
        .filter(|(subject, _)| *subject == last.subject)
        .map(|(_, body)| body)
        .collect();
    let number = |at: usize| -> u64 { last.reply[at].parse().unwrap() };
    let (mut record, mut there) = (number(5), number(6));
    loop {
        let mut said = Vec::new();
        for _ in 0..AT_ONCE {
            record += 1;
            there += 1;
            let body = &bodies[usize::try_from(there).unwrap() % bodies.len()];
            let mut reply = last.reply.clone();
            reply[5] = record.to_string();
            reply[6] = there.to_string();
            reply[8] = "0".into();
            let reply = reply.join(".");
            let (subject, subscription) = (&last.subject, &last.subscription);
            let size = body.len() - 2;
            said.extend(format!("MSG {subject} {subscription} {reply} {size}\r\n").bytes());
            said.extend(body);
        }
        near.write_all(&said)?;
        shared.sent.fetch_add(AT_ONCE, Ordering::Relaxed);
    }
}
