//! What an MCP server asks its user through Claude Code: a form of a few flat fields, by
//! <https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation>, as questions of
//! ours, and the answers as the values that its schema wants.
//!
//! What is understood only in part is left to the terminal: it gets no card at all.

use crate::api::{Asker, Asking};
use crate::sources::opencode::wire::{OptionInfo, QuestionInfo};
use crate::text::Texts;
use crate::wire::{Asked, AskedState};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

#[derive(Debug, Deserialize)]
pub(super) struct Elicitation {
    pub(super) mcp_server_name: String,
    #[serde(default)]
    message: String,
    /// Absent in older versions, which know forms only.
    #[serde(default)]
    mode: Option<String>,
    #[serde(default)]
    requested_schema: Schema,
}

#[derive(Debug, Default, Deserialize)]
struct Schema {
    #[serde(default)]
    properties: Map<String, Value>,
    #[serde(default)]
    required: Vec<String>,
}

/// The form, as it can be filled in here.
#[derive(Debug)]
pub(super) struct Form {
    fields: Vec<Field>,
}

/// A field, or in a form without any the form itself.
#[derive(Debug)]
struct Field {
    /// `None`: it stands for the whole form, which is to be accepted or not.
    name: Option<String>,
    title: String,
    description: String,
    takes: Takes,
    choices: Vec<Choice>,
}

#[derive(Debug)]
struct Choice {
    label: String,
    means: Means,
}

#[derive(Clone, Debug, PartialEq)]
enum Means {
    /// This value.
    Value(Value),
    /// The field is left out.
    Nothing,
    /// The whole form is declined.
    Decline,
}

/// What may be written into a field, or that several of its choices go.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Takes {
    OneChoice,
    Choices,
    Text,
    Number,
    Integer,
}

impl Elicitation {
    /// `None` when some of it cannot be asked here.
    pub(super) fn form(&self, texts: &Texts) -> Option<Form> {
        if self.mode.as_deref().is_some_and(|mode| mode != "form") {
            return None;
        }
        let Schema { properties, required } = &self.requested_schema;
        let field = |(name, schema): (&String, &Value)| {
            Field::read(name, schema, required.contains(name), texts)
        };
        let fields: Vec<Field> = properties.iter().map(field).collect::<Option<_>>()?;
        let fields = if fields.is_empty() { vec![Field::consent(texts)] } else { fields };
        Some(Form { fields })
    }
}

impl Form {
    pub(super) fn asking(&self, asked: &Elicitation, mut asker: Asker) -> Asking {
        let agent = asker.agent.unwrap_or_default();
        asker.agent = Some(format!("{agent} · {}", asked.mcp_server_name));
        let questions = self.fields.iter().map(|field| field.question(&asked.message));
        Asking { questions: questions.collect(), asker }
    }

    /// In the words of `Elicitation`. Nobody's answer is no decision, and neither is one that the
    /// schema does not take.
    pub(super) fn decision(&self, asked: &Asked) -> Option<Value> {
        let action = |action: &str| json!({ "hookEventName": "Elicitation", "action": action });
        let output = match (asked.state, &asked.answers) {
            (AskedState::Dismissed, _) => action("decline"),
            (AskedState::Answered, Some(answers)) => match self.content(answers)? {
                Some(content) => {
                    let mut accepted = action("accept");
                    accepted["content"] = Value::Object(content);
                    accepted
                }
                None => action("decline"),
            },
            _ => return None,
        };
        Some(json!({ "hookSpecificOutput": output }))
    }

    /// What was filled in; `Some(None)` when it was declined.
    fn content(&self, answers: &[Vec<String>]) -> Option<Option<Map<String, Value>>> {
        if answers.len() != self.fields.len() {
            return None;
        }
        let mut content = Map::new();
        for (field, texts) in self.fields.iter().zip(answers) {
            match (field.means(texts)?, &field.name) {
                (Means::Value(value), Some(name)) => _ = content.insert(name.clone(), value),
                (Means::Decline, _) => return Some(None),
                (Means::Value(_) | Means::Nothing, _) => {}
            }
        }
        Some(Some(content))
    }
}

impl Field {
    fn consent(texts: &Texts) -> Self {
        let choice = |key: &str, means: Means| Choice { label: texts.get(key), means };
        let yes = choice("hook-form-accept", Means::Nothing);
        let no = choice("hook-form-decline", Means::Decline);
        Self {
            name: None,
            title: String::new(),
            description: String::new(),
            takes: Takes::OneChoice,
            choices: vec![yes, no],
        }
    }

