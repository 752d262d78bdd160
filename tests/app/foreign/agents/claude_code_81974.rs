//! <https://github.com/anthropics/claude-code/issues/81974>: a folder on a network share lost one of
//! the two backslashes at its beginning, and then was another folder that is not there.

use crate::common::counter::Scene;
use crate::common::elicitation::{hook, shown};

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_on_a_share_or_with_a_long_name_stays_as_it_is_written() {
    for (folder, name) in [
        (r"\\RaiDrive-USER\Synology\dev\repo-a", "repo-a"),
        (r"\\?\C:\work\repo-b", "repo-b"),
        (r"\\wsl.localhost\Ubuntu\home\me\repo-c", "repo-c"),
    ] {
        let scene = Scene::start().await;
        let input = serde_json::json!({ "file_path": format!(r"{folder}\src\main.rs"),
            "old_string": "a", "new_string": "b" });
        let event = serde_json::json!({ "session_id": "36d61c13-9eed-4a3c-bb72-232c4fbba385",
            "transcript_path": "/tmp/none.jsonl", "cwd": folder,
            "hook_event_name": "PermissionRequest", "tool_name": "Edit", "tool_input": input });
        let _hook = hook(&scene, &event.to_string()).await;

        let id = scene.one_open().await;
        let shown = shown(&scene, &id).await;
        assert_eq!(shown["session"]["directory"], folder, "{shown}");
        let path = format!(r"{folder}\src\main.rs");
        assert_eq!(shown["permission"]["patterns"][0], path.as_str(), "{shown}");
        let words = scene.beckon.command(&["show", &id]).await.stdout;
        let title = format!("{name} wants to edit main.rs");
        assert!(words.contains(&title), "{words}");
    }
}
