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

/// The names that agents and other tools give an argument; ours is the first.
const MULTIPLE: [&str; 3] = ["multiple", "multiSelect", "multi_select"];
const FREE_TEXT: [&str; 4] = ["free_text", "freeText", "custom", "allow_custom"];

/// The arguments as they came; their schema is that of `T`.
#[derive(Debug)]
pub(super) struct Given<T> {
    fields: Value,
    shape: PhantomData<fn() -> T>,
}

/// An argument whose meaning is not clear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnclearArgument {
    name: &'static str,
    wanted: &'static str,
    /// A right call.
    example: &'static str,
}

/// Arguments that can be read leniently.
pub(super) trait ToolArguments: Sized {
    /// A right call, for a model that made a wrong one.
    const EXAMPLE: &'static str;

    /// Reads what is meant; the error names the argument that is not clear, and what it has to be.
    fn read(fields: &Value) -> Result<Self, (&'static str, &'static str)>;
}

impl<T: ToolArguments> Given<T> {
    /// Returns what is meant.
    pub(super) fn read(&self) -> Result<T, UnclearArgument> {
        T::read(&self.fields).map_err(|(name, wanted)| UnclearArgument {
            name,
            wanted,
            example: T::EXAMPLE,
        })
    }
}

impl UnclearArgument {
    /// Returns the result for the model.
    pub(super) fn result(&self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(self.to_string())])
    }
}

impl fmt::Display for UnclearArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            wanted,
            example,
        } = self;
        write!(
            f,
            "The user saw nothing of this call: \"{name}\" has to be {wanted}. A right call: {example}"
        )
    }
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

    fn read(fields: &Value) -> Result<Self, (&'static str, &'static str)> {
        Ok(Self {
            question: values::wording(fields, "question")?,
            choices: values::choices(fields)?,
            multiple: values::truth_by(fields, &MULTIPLE)?.unwrap_or(false),
            free_text: values::truth_by(fields, &FREE_TEXT)?.unwrap_or(true),
            wait_seconds: values::seconds(fields, "wait_seconds")?,
        })
    }
}

impl ToolArguments for CheckAnswer {
    const EXAMPLE: &'static str =
        r#"{"ticket": "the ticket that ask_user returned", "wait_seconds": 60}"#;

    fn read(fields: &Value) -> Result<Self, (&'static str, &'static str)> {
        Ok(Self {
            ticket: values::wording(fields, "ticket")?,
            wait_seconds: values::seconds(fields, "wait_seconds")?,
        })
    }
}

impl ToolArguments for NotifyUser {
    const EXAMPLE: &'static str = r#"{"message": "All tests passed.", "title": "Nightly build"}"#;

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
