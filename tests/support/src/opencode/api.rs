//! The tests' requests to a running OpenCode over HTTP. Starting and stopping it is in
//! `opencode.rs`.

use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::OpenCode;
use crate::eventually;
use crate::model::{MODEL, PROVIDER};

/// The time limit of every request, so that no test hangs: the server may be stopped or still
/// starting.
const LIMIT: Duration = Duration::from_secs(10);

impl OpenCode {
    /// Creates a session and returns its id.
    pub async fn session(&self, directory: &str, title: &str) -> String {
        let (status, session) = self
            .post("/session", directory, Some(json!({ "title": title })))
            .await;
        assert_eq!(status, 200, "failed to create a session: {session}");
        session["id"]
            .as_str()
            .expect("a session has an id")
            .to_owned()
    }

    /// Sends a prompt, usually a [`script`](crate::model::script), and returns at once.
    pub async fn prompt(&self, session: &str, directory: &str, text: &str) {
        self.prompt_model(session, directory, MODEL, text).await;
    }

    /// Sends a prompt to another model of the scripted provider. OpenCode gives some models other
    /// tools.
    pub async fn prompt_model(&self, session: &str, directory: &str, model: &str, text: &str) {
        *self
            .prompts
            .lock()
            .unwrap()
            .entry(session.to_owned())
            .or_default() += 1;
        let body = json!({ "model": { "providerID": PROVIDER, "modelID": model },
            "parts": [{ "type": "text", "text": text }] });
        let path = format!("/session/{session}/prompt_async");
        let (status, answer) = self.post(&path, directory, Some(body)).await;
        assert_eq!(status, 204, "the prompt was refused: {answer}");
    }

    /// Returns the pending questions of `directory`.
    pub async fn questions(&self, directory: &str) -> Value {
        self.get("/question", directory).await
    }

    /// Returns the pending permissions of `directory`.
    pub async fn permissions(&self, directory: &str) -> Value {
        self.get("/permission", directory).await
    }

    /// Waits until `directory` has `count` pending questions and returns them.
    pub async fn wait_questions(&self, directory: &str, count: usize) -> Vec<Value> {
        self.wait_list("/question", directory, count).await
    }

    /// Waits until `directory` has `count` pending permissions and returns them.
    pub async fn wait_permissions(&self, directory: &str, count: usize) -> Vec<Value> {
        self.wait_list("/permission", directory, count).await
    }

    async fn wait_list(&self, path: &str, directory: &str, count: usize) -> Vec<Value> {
        eventually(
            &format!("{count} entries in {path}"),
            Duration::from_secs(60),
            async || {
                let list = self.get(path, directory).await.as_array().cloned()?;
                (list.len() == count).then_some(list)
            },
        )
        .await
    }

    /// Answers a question; `answers` is one array of labels per question.
    pub async fn reply(&self, directory: &str, question: &str, answers: Value) -> (u16, Value) {
        let path = format!("/question/{question}/reply");
        self.post(&path, directory, Some(json!({ "answers": answers })))
            .await
    }

    /// Rejects a question.
    pub async fn reject(&self, directory: &str, question: &str) -> (u16, Value) {
        self.post(&format!("/question/{question}/reject"), directory, None)
            .await
    }

    /// Answers a permission: `once`, `always` or `reject`.
    pub async fn permit(&self, directory: &str, permission: &str, reply: &str) -> (u16, Value) {
        let path = format!("/permission/{permission}/reply");
        self.post(&path, directory, Some(json!({ "reply": reply })))
            .await
    }

    /// Aborts the session's turn.
    pub async fn abort(&self, session: &str, directory: &str) -> (u16, Value) {
        self.post(&format!("/session/{session}/abort"), directory, None)
            .await
    }

    /// Deletes the session.
    pub async fn delete(&self, session: &str, directory: &str) -> (u16, Value) {
        let path = format!("/session/{session}");
        self.call(Method::DELETE, &path, directory, None).await
    }

    /// Returns the messages of a session, each as `{info, parts}`.
    pub async fn messages(&self, session: &str, directory: &str) -> Vec<Value> {
        let messages = self
            .get(&format!("/session/{session}/message"), directory)
            .await;
        messages.as_array().cloned().unwrap_or_default()
    }

    /// Returns the tool parts of all messages, with `state.status`, `output`, `error`, `metadata`.
    pub async fn tool_parts(&self, session: &str, directory: &str) -> Vec<Value> {
        let messages = self.messages(session, directory).await;
        let parts = messages
            .iter()
            .filter_map(|message| message["parts"].as_array())
            .flatten();
        parts
            .filter(|part| part["type"] == "tool")
            .cloned()
            .collect()
    }

    /// Waits until every prompt sent so far has been played and the session is idle.
    pub async fn wait_idle(&self, session: &str, directory: &str) {
        let sent = self
            .prompts
            .lock()
            .unwrap()
            .get(session)
            .copied()
            .unwrap_or_default();
        eventually(
            "the session goes idle",
            Duration::from_secs(60),
            async || {
                // The messages are read first: once the last of them is the assistant's, the turn
                // has begun, and a session that is not busy after that has ended it.
                let messages = self.messages(session, directory).await;
                let roles: Vec<_> = messages
                    .iter()
                    .map(|message| &message["info"]["role"])
                    .collect();
                let received = roles.iter().filter(|role| **role == "user").count() >= sent;
                let answered = roles.last().is_none_or(|role| *role == "assistant");
                let busy = self.get("/session/status", directory).await;
                (busy.get(session).is_none() && received && answered).then_some(())
            },
        )
        .await;
    }

    /// Sends `GET path` for `directory`; panics unless it succeeds.
    pub async fn get(&self, path: &str, directory: &str) -> Value {
        let (status, body) = self.call(Method::GET, path, directory, None).await;
        assert_eq!(status, 200, "GET {path} failed: {body}");
        body
    }

    /// Sends `POST path` for `directory`; returns status and body, whatever they are.
    pub async fn post(&self, path: &str, directory: &str, body: Option<Value>) -> (u16, Value) {
        self.call(Method::POST, path, directory, body).await
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        directory: &str,
        body: Option<Value>,
    ) -> (u16, Value) {
        // OpenCode's own client escapes everything, too: 1.1.53 decodes a query twice.
        let escape = |byte: u8| format!("%{byte:02X}");
        let encoded: String = directory.bytes().map(escape).collect();
        let request = self
            .request(method, path)
            .header("x-opencode-directory", encoded)
            .timeout(LIMIT);
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

    /// Makes a request to this server with its credentials, for calls that have no method here.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.url()));
        match &self.options.password {
            Some(password) => request.basic_auth("opencode", Some(password)),
            None => request,
        }
    }
}
