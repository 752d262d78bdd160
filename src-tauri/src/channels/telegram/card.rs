//! The look of an ask on Telegram: an entry in, a message out. Pure.
//!
//! Not here: sending it, the data of buttons (`button.rs`), all else that is said (`words.rs`).

mod caution;
mod document;
pub(super) mod ending;
mod face;
mod foot;
mod keyboard;
pub(super) mod list;
mod permission;
mod prompt;
pub(super) mod questions;
pub(super) mod says;
mod settled;
mod sheet;
#[cfg(test)]
mod tests;
pub(super) mod time;

use super::html::{Style, prose};
use beckon_client::text::Texts;
use beckon_core::{AskContent, AskState, AwaitedText, CardPage, Entry, OnePress, Timestamp};
pub(super) use caution::sight;
use face::CardContent;
pub(super) use face::name;
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
    /// The message to be sent below the card, as long as that is there.
    pub prompt: Option<ReplyPrompt>,
}

/// A button of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CardButton {
    /// The text on the button.
    pub label: String,
    /// The effect of a tap on it.
    pub action: ButtonAction,
    /// The button's colour.
    pub style: Option<ButtonStyle>,
}

/// The effect of a tap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ButtonAction {
    /// Tells Beckon this data, see [`super::button`].
    Tell(String),
    /// Copies that text, at most 256 characters
    /// (<https://core.telegram.org/bots/api#copytextbutton>).
    Copy(String),
}

/// A colour of a button (<https://core.telegram.org/bots/api#inlinekeyboardbutton>, since Bot API 9.4).
/// Clients and servers that are older show the same words in grey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ButtonStyle {
    /// Green.
    Success,
    /// Red.
    Danger,
    /// Blue.
    Primary,
}

impl CardButton {
    /// Makes a button that tells Beckon `data`.
    pub(crate) fn tell(label: impl Into<String>, data: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            action: ButtonAction::Tell(data.into()),
            style: None,
        }
    }

    /// Gives the button a colour.
    #[must_use]
    pub(crate) fn styled(self, style: ButtonStyle) -> Self {
        Self {
            style: Some(style),
            ..self
        }
    }
}

/// A file to send along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CardDocument {
    /// The file's name.
    pub name: String,
    /// The content of the file, which may be megabytes.
    pub text: Arc<str>,
    /// The card's text when it could not be sent.
    pub instead: String,
}

/// A message that makes the human's client begin a reply to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReplyPrompt {
    /// The words that say what is to be written, in Telegram's HTML.
    pub html: String,
    /// The text in the empty input field, 1 to 64 characters.
    pub placeholder: String,
    /// Whether the field opens only for those who are mentioned.
    pub selective: bool,
    /// The meaning of the words that answer it.
    pub asks: AwaitedText,
}

/// The facts that a card needs besides the ask.
#[derive(Clone, Copy)]
pub(crate) struct CardContext<'a> {
    /// The words.
    pub texts: &'a Texts,
    /// The mark of the buttons of this database.
    pub seal: &'a str,
    /// The time.
    pub now: Timestamp,
    /// The time zone of the human.
    pub zone: &'a TimeZone,
    /// Whether a press may have been lost while Beckon was not connected.
    pub missed: bool,
    /// The permissions that one tap may grant.
    pub one_press: OnePress,
    /// The person who has answered on Telegram.
    pub by: Answerer<'a>,
}

/// The person who has answered an ask on Telegram, as far as that is to be said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Answerer<'a> {
    /// The reader of the card: nobody else can answer here.
    #[default]
    Reader,
    /// A person among several, by name.
    Named(&'a str),
    /// A person among several; it is not known any more who.
    Somebody,
}

/// Draws the card of an ask, as it is now.
pub(crate) fn card(entry: &Entry, scene: &CardContext<'_>) -> CardMessage {
    let draft = face::draft(entry);
    let open = entry.state == AskState::Open;
    let cautions = if open {
        caution::cautions(entry, draft.page, scene)
    } else {
        Vec::new()
    };
    let face = CardContent {
        entry,
        draft: &draft,
        scene,
        cautions: &cautions,
    };
    let (html, cut) = page(&face, None).finish();
    let document = (cut && open).then(|| document::document(&face));
    let html = match &document {
        Some(document) => page(&face, Some(FooterNote::In(&document.name))).finish().0,
        None => html,
    };
    CardMessage {
        html,
        keyboard: if open {
            keyboard::keyboard(&face)
        } else {
            Vec::new()
        },
        document,
        prompt: if open { prompt::prompt(&face) } else { None },
    }
}

fn page(face: &CardContent<'_>, rest: Option<FooterNote<'_>>) -> Sheet {
    let mut sheet = Sheet::default();
    if face.entry.state != AskState::Open {
        settled::body(face, &mut sheet);
        return sheet;
    }
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
    sheet.title("❔", face.say("telegram-unknown"));
    face.origin(sheet);
    sheet.text(Style::Plain, prose(raw));
    face.quote(sheet);
}

fn confirm(face: &CardContent<'_>, info: &str, sheet: &mut Sheet) {
    let sure = face.draft.page == CardPage::SureHidden;
    sheet.title(
        "⏸",
        face.say(if sure {
            "telegram-sure-hidden"
        } else {
            "telegram-confirm"
        }),
    );
    face.origin(sheet);
    sheet.text(Style::Plain, prose(info));
    if sure {
        caution::say(face, sheet);
    }
    face.quote(sheet);
}
