//! Who merely starts a command, and what is set for it: neither is what the command does.

use super::Risk;
use super::rules::Found;
use super::shell::{Word, program};
use alloc::vec::Vec;

/// Words of the shell that a command follows.
const KEYWORDS: [&str; 11] = [
    "if", "then", "elif", "else", "while", "until", "do", "!", "{", "builtin", "coproc",
];
const STARTERS: [&str; 12] = [
    "env", "nohup", "time", "nice", "command", "exec", "xargs", "setsid", "stdbuf", "timeout",
    "ionice", "cmd",
];
/// Who gives a command an administrator's rights.
const ADMINS: [&str; 6] = ["sudo", "doas", "pkexec", "run0", "gsudo", "su"];
/// Their options that have a value.
const OF_STARTERS: [&str; 10] = ["-n", "-I", "-P", "-L", "-d", "-u", "-C", "-s", "-k", "-E"];
const OF_ADMINS: [&str; 7] = ["-u", "-g", "-h", "-p", "-C", "-D", "-c"];

/// The words from the program on. Who makes it an administrator's is noted.
pub(super) fn without<'a>(mut words: &'a [Word], found: &mut Vec<Found>) -> &'a [Word] {
    while let [first, rest @ ..] = words {
        let name = program(&first.text);
        let asks = || {
            rest.first()
                .is_some_and(|word| word.text.eq_ignore_ascii_case("-v"))
        };
        if first.text == "function" {
            words = rest.get(1..).unwrap_or_default();
        } else if is_setting(&first.text) || KEYWORDS.contains(&first.text.as_str()) {
            words = rest;
        } else if ADMINS.contains(&name) {
            found.push((Risk::Admin, first.range.clone()));
            words = without_options(rest, name, &OF_ADMINS);
        } else if STARTERS.contains(&name) && !(name == "command" && asks()) {
            // `env` and its like have none of these; `xargs -E` and `timeout -k` have.
            words = without_options(rest, name, &OF_STARTERS);
            if name == "timeout" {
                words = words.get(1..).unwrap_or_default();
            }
        } else {
            break;
        }
    }
    words
}

fn without_options<'a>(mut words: &'a [Word], name: &str, with_value: &[&str]) -> &'a [Word] {
    let is_option =
        |word: &Word| word.text.starts_with('-') || name == "cmd" && word.text.starts_with('/');
    while let [option, rest @ ..] = words
        && is_option(option)
    {
        let has_value = with_value.contains(&option.text.as_str());
        words = if has_value {
            rest.get(1..).unwrap_or_default()
        } else {
            rest
        };
    }
    words
}

/// `NAME=value`
fn is_setting(word: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}
