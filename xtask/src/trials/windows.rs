//! The trial of the packages for Windows under wine: unpacked, installed, asked, updated while an
//! ask waits, closed as Windows does it, removed. wine is not Windows, so what holds here is a good
//! sign and no proof (docs/platforms.md).

use super::session::{post, until};
use super::wine::{WinePrefix, WineProgram};
use super::{Trial, empty_folder, holds};
use crate::cross::CrossTool;
use crate::package::{Release, make};
use crate::{packages, shell};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

const FORMER: &str = "0.0.9";
const INSTALLED: &str = "Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Beckon";
const AT_LOGIN: &str = "Software\\Microsoft\\Windows\\CurrentVersion\\Run";
const PROGRAMS: &str = "AppData/Local/Programs/Beckon";
const MENU_ENTRY: &str = "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Beckon.lnk";
const ENDPOINT: &str = "AppData/Local/beckon/run/endpoint.json";

pub(super) fn a_windows_that_never_saw_beckon(trial: &mut Trial) -> Result<()> {
    if CrossTool::find().is_none() {
        println!("skipped: BECKON_CROSS_CHECK names no tool");
        return Ok(());
    }
    packages::install(&[packages::TRIALS_OF_WINDOWS])?;
    let (zip, setup) = both(&trial.release)?;
    let (_, former) = both(&Release::numbered(
        FORMER,
        &empty_folder("former-windows")?,
    )?)?;
    let prefix = WinePrefix::fresh("windows")?;
    the_archive_runs_where_it_is_unpacked(&prefix, &zip)?;
    let before = prefix.files()?;

    trial.begin();
    prefix.done(&former, &["/S"])?;
    trial.note("windows: the installer without a window, under wine");
    let beckon = prefix.home(PROGRAMS)?.join("beckon.exe");
    what_lies_where(&prefix)?;
    let resident = start(&prefix, &beckon, &["--headless"])?;
    it_runs_once(&prefix, &beckon)?;
    let former = what_an_update_left_that_was_broken_off(&beckon)?;
    it_is_updated_while_somebody_asks(&prefix, &beckon, &setup, resident)?;
    former.check_that_it_is_gone()?;
    it_is_closed_as_windows_does_it(&prefix, &beckon)?;
    it_ends_with_the_session(&prefix, &beckon)?;
    nothing_is_left_but_what_is_the_users(&prefix, &beckon, &before)
}

/// Makes the archive and the installer.
fn both(release: &Release) -> Result<(PathBuf, PathBuf)> {
    let mut made = make("windows", release)?.into_iter();
    Ok((
        made.next().context("no archive")?,
        made.next().context("no installer")?,
    ))
}

fn the_archive_runs_where_it_is_unpacked(prefix: &WinePrefix, zip: &Path) -> Result<()> {
    let folder = prefix.drive("a folder");
    let mut unzip = shell::command("unzip", &["-q"]);
    shell::output(unzip.arg(zip).arg("-d").arg(&folder))?;
    let name = zip.file_stem().unwrap_or_default();
    let version = prefix.done(&folder.join(name).join("beckon.exe"), &["--version"])?;
    let is_ours = version == concat!("beckon ", env!("CARGO_PKG_VERSION"));
    holds("the archive runs where it is unpacked", is_ours, &version)?;
    shell::output(shell::command("rm", &["-r"]).arg(&folder)).map(drop)
}

fn what_lies_where(prefix: &WinePrefix) -> Result<()> {
    let version = prefix.registry(INSTALLED, "DisplayVersion")?;
    holds(
        "Windows knows the version",
        version.as_deref() == Some(FORMER),
        &format!("{version:?}"),
    )?;
    let entry = prefix.home(MENU_ENTRY)?;
    holds(
        "it is in the Start menu",
        entry.is_file(),
        &format!("no {}", entry.display()),
    )?;
    let line = prefix.registry(AT_LOGIN, "Beckon")?;
    holds(
        "nothing starts it at login unasked",
        line.is_none(),
        &format!("{line:?}"),
    )
}

/// Starts Beckon, several times if necessary: a Beckon that was closed a moment ago may still hold
/// the lock, and one that starts then reports that and ends.
fn start(prefix: &WinePrefix, beckon: &Path, words: &[&str]) -> Result<WineProgram> {
    let mut resident = None;
    until("Beckon to start", || {
        resident = Some(prefix.leave_running(beckon, words, "resident")?);
        let (status, said) = prefix.run(beckon, &["status", "--wait", "20"])?;
        Ok((status.success(), said))
    })?;
    resident.context("nothing was started")
}

fn it_runs_once(prefix: &WinePrefix, beckon: &Path) -> Result<()> {
    let said = prefix.done(beckon, &["--headless"])?;
    holds(
        "a second start leaves it at the first",
        said.contains("already running"),
        &said,
    )
}

/// Updates Beckon while an asker waits in the old program.
fn it_is_updated_while_somebody_asks(
    prefix: &WinePrefix,
    beckon: &Path,
    setup: &Path,
    resident: WineProgram,
) -> Result<()> {
    let words = [
        "ask",
        "--question",
        "Deploy now?",
        "--choice",
        "Yes",
        "--choice",
        "No",
    ];
    let asker = prefix.leave_running(beckon, &words, "asker")?;
    let id = waiting(prefix, beckon)?;
    prefix.done(setup, &["/S"])?;
    let version = prefix.registry(INSTALLED, "DisplayVersion")?;
    let is_new = version.as_deref() == Some(env!("CARGO_PKG_VERSION"));
    holds("the update is noted", is_new, &format!("{version:?}"))?;
    let (status, said) = resident.ended()?;
    holds(
        "the Beckon that ran was asked to end, and did",
        status.success(),
        &said,
    )?;
    prefix.done(beckon, &["status", "--wait", "20"])?;
    let listed = prefix.done(beckon, &["list"])?;
    holds(
        "it runs again, and the question is there",
        listed.contains(&id),
        &listed,
    )?;
    prefix.done(beckon, &["answer", &id, "--choice", "2"])?;
    let (status, answer) = asker.ended()?;
    let is_heard = status.success() && answer.ends_with("No");
    holds(
        "its answer reaches who asked before the update",
        is_heard,
        &answer,
    )
}

