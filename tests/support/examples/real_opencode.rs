//! Runs a real OpenCode at its usual port, with a scripted model that asks one question; prints
//! what the model was told, and ends.
//!
//! Used by the trials, which run in a system that has neither cargo nor npm.
//! `BECKON_TEST_OPENCODE_DIR` says where OpenCode's executable lies.

#![expect(clippy::print_stdout, reason = "it is read there")]

use std::time::Duration;

use beckon_support::eventually;
use beckon_support::model::{Model, Step, ToolCall, script};
use beckon_support::opencode::{OpenCode, Version};
use serde_json::json;

/// The port at which OpenCode listens by default, and at which Beckon looks for it.
const PORT: u16 = 4096;
/// The longest wait for an answer; a human, or a script in a human's place, answers sooner.
const PATIENCE: Duration = Duration::from_secs(120);

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let model = Model::start();
    let opencode = OpenCode::builder(Version::V1_18_33, &model)
        .port(PORT)
        .start()
        .await;
    let directory = opencode.directory();
    let session = opencode.session(directory, "Move the shop").await;
    let question = ToolCall::question(
        json!([{ "question": "Which database?", "header": "Database",
        "options": [{ "label": "PostgreSQL", "description": "As in production" },
                    { "label": "SQLite", "description": "One file" }] }]),
    );
    let steps = [Step::Tools(vec![question]), Step::Text("Done.".into())];
    opencode.prompt(&session, directory, &script(&steps)).await;
    let told = async || model.tool_results().pop();
    let (_, told) = eventually("the question is answered", PATIENCE, told).await;
    println!("the model was told: {told}");
}
