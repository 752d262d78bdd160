//! OpenCode 2.x, experimental: it has forms below `/api` in place of questions, and events of
//! another shape. Built from the published contract (2.0.5 to 2.1.2) and not run against a real
//! server yet.
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

/// The silence after which a stream is dead. Comments come every 15 s as heartbeats, and the
/// server's own clients wait so long.
pub(super) const SILENCE: std::time::Duration = std::time::Duration::from_secs(45);

/// The answer of `GET /api/info`.
#[derive(Debug, Deserialize)]
struct ServerInfo {
    version: String,
}

/// Reads the version of a server that speaks in forms; `None` when it does not.
pub(super) async fn version(api: &OpenCodeApi) -> Option<String> {
    let told = match api.read::<ServerInfo>("/api/info", None).await {
        Ok(info) => Some(info.version),
        // Older servers tell it where 1.x does.
        Err(_) => api.health().await.ok().and_then(|health| health.version),
    };
    told.filter(|version| ApiGeneration::of(version) == ApiGeneration::Forms)
}
