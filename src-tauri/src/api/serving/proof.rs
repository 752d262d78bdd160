//! The proof that this listener knows the token (`GET /proof?nonce=…`): the one request that is
//! answered without the token.

use crate::api::error::ApiError;
use crate::api::{ApiState, problem};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use beckon_client::connection::proof;
use serde::Deserialize;

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct ChallengeQuery {
    /// 64 random hexadecimal digits.
    nonce: String,
}

pub(in crate::api) async fn prove(
    State(room): State<ApiState>,
    challenge: Result<Query<ChallengeQuery>, QueryRejection>,
) -> Response {
    match challenge {
        Ok(Query(ChallengeQuery { nonce })) if proof::is_nonce(&nonce) => {
            proof::answer(&room.token, &nonce).into_response()
        }
        _ => problem(&room, &ApiError::Unauthorized),
    }
}

/// Refuses every other method there, as everywhere.
pub(in crate::api) async fn refuse(State(room): State<ApiState>) -> Response {
    problem(&room, &ApiError::Unauthorized)
}
