//! The document (<https://spec.openapis.org/oas/v3.1.1.html>), of the operations and their types.

use super::operation::{Media, Operation};
use super::operations::{self, Group};
use super::schemas::{Schemas, rename};
use crate::api::error;
use axum::http::StatusCode;
use beckon_client::wire::Problem;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

/// Returns the whole document.
pub(super) fn document() -> Value {
    let mut schemas = Schemas::new();
    let groups = operations::all();
    let tags: Vec<Value> = groups
        .iter()
        .map(|Group { name, about, .. }| tag(name, about))
        .collect();
    let mut paths = Map::new();
    for group in &groups {
        for operation in &group.operations {
            let item = paths.entry(operation.path).or_insert_with(|| json!({}));
            item[operation.method.as_str().to_lowercase()] =
                described(operation, group.name, &mut schemas);
        }
    }
    let responses = problems(&mut schemas);
    let (schemas, twice) = schemas.finish();
    for operation in paths
        .values_mut()
        .filter_map(Value::as_object_mut)
        .flat_map(Map::values_mut)
    {
        for sent in ["parameters", "requestBody"] {
            operation
                .get_mut(sent)
                .into_iter()
                .for_each(|sent| rename(sent, &twice));
        }
    }
    json!({
        "openapi": "3.1.1",
        "info": info(),
        "servers": [server()],
        "security": [{ "bearer": [] }, { "basic": [] }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": responses,
            "securitySchemes": security_schemes(),
        },
    })
}

fn info() -> Value {
    json!({
        "title": "Beckon's local API",
        "summary": "What agents wait for, and the answers of their human.",
        "description": "What it is for, and how to find out whether it's Beckon that listens, is \
            told in [docs/api.md](api.md). Fields and words may be added, and are never renamed: \
            whoever reads passes over a field it doesn't know, and takes an unknown word for one \
            of a later version.",
        "version": "1",
        "license": { "name": "MIT", "identifier": "MIT" },
    })
}

fn server() -> Value {
    json!({
        "url": "http://127.0.0.1:{port}",
        "description": "On the loopback; `run/endpoint.json` holds its `url` and `token`.",
        "variables": {
            "port": { "default": "0", "description": "Another one at each start, or `api.port`." },
        },
    })
}

fn security_schemes() -> Value {
    json!({
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "The `token` in `run/endpoint.json`, or the secret `api` in the keychain.",
        },
        "basic": {
            "type": "http",
            "scheme": "basic",
            "description": "The same token as the password, under any name: what OpenCode takes.",
        },
    })
}

fn tag(name: &str, about: &str) -> Value {
    json!({ "name": name, "description": about })
}

fn described(operation: &Operation, group: &str, schemas: &mut Schemas) -> Value {
    let mut said = json!({
        "tags": [group],
        "operationId": id(operation),
        "summary": operation.summary,
        "responses": responses(operation, schemas),
    });
    let parameters = parameters(operation, schemas);
    if !parameters.is_empty() {
        said["parameters"] = parameters.into();
    }
    if let Some(body) = operation.body {
        let content = content(Media::Json, schemas.read(body));
        said["requestBody"] = json!({ "required": true, "content": content });
    }
    if operation.is_open {
        said["security"] = json!([]);
    }
    said
}

/// Returns the id of an operation, such as `post_question_id_reply`.
fn id(operation: &Operation) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { ' ' };
    let path: String = operation.path.chars().map(letter).collect();
    let method = operation.method.as_str().to_lowercase();
    let words: Vec<&str> = std::iter::once(method.as_str())
        .chain(path.split_whitespace())
        .collect();
    words.join("_")
}

fn parameters(operation: &Operation, schemas: &mut Schemas) -> Vec<Value> {
    let kind = if operation.is_numbered {
        "integer"
    } else {
        "string"
    };
    let place = |name: &str| json!({ "in": "path", "name": name, "required": true, "schema": { "type": kind } });
    let mut parameters: Vec<Value> = operation.places().map(place).collect();
    let query = operation
        .query
        .map(|query| schemas.read(query))
        .unwrap_or_default();
    let is_required = |name: &str| {
        query["required"]
            .as_array()
            .is_some_and(|names| names.iter().any(|it| it == name))
    };
    let fields = query["properties"].as_object().into_iter().flatten();
    parameters.extend(fields.map(|(name, schema)| {
        let (required, about) = (is_required(name), &schema["description"]);
        let schema = given(schema.clone());
        json!({ "in": "query", "name": name, "required": required, "description": about, "schema": schema })
    }));
    parameters
}

/// Returns the schema of a parameter, which is absent where a field is `null`.
fn given(mut schema: Value) -> Value {
    if let Some(types) = schema["type"].as_array() {
        schema["type"] = types
            .iter()
            .find(|kind| *kind != "null")
            .cloned()
            .unwrap_or_default();
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let given = choices
            .iter()
            .find(|choice| choice["type"] != "null")
            .cloned();
        return given.unwrap_or_default();
    }
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("description");
        fields.retain(|_, value| !value.is_null());
    }
    schema
}

fn responses(operation: &Operation, schemas: &mut Schemas) -> Value {
    let mut responses = Map::new();
    for answer in &operation.answers {
        let content = content(answer.media, schemas.written(answer.schema));
        let response = json!({ "description": answer.when, "content": content });
        responses.insert(answer.status.to_string(), response);
    }
    for status in operation.problems() {
        let reference = format!("#/components/responses/Problem{status}");
        responses.insert(status.to_string(), json!({ "$ref": reference }));
    }
    responses.into()
}

fn content(media: Media, schema: Value) -> Value {
    json!({ media.name(): { "schema": schema } })
}

/// Returns for each status the codes that it comes with, as the rows of the errors have them.
fn problems(schemas: &mut Schemas) -> Value {
    let problem = schemas.written(SchemaGenerator::subschema_for::<Problem>);
    let mut codes = error::tests::codes();
    // The server's own parts refuse these: a body that is too long, or no JSON.
    for status in [
        StatusCode::PAYLOAD_TOO_LARGE,
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
    ] {
        codes
            .entry(status.as_u16())
            .or_default()
            .insert("invalid".into());
    }
    let responses = codes.into_iter().map(|(status, codes)| {
        let codes: Vec<Value> = codes.into_iter().map(Value::from).collect();
        let schema = json!({
            "allOf": [&problem, { "properties": { "code": { "enum": codes } } }],
        });
        let reason = StatusCode::from_u16(status)
            .ok()
            .and_then(|it| it.canonical_reason());
        let description = format!("{}.", reason.unwrap_or_default());
        let said = json!({ "description": description, "content": content(Media::Json, schema) });
        (format!("Problem{status}"), said)
    });
    Value::Object(responses.collect())
}
