//! HTTP with a server that the user named: the client, the limits on what is read of an answer, and
//! the faults that its errors become.

pub(super) mod backoff;
pub(super) mod credential;
pub(super) mod sse;
mod surrogates;

use crate::platform::owner::{OtherUser, OwnerLayer};
use crate::platform::part;
use beckon_client::json::mended;
use beckon_core::SourceFault;
use reqwest::{Client, Response};
use serde::de::DeserializeOwned;
use std::error::Error;
use std::time::Duration;

/// How long the headers of an answer are waited for. Some servers accept connections about a second
/// before they answer, and never answer those (measured on OpenCode 1.18.33), so Beckon gives up
/// early and tries again.
pub(super) const HEADERS_WITHIN: Duration = Duration::from_secs(4);

/// How long a body may take. A list of thousands of sessions is read within this time.
pub(super) const BODY_WITHIN: Duration = Duration::from_secs(15);

/// The largest body that is read, after decompression, and the largest frame of a stream. A list of
/// 30,000 sessions is smaller, and a 20 MB tool output is real.
pub(super) const LARGEST: usize = 32 << 20;
/// The longest body that is parsed in place. A longer one is parsed on a thread of its own, so that
/// it does not hold up the loop.
pub(super) const LONG: usize = 256 << 10;

/// The most that is read of a refusal's text, in bytes. A person is shown its first lines only.
const LARGEST_REFUSAL: usize = 64 << 10;

/// The reason for which a body was not read.
#[derive(Debug, thiserror::Error)]
pub(super) enum BodyError {
    /// The body is larger than the cap.
    #[error("it sends more than {} MB", LARGEST >> 20)]
    TooLarge,
    /// The body did not end in time.
    #[error("it sends too slowly")]
    TooSlow,
    /// The connection broke.
    #[error("{}", reason(.0))]
    Broken(#[from] reqwest::Error),
    /// The body came whole, and is not what was asked for.
    #[error("it is not understood: {0}")]
    Strange(#[from] serde_json::Error),
}

impl From<BodyError> for SourceFault {
    fn from(unreadable: BodyError) -> Self {
        match unreadable {
            BodyError::TooLarge => Self::TooLarge,
            BodyError::TooSlow => Self::TooSlow,
            BodyError::Broken(error) => fault(&error),
            BodyError::Strange(error) => Self::Other(error.to_string()),
        }
    }
}

/// Builds the client for a server.
///
/// - No proxy: the server is on this machine or at an address the user gave.
/// - No redirects: none of these servers makes one.
/// - No overall time limit: a stream lives for days, and a peer that is dead is found by TCP's own
///   keep-alive.
/// - The system's certificates are read only with `tls`: they take a megabyte of memory.
/// - `anybodys`: a server on this machine may belong to another user.
pub(super) fn client(tls: bool, anybodys: bool) -> Client {
    Client::builder()
        .connector_layer(OwnerLayer { looks: !anybodys })
        .tls_built_in_root_certs(tls)
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(HEADERS_WITHIN)
        .tcp_nodelay(true)
        .pool_max_idle_per_host(1)
        .build()
        .unwrap_or_default()
}

/// Returns the fault that an error stands for.
pub(super) fn fault(error: &reqwest::Error) -> SourceFault {
    if innermost(error).is::<OtherUser>() {
        SourceFault::AnotherUser
    } else {
        SourceFault::Other(reason(error))
    }
}

/// Returns the innermost message of an error, in its author's words ("Connection refused").
pub(super) fn reason(error: &reqwest::Error) -> String {
    innermost(error).to_string()
}

fn innermost(error: &reqwest::Error) -> &(dyn Error + 'static) {
    let mut cause: &(dyn Error + 'static) = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause
}

/// Whether a header names that kind of content, which may be written in capitals and with
/// parameters (RFC 9110, 8.3.1).
pub(super) fn is_of_kind(header: &str, kind: &str) -> bool {
    let named = header.split(';').next().unwrap_or_default();
    named.trim().eq_ignore_ascii_case(kind)
}

/// Reads a body as JSON, within the size cap and the given time.
pub(super) async fn json<T: DeserializeOwned + Send + 'static>(
    response: Response,
    within: Duration,
) -> Result<T, BodyError> {
    let body = tokio::time::timeout(within, body(response, LARGEST)).await;
    let body = body.map_err(|_| BodyError::TooSlow)??;
    if body.len() <= LONG {
        return Ok(understood(body)?);
    }
    let read = part::spawn_blocking(move || understood(body)).await;
    Ok(read.unwrap_or_else(|error| Err(serde::de::Error::custom(error)))?)
}

/// Parses a body. One that is not strict JSON is read leniently: raw control characters, a byte
/// order mark or bytes of another encoding in one item do not hide the others.
pub(super) fn understood<T: DeserializeOwned>(mut body: Vec<u8>) -> serde_json::Result<T> {
    surrogates::mend(&mut body);
    serde_json::from_slice(&body).or_else(|error| match mended(&body) {
        Some(strict) => serde_json::from_slice(&strict),
        None => Err(error),
    })
}

/// Mends the data of a frame as [`understood`] mends a body. Only an object is mended: a stream may
/// also send plain words.
pub(super) fn frame_data(data: String) -> String {
    let data = surrogates::mended(data);
    let is_odd = data.trim_start().starts_with('{') && !is_strict(&data);
    if !is_odd {
        return data;
    }
    let strict = mended(data.as_bytes()).and_then(|strict| String::from_utf8(strict).ok());
    strict.unwrap_or(data)
}

fn is_strict(data: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(data).is_ok()
}

/// Returns the text that a server sends with a refusal, up to [`LARGEST_REFUSAL`], or whatever of
/// it came in time.
pub(super) async fn refusal_text(mut response: Response) -> String {
    let mut text = Vec::new();
    let read = async {
        while let Ok(Some(chunk)) = response.chunk().await
            && text.len() < LARGEST_REFUSAL
        {
            text.extend_from_slice(&chunk[..chunk.len().min(LARGEST_REFUSAL - text.len())]);
        }
    };
    let _ = tokio::time::timeout(HEADERS_WITHIN, read).await;
    String::from_utf8_lossy(&text).into_owned()
}

/// Reads a body up to the cap. An announced length above the cap is refused at once; a smaller one
/// is not trusted, and the bytes are counted.
async fn body(mut response: Response, cap: usize) -> Result<Vec<u8>, BodyError> {
    let announced = response.content_length().unwrap_or(0);
    if announced > cap as u64 {
        return Err(BodyError::TooLarge);
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > cap {
            return Err(BodyError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn an_oddity_in_one_item_of_a_body_or_a_frame_hides_nothing() {
        let body = b"\xef\xbb\xbf[{\"id\":\"a\",\"title\":\"x\ty \\ud83d \xe9\"},{\"id\":\"b\"}]";
        let read: Vec<Value> = understood(body.to_vec()).unwrap();
        let ids: Vec<&str> = read.iter().filter_map(|item| item["id"].as_str()).collect();
        assert_eq!(ids, ["a", "b"]);
        assert!(
            understood::<Vec<Value>>(body[..40].to_vec()).is_err(),
            "half a list is none"
        );

        let frame = frame_data("{\"type\":\"asked\",\"title\":\"a\nb\u{1b}\"}".into());
        let read: Value = serde_json::from_str(&frame).unwrap();
        assert_eq!(read["title"], "a\nb\u{1b}");
        for words in ["[DONE]", "hello", "{\"half\": ", "", "\"x\""] {
            assert_eq!(frame_data(words.into()), words);
        }
    }
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    /// Returns the answer of a server that continues its body with `go_on`.
    async fn answer<F: Future<Output = ()> + Send + 'static>(
        head: &str,
        go_on: impl FnOnce(TcpStream) -> F + Send + 'static,
    ) -> Response {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let head = format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n");
        part::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 1_024]).await;
            stream.write_all(head.as_bytes()).await.unwrap();
            go_on(stream).await;
        });
        client(false, false).get(url).send().await.unwrap()
    }

