//! The values of arguments, and what each has to be. `null` is as good as absent.

use super::super::McpChoice;
use beckon_client::json::fields::text;
use beckon_client::json::meant;
use beckon_core::visible::is_blank;
use serde_json::Value;

type Unclear = (&'static str, &'static str);

/// Reads what a person is to read, or a name; a number is as good as its digits.
pub(super) fn wording(fields: &Value, name: &'static str) -> Result<String, Unclear> {
    text(fields, name).ok_or((name, "a text"))
}

/// Reads a truth value by the first of its names that says something.
pub(super) fn truth_by(fields: &Value, names: &[&'static str]) -> Result<Option<bool>, Unclear> {
    for name in names {
        let said = meant::truth(&fields[*name]).map_err(|_| (*name, "true or false"))?;
        if said.is_some() {
            return Ok(said);
        }
    }
    Ok(None)
}

/// Reads the choices of a question. OpenCode's and Claude Code's own tools call them options.
pub(super) fn choices(fields: &Value, names: &[&str]) -> Result<Vec<McpChoice>, Unclear> {
    let unclear = (
        "choices",
        "a list of choices, each with a \"label\" that can be seen",
    );
    let choices = meant::choices_by(fields, names);
    let choices = choices.map_err(|_| unclear)?;
    // A model that hears of its slip does better than a person before a button without a name.
    if choices.iter().any(|choice| is_blank(&choice.label)) {
        return Err(unclear);
    }

    let choices = choices.into_iter().map(|choice| McpChoice {
        label: choice.label,
        description: choice.description,
    });
    Ok(choices.collect())
}

/// Reads a number of seconds, rounded up. A negative one means no limit, as with many programs, so it is as
/// good as absent.
pub(super) fn seconds(fields: &Value, name: &'static str) -> Result<Option<u64>, Unclear> {
    let number = meant::number(&fields[name]).map_err(|_| (name, "a number of seconds"))?;
    let Some(number) = number else {
        return Ok(None);
    };

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is not negative, and what is larger than all numbers becomes the largest"
    )]
    let whole = number.ceil() as u64;
    Ok((number >= 0.0).then_some(whole))
}
