//! The key by which this device signs what it writes on the hub: its seed is in the keychain and nowhere
//! else.

use crate::platform::secrets::{self, KeychainError, Secret};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use beckon_core::hub::Envelope;
use rand::Rng;
use ring::hmac;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

/// The name of the seed in the keychain.
const SECRET: &str = "hub";

/// The device's key, and what is made of its seed for other purposes.
pub(super) struct DeviceKey {
    pair: Ed25519KeyPair,
    derived: hmac::Key,
}

impl std::fmt::Debug for DeviceKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DeviceKey(…)")
    }
}

impl DeviceKey {
    pub(super) fn of(seed: &Secret) -> Result<Self, KeychainError> {
        let bytes = BASE64
            .decode(seed.expose().trim())
            .map_err(|_| KeychainError::NoText)?;
        let pair = Ed25519KeyPair::from_seed_unchecked(&bytes);
        let pair = pair.map_err(|_| KeychainError::NoText)?;
        Ok(Self {
            pair,
            derived: hmac::Key::new(hmac::HMAC_SHA256, &bytes),
        })
    }

    /// Derives a seed for that purpose: it tells nothing of this key, nor of one for another
    /// purpose.
    pub(super) fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut seed = [0; 32];
        seed.copy_from_slice(hmac::sign(&self.derived, purpose.as_bytes()).as_ref());
        seed
    }

    /// Reads the key that was made before; `None` if none was.
    pub(super) async fn read() -> Result<Option<Self>, KeychainError> {
        secrets::read(SECRET)
            .await?
            .map(|seed| Self::of(&seed))
            .transpose()
    }

    pub(super) async fn read_or_make() -> Result<Self, KeychainError> {
        if let Some(key) = Self::read().await? {
            return Ok(key);
        }
        let seed: [u8; 32] = rand::rng().random();
        let seed = Secret::new(BASE64.encode(seed));
        let key = Self::of(&seed)?;
        secrets::write(SECRET, seed).await?;
        Ok(key)
    }

    /// Signs that text for that subject.
    pub(super) fn seal(&self, subject: &str, body: String) -> Envelope {
        let signature = self.pair.sign(&Envelope::signed_bytes(subject, &body));
        Envelope {
            key: self.public(),
            signature: BASE64.encode(signature),
            body,
        }
    }

    pub(super) fn public(&self) -> String {
        BASE64.encode(self.pair.public_key())
    }

    pub(super) fn public_bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(self.pair.public_key().as_ref());
        bytes
    }
}

/// Returns the public key of this device, which is made the first time.
///
/// # Errors
/// When the keychain does not keep it.
pub(crate) async fn public() -> Result<String, KeychainError> {
    Ok(DeviceKey::read_or_make().await?.public())
}

/// Whether the key that the envelope names has signed it, for that subject.
pub(super) fn is_signed(envelope: &Envelope, subject: &str) -> bool {
    let decoded = (
        BASE64.decode(&envelope.key),
        BASE64.decode(&envelope.signature),
    );
    let (Ok(key), Ok(signature)) = decoded else {
        return false;
    };
    let bytes = Envelope::signed_bytes(subject, &envelope.body);
    UnparsedPublicKey::new(&ED25519, key)
        .verify(&bytes, &signature)
        .is_ok()
}

#[cfg(test)]
pub(super) fn of_byte(byte: u8) -> DeviceKey {
    DeviceKey::of(&Secret::new(BASE64.encode([byte; 32]))).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_signed_for_one_subject_and_to_the_byte() {
        let sealed = of_byte(1).seal("bk.here.own.Ab3d", "{\"v\":1}".into());
        assert!(is_signed(&sealed, "bk.here.own.Ab3d"));
        assert!(
            !is_signed(&sealed, "bk.here.own.Ab3e"),
            "it is replayed elsewhere"
        );
        let altered = Envelope {
            body: "{\"v\":2}".into(),
            ..sealed.clone()
        };
        assert!(!is_signed(&altered, "bk.here.own.Ab3d"));
        let borrowed = Envelope {
            key: of_byte(2).public(),
            ..sealed.clone()
        };
        assert!(!is_signed(&borrowed, "bk.here.own.Ab3d"));
        let unsigned = Envelope {
            signature: String::new(),
            ..sealed
        };
        assert!(!is_signed(&unsigned, "bk.here.own.Ab3d"));
    }

    #[test]
    fn a_key_does_not_print() {
        assert_eq!(format!("{:?}", of_byte(1)), "DeviceKey(…)");
    }
}
