//! Tests of what a fault leads to. One sees a program really start anew: this very test program,
//! which panics as a child of itself.

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
        ..FormerFaults::default()
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
        ..FormerFaults::default()
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
    let tried = Vec::new();
    FaultRecord::of(
        &FormerFaults {
            count,
            suspect,
            tried,
        },
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
}

#[test]
fn a_fault_of_nobody_ends_with_what_it_comes_from() {
    let mut left_out = Vec::new();
    let mut count = 0;
    while left_out.len() < TALKING.len() {
        count += 1;
        assert!(count < 30, "it goes on for ever");
        left_out.extend(next_without(count, &left_out));
    }
    assert_eq!(left_out, TALKING);
    assert_eq!(next_without(u32::MAX - 1, &left_out), None);
    assert_eq!(next_without(7, &[]), None);
    assert_eq!(next_without(8, &[]), Some(Part::Hub));
    assert_eq!(next_without(9, &[Part::Hub]), None);
    assert_eq!(next_without(10, &[Part::Hub]), Some(Part::Updates));
    assert_eq!(fault(7, None, 0, None).left_out, Some(Part::Hub));
    assert_eq!(fault(7, None, 600, None), going_on(1, None));
}

#[test]
fn what_was_tried_again_is_left_out_at_its_first_fault_and_for_longer() {
    let of = |ran, part| {
        let tried = vec![Part::Hub, Part::Hub];
        let former = FormerFaults {
            tried,
            ..FormerFaults::default()
        };
        FaultRecord::of(&former, Duration::from_secs(ran), Some(part))
    };
    assert_eq!(of(0, Part::Hub).left_out, Some(Part::Hub));
    assert_eq!(of(600, Part::Hub), going_on(1, Some(Part::Hub)));
    assert_eq!(of(0, Part::Telegram), going_on(1, Some(Part::Telegram)));
    let minutes = |times| {
        let tried = vec![Part::Hub; times];
        pause_without(&tried, &[Part::Telegram, Part::Hub]).as_secs() / 60
    };
    assert_eq!([0, 1, 2, 5, 6, 40].map(minutes), [5, 10, 20, 160, 240, 240]);
}

#[test]
fn what_was_left_out_is_tried_with_all_that_the_program_was_started_with() {
    let old = [
        "--headless",
        "--tried=hub",
        "--without=hub",
        "--without=source:a b",
        "--suspect=telegram",
        "--after-faults=1",
    ];
    let anew = with_all(old.into_iter().map(OsString::from));
    let parts = [
        "--headless",
        "--tried=hub",
        "--tried=hub",
        "--tried=source:a b",
    ];
    assert_eq!(anew, parts);
}

#[test]
fn a_task_that_the_hubs_library_begins_by_itself_is_the_hubs() {
    let (said, output) = child("panics_in_a_task_of_a_library");
    assert!(said.contains("'without'"), "{said}");
    assert!(!said.contains("goes on"), "{said}");
    assert!(!output.status.success());
}

#[cfg(feature = "hub")]
#[tokio::test]
#[ignore = "the child of another test"]
async fn panics_in_a_task_of_a_library() {
    start_anew_on_panic(FormerFaults {
        count: MOST_STARTS,
        suspect: Some(Part::Hub),
        ..FormerFaults::default()
    });
    let begun = async { tokio::spawn(async { panic!("a fault") }).await };
    let _ = Part::runtime_of_hub().spawn(begun).await;
    eprintln!("goes on");
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
