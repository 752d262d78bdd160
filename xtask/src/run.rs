//! `cargo xtask run`: builds both programs and starts Beckon.

use std::process::Command;

use anyhow::Result;

use crate::{packages, shell, ui};

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    packages::install(&[packages::BUILD, packages::npm()])?;
    ui::build()?;
    shell::execute(&mut shell::cargo(&[
        "build",
        "--package",
        "beckon",
        "--bins",
    ]))?;
    let beckon = shell::target()
        .join("debug")
        .join(format!("beckon{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(beckon);
    if is_app(arguments) && !has_display() {
        println!(
            "run: neither DISPLAY nor WAYLAND_DISPLAY is set: starting without tray and windows"
        );
        command.arg("--headless");
    }
    // The demo is not the first start: the welcome is for people who begin in earnest.
    if arguments.iter().any(|argument| argument == "--demo")
        && std::env::var_os("BECKON_HOME").is_none_or(|home| home.is_empty())
    {
        let home = shell::target().join("demo");
        println!(
            "run: the demo has a home of its own, BECKON_HOME={}",
            home.display()
        );
        command.env("BECKON_HOME", home);
    }
    shell::execute(command.args(arguments))
}

/// Tells whether the arguments start the tray app, which alone needs a display; a command such as
/// `status` does not.
fn is_app(arguments: &[String]) -> bool {
    arguments
        .iter()
        .all(|argument| argument.starts_with('-') && argument != "--headless")
}

fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
