//! A link as a QR code: in the terminal, and as a picture.

use anyhow::{Context, Result};
use qrcode::render::svg;
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};

/// Black on white, whatever the terminal's own colours are: not every camera reads the reverse.
const BLACK_ON_WHITE: &str = "\u{1b}[30;107m";
const AS_BEFORE: &str = "\u{1b}[0m";

/// Half blocks, two modules to a character. Without colours it is drawn for a dark background.
///
/// # Errors
/// When the link is too long for a code.
pub fn text(link: &str, coloured: bool) -> Result<String> {
    let code = code(link)?;
    if !coloured {
        let (dark, light) = (Dense1x2::Light, Dense1x2::Dark);
        return Ok(code.render::<Dense1x2>().dark_color(dark).light_color(light).build());
    }
    let lines = code.render::<Dense1x2>().build();
    let lines = lines.lines().map(|line| format!("{BLACK_ON_WHITE}{line}{AS_BEFORE}"));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// The text of an SVG file.
///
/// # Errors
/// When the link is too long for a code.
pub fn svg(link: &str) -> Result<String> {
    Ok(code(link)?.render::<svg::Color<'_>>().min_dimensions(256, 256).build())
}

/// Little correction: the code stays small, and a screen has no scratches.
fn code(link: &str) -> Result<QrCode> {
    QrCode::with_error_correction_level(link, EcLevel::L).context("Failed to draw the QR code")
}
