//! The agents of this computer for the windows: which run, what of them is connected, and Beckon's own
//! part in them, installed and removed.

use crate::api::error::ApiError;
use crate::api::{ApiState, problem, settings, status};
use crate::integrations::{autostart, claude_code, mcp};
use crate::sources::discovery::unwatched::{self, RunningAgent, WatchStatus, WatchedServers};
use crate::sources::opencode::plugin::Plugin;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use beckon_client::config::Config;
use beckon_client::wire::{
    HookSetting, HookState, Installed, Integrations, LocalAgent, LocalAgentState,
};
use serde::{Deserialize, Serialize};

/// The response to `GET /integrations/opencode`, for the plugin.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct PluginSettings {
    /// A question is asked here before OpenCode's dialog appears, for so many seconds; nothing: both
    /// at once.
    before_dialog: Option<i64>,
}

/// Handles `GET /integrations/opencode`: asked at each question, so that a change holds at once.
/// With a file that cannot be read nothing is held back.
pub(in crate::api) async fn settings_of_plugin(
    State(room): State<ApiState>,
) -> Json<PluginSettings> {
    let config = Config::read(&room.paths.config)
        .map(|(config, _)| config)
        .unwrap_or_default();
    let before_dialog = config
        .questions
        .before_dialog
        .map(|span| (span.0 / 1_000).max(1));
    Json(PluginSettings { before_dialog })
}

/// The body of `POST /integrations/opencode`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct IntegrationBody {
    /// Otherwise it is removed.
    install: bool,
}

/// Handles `POST /integrations/opencode`: the settings, as they are then.
pub(in crate::api) async fn opencode(
    State(room): State<ApiState>,
    Json(wanted): Json<IntegrationBody>,
) -> Response {
    let done = Plugin::from_env().and_then(|plugin| {
        let before = if wanted.install {
            plugin.install()?
        } else {
            plugin.remove()?
        };
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

/// The body of `POST /settings/autostart`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct AutostartBody {
    /// Beckon starts when its human logs in.
    on: bool,
}

/// Handles `POST /settings/autostart`: the settings, as they are then.
pub(in crate::api) async fn autostart(
    State(room): State<ApiState>,
    Json(wanted): Json<AutostartBody>,
) -> Response {
    match beside(move || autostart::turn(wanted.on)).await {
        Some(Ok(())) => settings::read(State(room)).await.into_response(),
        Some(Err(error)) => problem(&room, &ApiError::File(error)),
        None => problem(&room, &ApiError::Stopping),
    }
}

/// Handles `GET /agents`: the OpenCodes that run on this computer.
pub(in crate::api) async fn agents(State(room): State<ApiState>) -> Json<Vec<LocalAgent>> {
    let snapshot = room.mailbox.look().await;
    let sources = status::status(&snapshot, &room.texts).sources;
    let seen = beside(move || {
        let watching = WatchedServers::of(&sources, &snapshot.registered, plugin_since());
        unwatched::look(&watching)
    });
    Json(
        seen.await
            .unwrap_or_default()
            .into_iter()
            .map(local_agent)
            .collect(),
    )
}

/// Returns the time since which the plugin is there, if it is ours.
fn plugin_since() -> Option<std::time::SystemTime> {
    let plugin = Plugin::from_env().ok()?;
    let ours = matches!(plugin.installed(), Ok(Installed::Yes | Installed::Outdated));
    plugin.installed_at().filter(|_| ours)
}

fn local_agent((running, status): (RunningAgent, WatchStatus)) -> LocalAgent {
    let (state, source) = match status {
        WatchStatus::Seen(_, source) => (LocalAgentState::Connected, Some(source)),
        WatchStatus::NoPlugin => (LocalAgentState::Unconnected, None),
        WatchStatus::BeganBefore | WatchStatus::Silent => (LocalAgentState::Restart, None),
    };
    let directory = running
        .process
        .directory
        .map(|directory| directory.display().to_string());
    LocalAgent {
        pid: running.process.pid,
        directory,
        state,
        source,
    }
}

/// Handles `GET /integrations`.
pub(in crate::api) async fn look() -> Json<Integrations> {
    Json(integrations(beside(claude_code::look).await))
}

/// Handles `POST /integrations/claude-code`: how it is then.
pub(in crate::api) async fn hooks(
    State(room): State<ApiState>,
    Json(wanted): Json<IntegrationBody>,
) -> Response {
    let change = move || {
        if wanted.install {
            claude_code::install()
        } else {
            claude_code::remove()
        }
    };
    match beside(change).await {
        Some(Ok(_)) => look().await.into_response(),
        Some(Err(error)) => problem(&room, &ApiError::File(error)),
        None => problem(&room, &ApiError::Stopping),
    }
}

fn integrations(hooks: Option<anyhow::Result<HookSetting>>) -> Integrations {
    let unknown = |error: Option<anyhow::Error>| HookSetting {
        state: HookState::No,
        file: String::new(),
        switched_off: None,
        error: error.map(|error| format!("{error:#}")),
    };
    let claude_code = match hooks {
        Some(Ok(hooks)) => hooks,
        Some(Err(error)) => unknown(Some(error)),
        None => unknown(None),
    };
    Integrations {
        claude_code,
        mcp: mcp::config().ok(),
    }
}

/// Runs the work on another thread, since the loop and all rooms wait on one.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}
