//! Sets of questions: a page for each, the review, and what has no room.

use super::*;
use beckon_core::{AwaitedText, Draft};

fn choice(label: &str, description: &str) -> Choice {
    Choice {
        label: label.into(),
        description: description.into(),
        value: None,
    }
}

/// Returns three questions: one of several choices with own words, any of several without, and own
/// words alone.
fn set() -> Vec<Question> {
    let database = Question {
        header: "Database".into(),
        question: "Which database?".into(),
        choices: vec![choice("PostgreSQL", "Robust"), choice("SQLite", "")],
        custom: true,
        ..Question::default()
    };
    let features = Question {
        question: "Which features?".into(),
        choices: vec![
            choice("Search", ""),
            choice("Export", ""),
            choice("", "the rest"),
        ],
        multiple: true,
        custom: false,
        ..Question::default()
    };
    let name = Question {
        header: "Name".into(),
        custom: true,
        ..Question::default()
    };
    vec![database, features, name]
}

fn asked(questions: Vec<Question>) -> Entry {
    let mut entry = entry(AskContent::Questions(questions));
    entry.ask.session.directory = "/home/me/shop-api".into();
    entry
}

/// Draws the card with that draft under way.
fn drawn(questions: Vec<Question>, draft: impl FnOnce(&mut Draft)) -> CardMessage {
    let mut entry = asked(questions);
    let mut begun = Draft::new(&entry.ask);
    draft(&mut begun);
    entry.draft = Some(begun);
    card(&entry, &scene(&Texts::load("en")))
}

fn on(page: CardPage) -> impl FnOnce(&mut Draft) {
    move |draft| draft.page = page
}

fn answered(draft: &mut Draft) {
    draft.replies = vec![
        Reply::choice(1),
        Reply {
            choices: vec![0, 2],
            text: None,
        },
        Reply::text("Beckon & co"),
    ];
}

fn rows(card: &CardMessage) -> Vec<Vec<&str>> {
    card.keyboard
        .iter()
        .map(|row| row.iter().map(|b| b.label.as_str()).collect())
        .collect()
}

#[test]
fn each_question_of_a_set_says_which_it_is_and_how_it_is_answered() {
    let first = drawn(set(), |_| {});
    assert_eq!(
        first.html,
        "❓ <b>Which database?</b>\n\
         shop-api · Question 1 of 3 · Database\n  \
         1  PostgreSQL: Robust\n  \
         2  SQLite\n\
         Or reply with 1, 2 or your own words."
    );
    assert_eq!(
        rows(&first),
        [["PostgreSQL", "SQLite"], ["✏️ Write my own", "🚫 Dismiss…"]]
    );
    let second = drawn(set(), on(CardPage::Question(1)));
    assert_eq!(
        second.html,
        "❓ <b>Which features?</b>\n\
         shop-api · Question 2 of 3\n  \
         1  Search\n  \
         2  Export\n  \
         3  the rest\n\
         Or reply with numbers from 1 to 3, such as “1 2”."
    );
    assert_eq!(
        rows(&second),
        [
            vec!["☐ Search", "☐ Export"],
            vec!["☐ 3"],
            vec!["🚫 Dismiss…"],
            vec!["Back", "Next"]
        ]
    );
    assert_eq!(second.keyboard[3][1].style, Some(ButtonStyle::Primary));
    let third = drawn(set(), on(CardPage::Question(2)));
    assert_eq!(
        third.html,
        "❓ <b>Name</b>\nshop-api · Question 3 of 3 · Name\nReply with your answer."
    );
    assert_eq!(
        rows(&third),
        [vec!["✏️ Write my own", "🚫 Dismiss…"], vec!["Back"]]
    );
}

#[test]
fn what_is_chosen_or_written_already_is_marked_and_said() {
    let second = drawn(set(), |draft| {
        answered(draft);
        draft.page = CardPage::Question(1);
    });
    assert!(
        second.html.contains("\nSo far: Search, 3\n"),
        "{}",
        second.html
    );
    assert_eq!(
        rows(&second)[..2],
        [vec!["☑ Search", "☐ Export"], vec!["☑ 3"]]
    );
    assert_eq!(rows(&second)[3], ["Back", "Next", "Review"]);
    let third = drawn(set(), |draft| {
        answered(draft);
        draft.page = CardPage::Question(2);
    });
    assert!(
        third.html.contains("\nSo far: “Beckon &amp; co”\n"),
        "{}",
        third.html
    );
    assert_eq!(
        rows(&third),
        [
            vec!["✏️ Beckon & co", "🚫 Dismiss…"],
            vec!["Back", "Review"]
        ]
    );
}

