//! The key by which this device signs answers: its seed is in the keychain and nowhere else. And whose
//! signature one is.

use crate::platform::secrets::{self, KeychainError, Secret};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use beckon_core::hub::{AnswerRecord, AnswerSubject};
use rand::Rng;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use std::collections::BTreeMap;

/// The name of the seed in the keychain.
const SECRET: &str = "hub";

/// This device's key.
pub(super) struct DeviceKey(Ed25519KeyPair);

impl std::fmt::Debug for DeviceKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DeviceKey(…)")
    }
}

impl DeviceKey {
    fn of(seed: &Secret) -> Result<Self, KeychainError> {
        let bytes = BASE64.decode(seed.expose().trim()).map_err(|_| KeychainError::NoText)?;
        let pair = Ed25519KeyPair::from_seed_unchecked(&bytes);
        pair.map(Self).map_err(|_| KeychainError::NoText)
    }

    /// The one that was made before; `None` when none was.
    pub(super) async fn read() -> Result<Option<Self>, KeychainError> {
        secrets::read(SECRET).await?.map(|seed| Self::of(&seed)).transpose()
    }

    async fn read_or_make() -> Result<Self, KeychainError> {
        if let Some(key) = Self::read().await? {
            return Ok(key);
        }
        let seed: [u8; 32] = rand::rng().random();
        let seed = Secret::new(BASE64.encode(seed));
        let key = Self::of(&seed)?;
        secrets::write(SECRET, seed).await?;
        Ok(key)
    }

    /// The same record, signed.
    pub(super) fn sign(&self, record: AnswerRecord, to: &AnswerSubject) -> AnswerRecord {
        let signature = self.0.sign(&record.signed_bytes(to));
        AnswerRecord { signature: BASE64.encode(signature), ..record }
    }

    fn public(&self) -> String {
        BASE64.encode(self.0.public_key())
    }
}

/// The public key of this device, which is made the first time.
///
/// # Errors
/// When the keychain does not keep it.
pub(crate) async fn public() -> Result<String, KeychainError> {
    Ok(DeviceKey::read_or_make().await?.public())
}

/// Which of these devices has signed it.
pub(super) fn signer(
    devices: &BTreeMap<String, String>,
    record: &AnswerRecord,
    to: &AnswerSubject,
) -> Option<String> {
    let bytes = record.signed_bytes(to);
    let signature = BASE64.decode(&record.signature).ok()?;
    let has_signed = |(_, key): &(&String, &String)| {
        let key = BASE64.decode(key.trim()).unwrap_or_default();
        UnparsedPublicKey::new(&ED25519, key).verify(&bytes, &signature).is_ok()
    };
    devices.iter().find(has_signed).map(|(name, _)| name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::hub::{AskSubject, RECORD_VERSION};

    fn key(byte: u8) -> DeviceKey {
        DeviceKey::of(&Secret::new(BASE64.encode([byte; 32]))).unwrap()
    }

    fn record() -> AnswerRecord {
        AnswerRecord {
            v: RECORD_VERSION,
            shown: "s".into(),
            answer: "\"continue\"".into(),
            nonce: "n".into(),
            person: Some("Ada".into()),
            device: None,
            signature: String::new(),
        }
    }

    fn round(round: u32) -> AnswerSubject {
        AnswerSubject { ask: AskSubject { node: "Ab3d".into(), serial: 1 }, round }
    }

    #[test]
    fn only_a_listed_device_has_signed_and_only_what_it_signed() {
        let devices = BTreeMap::from([("laptop".to_owned(), key(1).public())]);
        let signed = key(1).sign(record(), &round(1));
        assert_eq!(signer(&devices, &signed, &round(1)).as_deref(), Some("laptop"));
        assert_eq!(signer(&devices, &signed, &round(2)), None, "it is replayed");
        let other = AnswerRecord { answer: "\"cancel\"".into(), ..signed.clone() };
        assert_eq!(signer(&devices, &other, &round(1)), None, "it was altered");
        let strange = key(2).sign(record(), &round(1));
        assert_eq!(signer(&devices, &strange, &round(1)), None, "it is not listed");
        assert_eq!(signer(&devices, &record(), &round(1)), None, "it is not signed");
        let broken = BTreeMap::from([("laptop".to_owned(), "no key".to_owned())]);
        assert_eq!(signer(&broken, &signed, &round(1)), None);
    }

    #[test]
    fn a_key_does_not_print() {
        assert_eq!(format!("{:?}", key(1)), "DeviceKey(…)");
    }
}
