//! Ports on the loopback for servers that are started by their number.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

/// Below those that systems give to whoever connects or asks for any (from 32,768 on Linux, 49,152
/// elsewhere): a port of those may be a connection's a moment later.
const FIRST: u16 = 20_000;
const COUNT: u32 = 12_000;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// One that nobody listens on, and that this process was not given before.
pub fn free_port() -> u16 {
    // Programs of tests that run side by side begin at different ones.
    let begin = std::process::id().wrapping_mul(7_919);
    let next = || begin.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % COUNT;
    let ports = std::iter::repeat_with(|| FIRST + u16::try_from(next()).unwrap());
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    ports
        .take(COUNT as usize)
        .find(is_free)
        .expect("a free port")
}
