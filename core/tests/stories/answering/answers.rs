//! Stories of which answers fit which asks, and what is sent to the agent.

use crate::common::*;
use beckon_core::AnswerRefusal;
use beckon_core::{
    Answer, AnswerLimits, Ask, AskContent, ButtonPress, Choice, Event, Grant, InvalidAnswer,
    LimitMeasure, NumberBound, Permission, Question, Reply, Surface,
};

#[test]
fn one_choice_of_a_single_question_is_delivered_as_its_label() {
    let ask = single("q");
    assert_eq!(ask.check(&choose(1)), Ok(()));
    assert_eq!(ask.to_source_texts(&choose(1)), Some(texts(&[&["Green"]])));
}

#[test]
fn two_answers_to_a_single_choice_are_too_many() {
    let two = reply(&[0, 1], None);
    assert_eq!(
        single("q").check(&two),
        Err(InvalidAnswer::TooMany { question: 1 })
    );
    let both = reply(&[0], Some("and more"));
    assert_eq!(
        single("q").check(&both),
        Err(InvalidAnswer::TooMany { question: 1 })
    );
}

#[test]
fn several_choices_and_own_text_fit_a_multiple_choice_in_the_order_given() {
    let ask = multiple();
    let answer = reply(&[2, 0], Some("Pink"));
    assert_eq!(ask.check(&answer), Ok(()));
    assert_eq!(
        ask.to_source_texts(&answer),
        Some(texts(&[&["Blue", "Red", "Pink"]]))
    );
}

#[test]
fn the_same_choice_twice_is_refused() {
    let twice = reply(&[1, 0, 1], None);
    assert_eq!(
        multiple().check(&twice),
        Err(InvalidAnswer::Twice {
            question: 1,
            choice: 2
        })
    );
}

#[test]
fn a_choice_that_does_not_exist_is_refused_in_human_numbers() {
    let refused = InvalidAnswer::NoSuchChoice {
        question: 1,
        choice: 4,
        count: 3,
    };
    assert_eq!(single("q").check(&choose(3)), Err(refused.clone()));
    assert_eq!(refused.to_string(), "question 1 has no choice 4, only 3");
}

#[test]
fn an_absurd_index_is_refused_without_a_crash() {
    let refused = single("q").check(&choose(usize::MAX));
    assert!(matches!(refused, Err(InvalidAnswer::NoSuchChoice { .. })));
}

#[test]
fn nothing_chosen_and_nothing_written_is_no_answer() {
    for nothing in [
        reply(&[], None),
        reply(&[], Some("")),
        reply(&[], Some(" \n")),
    ] {
        assert_eq!(
            single("q").check(&nothing),
            Err(InvalidAnswer::Empty { question: 1 })
        );
        assert_eq!(
            multiple().check(&nothing),
            Err(InvalidAnswer::Empty { question: 1 })
        );
    }
}

#[test]
fn own_text_is_delivered_byte_for_byte() {
    let own = reply(&[], Some("  Türkis 颜色\n"));
    assert_eq!(single("q").check(&own), Ok(()));
    assert_eq!(
        single("q").to_source_texts(&own),
        Some(texts(&[&["  Türkis 颜色\n"]]))
    );
}

#[test]
fn own_text_is_refused_where_it_is_not_allowed() {
    let question = Question {
        custom: false,
        ..question(&["Red"])
    };
    let ask = ask("q", AskContent::Questions(vec![question]));
    let refused = ask.check(&reply(&[], Some("Pink")));
    assert_eq!(refused, Err(InvalidAnswer::NoOwnText { question: 1 }));
    assert_eq!(ask.check(&choose(0)), Ok(()));
}

#[test]
fn the_choice_that_means_no_answer_stands_alone_and_sends_nothing() {
    let limits = AnswerLimits {
        none: Some(2),
        least: Some(NumberBound::from(2.0)),
        ..AnswerLimits::default()
    };
    let several = question(&["Red", "Green", "None"]);
    let several = Question {
        multiple: true,
        limits: Some(limits),
        ..several
    };
    let ask = ask("q", AskContent::Questions(vec![several]));
    assert_eq!(ask.check(&choose(2)), Ok(()));
    assert_eq!(ask.to_source_texts(&choose(2)), Some(texts(&[&[]])));
    let both = Err(InvalidAnswer::NoneAndSome { question: 1 });
    assert_eq!(ask.check(&reply(&[0, 2], None)), both);
    let (least, most) = (Some(NumberBound::from(2.0)), None);
    let measure = LimitMeasure::Answers;
    let few = Err(InvalidAnswer::OutOfRange {
        question: 1,
        measure,
        least,
        most,
    });
    assert_eq!(ask.check(&choose(0)), few);
    assert_eq!(ask.check(&reply(&[0, 1], None)), Ok(()));
}

