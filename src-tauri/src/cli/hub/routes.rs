//! The command `beckon hub routes`: the rules of a team, as everybody goes by them, and new ones
//! from a file.

mod reading;

use super::{faults, settings};
use crate::cli::{CommandContext, CommandResult, say, say_json};
use crate::hub::joining;
use beckon_client::connection::ClientError;
use beckon_client::platform::clock;
use beckon_client::text::{Texts, Value, words};
use beckon_core::Timestamp;
use beckon_core::hub::DeskRecord;
use beckon_core::hub::team::{Route, Team, Who};
use std::path::Path;
use std::process::ExitCode;

pub(super) async fn run(context: &CommandContext, json: bool) -> CommandResult {
    let hub = settings::joined(context)?;
    let known = settings::known_desk(context, &hub).await;
    let told = joining::people(&hub, known).await;
    let (newest, _) = told.map_err(|fault| faults::said(context, fault))?;
    settings::warn_of_older(context, &newest);
    let desk = newest.desk.unwrap_or_default();
    if json {
        say_json(&desk.team);
    } else {
        lines(&context.texts, &desk, clock::now())
            .iter()
            .for_each(|line| say(line));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the routes, each with whom it means now, and then the people. A hub of one person has no
/// people to list.
fn lines(texts: &Texts, desk: &DeskRecord, now: Timestamp) -> Vec<String> {
    let team = desk.seat_of_nobody().team;
    let route = |route| {
        let now = words::route_now(texts, &team, route, now);
        [Some(line(texts, route)), now.map(|now| format!("  {now}"))]
    };
    let mut lines: Vec<String> = team.routes.iter().flat_map(route).flatten().collect();
    if lines.is_empty() {
        lines.push(texts.get("hub-routes-none"));
    }
    if team.is_several() {
        lines.push(String::new());
        lines.extend(
            team.people
                .keys()
                .map(|name| words::member(texts, &team, name, now)),
        );
    }
    lines
}

/// Sets the rules of a file. They are published only when the whole file was read and makes sense.
/// Doubts, such as about people without a device, are printed and keep nothing back.
pub(super) async fn set(context: &CommandContext, file: &Path) -> CommandResult {
    let hub = settings::joined(context)?;
    let team = reading::read(&context.texts, file).map_err(ClientError::Said)?;
    let known = settings::known_desk(context, &hub).await;
    let doubts = doubts(&context.texts, &team, &known.unwrap_or_default());
    let count = team.routes.len();
    let ruled = joining::set_rules(&hub, &settings::folder(context), team).await;
    ruled.map_err(|fault| faults::said(context, fault))?;
    say(&context
        .texts
        .with("hub-routes-set", &[("count", Value::from(count))]));
    doubts.iter().for_each(|doubt| say(doubt));
    Ok(ExitCode::SUCCESS)
}

/// Returns doubts about rules that may be meant so, but lead nowhere as things are: people and
/// roles may still come.
fn doubts(texts: &Texts, team: &Team, desk: &DeskRecord) -> Vec<String> {
    let said = |key: &str, names: Vec<String>| {
        let names = Value::from(names.join(", "));
        texts.with(key, &[("names", names)])
    };
    let some = |names: Vec<String>| Some(names).filter(|names| !names.is_empty());
    let strangers = some(strangers(team, desk)).map(|it| said("hub-routes-strangers", it));
    let unknown = some(team.unknown_words().into_iter().collect());
    let unknown = unknown.map(|words| said("hub-routes-nobody-has", words));
    let people = desk
        .devices
        .keys()
        .map(|device| desk.person_of(device))
        .collect();
    let stuck = team.stuck(&people);
    let stuck = stuck.iter().map(|stuck| {
        let (names, route) = (stuck.starters.join(", "), line(texts, stuck.route));
        texts.with(
            "hub-routes-stuck",
            &[("names", names.into()), ("route", route.into())],
        )
    });
    strangers.into_iter().chain(unknown).chain(stuck).collect()
}

/// Returns the people who are named and have no device: if that is a typing error, asks would wait
/// for them in vain.
fn strangers(team: &Team, desk: &DeskRecord) -> Vec<String> {
    let of_routes = team
        .routes
        .iter()
        .flat_map(|route| route.answerers.iter().chain(&route.audience));
    let of_routes = of_routes.filter_map(|who| match who {
        Who::Person(name) => Some(name),
        Who::Everyone | Who::Role(_) | Who::OnDuty(_) => None,
    });
    let of_rota = team.rota.shifts.iter().map(|shift| &shift.person);
    let named = team.people.keys().chain(of_routes).chain(of_rota);
    let has_device = |name: &&String| desk.devices.keys().any(|it| desk.person_of(it) == **name);
    let mut strangers: Vec<String> = named.filter(|name| !has_device(name)).cloned().collect();
    strangers.sort();
    strangers.dedup();
    strangers
}

fn line(texts: &Texts, route: &Route) -> String {
    let (scope, rule) = words::route(texts, route);
    texts.with(
        "hub-routes-line",
        &[("scope", Value::from(scope)), ("rule", rule.into())],
    )
}
