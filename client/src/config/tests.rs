//! The tests of reading: what a file gives, and what is wrong with a file that is not used.

use super::*;

#[test]
fn an_empty_file_watches_the_usual_server() {
    let (config, unknown) = Config::parse("").unwrap();
    assert_eq!(config.opencode[0].url, "http://127.0.0.1:4096");
    assert!(unknown.is_empty());
    let here = Policy {
        utc_offset: crate::platform::clock::utc_offset(),
        ..Policy::default()
    };
    assert_eq!(config.policy(), here);
}

#[test]
fn an_unknown_key_is_named_and_does_no_harm() {
    let hub = "[hub]\nurl = 'nats://127.0.0.1:4223'\nadmn = 'x'";
    let text = format!("langage = 'en'\n[presence]\nafter = 3\n{hub}");
    let (_, unknown) = Config::parse(&text).unwrap();
    assert_eq!(unknown, ["hub.admn", "langage", "presence.after"]);
}

#[test]
fn a_bad_value_is_named_with_its_key_and_what_is_allowed() {
    let error = Config::parse("[presence]\naway_after = 'soon'").unwrap_err();
    let text = format!("{error:#}");
    assert!(
        text.contains("away_after") && text.contains("soon") && text.contains("3m"),
        "{text}"
    );
}

#[test]
fn two_servers_of_one_name_are_refused() {
    let twice = "[[opencode]]\nname = 'a'\n[[opencode]]\nname = 'a'";
    assert!(format!("{:#}", Config::parse(twice).unwrap_err()).contains("twice"));
}

#[test]
fn a_service_has_its_own_name_and_two_addresses() {
    let (config, unknown) = Config::parse(
        "[[interrupts]]\nname = 'research'\nstream = 'http://x/events'\nresume = 'https://y/r'",
    )
    .unwrap();
    assert_eq!(
        (config.interrupts[0].name.as_str(), unknown.len()),
        ("research", 0)
    );
    for (wrong, told) in [
        (
            "[[interrupts]]\nstream = 'file:///etc'",
            "interrupts.stream is \"file:///etc\"",
        ),
        (
            "[[interrupts]]\nresume = 'http://me:pw@x/'",
            "interrupts.resume",
        ),
        ("[[interrupts]]\nkind = 'graph'", "langgraph"),
        (
            "[[interrupts]]\nname = 'local'\n[[opencode]]",
            "\"local\" is there twice",
        ),
        ("[[interrupts]]\nname = 'asks'", "Beckon's own"),
        ("[[interrupts]]\nname = ' '", "interrupts.name is empty"),
    ] {
        let error = format!("{:#}", Config::parse(wrong).unwrap_err());
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn never_turns_escalation_off() {
    let (config, _) = Config::parse("[escalation]\nafter = 'never'").unwrap();
    assert_eq!(config.policy().escalate_after, None);
}

#[test]
fn quiet_hours_may_pass_midnight_and_nonsense_is_named() {
    let (config, _) = Config::parse("[escalation]\nquiet_hours = '23:00-07:30'").unwrap();
    assert_eq!(
        config.escalation.quiet_hours,
        Some(QuietHours {
            from: 1380,
            to: 450
        })
    );
    let error = Config::parse("[escalation]\nquiet_hours = '25:00-7'").unwrap_err();
    assert!(format!("{error:#}").contains("25:00-7"));
}

#[test]
fn every_documented_key_is_known() {
    let all = "language = 'auto'\n[[interrupts]]\nname = 'r'\n[telegram]\nforward = 'away'\n\
               api_url = 'http://x'\n[escalation]\nafter = '10m'\nremind = 'never'\nquiet_hours = ''\n\
               [questions]\nexpire_after = '30m'\n[presence]\naway_after = '3m'\nlock_is_away = true";
    assert!(Config::parse(all).unwrap().1.is_empty());
}
