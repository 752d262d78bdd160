//! Tests on a settings file with hooks of others, before and after ours.

use super::*;
use serde_json::{Value, json};

const THEIRS: &str = r#"{
  "zeta": [1.0,   2],
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }],
    "PreCompact": []
  },
  "alpha": { "b": 1, "a": 18446744073709551615 }
}"#;

fn wanted(program: &str, version: Option<Version>) -> WantedHooks {
    WantedHooks {
        command: format!("exec \"{program}\" hook claude-code"),
        version,
    }
}

/// Returns the file with the wanted hooks, or without ours; `None` if it is like that already.
fn with_hooks(text: &str, wanted: Option<&WantedHooks>) -> Result<Option<String>> {
    let before = JsonText::read(text.as_bytes())?;
    let mut entries = HookEntries::read(before.clone())?;
    match wanted {
        Some(wanted) => entries.install(wanted)?,
        None => entries.remove(),
    }
    let after = entries.into_text();
    let is_changed = after != before;
    Ok(is_changed.then(|| String::from_utf8(after.into_file()).unwrap()))
}

fn has_hooks(text: &str) -> bool {
    let text = JsonText::read(text.as_bytes()).unwrap();
    HookEntries::read(text).unwrap().has_ours()
}

fn events(text: &str) -> Vec<String> {
    let settings: Value = serde_json::from_str(text).unwrap();
    let hooks = settings["hooks"].as_object().unwrap();
    hooks.keys().cloned().collect()
}

#[test]
fn the_hooks_come_and_go_and_all_else_stays() {
    let ours = wanted("/bin/beckon", Some(Version(2, 1, 330)));
    let with = with_hooks(THEIRS, Some(&ours)).unwrap().unwrap();
    for kept in [
        "\"zeta\": [1.0,   2]",
        "{ \"b\": 1, \"a\": 18446744073709551615 }",
    ] {
        assert!(with.contains(kept), "{with}");
    }
    let settings: Value = serde_json::from_str(&with).unwrap();
    assert_eq!(settings["hooks"]["Stop"].as_array().unwrap().len(), 2);
    assert_eq!(settings["hooks"]["Stop"][1]["hooks"][0]["async"], true);
    assert_eq!(
        settings["hooks"]["PermissionRequest"][0]["hooks"][0]["timeout"],
        PATIENCE
    );
    assert_eq!(with_hooks(&with, Some(&ours)).unwrap(), None);
    let moved = wanted("/opt/beckon", Some(Version(2, 1, 330)));
    let moved = with_hooks(&with, Some(&moved)).unwrap().unwrap();
    assert!(!moved.contains("/bin/beckon"), "{moved}");
    let without = with_hooks(&moved, None).unwrap().unwrap();
    assert_eq!(without, THEIRS);
    assert_eq!(with_hooks(&without, None).unwrap(), None);
}

/// 2.0.45 and 2.1.50 take no hook at all when they find an event that they do not know.
#[test]
fn no_event_is_written_that_this_claude_code_does_not_know() {
    let written = |version| {
        with_hooks("{}", Some(&wanted("/bin/beckon", version)))
            .unwrap()
            .unwrap()
    };
    let newer = [
        "StopFailure",
        "Elicitation",
        "ElicitationResult",
        "PermissionDenied",
    ];
    for (version, failures) in [
        (Some(Version(2, 0, 45)), false),
        (Some(Version(2, 1, 50)), true),
        (None, true),
    ] {
        let events = events(&written(version));
        assert!(
            !events.iter().any(|event| newer.contains(&event.as_str())),
            "{version:?}"
        );
        assert_eq!(
            events.iter().any(|event| event == "PostToolUseFailure"),
            failures
        );
    }
    let whole = written(Some(Version(2, 1, 330)));
    assert_eq!(events(&whole).len(), EVENTS.len());
    assert_eq!(
        with_hooks(&whole, Some(&wanted("/bin/beckon", None))).unwrap(),
        None
    );
}

#[test]
fn older_hooks_are_renewed_and_keep_what_their_user_added() {
    let old = r#"{"hooks": {
            "PermissionRequest": [{"hooks": [{"type": "command", "command": "\"/bin/beckon\" hook claude-code", "timeout": 86400}]}],
            "Stop": [{"hooks": [{"type": "command", "command": "\"/bin/beckon\" hook claude-code --finished", "async": true}]}]
        }}"#;
    assert!(has_hooks(old));
    assert!(!has_hooks(THEIRS));
    let renewed = with_hooks(old, Some(&wanted("/bin/beckon", None)))
        .unwrap()
        .unwrap();
    let settings: Value = serde_json::from_str(&renewed).unwrap();
    let command = |event: &str| settings["hooks"][event][0]["hooks"][0]["command"].clone();
    assert_eq!(
        command("PermissionRequest"),
        "exec \"/bin/beckon\" hook claude-code"
    );
    assert_eq!(
        command("Stop"),
        "exec \"/bin/beckon\" hook claude-code --finished"
    );
    assert_eq!(
        command("SubagentStop"),
        "exec \"/bin/beckon\" hook claude-code"
    );
}

#[test]
fn a_file_that_is_no_settings_is_left_alone() {
    let ours = wanted("beckon", None);
    for text in [
        "[]",
        "{\"hooks\": 7}",
        "{\"hooks\": {\"Stop\": {}}}",
        "{ // note\n}",
    ] {
        assert!(with_hooks(text, Some(&ours)).is_err(), "{text}");
    }
    let fresh = with_hooks("{}", Some(&ours)).unwrap().unwrap();
    assert_eq!(with_hooks(&fresh, None).unwrap().unwrap(), "{}");
}

#[test]
fn a_hook_whose_words_stand_in_args_is_ours_and_gets_no_double() {
    let ours = wanted("/bin/beckon", Some(Version(2, 1, 330)));
    for (command, arguments) in [
        ("/opt/beckon/beckon", json!(["hook", "claude-code"])),
        (
            "cmd.exe",
            json!([
                "/c",
                "C:\\Tools\\beckon.exe",
                "hook",
                "claude-code",
                "--finished"
            ]),
        ),
        ("nice", json!(["-n", "5", "beckon", "hook", "claude-code"])),
    ] {
        let hook = json!({ "type": "command", "command": command, "args": arguments });
        let text = json!({ "hooks": { "Stop": [{ "hooks": [hook] }] } }).to_string();
        assert!(has_hooks(&text), "{text}");

        let with = with_hooks(&text, Some(&ours)).unwrap().unwrap();
        let settings: Value = serde_json::from_str(&with).unwrap();
        let stop = settings["hooks"]["Stop"].as_array().unwrap();
        assert_eq!(stop.len(), 1, "{with}");
        let kept = &stop[0]["hooks"][0];
        assert_eq!(
            (&kept["command"], &kept["args"]),
            (&json!(command), &arguments)
        );

        let without = with_hooks(&with, None).unwrap().unwrap();
        assert!(!without.contains("claude-code"), "{without}");
    }
    for others in [
        json!({ "type": "command", "command": "beckon", "args": ["hook", "claude-code", "x"] }),
        json!({ "type": "command", "command": "say", "args": ["hook", "claude-code"] }),
        json!({ "type": "command", "command": "beckon", "args": "hook claude-code" }),
    ] {
        let text = json!({ "hooks": { "Stop": [{ "hooks": [others] }] } }).to_string();
        assert!(!has_hooks(&text), "{text}");
    }
}
