//! The address of the Bot API: Telegram's own, or one that somebody runs; and the proxy on the way
//! there.

use super::CallError;
use super::proxy::{ProxyError, ProxyLogin};
use beckon_client::config::{self, ProxyAddress};
use url::{Host, Url};

/// The address of the Bot API, usually `https://api.telegram.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiAddress {
    url: String,
    pub(in crate::channels::telegram) any_user: bool,
    proxy: Option<ProxyAddress>,
}

impl From<&config::TelegramConfig> for ApiAddress {
    fn from(config: &config::TelegramConfig) -> Self {
        let url = config.api_url.trim_end_matches('/').to_owned();
        Self {
            url,
            any_user: config.any_user,
            proxy: config.proxy.clone(),
        }
    }
}

impl ApiAddress {
    /// Returns the URL, without a slash at its end.
    pub(in crate::channels::telegram) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the proxy that leads there. None leads to this machine: the proxy would look for the
    /// server on its own machine, and could be shown the token there.
    pub(in crate::channels::telegram) fn proxy(&self) -> Option<&ProxyAddress> {
        self.proxy.as_ref().filter(|_| !self.is_here())
    }

    /// Reads the password of the proxy, if there is a proxy.
    pub(in crate::channels::telegram) async fn proxy_login(
        &self,
    ) -> Result<Option<ProxyLogin>, CallError> {
        let Some(proxy) = self.proxy() else {
            return Ok(None);
        };
        let login = ProxyLogin::read(proxy)
            .await
            .map_err(ProxyError::PasswordOutOfReach);
        login
            .map(Some)
            .map_err(|error| CallError::Proxy(proxy.clone(), error))
    }

    /// Whether the API is on this machine.
    pub(in crate::channels::telegram) fn is_here(&self) -> bool {
        match Url::parse(&self.url).ok().as_ref().and_then(Url::host) {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(ip)) => ip.is_loopback() || ip.is_unspecified(),
            Some(Host::Ipv6(ip)) => ip.is_loopback() || ip.is_unspecified(),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_on_this_machine_is_known_by_its_address() {
        let address = |url: &str| {
            let api_url = url.to_owned();
            let proxy = ProxyAddress::parse("socks5://10.0.0.1:1080").ok();
            let config = config::TelegramConfig {
                api_url,
                proxy,
                ..Default::default()
            };
            ApiAddress::from(&config)
        };
        let is_here = |url: &str| address(url).is_here();
        for here in [
            "http://127.0.0.1:8081",
            "http://localhost",
            "https://[::1]:1",
            "http://127.9.0.1",
        ] {
            assert!(is_here(here) && address(here).proxy().is_none(), "{here}");
        }
        for elsewhere in [
            "https://api.telegram.org",
            "http://10.0.0.7:8081",
            "nonsense",
        ] {
            assert!(
                !is_here(elsewhere) && address(elsewhere).proxy().is_some(),
                "{elsewhere}"
            );
        }
    }
}
