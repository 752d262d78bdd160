//! The change of an origin's name or addresses. Only the values change, in the table where they
//! are, so that its comments and whatever else it says stay.

use super::{SERVERS, SERVICES, find, servers};
use crate::config::edit::{EditError, Value, checked, parsed, put};
use crate::config::{InterruptsKind, InterruptsService, OpenCodeServer, OriginTable, trim_address};
use serde::{Deserialize, Serialize};
use toml_edit::{DocumentMut, Item, TableLike};

/// A change of an origin in the settings: a server or a service that asks come from. What is absent
/// stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OriginChange {
    /// The new name.
    pub name: Option<String>,
    /// The new address; of a service with interrupts, the address that its events come from.
    pub url: Option<String>,
    /// The new address for answers, of a service with interrupts. It means nothing for the others.
    pub resume: Option<String>,
}

/// Returns the file with that change. The usual server, which is watched without being in the file,
/// is written into it then.
///
/// # Errors
/// When there is none of that name, the new name is taken, or an address is none.
pub fn change(file: &str, name: &str, change: &OriginChange) -> Result<String, EditError> {
    let mut document = parsed(file)?;
    let missing = || EditError::NoSuchServer(name.into());
    let origin = find(file, name).ok_or_else(missing)?;
    let table = table_of(&mut document, &origin)?.ok_or_else(missing)?;
    let (url, resume) = address_keys(&origin);
    let trimmed = |address: &Option<String>| {
        let address = address.as_deref()?;
        Some(trim_address(address).to_owned())
    };
    for (key, text) in [
        (Some("name"), change.name.clone()),
        (Some(url), trimmed(&change.url)),
        (resume, trimmed(&change.resume)),
    ] {
        if let (Some(key), Some(text)) = (key, text) {
            put(table, key, &Value::Text(text));
        }
    }
    checked(&document)
}

/// Returns the keys of its addresses: the first one, and the one for answers.
fn address_keys(origin: &OriginTable) -> (&'static str, Option<&'static str>) {
    match origin {
        OriginTable::Service(service) if service.kind == InterruptsKind::Resume => {
            ("stream", Some("resume"))
        }
        OriginTable::OpenCode(_) | OriginTable::Service(_) => ("url", None),
    }
}

/// Finds the table of the origin, as a section or in a line with others.
fn table_of<'a>(
    document: &'a mut DocumentMut,
    origin: &OriginTable,
) -> Result<Option<&'a mut dyn TableLike>, EditError> {
    let (key, unnamed) = match origin {
        OriginTable::OpenCode(_) => (SERVERS, OpenCodeServer::default().name),
        OriginTable::Service(_) => (SERVICES, InterruptsService::default().name),
    };
    if key == SERVERS && document.get(SERVERS).is_none() {
        servers(document)?;
    }
    let is_it = |table: &&mut dyn TableLike| {
        table.get("name").and_then(Item::as_str).unwrap_or(&unnamed) == origin.name()
    };
    Ok(document
        .get_mut(key)
        .and_then(|item| tables_in(item).into_iter().find(is_it)))
}

fn tables_in(item: &mut Item) -> Vec<&mut dyn TableLike> {
    match item {
        Item::ArrayOfTables(tables) => tables
            .iter_mut()
            .map(|table| table as &mut dyn TableLike)
            .collect(),
        Item::Value(toml_edit::Value::Array(tables)) => {
            let inline = tables
                .iter_mut()
                .filter_map(toml_edit::Value::as_inline_table_mut);
            inline.map(|table| table as &mut dyn TableLike).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> OriginChange {
        OriginChange {
            name: Some(name.into()),
            ..OriginChange::default()
        }
    }

    fn at(url: &str) -> OriginChange {
        OriginChange {
            url: Some(url.into()),
            ..OriginChange::default()
        }
    }

    #[test]
    fn only_the_values_change_and_all_that_stands_beside_them_stays() {
        let file = "# mine\n[[opencode]] # the first\nname = 'a'\nurl = 'http://a' # upstairs\n\
            colour = 'red'\n\n[[opencode]]\nname = 'b'\n";
        let moved = change(file, "a", &at("http://c:1")).unwrap();
        assert_eq!(moved, file.replace("'http://a'", "\"http://c:1\""));
        let pasted = change(file, "a", &at("\u{200b} http://c:1\n")).unwrap();
        assert_eq!(pasted, moved);
        let renamed = change(file, "b", &named("box")).unwrap();
        assert_eq!(renamed, file.replace("'b'", "\"box\""));
    }

    #[test]
    fn one_that_stands_in_a_line_with_others_is_changed_there() {
        let file = "interrupts = [{ name = 'a' }, { name = 'b', kind = 'langgraph' }] # two\n";
        let renamed = change(file, "b", &named("c")).unwrap();
        assert_eq!(renamed, file.replace("'b'", "\"c\""));
        let moved = change(file, "b", &at("http://b:2024")).unwrap();
        assert_eq!(find(&moved, "b").unwrap().addresses(), ["http://b:2024"]);
    }

    #[test]
    fn the_usual_server_is_written_into_the_file_with_its_change() {
        let file = change("# nothing yet\n", "local", &at("http://127.0.0.1:5000")).unwrap();
        assert!(file.contains("# nothing yet\n"), "{file}");
        let Some(OriginTable::OpenCode(server)) = find(&file, "local") else {
            panic!("{file}")
        };
        assert_eq!(
            (server.url.as_str(), server.username.as_str()),
            ("http://127.0.0.1:5000", "opencode")
        );
    }

    #[test]
    fn both_addresses_of_a_service_can_be_others() {
        let file = "[[interrupts]]\nname = 'a'\n";
        let resume = Some("http://b/resume".into());
        let both = OriginChange {
            resume,
            ..at("http://a/stream")
        };
        let changed = change(file, "a", &both).unwrap();
        let Some(origin) = find(&changed, "a") else {
            panic!("{changed}")
        };
        assert_eq!(origin.addresses(), ["http://a/stream", "http://b/resume"]);
    }

    #[test]
    fn a_name_that_is_taken_no_address_or_nobody_changes_nothing() {
        let file = "[[opencode]]\nname = 'a'\n[[opencode]]\nname = 'b'\n";
        for wrong in [
            named("b"),
            at("box"),
            at("ftp://box"),
            at("http://me:pw@box"),
            at("http://box?x=1"),
            at("http://box/#a"),
        ] {
            assert!(
                matches!(change(file, "a", &wrong), Err(EditError::Invalid(_))),
                "{wrong:?}"
            );
        }
        assert_eq!(
            change(file, "c", &at("http://c")),
            Err(EditError::NoSuchServer("c".into()))
        );
        assert_eq!(
            change(file, "a", &OriginChange::default()).as_deref(),
            Ok(file)
        );
    }
}
