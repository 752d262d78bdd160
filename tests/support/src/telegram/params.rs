//! The parameters of a call, however they were sent; their meaning is not known here.
//!
//! As in the official server every parameter is a string in the end; what is structured is JSON in
//! that string. <https://core.telegram.org/bots/api#making-requests>

use std::collections::BTreeMap;

use axum::body::Bytes;
use axum::extract::{FromRequest, Multipart, Query, Request};
use axum::http::{Method, header};
use axum::{Form, RequestExt};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::chats::{ChatId, Document};
use super::refusal::Refusal;

/// The parameters and files of a call.
#[derive(Debug, Default)]
pub(super) struct Params {
    pub(super) values: BTreeMap<String, String>,
    files: BTreeMap<String, Document>,
}

impl Params {
    /// Reads query and body; `Err` when the body is not what its content type says.
    pub(super) async fn read(request: Request) -> Result<Params, Refusal> {
        let mut params = Params::default();
        if let Ok(Query(query)) = Query::<Vec<(String, String)>>::try_from_uri(request.uri()) {
            params.values.extend(query);
        }
        if request.method() == Method::POST {
            params
                .read_body(request)
                .await
                .map_err(|why| Refusal::mistake(&why))?;
        }
        Ok(params)
    }

    async fn read_body(&mut self, request: Request) -> Result<(), String> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default()
            .to_owned();
        if kind.starts_with("application/json") {
            let body = Bytes::from_request(request, &())
                .await
                .map_err(|e| e.to_string())?;
            self.read_json(&body)
        } else if kind.starts_with("application/x-www-form-urlencoded") {
            let form = request.extract::<Form<Vec<(String, String)>>, _>().await;
            self.values.extend(form.map_err(|e| e.to_string())?.0);
            Ok(())
        } else if kind.starts_with("multipart/form-data") {
            let parts = Multipart::from_request(request, &())
                .await
                .map_err(|e| e.to_string())?;
            self.read_parts(parts).await.map_err(|e| e.to_string())
        } else {
            Ok(())
        }
    }

    fn read_json(&mut self, body: &[u8]) -> Result<(), String> {
        if body.is_empty() {
            return Ok(());
        }
        let body = serde_json::from_slice(body).map_err(|e| e.to_string())?;
        let Value::Object(fields) = body else {
            return Err("the body is no object".to_owned());
        };
        self.values
            .extend(fields.into_iter().filter_map(|(name, value)| match value {
                Value::Null => None,
                Value::String(text) => Some((name, text)),
                other => Some((name, other.to_string())),
            }));
        Ok(())
    }

    async fn read_parts(
        &mut self,
        mut parts: Multipart,
    ) -> Result<(), axum::extract::multipart::MultipartError> {
        while let Some(part) = parts.next_field().await? {
            let name = part.name().unwrap_or_default().to_owned();
            match part.file_name().map(ToOwned::to_owned) {
                Some(file) => {
                    let bytes = part.bytes().await?.to_vec();
                    self.files.insert(name, Document { name: file, bytes });
                }
                None => {
                    self.values.insert(name, part.text().await?);
                }
            }
        }
        Ok(())
    }

    /// Returns a parameter that is there and not empty; the official server makes no difference
    /// either.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.values
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// Returns a number; a text that is no number counts as missing.
    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        self.text(name)?.parse().ok()
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        matches!(self.text(name), Some("true" | "True" | "1" | "yes"))
    }

    /// Parses a structured parameter; `what` names it in the error.
    pub(super) fn json<T: DeserializeOwned>(
        &self,
        name: &str,
        what: &str,
    ) -> Result<Option<T>, Refusal> {
        let parse = |text: &str| {
            serde_json::from_str(text)
                .map_err(|e| Refusal::mistake(&format!("can't parse {what}: {e}")))
        };
        self.text(name).map(parse).transpose()
    }

    pub(super) fn chat(&self) -> Result<ChatId, Refusal> {
        let text = self
            .text("chat_id")
            .ok_or_else(|| Refusal::mistake("chat_id is empty"))?;
        text.parse()
            .map(ChatId)
            .map_err(|_| Refusal::bad_request("chat not found"))
    }

    pub(super) fn message(&self) -> Result<i64, Refusal> {
        let missing = || Refusal::mistake("message identifier is not specified");
        self.integer("message_id").ok_or_else(missing)
    }

    /// Returns an uploaded file: the part of that name, or the one that `attach://` points to.
    /// <https://core.telegram.org/bots/api#sending-files>
    pub(super) fn file(&self, name: &str) -> Option<&Document> {
        let attached = self
            .text(name)
            .and_then(|value| value.strip_prefix("attach://"));
        self.files.get(attached.unwrap_or(name))
    }
}
