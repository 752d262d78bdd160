//! The requests of OpenCode's API that Beckon makes, as its `/doc` defines them.

pub(super) mod compatibility;
pub(super) mod forms;
mod refusal;
pub(super) mod stored;

use super::dialect::ApiDialect;
use super::wire;
use super::wire::lenient::UnderstoodItems;
use super::wire::sessions::{SessionInfo, SessionMessage};
use super::wire::v2::{self, DataEnvelope};
use crate::sources::http::{BODY_WITHIN, HEADERS_WITHIN, client, json, reason, refusal_text};
use anyhow::{Context, Result, bail};
use beckon_client::config::OpenCodeServer;
use beckon_client::platform::percent::segment;
use beckon_client::platform::secret::Secret;
use beckon_core::{DeliveryFailure, ReturnReason, Session};
use forms::FormContext;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};

/// So many answers are read at once, of all servers together: each connection takes memory, and what
/// a crowd of them took once is not given back.
static SLOTS: Semaphore = Semaphore::const_new(48);
/// Nearly all answers come within 10 ms.
const SLOT_WITHIN: Duration = Duration::from_millis(200);
/// So many requests to one server are under way at once, those that hang among them; answers of
/// humans are not counted. Each is a file descriptor.
const MOST_AT_ONCE: usize = 128;
/// A list of thousands of sessions takes a server seconds; nobody is held up by waiting for it.
const SESSIONS_WITHIN: Duration = Duration::from_secs(30);

/// Sessions are listed latest first, and 1.18.33 stops after 100 unless it is told otherwise: one
/// that has been waiting for long would not be found.
const ALL_OF_THEM: [(&str, u32); 1] = [("limit", 1_000_000)];

/// Another Beckon may wait for the agent's proof before it answers.
const SPOKEN_WITHIN: Duration = Duration::from_secs(10);

/// What another Beckon says.
pub(super) struct PeerInfo {
    pub(super) status: StatusCode,
    pub(super) body: Option<Value>,
}

/// One server, with what it takes to be let in.
#[derive(Clone)]
pub(super) struct OpenCodeApi {
    client: Client,
    base: String,
    username: String,
    password: Option<Secret>,
    /// For one of 2.x.
    forms: Option<FormContext>,
    /// Held by each request under way.
    places: Arc<Semaphore>,
    /// How many answers are on their way.
    answers: Arc<watch::Sender<usize>>,
}

/// An answer is on its way as long as this is held.
pub(super) struct AnswerUnderWay(Arc<watch::Sender<usize>>);

impl Drop for AnswerUnderWay {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

impl OpenCodeApi {
    pub(super) fn new(server: &OpenCodeServer, password: Option<Secret>) -> Self {
        Self {
            client: client(server.url.starts_with("https:"), server.any_user),
            base: server.url.trim_end_matches('/').to_owned(),
            username: server.username.clone(),
            password,
            forms: None,
            places: Arc::new(Semaphore::new(MOST_AT_ONCE)),
            answers: Arc::new(watch::Sender::new(0)),
        }
    }

    /// What can wait lets an answer go first.
    pub(super) fn send_answer(&self) -> AnswerUnderWay {
        self.answers.send_modify(|count| *count += 1);
        AnswerUnderWay(self.answers.clone())
    }

    /// Waits until no answer is on its way.
    pub(super) async fn answers_sent(&self) {
        let _ = self.answers.subscribe().wait_for(|count| *count == 0).await;
    }

    /// The same server, as one of 2.x.
    pub(super) fn in_forms(self, forms: FormContext) -> Self {
        Self { forms: Some(forms), ..self }
    }

    /// What its forms need, if it is one of 2.x.
    pub(super) fn forms(&self) -> Option<&FormContext> {
        self.forms.as_ref()
    }

    /// A GET; `directory` goes along byte for byte.
    pub(super) fn get(&self, path: &str, directory: Option<&str>) -> RequestBuilder {
        self.request(Method::GET, path, directory)
    }

    fn request(&self, method: Method, path: &str, directory: Option<&str>) -> RequestBuilder {
        let mut request = self.client.request(method, format!("{}{path}", self.base));
        if let Some(directory) = directory {
            request = request.query(&[("directory", directory)]);
        }
        match &self.password {
            Some(password) => request.basic_auth(&self.username, Some(password.expose())),
            None => request,
        }
    }

