//! Stories of the limits that a source sets for an answer: what keeps to them and what does not.

use super::answers::reply;
use crate::common::*;
use beckon_core::{
    AnswerLimits, Ask, AskContent, InvalidAnswer, LimitMeasure, NumberBound, Question, TextFormat,
};

fn asked(question: Question, limits: AnswerLimits) -> Ask {
    let question = Question {
        custom: true,
        limits: Some(limits),
        ..question
    };
    ask("q", AskContent::Questions(vec![question]))
}

fn between(least: f64, most: f64) -> AnswerLimits {
    let (least, most) = (
        Some(NumberBound::from(least)),
        Some(NumberBound::from(most)),
    );
    AnswerLimits {
        least,
        most,
        ..AnswerLimits::default()
    }
}

fn out_of(limits: &AnswerLimits, measure: LimitMeasure) -> Result<(), InvalidAnswer> {
    let AnswerLimits { least, most, .. } = limits.clone();
    Err(InvalidAnswer::OutOfRange {
        question: 1,
        measure,
        least,
        most,
    })
}

#[test]
fn a_number_may_be_a_bound_itself_and_nothing_beyond_it() {
    for format in [TextFormat::Number, TextFormat::Integer] {
        let limits = AnswerLimits {
            format,
            ..between(-2.0, 8.0)
        };
        let ask = asked(question(&[]), limits.clone());
        for inside in ["-2", "0", " 8 "] {
            assert_eq!(ask.check(&reply(&[], Some(inside))), Ok(()), "{inside}");
        }
        for outside in ["-3", "9"] {
            let refused = ask.check(&reply(&[], Some(outside)));
            assert_eq!(refused, out_of(&limits, LimitMeasure::Value), "{outside}");
        }
    }
}

#[test]
fn an_emoji_is_as_long_as_either_of_those_counts_it_who_may_have_set_the_limit() {
    let limits = between(2.0, 3.0);
    let ask = asked(question(&[]), limits.clone());
    // An emoji has length two in JavaScript, and one in JSON Schema.
    for inside in ["ab", "abc", "😀", "😀a", "😀😀", "😀😀😀"] {
        assert_eq!(ask.check(&reply(&[], Some(inside))), Ok(()), "{inside}");
    }
    for outside in ["a", "abcd", "😀😀😀😀"] {
        let refused = ask.check(&reply(&[], Some(outside)));
        assert_eq!(
            refused,
            out_of(&limits, LimitMeasure::Characters),
            "{outside}"
        );
    }
}

#[test]
fn whatever_mail_servers_take_is_an_address() {
    let limits = AnswerLimits {
        format: TextFormat::Email,
        ..AnswerLimits::default()
    };
    let ask = asked(question(&[]), limits);
    for address in [
        "a@b.org",
        "root@localhost",
        "\"a b\"@example.com",
        "ü@münchen.de",
    ] {
        assert_eq!(ask.check(&reply(&[], Some(address))), Ok(()), "{address}");
    }
    for other in [
        "a",
        "@b.org",
        "a@",
        "a b@c.org",
        "a@b..org",
        "a@b@c.org",
        "a@b c",
    ] {
        assert!(ask.check(&reply(&[], Some(other))).is_err(), "{other}");
    }
}

#[test]
fn own_words_are_one_more_answer_beside_the_choices() {
    let limits = between(2.0, 3.0);
    let several = Question {
        multiple: true,
        ..question(&["Red", "Green", "Blue"])
    };
    let ask = asked(several, limits.clone());
    for inside in [
        reply(&[0], Some("Pink")),
        reply(&[0, 1], None),
        reply(&[0, 1], Some("Pink")),
    ] {
        assert_eq!(ask.check(&inside), Ok(()), "{inside:?}");
    }
    for outside in [
        reply(&[], Some("Pink")),
        reply(&[2], None),
        reply(&[0, 1, 2], Some("Pink")),
    ] {
        assert_eq!(
            ask.check(&outside),
            out_of(&limits, LimitMeasure::Answers),
            "{outside:?}"
        );
    }
}

#[test]
fn a_choice_of_one_is_not_measured() {
    let ask = asked(question(&["A very long one"]), between(1.0, 2.0));
    assert_eq!(ask.check(&choose(0)), Ok(()));
}

#[test]
fn words_beside_the_choice_that_means_no_answer_are_a_contradiction() {
    let limits = AnswerLimits {
        none: Some(1),
        ..AnswerLimits::default()
    };
    let ask = asked(
        Question {
            multiple: true,
            ..question(&["Red", "None"])
        },
        limits,
    );
    let refused = Err(InvalidAnswer::NoneAndSome { question: 1 });
    assert_eq!(ask.check(&reply(&[1], Some("Pink"))), refused);
    assert_eq!(ask.check(&choose(1)), Ok(()));
}

#[test]
fn what_is_out_of_range_is_refused_with_its_bounds() {
    let bound = |at: f64| Some(NumberBound::from(at));
    let said = |measure, least, most| {
        InvalidAnswer::OutOfRange {
            question: 1,
            measure,
            least,
            most,
        }
        .to_string()
    };
    let characters = LimitMeasure::Characters;
    let table = [
        (
            said(characters, bound(3.0), bound(3.0)),
            "question 1 takes 3 characters",
        ),
        (
            said(characters, bound(3.0), bound(5.0)),
            "question 1 takes 3 to 5 characters",
        ),
        (
            said(characters, bound(3.0), None),
            "question 1 takes at least 3 characters",
        ),
        (
            said(characters, None, bound(5.0)),
            "question 1 takes at most 5 characters",
        ),
    ];
    for (said, expected) in table {
        assert_eq!(said, expected);
    }
    let value = said(LimitMeasure::Value, bound(-2.0), bound(8.0));
    assert!(
        value.starts_with("question 1 takes ") && value.ends_with(", -2 to 8"),
        "{value}"
    );
}

