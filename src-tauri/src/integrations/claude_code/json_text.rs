//! The text of a JSON file that somebody else wrote, changed in places. What is not changed stays
//! as it is, to the byte. New parts are written as the file writes its own: its indentation, its
//! line ends, or all in one line.
//!
//! Of two members of one name the last counts, as `JSON.parse` has it (ECMA-262, 25.5.1). Not here:
//! what is changed.

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};
use std::ops::Range;

/// A mark that some editors of Windows put before the text; Claude Code passes it over.
const BYTE_ORDER_MARK: &str = "\u{feff}";
const USUAL_INDENT: &str = "  ";

/// The text of a file whose root is an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JsonText {
    has_mark: bool,
    text: String,
}

/// A member of an object, or an item of a list, which has no name.
#[derive(Debug)]
struct Child {
    name: Option<String>,
    /// The range with the child's name.
    whole: Range<usize>,
    value: Range<usize>,
}

/// The way from the root to a value, by the number of each child.
pub(super) type ChildPath = Vec<usize>;

impl JsonText {
    /// Reads a file; an empty one counts as an empty object.
    ///
    /// # Errors
    /// When it is no JSON, or no object.
    pub(super) fn read(file: &[u8]) -> Result<Self> {
        // In UTF-16 each plain letter has a zero byte.
        let text = str::from_utf8(file)
            .ok()
            .filter(|text| !text.contains('\0'));
        let text = text.context("its text is in another encoding: save it as UTF-8")?;
        let (has_mark, text) = match text.strip_prefix(BYTE_ORDER_MARK) {
            Some(text) => (true, text),
            None => (false, text),
        };
        let is_empty = text.trim().is_empty();
        let text = if is_empty { "{}\n" } else { text };
        serde_json::from_str::<IgnoredAny>(text)?;
        ensure!(text.trim_start().starts_with('{'), "it is no object");
        Ok(Self {
            has_mark,
            text: text.to_owned(),
        })
    }

    /// Returns the text as it is written to the file.
    pub(super) fn into_file(self) -> Vec<u8> {
        let mark = if self.has_mark { BYTE_ORDER_MARK } else { "" };
        format!("{mark}{}", self.text).into_bytes()
    }

    /// Returns the value at that place.
    pub(super) fn value(&self, path: &[usize]) -> Value {
        let value = self.range(path).map(|range| &self.text[range]);
        value
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default()
    }

    /// Returns the places of all members of that name, the one that counts last.
    pub(super) fn named(&self, path: &[usize], name: &str) -> Vec<ChildPath> {
        let children = self.children(path).into_iter().enumerate();
        let named = children.filter(|(_, child)| child.name.as_deref() == Some(name));
        named.map(|(number, _)| extended(path, number)).collect()
    }

    /// Returns the place of the member of that name.
    pub(super) fn member(&self, path: &[usize], name: &str) -> Option<ChildPath> {
        self.named(path, name).pop()
    }

    /// Returns the places of all items of a list.
    pub(super) fn items(&self, path: &[usize]) -> Vec<ChildPath> {
        let count = self.children(path).len();
        (0..count).map(|number| extended(path, number)).collect()
    }

    /// Tells whether there is an object there.
    pub(super) fn is_object(&self, path: &[usize]) -> bool {
        self.begins_with(path, '{')
    }

    /// Tells whether there is a list there.
    pub(super) fn is_list(&self, path: &[usize]) -> bool {
        self.begins_with(path, '[')
    }

    fn begins_with(&self, path: &[usize], sign: char) -> bool {
        self.range(path)
            .is_some_and(|range| self.text[range].starts_with(sign))
    }

    /// Replaces the value there.
    pub(super) fn replace(&mut self, path: &[usize], value: &Value) -> Result<()> {
        let range = self.range(path).context("there is no such place")?;
        let fresh = self.written(value, &self.indent_at(range.start), self.is_in_one_line())?;
        self.text.replace_range(range, &fresh);
        Ok(())
    }

    /// Adds a child at the end: a member if it has a name, else an item.
    pub(super) fn append(
        &mut self,
        path: &[usize],
        name: Option<&str>,
        value: &Value,
    ) -> Result<()> {
        let range = self.range(path).context("there is no such place")?;
        let children = self.children(path);
        match children.last() {
            Some(last) => self.append_behind(last, &range, children.len(), name, value),
            None => self.fill(&range, name, value),
        }
    }

