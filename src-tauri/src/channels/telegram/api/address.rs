//! Where the Bot API is: Telegram's own, or one that somebody runs.

use beckon_client::config;
use url::{Host, Url};

/// Where the Bot API is, usually `https://api.telegram.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiAddress {
    url: String,
    pub(in crate::channels::telegram) any_user: bool,
}

impl From<&config::TelegramConfig> for ApiAddress {
    fn from(config: &config::TelegramConfig) -> Self {
        let url = config.api_url.trim_end_matches('/').to_owned();
        Self { url, any_user: config.any_user }
    }
}

impl ApiAddress {
    /// Without a slash at its end.
    pub(in crate::channels::telegram) fn url(&self) -> &str {
        &self.url
    }

    /// Is it on this machine?
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
        let is_here = |url: &str| ApiAddress { url: url.into(), any_user: false }.is_here();
        for here in
            ["http://127.0.0.1:8081", "http://localhost", "https://[::1]:1", "http://127.9.0.1"]
        {
            assert!(is_here(here), "{here}");
        }
        for elsewhere in ["https://api.telegram.org", "http://10.0.0.7:8081", "nonsense"] {
            assert!(!is_here(elsewhere), "{elsewhere}");
        }
    }
}
