//! Free ports on the loopback, for servers that must know their port before they start.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

/// The lowest port. The range lies below the ports that systems give to clients and to servers
/// without a fixed port (from 32,768 on Linux, 49,152 elsewhere): a free port of those may be taken
/// by a connection a moment later.
const FIRST: u16 = 20_000;
const COUNT: u32 = 12_000;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// Returns a port that no program listens on, and that this function has not returned before in
/// this process.
pub fn free_port() -> u16 {
    // Test programs that run side by side begin at different ports.
    let begin = std::process::id().wrapping_mul(7_919);
    let next = || begin.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % COUNT;
    let ports = std::iter::repeat_with(|| FIRST + u16::try_from(next()).unwrap());
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    ports
        .take(COUNT as usize)
        .find(is_free)
        .expect("a free port")
}
