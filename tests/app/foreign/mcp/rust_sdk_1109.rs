//! <https://github.com/modelcontextprotocol/rust-sdk/issues/1109>: the fields of a form were kept
//! in a sorted map, so a person was asked for their e-mail address before their name, whatever the
//! server had written.

use crate::common::counter::Scene;
use crate::common::elicitation::{answered, fields_of, fill_in};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_asked_in_the_order_in_which_its_server_wrote_it() {
    let scene = Scene::start().await;
    let hook = fill_in(
        &scene,
        r#"{"type":"object","required":["firstName"],"properties":{
            "firstName":{"type":"string"},"lastName":{"type":"string"},
            "email":{"type":"string","format":"email"},"age":{"type":"integer"},
            "agree":{"type":"boolean"}}}"#,
    )
    .await;

    let id = scene.one_open().await;
    let expected = ["firstName", "lastName", "email", "age", "agree"];
    assert_eq!(fields_of(&scene, &id).await, expected);
    // What is written to the second question is the last name, and the fourth takes a number.
    let words = ["answer", &id, "--text", "Ada", "--text", "King"];
    let others = ["--text", "a@b.co", "--text", "36", "--choice", "1"];
    let said = answered(&scene, hook, &[&words[..], &others[..]].concat()).await;
    let content = json!({ "firstName": "Ada", "lastName": "King", "email": "a@b.co",
        "age": 36, "agree": true });
    assert_eq!(said["content"], content, "{said}");
}
