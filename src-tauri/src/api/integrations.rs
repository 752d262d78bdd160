//! Beckon's own part in an agent, installed and removed from the settings window.

use super::objection::Objection;
use super::{Room, problem, settings};
use crate::integration::{Installed, Plugin};
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

/// The body of `POST /integrations/opencode`
#[derive(Deserialize)]
pub(super) struct Wanted {
    install: bool,
}

/// `POST /integrations/opencode`: the settings, as they are then.
pub(super) async fn opencode(State(room): State<Room>, Json(wanted): Json<Wanted>) -> Response {
    let done = Plugin::from_env().and_then(|plugin| {
        let before = if wanted.install { plugin.install()? } else { plugin.remove()? };
        Ok((plugin, before))
    });
    match done {
        Ok((plugin, Installed::Foreign)) => {
            problem(&room, &Objection::Foreign(plugin.file().into()))
        }
        Ok(_) => settings::read(State(room)).await.into_response(),
        Err(error) => problem(&room, &Objection::File(error)),
    }
}
