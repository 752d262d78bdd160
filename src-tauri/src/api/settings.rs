//! The settings: read, changed, and in effect at once. Secrets are only written here, and never
//! read out.

pub(super) mod integrations;
mod keys;
pub(super) mod origins;

use super::error::ApiError;
use super::{ApiState, problem};
use crate::app::inbox::{LoopInput, SetUp};
use crate::app::snapshot::SourcePlace;
use crate::app::warning::Warning;
use crate::channels::telegram;
use crate::platform::secrets::{self, Secret};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use beckon_client::config::edit::{self, EditError};
use beckon_client::config::{self, Config, OpenCodeServer, OriginTable};
use beckon_client::platform::secret::TELEGRAM_PROXY;
use beckon_client::wire::SourceKind;
use beckon_client::wire::{ServerSetting, SettingChange};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::sync::Mutex;

/// How long the settings wait for the keychain to say whether a password is there.
const KEYCHAIN_WITHIN: Duration = Duration::from_millis(300);

/// Handles `GET /settings`.
pub(super) async fn read(State(room): State<ApiState>) -> Response {
    match file(&room) {
        Ok(file) => told(&room, &file).await,
        Err(error) => problem(&room, &ApiError::File(error)),
    }
}

/// Returns the settings, together with the servers that are not in the file.
async fn told(room: &ApiState, file: &str) -> Response {
    let mut settings = keys::settings(&room.paths.config, file, &room.texts);
    for (name, SourcePlace { kind, url }) in room.mailbox.glance().await.places {
        let known = settings.servers.iter().any(|server| server.name == name);
        if kind == SourceKind::OpenCode && !known {
            let server = OpenCodeServer {
                name,
                url,
                ..OpenCodeServer::default()
            };
            let setting = keys::server_setting(&OriginTable::OpenCode(server), false);
            settings.servers.push(ServerSetting {
                registered: true,
                ..setting
            });
        }
    }
    for server in &mut settings.servers {
        server.has_password = has_secret(&server.secret).await;
    }
    // Most have none: the keychain is not asked for them.
    if settings.has_proxy_password {
        settings.has_proxy_password = has_secret(TELEGRAM_PROXY).await;
    }
    Json(settings).into_response()
}

/// Whether the keychain has that secret. A locked keychain may take its time; the settings do not
/// wait for it.
pub(super) async fn has_secret(name: &str) -> bool {
    let read = tokio::time::timeout(KEYCHAIN_WITHIN, secrets::read(name)).await;
    matches!(read, Ok(Ok(Some(_))))
}

/// Handles `PATCH /settings`.
pub(super) async fn change(
    State(room): State<ApiState>,
    Json(change): Json<SettingChange>,
) -> Response {
    edited(&room, |file| {
        edit::set(file, &change.key, change.value.as_ref())
    })
    .await
}

/// The body of `POST /secrets/{name}`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SecretBody {
    /// Goes to the keychain, and never comes out here.
    value: String,
}

/// The lock by which settings and their secrets are changed one after the other: what was looked at
/// holds until it is written.
pub(super) static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// Handles `POST /secrets/{name}`.
pub(super) async fn set_secret(
    State(room): State<ApiState>,
    Path(name): Path<String>,
    Json(handed): Json<SecretBody>,
) -> Response {
    if !is_secret(&name) {
        return problem(&room, &ApiError::NoSecret);
    }
    if handed.value.is_empty() {
        return problem(&room, &ApiError::EmptySecret);
    }
    let _turn = ONE_AT_A_TIME.lock().await;
    match secrets::write(&name, Secret::new(handed.value)).await {
        Ok(()) => {
            changed(&room, &name);
            Json(true).into_response()
        }
        Err(trouble) => problem(&room, &ApiError::Keychain(name, trouble)),
    }
}

/// Handles `DELETE /secrets/{name}`.
pub(super) async fn remove_secret(
    State(room): State<ApiState>,
    Path(name): Path<String>,
) -> Response {
    if !is_secret(&name) {
        return problem(&room, &ApiError::NoSecret);
    }
    let _turn = ONE_AT_A_TIME.lock().await;
    match secrets::remove(&name).await {
        Ok(_) => {
            changed(&room, &name);
            Json(true).into_response()
        }
        Err(trouble) => problem(&room, &ApiError::Keychain(name, trouble)),
    }
}

/// The body of `POST /telegram/login`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LoginBody {
    /// The token, as BotFather gives it.
    token: String,
}

/// The response to `POST /telegram/login`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LoggedInBot {
    /// The bot's name, without the @.
    bot: String,
}

/// Stores a bot's token (`POST /telegram/login`), but only after Telegram has said whose it is.
pub(super) async fn login(State(room): State<ApiState>, Json(login): Json<LoginBody>) -> Response {
    let token = Secret::new(telegram::token_in(&login.token).to_owned());
    if !telegram::is_token(token.expose()) {
        return problem(&room, &ApiError::BotToken);
    }
    let config = Config::read(&room.paths.config)
        .map(|(config, _)| config)
        .unwrap_or_default();
    let bot = match telegram::check(&(&config.telegram).into(), &token).await {
        Ok(bot) => bot,
        Err(error) => return problem(&room, &ApiError::BotRefused(error)),
    };
    match secrets::write(telegram::SECRET, token).await {
        Ok(()) => {
            changed(&room, telegram::SECRET);
            Json(LoggedInBot { bot: bot.name }).into_response()
        }
        Err(trouble) => problem(&room, &ApiError::Keychain(telegram::SECRET.into(), trouble)),
    }
}

pub(super) fn file(room: &ApiState) -> anyhow::Result<String> {
    Ok(config::file::text(&room.paths.config)?)
}

/// Reads, edits and writes the file, and tells the loop. Nothing else runs between: it is one
/// thread, and nothing here waits before the file is written.
pub(super) async fn edited(
    room: &ApiState,
    edit: impl FnMut(&str) -> Result<String, EditError>,
) -> Response {
    let changed = config::file::change(&room.paths.config, edit);
    let taken = changed.and_then(|file| take_over(room, &file).map(|()| file));
    match taken {
        Ok(file) => told(room, &file).await,
        Err(error) => match error.downcast::<EditError>() {
            Ok(refused) => problem(room, &ApiError::Setting(refused)),
            Err(error) => problem(room, &ApiError::File(error)),
        },
    }
}

/// Tells the loop to take over the file as it is now.
pub(super) fn take_over(room: &ApiState, file: &str) -> anyhow::Result<()> {
    let (config, unknown) = Config::parse(file)?;
    tracing::info!("config.toml was changed in the settings");
    let doubts = (!unknown.is_empty()).then_some(Warning::UnknownKeys(unknown));
    room.mailbox
        .input(LoopInput::Configure(Box::new(config), doubts));
    Ok(())
}

/// Tells the user of that secret to read it again.
fn changed(room: &ApiState, name: &str) {
    let source = name
        .strip_prefix("opencode:")
        .or_else(|| name.strip_prefix("interrupts:"));
    room.mailbox.input(match source {
        Some(source) => LoopInput::Reconnect(source.into()),
        None => LoopInput::SetUp(SetUp::Reload),
    });
}

fn is_secret(name: &str) -> bool {
    let of_server = |name: &str| {
        name.split_once(':').is_some_and(|(kind, which)| {
            matches!(kind, "opencode" | "interrupts") && !which.is_empty()
        })
    };
    matches!(name, telegram::SECRET | TELEGRAM_PROXY) || of_server(name)
}
