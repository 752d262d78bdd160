//! The file with the whole ask, for a card that had to be cut.

use super::CardDocument;
use super::face::{self, CardContent};
use super::foot::FooterNote;
use super::permission::{patterns, shown};
use super::questions::wording;
use crate::channels::telegram::html;
use beckon_core::{AskContent, Permission, Question};
use html::{line, prose};

pub(super) fn document(face: &CardContent<'_>) -> CardDocument {
    let session = &face.entry.ask.session;
    let (name, mut parts) = match &face.entry.ask.kind {
        AskContent::Questions(questions) => ("question.txt", questions_text(face, questions)),
        AskContent::Permission(permission) => permission_text(face, permission),
        AskContent::Confirm(info) => ("question.txt", vec![prose(info)]),
        AskContent::Unknown(unknown) => ("request.txt", vec![prose(&unknown.raw)]),
    };
    parts.insert(0, face::name(session).unwrap_or_default());
    parts.extend(
        session
            .last_words
            .as_deref()
            .map(|words| format!("{}\n{}", face.say("telegram-file-last-words"), prose(words))),
    );
    parts.retain(|part| !part.trim().is_empty());
    let instead = super::page(face, Some(FooterNote::Unsent)).finish().0;
    CardDocument {
        name: name.into(),
        text: (parts.join("\n\n") + "\n").into(),
        instead,
    }
}

fn questions_text(face: &CardContent<'_>, questions: &[Question]) -> Vec<String> {
    let count = questions.len();
    let text = |(index, question): (usize, &Question)| {
        let (number, count) = ((index + 1).into(), count.into());
        let place = face.with("telegram-place", &[("number", number), ("count", count)]);
        let head = format!("{place} · {}", line(&question.header));
        let choices = question.choices.iter().enumerate().map(|(index, choice)| {
            let texts = [prose(&choice.label), prose(&choice.description)];
            let texts = texts
                .into_iter()
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>();
            format!("{}  {}", index + 1, texts.join("\n"))
        });
        let lines = [head, wording(question)].into_iter().chain(choices);
        lines.collect::<Vec<_>>().join("\n")
    };
    questions.iter().enumerate().map(text).collect()
}

fn permission_text(face: &CardContent<'_>, permission: &Permission) -> (&'static str, Vec<String>) {
    let name = match (&permission.command, &permission.diff) {
        (Some(_), _) => "command.txt",
        (None, Some(_)) => "change.diff",
        (None, None) => "permission.txt",
    };
    let mut parts: Vec<String> = shown(permission)
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    if !permission.always.is_empty() {
        let always = patterns(permission.always.iter().map(String::as_str));
        parts.push(format!("{}\n{always}", face.say("telegram-file-always")));
    }
    (name, parts)
}