#[test]
fn equal_labels_are_told_apart_by_their_index() {
    let ask = ask(
        "q",
        AskContent::Questions(vec![with_values(&[("Same", "a"), ("Same", "b")])]),
    );
    assert_eq!(ask.to_source_texts(&choose(0)), Some(texts(&[&["a"]])));
    assert_eq!(ask.to_source_texts(&choose(1)), Some(texts(&[&["b"]])));
    assert_eq!(ask.to_labels(&choose(1)), Some(texts(&[&["Same (2)"]])));
}

#[test]
fn a_label_that_stands_for_several_values_is_refused_and_never_guessed_at() {
    let ask = ask(
        "q",
        AskContent::Questions(vec![with_values(&[
            ("Drop it", "prod"),
            ("Drop it", "dev"),
        ])]),
    );
    let read = |text: &str| ask.replies_from_texts(&texts(&[&[text]]));
    assert_eq!(
        read("Drop it"),
        Err(InvalidAnswer::AmbiguousLabel { question: 1 })
    );
    assert_eq!(ask.questions()[0].labels(), ["Drop it (1)", "Drop it (2)"]);
    assert_eq!(read("Drop it (1)"), Ok(choose(0)));
    assert_eq!(read("Drop it (2)"), Ok(choose(1)));
    assert_eq!(read("dev"), Ok(choose(1)), "its value means one alone");
    let own = Question {
        custom: true,
        ..ask.questions()[0].clone()
    };
    let ask = crate::common::ask("q", AskContent::Questions(vec![own]));
    let refused = ask.replies_from_texts(&texts(&[&["Drop it"]]));
    assert_eq!(
        refused,
        Err(InvalidAnswer::AmbiguousLabel { question: 1 }),
        "nor is it own text"
    );
}

#[test]
fn labels_told_apart_meet_no_other_label() {
    let pairs = [
        ("X", "a"),
        ("X (1)", "b"),
        ("X", "c"),
        ("Y", "d"),
        ("Y", "d"),
    ];
    let question = with_values(&pairs);
    assert_eq!(question.labels(), ["X (2)", "X (1)", "X (3)", "Y", "Y"]);
    let ask = ask("q", AskContent::Questions(vec![question]));
    for (index, label) in ask.questions()[0].labels().iter().take(4).enumerate() {
        assert_eq!(
            ask.replies_from_texts(&texts(&[&[label]])),
            Ok(choose(index)),
            "{label}"
        );
    }
}

#[test]
fn of_equal_labels_the_first_is_number_one_whatever_stands_before_it() {
    let question = with_values(&[("Y", "d"), ("X", "a"), ("X", "c")]);
    assert_eq!(question.labels(), ["Y", "X (1)", "X (2)"]);
}

#[test]
fn each_answer_that_a_source_tells_in_its_own_words_is_read_back() {
    let answers = |ask: &Ask, answers: &[Answer]| {
        for answer in answers {
            let told = ask.to_source_texts(answer).unwrap();
            assert_eq!(
                ask.from_source_texts(&told).as_ref(),
                Some(answer),
                "{told:?}"
            );
        }
        assert_eq!(ask.from_source_texts(&texts(&[&["something else"]])), None);
    };
    let reject = Grant::Reject { reason: None };
    answers(
        &permission("p"),
        &[Grant::Once, Grant::Always, reject].map(Answer::Grant),
    );
    answers(&confirm("c"), &[Answer::Continue, Answer::Cancel]);
}

