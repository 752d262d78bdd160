//! The walls between the rooms, which say which room may name which other. An edge that is not in
//! the table fails `cargo xtask test`; so does one that is not needed any more.
//!
//! A room is a module of a crate's root; the window program is one. Only paths that begin with
//! `crate::` or the name of one of our crates are read: within a room files may name each other as
//! they like. Some calls are allowed in a few files only (`walls/guarded_calls.rs`), bytes from
//! outside are read in few (`walls/foreign_bytes.rs`), and every text that is looked up must exist
//! (`walls/texts.rs`).

mod edges;
mod foreign_bytes;
mod guarded_calls;
mod table;
mod texts;

pub(crate) use guarded_calls::is_guarded;

use anyhow::{Result, bail};
use edges::Edges;
use std::collections::{BTreeMap, BTreeSet};
use table::ALLOWED;

/// Checks the code against the table.
pub(crate) fn walls() -> Result<()> {
    let edges = edges::between_rooms()?;
    let mut objections: Vec<String> = forbidden(&edges).chain(unused(&edges)).collect();
    objections.extend(foreign_bytes::objections()?);
    objections.extend(guarded_calls::objections()?);
    objections.extend(texts::objections()?);
    if !objections.is_empty() {
        bail!(
            "{}\nthe tables are xtask/src/walls/table.rs and guarded_calls.rs",
            objections.join("\n")
        );
    }
    println!(
        "{} edges between rooms, all of them in the table",
        edges.len()
    );
    Ok(())
}

fn is_allowed(from: &str, to: &str) -> bool {
    ALLOWED
        .iter()
        .any(|row| row.room == from && row.may_name.contains(&to))
}

fn forbidden(edges: &Edges) -> impl Iterator<Item = String> + '_ {
    let outside = edges.iter().filter(|((from, to), _)| !is_allowed(from, to));
    outside.map(|((from, to), files)| {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        format!(
            "{from} must not name {to}, and does in {}",
            files.join(", ")
        )
    })
}

fn unused(edges: &Edges) -> impl Iterator<Item = String> + '_ {
    let rows = ALLOWED
        .iter()
        .flat_map(|row| row.may_name.iter().map(|to| (row.room, *to)));
    let rows = rows.filter(|(from, to)| !edges.contains_key(&(from.to_string(), to.to_string())));
    rows.map(|(from, to)| format!("{from} may name {to}, and no longer does"))
}

/// Returns the room that a file is in, by its path from the root; `None` for a file in no room.
pub(crate) fn room_of(path: &str) -> Option<String> {
    edges::room_of(path).map(|(_, room)| room)
}

/// Tells whether a room has this name.
#[cfg(test)]
pub(crate) fn is_room(name: &str) -> bool {
    ALLOWED.iter().any(|row| row.room == name)
}

/// Returns a room and all rooms that may name it, in one step or many.
pub(crate) fn above(room: &str) -> BTreeSet<String> {
    let mut above = BTreeSet::from([room.to_owned()]);
    let mut ahead = vec![room.to_owned()];
    while let Some(lower) = ahead.pop() {
        let naming = ALLOWED
            .iter()
            .filter(|row| row.may_name.contains(&lower.as_str()));
        for row in naming {
            if above.insert(row.room.to_owned()) {
                ahead.push(row.room.to_owned());
            }
        }
    }
    above
}

/// Returns the sets of rooms that reach themselves through others.
pub(crate) fn circles() -> Result<Vec<BTreeSet<String>>> {
    let edges = edges::between_rooms()?;
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in edges.keys() {
        next.entry(from).or_default().push(to);
    }
    let rooms = next.keys().copied();
    let circles = rooms.map(|room| {
        let back = |other: &&str| reached(other, &next).contains(room);
        reached(room, &next)
            .into_iter()
            .filter(back)
            .map(str::to_owned)
            .collect()
    });
    let circles: BTreeSet<BTreeSet<String>> = circles.collect();
    Ok(circles
        .into_iter()
        .filter(|circle| circle.len() > 1)
        .collect())
}

/// Returns the rooms that can be reached from `from`, in one step or many.
fn reached<'a>(from: &str, next: &BTreeMap<&'a str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut ahead: Vec<&str> = next.get(from).cloned().unwrap_or_default();
    while let Some(room) = ahead.pop() {
        if reached.insert(room) {
            ahead.extend(next.get(room).into_iter().flatten());
        }
    }
    reached
}
