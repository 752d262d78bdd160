//! The two addresses of a service, and the token that lets us in.

use super::wire;
use crate::sources::http::client;
use crate::sources::http::credential::ServerCredential;
use beckon_client::config::InterruptsService;
use beckon_client::platform::percent::segment;
use beckon_client::platform::secret::Secret;
use reqwest::{Client, Method, RequestBuilder};
use tokio::sync::Mutex;

/// The placeholder for a thread's id in an address.
const THREAD: &str = "{thread}";

fn place(url: &str, thread: &str) -> String {
    url.replace(THREAD, &segment(thread).to_string())
}

/// A service, and the token that it takes.
pub(super) struct InterruptsApi {
    client: Client,
    service: InterruptsService,
    token: Mutex<ServerCredential>,
}

impl InterruptsApi {
    pub(super) fn new(service: InterruptsService) -> Self {
        Self::with(service, None)
    }

    /// Makes the same with a token that is not kept (yet).
    pub(super) fn with(service: InterruptsService, token: Option<Secret>) -> Self {
        let tls = [&service.stream, &service.resume]
            .iter()
            .any(|url| url.starts_with("https:"));
        let token = ServerCredential::at_hand(format!("interrupts:{}", service.name), token);
        Self {
            client: client(tls, service.any_user),
            service,
            token: Mutex::new(token),
        }
    }

    /// Returns the thread to which an interrupt belongs that names none, where the settings say so.
    pub(super) fn thread(&self) -> Option<&str> {
        self.service
            .thread
            .as_deref()
            .map(str::trim)
            .filter(|thread| wire::is_name(thread))
    }

    /// Asks for the stream of all threads, or of the thread that the settings name.
    pub(super) async fn stream(&self) -> RequestBuilder {
        let url = place(&self.service.stream, self.thread().unwrap_or_default());
        self.request(Method::GET, &url).await
    }

    /// Builds the POST that takes an answer to that thread.
    pub(super) async fn resume(&self, thread: &str) -> RequestBuilder {
        self.request(Method::POST, &self.resume_url(thread)).await
    }

    /// Builds a GET of the place that takes answers, under a thread's id that does not exist. A GET
    /// is not what it is for, so nothing happens to a thread.
    pub(super) async fn look_at_resume(&self) -> RequestBuilder {
        self.request(
            Method::GET,
            &self.resume_url("beckon-looks-whether-this-is-here"),
        )
        .await
    }

    fn resume_url(&self, thread: &str) -> String {
        let url = &self.service.resume;
        if url.contains(THREAD) {
            return place(url, thread);
        }

        // The thread's id belongs to the path, which ends before the query.
        let (path, query) = match url.split_once('?') {
            Some((path, query)) => (path, format!("?{query}")),
            None => (url.as_str(), String::new()),
        };
        let path = path.trim_end_matches('/');
        place(&format!("{path}/{THREAD}{query}"), thread)
    }

    async fn request(&self, method: Method, url: &str) -> RequestBuilder {
        let request = self.client.request(method, url);
        match self.token.lock().await.secret() {
            Some(token) => request.bearer_auth(token.expose()),
            None => request,
        }
    }

    /// Looks into the keychain, and tells whether it has a token that was not tried.
    pub(super) async fn renew(&self) -> bool {
        self.token.lock().await.renew().await
    }
}