#[test]
fn the_review_shows_every_reply_and_sends_them() {
    let review = drawn(set(), |draft| {
        answered(draft);
        draft.page = CardPage::Review;
    });
    assert_eq!(
        review.html,
        "❓ <b>Review</b>\nshop-api\n  \
         1  Database: SQLite\n  \
         2  Which features?: Search, 3\n  \
         3  Name: “Beckon &amp; co”\n\
         Nothing is sent before you press Send."
    );
    assert_eq!(rows(&review), [vec!["Send"], vec!["Back", "🚫 Dismiss…"]]);
    assert_eq!(review.keyboard[0][0].style, Some(ButtonStyle::Primary));
    let empty = drawn(set(), on(CardPage::Review)).html;
    assert!(empty.contains("3  Name: no answer yet"), "{empty}");
}

#[test]
fn before_a_set_is_dismissed_all_of_it_is_named() {
    let sure = drawn(set(), on(CardPage::SureDismiss));
    assert_eq!(
        sure.html,
        "❓ <b>Dismiss all 3 questions?</b>\nshop-api\n\
         Which database?\nWhich features?\nName\n\
         The agent gets no answer and is told that you dismissed it.\n\
         Use a button to answer."
    );
    assert_eq!(rows(&sure), [["Go back", "Yes, dismiss"]]);
}

#[test]
fn a_set_without_questions_goes_on_or_is_dismissed() {
    let card = drawn(Vec::new(), |_| {});
    assert_eq!(
        card.html,
        "❓ <b>A question without text</b>\nshop-api\nUse a button to answer."
    );
    assert_eq!(rows(&card), [["Continue", "🚫 Dismiss…"]]);
    let review = drawn(Vec::new(), on(CardPage::Review));
    assert!(
        review.html.starts_with("❓ <b>A question without text</b>"),
        "{}",
        review.html
    );
}

#[test]
fn a_single_question_has_no_review_and_sends_what_is_chosen_of_several() {
    let one = |multiple| {
        vec![Question {
            multiple,
            ..set().remove(0)
        }]
    };
    let chosen = |draft: &mut Draft| draft.replies[0] = Reply::choice(0);
    assert_eq!(rows(&drawn(one(false), chosen)).len(), 2);
    assert_eq!(rows(&drawn(one(true), chosen))[2], ["Send"]);
}

#[test]
fn while_words_are_awaited_the_card_asks_for_them_and_only_its_own_question_says_so() {
    let awaiting = |page, question| {
        drawn(set(), move |draft| {
            draft.page = CardPage::Question(page);
            draft.awaits = Some(AwaitedText::Text { question });
        })
    };
    let card = awaiting(0, 0);
    assert!(
        card.html
            .ends_with("\nReply with your answer. Tap ✏️ again to cancel.")
    );
    assert_eq!(
        rows(&card)[1..],
        [["✏️ Waiting for your reply…"], ["🚫 Dismiss…"]]
    );
    let prompt = card.prompt.unwrap();
    assert_eq!(prompt.html, "✏️ Your answer to “Which database?”");
    assert_eq!(prompt.placeholder, "Database");
    assert_eq!(awaiting(1, 1).prompt.unwrap().placeholder, "Your answer");
    assert_eq!(rows(&awaiting(2, 0))[0][0], "✏️ Write my own");
}

#[test]
fn how_numbers_are_written_depends_on_how_many_there_are_and_may_be_taken() {
    for (choices, multiple, custom, hint) in [
        (1, true, false, "Or reply with 1."),
        (1, true, true, "Or reply with 1 or your own words."),
        (
            2,
            true,
            false,
            "Or reply with numbers from 1 to 2, such as “1 2”.",
        ),
        (
            2,
            true,
            true,
            "Or reply with numbers from 1 to 2, such as “1 2”, or your own words.",
        ),
        (2, false, false, "Or reply with 1 or 2."),
        (
            0,
            false,
            false,
            "It takes no answer; it can only be dismissed.",
        ),
    ] {
        let choices = vec![choice("x", ""); choices];
        let question = Question {
            choices,
            multiple,
            custom,
            ..Question::default()
        };
        let html = drawn(vec![question], |_| {}).html;
        assert_eq!(html.lines().last(), Some(hint));
    }
}

