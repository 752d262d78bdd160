//! The command `beckon status`.

use super::{CommandContext, CommandResult, say, say_json};
use crate::channels::telegram as channel;
use crate::platform::secrets;
use beckon_client::connection::ClientError;
use beckon_client::platform::clock;
use beckon_client::text::words;
use beckon_client::text::{Texts, Value};
use beckon_client::wire::{
    PresenceStatus, ProxyState, Source, SourceStatus, Status, TelegramStatus,
};
use beckon_core::hub::SeatView;
use beckon_core::{PresenceOverride, Timestamp};
use jiff::tz::TimeZone;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The path of the status with the sums of the history.
const WHOLE: &str = "/status?blocked=true";
/// How long until the status is looked at again while waiting.
const LOOK: Duration = Duration::from_millis(50);

pub(super) async fn run(context: &CommandContext, json: bool, wait: Option<u64>) -> CommandResult {
    let status = match wait {
        Some(seconds) => ready_within(context, Duration::from_secs(seconds)).await?,
        None => context.client()?.get(WHOLE).await?,
    };
    if json {
        say_json(&status);
    } else {
        print(context, &status);
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the status once Beckon is ready, or as it is when the time is up.
async fn ready_within(context: &CommandContext, within: Duration) -> Result<Status, ClientError> {
    // A time that no clock reaches counts as for ever.
    let until = Instant::now().checked_add(within);
    loop {
        let status = match context.client() {
            Ok(client) => client.get::<Status>(WHOLE).await,
            Err(refused) => Err(refused),
        };
        match status {
            Ok(status) if status.ready => return Ok(status),
            status if until.is_some_and(|until| Instant::now() >= until) => return status,
            _ => tokio::time::sleep(LOOK).await,
        }
    }
}

fn print(context: &CommandContext, status: &Status) {
    let texts = &context.texts;
    let args = [
        ("version", Value::from(status.version.clone())),
        ("count", Value::from(status.open)),
    ];
    let deaf = status.open == 0 && status.is_deaf();
    say(&texts.with(
        if deaf {
            "status-head-deaf"
        } else {
            "status-head"
        },
        &args,
    ));
    for source in &status.sources {
        say(&source_line(context, source));
    }
    let desktop = &status.channels.desktop;
    let detail = desktop
        .daemon
        .clone()
        .or(desktop.error.clone())
        .unwrap_or_default();
    let key = format!("status-desktop-{}", desktop.state);
    say(&texts.with(&key, &[("detail", Value::from(detail))]));
    if desktop.do_not_disturb == Some(true) {
        say(&texts.get(&words::of_disturb(
            "status-desktop-disturb",
            desktop.break_through,
        )));
    }
    say(&telegram_line(context, &status.channels.telegram));
    if let Some(error) = &status.tray.error {
        say(&texts.with(
            "status-tray-down",
            &[("detail", Value::from(error.clone()))],
        ));
    }
    say(&presence_line(texts, &status.presence));
    say_machines(texts, &status.presence);
    if let Some(blocked) = status.blocked_minutes.filter(|blocked| blocked.week > 0.0) {
        let minutes = |minutes: f64| Value::from(minutes.round());
        let args = [
            ("today", minutes(blocked.today)),
            ("week", minutes(blocked.week)),
        ];
        say(&texts.with("status-blocked", &args));
    }
    if let Some(until) = status.paused_until.filter(|until| *until > clock::now().0) {
        let time = words::clock(texts, &TimeZone::system(), Timestamp(until), clock::now());
        say(&texts.with("status-paused", &[("time", Value::from(time))]));
    }
    for warning in &status.warnings {
        say(&texts.with("status-warning", &[("text", Value::from(warning.clone()))]));
    }
}

fn presence_line(texts: &Texts, status: &PresenceStatus) -> String {
    let words = Value::from(super::presence::line(texts, status));
    let by_reading = status.said == PresenceOverride::Auto;
    let key = if status.away && by_reading {
        "status-presence-away"
    } else {
        "status-presence"
    };
    texts.with(key, &[("words", words)])
}

/// Prints what the other machines are told, where else the human may be, and where it rings because
/// of that.
fn say_machines(texts: &Texts, presence: &PresenceStatus) {
    if presence.withheld {
        say(&texts.get("status-presence-withheld"));
    }
    let seats: Vec<SeatView> = presence.machines.iter().map(SeatView::from).collect();
    for seat in &seats {
        say(&words::machine(texts, seat, clock::now()));
    }
    if let Some(words) = words::rings_at(texts, presence.elsewhere, &seats) {
        say(&words);
    }
}

fn telegram_line(context: &CommandContext, telegram: &TelegramStatus) -> String {
    let texts = &context.texts;
    let what = match (&telegram.error, &telegram.bot) {
        (Some(error), _) => error.clone(),
        (None, Some(bot)) => {
            let args = [
                ("bot", bot.clone().into()),
                ("count", Value::from(telegram.paired)),
            ];
            texts.with("status-telegram-works", &args)
        }
        (None, None) => texts.get("status-telegram-starting"),
    };
    let what = match &telegram.proxy {
        // The fault of a proxy is told together with its address.
        Some(proxy)
            if matches!(
                proxy.state.known(),
                Some(ProxyState::Works | ProxyState::Unknown)
            ) =>
        {
            let args = [
                ("what", Value::from(what)),
                ("proxy", proxy.address.clone().into()),
            ];
            texts.with("status-telegram-proxy", &args)
        }
        _ => what,
    };
    let key = if telegram.token_from_environment {
        "status-telegram-environment"
    } else {
        "status-telegram"
    };
    let variable = Value::from(secrets::variable(channel::SECRET));
    texts.with(key, &[("what", Value::from(what)), ("variable", variable)])
}

fn source_line(context: &CommandContext, source: &Source) -> String {
    let args = [
        ("name", Value::from(source.name.clone())),
        ("url", Value::from(source.url.clone())),
        (
            "version",
            Value::from(source.version.clone().unwrap_or_default()),
        ),
        (
            "error",
            Value::from(source.error.clone().unwrap_or_default()),
        ),
    ];
    // The pretend agent and the machines of a hub have neither address nor version.
    let live = source.state == SourceStatus::Live;
    let key = match (source.url.is_empty(), live) {
        // This is a machine of the hub that is away.
        (true, false) if source.error.is_some() => "status-source-away".to_owned(),
        (true, _) => "status-source-plain".to_owned(),
        (false, true) if source.beckon && source.error.is_some() => "status-source-circle".into(),
        (false, true) if source.beckon => "status-source-beckon".into(),
        (false, true) if source.experimental => "status-source-experimental".into(),
        (false, _) => format!("status-source-{}", source.state),
    };
    let own = format!("{key}-{}", source.kind.word());
    context
        .texts
        .with(if context.texts.has(&own) { &own } else { &key }, &args)
}