/// Returns the id of the first listed ask, which stands before two blanks.
fn waiting(prefix: &WinePrefix, beckon: &Path) -> Result<String> {
    let listed = until("beckon list", || {
        let (_, listed) = prefix.run(beckon, &["list"])?;
        Ok((listed.contains("  "), listed))
    })?;
    listed
        .split_whitespace()
        .next()
        .map(str::to_owned)
        .context("nothing is listed")
}

/// The files of an update during which the power was cut: half a program, left where unpacking
/// stopped, and beside it a file of the user's own.
struct BrokenUpdate {
    staging: PathBuf,
    users: PathBuf,
}

fn what_an_update_left_that_was_broken_off(beckon: &Path) -> Result<BrokenUpdate> {
    let staging = beckon.with_file_name(".beckon-incoming");
    let users = beckon.with_file_name("incoming");
    for folder in [&staging, &users] {
        fs::create_dir(folder).with_context(|| format!("failed to make {}", folder.display()))?;
        fs::write(folder.join("beckon.exe"), "MZ").context("failed to write half a program")?;
    }
    Ok(BrokenUpdate { staging, users })
}

impl BrokenUpdate {
    fn check_that_it_is_gone(self) -> Result<()> {
        holds(
            "what an update left that was broken off is gone",
            !self.staging.exists(),
            "it is there",
        )?;
        let kept = self.users.join("beckon.exe").is_file();
        holds("a folder of the user's stays", kept, "it is gone")?;
        fs::remove_dir_all(&self.users).context("failed to remove the user's folder")
    }
}

/// Checks that Beckon ends when its user logs off, with the tray and without.
fn it_ends_with_the_session(prefix: &WinePrefix, beckon: &Path) -> Result<()> {
    for words in [&["--headless"][..], &[]] {
        let resident = start(prefix, beckon, words)?;
        prefix.run(Path::new("wineboot"), &["--end-session"])?;
        let (status, said) = resident.ended()?;
        let endpoint = prefix.home(ENDPOINT)?.exists();
        let is_tidy = status.success() && !endpoint;
        let said = format!("{status}, its endpoint.json is there: {endpoint}\n{said}");
        holds(
            &format!("the end of the session ends it tidily {words:?}"),
            is_tidy,
            &said,
        )?;
    }
    Ok(())
}

/// Closes Beckon with `taskkill` without `/F`, which sends `WM_CLOSE` to every window of a program,
/// as the Restart Manager does.
fn it_is_closed_as_windows_does_it(prefix: &WinePrefix, beckon: &Path) -> Result<()> {
    let endpoint = prefix.home(ENDPOINT)?;
    holds(
        "it says where it listens",
        endpoint.is_file(),
        &format!("no {}", endpoint.display()),
    )?;
    prefix.run(Path::new("taskkill"), &["/IM", "beckon.exe"])?;
    until("beckon.exe to end", || {
        Ok((!endpoint.exists(), "its endpoint.json is there".into()))
    })?;
    let (status, said) = prefix.run(beckon, &["status"])?;
    holds(
        "a polite close ends it tidily",
        status.code() == Some(5),
        &said,
    )
}

fn nothing_is_left_but_what_is_the_users(
    prefix: &WinePrefix,
    beckon: &Path,
    before: &[String],
) -> Result<()> {
    let resident = start(prefix, beckon, &["--headless"])?;
    let uninstaller = beckon.with_file_name("uninstall.exe");
    post(
        &prefix.home("AppData/Local/beckon")?,
        "/settings/autostart",
        "{\"on\":true}",
    )?;
    let line = prefix.registry(AT_LOGIN, "Beckon")?;
    holds(
        "the switch in its settings starts it at login",
        line.is_some(),
        "it does not",
    )?;
    prefix.done(&uninstaller, &["/S"])?;
    // The uninstaller goes on as a copy of itself, which can delete the original.
    until("the uninstaller", || {
        Ok((
            !beckon.with_file_name("").exists(),
            "a folder is left".into(),
        ))
    })?;
    let (status, said) = resident.ended()?;
    holds(
        "the Beckon that ran was asked to end",
        status.success(),
        &said,
    )?;
    let after = prefix.files()?;
    let is_users = |file: &&String| before.contains(file) || is_data(file);
    let left: Vec<&String> = after.iter().filter(|file| !is_users(file)).collect();
    holds(
        "no file of it is left",
        left.is_empty(),
        &format!("{left:?}"),
    )?;
    let version = prefix.registry(INSTALLED, "DisplayVersion")?;
    holds(
        "Windows knows it no longer",
        version.is_none(),
        &format!("{version:?}"),
    )?;
    let login = prefix.registry(AT_LOGIN, "Beckon")?;
    holds(
        "nothing starts it at login any more",
        login.is_none(),
        &format!("{login:?}"),
    )?;
    let kept = prefix.home("AppData/Local/beckon/beckon.db")?;
    holds("its user's history is kept", kept.is_file(), "it is gone")
}

fn is_data(file: &str) -> bool {
    ["/AppData/Local/beckon/", "/AppData/Roaming/beckon/"]
        .iter()
        .any(|it| file.contains(it))
}
