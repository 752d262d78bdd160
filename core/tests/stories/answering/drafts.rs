//! Stories of a draft, which is an answer under way: the effect of each tap and each written word.

use crate::common::*;
use beckon_core::{
    Answer, AnswerLimits, Ask, AskContent, AwaitedText, CardPage, CardTap, Draft, DraftMove,
    Fingerprint, Grant, InvalidAnswer, NumberBound, Question, QuestionConsent, Reply, SeenStep,
    TextFormat, WrittenText,
};
use std::collections::HashSet;

#[test]
fn a_choice_of_a_single_question_is_the_answer() {
    let (ask, mut draft) = start(single("q1"));
    assert_eq!(
        draft.tap(&ask, choice(0, 2)),
        Ok(DraftMove::Answer(choose(2)))
    );
}

#[test]
fn a_choice_in_a_set_goes_on_and_the_last_one_leads_to_the_review() {
    let (ask, mut draft) = start(set());
    assert_eq!(draft.tap(&ask, choice(0, 1)), Ok(DraftMove::Draft));
    assert_eq!(draft.page, CardPage::Question(1));
    draft.tap(&ask, choice(1, 0)).unwrap();
    assert_eq!(
        draft.page,
        CardPage::Question(1),
        "several may be chosen here"
    );
    draft.tap(&ask, done(&draft, 1)).unwrap();
    draft.tap(&ask, choice(2, 0)).unwrap();
    assert_eq!(draft.page, CardPage::Review);
    let replies = vec![Reply::choice(1), Reply::choice(0), Reply::choice(0)];
    assert_eq!(
        draft.tap(&ask, send(&draft)),
        Ok(DraftMove::Answer(Answer::Replies(replies)))
    );
}

#[test]
fn a_tick_names_the_state_that_it_wants_so_two_people_do_not_undo_each_others() {
    let (ask, mut draft) = start(multiple());
    for tap in [choice(0, 2), choice(0, 0), choice(0, 2)] {
        draft.tap(&ask, tap).unwrap();
    }
    let ticked = |choices| Reply {
        choices,
        text: None,
    };
    assert_eq!(draft.replies, [ticked(vec![2, 0])]);
    for _ in 0..2 {
        draft.tap(&ask, no_choice(0, 2)).unwrap();
        assert_eq!(draft.replies, [Reply::choice(0)]);
    }
    let done = draft.tap(&ask, done(&draft, 0));
    assert_eq!(
        done,
        Ok(DraftMove::Answer(choose(0))),
        "it is the only question"
    );
}

#[test]
fn only_replies_that_stood_on_the_card_are_sent() {
    let (ask, mut draft) = start(multiple());
    draft.tap(&ask, choice(0, 1)).unwrap();
    let drawn = done(&draft, 0);
    draft.tap(&ask, choice(0, 2)).unwrap();
    let before = draft.clone();
    assert_eq!(draft.tap(&ask, drawn), Err(InvalidAnswer::Unseen));
    assert_eq!(draft, before);
    draft.tap(&ask, no_choice(0, 2)).unwrap();
    let answer = draft.tap(&ask, drawn);
    assert_eq!(answer, Ok(DraftMove::Answer(choose(1))), "as it stood");
}

#[test]
fn a_review_that_has_changed_since_it_was_drawn_is_not_sent() {
    let (ask, mut draft) = start(set());
    draft.tap(&ask, choice(0, 1)).unwrap();
    draft.tap(&ask, choice(1, 0)).unwrap();
    draft.tap(&ask, done(&draft, 1)).unwrap();
    draft.tap(&ask, choice(2, 0)).unwrap();
    let drawn = send(&draft);
    draft.tap(&ask, back(&draft)).unwrap();
    assert_eq!(draft.tap(&ask, drawn), Err(InvalidAnswer::Passed));
    draft.tap(&ask, choice(2, 1)).unwrap();
    assert_eq!(draft.page, CardPage::Review);
    assert_eq!(draft.tap(&ask, drawn), Err(InvalidAnswer::Unseen));
}

#[test]
fn words_to_a_card_that_showed_another_question_are_refused() {
    let (ask, mut draft) = start(set());
    let first = SeenStep::Page(CardPage::Question(0));
    let own = SeenStep::Prompt(Some(AwaitedText::Text { question: 0 }));
    draft.tap(&ask, choice(0, 1)).unwrap();
    for seen in [first, own, SeenStep::Prompt(None), SeenStep::Sure] {
        let before = draft.clone();
        let refused = draft.write_to(&ask, seen, "mine");
        assert_eq!(refused, Err(InvalidAnswer::Passed), "{seen:?}");
        assert_eq!(draft, before);
    }
    let second = SeenStep::Page(CardPage::Question(1));
    draft.write_to(&ask, second, "1 2").unwrap();
    assert_eq!(draft.page, CardPage::Question(2));
}

