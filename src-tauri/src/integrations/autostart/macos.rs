//! A launch agent of this user: launchd.plist(5).

use anyhow::Result;
use beckon_client::platform::failure::SystemFailure;
use std::path::{Path, PathBuf};

/// Its label, which is its file's name too.
const LABEL: &str = "dev.beckon.desk";

pub(super) fn is_on() -> Result<bool> {
    Ok(file()?.exists())
}

pub(super) fn turn_on(program: &Path) -> Result<()> {
    super::file::write(&file()?, &agent(program))
}

pub(super) fn turn_off() -> Result<()> {
    super::file::remove(&file()?)
}

fn file() -> Result<PathBuf> {
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
    let home = PathBuf::from(home.ok_or(SystemFailure::NoHome("HOME"))?);
    Ok(home.join("Library/LaunchAgents").join(format!("{LABEL}.plist")))
}

fn agent(program: &Path) -> String {
    let program = program.display().to_string();
    let program = program.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
    <key>Label</key>
    <string>{LABEL}</string>
    <key>ProgramArguments</key>
    <array>
        <string>{program}</string>
    </array>
    <key>RunAtLoad</key>
    <true/>
</dict>
</plist>
"#
    )
}
