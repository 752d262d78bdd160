//! The order in which the fields of an object were written.
//!
//! By RFC 8259 (section 4) it means nothing, and a value does not keep it: equal values are equal,
//! whoever wrote them, and every fingerprint rests on that. But a form is shown in the order of its
//! `properties` (<https://github.com/modelcontextprotocol/rust-sdk/issues/1109>), so whoever shows
//! one asks for the names beside the value.

use super::{decoding, parsing};

/// A name of a field, and how many objects and lists are around it.
pub(super) struct WrittenName {
    pub(super) depth: usize,
    pub(super) name: String,
}

/// Returns the names of the fields of the object at that path, as they were written, also more than
/// once. Empty if there is none.
pub fn names(bytes: &[u8], path: &[&str]) -> Vec<String> {
    let readings = decoding::readings(bytes).into_iter();
    let mut found = readings.map(|reading| names_at(parsing::names(&reading.text), path));
    found.find(|names| !names.is_empty()).unwrap_or_default()
}

fn names_at(written: Vec<WrittenName>, path: &[&str]) -> Vec<String> {
    let mut names = Vec::new();
    // How much of the path leads to the object in which the next name is.
    let mut entered = 0;
    for WrittenName { depth, name } in written {
        entered = entered.min(depth - 1);
        if depth - 1 != entered {
            continue;
        }

        match path.get(entered) {
            None => names.push(name),
            Some(next) if *next == name => {
                entered += 1;
                // Of two fields with one name a value has the last.
                names.clear();
            }
            Some(_) => {}
        }
    }
    names
}
