//! The only place that touches the keychain, and the type that secrets live in.
//!
//! Every call runs on a blocking thread with a time limit: a locked keychain waits for its owner
//! without one. The store is opened anew for each call, so that a service that comes up late is
//! found. Where there is no keychain, the environment may carry a secret instead.

use anyhow::{Context, Result, anyhow};
use keyring_core::api::CredentialStoreApi;
use secrecy::{ExposeSecret, SecretString};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Our name in the keychain.
const SERVICE: &str = "beckon";
/// A human may have to unlock it, but nothing may wait for ever.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// A secret. It does not print.
#[derive(Clone)]
pub struct Secret(SecretString);

impl Secret {
    /// Takes a secret in.
    pub fn new(text: String) -> Self {
        Self(text.into())
    }

    /// The secret itself, for the one call that needs it.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.expose() == other.expose()
    }
}

/// Reads a secret such as `opencode:local`: from the environment if it is there, else from the
/// keychain.
///
/// # Errors
/// When the keychain is locked, absent or silent; the sentence says what to do.
pub async fn read(name: &str) -> Result<Option<Secret>> {
    if let Some(secret) = from_environment(name) {
        return Ok(Some(secret));
    }
    let name = name.to_owned();
    in_time(move || match entry(&name)?.get_password() {
        Ok(text) => Ok(Some(Secret::new(text))),
        Err(keyring_core::Error::NoEntry) => Ok(None),
        Err(error) => Err(explain(error)),
    })
    .await
}

/// Stores a secret.
///
/// # Errors
/// As [`read`].
pub async fn write(name: &str, secret: Secret) -> Result<()> {
    let name = name.to_owned();
    in_time(move || entry(&name)?.set_password(secret.expose()).map_err(explain)).await
}

/// Removes a secret; `false` when there was none.
///
/// # Errors
/// As [`read`].
pub async fn remove(name: &str) -> Result<bool> {
    let name = name.to_owned();
    in_time(move || match entry(&name)?.delete_credential() {
        Ok(()) => Ok(true),
        Err(keyring_core::Error::NoEntry) => Ok(false),
        Err(error) => Err(explain(error)),
    })
    .await
}

/// Does the keychain take a secret and give it up again?
///
/// # Errors
/// As [`read`].
pub async fn check() -> Result<()> {
    in_time(|| {
        let entry = entry("check")?;
        entry.set_password("check").map_err(explain)?;
        entry.delete_credential().map_err(explain)
    })
    .await
}

/// The environment variable that may stand in for a secret: `opencode:my-box` becomes
/// `BECKON_OPENCODE_PASSWORD_MY_BOX`.
pub fn variable(name: &str) -> String {
    let (kind, which) = name.split_once(':').unwrap_or((name, ""));
    let kind = match kind {
        "opencode" => "OPENCODE_PASSWORD",
        "interrupts" => "INTERRUPTS_TOKEN",
        "telegram" => "TELEGRAM_TOKEN",
        other => other,
    };
    let tail = if which.is_empty() { String::new() } else { format!("_{which}") };
    let upper = format!("BECKON_{kind}{tail}").to_uppercase();
    upper.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// The secret that the environment carries, at no cost.
pub fn from_environment(name: &str) -> Option<Secret> {
    std::env::var(variable(name)).ok().filter(|text| !text.is_empty()).map(Secret::new)
}

/// One call at a time: one that waits for its owner keeps its thread, and must stay the only one.
static ONE_AT_A_TIME: Semaphore = Semaphore::const_new(1);

async fn in_time<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let call = async {
        let turn = ONE_AT_A_TIME.acquire().await;
        tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        })
        .await
    };
    match tokio::time::timeout(TIME_LIMIT, call).await {
        Ok(done) => done.context("Failed to use the keychain")?,
        Err(_) => Err(anyhow!(
            "Failed to use the keychain: it does not answer. Unlock it and try again, or put the \
             secret into the environment"
        )),
    }
}

fn entry(name: &str) -> Result<keyring_core::Entry> {
    open()?.build(SERVICE, name, None).map_err(explain)
}

#[cfg(target_os = "linux")]
fn open() -> Result<Arc<dyn CredentialStoreApi + Send + Sync>> {
    Ok(zbus_secret_service_keyring_store::Store::new().map_err(explain)?)
}

#[cfg(target_os = "macos")]
fn open() -> Result<Arc<dyn CredentialStoreApi + Send + Sync>> {
    Ok(apple_native_keyring_store::keychain::Store::new().map_err(explain)?)
}

#[cfg(windows)]
fn open() -> Result<Arc<dyn CredentialStoreApi + Send + Sync>> {
    Ok(windows_native_keyring_store::Store::new().map_err(explain)?)
}

fn explain(error: keyring_core::Error) -> anyhow::Error {
    let advice = match &error {
        keyring_core::Error::NoStorageAccess(_) => {
            "the keychain is locked. Unlock it and try again"
        }
        keyring_core::Error::NoDefaultStore | keyring_core::Error::PlatformFailure(_) => {
            "there is no keychain. Start one, or put the secret into the environment"
        }
        _ => "the keychain refused",
    };
    anyhow!("{advice} ({error})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_print() {
        assert!(!format!("{:?}", Secret::new("hunter2".into())).contains("hunter2"));
    }

    #[test]
    fn a_name_becomes_the_documented_variable() {
        assert_eq!(variable("opencode:my-box"), "BECKON_OPENCODE_PASSWORD_MY_BOX");
        assert_eq!(variable("telegram"), "BECKON_TELEGRAM_TOKEN");
    }
}