#[test]
fn a_number_is_a_choice_to_who_was_not_asked_for_own_words() {
    let (ask, mut draft) = start(set());
    draft.tap(&ask, CardTap::Own { question: 0 }).unwrap();
    let card = SeenStep::Page(CardPage::Question(0));
    draft.write_to(&ask, card, "2").unwrap();
    assert_eq!(draft.replies[0], Reply::choice(1));

    let (ask, mut draft) = start(set());
    draft.tap(&ask, CardTap::Own { question: 0 }).unwrap();
    let prompt = SeenStep::Prompt(draft.awaits);
    draft.write_to(&ask, prompt, "2").unwrap();
    assert_eq!(draft.replies[0], Reply::text("2"));
}

#[test]
fn done_without_a_choice_is_refused() {
    let (ask, mut draft) = start(multiple());
    let refused = Err(InvalidAnswer::Empty { question: 1 });
    assert_eq!(draft.tap(&ask, done(&draft, 0)), refused);
}

#[test]
fn own_text_takes_the_place_of_a_single_choice_and_goes_on() {
    let (ask, mut draft) = start(set());
    draft.tap(&ask, CardTap::Own { question: 0 }).unwrap();
    assert_eq!(draft.awaits, Some(AwaitedText::Text { question: 0 }));
    draft.write(&ask, "1").unwrap();
    assert_eq!((draft.page, draft.awaits), (CardPage::Question(1), None));
    assert_eq!(
        draft.replies[0],
        Reply::text("1"),
        "awaited words are never a number"
    );
}

#[test]
fn own_text_of_a_single_question_is_the_answer_exactly_as_written() {
    let (ask, mut draft) = start(single("q1"));
    draft.tap(&ask, CardTap::Own { question: 0 }).unwrap();
    let answer = Answer::Replies(vec![Reply::text(" as I said ")]);
    assert_eq!(
        draft.write(&ask, " as I said "),
        Ok(DraftMove::Answer(answer))
    );
}

/// Returns a text as it was typed, and as an app leaves it without its markup.
fn written(plain: &str, full: &str) -> WrittenText {
    WrittenText {
        plain: plain.into(),
        full: full.into(),
        is_struck: full.contains("~~"),
    }
}

#[test]
fn what_is_struck_out_chooses_nothing() {
    let (ask, draft) = start(single("q1"));
    for (plain, full) in [("1", "~~1~~"), ("Yes", "~~Yes~~"), ("1 2", "~~1~~ 2")] {
        let own = Answer::Replies(vec![Reply::text(full)]);
        let wrote = draft.clone().write(&ask, written(plain, full));
        assert_eq!(wrote, Ok(DraftMove::Answer(own)), "{full}");
    }
    let (ask, mut draft) = start(permission("p1"));
    let wrote = draft.write(&ask, written("1", "~~1~~"));
    assert_eq!(wrote, Err(InvalidAnswer::WrongKind), "nothing is allowed");
}

#[test]
fn an_agent_gets_words_with_the_signs_that_an_app_took_out_and_choices_are_known_without() {
    let (ask, draft) = start(single("q1"));
    let own = Answer::Replies(vec![Reply::text("**1** or __2__")]);
    let wrote = draft
        .clone()
        .write(&ask, written("1 or 2", "**1** or __2__"));
    assert_eq!(wrote, Ok(DraftMove::Answer(own)));
    let wrote = draft.clone().write(&ask, written("1", "**1**"));
    assert_eq!(wrote, Ok(DraftMove::Answer(choose(0))));

    let (mut ask, draft) = start(single("q1"));
    let AskContent::Questions(questions) = &mut ask.kind else {
        panic!("{ask:?}")
    };
    questions[0].choices[1].label = "__init__.py".into();
    let wrote = draft.clone().write(&ask, written("init.py", "__init__.py"));
    assert_eq!(wrote, Ok(DraftMove::Answer(choose(1))), "labels have signs");
}

#[test]
fn own_text_of_a_multiple_question_stands_beside_what_is_chosen() {
    let (ask, mut draft) = start(multiple());
    draft.tap(&ask, choice(0, 1)).unwrap();
    draft.tap(&ask, CardTap::Own { question: 0 }).unwrap();
    assert_eq!(draft.write(&ask, "and Black"), Ok(DraftMove::Draft));
    let both = Reply {
        choices: vec![1],
        text: Some("and Black".into()),
    };
    let done = draft.tap(&ask, done(&draft, 0));
    assert_eq!(done, Ok(DraftMove::Answer(Answer::Replies(vec![both]))));
}

#[test]
fn who_will_not_write_after_all_says_so_and_another_who_will_changes_nothing() {
    let (ask, mut draft) = start(single("q1"));
    draft.tap(&ask, CardTap::Own { question: 0 }).unwrap();
    draft.tap(&ask, CardTap::Own { question: 0 }).unwrap();
    assert_eq!(draft.awaits, Some(AwaitedText::Text { question: 0 }));
    draft.tap(&ask, CardTap::NotOwn { question: 0 }).unwrap();
    assert_eq!(draft, Draft::new(&ask));
}

