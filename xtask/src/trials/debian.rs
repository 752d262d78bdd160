//! The trial of the `.deb` on a Debian that never saw Beckon: installed by apt, started, asked,
//! updated while an ask waits, started at login, and removed.

use super::root::DebianRoot;
use super::session::{Session, post};
use super::{Trial, checks, empty_folder, holds};
use crate::package::{Release, make};
use crate::{agents, shell};
use anyhow::{Context, Result};
use std::path::PathBuf;

const FORMER: &str = "0.0.9";
/// The folder of the real OpenCode in the root.
const AGENTS: &str = "/srv/opencode";
const INSTALL: &str = "apt-get install -y -q --no-install-recommends";
/// The command that finds Beckon's files, outside of homes and of what apt and dpkg note.
const TRACES: &str = "find / -xdev \\( -path /proc -o -path /home -o -path /dev -o -path /srv \
    -o -path /var/cache -o -path /var/log \\) -prune -o -iname '*beckon*' -print";

pub(super) fn a_debian_that_never_saw_beckon(trial: &mut Trial) -> Result<()> {
    let made = the_deb(&trial.release)?;
    checks::deb(&made, &trial.release)?;
    let former = Release::numbered(FORMER, &empty_folder("former")?)?;
    let root = DebianRoot::fresh("debian-12")?;
    let before = root.as_root(TRACES)?;
    holds(
        "there is no Beckon before",
        before.trim().is_empty(),
        &before,
    )?;
    let former = root.take_in(&the_deb(&former)?)?;
    let package = root.take_in(&made)?;
    let agent = root.take_in(&a_real_opencode()?)?;
    root.take_in_folder(&agents::opencode_folder(), AGENTS)?;

    trial.begin();
    root.as_root(&format!("{INSTALL} {former}"))?;
    trial.note("deb: apt installs it with all it depends on");
    let mut session = Session::on_a_desktop(&root)?;
    it_asks_and_is_answered(trial, &mut session)?;
    a_real_opencode_asks_and_is_answered(trial, &mut session, &agent)?;
    what_lies_where(&session)?;
    it_is_updated_while_somebody_asks(&root, &mut session, &package)?;
    it_starts_at_login_if_told_to(&root, &mut session)?;
    half_an_update_is_finished(&root, &session, &package)?;
    windows_open(&session)?;
    nothing_is_left_but_what_is_the_users(&root, &session)?;
    checks::sizes(&made)
}

fn the_deb(release: &Release) -> Result<PathBuf> {
    make("deb", release)?
        .into_iter()
        .next()
        .context("no .deb was made")
}

fn it_asks_and_is_answered(trial: &mut Trial, session: &mut Session<'_>) -> Result<()> {
    session.start_beckon("beckon")?;
    let (asker, id) = session.ask()?;
    session.until("test \"$(dunstctl count displayed)\" -gt 0")?;
    session.run(&format!("beckon answer {id} --choice 1"))?;
    let answer = asker.answer()?;
    trial.note("deb: from the file on the disk to the first answer");
    holds(
        "a question is shown and its answer arrives",
        answer == "Yes",
        &answer,
    )
}

/// Runs an OpenCode at its usual port, with a model that asks, and answers. Beckon was not told of
/// it.
fn a_real_opencode_asks_and_is_answered(
    trial: &mut Trial,
    session: &mut Session<'_>,
    agent: &str,
) -> Result<()> {
    let script = format!("BECKON_TEST_OPENCODE_DIR={AGENTS} exec {agent} >agent.log 2>&1");
    session.leave_running(&script)?;
    let id = session.until_asked("Which database")?;
    session.run(&format!("beckon answer {id} --choice 2"))?;
    let told = session.until("grep 'the model was told' agent.log")?;
    trial.note("deb: the same to the answer of a real OpenCode's first question");
    holds(
        "a real OpenCode's model is told what was answered",
        told.contains("SQLite"),
        &told,
    )
}

/// Returns the program that starts OpenCode and its scripted model, after installing OpenCode if it
/// is missing.
fn a_real_opencode() -> Result<PathBuf> {
    agents::install()?;
    let arguments = [
        "build",
        "--package",
        "beckon-support",
        "--example",
        "real_opencode",
    ];
    shell::execute(&mut shell::cargo(&arguments))?;
    Ok(shell::target().join("debug/examples/real_opencode"))
}

