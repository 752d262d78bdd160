//! HTTP with a server that the user named: the client, and what its errors say.

use reqwest::Client;
use std::time::Duration;

/// Some servers accept connections about a second before they answer, and never answer those
/// (measured on OpenCode 1.18.33): give up early, try again.
pub(super) const HEADERS_WITHIN: Duration = Duration::from_secs(4);

/// No proxy: the server is on this machine or at an address the user gave. No redirects: none of
/// them makes one. No overall time limit: a stream lives for days, and a peer that is dead is found
/// by TCP's own keep-alive.
/// Without TLS the system's certificates are not read: they take a megabyte of memory.
pub(super) fn client(tls: bool) -> Client {
    Client::builder()
        .tls_built_in_root_certs(tls)
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(HEADERS_WITHIN)
        .tcp_nodelay(true)
        .build()
        .unwrap_or_default()
}

/// The innermost cause, which is the one that says something ("Connection refused").
pub(super) fn reason(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
