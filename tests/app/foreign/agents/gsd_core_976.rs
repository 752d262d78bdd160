//! <https://github.com/open-gsd/gsd-core/issues/976>: a user had written a hook with its words in
//! `args`, behind a launcher. The installer looked at `command` only, and added its own hook at
//! each update: every event came twice.

use beckon_support::beckon::Beckon;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_whose_words_stand_in_args_gets_no_double() {
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).build();
    let folder = beckon.folder().join("user/.claude");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("settings.json");
    let arguments = json!([
        "-n",
        "5",
        env!("CARGO_BIN_EXE_beckon"),
        "hook",
        "claude-code"
    ]);
    let hook = json!({ "type": "command", "command": "nice", "args": arguments });
    let settings = json!({ "hooks": { "PermissionRequest": [{ "hooks": [hook] }] } });
    std::fs::write(&file, settings.to_string()).unwrap();

    for _ in 0..2 {
        let output = beckon.command(&["integrate", "claude-code"]).await;
        assert_eq!(output.status, Some(0), "{output:?}");
        let text = std::fs::read_to_string(&file).unwrap();
        let written: Value = serde_json::from_str(&text).unwrap();
        let entries = written["hooks"]["PermissionRequest"].as_array().unwrap();
        assert_eq!(entries.len(), 1, "{text}");
        assert_eq!(entries[0]["hooks"][0]["args"], arguments);
    }

    let output = beckon
        .command(&["integrate", "claude-code", "--remove"])
        .await;
    assert_eq!(output.status, Some(0), "{output:?}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains("claude-code"), "{text}");
}
