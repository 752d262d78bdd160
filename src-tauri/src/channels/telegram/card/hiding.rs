//! What a card hides of what it may allow: that is not allowed with one tap.
//!
//! Not here: which characters hide something (`beckon_core::visible`), and what the taps do.

use super::Scene;
use super::face::Face;
use super::html::{Html, exact, units};
use super::permission::{NAME, shown};
use super::sheet::Sheet;
use beckon_core::{Draft, Entry, AskContent, OnePress, Page, Permission, Sight, visible};

/// Something that a human does not see on a card as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hiding {
    /// It could be taken for something else.
    Characters,
    /// There is more of it.
    Rest,
    /// An edit whose change nobody told.
    Change,
    /// Nobody told what it is for.
    Details,
}

impl Hiding {
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
pub(in crate::channels::telegram) fn sight(entry: &Entry, scene: &Scene<'_>) -> Sight {
    if hidings(entry, Page::Question(0), scene).is_empty() { Sight::Clear } else { Sight::Obscured }
}

/// What a page hides of what it may allow.
pub(super) fn hidings(entry: &Entry, page: Page, scene: &Scene<'_>) -> Vec<Hiding> {
    // "Sure?" asks about the front.
    let page = if page == Page::SureAlways { page } else { Page::Question(0) };
    let mut found = match &entry.ask.kind {
        _ if scene.one_press == OnePress::All => return Vec::new(),
        AskContent::Permission(permission) => of_permission(permission, page),
        AskContent::Confirm(info) if visible::prose(info).deceptive => vec![Hiding::Characters],
        AskContent::Confirm(_) => Vec::new(),
        AskContent::Questions(_) | AskContent::Unknown(_) => return Vec::new(),
    };
    if !found.contains(&Hiding::Rest) && is_cut(entry, page, scene) {
        found.push(Hiding::Rest);
    }
    found
}

/// Says what is hidden, a line for each.
pub(super) fn say(face: &Face<'_>, sheet: &mut Sheet) {
    for hiding in face.hidings {
        sheet.fixed(Html::plain(&format!("⚠️ {}", face.say(hiding.key()))));
    }
}

fn of_permission(permission: &Permission, page: Page) -> Vec<Hiding> {
    let mut always = permission.always.iter().filter(|_| page == Page::SureAlways);
    let deceptive = permission.is_deceptive() || always.any(|it| visible::is_deceptive(it));
    let without_change =
        permission.is_edit() && permission.diff.as_ref().is_none_or(|diff| diff.trim().is_empty());
    let without_details = !without_change && shown(permission).is_empty();
    let long_name = units(&exact(&permission.permission)) > NAME;
    let table = [
        (deceptive, Hiding::Characters),
        (long_name, Hiding::Rest),
        (without_change, Hiding::Change),
        (without_details, Hiding::Details),
    ];
    table.into_iter().filter_map(|(is, hiding)| is.then_some(hiding)).collect()
}

/// Does the page leave out anything?
fn is_cut(entry: &Entry, page: Page, scene: &Scene<'_>) -> bool {
    let draft = Draft { page, ..Draft::new(&entry.ask) };
    super::page(&Face { entry, draft: &draft, scene, hidings: &[] }, None).finish().1
}
