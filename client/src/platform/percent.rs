//! The escaping of a text as one segment of a URL's path. Queries are escaped by reqwest.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};

/// The characters that are escaped: all but the unreserved ones, which are letters, digits, `-`,
/// `.`, `_` and `~` (RFC 3986, 2.3). A server may tell `%5F` from `_`, although it should not.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Returns the segment that means this text.
pub fn segment(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, RESERVED)
}

#[cfg(test)]
mod tests {
    use super::segment;

    #[test]
    fn what_is_unreserved_stays_as_it_is_and_all_else_is_escaped() {
        assert_eq!(segment("que_01-a.b~C").to_string(), "que_01-a.b~C");
        assert_eq!(
            segment("a/b?c#d e%ü").to_string(),
            "a%2Fb%3Fc%23d%20e%25%C3%BC"
        );
        assert_eq!(segment("local/que_1").to_string(), "local%2Fque_1");
    }
}
