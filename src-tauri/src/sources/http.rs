//! HTTP with a server that the user named: the client, and what its errors say.

use super::owner::{Another, Own};
use beckon_core::Fault;
use reqwest::Client;
use std::error::Error;
use std::time::Duration;

/// Some servers accept connections about a second before they answer, and never answer those
/// (measured on OpenCode 1.18.33): give up early, try again.
pub(super) const HEADERS_WITHIN: Duration = Duration::from_secs(4);

/// No proxy: the server is on this machine or at an address the user gave. No redirects: none of
/// them makes one. No overall time limit: a stream lives for days, and a peer that is dead is found
/// by TCP's own keep-alive.
/// Without TLS the system's certificates are not read: they take a megabyte of memory.
/// `anybodys`: on this machine the server may be another user's.
pub(super) fn client(tls: bool, anybodys: bool) -> Client {
    Client::builder()
        .connector_layer(Own { looks: !anybodys })
        .tls_built_in_root_certs(tls)
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(HEADERS_WITHIN)
        .tcp_nodelay(true)
        .pool_max_idle_per_host(1)
        .build()
        .unwrap_or_default()
}

/// What went wrong.
pub(super) fn fault(error: &reqwest::Error) -> Fault {
    match innermost(error).is::<Another>() {
        true => Fault::AnotherUser,
        false => Fault::Other(reason(error)),
    }
}

/// In the words of whoever says something ("Connection refused").
pub(super) fn reason(error: &reqwest::Error) -> String {
    innermost(error).to_string()
}

fn innermost(error: &reqwest::Error) -> &(dyn Error + 'static) {
    let mut cause: &(dyn Error + 'static) = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause
}
