//! A wire between two programs of this machine, which carries bytes unchanged. A test can hold it,
//! so that nothing passes and neither end notices, or cut it. Other clients of the same server are
//! not affected.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{oneshot, watch};

/// The state of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wire {
    Whole,
    Held,
    Cut,
    /// Passes this number of bytes in a second.
    Slow(u64),
    /// Passes everything until a client sends these words; from then on, nothing comes back on that
    /// connection.
    Mute(&'static str),
}

/// The wire, until it is dropped.
pub struct Relay {
    address: SocketAddr,
    wire: watch::Sender<Wire>,
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Relay {
    /// Opens a free port that leads to `port` on the loopback.
    pub fn to_port(port: u16) -> Relay {
        let (wire, watched) = watch::channel(Wire::Whole);
        let (stop, stopped) = oneshot::channel();
        let (bound, address) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.unwrap().block_on(async {
                let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
                bound.send(listener.local_addr().unwrap()).unwrap();
                tokio::select! { () = accept(listener, port, watched) => {}, _ = stopped => {} }
            });
        });
        let address = address.recv().expect("failed to bind a loopback port");
        Relay {
            address,
            wire,
            running: Some((stop, thread)),
        }
    }

    /// Returns the port of this end.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Lets nothing pass, and keeps every connection open.
    pub fn hold(&self) {
        self.wire.send_replace(Wire::Held);
    }

    /// Breaks every connection, and each new one.
    pub fn cut(&self) {
        self.wire.send_replace(Wire::Cut);
    }

    /// Lets everything pass until a client sends these words; from then on, nothing comes back to
    /// it on that connection.
    pub fn mute_after(&self, words: &'static str) {
        self.wire.send_replace(Wire::Mute(words));
    }

    /// Lets everything pass, at this number of bytes in a second.
    pub fn slow_down(&self, bytes_a_second: u64) {
        self.wire.send_replace(Wire::Slow(bytes_a_second));
    }

    /// Lets everything pass again; held bytes come first.
    pub fn mend(&self) {
        self.wire.send_replace(Wire::Whole);
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        let Some((stop, thread)) = self.running.take() else {
            return;
        };
        drop(stop);
        let _ = thread.join();
    }
}

async fn accept(listener: TcpListener, port: u16, wire: watch::Receiver<Wire>) {
    loop {
        let Ok((near, _)) = listener.accept().await else {
            return;
        };
        let wire = wire.clone();
        tokio::spawn(async move {
            if *wire.borrow() == Wire::Cut {
                return;
            }
            let Ok(far) = TcpStream::connect(("127.0.0.1", port)).await else {
                return;
            };
            let ((from_near, to_near), (from_far, to_far)) = (near.into_split(), far.into_split());
            let is_mute = AtomicBool::new(false);
            let there = pass(from_near, to_far, wire.clone(), |said, wire| {
                if let Wire::Mute(words) = wire {
                    let mut said = said.windows(words.len());
                    is_mute.fetch_or(said.any(|it| it == words.as_bytes()), Ordering::Relaxed);
                }
                true
            });
            let back = pass(from_far, to_near, wire, |_, _| {
                !is_mute.load(Ordering::Relaxed)
            });
            tokio::join!(there, back);
        });
    }
}

/// Copies the bytes for which `passes` is true, until either end is gone or the wire is cut.
async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut wire: watch::Receiver<Wire>,
    passes: impl Fn(&[u8], Wire) -> bool,
) {
    let mut buffer = vec![0; 16 * 1024];
    let mut broken = wire.clone();
    loop {
        let read = tokio::select! {
            read = from.read(&mut buffer) => read,
            _ = broken.wait_for(|wire| *wire == Wire::Cut) => return,
        };
        let Ok(count @ 1..) = read else { return };
        let passed = match wire
            .wait_for(|wire| *wire != Wire::Held)
            .await
            .map(|wire| *wire)
        {
            Ok(now @ (Wire::Whole | Wire::Mute(_))) => passes(&buffer[..count], now),
            Ok(Wire::Slow(bytes_a_second)) => {
                let micros = u64::try_from(count).unwrap() * 1_000_000 / bytes_a_second;
                tokio::time::sleep(std::time::Duration::from_micros(micros)).await;
                true
            }
            _ => return,
        };
        if passed && to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}
