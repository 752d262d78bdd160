//! The cost of a hook of Claude Code: from its start to the card, and from the press to its
//! decision.

use super::{SOON, row};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::notifications::Notifications;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Instant;

const SAMPLES: usize = 100;
const SESSION: &str = "00893aaf-19fa-41d2-8238-13269b9b3ca0";

/// Measures the way of a permission, there and back, beside a dialog in the terminal.
pub(super) async fn measure() {
    let bus = Bus::start();
    let daemon = Notifications::start(&bus);
    let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).bus(&bus);
    let beckon = builder.config("opencode = []\n").start();
    beckon.wait_ready().await;
    let (mut shown, mut decided) = (Vec::new(), Vec::new());

    for n in 0..SAMPLES {
        register(beckon.folder(), "waiting", n);
        let at = Instant::now();
        let hook = start(&beckon, n);
        let card = daemon
            .wait_for(|shown| shown.summary.contains("touch"), SOON)
            .await;
        shown.push(card.at.saturating_duration_since(at));

        let at = Instant::now();
        daemon.press(card.id, card.action("Allow once").unwrap());
        let ended = tokio::task::spawn_blocking(|| hook.wait_with_output());
        let said = ended.await.unwrap().unwrap().stdout;
        decided.push(at.elapsed());
        assert!(!said.is_empty(), "the hook decides");

        register(beckon.folder(), "busy", n);
        daemon.wait_empty(SOON).await;
    }
    row("a hook's start → Notify", &shown, "");
    row("press → the hook's decision", &decided, "");
}

fn start(beckon: &Beckon, n: usize) -> Child {
    let event = json!({
        "session_id": SESSION, "cwd": "/home/me/shop", "permission_mode": "default",
        "hook_event_name": "PermissionRequest", "tool_name": "Bash",
        "tool_input": { "command": format!("touch built-{n}") },
    });
    let mut command = beckon.prepare(&["hook", "claude-code"]);
    let mut hook = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = hook.stdin.take().unwrap();
    stdin.write_all(event.to_string().as_bytes()).unwrap();
    hook
}

/// Writes Claude Code's register of its sessions, each time for a later moment.
fn register(beckon: &Path, status: &str, n: usize) {
    let folder = beckon.join("user/.claude/sessions");
    std::fs::create_dir_all(&folder).unwrap();
    let since = 1_000 + 2 * n + usize::from(status == "busy");
    let entry = json!({
        "pid": std::process::id(), "sessionId": SESSION, "status": status,
        "updatedAt": since, "statusUpdatedAt": since,
    });
    let fresh = folder.join("fresh");
    std::fs::write(&fresh, entry.to_string()).unwrap();
    std::fs::rename(fresh, folder.join("1.json")).unwrap();
}
