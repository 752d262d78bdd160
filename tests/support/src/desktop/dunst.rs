//! Control of dunst. It draws no buttons and leaves its menu of actions to an external program that
//! picks a line; ours is a script. The record of notifications is what dunst prints of each.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use super::Desktop;
use super::daemons::{Button, Received};

const RECORD: &str = "dunst.record";
/// The file with the line of the menu that is to be picked.
const WANTED: &str = "dunst.wanted";

pub(super) fn prepare(desktop: &Desktop) -> Command {
    let picker = desktop.file("dunst.picker");
    let wanted = desktop.file(WANTED).display().to_string();
    let script = format!("#!/bin/sh\nexec grep -m1 -F -- \"$(cat '{wanted}')\"\n");
    fs::write(&picker, script).unwrap();
    fs::set_permissions(&picker, Permissions::from_mode(0o755)).unwrap();
    let settings = desktop.file("dunstrc");
    fs::write(
        &settings,
        format!("[global]\n dmenu = {}\n", picker.display()),
    )
    .unwrap();
    let mut command = desktop.command("dunst");
    command.arg("-print").arg("-config").arg(settings);
    command.stdout(File::create(desktop.file(RECORD)).unwrap());
    command
}

pub(super) fn received(desktop: &Desktop) -> Vec<Received> {
    let record = fs::read_to_string(desktop.file(RECORD)).unwrap_or_default();
    // The last piece is empty, or its entry is not completely written yet.
    let mut entries: Vec<&str> = record.split("\n}\n").collect();
    entries.pop();
    entries.into_iter().filter_map(entry).collect()
}

pub(super) fn standing(desktop: &Desktop) -> usize {
    count(desktop, "displayed") + count(desktop, "waiting")
}

/// Picks a button in dunst's menu. Equal labels are told apart there only by the keys that dunst
/// writes behind them.
pub(super) fn press(desktop: &Desktop, on: &Received, button: &Button) {
    let id = on.id.expect("dunst prints ids");
    fs::write(desktop.file(WANTED), format!("[{id},{}]", button.key)).unwrap();
    control(desktop, &["context"]);
}

pub(super) fn put_away(desktop: &Desktop) {
    control(desktop, &["close"]);
}

pub(super) fn do_not_disturb(desktop: &Desktop, on: bool) {
    control(desktop, &["set-paused", if on { "true" } else { "false" }]);
}

/// Returns the texts that dunst would show again, as JSON.
pub(super) fn history(desktop: &Desktop) -> String {
    control(desktop, &["history"])
}

fn count(desktop: &Desktop, what: &str) -> usize {
    let answer = control(desktop, &["count", what]);
    answer
        .trim()
        .parse()
        .unwrap_or_else(|_| panic!("not a count: {answer:?}"))
}

fn control(desktop: &Desktop, arguments: &[&str]) -> String {
    let mut command = desktop.command("dunstctl");
    let output = command.args(arguments).stdout(Stdio::piped()).output();
    let output = output.expect("failed to start dunstctl");
    assert!(output.status.success(), "dunstctl {arguments:?} failed");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Parses one entry of the record. An entry has a line per field, and dunst does not escape the
/// texts between its apostrophes.
fn entry(text: &str) -> Option<Received> {
    let body = between(text, "\n\tbody: '", "'\n\ticon: ")?;
    let title = between(text, "\n\tsummary: '", "'\n\tbody: ")?;
    let id = text
        .lines()
        .find_map(|line| line.strip_prefix("\tid: "))?
        .parse()
        .ok();
    let actions = text.lines().filter_map(|line| line.strip_prefix("\t\t\""));
    let mut buttons: Vec<Button> = actions.filter_map(action).collect();
    buttons.sort_by(|one, other| one.key.cmp(&other.key));
    Some(Received {
        title: title.to_owned(),
        body: body.to_owned(),
        buttons,
        id,
    })
}

/// Parses a line of the form `KEY": "LABEL"`.
fn action(line: &str) -> Option<Button> {
    let (key, label) = line.strip_suffix('"')?.split_once("\": \"")?;
    Some(Button {
        key: key.to_owned(),
        label: label.to_owned(),
    })
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    Some(rest.split_once(end)?.0)
}
