//! The pictures of the tray icon, drawn by `icons/export.sh` and embedded.
//!
//! Not here: which one is shown when (that is `menu::Glimpse::icon`).

use super::menu::IconState;
use anyhow::{Context, Result, ensure};
use include_dir::{Dir, include_dir};

static PICTURES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/icons/tray");

/// The sizes there are, in pixels, the smallest first: panels choose the one that fits. One drawing
/// serves light and dark panels, since on Linux nobody tells which it is.
pub(crate) const SIZES: [u32; 6] = [16, 22, 24, 32, 48, 64];

/// A square picture, four bytes a pixel: red, green, blue, opacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pixels {
    /// Width and height.
    pub size: u32,
    /// Row by row from the top left.
    pub rgba: Vec<u8>,
}

/// The one of [`SIZES`] for a place of so many pixels: never smaller, if there is one.
#[cfg(any(test, not(target_os = "linux")))]
pub(crate) fn size_for(place: u32) -> u32 {
    let [.., largest] = SIZES;
    SIZES.into_iter().find(|size| *size >= place).unwrap_or(largest)
}

/// The picture of a state in one of [`SIZES`].
///
/// # Errors
/// When there is no such picture; the tests say that there always is.
pub(crate) fn pixels(state: IconState, size: u32) -> Result<Pixels> {
    let name = format!("{}-{size}.png", name(state));
    let file = PICTURES
        .get_file(&name)
        .with_context(|| format!("Failed to find the embedded picture {name}"))?;
    decode(file.contents(), size).with_context(|| format!("Failed to decode the picture {name}"))
}

fn name(state: IconState) -> String {
    match state {
        IconState::Quiet => "quiet".into(),
        IconState::NoSource => "no-source".into(),
        IconState::Forwarding => "forwarding".into(),
        IconState::Paused => "paused".into(),
        IconState::Waiting(count @ ..10) => format!("waiting-{}", count.max(1)),
        IconState::Waiting(_) => "waiting-more".into(),
    }
}

fn decode(png: &[u8], size: u32) -> Result<Pixels> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info()?;
    let mut rgba = vec![0; reader.output_buffer_size().unwrap_or_default()];
    let frame = reader.next_frame(&mut rgba)?;
    ensure!(frame.color_type == png::ColorType::Rgba, "it has no opacity");
    ensure!((frame.width, frame.height) == (size, size), "its size is not {size}");
    rgba.truncate(frame.buffer_size());
    Ok(Pixels { size, rgba })
}

#[cfg(test)]
mod tests;
