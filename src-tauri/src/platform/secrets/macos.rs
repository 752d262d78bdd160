//! macOS: the Keychain.

use keyring_core::api::CredentialStoreApi;
use std::sync::Arc;

pub(super) fn open() -> keyring_core::Result<Arc<dyn CredentialStoreApi + Send + Sync>> {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

/// Returns false: the system asks its owner as it sees fit, and remembers what they said.
pub(super) fn is_locked() -> bool {
    false
}

/// Returns false: there is always a place for new entries.
pub(super) fn has_no_place() -> bool {
    false
}

/// Fails: the Keychain does not come and go.
#[expect(clippy::unused_async, reason = "elsewhere it has to be awaited")]
pub(super) async fn appeared() -> Result<(), NotTold> {
    Err(NotTold)
}

/// Fails: nothing tells.
#[expect(clippy::unused_async, reason = "elsewhere it has to be awaited")]
pub(super) async fn unlocked() -> Result<(), NotTold> {
    Err(NotTold)
}

/// The error that the system does not tell.
pub(super) struct NotTold;
