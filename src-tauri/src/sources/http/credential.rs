//! The password or token of one server: at hand, or in the keychain.

use crate::platform::secrets::{self, Secret};

/// What a server is shown. The keychain, which may be locked and which most servers do not need, is
/// asked only when the server refuses.
pub(in crate::sources) struct ServerCredential {
    /// As in `opencode:local`.
    name: String,
    secret: Option<Secret>,
}

impl ServerCredential {
    /// The one that was given with the server, else that of the environment.
    pub(in crate::sources) fn at_hand(name: String, given: Option<Secret>) -> Self {
        let secret = given.or_else(|| secrets::from_environment(&name));
        Self { name, secret }
    }

    pub(in crate::sources) fn secret(&self) -> Option<&Secret> {
        self.secret.as_ref()
    }

    /// Looks into the keychain: is there one that was not tried?
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
