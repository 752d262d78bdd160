//! The legs of Telegram, as the running Beckon reports them.

use super::super::CommandContext;
use super::{CheckHealth, Finding, finding};
use crate::channels::telegram as channel;
use crate::platform::secrets;
use beckon_client::wire::Paired;
use beckon_client::wire::Standing;
use beckon_client::wire::TelegramInfo;

/// Checks the bot and its token, who is paired, and what the bot does not hear in the group.
pub(super) fn legs(context: &CommandContext, telegram: &TelegramInfo) -> Vec<Finding> {
    let legs = [
        Some(bot(context, telegram)),
        unread(context, telegram),
        people(context, telegram),
        group(context, telegram),
    ];
    let troubles = telegram.status.troubles.iter();
    let troubles =
        troubles.map(|trouble| finding(context, "chat", CheckHealth::Ill(trouble.clone())));
    legs.into_iter().flatten().chain(troubles).collect()
}

fn bot(context: &CommandContext, telegram: &TelegramInfo) -> Finding {
    let status = &telegram.status;
    let error = || status.error.clone().unwrap_or_default();
    let health = match status.state {
        Standing::Works => CheckHealth::Well(status.bot.clone().unwrap_or_default()),
        Standing::Standby | Standing::Off => CheckHealth::Note(error()),
        Standing::Starting => CheckHealth::Note(context.texts.get("telegram-starting")),
        Standing::Down => CheckHealth::Ill(error()),
    };
    let mut finding = finding(context, "telegram", health);
    if let (Standing::Works, Some(proxy)) = (status.state, &status.proxy) {
        let proxy = [("proxy", proxy.address.clone().into())];
        finding.text += &context.texts.with("doctor-telegram-proxy", &proxy);
    }
    if status.token_from_environment {
        let variable = [("variable", secrets::variable(channel::SECRET).into())];
        finding.text += &context.texts.with("doctor-telegram-environment", &variable);
    }
    finding
}

/// Returns a note on words and taps that could not be read.
fn unread(context: &CommandContext, telegram: &TelegramInfo) -> Option<Finding> {
    let count = telegram.status.unread_updates;
    let words = context
        .texts
        .with("warning-unread-updates", &[("count", count.into())]);
    (count > 0).then(|| finding(context, "unreadable", CheckHealth::Note(words)))
}

/// Checks who is paired. Without a bot nobody can be paired, and what keeps the bot away is said
/// already.
fn people(context: &CommandContext, telegram: &TelegramInfo) -> Option<Finding> {
    if telegram.status.state != Standing::Works && telegram.people.is_empty() {
        return None;
    }
    let names = telegram
        .people
        .iter()
        .map(|paired| paired.name.as_str())
        .collect::<Vec<_>>();
    let health = match names[..] {
        [] => CheckHealth::Ill(String::new()),
        _ => CheckHealth::Well(names.join(", ")),
    };
    Some(finding(context, "paired", health))
}

/// Checks the bot's privacy mode in the group:
/// <https://core.telegram.org/bots/features#privacy-mode>
fn group(context: &CommandContext, telegram: &TelegramInfo) -> Option<Finding> {
    let Paired { name, .. } = telegram.people.iter().find(|paired| paired.group)?;
    if telegram.status.state != Standing::Works {
        return None;
    }
    let health = if telegram.reads_groups {
        CheckHealth::Well(name.clone())
    } else {
        CheckHealth::Note(name.clone())
    };
    Some(finding(context, "privacy", health))
}
