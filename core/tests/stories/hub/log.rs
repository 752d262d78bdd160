//! The log on the hub: what is missing of it, or told twice, is noticed.

use beckon_core::hub::{LogPlace, LogReader, LogStep, LogSubject};

fn subject(node: &str) -> LogSubject {
    LogSubject { node: node.into() }
}

#[test]
fn what_the_hub_leaves_out_or_tells_twice_is_noticed_for_each_writer_by_itself() {
    let mut reader = LogReader::default();
    let mut read = |node: &str, device: &str, number| reader.read(&subject(node), device, number);
    assert_eq!(read("laptop1", "laptop", 7), LogStep::Next, "reading began here");
    assert_eq!(read("laptop1", "laptop", 8), LogStep::Next);
    assert_eq!(read("tower1", "tower", 1), LogStep::Next);
    assert_eq!(read("laptop1", "tower", 90), LogStep::Next, "it disturbs nobody's numbers");
    assert_eq!(read("laptop1", "laptop", 10), LogStep::Gap);
    assert_eq!(read("laptop1", "laptop", 9), LogStep::Again);
    assert_eq!(read("laptop1", "laptop", 11), LogStep::Next);
}

#[test]
fn a_subject_of_the_log_is_read_as_it_was_written_and_no_other_is() {
    let ours = subject("Ab3dE6gH1J");
    assert_eq!(LogSubject::parse(&ours.subject()), Some(ours));
    for strange in ["bk.log.own.", "bk.log.own.a.b", "bk.log.own.*", "bk.ask.own.Ab3dE6gH1J"] {
        assert_eq!(LogSubject::parse(strange), None, "{strange}");
    }
}

#[test]
fn another_history_is_written_from_its_beginning() {
    let place = LogPlace { history: "one".into(), row: 40 };
    assert_eq!((place.row_in("one"), place.row_in("another")), (40, 0));
}
