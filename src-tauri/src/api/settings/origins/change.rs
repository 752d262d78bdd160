//! Another name or address for a place that asks come from, and what becomes of its secret then: it
//! goes along to another name, and not to another scheme, host or port.
//!
//! Not here: the file (`config::edit`), and what becomes of its asks (`app/servers/registry.rs`).

use crate::api::error::ApiError;
use crate::api::settings::{ONE_AT_A_TIME, edited, file};
use crate::api::{ApiState, problem};
use crate::platform::secrets::{self, Secret};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use beckon_client::config::OriginTable;
use beckon_client::config::edit::{self, EditError, OriginChange};

/// Changes a server (`PATCH /settings/servers/{name}`), and returns the settings as they are then.
/// The change is made to its end also when the client has gone: a keychain may wait long for its
/// owner.
pub(in crate::api) async fn change(
    State(room): State<ApiState>,
    Path(name): Path<String>,
    Json(wanted): Json<OriginChange>,
) -> Response {
    let asker = room.clone();
    let done = tokio::spawn(async move { changed(&room, &name, &wanted).await });
    match done.await {
        Ok(Ok(response)) => response,
        Ok(Err(why)) => problem(&asker, &why),
        Err(_) => problem(&asker, &ApiError::Ending),
    }
}

/// Makes the change. Everything that can be refused is refused before anything changes. The secret
/// is in its place before the file is: the source that the file brings up reads it at once.
async fn changed(room: &ApiState, name: &str, wanted: &OriginChange) -> Result<Response, ApiError> {
    let new_name = wanted.name.as_deref().unwrap_or(name);
    if new_name.trim().is_empty() {
        return Err(ApiError::Nameless);
    }
    let _turn = ONE_AT_A_TIME.lock().await;
    let before = file(room).map_err(ApiError::File)?;
    let after = edit::change(&before, name, wanted).map_err(ApiError::Setting)?;
    // Names of servers that register themselves are taken too, and not in the file.
    if new_name != name && room.mailbox.glance().await.places.contains_key(new_name) {
        return Err(ApiError::NameTaken(new_name.into()));
    }
    let missing = || ApiError::Setting(EditError::NoSuchServer(name.into()));
    let former = edit::find(&before, name).ok_or_else(missing)?;
    let next = edit::find(&after, new_name).ok_or_else(missing)?;
    if let Some(variable) = environment_secret(&former, &next) {
        return Err(ApiError::EnvironmentSecret(variable));
    }
    let handover = SecretHandover::begin(&former, &next).await?;
    // The file may have been edited by hand meanwhile: the secret belongs to the server that was in
    // it before.
    let as_before = |file: &str| match edit::find(file, name) {
        Some(found) if found == former => edit::change(file, name, wanted),
        _ => Err(EditError::Changed),
    };
    let response = edited(room, as_before).await;
    if response.status().is_success() {
        handover.complete().await
    } else {
        handover.undo().await
    }
    Ok(response)
}

/// Returns the environment variable whose secret would be sent to the new address at once: it goes
/// by the server's name alone.
fn environment_secret(former: &OriginTable, next: &OriginTable) -> Option<String> {
    let given = secrets::from_environment(&next.secret()).is_some();
    (given && !next.is_of_same_origin(former)).then(|| secrets::variable(&next.secret()))
}

/// A secret on its way to another name, or out of the keychain.
struct SecretHandover {
    from: String,
    to: String,
    /// Whether a secret was kept under the former name.
    held: bool,
    /// The former secret at the new place, if that was touched; `None` inside if there was none.
    replaced: Option<Option<Secret>>,
}

impl SecretHandover {
    /// Moves the secret to the new name, or removes it if the address differs. A secret that a
    /// former server of the new name has left in the keychain goes too: it was not meant for this
    /// address.
    async fn begin(former: &OriginTable, next: &OriginTable) -> Result<Self, ApiError> {
        let (from, to) = (former.secret(), next.secret());
        let held = kept(&from).await?;
        let replaced = if from == to {
            held.clone()
        } else {
            kept(&to).await?
        };
        let (stays, found) = (next.is_of_same_origin(former), held.is_some());
        if from == to && stays {
            return Ok(Self {
                from,
                to,
                held: found,
                replaced: None,
            });
        }
        put(&to, held.filter(|_| stays), replaced.is_some()).await?;
        Ok(Self {
            from,
            to,
            held: found,
            replaced: Some(replaced),
        })
    }

    async fn complete(self) {
        if self.held && self.from != self.to {
            warn(put(&self.from, None, true).await);
        }
    }

    async fn undo(self) {
        if let Some(replaced) = self.replaced {
            warn(put(&self.to, replaced, true).await);
        }
    }
}

/// Logs what the keychain refuses: the file is changed by then, so nothing can be refused any more.
fn warn(done: Result<(), ApiError>) {
    if let Err(ApiError::Keychain(secret, trouble)) = done {
        tracing::warn!(secret, %trouble, "the keychain is not as the settings are");
    }
}

/// Returns what the keychain holds. An error if it cannot be reached now: it may hold the secret
/// nevertheless, and give it to a later server of that name.
async fn kept(name: &str) -> Result<Option<Secret>, ApiError> {
    secrets::kept(name)
        .await
        .map_err(|trouble| ApiError::Keychain(name.into(), trouble))
}

async fn put(name: &str, secret: Option<Secret>, stood: bool) -> Result<(), ApiError> {
    let put = match secret {
        Some(secret) => secrets::write(name, secret).await,
        None if stood => secrets::remove(name).await.map(|_| ()),
        None => Ok(()),
    };
    put.map_err(|trouble| ApiError::Keychain(name.into(), trouble))
}
