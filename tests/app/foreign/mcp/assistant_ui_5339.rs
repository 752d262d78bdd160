//! <https://github.com/assistant-ui/assistant-ui/issues/5339>: a field that was "yes" by itself was
//! sent as "no" by whoever did not touch it. Here nothing is sent that nobody has chosen; but whoever
//! chooses is told which value the field has by itself.

use crate::common::counter::Scene;
use crate::common::elicitation::{fill_in, shown};

#[tokio::test(flavor = "multi_thread")]
async fn the_choice_that_a_field_has_by_itself_says_so() {
    let scene = Scene::start().await;
    let _hook = fill_in(
        &scene,
        r#"{"type":"object","required":["on","lang","days"],"properties":{
            "on":{"type":"boolean","default":true},
            "lang":{"type":"string","enum":["en","de"],"default":"de"},
            "days":{"type":"array","items":{"enum":["Mo","Tu","We"]},"default":["Mo","We"]}}}"#,
    )
    .await;

    let id = scene.one_open().await;
    let shown = shown(&scene, &id).await;
    let mut marked = Vec::new();
    for question in shown["questions"].as_array().unwrap() {
        let options = question["choices"].as_array().unwrap().iter();
        let default = options.filter(|option| option["description"] == "The default");
        marked.extend(default.map(|option| option["label"].as_str().unwrap()));
    }
    assert_eq!(marked, ["Yes", "de", "Mo", "We"], "{shown}");
}
