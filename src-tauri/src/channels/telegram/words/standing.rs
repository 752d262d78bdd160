//! The words for the state of Telegram itself, and for the bot's menu.

use super::super::CallError;
use super::super::ProxyError;
use super::super::card::CardContext;
use beckon_client::config::ProxyAddress;
use beckon_client::platform::secret::TELEGRAM_PROXY;
use beckon_client::text::words;
use beckon_client::text::{Texts, Value};

/// Returns what is wrong, what to do, and that cards wait for it where they do; plain.
pub(crate) fn trouble(trouble: &CallError, texts: &Texts) -> String {
    let reason = reason(trouble, texts);
    let passes = matches!(
        trouble,
        CallError::Network(_)
            | CallError::Server(_)
            | CallError::Proxy(_, ProxyError::Unreachable(_) | ProxyError::NoRoute(_))
    );
    if passes {
        texts.with("telegram-cards-wait", &[("reason", Value::from(reason))])
    } else {
        reason
    }
}

/// Returns what is wrong, and what to do, where no card is meant; plain.
pub(crate) fn reason(trouble: &CallError, texts: &Texts) -> String {
    match trouble {
        CallError::OtherPoller => texts.get("telegram-trouble-other-poller"),
        CallError::Webhook => texts.get("telegram-trouble-webhook"),
        CallError::Unauthorized => texts.get("telegram-token-refused"),
        CallError::Network(detail) => about("telegram-trouble-network", detail.clone(), texts),
        CallError::Proxy(proxy, error) => of_proxy(proxy, error, texts),
        CallError::Server(status) => about("telegram-trouble-server", status.to_string(), texts),
        CallError::TooFast(wait) => about(
            "telegram-trouble-too-fast",
            wait.as_secs().to_string(),
            texts,
        ),
        CallError::AnotherUser => texts.get("fault-another-user"),
        CallError::Odd => texts.get("telegram-trouble-odd"),
        CallError::Other(said) => about("telegram-trouble-other", said.clone(), texts),
        // The others are about one chat or message, not about Telegram as a whole.
        other => about("telegram-trouble-other", other.to_string(), texts),
    }
}

fn of_proxy(proxy: &ProxyAddress, error: &ProxyError, texts: &Texts) -> String {
    let none = String::new;
    let (key, detail) = match error {
        ProxyError::Unreachable(reason) => ("unreachable", reason.clone()),
        ProxyError::AnotherUser => ("another-user", none()),
        ProxyError::Protocol => ("protocol", none()),
        ProxyError::PasswordMissing => ("password-missing", none()),
        ProxyError::PasswordRefused => ("password-refused", none()),
        ProxyError::PasswordUnwanted => ("password-unwanted", none()),
        ProxyError::PasswordOutOfReach(trouble) => (
            "password-out-of-reach",
            words::keychain(texts, trouble, TELEGRAM_PROXY),
        ),
        ProxyError::NoRoute(reason) => ("no-route", reason.clone()),
    };
    let args = [
        ("proxy", Value::from(proxy.to_string())),
        ("detail", Value::from(detail)),
    ];
    texts.with(&format!("telegram-proxy-{key}"), &args)
}

fn about(key: &str, detail: String, texts: &Texts) -> String {
    texts.with(key, &[("detail", Value::from(detail))])
}

/// Returns the commands that the bot's menu shows, with a word on each; plain.
pub(crate) fn menu(texts: &Texts) -> Vec<(&'static str, String)> {
    let word = |name: &'static str| (name, texts.get(&format!("telegram-menu-{name}")));
    ["pending", "status", "away", "here", "auto", "help"]
        .map(word)
        .into()
}

/// Returns the answer to a tap on a card that belongs to no ask of this Beckon; plain.
pub(crate) fn old_card(scene: &CardContext<'_>) -> String {
    scene.texts.get("telegram-old-card")
}
