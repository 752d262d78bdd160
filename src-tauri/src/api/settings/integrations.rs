//! Beckon's own part in an agent, installed and removed from the settings window.

use crate::api::error::ApiError;
use crate::api::{ApiState, problem, settings};
use crate::sources::opencode::plugin::Plugin;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use beckon_client::config::Config;
use beckon_client::wire::Installed;
use serde::{Deserialize, Serialize};

/// What `GET /integrations/opencode` tells the plugin.
#[derive(Serialize)]
pub(in crate::api) struct PluginSettings {
    /// A question is asked here before OpenCode's dialog appears, for so many seconds; nothing: both
    /// at once.
    before_dialog: Option<i64>,
}

/// `GET /integrations/opencode`: asked at each question, so that a change holds at once. With a file
/// that cannot be read nothing is held back.
pub(in crate::api) async fn settings_of_plugin(
    State(room): State<ApiState>,
) -> Json<PluginSettings> {
    let config = Config::read(&room.paths.config).map(|(config, _)| config).unwrap_or_default();
    let before_dialog = config.questions.before_dialog.map(|span| (span.0 / 1_000).max(1));
    Json(PluginSettings { before_dialog })
}

/// The body of `POST /integrations/opencode`
#[derive(Deserialize)]
pub(in crate::api) struct IntegrationBody {
    install: bool,
}

/// `POST /integrations/opencode`: the settings, as they are then.
pub(in crate::api) async fn opencode(
    State(room): State<ApiState>,
    Json(wanted): Json<IntegrationBody>,
) -> Response {
    let done = Plugin::from_env().and_then(|plugin| {
        let before = if wanted.install { plugin.install()? } else { plugin.remove()? };
        Ok((plugin, before))
    });
    match done {
        Ok((plugin, Installed::Foreign)) => {
            problem(&room, &ApiError::Foreign(plugin.file().into()))
        }
        Ok(_) => settings::read(State(room)).await.into_response(),
        Err(error) => problem(&room, &ApiError::File(error)),
    }
}
