//! The reasons why something is not allowed with one tap: it is dangerous, or the card hides some
//! of it.
//!
//! Not here: what is dangerous (`beckon_core::risk`), which characters hide something
//! (`beckon_core::visible`), and what the taps do.

use super::CardContext;
use super::face::CardContent;
use super::permission::{NAME, shown};
use super::sheet::Sheet;
use crate::channels::telegram::html::{Html, exact, units};
use beckon_client::text::words;
use beckon_core::{AskContent, CardPage, CardSight, Draft, Entry, OnePress, Permission, visible};

/// A reason for a human to look at something before they allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Caution {
    /// The request is dangerous: the card says so below the command.
    Risk,
    /// The text could be taken for another one.
    Characters,
    /// There is more than the card shows.
    Rest,
    /// The request is an edit whose change was not told.
    Change,
    /// The source did not tell what the permission is for.
    Details,
    /// The call may be given more than is known.
    Arguments,
}

impl Caution {
    fn key(self) -> Option<&'static str> {
        Some(match self {
            Self::Risk => return None,
            Self::Characters => "telegram-hides-characters",
            Self::Rest => "telegram-hides-rest",
            Self::Change => "telegram-hides-change",
            Self::Details => "telegram-hides-details",
            Self::Arguments => "telegram-hides-arguments",
        })
    }
}

/// Tells whether the card shows all that it may allow, as it is, and nothing dangerous. If the
/// human wants to allow everything with one tap, it always counts as clear.
pub(in crate::channels::telegram) fn sight(entry: &Entry, scene: &CardContext<'_>) -> CardSight {
    if cautions(entry, CardPage::Question(0), scene).is_empty() {
        CardSight::Clear
    } else {
        CardSight::Obscured
    }
}

/// Returns the reasons against a single tap on a page.
pub(super) fn cautions(entry: &Entry, page: CardPage, scene: &CardContext<'_>) -> Vec<Caution> {
    // The page that asks "Sure?" is about the front page.
    let page = if page == CardPage::SureAlways {
        page
    } else {
        CardPage::Question(0)
    };
    let mut found = match &entry.ask.kind {
        _ if scene.one_press == OnePress::All => return Vec::new(),
        AskContent::Permission(permission) => of_permission(entry, permission, page),
        AskContent::Confirm(info) if visible::prose(info).deceptive => {
            vec![Caution::Characters]
        }
        AskContent::Questions(_) if entry.ask.is_consent() && entry.is_deceptive() => {
            vec![Caution::Characters]
        }
        AskContent::Questions(_) if entry.ask.is_consent() => Vec::new(),
        AskContent::Confirm(_) => Vec::new(),
        AskContent::Questions(_) | AskContent::Unknown(_) => return Vec::new(),
    };
    if !found.contains(&Caution::Rest) && is_cut(entry, page, scene) {
        found.push(Caution::Rest);
    }
    if !entry.risks().is_empty() {
        found.push(Caution::Risk);
    }
    found
}

/// Says what is dangerous, a line for each kind.
pub(super) fn say_risks(face: &CardContent<'_>, sheet: &mut Sheet) {
    for risk in words::risks(face.scene.texts, face.entry) {
        sheet.fixed(Html::plain(&format!("⚠️ {risk}")));
    }
}

/// Says what is hidden, a line for each.
pub(super) fn say(face: &CardContent<'_>, sheet: &mut Sheet) {
    for key in face.cautions.iter().filter_map(|caution| caution.key()) {
        sheet.fixed(Html::plain(&format!("⚠️ {}", face.say(key))));
    }
}

fn of_permission(entry: &Entry, permission: &Permission, page: CardPage) -> Vec<Caution> {
    let mut always = permission
        .always
        .iter()
        .filter(|_| page == CardPage::SureAlways);
    let deceptive = entry.is_deceptive() || always.any(|it| visible::is_deceptive(it));
    let without_change = permission.is_edit()
        && permission
            .diff
            .as_ref()
            .is_none_or(|diff| diff.trim().is_empty());
    let without_details = !without_change && shown(permission).is_empty();
    let long_name = units(&exact(&permission.permission)) > NAME;
    let has_more = long_name || permission.left_out.is_some();
    let table = [
        (deceptive, Caution::Characters),
        (has_more, Caution::Rest),
        (without_change, Caution::Change),
        (without_details, Caution::Details),
        (permission.input.is_partial, Caution::Arguments),
    ];
    table
        .into_iter()
        .filter_map(|(is, caution)| is.then_some(caution))
        .collect()
}

/// Whether the page leaves anything out.
fn is_cut(entry: &Entry, page: CardPage, scene: &CardContext<'_>) -> bool {
    let draft = Draft {
        page,
        ..Draft::new(&entry.ask)
    };
    super::page(
        &CardContent {
            entry,
            draft: &draft,
            scene,
            cautions: &[],
        },
        None,
    )
    .finish()
    .1
}
