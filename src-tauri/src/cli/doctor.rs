//! The command `beckon doctor`: every leg, one line each: what works, what does not, what to do.
//!
//! Here: the legs that this process can check by itself. What the running Beckon says of the others
//! is in `doctor/running.rs` and `doctor/telegram.rs`.

mod compatibility;
mod coverage;
mod running;
mod telegram;
mod updates;

use super::{CommandContext, CommandResult, say, say_json};
use crate::channels::telegram as channel;
use crate::platform::secrets::{self, KeychainError};
use crate::store::Store;
use beckon_client::config::Config;
use beckon_client::platform::secret::TELEGRAM_PROXY;
use beckon_client::text::Value;
use beckon_client::text::words;
use beckon_client::wire::Finding;
use running::RunningState;
use std::process::ExitCode;

/// The health of a leg, with the detail of its line.
pub(super) enum CheckHealth {
    Well(String),
    Note(String),
    Ill(String),
}

impl From<Result<String, String>> for CheckHealth {
    fn from(looked: Result<String, String>) -> Self {
        match looked {
            Ok(detail) => Self::Well(detail),
            Err(detail) => Self::Ill(detail),
        }
    }
}

/// The checks that are made only on request.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExtraChecks {
    /// The local network.
    pub(super) nearby: bool,
    /// The compatibility of each server's API.
    pub(super) probe: bool,
}

pub(super) async fn run(context: &CommandContext, also: ExtraChecks, json: bool) -> CommandResult {
    let mut findings = findings(context).await;
    if also.probe {
        findings.extend(compatibility::probed(context).await);
    }
    if also.nearby {
        findings.extend(coverage::nearby(context).await);
    }
    if json {
        say_json(&findings);
    } else {
        findings
            .iter()
            .for_each(|finding| say(&line(context, finding)));
    }
    let well = findings.iter().all(|finding| finding.ok);
    Ok(if well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Returns what a check of every leg finds.
pub(super) async fn findings(context: &CommandContext) -> Vec<Finding> {
    let seen = running::look(context).await;
    let lacking = seen.as_ref().is_ok_and(running::lacks_a_secret);
    let mut findings = vec![
        config(context),
        database(context),
        keychain(context, lacking).await,
    ];
    findings.extend(files(context));
    findings.extend(running::legs(context, &seen));
    findings.extend(coverage::legs(context, seen.as_ref().ok()));
    findings
}

pub(super) fn line(context: &CommandContext, finding: &Finding) -> String {
    let mark = match (finding.ok, finding.note) {
        (false, _) => '✗',
        (true, true) => '·',
        (true, false) => '✓',
    };
    let text = match &finding.hint {
        None => finding.text.clone(),
        Some(hint) => {
            let (text, hint) = (Value::from(finding.text.clone()), Value::from(hint.clone()));
            context
                .texts
                .with("doctor-hint", &[("text", text), ("hint", hint)])
        }
    };
    format!("{mark} {text}")
}

pub(super) fn finding(
    context: &CommandContext,
    leg: &str,
    health: impl Into<CheckHealth>,
) -> Finding {
    let (word, ok, note, detail) = match health.into() {
        CheckHealth::Well(detail) => ("ok", true, false, detail),
        CheckHealth::Note(detail) => ("note", true, true, detail),
        CheckHealth::Ill(detail) => ("bad", false, false, detail),
    };
    let text = context.texts.with(
        &format!("doctor-{leg}-{word}"),
        &[("detail", Value::from(detail))],
    );
    Finding {
        leg: leg.into(),
        ok,
        note,
        text,
        hint: None,
    }
}

fn config(context: &CommandContext) -> Finding {
    match Config::read(&context.paths.config) {
        Ok((_, unknown)) if unknown.is_empty() => finding(
            context,
            "config",
            Ok(context.paths.config.display().to_string()),
        ),
        Ok((_, unknown)) => finding(context, "keys", CheckHealth::Ill(unknown.join(", "))),
        Err(why) => finding(
            context,
            "config",
            Err(words::unusable(&context.texts, &why)),
        ),
    }
}

/// Checks the folders; they are only mentioned if there is no place for them.
fn files(context: &CommandContext) -> Option<Finding> {
    let dir = context.paths.first_out_of_reach()?;
    Some(finding(
        context,
        "files",
        CheckHealth::Ill(dir.display().to_string()),
    ))
}

fn database(context: &CommandContext) -> Finding {
    let path = &context.paths.database;
    let checked = if path.exists() {
        Store::check(path).map_err(|error| error.root_cause().to_string())
    } else {
        Ok(())
    };
    finding(
        context,
        "database",
        checked.map(|()| path.display().to_string()),
    )
}

/// Checks the keychain. If there is none, that is an ill only if something lacks a secret.
async fn keychain(context: &CommandContext, lacking: bool) -> Finding {
    let health = match secrets::check().await {
        Ok(()) => CheckHealth::Well(String::new()),
        Err(KeychainError::Absent(_)) if !lacking => CheckHealth::Note(variables(context)),
        Err(trouble) => {
            CheckHealth::Ill(words::keychain(&context.texts, &trouble, channel::SECRET))
        }
    };
    finding(context, "keychain", health)
}

/// Returns the variables that stand in for a keychain.
fn variables(context: &CommandContext) -> String {
    let config = Config::read(&context.paths.config)
        .map(|(config, _)| config)
        .unwrap_or_default();
    let servers = config
        .opencode
        .iter()
        .map(|server| format!("opencode:{}", server.name));
    let services = config
        .interrupts
        .iter()
        .map(|service| format!("interrupts:{}", service.name));
    let proxy = config.telegram.proxy.filter(|proxy| proxy.has_user());
    let proxy = proxy.map(|_| TELEGRAM_PROXY.to_owned());
    let telegram = [channel::SECRET.to_owned()].into_iter().chain(proxy);
    let names = telegram.chain(servers).chain(services);
    names
        .map(|name| secrets::variable(&name))
        .collect::<Vec<_>>()
        .join(", ")
}
