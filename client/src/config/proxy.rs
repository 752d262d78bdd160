//! `telegram.proxy`: the address of a proxy, and what is wrong with an invalid one. The password is
//! a secret like any other. An invalid text is never shown, since it may hold a password.

use super::trim_address;
use crate::platform::percent;
use crate::platform::secret::Secret;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::fmt;

/// The protocol that a proxy speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyScheme {
    /// SOCKS 5 (RFC 1928).
    Socks5,
    /// SOCKS 5 with names looked up by the proxy, as this scheme says. Beckon always does that.
    Socks5h,
    /// HTTP: CONNECT, or whole addresses for requests that are not encrypted.
    Http,
    /// HTTP over TLS.
    Https,
}

/// The address of a proxy, with its protocol and user name and without its password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyAddress {
    scheme: ProxyScheme,
    /// The user name as in the address, with reserved characters escaped.
    user: Option<String>,
    /// The host; an IPv6 address has its brackets.
    host: String,
    port: u16,
}

/// The reason why a text is no address of a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProxyError {
    /// An address with another scheme, or with none.
    #[error("begins with none of socks5://, socks5h://, http:// and https://")]
    Scheme,
    /// An address with a password, which everybody who sees the file could read.
    #[error("has a password in it; take it out, and keep it in the keychain")]
    Password,
    /// An address without a port. Proxies have no usual port.
    #[error("names no port")]
    Port,
    /// A text without a host, or with more than an address.
    #[error("is no address like socks5://127.0.0.1:1080")]
    Form,
}

impl ProxyAddress {
    /// Reads `socks5://[user@]host:port` and the like.
    ///
    /// # Errors
    /// Says what is wrong, without the text itself.
    pub fn parse(text: &str) -> Result<Self, ProxyError> {
        let text = trim_address(text);
        let (scheme, rest) = text.split_once("://").ok_or(ProxyError::Scheme)?;
        let scheme = ProxyScheme::parse(scheme).ok_or(ProxyError::Scheme)?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (user, server) = match rest.rsplit_once('@') {
            Some((user, _)) if user.contains(':') => return Err(ProxyError::Password),
            Some((user, server)) if is_user(user) => (Some(user.to_owned()), server),
            Some(_) => return Err(ProxyError::Form),
            None => (None, rest),
        };
        let (host, port) = split(server)?;
        Ok(Self {
            scheme,
            user,
            host,
            port,
        })
    }

    /// Returns the host, without the brackets of an IPv6 address, and the port.
    pub fn server(&self) -> (&str, u16) {
        (self.host.trim_matches(['[', ']']), self.port)
    }

    /// Whether the proxy is on this machine.
    pub fn is_here(&self) -> bool {
        match url::Host::parse(&self.host) {
            Ok(url::Host::Domain(name)) => name == "localhost",
            Ok(url::Host::Ipv4(ip)) => ip.is_loopback() || ip.is_unspecified(),
            Ok(url::Host::Ipv6(ip)) => ip.is_loopback() || ip.is_unspecified(),
            Err(_) => false,
        }
    }

    /// Whether the proxy wants a login.
    pub fn has_user(&self) -> bool {
        self.user.is_some()
    }

    /// Returns the whole address that a client needs, with the password. Names are always looked up
    /// by the proxy, although `socks5` may leave that to the client: where people need a proxy, the
    /// local resolver gives wrong addresses for Telegram's names, or sees who asks for them.
    pub fn with_password(&self, password: Option<&Secret>) -> Secret {
        let scheme = match self.scheme {
            ProxyScheme::Socks5 | ProxyScheme::Socks5h => ProxyScheme::Socks5h.word(),
            other => other.word(),
        };
        let password = password.map(|password| percent::segment(password.expose()).to_string());
        let login = match (&self.user, password) {
            (Some(user), Some(password)) => format!("{user}:{password}@"),
            (Some(user), None) => format!("{user}:@"),
            (None, _) => String::new(),
        };
        Secret::new(format!("{scheme}://{login}{}:{}", self.host, self.port))
    }
}

