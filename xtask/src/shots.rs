//! `cargo xtask shots`: pictures of every window and of Telegram, in every state, light and dark, in
//! every language.
//! What the states are stands in `ui/pages/scenes.mjs`.

use std::path::Path;

use anyhow::Result;

use crate::{packages, shell, ui};

/// Where they go.
const FOLDER: &str = "docs/shots/windows";
/// A window has few colours; so many keep its letters smooth.
const COLOURS: &str = "64";

pub(crate) fn shots() -> Result<()> {
    packages::install(&[packages::SHOTS, packages::EMOJI, packages::npm()])?;
    ui::run("shots")?;
    shrink(&shell::root().join(FOLDER))
}

/// The repository keeps every version of every picture.
fn shrink(folder: &Path) -> Result<()> {
    // Dithering would put grain on the plain grounds, and more bytes into the file.
    let arguments = [
        "-strip",
        "+dither",
        "-colors",
        COLOURS,
        "-define",
        "png:compression-level=9",
    ];
    shell::execute(
        shell::command("mogrify", &arguments)
            .arg("*.png")
            .current_dir(folder),
    )
}
