//! The card of an ask that is no longer open: what became of it, what it was about, and the rest
//! folded away, so that a day can be scrolled.
//!
//! Not here: the words of an ending (`ending.rs`).

use super::face::CardContent;
use super::permission::shown;
use super::questions::{self, summary, wording};
use super::sheet::Sheet;
use super::{Answerer, ending, says};
use crate::channels::telegram::html::{Html, Style, cut, line, prose};
use beckon_client::text::words::{self, AnswerOwner};
use beckon_core::{Answer, AskContent, AskState, Entry, Grant, LateAnswer, Outcome, Question};

/// The length of the reason why an answer does not arrive, in UTF-16 units; a stranger's words are
/// in it.
const TROUBLE: usize = 300;

pub(super) fn body(face: &CardContent<'_>, sheet: &mut Sheet) {
    let about = says::about(face.entry, face.scene);
    sheet.fixed(ending::of(face.entry, face.scene).html());
    sheet.fixed(Html::plain(&about));
    if let Some(trouble) = &face.entry.undelivered {
        let why = cut(
            &line(&words::undelivered(face.scene.texts, trouble)),
            TROUBLE,
        );
        sheet.fixed(Html::plain(&format!("⚠️ {why}")));
    }
    if let Some(lost) = lost(face) {
        sheet.fixed(Html::plain(&format!("⚠️ {lost}")));
    }
    let said = face.entry.ask.session.last_words.as_deref().map(prose);
    let parts = written(face.entry)
        .into_iter()
        .chain(asked(face, &about))
        .chain(said);
    let parts: Vec<_> = parts.filter(|part| !part.trim().is_empty()).collect();
    sheet.text(Style::Quote, parts.join("\n"));
}

/// Returns what became of an answer from here, where the agent has stopped waiting.
fn lost(face: &CardContent<'_>) -> Option<String> {
    let is_gone = matches!(
        face.entry.state,
        AskState::Settled {
            outcome: Outcome::Gone,
            ..
        }
    );
    let late = face.entry.late.as_ref().filter(|_| is_gone)?;
    let owner = owner(late, face.scene.by);
    Some(line(&words::lost(face.scene.texts, late, owner)))
}

/// Returns whose answer it was, in words for all who see the card.
fn owner<'a>(late: &'a LateAnswer, by: Answerer<'_>) -> AnswerOwner<'a> {
    if by == Answerer::Reader {
        return AnswerOwner::Reader;
    }
    let person = late
        .responder
        .as_ref()
        .and_then(|who| who.person.as_deref());
    person.map_or(AnswerOwner::Somebody, AnswerOwner::Named)
}

/// Returns the human's reason for a rejection, whole: the first line has room for a few words of
/// it.
fn written(entry: &Entry) -> Option<String> {
    let reason = |answer: &Answer| match answer {
        Answer::Grant(Grant::Reject { reason }) => reason.as_deref().map(prose),
        _ => None,
    };
    match &entry.state {
        AskState::Answering { answer, .. }
        | AskState::Settled {
            outcome: Outcome::Answered { answer, .. },
            ..
        } => reason(answer),
        AskState::Open | AskState::Settled { .. } => None,
    }
}

/// Returns what was asked, as far as the line that says what it was about leaves some of it out.
fn asked(face: &CardContent<'_>, about: &str) -> Vec<String> {
    let more = |text: String| Some(text.clone()).filter(|text| !about.ends_with(text.as_str()));
    match &face.entry.ask.kind {
        AskContent::Questions(asked) => match asked.as_slice() {
            [question] => one(face, question, more),
            several => summary(several, &ending::replies(face, several)),
        },
        AskContent::Permission(permission) => shown(permission)
            .into_iter()
            .filter_map(|(_, text)| more(text))
            .collect(),
        AskContent::Confirm(info) => more(prose(info)).into_iter().collect(),
        AskContent::Unknown(unknown) => vec![prose(&unknown.raw)],
    }
}

fn one(
    face: &CardContent<'_>,
    question: &Question,
    more: impl Fn(String) -> Option<String>,
) -> Vec<String> {
    let choices = question
        .choices
        .iter()
        .map(|choice| questions::in_full(face, choice));
    let reply = ending::replies(face, std::slice::from_ref(question))
        .into_iter()
        .flatten();
    // A long answer is cut in the first line.
    let whole = reply
        .filter(|reply| ending::is_cut(reply))
        .map(|reply| format!("✏️ {reply}"));
    whole
        .chain(more(wording(question)))
        .chain(choices)
        .collect()
}
