//! Which room names which, and in which files.

use crate::shape::source::{self, Source};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};

/// From room to room, with the files that do it.
pub(super) type Edges = BTreeMap<(String, String), BTreeSet<String>>;

const ROOMS: &str = "src-tauri/src/";

/// The program of the windows is a crate of its own.
const OTHER_CRATES: [&str; 1] = ["src-tauri/src/gui/window/"];

pub(super) fn between_rooms() -> Result<Edges> {
    let mut edges = Edges::new();
    for source in source::all()? {
        let Some(from) = room(&source) else { continue };
        for to in source.names_in_crate.iter().filter(|to| **to != from) {
            let files = edges.entry((from.clone(), to.clone())).or_default();
            files.insert(source.path.clone());
        }
    }
    Ok(edges)
}

/// `None` for the root itself, which names every room.
fn room(source: &Source) -> Option<String> {
    if OTHER_CRATES.iter().any(|folder| source.path.starts_with(folder)) {
        return None;
    }
    let path = source.path.strip_prefix(ROOMS)?;
    let room = path.split_once('/').map_or(path, |(room, _)| room).trim_end_matches(".rs");
    (room != "lib" && room != "main").then(|| room.to_owned())
}