fn what_lies_where(session: &Session<'_>) -> Result<()> {
    let page = session.run("man --warnings -E UTF-8 -l $(man -w beckon) 2>&1 | col -b")?;
    let is_read = page.contains("beckon telegram pair") && !page.contains("warning:");
    holds("man beckon tells the commands", is_read, &page)?;
    let offered = session.run(
        "bash -c '. /usr/share/bash-completion/completions/beckon; \
         COMP_WORDS=(beckon te); COMP_CWORD=1; _beckon; echo \"${COMPREPLY[@]}\"'",
    )?;
    holds(
        "bash completes a command",
        offered.trim() == "telegram",
        &offered,
    )?;
    let starts = session.run("ls /etc/xdg/autostart ~/.config/autostart 2>/dev/null | cat")?;
    holds(
        "nothing starts it at login unasked",
        !starts.contains("beckon"),
        &starts,
    )
}

fn it_is_updated_while_somebody_asks(
    root: &DebianRoot,
    session: &mut Session<'_>,
    package: &str,
) -> Result<()> {
    let (asker, id) = session.ask()?;
    root.as_root(&format!("{INSTALL} {package}"))?;
    let version = root.as_root("dpkg-query -W -f='${Version}' beckon")?;
    holds("apt updates it", !version.starts_with(FORMER), &version)?;
    let listed = session.run("beckon list")?;
    holds(
        "the Beckon that runs goes on through the update",
        listed.contains(&id),
        &listed,
    )?;
    session.stop_beckon()?;
    session.start_beckon("beckon")?;
    let listed = session.until("beckon list | grep 'Deploy now'")?;
    holds(
        "the question is there after the restart",
        listed.contains("Deploy now"),
        &listed,
    )?;
    session.run(&format!("beckon answer {id} --choice 2"))?;
    let answer = asker.answer()?;
    holds(
        "its answer reaches who asked before the update",
        answer == "No",
        &answer,
    )
}

/// Checks that windows open, which need WebKit: the package's dependencies have brought it.
fn windows_open(session: &Session<'_>) -> Result<()> {
    session.run("beckon list --window")?;
    let tree = session.until("xwininfo -root -tree | grep -i '\"beckon-window\" '")?;
    holds(
        "its window is known by the menu entry",
        tree.contains("\"beckon-window\""),
        &tree,
    )
}

fn it_starts_at_login_if_told_to(root: &DebianRoot, session: &mut Session<'_>) -> Result<()> {
    post(
        &root.home(".local/state/beckon"),
        "/settings/autostart",
        "{\"on\":true}",
    )?;
    let entry = session.run("cat ~/.config/autostart/beckon.desktop")?;
    holds(
        "the entry names the installed program",
        entry.contains("Exec=\"/usr/bin/beckon\""),
        &entry,
    )?;
    session.stop_beckon()?;
    session.leave_running("exec dex --autostart --environment trial >dex.log 2>&1")?;
    session.wait_for_beckon()?;
    holds("the next login starts it", true, "")
}

/// Breaks updates off: one whose download was cut, and one during which the machine stops between
/// unpacking and configuring.
fn half_an_update_is_finished(
    root: &DebianRoot,
    session: &Session<'_>,
    package: &str,
) -> Result<()> {
    root.as_root(&format!("head -c 1000000 {package} >/srv/half.deb"))?;
    let (taken, told) = root.try_as_root("dpkg --install /srv/half.deb")?;
    holds("half a file is refused", !taken, &told)?;
    let runs = session.run("beckon --version")?;
    holds(
        "the installed one is whole after that",
        runs.starts_with("beckon "),
        &runs,
    )?;
    root.as_root(&format!("dpkg --unpack {package}"))?;
    let runs = session.run("beckon --version")?;
    holds(
        "an unpacked one runs before it is configured",
        runs.starts_with("beckon "),
        &runs,
    )?;
    root.as_root("dpkg --configure --pending")?;
    let state = root.as_root("dpkg-query -W -f='${Status}' beckon")?;
    holds("dpkg finishes it", state == "install ok installed", &state)
}

fn nothing_is_left_but_what_is_the_users(root: &DebianRoot, session: &Session<'_>) -> Result<()> {
    session.stop_beckon()?;
    root.as_root("apt-get purge -y -q beckon")?;
    let traces = root.as_root(TRACES)?;
    holds("no file of it is left", traces.trim().is_empty(), &traces)?;
    let kept = root.home(".local/state/beckon/beckon.db");
    holds("its user's history is kept", kept.is_file(), "it is gone")?;
    let (_, told) = session.try_run("dex --autostart --environment trial 2>&1")?;
    let (runs, _) = session.try_run("command -v beckon")?;
    holds(
        "an entry that leads nowhere by now starts nothing",
        !runs,
        &told,
    )
}