    fn read(name: &str, schema: &Value, required: bool, texts: &Texts) -> Option<Self> {
        let text = |key: &str| schema[key].as_str().unwrap_or_default().to_owned();
        let (takes, mut choices) = match schema["type"].as_str()? {
            "boolean" => (Takes::OneChoice, yes_or_no(texts)),
            "array" => (Takes::Choices, listed(&schema["items"])?),
            "string" => match listed(schema) {
                Some(choices) => (Takes::OneChoice, choices),
                None => (Takes::Text, Vec::new()),
            },
            "number" => (Takes::Number, Vec::new()),
            "integer" => (Takes::Integer, Vec::new()),
            _ => return None,
        };
        if !required {
            choices.push(Choice { label: texts.get("hook-form-empty"), means: Means::Nothing });
        }
        // Answers come back as labels.
        let labels: BTreeSet<&str> = choices.iter().map(|choice| choice.label.as_str()).collect();
        let title = Some(text("title")).filter(|title| !title.is_empty());
        (labels.len() == choices.len()).then(|| Self {
            name: Some(name.to_owned()),
            title: title.unwrap_or_else(|| name.to_owned()),
            description: text("description"),
            takes,
            choices,
        })
    }

    fn question(&self, message: &str) -> QuestionInfo {
        let parts = [message, &self.title, &self.description];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let option = |choice: &Choice| OptionInfo {
            label: choice.label.clone(),
            description: String::new(),
        };
        QuestionInfo {
            question: parts.join("\n"),
            header: self.title.clone(),
            options: self.choices.iter().map(option).collect(),
            multiple: Some(self.takes == Takes::Choices),
            custom: Some(self.is_written()),
        }
    }

    fn is_written(&self) -> bool {
        matches!(self.takes, Takes::Text | Takes::Number | Takes::Integer)
    }

    /// What these texts are to the schema.
    fn means(&self, texts: &[String]) -> Option<Means> {
        let chosen = |text: &String| self.choices.iter().find(|choice| choice.label == *text);
        let meant: Vec<Option<&Means>> =
            texts.iter().map(|text| chosen(text).map(|choice| &choice.means)).collect();
        match (self.takes, meant.as_slice(), texts) {
            (Takes::Choices, ..) => several(&meant),
            (_, [Some(means)], _) => Some((*means).clone()),
            (Takes::Text, _, [text]) => Some(Means::Value(json!(text))),
            (Takes::Integer, _, [text]) => {
                Some(Means::Value(json!(text.trim().parse::<i64>().ok()?)))
            }
            (Takes::Number, _, [text]) => {
                let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
                Some(Means::Value(json!(number?)))
            }
            _ => None,
        }
    }
}

/// "Leave it empty" beside choices is a contradiction.
fn several(meant: &[Option<&Means>]) -> Option<Means> {
    if let [Some(Means::Nothing)] = meant {
        return Some(Means::Nothing);
    }
    let value = |means: &Option<&Means>| match means {
        Some(Means::Value(value)) => Some(value.clone()),
        _ => None,
    };
    meant.iter().map(value).collect::<Option<_>>().map(Means::Value)
}

fn yes_or_no(texts: &Texts) -> Vec<Choice> {
    let choice = |key: &str, value: bool| Choice {
        label: texts.get(key),
        means: Means::Value(json!(value)),
    };
    vec![choice("hook-form-yes", true), choice("hook-form-no", false)]
}

/// The values of a list: bare, with names beside them, or with titles.
fn listed(schema: &Value) -> Option<Vec<Choice>> {
    let titled = ["oneOf", "anyOf"].iter().find_map(|key| schema[*key].as_array());
    if let Some(titled) = titled {
        let choice = |item: &Value| {
            let value = item["const"].as_str()?;
            Some(choice(item["title"].as_str().unwrap_or(value), value))
        };
        return titled.iter().map(choice).collect();
    }
    let values = schema["enum"].as_array()?;
    let name = |index: usize| schema["enumNames"][index].as_str();
    let named = |(index, value): (usize, &Value)| {
        let value = value.as_str()?;
        Some(choice(name(index).unwrap_or(value), value))
    };
    values.iter().enumerate().map(named).collect()
}