#[test]
fn a_toggle_does_not_stop_the_wait_for_own_text_and_another_page_does() {
    let (ask, mut draft) = start(set());
    draft.tap(&ask, choice(0, 1)).unwrap();
    draft.tap(&ask, CardTap::Own { question: 1 }).unwrap();
    draft.tap(&ask, choice(1, 0)).unwrap();
    assert_eq!(draft.awaits, Some(AwaitedText::Text { question: 1 }));
    draft.tap(&ask, back(&draft)).unwrap();
    assert_eq!((draft.page, draft.awaits), (CardPage::Question(0), None));
}

#[test]
fn where_no_own_text_is_allowed_neither_button_nor_words_give_one() {
    let (ask, mut draft) = start(closed());
    let own = Err(InvalidAnswer::NoOwnText { question: 1 });
    assert_eq!(draft.tap(&ask, CardTap::Own { question: 0 }), own);
    let label = Err(InvalidAnswer::NoSuchLabel { question: 1 });
    assert_eq!(draft.write(&ask, "Black"), label);
    assert_eq!(draft.write(&ask, "4"), label);
}

#[test]
fn back_leads_from_the_review_to_the_first_question_and_no_further() {
    let (ask, mut draft) = start(set());
    draft.tap(&ask, CardTap::Review).unwrap();
    let pages = [2, 1, 0, 0].map(CardPage::Question);
    for page in pages {
        draft.tap(&ask, back(&draft)).unwrap();
        assert_eq!(draft.page, page);
    }
}

#[test]
fn back_from_a_page_that_is_no_longer_shown_leads_nowhere() {
    let (ask, mut draft) = start(set());
    draft.tap(&ask, CardTap::Review).unwrap();
    let drawn = back(&draft);
    draft.tap(&ask, drawn).unwrap();
    assert_eq!(draft.page, CardPage::Question(2));
    assert_eq!(draft.tap(&ask, drawn), Err(InvalidAnswer::Passed));
    assert_eq!(draft.page, CardPage::Question(2), "the other one's finger");
}

#[test]
fn numbers_do_not_send_the_own_words_that_stand_beside_them() {
    let (ask, mut draft) = start(multiple());
    draft.tap(&ask, CardTap::Own { question: 0 }).unwrap();
    draft.write(&ask, "or a dark one").unwrap();
    assert_eq!(draft.write(&ask, "1, 3"), Ok(DraftMove::Draft));
    let both = Reply {
        choices: vec![0, 2],
        text: Some("or a dark one".into()),
    };
    assert_eq!(draft.replies, std::slice::from_ref(&both));
    let sent = draft.tap(&ask, done(&draft, 0));
    assert_eq!(sent, Ok(DraftMove::Answer(Answer::Replies(vec![both]))));
}

#[test]
fn an_answer_given_before_can_be_changed_on_the_way_back() {
    let (ask, mut draft) = start(set());
    draft.tap(&ask, choice(0, 1)).unwrap();
    draft.tap(&ask, back(&draft)).unwrap();
    draft.tap(&ask, choice(0, 2)).unwrap();
    assert_eq!(draft.replies[0], Reply::choice(2));
}

#[test]
fn a_tap_on_an_old_keyboard_is_for_no_other_question_and_changes_no_answer() {
    let (ask, mut draft) = start(set());
    draft.tap(&ask, choice(0, 1)).unwrap();
    let before = draft.clone();
    assert_eq!(draft.tap(&ask, choice(0, 1)), Ok(DraftMove::Draft), "twice");
    let others = [
        choice(0, 2),
        CardTap::Own { question: 0 },
        done(&Draft::new(&ask), 0),
    ];
    for tap in others {
        assert_eq!(draft.tap(&ask, tap), Err(InvalidAnswer::Passed), "{tap:?}");
    }
    assert_eq!(draft, before);
}

#[test]
fn done_tapped_twice_goes_on_once() {
    let (ask, mut draft) = start(set());
    draft.tap(&ask, choice(0, 1)).unwrap();
    draft.tap(&ask, choice(1, 1)).unwrap();
    let drawn = done(&draft, 1);
    draft.tap(&ask, drawn).unwrap();
    assert_eq!(draft.tap(&ask, drawn), Ok(DraftMove::Draft));
    assert_eq!(draft.page, CardPage::Question(2));
}

#[test]
fn a_review_with_a_gap_is_not_sent() {
    let (ask, mut draft) = start(set());
    draft.tap(&ask, choice(0, 1)).unwrap();
    draft.tap(&ask, CardTap::Review).unwrap();
    assert_eq!(
        draft.tap(&ask, send(&draft)),
        Err(InvalidAnswer::Empty { question: 2 })
    );
}

#[test]
fn only_what_the_review_shows_is_sent() {
    let (ask, mut draft) = start(set());
    (0..3).for_each(|question| drop(draft.tap(&ask, choice(question, 0))));
    draft.tap(&ask, done(&draft, 1)).unwrap();
    assert_eq!(draft.page, CardPage::Question(2));
    assert_eq!(draft.tap(&ask, send(&draft)), Err(InvalidAnswer::Passed));
}

