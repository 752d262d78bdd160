//! Question sets: one question at a time, the review, what dismissing means, and how it went.

use super::face::CardContent;
use super::says;
use super::sheet::Sheet;
use super::{ending, keyboard};
use crate::channels::telegram::html::{Html, Style, cut, line, prose};
use beckon_core::{AskState, CardPage, Choice, Question};

/// A header has up to 30 characters by contract, more in practice.
const HEADER: usize = 80;

pub(super) fn body(face: &CardContent<'_>, questions: &[Question], sheet: &mut Sheet) {
    sheet.fixed(face.head("❓"));
    match (&face.entry.state, questions) {
        (_, []) => sheet.fixed(Html::plain(&face.say("telegram-no-questions"))),
        (AskState::Open, _) => open(face, questions, sheet),
        (_, [question]) => asked(face, 0, question, sheet),
        (_, several) => summary(several, &ending::replies(face, several), sheet),
    }
    if !matches!(face.draft.page, CardPage::Review | CardPage::SureDismiss) {
        face.quote(sheet);
    }
}

fn open(face: &CardContent<'_>, questions: &[Question], sheet: &mut Sheet) {
    match face.draft.page {
        CardPage::Review => {
            sheet.fixed(Html::bold(&face.say("telegram-review")));
            let replies = questions.iter().enumerate().map(|(index, question)| {
                let reply = face.reply(index).map(|reply| says::reply(question, reply, face.scene));
                reply.unwrap_or_else(|| face.say("telegram-no-answer-yet"))
            });
            summary(questions, &replies.map(Some).collect::<Vec<_>>(), sheet);
        }
        CardPage::SureDismiss => sure(face, questions, sheet),
        CardPage::Question(index) => question(face, questions, index, sheet),
        CardPage::SureAlways | CardPage::SureHidden => question(face, questions, 0, sheet),
    }
}

fn question(face: &CardContent<'_>, questions: &[Question], index: usize, sheet: &mut Sheet) {
    let Some(question) = questions.get(index) else { return };
    if questions.len() > 1 {
        let (number, count) = ((index + 1).into(), questions.len().into());
        let place = face.with("telegram-place", &[("number", number), ("count", count)]);
        let header = cut(&line(&question.header), HEADER);
        let parts = [place, header].into_iter().filter(|part| !part.is_empty());
        sheet.fixed(Html::bold(&parts.collect::<Vec<_>>().join(" · ")));
    }
    asked(face, index, question, sheet);
    so_far(face, index, question, sheet);
}

/// The question and its choices.
fn asked(face: &CardContent<'_>, index: usize, question: &Question, sheet: &mut Sheet) {
    sheet.text(Style::Plain, wording(question));
    let lines = question.choices.iter().map(|choice| in_full(face, choice)).collect();
    let hidden = sheet.list(lines);
    if hidden > 0 {
        let more = face.with("telegram-more-choices", &[("count", hidden.into())]);
        sheet.fixed(Html::plain(&more));
    }
    if face.entry.state == AskState::Open {
        let shown = keyboard::choices_shown(face, index, question);
        if shown < question.choices.len() {
            let (from, to) = ((shown + 1).into(), question.choices.len().into());
            let by_number = face.with("telegram-by-number", &[("from", from), ("to", to)]);
            sheet.fixed(Html::plain(&by_number));
        }
    }
}

/// What is chosen or written already.
fn so_far(face: &CardContent<'_>, index: usize, question: &Question, sheet: &mut Sheet) {
    if let Some(reply) = face.reply(index) {
        let reply = says::reply(question, reply, face.scene);
        sheet.text(Style::Plain, face.with("telegram-so-far", &[("reply", reply.into())]));
    }
}

fn sure(face: &CardContent<'_>, questions: &[Question], sheet: &mut Sheet) {
    for question in questions {
        sheet.text(Style::Plain, wording(question));
    }
    let count = questions.len().into();
    sheet.fixed(Html::bold(&face.with("telegram-sure-dismiss", &[("count", count)])));
    sheet.fixed(Html::plain(&face.say("telegram-sure-dismiss-means")));
}

/// Every question in a line, with its reply where there is one.
fn summary(questions: &[Question], replies: &[Option<String>], sheet: &mut Sheet) {
    let lines = questions.iter().enumerate().map(|(index, question)| {
        let topic = topic(question);
        match replies.get(index).and_then(Option::as_ref) {
            Some(reply) => format!("{topic}: {reply}"),
            None => topic,
        }
    });
    sheet.list(lines.collect());
}

/// The question in full; its header where it has no text.
pub(in crate::channels::telegram) fn wording(question: &Question) -> String {
    let text = prose(&question.question);
    if text.is_empty() { line(&question.header) } else { text }
}

/// A few words for the question.
fn topic(question: &Question) -> String {
    let header = line(&question.header);
    cut(&if header.is_empty() { line(&question.question) } else { header }, HEADER)
}

/// `PostgreSQL: Robust relational store`.
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
