//! Command lines among the arguments of a tool that Beckon does not know: `execute_command` of an MCP
//! server is given `{"command": "rm", "args": ["-rf", "/"]}`.
//!
//! Not here: what is dangerous about a line (`shell.rs`).

use crate::{Argument, Permission};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

/// What tools call the line that they run, in lower case and without signs between the words.
const LINES: [&str; 8] = [
    "cmd",
    "cmdline",
    "command",
    "commandline",
    "commands",
    "script",
    "shellcommand",
    "sh",
];
/// What they call the words that come after the program.
const WORDS: [&str; 4] = ["args", "arguments", "argv", "params"];

/// The command lines that its call is given.
pub(super) fn command_lines(permission: &Permission) -> impl Iterator<Item = String> {
    let arguments = &permission.input.arguments;
    let words = arguments.iter().filter(|given| is_named(given, &WORDS));
    let words: String = words.map(|given| format!(" {}", line(given))).collect();
    let lines = arguments.iter().filter(|given| is_named(given, &LINES));
    lines.map(move |given| format!("{}{words}", line(given)))
}

fn is_named(given: &Argument, names: &[&str]) -> bool {
    let letters = given.name.chars().filter(|sign| sign.is_alphanumeric());
    let name: String = letters.flat_map(char::to_lowercase).collect();
    names.contains(&name.as_str())
}

/// A list of words, which is known as JSON, reads as a line of quoted words.
fn line(given: &Argument) -> Cow<'_, str> {
    let inner = given.value.strip_prefix('[');
    match inner.and_then(|inner| inner.strip_suffix(']')) {
        Some(list) if list.trim_start().starts_with('"') => list.replace("\",", "\" ").into(),
        _ => given.value.as_str().into(),
    }
}