#[test]
fn dismissing_asks_first_and_keep_leads_back_to_where_it_was() {
    let (ask, mut draft) = start(set());
    draft.tap(&ask, choice(0, 1)).unwrap();
    for keep in [CardTap::Keep, from(CardPage::SureDismiss)] {
        draft.tap(&ask, CardTap::Dismiss).unwrap();
        draft.tap(&ask, CardTap::Dismiss).unwrap();
        assert_eq!(draft.page, CardPage::SureDismiss);
        draft.tap(&ask, keep).unwrap();
        assert_eq!(draft.page, CardPage::Question(1));
    }
    draft.tap(&ask, CardTap::Dismiss).unwrap();
    assert_eq!(
        draft.tap(&ask, CardTap::Sure),
        Ok(DraftMove::Answer(Answer::Dismiss))
    );
}

#[test]
fn sure_without_a_question_before_it_is_refused() {
    for ask in [single("q1"), permission("p1"), confirm("c1")] {
        let (ask, mut draft) = start(ask);
        assert_eq!(
            draft.tap(&ask, CardTap::Sure),
            Err(InvalidAnswer::WrongKind)
        );
        assert_eq!(
            draft.tap(&ask, CardTap::SureHidden),
            Err(InvalidAnswer::WrongKind)
        );
    }
}

#[test]
fn a_set_without_questions_is_sent_as_it_is() {
    let (ask, mut draft) = start(ask("q1", AskContent::Questions(vec![])));
    assert_eq!(
        draft.tap(&ask, send(&draft)),
        Ok(DraftMove::Answer(Answer::Replies(vec![])))
    );
    assert_eq!(draft.write(&ask, "go on"), no_question());
    assert_eq!(draft.tap(&ask, choice(0, 0)), no_question());
}

#[test]
fn a_permission_is_granted_once_or_rejected_with_one_tap() {
    let (ask, mut draft) = start(permission("p1"));
    assert_eq!(draft.tap(&ask, CardTap::Once), grant(Grant::Once));
    assert_eq!(
        draft.tap(&ask, CardTap::Reject),
        grant(Grant::Reject { reason: None })
    );
}

#[test]
fn always_asks_first() {
    let (ask, mut draft) = start(permission("p1"));
    assert_eq!(draft.tap(&ask, CardTap::Always), Ok(DraftMove::Draft));
    draft.tap(&ask, CardTap::Keep).unwrap();
    assert_eq!(draft.page, CardPage::Question(0));
    draft.tap(&ask, CardTap::Always).unwrap();
    assert_eq!(draft.tap(&ask, CardTap::Sure), grant(Grant::Always));
}

#[test]
fn consent_beside_what_is_hidden_is_asked_for_twice_and_a_no_is_not() {
    let (ask, mut draft) = start(permission("p1"));
    let once = draft.tap(&ask, CardTap::Once).unwrap();
    assert_eq!(draft.ask_twice(&ask, once), DraftMove::Draft);
    assert_eq!(draft.page, CardPage::SureHidden);
    assert_eq!(
        draft.tap(&ask, CardTap::Sure),
        Err(InvalidAnswer::WrongKind),
        "that button is another's"
    );
    assert_eq!(draft.tap(&ask, CardTap::SureHidden), grant(Grant::Once));
    let no = draft.tap(&ask, CardTap::Reject).unwrap();
    assert_eq!(
        Ok(draft.ask_twice(&ask, no)),
        grant(Grant::Reject { reason: None })
    );
    let (ask, mut draft) = start(confirm("c1"));
    let go_on = draft.write(&ask, "1").unwrap();
    assert_eq!(draft.ask_twice(&ask, go_on), DraftMove::Draft);
    assert_eq!(
        draft.tap(&ask, CardTap::SureHidden),
        Ok(DraftMove::Answer(Answer::Continue))
    );
}

#[test]
fn whoever_thinks_better_of_a_confirm_that_hides_something_is_back_at_its_front() {
    for back in [CardTap::Keep, from(CardPage::SureHidden)] {
        let (ask, mut draft) = start(confirm("c1"));
        let go_on = draft.tap(&ask, CardTap::Continue).unwrap();
        draft.ask_twice(&ask, go_on);
        assert_eq!(draft.tap(&ask, back), Ok(DraftMove::Draft));
        assert_eq!(draft, Draft::new(&ask));
    }
}

