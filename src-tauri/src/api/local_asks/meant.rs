//! The lenient reader of the body of `POST /question`, as models write it: lists and truth values
//! as text, bare labels, one question instead of a list. Whatever stays unclear is an error that
//! shows one right body; nothing is guessed away that a human would have seen.
//!
//! Not here: what can be asked (`body`).

use super::body::QuestionBody;
use beckon_client::json::meant::{self, Unclear};
use beckon_core::visible::is_blank;
use serde_json::{Map, Value, json};
use std::fmt;

/// The names of a question's fields, in OpenCode, in our tools and in agents.
const QUESTION: [&str; 2] = ["question", "text"];
const OPTIONS: [&str; 2] = ["options", "choices"];
const MULTIPLE: [&str; 3] = ["multiple", "multi_select", "multiSelect"];
const CUSTOM: [&str; 3] = ["custom", "free_text", "allow_custom"];

/// A right body, for a client that sent a wrong one.
const EXAMPLE: &str = r#"{"questions": [{"question": "Deploy now?", "options": [{"label": "Yes"}, {"label": "No", "description": "Wait for the tests"}], "multiple": false, "custom": true}], "timeout": "5m"}"#;

/// A reason why a body cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum UnclearBody {
    /// A field whose meaning is not clear, and what it has to be.
    Field(&'static str, &'static str),
    /// The reason in the words of the JSON reader.
    Shape(String),
}

impl fmt::Display for UnclearBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name, wanted) => write!(f, "\"{name}\" has to be {wanted}")?,
            Self::Shape(reason) => f.write_str(reason)?,
        }
        write!(f, ". A right body: {EXAMPLE}")
    }
}

/// Reads what is meant. `fields` has no nulls.
pub(super) fn question(mut fields: Map<String, Value>) -> Result<QuestionBody, UnclearBody> {
    let questions = match fields.remove("questions") {
        Some(several) => list_of_questions(&several)?,
        None => only_question(&mut fields)?,
    };
    fields.insert("questions".into(), questions.into());

    for name in ["id", "title", "agent", "directory"] {
        scalar_as_text(&mut fields, name);
    }
    for name in ["ticket", "receipts"] {
        let flag = meant::truth(fields.get(name).unwrap_or(&Value::Null));
        let flag = flag.map_err(|_| UnclearBody::Field(name, "true or false"))?;
        fields.insert(name.into(), flag.unwrap_or_default().into());
    }
    number_of_text(&mut fields, "pid");
    number_of_text(&mut fields, "timeout");

    let read = serde_json::from_value(Value::Object(fields));
    read.map_err(|error| UnclearBody::Shape(error.to_string()))
}

fn list_of_questions(value: &Value) -> Result<Vec<Value>, UnclearBody> {
    match value {
        Value::Array(items) => items
            .iter()
            .filter(|item| !item.is_null())
            .map(one)
            .collect(),
        Value::String(text) => match meant::in_text(text) {
            Some(Value::Null) => Ok(Vec::new()),
            Some(inner) => list_of_questions(&inner),
            None => Ok(vec![one(value)?]),
        },
        Value::Object(_) => Ok(vec![one(value)?]),
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            Err(UnclearBody::Field("questions", "a list of questions"))
        }
    }
}

/// Reads the only question, whose fields are those of the body itself.
fn only_question(fields: &mut Map<String, Value>) -> Result<Vec<Value>, UnclearBody> {
    let names = [&QUESTION[..], &OPTIONS, &MULTIPLE, &CUSTOM, &["header"]];
    let taken = names
        .concat()
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), fields.remove(name)?)));
    let question: Map<String, Value> = taken.collect();

    let is_asked = QUESTION.iter().any(|name| question.contains_key(*name));
    let questions = is_asked.then(|| one(&Value::Object(question)));
    questions.into_iter().collect()
}

fn one(value: &Value) -> Result<Value, UnclearBody> {
    if let Value::String(text) = value {
        let inner = meant::in_text(text).filter(Value::is_object);
        return inner.map_or_else(|| Ok(json!({ "question": text })), |inner| one(&inner));
    }
    if !value.is_object() {
        return Err(UnclearBody::Field("questions", "a list of questions"));
    }

    let truth = |names: &[&'static str]| {
        let read = meant::truth(field(value, names));
        read.map_err(|_| UnclearBody::Field(names[0], "true or false"))
    };
    let options = meant::choices_by(value, &OPTIONS);
    let options = options.map_err(|_: Unclear| {
        UnclearBody::Field(OPTIONS[0], "a list of choices, each with a \"label\"")
    })?;
    let options: Vec<Value> = options
        .into_iter()
        .map(|option| json!({ "label": option.label, "description": option.description }))
        .collect();
    Ok(json!({
        "question": wording(field(value, &QUESTION))?,
        "header": wording(&value["header"])?,
        "options": options,
        "multiple": truth(&MULTIPLE)?,
        "custom": truth(&CUSTOM)?,
    }))
}

/// Returns the field by the first of its names that says something.
fn field<'a>(value: &'a Value, names: &[&str]) -> &'a Value {
    let said = names
        .iter()
        .map(|name| &value[*name])
        .find(|it| says_something(it));
    said.unwrap_or(&Value::Null)
}

fn says_something(value: &Value) -> bool {
    !value.is_null() && !value.as_str().is_some_and(is_blank)
}

fn wording(value: &Value) -> Result<String, UnclearBody> {
    match value {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Bool(_) => Ok(value.to_string()),
        Value::Array(_) | Value::Object(_) => Err(UnclearBody::Field("question", "a text")),
    }
}

/// Turns a number or truth value into a text: a name may be a number.
fn scalar_as_text(fields: &mut Map<String, Value>, name: &str) {
    if let Some(value) = fields.get_mut(name)
        && (value.is_number() || value.is_boolean())
    {
        *value = value.to_string().into();
    }
}

/// Turns a text into a number. One with a unit stays a text, and an empty one is removed.
fn number_of_text(fields: &mut Map<String, Value>, name: &str) {
    let Some(Value::String(text)) = fields.get(name) else {
        return;
    };

    let text = text.trim().to_owned();
    if text.is_empty() {
        fields.remove(name);
    } else if let Ok(number) = text.parse::<serde_json::Number>() {
        fields.insert(name.into(), number.into());
    }
}
