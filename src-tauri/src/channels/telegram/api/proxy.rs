//! The connection through a proxy: its address with its password, and the reasons why a call got no
//! further than the proxy.
//!
//! Not here: the texts for a person (`words/standing.rs`).

use crate::platform::owner;
use crate::platform::secrets::{self, KeychainError, Secret};
use anyhow::{Context, Result};
use beckon_client::config::ProxyAddress;
use beckon_client::platform::secret::TELEGRAM_PROXY;
use beckon_client::wire::ProxyState;
use std::time::Duration;
use tokio::net::TcpStream;

/// The time limit for a connection to the proxy itself.
const REACHED_WITHIN: Duration = Duration::from_secs(3);

/// A proxy, and the password that goes with its user name.
#[derive(Clone)]
pub(in crate::channels::telegram) struct ProxyLogin {
    address: ProxyAddress,
    password: Option<Secret>,
}

/// A reason why a call got no further than the proxy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProxyError {
    /// No program answers at its address.
    #[error("it does not answer ({0})")]
    Unreachable(String),
    /// Another user of this machine listens there.
    #[error("another user of this machine listens there")]
    AnotherUser,
    /// A program answers there, but it is no proxy of that kind.
    #[error("it does not speak that protocol")]
    Protocol,
    /// The proxy wants a user name, or the password is not stored.
    #[error("it wants a user name and a password")]
    PasswordMissing,
    /// The user name or the password is wrong.
    #[error("it refuses the user name or the password")]
    PasswordRefused,
    /// The proxy takes no user name.
    #[error("it takes no user name")]
    PasswordUnwanted,
    /// The keychain does not give the proxy's password out.
    #[error("its password is out of reach")]
    PasswordOutOfReach(KeychainError),
    /// The proxy cannot or must not connect to Telegram.
    #[error("it does not reach Telegram ({0})")]
    NoRoute(String),
}

impl ProxyError {
    /// Returns the state for programs.
    pub(in crate::channels::telegram) fn state(&self) -> ProxyState {
        match self {
            Self::Unreachable(_) => ProxyState::Unreachable,
            Self::AnotherUser => ProxyState::AnotherUser,
            Self::Protocol => ProxyState::Protocol,
            Self::PasswordMissing => ProxyState::PasswordMissing,
            Self::PasswordRefused => ProxyState::PasswordRefused,
            Self::PasswordUnwanted => ProxyState::PasswordUnwanted,
            Self::PasswordOutOfReach(_) => ProxyState::PasswordOutOfReach,
            Self::NoRoute(_) => ProxyState::NoRoute,
        }
    }
}

impl ProxyLogin {
    /// Reads the password of a proxy, if its address has a user name.
    pub(in crate::channels::telegram) async fn read(
        address: &ProxyAddress,
    ) -> Result<Self, KeychainError> {
        let password = match address.has_user() {
            true => secrets::read(TELEGRAM_PROXY).await?,
            false => None,
        };
        Ok(Self {
            address: address.clone(),
            password,
        })
    }

    /// Returns the proxy for reqwest. The client uses no other: `HTTPS_PROXY` and the like are
    /// ignored.
    pub(super) fn for_client(&self) -> Result<reqwest::Proxy> {
        let url = self.address.with_password(self.password.as_ref());
        // The error may show the address, and with it the password.
        let proxy = reqwest::Proxy::all(url.expose()).ok();
        proxy.with_context(|| format!("Failed to use the proxy {}", self.address))
    }

    pub(super) fn address(&self) -> &ProxyAddress {
        &self.address
    }

    /// Whether another user of this machine listens at the proxy's address. If the port is free any
    /// user could listen there, and would be shown the password; the traffic to Telegram itself is
    /// encrypted. This is checked before each call, since reqwest sends the password before the
    /// connection can be inspected.
    pub(super) async fn is_anothers(&self) -> bool {
        self.password.is_some()
            && self.address.is_here()
            && owner::is_taken_by_another(self.address.server()).await
    }

    /// Returns the error for a proxy that answers 407, or SOCKS' equivalent.
    pub(super) fn unauthorized(&self) -> ProxyError {
        match self.password {
            Some(_) => ProxyError::PasswordRefused,
            None => ProxyError::PasswordMissing,
        }
    }

    /// Returns the proxy's error behind the failure of a request; `None` if the proxy did its part,
    /// and the request failed behind it.
    pub(super) async fn blame(&self, error: &reqwest::Error) -> Option<ProxyError> {
        if let Some(found) = causes(error).find_map(|cause| self.told(&cause.to_string())) {
            return Some(found);
        }
        if !error.is_connect() {
            return None;
        }
        match self.unreachable().await {
            Some(reason) => Some(ProxyError::Unreachable(reason)),
            None if error.is_timeout() => Some(ProxyError::NoRoute("no answer in time".into())),
            None => self.of_handshake(error),
        }
    }

    /// Returns the error that a cause stands for. reqwest's connectors describe a proxy's answer
    /// only in words, as their types are private. If a release changes the words, the tests of this
    /// file fail.
    fn told(&self, cause: &str) -> Option<ProxyError> {
        let error = match cause {
            "tunnel error: proxy authorization required"
            | "SOCKS error: credentials not accepted" => self.unauthorized(),
            "SOCKS error: server does not support user/pass authentication"
            | "SOCKS error: server implements authentication incorrectly" => {
                match self.address.has_user() {
                    true => ProxyError::PasswordUnwanted,
                    false => ProxyError::PasswordMissing,
                }
            }
            "SOCKS error: failed parsing server response"
            | "SOCKS error: io error during SOCKS handshake"
            | "tunnel error: io error establishing tunnel"
            | "tunnel error: unexpected end of file"
            | "tunnel error: proxy response headers too long" => ProxyError::Protocol,
            "tunnel error: unsuccessful" => ProxyError::NoRoute("CONNECT refused".into()),
            "SOCKS error: failed to create underlying connection"
            | "tunnel error: failed to create underlying connection" => return None,
            other => ProxyError::NoRoute(other.strip_prefix("SOCKS error: ")?.to_owned()),
        };
        Some(error)
    }

    /// Returns why no connection to the proxy can be made; `None` if one can.
    async fn unreachable(&self) -> Option<String> {
        let connecting = TcpStream::connect(self.address.server());
        match tokio::time::timeout(REACHED_WITHIN, connecting).await {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("no answer in time".into()),
        }
    }

    /// Returns the error of a proxy that accepts connections but fails below its own protocol, in
    /// the TLS to it.
    fn of_handshake(&self, error: &reqwest::Error) -> Option<ProxyError> {
        let mut causes = causes(error);
        let underlying = |cause: &&(dyn std::error::Error + 'static)| {
            cause
                .to_string()
                .ends_with("failed to create underlying connection")
        };
        causes.find(underlying)?;
        Some(causes.last().map_or(ProxyError::Protocol, |last| {
            ProxyError::Unreachable(last.to_string())
        }))
    }
}

/// Returns an error and its causes, one after the other.
pub(super) fn causes<'a>(
    error: &'a reqwest::Error,
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    let first: &'a (dyn std::error::Error + 'static) = error;
    std::iter::successors(Some(first), |error| error.source())
}

#[cfg(test)]
mod tests;
