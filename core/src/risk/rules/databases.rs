//! Statements of databases that throw data away.

use super::Called;
use alloc::vec::Vec;
use core::ops::Range;

/// The programs that are given statements.
const CLIENTS: [&str; 18] = [
    "psql",
    "pgcli",
    "mysql",
    "mariadb",
    "mycli",
    "sqlite3",
    "sqlite",
    "litecli",
    "duckdb",
    "mongosh",
    "mongo",
    "cqlsh",
    "sqlcmd",
    "clickhouse-client",
    "cockroach",
    "usql",
    "snowsql",
    "redis-cli",
];

/// Whether a program is given statements.
pub(in crate::risk) fn is_client(name: &str) -> bool {
    CLIENTS.contains(&name)
}

/// Returns the last word in which a statement throws data away, or starts a command.
pub(super) fn last(called: &Called<'_>) -> Option<usize> {
    if !is_client(called.name.as_ref()) {
        return None;
    }
    let is_one = |at: &usize| {
        let text = called.words[*at].text();
        let escapes = text.contains("\\!") || text.trim_start().starts_with(".shell");
        escapes || !destroyers(text).is_empty()
    };
    (1..called.words.len()).rev().find(is_one)
}

/// Returns the places where a text throws data away.
pub(in crate::risk) fn destroyers(text: &str) -> Vec<Range<usize>> {
    const CALLS: [&str; 5] = [
        "dropDatabase(",
        ".drop(",
        "deleteMany(",
        "deleteOne(",
        ".remove(",
    ];
    let calls = CALLS.iter().filter_map(|call| {
        let at = text.find(call)?;
        Some(at..at + call.len() - 1)
    });
    let words: Vec<Range<usize>> = words(text).collect();
    let pairs = words.windows(2).filter_map(|pair| {
        let [first, second] = pair else { return None };
        let is_one = destroys(&text[first.clone()], &text[second.clone()]);
        is_one.then_some(first.start..second.end)
    });
    pairs.chain(calls).collect()
}

fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .map(move |word| {
            let start = text[at..].find(word).map_or(at, |skip| at + skip);
            at = start + word.len();
            start..at
        })
        .filter(|range| !range.is_empty())
}

fn destroys(first: &str, second: &str) -> bool {
    const THINGS: [&str; 10] = [
        "table", "database", "schema", "column", "view", "index", "user", "role", "owned",
        "keyspace",
    ];
    let second = second.to_ascii_lowercase();
    match first.to_ascii_lowercase().as_str() {
        "drop" => THINGS.contains(&second.as_str()),
        "delete" => second == "from",
        "truncate" => !second.is_empty(),
        _ => false,
    }
}
