//! `GET /proof?nonce=…`: this listener knows the token. The one thing that is told to anybody.

use crate::api::error::Objection;
use crate::api::{Room, problem};
use crate::client::proof;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

#[derive(Deserialize)]
pub(in crate::api) struct Challenge {
    nonce: String,
}

pub(in crate::api) async fn prove(
    State(room): State<Room>,
    challenge: Result<Query<Challenge>, QueryRejection>,
) -> Response {
    match challenge {
        Ok(Query(Challenge { nonce })) if proof::is_nonce(&nonce) => {
            proof::answer(&room.token, &nonce).into_response()
        }
        _ => problem(&room, &Objection::Unauthorized),
    }
}

/// Every other method there is refused like everywhere.
pub(in crate::api) async fn refuse(State(room): State<Room>) -> Response {
    problem(&room, &Objection::Unauthorized)
}
