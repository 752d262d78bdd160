//! Tests that a fingerprint is the same in every version, and differs as soon as anything in the
//! ask does.

use super::*;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

fn permission(patterns: &[&str], command: Option<&str>) -> AskContent {
    AskContent::Permission(Permission {
        permission: "bash".into(),
        patterns: patterns.iter().map(|&pattern| pattern.into()).collect(),
        command: command.map(Into::into),
        ..Permission::default()
    })
}

fn of(own: &str, kind: &AskContent) -> Fingerprint {
    Fingerprint::of(&AskId::new("local", own), kind)
}

/// Cards on phones outlive a version of Beckon: the same ask has the same fingerprint in the next
/// one.
#[test]
fn it_is_the_same_in_every_version() {
    assert_eq!(
        of("per_1", &permission(&["ls build/"], Some("ls build/"))).to_string(),
        "zigYnKb4Qp"
    );
}

#[test]
fn whatever_is_decided_about_changes_it() {
    let question = |label: &str, value: Option<&str>| {
        let value = value.map(Into::into);
        let choices = vec![Choice {
            label: label.into(),
            description: String::new(),
            value,
        }];
        AskContent::Questions(vec![Question {
            choices,
            ..Question::default()
        }])
    };
    let limited = |limits: AnswerLimits| {
        AskContent::Questions(vec![Question {
            limits: Some(limits),
            ..Question::default()
        }])
    };
    let of_format = |format| {
        limited(AnswerLimits {
            format,
            ..AnswerLimits::default()
        })
    };
    let bound = Some(crate::NumberBound::from(2.0));
    let none = |none| {
        limited(AnswerLimits {
            none,
            ..AnswerLimits::default()
        })
    };
    let unknown = |asked, raw: &str| {
        AskContent::Unknown(UnknownAsk {
            asked,
            raw: raw.into(),
        })
    };
    let kinds = [
        permission(&["ls build/"], Some("ls build/")),
        permission(&["rm -rf ~/work"], Some("ls build/")),
        permission(&["ls build/"], None),
        permission(&["ls build/"], Some("")),
        permission(&["ls", " build/"], None),
        permission(&["l", "s build/"], None),
        question("Drop it", None),
        question("Drop it", Some("prod")),
        question("Drop it", Some("staging")),
        AskContent::Questions(vec![Question::default()]),
        of_format(TextFormat::Text),
        of_format(TextFormat::Email),
        of_format(TextFormat::Uri),
        of_format(TextFormat::Date),
        of_format(TextFormat::DateTime),
        of_format(TextFormat::Number),
        of_format(TextFormat::Integer),
        limited(AnswerLimits {
            least: bound.clone(),
            ..AnswerLimits::default()
        }),
        limited(AnswerLimits {
            most: bound.clone(),
            ..AnswerLimits::default()
        }),
        limited(AnswerLimits {
            above: bound.clone(),
            ..AnswerLimits::default()
        }),
        limited(AnswerLimits {
            below: bound.clone(),
            ..AnswerLimits::default()
        }),
        limited(AnswerLimits {
            step: bound,
            ..AnswerLimits::default()
        }),
        limited(AnswerLimits {
            pattern: Some("2".into()),
            ..AnswerLimits::default()
        }),
        none(Some(0)),
        none(Some(1)),
        AskContent::Confirm(String::new()),
        AskContent::Confirm("ls build/".into()),
        unknown(UnknownShape::Question, "ls build/"),
        unknown(UnknownShape::Permission, "ls build/"),
        unknown(UnknownShape::Permission, "rm -rf ~/work"),
    ];
    let mut seen: Vec<Fingerprint> = kinds.iter().map(|kind| of("per_1", kind)).collect();
    seen.push(of("per_2", &kinds[0]));
    seen.push(Fingerprint::of(&AskId::new("localp", "er_1"), &kinds[0]));
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), count);
}

#[test]
fn it_comes_back_from_its_ten_characters_and_from_no_others() {
    for number in [0, 1, 63, 64, (1 << BITS) - 1, 0x0123_4567_89ab_cdef >> 4] {
        let text = Fingerprint(number).to_string();
        assert_eq!(
            (text.len(), text.parse()),
            (LENGTH, Ok(Fingerprint(number))),
            "{text}"
        );
    }
    for strange in [
        "",
        "012345678",
        "01234567890",
        "01234 6789",
        "01234567é",
        "0123456.89",
    ] {
        assert_eq!(
            strange.parse::<Fingerprint>(),
            Err(NoFingerprint),
            "{strange}"
        );
    }
}

#[test]
fn it_is_read_as_it_was_written_and_nothing_else_is() {
    let written = serde_json::to_string(&Fingerprint(42)).unwrap();
    assert_eq!(
        serde_json::from_str::<Fingerprint>(&written).unwrap(),
        Fingerprint(42)
    );
    assert!(serde_json::from_str::<Fingerprint>("\"42\"").is_err());
}

#[test]
fn what_has_ended_is_known_by_a_button_that_counted_as_many_as_anybody_counts() {
    let content = of("per_1", &permission(&["ls"], None));
    let made = |count| ButtonTarget {
        serial: 7,
        fingerprint: content.times(count),
    };
    for count in [1, 2, MOST_COUNTED, MOST_COUNTED + 1] {
        assert!(made(count).was_made_for(7, content), "{count}");
        assert!(!made(count).was_made_for(8, content), "{count}");
    }
    assert!(!made(MOST_COUNTED + 2).was_made_for(7, content));
}
