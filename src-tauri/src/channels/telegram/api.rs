//! Calls of the Bot API: teloxide's types over our own HTTP client.
//!
//! Not teloxide's `Bot`: it prints its token when it is debugged, and sleeps ten seconds inside a
//! call on every 5xx. Not here: what is called when, and what a trouble leads to.

pub(super) mod address;
pub(super) mod answer;
pub(super) mod proxy;

use super::ApiAddress;
use crate::platform::owner::{OtherUser, OwnerLayer};
use crate::platform::retry_after::retry_after;
use answer::HttpAnswer;
use anyhow::{Context, Result};
use beckon_client::config::ProxyAddress;
use beckon_client::platform::clock;
use beckon_client::platform::secret::Secret;
use proxy::{ProxyError, ProxyLogin};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Duration;
use teloxide::requests::Payload;

/// The time after which a call has failed; a long poll is given its own time beside this.
const ANSWER_WITHIN: Duration = Duration::from_secs(15);
/// The speed of the slowest line that a file may take, in bytes each second.
const SLOWEST: u64 = 32 * 1_024;
/// The time for a second look at a call whose time is over: an answer that has come by then is read
/// in it.
const LOOK_ONCE_MORE: Duration = Duration::from_millis(250);
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// The most bytes that are read of an answer: a hundred updates as long as they can be are smaller.
const LARGEST_ANSWER: usize = 16 << 20;

/// The Bot API with a token. It does not print.
#[derive(Clone)]
pub(super) struct BotApi {
    client: reqwest::Client,
    address: ApiAddress,
    token: Secret,
    proxy: Option<ProxyLogin>,
}

/// A reason why a call failed, as far as it makes a difference.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// No answer: no network, no server, or too late.
    #[error("Telegram does not answer ({0})")]
    Network(String),
    /// Another user of this machine listens there.
    #[error("another user of this machine listens there")]
    AnotherUser,
    /// The call got no further than the proxy.
    #[error("the proxy {0}: {1}")]
    Proxy(ProxyAddress, ProxyError),
    /// 5xx, or no JSON.
    #[error("Telegram is out of order ({0})")]
    Server(u16),
    /// 429: no call is to come before that time is over.
    #[error("Telegram asks to wait {} s", .0.as_secs())]
    TooFast(Duration),
    /// 401, or 404 for a token that is not well-formed.
    #[error("Telegram does not know the token")]
    Unauthorized,
    /// 409: another program reads this bot's updates.
    #[error("another program uses the same bot")]
    OtherPoller,
    /// 409: a webhook is set.
    #[error("the bot has a webhook")]
    Webhook,
    /// 403: blocked, or never spoken to.
    #[error("the bot may not write there")]
    Blocked,
    /// The group has become a supergroup with that id.
    #[error("the group has moved")]
    Moved(i64),
    /// There is no such chat (any more).
    #[error("there is no such chat")]
    ChatGone,
    /// There is no such topic (any more).
    #[error("there is no such topic")]
    TopicGone,
    /// The topic is closed: nobody but administrators may write there, until it is opened again.
    #[error("the topic is closed")]
    TopicClosed,
    /// The message was deleted, or cannot be edited.
    #[error("the message is gone")]
    MessageGone,
    /// The message looks like that already.
    #[error("nothing to change")]
    NotModified,
    /// The callback query cannot be answered any more.
    #[error("too late")]
    TooOld,
    /// The call is too large for the server, or for a proxy before it.
    #[error("it is too large for Telegram")]
    TooLarge,
    /// The bot may not do that in this group, or not now.
    #[error("{0}")]
    NoRight(String),
    /// The markup is not understood.
    #[error("the markup is refused ({0})")]
    Markup(String),
    /// JSON, but not what was asked for: something else than Telegram's API.
    #[error("the answer is not understood")]
    Odd,
    /// Anything else.
    #[error("Telegram refuses: {0}")]
    Other(String),
}

