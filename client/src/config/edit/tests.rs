//! The tests of changes: what a change leaves of a file, key by key.

use super::*;

const FILE: &str = "# mine\nlanguage = \"en\" # not auto\n\n[presence]\n# a long tea\n\
                    away_after = \"3m\" # minutes\nlock_is_away = true\n";

fn set(file: &str, key: &str, new: impl Into<Value>) -> Result<String, EditError> {
    super::set(file, key, Some(&new.into()))
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

#[test]
fn one_value_changes_and_every_comment_stays() {
    let changed = set(FILE, "presence.away_after", "5m").unwrap();
    assert_eq!(changed, FILE.replace("3m", "5m"));
    let changed = set(FILE, "language", "zh-CN").unwrap();
    assert_eq!(changed, FILE.replace("\"en\"", "\"zh-CN\""));
}

#[test]
fn a_key_that_does_not_stand_yet_gets_its_section() {
    let changed = set(FILE, "escalation.after", "never").unwrap();
    assert!(changed.starts_with(FILE) && changed.contains("[escalation]\nafter = \"never\""));
    assert!(stands(&changed, "escalation.after") && !stands(FILE, "escalation.after"));
}

#[test]
fn a_key_that_goes_leaves_the_default() {
    let changed = super::set(FILE, "presence.away_after", None).unwrap();
    assert!(!stands(&changed, "presence.away_after") && changed.contains("lock_is_away"));
}

#[test]
fn what_does_not_fit_is_refused_in_words() {
    let refused = set(FILE, "presence.away_after", "soon").unwrap_err();
    assert!(refused.to_string().contains("soon") && refused.to_string().contains("3m"));
    assert!(!refused.to_string().contains('\n'), "{refused}");
    let refused = set(FILE, "presence.away", "1m").unwrap_err();
    assert_eq!(refused, EditError::NoSuchKey("presence.away".into()));
    assert!(matches!(
        set("a = [", "language", "en"),
        Err(EditError::Broken(_))
    ));
}

#[test]
fn a_section_in_one_line_can_be_changed_too() {
    let changed = set(
        "presence = { away_after = '3m' }",
        "presence.lock_is_away",
        "x",
    );
    assert!(matches!(changed, Err(EditError::Invalid(_))));
    let new = Value::Bool(false);
    let file = "presence = { away_after = '4m' }";
    let changed = super::set(file, "presence.lock_is_away", Some(&new)).unwrap();
    let (config, _) = Config::parse(&changed).unwrap();
    assert!(!config.presence.lock_is_away && config.presence.away_after == Span::minutes(4));
}

#[test]
fn every_default_is_a_value_that_its_own_key_takes() {
    for (key, default) in values(&Config::default()) {
        let file = super::set("", key, Some(&default)).unwrap();
        let (config, unknown) = Config::parse(&file).unwrap();
        assert!(unknown.is_empty(), "{unknown:?}");
        assert_eq!(config, Config::default(), "{key}");
    }
}

#[test]
fn hub_settings_exist_only_where_a_hub_was_joined() {
    let (key, no) = ("hub.share_presence", Value::Bool(false));
    let alone = "language = \"en\"\n";
    assert_eq!(
        super::set(alone, key, Some(&no)).unwrap_err(),
        EditError::NoSuchKey(key.into())
    );
    assert!(super::set(alone, key, None).is_err());
    let is_there = |file: &str| {
        let config = Config::parse(file).unwrap().0;
        super::values(&config)
            .find(|(known, _)| *known == key)
            .map(|(_, value)| value)
    };
    assert_eq!(is_there(alone), None);
    let joined = "[hub]\nurl = \"nats://127.0.0.1:1\" # mine\n";
    assert_eq!(is_there(joined), Some(Value::Bool(true)));
    let withheld = super::set(joined, key, Some(&no)).unwrap();
    assert_eq!(is_there(&withheld), Some(no));
    assert!(withheld.starts_with(joined), "{withheld}");
    assert_eq!(super::set(&withheld, key, None).unwrap(), joined);
}
