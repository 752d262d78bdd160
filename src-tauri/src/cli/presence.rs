//! `beckon presence`

use super::{Context, Done, say, say_json};
use crate::texts::{Texts, Value};
use crate::wire::{PresenceStatus, Status};
use std::process::ExitCode;
use std::time::Duration;

pub(super) async fn run(
    context: &Context,
    presence: Option<String>,
    span: Option<String>,
    json: bool,
) -> Done {
    let client = context.client()?;
    let status = match presence {
        Some(said) => {
            let body = serde_json::json!({ "presence": said, "for": span });
            client.post::<_, PresenceStatus>("/presence", &body, Duration::ZERO).await?
        }
        None => client.get::<Status>("/status").await?.presence,
    };
    if json {
        say_json(&status);
    } else {
        say(&line(&context.texts, &status));
    }
    Ok(ExitCode::SUCCESS)
}

/// One line with the evidence.
pub(super) fn line(texts: &Texts, status: &PresenceStatus) -> String {
    let said = match status.said {
        beckon_core::Override::Auto => "auto",
        beckon_core::Override::Here => "here",
        beckon_core::Override::Away => "away",
    };
    let state = serde_json::to_value(status.state).ok();
    let state = state.as_ref().and_then(|v| v.as_str()).unwrap_or_default();
    let args = [
        ("state", Value::from(texts.get(&format!("presence-{state}")))),
        ("evidence", Value::from(texts.get(&format!("evidence-{}", status.evidence)))),
    ];
    texts.with(&format!("presence-said-{said}"), &args)
}
