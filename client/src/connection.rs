//! The client of the local API, for Beckon's other processes. The token is shown to nobody but the
//! running Beckon: over the socket in `run/`, which is private, or, where there is no socket, over
//! a connection whose other end has proven itself (`client/proving.rs`).

pub mod endpoint;
pub mod proof;
mod proving;

use crate::platform::paths::Paths;
use crate::platform::percent::segment;
use crate::platform::private;
use crate::platform::secret::Secret;
use crate::text::words;
use crate::text::{Texts, Value};
use crate::wire::Problem;
use anyhow::{Context, Result};
use endpoint::{Endpoint, socket_beside};
use proving::{ProvingLayer, Unproven};
use reqwest::header::CONTENT_TYPE;
use reqwest::{ClientBuilder, Method, RequestBuilder, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time limit for an answer of the running Beckon, which answers at once unless it hangs.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// The most bytes that the local API takes as the body of a request.
pub const LARGEST_BODY: usize = 2 << 20;

/// A client of the running Beckon.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    token: Secret,
}

/// The reason why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Beckon does not run.
    #[error("Beckon is not running")]
    NotRunning,
    /// The program that listens at Beckon's address is not Beckon, or is an older one.
    #[error("Somebody else listens where Beckon was, or an older Beckon")]
    Unproven,
    /// The file or directory of Beckon's address is open to others, who may have put something
    /// there.
    #[error("Other users of this machine may write to {}", .0.display())]
    Exposed(PathBuf),
    /// The API refuses, and says why.
    #[error("{}", .1.message)]
    Problem(StatusCode, Problem),
    /// Beckon runs but does not answer; in the words of the system.
    #[error("Beckon does not answer ({0})")]
    Silent(String),
    /// The request is larger than the API accepts.
    #[error("That is more than Beckon takes at once")]
    TooLarge,
    /// The response is none that a Beckon of this version sends.
    #[error("Beckon answers {0}")]
    Odd(StatusCode),
    /// A reason that is a sentence for people already.
    #[error("{0}")]
    Said(String),
    /// Any other reason.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

impl ClientError {
    /// Returns the sentence for people. What the API says is in their language already.
    pub fn words(&self, texts: &Texts) -> String {
        match self {
            Self::NotRunning => texts.get("cli-not-running"),
            Self::Unproven => texts.get("cli-unproven"),
            Self::Exposed(dir) => texts.with(
                "failed-exposed",
                &[("file", dir.display().to_string().into())],
            ),
            Self::Problem(_, Problem { message: text, .. }) | Self::Said(text) => text.clone(),
            Self::Silent(reason) => {
                texts.with("failed-silent", &[("reason", Value::from(reason.as_str()))])
            }
            Self::TooLarge => texts.get("failed-too-large"),
            Self::Odd(status) => {
                texts.with("failed-odd", &[("status", Value::from(status.to_string()))])
            }
            Self::Other(error) => words::failure(texts, error),
        }
    }
}

impl Client {
    /// Makes a client of the Beckon whose files are at these paths.
    ///
    /// # Errors
    /// [`ClientError::NotRunning`] when it has left no address, [`ClientError::Exposed`] when
    /// others could have left it.
    pub fn new(paths: &Paths) -> Result<Self, ClientError> {
        let run = paths.run();
        if !private::is_private(run).map_err(|_| ClientError::NotRunning)? {
            return Err(ClientError::Exposed(run.into()));
        }
        let endpoint = Endpoint::read(&paths.endpoint).ok_or(ClientError::NotRunning)?;
        let token = Secret::new(endpoint.token);
        let http = reqwest::Client::builder()
            .no_proxy()
            .tls_built_in_root_certs(false)
            .connect_timeout(ANSWER_WITHIN);
        let http = match endpoint.socket {
            Some(_) => over_socket(http, &socket_beside(&paths.endpoint)),
            None => http.connector_layer(ProvingLayer::new(token.clone())),
        };
        let http = http.build().context("Failed to set up a client")?;
        Ok(Self {
            http,
            url: endpoint.url,
            token,
        })
    }

    /// Whether Beckon answers at all, within that time.
    pub async fn is_alive(&self, within: Duration) -> bool {
        let answer = self
            .request(Method::GET, "/global/health")
            .timeout(within)
            .send()
            .await;
        answer.is_ok_and(|response| response.status().is_success())
    }

