//! The value of `telegram.proxy`: the address of a proxy, and what is wrong with a text that is
//! none. Its password is a secret like any other. A text that does not fit is never shown, since it
//! may hold one.

use super::trim_address;
use crate::platform::percent;
use crate::platform::secret::Secret;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::fmt;

/// The protocol that a proxy speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyScheme {
    /// SOCKS version 5 (RFC 1928).
    Socks5,
    /// SOCKS version 5 as well. Written like this, names are looked up by the proxy; Beckon always
    /// does that.
    Socks5h,
    /// HTTP, with CONNECT, or with whole addresses for what is not encrypted.
    Http,
    /// HTTP as above, over TLS.
    Https,
}

/// The address of a proxy: its protocol, host, port and user, without the password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyAddress {
    scheme: ProxyScheme,
    /// The user as it is written in the address, where reserved characters are escaped.
    user: Option<String>,
    /// The host. An IPv6 address has its brackets.
    host: String,
    port: u16,
}

/// A reason why a text is no address of a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProxyError {
    /// There is another scheme, or none.
    #[error("begins with none of socks5://, socks5h://, http:// and https://")]
    Scheme,
    /// There is a password in it, which everybody who sees the file could read.
    #[error("has a password in it; take it out, and keep it in the keychain")]
    Password,
    /// There is no port, and proxies have no usual one.
    #[error("names no port")]
    Port,
    /// There is no host, or more than an address.
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

    /// Returns the address with all that a client needs, the password included. Names are always
    /// looked up by the proxy, although `socks5` may leave that to us: where people need a proxy,
    /// the local resolver gives wrong addresses for Telegram's names, or sees who asks for them.
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

/// Writes the address as it is in the file, where no password is in it.
impl fmt::Display for ProxyAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://", self.scheme.word())?;
        if let Some(user) = &self.user {
            write!(f, "{user}@")?;
        }
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// Whether all characters are unreserved or escaped (RFC 3986, 3.2.1).
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

/// Reads the address of a proxy from the file. An empty text means that there is none.
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
