//! The pictures of the tray icon, drawn by `icons/export.sh` and embedded.
//!
//! Not here: which one is shown when (that is `menu::Glimpse::icon`).

use super::menu::IconState;
use anyhow::{Context, Result, ensure};
use include_dir::{Dir, include_dir};

static PICTURES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/icons/tray");

/// The sizes there are, in pixels: panels choose the one that fits.
pub const SIZES: [u32; 4] = [22, 32, 48, 64];

/// A square picture, four bytes a pixel: red, green, blue, opacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Width and height.
    pub size: u32,
    /// Row by row from the top left.
    pub rgba: Vec<u8>,
}

/// The picture of a state in one of [`SIZES`].
///
/// # Errors
/// When there is no such picture; the tests say that there always is.
pub fn pixels(state: IconState, size: u32) -> Result<Pixels> {
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
mod tests {
    use super::*;

    #[test]
    fn every_state_has_a_picture_in_every_size() {
        let waiting = (0..12).map(IconState::Waiting);
        let others = [IconState::Quiet, IconState::NoSource, IconState::Forwarding];
        for state in waiting.chain(others) {
            for size in SIZES {
                let picture = pixels(state, size).expect("an embedded picture");
                assert_eq!(picture.rgba.len(), (size * size * 4) as usize);
                assert!(picture.rgba.chunks(4).any(|pixel| pixel[3] == 255), "{state:?} is empty");
            }
        }
    }

    #[test]
    fn different_numbers_look_different_until_ten() {
        let of = |count| pixels(IconState::Waiting(count), 32).expect("an embedded picture");
        assert_ne!(of(2), of(3));
        assert_eq!(of(10), of(400));
    }
}
