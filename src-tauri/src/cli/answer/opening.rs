//! The command `beckon open`.

use crate::cli::list::name_in_path;
use crate::cli::{CommandContext, CommandResult, say, say_json};
use beckon_client::wire::OpenedSession;
use std::process::ExitCode;
use std::time::Duration;

pub(in crate::cli) async fn open(context: &CommandContext, id: &str, json: bool) -> CommandResult {
    let path = format!("/open/{}", name_in_path(context, id)?);
    let opened: OpenedSession = context.client()?.post(&path, &(), Duration::ZERO).await?;
    if json {
        say_json(&opened);
        return Ok(ExitCode::SUCCESS);
    }
    say(&match opened {
        OpenedSession::Terminal => context.texts.get("open-terminal"),
        OpenedSession::Browser { url } => {
            context.texts.with("open-browser", &[("url", url.into())])
        }
    });
    Ok(ExitCode::SUCCESS)
}
