//! Stories of an ask of which a source tells more than anybody reads: how much of it is kept, that
//! the card says what is missing, and how long the desk takes for it.

use crate::common::*;
use beckon_core::risk::Risk;
use beckon_core::{
    AnswerLimits, Argument, Ask, AskContent, CallInput, Choice, FileChange, Permission, Question,
};
use std::time::{Duration, Instant};

/// The time limit for work that takes no noticeable time. The tests are built without
/// optimizations, on a busy machine; a release build takes a hundredth of it.
const AT_ONCE: Duration = Duration::from_secs(3);

fn permission(of: Permission) -> Permission {
    match ask("p1", AskContent::Permission(of)).cut().kind {
        AskContent::Permission(permission) => permission,
        other => panic!("{other:?}"),
    }
}

fn numbered(count: usize) -> Vec<String> {
    (0..count)
        .map(|number| format!("src/{number}.rs"))
        .collect()
}

fn questions(of: Vec<Question>) -> AskContent {
    ask("q1", AskContent::Questions(of)).cut().kind
}

fn with_choices(choices: impl IntoIterator<Item = Choice>) -> Question {
    Question {
        question: "Which?".into(),
        choices: choices.into_iter().collect(),
        ..Question::default()
    }
}

fn choice(label: impl Into<String>) -> Choice {
    Choice {
        label: label.into(),
        ..Choice::default()
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "how long it takes is the question"
)]
fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}

/// The loop once stood still for 74 seconds with 200,000 names, at each card, list and line of a
/// watch.
#[test]
fn a_title_of_a_hundred_thousand_names_is_made_at_once() {
    for name in ["bash", "edit", "read"] {
        let wish = Permission {
            permission: name.into(),
            patterns: numbered(100_000),
            ..Permission::default()
        };
        let took = time(|| wish.purpose());
        assert!(took < AT_ONCE, "{name}: {took:?}");
    }
}

#[test]
fn a_command_is_not_looked_through_for_each_of_a_hundred_thousand_patterns() {
    let wish = Permission {
        permission: "bash".into(),
        command: Some("a".repeat(60_000)),
        patterns: numbered(100_000),
        ..Permission::default()
    };
    let took = time(|| wish.wants().len());
    assert!(took < AT_ONCE, "{took:?}");
}

/// Each mark once repeated the whole pattern: some hundred megabytes for a pattern of sixty
/// thousand letters.
#[test]
fn a_pattern_is_marked_once_for_each_kind_of_harm() {
    let wish = Permission {
        permission: "bash".into(),
        patterns: vec!["sudo rm -rf x;".repeat(4_000)],
        ..Permission::default()
    };
    let marks = wish.risks("/home/me/shop");
    let kinds: Vec<Risk> = marks.iter().map(|mark| mark.risk).collect();
    assert_eq!(kinds, [Risk::Deletes, Risk::Admin]);
    assert!(marks.iter().all(|mark| mark.words == wish.patterns[0]));
}

#[test]
fn a_command_has_no_more_marks_than_a_surface_has_room_for_and_one_of_each_kind() {
    let wish = Permission {
        permission: "bash".into(),
        command: Some("sudo ls;".repeat(4_000) + "rm -rf x"),
        ..Permission::default()
    };
    let marks = wish.risks("/home/me/shop");
    assert_eq!(marks.len(), 201);
    assert_eq!(marks.last().map(|mark| mark.risk), Some(Risk::Deletes));
}

