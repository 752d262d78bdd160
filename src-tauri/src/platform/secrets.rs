//! The only place that touches the keychain. The type that secrets live in is `beckon-client`'s.
//!
//! Every call runs on a blocking thread with a time limit, since a locked keychain waits for its
//! owner without one. The store is opened anew for each call, so that a service that comes up late
//! is found. Where there is no keychain, the environment may carry a secret instead.

#[cfg_attr(target_os = "linux", path = "secrets/linux.rs")]
#[cfg_attr(target_os = "macos", path = "secrets/macos.rs")]
#[cfg_attr(windows, path = "secrets/windows.rs")]
mod platform;

use crate::platform::part;
pub(crate) use beckon_client::platform::secret::{KeychainError, Secret, variable};
use keyring_core::{Entry, Error};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Our name in the keychain.
const SERVICE: &str = "beckon";
/// The time limit of a call. A human may have to unlock the keychain, but nothing may wait for
/// ever.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// The time after which the keychain is looked at again where nothing tells that it is better.
const LOOK_AGAIN: Duration = Duration::from_secs(30);
/// The pause after a keychain has just come: it may not answer yet, and one that never does must
/// not be asked without end.
const HALF_UP: Duration = Duration::from_millis(500);

/// Reads a secret such as `opencode:local`: from the environment if it is there, else from the
/// keychain.
///
/// # Errors
/// When the keychain is locked, absent or silent.
pub(crate) async fn read(name: &str) -> Result<Option<Secret>, KeychainError> {
    if let Some(secret) = from_environment(name) {
        return Ok(Some(secret));
    }
    kept(name).await
}

/// Reads a secret from the keychain alone.
///
/// # Errors
/// As [`read`].
pub(crate) async fn kept(name: &str) -> Result<Option<Secret>, KeychainError> {
    let name = name.to_owned();
    in_time(move || found(password(&entry(&name)?).map(Secret::new))).await
}

/// Stores a secret.
///
/// # Errors
/// As [`read`].
pub(crate) async fn write(name: &str, secret: Secret) -> Result<(), KeychainError> {
    let name = name.to_owned();
    in_time(move || put(&entry(&name)?, secret.expose())).await
}

/// Removes a secret; `false` when there was none.
///
/// # Errors
/// As [`read`].
pub(crate) async fn remove(name: &str) -> Result<bool, KeychainError> {
    let name = name.to_owned();
    let removed = in_time(move || found(delete(&entry(&name)?))).await?;
    Ok(removed.is_some())
}

/// Checks whether the keychain takes a secret and gives it up again.
///
/// # Errors
/// As [`read`].
pub(crate) async fn check() -> Result<(), KeychainError> {
    in_time(|| {
        let entry = entry("check")?;
        put(&entry, "check")?;
        delete(&entry).map_err(trouble)
    })
    .await
}

/// Waits until it is worth a look whether a trouble is over.
pub(crate) async fn look_again(trouble: &KeychainError) {
    match trouble {
        KeychainError::Absent(_) => {
            let pause = if platform::appeared().await.is_ok() {
                HALF_UP
            } else {
                LOOK_AGAIN
            };
            tokio::time::sleep(pause).await;
        }
        KeychainError::Locked(_)
        | KeychainError::NoPlace
        | KeychainError::Several
        | KeychainError::Silent
        | KeychainError::NoText
        | KeychainError::Refused(_) => {
            let unlocked = async {
                if platform::unlocked().await.is_err() {
                    std::future::pending::<()>().await;
                }
            };
            let _ = tokio::time::timeout(LOOK_AGAIN, unlocked).await;
        }
    }
}

/// Returns the secret that the environment carries, at no cost.
pub(crate) fn from_environment(name: &str) -> Option<Secret> {
    std::env::var(variable(name))
        .ok()
        .filter(|text| !text.is_empty())
        .map(Secret::new)
}

