//! Tests of `docs/openapi.json`: it is made of the types that are read and sent, has exactly what
//! the router serves, and the real responses are as it says. `BECKON_WRITE_OPENAPI=1 cargo test
//! openapi` writes it anew.
//!
//! Not here: what it all means (`docs/api.md`).

mod document;
mod operation;
mod operations;
mod responses;
mod room;
mod routes;
mod schemas;

use serde_json::Value;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/openapi.json");

#[test]
fn the_openapi_document_is_that_of_these_types() {
    let fresh = document::document();
    if std::env::var_os("BECKON_WRITE_OPENAPI").is_some() {
        std::fs::write(FILE, format!("{fresh:#}\n")).unwrap();
    }
    let there = std::fs::read_to_string(FILE).unwrap_or_default();
    let there: Value = serde_json::from_str(&there).unwrap_or_default();
    assert_eq!(
        stale(&fresh, &there),
        Vec::<String>::new(),
        "stale in docs/openapi.json"
    );
}

/// Returns the differences: the paths and the schemas, and what else is at the top.
fn stale(fresh: &Value, there: &Value) -> Vec<String> {
    let parts = ["/paths", "/components/schemas", "/components", ""];
    let names = |value: &Value| -> Vec<String> {
        value
            .as_object()
            .map(|map| map.keys().cloned().collect())
            .unwrap_or_default()
    };
    for part in parts {
        let (new, old) = (fresh.pointer(part), there.pointer(part));
        let (new, old) = (new.unwrap_or(&Value::Null), old.unwrap_or(&Value::Null));
        let mut all = [names(new), names(old)].concat();
        all.dedup();
        all.retain(|name| new.get(name) != old.get(name));
        if !all.is_empty() {
            return all
                .into_iter()
                .map(|name| format!("{part}: {name}"))
                .collect();
        }
    }
    Vec::new()
}
