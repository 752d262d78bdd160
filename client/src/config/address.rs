//! The addresses of servers and services, as people type and paste them.
//!
//! Not here: the addresses of proxies (`proxy`) and hubs (`hub`), which have other forms.

use beckon_core::visible::is_unprintable;
use serde::{Deserialize, Deserializer};
use url::Url;

/// A braille pattern without dots. It draws nothing, but is no blank by its Unicode properties.
const BRAILLE_BLANK: char = '\u{2800}';

/// The kind of place that an address leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressUse {
    /// A server: paths are appended to its address.
    Server,
    /// A single resource, which is requested at its address as it is written. The address may have
    /// a query.
    Resource,
}

/// A reason why a text is no address of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressFault {
    /// The text is no HTTP address, or no address at all.
    #[error("is no address like http://127.0.0.1:4096")]
    Form,
    /// The address has a login in it. Addresses are shown and logged, so nothing secret may be in
    /// them.
    #[error("has a user name or a password in it")]
    Login,
    /// There is a blank in the address, or a character that nobody sees.
    #[error("has a blank or an invisible character in it")]
    Blank,
    /// The address has a query: a path that is appended would become a part of it.
    #[error("has a \"?\" in it")]
    Query,
    /// The address has a fragment, which is never sent to the server.
    #[error("has a \"#\" in it")]
    Fragment,
}

/// Returns a typed address without what a copy brings along at both ends: blanks, line ends, and
/// characters that nobody sees, such as a web page's U+200B or a file's U+FEFF.
pub fn trim_address(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// Checks that a server can be at that address.
///
/// # Errors
/// Says what is wrong with it.
pub fn check_address(text: &str, leads_to: AddressUse) -> Result<(), AddressFault> {
    let text = trim_address(text);
    let url = Url::parse(text).map_err(|_| fault_of_none(text))?;

    if !matches!(url.scheme(), "http" | "https") {
        return Err(AddressFault::Form);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressFault::Login);
    }
    // The parser drops line ends and escapes the rest, so the text itself is looked at.
    if text.contains(is_blank) {
        return Err(AddressFault::Blank);
    }
    if url.fragment().is_some() {
        return Err(AddressFault::Fragment);
    }
    if url.query().is_some() && leads_to == AddressUse::Server {
        return Err(AddressFault::Query);
    }
    Ok(())
}

/// Whether the text is an address of a server.
pub fn is_address(text: &str) -> bool {
    check_address(text, AddressUse::Server).is_ok()
}

/// Reads an address from the file, as [`trim_address`] leaves it.
pub(super) fn typed<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).map(|text| trim_address(&text).to_owned())
}

/// Returns the fault of a text that is no URL. It names an invisible character if there is one: the
/// text looks right to its writer.
fn fault_of_none(text: &str) -> AddressFault {
    if text.contains(is_blank) {
        AddressFault::Blank
    } else {
        AddressFault::Form
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || is_unprintable(c) || c == BRAILLE_BLANK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_copy_brings_along_is_no_part_of_an_address() {
        for pasted in [
            " http://127.0.0.1:4096 ",
            "http://127.0.0.1:4096\n",
            "\u{feff}http://127.0.0.1:4096\r\n",
            "\u{200b}\u{a0}http://127.0.0.1:4096\u{2060}",
            "\u{202a}http://127.0.0.1:4096\u{202c}\t",
            "\u{3000}http://127.0.0.1:4096\u{2800}\u{ad}",
        ] {
            assert_eq!(trim_address(pasted), "http://127.0.0.1:4096", "{pasted:?}");
            assert!(is_address(pasted), "{pasted:?}");
        }
    }

    #[test]
    fn what_can_never_work_is_refused_by_its_cause() {
        use AddressFault::{Blank, Form, Fragment, Login, Query};
        let table = [
            ("", Form),
            ("box:4096", Form),
            ("127.0.0.1:4096", Form),
            ("ftp://box", Form),
            ("http://", Form),
            ("http://me:pw@box", Login),
            ("http://me@box", Login),
            ("http://box:4096?x=1", Query),
            ("http://box:4096/?", Query),
            ("http://box:4096/#a", Fragment),
            ("http://box:4096/?x=1#a", Fragment),
            ("http://box:40\u{200b}96", Blank),
            ("http://box:4096/a\u{200b}b", Blank),
            ("http://box:4096/a b", Blank),
            ("http://box:40\n96", Blank),
            ("http:// box", Blank),
        ];
        for (text, fault) in table {
            let checked = check_address(text, AddressUse::Server);
            assert_eq!(checked, Err(fault), "{text:?}");
        }
    }

    #[test]
    fn one_resource_may_have_a_query() {
        let stream = "http://box/api/stream?user=ada&thread={thread}";
        assert_eq!(check_address(stream, AddressUse::Resource), Ok(()));

        let at_a_place = check_address("http://box/stream#now", AddressUse::Resource);
        assert_eq!(at_a_place, Err(AddressFault::Fragment));
    }
}
