//! The two addresses of a service, and the token that lets us in.

use crate::config::Interrupts;
use crate::percent::segment;
use crate::secrets::Secret;
use crate::sources::credential::Credential;
use crate::sources::http::client;
use reqwest::{Client, Method, RequestBuilder};
use tokio::sync::Mutex;

/// One service, with what it takes to be let in.
pub(super) struct Api {
    client: Client,
    service: Interrupts,
    token: Mutex<Credential>,
}

impl Api {
    pub(super) fn new(service: Interrupts) -> Self {
        Self::with(service, None)
    }

    /// The same with a token that is not kept (yet).
    pub(super) fn with(service: Interrupts, token: Option<Secret>) -> Self {
        let tls = [&service.stream, &service.resume].iter().any(|url| url.starts_with("https:"));
        let token = Credential::at_hand(format!("interrupts:{}", service.name), token);
        Self { client: client(tls), service, token: Mutex::new(token) }
    }

    /// The stream of all threads.
    pub(super) async fn stream(&self) -> RequestBuilder {
        self.request(Method::GET, &self.service.stream).await
    }

    /// Where an answer to that thread goes.
    pub(super) async fn resume(&self, thread: &str) -> RequestBuilder {
        let base = self.service.resume.trim_end_matches('/');
        let thread = segment(thread);
        self.request(Method::POST, &format!("{base}/{thread}")).await
    }

    /// The same place, asked for what it does not give: nothing happens to a thread.
    pub(super) async fn look_at_resume(&self) -> RequestBuilder {
        let base = self.service.resume.trim_end_matches('/');
        self.request(Method::GET, &format!("{base}/beckon-looks-whether-this-is-here")).await
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
