//! The glyphs of the numbers, dot by dot, for the small grid and for the larger ones. From ten on
//! it is a plus.
//!
//! Not here: where they stand.

/// A glyph: its rows from the top, where `#` is a dot.
#[derive(Debug)]
pub(super) struct Glyph {
    rows: &'static [&'static str],
}

/// Returns the number's glyph on the grid of 16.
pub(super) fn small(count: usize) -> &'static Glyph {
    nth(&SMALL, count)
}

/// Returns the number's glyph on the other grids.
pub(super) fn large(count: usize) -> &'static Glyph {
    nth(&LARGE, count)
}

fn nth(glyphs: &'static [Glyph; 10], count: usize) -> &'static Glyph {
    glyphs.get(count.clamp(1, 10) - 1).unwrap_or(&glyphs[9])
}

impl Glyph {
    /// Returns how far a place is from the edge of the dots, seen from the middle. Between dots it
    /// is rounded.
    pub(super) fn distance(&self, x: f32, y: f32) -> f32 {
        let half = |count: usize| f32::from(u8::try_from(count).unwrap_or_default()) / 2.0;
        let (wide, high) = (
            self.rows.first().map_or(0, |row| row.len()),
            self.rows.len(),
        );
        let (x, y) = (x + half(wide) - 0.5, y + half(high) - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let (right, below) = (x - left, y - top);
        let row = |at: f32| self.dot(left, at) * (1.0 - right) + self.dot(left + 1.0, at) * right;
        0.5 - (row(top) * (1.0 - below) + row(top + 1.0) * below)
    }

    fn dot(&self, x: f32, y: f32) -> f32 {
        let at = |place: f32| usize::try_from(place as i32).ok();
        let row = at(y).and_then(|y| self.rows.get(y));
        let is_dot = row.zip(at(x)).and_then(|(row, x)| row.as_bytes().get(x)) == Some(&b'#');
        if is_dot { 1.0 } else { 0.0 }
    }
}

const fn glyph(rows: &'static [&'static str]) -> Glyph {
    Glyph { rows }
}

static SMALL: [Glyph; 10] = [
    glyph(&[
        "..#..", ".##..", "###..", "..#..", "..#..", "..#..", "#####",
    ]),
    glyph(&[
        ".###.", "##.##", "...##", "..##.", ".##..", "##...", "#####",
    ]),
    glyph(&[
        "####.", "...##", "...##", ".###.", "...##", "...##", "####.",
    ]),
    glyph(&[
        "...##", "..###", ".#.##", "#..##", "#####", "...##", "...##",
    ]),
    glyph(&[
        "#####", "##...", "####.", "...##", "...##", "##.##", ".###.",
    ]),
    glyph(&[
        ".###.", "##...", "##...", "####.", "##.##", "##.##", ".###.",
    ]),
    glyph(&[
        "#####", "...##", "...##", "..##.", "..##.", ".##..", ".##..",
    ]),
    glyph(&[
        ".###.", "##.##", "##.##", ".###.", "##.##", "##.##", ".###.",
    ]),
    glyph(&[
        ".###.", "##.##", "##.##", ".####", "...##", "...##", ".###.",
    ]),
    glyph(&[
        ".....", "..#..", "..#..", "#####", "..#..", "..#..", ".....",
    ]),
];

static LARGE: [Glyph; 10] = [
    glyph(&[
        "...##..", ".####..", "#####..", "...##..", "...##..", "...##..", "...##..", ".######",
        ".######",
    ]),
    glyph(&[
        ".#####.", "#######", "##...##", ".....##", "...###.", "..###..", ".###...", "#######",
        "#######",
    ]),
    glyph(&[
        ".#####.", "#######", ".....##", "..####.", "..####.", ".....##", "##...##", "#######",
        ".#####.",
    ]),
    glyph(&[
        "....##.", "...###.", "..####.", ".##.##.", "##..##.", "#######", "#######", "....##.",
        "....##.",
    ]),
    glyph(&[
        "#######", "#######", "##.....", "######.", "#######", ".....##", "##...##", "#######",
        ".#####.",
    ]),
    glyph(&[
        "..####.", ".#####.", "##.....", "######.", "#######", "##...##", "##...##", "#######",
        ".#####.",
    ]),
    glyph(&[
        "#######", "#######", ".....##", "....##.", "....##.", "...##..", "...##..", "..##...",
        "..##...",
    ]),
    glyph(&[
        ".#####.", "#######", "##...##", ".#####.", ".#####.", "##...##", "##...##", "#######",
        ".#####.",
    ]),
    glyph(&[
        ".#####.", "#######", "##...##", "##...##", "#######", ".######", ".....##", ".#####.",
        ".####..",
    ]),
    glyph(&[
        ".......", "..###..", "..###..", "#######", "#######", "#######", "..###..", "..###..",
        ".......",
    ]),
];
