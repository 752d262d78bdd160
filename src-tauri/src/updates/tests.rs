//! Tests of the real request to a small server on this machine. The feeds in `tests/` were signed
//! by minisign 0.11 with keys that nobody has any more, `foreign.json` with another one than the
//! rest.

use super::*;
use axum::Router;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use beckon_core::ReleaseFeed;
use std::path::Path;
use tokio::sync::mpsc;

const KEY: &str = "RWShztb2uqAryIHfyPg1CaQAwDD84iOwIxR7E5cybGa5BL9rEKQvbxws";
const NEWER: &str = include_str!("tests/newer.json");
const OLDER: &str = include_str!("tests/older.json");
const FOREIGN: &str = include_str!("tests/foreign.json");
const STRANGE: &str = include_str!("tests/strange.json");
const LEGACY: &str = include_str!("tests/legacy.json");

/// A server, and what it was asked.
struct Server {
    source: FeedSource,
    asked: mpsc::UnboundedReceiver<(Uri, HeaderMap)>,
}

/// Starts a server that answers every request like that.
async fn server(answer: impl Fn(Uri) -> Response + Clone + Send + Sync + 'static) -> Server {
    let (tell, asked) = mpsc::unbounded_channel();
    let handler = move |uri: Uri, headers: HeaderMap| async move {
        let _ = tell.send((uri.clone(), headers));
        answer(uri)
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/releases.json", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(handler)).await });
    Server {
        source: FeedSource::parse(&address, KEY).unwrap(),
        asked,
    }
}

async fn fetched(body: impl Into<Vec<u8>>) -> Result<ReleaseFeed, FeedFault> {
    let body = body.into();
    let server = server(move |_| body.clone().into_response()).await;
    fetch::fetch(&server.source).await
}

/// Whether the server was not asked: the next to ask it is this test itself.
async fn was_not_asked(server: &mut Server) -> bool {
    let ours = server.source.address.join("/ours").unwrap();
    fetch::fetch(&FeedSource::parse(ours.as_str(), KEY).unwrap())
        .await
        .unwrap();
    server.asked.recv().await.unwrap().0 == "/ours"
}

/// Returns the status once the server was asked.
async fn told_by(server: &mut Server, file: &Path) -> UpdateStatus {
    let mut updates = with_source(Some(server.source.clone()), file.into());
    updates.switch(true);
    server.asked.recv().await.unwrap();
    settled(&updates).await
}

async fn settled(updates: &UpdatesHandle) -> UpdateStatus {
    let known = async {
        while updates.status().state == UpdateState::Waiting {
            tokio::task::yield_now().await;
        }
        updates.status()
    };
    tokio::time::timeout(Duration::from_secs(10), known)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_feed_of_the_projects_is_believed() {
    let heard = fetched(NEWER).await.unwrap();
    assert_eq!(
        (heard.version.to_string().as_str(), heard.issued.0),
        ("99.0.0", 1_790_000_000_000)
    );
}

#[tokio::test]
async fn what_the_project_has_not_signed_is_not_read() {
    let other_version = NEWER.replace("99.0.0", "98.0.0");
    let other_comment = NEWER.replace("feed of a test", "feed of a jest");
    let unsigned = r#"{"feed":"{\"version\":\"99.0.0\",\"issued\":1}","signature":""}"#;
    let bare = r#"{"version":"99.0.0","issued":1790000000000}"#;
    for body in [
        FOREIGN,
        LEGACY,
        &other_version,
        &other_comment,
        unsigned,
        bare,
        "<html>",
        "",
    ] {
        assert_eq!(fetched(body).await, Err(FeedFault::Unsigned), "{body}");
    }
    assert_eq!(fetched(vec![0xff; 4_000]).await, Err(FeedFault::Unsigned));
}

#[tokio::test]
async fn what_is_signed_and_not_understood_is_told_apart() {
    assert_eq!(fetched(STRANGE).await, Err(FeedFault::Strange));
}

#[tokio::test]
async fn twenty_megabytes_are_not_read() {
    assert_eq!(fetched(vec![b' '; 20 << 20]).await, Err(FeedFault::NoFeed));
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_a_refusal_is_no_feed() {
    let mut elsewhere = server(|_| NEWER.into_response()).await;
    let there = elsewhere.source.address.to_string();
    let redirects = server(move |_| Redirect::temporary(&there).into_response()).await;
    assert_eq!(
        fetch::fetch(&redirects.source).await,
        Err(FeedFault::NoFeed)
    );
    assert!(elsewhere.asked.try_recv().is_err());
    // The body of a refusal is not read, whoever has signed it.
    for status in [
        StatusCode::NOT_FOUND,
        StatusCode::INTERNAL_SERVER_ERROR,
        StatusCode::CREATED,
    ] {
        let refuses = server(move |_| (status, NEWER).into_response()).await;
        assert_eq!(
            fetch::fetch(&refuses.source).await,
            Err(FeedFault::NoFeed),
            "{status}"
        );
    }
}

#[tokio::test]
async fn where_nobody_listens_nobody_was_asked() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", free.local_addr().unwrap());
    drop(free);
    let source = FeedSource::parse(&address, KEY).unwrap();
    assert_eq!(fetch::fetch(&source).await, Err(FeedFault::Unreachable));
}

#[tokio::test]
async fn a_request_says_nothing_of_who_asks() {
    let mut server = server(|_| NEWER.into_response()).await;
    fetch::fetch(&server.source).await.unwrap();
    let (uri, headers) = server.asked.recv().await.unwrap();
    assert_eq!(uri, "/releases.json");
    let mut said: Vec<&str> = headers.keys().map(header::HeaderName::as_str).collect();
    said.sort_unstable();
    assert_eq!(said, ["accept", "host"]);
    assert_eq!(headers["accept"], "*/*");
}

#[test]
fn an_address_without_encryption_is_none_but_on_this_machine() {
    for (address, good) in [
        ("https://example.org/releases.json", true),
        ("http://127.0.0.1:8080/", true),
        ("http://[::1]:8080/", true),
        ("http://example.org/releases.json", false),
        ("http://localhost.example.org/", false),
        ("file:///releases.json", false),
        ("releases.json", false),
    ] {
        assert_eq!(FeedSource::parse(address, KEY).is_some(), good, "{address}");
    }
    assert!(FeedSource::parse("https://example.org/", "no key").is_none());
}

#[tokio::test]
async fn who_has_not_switched_it_on_asks_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = server(|_| NEWER.into_response()).await;
    let mut updates = with_source(
        Some(server.source.clone()),
        folder.path().join("updates.json"),
    );
    updates.switch(false);
    assert!(updates.task.is_none());
    assert_eq!(updates.status(), UpdateState::Off.into());
    assert!(was_not_asked(&mut server).await);
}

#[tokio::test]
async fn a_newer_version_is_told_and_remembered_and_nobody_is_asked_again_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("updates.json");
    let mut server = server(|_| NEWER.into_response()).await;
    let newer = told_by(&mut server, &file).await;
    assert_eq!(newer.state, UpdateState::Newer);
    assert_eq!(newer.version.as_deref(), Some("99.0.0"));

    let mut again = with_source(Some(server.source.clone()), file);
    again.switch(true);
    assert_eq!(again.status(), newer);
    assert!(was_not_asked(&mut server).await);
}