#[test]
fn an_open_bound_is_no_answer_itself() {
    let limits = AnswerLimits {
        format: TextFormat::Number,
        above: Some(NumberBound::from(0.0)),
        below: Some(NumberBound::from(1.0)),
        ..AnswerLimits::default()
    };
    let ask = asked(question(&[]), limits);
    let check = |text: &str| ask.check(&reply(&[], Some(text)));
    assert_eq!(check("0.001"), Ok(()));
    let above = NumberBound::from(0.0);
    let below = NumberBound::from(1.0);
    assert_eq!(
        check("0"),
        Err(InvalidAnswer::NotAbove { question: 1, above })
    );
    assert_eq!(
        check("1"),
        Err(InvalidAnswer::NotBelow { question: 1, below })
    );
}

#[test]
fn a_step_is_kept_to_as_far_as_binary_fractions_can_tell() {
    let limits = |step: f64| AnswerLimits {
        format: TextFormat::Number,
        step: Some(NumberBound::from(step)),
        ..AnswerLimits::default()
    };
    for (step, on, off) in [
        (
            0.1,
            &["0.3", "0", "-0.7", "1e3", "123456789.1"][..],
            &["0.35", "0.01"][..],
        ),
        (5.0, &["10", "-5"], &["7", "0.5"]),
        (0.01, &["19.99", "4,35"], &["19.999"]),
    ] {
        let ask = asked(question(&[]), limits(step));
        for text in on {
            assert_eq!(
                ask.check(&reply(&[], Some(text))),
                Ok(()),
                "{text} by {step}"
            );
        }
        for text in off {
            let refused = ask.check(&reply(&[], Some(text)));
            let step = NumberBound::from(step);
            assert_eq!(
                refused,
                Err(InvalidAnswer::NoMultiple { question: 1, step }),
                "{text}"
            );
        }
    }
    for none in [0.0, -1.0] {
        let ask = asked(question(&[]), limits(none));
        assert_eq!(ask.check(&reply(&[], Some("7"))), Ok(()));
    }
}

#[test]
fn a_pattern_is_kept_to_in_own_text_and_no_choice_breaks_it() {
    let limits = AnswerLimits {
        pattern: Some("^[a-z]+$".into()),
        ..AnswerLimits::default()
    };
    let ask = asked(question(&["Other"]), limits);
    assert_eq!(ask.check(&reply(&[], Some("abc"))), Ok(()));
    assert_eq!(ask.check(&reply(&[0], None)), Ok(()));
    let pattern = "^[a-z]+$".into();
    let refused = ask.check(&reply(&[], Some("ABC")));
    assert_eq!(
        refused,
        Err(InvalidAnswer::NoMatch {
            question: 1,
            pattern
        })
    );
}

#[test]
fn bounds_are_kept_to_the_last_digit() {
    let bound = |digits: &str| Some(NumberBound::parse(digits).unwrap());
    let limits = AnswerLimits {
        format: TextFormat::Integer,
        least: bound("-9223372036854775809"),
        most: bound("18446744073709551615"),
        step: bound("3"),
        ..AnswerLimits::default()
    };
    let ask = asked(question(&[]), limits.clone());
    let check = |text: &str| ask.check(&reply(&[], Some(text)));
    assert_eq!(check("18446744073709551615"), Ok(()));
    assert_eq!(check("-9223372036854775809"), Ok(()));
    let out = out_of(&limits, LimitMeasure::Value);
    assert_eq!(check("18446744073709551618"), out);
    assert_eq!(check("-9223372036854775812"), out);
    let step = NumberBound::from(3.0);
    let between = Err(InvalidAnswer::NoMultiple { question: 1, step });
    assert_eq!(check("9007199254740994"), between);
    assert_eq!(check("9007199254740993"), Ok(()));
}

#[test]
fn a_number_that_would_arrive_as_another_one_is_refused_and_the_other_one_said() {
    let limits = AnswerLimits {
        format: TextFormat::Number,
        as_double: true,
        ..AnswerLimits::default()
    };
    let ask = asked(question(&[]), limits);
    let check = |text: &str| ask.check(&reply(&[], Some(text)));
    for kept in [
        "0.1",
        "0,10",
        "9007199254740992",
        "1e300",
        "-0",
        "1.7976931348623157e308",
    ] {
        assert_eq!(check(kept), Ok(()), "{kept}");
    }
    for (typed, nearest) in [
        ("9007199254740993", Some(9_007_199_254_740_992.0)),
        ("0.30000000000000000001", Some(0.3)),
        ("1e400", None),
        ("1e-400", Some(0.0)),
    ] {
        let nearest = nearest.map(NumberBound::from);
        let rounded = InvalidAnswer::Rounded {
            question: 1,
            nearest,
        };
        assert_eq!(check(typed), Err(rounded), "{typed}");
    }
}
