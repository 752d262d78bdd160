//! A canvas of pixels, and shapes laid over each other on it. A pixel is covered by as much as its
//! middle is inside of a shape, so an edge on the border of two pixels is sharp.
//!
//! Not here: which shapes.

use super::shapes::Shape;

/// A picture that is being drawn.
pub(super) struct Canvas {
    side: u32,
    /// The number of pixels for a unit of the grid.
    scale: f32,
    /// The red, green, blue and opacity of each pixel, from 0 to 1; not multiplied with each other.
    pixels: Vec<[f32; 4]>,
}

impl Canvas {
    /// Makes an empty canvas.
    pub(super) fn new(side: u32, scale: f32) -> Self {
        let count = usize::try_from(side * side).unwrap_or_default();
        Self {
            side,
            scale,
            pixels: vec![[0.0; 4]; count],
        }
    }

    /// Lays the shapes over what is there, in one go, each wider by so many pixels around.
    pub(super) fn fill(&mut self, shapes: &[Shape], wider: f32, colour: [u8; 3], opacity: f32) {
        let colour = colour.map(|part| f32::from(part) / 255.0);
        let nearest = |x: f32, y: f32, scale: f32| {
            let distances = shapes
                .iter()
                .map(|shape| shape.distance(x, y) * scale - wider);
            coverage(distances.fold(f32::INFINITY, f32::min))
        };
        self.each(|pixel, x, y, scale| lay_over(pixel, colour, nearest(x, y, scale) * opacity));
    }

    /// Takes away what is there, that far around a shape.
    pub(super) fn cut(&mut self, shape: &Shape, wider: f32) {
        self.each(|pixel, x, y, scale| {
            pixel[3] *= 1.0 - coverage(shape.distance(x, y) * scale - wider);
        });
    }

    /// Returns the picture, four bytes a pixel.
    pub(super) fn into_rgba(self) -> Vec<u8> {
        let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0).round() as u8;
        self.pixels
            .into_iter()
            .flat_map(|pixel| pixel.map(byte))
            .collect()
    }

    /// Changes every pixel, given the place of its middle on the grid.
    fn each(&mut self, mut change: impl FnMut(&mut [f32; 4], f32, f32, f32)) {
        let middle =
            |at: u32| (f32::from(u16::try_from(at).unwrap_or_default()) + 0.5) / self.scale;
        let places = (0..self.side).flat_map(|y| (0..self.side).map(move |x| (x, y)));
        for (pixel, (x, y)) in self.pixels.iter_mut().zip(places) {
            change(pixel, middle(x), middle(y), self.scale);
        }
    }
}

/// Returns how much of a pixel is inside a shape, if its middle is so many pixels from the edge.
fn coverage(distance: f32) -> f32 {
    (0.5 - distance).clamp(0.0, 1.0)
}

fn lay_over(pixel: &mut [f32; 4], colour: [f32; 3], opacity: f32) {
    let [.., below] = *pixel;
    let both = opacity + below * (1.0 - opacity);
    if both <= 0.0 {
        return;
    }
    for (part, new) in pixel.iter_mut().zip(colour) {
        *part = (new * opacity + *part * below * (1.0 - opacity)) / both;
    }
    pixel[3] = both;
}
