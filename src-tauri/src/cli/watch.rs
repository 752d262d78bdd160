//! The command `beckon watch`: live receipts with their latencies.

use super::{CommandContext, CommandResult, output, say, say_json_text};
use beckon_client::text::words;
use beckon_client::text::{Texts, Value};
use beckon_client::wire::{AskKind, WatchEvent, WatchLine};
use beckon_core::visible::exact;
use futures_util::StreamExt;
use sse_stream::SseStream;
use std::process::ExitCode;

pub(super) async fn run(context: &CommandContext, json: bool) -> CommandResult {
    let response = context.client()?.stream("/watch").await?;
    let mut lines = SseStream::from_bytes_stream(response.bytes_stream());
    loop {
        let next = tokio::select! {
            next = lines.next() => next,
            () = output::reader_goes() => return Ok(ExitCode::SUCCESS),
        };
        // An error means the end of Beckon, as the end of the stream does.
        let Some(Ok(line)) = next else { break };
        let Some(data) = line.data else { continue };
        match serde_json::from_str::<WatchLine>(&data) {
            Ok(_) if json => say_json_text(&data),
            Ok(watched) => say(&text(&context.texts, &watched)),
            Err(_) => {}
        }
        if output::failure().is_some() {
            return Ok(ExitCode::SUCCESS);
        }
    }
    if !json {
        say(&context.texts.get("watch-ended"));
    }
    Ok(ExitCode::SUCCESS)
}

fn text(texts: &Texts, watched: &WatchLine) -> String {
    let args = [
        (
            "what",
            Value::from(texts.get(&format!("watch-{}", watched.what))),
        ),
        ("topic", Value::from(topic(texts, watched))),
        ("outcome", Value::from(outcome(texts, watched))),
        ("ms", Value::from(watched.since_asked.unwrap_or_default())),
    ];
    let key = if watched.since_asked.is_some() {
        "watch-line"
    } else {
        "watch-line-plain"
    };
    texts.with(key, &args)
}

/// Returns what the line is about, in words; of a source its name.
fn topic(texts: &Texts, watched: &WatchLine) -> String {
    match (watched.kind, &watched.topic) {
        (Some(AskKind::Permission), Some(name)) => words::wish(texts, &exact(name).text),
        (_, topic) => topic.clone().or(watched.source.clone()).unwrap_or_default(),
    }
}

/// Returns how it ended, or where it was shown or answered.
fn outcome(texts: &Texts, watched: &WatchLine) -> String {
    let Some(word) = &watched.outcome else {
        return String::new();
    };
    let word = word.replace(' ', "-");
    texts.get(&match watched.what.known() {
        Some(WatchEvent::Shown) => format!("watch-on-{word}"),
        Some(WatchEvent::Answered) => format!("by-{word}"),
        _ => format!("watch-outcome-{word}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_client::text::languages;

    #[test]
    fn every_line_is_said_in_words_of_its_language() {
        let lines = [
            (WatchEvent::Shown, &["desktop", "telegram"][..]),
            (
                WatchEvent::Answered,
                &[
                    "notification",
                    "tray",
                    "window",
                    "cli",
                    "api",
                    "telegram",
                    "clock",
                ],
            ),
            (WatchEvent::Taken, &["answered"]),
            (
                WatchEvent::Settled,
                &[
                    "answered elsewhere",
                    "dismissed elsewhere",
                    "expired",
                    "gone",
                ],
            ),
        ];
        for language in languages() {
            let texts = Texts::load(language);
            for (what, word) in lines
                .iter()
                .flat_map(|(what, w)| w.iter().map(move |w| (what, w)))
            {
                let watched = WatchLine {
                    at: 0,
                    what: (*what).into(),
                    id: None,
                    source: None,
                    kind: None,
                    topic: None,
                    since_asked: None,
                    outcome: Some((*word).to_owned()),
                    responder: None,
                };
                let said = outcome(&texts, &watched);
                assert!(!said.contains('-'), "{language}: {said}");
            }
        }
    }

    #[test]
    fn leave_to_do_something_is_told_in_words_and_not_by_an_agents_own_name() {
        let line = r#"{"at":0,"what":"asked","id":"per_1","source":"local","kind":"permission",
            "topic":"doom_loop","since_asked":5,"outcome":null}"#;
        let watched: WatchLine = serde_json::from_str(line).unwrap();
        let said = text(&Texts::load("en"), &watched);
        assert!(
            said.contains("It is repeating itself. Keep going?"),
            "{said}"
        );
    }

    /// Keys that are composed are found by no search: here each event is named.
    #[test]
    fn every_event_has_a_word_in_every_language() {
        use WatchEvent as E;
        let (asks, answers) = (
            [
                E::Asked,
                E::Shown,
                E::Changed,
                E::Reopened,
                E::Attention,
                E::Settled,
            ],
            [E::Answered, E::Sent, E::Undelivered, E::Returned, E::Taken],
        );
        let rest = [E::Source, E::Presence, E::Held, E::Agreed];
        for language in languages() {
            let texts = Texts::load(language);
            for event in asks.iter().chain(&answers).chain(&rest) {
                let key = format!("watch-{}", beckon_client::wire::word(event));
                assert!(texts.has(&key), "{language}: {key}");
            }
        }
    }
}