#[test]
fn what_a_permission_has_beyond_a_thousand_names_is_counted_on_its_card() {
    let of = |last: &str| {
        let mut patterns = numbered(5_000);
        patterns.push(last.into());
        permission(Permission {
            permission: "read".into(),
            patterns,
            always: numbered(1_500),
            files: numbered(2_000)
                .into_iter()
                .map(FileChange::Update)
                .collect(),
            input: CallInput::told(Vec::new()),
            ..Permission::default()
        })
    };
    let kept = of("a");
    assert_eq!(
        (kept.patterns.len(), kept.always.len(), kept.files.len()),
        (1_000, 1_000, 1_000)
    );
    let left_out = kept.left_out.unwrap();
    assert_eq!(left_out.count, 4_001 + 500 + 1_000);
    assert!(!kept.is_whole(), "no press allows it at once");
    assert_eq!(kept.wants().last().unwrap(), &left_out.line());
    assert!(
        left_out.line().starts_with("⋯ +5501 #"),
        "{}",
        left_out.line()
    );
    assert_ne!(of("a").left_out, of("b").left_out);
    assert_ne!(
        ask("p1", AskContent::Permission(of("a"))).fingerprint(),
        ask("p1", AskContent::Permission(of("b"))).fingerprint()
    );
}

#[test]
fn the_names_of_a_permission_share_their_room() {
    let kept = permission(Permission {
        patterns: vec!["x".repeat(50_000); 5],
        always: vec!["y".repeat(50_000); 5],
        files: vec![FileChange::Add("z".repeat(2_000_000))],
        ..Permission::default()
    });
    let bytes: usize = kept
        .patterns
        .iter()
        .chain(&kept.always)
        .map(String::len)
        .sum();
    assert!(bytes <= 128 * 1024, "{bytes}");
    assert_eq!(kept.left_out.unwrap().count, 3 + 1 + 5);
}

#[test]
fn the_arguments_of_a_call_share_their_room_and_the_rest_is_counted() {
    let argument = |number: usize, long: usize| Argument {
        name: format!("a{number}"),
        value: "v".repeat(long),
    };
    let few = CallInput::told((0..8).map(|number| argument(number, 60_000)).collect());
    assert!(few.is_partial);
    assert_eq!(few.arguments.len(), 3);
    assert!(
        few.arguments[2].line().starts_with("⋯: +6 #"),
        "{}",
        few.arguments[2].line()
    );

    let many = CallInput::told((0..500).map(|number| argument(number, 3)).collect());
    assert!(many.is_partial);
    assert!(many.arguments[63].line().starts_with("⋯: +437 #"));
    assert!(!CallInput::told((0..64).map(|it| argument(it, 3)).collect()).is_partial);
}

#[test]
fn a_question_of_which_choices_are_left_out_says_so() {
    let all = (0..5_000).map(|number| choice(number.to_string()));
    let AskContent::Questions(kept) = questions(vec![Question {
        limits: Some(AnswerLimits {
            none: Some(4_999),
            ..AnswerLimits::default()
        }),
        ..with_choices(all)
    }]) else {
        panic!("it can be answered")
    };
    assert_eq!(kept[0].choices.len(), 2_000);
    assert!(
        kept[0].question.starts_with("Which?\n⋯ +3000 #"),
        "{}",
        kept[0].question
    );
    assert_eq!(kept[0].limits.as_ref().unwrap().none, None);
}

#[test]
fn what_nobody_could_answer_here_is_only_shown() {
    let many = vec![with_choices([choice("Yes")]); 201];
    let wide = vec![with_choices((0..2_000).map(|it| choice(it.to_string()))); 3];
    let long = vec![with_choices([choice("x".repeat(300_000))])];
    for questions in [many, wide, long].map(questions) {
        let AskContent::Unknown(unknown) = &questions else {
            panic!("{questions:?}")
        };
        assert!(unknown.raw.starts_with("Which?\n- "), "{unknown:?}");
        assert!(unknown.raw.len() < 70_000);
    }
}

#[test]
fn what_is_told_in_prose_shares_its_room() {
    let described = |number: usize| Choice {
        description: format!("{number} ") + &"word ".repeat(2_000),
        ..choice(number.to_string())
    };
    let AskContent::Questions(kept) = questions(vec![with_choices((0..2_000).map(described))])
    else {
        panic!("it can be answered")
    };
    let prose: usize = kept[0].choices.iter().map(|it| it.description.len()).sum();
    assert!(prose < 400_000, "{prose}");
    assert!(
        kept[0].choices[1_999]
            .description
            .starts_with("\n⋯ +10 kB #")
    );
    assert_eq!(kept[0].choices[1_999].label, "1999");
}