    /// GET as JSON.
    ///
    /// # Errors
    /// When nobody is there, or the API refuses.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.get_within(path, Duration::ZERO).await
    }

    /// GET as JSON; waits for `within` and a little more.
    ///
    /// # Errors
    /// When nobody is there, or the API refuses.
    pub async fn get_within<T: DeserializeOwned>(
        &self,
        path: &str,
        within: Duration,
    ) -> Result<T, ClientError> {
        read(
            self.request(Method::GET, path)
                .timeout(within.saturating_add(ANSWER_WITHIN)),
        )
        .await
    }

    /// POST as JSON; waits for `within` and a little more.
    ///
    /// # Errors
    /// When nobody is there, or the API refuses.
    pub async fn post<B: Serialize + ?Sized, T: DeserializeOwned>(
        &self,
        path: &str,
        body: &B,
        within: Duration,
    ) -> Result<T, ClientError> {
        let json = serde_json::to_vec(body).context("Failed to write a request")?;
        // The answer to one that is too large may be lost: the connection ends before all is sent.
        if json.len() > LARGEST_BODY {
            return Err(ClientError::TooLarge);
        }
        let request = self
            .request(Method::POST, path)
            .header(CONTENT_TYPE, "application/json")
            .body(json);
        read(request.timeout(within.saturating_add(ANSWER_WITHIN))).await
    }

    /// PATCH as JSON.
    ///
    /// # Errors
    /// When nobody is there, or the API refuses.
    pub async fn patch<B: Serialize + ?Sized, T: DeserializeOwned>(
        &self,
        path: &str,
        body: &B,
    ) -> Result<T, ClientError> {
        read(
            self.request(Method::PATCH, path)
                .json(body)
                .timeout(ANSWER_WITHIN),
        )
        .await
    }

    /// DELETE.
    ///
    /// # Errors
    /// When nobody is there, or the API refuses.
    pub async fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.delete_within(path, Duration::ZERO).await
    }

    /// DELETE; waits for `within` and a little more.
    ///
    /// # Errors
    /// When nobody is there, or the API refuses.
    pub async fn delete_within<T: DeserializeOwned>(
        &self,
        path: &str,
        within: Duration,
    ) -> Result<T, ClientError> {
        read(
            self.request(Method::DELETE, path)
                .timeout(within.saturating_add(ANSWER_WITHIN)),
        )
        .await
    }

    /// Sends a GET whose response is read as it comes.
    ///
    /// # Errors
    /// When nobody is there.
    pub async fn stream(&self, path: &str) -> Result<reqwest::Response, ClientError> {
        let response = self.request(Method::GET, path).send().await;
        response.map_err(|error| absent(&error))
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        request.bearer_auth(self.token.expose())
    }
}

#[cfg(unix)]
fn over_socket(http: ClientBuilder, socket: &Path) -> ClientBuilder {
    http.unix_socket(socket)
}

/// None is written down where there is none.
#[cfg(not(unix))]
fn over_socket(http: ClientBuilder, _: &Path) -> ClientBuilder {
    http
}

/// There is no connection: nobody listens, or somebody else does.
fn absent(error: &reqwest::Error) -> ClientError {
    let mut causes = std::iter::successors(error.source(), |&cause| cause.source());
    let unproven = causes.any(|cause| cause.is::<Unproven>());
    if unproven {
        ClientError::Unproven
    } else {
        ClientError::NotRunning
    }
}

/// Encodes an id as a part of a path.
pub fn encode(id: &str) -> String {
    segment(id).to_string()
}

async fn read<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, ClientError> {
    let response = request.send().await.map_err(|error| {
        if error.is_connect() {
            return absent(&error);
        }
        ClientError::Silent(error.to_string())
    })?;
    let status = response.status();
    let text = response
        .text()
        .await
        .map_err(|error| ClientError::Silent(error.to_string()))?;
    if status.is_success() {
        return serde_json::from_str(&text).map_err(|_| ClientError::Odd(status));
    }
    Err(match serde_json::from_str(&text) {
        Ok(problem) => ClientError::Problem(status, problem),
        Err(_) => ClientError::Odd(status),
    })
}
