//! What `Notify` is told: actions, body, hints and how long a card stays.

use super::daemon::Extras;
use super::{NotificationAction, NotificationSound, NotificationText};
use crate::channels::desktop::keys::key;
use beckon_client::wire::Abilities;
use beckon_core::ButtonTarget;
use std::collections::HashMap;
use zbus::zvariant::Value;

/// A click on the body is the action `default`; where the daemon draws that as a button too, it
/// serves as the "Answer…" button.
pub(super) fn actions(
    seal: &str,
    target: ButtonTarget,
    notice: &NotificationText,
    draws_default: bool,
) -> Vec<String> {
    let mut actions = Vec::new();
    for button in &notice.buttons {
        let key = match button.press {
            NotificationAction::Open if draws_default => continue,
            NotificationAction::Open => "open".to_owned(),
            press => key(seal, target, press),
        };
        actions.extend([key, button.label.clone()]);
    }
    let open = notice.buttons.iter().find(|button| button.press == NotificationAction::Open);
    actions.extend(
        open.into_iter()
            .flat_map(|open| [key(seal, target, NotificationAction::Open), open.label.clone()]),
    );
    actions
}

pub(super) fn body(notice: &NotificationText, buttons: bool, markup: bool) -> String {
    let mut text = notice.body.clone();
    let answers: Vec<&str> = notice
        .buttons
        .iter()
        .filter(|button| button.press != NotificationAction::Open)
        .map(|button| button.label.as_str())
        .collect();
    if !buttons && !notice.elsewhere.is_empty() {
        text = format!("{text}\n[{}]\n{}", answers.join("] ["), notice.elsewhere);
        text = text.replace("\n[]", "");
    }
    if markup { escape(&text) } else { text }
}

/// Milliseconds; 0 is until it is closed.
pub(super) fn stays_for(notice: &NotificationText) -> i32 {
    if notice.urgent { 0 } else { 8_000 }
}

/// The specification's markup is XML: <https://specifications.freedesktop.org/notification-spec/latest/markup.html>
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Told not to disturb, the desktops let a critical one through all the same. Where nobody says
/// whether it is, the ask comes: in doubt it rings.
pub(super) fn is_critical(notice: &NotificationText, do_not_disturb: Option<bool>) -> bool {
    notice.urgent && (notice.breaks_through || do_not_disturb != Some(true))
}

/// What goes along with every card, and what `extras` the daemon takes besides.
pub(super) fn hints(
    target: ButtonTarget,
    notice: &NotificationText,
    critical: bool,
    sound: NotificationSound,
    can: (Abilities, Extras),
) -> HashMap<&'static str, Value<'static>> {
    let (abilities, extras) = can;
    let urgency: u8 = if critical { 2 } else { 1 };
    let heard = match sound {
        NotificationSound::Rings if abilities.sound => {
            Some(("sound-name", Value::from("message-new-instant")))
        }
        NotificationSound::Rings => None,
        NotificationSound::Silent => Some(("suppress-sound", Value::from(true))),
    };
    let looks = [
        ("urgency", Value::from(urgency)),
        ("category", Value::from("im.received")),
        ("desktop-entry", Value::from("beckon")),
        // Should Beckon die between showing and noting the id, dunst replaces instead of doubling.
        ("x-dunst-stack-tag", Value::from(format!("beckon-{}", target.serial))),
    ];
    // The specification groups by program alone. Plasma's list groups by program and origin.
    let origin = extras.origin && !notice.group.is_empty();
    let origin = origin.then(|| ("x-kde-origin-name", Value::from(notice.group.clone())));
    looks.into_iter().chain(heard).chain(origin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_an_agents_text_is_shown_not_obeyed() {
        assert_eq!(escape("<b>a & b</b>"), "&lt;b&gt;a &amp; b&lt;/b&gt;");
    }

    #[test]
    fn an_ask_is_critical_unless_the_desktop_is_told_not_to_disturb() {
        let ask = NotificationText { urgent: true, ..NotificationText::default() };
        let told = [None, Some(false), Some(true)];
        assert_eq!(told.map(|told| is_critical(&ask, told)), [true, true, false]);
        let through = NotificationText { breaks_through: true, ..ask };
        assert_eq!(told.map(|told| is_critical(&through, told)), [true; 3]);
        assert_eq!(told.map(|told| is_critical(&NotificationText::default(), told)), [false; 3]);
    }

    #[test]
    fn plasma_is_told_the_project_by_which_it_groups_and_nobody_else_is() {
        let notice = NotificationText { group: "shop-api".into(), ..NotificationText::default() };
        let told = |origin| {
            let can = Abilities { buttons: true, sound: true, keeps: true };
            let extras = Extras { origin, ..Extras::default() };
            let (target, sound) = (ButtonTarget::default(), NotificationSound::Silent);
            let hints = hints(target, &notice, true, sound, (can, extras));
            hints.get("x-kde-origin-name").and_then(|value| value.try_clone().ok())
        };
        assert_eq!(told(true), Some(Value::from("shop-api")));
        assert_eq!(told(false), None);
    }

    #[test]
    fn a_sound_is_named_where_there_are_any_and_forbidden_where_none_is_wanted() {
        let told = |sound, has_sounds| {
            let can = Abilities { buttons: true, sound: has_sounds, keeps: true };
            let (notice, extras) = Default::default();
            let hints = hints(ButtonTarget::default(), &notice, true, sound, (can, extras));
            let heard = ["sound-name", "suppress-sound"];
            heard.map(|hint| hints.get(hint).and_then(|value| value.try_clone().ok()))
        };
        let name = || Some(Value::from("message-new-instant"));
        assert_eq!(told(NotificationSound::Rings, true), [name(), None]);
        assert_eq!(told(NotificationSound::Rings, false), [None, None]);
        for has_sounds in [true, false] {
            assert_eq!(
                told(NotificationSound::Silent, has_sounds),
                [None, Some(Value::from(true))]
            );
        }
    }
}
