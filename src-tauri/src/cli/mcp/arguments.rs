//! The arguments of the tools as models and clients write them, and not only as the schema says:
//! lists and truth values as text (<https://github.com/anthropics/claude-code/issues/22394>), bare
//! labels, `null` for what is not said. Whatever stays unclear is an error that shows one right
//! call: nothing is guessed away that a human would have seen.
//!
//! Not here: what the tools do.

#[cfg(test)]
mod tests;
mod values;

use beckon_client::json::meant;
use rmcp::model::{CallToolResult, ContentBlock};
use rmcp::schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use super::{AskUser, CheckAnswer, NotifyUser};

/// The names that clients add to the arguments on their own, for themselves:
/// <https://github.com/n8n-io/n8n/issues/21500>,
/// <https://github.com/google-gemini/gemini-cli/issues/27403>,
/// <https://github.com/cline/cline/issues/9919>. A model means nothing by them.
const OF_CLIENTS: [&str; 7] = [
    "action",
    "chatInput",
    "sessionId",
    "task_progress",
    "tool",
    "toolCallId",
    "wait_for_previous",
];
/// The names that agents and other tools give an argument; ours is the first.
const CHOICES: [&str; 2] = ["choices", "options"];
const MULTIPLE: [&str; 3] = ["multiple", "multiSelect", "multi_select"];
const FREE_TEXT: [&str; 4] = ["free_text", "freeText", "custom", "allow_custom"];

/// The arguments as they came; their schema is that of `T`.
#[derive(Debug)]
pub(super) struct Given<T> {
    fields: Value,
    shape: PhantomData<fn() -> T>,
}

/// An argument whose meaning is not clear, with a right call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnclearArgument {
    flaw: Flaw,
    example: &'static str,
}

/// The reason why an argument is not clear.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Flaw {
    /// Its value is not what it has to be.
    Value {
        name: &'static str,
        wanted: &'static str,
    },
    /// The tool has none of that name: what it was to ask for would be missing.
    Name(String),
}

/// Arguments that can be read leniently.
pub(super) trait ToolArguments: Sized {
    /// A right call, for a model that made a wrong one.
    const EXAMPLE: &'static str;
    /// The names of all arguments, each with the others that are taken for it.
    const NAMES: &'static [&'static [&'static str]];

    /// Reads what is meant; the error names the argument that is not clear, and what it has to be.
    fn read(fields: &Value) -> Result<Self, (&'static str, &'static str)>;
}

impl<T: ToolArguments> Given<T> {
    /// Returns what is meant.
    pub(super) fn read(&self) -> Result<T, UnclearArgument> {
        self.read_fields().map_err(|flaw| UnclearArgument {
            flaw,
            example: T::EXAMPLE,
        })
    }

    fn read_fields(&self) -> Result<T, Flaw> {
        let read = T::read(&self.fields);
        let read = read.map_err(|(name, wanted)| Flaw::Value { name, wanted })?;

        match self.unknown() {
            Some(name) => Err(Flaw::Name(name.to_owned())),
            None => Ok(read),
        }
    }

    /// Returns an argument that says something and that the tool does not have.
    fn unknown(&self) -> Option<&str> {
        let fields = self.fields.as_object()?;
        let said = fields.iter().filter(|(_, value)| !value.is_null());
        said.map(|(name, _)| name.as_str())
            .find(|name| !is_known::<T>(name))
    }
}

/// Whether an argument is one of the tool's, or a client's own. A leading underscore marks what is
/// not the model's, as in `_meta` of the protocol.
fn is_known<T: ToolArguments>(name: &str) -> bool {
    let is_ours = T::NAMES.iter().any(|names| names.contains(&name));
    is_ours || OF_CLIENTS.contains(&name) || name.starts_with('_')
}

impl UnclearArgument {
    /// Returns the result for the model.
    pub(super) fn result(&self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(self.to_string())])
    }
}

impl fmt::Display for UnclearArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("The user saw nothing of this call: ")?;
        match &self.flaw {
            Flaw::Value { name, wanted } => write!(f, "\"{name}\" has to be {wanted}")?,
            Flaw::Name(name) => write!(f, "there is no argument \"{}\"", brief(name))?,
        }
        write!(f, ". A right call: {}", self.example)
    }
}

/// Returns the beginning of a name, which somebody else wrote.
fn brief(name: &str) -> String {
    const LONGEST: usize = 40;

    name.chars().take(LONGEST).collect()
}

impl<'de, T> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Map::deserialize(deserializer)?;

        Ok(Self {
            fields: Value::Object(fields),
            shape: PhantomData,
        })
    }
}

impl<T: JsonSchema> JsonSchema for Given<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl ToolArguments for AskUser {
    const EXAMPLE: &'static str = r#"{"question": "Deploy now?", "choices": [{"label": "Yes"}, {"label": "No", "description": "Wait for the tests"}], "multiple": false, "free_text": true, "wait_seconds": 60}"#;
    const NAMES: &'static [&'static [&'static str]] = &[
        &["question"],
        &CHOICES,
        &MULTIPLE,
        &FREE_TEXT,
        &["wait_seconds"],
    ];

    fn read(fields: &Value) -> Result<Self, (&'static str, &'static str)> {
        Ok(Self {
            question: values::wording(fields, "question")?,
            choices: values::choices(fields, &CHOICES)?,
            multiple: values::truth_by(fields, &MULTIPLE)?.unwrap_or(false),
            free_text: values::truth_by(fields, &FREE_TEXT)?.unwrap_or(true),
            wait_seconds: values::seconds(fields, "wait_seconds")?,
        })
    }
}

impl ToolArguments for CheckAnswer {
    const EXAMPLE: &'static str =
        r#"{"ticket": "the ticket that ask_user returned", "wait_seconds": 60}"#;
    const NAMES: &'static [&'static [&'static str]] = &[&["ticket"], &["wait_seconds"]];

    fn read(fields: &Value) -> Result<Self, (&'static str, &'static str)> {
        Ok(Self {
            ticket: values::wording(fields, "ticket")?,
            wait_seconds: values::seconds(fields, "wait_seconds")?,
        })
    }
}

impl ToolArguments for NotifyUser {
    const EXAMPLE: &'static str = r#"{"message": "All tests passed.", "title": "Nightly build"}"#;
    const NAMES: &'static [&'static [&'static str]] = &[&["message"], &["title"]];

    fn read(fields: &Value) -> Result<Self, (&'static str, &'static str)> {
        let title = Some(&fields["title"]).filter(|title| !meant::says_nothing(title));

        Ok(Self {
            message: values::wording(fields, "message")?,
            title: title
                .map(|_| values::wording(fields, "title"))
                .transpose()?,
        })
    }
}
