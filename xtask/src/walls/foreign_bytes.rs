//! The check that bytes from outside become JSON in only a few files, which read leniently and
//! limit the size of what they take. Any other file that turns bytes into JSON fails the check.
//!
//! A text that has come through one of these files may be parsed anywhere (`serde_json::from_str`).

use crate::shape::source;
use crate::shell;
use anyhow::{Context as _, Result};

/// The calls that turn bytes, or a response, into JSON.
const READERS: [&str; 4] = [
    "serde_json::from_slice",
    "serde_json::from_reader",
    ".json().await",
    ".json::<",
];

/// The files that may read bytes from outside, and what they read.
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

/// Names each file that reads bytes from outside without being allowed to.
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

/// Tells whether the file is for fuzzing, which compares our reader with others; it is part of no
/// program.
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