#[test]
fn what_a_source_tells_is_read_by_value_and_shows_no_choice_that_was_not_taken() {
    let told = |pairs: &[(&str, &str)], custom: bool, text: &str| {
        let question = Question {
            custom,
            ..with_values(pairs)
        };
        ask("q", AskContent::Questions(vec![question])).from_source_texts(&texts(&[&[text]]))
    };
    let crossed = [("a", "b"), ("b", "a")];
    assert_eq!(
        told(&crossed, false, "a"),
        Some(choose(1)),
        "its value, not its label"
    );
    assert_eq!(
        told(&[("Same", "x"), ("Same", "y")], false, "y"),
        Some(choose(1))
    );
    assert_eq!(
        told(&[("Red", "x"), ("Blue", "x")], false, "x"),
        None,
        "either may be meant"
    );
    assert_eq!(
        told(&[("Red", "r")], true, "Red"),
        Some(reply(&[], Some("Red"))),
        "own words"
    );
}

#[test]
fn a_client_that_sends_texts_may_send_labels_or_values() {
    let ask = ask(
        "q",
        AskContent::Questions(vec![with_values(&[("b", "a"), ("Blue", "b")])]),
    );
    let read = |text: &str| ask.replies_from_texts(&texts(&[&[text]]));
    assert_eq!(read("Blue"), Ok(choose(1)));
    assert_eq!(read("a"), Ok(choose(0)));
    assert_eq!(read("b"), Ok(choose(0)), "what the human sees comes first");
}

#[test]
fn a_set_wants_exactly_one_reply_per_question() {
    let set = set();
    let one = Answer::Replies(vec![Reply::choice(0)]);
    assert_eq!(
        set.check(&one),
        Err(InvalidAnswer::WrongCount {
            expected: 2,
            got: 1
        })
    );
    let three = Answer::Replies(vec![Reply::choice(0); 3]);
    assert_eq!(
        set.check(&three),
        Err(InvalidAnswer::WrongCount {
            expected: 2,
            got: 3
        })
    );
    let two = Answer::Replies(vec![Reply::choice(0), Reply::text("Round")]);
    assert_eq!(set.check(&two), Ok(()));
    assert_eq!(
        set.to_source_texts(&two),
        Some(texts(&[&["Red"], &["Round"]]))
    );
}

#[test]
fn a_refusal_names_the_question_that_it_is_about() {
    let answer = Answer::Replies(vec![Reply::choice(0), Reply::default()]);
    assert_eq!(
        set().check(&answer),
        Err(InvalidAnswer::Empty { question: 2 })
    );
}

#[test]
fn a_set_of_no_questions_takes_no_replies_or_a_dismissal() {
    let ask = ask("q", AskContent::Questions(Vec::new()));
    assert_eq!(ask.check(&Answer::Replies(Vec::new())), Ok(()));
    assert_eq!(
        ask.to_source_texts(&Answer::Replies(Vec::new())),
        Some(Vec::new())
    );
    assert_eq!(ask.check(&Answer::Dismiss), Ok(()));
    assert_eq!(
        ask.check(&choose(0)),
        Err(InvalidAnswer::WrongCount {
            expected: 0,
            got: 1
        })
    );
}

#[test]
fn a_question_without_choices_takes_own_text() {
    let ask = ask("q", AskContent::Questions(vec![question(&[])]));
    assert_eq!(ask.check(&reply(&[], Some("Pink"))), Ok(()));
    let refused = InvalidAnswer::NoSuchChoice {
        question: 1,
        choice: 1,
        count: 0,
    };
    assert_eq!(ask.check(&choose(0)), Err(refused));
}

#[test]
fn the_twelfth_of_twelve_long_choices_arrives_whole() {
    let labels: Vec<String> = (0..12)
        .map(|n| format!("{n}: {}", "long ".repeat(200)))
        .collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let ask = ask("q", AskContent::Questions(vec![question(&labels)]));
    assert_eq!(
        ask.to_source_texts(&choose(11)),
        Some(texts(&[&[labels[11]]]))
    );
}

#[test]
fn a_permission_is_granted_or_rejected_with_a_reason() {
    let ask = permission("p");
    let reject = Grant::Reject {
        reason: Some("not in this folder".into()),
    };
    for (grant, word) in [
        (Grant::Once, "once"),
        (Grant::Always, "always"),
        (reject, "reject"),
    ] {
        let answer = Answer::Grant(grant);
        assert_eq!(ask.check(&answer), Ok(()));
        assert_eq!(ask.to_source_texts(&answer), Some(texts(&[&[word]])));
    }
}

