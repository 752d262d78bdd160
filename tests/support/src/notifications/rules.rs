//! The rules that a caller of `Notify` must keep. Real daemons are lenient in different ways, so a
//! breach that passes on one is a fault on another.

use super::Shown;

/// The hints of the specification, each with its D-Bus type.
const HINTS: [(&str, &str); 12] = [
    ("urgency", "y"),
    ("category", "s"),
    ("desktop-entry", "s"),
    ("image-path", "s"),
    ("resident", "b"),
    ("transient", "b"),
    ("sound-name", "s"),
    ("suppress-sound", "b"),
    ("action-icons", "b"),
    // Plasma's own hints, which must be texts.
    ("x-kde-origin-name", "s"),
    ("x-kde-reply-placeholder-text", "s"),
    ("x-kde-reply-submit-button-text", "s"),
];

const TAGS: [&str; 9] = ["b>", "/b>", "i>", "/i>", "u>", "/u>", "a ", "/a>", "img "];
const ENTITIES: [&str; 5] = ["amp;", "lt;", "gt;", "quot;", "apos;"];

pub(super) fn breaches(shown: &Shown, capabilities: &[String]) -> Vec<String> {
    let able = |name: &str| capabilities.iter().any(|capability| capability == name);
    let mut breaches = Vec::new();
    if shown.summary.trim().is_empty() {
        breaches.push("the summary is empty".to_owned());
    }
    if !shown.actions.is_empty() && !able("actions") {
        breaches.push("actions for a daemon that has none".to_owned());
    }
    if !shown.body.is_empty() && !able("body") {
        breaches.push("a body for a daemon that has none".to_owned());
    }
    if able("body-markup") && !is_markup(&shown.body) {
        breaches.push(format!("the body is not valid markup: {}", shown.body));
    }
    if shown.actions.iter().any(|(key, _)| key == "inline-reply") && !able("inline-reply") {
        breaches.push("a field for a daemon that has none".to_owned());
    }
    if shown.hints.contains_key("x-kde-origin-name") && !able("x-kde-origin-name") {
        breaches.push("an origin for a daemon that shows none".to_owned());
    }
    breaches.extend(repeated_key(shown));
    breaches.extend(wrong_hints(shown));
    breaches
}

fn repeated_key(shown: &Shown) -> Option<String> {
    let keys: Vec<&str> = shown.actions.iter().map(|(key, _)| key.as_str()).collect();
    let repeated = keys
        .iter()
        .enumerate()
        .find(|(at, key)| keys[..*at].contains(key));
    repeated.map(|(_, key)| format!("two actions have the key {key:?}"))
}

fn wrong_hints(shown: &Shown) -> impl Iterator<Item = String> {
    HINTS.iter().filter_map(|(name, signature)| {
        let found = shown.hints.get(*name)?.value_signature().to_string();
        (found != *signature).then(|| format!("hint {name} is {found}, not {signature}"))
    })
}

/// Tells whether every `<` opens a tag that daemons know and every `&` begins an entity.
fn is_markup(body: &str) -> bool {
    let tags = body
        .split('<')
        .skip(1)
        .all(|rest| TAGS.iter().any(|tag| rest.starts_with(tag)));
    tags && body.split('&').skip(1).all(is_entity)
}

fn is_entity(rest: &str) -> bool {
    rest.starts_with('#') || ENTITIES.iter().any(|entity| rest.starts_with(entity))
}
