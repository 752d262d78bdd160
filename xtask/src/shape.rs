//! `cargo xtask shape`: prints the shape of the sources in figures, so that people notice when it
//! gets worse. The meaning of each figure is beside it; nothing here fails.
//!
//! The figures count the code of the programs (`core`, `client`, `src-tauri`) without tests. The
//! rules for paths between rooms are checked in `walls`.

mod figures;
pub(crate) mod source;

use crate::walls;
use anyhow::Result;
use figures::{Percentiles, share};
use source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// Prints one row for each figure.
pub(crate) fn shape() -> Result<()> {
    let sources = source::all()?;
    for (what, figure) in rows(&sources)? {
        println!("{what:<44}{figure}");
    }
    Ok(())
}

fn rows(sources: &[Source]) -> Result<Vec<(&'static str, String)>> {
    let types = || sources.iter().flat_map(|source| &source.types);
    let functions = || sources.iter().flat_map(|source| &source.functions);
    let one_word_types = types().filter(|name| source::is_one_word(name)).count();
    let one_word_functions = functions().filter(|function| source::is_one_word(&function.name));
    let (colliding, distinct) = collisions(sources);
    let (folder, entries) = fullest_folder(sources);
    Ok(vec![
        ("files", sources.len().to_string()),
        (
            "types with a name of one word",
            share(one_word_types, types().count()),
        ),
        (
            "type names defined in more than one file",
            share(colliding, distinct),
        ),
        (
            "functions with a name of one word",
            share(one_word_functions.count(), functions().count()),
        ),
        (
            "entries in the fullest folder",
            format!("{entries} ({folder})"),
        ),
        ("circles across rooms", walls::circles()?.len().to_string()),
        (
            "lines of a function",
            Percentiles::of(functions().map(|f| f.lines)).to_string(),
        ),
        (
            "lines of a file",
            Percentiles::of(sources.iter().map(|s| s.lines)).to_string(),
        ),
    ])
}

/// Returns how many names stand for a type in more than one file, and how many names there are.
fn collisions(sources: &[Source]) -> (usize, usize) {
    let mut files: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for source in sources {
        for name in &source.types {
            files.entry(name).or_default().insert(&source.path);
        }
    }
    (
        files.values().filter(|files| files.len() > 1).count(),
        files.len(),
    )
}

/// Returns the folder with the most entries; a module counts once, with or without a folder of its
/// own.
fn fullest_folder(sources: &[Source]) -> (String, usize) {
    let mut entries: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources {
        let mut path = source.path.trim_end_matches(".rs");
        while let Some((folder, name)) = path.rsplit_once('/') {
            entries
                .entry(folder.to_owned())
                .or_default()
                .insert(name.to_owned());
            path = folder;
        }
    }
    let sizes = entries
        .into_iter()
        .map(|(folder, entries)| (folder, entries.len()));
    sizes
        .max_by_key(|(_, entries)| *entries)
        .unwrap_or_default()
}
