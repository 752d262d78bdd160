//! The pictures of the tray icon, drawn on the pixels of the panel: a desk bell, and at its lower
//! right a badge for what there is to say.
//!
//! Not here: which one is shown when (`menu/standing.rs`), and shapes and numbers (`icon/`).

mod canvas;
mod numbers;
mod shapes;

use super::menu::IconState;
use canvas::Canvas;
use shapes::{Grid, Shape};

/// The sizes that are drawn, in pixels, the smallest first: panels choose the one that fits.
pub(crate) const SIZES: [u32; 6] = [16, 22, 24, 32, 48, 64];

/// The ground of numbers and of the phone. White on it has a contrast of 4.7:1.
const ACCENT: [u8; 3] = [0xbe, 0x57, 0x22];
const WHITE: [u8; 3] = [255; 3];
const LIGHT: [u8; 3] = [0xf6, 0xf6, 0xf2];
const DARK: [u8; 3] = [0x2b, 0x2b, 0x29];
/// The contour's tone on a dark panel. Half of it still has a contrast of 3:1 on a white panel,
/// which half of the dark tone has not.
const BLACK: [u8; 3] = [0x11, 0x11, 0x10];
/// The opacity of the contour in the other tone, which keeps a bell legible on a panel of its own
/// tone.
const CONTOUR: f32 = 0.5;

/// A square picture, four bytes a pixel: red, green, blue, opacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pixels {
    /// Width and height.
    pub size: u32,
    /// The pixels, row by row from the top left.
    pub rgba: Vec<u8>,
}

/// The tone of the panel, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "each system knows other panels")]
pub(crate) enum Panel {
    /// The panel is dark, so the bell is light.
    Dark,
    /// The panel is light, so the bell is dark.
    Light,
    /// The panel paints icons in a colour of its own, so only the opacity of a pixel counts.
    Recolours,
}

/// Returns the one of [`SIZES`] for a place of so many pixels: never smaller, if there is one.
#[cfg(any(test, not(target_os = "linux")))]
pub(crate) fn size_for(place: u32) -> u32 {
    let [.., largest] = SIZES;
    SIZES
        .into_iter()
        .find(|size| *size >= place)
        .unwrap_or(largest)
}

/// Draws the picture of a state in so many pixels.
pub(crate) fn pixels(state: IconState, panel: Panel, size: u32) -> Pixels {
    let grid = Grid::of(size);
    let canvas = Canvas::new(size, grid.scale(size));
    let mut drawing = Drawing {
        size,
        grid,
        panel,
        canvas,
    };
    match state {
        IconState::Quiet => drawing.paint(&grid.bell()),
        IconState::NoSource => drawing.struck_out(),
        IconState::Waiting(count) => drawing.number(count),
        IconState::Forwarding => drawing.phone(),
        IconState::Paused => drawing.paused(),
    }
    Pixels {
        size,
        rgba: drawing.canvas.into_rgba(),
    }
}

struct Drawing {
    size: u32,
    grid: Grid,
    panel: Panel,
    canvas: Canvas,
}

impl Drawing {
    /// Draws shapes in the tone of the bell.
    fn paint(&mut self, shapes: &[Shape]) {
        let tone = match self.panel {
            Panel::Dark => LIGHT,
            Panel::Light | Panel::Recolours => DARK,
        };
        self.lay(shapes, tone);
    }

    /// Draws shapes, and around all of them a contour of the tone that the bell does not have.
    fn lay(&mut self, shapes: &[Shape], colour: [u8; 3]) {
        let contour = match self.panel {
            Panel::Dark => Some(BLACK),
            Panel::Light => Some(LIGHT),
            Panel::Recolours => None,
        };
        if let Some(contour) = contour {
            self.canvas.fill(shapes, 1.0, contour, CONTOUR);
        }
        self.canvas.fill(shapes, 0.0, colour, 1.0);
    }

    /// Draws a bell of which nothing but the rim is left, crossed out.
    fn struck_out(&mut self) {
        let stroke = self.grid.stroke();
        self.paint(&self.grid.hollow_bell());
        self.canvas.cut(&stroke, self.grid.scale(self.size));
        self.paint(&[stroke]);
    }

    /// Draws how many wait: up to nine, and from then on a plus.
    fn number(&mut self, count: usize) {
        self.paint(&self.grid.bell());
        self.badge(&self.grid.disc());
        let number = self.grid.number(count);
        self.inside(&number);
    }

    fn phone(&mut self) {
        self.paint(&self.grid.bell());
        let (body, screen) = self.grid.phone();
        self.badge(&body);
        self.inside(&screen);
    }

    /// Draws two bars in the tone of the bell.
    fn paused(&mut self) {
        self.paint(&self.grid.bell());
        let (room, bars) = self.grid.bars();
        self.canvas.cut(&room, 0.0);
        self.paint(&bars);
    }

    /// Draws a patch of the accent, a unit away from the bell.
    fn badge(&mut self, shape: &Shape) {
        self.canvas.cut(shape, self.grid.scale(self.size));
        let colour = if self.panel == Panel::Recolours {
            DARK
        } else {
            ACCENT
        };
        self.lay(std::slice::from_ref(shape), colour);
    }

    /// Draws what stands on a badge: white, or cut out where there is one colour.
    fn inside(&mut self, shape: &Shape) {
        match self.panel {
            Panel::Recolours => self.canvas.cut(shape, 0.0),
            Panel::Dark | Panel::Light => {
                self.canvas
                    .fill(std::slice::from_ref(shape), 0.0, WHITE, 1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests;
