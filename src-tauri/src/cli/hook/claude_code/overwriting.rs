//! The text that a Write would overwrite, and the cell of a notebook that an edit replaces: the
//! hook runs on the machine of the file, so a human is shown what goes away, as Claude Code's own
//! dialog shows it.
//!
//! Not here: the rest of a permission (`permission`).

use super::ToolUse;
use crate::cli::change::{Change, signed};
use serde_json::Value;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// The largest file that is read, in bytes: nobody would look at all of a larger one, and the agent
/// waits.
const LARGEST: u64 = 1024 * 1024;
/// A notebook has its pictures in it.
const LARGEST_NOTEBOOK: u64 = 16 * 1024 * 1024;
/// A disk is read within this time.
const READ_WITHIN: Duration = Duration::from_secs(2);

/// The file that lies where a tool wants to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ExistingFile {
    /// A text.
    Text(String),
    /// Something that is not read or cannot be shown.
    Hidden,
}

impl ExistingFile {
    /// Looks for what a tool replaces; `None` where there is nothing, or for a tool that replaces nothing.
    pub(super) fn before(call: &ToolUse, directory: &str) -> Option<Self> {
        match call.tool_name.as_str() {
            "Write" => Self::of_path(&call.tool_input, directory),
            "Edit" if call.tool_input["replace_all"] == true => {
                Self::of_path(&call.tool_input, directory)
            }
            "NotebookEdit" => Self::cell(&call.tool_input, directory),
            _ => None,
        }
    }

    fn of_path(input: &Value, directory: &str) -> Option<Self> {
        let path = input.get("file_path").and_then(Value::as_str)?;
        let path = Path::new(directory).join(path);

        let about = fs::metadata(&path).ok()?;
        // A pipe or a device would never end.
        if !about.is_file() || about.len() > LARGEST {
            return Some(Self::Hidden);
        }
        Some(read(path, LARGEST).map_or(Self::Hidden, Self::Text))
    }

    /// Looks for the cell that goes away. A new one replaces none.
    fn cell(input: &Value, directory: &str) -> Option<Self> {
        if input["edit_mode"] == "insert" {
            return None;
        }

        let path = input.get("notebook_path").and_then(Value::as_str)?;
        let path = Path::new(directory).join(path);
        let is_file = fs::metadata(&path).is_ok_and(|about| about.is_file());
        let notebook = is_file.then(|| read(path, LARGEST_NOTEBOOK)).flatten();
        let id = input["cell_id"].as_str();
        let source = notebook
            .zip(id)
            .and_then(|(notebook, id)| cell_source(&notebook, id));
        Some(source.map_or(Self::Hidden, Self::Text))
    }

    /// Returns it, where it can be shown.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Hidden => None,
        }
    }

    /// Returns how many lines go away when that is written; `None` if that is unknown.
    pub(super) fn lines_lost(&self, content: &str) -> Option<usize> {
        match self {
            Self::Text(before) => Some(Change::between(before, content).lines_removed()),
            Self::Hidden => None,
        }
    }

    /// Returns the line ends before and after that is written, where they are others.
    pub(super) fn other_line_ends(&self, content: &str) -> Option<(LineEnds, LineEnds)> {
        let before = LineEnds::of(self.text()?)?;
        let after = LineEnds::of(content)?;
        (before != after).then_some((before, after))
    }

    /// Returns in how many places the file has that text; `None` if that is unknown. Claude Code
    /// looks for it with plain line ends.
    pub(super) fn count(&self, text: &str) -> Option<usize> {
        let content = self.text()?.replace("\r\n", "\n");
        Some(content.matches(&text.replace("\r\n", "\n")).count())
    }

    /// Returns the change that writing makes of it.
    pub(super) fn change(&self, content: &str) -> String {
        match self {
            Self::Text(before) => Change::between(before, content).to_diff(),
            Self::Hidden => signed('+', content.lines()).join("\n"),
        }
    }
}

/// The way in which the lines of a text end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// A line feed alone.
    Lf,
    /// A carriage return and a line feed.
    CrLf,
    /// Some lines end so, and some so.
    Mixed,
}

