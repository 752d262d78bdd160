//! The adding and removing of an origin in `config.toml`: a server or a service that asks come
//! from. It is done as a person would do it.
//!
//! Not here: changes of an origin that is there (`change`).

mod change;

pub use change::{OriginChange, change};

use super::{EditError, checked, parsed, unreadable};
use crate::config::{
    Config, InterruptsKind, InterruptsService, OpenCodeServer, OriginTable, trim_address,
};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

const SERVERS: &str = "opencode";
const SERVICES: &str = "interrupts";

/// Returns the file with one origin more. If the file has no servers, the usual one is watched by
/// default; it is written into the file then, so that it stays.
///
/// # Errors
/// When the name is taken or an address is none.
pub fn add(file: &str, origin: &OriginTable) -> Result<String, EditError> {
    let mut document = parsed(file)?;
    match origin {
        OriginTable::OpenCode(server) => servers(&mut document)?.push(of_server(server)),
        OriginTable::Service(service) => tables(&mut document, SERVICES)?.push(of_service(service)),
    }
    checked(&document)
}

/// Returns the file without the origin of that name. When the last server goes, an empty list is
/// left, so that none is watched and the default does not come back.
///
/// # Errors
/// When there is none of that name.
pub fn remove(file: &str, name: &str) -> Result<String, EditError> {
    let mut document = parsed(file)?;
    match find(file, name) {
        None => return Err(EditError::NoSuchServer(name.into())),
        Some(OriginTable::OpenCode(_)) => {
            let servers = servers(&mut document)?;
            cut(servers, name, &OpenCodeServer::default().name);
            if servers.is_empty() {
                document[SERVERS] = value(toml_edit::Array::new());
            }
        }
        Some(OriginTable::Service(_)) => {
            let services = tables(&mut document, SERVICES)?;
            cut(services, name, &InterruptsService::default().name);
            if services.is_empty() {
                document.remove(SERVICES);
            }
        }
    }
    checked(&document)
}

/// Returns the origin of that name, if the file can be read and has it.
pub fn find(file: &str, name: &str) -> Option<OriginTable> {
    let (config, _) = Config::parse(file).ok()?;
    let servers = config.opencode.into_iter().map(OriginTable::OpenCode);
    let services = config.interrupts.into_iter().map(OriginTable::Service);
    servers.chain(services).find(|origin| origin.name() == name)
}

fn cut(tables: &mut ArrayOfTables, name: &str, unnamed: &str) {
    tables.retain(|table| table.get("name").and_then(Item::as_str).unwrap_or(unnamed) != name);
}

/// Returns the list of servers. If the file has none, it is added with the usual server.
fn servers(document: &mut DocumentMut) -> Result<&mut ArrayOfTables, EditError> {
    let unsaid = document.get(SERVERS).is_none();
    let servers = tables(document, SERVERS)?;
    if unsaid {
        servers.push(of_server(&OpenCodeServer::default()));
    }
    Ok(servers)
}

/// Returns the tables as `[[key]]`, in whatever way they were written.
fn tables<'a>(
    document: &'a mut DocumentMut,
    key: &str,
) -> Result<&'a mut ArrayOfTables, EditError> {
    let item = document
        .entry(key)
        .or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    if item.is_value() {
        let plain = std::mem::take(item);
        *item = Item::ArrayOfTables(plain.into_array_of_tables().unwrap_or_default());
    }
    item.as_array_of_tables_mut()
        .ok_or_else(|| unreadable(format!("{key} is no list")))
}

fn of_server(server: &OpenCodeServer) -> Table {
    table(&[
        ("name", &server.name),
        ("url", trim_address(&server.url)),
        ("username", &server.username),
    ])
}

fn of_service(service: &InterruptsService) -> Table {
    let name = ("name", service.name.as_str());
    match service.kind {
        InterruptsKind::Resume => table(&[
            name,
            ("stream", trim_address(&service.stream)),
            ("resume", trim_address(&service.resume)),
        ]),
        InterruptsKind::LangGraph => table(&[
            name,
            ("kind", "langgraph"),
            ("url", trim_address(&service.url)),
        ]),
    }
}

fn table(keys: &[(&str, &str)]) -> Table {
    let mut table = Table::new();
    for (key, text) in keys {
        table[*key] = value(*text);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(name: &str) -> OriginTable {
        OriginTable::OpenCode(OpenCodeServer {
            name: name.into(),
            ..OpenCodeServer::default()
        })
    }

    fn service(name: &str, kind: InterruptsKind) -> OriginTable {
        OriginTable::Service(InterruptsService {
            name: name.into(),
            kind,
            ..InterruptsService::default()
        })
    }

    fn names(file: &str) -> Vec<String> {
        let (config, _) = Config::parse(file).unwrap();
        let services = config.interrupts.into_iter().map(|service| service.name);
        config
            .opencode
            .into_iter()
            .map(|server| server.name)
            .chain(services)
            .collect()
    }

    #[test]
    fn the_usual_server_stays_when_another_comes() {
        let file = add("", &server("box")).unwrap();
        assert_eq!(names(&file), ["local", "box"]);
        let file = remove(&file, "local").unwrap();
        assert_eq!(names(&file), ["box"]);
    }

    #[test]
    fn without_the_last_server_none_is_watched() {
        let file = remove("", "local").unwrap();
        assert!(names(&file).is_empty());
        assert_eq!(names(&add(&file, &server("box")).unwrap()), ["box"]);
    }

    #[test]
    fn one_that_is_there_or_is_not_is_refused() {
        assert!(matches!(
            add("", &server("local")),
            Err(EditError::Invalid(_))
        ));
        let twin = service("local", InterruptsKind::Resume);
        assert!(matches!(
            add("[[opencode]]", &twin),
            Err(EditError::Invalid(_))
        ));
        assert_eq!(
            remove("", "box").unwrap_err(),
            EditError::NoSuchServer("box".into())
        );
    }

    #[test]
    fn a_service_comes_and_goes_and_leaves_the_file_as_it_was() {
        for servers in ["", "opencode = [] # none\n"] {
            let file =
                format!("# mine\n{servers}\n[presence]\n# a long tea\naway_after = \"4m\"\n");
            let new = service("research", InterruptsKind::Resume);
            let one = add(&file, &new).unwrap();
            assert!(one.starts_with(&file), "{one}");
            let (config, unknown) = Config::parse(&one).unwrap();
            assert_eq!(
                (
                    OriginTable::Service(config.interrupts[0].clone()),
                    unknown.len()
                ),
                (new, 0)
            );
            let two = add(&one, &service("graphs", InterruptsKind::LangGraph)).unwrap();
            assert!(
                two.contains("name = \"graphs\"\nkind = \"langgraph\"\nurl = "),
                "{two}"
            );
            assert_eq!(remove(&two, "graphs").unwrap(), one);
            assert_eq!(remove(&one, "research").unwrap(), file);
        }
    }

    #[test]
    fn services_in_one_line_can_be_changed_too() {
        let file = "interrupts = [{ name = 'a' }, { name = 'b', kind = 'langgraph' }]";
        assert_eq!(names(&remove(file, "a").unwrap()), ["local", "b"]);
        let new = service("c", InterruptsKind::LangGraph);
        assert_eq!(names(&add(file, &new).unwrap()), ["local", "a", "b", "c"]);
    }
}