    async fn pour(mut stream: TcpStream) {
        let blanks = vec![b' '; 1 << 20];
        while stream.write_all(&blanks).await.is_ok() {}
    }

    #[tokio::test]
    async fn a_body_without_end_is_read_up_to_the_cap() {
        // However slow the machine is, it is the cap that ends it.
        let endless = answer("connection: close", pour).await;
        let read = body(endless, 1 << 20).await;
        assert!(matches!(read, Err(BodyError::TooLarge)), "{read:?}");
        let announced = answer("content-length: 99999999999", pour).await;
        let read = json::<Value>(announced, BODY_WITHIN).await;
        assert!(matches!(read, Err(BodyError::TooLarge)), "{read:?}");
    }

    #[tokio::test]
    async fn a_body_that_drips_is_given_up() {
        let drips = |mut stream: TcpStream| async move {
            while stream.write_all(b" ").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let dripping = answer("connection: close", drips).await;
        let read = json::<Value>(dripping, Duration::from_millis(300)).await;
        assert!(matches!(read, Err(BodyError::TooSlow)), "{read:?}");
    }

    #[tokio::test]
    async fn a_refusal_is_read_only_as_far_as_anybody_wants_it() {
        let endless = answer("connection: close", pour).await;
        assert_eq!(refusal_text(endless).await.len(), LARGEST_REFUSAL);
    }

    #[tokio::test]
    async fn a_body_that_is_as_it_should_be_is_understood() {
        let list = |mut stream: TcpStream| async move {
            stream.write_all(b"[1, 2]").await.unwrap();
        };
        let read = json::<Vec<u8>>(answer("content-length: 6", list).await, BODY_WITHIN).await;
        assert_eq!(read.unwrap(), [1, 2]);
    }
}