impl ProxyScheme {
    fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "socks5" => Some(Self::Socks5),
            "socks5h" => Some(Self::Socks5h),
            "http" => Some(Self::Http),
            "https" => Some(Self::Https),
            _ => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Socks5 => "socks5",
            Self::Socks5h => "socks5h",
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

/// Writes the address as in the file, which has no password.
impl fmt::Display for ProxyAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://", self.scheme.word())?;
        if let Some(user) = &self.user {
            write!(f, "{user}@")?;
        }
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// Whether a text is a user name whose reserved characters are escaped (RFC 3986, 3.2.1).
fn is_user(text: &str) -> bool {
    let taken = |b: u8| b.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(&b);
    !text.is_empty() && text.bytes().all(taken)
}

fn split(server: &str) -> Result<(String, u16), ProxyError> {
    let bare = !server.is_empty() && url::Host::parse(server).is_ok();
    let (host, port) = match server.rsplit_once(':') {
        _ if bare => return Err(ProxyError::Port),
        Some((host, "")) if url::Host::parse(host).is_ok() => return Err(ProxyError::Port),
        Some(split) => split,
        None => return Err(ProxyError::Form),
    };
    let host = url::Host::parse(host).map_err(|_| ProxyError::Form)?;
    let port = port
        .parse()
        .ok()
        .filter(|port| *port > 0)
        .ok_or(ProxyError::Form)?;
    Ok((host.to_string(), port))
}

/// Reads the address of a proxy; an empty text means none.
pub(super) fn address<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<ProxyAddress>, D::Error> {
    match trim_address(&String::deserialize(from)?) {
        "" => Ok(None),
        text => ProxyAddress::parse(text)
            .map(Some)
            .map_err(D::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> ProxyAddress {
        ProxyAddress::parse(text).unwrap()
    }

    #[test]
    fn an_address_says_where_the_proxy_is_and_who_asks() {
        let proxy = address("socks5://me@proxy.example:1080");
        assert_eq!(proxy.server(), ("proxy.example", 1080));
        assert!(proxy.has_user() && !address("http://10.0.0.1:80/").has_user());
        assert_eq!(address("HTTP://[::1]:8080").server(), ("::1", 8080));
        assert!(address("http://[::1]:1").is_here() && address("http://127.9.0.1:1").is_here());
        assert!(address("http://localhost:1").is_here() && !proxy.is_here());
        assert_eq!(proxy.to_string(), "socks5://me@proxy.example:1080");
    }

    #[test]
    fn an_address_is_written_as_it_was_read() {
        for written in [
            "socks5://me@h:1",
            "socks5h://a%40b@h:1",
            "http://[::1]:80",
            "https://h:443",
        ] {
            assert_eq!(address(written).to_string(), written);
        }
    }

    #[test]
    fn names_are_looked_up_by_the_proxy_whichever_socks5_was_written() {
        for written in ["socks5://h:1", "socks5h://h:1"] {
            assert_eq!(
                address(written).with_password(None).expose(),
                "socks5h://h:1"
            );
        }
    }

    #[test]
    fn a_password_is_escaped_and_goes_only_with_a_user() {
        let secret = Secret::new("p@ss:w/rd %".into());
        let with = |text: &str| {
            address(text)
                .with_password(Some(&secret))
                .expose()
                .to_owned()
        };
        assert_eq!(
            with("socks5://me@h:1"),
            "socks5h://me:p%40ss%3Aw%2Frd%20%25@h:1"
        );
        assert_eq!(with("https://[::1]:1"), "https://[::1]:1");
        assert_eq!(
            address("http://a%40b@h:1").with_password(None).expose(),
            "http://a%40b:@h:1"
        );
    }

    #[test]
    fn what_is_no_proxy_is_told_by_what_is_wrong_with_it() {
        use ProxyError::{Form, Password, Port, Scheme};
        let table = [
            ("127.0.0.1:1080", Scheme),
            ("socks4://h:1", Scheme),
            ("ftp://h:1", Scheme),
            ("tg://socks?server=h&port=1&user=u&pass=hunter2", Scheme),
            ("socks5://h", Port),
            ("http://h/", Port),
            ("http://h:", Port),
            ("socks5://[::1]", Port),
            ("socks5://u:hunter2@h:1", Password),
            ("http://:hunter2@h:1", Password),
            ("socks5://u:hunter2@h", Password),
            ("socks5://", Form),
            ("socks5://:1", Form),
            ("socks5://h:0", Form),
            ("socks5://h:70000", Form),
            ("socks5://h:1080:u:hunter2", Form),
            ("https://t.me/socks?server=h&pass=hunter2", Form),
            ("socks5://a b@h:1", Form),
            ("socks5://@h:1", Form),
            ("http://h h:1", Form),
            ("http://h:1/path", Form),
        ];
        for (text, invalid) in table {
            assert_eq!(ProxyAddress::parse(text), Err(invalid), "{text}");
            assert!(!invalid.to_string().contains("hunter2"));
        }
    }
}
