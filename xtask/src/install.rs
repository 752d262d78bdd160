//! `cargo xtask install`: installs a Beckon that was built here into `~/.local`, with its entry in
//! the menu, and removes it again. The work is done by the script of the archive
//! (`xtask/package/install.sh`).

use crate::package::{Release, Shape, lay_out, template_file};
use crate::{packages, shell};
use anyhow::{Result, bail};
use std::path::Path;

pub(crate) fn install(words: &[String]) -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("so far Linux only; `cargo build --release` puts both programs into target/release");
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => build_and_install(),
        ["--uninstall"] => run(&template_file("install.sh"), &["--uninstall"]),
        _ => bail!("say `install` or `install --uninstall`"),
    }
}

fn build_and_install() -> Result<()> {
    packages::install(&[packages::BUILD, packages::npm()])?;
    let release = Release::of_this_checkout()?;
    run(
        &lay_out(&release, Shape::Desktop, "beckon")?.installer(),
        &[],
    )
}

fn run(script: &Path, words: &[&str]) -> Result<()> {
    shell::execute(shell::command("sh", &[]).arg(script).args(words))
}
