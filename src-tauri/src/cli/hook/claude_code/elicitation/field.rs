//! A field of a form: as a question, and what its answer is to the schema. The form as a whole is
//! in `elicitation`.

use super::choices::{self, ChoiceMeaning, FieldChoice};
use crate::api::LimitsBody;
use crate::sources::opencode::wire::{OptionInfo, QuestionInfo};
use beckon_client::json::exact;
use beckon_client::text::{Texts, words};
use beckon_core::visible::is_blank;
use beckon_core::{AnswerLimits, NumberBound, TextFormat};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A field, or in a form without any the form itself.
#[derive(Debug)]
pub(super) struct FormField {
    /// The field's name; `None` if it means the whole form, which is to be accepted or not.
    pub(super) name: Option<String>,
    title: String,
    description: String,
    takes: FieldInput,
    choices: Vec<FieldChoice>,
    /// The value that the field has by itself, which its human is told.
    default: Option<Value>,
    /// The limits of a text, or of the number of choices.
    limits: LimitsBody,
}

/// The kind of input that a field takes.
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
            default: None,
            limits: LimitsBody::default(),
        }
    }

    pub(super) fn read(name: &str, schema: &Value, required: bool, texts: &Texts) -> Option<Self> {
        let (schema, may_be_null) = without_null(schema);
        let schema = &schema;
        let text = |key: &str| schema[key].as_str().unwrap_or_default().to_owned();
        let (takes, mut choices) = match (schema["type"].as_str(), choices::listed(schema)) {
            (Some("array"), _) => (FieldInput::Choices, choices::listed(&schema["items"])?),
            (Some("boolean"), None) => (FieldInput::OneChoice, choices::yes_or_no(texts)),
            (_, Some(listed)) => (FieldInput::OneChoice, listed),
            (Some("string"), None) => (FieldInput::Text, Vec::new()),
            (Some("number"), None) => (FieldInput::Number, Vec::new()),
            (Some("integer"), None) => (FieldInput::Integer, Vec::new()),
            _ => return None,
        };
        let is_written = choices.is_empty();
        choices.extend(default_of(schema, texts).filter(|_| is_written));
        // If `null` is a choice of its own, that choice stands for it.
        let offers_null = choices
            .iter()
            .any(|choice| choice.means == ChoiceMeaning::Value(Value::Null));
        let may_be_empty = !required || may_be_null && !offers_null;
        if may_be_empty {
            choices.push(FieldChoice {
                label: texts.get("hook-form-empty"),
                means: ChoiceMeaning::Nothing,
            });
        }
        let mut limits = limits(takes, schema);
        limits.none = choices
            .iter()
            .position(|choice| choice.means == ChoiceMeaning::Nothing);
        // Answers come back as labels.
        let labels: BTreeSet<&str> = choices.iter().map(|choice| choice.label.as_str()).collect();
        let title = Some(text("title")).filter(|title| !title.is_empty());
        (labels.len() == choices.len()).then(|| Self {
            name: Some(name.to_owned()),
            title: title.unwrap_or_else(|| name.to_owned()),
            description: text("description"),
            takes,
            choices,
            default: schema.get("default").cloned(),
            limits,
        })
    }

    pub(super) fn question(&self, message: &str, texts: &Texts) -> QuestionInfo {
        let several = self.takes == FieldInput::Choices;
        let takes = words::limits(texts, &AnswerLimits::from(self.limits.clone()), several);
        let takes = takes.unwrap_or_default();
        let parts = [message, &self.title, &self.description, &takes];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let option = |choice: &FieldChoice| OptionInfo {
            label: choice.label.clone(),
            description: if self.is_default(choice) {
                texts.get("hook-form-default")
            } else {
                String::new()
            },
        };
        QuestionInfo {
            question: parts.join("\n"),
            header: self.title.clone(),
            options: self.choices.iter().map(option).collect(),
            multiple: Some(several),
            custom: Some(self.is_written()),
        }
    }

    /// Whether a field has that value by itself, or among others.
    fn is_default(&self, choice: &FieldChoice) -> bool {
        let ChoiceMeaning::Value(value) = &choice.means else {
            return false;
        };
        match &self.default {
            Some(Value::Array(several)) if self.takes == FieldInput::Choices => {
                several.contains(value)
            }
            default => default.as_ref() == Some(value),
        }
    }

    pub(super) fn limits(&self) -> LimitsBody {
        self.limits.clone()
    }

    fn is_written(&self) -> bool {
        matches!(
            self.takes,
            FieldInput::Text | FieldInput::Number | FieldInput::Integer
        )
    }

    /// Returns the value that these texts stand for in the schema.
    pub(super) fn means(&self, texts: &[String]) -> Option<ChoiceMeaning> {
        let chosen = |text: &String| self.choices.iter().find(|choice| choice.label == *text);
        let meant: Vec<Option<&ChoiceMeaning>> = texts
            .iter()
            .map(|text| chosen(text).map(|choice| &choice.means))
            .collect();
        match (self.takes, meant.as_slice(), texts) {
            // "Leave it empty" is no text.
            (_, [], []) if self.limits.none.is_some() => Some(ChoiceMeaning::Nothing),
            (FieldInput::Choices, ..) => several(&meant),
            (_, [Some(means)], _) => Some((*means).clone()),
            (FieldInput::Text, _, [text]) => Some(ChoiceMeaning::Value(json!(text))),
            (FieldInput::Integer, _, [text]) => {
                let number = beckon_core::whole_number(text)?;
                Some(ChoiceMeaning::Value(exact::of_double(number)))
            }
            (FieldInput::Number, _, [text]) => {
                let number = beckon_core::number(text)?;
                Some(ChoiceMeaning::Value(exact::of_double(number)))
            }
            _ => None,
        }
    }
}

