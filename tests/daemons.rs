//! Real notification daemons: a real button is pressed, and the real OpenCode's model reads it.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]
#![cfg(target_os = "linux")]

mod common;

use beckon_support::beckon::Beckon;
use beckon_support::desktop::{Daemon, Desktop};
use beckon_support::eventually;
use beckon_support::model::{Model, Step, ToolCall, script};
use beckon_support::opencode::{OpenCode, Version};
use common::{SOON, config};
use serde_json::json;

/// Between the middle of "Answer…", the last button, and that of the one before it.
const ONE_BUTTON: i32 = 85;

#[tokio::test(flavor = "multi_thread")]
async fn a_button_of_dunst_and_one_of_xfce_answer_a_real_opencode() {
    let model = Model::start();
    let opencode = OpenCode::start(Version::V1_18_33, &model).await;
    let mut desktop = Desktop::start();
    desktop.start_daemon(Daemon::Dunst);
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .bus(desktop.bus())
        .config(&config(&opencode.url()))
        .start();
    beckon.wait_ready().await;

    ask(&opencode, "Dunst?", &["Postgres", "Sqlite"]).await;
    shown(&beckon, 1).await;
    desktop.pick_in_dunst("sqlite");
    told(&model, "\"Dunst?\"=\"Sqlite\"").await;

    desktop.start_daemon(Daemon::Xfce4Notifyd);
    ask(&opencode, "Xfce?", &["Postgres", "Sqlite"]).await;
    desktop.press_button_from_right(1, ONE_BUTTON);
    told(&model, "\"Xfce?\"=\"Sqlite\"").await;
}

async fn ask(opencode: &OpenCode, text: &str, labels: &[&str]) {
    let options: Vec<_> =
        labels.iter().map(|label| json!({ "label": label, "description": "" })).collect();
    let question = json!([{ "question": text, "header": "Header", "options": options }]);
    let directory = opencode.directory();
    let session = opencode.session(directory, "A session").await;
    let steps = [Step::Tools(vec![ToolCall::question(question)])];
    opencode.prompt(&session, directory, &script(&steps)).await;
}

/// The daemon has the notification: Beckon's log says so.
async fn shown(beckon: &Beckon, count: usize) {
    eventually("a listed ask", SOON, async || (beckon.list().await.len() == count).then_some(()))
        .await;
}

async fn told(model: &Model, text: &str) {
    eventually(text, SOON, async || {
        model.tool_results().iter().any(|(_, told)| told.contains(text)).then_some(())
    })
    .await;
}
