//! The questions that an MCP server asks its user through Claude Code: a form of a few flat fields,
//! by <https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation>, as questions
//! of ours, and the answers as the values that its schema wants. A field by itself is in `field`,
//! what it offers to choose from in `choices`.
//!
//! A form that is understood only in part is left to the terminal: it gets no card at all.

mod choices;
mod field;
mod references;

use crate::api::{AskerBody, QuestionBody};
use beckon_client::json::fields::{list, string, text};
use beckon_client::json::order;
use beckon_client::text::Texts;
use beckon_client::wire::{AskedState, LocalAskStatus};
use choices::ChoiceMeaning;
use field::FormField;
use serde_json::{Map, Value, json};

/// The field with the form, and the one in it with the form's fields.
const SCHEMA: &str = "requested_schema";
const PROPERTIES: &str = "properties";

#[derive(Debug)]
pub(super) struct ElicitationInput {
    pub(super) mcp_server_name: String,
    message: String,
    /// Absent in older versions, which know forms only.
    mode: Option<String>,
    /// The whole schema, in which a field may refer to another part.
    schema: Value,
    /// The fields, in the order in which the server wrote them.
    properties: Vec<(String, Value)>,
    required: Vec<String>,
    /// Whether the form's fields are no object, so that it is unknown what it wants.
    is_odd: bool,
}

/// The form, as it can be filled in here.
#[derive(Debug)]
pub(super) struct ElicitationForm {
    fields: Vec<FormField>,
}

impl ElicitationInput {
    /// Reads it; a part of another type is absent. `bytes` are those of the value.
    pub(super) fn read(value: &Value, bytes: &[u8]) -> Self {
        let schema = value.get(SCHEMA).unwrap_or(&Value::Null);
        let properties = schema.get(PROPERTIES).unwrap_or(&Value::Null);
        let names = order::names(bytes, &[SCHEMA, PROPERTIES]);
        let fields = properties.as_object().cloned().unwrap_or_default();
        let required = list(schema, "required").iter();
        Self {
            mcp_server_name: text(value, "mcp_server_name").unwrap_or_default(),
            message: text(value, "message").unwrap_or_default(),
            mode: string(value, "mode"),
            schema: schema.clone(),
            properties: in_order(fields, names),
            required: required
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            is_odd: !properties.is_object() && !properties.is_null(),
        }
    }

    /// Whether a page is to be opened, and no form to be filled in.
    pub(super) fn is_of_page(&self) -> bool {
        self.mode.as_deref() == Some("url")
    }

    /// Returns the form; `None` when some of it cannot be asked here.
    pub(super) fn form(&self, texts: &Texts) -> Option<ElicitationForm> {
        if self.is_odd || self.mode.as_deref().is_some_and(|mode| mode != "form") {
            return None;
        }
        let field = |(name, schema): &(String, Value)| {
            let schema = references::resolved(schema, &self.schema)?;
            FormField::read(name, &schema, self.required.contains(name), texts)
        };
        let fields: Vec<FormField> = self.properties.iter().map(field).collect::<Option<_>>()?;
        let fields = if fields.is_empty() {
            vec![FormField::consent(texts)]
        } else {
            fields
        };
        Some(ElicitationForm { fields })
    }
}

/// Puts fields into the order of their names; those that are not named come last.
fn in_order(mut fields: Map<String, Value>, names: Vec<String>) -> Vec<(String, Value)> {
    let mut ordered: Vec<(String, Value)> = names
        .iter()
        .filter_map(|name| fields.remove_entry(name))
        .collect();
    ordered.extend(fields);
    ordered
}

impl ElicitationForm {
    pub(super) fn asking(
        &self,
        asked: &ElicitationInput,
        mut asker: AskerBody,
        texts: &Texts,
    ) -> QuestionBody {
        let agent = asker.agent.unwrap_or_default();
        asker.agent = Some(format!("{agent} · {}", asked.mcp_server_name));
        let questions = self
            .fields
            .iter()
            .map(|field| field.question(&asked.message, texts));
        QuestionBody {
            questions: questions.collect(),
            limits: self.fields.iter().map(FormField::limits).collect(),
            asker,
        }
    }

    /// Returns the decision in the form of `Elicitation`. Without an answer there is none, and
    /// neither for one that the schema does not take.
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

    /// Returns the values that were filled in; `Some(None)` when the form was declined.
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

#[cfg(test)]
mod tests;