impl CallError {
    /// Whether the error is about the place that something was to go to, and not about its content.
    pub(super) fn is_of_the_place(&self) -> bool {
        matches!(self, Self::NoRight(_) | Self::TopicClosed | Self::TopicGone)
    }

    /// Whether Telegram did not answer at all, as far as this machine can tell.
    pub fn is_unreached(&self) -> bool {
        matches!(
            self,
            Self::Network(_)
                | Self::AnotherUser
                | Self::Proxy(..)
                | Self::Server(_)
                | Self::Odd
                | Self::Other(_)
        )
    }
}

impl BotApi {
    /// Makes a client for the API at an address such as `https://api.telegram.org`.
    ///
    /// Unlike the client for OpenCode, this one goes through a proxy: its own, or else the one that
    /// the environment names. A server on this machine is reached without a proxy. There the client
    /// looks whose the server is: while that is down, any user could listen at its port, and be
    /// told the token.
    pub(super) fn new(
        address: &ApiAddress,
        token: Secret,
        proxy: Option<ProxyLogin>,
    ) -> Result<Self> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_WITHIN)
            .redirect(reqwest::redirect::Policy::none());
        let client = match &proxy {
            _ if address.is_here() => client.no_proxy().connector_layer(OwnerLayer {
                looks: !address.any_user,
            }),
            Some(proxy) => client.proxy(proxy.for_client()?),
            None => client,
        };
        let client = client
            .build()
            .context("Failed to set up the connection to Telegram")?;
        Ok(Self {
            client,
            address: address.clone(),
            token,
            proxy,
        })
    }

    /// Makes the same client with new connections: those from before a sleep are dead, although no
    /// error has said so.
    pub(super) fn renewed(&self) -> Option<Self> {
        let renewed = Self::new(&self.address, self.token.clone(), self.proxy.clone());
        renewed
            .inspect_err(|error| tracing::warn!(error = format!("{error:#}")))
            .ok()
    }

    /// Returns the URL of the API, without a slash at its end.
    pub(super) fn address(&self) -> &str {
        self.address.url()
    }

    /// Calls a method. Of the answer only what `T` names is read: newer servers say more.
    pub(super) async fn call<P, T>(&self, payload: &P) -> Result<T, CallError>
    where
        P: Payload + Serialize,
        T: DeserializeOwned,
    {
        let within = ANSWER_WITHIN + payload.timeout_hint().unwrap_or_default();
        self.receive(self.post(P::NAME).json(payload), within).await
    }

    /// Calls a method that teloxide has no type for, or whose answer says more than its type.
    pub(super) async fn raw<T: DeserializeOwned>(
        &self,
        method: &str,
        body: &serde_json::Value,
    ) -> Result<T, CallError> {
        self.receive(self.post(method).json(body), ANSWER_WITHIN)
            .await
    }

    /// Calls a method that takes a file of that size, in bytes.
    pub(super) async fn upload<T: DeserializeOwned>(
        &self,
        method: &str,
        form: reqwest::multipart::Form,
        size: usize,
    ) -> Result<T, CallError> {
        self.receive(self.post(method).multipart(form), time_for(size))
            .await
    }

    fn post(&self, method: &str) -> reqwest::RequestBuilder {
        self.client.post(format!(
            "{}/bot{}/{method}",
            self.address(),
            self.token.expose()
        ))
    }

    async fn receive<T: DeserializeOwned>(
        &self,
        request: reqwest::RequestBuilder,
        within: Duration,
    ) -> Result<T, CallError> {
        match &self.proxy {
            // With a proxy, the client's own timeout is needed: from its error `blame` tells
            // whether the proxy is at fault.
            Some(_) => self.read(request.timeout(within)).await,
            None => in_time(within, self.read(request)).await,
        }
    }

    async fn read<T: DeserializeOwned>(
        &self,
        request: reqwest::RequestBuilder,
    ) -> Result<T, CallError> {
        // The address holds the token.
        if let Some(proxy) = self.proxy.as_ref().filter(|_| !self.address.any_user)
            && proxy.is_anothers().await
        {
            let proxy = proxy.address().clone();
            return Err(CallError::Proxy(proxy, ProxyError::AnotherUser));
        }
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => return Err(self.unanswered(&error.without_url()).await),
        };
        let status = response.status().as_u16();
        let retry_after = retry_after(response.headers(), clock::now());
        let body = match body(response).await {
            Ok(body) => body,
            Err(error) => return Err(self.unanswered(&error.without_url()).await),
        };
        if let (407, Some(proxy)) = (status, &self.proxy) {
            return Err(CallError::Proxy(
                proxy.address().clone(),
                proxy.unauthorized(),
            ));
        }
        answer::read_answer(&HttpAnswer {
            status,
            retry_after,
            is_capped: body.len() >= LARGEST_ANSWER,
            body,
        })
    }

    /// Tells why no answer came. The last cause says it best: "Connection refused".
    async fn unanswered(&self, error: &reqwest::Error) -> CallError {
        if let Some(proxy) = &self.proxy
            && let Some(why) = proxy.blame(error).await
        {
            return CallError::Proxy(proxy.address().clone(), why);
        }
        match proxy::causes(error).last() {
            Some(cause) if cause.is::<OtherUser>() => CallError::AnotherUser,
            cause => CallError::Network(cause.map(ToString::to_string).unwrap_or_default()),
        }
    }
}

