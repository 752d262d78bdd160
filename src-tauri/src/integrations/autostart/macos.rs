//! A launch agent of this user: launchd.plist(5).

use anyhow::{Context, Result};
use beckon_client::platform::failure::SystemFailure;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The agent's label, and the name of its file.
const LABEL: &str = "dev.beckon.desk";

pub(super) fn is_on() -> Result<bool> {
    let file = file()?;
    match std::fs::read(&file) {
        Ok(agent) => Ok(!String::from_utf8_lossy(&agent).lines().any(leads_nowhere)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| SystemFailure::Read(file)),
    }
}

/// Tells whether a line names a program that is gone: launchd would look for it at every login, in
/// vain.
fn leads_nowhere(line: &str) -> bool {
    let text = line.trim().strip_prefix("<string>");
    let text = text.and_then(|rest| rest.strip_suffix("</string>"));
    let path = text.filter(|text| text.starts_with('/')).map(unescaped);
    path.is_some_and(|path| !Path::new(&path).is_file())
}

pub(super) fn turn_on(program: &Path) -> Result<()> {
    super::file::write(&file()?, |_| Some(agent(program)))
}

/// Removes the agent, whatever stands in the file: its name is ours alone.
pub(super) fn turn_off() -> Result<()> {
    super::file::remove(&file()?, |_| true)
}

fn file() -> Result<PathBuf> {
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
    let home = PathBuf::from(home.ok_or(SystemFailure::NoHome("HOME"))?);
    Ok(home
        .join("Library/LaunchAgents")
        .join(format!("{LABEL}.plist")))
}

fn agent(program: &Path) -> String {
    let program = escaped(&program.display().to_string());
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

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_whose_program_is_gone_is_off() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("R&D <1> &lt;");
        let is_off = || agent(&program).lines().any(leads_nowhere);
        assert!(is_off());
        std::fs::write(&program, "").unwrap();
        assert!(!is_off());
    }
}
