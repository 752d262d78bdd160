//! Stories of the log on the hub: records that are missing, or sent twice, are noticed.

use beckon_core::hub::{AskSubject, LogPlace, LogReader, LogRecord, LogStep, LogSubject, way};
use beckon_core::{Ask, AskContent, AskId, Fingerprint, Session, Timestamp};

fn subject(node: &str) -> LogSubject {
    LogSubject { node: node.into() }
}

#[test]
fn what_the_hub_leaves_out_or_tells_twice_is_noticed_for_each_writer_by_itself() {
    let mut reader = LogReader::default();
    let mut read = |node: &str, device: &str, number| reader.read(&subject(node), device, number);
    assert_eq!(
        read("laptop1", "laptop", 7),
        LogStep::Next,
        "reading began here"
    );
    assert_eq!(read("laptop1", "laptop", 8), LogStep::Next);
    assert_eq!(read("tower1", "tower", 1), LogStep::Next);
    assert_eq!(
        read("laptop1", "tower", 90),
        LogStep::Next,
        "it disturbs nobody's numbers"
    );
    assert_eq!(read("laptop1", "laptop", 10), LogStep::Gap);
    assert_eq!(read("laptop1", "laptop", 9), LogStep::Again);
    assert_eq!(read("laptop1", "laptop", 11), LogStep::Next);
}

#[test]
fn a_subject_of_the_log_is_read_as_it_was_written_and_no_other_is() {
    let ours = subject("Ab3dE6gH1J");
    assert_eq!(LogSubject::parse(&ours.subject()), Some(ours));
    for strange in [
        "bk.log.own.",
        "bk.log.own.a.b",
        "bk.log.own.*",
        "bk.ask.own.Ab3dE6gH1J",
    ] {
        assert_eq!(LogSubject::parse(strange), None, "{strange}");
    }
}

#[test]
fn another_history_is_written_from_its_beginning() {
    let place = LogPlace {
        history: "one".into(),
        row: 40,
    };
    assert_eq!((place.row_in("one"), place.row_in("another")), (40, 0));
}

#[test]
fn a_record_without_the_name_of_its_ask_or_with_one_of_a_later_kind_is_read() {
    let of = |ask: &str| {
        let place = r#""place":{"history":"one","row":4}"#;
        let text = format!(r#"{{"v":1,"machine":"m","number":7,"behind":3,{place}{ask}}}"#);
        serde_json::from_str::<LogRecord>(&text).unwrap().ask
    };
    let named = AskSubject {
        node: "Ab3dE6gH1J".into(),
        serial: 12,
    };
    assert_eq!(of(r#","ask":"bk.ask.own.Ab3dE6gH1J.12""#), Some(named));
    for other in ["", r#","ask":"bk.ask.own.*.12""#, r#","ask":{"later":1}"#] {
        assert_eq!(of(other), None, "{other}");
    }
}

#[test]
fn what_was_shown_of_one_ask_is_called_the_same_on_every_machine_in_every_round() {
    let kind = AskContent::Confirm("Shall I go on?".into());
    let ask = |id: AskId, via: &[&str], api: Option<String>| {
        let via = via.iter().map(|it| (*it).to_owned()).collect();
        let session = Session {
            via,
            api,
            ..Session::default()
        };
        Ask {
            id,
            kind: kind.clone(),
            session,
            call: None,
            asked_at: Timestamp(0),
        }
    };
    let own = ask(AskId::new("local", "q1"), &[], None);
    let seen = own.fingerprint();
    let there = |round| {
        ask(
            AskId::new("hub:laptop", "lapt-12"),
            &["laptop1"],
            Some(way(round, seen)),
        )
    };
    let named = AskSubject {
        node: "laptop1".into(),
        serial: 12,
    };
    assert_eq!(
        AskSubject::named(&own, ("laptop1", 12)),
        Some(named.clone())
    );
    assert_eq!(AskSubject::named(&there(3), ("tower1", 99)), Some(named));
    assert_eq!(own.shown_at_owner(seen), Some(seen));
    for shown_in in [1, 3] {
        let shown = there(shown_in).fingerprint();
        assert_ne!(shown, seen);
        assert_eq!(
            there(3).shown_at_owner(shown),
            Some(seen),
            "round {shown_in}"
        );
    }
    assert_eq!(
        there(3).shown_at_owner(Fingerprint::default()),
        None,
        "it was something else"
    );
    let watched = ask(AskId::new("far", "q1"), &["laptop1"], None);
    assert_eq!(
        AskSubject::named(&watched, ("tower1", 99)),
        None,
        "it is on no hub from here"
    );
}
