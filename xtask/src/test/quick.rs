//! `cargo xtask test quick`: runs what a change may have broken, as far as minutes allow. It looks
//! at what has changed according to git and at the table of the walls, and prints at the end what
//! it left out.

use std::collections::BTreeSet;

use anyhow::Result;

use super::running::{self, TimedTest};
use super::{clippy, format};
use crate::{shell, ui, walls};

/// The number of lives of each world of the model.
const LIVES: &str = "10000";

/// The tests of the whole app that show what a room does, without real agents and web views: those
/// take minutes, and `cargo xtask test` runs them.
const APP_TESTS: [(&str, &[&str]); 9] = [
    ("api", &["api::"]),
    (
        "app",
        &["api::", "durability::saving", "opencode::delivery"],
    ),
    (
        "channels",
        &[
            "desktop::bursts",
            "desktop::replies",
            "telegram::caution",
            "telegram::chats",
            "telegram::writing",
        ],
    ),
    ("cli", &["agents::asking", "api::"]),
    ("hub", &["hub::answering", "hub::serving"]),
    ("presence", &["desktop::presence"]),
    (
        "sources",
        &[
            "agents::interrupts",
            "opencode::delivery",
            "opencode::reconnecting",
            "opencode::unread",
        ],
    ),
    ("store", &["durability::database", "durability::saving"]),
    ("tray", &["desktop::places"]),
];

/// The parts of the project that a change touches.
#[derive(Debug, Default, PartialEq, Eq)]
struct TouchedParts {
    /// The rooms, by their names in the walls.
    rooms: BTreeSet<String>,
    core: bool,
    pages: bool,
    workshop: bool,
    /// The modules of `tests/app`.
    app_tests: BTreeSet<String>,
}

/// Runs what a change since `base` may have broken. Without a base the change is what is not
/// committed, or else the last commit.
pub(super) fn run(base: Option<&str>, timed: &mut Vec<TimedTest>) -> Result<()> {
    let files = changed(base)?;
    let touched = touched_by(&files, walls::room_of);
    println!("{} changed files touch {}", files.len(), touched.in_words());

    format()?;
    walls::walls()?;
    if touched.has_code() {
        // clippy runs for the whole workspace: unchanged crates are not built again.
        clippy()?;
    }
    core_tests(timed)?;
    if touched.workshop {
        running::run(&["--package", "xtask"], &[], timed)?;
    }
    if !touched.rooms.is_empty() || touched.core {
        running::run(&["--workspace", "--lib"], &[], timed)?;
    }
    if touched.pages {
        ["lint", "check", "test"]
            .into_iter()
            .try_for_each(ui::run)?;
    }
    let tests = app_tests(&touched);
    if !tests.is_empty() {
        running::run(&["--workspace", "--test", "app"], &tests, timed)?;
    }

    println!(
        "\nleft out: the tests with real agents and windows, pages in a browser, documentation, other systems"
    );
    println!("`cargo xtask test` has them");
    Ok(())
}

impl TouchedParts {
    /// Names the parts, for the person who waits.
    fn in_words(&self) -> String {
        let others = [
            (self.core, "core"),
            (self.pages, "pages"),
            (self.workshop, "xtask"),
        ];
        let others = others
            .into_iter()
            .filter(|&(is_touched, _name)| is_touched)
            .map(|(_is_touched, name)| name.to_owned());
        let tests = self
            .app_tests
            .iter()
            .map(|module| format!("tests of {module}"));

        let parts: Vec<String> = self
            .rooms
            .iter()
            .cloned()
            .chain(others)
            .chain(tests)
            .collect();
        if parts.is_empty() {
            return "nothing that is tested".to_owned();
        }
        parts.join(", ")
    }

    fn has_code(&self) -> bool {
        self.core || self.workshop || !self.rooms.is_empty() || !self.app_tests.is_empty()
    }
}

fn changed(base: Option<&str>) -> Result<Vec<String>> {
    let names = |arguments: &[&str]| -> Result<Vec<String>> {
        let told = shell::output(&mut shell::command("git", arguments))?;
        Ok(told.lines().map(str::to_owned).collect())
    };
    let mut files = names(&["diff", "--name-only", base.unwrap_or("HEAD")])?;
    files.extend(names(&["ls-files", "--others", "--exclude-standard"])?);
    if files.is_empty() && base.is_none() {
        return names(&["diff", "--name-only", "HEAD~1", "HEAD"]);
    }
    Ok(files)
}

fn touched_by(files: &[String], room_of: impl Fn(&str) -> Option<String>) -> TouchedParts {
    let mut touched = TouchedParts::default();
    for file in files {
        touched.core |= file.starts_with("core/");
        touched.pages |= file.starts_with("ui/") || file.starts_with("client/locales/");
        touched.workshop |= file.starts_with("xtask/");
        touched.rooms.extend(room_of(file));
        let module = file.strip_prefix("tests/app/");
        let module = module.map(|path| path.trim_end_matches(".rs").replace('/', "::"));
        touched.app_tests.extend(module);
    }
    touched
}

fn core_tests(timed: &mut Vec<TimedTest>) -> Result<()> {
    let arguments = ["--package", "beckon-core", "--tests"];
    running::run_with(&arguments, &[], &[("BECKON_MODEL_CASES", LIVES)], timed)
}

/// Returns the tests of the app that have changed themselves, and those of the changed rooms and of
/// all rooms that may name these.
fn app_tests(touched: &TouchedParts) -> Vec<String> {
    let rooms: BTreeSet<String> = touched
        .rooms
        .iter()
        .flat_map(|room| walls::above(room))
        .collect();
    let of_rooms = APP_TESTS.iter().filter(|(room, _)| rooms.contains(*room));
    let tests = of_rooms.flat_map(|(_, tests)| tests.iter().map(|&test| test.to_owned()));
    let tests: BTreeSet<String> = tests.chain(touched.app_tests.iter().cloned()).collect();
    tests.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(files: &[&str]) -> TouchedParts {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        touched_by(&files, walls::room_of)
    }

    #[test]
    fn a_change_is_known_by_the_part_that_it_lies_in() {
        let store = touched(&["src-tauri/src/store/asks.rs"]);
        assert!(store.rooms.contains("store") && !store.core && !store.pages);
        assert!(touched(&["core/src/desk.rs"]).core);
        assert!(touched(&["client/locales/en/ui.ftl"]).pages);
        let test = touched(&["tests/app/telegram/writing.rs"]);
        assert!(test.app_tests.contains("telegram::writing"));
        assert_eq!(touched(&["docs/manual.md"]), TouchedParts::default());
    }

    #[test]
    fn a_change_runs_the_tests_of_its_room_and_of_those_above_it() {
        let tests = app_tests(&touched(&["src-tauri/src/store/asks.rs"]));
        assert!(
            tests.contains(&"durability::saving".to_owned()),
            "{tests:?}"
        );
        assert!(
            tests.contains(&"api::".to_owned()),
            "the app stands above: {tests:?}"
        );
        let tests = app_tests(&touched(&["src-tauri/src/tray/menu.rs"]));
        assert!(!tests.contains(&"hub::serving".to_owned()), "{tests:?}");
    }

    #[test]
    fn every_room_of_the_list_is_a_room() {
        for (room, _) in APP_TESTS {
            assert!(walls::is_room(room), "{room}");
        }
    }
}
