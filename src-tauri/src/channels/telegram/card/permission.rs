//! The body of a permission's card: what is to be allowed, all of it, and what "always" would mean.

use super::caution;
use super::face::{CardContent, names};
use super::sheet::Sheet;
use crate::channels::telegram::html::{Html, Style, cut, exact, line};
use beckon_client::text::words;
use beckon_core::{AlwaysUntil, CardPage, Permission};
use std::borrow::Cow;

/// The length of a permission's name, in UTF-16 units; a longer one is cut.
pub(super) const NAME: usize = 60;
/// The length of the title, in UTF-16 units. The names of what it is about are in it, and an agent
/// can call them anything.
const TITLE: usize = 200;

pub(super) fn body(face: &CardContent<'_>, permission: &Permission, sheet: &mut Sheet) {
    let title = title(face, permission);
    let [_, session] = names(&face.entry.ask.session);
    match sure(face.draft.page) {
        None => {
            sheet.title("🔐", title);
            face.second_line([session], sheet);
        }
        Some(sure) => {
            sheet.title("🔐", face.say(sure));
            face.second_line([Some(title), session], sheet);
        }
    }
    for (style, text) in shown(permission) {
        sheet.text(style, text);
    }
    caution::say_risks(face, sheet);
    if face.draft.page == CardPage::SureAlways {
        sheet.fixed(Html::plain(&face.say(until(permission.always_until))));
        sheet.text(
            Style::Code,
            patterns(permission.always.iter().map(String::as_str)),
        );
    }
    if sure(face.draft.page).is_some() {
        caution::say(face, sheet);
    }
    face.quote(sheet);
}

/// Returns the key of the question that a page asks once more; `None` for other pages.
fn sure(page: CardPage) -> Option<&'static str> {
    match page {
        CardPage::SureAlways => Some("telegram-sure-always"),
        CardPage::SureHidden => Some("telegram-sure-once"),
        CardPage::Question(_) | CardPage::Review | CardPage::SureDismiss => None,
    }
}

/// Returns the key of the text that says how long "always" holds.
fn until(until: AlwaysUntil) -> &'static str {
    match until {
        AlwaysUntil::Unsaid => "telegram-sure-always-unsaid",
        AlwaysUntil::SessionEnds => "telegram-sure-always-session",
        AlwaysUntil::ServerStops => "telegram-sure-always-until",
        AlwaysUntil::TakenBack => "telegram-sure-always-project",
    }
}

/// Returns all that is asked for, in the order of the card.
pub(super) fn shown(permission: &Permission) -> Vec<(Style, String)> {
    let mut texts = Vec::new();
    if let Some(command) = &permission.command {
        texts.push((Style::Code, exact(command)));
    }
    let wants = permission.wants();
    let more = wants
        .iter()
        .map(Cow::as_ref)
        .filter(|want| Some(*want) != permission.command.as_deref());
    texts.push((Style::Code, patterns(more)));
    if let Some(diff) = &permission.diff {
        texts.push((Style::Diff, exact(diff)));
    }
    texts.retain(|(_, text)| !text.trim().is_empty());
    texts
}

pub(super) fn patterns<'a>(patterns: impl IntoIterator<Item = &'a str>) -> String {
    patterns
        .into_iter()
        .map(exact)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the title: `shop-api wants to run npm`. All that is asked for comes below it.
fn title(face: &CardContent<'_>, permission: &Permission) -> String {
    let place = words::place_of(face.scene.texts, &face.entry.ask);
    let purpose = face.entry.purpose().cloned();
    let purpose = purpose.unwrap_or_else(|| permission.purpose());
    let title = words::title(face.scene.texts, &place, &purpose.into());
    cut(&line(&title), TITLE)
}
