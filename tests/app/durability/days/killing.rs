//! The kill: kills Beckon at its instant, starts it again, and looks at what it left behind. The
//! place of each card on the screen must be noted, except for one that was on its way.

use super::script::{KillKind, Moment, Rng, Script};
use super::world::World;
use beckon_support::telegram::{Message, Method, Outcome};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The age up to which a card may not be noted yet when a kill comes. Neither a notification daemon
/// nor Telegram accepts a name that its sender chooses, so there is always such a moment.
const IN_FLIGHT: Duration = Duration::from_millis(250);
const GLANCE: Duration = Duration::from_micros(500);

/// The state that the kill met.
#[derive(Debug)]
pub(super) struct Killed {
    pub(super) at: Instant,
    /// The moment at which it runs again.
    pub(super) back: Instant,
    /// The number of cards that were open at the kill.
    pub(super) open: usize,
    /// The cards that were on their way and belong to nobody now.
    pub(super) strays: Strays,
    pub(super) breaches: Vec<String>,
}

#[derive(Debug, Default)]
pub(super) struct Strays {
    pub(super) notifications: BTreeSet<u32>,
    pub(super) messages: BTreeSet<i64>,
}

impl Strays {
    pub(super) fn count(&self) -> usize {
        self.notifications.len() + self.messages.len()
    }
}

/// Waits for the instant, or for the day's end if it does not come, and kills.
pub(super) fn kill(world: &World, script: &Script, over: &AtomicBool) -> Killed {
    wait(world, script.kill.moment, over);
    let at = Instant::now();
    strike(world, script);
    let open = world.notifications().len() + world.messages().len();
    world.tell(&format!(
        "{}, with {open} cards open",
        script.kill.kind.name()
    ));
    if script.kill.kind == KillKind::PowerCut {
        // The daemon ran on the same machine, whose power is cut.
        world.daemon().start_again();
    }
    std::thread::sleep(script.kill.down);
    let (mut strays, mut breaches) = Default::default();
    match script.kill.kind {
        KillKind::Stop => world.beckon.sigcont(),
        KillKind::Kill9 | KillKind::PowerCut => {
            (strays, breaches) = look_back(world, at);
            world.beckon.start();
        }
    }
    world.tell(&format!("it runs again; on their way were {strays:?}"));
    Killed {
        at,
        back: Instant::now(),
        open,
        strays,
        breaches,
    }
}

fn wait(world: &World, moment: Moment, over: &AtomicBool) {
    while !over.load(Ordering::Relaxed) {
        match moment {
            Moment::At(at) if world.began.elapsed() >= at => return,
            Moment::After { sign, count, delay } if world.count(sign) >= count => {
                return std::thread::sleep(delay);
            }
            Moment::At(_) | Moment::After { .. } => std::thread::sleep(GLANCE),
        }
    }
}

fn strike(world: &World, script: &Script) {
    match (script.kill.kind, script.kill.torn) {
        (KillKind::Kill9, _) => world.beckon.kill9(),
        (KillKind::Stop, _) => world.beckon.sigstop(),
        (KillKind::PowerCut, None) => world.beckon.cut_power(),
        (KillKind::PowerCut, Some(seed)) => {
            let mut dice = Rng::new(seed);
            world.beckon.cut_power_leaving(|| dice.is_one_in(2));
        }
    }
}

/// Returns the shown cards that are not noted: those that were on their way, and those that should
/// have been noted.
fn look_back(world: &World, killed: Instant) -> (Strays, Vec<String>) {
    let (mut strays, mut breaches) = (Strays::default(), Vec::new());
    let noted = noted(&world.beckon.home());
    let mut judge = |what: String, shown: Option<Instant>| {
        let age = shown.map_or(Duration::ZERO, |at| killed.saturating_duration_since(at));
        if age > IN_FLIGHT {
            breaches.push(format!("{what} stood there for {age:?}, and is not noted"));
        }
    };
    let owner = world.daemon().owner();
    for shown in world.notifications() {
        // A new daemon counts from 1 again: a note about another daemon's card of that number does
        // not count.
        let place = format!("/{owner}/{}", shown.id);
        if !noted.iter().any(|handle| handle.ends_with(&place)) {
            judge(
                format!("the notification {:?}", shown.summary),
                Some(shown.at),
            );
            strays.notifications.insert(shown.id);
        }
    }
    for message in world.messages() {
        if !noted.iter().any(|handle| is_of(handle, message.id)) {
            judge(
                format!("the message {:?}", message.text),
                sent_at(world, &message),
            );
            strays.messages.insert(message.id);
        }
    }
    (strays, breaches)
}

/// Returns the places of all cards that the database knows. It reads a copy: a connection that
/// closes the database tidies it up.
fn noted(home: &Path) -> Vec<String> {
    let copy = tempfile::tempdir().unwrap();
    for name in ["beckon.db", "beckon.db-wal"] {
        let _ = std::fs::copy(home.join(name), copy.path().join(name));
    }
    let database = rusqlite::Connection::open(copy.path().join("beckon.db")).unwrap();
    let handles = "SELECT handle FROM cards WHERE handle IS NOT NULL";
    let Ok(mut statement) = database.prepare(handles) else {
        return Vec::new();
    };
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn is_of(handle: &str, message: i64) -> bool {
    let handle: Value = serde_json::from_str(handle).unwrap_or_default();
    let posted = handle["posted"].as_array();
    posted.is_some_and(|posted| posted.iter().any(|posted| posted["message"] == message))
}

fn sent_at(world: &World, message: &Message) -> Option<Instant> {
    let sends = world.phone.telegram.calls_of(Method::SendMessage);
    let made = |outcome: &Outcome| match outcome {
        Outcome::Done(result) => result["message_id"] == message.id,
        _ => false,
    };
    sends
        .into_iter()
        .find(|call| made(&call.outcome))
        .and_then(|call| call.answered)
}
