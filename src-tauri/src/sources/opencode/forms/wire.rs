//! The shapes of a form. Unknown fields are passed over; a missing one only makes the card poorer.

use super::super::wire::lenient::if_understood;
use super::super::wire::or_default;
use beckon_client::json::{exact, fields};
use beckon_core::NumberBound;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// A form, as `form.created` and the lists carry it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Form {
    pub(super) id: String,
    #[serde(rename = "sessionID")]
    pub(super) session_id: String,
    #[serde(default, deserialize_with = "if_understood")]
    pub(super) title: String,
    #[serde(default, deserialize_with = "if_understood")]
    pub(super) metadata: FormMetadata,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) fields: Vec<FormField>,
    /// The state, which is there only where one form is asked for.
    #[serde(default)]
    pub(super) state: Option<FormState>,
}

/// The purpose of a form.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct FormMetadata {
    /// The kind of form: `question`, …
    #[serde(default, deserialize_with = "if_understood")]
    pub(super) kind: Option<String>,
    /// The call that waits.
    #[serde(default, deserialize_with = "if_understood")]
    pub(super) tool: Option<FormTool>,
}

/// The call behind a form.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct FormTool {
    #[serde(rename = "messageID")]
    pub(super) message_id: String,
    pub(super) id: String,
}

/// The state of a form.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "status", rename_all = "lowercase")]
pub(super) enum FormState {
    Pending,
    Answered {
        answer: Map<String, Value>,
    },
    Cancelled,
    #[serde(other)]
    Unknown,
}

/// A field of a form.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct FormField {
    pub(super) key: String,
    #[serde(default)]
    pub(super) title: Option<String>,
    #[serde(default)]
    pub(super) description: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) required: bool,
    /// Whether nobody is asked and the default goes back.
    #[serde(default, deserialize_with = "or_default")]
    pub(super) hidden: bool,
    /// The conditions that must all hold for the field to count.
    #[serde(default, deserialize_with = "one_or_many")]
    pub(super) when: Vec<FieldCondition>,
    #[serde(flatten)]
    pub(super) kind: FieldKind,
}

/// The kind of value that a field takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "lowercase",
    rename_all_fields = "camelCase"
)]
pub(super) enum FieldKind {
    String {
        #[serde(default)]
        format: Option<String>,
        #[serde(default, deserialize_with = "finite")]
        min_length: Option<NumberBound>,
        #[serde(default, deserialize_with = "finite")]
        max_length: Option<NumberBound>,
        #[serde(default, deserialize_with = "if_understood")]
        pattern: Option<String>,
        #[serde(default)]
        default: Option<Value>,
        #[serde(default, deserialize_with = "choices")]
        options: Vec<FieldChoice>,
        #[serde(default, deserialize_with = "or_default")]
        custom: bool,
    },
    Number {
        #[serde(default, deserialize_with = "finite")]
        minimum: Option<NumberBound>,
        #[serde(default, deserialize_with = "finite")]
        maximum: Option<NumberBound>,
        #[serde(flatten)]
        open: OpenBounds,
        #[serde(default, deserialize_with = "number")]
        default: Option<Value>,
    },
    Integer {
        #[serde(default, deserialize_with = "finite")]
        minimum: Option<NumberBound>,
        #[serde(default, deserialize_with = "finite")]
        maximum: Option<NumberBound>,
        #[serde(flatten)]
        open: OpenBounds,
        #[serde(default, deserialize_with = "number")]
        default: Option<Value>,
    },
    Boolean {
        #[serde(default)]
        default: Option<bool>,
    },
    Multiselect {
        #[serde(default, deserialize_with = "choices")]
        options: Vec<FieldChoice>,
        #[serde(default, deserialize_with = "finite")]
        min_items: Option<NumberBound>,
        #[serde(default, deserialize_with = "finite")]
        max_items: Option<NumberBound>,
        #[serde(default, deserialize_with = "or_default")]
        custom: bool,
        #[serde(default)]
        default: Option<Vec<Value>>,
    },
    /// A page to be opened; that it was opened is the answer.
    External { url: String },
    /// A newer kind. It is asked as a text, and the server says whether that is right.
    #[serde(other)]
    Unknown,
}

/// The limits that JSON Schema sets a number beside its minimum and maximum.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct OpenBounds {
    #[serde(deserialize_with = "finite")]
    pub(super) exclusive_minimum: Option<NumberBound>,
    #[serde(deserialize_with = "finite")]
    pub(super) exclusive_maximum: Option<NumberBound>,
    #[serde(deserialize_with = "finite")]
    pub(super) multiple_of: Option<NumberBound>,
}

/// A choice of a field.
#[derive(Clone, Debug)]
pub(super) struct FieldChoice {
    /// The value: a text as a rule; a number or `null` goes back as what it is.
    pub(super) value: Value,
    pub(super) label: String,
    pub(super) description: String,
}

/// A condition on the answer to an earlier field.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct FieldCondition {
    pub(super) key: String,
    pub(super) op: ConditionOp,
    pub(super) value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ConditionOp {
    Eq,
    Neq,
}

/// Reads the choices of a field. One of another shape is its own value, and does not hide the
/// others.
fn choices<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<FieldChoice>, D::Error> {
    let items = Option::<Vec<Value>>::deserialize(deserializer)?.unwrap_or_default();
    Ok(items.iter().map(choice).collect())
}

fn choice(item: &Value) -> FieldChoice {
    let value = item.get("value").unwrap_or(match item {
        Value::Object(_) => item.get("label").unwrap_or(item),
        bare => bare,
    });
    let label = fields::text(item, "label").unwrap_or_else(|| super::ask::text(value));
    FieldChoice {
        value: value.clone(),
        label,
        description: fields::text(item, "description").unwrap_or_default(),
    }
}

/// Reads a limit. Infinities come as words, and bound nothing.
fn finite<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NumberBound>, D::Error> {
    let digits = number(deserializer)?.as_ref().and_then(exact::digits);
    Ok(digits.as_deref().and_then(NumberBound::parse))
}

/// Reads a number. Anything else counts as absent.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    let value = Option::<Value>::deserialize(deserializer)?;
    Ok(value.filter(Value::is_number))
}

/// Reads the conditions. Older servers have one where newer ones have a list.
fn one_or_many<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<FieldCondition>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum GivenValue {
        Many(Vec<FieldCondition>),
        One(FieldCondition),
    }
    Ok(match Option::<GivenValue>::deserialize(deserializer)? {
        None => Vec::new(),
        Some(GivenValue::One(when)) => vec![when],
        Some(GivenValue::Many(many)) => many,
    })
}
