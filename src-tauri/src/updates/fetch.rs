//! The request for the feed. It carries nothing: no version, no name, no cookie.

use super::feed::{FeedSource, is_loopback};
use beckon_core::{FeedFault, ReleaseFeed};
use reqwest::{Client, Response, StatusCode};
use std::time::Duration;

/// How long the whole request may take, from the first byte to the last.
const WITHIN: Duration = Duration::from_secs(20);
/// How long connecting may take: a network that drops packets never answers.
const CONNECTED_WITHIN: Duration = Duration::from_secs(10);
/// The largest feed, in bytes; one has some five hundred.
const LARGEST: usize = 16 << 10;

pub(super) async fn fetch(source: &FeedSource) -> Result<ReleaseFeed, FeedFault> {
    let client = client(source).map_err(|_| FeedFault::Unreachable)?;
    let response = client.get(source.address.clone()).send().await;
    let response = response.map_err(|error| {
        if error.is_connect() || error.is_timeout() {
            FeedFault::Unreachable
        } else {
            FeedFault::NoFeed
        }
    })?;
    if response.status() != StatusCode::OK {
        return Err(FeedFault::NoFeed);
    }
    source.open(&body(response).await?)
}

/// Makes the HTTP client. It follows no redirects: the feed is at the address of the build. It
/// keeps no connection open for a day. It uses the proxy of the environment, as any program that
/// looks something up on the web; Telegram's proxy it does not use.
fn client(source: &FeedSource) -> reqwest::Result<Client> {
    let here = is_loopback(&source.address);
    let client = Client::builder()
        .https_only(!here)
        .tls_built_in_root_certs(!here)
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .connect_timeout(CONNECTED_WITHIN)
        .timeout(WITHIN);
    if here { client.no_proxy() } else { client }.build()
}

async fn body(mut response: Response) -> Result<Vec<u8>, FeedFault> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| FeedFault::NoFeed)? {
        if body.len() + chunk.len() > LARGEST {
            return Err(FeedFault::NoFeed);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
