//! The result of a call that goes through a proxy, against real proxies.

use super::super::{BotApi, CallError};
use super::*;
use beckon_client::config::TelegramConfig;
use beckon_support::proxy::{Asked, Proxy, Speaks};
use beckon_support::telegram::{TOKEN, Telegram};
use beckon_support::tls::NAME;
use std::net::SocketAddr;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

const PASSWORD: &str = "hunter2: %@/";

/// Calls `getMe` at that address through that proxy.
async fn call(api_url: &str, proxy: &str, password: Option<&str>) -> Result<(), CallError> {
    let address = ProxyAddress::parse(proxy).unwrap();
    let proxy = Some(address.clone());
    let config = TelegramConfig {
        api_url: api_url.into(),
        proxy,
        ..TelegramConfig::default()
    };
    let password = password.map(|password| Secret::new(password.into()));
    let login = Some(ProxyLogin { address, password });
    let api = BotApi::new(&(&config).into(), Secret::new(TOKEN.into()), login).unwrap();
    let me = api
        .raw::<serde_json::Value>("getMe", &serde_json::json!({}))
        .await;
    let shown = format!(
        "{me:?} {}",
        me.as_ref().map_or_else(ToString::to_string, |_| "".into())
    );
    assert!(
        !shown.contains("hunter2") && !shown.contains(TOKEN),
        "{shown}"
    );
    me.map(drop)
}

async fn failed(api_url: &str, proxy: &str, password: Option<&str>) -> ProxyError {
    match call(api_url, proxy, password).await.unwrap_err() {
        CallError::Proxy(address, error) => {
            assert_eq!(address.to_string(), proxy);
            error
        }
        other => panic!("not the proxy's: {other:?}"),
    }
}

fn address(telegram: &Telegram) -> SocketAddr {
    telegram
        .url()
        .strip_prefix("http://")
        .unwrap()
        .parse()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_goes_to_the_proxy_as_it_is_and_so_does_the_password() {
    let telegram = Telegram::start();
    for speaks in [Speaks::Socks5, Speaks::Http] {
        let proxy = Proxy::start(speaks);
        proxy.login("me@home", PASSWORD);
        proxy.leads(NAME, address(&telegram));
        let url = proxy.url(Some("me%40home"));
        let called = call(&format!("http://{NAME}"), &url, Some(PASSWORD)).await;
        assert_eq!(called, Ok(()), "{speaks:?}");
        assert_eq!(
            proxy.asked(),
            [Asked {
                host: NAME.into(),
                port: 80
            }]
        );
        assert_eq!(proxy.refused(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_that_wants_another_password_is_told_from_one_that_wants_any() {
    for (speaks, scheme) in [
        (Speaks::Socks5, "https"),
        (Speaks::Http, "https"),
        (Speaks::Http, "http"),
    ] {
        let proxy = Proxy::start(speaks);
        proxy.login("me", PASSWORD);
        let (api, named) = (format!("{scheme}://{NAME}"), proxy.url(Some("me")));
        let wrong = failed(&api, &named, Some("hunter3")).await;
        assert_eq!(wrong, ProxyError::PasswordRefused, "{speaks:?} {scheme}");
        for url in [named, proxy.url(None)] {
            let missing = failed(&api, &url, None).await;
            assert_eq!(missing, ProxyError::PasswordMissing, "{url} {scheme}");
        }
        assert_eq!(
            (proxy.asked(), proxy.refused()),
            (Vec::new(), 3),
            "{speaks:?}"
        );
    }
    let open = Proxy::start(Speaks::Socks5);
    let unwanted = failed("https://x.test", &open.url(Some("me")), Some(PASSWORD)).await;
    assert_eq!(unwanted, ProxyError::PasswordUnwanted);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_that_is_not_there_is_told_from_one_that_reaches_nothing() {
    for speaks in [Speaks::Socks5, Speaks::Http] {
        let mut proxy = Proxy::start(speaks);
        let (url, api) = (proxy.url(None), format!("https://{NAME}"));
        let nowhere = failed(&api, &url, None).await;
        assert!(matches!(nowhere, ProxyError::NoRoute(_)), "{nowhere:?}");
        proxy.go();
        for api in [api, format!("http://{NAME}")] {
            let gone = failed(&api, &url, None).await;
            let ProxyError::Unreachable(reason) = gone else {
                panic!("{gone:?}")
            };
            assert!(reason.contains("refused"), "{reason}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_answers_in_another_protocol_is_no_proxy_of_that_kind() {
    let api = format!("https://{NAME}");
    let socks = Proxy::start(Speaks::Socks5);
    let taken_for_http = format!("http://{}", socks.address());
    assert_eq!(
        failed(&api, &taken_for_http, None).await,
        ProxyError::Protocol
    );

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let web = format!("socks5://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            .await
            .unwrap();
        stream.shutdown().await.unwrap();
    });
    assert_eq!(failed(&api, &web, None).await, ProxyError::Protocol);
}
