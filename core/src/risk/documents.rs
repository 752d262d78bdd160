//! Here-documents: what is written between `<<EOF` and `EOF` is text and no command, unless a shell
//! gets it.

use super::shell::{is_shell, program};
use alloc::collections::{BTreeSet, VecDeque};
use alloc::string::String;

/// The same line with blanks in their place, so that every other word stands where it stood.
pub(super) fn without_documents(line: &str) -> String {
    let rows: BTreeSet<&str> = line.lines().map(str::trim).collect();
    let (mut shown, mut ends) = (String::with_capacity(line.len()), VecDeque::new());
    for row in line.split_inclusive('\n') {
        let Some(end) = ends.front().copied() else {
            shown.push_str(row);
            // `$((1 << x))` is none.
            ends.extend(delimiters(row).filter(|end| rows.contains(end)));
            continue;
        };
        if row.trim() == end {
            ends.pop_front();
        }
        shown.extend(
            row.bytes()
                .map(|byte| if byte == b'\n' { '\n' } else { ' ' }),
        );
    }
    shown
}

/// What ends the documents that begin in this row.
fn delimiters(row: &str) -> impl Iterator<Item = &str> {
    let is_script = row.split("<<").next().unwrap_or_default();
    let is_script = is_script
        .split_whitespace()
        .any(|word| is_shell(program(word)));
    let begun = row.match_indices("<<").filter(move |_| !is_script);
    begun.filter_map(move |(at, _)| {
        let (before, after) = (&row[..at], &row[at + 2..]);
        if before.ends_with('<') || after.starts_with('<') {
            return None;
        }
        let word = after
            .trim_start_matches('-')
            .trim_start()
            .trim_start_matches(['"', '\'', '\\']);
        let long = word
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(word.len());
        Some(&word[..long]).filter(|word| !word.is_empty())
    })
}