/// Waits for a call, and looks once more when its time is over. A process that was stopped finds
/// its time over, and the answer perhaps there; it has to be read, since what it tells of has been
/// done.
async fn in_time<T>(
    within: Duration,
    call: impl Future<Output = Result<T, CallError>>,
) -> Result<T, CallError> {
    tokio::pin!(call);
    for within in [within, LOOK_ONCE_MORE] {
        if let Ok(done) = tokio::time::timeout(within, &mut call).await {
            return done;
        }
    }
    Err(CallError::Network("operation timed out".into()))
}

/// Reads a body up to the cap, however much the server would send.
async fn body(mut response: reqwest::Response) -> reqwest::Result<Vec<u8>> {
    let mut body = Vec::new();
    while body.len() < LARGEST_ANSWER
        && let Some(chunk) = response.chunk().await?
    {
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Returns how long sending a file of that many bytes may take.
fn time_for(size: usize) -> Duration {
    ANSWER_WITHIN + Duration::from_secs(u64::try_from(size).unwrap_or(u64::MAX) / SLOWEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_client::config;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[test]
    fn a_file_is_given_the_time_that_it_takes() {
        assert_eq!(time_for(2_000), ANSWER_WITHIN);
        // 4 MB over 1.6 Mbit/s take 20 s.
        assert!(
            time_for(4_000_000) > Duration::from_secs(2 * 20),
            "{:?}",
            time_for(4_000_000)
        );
    }

    #[tokio::test]
    async fn an_answer_without_end_is_read_up_to_the_cap() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let api_url = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            assert!(stream.read(&mut [0; 1_024]).await.unwrap() > 0);
            let head = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
            stream.write_all(head).await.unwrap();
            let (blanks, mut sent) = (vec![b' '; 1 << 20], 0);
            while stream.write_all(&blanks).await.is_ok() {
                sent += blanks.len();
            }
            sent
        });
        let config = config::TelegramConfig {
            api_url,
            ..config::TelegramConfig::default()
        };
        let api = BotApi::new(&(&config).into(), Secret::new("1:a".into()), None).unwrap();
        // With the time of a file that is large: what ends it here is the cap, on a slow machine, too.
        let form = reqwest::multipart::Form::new();
        let refused = api.upload::<bool>("sendDocument", form, 1 << 30).await;
        assert_eq!(refused, Err(CallError::Server(200)));
        drop(api);
        // What the system keeps for both ends comes on top.
        let sent = server.await.unwrap();
        assert!(sent < 4 * LARGEST_ANSWER, "{sent}");
    }
}
