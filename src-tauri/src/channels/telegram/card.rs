//! How an ask looks on Telegram: an entry in, a message out. Pure.
//!
//! Not here: sending it, what buttons carry (`button.rs`), all else that is said (`words.rs`).

mod caution;
mod document;
pub(super) mod ending;
mod face;
mod foot;
mod keyboard;
mod permission;
mod prompt;
pub(super) mod questions;
pub(super) mod says;
mod sheet;
#[cfg(test)]
mod tests;
pub(super) mod time;

use super::html::{Html, Style, prose};
use beckon_client::text::Texts;
use beckon_core::{AskContent, AskState, CardPage, Entry, OnePress, Timestamp};
pub(super) use caution::sight;
use face::CardContent;
pub(super) use face::{name, place};
use foot::FooterNote;
use jiff::tz::TimeZone;
pub(super) use sheet::LIMIT;
use sheet::Sheet;
use std::sync::Arc;

/// A message with its buttons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CardMessage {
    /// The text, in Telegram's HTML.
    pub html: String,
    /// Rows of buttons; none once the ask is no longer open.
    pub keyboard: Vec<Vec<CardButton>>,
    /// The whole text, when it had to be cut. The same for every page of an ask, so that it is to
    /// be sent once.
    pub document: Option<CardDocument>,
    /// To be sent below the card, as long as it is there.
    pub prompt: Option<ReplyPrompt>,
}

/// A button of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CardButton {
    /// What stands on it.
    pub label: String,
    /// What it carries, see [`super::button`].
    pub data: String,
}

/// A file to send along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CardDocument {
    /// Its name.
    pub name: String,
    /// What is in it. There may be megabytes of it.
    pub text: Arc<str>,
    /// The card's text when it could not be sent.
    pub instead: String,
}

/// A message that makes the human's client begin a reply to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplyPrompt {
    /// What is to be written, in Telegram's HTML.
    pub html: String,
    /// What stands in the empty input field, 1 to 64 characters.
    pub placeholder: String,
}

/// What a card needs to know besides the ask.
#[derive(Clone, Copy)]
pub(crate) struct CardContext<'a> {
    /// The words.
    pub texts: &'a Texts,
    /// Marks the buttons of this database.
    pub seal: &'a str,
    /// The time.
    pub now: Timestamp,
    /// Where the human's clock stands.
    pub zone: &'a TimeZone,
    /// A press may have been lost while Beckon was not connected.
    pub missed: bool,
    /// What one tap may allow.
    pub one_press: OnePress,
}

/// The card of an ask, as it stands now.
pub(crate) fn card(entry: &Entry, scene: &CardContext<'_>) -> CardMessage {
    let draft = face::draft(entry);
    let open = entry.state == AskState::Open;
    let cautions = if open { caution::cautions(entry, draft.page, scene) } else { Vec::new() };
    let face = CardContent { entry, draft: &draft, scene, cautions: &cautions };
    let (html, cut) = page(&face, None).finish();
    let document = (cut && open).then(|| document::document(&face));
    let html = match &document {
        Some(document) => page(&face, Some(FooterNote::In(&document.name))).finish().0,
        None => html,
    };
    CardMessage {
        html,
        keyboard: if open { keyboard::keyboard(&face) } else { Vec::new() },
        document,
        prompt: if open { prompt::prompt(&face) } else { None },
    }
}

fn page(face: &CardContent<'_>, rest: Option<FooterNote<'_>>) -> Sheet {
    let mut sheet = Sheet::default();
    match &face.entry.ask.kind {
        AskContent::Questions(questions) => questions::body(face, questions, &mut sheet),
        AskContent::Permission(permission) => permission::body(face, permission, &mut sheet),
        AskContent::Confirm(info) => confirm(face, info, &mut sheet),
        AskContent::Unknown(unknown) => unknown_form(face, &unknown.raw, &mut sheet),
    }
    foot::foot(face, rest, &mut sheet);
    sheet
}

fn unknown_form(face: &CardContent<'_>, raw: &str, sheet: &mut Sheet) {
    sheet.fixed(face.head("❔"));
    sheet.fixed(Html::plain(&face.scene.texts.get("telegram-unknown")));
    sheet.text(Style::Plain, prose(raw));
    face.quote(sheet);
}

fn confirm(face: &CardContent<'_>, info: &str, sheet: &mut Sheet) {
    sheet.fixed(face.head("⏸"));
    sheet.text(Style::Plain, prose(info));
    if face.draft.page == CardPage::SureHidden {
        sheet.fixed(Html::bold(&face.say("telegram-sure-hidden")));
        caution::say(face, sheet);
    } else {
        sheet.fixed(Html::plain(&face.say("telegram-confirm")));
    }
    face.quote(sheet);
}
