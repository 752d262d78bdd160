//! The one-time code by which a device gets onto a desk: where the hub is, which admin to believe
//! there, and a secret of which both sides make the same login. It is good for ten minutes and for
//! one device.
//!
//! Not here: who gives codes out and takes them (`serving/keeper.rs`), and the side that uses one
//! (`joining.rs`).

use super::guard::{HubAddress, ServerTrust};
use super::login::Login;
use anyhow::Result;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use beckon_core::visible::is_unprintable;
use ring::hmac;
use sha2::{Digest, Sha256};
use std::time::Duration;

/// How long a code is good.
pub(super) const GOOD_FOR: Duration = Duration::from_secs(600);
/// The beginning of a code, by which a person knows one.
const PREFIX: &str = "bkj1-";
/// The bytes of the checksum: a typing error is found before any server is asked.
const CHECK: usize = 4;

/// The content of a code.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct InviteCode {
    /// The address of the hub.
    pub(super) url: String,
    /// The public key of its admin.
    pub(super) admin: [u8; 32],
    /// The fingerprint of the certificate that signs the server's, if it has one of its own.
    pub(super) ca: Option<[u8; 32]>,
    /// The secret: a device that has it may join.
    pub(super) secret: [u8; 16],
}

/// A code together with what the settings of its bearer say of the hub that it leads to.
#[derive(Clone, Debug)]
pub(super) struct PresentedCode {
    pub(super) code: InviteCode,
    /// Whether another user of this machine may run the server: `any_user` in `[hub]`.
    pub(super) any_user: bool,
}

impl PresentedCode {
    /// Returns where the hub is, and whom to believe there.
    pub(super) fn address(&self) -> HubAddress {
        let pinned = self.code.ca.map(ServerTrust::Fingerprint);

        HubAddress {
            url: self.code.url.clone(),
            trust: pinned.unwrap_or(ServerTrust::System),
            any_user: self.any_user,
        }
    }
}

impl std::fmt::Debug for InviteCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "InviteCode({}, …)", self.url)
    }
}

impl InviteCode {
    /// Returns the code as a person passes it on.
    pub(super) fn write(&self) -> String {
        let mut bytes = vec![u8::from(self.ca.is_some())];
        bytes.extend(self.admin);
        bytes.extend(self.secret);
        bytes.extend(self.ca.iter().flatten());
        bytes.extend(self.url.as_bytes());
        bytes.extend(check(&bytes));
        format!("{PREFIX}{}", BASE64.encode(bytes))
    }

    /// Reads a code that a person has typed or pasted, which may be the whole line that tells what
    /// to do with the code; `None` for anything that was never a code.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let code = text
            .split(|c: char| c.is_whitespace() || is_unprintable(c))
            .find_map(|word| word.strip_prefix(PREFIX))?;
        let bytes = BASE64.decode(code).ok()?;
        let (bytes, sum) = bytes.split_at_checked(bytes.len().checked_sub(CHECK)?)?;
        if check(bytes) != sum {
            return None;
        }
        let (&[has_ca], rest) = bytes.split_first_chunk()?;
        let (admin, rest) = rest.split_first_chunk()?;
        let (secret, rest) = rest.split_first_chunk()?;
        let (ca, url) = match has_ca {
            0 => (None, rest),
            _ => rest.split_first_chunk().map(|(ca, url)| (Some(*ca), url))?,
        };
        let url = String::from_utf8(url.to_vec()).ok()?;
        Some(Self {
            url,
            admin: *admin,
            secret: *secret,
            ca,
        })
    }

    /// Returns the address of the hub.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the admin's key, as settings have it.
    pub(super) fn admin(&self) -> String {
        BASE64.encode(self.admin)
    }

    /// Returns the login that is good until it is used.
    pub(super) fn login(&self) -> Result<Login> {
        Login::of_seed(self.derive("login"))
    }

    /// Returns the subject of its bearer's request. It tells nothing of the secret.
    pub(super) fn subject(&self) -> String {
        let id: String = self
            .derive("id")
            .iter()
            .take(8)
            .map(|it| format!("{it:02x}"))
            .collect();
        format!("bk.enrol.{id}")
    }

    /// Returns the proof by which its bearer shows to have it, whoever carries the words.
    pub(super) fn proof(&self, words: &str) -> String {
        BASE64.encode(hmac::sign(&self.proving(), words.as_bytes()))
    }

    /// Whether that proof was made with this code.
    pub(super) fn is_proof(&self, words: &str, proof: &str) -> bool {
        let proof = BASE64.decode(proof).unwrap_or_default();
        hmac::verify(&self.proving(), words.as_bytes(), &proof).is_ok()
    }

    fn proving(&self) -> hmac::Key {
        hmac::Key::new(hmac::HMAC_SHA256, &self.derive("proof"))
    }

    fn derive(&self, purpose: &str) -> [u8; 32] {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.secret);
        let mut derived = [0; 32];
        let tag = hmac::sign(&key, format!("beckon hub invite {purpose}").as_bytes());
        derived.copy_from_slice(tag.as_ref());
        derived
    }
}

fn check(bytes: &[u8]) -> [u8; CHECK] {
    let mut sum = [0; CHECK];
    sum.copy_from_slice(&Sha256::digest(bytes)[..CHECK]);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(ca: Option<[u8; 32]>) -> InviteCode {
        let url = "tls://hub.example:4222".into();
        InviteCode {
            url,
            admin: [1; 32],
            ca,
            secret: [2; 16],
        }
    }

    #[test]
    fn a_code_is_read_as_it_was_written() {
        for ca in [None, Some([3; 32])] {
            let written = code(ca).write();
            for pasted in [
                format!(" {written}\n"),
                format!("  beckon hub join {written}\n"),
            ] {
                assert_eq!(InviteCode::parse(&pasted), Some(code(ca)));
            }
        }
    }

    #[test]
    fn a_slip_and_anything_else_is_no_code() {
        let written = code(None).write();
        let slip = written.replacen('A', "B", 1);
        for strange in [
            "",
            PREFIX,
            "bkj1-AAAA",
            &slip,
            &written[..written.len() - 2],
            "bkj2-AAAA",
        ] {
            assert_eq!(InviteCode::parse(strange), None, "{strange}");
        }
    }

    #[test]
    fn a_code_proves_its_words_and_no_others_and_does_not_print() {
        let proof = code(None).proof("words");
        assert!(code(None).is_proof("words", &proof));
        assert!(!code(None).is_proof("other words", &proof));
        let other = InviteCode {
            secret: [9; 16],
            ..code(None)
        };
        assert!(!other.is_proof("words", &proof));
        assert_ne!(other.subject(), code(None).subject());
        assert_ne!(
            other.login().unwrap().public(),
            code(None).login().unwrap().public()
        );
        assert_eq!(
            format!("{:?}", code(None)),
            "InviteCode(tls://hub.example:4222, …)"
        );
    }
}
