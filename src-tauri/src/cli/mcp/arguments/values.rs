//! Single values: texts, truth values, seconds. `null` is as good as absent.

use beckon_client::json::fields::{flag, text};
use serde_json::Value;

type Unclear = (&'static str, &'static str);

/// Reads what a person is to read, or a name; a number is as good as its digits.
pub(super) fn wording(fields: &Value, name: &'static str) -> Result<String, Unclear> {
    text(fields, name).ok_or((name, "a text"))
}

/// Reads a truth value.
pub(super) fn truth(fields: &Value, name: &'static str) -> Result<Option<bool>, Unclear> {
    match &fields[name] {
        Value::Null => Ok(None),
        Value::String(text) if text.trim().is_empty() => Ok(None),
        Value::Number(number) if ![Some(0.0), Some(1.0)].contains(&number.as_f64()) => {
            Err((name, "true or false"))
        }
        _ => flag(fields, name).map(Some).ok_or((name, "true or false")),
    }
}

/// Reads a number of seconds, rounded up. A negative one means no limit, as with many programs, so it is as
/// good as absent.
pub(super) fn seconds(fields: &Value, name: &'static str) -> Result<Option<u64>, Unclear> {
    let number = match &fields[name] {
        Value::Null => return Ok(None),
        Value::String(text) if text.trim().is_empty() => return Ok(None),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let number = number.filter(|number| number.is_finite());
    let number: f64 = number.ok_or((name, "a number of seconds"))?;

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is not negative, and what is larger than all numbers becomes the largest"
    )]
    let whole = number.ceil() as u64;
    Ok((number >= 0.0).then_some(whole))
}
