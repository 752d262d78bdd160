//! What a notification says: an ask in, a title, a body and buttons out.

use super::{Act, Button, Notice};
use crate::texts::{Texts, Value};
use crate::words;
use beckon_core::{Choice, Entry, Kind, Permission, Press, Question, Turn, TurnEnd};

/// More buttons than this do not fit any daemon; "Answer…" comes beside them.
const DIRECT_CHOICES: usize = 4;
/// A longer label does not fit a button.
const LABEL: usize = 40;
/// A few lines of a notification.
const BODY: usize = 180;
const BODY_LINES: usize = 4;
/// Why an answer came back stands above the body, which keeps its room.
const RETURNED: usize = 140;
const TITLE: usize = 100;
/// A long directory must not push the question out of the title.
const PROJECT: usize = 24;

/// The notification for an ask.
pub fn notice(entry: &Entry, texts: &Texts) -> Notice {
    let ask = &entry.ask;
    let (head, body, mut buttons) = match &ask.kind {
        Kind::Questions(questions) => questions_text(questions, entry, texts),
        Kind::Permission(permission) => permission_text(permission, texts),
        Kind::Confirm(info) => confirm_text(info, texts),
        Kind::Unknown(unknown) => (texts.get("desktop-unknown"), unknown.raw.clone(), Vec::new()),
    };
    let open = match &ask.kind {
        Kind::Unknown(_) => "desktop-look",
        Kind::Questions(_) | Kind::Permission(_) | Kind::Confirm(_) => "desktop-answer",
    };
    buttons.push(Button { press: Act::Open, label: texts.get(open) });
    let project = Value::from(cut(ask.session.project(), PROJECT));
    let args = [("project", project), ("text", Value::from(cut(&head, TITLE)))];
    let returned = entry.returned.as_ref();
    let returned = returned.map(|why| cut(&words::returned(texts, why), RETURNED) + "\n");
    Notice {
        title: texts.with("desktop-title", &args),
        body: (returned.unwrap_or_default() + &cut(&body, BODY)).trim_end().to_owned(),
        buttons,
        elsewhere: texts.get("desktop-elsewhere"),
        urgent: true,
    }
}

/// Is there a button for each answer (but words of one's own)?
pub fn answers_by_a_press(kind: &Kind) -> bool {
    match kind {
        Kind::Questions(questions) => match questions.as_slice() {
            [question] => !choices(question).is_empty(),
            _ => false,
        },
        Kind::Permission(permission) => fits(&asked_for(permission)),
        Kind::Confirm(info) => fits(info),
        Kind::Unknown(_) => false,
    }
}

/// What is said of a finished turn: a title and a line.
pub(super) fn turn(turn: &Turn, texts: &Texts) -> (String, String) {
    let title = turn.session.title.clone().unwrap_or_default();
    let project = Value::from(cut(turn.session.project(), PROJECT));
    let args = [("project", project), ("text", Value::from(cut(&title, TITLE)))];
    let body = match &turn.end {
        TurnEnd::Done => {
            let minutes = (turn.took.0 / 60_000).max(1);
            texts.with("desktop-turn-done", &[("minutes", Value::from(minutes))])
        }
        TurnEnd::Failed(reason) => {
            texts.with("desktop-turn-failed", &[("reason", Value::from(cut(reason, BODY)))])
        }
    };
    (texts.with("desktop-title", &args), body)
}

fn questions_text(
    questions: &[Question],
    entry: &Entry,
    texts: &Texts,
) -> (String, String, Vec<Button>) {
    match questions {
        [question] => {
            (question.question.clone(), single_body(question, entry, texts), choices(question))
        }
        [] => (texts.get("desktop-no-questions"), last_words(entry), Vec::new()),
        several => {
            let head = texts.with("desktop-questions", &[("count", Value::from(several.len()))]);
            let headers: Vec<&str> = several.iter().map(topic).collect();
            (head, headers.join(" · "), Vec::new())
        }
    }
}

/// What helps most to decide: the choices' descriptions, else what the agent said last.
fn single_body(question: &Question, entry: &Entry, texts: &Texts) -> String {
    let described = |choice: &Choice| {
        let args = [
            ("label", Value::from(choice.label.clone())),
            ("description", Value::from(choice.description.clone())),
        ];
        texts.with("desktop-choice", &args)
    };
    let described: Vec<String> = question
        .choices
        .iter()
        .filter(|choice| !choice.description.is_empty())
        .map(described)
        .collect();
    if described.is_empty() { last_words(entry) } else { described.join("\n") }
}

