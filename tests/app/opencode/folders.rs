//! Tests of folders of all kinds: names that look escaped, folders without git and below a
//! repository's root, and sessions that were deleted in them.

use crate::common::{SOON, Stage, asked_by, named};
use beckon_support::eventually;
use beckon_support::model::{MODEL, Step, ToolCall, script};
use beckon_support::opencode::Version;
use serde_json::{Value, json};

const VERSIONS: [Version; 2] = [Version::V1_1_53, Version::V1_18_33];

fn question(text: &str) -> Step {
    asked_by(json!([named(text, &["Yes", "No"])]))
}

/// Makes a folder beside the project, or in it.
fn folder(path: &str) -> String {
    std::fs::create_dir_all(path).unwrap();
    path.to_owned()
}

async fn prompt(stage: &Stage, directory: &str, steps: &[Step]) -> String {
    let session = stage.opencode.session(directory, "A session").await;
    let prompt = script(steps);
    stage
        .opencode
        .prompt_model(&session, directory, MODEL, &prompt)
        .await;
    session
}

async fn nothing(stage: &Stage) {
    eventually("nothing is listed", SOON, async || {
        stage.beckon.list().await.is_empty().then_some(())
    })
    .await;
}

/// Only 1.1.53 is tested: 1.18.33 itself runs a session of `a%20b` in `a b`, whoever prompts it.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_in_a_folder_whose_name_looks_escaped_is_answered() {
    let stage = Stage::start(Version::V1_1_53).await;
    for name in ["a%20b", "100%25", "%E4%BD%A0", "%ff", "50%"] {
        let directory = folder(&format!("{}/{name}", stage.directory()));
        let text = format!("In {name}?");
        let steps = [question(&text), Step::Text("Done.".into())];
        prompt(&stage, &directory, &steps).await;
        stage.shown(&text).await;
        let id = stage.one_open().await;
        let output = stage.answer(&id, &["--choice", "1"]).await;
        assert_eq!(output.json()["state"], "taken", "{name}: {output:?}");
        stage.model_reads(&format!("\"{text}\"=\"Yes\"")).await;
        nothing(&stage).await;
    }
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_deleted_session_asked_does_not_come_back() {
    for version in VERSIONS {
        let stage = Stage::start(version).await;
        let directory = stage.directory();
        let steps = [question("Deleted?"), Step::Text("Done.".into())];
        let session = prompt(&stage, &directory, &steps).await;
        stage.shown("Deleted?").await;
        stage.opencode.delete(&session, &directory).await;
        nothing(&stage).await;
        let kept = stage.opencode.questions(&directory).await;
        assert_eq!(
            kept.as_array().unwrap().len(),
            1,
            "OpenCode keeps it: {kept}"
        );

        let told = || {
            let shown = stage.daemon.all();
            shown
                .iter()
                .filter(|shown| shown.summary.ends_with("Deleted?"))
                .count()
        };
        let before = told();
        stage.beckon.kill9();
        stage.beckon.start();
        stage.beckon.wait_ready().await;
        prompt(
            &stage,
            &directory,
            &[question("And now?"), Step::Text("Done.".into())],
        )
        .await;
        stage.shown("And now?").await;
        let list = stage.beckon.list().await;
        assert_eq!(list.len(), 1, "{list:?}");
        assert_eq!(told(), before, "it does not ring again");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_named_as_it_is_seen_from_the_sessions_folder() {
    for version in VERSIONS {
        let stage = Stage::start(version).await;
        let repository = stage.directory();
        let below = folder(&format!("{repository}/sub"));
        let home = stage.opencode.home();
        let loose = folder(&format!("{}/loose", home.path().display()));
        let other = format!("{repository}/root.txt");
        let outside = format!("{}/outside.txt", home.path().display());
        for (directory, file, named) in [
            (&below, format!("{below}/a.txt"), "a.txt"),
            (&below, other.clone(), other.as_str()),
            (&loose, format!("{loose}/a.txt"), "a.txt"),
            (&loose, outside.clone(), outside.as_str()),
        ] {
            let asked = written(&stage, directory, &file).await;
            let patterns = &asked["permission"]["patterns"];
            assert_eq!(*patterns, json!([named]), "{}: {asked}", version.number());
        }
    }
}

/// Returns the ask for writing a file: its card's text about the file, and its marks.
async fn written(stage: &Stage, directory: &str, file: &str) -> Value {
    let arguments = json!({ "filePath": file, "content": "x\n" });
    let write = Step::Tools(vec![ToolCall::new("write", arguments)]);
    let session = prompt(stage, directory, &[write, Step::Text("Done.".into())]).await;
    let asked = eventually("the edit is listed", SOON, async || {
        let list = stage.beckon.list().await;
        // A file outside of the project takes another permission before the change.
        for ask in &list {
            let (id, name) = (ask["id"].as_str()?, &ask["permission"]["permission"]);
            if *name == "external_directory" && ask["state"] == "open" {
                stage.command(&["grant", id]).await;
            }
        }
        let edit = |ask: &&Value| ask["permission"]["permission"] == "edit";
        list.iter().find(edit).cloned()
    })
    .await;
    stage.opencode.abort(&session, directory).await;
    nothing(stage).await;
    asked
}
