//! The shapes of the icon, on grids of 16, 22 and 24 units. Larger icons are an enlarged grid.
//!
//! Not here: colours, and the order in which shapes are drawn.

use super::numbers::{self, Glyph};

/// A shape, which can tell how far a point is from its edge; inside, the distance is negative.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// A box from its top left corner, with round corners.
    Box {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        round: f32,
    },
    /// Half an ellipse that stands on `base`.
    Dome {
        x: f32,
        base: f32,
        across: f32,
        height: f32,
    },
    /// The rim of such a dome, of that width.
    Rim {
        x: f32,
        base: f32,
        across: f32,
        height: f32,
        width: f32,
    },
    /// A diagonal line from the top left to the lower right between these two coordinates, with
    /// round ends.
    Stroke {
        from: f32,
        to: f32,
        width: f32,
    },
    Disc {
        x: f32,
        y: f32,
        across: f32,
    },
    /// A number: its text, its middle, and the size of each of its dots in units.
    Number {
        glyph: &'static Glyph,
        x: f32,
        y: f32,
        dot: f32,
    },
}

/// A grid, by its number of units across and down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grid {
    Sixteen,
    TwentyTwo,
    TwentyFour,
}

impl Grid {
    /// Returns the grid for a size in pixels whose units are whole pixels.
    pub(super) fn of(size: u32) -> Self {
        match size {
            22 => Self::TwentyTwo,
            24 | 48 => Self::TwentyFour,
            _ => Self::Sixteen,
        }
    }

    /// Returns the number of pixels for a unit.
    pub(super) fn scale(self, size: u32) -> f32 {
        let units: f32 = match self {
            Self::Sixteen => 16.0,
            Self::TwentyTwo => 22.0,
            Self::TwentyFour => 24.0,
        };
        f32::from(u16::try_from(size).unwrap_or(u16::MAX)) / units
    }

    /// Returns knob, dome and foot of the bell.
    pub(super) fn bell(self) -> Vec<Shape> {
        self.knob_and_foot()
            .into_iter()
            .chain([self.dome()])
            .collect()
    }

    /// Returns the bell with only the rim of its dome.
    pub(super) fn hollow_bell(self) -> Vec<Shape> {
        let rim = match self.dome() {
            Shape::Dome {
                x,
                base,
                across,
                height,
            } => {
                let width = if self == Self::Sixteen { 1.6 } else { 1.9 };
                Shape::Rim {
                    x,
                    base,
                    across,
                    height,
                    width,
                }
            }
            other => other,
        };
        self.knob_and_foot().into_iter().chain([rim]).collect()
    }

    fn dome(self) -> Shape {
        let (x, base, across, height) = match self {
            Self::Sixteen => (8.0, 11.0, 12.0, 6.0),
            Self::TwentyTwo => (11.0, 16.0, 16.0, 9.0),
            Self::TwentyFour => (12.0, 17.0, 18.0, 9.0),
        };
        Shape::Dome {
            x,
            base,
            across,
            height,
        }
    }

    fn knob_and_foot(self) -> [Shape; 3] {
        match self {
            Self::Sixteen => [
                square(6.0, 2.0, 4.0, 2.0, 0.0),
                square(7.0, 4.0, 2.0, 2.0, 0.0),
                square(1.0, 12.0, 14.0, 2.0, 0.6),
            ],
            Self::TwentyTwo => [
                square(9.0, 3.0, 4.0, 3.0, 1.5),
                square(10.0, 5.0, 2.0, 3.0, 0.0),
                square(2.0, 17.0, 18.0, 2.0, 0.8),
            ],
            Self::TwentyFour => [
                square(10.0, 3.0, 4.0, 3.0, 1.5),
                square(11.0, 5.0, 2.0, 4.0, 0.0),
                square(2.0, 18.0, 20.0, 2.0, 0.8),
            ],
        }
    }

    /// Returns the line that crosses the bell out.
    pub(super) fn stroke(self) -> Shape {
        let (to, width) = match self {
            Self::Sixteen => (14.0, 1.9),
            Self::TwentyTwo => (20.0, 2.1),
            Self::TwentyFour => (22.0, 2.1),
        };
        Shape::Stroke {
            from: 2.0,
            to,
            width,
        }
    }

