//! Tests of what may keep the database from being opened. A corrupt one is kept as a whole and
//! reported; every other one is left exactly as it is, and Beckon says why it has not started.

use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON};
use beckon_support::beckon::{Beckon, Output};
use beckon_support::eventually;
use beckon_support::replay::{Kind, permission};
use rusqlite::Connection;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Starts a Beckon and kills it, with a question open and a log that is not yet merged into the
/// database.
async fn killed() -> Rehearsal {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.beckon.kill9();
    assert!(
        stage
            .beckon
            .home()
            .join("beckon.db-wal")
            .metadata()
            .unwrap()
            .len()
            > 0
    );
    stage
}

/// Returns a killed Beckon whose database and log are both overwritten. An intact log would make up
/// for a broken database.
async fn spoilt() -> Rehearsal {
    let stage = killed().await;
    for name in ["beckon.db", "beckon.db-wal"] {
        let nonsense = format!("this is no {name}, ").repeat(1_000);
        std::fs::write(stage.beckon.home().join(name), nonsense).unwrap();
    }
    stage
}

/// Returns the contents of the database and its log, by their names.
fn contents(home: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let names = ["beckon.db", "beckon.db-wal"].map(|name| home.join(name));
    names
        .into_iter()
        .map(|name| (name.clone(), std::fs::read(name).unwrap()))
        .collect()
}

fn set_aside(home: &Path) -> Vec<String> {
    let files = std::fs::read_dir(home)
        .unwrap()
        .map(|file| file.unwrap().file_name());
    let mut names: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| name.contains("broken"));
    names.sort();
    names
}

/// Starts the program on a disk that takes no byte.
fn start_without_room(stage: &Rehearsal) -> Output {
    let bare = stage.beckon.prepare(&[]);
    let mut command = Command::new("bash");
    // The limit is the process's own. Its signal is ignored, since a full disk sends none.
    command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" --headless"]);
    command
        .arg(bare.get_program())
        .current_dir(bare.get_current_dir().unwrap());
    command.env_clear().envs(
        bare.get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    command.stdin(Stdio::null()).output().unwrap().into()
}