/// The permit for a call, one at a time: a call that waits for its owner keeps its thread, and must
/// stay the only one.
static ONE_AT_A_TIME: Semaphore = Semaphore::const_new(1);

/// Whether the owner has refused once to unlock the keychain: this program does not ask them a
/// second time.
static TURNED_DOWN: AtomicBool = AtomicBool::new(false);

async fn in_time<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, KeychainError> + Send + 'static,
) -> Result<T, KeychainError> {
    let call = async {
        let turn = ONE_AT_A_TIME.acquire().await;
        part::spawn_blocking(move || {
            let _turn = turn;
            unless_turned_down(work)
        })
        .await
    };
    match tokio::time::timeout(TIME_LIMIT, call).await {
        Ok(Ok(done)) => done,
        Ok(Err(ended)) => Err(KeychainError::Refused(ended.to_string())),
        Err(_) => Err(KeychainError::Silent),
    }
}

fn unless_turned_down<T>(
    work: impl FnOnce() -> Result<T, KeychainError>,
) -> Result<T, KeychainError> {
    if TURNED_DOWN.load(Ordering::Relaxed) && platform::is_locked() {
        return Err(KeychainError::Locked("as before".into()));
    }
    let done = work();
    TURNED_DOWN.store(
        matches!(done, Err(KeychainError::Locked(_))),
        Ordering::Relaxed,
    );
    done
}

fn entry(name: &str) -> Result<Entry, KeychainError> {
    // For whatever reason the store can't be opened, there is none to use.
    let store = platform::open().map_err(|error| KeychainError::Absent(error.to_string()))?;
    store.build(SERVICE, name, None).map_err(trouble)
}

/// Reads the password of an entry. Another program may have copied it: several equal ones are one.
fn password(entry: &Entry) -> Result<String, Error> {
    let entries = match entry.get_password() {
        Err(Error::Ambiguous(entries)) => entries,
        read => return read,
    };
    let texts = entries.iter().map(Entry::get_password);
    let mut texts = texts.collect::<Result<Vec<_>, _>>()?;
    texts.dedup();
    match <[String; 1]>::try_from(texts) {
        Ok([text]) => Ok(text),
        Err(_) => Err(Error::Ambiguous(entries)),
    }
}

/// Stores a password in place of all entries of that name: with several, which one is read is
/// chance (<https://github.com/jaraco/keyring/issues/345>).
fn put(entry: &Entry, secret: &str) -> Result<(), KeychainError> {
    let entries = match entry.set_password(secret) {
        Err(Error::NoStorageAccess(_)) if platform::has_no_place() => {
            return Err(KeychainError::NoPlace);
        }
        Err(Error::Ambiguous(entries)) => entries,
        put => return put.map_err(trouble),
    };
    let mut entries = entries.iter();
    let kept = entries.next().map(|entry| entry.set_password(secret));
    kept.transpose().map_err(trouble)?;
    entries
        .try_for_each(Entry::delete_credential)
        .map_err(trouble)
}

/// Removes all entries of that name.
fn delete(entry: &Entry) -> Result<(), Error> {
    match entry.delete_credential() {
        Err(Error::Ambiguous(entries)) => entries.iter().try_for_each(Entry::delete_credential),
        deleted => deleted,
    }
}

/// Treats an entry that is not there as an answer.
fn found<T>(looked: Result<T, Error>) -> Result<Option<T>, KeychainError> {
    match looked {
        Err(Error::NoEntry) => Ok(None),
        looked => looked.map(Some).map_err(trouble),
    }
}

/// Turns an error into ours, with only those of the keychain's words that cannot hold the secret.
fn trouble(error: Error) -> KeychainError {
    match error {
        Error::NoStorageAccess(cause) => KeychainError::Locked(cause.to_string()),
        Error::Ambiguous(_) => KeychainError::Several,
        Error::BadEncoding(_) | Error::BadDataFormat(..) => KeychainError::NoText,
        error => KeychainError::Refused(error.to_string()),
    }
}
