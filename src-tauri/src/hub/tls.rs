//! Whom to believe at a hub with a certificate of its own: before a device has joined it knows only the
//! fingerprint that its code names.

use super::fault::UnusableCa;
use anyhow::{Context as _, Result};
use async_nats::ConnectOptions;
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

/// Was another server met than the one that was named?
#[derive(Clone, Debug, Default)]
pub(super) struct OtherServer(Arc<AtomicBool>);

impl OtherServer {
    pub(super) fn is_met(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The options for a server whose certificate is signed by the one with that fingerprint, or by one that
/// the system knows where there is none.
pub(super) fn pinned(
    options: ConnectOptions,
    fingerprint: Option<[u8; 32]>,
) -> Result<(ConnectOptions, OtherServer)> {
    let other = OtherServer::default();
    let Some(fingerprint) = fingerprint else {
        return Ok((options, other));
    };
    let provider = Arc::new(crypto::ring::default_provider());
    let verifier = Pinned {
        fingerprint,
        provider: provider.clone(),
        other: other.clone(),
    };
    let config =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.context("Failed to prepare TLS")?.dangerous();
    let config = config
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok((options.tls_client_config(config).require_tls(true), other))
}

/// Is there a certificate in that file? The library names no file.
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

/// Is it the certificate with that fingerprint?
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

/// Takes a server whose certificate is signed by that one, for the name that was called.
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
