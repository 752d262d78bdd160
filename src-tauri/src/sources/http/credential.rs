//! The password or token of one server, given with it or read from the keychain.

use crate::platform::secrets::{self, Secret};

/// The password or token that a server is shown. The keychain may be locked and most servers need
/// none, so it is asked only when the server refuses.
pub(in crate::sources) struct ServerCredential {
    /// The name under which the keychain keeps it, as `opencode:local`.
    name: String,
    secret: Option<Secret>,
}

impl ServerCredential {
    /// Takes the secret that was given with the server, or else the environment's.
    pub(in crate::sources) fn at_hand(name: String, given: Option<Secret>) -> Self {
        let secret = given.or_else(|| secrets::from_environment(&name));
        Self { name, secret }
    }

    pub(in crate::sources) fn secret(&self) -> Option<&Secret> {
        self.secret.as_ref()
    }

    /// Looks into the keychain, and tells whether it has a secret that was not tried yet.
    pub(in crate::sources) async fn renew(&mut self) -> bool {
        let stored = match secrets::read(&self.name).await {
            Ok(secret) => secret,
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(secret = self.name, error, "no password can be read");
                None
            }
        };
        let new = stored.is_some() && stored != self.secret;
        if new {
            self.secret = stored;
        }
        new
    }
}