/// `older.json` is of May 2026, and knows nothing newer than what runs here.
#[tokio::test]
async fn a_feed_that_nobody_has_renewed_for_months_does_not_say_that_this_is_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = server(|_| OLDER.into_response()).await;
    let told = told_by(&mut server, &folder.path().join("updates.json")).await;
    assert_eq!(told, UpdateState::Outdated.into());
}

#[tokio::test]
async fn a_feed_of_before_is_a_replay_and_takes_nothing_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut memory = MemoryFile::read(folder.path().join("updates.json"), running().as_ref());
    for body in [NEWER, OLDER] {
        let heard = fetched(body).await;
        memory.change(|memory| memory.take(heard, clock::now(), 0));
    }
    let news = |version: &str| {
        memory
            .known()
            .news(&Version::parse(version).unwrap(), clock::now())
    };
    assert_eq!(
        news("1.0.0"),
        UpdateNews::Newer(Version::parse("99.0.0").unwrap())
    );
    assert_eq!(news("99.0.0"), UpdateNews::Unheard(FeedFault::Replayed));
}

#[tokio::test]
async fn switched_off_it_says_nothing_of_what_it_knows() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = server(|_| NEWER.into_response()).await;
    let mut updates = with_source(
        Some(server.source.clone()),
        folder.path().join("updates.json"),
    );
    updates.switch(true);
    server.asked.recv().await.unwrap();
    assert_eq!(settled(&updates).await.state, UpdateState::Newer);
    updates.switch(false);
    assert!(updates.task.is_none());
    assert_eq!(updates.status(), UpdateState::Off.into());
}

#[tokio::test]
async fn a_memory_that_is_broken_is_an_empty_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("updates.json");
    std::fs::write(&file, "{\"next_ask\": \"tomorrow").unwrap();
    let mut server = server(|_| NEWER.into_response()).await;
    assert_eq!(told_by(&mut server, &file).await.state, UpdateState::Newer);
}

#[tokio::test]
async fn a_build_that_was_told_no_address_asks_nobody_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut updates = with_source(None, folder.path().join("updates.json"));
    updates.switch(true);
    assert!(updates.task.is_none());
    assert_eq!(updates.status(), UpdateState::Unavailable.into());
}
