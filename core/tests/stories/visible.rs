//! Stories of what a stranger's text looks like on every surface. The windows' pages are tested
//! with the same table.

use beckon_core::Permission;
use beckon_core::visible::{exact, is_deceptive, is_unprintable, prose};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    text: String,
    exact: String,
    prose: String,
    deceptive: bool,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("../visible.json")).unwrap()
}

#[test]
fn what_is_hidden_is_named_and_what_misleads_is_noticed() {
    for case in cases() {
        let shown = exact(&case.text);
        assert_eq!(shown.text, case.exact);
        assert_eq!(shown.deceptive, case.deceptive, "{}", case.exact);
        assert_eq!(is_deceptive(&case.text), case.deceptive, "{}", case.exact);
        assert_eq!(prose(&case.text).text, case.prose);
    }
}

#[test]
fn of_every_character_that_there_is_none_draws_nothing_unnamed() {
    for c in (0..=0x0010_ffff).filter_map(char::from_u32) {
        let shown = exact(&format!("a{c}b")).text;
        let named = shown == format!("a⟨U+{:04X}⟩b", u32::from(c));
        assert!(named || shown == format!("a{c}b"), "{shown}");
        let plain = matches!(c, ' ' | '\n' | '\t');
        let unseen = is_unprintable(c) || c.is_whitespace();
        assert_eq!(
            named,
            unseen && !plain || matches!(c, '\u{fffd}' | '\u{2800}'),
            "{c:?}"
        );
    }
}

#[test]
fn a_text_that_was_named_is_shown_as_it_is() {
    for case in cases() {
        assert_eq!(exact(&case.exact).text.replace("\u{a0}", " "), case.exact);
    }
}

#[test]
fn prose_of_any_script_is_no_deception_but_a_hole_in_it_is() {
    let plain = [
        "می\u{200c}خواهم ادامه دهم؟",
        "👨\u{200d}👩 ok?",
        "要不要继续？\u{3000}好",
        "שלום",
    ];
    assert!(plain.iter().all(|text| !prose(text).deceptive));
    let hole = format!("Deploy?{}to production", " ".repeat(200));
    assert!(prose(&hole).deceptive && prose("a\u{202e}b").deceptive);
}

fn permission(patterns: &[&str], command: Option<&str>) -> Permission {
    let patterns = patterns
        .iter()
        .map(|pattern| (*pattern).to_owned())
        .collect();
    let permission = "bash".to_owned();
    Permission {
        permission,
        patterns,
        command: command.map(Into::into),
        ..Permission::default()
    }
}

#[test]
fn what_a_permission_wants_is_its_command_and_what_is_no_part_of_it() {
    let wish = permission(
        &["npm ci", "run_in_background: true", " "],
        Some("cd a && npm ci"),
    );
    assert_eq!(wish.wants(), ["cd a && npm ci", "run_in_background: true"]);
    assert_eq!(permission(&["a", "b"], None).wants(), ["a", "b"]);
}

#[test]
fn a_permission_is_deceptive_in_any_of_its_parts() {
    assert!(!permission(&["npm ci"], Some("npm ci")).is_deceptive());
    assert!(permission(&["x\u{200b}"], Some("npm ci")).is_deceptive());
    assert!(permission(&[], Some("npm\u{a0}ci")).is_deceptive());
    let diff = Some("+a\u{202e}b".to_owned());
    assert!(
        Permission {
            diff,
            ..Permission::default()
        }
        .is_deceptive()
    );
    assert!(
        Permission {
            permission: "ba\u{200b}sh".into(),
            ..Permission::default()
        }
        .is_deceptive()
    );
}

#[test]
fn a_sign_that_steers_the_writing_is_named_in_a_command_and_no_letter_is() {
    for odd in [
        '\u{7}',
        '\u{ad}',
        '\u{600}',
        '\u{110bd}',
        '\u{2028}',
        '\u{e0041}',
    ] {
        assert!(
            is_unprintable(odd) && exact(&format!("a{odd}b")).deceptive,
            "{odd:?}"
        );
    }
    for plain in ['a', ' ', 'é', '中', '🦀'] {
        assert!(!is_unprintable(plain), "{plain}");
    }
    assert_eq!(exact("a\u{110bd}b").text, "a⟨U+110BD⟩b");
}
