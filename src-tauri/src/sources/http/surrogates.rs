//! Mends JSON in which half of a surrogate pair stands alone, as `\ud83d`. JavaScript and Python
//! write so a text that was cut in the middle of an emoji. No JSON reader of ours takes it, and the
//! whole document would be lost with it.

use memchr::memmem;

/// The length of an escape as `\ud83d`, in bytes.
const ESCAPE: usize = 6;
/// The escape of U+FFFD. It is as long as what it replaces.
const REPLACEMENT: &[u8; ESCAPE] = b"\\ufffd";

/// Puts U+FFFD in the place of each half that stands alone. Nothing else changes, and the length
/// stays.
pub(super) fn mend(json: &mut [u8]) {
    if !has_some(json) {
        return;
    }
    let mut at = 0;
    while let Some(found) = json.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
        at += found;
        at += match (unit(json, at), unit(json, at + ESCAPE)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 2 * ESCAPE,
            (Some(0xd800..=0xdfff), _) => {
                json[at..at + ESCAPE].copy_from_slice(REPLACEMENT);
                ESCAPE
            }
            // Another escape, perhaps of a backslash.
            _ => 2,
        };
    }
}

/// Mends a text as [`mend`] mends bytes.
pub(super) fn mended(json: String) -> String {
    if !has_some(json.as_bytes()) {
        return json;
    }
    let mut bytes = json.into_bytes();
    mend(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Tells whether there may be any half of a pair, alone or not.
fn has_some(json: &[u8]) -> bool {
    [b"\\ud", b"\\uD"]
        .into_iter()
        .any(|half| memmem::find(json, half).is_some())
}

/// Returns the UTF-16 unit that is escaped at that place.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + ESCAPE)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_that_stands_alone_is_replaced_and_nothing_else() {
        for (sent, read) in [
            (r#""\ud83d""#, r#""\ufffd""#),
            (
                r#""\ude00 and \uD83D\u0041""#,
                r#""\ufffd and \ufffd\u0041""#,
            ),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (
                r#"\ud83d cut \ud83d and \ud83d"#,
                r#"\ufffd cut \ufffd and \ufffd"#,
            ),
            (r#""C:\\ud83d""#, r#""C:\\ud83d""#),
            (r#""\ud83"#, r#""\ud83"#),
            ("\"é\\ud83dé\\", "\"é\\ufffdé\\"),
        ] {
            assert_eq!(mended(sent.to_owned()), read, "{sent}");
        }
    }
}
