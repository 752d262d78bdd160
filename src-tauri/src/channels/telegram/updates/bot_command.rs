//! The commands that a human writes to the bot.
//!
//! Not here: what they lead to (`dispatch.rs`, `pairing.rs`), and the bot's menu (`words.rs`).

use beckon_core::{PresenceOverride, Span};

/// The commands of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::channels::telegram) enum BotCommand {
    Pending,
    Status,
    Said(PresenceOverride, Option<Span>),
    /// A length of being away or here that is not clear: `/away tomorrow`. It is not for ever.
    UnclearLength,
    Help,
}

impl BotCommand {
    /// Parses `/away 1h`, `/here@some_bot`, …; `None` for a command to another bot.
    pub(in crate::channels::telegram) fn parse(text: &str, bot: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let first = words.next()?;
        let (command, to) = first.split_once('@').unwrap_or((first, bot));
        if !to.eq_ignore_ascii_case(bot) {
            return None;
        }
        // People write `1 h` as well.
        let rest: String = words.collect();
        Some(match command {
            "/pending" => Self::Pending,
            "/status" => Self::Status,
            "/away" => Self::said(PresenceOverride::Away, &rest),
            "/here" => Self::said(PresenceOverride::Here, &rest),
            "/auto" => Self::Said(PresenceOverride::Auto, None),
            "/help" | "/start" => Self::Help,
            _ => return None,
        })
    }

    /// Whether a text is one of these commands with no more than it takes. A command with more
    /// behind it is a sentence.
    pub(in crate::channels::telegram) fn is_whole(text: &str, bot: &str) -> bool {
        let behind = text.split_whitespace().skip(1).count();
        match Self::parse(text, bot) {
            Some(Self::Said(_, Some(_))) => true,
            Some(Self::Said(_, None) | Self::UnclearLength) => behind <= 1,
            Some(Self::Help) if start_code(text).is_some() => behind == 1,
            Some(Self::Pending | Self::Status | Self::Help) => behind == 0,
            None => false,
        }
    }

    /// Whether a text is a command to another bot. "Your bot's username must end in 'bot'"
    /// (<https://core.telegram.org/bots/features#creating-a-new-bot>), so `/deploy@prod` is none.
    pub(in crate::channels::telegram) fn is_of_another_bot(text: &str, bot: &str) -> bool {
        let first = text.split_whitespace().next().unwrap_or_default();
        let Some((_, to)) = first.split_once('@') else {
            return false;
        };
        let is_bot = to.to_ascii_lowercase().ends_with("bot");
        is_bot && !to.eq_ignore_ascii_case(bot)
    }

    /// Whether it is one of these commands, to whichever bot.
    pub(in crate::channels::telegram) fn is_any(text: &str) -> bool {
        let first = text.split_whitespace().next().unwrap_or_default();
        let to = first.split_once('@').map_or("", |(_, bot)| bot);
        Self::parse(text, to).is_some()
    }

    fn said(said: PresenceOverride, length: &str) -> Self {
        if length.is_empty() {
            return Self::Said(said, None);
        }
        match beckon_client::config::parse_span(length) {
            Some(span) => Self::Said(said, Some(span)),
            None => Self::UnclearLength,
        }
    }
}

/// Returns the parameter of `/start` or `/start@bot`.
pub(in crate::channels::telegram) fn start_code(text: &str) -> Option<&str> {
    let (command, code) = text.trim().split_once(' ')?;
    let command = command.split('@').next()?;
    (command == "/start").then(|| code.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_understood_with_the_bots_name_and_with_a_length_of_time() {
        let parse = |text| BotCommand::parse(text, "some_bot");
        assert_eq!(parse("/pending@Some_Bot"), Some(BotCommand::Pending));
        let hour = Some(Span::minutes(60));
        assert_eq!(
            parse("/away 1h"),
            Some(BotCommand::Said(PresenceOverride::Away, hour))
        );
        assert_eq!(
            parse("/away@some_bot 1h"),
            Some(BotCommand::Said(PresenceOverride::Away, hour))
        );
        let said = |said, span| Some(BotCommand::Said(said, span));
        assert_eq!(parse("/here 1h"), said(PresenceOverride::Here, hour));
        assert_eq!(parse("/auto 1h"), said(PresenceOverride::Auto, None));
        assert_eq!(parse("/away 1 h"), said(PresenceOverride::Away, hour));
        assert_eq!(parse("/away"), said(PresenceOverride::Away, None));
        for unclear in ["/away tomorrow", "/here 0h", "/away 1h30", "/away -1h"] {
            assert_eq!(parse(unclear), Some(BotCommand::UnclearLength), "{unclear}");
        }
        assert_eq!(parse("/status"), Some(BotCommand::Status));
        assert_eq!(
            [parse("/help"), parse("/start")],
            [Some(BotCommand::Help); 2]
        );
        assert_eq!(parse("/dance"), None);
        assert_eq!(parse("/help@other_bot"), None, "that is none of ours");
    }

    #[test]
    fn what_goes_on_behind_a_command_is_a_sentence() {
        let is_whole = |text| BotCommand::is_whole(text, "some_bot");
        for command in [
            "/pending",
            "/status@some_bot",
            "/away 1 h",
            "/away tomorrow",
            "/auto",
            "/start aBc-_9",
            "/help ",
        ] {
            assert!(is_whole(command), "{command}");
        }
        for sentence in [
            "/start the server first",
            "/help me with that",
            "/here is what I think",
            "/auto is fine",
            "/status page",
            "/etc",
            "/status@other_bot",
        ] {
            assert!(!is_whole(sentence), "{sentence}");
        }
    }

    #[test]
    fn a_command_to_another_bot_names_a_bot() {
        let is_of_another = |text| BotCommand::is_of_another_bot(text, "some_bot");
        assert!(is_of_another("/status@Other_Bot now"));
        for own in [
            "/status@Some_Bot",
            "/status",
            "/deploy@prod",
            "/a b@other_bot",
        ] {
            assert!(!is_of_another(own), "{own}");
        }
    }

    #[test]
    fn the_code_is_found_behind_the_command() {
        assert_eq!(start_code("/start abc"), Some("abc"));
        assert_eq!(start_code("/start@some_bot abc "), Some("abc"));
        assert_eq!(start_code("/started abc"), None);
        assert_eq!(start_code("/start"), None);
    }
}
