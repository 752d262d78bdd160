//! The pages of a question set: one question at a time, the review, and what dismissing means.

use super::caution;
use super::face::{CardContent, names};
use super::keyboard;
use super::says;
use super::sheet::Sheet;
use crate::channels::telegram::html::{Html, Style, cut, line, prose};
use beckon_core::{CardPage, Choice, Question};

/// The length of a header, in UTF-16 units: it has up to 30 characters by contract, more in
/// practice.
const HEADER: usize = 80;

pub(super) fn body(face: &CardContent<'_>, questions: &[Question], sheet: &mut Sheet) {
    match face.draft.page {
        _ if questions.is_empty() => {
            sheet.title("❓", face.say("telegram-no-questions"));
            face.origin(sheet);
        }
        CardPage::Review => return review(face, questions, sheet),
        CardPage::SureDismiss => return sure(face, questions, sheet),
        CardPage::Question(index) => question(face, questions, index, sheet),
        CardPage::SureAlways | CardPage::SureHidden => question(face, questions, 0, sheet),
    }
    face.quote(sheet);
}

fn review(face: &CardContent<'_>, questions: &[Question], sheet: &mut Sheet) {
    sheet.title("❓", face.say("telegram-review"));
    face.origin(sheet);
    let replies = questions.iter().enumerate().map(|(index, question)| {
        let reply = face
            .reply(index)
            .map(|reply| says::reply(question, reply, face.scene));
        reply.unwrap_or_else(|| face.say("telegram-no-answer-yet"))
    });
    sheet.list(summary(questions, &replies.map(Some).collect::<Vec<_>>()));
    caution::say_risks(face, sheet);
    caution::say(face, sheet);
}

/// Writes the question, where it comes from, its choices, and what is chosen already.
fn question(face: &CardContent<'_>, questions: &[Question], index: usize, sheet: &mut Sheet) {
    let Some(question) = questions.get(index) else {
        return;
    };
    sheet.title("❓", wording(question));
    match questions.len() {
        1 => face.origin(sheet),
        count => {
            let [project, _] = names(&face.entry.ask.session);
            let (number, count) = ((index + 1).into(), count.into());
            let place = face.with("telegram-place", &[("number", number), ("count", count)]);
            let header = Some(cut(&line(&question.header), HEADER)).filter(|it| !it.is_empty());
            face.second_line([project, Some(place), header], sheet);
        }
    }
    choices(face, index, question, sheet);
    caution::say_risks(face, sheet);
    so_far(face, index, question, sheet);
}

fn choices(face: &CardContent<'_>, index: usize, question: &Question, sheet: &mut Sheet) {
    let lines = question
        .choices
        .iter()
        .map(|choice| in_full(face, choice))
        .collect();
    let hidden = sheet.list(lines);
    if hidden > 0 {
        let more = face.with("telegram-more-choices", &[("count", hidden.into())]);
        sheet.fixed(Html::plain(&more));
    }
    let shown = keyboard::choices_shown(face, index, question);
    if shown < question.choices.len() {
        let (from, to) = ((shown + 1).into(), question.choices.len().into());
        let by_number = face.with("telegram-by-number", &[("from", from), ("to", to)]);
        sheet.fixed(Html::plain(&by_number));
    }
}

/// Writes what is chosen or written already.
fn so_far(face: &CardContent<'_>, index: usize, question: &Question, sheet: &mut Sheet) {
    if let Some(reply) = face.reply(index) {
        let reply = says::reply(question, reply, face.scene);
        sheet.text(
            Style::Plain,
            face.with("telegram-so-far", &[("reply", reply.into())]),
        );
    }
}

fn sure(face: &CardContent<'_>, questions: &[Question], sheet: &mut Sheet) {
    let count = questions.len().into();
    sheet.title(
        "❓",
        face.with("telegram-sure-dismiss", &[("count", count)]),
    );
    face.origin(sheet);
    for question in questions {
        sheet.text(Style::Plain, wording(question));
    }
    sheet.fixed(Html::plain(&face.say("telegram-sure-dismiss-means")));
}

/// Returns a line for every question, with its reply where there is one.
pub(super) fn summary(questions: &[Question], replies: &[Option<String>]) -> Vec<String> {
    let lines = questions.iter().enumerate().map(|(index, question)| {
        let topic = topic(question);
        match replies.get(index).and_then(Option::as_ref) {
            Some(reply) => format!("{topic}: {reply}"),
            None => topic,
        }
    });
    lines.collect()
}

/// Returns the question in full; its header where it has no text.
pub(in crate::channels::telegram) fn wording(question: &Question) -> String {
    let text = prose(&question.question);
    if text.is_empty() {
        line(&question.header)
    } else {
        text
    }
}

/// Returns a few words for the question.
fn topic(question: &Question) -> String {
    let header = line(&question.header);
    cut(
        &if header.is_empty() {
            line(&question.question)
        } else {
            header
        },
        HEADER,
    )
}

/// Returns `PostgreSQL: Robust relational store`.
pub(super) fn in_full(face: &CardContent<'_>, choice: &Choice) -> String {
    let (label, description) = (line(&choice.label), line(&choice.description));
    match (label.is_empty(), description.is_empty()) {
        (_, true) => label,
        (true, _) => description,
        _ => {
            let args = [("label", label.into()), ("description", description.into())];
            face.with("telegram-choice", &args)
        }
    }
}
