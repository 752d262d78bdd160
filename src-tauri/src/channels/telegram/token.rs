//! The token before it is stored: what one looks like, and why it was not taken.

use super::CallError;
use super::words;
use beckon_client::text::{Texts, Value};

/// Checked here because it becomes part of an address
/// (<https://core.telegram.org/bots/api#authorizing-your-bot>).
pub fn is_token(text: &str) -> bool {
    let of_secret = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    text.split_once(':').is_some_and(|(bot, secret)| {
        bot.parse::<u64>().is_ok() && !secret.is_empty() && secret.bytes().all(of_secret)
    })
}

/// Why [`crate::channels::telegram::check`] did not let a token be stored, in words.
pub fn not_stored(error: &anyhow::Error, texts: &Texts) -> String {
    let reason = match error.downcast_ref::<CallError>() {
        Some(CallError::Unauthorized) => texts.get("login-unknown"),
        Some(trouble) => words::trouble(trouble, texts),
        None => format!("{error:#}"),
    };
    texts.with("login-failed", &[("reason", Value::from(reason))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_change_the_address_is_no_token() {
        assert!(is_token("7000000001:AAFake-Token_0"));
        for text in ["", "7:", ":x", "a:b", "7:a/../b", "7:a?b", "7:a b", "/7:a"] {
            assert!(!is_token(text), "{text}");
        }
    }
}