    fn append_behind(
        &mut self,
        last: &Child,
        container: &Range<usize>,
        count: usize,
        name: Option<&str>,
        value: &Value,
    ) -> Result<()> {
        let before = &self.text[container.start..last.whole.start];
        let blank = before.len() - before.trim_end().len();
        let blank = &before[before.len() - blank..];
        let (separator, indent, in_one_line) = match blank.rsplit_once('\n') {
            Some((_, indent)) => (
                format!("{}{indent}", self.line_end()),
                indent.to_owned(),
                false,
            ),
            None if count == 1 => (String::from(" "), String::new(), true),
            None => (blank.to_owned(), String::new(), true),
        };
        let child = self.child(name, value, &indent, in_one_line)?;
        let end = last.whole.end;
        self.text.insert_str(end, &format!(",{separator}{child}"));
        Ok(())
    }

    /// Puts the first child into an empty container.
    fn fill(&mut self, container: &Range<usize>, name: Option<&str>, value: &Value) -> Result<()> {
        let is_root = self.text[..container.start].trim().is_empty();
        let in_one_line = self.is_in_one_line() && !is_root;
        let outer = self.indent_at(container.start);
        let indent = format!("{outer}{}", self.indent());
        let child = self.child(name, value, &indent, in_one_line)?;
        let inside = if in_one_line {
            child
        } else {
            format!("{0}{indent}{child}{0}{outer}", self.line_end())
        };
        let range = container.start + 1..container.end - 1;
        self.text.replace_range(range, &inside);
        Ok(())
    }

    /// Removes a child, with one comma.
    pub(super) fn remove(&mut self, path: &[usize]) {
        let Some((number, parent)) = path.split_last() else {
            return;
        };
        let (children, container) = (self.children(parent), self.range(parent));
        let (Some(child), Some(container)) = (children.get(*number), container) else {
            return;
        };
        let before = number
            .checked_sub(1)
            .and_then(|number| children.get(number));
        let range = match (before, children.get(number + 1)) {
            (_, Some(next)) => child.whole.start..next.whole.start,
            (Some(before), None) => before.whole.end..child.whole.end,
            (None, None) => container.start + 1..container.end - 1,
        };
        self.text.replace_range(range, "");
    }

    fn child(
        &self,
        name: Option<&str>,
        value: &Value,
        indent: &str,
        in_one_line: bool,
    ) -> Result<String> {
        let value = self.written(value, indent, in_one_line)?;
        let Some(name) = name else {
            return Ok(value);
        };
        Ok(format!("{}: {value}", serde_json::to_string(name)?))
    }

    fn written(&self, value: &Value, indent: &str, in_one_line: bool) -> Result<String> {
        if in_one_line {
            return Ok(serde_json::to_string(value)?);
        }
        let (mut bytes, unit) = (Vec::new(), self.indent());
        let formatter = PrettyFormatter::with_indent(unit.as_bytes());
        value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter))?;
        let text = String::from_utf8(bytes)?;
        Ok(text.replace('\n', &format!("{}{indent}", self.line_end())))
    }

    fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") {
            "\r\n"
        } else {
            "\n"
        }
    }

    fn is_in_one_line(&self) -> bool {
        !self.text.trim().contains('\n') && !self.children(&[]).is_empty()
    }

    /// Returns the blanks by which the file indents.
    fn indent(&self) -> String {
        let children = self.children(&[]);
        let first = children.first().map(|child| child.whole.start);
        let indent = first.map(|start| self.indent_at(start));
        indent
            .filter(|indent| !indent.is_empty())
            .unwrap_or_else(|| USUAL_INDENT.into())
    }

    /// Returns the blanks with which the line begins in which that place is.
    fn indent_at(&self, at: usize) -> String {
        let line = self.text[..at].rsplit('\n').next().unwrap_or_default();
        let blank = |sign: &char| matches!(sign, ' ' | '\t');
        line.chars().take_while(blank).collect()
    }

    fn range(&self, path: &[usize]) -> Option<Range<usize>> {
        let start = self.text.len() - self.text.trim_start().len();
        let mut range = start..value_end(self.text.as_bytes(), start);
        for number in path {
            let child = children(&self.text, &range).into_iter().nth(*number)?;
            range = child.value;
        }
        Some(range)
    }

    fn children(&self, path: &[usize]) -> Vec<Child> {
        let range = self.range(path);
        range
            .map(|range| children(&self.text, &range))
            .unwrap_or_default()
    }
}

fn extended(path: &[usize], number: usize) -> ChildPath {
    path.iter().copied().chain([number]).collect()
}

/// Returns the children of the container that begins there. The text was read as JSON before, so
/// nothing in it surprises.
fn children(text: &str, container: &Range<usize>) -> Vec<Child> {
    let bytes = text.as_bytes();
    let is_object = bytes.get(container.start) == Some(&b'{');
    let is_list = bytes.get(container.start) == Some(&b'[');
    let mut children = Vec::new();
    if !is_object && !is_list {
        return children;
    }

    let last = container.end - 1;
    let mut at = blank_end(bytes, container.start + 1);
    while at < last {
        let start = at;
        let mut name = None;
        if is_object {
            let end = value_end(bytes, at);
            name = serde_json::from_str(&text[at..end]).ok();
            let colon = blank_end(bytes, end);
            at = blank_end(bytes, colon + 1);
        }
        let end = value_end(bytes, at);
        children.push(Child {
            name,
            whole: start..end,
            value: at..end,
        });
        let comma = blank_end(bytes, end);
        at = blank_end(bytes, comma + 1);
    }
    children
}

