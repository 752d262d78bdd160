//! The steps of `cargo xtask test` for systems other than this one: whether the programs compile
//! there, and the tests that run with wine in the place of Windows.

use crate::cross::CrossTool;
use crate::shell;
use anyhow::Result;
use std::process::Command;

/// The number of lives of each world of the model. A life is the same on every system, and a
/// million are lived elsewhere.
const LIVES: &str = "10000";
const CORE: [&str; 4] = ["windows", "test", "--package", "beckon-core"];
const LIBRARIES: [&str; 10] = [
    "windows",
    "test",
    "--package",
    "beckon",
    "--package",
    "beckon-client",
    "--no-default-features",
    "--features",
    "hub",
    "--lib",
];

/// The tests that prove nothing under wine 8, each with the reason. Windows itself runs them:
/// `.github/workflows/ci.yml`.
const BEYOND_WINE: [(&str, &str); 5] = [
    (
        "processes::tests::a_process_is_found_with_all_that_is_told_of_it",
        "its table of sockets names process 0 for each",
    ),
    (
        "service::tests::its_password_is_for_the_process_that_listens_there_and_no_later_one",
        "the same",
    ),
    (
        "identity::tests::a_copied_home_has_another_word_and_the_same_home_the_same",
        "a folder is made anew, by what it tells, whenever something in it changes",
    ),
    (
        "paths::tests::writers_at_once_leave_one_whole_file_and_nothing_beside_it",
        "a file that somebody has open is not replaced by another",
    ),
    (
        "file_watch::tests::a_file_is_told_of_though_its_folders_come_later",
        "watching a folder that was removed never ends",
    ),
];

/// Type-checks for Windows and macOS where a tool for that is at hand.
pub(crate) fn check() -> Result<()> {
    let Some(tool) = tool() else { return Ok(()) };
    // The package with its dependencies, which include the core and the client.
    let resident = [
        "all",
        "check",
        "-p",
        "beckon",
        "--no-default-features",
        "--features",
        "hub",
    ];
    shell::execute(&mut tool.command(&resident))
}

/// Type-checks the window program. Its toolkit takes as long as everything else in that check.
pub(crate) fn check_windows() -> Result<()> {
    let Some(tool) = tool() else { return Ok(()) };
    shell::execute(&mut tool.command(&["all", "check", "-p", "beckon"]))
}

/// Runs the tests of the core and of the libraries, built for Windows, with wine.
pub(crate) fn wine() -> Result<()> {
    let Some(tool) = tool() else { return Ok(()) };
    if Command::new("wine").arg("--version").output().is_err() {
        println!("skipped: there is no wine");
        return Ok(());
    }
    shell::execute(tool.command(&CORE).env("BECKON_MODEL_CASES", LIVES))?;
    let mut libraries = tool.command(&LIBRARIES);
    libraries.arg("--");
    for (test, why) in BEYOND_WINE {
        println!("skipped: {test}: {why}");
        libraries.args(["--skip", test]);
    }
    shell::execute(&mut libraries)
}

fn tool() -> Option<CrossTool> {
    let tool = CrossTool::find();
    if tool.is_none() {
        println!("skipped: BECKON_CROSS_CHECK names no tool");
    }
    tool
}
