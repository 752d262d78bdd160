//! `cargo xtask shots`: takes pictures of every window and of Telegram, in every state, light and
//! dark, in every language. The states are in `ui/pages/scenes.mjs`.

use std::path::Path;

use anyhow::Result;

use crate::{packages, shell, ui};

/// The folder of the pictures.
const FOLDER: &str = "docs/shots/windows";
/// The number of colours in a picture. With fewer the red of what ends something turns into the
/// accent, and a soft shadow into rings.
const COLOURS: &str = "256";

pub(crate) fn shots() -> Result<()> {
    packages::install(&[packages::SHOTS, packages::EMOJI, packages::npm()])?;
    ui::run("shots")?;
    shrink(&shell::root().join(FOLDER))
}

/// Makes the pictures smaller, since the repository keeps every version of every picture.
fn shrink(folder: &Path) -> Result<()> {
    // Dithering would put grain on the plain backgrounds, and more bytes into the file.
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