fn blank_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// Returns the end of the value that begins there. It does not recurse, since others decide how
/// deep their lists are.
fn value_end(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = text_end(bytes, at),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            _ => at = plain_end(bytes, at),
        }
        if depth == 0 {
            return at;
        }
    }
    at
}

fn text_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

/// Returns the end of a number, a word, or what stands between two values.
fn plain_end(bytes: &[u8], start: usize) -> usize {
    let is_more = |byte: &u8| {
        !matches!(byte, b'"' | b'{' | b'[' | b'}' | b']' | b',') && !byte.is_ascii_whitespace()
    };
    let more = bytes[start..]
        .iter()
        .take_while(|byte| is_more(byte))
        .count();
    start + more.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> JsonText {
        JsonText::read(text.as_bytes()).unwrap()
    }

    fn written(json: &JsonText) -> String {
        String::from_utf8(json.clone().into_file()).unwrap()
    }

    #[test]
    fn what_is_added_is_written_as_the_file_is_and_goes_without_a_trace() {
        let added = json!({ "b": [1] });
        for (before, after) in [
            ("{\"a\":1}", "{\"a\":1, \"x\": {\"b\":[1]}}"),
            (
                "{ \"a\": 1, \"c\": 2 }",
                "{ \"a\": 1, \"c\": 2, \"x\": {\"b\":[1]} }",
            ),
            (
                "{\n\t\"a\": 1\n}\n",
                "{\n\t\"a\": 1,\n\t\"x\": {\n\t\t\"b\": [\n\t\t\t1\n\t\t]\n\t}\n}\n",
            ),
            (
                "{\r\n \"a\": 1\r\n}",
                "{\r\n \"a\": 1,\r\n \"x\": {\r\n  \"b\": [\r\n   1\r\n  ]\r\n }\r\n}",
            ),
            (
                "{}\n",
                "{\n  \"x\": {\n    \"b\": [\n      1\n    ]\n  }\n}\n",
            ),
        ] {
            let mut json = read(before);
            json.append(&[], Some("x"), &added).unwrap();
            assert_eq!(written(&json), after);
            let place = json.member(&[], "x").unwrap();
            assert_eq!(json.value(&place), added);
            json.remove(&place);
            assert_eq!(written(&json), before);
        }
    }

    #[test]
    fn a_child_goes_with_one_comma_wherever_it_is() {
        for (number, left) in [
            (0, "[2, [3, \"]\"], {\"a\": \"\\\"}\"}]"),
            (1, "[1, [3, \"]\"], {\"a\": \"\\\"}\"}]"),
            (3, "[1, 2, [3, \"]\"]]"),
        ] {
            let mut json = read("{\"l\": [1, 2, [3, \"]\"], {\"a\": \"\\\"}\"}]}");
            json.remove(&[0, number]);
            assert_eq!(written(&json), format!("{{\"l\": {left}}}"));
        }
    }

    #[test]
    fn of_two_members_of_one_name_the_last_counts() {
        let json = read(r#"{"a": 1, "b": 2, "\u0061": 3}"#);
        assert_eq!(json.value(&json.member(&[], "a").unwrap()), json!(3));
        assert_eq!(json.named(&[], "a"), [[0], [2]]);
    }

    #[test]
    fn a_mark_stays_and_an_empty_file_is_an_empty_object() {
        assert_eq!(written(&read("\u{feff}{ }")), "\u{feff}{ }");
        for empty in ["", " \r\n", "\u{feff}"] {
            assert!(
                written(&read(empty))
                    .trim_start_matches('\u{feff}')
                    .starts_with("{}")
            );
        }
        for no_object in ["[]", "7", "{ // note\n}", "{\"a\": 1,}", "{} {}", "\u{ff}"] {
            assert!(JsonText::read(no_object.as_bytes()).is_err(), "{no_object}");
        }
        assert!(JsonText::read(b"{\"a\": \"\xff\"}").is_err());
    }

    #[test]
    fn however_deep_a_file_is_it_is_read() {
        let text = format!("{{\"a\": {}{}}}", "[".repeat(100), "]".repeat(100));
        let mut json = read(&text);
        json.append(&[], Some("b"), &json!(1)).unwrap();
        assert_eq!(json.value(&[1]), json!(1));
    }
}
