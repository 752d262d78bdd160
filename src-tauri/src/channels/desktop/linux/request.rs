//! The arguments of `Notify`: actions, body, hints and how long a card stays.

use super::daemon::{Extras, NotificationDaemon};
use super::{NotificationAction, NotificationSound, NotificationText};
use crate::channels::desktop::NotificationButton;
use crate::channels::desktop::keys::key;
use beckon_client::wire::Abilities;
use beckon_core::ButtonTarget;
use std::collections::HashMap;
use zbus::zvariant::Value;

/// The key of the action that Plasma takes for a field:
/// <https://invent.kde.org/plasma/plasma-workspace/-/tree/master/libnotificationmanager>. The text
/// comes back as `NotificationReplied`, which says no more than the card's number.
const INLINE_REPLY: &str = "inline-reply";

/// Returns the actions of a card. A click on the body is the action `default`; where the daemon
/// draws that as a button too, it serves as the button that opens.
pub(super) fn actions(
    seal: &str,
    target: ButtonTarget,
    notice: &NotificationText,
    daemon: &NotificationDaemon,
) -> Vec<String> {
    let is_open = |button: &&NotificationButton| button.press == NotificationAction::Open;
    let answers = notice.buttons.iter().filter(|button| !is_open(button));
    let answers = answers.map(|button| (key(seal, target, button.press), &button.label));
    let reply = notice.reply.as_ref().filter(|_| daemon.extras.reply);
    let reply = reply.map(|field| (INLINE_REPLY.to_owned(), &field.label));
    let open = notice.buttons.iter().find(is_open);
    let button = open.filter(|_| !daemon.draws_default);
    let button = button.map(|open| ("open".to_owned(), &open.label));
    let body = open.map(|open| (key(seal, target, open.press), &open.label));
    let all = answers.chain(reply).chain(button).chain(body);
    all.flat_map(|(key, label)| [key, label.clone()]).collect()
}

pub(super) fn body(notice: &NotificationText, buttons: bool, markup: bool) -> String {
    let mut lines = vec![notice.body.clone()];
    if !buttons && !notice.elsewhere.is_empty() {
        let answers = notice.buttons.iter();
        let answers = answers.filter(|button| button.press != NotificationAction::Open);
        let answers: Vec<String> = answers.map(|it| format!("[{}]", it.label)).collect();
        lines.push(answers.join(" "));
        lines.push(notice.elsewhere.clone());
    }
    lines.retain(|line| !line.trim().is_empty());
    let text = lines.join("\n");
    if markup { escape(&text) } else { text }
}

/// Returns how long a card stays, in milliseconds; 0 means until it is closed.
pub(super) fn stays_for(notice: &NotificationText) -> i32 {
    if notice.urgent { 0 } else { 8_000 }
}

/// Escapes a text for the specification's markup, which is XML:
/// <https://specifications.freedesktop.org/notification-spec/latest/markup.html>
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Whether a card is sent as a critical one, which the desktops let through even when told not to
/// disturb. Where the desktop does not say whether it is told so, the ask comes through: in doubt
/// it rings.
pub(super) fn is_critical(notice: &NotificationText, do_not_disturb: Option<bool>) -> bool {
    notice.urgent && (notice.breaks_through || do_not_disturb != Some(true))
}

/// Returns the hints that go along with every card, and those of the `extras` that the daemon
/// takes.
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
        (
            "x-dunst-stack-tag",
            Value::from(format!("beckon-{}", target.serial)),
        ),
    ];
    // The specification groups by program alone. Plasma's list groups by program and origin.
    let origin = extras.origin && !notice.group.is_empty();
    let origin = origin.then(|| ("x-kde-origin-name", Value::from(notice.group.clone())));
    let field = notice.reply.as_ref().filter(|_| extras.reply);
    let field = field.into_iter().flat_map(|field| {
        [
            (
                "x-kde-reply-placeholder-text",
                Value::from(field.placeholder.clone()),
            ),
            (
                "x-kde-reply-submit-button-text",
                Value::from(field.send.clone()),
            ),
        ]
    });
    looks
        .into_iter()
        .chain(heard)
        .chain(origin)
        .chain(field)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_an_agents_text_is_shown_not_obeyed() {
        assert_eq!(escape("<b>a & b</b>"), "&lt;b&gt;a &amp; b&lt;/b&gt;");
    }

    #[test]
    fn a_text_that_lists_the_choices_has_no_empty_line() {
        let button = |label: &str, press| NotificationButton {
            press,
            label: label.into(),
        };
        let choice = |choice| {
            NotificationAction::Press(beckon_core::ButtonPress::Choose {
                question: 0,
                choice,
            })
        };
        let open = button("Answer…", NotificationAction::Open);
        let notice = |body: &str, buttons: Vec<NotificationButton>| NotificationText {
            body: body.into(),
            buttons,
            elsewhere: "Answer in the tray".into(),
            ..NotificationText::default()
        };
        let yes_no = vec![
            button("Yes", choice(0)),
            button("No", choice(1)),
            open.clone(),
        ];
        let said = |notice: &NotificationText| body(notice, false, false);
        assert_eq!(
            said(&notice("", yes_no.clone())),
            "[Yes] [No]\nAnswer in the tray"
        );
        assert_eq!(said(&notice("", vec![open.clone()])), "Answer in the tray");
        let own = notice("Which of\n[]\nthese?", vec![open]);
        assert_eq!(said(&own), "Which of\n[]\nthese?\nAnswer in the tray");
    }

    #[test]
    fn an_ask_is_critical_unless_the_desktop_is_told_not_to_disturb() {
        let ask = NotificationText {
            urgent: true,
            ..NotificationText::default()
        };
        let told = [None, Some(false), Some(true)];
        assert_eq!(
            told.map(|told| is_critical(&ask, told)),
            [true, true, false]
        );
        let through = NotificationText {
            breaks_through: true,
            ..ask
        };
        assert_eq!(told.map(|told| is_critical(&through, told)), [true; 3]);
        assert_eq!(
            told.map(|told| is_critical(&NotificationText::default(), told)),
            [false; 3]
        );
    }

    #[test]
    fn plasma_is_told_the_project_by_which_it_groups_and_nobody_else_is() {
        let notice = NotificationText {
            group: "shop-api".into(),
            ..NotificationText::default()
        };
        let told = |origin| {
            let can = Abilities {
                buttons: true,
                sound: true,
                keeps: true,
            };
            let extras = Extras {
                origin,
                ..Extras::default()
            };
            let (target, sound) = (ButtonTarget::default(), NotificationSound::Silent);
            let hints = hints(target, &notice, true, sound, (can, extras));
            hints
                .get("x-kde-origin-name")
                .and_then(|value| value.try_clone().ok())
        };
        assert_eq!(told(true), Some(Value::from("shop-api")));
        assert_eq!(told(false), None);
    }

    #[test]
    fn a_sound_is_named_where_there_are_any_and_forbidden_where_none_is_wanted() {
        let told = |sound, has_sounds| {
            let can = Abilities {
                buttons: true,
                sound: has_sounds,
                keeps: true,
            };
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
