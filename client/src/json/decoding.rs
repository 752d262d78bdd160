//! The decoding of a message's bytes into text. JSON is UTF-8 by RFC 8259, but programs on Windows
//! write UTF-16 or the code page of the system, and a path on Linux is any bytes.

use std::borrow::Cow;

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
const REPLACEMENT: char = '\u{fffd}';

/// A text that the bytes may stand for.
#[derive(Debug)]
pub(super) struct Reading<'a> {
    pub(super) text: Cow<'a, str>,
    /// Whether some bytes had no meaning and are replaced by U+FFFD.
    pub(super) replaced: bool,
}

/// The byte orders of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Utf16 {
    Little,
    Big,
}

/// Returns what the bytes may stand for, the likeliest first.
pub(super) fn readings(bytes: &[u8]) -> Vec<Reading<'_>> {
    if let Some(order) = utf16(bytes) {
        return vec![from_utf16(bytes, order)];
    }

    let bytes = bytes.strip_prefix(UTF8_MARK).unwrap_or(bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        let text = Cow::Borrowed(text);
        return vec![Reading {
            text,
            replaced: false,
        }];
    }

    let lossy = Reading {
        text: String::from_utf8_lossy(bytes),
        replaced: true,
    };
    let in_pairs = Reading {
        text: Cow::Owned(from_double_bytes(bytes)),
        replaced: true,
    };
    vec![lossy, in_pairs]
}

/// Returns the byte order if the bytes are UTF-16. They are if they have its mark, or if one of the
/// first two bytes is zero, as JSON begins with a character of ASCII.
pub(super) fn utf16(bytes: &[u8]) -> Option<Utf16> {
    match bytes {
        [0xff, 0xfe, ..] => Some(Utf16::Little),
        [0xfe, 0xff, ..] => Some(Utf16::Big),
        [first, 0, ..] if *first != 0 => Some(Utf16::Little),
        [0, second, ..] if *second != 0 => Some(Utf16::Big),
        _ => None,
    }
}

impl Utf16 {
    /// Returns the unit that these two bytes are.
    pub(super) fn unit(self, pair: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(pair),
            Self::Big => u16::from_be_bytes(pair),
        }
    }
}

fn from_utf16(bytes: &[u8], order: Utf16) -> Reading<'static> {
    let mut replaced = !bytes.len().is_multiple_of(2);
    let units = bytes
        .chunks_exact(2)
        .map(|pair| order.unit([pair[0], pair[1]]));

    let mut text = String::with_capacity(bytes.len() / 2);
    for decoded in char::decode_utf16(units) {
        let c = decoded.unwrap_or(REPLACEMENT);
        replaced |= c == REPLACEMENT;
        text.push(c);
    }

    let text = text
        .strip_prefix('\u{feff}')
        .map_or(text.clone(), Into::into);
    Reading {
        text: Cow::Owned(text),
        replaced,
    }
}

/// Reads bytes of GBK, Big5 or Shift JIS, whose second byte may be a backslash or a brace. Each
/// pair becomes one U+FFFD, so that its second byte is not taken for a part of the JSON.
fn from_double_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(REPLACEMENT);
        }
    }

    // The second byte of a pair is ASCII here, and follows the replacement of the first.
    let mut paired = String::with_capacity(text.len());
    let mut after_replacement = false;
    for c in text.chars() {
        let is_second = after_replacement && matches!(c, '@'..='~');
        after_replacement = c == REPLACEMENT && !after_replacement;
        if !is_second {
            paired.push(c);
        }
    }
    paired
}