fn buttons(labels: &[&str]) -> Vec<Vec<String>> {
    let choices = labels.iter().map(|label| choice(label, "")).collect();
    let question = Question {
        choices,
        custom: false,
        ..Question::default()
    };
    let card = drawn(vec![question], |_| {});
    let mut rows: Vec<Vec<String>> = rows(&card)
        .into_iter()
        .map(|row| row.into_iter().map(str::to_owned).collect())
        .collect();
    assert_eq!(rows.pop().unwrap(), ["🚫 Dismiss…"]);
    rows
}

#[test]
fn choices_that_look_alike_or_like_nothing_are_told_apart_by_their_numbers() {
    let labels = buttons(&["Yes", "No", "Yes", " "]).concat();
    assert_eq!(labels, ["1 Yes", "No", "3 Yes", "4"]);
}

#[test]
fn two_choices_share_a_row_where_both_are_short() {
    let (short, long) = ("eighteen letters..", "nineteen letters...");
    assert_eq!(buttons(&["a", "b", "c"]), [vec!["a", "b"], vec!["c"]]);
    assert_eq!(buttons(&[short, "b"]), [[short, "b"]]);
    assert_eq!(buttons(&[long, "b"]), [[long], ["b"]]);
    assert_eq!(buttons(&["b", long]), [["b"], [long]]);
    let (nine, ten) = ("九个汉字正好一行呀", "十个汉字不够放一行了");
    assert_eq!(
        buttons(&[nine, "b"]),
        [[nine, "b"]],
        "each takes two columns"
    );
    assert_eq!(buttons(&[ten, "b"]), [[ten], ["b"]]);
    let dots = "eighteen letters.…";
    assert_eq!(
        buttons(&[dots, "b"]),
        [[dots, "b"]],
        "one that is no letter takes one"
    );
}

#[test]
fn choices_have_buttons_as_far_as_there_is_room_and_the_others_a_number() {
    // 21 bytes with 104 beside them are a 64th of what there is room for.
    let labels = (1..=100).map(|n| choice(&format!("choice number {n:07}"), ""));
    let question = Question {
        choices: labels.collect(),
        custom: false,
        ..Question::default()
    };
    let card = drawn(vec![question], |_| {});
    assert_eq!(card.keyboard.iter().flatten().count(), 64 + 1);
    assert!(
        card.html
            .contains("\n65 to 100 have no button: reply with the number.\n")
    );
    assert!(!card.html.contains("… and"), "{}", card.html);
    let short = (1..=100).map(|n| choice(&n.to_string(), "")).collect();
    let question = Question {
        choices: short,
        custom: false,
        ..Question::default()
    };
    assert_eq!(
        drawn(vec![question], |_| {})
            .keyboard
            .iter()
            .flatten()
            .count(),
        75 + 1
    );
}

#[test]
fn an_endless_list_of_choices_goes_on_in_the_file() {
    let choices = (1..=160)
        .map(|n| choice(&format!("choice {n}"), "why"))
        .collect();
    let question = Question {
        choices,
        ..set().remove(0)
    };
    let card = drawn(vec![question, set().remove(2)], |_| {});
    assert!(card.html.contains("\n… and 10 more\n"), "{}", card.html);
    assert!(
        card.html.contains("\n📎 All of it is in question.txt\n"),
        "{}",
        card.html
    );
    let document = card.document.unwrap();
    assert!(
        document.text.starts_with(
            "shop-api\n\nQuestion 1 of 2 · Database\nWhich database?\n1  choice 1\nwhy\n2  choice 2"
        ),
        "{}",
        document.text
    );
    assert!(
        document
            .text
            .ends_with("160  choice 160\nwhy\n\nQuestion 2 of 2 · Name\nName\n"),
        "{}",
        document.text
    );
    assert!(
        document
            .instead
            .contains("the file with all of it could not be sent")
    );
}
