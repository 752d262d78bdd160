//! The trial of the archive in an empty home, as over SSH: no root, no desktop, no bus; and in
//! homes in which nothing can be written.

use super::root::DebianRoot;
use super::session::Session;
use super::{Trial, holds};
use crate::package::make;
use anyhow::{Context, Result};

pub(super) fn a_home_without_anything(trial: &mut Trial) -> Result<()> {
    let archive = make("tar", &trial.release)?
        .into_iter()
        .next()
        .context("no archive was made")?;
    let root = DebianRoot::fresh("headless")?;
    let archive = root.take_in(&archive)?;
    let mut session = Session::in_a_terminal(&root);
    let before = session.run("find . -type f | sort")?;
    trial.begin();
    session.run(&format!("mkdir unpacked && tar -C unpacked -xf {archive}"))?;
    a_home_that_cannot_be_written_to_is_named(&session)?;
    let told = session.run("sh unpacked/beckon-headless-*/install.sh")?;
    holds(
        "the script says that PATH lacks it",
        told.contains("export PATH="),
        &told,
    )?;
    session.set("PATH", "/home/ann/.local/bin:/usr/bin:/bin");
    session.start_beckon("beckon --headless")?;
    let (asker, id) = session.ask()?;
    session.run(&format!("beckon answer {id} --choice 1"))?;
    let answer = asker.answer()?;
    trial.note("tar.gz: from the file on the disk to the first answer");
    holds(
        "a question is answered without desktop and bus",
        answer == "Yes",
        &answer,
    )?;
    it_says_what_is_missing(&session)?;
    it_is_installed_over_itself(&session)?;
    let unit = session.run("cat ~/.local/share/systemd/user/beckon.service")?;
    let names_it = unit.contains("ExecStart=/home/ann/.local/bin/beckon --headless");
    holds("the unit names the installed program", names_it, &unit)?;
    session.stop_beckon()?;
    it_leaves_only_what_is_the_users(&session, &before)
}

fn a_home_that_cannot_be_written_to_is_named(session: &Session<'_>) -> Result<()> {
    session.run("mkdir locked && chmod 500 locked")?;
    let (done, told) =
        session.try_run("HOME=~/locked LC_ALL=zh_CN.UTF-8 sh unpacked/beckon-*/install.sh")?;
    let is_said = told.contains("/home/ann/locked 无法写入");
    holds(
        "a home that can't be written to is named, in Chinese too",
        !done && is_said,
        &told,
    )?;
    let (done, told) = session.try_run("HOME=~/locked unpacked/beckon-*/bin/beckon --headless")?;
    let is_said = told.contains("/home/ann/locked");
    holds(
        "Beckon itself names such a home as well",
        !done && is_said,
        &told,
    )?;
    session.run("rmdir locked").map(drop)
}

fn it_says_what_is_missing(session: &Session<'_>) -> Result<()> {
    let (_, told) = session.try_run("beckon doctor")?;
    let is_said = told.contains("✗ Notifications:") && told.contains("· Keychain: none");
    holds(
        "doctor says what is missing without a bus, and goes on",
        is_said,
        &told,
    )
}

/// Updates over an installation, also after an update that was cut off: some of its files are left,
/// and there is one file of the former version too many.
fn it_is_installed_over_itself(session: &Session<'_>) -> Result<()> {
    session.run(
        "touch .local/bin/beckon.new .local/share/beckon/former && \
         echo share/beckon/former >>.local/share/beckon/installed && \
         sh unpacked/beckon-*/install.sh",
    )?;
    let left = session.run("ls .local/share/beckon .local/bin")?;
    let is_tidy = !left.contains("former") && !left.contains(".new");
    holds(
        "an update takes away what the former one left",
        is_tidy,
        &left,
    )?;
    let listed = session.run("beckon status")?;
    holds(
        "the Beckon that runs goes on",
        listed.contains("Beckon"),
        &listed,
    )
}

fn it_leaves_only_what_is_the_users(session: &Session<'_>, before: &str) -> Result<()> {
    session.run("sh .local/share/beckon/install.sh --uninstall && rm -r unpacked")?;
    let after = session.run("find . -type f | sort")?;
    let is_users = |line: &&str| {
        before.lines().any(|known| known == *line)
            || [".local/state/beckon", ".config/beckon", "beckon.log"]
                .iter()
                .any(|it| line.contains(it))
    };
    let left: Vec<&str> = after.lines().filter(|line| !is_users(line)).collect();
    holds(
        "uninstalling leaves the user's files only",
        left.is_empty(),
        &left.join("\n"),
    )?;
    let (done, told) = session.try_run("sh .local/share/beckon/install.sh --uninstall")?;
    holds("the script went with it", !done, &told)
}
