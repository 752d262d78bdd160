//! What the running Beckon says of Telegram.

use super::super::Context;
use super::{Finding, Health, finding};
use crate::app::snapshot::{Paired, Standing};
use crate::channels::telegram as channel;
use crate::platform::secrets;
use crate::wire::Telegram;

/// The bot and its token, who is paired, and what the bot does not hear in the group.
pub(super) fn legs(context: &Context, telegram: &Telegram) -> Vec<Finding> {
    let legs = [Some(bot(context, telegram)), people(context, telegram), group(context, telegram)];
    legs.into_iter().flatten().collect()
}

fn bot(context: &Context, telegram: &Telegram) -> Finding {
    let status = &telegram.status;
    let error = || status.error.clone().unwrap_or_default();
    let health = match status.state {
        Standing::Works => Health::Well(status.bot.clone().unwrap_or_default()),
        Standing::Off => Health::Note(error()),
        Standing::Starting => Health::Note(context.texts.get("telegram-starting")),
        Standing::Down => Health::Ill(error()),
    };
    let mut finding = finding(context, "telegram", health);
    if status.token_from_environment {
        let variable = [("variable", secrets::variable(channel::SECRET).into())];
        finding.text += &context.texts.with("doctor-telegram-environment", &variable);
    }
    finding
}

/// Without a bot nobody can be paired; what keeps it away is said already.
fn people(context: &Context, telegram: &Telegram) -> Option<Finding> {
    if telegram.status.state != Standing::Works && telegram.people.is_empty() {
        return None;
    }
    let names = telegram.people.iter().map(|paired| paired.name.as_str()).collect::<Vec<_>>();
    let health = match names[..] {
        [] => Health::Ill(String::new()),
        _ => Health::Well(names.join(", ")),
    };
    Some(finding(context, "paired", health))
}

/// <https://core.telegram.org/bots/features#privacy-mode>
fn group(context: &Context, telegram: &Telegram) -> Option<Finding> {
    let Paired { name, .. } = telegram.people.iter().find(|paired| paired.group)?;
    if telegram.status.state != Standing::Works {
        return None;
    }
    let health = match telegram.reads_groups {
        true => Health::Well(name.clone()),
        false => Health::Note(name.clone()),
    };
    Some(finding(context, "privacy", health))
}