fn choice(label: &str, value: &str) -> Choice {
    Choice { label: label.to_owned(), means: Means::Value(json!(value)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elicitation(schema: Value) -> Elicitation {
        let event = json!({ "mcp_server_name": "lab", "message": "Which colour?", "mode": "form",
                            "requested_schema": schema });
        serde_json::from_value(event).unwrap()
    }

    fn filled(schema: Value, answers: &[&[&str]]) -> Option<Value> {
        let form = elicitation(schema).form(&Texts::load("en"))?;
        let texts = |texts: &&[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let texts = answers.iter().map(texts).collect();
        let answered = crate::sources::local_asks::messages::Answered { texts, replies: None };
        let asked = crate::sources::local_asks::messages::End::Answered(answered);
        let decision = form.decision(&Asked::ended("id".into(), asked))?;
        Some(decision["hookSpecificOutput"].clone())
    }

    fn accepted(content: Value) -> Option<Value> {
        Some(json!({ "hookEventName": "Elicitation", "action": "accept", "content": content }))
    }

    /// The schema that Claude Code 2.1.330 passed on.
    fn recorded() -> Value {
        json!({ "type": "object", "properties": {
            "colour": { "type": "string", "title": "Colour", "enum": ["red", "blue"] },
            "sure": { "type": "boolean", "title": "Sure" } }, "required": ["colour"] })
    }

    #[test]
    fn a_form_is_answered_by_its_schema() {
        let content = json!({ "colour": "blue", "sure": true });
        assert_eq!(filled(recorded(), &[&["blue"], &["Yes"]]), accepted(content));
        let left_out = filled(recorded(), &[&["red"], &["Leave it empty"]]);
        assert_eq!(left_out, accepted(json!({ "colour": "red" })));
        assert_eq!(filled(recorded(), &[&["green"], &["Yes"]]), None);
        assert_eq!(filled(recorded(), &[&["red"]]), None);
    }

    #[test]
    fn every_kind_of_field_takes_its_own_kind_of_value() {
        let field = |schema: Value, texts: &[&str]| {
            let schema = json!({ "properties": { "it": schema }, "required": ["it"] });
            filled(schema, &[texts]).map(|output| output["content"]["it"].clone())
        };
        let titled =
            json!([{ "const": "#f00", "title": "Red" }, { "const": "#00f", "title": "Blue" }]);
        let several = json!({ "type": "array", "items": { "anyOf": titled } });
        assert_eq!(field(json!({ "type": "string" }), &["two words"]), Some(json!("two words")));
        assert_eq!(
            field(json!({ "type": "string", "oneOf": titled }), &["Red"]),
            Some(json!("#f00"))
        );
        assert_eq!(field(several.clone(), &["Red", "Blue"]), Some(json!(["#f00", "#00f"])));
        assert_eq!(field(json!({ "type": "integer" }), &[" 42 "]), Some(json!(42)));
        assert_eq!(field(json!({ "type": "integer" }), &["4.5"]), None);
        assert_eq!(field(json!({ "type": "number" }), &["4.5"]), Some(json!(4.5)));
        assert_eq!(field(json!({ "type": "number" }), &["many"]), None);
        let names = json!({ "type": "string", "enum": ["r"], "enumNames": ["Red"] });
        assert_eq!(field(names, &["Red"]), Some(json!("r")));
    }

    #[test]
    fn what_cannot_be_asked_here_is_left_to_the_terminal() {
        let texts = Texts::load("en");
        for strange in [
            json!({ "properties": { "it": { "type": "object" } } }),
            json!({ "properties": { "it": { "type": "array", "items": { "type": "string" } } } }),
            json!({ "properties": { "it": { "type": "string", "enum": ["same", "same"] } } }),
            json!({ "properties": { "it": 7 } }),
        ] {
            assert!(elicitation(strange.clone()).form(&texts).is_none(), "{strange}");
        }
        let page = json!({ "mcp_server_name": "lab", "message": "Sign in", "mode": "url" });
        let page: Elicitation = serde_json::from_value(page).unwrap();
        assert!(page.form(&texts).is_none());
    }

    #[test]
    fn a_form_without_fields_asks_for_a_yes_or_a_no() {
        let accept = filled(json!({}), &[&["Accept"]]);
        assert_eq!(accept, accepted(json!({})));
        let decline = filled(json!({}), &[&["Decline"]]).unwrap();
        assert_eq!(decline["action"], "decline");
    }
}
