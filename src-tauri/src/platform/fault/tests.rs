//! What a fault leads to. That a program really starts anew is seen by this very test program, which
//! panics as a child of itself.

use super::*;
use crate::platform::part;
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
fn a_part_that_panics_at_each_start_is_left_out_by_the_next() {
    let (said, output) = child("panics_in_a_part_again");
    assert!(said.contains("'without'"), "{said}");
    assert!(!said.contains("goes on"), "{said}");
    assert!(!output.status.success());
}

#[test]
fn what_is_left_out_does_nothing_and_everything_else_works() {
    let (said, output) = child("runs_without_a_part");
    assert!(said.contains("goes on") && !said.contains("Telegram works"), "{said}");
    assert!(output.status.success(), "{said}");
}

#[test]
fn what_is_of_no_part_starts_it_anew_however_often_it_panics() {
    let (said, output) = child("panics_in_a_thread_again");
    assert!(said.contains("after-faults") && !said.contains("goes on"), "{said}");
    assert!(!output.status.success());
}

#[test]
fn a_program_that_is_ending_ends_as_it_was_told() {
    let (said, output) = child("panics_while_it_ends");
    assert!(!said.contains("after-faults") && !said.contains("goes on"), "{said}");
    assert!(output.status.success(), "{said}");
}

fn panic_in_a_thread() {
    let _ = std::thread::spawn(|| panic!("a fault")).join();
    eprintln!("goes on");
}

#[test]
#[ignore = "the child of another test"]
fn panics_once() {
    start_anew_on_panic(0);
    panic_in_a_thread();
}

#[test]
#[ignore = "the child of another test"]
fn panics_in_a_thread_again() {
    start_anew_on_panic(MOST_STARTS);
    panic_in_a_thread();
}

#[test]
#[ignore = "the child of another test"]
fn panics_while_it_ends() {
    start_anew_on_panic(0);
    end_on_panic();
    panic_in_a_thread();
}

#[tokio::test]
#[ignore = "the child of another test"]
async fn panics_in_a_part_again() {
    start_anew_on_panic(MOST_STARTS);
    let work = async { part::spawn(async { panic!("a fault") }).await.unwrap_or(()) };
    Part::Telegram.run(work).await;
    eprintln!("goes on");
}

#[tokio::test]
#[ignore = "the child of another test"]
async fn runs_without_a_part() {
    part::leave_out(vec![Part::Telegram]);
    Part::Telegram.run(async { eprintln!("Telegram works") }).await;
    Part::Hub.run(async { eprintln!("goes on") }).await;
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
    let old = || ["--headless", "--after-faults=1"].map(OsString::from).into_iter();
    assert_eq!(arguments(old(), 2, None), ["--headless", "--after-faults=2"]);
    let first = Some(Part::Source("a server".into()));
    let anew = arguments(old(), 5, first);
    assert_eq!(anew, ["--headless", "--without=source:a server", "--after-faults=5"]);
    let anew = arguments(anew.into_iter(), 6, Some(Part::Hub));
    let both = ["--headless", "--without=source:a server", "--without=hub", "--after-faults=6"];
    assert_eq!(anew, both, "one after the other");
}