impl LineEnds {
    /// Returns those of a text that has any.
    fn of(text: &str) -> Option<Self> {
        let all = text.matches('\n').count();
        let long = text.matches("\r\n").count();
        match (all, long) {
            (0, _) => None,
            (_, 0) => Some(Self::Lf),
            (all, long) if all == long => Some(Self::CrLf),
            _ => Some(Self::Mixed),
        }
    }

    /// Returns their name among programmers; `None` for a mixture.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::Lf => Some("LF"),
            Self::CrLf => Some("CRLF"),
            Self::Mixed => None,
        }
    }
}

/// Returns the source of a cell by its id, or by its place where Claude Code calls it so: `cell-0`.
fn cell_source(notebook: &str, id: &str) -> Option<String> {
    let notebook: Value = serde_json::from_str(notebook).ok()?;
    let cells = notebook["cells"].as_array()?;
    let by_place = || {
        let place: usize = id.strip_prefix("cell-")?.parse().ok()?;
        cells.get(place)
    };
    let cell = cells
        .iter()
        .find(|cell| cell["id"] == id)
        .or_else(by_place)?;
    match &cell["source"] {
        Value::String(source) => Some(source.clone()),
        Value::Array(lines) => lines.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// Returns the text of a file. One that has grown meanwhile, or has bytes that no text has, is none; nor is
/// one that looks like a file and says nothing, as some of the system's do.
fn read(path: PathBuf, largest: u64) -> Option<String> {
    let (done, text) = sync_channel(1);
    let reader = move || {
        let mut text = String::new();
        let opened = File::open(path);
        let read = opened.and_then(|file| file.take(largest + 1).read_to_string(&mut text));
        let is_whole = read.is_ok_and(|read| read as u64 <= largest);
        // After so long the receiver may be gone.
        let _ = done.send((is_whole && !text.contains('\0')).then_some(text));
    };
    std::thread::Builder::new().spawn(reader).ok()?;
    text.recv_timeout(READ_WITHIN).ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(before: &str, after: &str) -> String {
        ExistingFile::Text(before.into()).change(after)
    }

    #[test]
    fn what_goes_away_is_shown_with_a_few_lines_around_it() {
        assert_eq!(change("a\nb\nc\n", "a\nx\nc\n"), " a\n-b\n+x\n c");
        assert_eq!(change("a\nb\n", ""), "-a\n-b");
        assert_eq!(change("", "a\n"), "+a");
        assert_eq!(change("a\na\na\n", "a\na\n"), " a\n a\n-a");
        assert_eq!(change("a\n", "a\n"), " a");

        let long: String = (0..9).map(|line| format!("{line}\n")).collect();
        let changed = long.replace("4\n", "four\n");
        assert_eq!(change(&long, &changed), " 1\n 2\n 3\n-4\n+four\n 5\n 6\n 7");
    }

    #[test]
    fn other_line_ends_are_told_where_both_have_some() {
        let ends =
            |before: &str, after: &str| ExistingFile::Text(before.into()).other_line_ends(after);
        assert_eq!(
            ends("a\r\nb\r\n", "a\nb\n"),
            Some((LineEnds::CrLf, LineEnds::Lf))
        );
        assert_eq!(
            ends("a\nb\n", "a\r\nb\n"),
            Some((LineEnds::Lf, LineEnds::Mixed))
        );
        assert_eq!(ends("a\r\nb\r\n", "c\r\n"), None);
        assert_eq!(ends("a", "a\nb\n"), None);
        assert_eq!(
            ends("a\rb\n", "a\n"),
            None,
            "a carriage return alone ends no line"
        );
    }

    #[test]
    fn places_are_counted_whatever_ends_the_lines() {
        let file = ExistingFile::Text("a\r\nb\r\na\r\nb\r\n".into());
        assert_eq!(file.count("a\nb"), Some(2));
        assert_eq!(file.count("c"), Some(0));
        assert_eq!(ExistingFile::Hidden.count("a"), None);
    }

    #[test]
    fn lines_that_go_away_are_counted() {
        let lost = |before: &str, after: &str| ExistingFile::Text(before.into()).lines_lost(after);
        assert_eq!(lost("a\nb\nc\n", "new\n"), Some(3));
        assert_eq!(lost("a\nb\nc\n", "a\nb\nc\nd\n"), Some(0));
        assert_eq!(ExistingFile::Hidden.lines_lost("x"), None);
    }
}
