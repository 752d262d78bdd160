//! Tests of the router's real responses: each must have a status, a media type and a shape that the
//! document knows, with no other field; and what the router takes must have the documented shape as
//! well.

mod conversation;

use super::document::document;
use super::room::{Answered, TestRoom};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use boon::{Compiler, Schemas};
use conversation::{CONVERSATION, UNASKED};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The document is known by it to the validator, which fetches nothing.
const ADDRESS: &str = "http://beckon/openapi.json";

#[tokio::test]
async fn what_is_answered_is_as_the_document_says() {
    let (document, mut room) = (document(), TestRoom::new());
    let mut asked = BTreeSet::new();
    for (status, line, body) in CONVERSATION {
        let (method, path) = line.split_once(' ').unwrap();
        let operation = found(&document, method, path);
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let answered = room.ask(&method, path, body).await;
        assert_eq!(
            answered.status.as_u16(),
            *status,
            "{line} {body}: {}",
            answered.body
        );
        is_documented(&document, &operation, &answered, line);
        if answered.status.is_success() {
            is_taken(&document, &operation, path, body);
        }
        asked.insert(operation);
    }
    let all: BTreeSet<DocumentedPath> = operations(&document).collect();
    let unasked: Vec<String> = all.difference(&asked).map(DocumentedPath::line).collect();
    assert_eq!(
        unasked, UNASKED,
        "each of them is asked, or there is a reason"
    );
}

#[tokio::test]
async fn without_a_token_and_without_json_it_is_refused_as_the_document_says() {
    let (document, mut room) = (document(), TestRoom::new());
    let operation = found(&document, "POST", "/notify");
    let stranger = Request::post("/notify").body(Body::empty()).unwrap();
    let refused = room.send(stranger).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    is_documented(&document, &operation, &refused, "a stranger");
    let form = Request::post("/notify").header("authorization", "Bearer token");
    let refused = room.send(form.body(Body::from("message=x")).unwrap()).await;
    assert_eq!(refused.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    is_documented(&document, &operation, &refused, "a form");
    let long = format!(r#"{{"message":"{}"}}"#, "x".repeat(3 << 20));
    let refused = room.ask(&Method::POST, "/notify", &long).await;
    assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
    is_documented(&document, &operation, &refused, "a long one");
}

#[test]
fn a_field_that_is_missing_or_not_documented_is_noticed() {
    let document = document();
    let pointer = "#/components/schemas/NotifyResult";
    assert_eq!(
        misfit(&document, pointer, &json!({ "shown": "desktop" })),
        None
    );
    let odd = [
        json!({}),
        json!({ "shown": null, "more": 1 }),
        json!({ "shown": "paper" }),
    ];
    odd.iter()
        .for_each(|odd| assert!(misfit(&document, pointer, odd).is_some(), "{odd}"));
}

fn is_documented(document: &Value, operation: &DocumentedPath, answered: &Answered, what: &str) {
    let Answered {
        status,
        media,
        body,
        ..
    } = answered;
    let mut pointer = format!("{}/responses/{}", operation.pointer(), status.as_u16());
    let mut response = document
        .pointer(&pointer)
        .unwrap_or_else(|| panic!("{what}: {status}"));
    if let Some(reference) = response["$ref"].as_str() {
        pointer = reference.trim_start_matches('#').into();
        response = document.pointer(&pointer).unwrap();
    }
    let media = media.split(';').next().unwrap_or_default();
    assert!(response["content"].get(media).is_some(), "{what}: {media}");
    let body = match media {
        "application/json" => serde_json::from_str(body).unwrap(),
        "text/event-stream" => event(body),
        _ => Value::String(body.clone()),
    };
    let pointer = format!("#{pointer}/content/{}/schema", media.replace('/', "~1"));
    assert_eq!(misfit(document, &pointer, &body), None, "{what}: {body}");
}

/// Asserts that the query and the body of an accepted request are documented.
fn is_taken(document: &Value, operation: &DocumentedPath, path: &str, body: &str) {
    let (_, query) = path.split_once('?').unwrap_or_default();
    let names = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, _)| name);
    let operation = operation.pointer();
    let parameters = document.pointer(&operation).unwrap()["parameters"].as_array();
    let known = |name: &str| parameters.is_some_and(|all| all.iter().any(|it| it["name"] == name));
    names.for_each(|name| assert!(known(name), "{path}: {name}"));
    if !body.is_empty() {
        let pointer = format!("#{operation}/requestBody/content/application~1json/schema");
        let body = serde_json::from_str(body).unwrap();
        assert_eq!(misfit(document, &pointer, &body), None, "{path}: {body}");
    }
}

fn event(body: &str) -> Value {
    serde_json::from_str(body.trim().strip_prefix("data: ").unwrap()).unwrap()
}

/// Returns why the value is not of the schema at that pointer.
fn misfit(document: &Value, pointer: &str, value: &Value) -> Option<String> {
    let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
    compiler
        .add_resource(ADDRESS, closed(document.clone()))
        .unwrap();
    let pointer = pointer.replace('{', "%7B").replace('}', "%7D");
    let schema = compiler
        .compile(&format!("{ADDRESS}{pointer}"), &mut schemas)
        .unwrap();
    schemas
        .validate(value, schema)
        .err()
        .map(|misfit| format!("{misfit:#}"))
}

/// Forbids fields that are not documented: later versions may add some, this one has none.
fn closed(mut document: Value) -> Value {
    let schemas = document["components"]["schemas"].as_object_mut().unwrap();
    for schema in schemas.values_mut().filter_map(Value::as_object_mut) {
        schema.insert("unevaluatedProperties".into(), false.into());
    }
    document
}

/// A path of the document, with its places, and a method of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DocumentedPath {
    path: String,
    method: String,
}

impl DocumentedPath {
    fn line(&self) -> String {
        format!("{} {}", self.method.to_uppercase(), self.path)
    }

    /// Returns its pointer in the document.
    fn pointer(&self) -> String {
        format!("/paths/{}/{}", self.path.replace('/', "~1"), self.method)
    }

    fn fits(&self, method: &str, path: &str) -> bool {
        let (ours, theirs) = (self.path.split('/'), path.split('/'));
        let is_place = |part: &str| part.starts_with('{');
        self.method == method.to_lowercase()
            && ours.clone().count() == theirs.clone().count()
            && ours
                .zip(theirs)
                .all(|(our, their)| our == their || is_place(our))
    }
}

fn operations(document: &Value) -> impl Iterator<Item = DocumentedPath> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(|(method, _)| DocumentedPath {
            path: path.clone(),
            method: method.clone(),
        })
    })
}

/// Returns the documented path; one that is spelled out goes before one with a parameter.
fn found(document: &Value, method: &str, path: &str) -> DocumentedPath {
    let path = path.split('?').next().unwrap_or_default();
    let fitting = operations(document).filter(|operation| operation.fits(method, path));
    let found = fitting.min_by_key(|operation| operation.path.matches('{').count());
    found.unwrap_or_else(|| panic!("{method} {path} is not documented"))
}
