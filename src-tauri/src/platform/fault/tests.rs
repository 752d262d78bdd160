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
    assert!(
        said.contains("goes on") && !said.contains("Telegram works"),
        "{said}"
    );
    assert!(output.status.success(), "{said}");
}

#[test]
fn what_is_of_no_part_starts_it_anew_however_often_it_panics() {
    let (said, output) = child("panics_in_a_thread_again");
    assert!(
        said.contains("after-faults") && !said.contains("goes on"),
        "{said}"
    );
    assert!(!output.status.success());
}

#[test]
fn a_program_that_is_ending_ends_as_it_was_told() {
    let (said, output) = child("panics_while_it_ends");
    assert!(
        !said.contains("after-faults") && !said.contains("goes on"),
        "{said}"
    );
    assert!(output.status.success(), "{said}");
}

fn panic_in_a_thread() {
    let _ = std::thread::spawn(|| panic!("a fault")).join();
    eprintln!("goes on");
}

#[test]
#[ignore = "the child of another test"]
fn panics_once() {
    start_anew_on_panic(FormerFaults::default());
    panic_in_a_thread();
}

#[test]
#[ignore = "the child of another test"]
fn panics_in_a_thread_again() {
    start_anew_on_panic(FormerFaults {
        count: MOST_STARTS,
        suspect: None,
    });
    panic_in_a_thread();
}

#[test]
#[ignore = "the child of another test"]
fn panics_while_it_ends() {
    start_anew_on_panic(FormerFaults::default());
    end_on_panic();
    panic_in_a_thread();
}

#[tokio::test]
#[ignore = "the child of another test"]
async fn panics_in_a_part_again() {
    start_anew_on_panic(FormerFaults {
        count: MOST_STARTS,
        suspect: Some(Part::Telegram),
    });
    let work = async { part::spawn(async { panic!("a fault") }).await.unwrap_or(()) };
    Part::Telegram.run(work).await;
    eprintln!("goes on");
}

#[tokio::test]
#[ignore = "the child of another test"]
async fn runs_without_a_part() {
    part::leave_out(vec![Part::Telegram]);
    Part::Telegram
        .run(async { eprintln!("Telegram works") })
        .await;
    Part::Hub.run(async { eprintln!("goes on") }).await;
}

#[test]
fn the_pause_grows_from_fault_to_fault_up_to_five_seconds() {
    let seconds = [0, 1, 2, 3, 4, 64, 65, u32::MAX].map(|faults| pause(faults).as_secs());
    assert_eq!(seconds, [1, 1, 2, 4, 5, 5, 5, 5]);
}

fn fault(count: u32, suspect: Option<Part>, ran: u64, part: Option<Part>) -> FaultRecord {
    FaultRecord::of(
        &FormerFaults { count, suspect },
        Duration::from_secs(ran),
        part,
    )
}

fn going_on(count: u32, suspect: Option<Part>) -> FaultRecord {
    FaultRecord {
        count,
        suspect,
        left_out: None,
    }
}

#[test]
fn a_run_of_ten_minutes_begins_the_count_anew() {
    assert_eq!(fault(0, None, 0, None), going_on(1, None));
    assert_eq!(fault(3, None, 599, None), going_on(4, None));
    assert_eq!(fault(3, None, 600, None), going_on(1, None));
    assert_eq!(fault(u32::MAX, None, 0, None), going_on(u32::MAX, None));
}

#[test]
fn only_a_part_that_panicked_the_last_time_as_well_is_left_out_and_the_count_begins_anew() {
    let (hub, telegram) = (Some(Part::Hub), Some(Part::Telegram));
    assert_eq!(
        fault(3, hub.clone(), 0, hub.clone()),
        going_on(4, hub.clone())
    );
    assert_eq!(fault(4, None, 0, hub.clone()), going_on(5, hub.clone()));
    assert_eq!(fault(4, telegram, 0, hub.clone()), going_on(5, hub.clone()));
    assert_eq!(fault(4, hub.clone(), 0, None), going_on(5, None));
    let left_out = FaultRecord {
        count: 1,
        suspect: None,
        left_out: hub.clone(),
    };
    assert_eq!(fault(4, hub.clone(), 0, hub.clone()), left_out);
    assert_eq!(fault(4, hub.clone(), 600, hub.clone()), going_on(1, hub));
}

#[test]
fn what_the_program_was_started_with_stays_and_what_it_was_told_of_faults_is_replaced() {
    let old = ["--headless", "--suspect=hub", "--after-faults=1"].map(OsString::from);
    assert_eq!(
        going_on(2, None).arguments(old.into_iter()),
        ["--headless", "--after-faults=2"]
    );
    let of = |left_out| FaultRecord {
        count: 1,
        suspect: None,
        left_out: Some(left_out),
    };
    let first = of(Part::Source("a server".into())).arguments(["--headless".into()].into_iter());
    assert_eq!(
        first,
        [
            "--headless",
            "--without=source:a server",
            "--after-faults=1"
        ]
    );
    let suspected = going_on(2, Some(Part::Hub)).arguments(first.into_iter());
    let parts = [
        "--headless",
        "--without=source:a server",
        "--suspect=hub",
        "--after-faults=2",
    ];
    assert_eq!(suspected, parts);
    let both = of(Part::Hub).arguments(suspected.into_iter());
    let parts = [
        "--headless",
        "--without=source:a server",
        "--without=hub",
        "--after-faults=1",
    ];
    assert_eq!(both, parts, "one after the other");
}