    /// Reads JSON.
    pub(super) async fn read<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        directory: Option<&str>,
    ) -> Result<T> {
        self.fetch(path, self.get(path, directory)).await
    }

    /// Reads JSON of one directory, below `/api`.
    pub(super) async fn read_at<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        directory: &str,
    ) -> Result<T> {
        let at = [("location[directory]", directory)];
        self.fetch(path, self.get(path, None).query(&at)).await
    }

    /// Reads JSON; `None` when there is no such thing.
    pub(super) async fn read_if_there<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
    ) -> Result<Option<T>> {
        self.if_there(path, self.get(path, None)).await
    }

    async fn if_there<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        request: RequestBuilder,
    ) -> Result<Option<T>> {
        let _place = self.places.acquire().await;
        let response = answer(path, request).await?;
        match response.status() {
            StatusCode::NOT_FOUND => Ok(None),
            _ => understood(path, response).await.map(Some),
        }
    }

    /// The session, by the API that it goes by; `None` when it is not there.
    pub(super) async fn session(&self, session: &Session) -> Result<Option<SessionInfo>> {
        if ApiDialect::of(session) == ApiDialect::First {
            let path = session_path(&session.id);
            return self.if_there(&path, self.get(&path, Some(&session.directory))).await;
        }
        let path = v2::session_path(&session.id);
        let read = self.read_if_there::<DataEnvelope<v2::SessionDetails>>(&path).await?;
        Ok(read.map(|details| details.data.into()))
    }

    /// One message of the session, likewise.
    pub(super) async fn message(
        &self,
        session: &Session,
        message: &str,
    ) -> Result<SessionMessage> {
        if ApiDialect::of(session) == ApiDialect::First {
            let path = message_path(&session.id, message);
            return self.read(&path, Some(&session.directory)).await;
        }
        let path = format!("{}/message/{}", v2::session_path(&session.id), segment(message));
        Ok(self.read::<DataEnvelope<v2::MessageDetails>>(&path, None).await?.data.into())
    }

    /// The questions that the session waits for, likewise; of the first core those of its whole
    /// directory.
    pub(super) async fn questions(&self, session: &Session) -> Result<Vec<wire::QuestionRequest>> {
        if ApiDialect::of(session) == ApiDialect::First {
            let read = self.read::<UnderstoodItems<_>>("/question", Some(&session.directory));
            return Ok(read.await?.0);
        }
        let path = format!("{}/question", v2::session_path(&session.id));
        Ok(self.read::<DataEnvelope<UnderstoodItems<_>>>(&path, None).await?.data.0)
    }

    /// The sessions of all projects, on servers that have this path.
    pub(super) async fn sessions_everywhere(&self) -> Result<UnderstoodItems<SessionInfo>> {
        let path = "/experimental/session";
        self.sessions(path, &self.get(path, None).query(&ALL_OF_THEM)).await
    }

    /// The sessions of the project to which a worktree belongs, whatever directory they run in.
    /// Where the query names a directory, those of every other one are left out; where a header
    /// names it, they are not (seen on 1.1.53 and 1.18.33).
    pub(super) async fn sessions_of_project(
        &self,
        worktree: &str,
    ) -> Result<UnderstoodItems<SessionInfo>> {
        let encoded = segment(worktree).to_string();
        let request = self.get("/session", None).header("x-opencode-directory", encoded);
        self.sessions("/session", &request.query(&ALL_OF_THEM)).await
    }

    /// A request that has hung for as long as a healthy one takes is asked once more beside itself:
    /// the server may be slow, or may never answer this one (see [`HEADERS_WITHIN`]).
    async fn sessions(
        &self,
        path: &str,
        request: &RequestBuilder,
    ) -> Result<UnderstoodItems<SessionInfo>> {
        let _place = self.places.acquire().await;
        let read = || async {
            let request = request.try_clone().context("Failed to ask twice")?;
            let response = request.timeout(SESSIONS_WITHIN).send().await;
            understood(path, response.with_context(|| format!("Failed to read {path}"))?).await
        };
        let second = async {
            tokio::time::sleep(HEADERS_WITHIN).await;
            read().await
        };
        tokio::select! {
            first = read() => first,
            second = second => second,
        }
    }

    async fn fetch<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        request: RequestBuilder,
    ) -> Result<T> {
        let _place = self.places.acquire().await;
        understood(path, answer(path, request).await?).await
    }

    /// What the server says of itself.
    pub(super) async fn health(&self) -> Result<wire::ServerHealth> {
        self.read("/global/health", None).await
    }

    /// Posts a reply or a rejection. 200 is no proof that it was taken: 1.1.53 says it to anything.
    pub(super) async fn post<T: Serialize + ?Sized>(
        &self,
        path: &str,
        directory: Option<&str>,
        body: Option<&T>,
    ) -> Result<(), DeliveryFailure> {
        let mut request = self.request(Method::POST, path, directory).timeout(HEADERS_WITHIN);
        if let Some(body) = body {
            request = request.json(body);
        }
        check(send(request).await?).await.map(drop)
    }

    /// Posts to another Beckon, and hears what it says. What may have arrived is not known to have
    /// failed, and comes back.
    pub(super) async fn speak(
        &self,
        path: &str,
        body: &Value,
    ) -> Result<PeerInfo, DeliveryFailure> {
        let request = self.request(Method::POST, path, None).timeout(SPOKEN_WITHIN).json(body);
        let response = request.send().await.map_err(|error| match error.is_connect() {
            true => DeliveryFailure::Other(reason(&error)),
            false => DeliveryFailure::Returned(ReturnReason::Unproven),
        })?;
        let status = response.status();
        Ok(PeerInfo { status, body: json(response, SPOKEN_WITHIN).await.ok() })
    }

    /// Takes something away.
    pub(super) async fn delete(&self, path: &str) -> Result<(), DeliveryFailure> {
        let request = self.request(Method::DELETE, path, None).timeout(HEADERS_WITHIN);
        check(send(request).await?).await.map(drop)
    }

    /// Reads what an answer needs.
    pub(super) async fn look_up<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
    ) -> Result<T, DeliveryFailure> {
        let request = self.get(path, None).timeout(HEADERS_WITHIN);
        let response = check(send(request).await?).await?;
        json(response, HEADERS_WITHIN)
            .await
            .map_err(|error| DeliveryFailure::Other(error.to_string()))
    }
}

