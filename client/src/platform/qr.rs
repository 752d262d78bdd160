//! A link as a QR code: in the terminal, and as a picture.

use anyhow::{Context, Result};
use qrcode::render::svg;
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};

/// The colours black on white, whatever the terminal's own are: not every camera reads the reverse.
const BLACK_ON_WHITE: &str = "\u{1b}[30;107m";
const AS_BEFORE: &str = "\u{1b}[0m";

/// Draws the code with half blocks, two modules to a character. Without colours it is drawn for a
/// dark background.
///
/// # Errors
/// When the link is too long for a code.
pub fn text(link: &str, coloured: bool) -> Result<String> {
    let code = code(link)?;
    if !coloured {
        let (dark, light) = (Dense1x2::Light, Dense1x2::Dark);
        return Ok(code
            .render::<Dense1x2>()
            .dark_color(dark)
            .light_color(light)
            .build());
    }
    let lines = code.render::<Dense1x2>().build();
    let lines = lines
        .lines()
        .map(|line| format!("{BLACK_ON_WHITE}{line}{AS_BEFORE}"));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// Draws the code as the text of an SVG file.
///
/// # Errors
/// When the link is too long for a code.
pub fn svg(link: &str) -> Result<String> {
    Ok(code(link)?
        .render::<svg::Color<'_>>()
        .min_dimensions(256, 256)
        .build())
}

/// Makes the code, with little correction: it stays small, and a screen has no scratches.
fn code(link: &str) -> Result<QrCode> {
    QrCode::with_error_correction_level(link, EcLevel::L).context("Failed to draw the QR code")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "https://t.me/some_rather_long_named_bot?start=AbCdEfGhIjKlMnOpQrStUv";

    /// Reads the code as a camera sees it: a square of light and dark for every module.
    fn read(width: usize, height: usize, is_dark: impl Fn(usize, usize) -> bool) -> String {
        const SIDE: usize = 4;
        let shade = |x: usize, y: usize| if is_dark(x / SIDE, y / SIDE) { 0 } else { 255 };
        let mut image =
            rqrr::PreparedImage::prepare_from_greyscale(width * SIDE, height * SIDE, shade);
        let grids = image.detect_grids();
        assert_eq!(grids.len(), 1, "one code is to be seen");
        grids[0].decode().unwrap().1
    }

    /// Whether the module there is drawn, and not left empty.
    fn is_drawn(lines: &[Vec<char>], x: usize, y: usize) -> bool {
        match lines[y / 2][x] {
            '█' => true,
            '▀' => y.is_multiple_of(2),
            '▄' => !y.is_multiple_of(2),
            _ => false,
        }
    }

    fn modules(text: &str) -> Vec<Vec<char>> {
        text.lines().map(|line| line.chars().collect()).collect()
    }

    #[test]
    fn a_camera_reads_the_link_from_a_dark_terminal() {
        let lines = modules(&text(LINK, false).unwrap());
        let (width, height) = (lines[0].len(), lines.len() * 2 - 1);
        assert_eq!(read(width, height, |x, y| !is_drawn(&lines, x, y)), LINK);
        assert!(
            lines.len() <= 24,
            "it fits into a small terminal: {} lines",
            lines.len()
        );
    }

    #[test]
    fn a_camera_reads_the_link_in_black_on_white() {
        let coloured = text(LINK, true).unwrap();
        let lines = coloured.lines().map(|line| {
            let line = line
                .strip_prefix(BLACK_ON_WHITE)
                .expect("every line begins so");
            line.strip_suffix(AS_BEFORE).expect("and ends so")
        });
        let lines = modules(&lines.collect::<Vec<_>>().join("\n"));
        let (width, height) = (lines[0].len(), lines.len() * 2 - 1);
        assert_eq!(read(width, height, |x, y| is_drawn(&lines, x, y)), LINK);
    }
}
