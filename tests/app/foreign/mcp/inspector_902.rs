//! <https://github.com/modelcontextprotocol/inspector/pull/902>: a field of a form only named the
//! place in the schema where its values are, as Pydantic writes what is used twice, and the whole
//! form was refused.

use crate::common::counter::Scene;
use crate::common::elicitation::{answered, fields_of, fill_in, shown};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_refers_to_another_part_of_the_schema_is_asked_with_its_values() {
    let scene = Scene::start().await;
    let hook = fill_in(
        &scene,
        r##"{"type":"object","required":["fruit","other","several"],
        "$defs":{"Fruit":{"enum":["apple","pear"],"title":"Fruit","type":"string"}},
        "properties":{"fruit":{"$ref":"#/$defs/Fruit"},
            "other":{"allOf":[{"$ref":"#/$defs/Fruit"}],"title":"Another"},
            "several":{"type":"array","items":{"$ref":"#/$defs/Fruit"}},
            "none":{"anyOf":[{"$ref":"#/$defs/Fruit"},{"type":"null"}]}}}"##,
    )
    .await;

    let id = scene.one_open().await;
    let expected = ["Fruit", "Another", "several", "Fruit"];
    assert_eq!(fields_of(&scene, &id).await, expected);
    let words = ["answer", &id, "--choice", "1", "--choice", "2"];
    let others = ["--choice", "2", "--choice", "3"];
    let said = answered(&scene, hook, &[&words[..], &others[..]].concat()).await;
    let content = json!({ "fruit": "apple", "other": "pear", "several": ["pear"] });
    assert_eq!(said["content"], content, "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_refers_to_nothing_or_to_itself_is_shown_as_it_came() {
    for schema in [
        r##"{"type":"object","properties":{"it":{"$ref":"#/$defs/Gone"}}}"##,
        r##"{"type":"object","properties":{"it":{"$ref":"#/properties/it"}}}"##,
        r##"{"type":"object","properties":{"it":{"$ref":"https://example.org/it.json"}}}"##,
    ] {
        let scene = Scene::start().await;
        let _hook = fill_in(&scene, schema).await;
        let id = scene.one_open().await;
        let shown = shown(&scene, &id).await.to_string();
        assert!(shown.contains("$ref"), "{shown}");
    }
}
