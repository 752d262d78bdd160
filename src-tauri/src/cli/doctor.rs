//! `beckon doctor`: every leg, one line each: what works, what does not, what to do.

use super::{Context, Done, say, say_json};
use crate::config::Config;
use crate::secrets;
use crate::store::Store;
use crate::texts::Value;
use crate::wire::{Finding, Source, Status};
use std::process::ExitCode;

pub(super) async fn run(context: &Context, json: bool) -> Done {
    let findings = findings(context).await;
    if json {
        say_json(&findings);
    } else {
        for finding in &findings {
            say(&format!("{} {}", if finding.ok { "✓" } else { "✗" }, finding.text));
        }
    }
    let well = findings.iter().all(|finding| finding.ok);
    Ok(if well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What a check of every leg finds.
pub(super) async fn findings(context: &Context) -> Vec<Finding> {
    let mut findings = vec![config(context), database(context), keychain(context).await];
    findings.extend(running(context).await);
    findings
}

fn finding(context: &Context, leg: &str, outcome: Result<String, String>) -> Finding {
    let (word, ok, detail) = match outcome {
        Ok(detail) => ("ok", true, detail),
        Err(detail) => ("bad", false, detail),
    };
    let text =
        context.texts.with(&format!("doctor-{leg}-{word}"), &[("detail", Value::from(detail))]);
    Finding { leg: leg.into(), ok, text, hint: None }
}

fn config(context: &Context) -> Finding {
    let read = match Config::read(&context.paths.config) {
        Ok((_, unknown)) if unknown.is_empty() => Ok(context.paths.config.display().to_string()),
        Ok((_, unknown)) => Err(unknown.join(", ")),
        Err(error) => Err(format!("{error:#}")),
    };
    finding(context, "config", read)
}

fn database(context: &Context) -> Finding {
    let path = &context.paths.database;
    let checked = match path.exists() {
        true => Store::check(path).map_err(|error| format!("{error:#}")),
        false => Ok(()),
    };
    finding(context, "database", checked.map(|()| path.display().to_string()))
}

async fn keychain(context: &Context) -> Finding {
    let checked = secrets::check().await.map_err(|error| format!("{error:#}"));
    finding(context, "keychain", checked.map(|()| String::new()))
}

async fn running(context: &Context) -> Vec<Finding> {
    let status = match context.client() {
        Ok(client) => client.get::<Status>("/status").await,
        Err(refused) => Err(refused),
    };
    let status = match status {
        Ok(status) => status,
        Err(refused) => return vec![finding(context, "running", Err(refused.to_string()))],
    };
    let mut findings = vec![finding(context, "running", Ok(status.version.clone()))];
    findings.extend(status.sources.iter().map(|s| finding(context, leg(s), source(s))));
    let desktop = &status.channels.desktop;
    let works = match (&desktop.daemon, &desktop.error) {
        (Some(daemon), _) => Ok(daemon.clone()),
        (None, error) => Err(error.clone().unwrap_or_default()),
    };
    findings.push(finding(context, "desktop", works));
    findings
}

fn leg(source: &Source) -> &'static str {
    if source.state == "unauthorized" { "password" } else { "source" }
}

fn source(source: &Source) -> Result<String, String> {
    let name = match source.url.as_str() {
        "" => source.name.clone(),
        url => format!("{} ({url})", source.name),
    };
    match source.state.as_str() {
        "live" => {
            Ok(format!("{name} {}", source.version.clone().unwrap_or_default()).trim_end().into())
        }
        "unauthorized" => Err(source.name.clone()),
        _ => Err(format!("{name}: {}", source.error.clone().unwrap_or_default())),
    }
}
