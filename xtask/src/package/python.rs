//! The wheel and the sources of `integrations/python`, made from a copy so that nothing is left
//! there.

use super::{Release, tools};
use crate::shell;
use anyhow::{Context, Result};
use std::path::PathBuf;

pub(super) fn wheel_and_sdist(release: &Release) -> Result<Vec<PathBuf>> {
    let workshop = release.workshop("python")?;
    let (sources, made) = (workshop.join("sources"), workshop.join("made"));
    let from = shell::root().join("integrations/python");
    shell::execute(
        shell::command("cp", &["--recursive"])
            .arg(from)
            .arg(&sources),
    )?;
    let python = tools::program("python")?;
    // Without isolation the build uses the versions that `tools.rs` names, and not the newest ones.
    let build = ["-m", "build", "--no-isolation", "--outdir"];
    let mut command = shell::command(&python.to_string_lossy(), &build);
    command
        .arg(&made)
        .arg(&sources)
        .env("SOURCE_DATE_EPOCH", &release.time);
    shell::output(&mut command)?;
    let entries = std::fs::read_dir(&made).context("failed to find what Python has built")?;
    let files = entries.map(|entry| {
        let file = entry
            .context("failed to find what Python has built")?
            .path();
        let target = release.folder.join(file.file_name().unwrap_or_default());
        std::fs::copy(&file, &target).context("failed to copy what Python has built")?;
        Ok(target)
    });
    files.collect()
}
