//! The buttons of an open card, and how they lie in rows.

use super::CardButton;
use super::face::CardContent;
use crate::channels::telegram::html::{cut, line, units};
use beckon_core::{AskContent, AwaitedText, CardPage, CardTap, Permission, Question};

/// Telegram takes no more on a message (`facts` of tginfo/Telegram-Limits, issue 228).
const MOST_BUTTONS: usize = 100;
/// … and no markup of more than about 10 kB of JSON (the same, issue 187). In bytes, with a margin.
const MARKUP: usize = 8_000;
/// What the JSON of a button has besides label and data.
const FRAME: usize = 40;
/// A phone's width, in UTF-16 units.
const LABEL: usize = 40;
/// Two labels of so many columns share a row.
const SHORT: usize = 18;

pub(super) fn keyboard(face: &CardContent<'_>) -> Vec<Vec<CardButton>> {
    let groups = match (&face.entry.ask.kind, face.draft.page) {
        (AskContent::Questions(questions), page) => questions_keys(face, questions, page),
        (AskContent::Permission(_), CardPage::SureAlways) => vec![vec![
            face.press("telegram-yes-always", CardTap::Sure),
            face.press("telegram-no-back", CardTap::Keep),
        ]],
        (AskContent::Permission(_), CardPage::SureHidden) => vec![vec![
            face.press("telegram-yes-once", CardTap::SureHidden),
            face.press("telegram-no-back", CardTap::Keep),
        ]],
        (AskContent::Permission(permission), _) => permission_keys(face, permission),
        (AskContent::Confirm(_), CardPage::SureHidden) => vec![vec![
            face.press("telegram-yes-continue", CardTap::SureHidden),
            face.press("telegram-no-back", CardTap::Keep),
        ]],
        (AskContent::Confirm(_), _) => vec![vec![
            consent(face, "telegram-continue", CardTap::Continue),
            face.press("telegram-cancel", CardTap::Cancel),
        ]],
        (AskContent::Unknown(_), _) => Vec::new(),
    };
    groups.into_iter().flat_map(rows).collect()
}

/// How many choices of a question have a button; the rest is answered by number.
pub(super) fn choices_shown(face: &CardContent<'_>, index: usize, question: &Question) -> usize {
    choices(face, index, question).len()
}

fn questions_keys(
    face: &CardContent<'_>,
    questions: &[Question],
    page: CardPage,
) -> Vec<Vec<CardButton>> {
    let dismiss = face.press("telegram-dismiss", CardTap::Dismiss);
    match page {
        CardPage::SureDismiss => vec![vec![
            face.press("telegram-yes-dismiss", CardTap::Sure),
            face.press("telegram-no-back", CardTap::Keep),
        ]],
        CardPage::Review => vec![
            vec![face.press("telegram-send", CardTap::Send)],
            vec![face.press("telegram-back", CardTap::Back), dismiss],
        ],
        CardPage::Question(_) | CardPage::SureAlways | CardPage::SureHidden
            if questions.is_empty() =>
        {
            vec![vec![face.press("telegram-continue", CardTap::Send), dismiss]]
        }
        CardPage::Question(index) => question_keys(face, questions, index, dismiss),
        CardPage::SureAlways | CardPage::SureHidden => question_keys(face, questions, 0, dismiss),
    }
}

fn question_keys(
    face: &CardContent<'_>,
    questions: &[Question],
    index: usize,
    dismiss: CardButton,
) -> Vec<Vec<CardButton>> {
    let Some(question) = questions.get(index) else { return vec![vec![dismiss]] };
    let done =
        question.multiple.then(|| face.press("telegram-done", CardTap::Done { question: index }));
    let own = question.custom.then(|| own(face, index));
    let back = (index > 0).then(|| face.press("telegram-back", CardTap::Back));
    let all = questions.len() > 1 && (0..questions.len()).all(|i| face.reply(i).is_some());
    let review = all.then(|| face.press("telegram-review", CardTap::Review));
    vec![
        choices(face, index, question),
        done.into_iter().collect(),
        own.into_iter().chain([dismiss]).collect(),
        back.into_iter().chain(review).collect(),
    ]
}