/// The path of a session of the first core.
pub(super) fn session_path(session: &str) -> String {
    format!("/session/{}", segment(session))
}

/// The path of one of its messages.
pub(super) fn message_path(session: &str, message: &str) -> String {
    format!("{}/message/{}", session_path(session), segment(message))
}

async fn send(request: RequestBuilder) -> Result<Response, DeliveryFailure> {
    request.send().await.map_err(|error| DeliveryFailure::Other(reason(&error)))
}

async fn check(response: Response) -> Result<Response, DeliveryFailure> {
    match response.status() {
        status if status.is_success() => Ok(response),
        // 409 is the word of another Beckon, and of 2.x, for "already answered".
        StatusCode::NOT_FOUND | StatusCode::CONFLICT => Err(DeliveryFailure::NotFound),
        status => {
            let text = refusal_text(response).await;
            tracing::debug!(%status, text, "a reply was refused");
            Err(refusal::refusal(status, &text))
        }
    }
}

async fn answer(path: &str, request: RequestBuilder) -> Result<Response> {
    // One that gets no slot in time goes without: servers that hang must not hold up others.
    let _slot = tokio::time::timeout(SLOT_WITHIN, SLOTS.acquire()).await;
    tokio::time::timeout(HEADERS_WITHIN, request.timeout(BODY_WITHIN).send())
        .await
        .with_context(|| format!("Failed to read {path}: no answer"))?
        .with_context(|| format!("Failed to read {path}"))
}

async fn understood<T: DeserializeOwned + Send + 'static>(
    path: &str,
    response: Response,
) -> Result<T> {
    if !response.status().is_success() {
        bail!("Failed to read {path}: it answers {}", response.status());
    }
    json(response, BODY_WITHIN).await.with_context(|| format!("Failed to read {path}"))
}
