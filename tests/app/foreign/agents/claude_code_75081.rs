//! <https://github.com/anthropics/claude-code/issues/75081>,
//! <https://github.com/ChanMeng666/echook/issues/1> and
//! <https://github.com/nikolanovoselec/codeflare/pull/300>: one hook that is written wrongly, of
//! whatever event, and Claude Code skips the whole file. Installers said that all was well, and
//! none of their hooks ever ran.

use beckon_support::beckon::Beckon;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn hooks_beside_one_that_switches_the_whole_file_off_are_not_praised() {
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).build();
    let folder = beckon.folder().join("user/.claude");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("settings.json");
    let hook = json!({ "type": "command", "command": "true" });
    for wrong in [
        json!({ "PreToolUse": [{ "matcher": { "type": "always" }, "hooks": [hook] }] }),
        json!({ "SessionStart": [{ "matcher": null, "hooks": [hook] }] }),
        json!({ "PreToolUse": "~/hook.sh" }),
        json!({ "SessionStart": [hook] }),
        json!({ "Stop": [{ "hooks": [hook] }, { "matcher": "" }] }),
    ] {
        let text = json!({ "hooks": wrong }).to_string();
        std::fs::write(&file, &text).unwrap();
        let output = beckon.command(&["integrate", "claude-code"]).await;
        assert_eq!(output.status, Some(1), "{wrong}: {output:?}");
        let event = wrong.as_object().unwrap().keys().next().unwrap();
        assert!(output.stderr.contains(event), "{wrong}: {output:?}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
}