#[test]
fn a_choice_that_lets_something_run_is_reviewed_where_something_is_hidden() {
    let approve = Question {
        consent: Some(QuestionConsent {
            refusals: vec![1],
            ..QuestionConsent::default()
        }),
        ..question(&["approve", "reject"])
    };
    let (consent, mut draft) = start(ask("q1", AskContent::Questions(vec![approve])));
    let no = draft.clone().tap(&consent, choice(0, 1)).unwrap();
    assert_eq!(
        draft.ask_twice(&consent, no.clone()),
        no,
        "a no needs no second look"
    );
    let words = draft.clone().write(&consent, "{\"n\": 1}").unwrap();
    assert_eq!(
        draft.clone().ask_twice(&consent, words),
        DraftMove::Draft,
        "other arguments run, too"
    );
    let chosen = draft.tap(&consent, choice(0, 0)).unwrap();
    assert!(matches!(chosen, DraftMove::Answer(_)));
    assert_eq!(draft.ask_twice(&consent, chosen), DraftMove::Draft);
    assert_eq!(draft.page, CardPage::Review);
    let send = CardTap::Send {
        shown: draft.shown(),
    };
    assert!(matches!(
        draft.tap(&consent, send),
        Ok(DraftMove::Answer(_))
    ));

    let only = question(&["approve", "reject"]);
    let (opinion, mut draft) = start(ask("q1", AskContent::Questions(vec![only])));
    let chosen = draft.tap(&opinion, choice(0, 0)).unwrap();
    assert_eq!(draft.ask_twice(&opinion, chosen.clone()), chosen);
}

#[test]
fn keep_from_a_card_that_was_drawn_before_leads_nowhere() {
    let (ask, mut draft) = start(set());
    draft.tap(&ask, choice(0, 1)).unwrap();
    draft.tap(&ask, CardTap::Dismiss).unwrap();
    draft.tap(&ask, CardTap::Keep).unwrap();
    draft.tap(&ask, CardTap::Review).unwrap();
    draft.tap(&ask, CardTap::Keep).unwrap();
    assert_eq!(draft.page, CardPage::Review);
}

#[test]
fn awaited_words_are_refused_where_the_question_takes_none() {
    let only = Question {
        custom: false,
        ..question(&["Red"])
    };
    let (ask, mut draft) = start(ask("q1", AskContent::Questions(vec![only])));
    draft.awaits = Some(AwaitedText::Text { question: 0 });
    assert_eq!(
        draft.write(&ask, "Blue"),
        Err(InvalidAnswer::NoOwnText { question: 1 })
    );
}

#[test]
fn from_one_doubt_to_the_next_and_back_leads_to_the_front() {
    let (ask, mut draft) = start(permission("p1"));
    draft.tap(&ask, CardTap::Always).unwrap();
    let once = draft.tap(&ask, CardTap::Once).unwrap();
    draft.ask_twice(&ask, once);
    assert_eq!(draft.page, CardPage::SureHidden);
    draft.tap(&ask, CardTap::Always).unwrap();
    assert_eq!(
        draft.tap(&ask, CardTap::SureHidden),
        Err(InvalidAnswer::WrongKind)
    );
    draft.tap(&ask, CardTap::Keep).unwrap();
    assert_eq!(draft, Draft::new(&ask));
}

#[test]
fn a_rejection_may_have_a_reason_in_any_words() {
    let (ask, mut draft) = start(permission("p1"));
    draft.tap(&ask, CardTap::RejectWithReason).unwrap();
    assert_eq!(draft.awaits, Some(AwaitedText::Reason));
    let reason = Some("1. too early".into());
    assert_eq!(
        draft.write(&ask, "1. too early"),
        grant(Grant::Reject { reason })
    );
    draft.tap(&ask, CardTap::RejectWithoutReason).unwrap();
    assert_eq!(draft.awaits, None, "the tap that takes it back");
}

#[test]
fn a_permission_is_answered_by_number_and_by_no_word() {
    let (ask, mut draft) = start(permission("p1"));
    assert_eq!(draft.write(&ask, " 1 "), grant(Grant::Once));
    assert_eq!(
        draft.write(&ask, "3"),
        grant(Grant::Reject { reason: None })
    );
    assert_eq!(draft.write(&ask, "2"), Ok(DraftMove::Draft));
    assert_eq!(draft.page, CardPage::SureAlways);
    for words in [
        "once",
        "0",
        "4",
        "1 2",
        "no, because",
        "99999999999999999999",
    ] {
        assert_eq!(
            draft.write(&ask, words),
            Err(InvalidAnswer::WrongKind),
            "{words}"
        );
    }
}

#[test]
fn a_confirm_goes_on_or_stops() {
    let (ask, mut draft) = start(confirm("c1"));
    for (tap, number, answer) in [
        (CardTap::Continue, "1", Answer::Continue),
        (CardTap::Cancel, "2", Answer::Cancel),
    ] {
        assert_eq!(draft.tap(&ask, tap), Ok(DraftMove::Answer(answer.clone())));
        assert_eq!(draft.write(&ask, number), Ok(DraftMove::Answer(answer)));
    }
    assert_eq!(draft.write(&ask, "3"), Err(InvalidAnswer::WrongKind));
}

#[test]
fn a_written_number_or_a_whole_label_is_that_choice() {
    let (ask, mut draft) = start(single("q1"));
    for words in ["2", " 2 ", "green", "GREEN ", "Green"] {
        assert_eq!(
            draft.write(&ask, words),
            Ok(DraftMove::Answer(choose(1))),
            "{words}"
        );
    }
}