#[test]
fn always_is_no_answer_where_the_agent_offers_none() {
    let ask = ask("p", AskContent::Permission(Permission::default()));
    assert_eq!(
        ask.check(&Answer::Grant(Grant::Always)),
        Err(InvalidAnswer::NoAlways)
    );
    assert_eq!(ask.check(&Answer::Grant(Grant::Once)), Ok(()));
}

#[test]
fn a_confirm_goes_on_or_stops() {
    for answer in [Answer::Continue, Answer::Cancel] {
        assert_eq!(confirm("c").check(&answer), Ok(()));
    }
}

#[test]
fn an_answer_of_another_kind_does_not_fit() {
    let question = [Answer::Continue, Answer::Cancel, Answer::Grant(Grant::Once)];
    let permission_ = [Answer::Continue, Answer::Dismiss, choose(0)];
    let confirm_ = [Answer::Grant(Grant::Once), Answer::Dismiss, choose(0)];
    let asks = [
        (single("q"), question),
        (permission("p"), permission_),
        (confirm("c"), confirm_),
    ];
    for (ask, wrong) in asks {
        for answer in wrong {
            assert_eq!(
                ask.check(&answer),
                Err(InvalidAnswer::WrongKind),
                "{answer:?}"
            );
        }
    }
}

#[test]
fn a_refusal_of_each_kind_fits_it() {
    for ask in [single("q"), permission("p"), confirm("c")] {
        assert_eq!(ask.check(&ask.refusal()), Ok(()));
    }
}

#[test]
fn texts_of_another_client_become_choices_where_a_label_is_equal() {
    let answer = single("q").replies_from_texts(&texts(&[&["Blue"]]));
    assert_eq!(answer, Ok(choose(2)));
    let answer = single("q").replies_from_texts(&texts(&[&["blue"]]));
    assert_eq!(answer, Ok(reply(&[], Some("blue"))));
}

#[test]
fn texts_with_equal_labels_take_one_choice_each() {
    let question = Question {
        multiple: true,
        ..question(&["Same", "Other", "Same"])
    };
    let ask = ask("q", AskContent::Questions(vec![question]));
    let answer = ask.replies_from_texts(&texts(&[&["Same", "Same"]]));
    assert_eq!(answer, Ok(reply(&[0, 2], None)));
    let answer = ask.replies_from_texts(&texts(&[&["Same", "Same", "Same"]]));
    assert_eq!(
        answer,
        Ok(reply(&[0, 2], Some("Same"))),
        "the third is own text"
    );
}

#[test]
fn a_text_that_is_no_label_and_cannot_be_own_text_is_refused() {
    let question = Question {
        custom: false,
        ..question(&["Red"])
    };
    let ask = ask("q", AskContent::Questions(vec![question]));
    let answer = ask.replies_from_texts(&texts(&[&["Pink"]]));
    assert_eq!(answer, Err(InvalidAnswer::NoSuchLabel { question: 1 }));
}

#[test]
fn two_own_texts_or_too_few_lists_are_refused() {
    let answer = single("q").replies_from_texts(&texts(&[&["Pink", "Grey"]]));
    assert_eq!(answer, Err(InvalidAnswer::TooMany { question: 1 }));
    let answer = set().replies_from_texts(&texts(&[&["Red"]]));
    assert_eq!(
        answer,
        Err(InvalidAnswer::WrongCount {
            expected: 2,
            got: 1
        })
    );
}

#[test]
fn an_empty_list_of_texts_is_no_answer() {
    let answer = single("q").replies_from_texts(&texts(&[&[]])).unwrap();
    assert_eq!(
        single("q").check(&answer),
        Err(InvalidAnswer::Empty { question: 1 })
    );
}

#[test]
fn an_answer_that_does_not_fit_changes_nothing_on_the_desk() {
    let mut story = Story::asked();
    let step = story.answer("q1", choose(7), Surface::Cli);
    let refused = InvalidAnswer::NoSuchChoice {
        question: 1,
        choice: 8,
        count: 3,
    };
    assert_eq!(step.verdict, Some(Err(AnswerRefusal::Invalid(refused))));
    assert!(step.save.is_empty() && step.effects.is_empty() && step.news.is_empty());
    assert!(story.is_open("q1"));
}

