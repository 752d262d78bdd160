//! What is to be allowed, all of it, and what "always" would mean.

use super::caution;
use super::face::CardContent;
use super::sheet::Sheet;
use crate::channels::telegram::html::{Html, Style, cut, exact};
use beckon_client::config;
use beckon_client::text::words;
use beckon_core::{CardPage, Permission};

/// A longer name is cut, in UTF-16 units.
pub(super) const NAME: usize = 60;

pub(super) fn body(face: &CardContent<'_>, permission: &Permission, sheet: &mut Sheet) {
    sheet.fixed(face.head("🔐").and(Html::plain(&format!(" {}", wish(face, permission)))));
    for (style, text) in shown(permission) {
        sheet.text(style, text);
    }
    caution::say_risks(face, sheet);
    match face.draft.page {
        CardPage::SureAlways => {
            sheet.fixed(Html::bold(&face.say("telegram-sure-always")));
            sheet.text(Style::Code, patterns(permission.always.iter().map(String::as_str)));
            sheet.fixed(Html::plain(&face.say(reach(face))));
            caution::say(face, sheet);
        }
        CardPage::SureHidden => {
            sheet.fixed(Html::bold(&face.say("telegram-sure-hidden")));
            caution::say(face, sheet);
        }
        CardPage::Question(_) | CardPage::Review | CardPage::SureDismiss => {}
    }
    face.quote(sheet);
}

/// How long "always" holds: what an agent asks through Beckon itself is for its session.
fn reach(face: &CardContent<'_>) -> &'static str {
    match face.entry.ask.id.source.0.as_str() {
        config::LOCAL_ASKS => "telegram-sure-always-session",
        _ => "telegram-sure-always-until",
    }
}

/// All that is asked for, in the order of the card.
pub(super) fn shown(permission: &Permission) -> Vec<(Style, String)> {
    let mut texts = Vec::new();
    if let Some(command) = &permission.command {
        texts.push((Style::Code, exact(command)));
    }
    let more =
        permission.wants().into_iter().filter(|want| Some(*want) != permission.command.as_deref());
    texts.push((Style::Code, patterns(more)));
    if let Some(diff) = &permission.diff {
        texts.push((Style::Diff, exact(diff)));
    }
    texts.retain(|(_, text)| !text.trim().is_empty());
    texts
}

pub(super) fn patterns<'a>(patterns: impl IntoIterator<Item = &'a str>) -> String {
    patterns.into_iter().map(exact).collect::<Vec<_>>().join("\n")
}

fn wish(face: &CardContent<'_>, permission: &Permission) -> String {
    let name = cut(&exact(&permission.permission), NAME);
    words::wants(face.scene.texts, &name)
}