#[test]
fn numbers_are_read_as_people_write_them_in_a_chat() {
    for text in [
        "2",
        " 2 ",
        "２",
        "2.",
        "2)",
        "(2)",
        "#2",
        "2️⃣",
        "2\u{20E3}",
        "٢",
        "2。",
    ] {
        let (ask, mut draft) = start(single("q1"));
        let moved = draft.write(&ask, text);
        assert_eq!(moved, Ok(DraftMove::Answer(choose(1))), "{text}");
    }
    for text in ["1،3", "1, 3", "1、3", "1；3", "１ ３", "1. 3.", "#1 #3"] {
        let (ask, mut draft) = start(multiple());
        draft.write(&ask, text).unwrap();
        assert_eq!(draft.replies[0].choices, [0, 2], "{text}");
        assert_eq!(draft.replies[0].text, None, "{text}");
    }
    for text in ["2.5", "##2", "#", ".", "2nd", "2%", "-2", "2/3"] {
        let (ask, mut draft) = start(single("q1"));
        let moved = draft.write(&ask, text);
        assert_ne!(moved, Ok(DraftMove::Answer(choose(1))), "{text}");
    }
}

#[test]
fn what_is_no_number_and_no_label_is_own_text() {
    let (ask, mut draft) = start(single("q1"));
    for words in ["0", "4", "1 2", "gree", "Green or Blue", "-1", "+1"] {
        let answer = Answer::Replies(vec![Reply::text(words)]);
        assert_eq!(
            draft.write(&ask, words),
            Ok(DraftMove::Answer(answer)),
            "{words}"
        );
    }
}

#[test]
fn of_two_choices_with_the_same_label_only_the_number_tells() {
    let twins = Question {
        custom: false,
        ..question(&["No", "No"])
    };
    let (ask, mut draft) = start(ask("q1", AskContent::Questions(vec![twins])));
    assert_eq!(
        draft.write(&ask, "No"),
        Err(InvalidAnswer::AmbiguousLabel { question: 1 })
    );
    assert_eq!(draft.write(&ask, "2"), Ok(DraftMove::Answer(choose(1))));
}

#[test]
fn a_label_that_several_choices_have_is_not_taken_for_own_text() {
    for labels in [["Drop it", "Drop it"], ["Drop it", "drop it "]] {
        let mut twins = question(&labels);
        twins.choices[1].value = Some("everything".into());
        let (ask, mut draft) = start(ask("q1", AskContent::Questions(vec![twins])));
        let refused = Err(InvalidAnswer::AmbiguousLabel { question: 1 });
        assert_eq!(draft.write(&ask, "drop it"), refused, "{labels:?}");
    }
}

#[test]
fn a_number_that_is_the_label_of_another_choice_is_not_guessed_at() {
    let (one, mut draft) = start(ask(
        "q1",
        AskContent::Questions(vec![question(&["2", "3", " 5 "])]),
    ));
    let refused = Err(InvalidAnswer::AmbiguousNumber { question: 1 });
    assert_eq!(
        draft.write(&one, "3"),
        refused,
        "the label 3, or the third choice?"
    );
    assert_eq!(draft.write(&one, "2"), refused);
    assert_eq!(
        draft.write(&one, "5"),
        Ok(DraftMove::Answer(choose(2))),
        "there is no fifth"
    );
    assert_eq!(
        draft.write(&one, "1"),
        Ok(DraftMove::Answer(choose(0))),
        "no label is that"
    );
    let (same, mut draft) = start(ask(
        "q1",
        AskContent::Questions(vec![question(&["1", "2"])]),
    ));
    assert_eq!(draft.write(&same, "2"), Ok(DraftMove::Answer(choose(1))));
    let several = Question {
        multiple: true,
        ..question(&["2", "3", "4 5", "x", "y"])
    };
    let (several, mut draft) = start(ask("q1", AskContent::Questions(vec![several])));
    for words in ["2 3", "1,2", "4 5"] {
        assert_eq!(draft.write(&several, words), refused, "{words}");
    }
    assert!(draft.write(&several, "4, 1").is_ok());
}

#[test]
fn where_the_answer_is_a_number_a_written_one_is_not_that_of_a_choice() {
    let limits = AnswerLimits {
        format: TextFormat::Integer,
        most: Some(NumberBound::from(9.0)),
        ..AnswerLimits::default()
    };
    let port = Question {
        limits: Some(limits),
        ..question(&["8"])
    };
    let (ask, mut draft) = start(ask("q1", AskContent::Questions(vec![port])));
    let refused = InvalidAnswer::WrongFormat {
        question: 1,
        format: TextFormat::Integer,
    };
    assert_eq!(draft.write(&ask, "one"), Err(refused));
    assert!(matches!(
        draft.write(&ask, "10"),
        Err(InvalidAnswer::OutOfRange { question: 1, .. })
    ));
    let one = Answer::Replies(vec![Reply::text("1")]);
    assert_eq!(draft.write(&ask, "1"), Ok(DraftMove::Answer(one)));
    assert_eq!(draft.write(&ask, "8"), Ok(DraftMove::Answer(choose(0))));
}

