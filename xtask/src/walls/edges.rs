//! The edges between the rooms: which room names which, and in which files.

use crate::shape::source::{self, Source};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};

/// The pairs of rooms of which the first names the second, each with the files that do it.
pub(super) type Edges = BTreeMap<(String, String), BTreeSet<String>>;

/// The crates with rooms, by the folder of their files. The first that fits counts.
const CRATES: [(&str, Crate); 3] = [
    ("src-tauri/src/gui/window/", Crate::Window),
    ("src-tauri/src/", Crate::Resident),
    ("client/src/", Crate::Client),
];

#[derive(Clone, Copy)]
pub(super) enum Crate {
    Client,
    Resident,
    Window,
}

impl Crate {
    /// Returns the full name of a room; the window program is one room.
    fn room(self, name: &str) -> String {
        match self {
            Self::Client => format!("client::{name}"),
            Self::Resident => name.to_owned(),
            Self::Window => "window".to_owned(),
        }
    }
}

pub(super) fn between_rooms() -> Result<Edges> {
    let mut edges = Edges::new();
    for source in source::all()? {
        let Some((own, from)) = room(&source) else {
            continue;
        };
        let named = source.names.iter().map(|(root, name)| match root.as_str() {
            "beckon_client" => Crate::Client.room(name),
            "beckon" => Crate::Resident.room(name),
            _ => own.room(name),
        });
        for to in named.filter(|to| *to != from) {
            let files = edges.entry((from.clone(), to)).or_default();
            files.insert(source.path.clone());
        }
    }
    Ok(edges)
}

/// Returns the room of a source. `None` for the root of a crate, which names every room, and for
/// the core.
fn room(source: &Source) -> Option<(Crate, String)> {
    room_of(&source.path)
}

/// Returns the room of a file, by its path.
pub(super) fn room_of(path: &str) -> Option<(Crate, String)> {
    let (folder, of) = CRATES.iter().find(|(folder, _)| path.starts_with(folder))?;
    let path = path.strip_prefix(folder)?;
    let name = path
        .split_once('/')
        .map_or(path, |(room, _)| room)
        .trim_end_matches(".rs");
    (name != "lib" && name != "main").then(|| (*of, of.room(name)))
}
