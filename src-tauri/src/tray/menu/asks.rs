//! One ask as a submenu: what it is about and what can be answered with one press.
//!
//! Not here: the rest of the menu.

use super::{Action, Line, note, pressable, submenu};
use crate::texts::{Texts, Value};
use crate::tray::words::{self, WIDTH, cut, line};
use beckon_core::{Ask, AskView, Choice, Kind, Permission, Press, Question, Target};

const MOST_CHOICES: usize = 12;
/// So many lines of a question or of what is to be allowed.
const MOST_LINES: usize = 5;

pub(super) fn ask_item(texts: &Texts, view: &AskView) -> Line {
    let (ask, target) = (&view.entry.ask, view.entry.target());
    let topic = topic(texts, ask);
    let args = [("place", Value::from(words::place(ask))), ("topic", Value::from(topic))];
    let label = texts.with("tray-ask", &args);
    let press = |key: &str, press| pressable(texts.get(key), Action::Press { target, press });
    let mut lines = match &ask.kind {
        Kind::Questions(questions) => question_lines(texts, questions, target, &label),
        Kind::Permission(permission) => permission_lines(permission, press),
        Kind::Confirm(info) => {
            let mut lines = if is_cut(&label) { notes(info) } else { Vec::new() };
            lines.push(press("tray-continue", Press::Continue));
            lines.push(press("tray-cancel", Press::Cancel));
            lines
        }
        Kind::Unknown(unknown) => notes(&unknown.raw),
    };
    lines.push(Line::Separator);
    let open = if matches!(ask.kind, Kind::Unknown(_)) { "tray-look" } else { "tray-answer" };
    lines.push(pressable(texts.get(open), Action::Open(target.serial)));
    // A permission is refused by Reject and a confirm by Cancel; only a question set is dismissed.
    if matches!(ask.kind, Kind::Questions(_)) {
        lines.push(press("tray-dismiss", Press::Dismiss));
    }
    submenu(label, lines)
}

fn topic(texts: &Texts, ask: &Ask) -> String {
    let said = |text: &str| Some(line(text)).filter(|text| !text.is_empty());
    match &ask.kind {
        Kind::Questions(questions) => match questions.as_slice() {
            [one] => said(&one.question).or_else(|| said(&one.header)),
            _ => None,
        }
        .unwrap_or_else(|| {
            texts.with("tray-topic-set", &[("count", Value::from(questions.len()))])
        }),
        Kind::Permission(permission) => {
            let key = format!("tray-topic-{}", permission.permission);
            if matches!(permission.permission.as_str(), "permission" | "set" | "confirm")
                || !texts.has(&key)
            {
                let name = Value::from(cut(&permission.permission, WIDTH / 2));
                return texts.with("tray-topic-permission", &[("permission", name)]);
            }
            texts.get(&key)
        }
        Kind::Confirm(info) => said(info).unwrap_or_else(|| texts.get("tray-topic-confirm")),
        Kind::Unknown(_) => texts.get("tray-topic-unknown"),
    }
}

/// The choices of a single-choice question; of anything else only what it is about, since one
/// press cannot answer it.
fn question_lines(texts: &Texts, questions: &[Question], target: Target, label: &str) -> Vec<Line> {
    let [question] = questions else {
        let heads = questions.iter().take(MOST_CHOICES).map(|q| match line(&q.header) {
            header if header.is_empty() => note(q.question.clone()),
            header => note(header),
        });
        return heads.collect();
    };
    let mut lines = if is_cut(label) { notes(&question.question) } else { Vec::new() };
    let choices = question.choices.iter().enumerate().take(MOST_CHOICES);
    lines.extend(choices.map(|(choice, it)| match question.multiple {
        true => note(choice_label(texts, it)),
        false => {
            let press = Press::Choose { question: 0, choice };
            pressable(choice_label(texts, it), Action::Press { target, press })
        }
    }));
    if let Some(more @ 1..) = question.choices.len().checked_sub(MOST_CHOICES) {
        lines.push(note(texts.with("tray-more-choices", &[("count", Value::from(more))])));
    }
    lines
}

/// Does the menu show less of it than there is?
fn is_cut(label: &str) -> bool {
    cut(label, WIDTH) != label
}

fn choice_label(texts: &Texts, choice: &Choice) -> String {
    let (label, description) = (line(&choice.label), line(&choice.description));
    if description.is_empty() {
        return label;
    }
    let args = [("label", Value::from(label)), ("description", Value::from(description))];
    texts.with("tray-choice", &args)
}

/// `Allow once` only beside the whole of what is allowed: nobody should grant what they cannot see.
fn permission_lines(permission: &Permission, press: impl Fn(&str, Press) -> Line) -> Vec<Line> {
    let asked = match &permission.command {
        Some(command) => command.clone(),
        None => permission.patterns.join("\n"),
    };
    let whole = words::whole(&asked, MOST_LINES);
    let mut lines = match &whole {
        Some(whole) => whole.iter().cloned().map(note).collect(),
        None => notes(&asked),
    };
    if whole.is_some() {
        lines.push(press("tray-once", Press::Once));
    }
    lines.push(press("tray-reject", Press::Reject));
    lines
}

/// The first lines of a text, to read.
fn notes(text: &str) -> Vec<Line> {
    let whole = words::whole(text, MOST_LINES);
    let lines = whole.unwrap_or_else(|| {
        let letters: Vec<char> = line(text).chars().take(WIDTH * MOST_LINES - 1).collect();
        let mut lines: Vec<String> = letters.chunks(WIDTH).map(|c| c.iter().collect()).collect();
        if let Some(last) = lines.last_mut() {
            last.push('…');
        }
        lines
    });
    lines.into_iter().map(note).collect()
}
