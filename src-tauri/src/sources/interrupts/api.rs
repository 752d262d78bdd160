//! The two addresses of a service, and the token that lets us in.

use super::wire;
use crate::sources::http::client;
use crate::sources::http::credential::ServerCredential;
use beckon_client::config::InterruptsService;
use beckon_client::platform::percent::segment;
use beckon_client::platform::secret::Secret;
use reqwest::{Client, Method, RequestBuilder};
use tokio::sync::Mutex;

/// Stands in an address for the id of a thread.
const THREAD: &str = "{thread}";

fn place(url: &str, thread: &str) -> String {
    url.replace(THREAD, &segment(thread).to_string())
}

/// One service, with what it takes to be let in.
pub(super) struct InterruptsApi {
    client: Client,
    service: InterruptsService,
    token: Mutex<ServerCredential>,
}

impl InterruptsApi {
    pub(super) fn new(service: InterruptsService) -> Self {
        Self::with(service, None)
    }

    /// The same with a token that is not kept (yet).
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

    /// The thread of what names none, where the settings say so.
    pub(super) fn thread(&self) -> Option<&str> {
        self.service
            .thread
            .as_deref()
            .map(str::trim)
            .filter(|thread| wire::is_name(thread))
    }

    /// The stream of all threads, or of the one that the settings name.
    pub(super) async fn stream(&self) -> RequestBuilder {
        let url = place(&self.service.stream, self.thread().unwrap_or_default());
        self.request(Method::GET, &url).await
    }

    /// Where an answer to that thread goes.
    pub(super) async fn resume(&self, thread: &str) -> RequestBuilder {
        self.request(Method::POST, &self.resume_url(thread)).await
    }

    /// The same place, asked for what it does not give: nothing happens to a thread.
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

        // A query stands behind the path, and the thread's id belongs to the path.
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

    /// Is there a token that was not tried?
    pub(super) async fn renew(&self) -> bool {
        self.token.lock().await.renew().await
    }
}