fn permission_keys(face: &CardContent<'_>, permission: &Permission) -> Vec<Vec<CardButton>> {
    // Without patterns "always" allows nothing more than "once".
    let always =
        (!permission.always.is_empty()).then(|| face.press("telegram-always", CardTap::Always));
    let reason = match face.draft.awaits {
        Some(AwaitedText::Reason) => "telegram-awaited",
        _ => "telegram-reject-reason",
    };
    let once = consent(face, "telegram-once", CardTap::Once);
    let reject = face.press("telegram-reject", CardTap::Reject);
    let reason = face.press(reason, CardTap::RejectWithReason);
    vec![[once].into_iter().chain(always).collect(), vec![reject, reason]]
}

/// With dots where it asks once more.
fn consent(face: &CardContent<'_>, key: &str, tap: CardTap) -> CardButton {
    let label = face.say(key);
    match face.cautions.is_empty() {
        true => face.button(label, tap),
        false => face.button(format!("{label}…"), tap),
    }
}

/// Shows what is written already, or that it is awaited.
fn own(face: &CardContent<'_>, question: usize) -> CardButton {
    let written = face.reply(question).and_then(|reply| reply.text.as_deref());
    let label = match (face.draft.awaits, written) {
        (Some(AwaitedText::Text { question: awaited }), _) if awaited == question => {
            face.say("telegram-awaited")
        }
        (_, Some(text)) => face.with("telegram-own-text", &[("text", line(text).into())]),
        (_, None) => face.say("telegram-own"),
    };
    face.button(cut(&label, LABEL), CardTap::Own { question })
}

/// As many as there is room for.
fn choices(face: &CardContent<'_>, question: usize, asked: &Question) -> Vec<CardButton> {
    // Done, own, dismiss, back and review beside them.
    let most = MOST_BUTTONS - 5;
    let mut room = MARKUP;
    let mut buttons = Vec::new();
    for (choice, label) in labels(face, question, asked).into_iter().take(most).enumerate() {
        let button = face.button(label, CardTap::Choose { question, choice });
        let size = button.label.len() + button.data.len() + FRAME;
        if size > room {
            break;
        }
        room -= size;
        buttons.push(button);
    }
    buttons
}

/// Cut to a phone's width. Those that look the same then, or like nothing, are told apart by their
/// numbers.
fn labels(face: &CardContent<'_>, index: usize, question: &Question) -> Vec<String> {
    let whole = question.choices.iter().map(|choice| line(&choice.label));
    let whole: Vec<String> = whole.take(MOST_BUTTONS).collect();
    let short: Vec<String> = whole.iter().map(|label| cut(label, LABEL)).collect();
    let chosen = face.reply(index).map_or(&[][..], |reply| &reply.choices);
    let label = |(choice, label): (usize, &String)| {
        let twice = short.iter().filter(|other| *other == &short[choice]).count() > 1;
        let name = match (label.is_empty(), twice) {
            (true, _) => (choice + 1).to_string(),
            (_, true) => format!("{} {label}", choice + 1),
            _ => label.clone(),
        };
        let mark = match (chosen.contains(&choice), question.multiple) {
            (true, _) => "☑ ",
            (false, true) => "☐ ",
            (false, false) => "",
        };
        cut(&format!("{mark}{name}"), LABEL)
    };
    whole.iter().enumerate().map(label).collect()
}

/// Two by two where both are short, in their order.
fn rows(buttons: Vec<CardButton>) -> Vec<Vec<CardButton>> {
    let mut rows: Vec<Vec<CardButton>> = Vec::new();
    for button in buttons {
        let short = |button: &CardButton| columns(&button.label) <= SHORT;
        match rows.last_mut() {
            Some(row) if row.len() == 1 && short(&row[0]) && short(&button) => row.push(button),
            _ => rows.push(vec![button]),
        }
    }
    rows
}

/// About how wide it is drawn: Han, Kana, Hangul and emoji take two columns.
fn columns(label: &str) -> usize {
    let wide = label.chars().filter(|c| ('\u{1100}'..'\u{10000}').contains(c) && is_wide(*c));
    units(label) + wide.count()
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}')
}
