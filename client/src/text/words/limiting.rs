//! The words for what a field takes, said beside its question: "a whole number from 1 to 10".
//!
//! Not here: the refusal of what it does not take (`refusing`).

use crate::text::{Texts, Value};
use beckon_core::{AnswerLimits, NumberBound, TextFormat};

/// Says what a person's own words, or the number of choices, have to be; `None` if anything goes.
pub fn limits(texts: &Texts, limits: &AnswerLimits, multiple: bool) -> Option<String> {
    let is_bound = limits.least.is_some() || limits.most.is_some();
    let further = further(texts, limits);
    if limits.format == TextFormat::Text && !is_bound && further.is_empty() {
        return None;
    }

    let what = texts.get(kind(limits.format, multiple));
    let measure = match (multiple, limits.format.is_number()) {
        (true, _) => "takes-answers",
        (false, true) => "takes-value",
        (false, false) => "takes-characters",
    };
    let bounds = [limits.least.as_ref(), limits.most.as_ref()];
    let bounded = bounded(texts, measure, what, bounds);
    let said = further.into_iter().fold(bounded, |what, more| {
        texts.with("takes-and", &[("what", what.into()), ("more", more.into())])
    });
    Some(said)
}

/// Returns the demands beyond a least and a most, each in a few words.
fn further(texts: &Texts, limits: &AnswerLimits) -> Vec<String> {
    let number = |key: &str, bound: &Option<NumberBound>| {
        bound
            .as_ref()
            .map(|bound| texts.with(key, &[("bound", bound.to_string().into())]))
    };
    let pattern = limits.pattern.as_deref().map(|pattern| {
        let shown = shortened(pattern);
        texts.with("takes-pattern", &[("pattern", shown.into())])
    });
    let said = [
        number("takes-above", &limits.above),
        number("takes-below", &limits.below),
        number("takes-step", &limits.step),
        pattern,
    ];
    said.into_iter().flatten().collect()
}

/// Returns a pattern, cut if it is so long that nobody reads it to its end.
pub(super) fn shortened(pattern: &str) -> String {
    const LONGEST: usize = 200;
    if pattern.chars().count() <= LONGEST {
        return pattern.to_owned();
    }
    let beginning: String = pattern.chars().take(LONGEST).collect();
    format!("{beginning}…")
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

fn bounded(
    texts: &Texts,
    measure: &str,
    what: String,
    bounds: [Option<&NumberBound>; 2],
) -> String {
    let key = match bounds {
        [Some(_), Some(_)] => measure.to_owned(),
        [Some(_), None] => format!("{measure}-least"),
        [None, Some(_)] => format!("{measure}-most"),
        [None, None] => return what,
    };
    let bound = |bound: Option<&NumberBound>| {
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
                least: least.map(NumberBound::from),
                most: most.map(NumberBound::from),
                ..AnswerLimits::default()
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

    #[test]
    fn a_field_says_each_of_its_demands() {
        let limits = AnswerLimits {
            format: TextFormat::Number,
            most: Some(NumberBound::from(10.0)),
            above: Some(NumberBound::from(0.0)),
            below: Some(NumberBound::from(9.0)),
            step: Some(NumberBound::from(0.25)),
            ..AnswerLimits::default()
        };
        let said = super::limits(&Texts::load("en"), &limits, false);
        let expected = "A number of at most 10, above 0, below 9, a multiple of 0.25";
        assert_eq!(said.as_deref(), Some(expected));

        let limits = AnswerLimits {
            pattern: Some("^[a-z]+$".into()),
            ..AnswerLimits::default()
        };
        let said = super::limits(&Texts::load("en"), &limits, false);
        assert_eq!(said.as_deref(), Some("A text, matching ^[a-z]+$"));
    }
}
