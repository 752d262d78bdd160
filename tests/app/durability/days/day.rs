//! A day, from morning to night.

use super::checks::{self, Outcome, Outcomes};
use super::human::{Human, Watched};
use super::killing::{self, Killed};
use super::script::{Agent, KillKind, Script};
use super::world::{Office, World};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time without any event after which an agent that has not ended waits for ever.
const STANDSTILL: Duration = Duration::from_secs(25);
/// The time within which everything must be gone when all is settled.
const EVENING: Duration = Duration::from_secs(8);
/// The interval at which the agent's server is asked whether a turn is over.
const LOOKS_EVERY: Duration = Duration::from_millis(250);

/// The results of a day.
#[derive(Debug)]
pub(super) struct Day {
    pub(super) seed: u64,
    pub(super) kind: KillKind,
    /// Whether cards were open when the kill came.
    pub(super) hit: bool,
    pub(super) asks: usize,
    pub(super) answers: usize,
    pub(super) strays: usize,
    pub(super) breaches: Vec<String>,
    pub(super) log: String,
}

pub(super) async fn live(office: Arc<Office>, seed: u64) -> Day {
    let script = Script::new(seed);
    let world = Arc::new(World::begin(office, &script).await);
    world.tell(&format!("{:?}", script.kill));
    let over = Arc::new(AtomicBool::new(false));
    let killer = spawn_killer(&world, &script, &over);
    let night = AtomicBool::new(false);
    let human = Human::new(world.clone(), &script);
    let agents = async {
        let sessions = work(&world, &script).await;
        over.store(true, Ordering::Relaxed);
        while !killer.is_finished() {
            tokio::time::sleep(LOOKS_EVERY).await;
        }
        night.store(true, Ordering::Relaxed);
        sessions
    };
    let events = events(&world, &script, world.began);
    let (sessions, watched, ()) = tokio::join!(agents, human.live(&night), events);
    let killed = killer
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let day = judge(&world, &script, &sessions, &watched, killed).await;
    clear(&world, &sessions).await;
    day
}

fn spawn_killer(
    world: &Arc<World>,
    script: &Script,
    over: &Arc<AtomicBool>,
) -> std::thread::JoinHandle<Killed> {
    let (world, script, over) = (world.clone(), script.clone(), over.clone());
    std::thread::spawn(move || killing::kill(&world, &script, &over))
}

/// Lets the events of the script happen at their times after `began`.
pub(super) async fn events(world: &World, script: &Script, began: Instant) {
    for (at, event) in &script.events {
        tokio::time::sleep(at.saturating_sub(began.elapsed())).await;
        world.befall(*event).await;
    }
    world.phone.telegram.heal();
}

/// Lets all agents work until their turns are over; returns their sessions.
pub(super) async fn work(world: &World, script: &Script) -> Vec<String> {
    let sessions = script.agents.iter().map(|agent| one_agent(world, agent));
    futures_util::future::join_all(sessions).await
}

async fn one_agent(world: &World, agent: &Agent) -> String {
    tokio::time::sleep(agent.begins).await;
    let session = world.office.begin(&agent.plays()).await;
    let (mut happened, mut since) = (world.happened(), Instant::now());
    while since.elapsed() < STANDSTILL && !world.office.is_over(&session).await {
        tokio::time::sleep(LOOKS_EVERY).await;
        if world.happened() != happened {
            (happened, since) = (world.happened(), Instant::now());
        }
    }
    session
}

async fn judge(
    world: &Arc<World>,
    script: &Script,
    sessions: &[String],
    watched: &[Watched],
    killed: Killed,
) -> Day {
    let outcomes = outcomes(world, script, sessions).await;
    let mut breaches = killed.breaches.clone();
    breaches.extend(checks::answers(&outcomes, watched));
    let settled = !outcomes.values().any(|outcome| *outcome == Outcome::Waits);
    if settled {
        breaches.extend(clean_up(world, &killed).await);
        breaches.extend(checks::endings(world, script, &outcomes));
        breaches.extend(checks::doubles(world, script, &killed));
        breaches.extend(checks::taps(world, &outcomes, watched));
    }
    breaches.extend(checks::posts(&world.wire.posted(), script, &killed));
    breaches.extend(checks::manners(world, script, watched, &killed));
    let log = if breaches.is_empty() {
        world.log()
    } else {
        in_full(world).await
    };
    Day {
        seed: script.seed,
        kind: script.kill.kind,
        hit: killed.open > 0,
        asks: outcomes.len(),
        answers: watched.iter().map(|one| one.acts.len()).sum(),
        strays: killed.strays.count(),
        breaches,
        log,
    }
}