#[test]
fn several_numbers_answer_a_multiple_question_at_once() {
    for words in ["3,1", "3 1", " 3, 1 ", "3,1,3"] {
        let (ask, mut draft) = start(multiple());
        draft.tap(&ask, choice(0, 1)).unwrap();
        let written = Reply {
            choices: vec![2, 0],
            text: None,
        };
        let answer = Ok(DraftMove::Answer(Answer::Replies(vec![written])));
        assert_eq!(draft.write(&ask, words), answer, "{words}");
    }
}

#[test]
fn words_are_for_the_question_that_the_card_shows_and_for_no_other_page() {
    let (ask, mut draft) = start(set());
    draft.tap(&ask, choice(0, 0)).unwrap();
    draft.write(&ask, "2 3").unwrap();
    assert_eq!(draft.replies[1].choices, [1, 2]);
    for page in [CardTap::Review, CardTap::Dismiss] {
        draft.tap(&ask, page).unwrap();
        assert_eq!(draft.write(&ask, "1"), Err(InvalidAnswer::WrongKind));
    }
}

#[test]
fn nothing_written_is_nothing_said() {
    for ask in [single("q1"), permission("p1"), confirm("c1")] {
        let (ask, mut draft) = start(ask);
        draft.awaits = Some(AwaitedText::Reason);
        assert_eq!(
            draft.write(&ask, " \n"),
            Err(InvalidAnswer::Empty { question: 1 })
        );
    }
}

#[test]
fn choices_and_questions_that_do_not_exist_are_refused() {
    let (ask, mut draft) = start(single("q1"));
    let choice_4 = Err(InvalidAnswer::NoSuchChoice {
        question: 1,
        choice: 4,
        count: 3,
    });
    assert_eq!(draft.tap(&ask, choice(0, 3)), choice_4);
    let last = choice(usize::MAX, usize::MAX);
    assert!(matches!(
        draft.tap(&ask, last),
        Err(InvalidAnswer::NoSuchQuestion { .. })
    ));
    assert!(draft.tap(&ask, choice(0, usize::MAX)).is_err());
    assert_eq!(draft, Draft::new(&ask));
}

#[test]
fn buttons_of_one_kind_of_ask_are_refused_by_the_others() {
    let questions = [
        choice(0, 0),
        no_choice(0, 0),
        CardTap::Done {
            question: 0,
            shown: Fingerprint::default(),
        },
        CardTap::Own { question: 0 },
        CardTap::NotOwn { question: 0 },
    ];
    let questions = [
        questions.as_slice(),
        &[
            CardTap::Review,
            CardTap::Send {
                shown: Fingerprint::default(),
            },
            CardTap::Dismiss,
        ],
    ]
    .concat();
    let grants = vec![
        CardTap::Once,
        CardTap::Always,
        CardTap::Reject,
        CardTap::RejectWithReason,
        CardTap::RejectWithoutReason,
    ];
    let ways = vec![CardTap::Continue, CardTap::Cancel];
    let table = [
        (single("q1"), [grants.clone(), ways.clone()].concat()),
        (permission("p1"), [questions.clone(), ways].concat()),
        (confirm("c1"), [questions, grants].concat()),
    ];
    for (ask, foreign) in table {
        let (ask, mut draft) = start(ask);
        for tap in foreign {
            assert_eq!(
                draft.tap(&ask, tap),
                Err(InvalidAnswer::WrongKind),
                "{tap:?}"
            );
        }
        assert_eq!(draft, Draft::new(&ask));
    }
}

/// Covers every draft that can be reached from a small alphabet of taps and texts, not a sample.
#[test]
fn whatever_is_tapped_the_draft_stays_valid_and_every_answer_fits_its_ask() {
    let two = |multiple, custom| Question {
        multiple,
        custom,
        ..question(&["Yes", "No"])
    };
    let sets = [
        vec![],
        vec![two(false, true)],
        vec![two(true, true)],
        vec![two(false, false)],
        vec![two(true, false), two(false, true)],
        vec![two(false, true), two(true, true)],
    ];
    let mut asks = sets
        .map(|set| ask("q1", AskContent::Questions(set)))
        .to_vec();
    asks.extend([permission("p1"), confirm("c1")]);
    let (mut drafts, mut answers) = (0, 0);
    for ask in asks {
        let (seen, given) = explore(&ask);
        drafts += seen;
        answers += given;
    }
    assert!(
        drafts > 500 && answers > 500,
        "{drafts} drafts, {answers} answers"
    );
}

