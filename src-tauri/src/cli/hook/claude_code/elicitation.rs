//! What an MCP server asks its user through Claude Code: a form of a few flat fields, by
//! <https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation>, as questions of
//! ours, and the answers as the values that its schema wants.
//!
//! What is understood only in part is left to the terminal: it gets no card at all.

use crate::api::{AskerBody, QuestionBody};
use crate::sources::opencode::wire::{OptionInfo, QuestionInfo};
use beckon_client::text::Texts;
use beckon_client::wire::{AskedState, LocalAskStatus};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

#[derive(Debug, Deserialize)]
pub(super) struct ElicitationInput {
    pub(super) mcp_server_name: String,
    #[serde(default)]
    message: String,
    /// Absent in older versions, which know forms only.
    #[serde(default)]
    mode: Option<String>,
    #[serde(default)]
    requested_schema: FormSchema,
}

#[derive(Debug, Default, Deserialize)]
struct FormSchema {
    #[serde(default)]
    properties: Map<String, Value>,
    #[serde(default)]
    required: Vec<String>,
}

/// The form, as it can be filled in here.
#[derive(Debug)]
pub(super) struct ElicitationForm {
    fields: Vec<FormField>,
}

/// A field, or in a form without any the form itself.
#[derive(Debug)]
struct FormField {
    /// `None`: it stands for the whole form, which is to be accepted or not.
    name: Option<String>,
    title: String,
    description: String,
    takes: FieldInput,
    choices: Vec<FieldChoice>,
}

#[derive(Debug)]
struct FieldChoice {
    label: String,
    means: ChoiceMeaning,
}

#[derive(Clone, Debug, PartialEq)]
enum ChoiceMeaning {
    /// This value.
    Value(Value),
    /// The field is left out.
    Nothing,
    /// The whole form is declined.
    Decline,
}

/// What may be written into a field, or that several of its choices go.
#[derive(Clone, Copy, Debug, PartialEq)]
enum FieldInput {
    OneChoice,
    Choices,
    Text,
    Number,
    Integer,
}

impl ElicitationInput {
    /// `None` when some of it cannot be asked here.
    pub(super) fn form(&self, texts: &Texts) -> Option<ElicitationForm> {
        if self.mode.as_deref().is_some_and(|mode| mode != "form") {
            return None;
        }
        let FormSchema { properties, required } = &self.requested_schema;
        let field = |(name, schema): (&String, &Value)| {
            FormField::read(name, schema, required.contains(name), texts)
        };
        let fields: Vec<FormField> = properties.iter().map(field).collect::<Option<_>>()?;
        let fields = if fields.is_empty() { vec![FormField::consent(texts)] } else { fields };
        Some(ElicitationForm { fields })
    }
}

impl ElicitationForm {
    pub(super) fn asking(&self, asked: &ElicitationInput, mut asker: AskerBody) -> QuestionBody {
        let agent = asker.agent.unwrap_or_default();
        asker.agent = Some(format!("{agent} · {}", asked.mcp_server_name));
        let questions = self.fields.iter().map(|field| field.question(&asked.message));
        QuestionBody { questions: questions.collect(), asker }
    }

    /// In the words of `Elicitation`. Nobody's answer is no decision, and neither is one that the
    /// schema does not take.
    pub(super) fn decision(&self, asked: &LocalAskStatus) -> Option<Value> {
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
                (ChoiceMeaning::Value(value), Some(name)) => {
                    _ = content.insert(name.clone(), value)
                }
                (ChoiceMeaning::Decline, _) => return Some(None),
                (ChoiceMeaning::Value(_) | ChoiceMeaning::Nothing, _) => {}
            }
        }
        Some(Some(content))
    }
}

