//! The login of this device at the server: a key that is good for nothing else. The server chooses
//! what is signed with it, so it is never the key that signs records.

use super::fault::OddServer;
use super::key::DeviceKey;
use anyhow::{Context as _, Result};
use async_nats::{ConnectOptions, Event, ServerError};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use nkeys::{KeyPair, KeyPairType};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// The purpose for which the login is derived from a device's seed.
const PURPOSE: &str = "beckon hub login";

/// The key that the server lets in.
pub(super) struct Login(KeyPair);

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Login({})", self.public())
    }
}

impl Login {
    pub(super) fn of(key: &DeviceKey) -> Result<Self> {
        Self::of_seed(key.derive(PURPOSE))
    }

    pub(super) fn of_seed(seed: [u8; 32]) -> Result<Self> {
        let pair = KeyPair::new_from_raw(KeyPairType::User, seed);
        Ok(Self(pair.context("Failed to make a key for the hub")?))
    }

    /// Returns the login as the server knows it.
    pub(super) fn public(&self) -> String {
        self.0.public_key()
    }

    /// Returns the proof that this login is at hand where those words are said.
    pub(super) fn prove(&self, words: &str) -> Result<String> {
        let signature = self.0.sign(&proven_bytes(words));
        Ok(BASE64.encode(signature.context("Failed to sign with the hub's login")?))
    }

    /// Adds the login, and what goes with it, to the options.
    pub(super) fn applied(&self, options: ConnectOptions) -> Result<ConnectOptions> {
        let seed = self.0.seed().context("Failed to make a key for the hub")?;
        Ok(options
            .nkey(seed)
            .custom_inbox_prefix(inbox(&self.public())))
    }
}

/// Whether it is a key that a server lets in. It goes into the server's configuration as it is.
pub(super) fn is_login(text: &str) -> bool {
    text.starts_with('U') && KeyPair::from_public_key(text).is_ok()
}

/// Whether the sender of those words has that login at hand.
pub(super) fn is_proven(login: &str, words: &str, proof: &str) -> bool {
    let Ok(pair) = KeyPair::from_public_key(login) else {
        return false;
    };
    let proof = BASE64.decode(proof).unwrap_or_default();

    pair.verify(&proven_bytes(words), &proof).is_ok()
}

/// Returns the bytes that are signed. A server chooses what is signed with a login (its nonce, of
/// 15 or 16 letters): a proof is longer, and begins as no nonce does.
fn proven_bytes(words: &str) -> Vec<u8> {
    [b"beckon hub login\0".as_slice(), words.as_bytes()].concat()
}

/// Returns the subject below which the server's answers to that login come: no other client may
/// hear them.
pub(super) fn inbox(login: &str) -> String {
    format!("_INBOX_{login}")
}

/// Returns the options for every server.
pub(super) fn plain() -> ConnectOptions {
    ConnectOptions::new().name("beckon")
}

/// Returns the options of this device, if it has a login.
pub(super) fn options(login: Option<&Login>) -> Result<ConnectOptions> {
    login.map_or(Ok(plain()), |login| login.applied(plain()))
}

/// A word that a server says unasked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ServerWord {
    /// The connection is over.
    Ended(String),
    /// The server sends what must not be processed, so the connection is over.
    Odd(OddServer),
    /// The server does not allow something, in its words. A request for it gets no answer.
    Forbidden(String),
}

/// Adds to the options that the server's words are passed on.
pub(super) fn heard(options: ConnectOptions, to: UnboundedSender<ServerWord>) -> ConnectOptions {
    options.event_callback(move |event| {
        if let Some(word) = word(event) {
            let _ = to.send(word);
        }
        std::future::ready(())
    })
}

fn word(event: Event) -> Option<ServerWord> {
    match event {
        Event::Disconnected | Event::Closed | Event::LameDuckMode => {
            Some(ServerWord::Ended("the connection ended".into()))
        }
        Event::SlowConsumer(_) => Some(ServerWord::Ended("too much at once".into())),
        Event::ServerError(ServerError::Other(said)) if is_refusal(&said) => {
            Some(ServerWord::Forbidden(said))
        }
        Event::ServerError(error) => {
            tracing::warn!(%error, "the hub's server reports an error");
            None
        }
        Event::ClientError(error) => {
            tracing::debug!(%error, "the hub's client");
            None
        }
        Event::Connected | Event::Draining => None,
    }
}

/// Whether the server refuses something
/// (<https://docs.nats.io/reference/reference-protocols/nats-protocol#err>). A device that may not
/// change a stream can go on with it as it is, so that refusal does not count.
fn is_refusal(said: &str) -> bool {
    said.to_ascii_lowercase().contains("permissions violation")
        && !said.contains("$JS.API.STREAM.UPDATE.")
}

/// Whether the server knows no such login.
pub(super) fn is_unknown(error: &async_nats::ConnectError) -> bool {
    use async_nats::ConnectErrorKind::{Authentication, AuthorizationViolation};
    matches!(error.kind(), Authentication | AuthorizationViolation)
}

/// How long a server may be silent until it counts as gone.
pub(super) const WITHIN: Duration = Duration::from_secs(5);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::key::of_byte;

    #[test]
    fn the_login_is_another_key_than_the_one_that_signs_and_prints_no_seed() {
        let (key, login) = (of_byte(1), Login::of(&of_byte(1)).unwrap());
        let same = Login::of(&key).unwrap();
        assert_eq!(login.public(), same.public());
        assert_ne!(login.public(), Login::of(&of_byte(2)).unwrap().public());
        let signing = KeyPair::new_from_raw(KeyPairType::User, [1; 32]).unwrap();
        assert_ne!(login.public(), signing.public_key());
        assert!(login.public().starts_with('U'), "{login:?}");
        let printed = format!("{login:?} {:?}", options(Some(&login)));
        assert!(!printed.contains(&login.0.seed().unwrap()), "{printed}");
    }

    #[test]
    fn a_login_is_proven_for_those_words_and_by_nobody_else() {
        let login = Login::of(&of_byte(1)).unwrap();
        let other = Login::of(&of_byte(2)).unwrap();
        let proof = login.prove("bk.enrol.1 key").unwrap();

        assert!(is_proven(&login.public(), "bk.enrol.1 key", &proof));
        assert!(!is_proven(&login.public(), "bk.enrol.2 key", &proof));
        assert!(!is_proven(&other.public(), "bk.enrol.1 key", &proof));
        assert!(!is_proven("no login", "bk.enrol.1 key", &proof));
        assert!(!is_proven(&login.public(), "bk.enrol.1 key", ""));
    }

    #[test]
    fn a_refusal_is_told_from_other_errors() {
        let refused = "Permissions Violation for Publish to \"bk.desk.own\"";
        let said = Event::ServerError(ServerError::Other(refused.into()));
        assert_eq!(word(said), Some(ServerWord::Forbidden(refused.into())));
        assert_eq!(
            word(Event::ServerError(ServerError::Other(
                "stale connection".into()
            ))),
            None
        );
    }
}
