//! A form as an ask: a question for each field that a human has to see, in their order.
//!
//! What the ask has no word for becomes a choice: yes and no, "I have opened it", the default, and
//! "no answer" wherever that is allowed. A field with a condition is asked in any case, since a
//! question cannot depend on another one; what its answer is worth is decided in `answer`.

use super::super::dialect::Dialect;
use super::wire::{Field, Form, Kind, Tool};
use crate::text::Texts;
use beckon_core::{
    Ask, AskId, CallRef, Choice, Format, Limits, Number, Question, Session, SourceId, Timestamp,
};
use serde_json::{Number as JsonNumber, Value, json};

/// A choice, and what goes into the form for it; `None` is no answer.
pub(super) struct Offer {
    label: Label,
    description: String,
    pub(super) value: Option<Value>,
}

enum Label {
    /// The form's own words, or a value.
    Given(String),
    /// Ours.
    Word(&'static str),
}

impl Form {
    /// As an ask of that source and directory.
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
        let call =
            |tool: &Tool| CallRef { message: tool.message_id.clone(), call: tool.id.clone() };
        Dialect::Forms.marks(Ask {
            id: AskId { source: source.clone(), own: self.id.clone() },
            kind: beckon_core::AskContent::Questions(questions),
            session: Session { id, directory, ..Session::default() },
            call: self.metadata.tool.as_ref().map(call),
            asked_at: now,
        })
    }

    fn question(&self, field: &Field, texts: &Texts) -> Question {
        let url = match &field.kind {
            Kind::External { url } => Some(url.clone()),
            _ => None,
        };
        let words = [field.description.clone(), url].into_iter().flatten();
        let words: Vec<String> = words.filter(|words| !words.is_empty()).collect();
        let title = field.title.clone().unwrap_or_else(|| field.key.clone());
        // The question tool's own forms are all called alike.
        let named = self.metadata.kind.as_deref() != Some("question") && !self.title.is_empty();
        let (header, question) = match (words.is_empty(), named) {
            (false, false) => (title, words.join("\n")),
            (false, true) => (self.title.clone(), format!("{title}\n{}", words.join("\n"))),
            (true, true) => (self.title.clone(), title),
            (true, false) => (String::new(), title),
        };
        let offers = field.offers();
        let none = offers.iter().position(|offer| offer.value.is_none());
        Question {
            header,
            question,
            multiple: matches!(field.kind, Kind::Multiselect { .. }),
            custom: field.takes_own_text(),
            choices: offers.into_iter().map(|offer| offer.choice(texts)).collect(),
            limits: Some(field.limits(none)).filter(|limits| *limits != Limits::default()),
        }
    }
}

impl Field {
    /// Hidden ones go by their default; one without any has to be asked all the same, if the form
    /// cannot do without it.
    pub(super) fn is_asked(&self) -> bool {
        !self.hidden || (self.required && self.default().is_none())
    }

    /// What goes back when nobody is asked.
    pub(super) fn default(&self) -> Option<Value> {
        match &self.kind {
            Kind::String { default, .. } => default.clone().map(Value::from),
            Kind::Number { default, .. } => default.map(number),
            Kind::Integer { default, .. } => default.map(number),
            Kind::Boolean { default } => default.map(Value::from),
            Kind::Multiselect { default, .. } => default.clone().map(Value::from),
            Kind::External { .. } | Kind::Unknown => None,
        }
    }

    /// The choices, in the order of the question's.
    pub(super) fn offers(&self) -> Vec<Offer> {
        let mut offers: Vec<Offer> = match &self.kind {
            Kind::String { options, .. } | Kind::Multiselect { options, .. } => {
                options.iter().map(Offer::from).collect()
            }
            Kind::Boolean { .. } => {
                vec![Offer::word("forms-yes", json!(true)), Offer::word("forms-no", json!(false))]
            }
            Kind::External { .. } => vec![Offer::word("forms-opened", json!(true))],
            Kind::Number { .. } | Kind::Integer { .. } | Kind::Unknown => Vec::new(),
        };
        let value = self.default().filter(|value| value.is_string() || value.is_number());
        if let Some(value) = value
            && !offers.iter().any(|offer| offer.value.as_ref() == Some(&value))
        {
            offers.push(Offer::given(text(&value), Some(value)));
        }
        if self.may_be_left_out() {
            offers.push(Offer { value: None, ..Offer::word("forms-none", Value::Null) });
        }
        offers
    }

    /// What hangs on a condition may turn out not to count.
    fn may_be_left_out(&self) -> bool {
        !matches!(self.kind, Kind::External { .. }) && (!self.required || !self.when.is_empty())
    }

    fn takes_own_text(&self) -> bool {
        match &self.kind {
            Kind::String { options, custom, .. } => *custom || options.is_empty(),
            Kind::Multiselect { custom, .. } => *custom,
            Kind::Number { .. } | Kind::Integer { .. } | Kind::Unknown => true,
            Kind::Boolean { .. } | Kind::External { .. } => false,
        }
    }

    fn limits(&self, none: Option<usize>) -> Limits {
        let (format, least, most) = match &self.kind {
            Kind::String { format, min_length, max_length, .. } => {
                (format_of(format.as_deref()), *min_length, *max_length)
            }
            Kind::Number { minimum, maximum, .. } => (Format::Number, *minimum, *maximum),
            Kind::Integer { minimum, maximum, .. } => (Format::Integer, *minimum, *maximum),
            Kind::Multiselect { min_items, max_items, .. } => {
                (Format::Text, *min_items, *max_items)
            }
            Kind::Boolean { .. } | Kind::External { .. } | Kind::Unknown => {
                (Format::Text, None, None)
            }
        };
        Limits { format, least: least.map(Number), most: most.map(Number), none }
    }
}

impl Offer {
    fn given(label: String, value: Option<Value>) -> Self {
        Self { label: Label::Given(label), description: String::new(), value }
    }

    fn word(key: &'static str, value: Value) -> Self {
        Self { label: Label::Word(key), description: String::new(), value: Some(value) }
    }

    fn choice(self, texts: &Texts) -> Choice {
        let label = match self.label {
            Label::Given(label) => label,
            Label::Word(key) => texts.get(key),
        };
        let value = self.value.as_ref().map(text).filter(|value| *value != label);
        Choice { label, description: self.description, value }
    }
}

impl From<&super::wire::Choice> for Offer {
    fn from(choice: &super::wire::Choice) -> Self {
        let value = Some(Value::from(choice.value.clone()));
        let description = choice.description.clone();
        Self { description, ..Self::given(choice.label.clone(), value) }
    }
}

/// A pattern is left to the server: its dialect of them is JavaScript's.
fn format_of(name: Option<&str>) -> Format {
    match name {
        Some("email") => Format::Email,
        Some("uri") => Format::Uri,
        Some("date") => Format::Date,
        Some("date-time") => Format::DateTime,
        _ => Format::Text,
    }
}

/// Whole numbers are written without a point, as JavaScript does.
pub(super) fn number(number: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and small enough")]
    let whole = (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64);
    match whole {
        Some(whole) => Value::from(whole),
        None => JsonNumber::from_f64(number).map_or(Value::Null, Value::Number),
    }
}

/// A value as a text, strings without their quotation marks.
pub(super) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
