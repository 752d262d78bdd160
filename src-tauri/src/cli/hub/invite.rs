//! The command `beckon hub invite`: a further code, by which one more device joins.

use super::{faults, settings};
use crate::cli::{CommandContext, CommandResult, say, say_json, say_raw};
use crate::hub::joining::{self, GivenCode};
use beckon_client::connection::ClientError;
use beckon_client::platform::qr;
use beckon_client::text::Value;
use beckon_core::hub::team::Who;
use beckon_core::{Responder, Voucher};
use serde::Serialize;
use std::io::IsTerminal;
use std::process::ExitCode;

/// A code that is out.
#[derive(Debug, Serialize)]
pub(super) struct Invitation {
    pub(super) code: String,
    pub(super) minutes: u64,
    /// The person whose machine joins by it.
    pub(super) person: String,
}

pub(super) async fn run(
    context: &CommandContext,
    person: Option<String>,
    json: bool,
) -> CommandResult {
    let hub = settings::joined(context)?;
    check(context, person.as_deref())?;
    let invited = joining::invite(&hub, &settings::folder(context), person).await;
    let GivenCode {
        code,
        seconds,
        person,
    } = invited.map_err(|fault| faults::said(context, fault))?;
    let invitation = Invitation {
        code,
        minutes: seconds.div_ceil(60),
        person,
    };
    if json {
        say_json(&invitation);
    } else {
        shown(context, &invitation)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks the name of a person. One by which routes could not name the person is refused, and so is
/// one of which nothing is shown.
fn check(context: &CommandContext, person: Option<&str>) -> Result<(), ClientError> {
    let Some(name) = person else { return Ok(()) };
    let shown = Responder::new(Some(name), None, Voucher::Machine).person;
    if shown.is_some_and(|shown| Who::is_name(&shown)) {
        return Ok(());
    }
    let args = [("name", Value::from(name.to_owned()))];
    Err(ClientError::Said(context.texts.with("hub-no-name", &args)))
}

/// Shows the code with what to do with it; in a terminal also as a picture.
pub(super) fn shown(context: &CommandContext, invitation: &Invitation) -> Result<(), ClientError> {
    if std::io::stdout().is_terminal() {
        say_raw(&qr::text(&invitation.code, true)?);
    }
    let minutes = Value::from(invitation.minutes);
    say(&context.texts.with("hub-invite", &[("minutes", minutes)]));
    say(&format!("  {}", invitation.code));
    let args = [("person", Value::from(invitation.person.clone()))];
    say(&context.texts.with("hub-invite-person", &args));
    Ok(())
}
