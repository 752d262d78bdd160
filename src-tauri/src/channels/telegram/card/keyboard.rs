//! The buttons of an open card, and their rows.

use super::face::CardContent;
use super::{ButtonAction, ButtonStyle, CardButton};
use crate::channels::telegram::html::{cut, exact, line, units};
use beckon_client::text::columns;
use beckon_client::text::words::{DecisionWord, decision};
use beckon_core::{AskContent, AwaitedText, CardPage, CardTap, Permission, Question};

/// The number of buttons that Telegram takes on a message (`facts` of tginfo/Telegram-Limits, issue
/// 228).
const MOST_BUTTONS: usize = 100;
/// The size of a markup in bytes, with a margin: Telegram takes about 10 kB of JSON (`facts` of
/// tginfo/Telegram-Limits, issue 187).
const MARKUP: usize = 8_000;
/// The bytes that the JSON of a button has besides label and data.
const FRAME: usize = 40;
/// The most bytes of data that a button carries.
const DATA: usize = 64;
/// The longest text that a button copies: "The text to be copied to the clipboard; 1-256
/// characters" (<https://core.telegram.org/bots/api#copytextbutton>). It is counted in UTF-16
/// units, of which a text has at least as many as characters.
const COPIED: usize = 256;
/// The length of a label, in UTF-16 units: a phone's width.
const LABEL: usize = 40;
/// The width up to which two labels share a row, in columns.
const SHORT: usize = 18;

pub(super) fn keyboard(face: &CardContent<'_>) -> Vec<Vec<CardButton>> {
    let rows = match (&face.entry.ask.kind, face.draft.page) {
        (AskContent::Questions(questions), page) => questions_keys(face, questions, page),
        (AskContent::Permission(permission), page) => permission_keys(face, permission, page),
        (AskContent::Confirm(_), CardPage::SureHidden) => {
            vec![sure(
                face,
                "telegram-yes-continue",
                CardTap::SureHidden,
                ButtonStyle::Success,
            )]
        }
        (AskContent::Confirm(_), _) => vec![vec![
            consent(face, face.say("telegram-continue"), CardTap::Continue),
            face.press("telegram-cancel", CardTap::Cancel)
                .styled(ButtonStyle::Danger),
        ]],
        (AskContent::Unknown(_), _) => Vec::new(),
    };
    rows.into_iter().filter(|row| !row.is_empty()).collect()
}

/// Returns how many choices of a question have a button; the rest is answered by number.
pub(super) fn choices_shown(face: &CardContent<'_>, index: usize, question: &Question) -> usize {
    choices(face, index, question).len()
}

/// Returns the buttons of a page that asks once more: first "back", which lies where the finger has
/// just tapped, then "yes".
fn sure(face: &CardContent<'_>, yes: &str, tap: CardTap, style: ButtonStyle) -> Vec<CardButton> {
    vec![
        face.press("telegram-no-back", CardTap::Keep),
        face.press(yes, tap).styled(style),
    ]
}

