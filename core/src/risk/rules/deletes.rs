//! Commands that delete files recursively, without asking, or more of them than are named; and
//! commands that overwrite a disk.

use super::super::options::{Arguments, Options};
use super::super::shell::Word;
use super::{Called, git};

/// Returns the index of the last word that makes the command delete like that; `None` if it does
/// not.
pub(super) fn last(called: &Called<'_>) -> Option<usize> {
    let words = called.words;
    let end = words.len() - 1;
    let find = |is: &dyn Fn(&str) -> bool| {
        let mut places = (1..words.len()).rev();
        places.find(|at| is(words[*at].text()))
    };
    match called.name.as_ref() {
        "rm" | "gdel" | "grm" => rm(called),
        "unlink" | "rimraf" | "srm" | "trash" if called.many => Some(end),
        "rimraf" | "srm" | "del-cli" => Some(end),
        "find" | "gfind" | "bfs" => find(&|text| text == "-delete"),
        "git" => git::deletes(called),
        "dd" => find(&|text| text.strip_prefix("of=").is_some_and(is_disk)),
        "cp" | "tee" => find(&is_disk),
        "mv" => find(&|text| text == "/dev/null"),
        "rd" | "rmdir" | "del" | "erase" | "deltree" => windows(words, find(&is_of_powershell)),
        "remove-item" | "ri" | "clear-content" | "remove-itemproperty" => {
            let all = Some(end).filter(|_| called.is_fed || called.many);
            find(&is_of_powershell).or_else(|| find(&is_all)).or(all)
        }
        "truncate" | "shred" | "mkfs" | "wipefs" | "blkdiscard" | "mkswap" | "mke2fs" => Some(end),
        name if name.starts_with("mkfs.") || name.starts_with("newfs_") => Some(end),
        _ => None,
    }
}

fn rm(called: &Called<'_>) -> Option<usize> {
    let words = called.words;
    let given = Options::default().of(words, 1);
    let option = given.last(|it| {
        let is_flags = || {
            let flags = words[it.at].text().trim_start_matches('-');
            flags.chars().all(|c| "rRfivdIPWx".contains(c))
        };
        it.is_short("rRf") && is_flags() || it.is_long("recursive") || it.is_long("force")
    });
    let powershell = given.last(|it| is_of_powershell(words[it.at].text()));
    let all = || all_files(&given, words);
    let many = || Some(words.len() - 1).filter(|_| called.many);
    option.max(powershell).or_else(all).or_else(many)
}

/// Returns the operand that means all files, as in `rm *`.
fn all_files(given: &Arguments<'_>, words: &[Word]) -> Option<usize> {
    let mut operands = given.operands.iter().copied();
    operands.find(|at| is_all(words[*at].text()))
}

fn is_all(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    matches!(name, "*" | "*.*" | ".*")
}

/// Returns the index of the last word with switches of cmd (`/s`, `/q`, `/f`). They may be in one
/// word with the command, `rd/s/q`; a Unix shell on Windows writes them as `//s`. `of_powershell`
/// is the index of a switch of PowerShell, whose aliases have the same names.
fn windows(words: &[Word], of_powershell: Option<usize>) -> Option<usize> {
    let is_switch = |text: &str| {
        let mut switches = text.split('/').filter(|it| !it.is_empty());
        text.starts_with('/') && switches.all(|it| matches!(it, "s" | "S" | "q" | "Q" | "f" | "F"))
    };
    let glued = words.first().map_or("", Word::text);
    let glued = glued.find('/').map(|at| &glued[at..]);
    let mut places = (1..words.len()).rev();
    let switch = places.find(|at| is_switch(words[*at].text()));
    let mut all = (1..words.len()).rev();
    let all = || all.find(|at| is_all(words[*at].text()));
    let is_glued = || glued.filter(|text| is_switch(text)).map(|_| 0);
    of_powershell.max(switch).or_else(is_glued).or_else(all)
}

/// Whether the word is PowerShell's `-Recurse` or `-Force`, or a prefix of one.
fn is_of_powershell(word: &str) -> bool {
    let name = word.strip_prefix('-').unwrap_or_default();
    let name = name
        .split(':')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let is = |full: &str| full.starts_with(&name);
    !name.is_empty() && (is("recurse") || is("force"))
}

fn is_disk(path: &str) -> bool {
    const NO_DISKS: [&str; 8] = [
        "null", "zero", "stdout", "stderr", "tty", "full", "random", "urandom",
    ];
    let device = path.strip_prefix("/dev/");
    device.is_some_and(|it| {
        !NO_DISKS.contains(&it) && !it.starts_with("fd/") && !it.starts_with("shm/")
    })
}
