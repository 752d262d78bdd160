//! `cargo xtask`: the project's own commands. Each is in a file of its own; this file only reads
//! the command line.

// The purpose of this program is to print what it does.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod agents;
mod bench;
mod bindings;
mod cross;
#[cfg(test)]
mod documents;
mod install;
mod langgraph;
mod nats;
mod other_systems;
mod package;
mod packages;
mod prove;
mod run;
mod setup;
mod shape;
mod shell;
mod shots;
mod test;
mod trials;
mod ui;
mod walls;

use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};

const USAGE: &str = "\
cargo xtask setup        install what building and testing need
cargo xtask ui           build the pages of the windows
cargo xtask run [ARGS]   build both programs and start beckon with ARGS
cargo xtask test [STEP]  everything that must hold before a change goes in, or one step of it
cargo xtask install      build both programs and put them into ~/.local; --uninstall takes them away
cargo xtask package [KIND…]  what people install, into target/packages: deb, rpm, tar, npm, python;
                         windows when it is named
cargo xtask bindings     write the TypeScript of what the windows are told, and docs/openapi.json
cargo xtask bench        measure the budgets
cargo xtask prove        a million lives of the model, 200 days with a kill; --seed N tells one day,
                         soak [MINUTES] lives one without
cargo xtask shape        the sources in figures: names, sizes, rooms
cargo xtask shots        picture every window in every state";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match words.split_first() {
        Some((word, rest)) => dispatch(word, rest),
        None => Err(anyhow!("say what to do:\n{USAGE}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Prints no backtrace of this program: the command that failed has printed its reason
            // above.
            eprintln!("Error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(word: &str, rest: &[String]) -> Result<()> {
    match (word, rest) {
        ("setup", []) => setup::setup(),
        ("ui", []) => ui::build(),
        ("run", arguments) => run::run(arguments),
        ("test", words) => test::test(words),
        ("install", words) => install::install(words),
        ("package", kinds) => package::package(kinds),
        ("bindings", []) => bindings::bindings(),
        ("bench", []) => bench::bench(),
        ("prove", words) => prove::prove(words),
        ("shape", []) => shape::shape(),
        ("shots", []) => shots::shots(),
        ("help" | "--help" | "-h", _) => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("unknown command {word:?} {rest:?}:\n{USAGE}"),
    }
}
