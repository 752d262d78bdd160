//! Makes a form's answer of a human's replies: typed values by the fields' keys.
//!
//! Fields whose condition does not hold are left out, since the server takes none for them. The
//! core saw to it that each reply keeps to its field's limits; what only the whole form can tell is
//! checked here.

use super::ask::text;
use super::wire::{ConditionOp, FieldCondition, FieldKind, Form, FormField};
use beckon_client::json::exact;
use beckon_client::text::Texts;
use beckon_core::Reply;
use serde_json::{Map, Value};

/// The answer to a whole form.
pub(super) type FormAnswer = Map<String, Value>;

/// The reason for which replies do not make an answer to the form; each names a field.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum UnfitReply {
    /// The field's condition holds and nothing was answered.
    Missing(String),
    /// The reply is no number where one belongs; the core lets none of these through.
    NoNumber(String),
}

impl UnfitReply {
    pub(super) fn words(&self, texts: &Texts) -> String {
        let (key, field) = match self {
            Self::Missing(field) => ("forms-missing", field),
            Self::NoNumber(field) => ("forms-no-number", field),
        };
        texts.with(key, &[("field", field.clone().into())])
    }
}

impl Form {
    /// Makes the answer of these replies, one for each question of the ask.
    pub(super) fn answer(&self, replies: &[Reply]) -> Result<FormAnswer, UnfitReply> {
        let mut replies = replies.iter();
        let mut answer = FormAnswer::new();
        for field in &self.fields {
            let reply = if field.is_asked() {
                replies.next()
            } else {
                None
            };
            if !field.when.iter().all(|when| when.holds(&answer)) {
                continue;
            }
            let value = match reply {
                Some(reply) => field.value(reply)?,
                None => field.default(),
            };
            match value {
                Some(value) => drop(answer.insert(field.key.clone(), value)),
                None if field.required => return Err(UnfitReply::Missing(field.name())),
                None => {}
            }
        }
        Ok(answer)
    }

    /// Returns the texts of an answer that the server reports, as
    /// [`beckon_core::Ask::to_source_texts`] writes them.
    pub(super) fn to_texts(&self, answer: &FormAnswer) -> Vec<Vec<String>> {
        let asked = self.fields.iter().filter(|field| field.is_asked());
        asked
            .map(|field| answer.get(&field.key).map(texts).unwrap_or_default())
            .collect()
    }
}

impl FormField {
    fn value(&self, reply: &Reply) -> Result<Option<Value>, UnfitReply> {
        let offers = self.offers();
        let chosen = reply.choices.iter().filter_map(|&index| offers.get(index));
        let mut values = Vec::new();
        for offer in chosen {
            let Some(value) = &offer.value else {
                return Ok(None);
            };
            values.push(value.clone());
        }
        if let Some(text) = &reply.text {
            values.push(self.own(text)?);
        }
        Ok(match self.kind {
            FieldKind::Multiselect { .. } => Some(Value::Array(values)),
            _ => values.into_iter().next(),
        })
    }

    fn own(&self, text: &str) -> Result<Value, UnfitReply> {
        let wrong = || UnfitReply::NoNumber(self.name());
        match self.kind {
            FieldKind::Integer { .. } => beckon_core::whole_number(text)
                .map(exact::of_double)
                .ok_or_else(wrong),
            FieldKind::Number { .. } => beckon_core::number(text)
                .map(exact::of_double)
                .ok_or_else(wrong),
            _ => Ok(Value::from(text)),
        }
    }

    fn name(&self) -> String {
        self.title.clone().unwrap_or_else(|| self.key.clone())
    }
}

impl FieldCondition {
    /// Tells whether the condition holds. A field that was not answered fulfils none; of several
    /// values, one is enough.
    fn holds(&self, answer: &FormAnswer) -> bool {
        let Some(given) = answer.get(&self.key) else {
            return false;
        };
        let hit = match given {
            Value::Array(several) => several.contains(&self.value),
            one => same(one, &self.value),
        };
        hit == (self.op == ConditionOp::Eq)
    }
}

/// Compares two values. `5` and `5.0` are one number in JavaScript.
fn same(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(several) => several.iter().map(text).collect(),
        one => vec![text(one)],
    }
}

#[cfg(test)]
mod tests;
