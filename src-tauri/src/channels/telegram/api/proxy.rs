//! The way through a proxy: its address with its password, and why a call got no further than it.
//!
//! Not here: what is said of that (`words/standing.rs`).

use crate::platform::owner;
use crate::platform::secrets::{self, KeychainError, Secret};
use anyhow::{Context, Result};
use beckon_client::config::ProxyAddress;
use beckon_client::platform::secret::TELEGRAM_PROXY;
use beckon_client::wire::ProxyState;
use std::time::Duration;
use tokio::net::TcpStream;

/// Whether a proxy is there at all is known within that.
const REACHED_WITHIN: Duration = Duration::from_secs(3);

/// A proxy, and the password that goes with its user name.
#[derive(Clone)]
pub(in crate::channels::telegram) struct ProxyLogin {
    address: ProxyAddress,
    password: Option<Secret>,
}

/// Why a call got no further than the proxy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProxyError {
    /// Nobody answers at its address.
    #[error("it does not answer ({0})")]
    Unreachable(String),
    /// On this machine another user listens there.
    #[error("another user of this machine listens there")]
    AnotherUser,
    /// Somebody does, who is no proxy of that kind.
    #[error("it does not speak that protocol")]
    Protocol,
    /// It wants to know who asks, or the password is not stored.
    #[error("it wants a user name and a password")]
    PasswordMissing,
    /// The user name or the password is wrong.
    #[error("it refuses the user name or the password")]
    PasswordRefused,
    /// It takes no user name.
    #[error("it takes no user name")]
    PasswordUnwanted,
    /// The keychain does not give its password out.
    #[error("its password is out of reach")]
    PasswordOutOfReach(KeychainError),
    /// It reaches nothing, or may not.
    #[error("it does not reach Telegram ({0})")]
    NoRoute(String),
}

impl ProxyError {
    /// The same for programs.
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
    /// The proxy with its password, which is read only for one that wants to know who asks.
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

    /// For reqwest. It is the only one that the client uses: `HTTPS_PROXY` and its like do not count.
    pub(super) fn for_client(&self) -> Result<reqwest::Proxy> {
        let url = self.address.with_password(self.password.as_ref());
        // What it fails with may show the address, and with it the password.
        let proxy = reqwest::Proxy::all(url.expose()).ok();
        proxy.with_context(|| format!("Failed to use the proxy {}", self.address))
    }

    pub(super) fn address(&self) -> &ProxyAddress {
        &self.address
    }

    /// Whichever user finds the port of a proxy on this machine free could listen there, and be shown
    /// the password; what goes to Telegram itself is encrypted. Looked at before each call: a proxy
    /// says its part before reqwest lets anybody see the connection.
    pub(super) async fn is_anothers(&self) -> bool {
        self.password.is_some()
            && self.address.is_here()
            && owner::is_taken_by_another(self.address.server()).await
    }

    /// It answers 407, or SOCKS's like.
    pub(super) fn unauthorized(&self) -> ProxyError {
        match self.password {
            Some(_) => ProxyError::PasswordRefused,
            None => ProxyError::PasswordMissing,
        }
    }

    /// What the proxy has to do with it that a request failed. Nothing, where the proxy did its part:
    /// then it failed behind it.
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

    /// reqwest's connectors tell what a proxy answered by words only: their types are private. Where
    /// they come to say it otherwise, the tests beside this find out.
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

    /// Why no connection to it can be made.
    async fn unreachable(&self) -> Option<String> {
        let connecting = TcpStream::connect(self.address.server());
        match tokio::time::timeout(REACHED_WITHIN, connecting).await {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("no answer in time".into()),
        }
    }

    /// It takes connections, but not one of its kind: that is TLS, where it has any.
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

/// An error and what caused it, one after the other.
pub(super) fn causes<'a>(
    error: &'a reqwest::Error,
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    let first: &'a (dyn std::error::Error + 'static) = error;
    std::iter::successors(Some(first), |error| error.source())
}

#[cfg(test)]
mod tests;
