//! The conversion of a form to an ask: a question for each field that a human has to see, in their
//! order.
//!
//! What a question cannot express becomes a choice: yes and no, "I have opened it", the default,
//! and "no answer" wherever that is allowed. A field with a condition is always asked, since a
//! question cannot depend on another one; `answer` decides whether its answer counts.

use super::wire::{FieldKind, Form, FormField, FormTool, OpenBounds};
use crate::sources::opencode::dialect::ApiDialect;
use crate::sources::opencode::requests::RequestContext;
use beckon_client::platform::clock;
use beckon_client::text::{Texts, words};
use beckon_core::{
    AnswerLimits, Ask, AskId, CallRef, Choice, NumberBound, Question, Session, SourceId,
    TextFormat, Timestamp, UnknownShape,
};
use serde_json::{Value, json};

/// A choice, and the value that it puts into the form; `None` means no answer.
pub(super) struct OfferedChoice {
    label: FieldLabel,
    description: String,
    pub(super) value: Option<Value>,
}

enum FieldLabel {
    /// The form's own words, or a value.
    Given(String),
    /// A key of our own texts.
    Word(&'static str),
}

impl RequestContext<'_> {
    /// Reads a form of 2.x.
    pub(in crate::sources::opencode) fn form(&self, raw: &str, texts: &Texts) -> Ask {
        let now = clock::now();
        let read = serde_json::from_str::<Form>(raw);
        let read = read.map(|form| form.ask(self.source, self.directory, texts, now));
        self.or_unknown(read.ok(), raw, UnknownShape::Question, now)
    }
}

impl Form {
    /// Makes the form an ask of that source and directory.
    pub(super) fn ask(
        &self,
        source: &SourceId,
        directory: &str,
        texts: &Texts,
        now: Timestamp,
    ) -> Ask {
        let questions = self.fields.iter().filter(|field| field.is_asked());
        let questions = questions.map(|field| self.question(field, texts)).collect();
        let (id, directory) = (self.session_id.clone(), directory.to_owned());
        let call = |tool: &FormTool| CallRef {
            message: tool.message_id.clone(),
            call: tool.id.clone(),
        };
        ApiDialect::Forms.marks(Ask {
            id: AskId {
                source: source.clone(),
                own: self.id.clone(),
            },
            kind: beckon_core::AskContent::Questions(questions),
            session: Session {
                id,
                directory,
                ..Session::default()
            },
            call: self.metadata.tool.as_ref().map(call),
            asked_at: now,
        })
    }

    fn question(&self, field: &FormField, texts: &Texts) -> Question {
        let url = match &field.kind {
            FieldKind::External { url } => Some(url.clone()),
            _ => None,
        };
        let offers = field.offers();
        let none = offers.iter().position(|offer| offer.value.is_none());
        let limits = field.limits(none);
        let multiple = matches!(field.kind, FieldKind::Multiselect { .. });
        let takes = words::limits(texts, &limits, multiple);
        let words = [field.description.clone(), url, takes]
            .into_iter()
            .flatten();
        let words: Vec<String> = words.filter(|words| !words.is_empty()).collect();
        let title = field.title.clone().unwrap_or_else(|| field.key.clone());
        // The forms of the question tool all have the same title.
        let named = self.metadata.kind.as_deref() != Some("question") && !self.title.is_empty();
        let (header, question) = match (words.is_empty(), named) {
            (false, false) => (title, words.join("\n")),
            (false, true) => (self.title.clone(), format!("{title}\n{}", words.join("\n"))),
            (true, true) => (self.title.clone(), title),
            (true, false) => (String::new(), title),
        };
        Question {
            header,
            question,
            multiple,
            custom: field.takes_own_text(),
            choices: offers
                .into_iter()
                .map(|offer| offer.choice(texts))
                .collect(),
            limits: Some(limits).filter(|limits| *limits != AnswerLimits::default()),
            consent: None,
        }
    }
}

impl FormField {
    /// Tells whether a human is asked. Hidden fields get their default; a required one without a
    /// default has to be asked all the same.
    pub(super) fn is_asked(&self) -> bool {
        !self.hidden || (self.required && self.default().is_none())
    }

    /// Returns the value that goes back for a field that is not asked.
    pub(super) fn default(&self) -> Option<Value> {
        match &self.kind {
            FieldKind::String { default, .. } => default.clone(),
            FieldKind::Number { default, .. } | FieldKind::Integer { default, .. } => {
                default.clone()
            }
            FieldKind::Boolean { default } => default.map(Value::from),
            FieldKind::Multiselect { default, .. } => default.clone().map(Value::from),
            FieldKind::External { .. } | FieldKind::Unknown => None,
        }
    }

