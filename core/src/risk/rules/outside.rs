//! The words of a program that are files that it writes, moves or deletes.
//!
//! Not here: whether they are outside the project (`paths.rs`).

use super::super::options::{Arguments, Given, Options};
use super::super::shell::Word;
use super::Called;
use alloc::vec::Vec;

const OF_COPIES: Options = Options {
    flags: "",
    values: "-t -S --target-directory --suffix -m -o -g --mode --owner --group -e --rsh --exclude \
            --include --filter",
    attached: "",
};

/// Returns the words that are such files.
pub(super) fn files(called: &Called<'_>) -> Vec<usize> {
    let of = |options: Options| options.of(called.words, 1);
    match called.name.as_ref() {
        "tee" | "rm" | "unlink" | "rmdir" | "shred" | "rimraf" => of(Options::default()).operands,
        "truncate" => values(&of(options("-s -r --size --reference")), ""),
        "dd" => {
            let words = called.words.iter().enumerate();
            let files = words.filter(|(_, word)| {
                let file = word.text().strip_prefix("of=");
                // A disk is found by another rule.
                file.is_some_and(|file| !file.starts_with("/dev/"))
            });
            files.map(|(at, _)| at).collect()
        }
        "mv" => of(OF_COPIES).operands,
        "cp" | "install" | "ln" | "rsync" => destination(&of(OF_COPIES)),
        "sed" => in_place(called, &of(options("-e -f -l --expression --file"))),
        "chmod" | "chown" | "chgrp" => {
            let deep = deep(called).map(|_| of(Options::default()).operands);
            deep.unwrap_or_default().into_iter().skip(1).collect()
        }
        "curl" => values(
            &of(options("-o --output --output-dir")),
            "o output output-dir",
        ),
        "wget" => values(
            &of(options("-O -P --output-document --directory-prefix")),
            "O P",
        ),
        _ => Vec::new(),
    }
}

/// Returns the word that makes it change the rights of everything below.
pub(super) fn deep(called: &Called<'_>) -> Option<usize> {
    if !matches!(called.name.as_ref(), "chmod" | "chown" | "chgrp") {
        return None;
    }
    let given = Options::default().of(called.words, 1);
    given.last(|it| it.is_short("R") || it.is_long("recursive"))
}

/// Returns the path in such a word.
pub(super) fn path(word: &Word) -> &str {
    let text = word.text();
    text.strip_prefix("of=").unwrap_or(text)
}

fn options(values: &'static str) -> Options {
    Options {
        flags: "",
        values,
        attached: "",
    }
}

/// Returns the destination of a copy: an option's value, or else the last operand.
fn destination(given: &Arguments<'_>) -> Vec<usize> {
    let is_target = |name: &str| matches!(name, "t" | "target-directory");
    let mut options = given.options.iter();
    let target = options.find_map(|it| it.value.filter(|_| is_target(it.name)));
    let last = given
        .operands
        .get(1..)
        .and_then(|rest| rest.last().copied());
    target.map(|(at, _)| at).or(last).into_iter().collect()
}

/// Returns the files that sed changes in place. If no option has the script, it comes before the
/// files.
fn in_place(called: &Called<'_>, given: &Arguments<'_>) -> Vec<usize> {
    let is_written = given.has(|it| it.is_short("i") || it.is_long("in-place"));
    let has_script =
        |it: &Given<'_>| it.is_short("ef") || it.is_long("expression") || it.is_long("file");
    let operands = given.operands.iter().copied();
    let operands = operands.filter(|at| !called.words[*at].text().is_empty());
    let files = operands.skip(usize::from(!given.has(has_script)));
    files.filter(|_| is_written).collect()
}

/// Returns the values of these options, or the operands if none are named.
fn values(given: &Arguments<'_>, names: &str) -> Vec<usize> {
    if names.is_empty() {
        return given.operands.clone();
    }
    let is_one = |name: &str| names.split(' ').any(|one| one == name);
    let options = given.options.iter().filter(|it| is_one(it.name));
    let values = options.filter_map(|it| it.value.filter(|(_, skip)| *skip == 0));
    values.map(|(at, _)| at).collect()
}
