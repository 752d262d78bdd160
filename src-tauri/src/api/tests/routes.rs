//! The document names every path and method that the router serves, and no other.

use super::document::document;
use super::room::TestRoom;
use crate::api::{asks_and_answers, dialect, setting_up};
use axum::http::{Method, StatusCode};
use beckon_client::connection::proof;
use serde_json::Value;
use std::collections::BTreeSet;

/// Nothing here is asked for by that.
const UNUSED: Method = Method::TRACE;

#[tokio::test]
async fn the_document_has_every_route_that_is_served_and_no_other() {
    let differing = differing(&served().await, &documented(&document()));
    assert!(differing.is_empty(), "{differing:?}");
}

#[tokio::test]
async fn a_route_that_is_not_documented_and_one_that_is_not_served_are_noticed() {
    let mut document = document();
    let paths = document["paths"].as_object_mut().unwrap();
    paths["/history"]["post"] = paths["/history"]["get"].clone();
    paths.remove("/list");
    let differing = differing(&served().await, &documented(&document));
    assert_eq!(
        differing,
        ["GET /list is not documented", "POST /history is not served"]
    );
}

fn differing(served: &BTreeSet<String>, documented: &BTreeSet<String>) -> Vec<String> {
    let silent = served
        .difference(documented)
        .map(|it| format!("{it} is not documented"));
    let idle = documented
        .difference(served)
        .map(|it| format!("{it} is not served"));
    silent.chain(idle).collect()
}

/// Returns the paths and methods of the real router: what it says of each path when it is asked
/// with a method that the path does not have.
async fn served() -> BTreeSet<String> {
    let mut room = TestRoom::new();
    let tables = [dialect(), asks_and_answers(), setting_up()].concat();
    let paths = tables
        .into_iter()
        .map(|(path, _)| path)
        .chain([proof::PATH]);
    let mut served = BTreeSet::new();
    for path in paths {
        let answered = room.ask(&UNUSED, &path.replace(['{', '}'], ""), "").await;
        let refused = [StatusCode::METHOD_NOT_ALLOWED, StatusCode::UNAUTHORIZED];
        assert!(
            refused.contains(&answered.status),
            "{path}: {}",
            answered.status
        );
        // Every path that takes GET takes HEAD, too.
        let methods = answered.allow.split(',').filter(|method| *method != "HEAD");
        served.extend(methods.map(|method| format!("{method} {path}")));
    }
    served
}

fn documented(document: &Value) -> BTreeSet<String> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let operations = paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(move |(method, _)| format!("{} {path}", method.to_uppercase()))
    });
    operations.collect()
}
