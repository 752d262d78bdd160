//! The form of every record on the hub: one line that says which device signed it, and the record's
//! own text. The signature is bound to the subject, so a record counts nowhere else.
//!
//! Not here: signing and verifying (`hub/key.rs`, `hub/trust.rs` of the program), and what the
//! records say.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The version of the envelopes that are written and read here.
const VERSION: &str = "bk1";
/// The beginning of all signed bytes: nothing that another program signs with the same key begins
/// with it.
const DOMAIN: &[u8] = b"beckon hub record";

/// A record on its way, as its device has signed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The public key of the device that has signed it.
    pub key: String,
    /// The signature over [`Envelope::signed_bytes`].
    pub signature: String,
    /// The record's text, to the byte.
    pub body: String,
}

/// A record that was signed by a device whose records are believed here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed<T> {
    /// The device's name here.
    pub device: String,
    /// The record that it has signed.
    pub record: T,
}

/// The reason for which a record is not looked at any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordFault {
    /// A record that is too large, of another version, on a subject that is not ours, or none.
    Unreadable,
    /// A record that no device believed here has signed, or not for this subject.
    Strange,
    /// A record of a device that was believed, and was taken off the desk meanwhile. Records that
    /// it has left there do not count as a stranger's.
    Former,
}

impl RecordFault {
    /// Returns the fault of a record that is published now: a device that was taken off counts as a
    /// stranger then.
    #[must_use]
    pub fn of_now(self) -> Self {
        match self {
            Self::Former => Self::Strange,
            fault => fault,
        }
    }
}

impl Envelope {
    /// Returns the bytes that a device signs: every part with its length, so that none runs into
    /// the next one.
    pub fn signed_bytes(subject: &str, body: &str) -> Vec<u8> {
        let mut bytes = DOMAIN.to_vec();
        for part in [VERSION, subject, body] {
            bytes.extend((part.len() as u64).to_be_bytes());
            bytes.extend(part.as_bytes());
        }
        bytes
    }

    /// Returns the text that is published.
    pub fn write(&self) -> String {
        let Self {
            key,
            signature,
            body,
        } = self;
        format!("{VERSION} {key} {signature}\n{body}")
    }

    /// Reads what was published.
    ///
    /// # Errors
    /// When it is no envelope, of another version, or larger than is read.
    pub fn read(payload: &[u8]) -> Result<Self, RecordFault> {
        Self::parse(payload).ok_or(RecordFault::Unreadable)
    }

    fn parse(payload: &[u8]) -> Option<Self> {
        let readable = payload.len() <= super::LARGEST_RECORD;
        let text = core::str::from_utf8(payload).ok().filter(|_| readable)?;
        let (head, body) = text.split_once('\n')?;
        let (key, signature) = head
            .strip_prefix(VERSION)?
            .strip_prefix(' ')?
            .split_once(' ')?;
        let [key, signature, body] = [key, signature, body].map(ToOwned::to_owned);
        Some(Self {
            key,
            signature,
            body,
        })
    }
}

/// The most bytes of a record's text with which its envelope is accepted.
pub const LARGEST_BODY: usize = super::LARGEST_RECORD - 256;

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn envelope(body: &str) -> Envelope {
        Envelope {
            key: "k".repeat(43),
            signature: "s".repeat(86),
            body: body.to_string(),
        }
    }

    #[test]
    fn an_envelope_is_read_as_it_was_written_whatever_its_body_says() {
        for body in ["", "{}", "two\nlines \"and\" bk1 more\n", "bk1 a b\nc"] {
            let written = envelope(body).write();
            assert_eq!(Envelope::read(written.as_bytes()), Ok(envelope(body)));
        }
        let largest = envelope(&"x".repeat(LARGEST_BODY)).write();
        assert!(Envelope::read(largest.as_bytes()).is_ok());
    }

    #[test]
    fn what_is_no_envelope_of_this_version_is_not_read() {
        let large = envelope(&"x".repeat(crate::hub::LARGEST_RECORD))
            .write()
            .into_bytes();
        for strange in [
            b"{}".to_vec(),
            b"bk2 a b\nc".to_vec(),
            b"bk1 a\nc".to_vec(),
            large,
        ] {
            assert_eq!(Envelope::read(&strange), Err(RecordFault::Unreadable));
        }
        assert_eq!(Envelope::read(&[0xff; 8]), Err(RecordFault::Unreadable));
    }

    #[test]
    fn another_subject_and_another_text_are_signed_apart() {
        let bytes = Envelope::signed_bytes("bk.a", "body");
        assert_ne!(bytes, Envelope::signed_bytes("bk.b", "body"));
        assert_ne!(bytes, Envelope::signed_bytes("bk.abody", ""));
        assert_ne!(bytes, Envelope::signed_bytes("bk.", "abody"));
    }
}
