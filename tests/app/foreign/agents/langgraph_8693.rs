//! <https://github.com/langchain-ai/langgraph/issues/8693>: LangGraph takes an answer that is an
//! empty object, or one whose keys look like its ids, for a map of answers. The thread stayed where
//! it was, and nobody was told.

use crate::common::SOON;
use beckon_support::beckon::Beckon;
use beckon_support::eventually;
use beckon_support::langgraph::LangGraph;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn an_object_is_an_answer_whatever_its_keys_are() {
    let server = LangGraph::start().await;
    let config = format!(
        "opencode = []\n[[interrupts]]\nname = \"graphs\"\nkind = \"langgraph\"\nurl = \"{}\"\n",
        server.url()
    );
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .config(&config)
        .build();
    beckon.start();

    let answers = ["{}", r#"{"0123456789abcdef0123456789abcdef":"yes"}"#];
    let drafts = json!([{ "draft": 0 }, { "draft": 1 }]);
    let thread = server.run("asker", drafts).await;
    for (number, answer) in answers.iter().enumerate() {
        let asks = format!("\"draft\": {number}");
        let id = eventually("it is asked", SOON, async || {
            let list = beckon.list().await;
            let ask = list.into_iter().find(|ask| {
                let question = ask["questions"][0]["question"].as_str();
                question.is_some_and(|question| question.contains(&asks))
            })?;
            ask["id"].as_str().map(str::to_owned)
        })
        .await;
        let command = ["answer", &id, "--text", answer, "--json"];
        let answered = beckon.command(&command).await;
        assert_eq!(answered.json()["state"], "taken", "{answered:?}");
    }

    let read = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
    let told = json!(answers.map(read));
    assert_eq!(server.answers(&thread).await, told);
}
