//! The machines that share what they ask.

use super::ApiState;
use axum::Json;
use axum::extract::State;
use beckon_client::wire::HubView;

/// `GET /hub`
pub(super) async fn look(State(room): State<ApiState>) -> Json<HubView> {
    Json(room.mailbox.hub().await)
}
