//! macOS: the application comes to the front. Which of its windows does, it decides itself.

use anyhow::{Context, Result, ensure};
use beckon_client::platform::children::withhold_secrets;
use std::process::Command;

pub(super) fn raise(lineage: &[u32]) -> Result<()> {
    let bundle = lineage.iter().find_map(|pid| bundle(&program(*pid)?));
    let bundle = bundle.context("none of its processes is an application")?;
    let opened = quiet("/usr/bin/open").arg("-a").arg(&bundle).status();
    let opened = opened.context("Failed to run open")?;
    ensure!(opened.success(), "open ended with {opened}");
    Ok(())
}

fn program(pid: u32) -> Option<String> {
    let told = quiet("/bin/ps")
        .args(["-o", "comm=", "-p", &pid.to_string()])
        .output();
    String::from_utf8(told.ok()?.stdout).ok()
}

fn quiet(program: &str) -> Command {
    let mut command = Command::new(program);
    withhold_secrets(&mut command);
    command
}

/// The outermost application that holds the program: within it may be others, which have no windows.
/// Nor has what lies in a framework, as Python does.
fn bundle(program: &str) -> Option<String> {
    let (bundle, _) = program.split_once(".app/Contents/")?;
    (!bundle.contains(".framework/")).then(|| format!("{bundle}.app"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_application_is_the_outermost_one() {
        let of = |program: &str| bundle(program);
        let iterm = of("/Applications/iTerm.app/Contents/MacOS/iTerm2");
        assert_eq!(iterm.as_deref(), Some("/Applications/iTerm.app"));
        let code = "/Applications/Code.app/Contents/Frameworks/Code Helper.app/Contents/MacOS/Code";
        assert_eq!(of(code).as_deref(), Some("/Applications/Code.app"));
        let python = "/Library/Frameworks/Python.framework/Versions/3/Resources/Python.app/Contents/MacOS/Python";
        assert_eq!(of(python), None);
        assert_eq!(of("/bin/zsh"), None);
    }
}