impl FormField {
    fn consent(texts: &Texts) -> Self {
        let choice = |key: &str, means: ChoiceMeaning| FieldChoice { label: texts.get(key), means };
        let yes = choice("hook-form-accept", ChoiceMeaning::Nothing);
        let no = choice("hook-form-decline", ChoiceMeaning::Decline);
        Self {
            name: None,
            title: String::new(),
            description: String::new(),
            takes: FieldInput::OneChoice,
            choices: vec![yes, no],
        }
    }

    fn read(name: &str, schema: &Value, required: bool, texts: &Texts) -> Option<Self> {
        let text = |key: &str| schema[key].as_str().unwrap_or_default().to_owned();
        let (takes, mut choices) = match schema["type"].as_str()? {
            "boolean" => (FieldInput::OneChoice, yes_or_no(texts)),
            "array" => (FieldInput::Choices, listed(&schema["items"])?),
            "string" => match listed(schema) {
                Some(choices) => (FieldInput::OneChoice, choices),
                None => (FieldInput::Text, Vec::new()),
            },
            "number" => (FieldInput::Number, Vec::new()),
            "integer" => (FieldInput::Integer, Vec::new()),
            _ => return None,
        };
        if !required {
            choices.push(FieldChoice {
                label: texts.get("hook-form-empty"),
                means: ChoiceMeaning::Nothing,
            });
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
        let option = |choice: &FieldChoice| OptionInfo {
            label: choice.label.clone(),
            description: String::new(),
        };
        QuestionInfo {
            question: parts.join("\n"),
            header: self.title.clone(),
            options: self.choices.iter().map(option).collect(),
            multiple: Some(self.takes == FieldInput::Choices),
            custom: Some(self.is_written()),
        }
    }

    fn is_written(&self) -> bool {
        matches!(self.takes, FieldInput::Text | FieldInput::Number | FieldInput::Integer)
    }

    /// What these texts are to the schema.
    fn means(&self, texts: &[String]) -> Option<ChoiceMeaning> {
        let chosen = |text: &String| self.choices.iter().find(|choice| choice.label == *text);
        let meant: Vec<Option<&ChoiceMeaning>> =
            texts.iter().map(|text| chosen(text).map(|choice| &choice.means)).collect();
        match (self.takes, meant.as_slice(), texts) {
            (FieldInput::Choices, ..) => several(&meant),
            (_, [Some(means)], _) => Some((*means).clone()),
            (FieldInput::Text, _, [text]) => Some(ChoiceMeaning::Value(json!(text))),
            (FieldInput::Integer, _, [text]) => {
                Some(ChoiceMeaning::Value(json!(text.trim().parse::<i64>().ok()?)))
            }
            (FieldInput::Number, _, [text]) => {
                let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
                Some(ChoiceMeaning::Value(json!(number?)))
            }
            _ => None,
        }
    }
}

/// "Leave it empty" beside choices is a contradiction.
fn several(meant: &[Option<&ChoiceMeaning>]) -> Option<ChoiceMeaning> {
    if let [Some(ChoiceMeaning::Nothing)] = meant {
        return Some(ChoiceMeaning::Nothing);
    }
    let value = |means: &Option<&ChoiceMeaning>| match means {
        Some(ChoiceMeaning::Value(value)) => Some(value.clone()),
        _ => None,
    };
    meant.iter().map(value).collect::<Option<_>>().map(ChoiceMeaning::Value)
}

fn yes_or_no(texts: &Texts) -> Vec<FieldChoice> {
    let choice = |key: &str, value: bool| FieldChoice {
        label: texts.get(key),
        means: ChoiceMeaning::Value(json!(value)),
    };
    vec![choice("hook-form-yes", true), choice("hook-form-no", false)]
}

/// The values of a list: bare, with names beside them, or with titles.
fn listed(schema: &Value) -> Option<Vec<FieldChoice>> {
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

fn choice(label: &str, value: &str) -> FieldChoice {
    FieldChoice { label: label.to_owned(), means: ChoiceMeaning::Value(json!(value)) }
}

#[cfg(test)]
mod tests;
