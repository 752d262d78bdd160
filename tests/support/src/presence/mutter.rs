//! A fake of GNOME's idle monitor. Only the test changes its state.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use zbus::blocking::Connection;
use zbus::interface;

use super::{builder, emit};
use crate::bus::Bus;

const NAME: &str = "org.gnome.Mutter.IdleMonitor";
const PATH: &str = "/org/gnome/Mutter/IdleMonitor/Core";

/// The service. It leaves the bus on drop.
pub struct IdleMonitor {
    connection: Connection,
    state: Arc<Mutex<State>>,
}

struct State {
    last_input: Instant,
    last_watch: u32,
    /// The watches for a time without input, each of which fires once per idle period.
    rests: Vec<(u32, Duration)>,
    /// The watches for the next input, each of which fires once and is then removed.
    moves: Vec<u32>,
}

impl IdleMonitor {
    /// Starts the service on `bus`, with the last input a moment ago.
    pub fn start(bus: &Bus) -> IdleMonitor {
        let state = State {
            last_input: Instant::now(),
            last_watch: 0,
            rests: Vec::new(),
            moves: Vec::new(),
        };
        let state = Arc::new(Mutex::new(state));
        let builder = builder(bus).serve_at(PATH, Service(state.clone())).unwrap();
        let connection = builder
            .name(NAME)
            .unwrap()
            .build()
            .expect("failed to own Mutter's name");
        IdleMonitor { connection, state }
    }

    /// Sets the last input to `untouched` ago and fires the watches that are due.
    pub fn rest(&self, untouched: Duration) {
        let mut state = self.state.lock().unwrap();
        state.last_input = Instant::now() - untouched;
        let due = state.rests.iter().filter(|(_, after)| *after <= untouched);
        let fired: Vec<u32> = due.map(|(watch, _)| *watch).collect();
        drop(state);
        self.fire(&fired);
    }

    /// Simulates a key press.
    pub fn touch(&self) {
        let mut state = self.state.lock().unwrap();
        state.last_input = Instant::now();
        let fired = std::mem::take(&mut state.moves);
        drop(state);
        self.fire(&fired);
    }

    /// Returns the number of registered watches.
    pub fn watches(&self) -> usize {
        let state = self.state.lock().unwrap();
        state.rests.len() + state.moves.len()
    }

    fn fire(&self, watches: &[u32]) {
        for watch in watches {
            emit(&self.connection, PATH, NAME, "WatchFired", watch);
        }
    }
}

struct Service(Arc<Mutex<State>>);

impl State {
    fn next(&mut self) -> u32 {
        self.last_watch += 1;
        self.last_watch
    }
}

#[interface(name = "org.gnome.Mutter.IdleMonitor")]
impl Service {
    fn get_idletime(&self) -> u64 {
        let untouched = self.0.lock().unwrap().last_input.elapsed();
        u64::try_from(untouched.as_millis()).unwrap()
    }

    fn add_idle_watch(&self, interval: u64) -> u32 {
        let mut state = self.0.lock().unwrap();
        let watch = state.next();
        state.rests.push((watch, Duration::from_millis(interval)));
        watch
    }

    fn add_user_active_watch(&self) -> u32 {
        let mut state = self.0.lock().unwrap();
        let watch = state.next();
        state.moves.push(watch);
        watch
    }

    fn remove_watch(&self, watch: u32) {
        let mut state = self.0.lock().unwrap();
        state.rests.retain(|(known, _)| *known != watch);
        state.moves.retain(|known| *known != watch);
    }
}
