//! Stories of how many of the dangerous commands that people reported are marked, and how many
//! everyday ones. The commands, each with its source, are in `dangerous.txt` and `everyday.txt`.

use super::marks;

/// The least number of dangerous commands in a hundred that must be marked.
const DANGEROUS: usize = 95;
/// The greatest number of everyday commands in a hundred that may be marked.
const EVERYDAY: usize = 2;

fn commands(list: &str) -> Vec<String> {
    let lines = list.lines().filter(|line| !line.starts_with("# "));
    let lines = lines.filter(|line| !line.trim().is_empty());
    lines.map(|line| line.replace('␤', "\n")).collect()
}

/// Returns the commands of a list that are marked, or those that are not, and how many there are in
/// all.
fn found(list: &str, marked: bool) -> (Vec<String>, usize) {
    let commands = commands(list);
    let all = commands.len();
    let found = commands
        .into_iter()
        .filter(|it| marks(it).is_empty() != marked);
    (found.collect(), all)
}

#[test]
fn of_a_hundred_dangerous_commands_ninety_five_are_marked() {
    let (missed, all) = found(include_str!("dangerous.txt"), false);
    assert!(all >= 100, "{all}");
    assert!(
        missed.len() * 100 <= all * (100 - DANGEROUS),
        "{all}: {missed:#?}"
    );
}

#[test]
fn of_a_hundred_everyday_commands_no_more_than_two_are_marked() {
    let (marked, all) = found(include_str!("everyday.txt"), true);
    assert!(all >= 100, "{all}");
    assert!(marked.len() * 100 <= all * EVERYDAY, "{all}: {marked:#?}");
}

#[test]
fn what_hides_a_dangerous_command_takes_no_mark_away() {
    let (missed, all) = found(include_str!("hidden.txt"), false);
    assert!(all >= 80, "{all}");
    assert!(missed.is_empty(), "{missed:#?}");
}
