//! The check that every text that is looked up exists: a missing one would be shown as its name.
//!
//! Whether every language has all texts is checked by a test of `client/src/text`.

use crate::shape::source;
use crate::shell;
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;

const FOLDER: &str = "client/locales/en";

/// Names each text that a file looks up and that is missing.
pub(super) fn objections() -> Result<Vec<String>> {
    let known = known()?;
    let mut objections = Vec::new();
    for source in source::all()? {
        let path = &source.path;
        let missing = source.texts.iter().filter(|name| !known.contains(*name));
        objections.extend(missing.map(|name| format!("{path} says {name}, which {FOLDER} lacks")));
    }
    Ok(objections)
}

fn known() -> Result<BTreeSet<String>> {
    let folder = shell::root().join(FOLDER);
    let entries = folder
        .read_dir()
        .with_context(|| format!("failed to read {FOLDER}"))?;
    let mut known = BTreeSet::new();
    for entry in entries {
        let file = entry?.path();
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("failed to read {file:?}"))?;
        known.extend(names_in(&text).map(str::to_owned));
    }
    Ok(known)
}

/// Returns the names of messages: each begins its line, and ends at the equals sign
/// (<https://projectfluent.org/fluent/guide/text.html>).
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (name, _) = line.split_once('=')?;
        let is_message = line.starts_with(|c: char| c.is_ascii_alphabetic());
        is_message.then(|| name.trim_end())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_known_by_its_name_and_its_lines_are_no_messages() {
        let text = "# a = b\npair-link = Open this = it\n  .title = x\n    [one] a = b\n";
        assert_eq!(names_in(text).collect::<Vec<_>>(), ["pair-link"]);
    }

    #[test]
    fn the_sources_look_up_texts() {
        let looked_up: usize = source::all().unwrap().iter().map(|it| it.texts.len()).sum();
        assert!(looked_up > 200, "{looked_up}");
    }
}
