//! What a field takes, said beside its question: "a whole number from 1 to 10".
//!
//! Not here: the refusal of what it does not take (`refusing`).

use crate::text::{Texts, Value};
use beckon_core::{AnswerLimits, NumberBound, TextFormat};

/// What own words, or a number of choices, have to be; `None` where anything goes.
pub fn limits(texts: &Texts, limits: &AnswerLimits, multiple: bool) -> Option<String> {
    let is_bound = limits.least.is_some() || limits.most.is_some();
    if limits.format == TextFormat::Text && !is_bound {
        return None;
    }

    let what = texts.get(kind(limits.format, multiple));
    let measure = match (multiple, limits.format.is_number()) {
        (true, _) => "takes-answers",
        (false, true) => "takes-value",
        (false, false) => "takes-characters",
    };
    Some(bounded(texts, measure, what, [limits.least, limits.most]))
}

fn kind(format: TextFormat, multiple: bool) -> &'static str {
    match format {
        _ if multiple => "takes-choices",
        TextFormat::Text => "takes-text",
        TextFormat::Email => "takes-email",
        TextFormat::Uri => "takes-uri",
        TextFormat::Date => "takes-date",
        TextFormat::DateTime => "takes-date-time",
        TextFormat::Number => "takes-number",
        TextFormat::Integer => "takes-integer",
    }
}

fn bounded(texts: &Texts, measure: &str, what: String, bounds: [Option<NumberBound>; 2]) -> String {
    let key = match bounds {
        [Some(_), Some(_)] => measure.to_owned(),
        [Some(_), None] => format!("{measure}-least"),
        [None, Some(_)] => format!("{measure}-most"),
        [None, None] => return what,
    };
    let bound = |bound: Option<NumberBound>| {
        let text = bound.map(|bound| bound.to_string());
        Value::from(text.unwrap_or_default())
    };
    let [least, most] = bounds.map(bound);

    texts.with(
        &key,
        &[("what", what.into()), ("least", least), ("most", most)],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_says_what_it_takes() {
        let said = |format, least: Option<f64>, most: Option<f64>, multiple| {
            let limits = AnswerLimits {
                format,
                least: least.map(NumberBound),
                most: most.map(NumberBound),
                none: None,
            };
            super::limits(&Texts::load("en"), &limits, multiple)
        };
        let is = |text: &str| Some(text.to_owned());
        let (text, whole) = (TextFormat::Text, TextFormat::Integer);
        assert_eq!(said(text, None, None, false), None);
        let range = said(whole, Some(1.0), Some(10.0), false);
        assert_eq!(range, is("A whole number from 1 to 10"));
        let least = said(TextFormat::Number, Some(0.5), None, false);
        assert_eq!(least, is("A number of at least 0.5"));
        assert_eq!(
            said(TextFormat::Email, None, None, false),
            is("An e-mail address")
        );
        assert_eq!(
            said(text, None, Some(80.0), false),
            is("A text of at most 80 characters")
        );
        assert_eq!(said(text, Some(2.0), Some(3.0), true), is("2 to 3 choices"));
    }
}