/// Checks that the earlier question is there with its old card, and can be answered.
async fn goes_on(stage: &Rehearsal) {
    stage.restarted("Go on?").await;
    stage.press("Go on?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
    assert_eq!(stage.beckon.status().await["warnings"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_another_program_holds_is_left_alone_and_said() {
    for begin in ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"] {
        let stage = killed().await;
        // The files are read before they are locked: a process that closes a file loses all locks
        // that it has on it.
        let before = contents(&stage.beckon.home());
        let other = Connection::open(stage.beckon.home().join("beckon.db")).unwrap();
        let exclusive = "PRAGMA locking_mode = EXCLUSIVE";
        if begin.ends_with("EXCLUSIVE") {
            other.query_row(exclusive, [], |_| Ok(())).unwrap();
        }
        other.execute_batch(begin).unwrap();
        let refused = stage.beckon.command(&["--headless"]).await;
        assert_eq!(refused.status, Some(1), "{refused:?}");
        assert!(refused.stderr.contains("waiting for it"), "{refused:?}");
        assert!(
            refused.stderr.contains("Another program is using"),
            "{refused:?}"
        );
        assert_eq!(set_aside(&stage.beckon.home()), [""; 0]);
        assert!(
            contents(&stage.beckon.home()) == before,
            "nothing was written"
        );
        other.execute_batch("ROLLBACK").unwrap();
        drop(other);
        goes_on(&stage).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_takes_a_few_seconds_is_waited_for() {
    let stage = killed().await;
    let other = Connection::open(stage.beckon.home().join("beckon.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    stage.beckon.start();
    eventually("it waits", SOON, async || {
        stage
            .beckon
            .stderr()
            .contains("waiting for it")
            .then_some(())
    })
    .await;
    other.execute_batch("ROLLBACK").unwrap();
    stage.ready().await;
    stage.press("Go on?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_full_disk_it_does_not_start_and_loses_nothing() {
    let stage = killed().await;
    let before = contents(&stage.beckon.home());
    let refused = start_without_room(&stage);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("nothing was changed"),
        "{refused:?}"
    );
    assert_eq!(set_aside(&stage.beckon.home()), [""; 0]);
    assert!(
        contents(&stage.beckon.home()) == before,
        "nothing was written"
    );
    goes_on(&stage).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_corrupt_database_is_kept_with_its_log_byte_for_byte() {
    let stage = spoilt().await;
    let home = stage.beckon.home();
    let before = contents(&home);
    let shown = stage.restarted("Go on?").await;
    let aside = set_aside(&home);
    let database = aside.iter().find(|name| name.ends_with(".db")).unwrap();
    for (part, (_, bytes)) in ["", "-wal"].iter().zip(before) {
        assert!(std::fs::read(home.join(format!("{database}{part}"))).unwrap() == bytes);
    }
    let warnings = stage.beckon.status().await["warnings"].to_string();
    assert!(warnings.contains(database.as_str()), "{warnings}");
    // The earlier notification belongs to nobody: the record of it is gone with the database.
    stage.daemon.press(shown.id, shown.action("Yes").unwrap());
    assert_eq!(
        stage.replies("que_1", 1).await[0].body,
        json!({ "answers": [["Yes"]] })
    );
}

/// SQLite would remove the log of a database that is empty or gone.
#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_a_database_that_was_emptied_is_kept_and_said() {
    for gone in [false, true] {
        let stage = killed().await;
        let home = stage.beckon.home();
        let log = std::fs::read(home.join("beckon.db-wal")).unwrap();
        if !gone {
            std::fs::write(home.join("beckon.db"), "").unwrap()
        } else {
            std::fs::remove_file(home.join("beckon.db")).unwrap()
        }
        stage.restarted("Go on?").await;
        let aside = set_aside(&home);
        let kept = aside
            .iter()
            .find(|name| name.ends_with("-wal"))
            .expect("its log is kept");
        assert!(std::fs::read(home.join(kept)).unwrap() == log);
        let warnings = stage.beckon.status().await["warnings"].to_string();
        assert!(
            warnings.contains(kept.trim_end_matches("-wal")),
            "{warnings}"
        );
    }
}

/// SQLite would take such a log for an empty one, and write over it.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_whose_head_is_gone_is_kept_and_said_once_and_the_database_goes_on() {
    let stage = Rehearsal::start().await;
    // A clean end puts this ask into the database itself, where it stays.
    stage.ask("que_0", "Before?").await;
    stage.press("Before?", "Yes").await;
    stage.answered_once("que_0", "Yes").await;
    stage.beckon.terminate();
    stage.beckon.start();
    stage.ready().await;
    stage.ask("que_1", "Go on?").await;
    stage.beckon.kill9();
    let home = stage.beckon.home();
    let mut log = std::fs::read(home.join("beckon.db-wal")).unwrap();
    log[..512].fill(0);
    std::fs::write(home.join("beckon.db-wal"), &log).unwrap();

    let refused = start_without_room(&stage);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        std::fs::read(home.join("beckon.db-wal")).unwrap() == log,
        "nothing was written"
    );

    stage.restarted("Go on?").await;
    let aside = set_aside(&home);
    let [kept] = &aside[..] else {
        panic!("{aside:?}")
    };
    assert!(kept.ends_with(".db-wal") && std::fs::read(home.join(kept)).unwrap() == log);
    let warnings = stage.beckon.status().await["warnings"].to_string();
    assert!(
        warnings.contains(kept.as_str()) && warnings.contains("may be missing"),
        "{warnings}"
    );
    let database = Connection::open(home.join("beckon.db")).unwrap();
    let before = "SELECT state FROM asks WHERE own = 'que_0'";
    let state: String = database.query_row(before, [], |row| row.get(0)).unwrap();
    assert!(state.contains("answered"), "{state}");
    drop(database);
    stage.press("Go on?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
    stage.beckon.terminate();
    stage.beckon.start();
    stage.ready().await;
    assert_eq!(stage.beckon.status().await["warnings"], json!([]));
    assert_eq!(set_aside(&home), aside);
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_said_once_also_when_the_first_start_after_it_failed() {
    let stage = Rehearsal::start().await;
    stage.beckon.terminate();
    let home = stage.beckon.home();
    std::fs::write(
        home.join("beckon.db"),
        "this is no database, ".repeat(1_000),
    )
    .unwrap();
    let refused = start_without_room(&stage);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert_eq!(
        set_aside(&home)
            .iter()
            .filter(|name| name.ends_with(".db"))
            .count(),
        1
    );
    for said in [true, false] {
        stage.beckon.start();
        stage.ready().await;
        let warnings = stage.beckon.status().await["warnings"].to_string();
        assert_eq!(warnings.contains("broken"), said, "{warnings}");
        stage.beckon.terminate();
    }
}

/// A later start looks for the fault of a page that is not read at the start.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_in_doubt_is_looked_at_as_a_whole() {
    let stage = killed().await;
    let home = stage.beckon.home();
    std::fs::write(home.join("beckon.db-suspect"), "").unwrap();
    goes_on(&stage).await;
    assert!(!home.join("beckon.db-suspect").exists(), "it was whole");
    assert_eq!(set_aside(&home), [""; 0]);
}

/// Only the beginning of a huge change is kept: all of it would be copied and written at every
/// step.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_five_megabytes_neither_fills_the_database_nor_the_list() {
    let stage = Rehearsal::start().await;
    let mut request = permission("per_1", SESSION, "");
    request["permission"] = "edit".into();
    request["metadata"] = json!({ "diff": "+a line of a change\n".repeat(1 << 18) });
    stage.replay.ask(Kind::Permission, DIRECTORY, request).await;
    stage.wait_state("per_1", "open").await;
    let list = stage.beckon.list().await;
    let diff = list[0]["permission"]["diff"].as_str().unwrap();
    assert!(
        diff.len() < 200_000 && diff.contains("⋯ +5.1 MB #"),
        "{}",
        diff.len()
    );
    let granted = stage.beckon.command(&["grant", "per_1", "--json"]).await;
    assert_eq!(granted.json()["state"], "taken", "{granted:?}");
    let written: u64 = ["beckon.db", "beckon.db-wal"]
        .map(|name| {
            stage
                .beckon
                .home()
                .join(name)
                .metadata()
                .map_or(0, |file| file.len())
        })
        .iter()
        .sum();
    assert!(written < 2_000_000, "{written}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_place_for_its_files_the_start_and_the_doctor_say_what_to_do() {
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).build();
    let file = beckon.folder().join("a file");
    std::fs::write(&file, "").unwrap();
    let home = file.join("home");
    beckon.set_env("BECKON_HOME", home.to_str().unwrap());
    let started = beckon.command(&["--headless"]).await;
    assert_eq!(started.status, Some(1), "{started:?}");
    let doctor = beckon.command(&["doctor"]).await;
    assert_eq!(doctor.status, Some(1), "{doctor:?}");
    for said in [started.stderr, doctor.stdout] {
        let line = said
            .lines()
            .find(|line| line.contains("set BECKON_HOME"))
            .unwrap_or(&said);
        assert!(line.contains(home.to_str().unwrap()), "{said}");
    }
}
