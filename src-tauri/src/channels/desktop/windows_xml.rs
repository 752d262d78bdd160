//! The XML that describes a Windows toast:
//! <https://learn.microsoft.com/windows/apps/develop/notifications/app-notifications/toast-schema>.
//!
//! Plain text in, plain text out, so that it is tested on every system. Not here: showing it.

use super::keys::key;
use super::{NotificationAction, NotificationButton, NotificationSound, NotificationText};
use beckon_core::ButtonTarget;

/// The number of actions that the schema allows.
const BUTTONS: usize = 5;

/// Returns the toast for a notice.
pub(super) fn toast(
    seal: &str,
    target: ButtonTarget,
    notice: &NotificationText,
    sound: NotificationSound,
) -> String {
    // A toast of the kind "reminder" comes unfolded and stays on the screen until it is dealt with.
    let scenario = if notice.urgent {
        " scenario=\"reminder\""
    } else {
        ""
    };
    let audio = match sound {
        NotificationSound::Rings => "src=\"ms-winsoundevent:Notification.Reminder\"",
        NotificationSound::Silent => "silent=\"true\"",
    };
    let launch = escape(&key(seal, target, NotificationAction::Open));
    format!(
        "<toast launch=\"{launch}\"{scenario}>{}\
         <visual><binding template=\"ToastGeneric\">{}</binding></visual>\
         <actions>{}</actions><audio {audio}/></toast>",
        header(&notice.group, &launch),
        texts(notice),
        actions(seal, target, notice),
    )
}

/// Returns the header below which the notification centre groups the toasts of one project. A click
/// on it is one on the toast.
fn header(group: &str, launch: &str) -> String {
    match escape(group) {
        group if group.is_empty() => group,
        group => format!("<header id=\"{group}\" title=\"{group}\" arguments=\"{launch}\"/>"),
    }
}

/// Returns the title and the body. A line of text of its own is cut after four lines, one in a
/// group is not: beside a button that allows a command, all of the command has to be seen.
fn texts(notice: &NotificationText) -> String {
    let (title, body) = (escape(&notice.title), escape(&notice.body));
    format!(
        "<text>{title}</text><group><subgroup>\
         <text hint-style=\"body\" hint-wrap=\"true\">{body}</text></subgroup></group>"
    )
}

fn actions(seal: &str, target: ButtonTarget, notice: &NotificationText) -> String {
    let action = |button: &NotificationButton| {
        let arguments = escape(&key(seal, target, button.press));
        let content = escape(&button.label);
        format!("<action content=\"{content}\" arguments=\"{arguments}\"/>")
    };
    fitting(&notice.buttons).map(action).collect()
}

/// Returns as many buttons as there is room for; the one that opens the window is never left out.
fn fitting(buttons: &[NotificationButton]) -> impl Iterator<Item = &NotificationButton> {
    let open = buttons
        .iter()
        .filter(|button| button.press == NotificationAction::Open)
        .take(1);
    let room = BUTTONS - usize::from(open.clone().next().is_some());
    buttons
        .iter()
        .filter(|button| button.press != NotificationAction::Open)
        .take(room)
        .chain(open)
}

