//! The schemas of all types that are sent and answered, each under one name. A type that is read more
//! leniently than it is written has two, the one that is read with `Input` behind its name.

use super::operation::Describe;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

const REFERENCE: &str = "#/components/schemas/";

/// The schemas that were described so far.
pub(super) struct Schemas {
    read: SchemaGenerator,
    written: SchemaGenerator,
}

impl Schemas {
    pub(super) fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.meta_schema = None;
            settings.definitions_path = "/components/schemas".into();
        });
        let settings = settings.with_transform(RecursiveTransform(tidied));
        Self {
            read: settings.clone().for_deserialize().into_generator(),
            written: settings.for_serialize().into_generator(),
        }
    }

    /// Describes a type that is sent to us.
    pub(super) fn read(&mut self, describe: Describe) -> Value {
        let mut schema = describe(&mut self.read);
        RecursiveTransform(tidied).transform(&mut schema);
        schema.into()
    }

    /// Describes a type that we answer with.
    pub(super) fn written(&mut self, describe: Describe) -> Value {
        describe(&mut self.written).into()
    }

    /// Returns the schemas by name, and the names of those that have two.
    pub(super) fn finish(mut self) -> (Map<String, Value>, BTreeSet<String>) {
        let (read, mut all) = (
            self.read.take_definitions(true),
            self.written.take_definitions(true),
        );
        let twice = differing(&read, &all);
        for (name, mut schema) in read {
            rename(&mut schema, &twice);
            let name = if twice.contains(&name) {
                input(&name)
            } else {
                name
            };
            all.insert(name, schema);
        }
        (all, twice)
    }
}

/// Tidies a schema. Descriptions are wrapped in the code; only the ends of paragraphs stay. A
/// required field has no default.
fn tidied(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let paragraphs: Vec<String> = text.split("\n\n").map(|it| it.replace('\n', " ")).collect();
        *text = paragraphs.join("\n\n");
    }
    let required = schema
        .get("required")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    for name in required.iter().filter_map(Value::as_str) {
        if let Some(Value::Object(field)) = schema.pointer_mut(&format!("/properties/{name}")) {
            field.remove("default");
        }
    }
}

/// Returns the names under which the two say different things, or refer to such.
fn differing(read: &Map<String, Value>, written: &Map<String, Value>) -> BTreeSet<String> {
    let mut twice = BTreeSet::new();
    loop {
        let known = twice.len();
        for (name, schema) in read {
            let mut renamed = schema.clone();
            rename(&mut renamed, &twice);
            if written.get(name).is_some_and(|written| *written != renamed) {
                twice.insert(name.clone());
            }
        }
        if twice.len() == known {
            return twice;
        }
    }
}

/// Refers to what is read of those.
pub(super) fn rename(schema: &mut Value, twice: &BTreeSet<String>) {
    match schema {
        Value::Object(map) => {
            let referred = map.get("$ref").and_then(Value::as_str);
            let name = referred.and_then(|it| it.strip_prefix(REFERENCE));
            if let Some(name) = name.filter(|name| twice.contains(*name)) {
                let reference = format!("{REFERENCE}{}", input(name));
                map.insert("$ref".into(), reference.into());
            }
            map.values_mut().for_each(|value| rename(value, twice));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| rename(value, twice)),
        _ => {}
    }
}

fn input(name: &str) -> String {
    format!("{name}Input")
}
