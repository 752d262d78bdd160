//! The token before it is stored: its form, and why one was not taken.

use super::CallError;
use super::words;
use beckon_client::text::{Texts, Value};

/// Returns the one token in a pasted text, which may be BotFather's whole message, or a line with a
/// word around it. A text in which that is not clear stays as it is, without blanks at its ends.
pub fn token_in(text: &str) -> &str {
    let of_token = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '_' | '-');
    let mut tokens = text
        .split(|c| !of_token(c))
        .filter(|word| is_whole_token(word));
    match (tokens.next(), tokens.next()) {
        (Some(token), None) => token,
        (Some(token), Some(again)) if token == again => token,
        _ => text.trim(),
    }
}

/// Whether a word is as long as Telegram's tokens: a bot's number and 35 letters. A word such as
/// `12:30` is not.
fn is_whole_token(word: &str) -> bool {
    const SHORTEST_SECRET: usize = 30;
    let secret = word.split_once(':').map(|(_, secret)| secret);
    is_token(word) && secret.is_some_and(|secret| secret.len() >= SHORTEST_SECRET)
}

/// Whether a text has the form of a token. It is checked here because it becomes part of an address
/// (<https://core.telegram.org/bots/api#authorizing-your-bot>).
pub fn is_token(text: &str) -> bool {
    let of_secret = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    text.split_once(':').is_some_and(|(bot, secret)| {
        bot.parse::<u64>().is_ok() && !secret.is_empty() && secret.bytes().all(of_secret)
    })
}

/// Returns in words why [`crate::channels::telegram::check`] did not let a token be stored.
pub fn not_stored(error: &anyhow::Error, texts: &Texts) -> String {
    let reason = match error.downcast_ref::<CallError>() {
        Some(CallError::Unauthorized) => texts.get("login-unknown"),
        Some(trouble) => words::reason(trouble, texts),
        None => format!("{error:#}"),
    };
    texts.with("login-failed", &[("reason", Value::from(reason))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_token_in_what_was_pasted_is_taken() {
        const TOKEN: &str = "7000000001:AAFake-Token_0123456789abcdefghijklm";
        for pasted in [
            TOKEN.to_owned(),
            format!(" {TOKEN}\r\n"),
            format!("token: {TOKEN}"),
            format!("Use this token to access the HTTP API:\n{TOKEN}\nKeep it secure at 12:30."),
            format!("\"{TOKEN}\""),
            format!("<code>{TOKEN}</code>"),
            format!("\u{200b}{TOKEN}\u{feff}"),
            format!("BECKON_TELEGRAM_TOKEN={TOKEN}"),
            format!("https://api.telegram.org/bot/{TOKEN}/getMe {TOKEN}"),
        ] {
            assert_eq!(token_in(&pasted), TOKEN, "{pasted:?}");
        }
        let two = format!("{TOKEN} {}", TOKEN.replace("7000", "8000"));
        assert!(!is_token(token_in(&two)), "nobody knows which one");
        assert_eq!(token_in(" 7:x "), "7:x");
    }

    #[test]
    fn a_token_that_could_not_be_tried_says_nothing_of_cards() {
        let texts = Texts::load("en");
        let unreachable = CallError::Network("connection refused".into());
        let said = not_stored(&unreachable.clone().into(), &texts);
        assert_eq!(
            said,
            "Nothing was stored: Telegram cannot be reached (connection refused)"
        );
        assert!(words::trouble(&unreachable, &texts).contains("cards wait"));
    }

    #[test]
    fn what_would_change_the_address_is_no_token() {
        assert!(is_token("7000000001:AAFake-Token_0"));
        for text in ["", "7:", ":x", "a:b", "7:a/../b", "7:a?b", "7:a b", "/7:a"] {
            assert!(!is_token(text), "{text}");
        }
    }
}