fn last_words(entry: &Entry) -> String {
    entry.ask.session.last_words.clone().unwrap_or_default()
}

/// Direct buttons only where one press is a whole answer and every choice has its button.
fn choices(question: &Question) -> Vec<Button> {
    if question.multiple || question.choices.len() > DIRECT_CHOICES {
        return Vec::new();
    }
    let labels: Vec<String> = question.choices.iter().map(|c| cut(&c.label, LABEL)).collect();
    let button = |(choice, label): (usize, &String)| Button {
        press: Act::Press(Press::Choose { question: 0, choice }),
        label: told_apart(label, choice, &labels),
    };
    labels.iter().enumerate().map(button).collect()
}

/// Of equal labels each gets its number: some daemons show the buttons in an order of their own.
fn told_apart(label: &str, choice: usize, labels: &[String]) -> String {
    let twins = labels.iter().filter(|other| *other == label).count();
    if twins > 1 { format!("{} {label}", choice + 1) } else { label.to_owned() }
}

fn permission_text(permission: &Permission, texts: &Texts) -> (String, String, Vec<Button>) {
    let key = format!("desktop-permission-{}", permission.permission);
    let head = if texts.has(&key) {
        texts.get(&key)
    } else {
        let name = Value::from(permission.permission.as_str());
        texts.with("desktop-permission", &[("name", name)])
    };
    let what = asked_for(permission);
    let mut buttons = Vec::new();
    if fits(&what) {
        buttons.push(Button { press: Act::Press(Press::Once), label: texts.get("desktop-once") });
    }
    buttons.push(Button { press: Act::Press(Press::Reject), label: texts.get("desktop-reject") });
    (head, what, buttons)
}

fn asked_for(permission: &Permission) -> String {
    permission.command.clone().unwrap_or_else(|| permission.patterns.join("\n"))
}

/// Nothing is allowed by a button beside a text that does not show all of it.
fn fits(what: &str) -> bool {
    what.chars().count() <= BODY && what.lines().count() <= BODY_LINES
}

fn confirm_text(info: &str, texts: &Texts) -> (String, String, Vec<Button>) {
    let mut buttons = Vec::new();
    if fits(info) {
        let label = texts.get("desktop-continue");
        buttons.push(Button { press: Act::Press(Press::Continue), label });
    }
    buttons.push(Button { press: Act::Press(Press::Cancel), label: texts.get("desktop-cancel") });
    (texts.get("desktop-confirm"), info.to_owned(), buttons)
}

fn topic(question: &Question) -> &str {
    if question.header.is_empty() { &question.question } else { &question.header }
}

