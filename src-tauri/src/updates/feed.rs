//! The place of the project's feed, and the key that signs it. Both are given to the compiler by a
//! build for others to use (`.github/workflows/release.yml`); a build without them asks no server.

use beckon_core::{FeedFault, ReleaseFeed};
use minisign_verify::{PublicKey, Signature};
use serde::Deserialize;
use url::{Host, Url};

/// The environment variable for tests of the whole program, which use a server of their own on this
/// machine, and a key of their own: `http://127.0.0.1:8080/ KEY`. A build for people ignores it.
const OF_A_TEST: &str = "BECKON_TEST_UPDATE_FEED";

/// The server to ask, and the key to believe.
#[derive(Clone, Debug)]
pub(super) struct FeedSource {
    pub(super) address: Url,
    key: PublicKey,
}

/// A feed and its signature in one file, so that no cache can hand out two parts of different days.
#[derive(Deserialize)]
struct SignedFeed {
    /// The feed as JSON, to the byte as it was signed.
    feed: String,
    /// The signature, as `minisign -S` writes it: <https://jedisct1.github.io/minisign/>.
    signature: String,
}

impl FeedSource {
    pub(super) fn of_this_build() -> Option<Self> {
        match cfg!(debug_assertions).then(Self::of_a_test).flatten() {
            Some(of_a_test) => Some(of_a_test),
            None => Self::parse(
                option_env!("BECKON_UPDATE_FEED")?,
                option_env!("BECKON_UPDATE_KEY")?,
            ),
        }
    }

    fn of_a_test() -> Option<Self> {
        let both = std::env::var(OF_A_TEST).ok()?;
        let (address, key) = both.split_once(' ')?;
        Self::parse(address, key).filter(|source| is_loopback(&source.address))
    }

    /// Reads an address and a key. An address without encryption must be on this machine, where a
    /// test listens. `key` is the second line of minisign's `.pub` file.
    pub(super) fn parse(address: &str, key: &str) -> Option<Self> {
        let address = Url::parse(address).ok()?;
        let is_allowed = match address.scheme() {
            "https" => true,
            "http" => is_loopback(&address),
            _ => false,
        };
        let key = PublicKey::from_base64(key).ok()?;
        is_allowed.then_some(Self { address, key })
    }

    /// Opens a signed feed. Its content is read only after the signature has proven it to be the
    /// project's.
    pub(super) fn open(&self, body: &[u8]) -> Result<ReleaseFeed, FeedFault> {
        let signed: SignedFeed = serde_json::from_slice(body).map_err(|_| FeedFault::Unsigned)?;
        let signature = Signature::decode(&signed.signature).map_err(|_| FeedFault::Unsigned)?;
        // Legacy signatures need the whole file in memory; nobody makes them any more.
        let legacy = false;
        self.key
            .verify(signed.feed.as_bytes(), &signature, legacy)
            .map_err(|_| FeedFault::Unsigned)?;
        serde_json::from_str(&signed.feed).map_err(|_| FeedFault::Strange)
    }
}

pub(super) fn is_loopback(address: &Url) -> bool {
    match address.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(_)) | None => false,
    }
}
