//! The meaning of "always": the changes of its permissions that Claude Code suggests, all of them,
//! as its own dialog makes them, but for this session only. Changes that it would write into a
//! settings file hold for ever, which no card says.

use beckon_client::text::Texts;
use serde_json::{Value, json};

/// The changes, and what they mean.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AlwaysRules {
    /// The changes in the form of Claude Code.
    pub(super) changes: Vec<Value>,
    /// The meaning of the changes for the human, one line for each thing that is allowed.
    pub(super) means: Vec<String>,
}

impl AlwaysRules {
    /// Reads the suggestions. `None` when nothing is suggested, or something that could not be told
    /// on a card: if only a part of the suggestions were taken, the rest would be asked again at
    /// once.
    pub(super) fn suggested(suggestions: &[Value], texts: &Texts) -> Option<Self> {
        let means: Vec<Vec<String>> = suggestions
            .iter()
            .map(|suggestion| means(suggestion, texts))
            .collect::<Option<_>>()?;
        let for_this_session = |suggestion: &Value| {
            let mut suggestion = suggestion.clone();
            suggestion["destination"] = json!("session");
            suggestion
        };
        let always = Self {
            changes: suggestions.iter().map(for_this_session).collect(),
            means: means.concat(),
        };
        (!always.means.is_empty()).then_some(always)
    }
}

/// Returns what a suggestion allows: the rules as Claude Code writes them, `Bash(npm test:*)`; the
/// directories; a mode in words.
fn means(suggestion: &Value, texts: &Texts) -> Option<Vec<String>> {
    match suggestion["type"].as_str()? {
        "addRules" if suggestion["behavior"] == "allow" => all(suggestion, "rules", rule),
        "addDirectories" => all(suggestion, "directories", |directory| {
            directory.as_str().map(str::to_owned)
        }),
        // Other modes allow far more than what is asked.
        "setMode" if suggestion["mode"] == "acceptEdits" => {
            Some(vec![texts.get("hook-accept-edits")])
        }
        _ => None,
    }
}

fn all(
    suggestion: &Value,
    key: &str,
    means: impl Fn(&Value) -> Option<String>,
) -> Option<Vec<String>> {
    let items = suggestion[key]
        .as_array()
        .filter(|items| !items.is_empty())?;
    items.iter().map(means).collect()
}

fn rule(rule: &Value) -> Option<String> {
    let tool = rule["toolName"].as_str()?;
    let content = rule["ruleContent"]
        .as_str()
        .map(|content| format!("({content})"));
    Some(format!("{tool}{}", content.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggested(suggestions: Value) -> Option<AlwaysRules> {
        AlwaysRules::suggested(suggestions.as_array().unwrap(), &Texts::load("en"))
    }

    #[test]
    fn all_that_claude_suggests_goes_together_and_for_this_session() {
        let always = suggested(json!([
            { "type": "addDirectories", "directories": ["/lab/proj"], "destination": "session" },
            { "type": "setMode", "mode": "acceptEdits", "destination": "localSettings" },
        ]));
        let always = always.unwrap();
        assert_eq!(
            always.means,
            [
                "/lab/proj",
                "file edits and common file commands, even rm -rf (the mode “accept edits”)"
            ]
        );
        let kinds: Vec<&Value> = always
            .changes
            .iter()
            .map(|change| &change["type"])
            .collect();
        assert_eq!(kinds, ["addDirectories", "setMode"]);
        assert!(
            always
                .changes
                .iter()
                .all(|change| change["destination"] == "session")
        );
    }

    #[test]
    fn what_no_card_could_tell_is_not_offered_in_part() {
        let rule =
            json!({ "type": "addRules", "behavior": "allow", "rules": [{ "toolName": "Bash" }] });
        for strange in [
            json!({ "type": "setMode", "mode": "bypassPermissions" }),
            json!({ "type": "addRules", "behavior": "deny", "rules": [{ "toolName": "Bash" }] }),
            json!({ "type": "addRules", "behavior": "allow", "rules": [{ "ruleContent": "ls" }] }),
            json!({ "type": "addDirectories", "directories": [] }),
            json!({ "type": "somethingNew" }),
            json!(7),
        ] {
            assert_eq!(suggested(json!([rule, strange])), None, "{strange}");
        }
        assert_eq!(suggested(json!([])), None);
        assert_eq!(suggested(json!([rule])).unwrap().means, ["Bash"]);
    }
}
