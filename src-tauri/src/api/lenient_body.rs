//! The lenient reading of bodies that other people's programs and models have written: whatever can
//! be read of them is read.
//!
//! Not for what a human decides: an answer is what its human wrote, or it is refused.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use beckon_client::json::{self, LenientJson};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The fields of a JSON object, without those that are `null`. A number may be a label, so one that would be
/// written in other digits is the text of its own.
#[derive(Debug)]
pub(super) struct LenientFields(pub(super) Map<String, Value>);

/// A body whose fields have the types that they should have; `null` is as good as absent.
#[derive(Debug)]
pub(super) struct Lenient<T>(pub(super) T);

impl<S: Send + Sync> FromRequest<S> for LenientFields {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let fields = read_fields(request, state, json::read_verbatim).await;
        fields.map(Self)
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Lenient<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let fields = read_fields(request, state, json::read).await?;
        let read = serde_json::from_value(Value::Object(fields)).map(Self);
        read.map_err(|error| (StatusCode::UNPROCESSABLE_ENTITY, error.to_string()).into_response())
    }
}

async fn read_fields<S: Send + Sync>(
    request: Request,
    state: &S,
    read: fn(&[u8]) -> Option<LenientJson>,
) -> Result<Map<String, Value>, Response> {
    if !is_json(request.headers()) {
        let said = "the request needs the header Content-Type: application/json";
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, said).into_response());
    }

    let bytes = Bytes::from_request(request, state).await;
    let bytes = bytes.map_err(IntoResponse::into_response)?;
    whole_object(read(&bytes)).map_err(|said| (StatusCode::BAD_REQUEST, said).into_response())
}

/// Takes an object. One that stops in the middle, or whose structure would be guessed, is refused: what is
/// missing might be the question.
fn whole_object(read: Option<LenientJson>) -> Result<Map<String, Value>, &'static str> {
    let read = read.ok_or("the body is no JSON")?;
    if read.flaws.cut {
        return Err("the body ends before its JSON does");
    }
    if read.flaws.reshaped {
        return Err("the body's JSON is broken: a quote, a comma, a colon or a bracket is missing");
    }
    let Value::Object(mut fields) = read.value else {
        return Err("the body is no JSON object");
    };

    fields.retain(|_, value| !value.is_null());
    Ok(fields)
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let essence = kind.and_then(|kind| kind.split(';').next());
    essence.is_some_and(|kind| {
        let kind = kind.trim().to_ascii_lowercase();
        kind == "application/json" || kind.starts_with("application/") && kind.ends_with("+json")
    })
}
