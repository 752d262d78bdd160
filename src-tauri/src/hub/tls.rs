//! The trust in a hub with a certificate of its own: before a device has joined it knows only the
//! fingerprint that its code names.

use super::fault::UnusableCa;
use super::guard::ServerTrust;
use crate::platform::part;
use anyhow::{Context as _, Result};
use async_nats::rustls::client::WebPkiServerVerifier;
use async_nats::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use async_nats::rustls::crypto::{self, CryptoProvider};
use async_nats::rustls::pki_types::pem::PemObject;
use async_nats::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use async_nats::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether another server was met than the one that was named.
#[derive(Clone, Debug, Default)]
pub(super) struct OtherServer(Arc<AtomicBool>);

impl OtherServer {
    pub(super) fn is_met(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl std::fmt::Display for OtherServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("another server is there")
    }
}

impl std::error::Error for OtherServer {}

/// Returns the TLS configuration for a server with that trust.
pub(super) async fn client_config(trust: &ServerTrust) -> Result<(Arc<ClientConfig>, OtherServer)> {
    let other = OtherServer::default();
    let provider = Arc::new(crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .context("Failed to prepare TLS")?;
    let config = match trust {
        ServerTrust::Fingerprint(fingerprint) => {
            let verifier = Pinned {
                fingerprint: *fingerprint,
                provider,
                other: other.clone(),
            };
            builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(verifier))
        }
        ServerTrust::File(file) => builder.with_root_certificates(certificates_in(file)?),
        ServerTrust::System => {
            let known = part::spawn_blocking(known_to_system).await;
            let known = known.context("Failed to look for the system's certificates")?;
            builder.with_root_certificates(known)
        }
    };
    Ok((Arc::new(config.with_no_client_auth()), other))
}

fn certificates_in(file: &Path) -> Result<RootCertStore> {
    check_file(file)?;
    let text = std::fs::read(file)?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&text) {
        roots.add(certificate?)?;
    }
    Ok(roots)
}

/// Returns the certificates that the system trusts. One that cannot be read does not void the
/// others.
fn known_to_system() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

/// Checks that the file has a certificate, since the library's error names no file.
///
/// # Errors
/// When there is none, or the file can't be read.
pub(super) fn check_file(file: &Path) -> Result<(), UnusableCa> {
    let unusable = |reason| UnusableCa {
        file: file.to_owned(),
        reason,
    };
    let text = std::fs::read(file).map_err(|error| unusable(Some(error.to_string())))?;
    match CertificateDer::from_pem_slice(&text) {
        Ok(_) => Ok(()),
        Err(_) => Err(unusable(None)),
    }
}

/// Whether it is the certificate with that fingerprint; true if there is neither.
pub(super) fn is_expected(pem: Option<&str>, fingerprint: Option<[u8; 32]>) -> bool {
    let der = pem.map(|pem| CertificateDer::from_pem_slice(pem.as_bytes()));
    match (der, fingerprint) {
        (None, None) => true,
        (Some(Ok(der)), Some(fingerprint)) => is_it(&der, fingerprint),
        _ => false,
    }
}

fn is_it(certificate: &CertificateDer<'_>, fingerprint: [u8; 32]) -> bool {
    Sha256::digest(certificate).as_slice() == fingerprint
}

/// A verifier that takes a server whose certificate is signed by the one with that fingerprint, for
/// the name that was called.
#[derive(Debug)]
struct Pinned {
    fingerprint: [u8; 32],
    provider: Arc<CryptoProvider>,
    other: OtherServer,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        server: &CertificateDer<'_>,
        above: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(ca) = above.iter().find(|it| is_it(it, self.fingerprint)) else {
            self.other.0.store(true, Ordering::Relaxed);
            return Err(CertificateError::UnknownIssuer.into());
        };
        let mut roots = RootCertStore::empty();
        roots.add(ca.clone().into_owned())?;
        let verifier =
            WebPkiServerVerifier::builder_with_provider(roots.into(), self.provider.clone());
        let verifier = verifier
            .build()
            .map_err(|error| Error::General(error.to_string()))?;
        verifier.verify_server_cert(server, above, name, ocsp, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.provider.signature_verification_algorithms;
        crypto::verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.provider.signature_verification_algorithms;
        crypto::verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}
