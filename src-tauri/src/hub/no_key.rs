//! The key in a program that was built without the hub: there is none.

use crate::platform::secrets::KeychainError;

/// Returns the public key of this device: none.
pub(crate) async fn public() -> Result<String, KeychainError> {
    Err(KeychainError::Refused(
        "this program was built without the feature `hub`".into(),
    ))
}
