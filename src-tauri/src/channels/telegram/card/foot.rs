//! The last lines of a card: what is in the file, what to know before answering, and how to answer
//! without buttons.
//!
//! Not here: what became of a card that is answered (`settled.rs`).

use super::face::CardContent;
use super::sheet::Sheet;
use super::time;
use crate::channels::telegram::html::{Html, cut, line};
use beckon_client::text::words;
use beckon_core::{AskContent, CardPage, Question, ReturnReason};

/// The length of the reason why an answer came back, in UTF-16 units; a stranger's words are in it.
const RETURNED: usize = 300;

/// The place of the part of an ask that the card has no room for.
#[derive(Clone, Copy, Debug)]
pub(super) enum FooterNote<'a> {
    /// The part is in the file of that name.
    In(&'a str),
    /// The part is nowhere: the file could not be sent.
    Unsent,
}

pub(super) fn foot(face: &CardContent<'_>, rest: Option<FooterNote<'_>>, sheet: &mut Sheet) {
    let file = rest.map(|rest| match rest {
        FooterNote::In(name) => face.with("telegram-in-full", &[("name", name.into())]),
        FooterNote::Unsent => face.say("telegram-not-in-full"),
    });
    let expires = face.entry.expires.map(|at| {
        face.with(
            "telegram-expires",
            &[("time", time::clock(face.scene, at).into())],
        )
    });
    let missed = face.scene.missed.then(|| face.say("telegram-missed"));
    let returned = face.entry.returned.as_ref();
    let returned = returned.map(|why| format!("⚠️ {}", cut(&returned_in(face, why), RETURNED)));
    let beside = words::also_rejects(face.scene.texts, face.entry);
    let times = words::asked_times(face.scene.texts, face.entry);
    let agreed = words::agreed_to(face.scene.texts, face.entry);
    let scene = face.scene;
    let aside = words::attention(scene.texts, scene.zone, face.entry.attention, scene.now);
    for note in aside
        .into_iter()
        .chain(agreed)
        .chain(times)
        .chain(file)
        .chain(expires)
        .chain(missed)
        .chain(beside)
        .chain(returned)
    {
        sheet.fixed(Html::plain(&note));
    }
    if let Some(hint) = hint(face) {
        sheet.fixed(Html::plain(&hint));
    }
}

fn returned_in(face: &CardContent<'_>, why: &ReturnReason) -> String {
    line(&words::returned(face.scene.texts, why))
}

/// Returns how to answer by a reply, as far as that is possible now. A permission and a confirm have
/// a button for each answer: what a reply to them may say is in `/help`.
fn hint(face: &CardContent<'_>) -> Option<String> {
    if face.draft.awaits.is_some() {
        return Some(face.say("telegram-hint-awaited"));
    }
    let hint = match (&face.entry.ask.kind, face.draft.page) {
        (AskContent::Questions(_), CardPage::Review) => face.say("telegram-hint-review"),
        (AskContent::Questions(_), CardPage::SureDismiss) => face.say("telegram-hint-buttons"),
        (AskContent::Questions(questions), page) => {
            let index = if let CardPage::Question(index) = page {
                index
            } else {
                0
            };
            let hint = questions
                .get(index)
                .map(|question| question_hint(face, question));
            hint.unwrap_or_else(|| face.say("telegram-hint-buttons"))
        }
        (AskContent::Permission(_) | AskContent::Confirm(_), CardPage::SureHidden) => {
            face.say("telegram-hint-buttons")
        }
        (AskContent::Permission(_) | AskContent::Confirm(_), _) => return None,
        (AskContent::Unknown(_), _) => face.say("telegram-hint-unknown"),
    };
    Some(hint)
}

fn question_hint(face: &CardContent<'_>, question: &Question) -> String {
    let count = question.choices.len();
    let key = match (count, question.custom, question.multiple && count > 1) {
        (0, true, _) => "telegram-hint-own",
        (0, false, _) => "telegram-hint-nothing",
        (_, true, false) => "telegram-hint-number-own",
        (_, false, false) => "telegram-hint-number",
        (_, true, true) => "telegram-hint-numbers-own",
        (_, false, true) => "telegram-hint-numbers",
    };
    face.with(key, &[("count", count.into())])
}
