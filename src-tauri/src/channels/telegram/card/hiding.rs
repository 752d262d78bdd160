//! What a card hides of what it may allow: that is not allowed with one tap.
//!
//! Not here: which characters hide something (`beckon_core::visible`), and what the taps do.

use super::CardContext;
use super::face::CardContent;
use super::permission::{NAME, shown};
use super::sheet::Sheet;
use crate::channels::telegram::html::{Html, exact, units};
use beckon_core::{AskContent, CardPage, CardSight, Draft, Entry, OnePress, Permission, visible};

/// Something that a human does not see on a card as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HiddenContent {
    /// It could be taken for something else.
    Characters,
    /// There is more of it.
    Rest,
    /// An edit whose change nobody told.
    Change,
    /// Nobody told what it is for.
    Details,
}

impl HiddenContent {
    fn key(self) -> &'static str {
        match self {
            Self::Characters => "telegram-hides-characters",
            Self::Rest => "telegram-hides-rest",
            Self::Change => "telegram-hides-change",
            Self::Details => "telegram-hides-details",
        }
    }
}

/// Does the card show all that it may allow, as it is? Who wants to allow everything with one tap
/// has said that it does.
pub(in crate::channels::telegram) fn sight(entry: &Entry, scene: &CardContext<'_>) -> CardSight {
    if hidings(entry, CardPage::Question(0), scene).is_empty() {
        CardSight::Clear
    } else {
        CardSight::Obscured
    }
}

/// What a page hides of what it may allow.
pub(super) fn hidings(
    entry: &Entry,
    page: CardPage,
    scene: &CardContext<'_>,
) -> Vec<HiddenContent> {
    // "Sure?" asks about the front.
    let page = if page == CardPage::SureAlways { page } else { CardPage::Question(0) };
    let mut found = match &entry.ask.kind {
        _ if scene.one_press == OnePress::All => return Vec::new(),
        AskContent::Permission(permission) => of_permission(permission, page),
        AskContent::Confirm(info) if visible::prose(info).deceptive => {
            vec![HiddenContent::Characters]
        }
        AskContent::Confirm(_) => Vec::new(),
        AskContent::Questions(_) | AskContent::Unknown(_) => return Vec::new(),
    };
    if !found.contains(&HiddenContent::Rest) && is_cut(entry, page, scene) {
        found.push(HiddenContent::Rest);
    }
    found
}

/// Says what is hidden, a line for each.
pub(super) fn say(face: &CardContent<'_>, sheet: &mut Sheet) {
    for hiding in face.hidings {
        sheet.fixed(Html::plain(&format!("⚠️ {}", face.say(hiding.key()))));
    }
}

fn of_permission(permission: &Permission, page: CardPage) -> Vec<HiddenContent> {
    let mut always = permission.always.iter().filter(|_| page == CardPage::SureAlways);
    let deceptive = permission.is_deceptive() || always.any(|it| visible::is_deceptive(it));
    let without_change =
        permission.is_edit() && permission.diff.as_ref().is_none_or(|diff| diff.trim().is_empty());
    let without_details = !without_change && shown(permission).is_empty();
    let long_name = units(&exact(&permission.permission)) > NAME;
    let table = [
        (deceptive, HiddenContent::Characters),
        (long_name, HiddenContent::Rest),
        (without_change, HiddenContent::Change),
        (without_details, HiddenContent::Details),
    ];
    table.into_iter().filter_map(|(is, hiding)| is.then_some(hiding)).collect()
}

/// Does the page leave out anything?
fn is_cut(entry: &Entry, page: CardPage, scene: &CardContext<'_>) -> bool {
    let draft = Draft { page, ..Draft::new(&entry.ask) };
    super::page(&CardContent { entry, draft: &draft, scene, hidings: &[] }, None).finish().1
}