#[test]
fn a_press_answers_the_ask_whose_serial_the_button_carries() {
    let mut story = Story::asked();
    story.ask(single("q2"));
    let target = story.entry("q2").target();
    let press = ButtonPress::Choose {
        question: 0,
        choice: 1,
    };
    let step = story.feed(Event::Pressed {
        target,
        press,
        by: Surface::Notification,
    });
    assert_eq!(step.verdict, Some(Ok(id("q2"))));
    assert_eq!(deliveries(&step), [("q2", &choose(1))]);
    assert!(story.is_open("q1"));
}

#[test]
fn a_press_on_one_question_of_a_set_is_not_a_whole_answer() {
    let mut story = Story::new();
    story.ask(set());
    let press = ButtonPress::Choose {
        question: 0,
        choice: 1,
    };
    let target = story.entry(&set().id.own).target();
    let step = story.feed(Event::Pressed {
        target,
        press,
        by: Surface::Notification,
    });
    assert_eq!(
        step.verdict,
        Some(Err(AnswerRefusal::Invalid(InvalidAnswer::WrongKind)))
    );
}

#[test]
fn every_button_is_the_answer_that_stands_on_it() {
    let buttons = [
        (ButtonPress::Once, Answer::Grant(Grant::Once)),
        (
            ButtonPress::Reject,
            Answer::Grant(Grant::Reject { reason: None }),
        ),
        (ButtonPress::Continue, Answer::Continue),
        (ButtonPress::Cancel, Answer::Cancel),
        (ButtonPress::Dismiss, Answer::Dismiss),
    ];
    for (press, answer) in buttons {
        assert_eq!(press.answer(1), Some(answer));
    }
}

#[test]
fn answers_and_asks_come_back_from_json_as_they_went() {
    let ask = ask(
        "q",
        AskContent::Questions(vec![with_values(&[("Same", "a"), ("Same", "b")])]),
    );
    let json = serde_json::to_string(&ask).unwrap();
    assert_eq!(serde_json::from_str::<Ask>(&json).unwrap(), ask);
    for answer in [
        reply(&[1, 0], Some("x")),
        Answer::Dismiss,
        Answer::Grant(Grant::Always),
    ] {
        let json = serde_json::to_string(&answer).unwrap();
        assert_eq!(serde_json::from_str::<Answer>(&json).unwrap(), answer);
    }
}

pub(super) fn reply(choices: &[usize], text: Option<&str>) -> Answer {
    let (choices, text) = (choices.to_vec(), text.map(str::to_owned));
    Answer::Replies(vec![Reply { choices, text }])
}

fn multiple() -> Ask {
    let question = Question {
        multiple: true,
        ..question(&["Red", "Green", "Blue"])
    };
    ask("q", AskContent::Questions(vec![question]))
}

/// Returns an ask with two questions.
fn set() -> Ask {
    ask(
        "q",
        AskContent::Questions(vec![question(&["Red", "Green"]), question(&["Square"])]),
    )
}

fn with_values(choices: &[(&str, &str)]) -> Question {
    let choice = |(label, value): &(&str, &str)| Choice {
        label: (*label).into(),
        value: Some((*value).into()),
        ..Choice::default()
    };
    Question {
        choices: choices.iter().map(choice).collect(),
        ..question(&[])
    }
}

fn texts(answers: &[&[&str]]) -> Vec<Vec<String>> {
    answers
        .iter()
        .map(|texts| texts.iter().map(|text| (*text).to_owned()).collect())
        .collect()
}

#[test]
fn a_text_of_which_nothing_is_drawn_is_no_answer() {
    let ask = single("q");
    for blank in [
        "\u{200b}",
        " \u{feff}\n",
        "\u{2060}\u{00ad}",
        "\u{3164}",
        "\u{2800}",
        "\u{e0020}\u{200e}",
    ] {
        let refused = Err(InvalidAnswer::Empty { question: 1 });
        assert_eq!(ask.check(&reply(&[], Some(blank))), refused, "{blank:?}");
    }
    for seen in ["\u{200b}x", "👍\u{fe0f}", "0", ".", "\u{fffd}"] {
        assert_eq!(ask.check(&reply(&[], Some(seen))), Ok(()), "{seen:?}");
    }
}
