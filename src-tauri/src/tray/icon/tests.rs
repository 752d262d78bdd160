//! Every picture is there, is told from the others, and stands out.

use super::*;

/// One of each kind.
const STATES: [IconState; 5] = [
    IconState::Quiet,
    IconState::Waiting(1),
    IconState::NoSource,
    IconState::Forwarding,
    IconState::Paused,
];
/// Light and dark panels, as they come in the wild.
const PANELS: [[u8; 3]; 4] = [[246, 246, 244], [255; 3], [43; 3], [0; 3]];

#[test]
fn every_state_has_a_picture_in_every_size() {
    let waiting = (0..12).map(IconState::Waiting);
    let others = [IconState::Quiet, IconState::NoSource, IconState::Forwarding, IconState::Paused];
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
    for size in SIZES {
        let of = |count| pixels(IconState::Waiting(count), size).expect("a picture").rgba;
        for count in 1..10 {
            assert_ne!(of(count), of(count + 1), "{count} at {size}");
        }
        assert_eq!(of(10), of(400));
    }
}

#[test]
fn states_differ_in_shape_and_not_only_in_colour() {
    let covered = |state, size| {
        let rgba = pixels(state, size).expect("an embedded picture").rgba;
        rgba.chunks(4).map(|pixel| pixel[3] >= 128).collect::<Vec<_>>()
    };
    for size in SIZES {
        for (i, state) in STATES.into_iter().enumerate() {
            for other in STATES.into_iter().skip(i + 1) {
                let shapes = covered(state, size).into_iter().zip(covered(other, size));
                let differing = shapes.filter(|(one, another)| one != another).count();
                let enough = (size * size / 20) as usize;
                assert!(differing >= enough, "{state:?} and {other:?} at {size}: {differing}");
            }
        }
    }
}

#[test]
fn every_colour_stands_out_from_light_and_dark_panels() {
    for state in STATES {
        for (colour, count) in colours(state) {
            let legible = PANELS.into_iter().all(|panel| contrast(colour, panel) >= 3.0);
            // The number stands on its own ground.
            let number = colour == [255; 3] && contrast(colour, ground(state)) >= 4.5;
            assert!(legible || number || count < 40, "{state:?} has {colour:?} × {count}");
        }
    }
}

#[test]
fn a_place_gets_the_picture_that_fits_or_is_larger() {
    let places = [8, 16, 20, 24, 40, 64, 128];
    assert_eq!(places.map(size_for), [16, 16, 22, 24, 48, 64, 64]);
}

/// The opaque colours of a large picture, with their pixels.
fn colours(state: IconState) -> std::collections::BTreeMap<[u8; 3], usize> {
    let mut colours = std::collections::BTreeMap::new();
    for pixel in pixels(state, 64).expect("an embedded picture").rgba.chunks(4) {
        if let [red, green, blue, 255] = *pixel {
            *colours.entry([red, green, blue]).or_default() += 1;
        }
    }
    colours
}

/// The darkest colour that covers a good part.
fn ground(state: IconState) -> [u8; 3] {
    let many = colours(state).into_iter().filter(|(_, count)| *count > 200);
    let darker = |a: &[u8; 3], b: &[u8; 3]| luminance(*a).total_cmp(&luminance(*b));
    many.map(|(colour, _)| colour).min_by(darker).expect("it has a colour")
}

/// As WCAG 2 counts it.
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}
