//! The build script: only the program with windows needs Tauri's code generation and the built web
//! pages.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Without such a line cargo builds the library anew whenever any file of the checkout changes.
    println!("cargo::rerun-if-changed=src-tauri/build.rs");
    #[cfg(feature = "gui")]
    window()?;
    Ok(())
}

/// The commands that windows may call. `capabilities/` says which window may call which. A command
/// that is missing here is refused to every window.
#[cfg(feature = "gui")]
const COMMANDS: &[&str] = &[
    "open_view",
    "drawn",
    "fit",
    "close_window",
    "answer",
    "grant",
    "deny",
    "dismiss",
    "go_on",
    "attend",
    "open_session",
    "keep_draft",
    "drafts",
    "settings",
    "save_setting",
    "add_server",
    "change_server",
    "remove_server",
    "test_server",
    "nearby",
    "set_secret",
    "remove_secret",
    "integrate_opencode",
    "integrate_claude_code",
    "integrations",
    "agents",
    "autostart",
    "presence",
    "pause",
    "resume",
    "telegram_login",
    "telegram_logout",
    "telegram_pair",
    "telegram_people",
    "telegram_unpair",
    "telegram_test",
    "history",
    "activity",
    "grants",
    "revoke",
    "export_history",
    "hub",
    "hub_join",
    "hub_leave",
    "hub_remove",
    "health",
    "self_test",
    "test_question",
    "open_link",
    "open_logs",
    "open_config",
    "open_agents",
];

#[cfg(feature = "gui")]
fn window() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=ui/dist");
    if !std::path::Path::new("ui/dist/answer.html").exists() {
        pages()?;
    }
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/**/*")
        .app_manifest(tauri_build::AppManifest::new().commands(COMMANDS));
    tauri_build::try_build(attributes)?;
    Ok(())
}

/// Builds the pages in a fresh clone. After later changes to them, `cargo xtask ui` builds them.
#[cfg(feature = "gui")]
fn pages() -> Result<(), Box<dyn std::error::Error>> {
    for words in [
        ["ci", "--no-audit", "--no-fund"].as_slice(),
        &["run", "build"],
    ] {
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let npm = std::process::Command::new(npm)
            .args(words)
            .current_dir("ui")
            .output();
        let built = npm.map_err(|error| format!("npm cannot be started ({error}); {WITHOUT}"))?;
        if !built.status.success() {
            let said = String::from_utf8_lossy(&built.stderr).into_owned();
            return Err(format!("`npm {}` failed: {said}{WITHOUT}", words.join(" ")).into());
        }
    }
    Ok(())
}

#[cfg(feature = "gui")]
const WITHOUT: &str = "the windows' pages are built with npm (Node 20); \
    `cargo build --no-default-features` builds Beckon without windows";
