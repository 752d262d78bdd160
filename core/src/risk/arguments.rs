//! Command lines among the arguments of a tool that Beckon does not know: `execute_command` of an
//! MCP server is given `{"command": "rm", "args": ["-rf", "/"]}`, another one
//! `{"commands": [{"command": "rm", "args": […]}]}`.
//!
//! Not here: what is dangerous about a line (`shell.rs`).

use crate::{Argument, Permission};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The names of fields that hold the line that a tool runs, in lower case and without signs between
/// the words.
const LINES: [&str; 14] = [
    "bash",
    "cmd",
    "cmdline",
    "code",
    "command",
    "commandline",
    "commands",
    "executable",
    "program",
    "script",
    "shell",
    "shellcommand",
    "sh",
    "argv",
];
/// Names of fields with the words that come after the program.
const WORDS: [&str; 5] = ["args", "arguments", "argv", "params", "parameters"];
/// The deepest object or list in which such fields are looked for; no tool puts them deeper.
const DEEPEST: usize = 6;
/// The most lines that are read, and the most bytes of words that a line shares with others: more
/// than are looked at.
const MOST_LINES: usize = 4096;
const LONGEST_WORDS: usize = 16 * 1024;

/// Returns the command lines that the call is given, wherever they are in its arguments.
pub(super) fn command_lines(permission: &Permission) -> Vec<String> {
    let arguments = permission.input.arguments.iter();
    let fields = arguments.map(|Argument { name, value }| Field {
        name: Cow::Borrowed(name.as_str()),
        value,
    });
    let mut fields: Vec<_> = fields.collect();
    let program = permission.command.as_deref().unwrap_or_default();
    if !program.trim().is_empty() {
        // The other fields of the call may hold the program's words.
        fields.push(Field {
            name: "command".into(),
            value: program,
        });
    }
    let mut lines = Vec::new();
    of_object(&fields, 0, &mut lines);
    lines.retain(|line| line != program);
    lines.dedup();
    lines
}

/// A field of an object: a text as it is, anything else as JSON.
struct Field<'a> {
    name: Cow<'a, str>,
    value: &'a str,
}

fn of_object(fields: &[Field<'_>], depth: usize, lines: &mut Vec<String>) {
    let is = |field: &Field<'_>, names: &[&str]| is_named(&field.name, names);
    let is_argv = |field: &Field<'_>| is(field, &["argv"]);
    let has_program = fields
        .iter()
        .any(|field| is(field, &LINES) && !is_argv(field));
    let words = fields.iter().filter(|field| is(field, &WORDS));
    let words = words.filter(|_| has_program);
    let words: String = words
        .map(|field| format!(" {}", words_of(field.value)))
        .collect();
    let words = &words[..words.floor_char_boundary(LONGEST_WORDS)];
    for field in fields {
        let is_words = has_program && is_argv(field);
        if is(field, &LINES) && !is_words {
            of_value(field.value, words, depth, lines);
        } else {
            within(field.value, depth, lines);
        }
    }
}

/// Adds the lines of a field: one line, a list of words, or a list of lines.
fn of_value(value: &str, words: &str, depth: usize, lines: &mut Vec<String>) {
    if lines.len() >= MOST_LINES {
        return;
    }
    let Some(items) = items(value) else {
        lines.push(format!("{}{words}", text_of(value)));
        return;
    };
    if items.iter().any(|item| item.starts_with(['{', '['])) {
        within(value, depth, lines);
        return;
    }
    lines.push(format!("{}{words}", words_of(value)));
    // Each of several items may be a line itself.
    let all = items.iter().filter(|item| item.contains(' '));
    lines.extend(all.take(MOST_LINES).map(|item| text_of(item).into_owned()));
}

/// Looks for fields inside the value of a field.
fn within(value: &str, depth: usize, lines: &mut Vec<String>) {
    if depth >= DEEPEST || lines.len() >= MOST_LINES {
        return;
    }
    let value = value.trim();
    if let Some(inner) = value.strip_prefix('{') {
        let inner = inner.strip_suffix('}').unwrap_or(inner);
        let parts = parts(inner, ',');
        let fields = parts.iter().filter_map(|part| {
            let pair = self::parts(part, ':');
            let name = text_of(pair.first()?);
            let value = part.get(pair.first()?.len() + 1..)?.trim();
            Some(Field { name, value })
        });
        let fields: Vec<_> = fields.collect();
        let texts: Vec<_> = fields.iter().map(|field| text_of(field.value)).collect();
        let plain = fields.iter().zip(&texts).map(|(field, text)| Field {
            name: field.name.clone(),
            value: text.as_ref(),
        });
        of_object(&plain.collect::<Vec<_>>(), depth + 1, lines);
    } else if let Some(items) = items(value) {
        for item in items
            .into_iter()
            .filter(|item| item.starts_with(['{', '[']))
        {
            within(item, depth + 1, lines);
        }
    }
}

fn is_named(name: &str, names: &[&str]) -> bool {
    let letters = name.chars().filter(|sign| sign.is_alphanumeric());
    let name: String = letters.flat_map(char::to_lowercase).collect();
    names.contains(&name.as_str())
}

/// Returns the items of a list, as JSON.
fn items(value: &str) -> Option<Vec<&str>> {
    let inner = value.trim().strip_prefix('[')?.strip_suffix(']')?;
    let is_json = inner.trim_start().starts_with(['"', '{', '[']);
    is_json.then(|| parts(inner, ','))
}

/// Splits a value at signs that are outside of its texts, objects and lists.
fn parts(json: &str, sign: char) -> Vec<&str> {
    let mut open = 0_usize;
    let mut is_text = false;
    let mut is_escaped = false;

    let mut parts = Vec::new();
    let mut from = 0;
    for (at, c) in json.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_text => is_escaped = true,
            '"' => is_text = !is_text,
            _ if is_text => {}
            '{' | '[' => open += 1,
            '}' | ']' => open = open.saturating_sub(1),
            _ if c == sign && open == 0 => {
                parts.push(json[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(json[from..].trim());
    parts
}

/// Returns words as they are written after a program: a list as quoted words, a text as it is.
fn words_of(value: &str) -> String {
    let Some(items) = items(value) else {
        return text_of(value).into_owned();
    };
    let quoted = items.iter().map(|item| {
        let text = text_of(item).replace('\'', "'\\''");
        format!("'{text}' ")
    });
    quoted.collect::<String>().trim_end().into()
}

/// Returns a text without its quotes.
fn text_of(json: &str) -> Cow<'_, str> {
    let inner = json.trim().strip_prefix('"');
    let Some(inner) = inner.and_then(|inner| inner.strip_suffix('"')) else {
        return json.into();
    };
    let mut text = String::new();
    let mut signs = inner.chars();
    while let Some(c) = signs.next() {
        let next = if c == '\\' { signs.next() } else { Some(c) };
        let plain = match (c, next) {
            ('\\', Some('n')) => Some('\n'),
            ('\\', Some('t')) => Some('\t'),
            ('\\', Some('r')) => Some('\r'),
            ('\\', Some('u')) => {
                let digits: String = signs.by_ref().take(4).collect();
                u32::from_str_radix(&digits, 16)
                    .ok()
                    .and_then(char::from_u32)
            }
            _ => next,
        };
        text.extend(plain);
    }
    text.into()
}