#[test]
fn what_was_cut_is_not_cut_again() {
    let large = |number: usize| Choice {
        description: format!("{number} ") + &"d".repeat(number % 300),
        ..choice(number.to_string())
    };
    let asks: [AskContent; 4] = [
        AskContent::Permission(Permission {
            patterns: numbered(50_000),
            always: vec!["x".repeat(100_000); 40],
            files: numbered(3_000).into_iter().map(FileChange::Add).collect(),
            input: CallInput {
                arguments: vec![
                    Argument {
                        name: "n".repeat(70_000),
                        value: "v".repeat(70_000),
                    };
                    90
                ],
                is_partial: false,
            },
            ..Permission::default()
        }),
        AskContent::Questions(vec![Question {
            question: "q".repeat(100_000),
            ..with_choices((0..3_000).map(large))
        }]),
        AskContent::Questions(vec![with_choices((0..1_900).map(large)); 2]),
        AskContent::Questions(vec![with_choices([choice("x".repeat(300_000))]); 300]),
    ];
    for kind in asks {
        let once: Ask = ask("a1", kind).cut();
        assert_eq!(once.clone().cut(), once);
    }
}

/// Shows that a long command is read only once, however often it is shown.
#[test]
fn the_desk_remembers_what_it_has_read_out_of_an_ask() {
    let mut story = Story::new();
    story.ask(ask(
        "p1",
        AskContent::Permission(Permission {
            permission: "bash".into(),
            command: Some("sudo make install".into()),
            ..Permission::default()
        }),
    ));
    let entry = story.entry("p1");
    assert_eq!(entry.purpose().unwrap().objects, ["make"]);
    assert_eq!(entry.risks()[0].risk, Risk::Admin);
    assert!(!entry.is_deceptive());

    story.ask(ask(
        "p1",
        AskContent::Permission(Permission {
            permission: "bash".into(),
            command: Some("rm -rf x\u{202e}".into()),
            ..Permission::default()
        }),
    ));
    let entry = story.entry("p1");
    assert_eq!(entry.purpose().unwrap().objects, ["rm"]);
    assert_eq!(entry.risks()[0].risk, Risk::Deletes);
    assert!(entry.is_deceptive());
}

/// Each text was once looked for among all labels, each of which was made distinct from all others:
/// two thousand choices that were all taken took minutes.
#[test]
fn an_answer_of_thousands_of_texts_is_read_at_once() {
    for is_equal in [false, true] {
        let label = |number: usize| {
            if is_equal {
                "Yes".into()
            } else {
                number.to_string()
            }
        };
        let one = |number: usize| Choice {
            value: (!is_equal).then(|| format!("v{number}")),
            ..choice(label(number))
        };
        let question = Question {
            multiple: true,
            ..with_choices((0..2_000).map(one))
        };
        let asked = ask("q1", AskContent::Questions(vec![question]));
        let texts: Vec<String> = (0..2_000).map(label).collect();
        let mut read = None;
        let took = time(|| read = asked.replies_from_texts(&[texts]).ok());
        assert!(took < AT_ONCE, "{took:?}");
        let answer = read.unwrap();
        assert!(asked.check(&answer).is_ok());
    }
}

#[test]
fn thousands_of_equal_labels_are_told_apart_at_once() {
    let one = |number: usize| Choice {
        value: Some(number.to_string()),
        ..choice("Drop it ".repeat(10))
    };
    let question = with_choices((0..2_000).map(one));
    let mut labels = Vec::new();
    let took = time(|| labels = question.labels());
    assert!(took < AT_ONCE, "{took:?}");
    assert!(labels[1_999].ends_with(" (2000)"));
}
