//! The command `beckon hub doctor`: every leg of the hub in one line each.

use super::settings;
use crate::cli::doctor::{CheckHealth, finding, line};
use crate::cli::{CommandContext, CommandResult, say, say_json};
use crate::hub::fault::HubFault;
use crate::hub::inspection::{HubFindings, inspect};
use beckon_client::config::HubConfig;
use beckon_client::text::{Value, words};
use beckon_client::wire::Finding;
use beckon_core::Span;
use std::process::ExitCode;

/// Two clocks that differ by more are worth a word: what expires does so by its owner's.
const NOTABLE: Span = Span::minutes(1);

pub(super) async fn run(context: &CommandContext, json: bool) -> CommandResult {
    let hub = settings::joined(context)?;
    let known = settings::known_desk(context, &hub).await;
    let findings = match inspect(&hub, known).await {
        Ok(found) => of_hub(context, &hub, &found),
        Err(fault) => unreached(context, &hub, &fault),
    };
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

fn unreached(context: &CommandContext, hub: &HubConfig, fault: &HubFault) -> Vec<Finding> {
    let why = CheckHealth::Ill(fault.words(&context.texts));
    if matches!(fault, HubFault::NotLetIn) {
        let there = finding(context, "hub", CheckHealth::Well(hub.url.clone()));
        return vec![there, part(context, "login", why)];
    }
    vec![finding(context, "hub", why)]
}

fn of_hub(context: &CommandContext, hub: &HubConfig, found: &HubFindings) -> Vec<Finding> {
    let args = [
        ("version", Value::from(found.version.clone())),
        ("url", hub.url.clone().into()),
        (
            "ms",
            Value::from(u64::try_from(found.takes.as_millis()).unwrap_or(u64::MAX)),
        ),
    ];
    let place = context.texts.with("doctor-hub-place", &args);
    let older = found.desk.as_ref().ok();
    let older = older.and_then(|newest| settings::older_list(&context.texts, newest));
    let older = older.map(|line| part(context, "list", CheckHealth::Ill(line)));
    let mut findings = vec![
        finding(context, "hub", CheckHealth::Well(place)),
        part(context, "login", login(context, found)),
        part(context, "streams", streams(context, found)),
        part(context, "there", there(context, found)),
        part(context, "sync", sync(context, found)),
        part(context, "clock", clock(context, found)),
    ];
    findings.extend(older);
    findings
}

fn part(context: &CommandContext, part: &str, health: CheckHealth) -> Finding {
    finding(context, &format!("hub-{part}"), health)
}

fn login(context: &CommandContext, found: &HubFindings) -> CheckHealth {
    let key = if found.is_admin {
        "doctor-hub-as-admin"
    } else {
        "doctor-hub-as-device"
    };
    CheckHealth::Well(context.texts.get(key))
}

fn streams(context: &CommandContext, found: &HubFindings) -> CheckHealth {
    match &found.odd_streams {
        Ok(odd) if odd.is_empty() => CheckHealth::Well(String::new()),
        Ok(odd) => CheckHealth::Ill(odd.join(", ")),
        Err(fault) => CheckHealth::Ill(fault.words(&context.texts)),
    }
}

fn there(context: &CommandContext, found: &HubFindings) -> CheckHealth {
    match &found.there {
        Ok(there) if there.is_empty() => CheckHealth::Note(context.texts.get("doctor-hub-nobody")),
        Ok(there) => CheckHealth::Well(there.keys().cloned().collect::<Vec<_>>().join(", ")),
        Err(fault) => CheckHealth::Ill(fault.words(&context.texts)),
    }
}

fn sync(context: &CommandContext, found: &HubFindings) -> CheckHealth {
    match &found.desk {
        Ok(newest) => match newest.desk.as_ref().and_then(|desk| desk.syncs) {
            Some(true) => CheckHealth::Well(String::new()),
            Some(false) => CheckHealth::Note(context.texts.get("doctor-hub-syncs-not")),
            None => CheckHealth::Note(context.texts.get("doctor-hub-syncs-unknown")),
        },
        Err(fault) => CheckHealth::Ill(fault.words(&context.texts)),
    }
}

fn clock(context: &CommandContext, found: &HubFindings) -> CheckHealth {
    match found.ahead {
        None => CheckHealth::Note(context.texts.get("doctor-hub-clock-unknown")),
        Some(ahead) => {
            let apart = Span(ahead.0.abs());
            let text = words::age(&context.texts, apart);
            if apart > NOTABLE {
                CheckHealth::Note(text)
            } else {
                CheckHealth::Well(text)
            }
        }
    }
}