fn explore(ask: &Ask) -> (usize, usize) {
    let mut seen = vec![Draft::new(ask)];
    let mut known = HashSet::from([format!("{:?}", seen[0])]);
    let (mut next, mut answers) = (0, 0);
    while let Some(draft) = seen.get(next).cloned() {
        next += 1;
        for step in alphabet(&draft) {
            let mut moved = draft.clone();
            let result = match step {
                Step::Tap(tap) => moved.tap(ask, tap),
                Step::Text(text) => moved.write(ask, text),
                Step::Obscured(tap) => moved
                    .tap(ask, tap)
                    .map(|result| moved.ask_twice(ask, result)),
            };
            match result {
                Err(_) => assert_eq!(moved, draft, "{step:?} was refused and moved it"),
                Ok(DraftMove::Answer(answer)) => {
                    answers += 1;
                    assert_eq!(ask.check(&answer), Ok(()), "{draft:?} {step:?}");
                }
                Ok(DraftMove::Draft) => {
                    check(ask, &moved);
                    if known.insert(format!("{moved:?}")) {
                        seen.push(moved);
                    }
                }
            }
        }
    }
    (seen.len(), answers)
}

fn check(ask: &Ask, draft: &Draft) {
    let questions = ask.questions();
    assert_eq!(draft.replies.len(), questions.len());
    for (question, reply) in questions.iter().zip(&draft.replies) {
        let alone = crate::common::ask("alone", AskContent::Questions(vec![question.clone()]));
        let fits = alone.check(&Answer::Replies(vec![reply.clone()]));
        assert!(
            fits == Ok(()) || *reply == Reply::default(),
            "{draft:?}: {fits:?}"
        );
    }
    let kind = &ask.kind;
    let right = match draft.page {
        CardPage::Question(index) => index < questions.len().max(1),
        CardPage::Review | CardPage::SureDismiss => matches!(kind, AskContent::Questions(_)),
        CardPage::SureAlways => matches!(kind, AskContent::Permission(_)),
        CardPage::SureHidden => !matches!(kind, AskContent::Questions(_)),
    };
    let awaits = match draft.awaits {
        None => true,
        Some(AwaitedText::Text { question }) => {
            draft.page == CardPage::Question(question) && questions[question].custom
        }
        Some(AwaitedText::Reason) => matches!(kind, AskContent::Permission(_)),
    };
    assert!(right && awaits, "{draft:?}");
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Tap(CardTap),
    Text(&'static str),
    Obscured(CardTap),
}

fn alphabet(draft: &Draft) -> Vec<Step> {
    let mut taps = vec![
        back(draft),
        CardTap::Review,
        send(draft),
        CardTap::Dismiss,
        CardTap::Sure,
        CardTap::Keep,
    ];
    taps.extend([
        CardTap::Once,
        CardTap::Always,
        CardTap::Reject,
        CardTap::RejectWithReason,
    ]);
    taps.extend([CardTap::Continue, CardTap::Cancel, CardTap::SureHidden]);
    for question in 0..3 {
        taps.extend((0..3).map(|choice| CardTap::Choose { question, choice }));
        taps.extend((0..3).map(|choice| no_choice(question, choice)));
        taps.extend([done(draft, question), CardTap::Own { question }]);
        taps.push(CardTap::NotOwn { question });
    }
    let texts = ["1", "2", "3", "2 1", "yes", "mine", " "].map(Step::Text);
    let obscured = [CardTap::Once, CardTap::Continue].map(Step::Obscured);
    taps.into_iter()
        .map(Step::Tap)
        .chain(texts)
        .chain(obscured)
        .collect()
}

fn start(ask: Ask) -> (Ask, Draft) {
    let draft = Draft::new(&ask);
    (ask, draft)
}

/// Returns an ask with three questions: one choice, several, one.
fn set() -> Ask {
    let colours = || question(&["Red", "Green", "Blue"]);
    let several = Question {
        multiple: true,
        ..colours()
    };
    ask(
        "q1",
        AskContent::Questions(vec![colours(), several, colours()]),
    )
}

fn multiple() -> Ask {
    let several = Question {
        multiple: true,
        ..question(&["Red", "Green", "Blue"])
    };
    ask("q1", AskContent::Questions(vec![several]))
}

/// Returns an ask that does not allow the human's own text.
fn closed() -> Ask {
    let closed = Question {
        custom: false,
        ..question(&["Red", "Green", "Blue"])
    };
    ask("q1", AskContent::Questions(vec![closed]))
}

fn choice(question: usize, choice: usize) -> CardTap {
    CardTap::Choose { question, choice }
}

fn no_choice(question: usize, choice: usize) -> CardTap {
    CardTap::Unchoose { question, choice }
}

/// Returns the tap on Done, as the card of that draft carries it.
fn done(draft: &Draft, question: usize) -> CardTap {
    let shown = draft.shown();
    CardTap::Done { question, shown }
}

/// Returns the tap on Back, as the card of that draft carries it.
fn back(draft: &Draft) -> CardTap {
    from(draft.page)
}

fn from(page: CardPage) -> CardTap {
    CardTap::Back { from: page }
}

fn send(draft: &Draft) -> CardTap {
    let shown = draft.shown();
    CardTap::Send { shown }
}

fn grant(grant: Grant) -> Result<DraftMove, InvalidAnswer> {
    Ok(DraftMove::Answer(Answer::Grant(grant)))
}

fn no_question() -> Result<DraftMove, InvalidAnswer> {
    Err(InvalidAnswer::NoSuchQuestion {
        question: 1,
        count: 0,
    })
}
