//! `cargo xtask prove`: random lives of the model, and days on which the real program is killed. What
//! happens in them is not here: `core/tests/model` and `tests/app/durability/days`.

use anyhow::{Context, Result, bail};

use crate::shell;

/// Of each world of the model.
const LIVES: &str = "1000000";
const DAYS: &str = "200";

pub(crate) fn prove(words: &[String]) -> Result<()> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => lives(LIVES).and_then(|()| days("BECKON_DAYS", DAYS)),
        ["lives"] => lives(LIVES),
        ["lives", count] => lives(number(count)?),
        ["days"] => days("BECKON_DAYS", DAYS),
        ["days", count] => days("BECKON_DAYS", number(count)?),
        ["--seed", seed] => days("BECKON_DAY_SEED", number(seed)?),
        _ => bail!("say `prove`, `prove lives [N]`, `prove days [N]` or `prove --seed N`"),
    }
}

fn number(word: &str) -> Result<&str> {
    word.parse::<u64>().with_context(|| format!("{word:?} is no number"))?;
    Ok(word)
}

fn lives(count: &str) -> Result<()> {
    let arguments =
        ["test", "-p", "beckon-core", "--release", "--test", "model", "--", "--nocapture"];
    shell::execute(shell::cargo(&arguments).env("BECKON_MODEL_CASES", count))
}

/// In the build of the tests: only there does time on Telegram pass faster.
fn days(variable: &str, value: &str) -> Result<()> {
    let arguments = ["test", "--no-default-features", "--test", "app"];
    let one = ["--", "durability::days", "--nocapture"];
    shell::execute(shell::cargo(&arguments).args(one).env(variable, value))
}
