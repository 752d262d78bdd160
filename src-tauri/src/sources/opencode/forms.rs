//! OpenCode 2.x, experimental: no questions but forms, below `/api`, and events of another shape.
//! Built from the published contract (2.0.5 to 2.1.2) and not run against a real server yet.
//!
//! Shapes stand in `wire`, a form as an ask in `ask`, an answer as the form wants it in `answer`,
//! events in `frame`, the whole list in `list`, what is sent and found out in `delivery`.

mod answer;
mod ask;
pub(super) mod delivery;
pub(super) mod frame;
pub(super) mod list;
mod wire;

use super::api::OpenCodeApi;
use super::dialect::generation::ApiGeneration;
use serde::Deserialize;

/// Comments come every 15 s as heartbeats; the server's own clients wait so long.
pub(super) const SILENCE: std::time::Duration = std::time::Duration::from_secs(45);

/// `GET /api/info`
#[derive(Debug, Deserialize)]
struct ServerInfo {
    version: String,
}

/// The version of a server that speaks in forms; `None` when it does not.
pub(super) async fn version(api: &OpenCodeApi) -> Option<String> {
    let told = match api.read::<ServerInfo>("/api/info", None).await {
        Ok(info) => Some(info.version),
        // Older ones tell it where 1.x does.
        Err(_) => api.health().await.ok().and_then(|health| health.version),
    };
    told.filter(|version| ApiGeneration::of(version) == ApiGeneration::Forms)
}
