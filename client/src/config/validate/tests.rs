//! The tests of validation: what is said of a file that does not fit, key by key.

use super::super::{Config, edit};
use super::*;

fn invalid(file: &str) -> ConfigError {
    Config::parse(file).unwrap_err()
}

#[test]
fn the_key_and_the_value_that_do_not_fit_are_found() {
    let table = [
        ("language = 7", "language", "7"),
        (
            "[presence]\naway_after = 'soon'",
            "presence.away_after",
            "\"soon\"",
        ),
        (
            "[presence]\naway_after = 'never'",
            "presence.away_after",
            "\"never\"",
        ),
        ("[escalation]\nafter = '0s'", "escalation.after", "\"0s\""),
        (
            "[escalation]\nquiet_hours = '25:00-7'",
            "escalation.quiet_hours",
            "\"25:00-7\"",
        ),
        (
            "[telegram]\nforward = 'often'",
            "telegram.forward",
            "\"often\"",
        ),
        (
            "[permissions]\none_press = 'no'",
            "permissions.one_press",
            "\"no\"",
        ),
        (
            "[notifications]\nbreak_through = true",
            "notifications.break_through",
            "true",
        ),
        (
            "[telegram]\napi_url = 'here'",
            "telegram.api_url",
            "\"here\"",
        ),
        ("[[opencode]]\n[[opencode]]\nurl = 5", "opencode.url", "5"),
        ("[[interrupts]]\nkind = 'x'", "interrupts.kind", "\"x\""),
        ("[api]\nport = 70000", "api.port", "70000"),
    ];
    for (file, wanted, written) in table {
        let ConfigError::Value { key, value, .. } = invalid(file) else {
            panic!("{file}")
        };
        assert_eq!((key, value.as_str()), (wanted, written), "{file}");
    }
}

#[test]
fn an_address_is_taken_without_what_a_copy_brought_along() {
    let file = "[[opencode]]\nurl = \" http://box:4096\\u200b\"\n\
        [[interrupts]]\nstream = '\thttp://a/stream?user=ada'\nresume = \"http://a/resume\\n\"\n\
        [[interrupts]]\nname = 'g'\nkind = 'langgraph'\nurl = \"\\ufeffhttp://g:2024\"\n\
        [telegram]\napi_url = 'https://bots.example '\nproxy = \"\\u00a0socks5://127.0.0.1:1080\\r\\n\"\n\
        [hub]\nurl = ' nats://127.0.0.1:4222 '\n";
    let (config, _) = Config::parse(file).unwrap();

    assert_eq!(config.opencode[0].url, "http://box:4096");
    assert_eq!(config.interrupts[0].stream, "http://a/stream?user=ada");
    assert_eq!(config.interrupts[0].resume, "http://a/resume");
    assert_eq!(config.interrupts[1].url, "http://g:2024");
    assert_eq!(config.telegram.api_url, "https://bots.example");
    let proxy = config.telegram.proxy.unwrap();
    assert_eq!(proxy.to_string(), "socks5://127.0.0.1:1080");
    assert_eq!(config.hub.unwrap().url, "nats://127.0.0.1:4222");

    let wish = edit::Value::Text("\u{200b}https://bots.example\n".into());
    let set = edit::set("", "telegram.api_url", Some(&wish)).unwrap();
    assert_eq!(set, "[telegram]\napi_url = \"https://bots.example\"\n");
}

#[test]
fn an_address_with_something_that_cannot_be_in_it_is_refused_by_its_cause_and_not_quoted() {
    use AddressFault::{Blank, Fragment, Login, Query};
    let table = [
        (
            "[[opencode]]\nurl = 'http://b?pw=hunter2'",
            "opencode.url",
            Query,
        ),
        (
            "[[opencode]]\nurl = 'http://me:hunter2@b'",
            "opencode.url",
            Login,
        ),
        (
            "[telegram]\napi_url = 'https://b/#hunter2'",
            "telegram.api_url",
            Fragment,
        ),
        (
            "[[interrupts]]\nstream = 'http://b/#hunter2'",
            "interrupts.stream",
            Fragment,
        ),
        (
            "[[interrupts]]\nurl = 'http://b/?hunter2'",
            "interrupts.url",
            Query,
        ),
        (
            "[[opencode]]\nurl = \"http://b\\u2060:1\"",
            "opencode.url",
            Blank,
        ),
    ];
    for (file, wanted, cause) in table {
        let refused = invalid(file);
        let ConfigError::Address { key, fault, .. } = refused else {
            panic!("{file}: {refused:?}")
        };
        assert_eq!((key, fault), (wanted, cause), "{file}");
        assert!(!refused.to_string().contains("hunter2"), "{refused}");
    }
    for hub in ["tls://hub.example?x=1", "nats://127.0.0.1:1/#a"] {
        let refused = invalid(&format!("[hub]\nurl = '{hub}'"));
        assert!(
            matches!(refused, ConfigError::Value { key: "hub.url", .. }),
            "{hub}"
        );
    }
}

#[test]
fn what_is_no_toml_or_of_another_shape_is_told_with_its_line() {
    for (file, wanted) in [("a = 1\nb = [", 2), ("\n\npresence = 3", 3)] {
        let ConfigError::Unreadable { line, reason } = invalid(file) else {
            panic!("{file}")
        };
        assert_eq!(line, wanted, "{file}");
        assert!(!reason.is_empty() && !reason.contains('\n'), "{reason}");
    }
}

#[test]
fn a_section_that_is_a_list_of_values_is_none() {
    for file in [
        "presence = ['3m']",
        "[telegram]\n[[presence]]",
        "\nopencode = [['a', 'b']]",
    ] {
        assert!(
            matches!(invalid(file), ConfigError::Unreadable { .. }),
            "{file}"
        );
    }
    let ConfigError::Unreadable { line, reason } = invalid("\nopencode = [['a', 'b']]") else {
        panic!()
    };
    assert_eq!((line, reason.contains("opencode")), (2, true), "{reason}");
}

#[test]
fn a_value_is_told_in_a_line_and_not_at_length() {
    let file = format!(
        "[presence]\naway_after = \"\"\"a\nb{}\"\"\"",
        "x".repeat(900)
    );
    let ConfigError::Value { value, .. } = invalid(&file) else {
        panic!()
    };
    assert!(!value.contains('\n') && value.ends_with('…'), "{value}");
    assert_eq!(value.chars().count(), LONGEST + 1);
}

#[test]
fn what_may_be_the_password_of_a_proxy_is_never_told() {
    for proxy in [
        "'socks5://me:hunter2@h:1'",
        "'h:1:me:hunter2'",
        "'tg://socks?pass=hunter2'",
        "['hunter2']",
        "{ url = 'socks5://h:1', password = 'hunter2' }",
    ] {
        let invalid = invalid(&format!("[telegram]\nproxy = {proxy}"));
        assert!(matches!(invalid, ConfigError::Proxy { .. }), "{invalid:?}");
        assert!(
            !format!("{invalid} {invalid:?}").contains("hunter2"),
            "{invalid:?}"
        );
    }
}

#[test]
fn every_key_that_can_be_set_is_known_here_and_takes_its_default() {
    for (key, default) in edit::values(&Config::default()) {
        assert!(KEYS.iter().any(|(known, _)| *known == key), "{key}");
        let file = edit::set("", key, Some(&default)).unwrap();
        assert_eq!(first(&file, &file.parse().unwrap()), None, "{key}");
    }
}