/// Returns the value that a written field has by itself, as a choice
/// (<https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation>). One that could
/// be taken for another choice, or not be seen, is none.
fn default_of(schema: &Value, texts: &Texts) -> Option<FieldChoice> {
    let value = schema.get("default")?;
    let label = match (schema["type"].as_str()?, value) {
        ("string", Value::String(text)) => exact::plain(text),
        ("number" | "integer", value) => exact::digits(value)?,
        _ => return None,
    };
    let is_clear = !is_blank(&label) && label != texts.get("hook-form-empty");
    is_clear.then(|| FieldChoice {
        label,
        means: ChoiceMeaning::Value(value.clone()),
    })
}

/// Returns a schema without its `null`, and whether it had one: `anyOf` with null is how Pydantic
/// writes what is optional (<https://docs.pydantic.dev/latest/concepts/json_schema/>).
fn without_null(schema: &Value) -> (Value, bool) {
    let is_null = |one: &&Value| one["type"] == "null" || **one == "null";
    if let Some(types) = schema["type"].as_array() {
        let mut others = types.iter().filter(|one| !is_null(one));
        let mut plain = schema.clone();
        plain["type"] = others.next().cloned().unwrap_or_default();
        return (plain, types.iter().any(|one| is_null(&one)));
    }

    let listed = ["anyOf", "oneOf"]
        .iter()
        .find_map(|key| schema[*key].as_array());
    let parts = listed.map_or(&[][..], Vec::as_slice);
    let others: Vec<&Value> = parts.iter().filter(|one| !is_null(one)).collect();
    match others.as_slice() {
        [only] if others.len() < parts.len() && only.is_object() => (merged(schema, only), true),
        _ => (schema.clone(), false),
    }
}

/// Merges two schemas: the inner one says what is taken, the outer one gives names and texts.
fn merged(outer: &Value, inner: &Value) -> Value {
    let mut both = inner.clone();
    for key in ["title", "description", "default"] {
        if let Some(words) = outer.get(key) {
            both[key] = words.clone();
        }
    }
    both
}

/// Reads the limits that JSON Schema sets to a value. Most of them are allowed by
/// <https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation>.
fn limits(takes: FieldInput, schema: &Value) -> LimitsBody {
    let number = |key: &str| bound(&schema[key]);
    match takes {
        FieldInput::OneChoice => LimitsBody::default(),
        FieldInput::Choices => LimitsBody {
            least: number("minItems"),
            most: number("maxItems"),
            ..LimitsBody::default()
        },
        FieldInput::Text => LimitsBody {
            format: format(schema["format"].as_str()),
            least: number("minLength"),
            most: number("maxLength"),
            pattern: schema["pattern"].as_str().map(str::to_owned),
            ..LimitsBody::default()
        },
        FieldInput::Number => of_number(TextFormat::Number, schema),
        FieldInput::Integer => of_number(TextFormat::Integer, schema),
    }
}

/// Returns the limits of a number. Before draft 6 an exclusive bound was a truth value beside the
/// bound (<https://json-schema.org/draft-06/json-schema-release-notes>).
fn of_number(format: TextFormat, schema: &Value) -> LimitsBody {
    let bounds = |inclusive: &str, exclusive: &str| {
        let inclusive = bound(&schema[inclusive]);
        match &schema[exclusive] {
            Value::Bool(true) => (None, inclusive),
            exclusive => (inclusive, bound(exclusive)),
        }
    };
    let (least, above) = bounds("minimum", "exclusiveMinimum");
    let (most, below) = bounds("maximum", "exclusiveMaximum");

    LimitsBody {
        format,
        least,
        most,
        above,
        below,
        step: bound(&schema["multipleOf"]),
        // Claude Code is a program in JavaScript.
        as_double: true,
        ..LimitsBody::default()
    }
}

fn bound(value: &Value) -> Option<NumberBound> {
    NumberBound::parse(&exact::digits(value)?)
}

fn format(named: Option<&str>) -> TextFormat {
    match named {
        Some("email") => TextFormat::Email,
        Some("uri") => TextFormat::Uri,
        Some("date") => TextFormat::Date,
        Some("date-time") => TextFormat::DateTime,
        _ => TextFormat::Text,
    }
}

/// Returns the values of several choices. "Leave it empty" beside others is a contradiction, and
/// has none.
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
