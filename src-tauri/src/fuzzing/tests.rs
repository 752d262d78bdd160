//! The smoke run: every committed input, and some thousand cheap mutations of each, through its door.

use super::{DOORS, FuzzDoor};
use std::path::{Path, PathBuf};

/// The number of mutations of each input, unless `BECKON_FUZZ_MUTATIONS` says otherwise; the same
/// in each run.
const MUTATIONS: u64 = 100;
/// The pieces of text that mean something in these formats.
const PIECES: [&str; 32] = [
    "\n\n",
    "\r",
    "\r\n\r\n",
    "data: ",
    "event: interrupt\n",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    "\\ud83d",
    "null",
    "1e999",
    "-1",
    ",",
    ":",
    "\u{202e}",
    "\u{feff}",
    "é",
    "\"type\":",
    "\"id\":",
    "[[opencode]]\n",
    ".t",
    "MSG a 1 ",
    "HMSG a 1 2 ",
    "-ERR",
    " 18446744073709551600\r\n",
    "NATS/1.0 100",
    "INFO {",
    "PING\r\n",
    "$JS.ACK.",
];

fn corpus(door: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(door);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>).
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % (most.max(1) as u64)).unwrap()
    }
}

fn mutated(input: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=dice.below(3) {
        let (at, until) = (dice.below(bytes.len() + 1), dice.below(bytes.len() + 1));
        let (from, to) = (at.min(until), at.max(until).min(at.min(until) + 64));
        match dice.below(5) {
            0 => _ = bytes.drain(from..to),
            1 => _ = bytes.splice(from..from, bytes[from..to].to_vec()),
            2 => bytes.truncate(at),
            3 => bytes
                .iter_mut()
                .skip(at)
                .take(1)
                .for_each(|byte| *byte ^= 1 << (until % 8)),
            _ => {
                let piece = PIECES[dice.below(PIECES.len())];
                _ = bytes.splice(at..at, piece.bytes());
            }
        }
    }
    bytes
}

/// Says what was fed when a door objects.
struct Fed<'a>(&'a Path, &'a [u8]);

impl Drop for Fed<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}, mutated: {}", self.0.display(), self.1.escape_ascii());
        }
    }
}

fn smoke(door: &str) {
    let (_, enter): (_, FuzzDoor) = *DOORS.iter().find(|(name, _)| *name == door).unwrap();
    let files = corpus(door);
    assert!(!files.is_empty(), "{door} has no corpus");
    let said = std::env::var("BECKON_FUZZ_MUTATIONS")
        .ok()
        .and_then(|count| count.parse().ok());
    for file in files {
        let input = std::fs::read(&file).unwrap();
        let mut dice = Dice(input.len() as u64);
        for count in 0..=said.unwrap_or(MUTATIONS) {
            let bytes = if count == 0 {
                input.clone()
            } else {
                mutated(&input, &mut dice)
            };
            let _fed = Fed(&file, &bytes);
            enter(&bytes);
        }
    }
}

#[test]
fn whatever_stands_in_config_toml_is_edited_or_refused_in_a_line() {
    smoke("config");
}

#[test]
fn frames_mean_the_same_wherever_they_are_cut() {
    smoke("frames");
}

#[test]
fn whatever_a_hook_is_handed_its_card_shows_all_that_is_allowed() {
    smoke("hooks");
}

#[test]
fn whatever_a_hubs_server_says_goes_on_in_one_plain_form_or_not_at_all() {
    smoke("hub");
}

#[test]
fn whatever_interrupts_a_thread_is_shown() {
    smoke("interrupts");
}

#[test]
fn every_item_of_a_list_is_an_ask_of_its_own_that_survives_a_restart() {
    smoke("lists");
}

#[test]
fn whatever_registers_itself_takes_nobody_elses_name() {
    smoke("registrations");
}

#[test]
fn whatever_is_asked_of_the_api_is_answered_or_refused_in_words() {
    smoke("requests");
}

#[test]
fn whatever_comes_from_telegram_only_the_paired_have_a_say() {
    smoke("telegram");
}

#[test]
fn every_door_has_a_program_and_a_corpus_and_no_other_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let names = |folder: &str| -> Vec<String> {
        let files = std::fs::read_dir(root.join(folder)).unwrap();
        let stem = |file: PathBuf| file.file_stem().unwrap().to_string_lossy().into_owned();
        let mut names: Vec<String> = files.map(|file| stem(file.unwrap().path())).collect();
        names.sort();
        names
    };
    let doors: Vec<&str> = DOORS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names("fuzz_targets"), doors);
    assert_eq!(names("corpus"), doors);
}

#[test]
fn whatever_is_called_json_is_read_and_keeps_its_digits() {
    smoke("json");
}
