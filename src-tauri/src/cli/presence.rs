//! The command `beckon presence`.

use super::{CommandContext, CommandResult, say, say_json};
use beckon_client::platform::clock;
use beckon_client::text::Texts;
use beckon_client::text::words;
use beckon_client::wire::{PresenceStatus, Status};
use beckon_core::PresenceView;
use std::process::ExitCode;
use std::time::Duration;

pub(super) async fn run(
    context: &CommandContext,
    presence: Option<String>,
    span: Option<String>,
    json: bool,
) -> CommandResult {
    let client = context.client()?;
    let status = match presence {
        Some(said) => {
            let body = serde_json::json!({ "presence": said, "for": span });
            client
                .post::<_, PresenceStatus>("/presence", &body, Duration::ZERO)
                .await?
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

/// Returns the line about presence, with the evidence.
pub(super) fn line(texts: &Texts, status: &PresenceStatus) -> String {
    words::presence(texts, &PresenceView::from(status), clock::now())
}
