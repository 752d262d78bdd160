//! The file `config.toml`: it is read with a limit, and changed as a person would do it, with its
//! line ends, its rights and the link behind which it is.
//!
//! Not here: the changes of its text (`edit`), and the meaning of the text (`reading`).

use super::UnusableConfig;
use super::edit::EditError;
use crate::platform::foreign;
use anyhow::Result;
use std::path::Path;

/// The byte order marks that Windows editors write before UTF-16, in either order (RFC 2781, 3.2).
const MARKS_OF_UTF_16: [[u8; 2]; 2] = [[0xff, 0xfe], [0xfe, 0xff]];

/// Reads the text of the file; a missing one is the same as an empty one.
///
/// # Errors
/// When it cannot be read, is no plain file or too large, or no UTF-8.
pub fn text(path: &Path) -> Result<String, UnusableConfig> {
    let unread = |reason: String| UnusableConfig::Unread {
        path: path.into(),
        reason,
    };
    let content = foreign::read(path).map_err(|error| unread(error.to_string()))?;
    decoded(path, content.as_deref().unwrap_or_default())
}

fn decoded(path: &Path, content: &[u8]) -> Result<String, UnusableConfig> {
    match str::from_utf8(content) {
        Ok(text) => Ok(text.to_owned()),
        Err(_) if is_utf_16(content) => Err(UnusableConfig::Utf16 { path: path.into() }),
        Err(error) => Err(UnusableConfig::Unread {
            path: path.into(),
            reason: error.to_string(),
        }),
    }
}

fn is_utf_16(content: &[u8]) -> bool {
    MARKS_OF_UTF_16.iter().any(|mark| content.starts_with(mark))
}

/// Changes the file, and returns its new text.
///
/// # Errors
/// When `edit` refuses (an [`EditError`]), the file is unusable (an [`UnusableConfig`]), or it
/// cannot be written; then it is as before.
pub fn change(
    path: &Path,
    mut edit: impl FnMut(&str) -> Result<String, EditError>,
) -> Result<String> {
    let mut now = String::new();
    foreign::change(path, |before| {
        let before = decoded(path, before.unwrap_or_default())?;
        let after = with_line_ends_of(&before, edit(&before)?);
        now.clone_from(&after);
        Ok((after != before).then(|| after.into_bytes()))
    })?;
    Ok(now)
}

/// Returns the new text with the line ends of the old one: the TOML library makes all of them
/// alike.
fn with_line_ends_of(before: &str, after: String) -> String {
    let lines = before.matches('\n').count();
    let is_of_windows = lines > 0 && before.matches("\r\n").count() == lines;
    if is_of_windows {
        after.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::config::edit::{self, Value};

    fn changed(text: &str, key: &str, value: &Value) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(&path, text).unwrap();
        let told = change(&path, |file| edit::set(file, key, Some(value))).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), told);
        told
    }

    #[test]
    fn line_ends_stay_as_they_are() {
        let value = Value::Bool(false);
        let unix = "# mine\nlanguage = \"en\"\n\n[notifications]\nsound = true # ding\n";
        for text in [unix.to_owned(), unix.replace('\n', "\r\n")] {
            let expected = text.replace("true", "false");
            assert_eq!(changed(&text, "notifications.sound", &value), expected);
        }
    }

    #[test]
    fn an_inline_table_stays_one_with_its_comments() {
        let text = "notifications = { sound = true } # mine\n# last\n";
        let after = changed(text, "notifications.sound", &Value::Bool(false));
        assert_eq!(after, text.replace("true", "false"));
        let after = changed(
            "notifications = {} # mine\n",
            "notifications.sound",
            &Value::Bool(false),
        );
        assert!(after.ends_with("} # mine\n"), "{after}");
        assert!(!Config::parse(&after).unwrap().0.notifications.sound);
    }

    #[test]
    fn what_is_no_text_is_named_as_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        assert_eq!(text(&path).unwrap(), "");
        for (content, utf_16) in [
            (&b"\xff\xfel\0"[..], true),
            (b"\xfe\xff\0l", true),
            (b"l\xe4nguage", false),
        ] {
            std::fs::write(&path, content).unwrap();
            let why = text(&path).unwrap_err();
            assert_eq!(matches!(why, UnusableConfig::Utf16 { .. }), utf_16, "{why}");
        }
        let large = std::fs::File::create(&path).unwrap();
        large.set_len(50_000_000).unwrap();
        assert!(text(&path).is_err());
    }
}
