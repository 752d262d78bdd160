//! The certificate of a hub that other machines reach. The key that signs it is derived from the
//! device's own seed, so it is in no file, and the same device always signs with the same one.

use crate::hub::key::DeviceKey;
use anyhow::{Context as _, Result};
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, PKCS_ED25519, date_time_ymd,
};
use sha2::{Digest, Sha256};

/// The purpose for which the signing key is derived from a device's seed.
const PURPOSE: &str = "beckon hub ca";
/// The bytes before the 32 bytes of an Ed25519 key (RFC 8410, section 10.3).
const PKCS8: [u8; 16] = *b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";

/// The certificates of a server.
pub(super) struct Certificates {
    /// The server's certificate, and after it the one that signed it: in the file that the server
    /// reads.
    pub(super) chain: String,
    /// The server's key.
    pub(super) key: String,
    /// The certificate that signed it, which clients need to know.
    pub(super) ca: String,
    /// The fingerprint of that one in a code.
    pub(super) fingerprint: [u8; 32],
}

/// Makes the certificates for a server that is reached under these names.
pub(super) fn make(device: &DeviceKey, names: &[String]) -> Result<Certificates> {
    try_make(device, names).context("Failed to make a certificate")
}

fn try_make(device: &DeviceKey, names: &[String]) -> Result<Certificates> {
    let signing = signing_key(device)?;
    let params = signer()?;
    let ca = params.self_signed(&signing)?;
    let key = KeyPair::generate()?;
    let server = served(names)?.signed_by(&key, &Issuer::new(params, signing))?;
    let chain = format!("{}{}", server.pem(), ca.pem());
    let fingerprint = Sha256::digest(ca.der()).into();
    Ok(Certificates {
        chain,
        key: key.serialize_pem(),
        ca: ca.pem(),
        fingerprint,
    })
}

fn signing_key(device: &DeviceKey) -> Result<KeyPair> {
    let der = [&PKCS8[..], &device.derive(PURPOSE)].concat();
    Ok(KeyPair::from_pkcs8_der_and_sign_algo(
        &der.into(),
        &PKCS_ED25519,
    )?)
}

/// Returns the parameters of the signing certificate. It is the same to the byte whenever it is
/// made: its number and its dates are fixed.
fn signer() -> Result<CertificateParams> {
    let mut params = CertificateParams::new(Vec::new())?;
    params
        .distinguished_name
        .push(DnType::CommonName, "Beckon hub");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    params.serial_number = Some(1_u64.into());
    Ok(valid(params))
}

fn served(names: &[String]) -> Result<CertificateParams> {
    let mut params = CertificateParams::new(names)?;
    params
        .distinguished_name
        .push(DnType::CommonName, "Beckon hub server");
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    Ok(valid(params))
}

/// Sets the dates of a certificate so far apart that it is always valid: clients know the one
/// certificate that counts, and a wrong clock must lock nobody out.
fn valid(mut params: CertificateParams) -> CertificateParams {
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(2120, 1, 1);
    params
}

#[cfg(test)]
mod tests {
    use crate::hub::key::of_byte;

    #[test]
    fn a_device_signs_with_the_same_key_whenever_and_another_with_another() {
        let make = |byte| super::make(&of_byte(byte), &["127.0.0.1".to_owned()]).unwrap();
        let (first, second, other) = (make(1), make(1), make(2));
        assert_eq!(
            (&first.ca, first.fingerprint),
            (&second.ca, second.fingerprint)
        );
        assert_ne!(first.key, second.key);
        assert_ne!(first.fingerprint, other.fingerprint);
        assert!(first.chain.ends_with(&first.ca));
    }
}