fn questions_keys(
    face: &CardContent<'_>,
    questions: &[Question],
    page: CardPage,
) -> Vec<Vec<CardButton>> {
    let dismiss = face.press("telegram-dismiss", CardTap::Dismiss);
    let shown = face.draft.shown();
    let send = |key| {
        face.press(key, CardTap::Send { shown })
            .styled(ButtonStyle::Primary)
    };
    match page {
        CardPage::SureDismiss => {
            vec![sure(
                face,
                "telegram-yes-dismiss",
                CardTap::Sure,
                ButtonStyle::Danger,
            )]
        }
        CardPage::Review => {
            let back = face.press("telegram-back", CardTap::Back { from: page });
            vec![vec![send("telegram-send")], vec![back, dismiss]]
        }
        CardPage::Question(_) | CardPage::SureAlways | CardPage::SureHidden
            if questions.is_empty() =>
        {
            vec![vec![send("telegram-continue"), dismiss]]
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
    let Some(question) = questions.get(index) else {
        return vec![vec![dismiss]];
    };
    let own = question.custom.then(|| own(face, index));
    let all = questions.len() > 1 && (0..questions.len()).all(|i| face.reply(i).is_some());
    let review = all.then(|| face.press("telegram-review", CardTap::Review));
    let from = CardPage::Question(index);
    let back = (index > 0).then(|| face.press("telegram-back", CardTap::Back { from }));
    let ways = back
        .into_iter()
        .chain(done(face, questions, index))
        .chain(review);
    let groups = [
        choices(face, index, question),
        own.into_iter().chain([dismiss]).collect(),
    ];
    groups
        .into_iter()
        .flat_map(in_rows)
        .chain([ways.collect()])
        .collect()
}

/// Returns the button that ends the choice of several: it goes on to the next question, or sends.
fn done(face: &CardContent<'_>, questions: &[Question], index: usize) -> Option<CardButton> {
    let key = if questions.len() > 1 {
        "telegram-done"
    } else {
        "telegram-send"
    };
    let multiple = questions
        .get(index)
        .is_some_and(|question| question.multiple);
    let tap = CardTap::Done {
        question: index,
        shown: face.draft.shown(),
    };
    let done = multiple.then(|| face.press(key, tap));
    done.map(|button| button.styled(ButtonStyle::Primary))
}

/// Returns the buttons of a permission: at most two rows, so that the command above them is not
/// pushed out of sight.
fn permission_keys(
    face: &CardContent<'_>,
    permission: &Permission,
    page: CardPage,
) -> Vec<Vec<CardButton>> {
    let copy: Vec<_> = copy(face, permission).into_iter().collect();
    match page {
        CardPage::SureAlways => {
            vec![
                sure(
                    face,
                    "telegram-yes-always",
                    CardTap::Sure,
                    ButtonStyle::Primary,
                ),
                copy,
            ]
        }
        CardPage::SureHidden => {
            vec![
                sure(
                    face,
                    "telegram-yes-once",
                    CardTap::SureHidden,
                    ButtonStyle::Success,
                ),
                copy,
            ]
        }
        CardPage::Question(_) | CardPage::Review | CardPage::SureDismiss => {
            front_keys(face, permission, copy)
        }
    }
}

fn front_keys(
    face: &CardContent<'_>,
    permission: &Permission,
    copy: Vec<CardButton>,
) -> Vec<Vec<CardButton>> {
    // Without patterns "always" allows nothing more than "once".
    let always =
        (!permission.always.is_empty()).then(|| face.press("telegram-always", CardTap::Always));
    let word = |word, general| decision(face.scene.texts, permission, word, general);
    let because = word(DecisionWord::RejectBecause, "telegram-reject-reason");
    let reason = match face.draft.awaits {
        Some(AwaitedText::Reason) => face.press("telegram-awaited", CardTap::RejectWithoutReason),
        _ => face.button(because, CardTap::RejectWithReason),
    };
    let once = consent(
        face,
        word(DecisionWord::Allow, "telegram-once"),
        CardTap::Once,
    );
    let reject = face
        .button(
            word(DecisionWord::Reject, "telegram-reject"),
            CardTap::Reject,
        )
        .styled(ButtonStyle::Danger);
    let beside = if always.is_some() {
        always.into_iter().collect()
    } else {
        copy
    };
    vec![
        vec![once, reject],
        beside.into_iter().chain([reason]).collect(),
    ]
}

/// Returns the button that copies the command, to be looked at or tried elsewhere. There is none
/// for a command that looks different from what it is, and none for one that is longer than what
/// can be copied.
fn copy(face: &CardContent<'_>, permission: &Permission) -> Option<CardButton> {
    let command = permission.command.as_ref()?;
    let whole = (1..=COPIED).contains(&units(command)) && !command.trim().is_empty();
    (whole && exact(command) == *command).then(|| CardButton {
        label: face.say("telegram-copy"),
        action: ButtonAction::Copy(command.clone()),
        style: None,
    })
}

/// Returns a button that allows; its label has dots if a tap asks once more.
///
/// Such a label is not green: the second tap allows, and green invites to a hasty first one.
fn consent(face: &CardContent<'_>, label: String, tap: CardTap) -> CardButton {
    if face.cautions.is_empty() {
        return face.button(label, tap).styled(ButtonStyle::Success);
    }
    face.button(format!("{label}…"), tap)
}

/// Returns the button for own words, which shows what is written already, or that it is awaited.
fn own(face: &CardContent<'_>, question: usize) -> CardButton {
    let written = face.reply(question).and_then(|reply| reply.text.as_deref());
    if face.draft.awaits == Some(AwaitedText::Text { question }) {
        return face.press("telegram-awaited", CardTap::NotOwn { question });
    }
    let label = match written {
        Some(text) => face.with("telegram-own-text", &[("text", line(text).into())]),
        None => face.say("telegram-own"),
    };
    face.button(cut(&label, LABEL), CardTap::Own { question })
}

/// Returns the buttons of the choices, as many as there is room for.
fn choices(face: &CardContent<'_>, question: usize, asked: &Question) -> Vec<CardButton> {
    // Room is left for the buttons own, dismiss, back, done and review.
    let most = MOST_BUTTONS - 5;
    let mut room = MARKUP;
    let mut buttons = Vec::new();
    for (choice, label) in labels(face, question, asked)
        .into_iter()
        .take(most)
        .enumerate()
    {
        let is_ticked = asked.multiple
            && face
                .reply(question)
                .is_some_and(|reply| reply.choices.contains(&choice));
        let tap = if is_ticked {
            CardTap::Unchoose { question, choice }
        } else {
            CardTap::Choose { question, choice }
        };
        let button = face.button(label, tap);
        let size = button.label.len() + DATA + FRAME;
        if size > room {
            break;
        }
        room -= size;
        buttons.push(button);
    }
    buttons
}

/// Returns the labels of the choices, cut to a phone's width. Those that look the same then, or
/// like nothing, are told apart by their numbers.
fn labels(face: &CardContent<'_>, index: usize, question: &Question) -> Vec<String> {
    let whole = question.choices.iter().map(|choice| line(&choice.label));
    let whole: Vec<String> = whole.take(MOST_BUTTONS).collect();
    let short: Vec<String> = whole.iter().map(|label| cut(label, LABEL)).collect();
    let chosen = face.reply(index).map_or(&[][..], |reply| &reply.choices);
    let label = |(choice, label): (usize, &String)| {
        let twice = short
            .iter()
            .filter(|other| *other == &short[choice])
            .count()
            > 1;
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

/// Puts buttons into rows in their order, two in a row where both are short.
fn in_rows(buttons: Vec<CardButton>) -> Vec<Vec<CardButton>> {
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
