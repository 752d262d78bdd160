//! The one door for what comes from outside: bytes of others become JSON in a few files, which read
//! leniently and cap what they take. Whoever turns bytes into JSON elsewhere fails the check.
//!
//! Not here: text that has come through a door. It may be looked at again (`serde_json::from_str`).

use crate::shape::source;
use crate::shell;
use anyhow::{Context as _, Result};

/// Turns bytes, or an answer, into JSON.
const READERS: [&str; 4] = [
    "serde_json::from_slice",
    "serde_json::from_reader",
    ".json().await",
    ".json::<",
];

/// The files that may, and what they read.
const DOORS: [(&str, &str); 9] = [
    ("client/src/json.rs", "the lenient reader itself"),
    ("src-tauri/src/channels/telegram/api/answer.rs", "Telegram"),
    ("src-tauri/src/sources/http.rs", "agents' servers"),
    (
        "client/src/connection/endpoint.rs",
        "what a Beckon of this home has written",
    ),
    (
        "src-tauri/src/gui/window/doctor.rs",
        "what our own program says",
    ),
    (
        "src-tauri/src/hub/inspection.rs",
        "the clock of the hub's server, for doctor",
    ),
    (
        "src-tauri/src/hub/guard",
        "what a hub's server says; one that is odd is not listened to",
    ),
    (
        "src-tauri/src/cli/mcp/transport",
        "ids of messages as they are written; the messages themselves are read by the reader",
    ),
    ("src-tauri/src/updates", "signed by the project, or our own"),
];

/// Names each file beside the doors that reads bytes of others.
pub(super) fn objections() -> Result<Vec<String>> {
    let mut objections = Vec::new();
    for source in source::all()? {
        if is_door(&source.path) || is_fuzzing(&source.path) {
            continue;
        }
        let file = shell::root().join(&source.path);
        let text = std::fs::read_to_string(&file)
            .with_context(|| format!("failed to read {}", source.path))?;
        if let Some(reader) = reader_in(&text) {
            let path = &source.path;
            objections.push(format!(
                "{path} reads bytes by {reader}, beside the doors (xtask/src/walls/foreign_bytes.rs)"
            ));
        }
    }
    Ok(objections)
}

/// Compares what the reader makes of bytes with what others make of them; in no program.
fn is_fuzzing(path: &str) -> bool {
    path.ends_with("fuzzing.rs") || path.contains("/fuzzing/")
}

fn is_door(path: &str) -> bool {
    let is_product = path.starts_with("src-tauri/src/") || path.starts_with("client/src/");
    !is_product || DOORS.iter().any(|(door, _)| path.starts_with(door))
}

/// Returns how a file reads bytes, its tests left out.
fn reader_in(text: &str) -> Option<&'static str> {
    let product = text
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default();
    READERS.into_iter().find(|reader| product.contains(reader))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_read_beside_the_doors_are_found() {
        let read = "let a: A = serde_json::from_slice(&bytes)?;\n";
        assert_eq!(reader_in(read), Some("serde_json::from_slice"));
        assert_eq!(reader_in("response.json().await?"), Some(".json().await"));

        let text = "let a: A = serde_json::from_str(&data)?;\n";
        assert_eq!(reader_in(text), None);
        assert_eq!(
            reader_in(&format!("#[cfg(test)]\nmod tests {{ {read} }}")),
            None
        );

        assert!(is_door("src-tauri/src/updates/feed.rs"));
        assert!(!is_door("src-tauri/src/sources/opencode/events.rs"));
    }
}
