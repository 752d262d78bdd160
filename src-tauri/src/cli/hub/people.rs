//! The command `beckon hub people`: who is on the desk, which devices are online, and who is taken
//! off.

use super::{faults, settings};
use crate::cli::{CommandContext, CommandResult, say, say_json};
use crate::hub::{joining, key, membership};
use beckon_client::config::HubConfig;
use beckon_client::text::{Texts, Value};
use beckon_core::hub::DeskRecord;
use serde::Serialize;
use std::collections::BTreeMap;
use std::process::ExitCode;

/// A device of the desk, or of the list in the settings.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct ListedDevice {
    device: String,
    person: Option<String>,
    key: String,
    /// Whether it was heard of lately.
    here: bool,
    /// The version of its Beckon, if it is online and says so.
    version: Option<String>,
    /// Whether it is this device.
    own: bool,
    /// Whether it administers the desk.
    admin: bool,
}

pub(super) async fn run(context: &CommandContext, json: bool) -> CommandResult {
    let hub = settings::joined(context)?;
    let known = settings::known_desk(context, &hub).await;
    let told = joining::people(&hub, known).await;
    let (newest, there) = told.map_err(|fault| faults::said(context, fault))?;
    settings::warn_of_older(context, &newest);
    let own = key::public().await.unwrap_or_default();
    let devices = listed(&hub, newest.desk.as_ref(), &there, &own);
    if json {
        say_json(&devices);
    } else if devices.is_empty() {
        say(&context.texts.get("hub-people-none"));
    } else {
        devices
            .iter()
            .for_each(|device| say(&line(&context.texts, device)));
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn remove(context: &CommandContext, device: String) -> CommandResult {
    let removed = membership::remove(&context.paths, device.clone()).await;
    removed.map_err(|why| faults::refused(context, why))?;
    say(&context
        .texts
        .with("hub-people-removed", &[("device", Value::from(device))]));
    Ok(ExitCode::SUCCESS)
}

/// Returns the devices of the desk, and those that are only listed here.
fn listed(
    hub: &HubConfig,
    desk: Option<&DeskRecord>,
    there: &BTreeMap<String, Option<String>>,
    own: &str,
) -> Vec<ListedDevice> {
    let of_desk = desk.iter().flat_map(|desk| &desk.devices);
    let of_desk = of_desk.map(|(name, entry)| (name, (&entry.key, entry.person.clone())));
    let mut all: BTreeMap<_, _> = of_desk.collect();
    let is_known = |key: &String| desk.is_some_and(|desk| desk.device_of(key).is_some());
    for (name, key) in hub.devices.iter().filter(|(_, key)| !is_known(key)) {
        all.insert(name, (key, None));
    }
    let device = |(name, (key, person)): (&String, (&String, Option<String>))| ListedDevice {
        here: there.contains_key(name),
        version: there.get(name).cloned().flatten(),
        own: key == own,
        admin: hub.admin.as_ref() == Some(key),
        device: name.clone(),
        person,
        key: key.clone(),
    };
    all.into_iter().map(device).collect()
}

fn line(texts: &Texts, device: &ListedDevice) -> String {
    let state = if device.here {
        "hub-people-here"
    } else {
        "hub-people-away"
    };
    let notes = [Some(state), device.own.then_some("hub-people-own")];
    let notes = notes
        .into_iter()
        .chain([device.admin.then_some("hub-people-admin")]);
    let version = device
        .version
        .clone()
        .map(|version| texts.with("hub-people-version", &[("version", Value::from(version))]));
    let notes = notes.flatten().map(|note| texts.get(note)).chain(version);
    let notes: Vec<String> = notes.collect();
    let args = [
        ("device", Value::from(owned(texts, device))),
        ("notes", notes.join(" · ").into()),
    ];
    texts.with("hub-people-line", &args)
}

fn owned(texts: &Texts, device: &ListedDevice) -> String {
    let Some(person) = &device.person else {
        return device.device.clone();
    };
    let args = [
        ("device", Value::from(device.device.clone())),
        ("person", person.clone().into()),
    ];
    texts.with("hub-people-owned", &args)
}
