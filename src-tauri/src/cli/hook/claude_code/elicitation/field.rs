//! One field of a form: as a question, and what its answer is to the schema. The form as a whole is in
//! `elicitation`.

use crate::sources::opencode::wire::{OptionInfo, QuestionInfo};
use beckon_client::text::Texts;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A field, or in a form without any the form itself.
#[derive(Debug)]
pub(super) struct FormField {
    /// `None`: it stands for the whole form, which is to be accepted or not.
    pub(super) name: Option<String>,
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
pub(super) enum ChoiceMeaning {
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

impl FormField {
    pub(super) fn consent(texts: &Texts) -> Self {
        let choice = |key: &str, means: ChoiceMeaning| FieldChoice {
            label: texts.get(key),
            means,
        };
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

    pub(super) fn read(name: &str, schema: &Value, required: bool, texts: &Texts) -> Option<Self> {
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

    pub(super) fn question(&self, message: &str) -> QuestionInfo {
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
        matches!(
            self.takes,
            FieldInput::Text | FieldInput::Number | FieldInput::Integer
        )
    }

    /// What these texts are to the schema.
    pub(super) fn means(&self, texts: &[String]) -> Option<ChoiceMeaning> {
        let chosen = |text: &String| self.choices.iter().find(|choice| choice.label == *text);
        let meant: Vec<Option<&ChoiceMeaning>> = texts
            .iter()
            .map(|text| chosen(text).map(|choice| &choice.means))
            .collect();
        match (self.takes, meant.as_slice(), texts) {
            (FieldInput::Choices, ..) => several(&meant),
            (_, [Some(means)], _) => Some((*means).clone()),
            (FieldInput::Text, _, [text]) => Some(ChoiceMeaning::Value(json!(text))),
            (FieldInput::Integer, _, [text]) => Some(ChoiceMeaning::Value(json!(
                text.trim().parse::<i64>().ok()?
            ))),
            (FieldInput::Number, _, [text]) => {
                let number = text
                    .trim()
                    .parse::<f64>()
                    .ok()
                    .filter(|number| number.is_finite());
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
    meant
        .iter()
        .map(value)
        .collect::<Option<_>>()
        .map(ChoiceMeaning::Value)
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
    let titled = ["oneOf", "anyOf"]
        .iter()
        .find_map(|key| schema[*key].as_array());
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
    FieldChoice {
        label: label.to_owned(),
        means: ChoiceMeaning::Value(json!(value)),
    }
}
