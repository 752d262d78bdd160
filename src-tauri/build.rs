//! Build script: only the window program needs Tauri's code generation, and the built web pages.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=src-tauri/locales");
    #[cfg(feature = "gui")]
    window()?;
    Ok(())
}

/// What the windows may ask for; who may ask for which stands in `capabilities/`. A command that is
/// missing here is refused to every window.
#[cfg(feature = "gui")]
const COMMANDS: &[&str] = &[
    "open_view",
    "drawn",
    "close_window",
    "answer",
    "grant",
    "deny",
    "dismiss",
    "go_on",
    "keep_draft",
    "drafts",
    "settings",
    "save_setting",
    "add_server",
    "remove_server",
    "test_server",
    "nearby",
    "set_secret",
    "remove_secret",
    "integrate_opencode",
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
    "export_history",
    "health",
    "self_test",
    "test_question",
    "open_link",
    "open_logs",
    "open_agents",
];

#[cfg(feature = "gui")]
fn window() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=ui/dist");
    if !std::path::Path::new("ui/dist/answer.html").exists() {
        return Err(
            "the windows' pages are not built: run `cargo xtask ui` first (it needs npm), \
                    or build without windows: `cargo build --no-default-features`"
                .into(),
        );
    }
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/**/*")
        .app_manifest(tauri_build::AppManifest::new().commands(COMMANDS));
    tauri_build::try_build(attributes)?;
    Ok(())
}