    /// Returns the disc behind a number.
    pub(super) fn disc(self) -> Shape {
        let (x, across) = self.corner();
        match self {
            // A disc of nine pixels has no room for a number that can be read.
            Self::Sixteen => square(x - across / 2.0, x - across / 2.0, across, across, 3.2),
            Self::TwentyTwo | Self::TwentyFour => Shape::Disc { x, y: x, across },
        }
    }

    pub(super) fn number(self, count: usize) -> Shape {
        let (x, _) = self.corner();
        let glyph = match self {
            Self::Sixteen => numbers::small(count),
            Self::TwentyTwo | Self::TwentyFour => numbers::large(count),
        };
        Shape::Number {
            glyph,
            x,
            y: x,
            dot: 1.0,
        }
    }

    /// Returns the middle of the badge at the lower right, and its width.
    fn corner(self) -> (f32, f32) {
        match self {
            Self::Sixteen => (11.5, 9.0),
            Self::TwentyTwo => (15.5, 13.0),
            Self::TwentyFour => (17.5, 13.0),
        }
    }

    /// Returns a phone and its screen.
    pub(super) fn phone(self) -> (Shape, Shape) {
        match self {
            Self::Sixteen => (
                square(9.0, 6.0, 7.0, 10.0, 1.5),
                square(11.0, 8.0, 3.0, 5.0, 0.0),
            ),
            Self::TwentyTwo => (
                square(13.0, 8.0, 9.0, 14.0, 2.0),
                square(15.0, 10.0, 5.0, 8.0, 0.0),
            ),
            Self::TwentyFour => (
                square(14.0, 8.0, 10.0, 16.0, 2.4),
                square(16.0, 10.0, 6.0, 9.0, 0.0),
            ),
        }
    }

    /// Returns the room that a pause sign takes, and the sign.
    pub(super) fn bars(self) -> (Shape, [Shape; 2]) {
        let bars = |[first, second]: [f32; 2], top: f32, width: f32, height: f32| {
            let room = square(first - 1.0, top - 1.0, UNBOUNDED, UNBOUNDED, 0.0);
            (
                room,
                [first, second].map(|x| square(x, top, width, height, 0.0)),
            )
        };
        match self {
            Self::Sixteen => bars([9.0, 13.0], 8.0, 2.0, 7.0),
            Self::TwentyTwo => bars([13.0, 18.0], 11.0, 3.0, 10.0),
            Self::TwentyFour => bars([14.0, 19.0], 12.0, 3.0, 11.0),
        }
    }
}

/// A length that is wider than any grid.
const UNBOUNDED: f32 = 64.0;

fn square(x: f32, y: f32, width: f32, height: f32, round: f32) -> Shape {
    Shape::Box {
        x,
        y,
        width,
        height,
        round,
    }
}

impl Shape {
    /// Returns the distance of a point from the edge, in units; inside, it is negative.
    pub(super) fn distance(&self, px: f32, py: f32) -> f32 {
        match *self {
            Self::Box {
                x,
                y,
                width,
                height,
                round,
            } => {
                let across = (px - x - width / 2.0).abs() - width / 2.0 + round;
                let along = (py - y - height / 2.0).abs() - height / 2.0 + round;
                across.max(0.0).hypot(along.max(0.0)) + across.max(along).min(0.0) - round
            }
            Self::Dome {
                x,
                base,
                across,
                height,
            } => arch(px - x, py - base, across / 2.0, height).max(py - base),
            Self::Rim {
                x,
                base,
                across,
                height,
                width,
            } => {
                let arch = arch(px - x, py - base, across / 2.0, height);
                ((arch + width / 2.0).abs() - width / 2.0).max(py - base)
            }
            Self::Stroke { from, to, width } => {
                let nearest = f32::midpoint(px, py).clamp(from, to);
                (px - nearest).hypot(py - nearest) - width / 2.0
            }
            Self::Disc { x, y, across } => (px - x).hypot(py - y) - across / 2.0,
            Self::Number { glyph, x, y, dot } => {
                glyph.distance((px - x) / dot, (py - y) / dot) * dot
            }
        }
    }
}

/// Returns the distance from an ellipse around the origin; exact on a circle and near the edge.
fn arch(x: f32, y: f32, half_width: f32, half_height: f32) -> f32 {
    ((x / half_width).hypot(y / half_height) - 1.0) * half_width.min(half_height)
}
