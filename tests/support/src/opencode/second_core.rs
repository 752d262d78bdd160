//! The tests' requests to the second core of 1.18 ("v2"), below `/api`. Those to the first core are
//! in `api.rs`.

use reqwest::Method;
use serde_json::{Value, json};

use super::OpenCode;
use crate::model::{MODEL, PROVIDER};

impl OpenCode {
    /// Creates a session of the second core and returns its id.
    pub async fn second_session(&self, directory: &str) -> String {
        let model = json!({ "providerID": PROVIDER, "id": MODEL });
        let body = json!({ "location": { "directory": directory }, "model": model,
            "agent": "build" });
        let (status, session) = self
            .call_api(Method::POST, "/api/session", Some(body))
            .await;
        assert_eq!(status, 200, "failed to create a session: {session}");
        session["data"]["id"]
            .as_str()
            .expect("a session has an id")
            .to_owned()
    }

    /// Sends a prompt to the second core, usually a [`script`](crate::model::script), and returns
    /// at once.
    pub async fn second_prompt(&self, session: &str, text: &str) {
        let path = format!("/api/session/{session}/prompt");
        let body = json!({ "prompt": { "text": text } });
        let (status, answer) = self.call_api(Method::POST, &path, Some(body)).await;
        assert_eq!(status, 200, "the prompt was refused: {answer}");
    }

    /// Calls a path below `/api`; returns status and body, whatever they are.
    pub async fn call_api(&self, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        let request = self.request(method, path);
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        let response = request
            .send()
            .await
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        let status = response.status().as_u16();
        let text = response.text().await.unwrap_or_default();
        (
            status,
            serde_json::from_str(&text).unwrap_or(Value::String(text)),
        )
    }
}