    /// Returns the choices, in the order of the question's.
    pub(super) fn offers(&self) -> Vec<OfferedChoice> {
        let mut offers: Vec<OfferedChoice> = match &self.kind {
            FieldKind::String { options, .. } | FieldKind::Multiselect { options, .. } => {
                options.iter().map(OfferedChoice::from).collect()
            }
            FieldKind::Boolean { .. } => {
                vec![
                    OfferedChoice::word("forms-yes", json!(true)),
                    OfferedChoice::word("forms-no", json!(false)),
                ]
            }
            FieldKind::External { .. } => vec![OfferedChoice::word("forms-opened", json!(true))],
            FieldKind::Number { .. } | FieldKind::Integer { .. } | FieldKind::Unknown => Vec::new(),
        };
        let value = self
            .default()
            .filter(|value| value.is_string() || value.is_number());
        if let Some(value) = value
            && !offers
                .iter()
                .any(|offer| offer.value.as_ref() == Some(&value))
        {
            offers.push(OfferedChoice::given(text(&value), Some(value)));
        }
        if self.may_be_left_out() {
            offers.push(OfferedChoice {
                value: None,
                ..OfferedChoice::word("forms-none", Value::Null)
            });
        }
        offers
    }

    /// Tells whether the field may be left unanswered. A field with a condition may, since it may
    /// turn out not to count.
    fn may_be_left_out(&self) -> bool {
        !matches!(self.kind, FieldKind::External { .. })
            && (!self.required || !self.when.is_empty())
    }

    fn takes_own_text(&self) -> bool {
        match &self.kind {
            FieldKind::String {
                options, custom, ..
            } => *custom || options.is_empty(),
            FieldKind::Multiselect { custom, .. } => *custom,
            FieldKind::Number { .. } | FieldKind::Integer { .. } | FieldKind::Unknown => true,
            FieldKind::Boolean { .. } | FieldKind::External { .. } => false,
        }
    }

    fn limits(&self, none: Option<usize>) -> AnswerLimits {
        let bounds =
            |format: TextFormat, least: &Option<NumberBound>, most: &Option<NumberBound>| {
                AnswerLimits {
                    format,
                    least: least.clone(),
                    most: most.clone(),
                    none,
                    // OpenCode is a program in JavaScript.
                    as_double: format.is_number(),
                    ..AnswerLimits::default()
                }
            };
        match &self.kind {
            FieldKind::String {
                format,
                min_length,
                max_length,
                pattern,
                ..
            } => AnswerLimits {
                pattern: pattern.clone(),
                ..bounds(format_of(format.as_deref()), min_length, max_length)
            },
            FieldKind::Number {
                minimum,
                maximum,
                open,
                ..
            } => open.added_to(bounds(TextFormat::Number, minimum, maximum)),
            FieldKind::Integer {
                minimum,
                maximum,
                open,
                ..
            } => open.added_to(bounds(TextFormat::Integer, minimum, maximum)),
            FieldKind::Multiselect {
                min_items,
                max_items,
                ..
            } => bounds(TextFormat::Text, min_items, max_items),
            FieldKind::Boolean { .. } | FieldKind::External { .. } | FieldKind::Unknown => {
                bounds(TextFormat::Text, &None, &None)
            }
        }
    }
}

impl OpenBounds {
    fn added_to(&self, limits: AnswerLimits) -> AnswerLimits {
        AnswerLimits {
            above: self.exclusive_minimum.clone(),
            below: self.exclusive_maximum.clone(),
            step: self.multiple_of.clone(),
            ..limits
        }
    }
}

impl OfferedChoice {
    fn given(label: String, value: Option<Value>) -> Self {
        Self {
            label: FieldLabel::Given(label),
            description: String::new(),
            value,
        }
    }

    fn word(key: &'static str, value: Value) -> Self {
        Self {
            label: FieldLabel::Word(key),
            description: String::new(),
            value: Some(value),
        }
    }

    fn choice(self, texts: &Texts) -> Choice {
        let label = match self.label {
            FieldLabel::Given(label) => label,
            FieldLabel::Word(key) => texts.get(key),
        };
        let value = self
            .value
            .as_ref()
            .map(text)
            .filter(|value| *value != label);
        Choice {
            label,
            description: self.description,
            value,
        }
    }
}

impl From<&super::wire::FieldChoice> for OfferedChoice {
    fn from(choice: &super::wire::FieldChoice) -> Self {
        let value = Some(choice.value.clone());
        let description = choice.description.clone();
        Self {
            description,
            ..Self::given(choice.label.clone(), value)
        }
    }
}

fn format_of(name: Option<&str>) -> TextFormat {
    match name {
        Some("email") => TextFormat::Email,
        Some("uri") => TextFormat::Uri,
        Some("date") => TextFormat::Date,
        Some("date-time") => TextFormat::DateTime,
        _ => TextFormat::Text,
    }
}

/// Returns a value as a text, strings without their quotation marks.
pub(super) fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