/// Cuts at a character border, and keeps control characters (a terminal's colours, a bell) out.
fn cut(text: &str, most: usize) -> String {
    let clean = text.trim().chars().filter(|c| !c.is_control() || *c == '\n');
    let mut kept: String = clean.take(most + 1).collect();
    if kept.chars().count() > most {
        kept.pop();
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::{Ask, AskId, Asked, Choice, Returned, Session, Timestamp, Unknown};

    fn entry(kind: Kind) -> Entry {
        let session = Session { directory: "/home/me/shop-api/".into(), ..Session::default() };
        let id = AskId::new("local", "que_1");
        Entry::new(Ask { id, kind, session, call: None, asked_at: Timestamp(0) }, 1)
    }

    fn question(labels: &[&str]) -> Question {
        let choice = |label: &&str| Choice { label: (*label).into(), ..Choice::default() };
        Question {
            header: "Database".into(),
            question: "Which database?".into(),
            choices: labels.iter().map(choice).collect(),
            ..Question::default()
        }
    }

    fn shown(kind: Kind) -> Notice {
        notice(&entry(kind), &Texts::load("en"))
    }

    #[test]
    fn a_request_of_unknown_form_has_no_button_that_answers() {
        let raw = r#"{"id":"per_1","patterns":{"new":"form"}}"#.to_owned();
        let kind = Kind::Unknown(Unknown { asked: Asked::Permission, raw: raw.clone() });
        assert!(!answers_by_a_press(&kind));
        let notice = shown(kind);
        assert_eq!(notice.body, raw);
        assert!(notice.buttons.iter().all(|button| matches!(button.press, Act::Open)));
    }

    #[test]
    fn a_single_choice_has_a_button_per_choice_and_the_window_last() {
        let notice = shown(Kind::Questions(vec![question(&["PostgreSQL", "SQLite"])]));
        let labels: Vec<&str> = notice.buttons.iter().map(|b| b.label.as_str()).collect();
        assert_eq!(labels, ["PostgreSQL", "SQLite", "Answer…"]);
        assert_eq!(notice.title, "shop-api · Which database?");
    }

    #[test]
    fn a_press_answers_what_fits_on_buttons_and_nothing_else() {
        let one = || question(&["PostgreSQL", "SQLite"]);
        assert!(answers_by_a_press(&Kind::Questions(vec![one()])));
        assert!(!answers_by_a_press(&Kind::Questions(vec![one(), one()])));
        assert!(!answers_by_a_press(&Kind::Questions(vec![question(&[])])));
        assert!(answers_by_a_press(&Kind::Confirm("Deploy?".into())));
        assert!(!answers_by_a_press(&Kind::Confirm("a long story ".repeat(40))));
        let patterns = vec!["make".to_owned()];
        let permission =
            Permission { permission: "bash".into(), patterns, ..Permission::default() };
        assert!(answers_by_a_press(&Kind::Permission(permission)));
    }

    #[test]
    fn equal_labels_are_told_apart_by_their_index() {
        let notice = shown(Kind::Questions(vec![question(&["Same", "Same"])]));
        let press = |choice| Act::Press(Press::Choose { question: 0, choice });
        assert_eq!([notice.buttons[0].press, notice.buttons[1].press], [press(0), press(1)]);
    }

    #[test]
    fn many_choices_several_answers_and_sets_only_open_the_window() {
        let many = question(&["1", "2", "3", "4", "5"]);
        let multiple = Question { multiple: true, ..question(&["a", "b"]) };
        let set = vec![question(&["a"]), question(&["b"])];
        for kind in [vec![many], vec![multiple], set, vec![]].map(Kind::Questions) {
            assert_eq!(shown(kind).buttons.len(), 1);
        }
    }

    #[test]
    fn a_set_says_how_many_questions_and_which() {
        let notice = shown(Kind::Questions(vec![question(&[]), question(&[])]));
        assert_eq!(notice.title, "shop-api · 2 questions");
        assert_eq!(notice.body, "Database · Database");
    }

    #[test]
    fn a_permission_shows_the_command_and_offers_no_always() {
        let permission = Permission {
            permission: "bash".into(),
            command: Some("rm -rf build".into()),
            ..Permission::default()
        };
        let notice = shown(Kind::Permission(permission));
        assert_eq!(notice.title, "shop-api · Run a command?");
        assert_eq!(notice.body, "rm -rf build");
        let labels: Vec<&str> = notice.buttons.iter().map(|b| b.label.as_str()).collect();
        assert_eq!(labels, ["Allow once", "Reject", "Answer…"]);
    }

    #[test]
    fn a_command_that_is_not_shown_in_full_cannot_be_allowed_by_a_button() {
        for command in ["x".repeat(200), "a\n".repeat(9)] {
            let permission = Permission { command: Some(command), ..Permission::default() };
            let notice = shown(Kind::Permission(permission));
            assert!(notice.buttons.iter().all(|b| b.press != Act::Press(Press::Once)));
        }
    }

    #[test]
    fn what_is_not_shown_in_full_cannot_be_continued_by_a_button() {
        let labels = |info: &str| -> Vec<String> {
            let notice = shown(Kind::Confirm(info.into()));
            notice.buttons.into_iter().map(|button| button.label).collect()
        };
        assert_eq!(labels("Deploy?"), ["Continue", "Cancel", "Answer…"]);
        assert_eq!(labels(&"x".repeat(200)), ["Cancel", "Answer…"]);
    }

    #[test]
    fn a_returned_answer_is_said_above_the_body() {
        let mut entry = entry(Kind::Confirm("Deploy?".into()));
        entry.returned = Some(Returned::Refused("answer at index 0 is empty".into()));
        let body = notice(&entry, &Texts::load("en")).body;
        assert_eq!(body, "The agent did not take the answer: answer at index 0 is empty\nDeploy?");
    }

    #[test]
    fn long_texts_are_cut_and_control_characters_removed() {
        let long = Question { question: "é".repeat(5_000) + "\u{7}", ..question(&[]) };
        let notice = shown(Kind::Questions(vec![long]));
        assert!(notice.title.chars().count() < 150 && notice.title.ends_with('…'));
        assert_eq!(cut("a\u{1b}[31mb", 10), "a[31mb");
    }
}
