//! Every picture is there, is told from the others, and stands out on every panel: by figures,
//! where eyes would differ.

use super::*;

/// Returns one state of each kind, and all numbers.
fn states() -> impl Iterator<Item = IconState> {
    let others = [
        IconState::Quiet,
        IconState::NoSource,
        IconState::Forwarding,
        IconState::Paused,
    ];
    others.into_iter().chain((1..=10).map(IconState::Waiting))
}

const TONES: [Panel; 2] = [Panel::Dark, Panel::Light];
/// Panels as they come in the wild, and the one between.
const LIGHT_PANELS: [[u8; 3]; 2] = [[255; 3], [242; 3]];
const DARK_PANELS: [[u8; 3]; 2] = [[0; 3], [43; 3]];
const MID_GREY: [u8; 3] = [128; 3];
/// The number of pixels of a bell, and of its contour, that are legible at least.
const BELL: usize = 24;
const CONTOURED: usize = 24;
/// WCAG 2.2, 1.4.11: what has to be told apart to understand a picture.
const LEGIBLE: f64 = 3.0;

#[test]
fn every_state_has_a_picture_in_every_size() {
    for state in states() {
        for size in SIZES {
            for panel in [Panel::Dark, Panel::Light, Panel::Recolours] {
                let picture = pixels(state, panel, size);
                assert_eq!(picture.rgba.len(), (size * size * 4) as usize);
                assert!(
                    picture.rgba.chunks(4).any(|pixel| pixel[3] == 255),
                    "{state:?}"
                );
            }
        }
    }
}

#[test]
fn on_sixteen_pixels_the_bell_stands_out_from_its_panel_in_every_state() {
    for state in states() {
        let guessed = LIGHT_PANELS.map(|panel| standing_out(state, Panel::Light, panel));
        let told = DARK_PANELS.map(|panel| standing_out(state, Panel::Dark, panel));
        let between = TONES.map(|tone| standing_out(state, tone, MID_GREY));
        let least = [guessed, told, between].concat().into_iter().min();
        assert!(
            least >= Some(BELL),
            "{state:?}: {guessed:?} {told:?} {between:?}"
        );
    }
}

#[test]
fn where_the_panel_was_guessed_wrong_the_contour_of_the_bell_stands_out() {
    for state in states() {
        let light = LIGHT_PANELS.map(|panel| standing_out(state, Panel::Dark, panel));
        let dark = DARK_PANELS.map(|panel| standing_out(state, Panel::Light, panel));
        let least = [light, dark].concat().into_iter().min();
        assert!(least >= Some(CONTOURED), "{state:?}: {light:?} {dark:?}");
    }
}

#[test]
fn the_bell_keeps_its_place_and_its_tone_whatever_stands_beside_it() {
    for tone in TONES {
        let quiet = bell_pixels(IconState::Quiet, tone);
        for state in states().filter(|state| *state != IconState::NoSource) {
            let kept = bell_pixels(state, tone).into_iter().zip(&quiet);
            let differing = kept
                .filter(|(now, then)| now[3] == 255 && now != *then)
                .count();
            assert_eq!(differing, 0, "{state:?}");
        }
    }
}

#[test]
fn on_sixteen_pixels_each_number_can_be_read_and_told_from_every_other() {
    assert!(contrast(WHITE, ACCENT) >= 4.5);
    for tone in TONES {
        for one in 1..=10 {
            let dots = white(one, tone)
                .into_iter()
                .filter(|is_white| *is_white)
                .count();
            assert!(dots >= 9, "{one} has {dots} dots");
            for other in 1..one {
                let pairs = white(one, tone).into_iter().zip(white(other, tone));
                let differing = pairs.filter(|(one, other)| one != other).count();
                assert!(differing >= 3, "{one} and {other}: {differing}");
            }
        }
    }
}

#[test]
fn from_ten_on_there_is_no_other_number() {
    for size in SIZES {
        let of = |count| pixels(IconState::Waiting(count), Panel::Dark, size);
        assert_eq!(of(10), of(400));
    }
}

#[test]
fn states_differ_in_shape_and_not_only_in_colour() {
    let covered = |state, size| {
        let rgba = pixels(state, Panel::Recolours, size).rgba;
        rgba.chunks(4)
            .map(|pixel| pixel[3] >= 128)
            .collect::<Vec<_>>()
    };
    let kinds = || states().filter(|state| !matches!(state, IconState::Waiting(2..)));
    for size in SIZES {
        for one in kinds() {
            for other in kinds().filter(|other| *other != one) {
                let shapes = covered(one, size).into_iter().zip(covered(other, size));
                let differing = shapes.filter(|(one, another)| one != another).count();
                let enough = (size * size / 32) as usize;
                assert!(
                    differing >= enough,
                    "{one:?} and {other:?} at {size}: {differing}"
                );
            }
        }
    }
}

#[test]
fn where_a_panel_recolours_every_pixel_is_of_one_colour_and_numbers_are_cut_out() {
    for state in states() {
        let rgba = pixels(state, Panel::Recolours, 22).rgba;
        let drawn = |pixel: &&[u8]| pixel[3] > 0;
        assert!(
            rgba.chunks(4).filter(drawn).all(|pixel| pixel[..3] == DARK),
            "{state:?}"
        );
    }
    let of = |count| pixels(IconState::Waiting(count), Panel::Recolours, 22);
    assert_ne!(of(3), of(8));
}

#[test]
fn a_place_gets_the_picture_that_fits_or_is_larger() {
    let places = [8, 16, 20, 24, 40, 64, 128];
    assert_eq!(places.map(size_for), [16, 16, 22, 24, 48, 64, 64]);
}

/// Counts the pixels at 16, of the bell and not of what stands beside it, that are told from the
/// panel.
fn standing_out(state: IconState, tone: Panel, panel: [u8; 3]) -> usize {
    let seen = bell_pixels(state, tone)
        .into_iter()
        .map(|pixel| over(pixel, panel));
    seen.filter(|colour| contrast(*colour, panel) >= LEGIBLE)
        .count()
}

/// The pixels at 16 above and to the left of what stands beside the bell.
fn bell_pixels(state: IconState, tone: Panel) -> Vec<[u8; 4]> {
    let all = pixels(state, tone, 16).rgba;
    let pixels = all
        .chunks(4)
        .map(|pixel| [pixel[0], pixel[1], pixel[2], pixel[3]]);
    let of_the_bell = |at: usize| at % 16 < 6 || at / 16 < 6;
    pixels
        .enumerate()
        .filter(|(at, _)| of_the_bell(*at))
        .map(|(_, pixel)| pixel)
        .collect()
}

/// The dots of a number at 16: nothing else in its corner is white.
fn white(count: usize, tone: Panel) -> Vec<bool> {
    let all = pixels(IconState::Waiting(count), tone, 16).rgba;
    let in_the_corner = |at: usize| at % 16 >= 8 && at / 16 >= 8;
    let corner = all
        .chunks(4)
        .enumerate()
        .filter(|(at, _)| in_the_corner(*at));
    corner.map(|(_, pixel)| pixel == [255; 4]).collect()
}

fn over([red, green, blue, opacity]: [u8; 4], panel: [u8; 3]) -> [u8; 3] {
    let opacity = f64::from(opacity) / 255.0;
    let mixed = |top: u8, below: u8| {
        (f64::from(top) * opacity + f64::from(below) * (1.0 - opacity)).round() as u8
    };
    [
        mixed(red, panel[0]),
        mixed(green, panel[1]),
        mixed(blue, panel[2]),
    ]
}

/// Returns the contrast as WCAG 2 counts it.
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}