/// Returns the outcome of each request, as the agent has it.
pub(super) async fn outcomes(world: &World, script: &Script, sessions: &[String]) -> Outcomes {
    let mut parts: Vec<Value> = Vec::new();
    for session in sessions {
        let directory = world.office.opencode.directory();
        parts.extend(world.office.opencode.tool_parts(session, directory).await);
    }
    checks::outcomes(script, &parts)
}

/// Returns the day's log, with Beckon's own list and output.
pub(super) async fn in_full(world: &World) -> String {
    let (said, list) = (world.beckon.stderr(), world.beckon.list().await);
    format!(
        "{}\n--- Beckon lists {}\n--- and said\n{said}",
        world.log(),
        json!(list)
    )
}

/// Checks that no card is left when everything is settled, except for strays; these must go when
/// they are pressed.
async fn clean_up(world: &World, killed: &Killed) -> Vec<String> {
    let mut breaches = orphans(world, killed, false).await;
    if killed.strays.count() == 0 {
        return breaches;
    }
    for shown in world.notifications() {
        if let Some((key, _)) = shown.actions.first() {
            world.daemon().press_if_open(shown.id, key);
        }
    }
    for message in world.messages() {
        let button = message.keyboard().iter().flatten().next().cloned();
        if let Some(beckon_support::telegram::Action::Callback(data)) = button.map(|it| it.action) {
            world
                .phone
                .telegram
                .tap_data(world.phone.user, world.phone.chat, message.id, &data);
        }
    }
    breaches.extend(orphans(world, killed, true).await);
    breaches
}

/// Waits for all cards to go; returns those that do not. After strays were pressed, these are
/// waited for, too.
pub(super) async fn orphans(world: &World, killed: &Killed, pressed: bool) -> Vec<String> {
    let until = Instant::now() + EVENING;
    loop {
        let left = left(world, killed, pressed).await;
        if left.is_empty() || Instant::now() >= until {
            return left;
        }
        tokio::time::sleep(LOOKS_EVERY).await;
    }
}

async fn left(world: &World, killed: &Killed, pressed: bool) -> Vec<String> {
    let mut left = Vec::new();
    for shown in world.notifications() {
        if pressed || !killed.strays.notifications.contains(&shown.id) {
            left.push(format!("an orphan notification: {:?}", shown.summary));
        }
    }
    for message in world.messages() {
        if pressed || !killed.strays.messages.contains(&message.id) {
            left.push(format!("an orphan message: {:?}", message.text));
        }
    }
    let sending = |text: &String| text.lines().next().is_some_and(|line| line.contains('⏳'));
    let messages = world.phone.telegram.messages(world.phone.chat);
    let sending = messages
        .into_iter()
        .map(|message| message.text)
        .filter(sending);
    left.extend(sending.map(|text| format!("a message that is sending for ever: {text:?}")));
    let rows = rows(world);
    if rows != Some(0) {
        left.push(format!("{rows:?} cards are kept"));
    }
    // A command costs more than all other checks.
    if left.is_empty() {
        let listed = world.beckon.command(&["list", "--json"]).await;
        if listed.stdout.trim() != "[]" {
            left.push(format!("Beckon lists {listed:?}"));
        }
    }
    left
}

fn rows(world: &World) -> Option<i64> {
    let database = rusqlite::Connection::open(world.beckon.home().join("beckon.db")).ok()?;
    database
        .query_row("SELECT count(*) FROM cards", [], |row| row.get(0))
        .ok()
}

/// Rejects all open requests, so that the next day begins with none.
pub(super) async fn clear(world: &World, sessions: &[String]) {
    let (opencode, directory) = (&world.office.opencode, world.office.opencode.directory());
    for question in opencode
        .questions(directory)
        .await
        .as_array()
        .into_iter()
        .flatten()
    {
        opencode
            .reject(directory, question["id"].as_str().unwrap())
            .await;
    }
    for permission in opencode
        .permissions(directory)
        .await
        .as_array()
        .into_iter()
        .flatten()
    {
        opencode
            .permit(directory, permission["id"].as_str().unwrap(), "reject")
            .await;
    }
    for session in sessions {
        opencode.delete(session, directory).await;
    }
}
