//! The legs that the running Beckon reports: its sources and channels.

use super::super::CommandContext;
use super::super::telegram::settled;
use super::{CheckHealth, Finding, finding, telegram, updates};
use beckon_client::connection::ClientError;
use beckon_client::text::{Value, words};
use beckon_client::wire::{
    OperatingState, RegisteredServer, Source, SourceKind, SourceStatus, Standing, Status,
    TelegramInfo,
};
use beckon_core::hub::HUB_SOURCE;

/// The running Beckon's report of itself.
pub(super) struct RunningState {
    pub(super) status: Status,
    pub(super) registered: Vec<RegisteredServer>,
    telegram: TelegramInfo,
}

pub(super) async fn look(context: &CommandContext) -> Result<RunningState, ClientError> {
    let client = context.client()?;
    let telegram = settled(&client).await?;
    let registered = client.get("/servers").await?;
    Ok(RunningState {
        status: client.get("/status").await?,
        registered,
        telegram,
    })
}

/// Whether something lacks a secret: a server wants a password, or people wait for a bot that has
/// no token.
pub(super) fn lacks_a_secret(seen: &RunningState) -> bool {
    let telegram = &seen.telegram.status;
    let of_telegram = telegram.paired > 0
        && !matches!(telegram.state, Standing::Works | Standing::Standby)
        && !telegram.token_from_environment;
    of_telegram
        || seen
            .status
            .sources
            .iter()
            .any(|source| source.state == SourceStatus::Unauthorized)
}

pub(super) fn legs(
    context: &CommandContext,
    seen: &Result<RunningState, ClientError>,
) -> Vec<Finding> {
    let RunningState {
        status, telegram, ..
    } = match seen {
        Ok(seen) => seen,
        Err(refused) => {
            return vec![finding(
                context,
                "running",
                CheckHealth::Ill(refused.words(&context.texts)),
            )];
        }
    };
    let other = words::other_version(&context.texts, &status.version, env!("CARGO_PKG_VERSION"));
    let running = other.map_or_else(
        || CheckHealth::Well(status.version.clone()),
        CheckHealth::Note,
    );
    let mut findings = vec![finding(context, "running", running)];
    findings.extend(status.sources.iter().map(|source| agents(context, source)));
    let missing = status
        .sources
        .iter()
        .filter_map(|source| source.missing.clone());
    findings.extend(missing.map(|what| finding(context, "unread", CheckHealth::Ill(what))));
    findings.extend(unreadable(context, status));
    findings.push(desktop(context, status));
    findings.extend(tray(context, status));
    findings.push(presence(context, status));
    findings.extend(telegram::legs(context, telegram));
    findings.extend(updates::leg(context, status));
    findings
}

/// Returns a note on asks that could not be read. Each had its card; that there were some is worth
/// a look.
fn unreadable(context: &CommandContext, status: &Status) -> Option<Finding> {
    if status.unreadable == 0 {
        return None;
    }
    let count = Value::from(status.unreadable);
    let words = context
        .texts
        .with("warning-unreadable", &[("count", count)]);
    Some(finding(context, "unreadable", CheckHealth::Note(words)))
}

/// Checks presence. That it is unknown is no fault: a server has neither keyboard nor screen, and
/// asks ring everywhere.
fn presence(context: &CommandContext, status: &Status) -> Finding {
    let words = super::super::presence::line(&context.texts, &status.presence);
    finding(context, "presence", CheckHealth::Well(words))
}

/// The name of Xfce's daemon. It draws what a click on the text would do as a button, and such a
/// click does nothing (looked at in 0.7.3).
const XFCE: &str = "Xfce Notify Daemon";

fn desktop(context: &CommandContext, status: &Status) -> Finding {
    let desktop = &status.channels.desktop;
    let health = match (&desktop.daemon, &desktop.error) {
        (Some(daemon), _) if desktop.do_not_disturb == Some(true) => {
            CheckHealth::Note(daemon.clone())
        }
        (Some(daemon), _) => CheckHealth::Well(daemon.clone()),
        (None, error) => CheckHealth::Ill(error.clone().unwrap_or_default()),
    };
    // On other systems the system itself shows them, and there is nothing to start.
    let startable = cfg!(target_os = "linux") && matches!(health, CheckHealth::Ill(_));
    let is_xfce = desktop.daemon.as_deref() == Some(XFCE);
    let start = startable.then_some("doctor-desktop-start");
    let hint = start.or(is_xfce.then_some("doctor-desktop-buttons"));
    let hint = hint.map(|key| context.texts.get(key));
    Finding {
        hint,
        ..finding(context, "desktop", health)
    }
}

/// Checks the tray; without one there is nothing to say of it.
fn tray(context: &CommandContext, status: &Status) -> Option<Finding> {
    let health = match status.tray.state.known() {
        Some(OperatingState::Off) => return None,
        Some(OperatingState::Works) => CheckHealth::Well(String::new()),
        Some(OperatingState::Starting | OperatingState::Down) | None => {
            CheckHealth::Note(status.tray.error.clone().unwrap_or_default())
        }
    };
    Some(finding(context, "tray", health))
}

/// Checks a source. If a machine of the hub is away nothing is amiss, and nothing is to be started
/// here.
fn agents(context: &CommandContext, source: &Source) -> Finding {
    let Some(machine) = source.name.strip_prefix(HUB_SOURCE) else {
        return finding(context, leg(source), self::source(source));
    };
    let health = match &source.error {
        None => CheckHealth::Well(machine.to_owned()),
        Some(error) => CheckHealth::Note(format!("{machine}: {error}")),
    };
    finding(context, "machine", health)
}

fn leg(source: &Source) -> &'static str {
    match (source.kind, source.state == SourceStatus::Unauthorized) {
        (SourceKind::OpenCode, true) => "password",
        (SourceKind::OpenCode, false) => "source",
        (SourceKind::Interrupts | SourceKind::LangGraph, true) => "token",
        (SourceKind::Interrupts | SourceKind::LangGraph, false) => "service",
    }
}

fn source(source: &Source) -> Result<String, String> {
    let name = match source.url.as_str() {
        "" => source.name.clone(),
        url => format!("{} ({url})", source.name),
    };
    match source.state.known() {
        Some(SourceStatus::Live) => Ok(format!(
            "{name} {}",
            source.version.clone().unwrap_or_default()
        )
        .trim_end()
        .into()),
        Some(SourceStatus::Unauthorized) => Err(source.name.clone()),
        Some(SourceStatus::Connecting | SourceStatus::Unreachable) | None => Err(format!(
            "{name}: {}",
            source.error.clone().unwrap_or_default()
        )),
    }
}
