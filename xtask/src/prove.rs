//! `cargo xtask prove`: lives many random lives of the model, plays days on which the real program
//! is killed, and a long day on which it is not. The lives and days themselves are in
//! `core/tests/model` and `tests/app/durability/days`.

mod plot;

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::shell;

/// The number of lives of each world of the model.
const LIVES: &str = "1000000";
const DAYS: &str = "200";
const MINUTES: &str = "60";

pub(crate) fn prove(words: &[String]) -> Result<()> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => lives(LIVES).and_then(|()| days("BECKON_DAYS", DAYS)),
        ["lives"] => lives(LIVES),
        ["lives", count] => lives(number(count)?),
        ["days"] => days("BECKON_DAYS", DAYS),
        ["days", count] => days("BECKON_DAYS", number(count)?),
        ["hub"] => hub(),
        ["--seed", seed] => days("BECKON_DAY_SEED", number(seed)?),
        ["soak"] => soak(MINUTES),
        ["soak", minutes] => soak(number(minutes)?),
        ["plot"] => plot::draw(&readings("csv"), &readings("svg")),
        _ => bail!(
            "say `prove`, `prove lives [N]`, `prove days [N]`, `prove --seed N`, `prove hub`, \
             `prove soak [MINUTES]`, or `prove plot` for the readings of the last soak"
        ),
    }
}

fn number(word: &str) -> Result<&str> {
    word.parse::<u64>()
        .with_context(|| format!("{word:?} is no number"))?;
    Ok(word)
}

fn lives(count: &str) -> Result<()> {
    let arguments = [
        "test",
        "-p",
        "beckon-core",
        "--release",
        "--test",
        "model",
        "--",
        "--nocapture",
    ];
    shell::execute(shell::cargo(&arguments).env("BECKON_MODEL_CASES", count))
}

/// Plays days, in the build of the tests: only there does time on Telegram pass faster.
fn days(variable: &str, value: &str) -> Result<()> {
    let one = ["durability::days::whatever", "--nocapture"];
    shell::execute(in_the_app(&one).env(variable, value))
}

/// Runs the tests of the hub that take too long for the usual run: races, kills and budgets over
/// real servers.
fn hub() -> Result<()> {
    let all = ["hub::", "--ignored", "--nocapture", "--test-threads", "1"];
    shell::execute(shell::cargo(&["test", "--test", "app", "--"]).args(all))
}

/// Plays the long day, and writes its readings to `target/soak.csv` and a picture beside it.
fn soak(minutes: &str) -> Result<()> {
    let (csv, svg) = (readings("csv"), readings("svg"));
    let one = [
        "durability::days::soak::whatever",
        "--ignored",
        "--nocapture",
    ];
    let mut soak = in_the_app(&one);
    let outcome = shell::execute(
        soak.env("BECKON_SOAK_MINUTES", minutes)
            .env("BECKON_SOAK_CSV", &csv),
    );
    // The picture is drawn also after a failure: what has grown is to be looked at.
    plot::draw(&csv, &svg).and(outcome)
}

fn readings(kind: &str) -> PathBuf {
    shell::target().join("soak").with_extension(kind)
}

fn in_the_app(arguments: &[&str]) -> Command {
    let mut command = shell::cargo(&["test", "--no-default-features", "--test", "app", "--"]);
    command.args(arguments);
    command
}