/// Escapes text for an element or a quoted attribute. Characters that XML 1.0 does not allow are
/// left out: one of them from an agent, and Windows would refuse the whole toast.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' | ' '..='\u{fffd}' | '\u{10000}'.. => escaped.push(c),
            _ => {}
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::keys::{PressedKey, pressed};
    use super::*;
    use beckon_core::ButtonPress;

    fn choice(choice: usize, label: &str) -> NotificationButton {
        let press = NotificationAction::Press(ButtonPress::Choose {
            question: 0,
            choice,
        });
        NotificationButton {
            press,
            label: label.into(),
        }
    }

    fn notice(buttons: Vec<NotificationButton>) -> NotificationText {
        let (title, body) = ("shop-api · Which?".into(), "one\ntwo".into());
        NotificationText {
            title,
            body,
            buttons,
            urgent: true,
            ..NotificationText::default()
        }
    }

    fn open() -> NotificationButton {
        NotificationButton {
            press: NotificationAction::Open,
            label: "Answer…".into(),
        }
    }

    fn target() -> ButtonTarget {
        ButtonTarget {
            serial: 7,
            fingerprint: "0123456789".parse().unwrap(),
        }
    }

    /// Returns the values of an attribute, in order.
    fn values<'a>(xml: &'a str, name: &str) -> Vec<&'a str> {
        let start = format!(" {name}=\"");
        xml.split(&start)
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect()
    }

    #[test]
    fn a_toast_says_all_of_its_notice_and_stays() {
        let xml = toast(
            "s",
            target(),
            &notice(vec![choice(0, "A"), open()]),
            NotificationSound::Rings,
        );
        let told = "<toast launch=\"default\" scenario=\"reminder\"><visual>\
             <binding template=\"ToastGeneric\"><text>shop-api · Which?</text><group><subgroup>\
             <text hint-style=\"body\" hint-wrap=\"true\">one\ntwo</text></subgroup></group>\
             </binding></visual><actions><action content=\"A\" arguments=\"s:7:0123456789:0.0\"/>\
             <action content=\"Answer…\" arguments=\"default\"/></actions>\
             <audio src=\"ms-winsoundevent:Notification.Reminder\"/></toast>";
        assert_eq!(xml, told);
    }

    #[test]
    fn toasts_of_one_project_stand_below_its_name() {
        let group = "shop & \"api\"".into();
        let of_project = NotificationText {
            group,
            ..notice(vec![open()])
        };
        let xml = toast("s", target(), &of_project, NotificationSound::Rings);
        let name = "shop &amp; &quot;api&quot;";
        let header = format!("<header id=\"{name}\" title=\"{name}\" arguments=\"default\"/>");
        assert!(
            xml.contains(&format!("\"reminder\">{header}<visual>")),
            "{xml}"
        );
    }

    #[test]
    fn a_hint_neither_stays_nor_rings() {
        let hint = NotificationText {
            urgent: false,
            ..notice(Vec::new())
        };
        let xml = toast(
            "s",
            ButtonTarget::default(),
            &hint,
            NotificationSound::Silent,
        );
        assert!(values(&xml, "scenario").is_empty(), "{xml}");
        assert_eq!(values(&xml, "silent"), ["true"]);
    }

    #[test]
    fn an_agents_text_is_shown_not_obeyed() {
        let markup = "\"/><action content=\"x\" arguments=\"s:7:0123456789:once\"/>&amp;";
        let mut told = notice(vec![choice(0, markup), open()]);
        told.title = "</text><text>".into();
        told.body = "a < b && \"c\"".into();
        let xml = toast("s", target(), &told, NotificationSound::Rings);
        assert_eq!(values(&xml, "arguments"), ["s:7:0123456789:0.0", "default"]);
        assert!(
            xml.contains("<text>&lt;/text&gt;&lt;text&gt;</text>"),
            "{xml}"
        );
        assert!(
            xml.contains(">a &lt; b &amp;&amp; &quot;c&quot;</text>"),
            "{xml}"
        );
        assert_eq!(xml.matches("<action ").count(), 2);
    }

    #[test]
    fn characters_that_xml_has_no_place_for_are_left_out() {
        assert_eq!(escape("a\u{0}\u{1b}b\u{fffe}\u{ffff}c"), "abc");
        assert_eq!(escape("\té\n\u{fffd}\u{1f600}"), "\té\n\u{fffd}\u{1f600}");
    }

    #[test]
    fn there_are_never_more_than_five_buttons_and_the_window_is_one_of_them() {
        let many: Vec<_> = (0..9).map(|n| choice(n, "x")).chain([open()]).collect();
        let xml = toast("s", target(), &notice(many), NotificationSound::Rings);
        let arguments = values(&xml, "arguments");
        let key = |choice| format!("s:7:0123456789:0.{choice}");
        assert_eq!(
            arguments,
            [key(0), key(1), key(2), key(3), "default".into()]
        );
    }

    #[test]
    fn every_button_comes_back_as_what_it_was() {
        let presses = [
            NotificationAction::Press(ButtonPress::Once),
            NotificationAction::Press(ButtonPress::Reject),
            NotificationAction::Press(ButtonPress::Choose {
                question: 0,
                choice: 12,
            }),
        ];
        let buttons = presses.map(|press| NotificationButton {
            press,
            label: "x".into(),
        });
        let xml = toast(
            "s",
            target(),
            &notice(buttons.to_vec()),
            NotificationSound::Rings,
        );
        let back: Vec<_> = values(&xml, "arguments")
            .iter()
            .map(|a| pressed(a, "s"))
            .collect();
        let sent = presses.map(|act| match act {
            NotificationAction::Press(press) => Some(PressedKey::Button(target(), press)),
            NotificationAction::Open => Some(PressedKey::Open),
        });
        assert_eq!(back, sent);
    }
}
