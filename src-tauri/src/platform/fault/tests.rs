//! What a fault leads to. That a program really starts anew is seen by this very test program, which
//! panics as a child of itself.

use super::*;
use std::process::{Output, Stdio};

fn child(test: &str) -> (String, Output) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    let test = format!("platform::fault::tests::{test}");
    child.args(["--ignored", "--exact", "--nocapture", &test]);
    child.stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = child.spawn().unwrap().wait_with_output().unwrap();
    (String::from_utf8_lossy(&output.stderr).into_owned(), output)
}

#[test]
fn a_program_that_panics_starts_anew_in_its_place() {
    let (said, output) = child("panics_once");
    // The test program knows no such argument, and says so: it was started anew, with it.
    assert!(said.contains("after-faults"), "{said}");
    assert!(!said.contains("goes on"), "{said}");
    assert!(!output.status.success());
}

#[test]
fn a_part_that_panics_at_each_start_ends_alone_and_is_told_of() {
    let (said, output) = child("panics_in_a_task_again");
    assert!(said.contains("a part has ended") && said.contains("goes on"), "{said}");
    assert!(output.status.success(), "{said}");
}

#[test]
fn what_ends_with_the_program_starts_it_anew_however_often_it_panics() {
    let (said, output) = child("panics_in_a_thread_again");
    assert!(said.contains("after-faults") && !said.contains("goes on"), "{said}");
    assert!(!output.status.success());
}

#[test]
fn a_program_that_is_ending_does_not_start_anew() {
    let (said, output) = child("panics_while_it_ends");
    assert!(said.contains("goes on"), "{said}");
    assert!(output.status.success(), "{said}");
}

fn panic_in_a_thread() {
    let _ = std::thread::spawn(|| panic!("a fault")).join();
    eprintln!("goes on");
}

#[test]
#[ignore = "the child of another test"]
fn panics_once() {
    start_anew_on_panic(0, || ());
    panic_in_a_thread();
}

#[test]
#[ignore = "the child of another test"]
fn panics_in_a_thread_again() {
    start_anew_on_panic(MOST_STARTS, || eprintln!("a part has ended"));
    panic_in_a_thread();
}

#[test]
#[ignore = "the child of another test"]
fn panics_while_it_ends() {
    start_anew_on_panic(0, || ());
    only_log_panics();
    panic_in_a_thread();
}

#[tokio::test]
#[ignore = "the child of another test"]
async fn panics_in_a_task_again() {
    start_anew_on_panic(MOST_STARTS, || eprintln!("a part has ended"));
    let _ = tokio::spawn(async { panic!("a fault") }).await;
    eprintln!("goes on");
}

#[test]
fn the_pause_grows_from_fault_to_fault_up_to_five_seconds() {
    let seconds = [0, 1, 2, 3, 4, 64, 65, u32::MAX].map(|faults| pause(faults).as_secs());
    assert_eq!(seconds, [1, 1, 2, 4, 5, 5, 5, 5]);
}

#[test]
fn a_run_of_ten_minutes_begins_the_count_anew() {
    assert_eq!(in_a_row(0, Duration::ZERO), 1);
    assert_eq!(in_a_row(3, Duration::from_secs(599)), 4);
    assert_eq!(in_a_row(3, Duration::from_secs(600)), 1);
    assert_eq!(in_a_row(u32::MAX, Duration::ZERO), u32::MAX);
}

#[test]
fn what_the_program_was_started_with_stays_and_the_count_is_replaced() {
    let old = ["--headless", "--after-faults=1"].map(OsString::from);
    assert_eq!(arguments(old.into_iter(), 2), ["--headless", "--after-faults=2"]);
}
