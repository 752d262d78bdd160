//! Several Beckons of one person and the hub between them: agents ask at each of them, and humans
//! answer wherever they are. Beckons and the hub die, forget, and lose sight of each other; their
//! messages arrive late, twice, or out of order; the hub's server lies, a forger writes to it, and a
//! member goes bad.

mod ageing;
mod agents;
mod check;
mod forger;
mod hub;
mod human;
mod liar;
mod member;
mod near;
mod sharing;

use crate::lives::Life;
use crate::world::{Rng, tally};
use agents::Agents;
use beckon_core::{Span, Timestamp};
use hub::Hub;
use human::Given;
use member::Member;
use std::collections::BTreeMap;

tally! {
    crashes,
    power_cuts,
    /// Connections to the hub that broke.
    cuts,
    /// Stops of the hub's machine.
    hub_stops,
    /// Stops after which the hub had lost its last writes.
    hub_power_cuts,
    /// Times at which the hub was put back to an earlier state.
    hub_restored,
    /// Messages of broken connections that arrived after all.
    late,
    /// Answers whose publication stayed unclear.
    unknown_acks,
    doubled,
    /// Days that passed at once.
    days,
    /// Records of asks that the hub forgot by their age.
    aged_asks,
    /// Answers that the hub forgot by their age.
    aged_answers,
    forged,
    replayed,
    /// Answers of a member gone bad, to what it has not seen.
    gone_bad,
    /// Messages that the server withheld.
    withheld,
    /// Older records that the server showed.
    older_shown,
    /// Records that the server showed, and no believed device has signed.
    forged_shown,
    /// Times at which a device was not trusted for a while.
    distrusted,
    clocks_set,
    /// Asks that were replaced by others under the same name.
    changed,
    /// Asks that were missing from their agent's list for a while.
    out_of_sight,
    answers,
    /// Answers given for another machine's agent.
    far_answers,
    /// Answers for another machine's agent that were taken there.
    far_taken,
    /// Answers for another machine's agent that its owner refused.
    refused,
    /// Answers for another machine's agent that came back to their human.
    returned,
    /// Answers that were too late, since another answer was faster.
    overtaken,
    /// Records of another version.
    newer,
}

pub struct Desks {
    rng: Rng,
    now: Timestamp,
    members: Vec<Member>,
    agents: Agents,
    hub: Hub,
    /// The answers that humans gave, and what they were told of them.
    given: Vec<Given>,
    /// The agents' names for asks, by machine and the ask's number there.
    names: BTreeMap<(usize, u64), String>,
    tally: Tally,
    calm: bool,
    log: Option<Vec<String>>,
}

const START: Timestamp = Timestamp(1_700_000_000_000);
/// The number of Beckons.
const COUNT: usize = 5;

impl Life for Desks {
    type Tally = Tally;

    fn new(seed: u64, log: bool) -> Self {
        let mut rng = Rng::new(seed);
        let newest = rng.below(COUNT);
        let with_newer = rng.one_in(4);
        let member = |index| Member::new(index, with_newer && index == newest);
        Self {
            members: (0..COUNT).map(member).collect(),
            agents: Agents::default(),
            hub: Hub::new(COUNT),
            given: Vec::new(),
            names: BTreeMap::new(),
            tally: Tally {
                newer: u64::from(with_newer),
                ..Tally::default()
            },
            now: START,
            calm: false,
            log: log.then(Vec::new),
            rng,
        }
    }

    fn live(&mut self) {
        (0..COUNT).for_each(|member| self.start(member));
        if !self.rng.one_in(4) {
            self.begin_well();
        }
        for _ in 0..60 + self.rng.below(120) {
            self.act();
        }
        self.settle();
        self.check();
    }

    fn tally(&self) -> Tally {
        self.tally
    }

    fn log(&mut self) -> Vec<String> {
        self.log.take().unwrap_or_default()
    }
}

impl Desks {
    fn note(&mut self, what: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.push(format!("{:>8} {}", self.now.0 - START.0, what()));
        }
    }

    /// Connects all Beckons and opens two asks, which reach all of them.
    fn begin_well(&mut self) {
        (0..COUNT).for_each(|member| self.connect(member));
        for _ in 0..2 {
            let member = self.rng.below(COUNT);
            self.agent_asks(member);
        }
        (0..20).for_each(|_| self.traffic());
    }

    /// Executes at most one event, and moves on what is under way.
    fn act(&mut self) {
        let member = self.rng.below(COUNT);
        match self.rng.below(64) {
            0..=5 => self.agent_asks(member),
            6 => self.agent_gives_up(member),
            7 => self.agent_asks_another(member),
            8 if self.rng.one_in(2) => self.lose_sight(member),
            9..=24 => self.human_answers(member),
            25 => _ = self.next_late(),
            26..=27 => self.line_trouble(member),
            28 => self.hub_trouble(),
            29 if self.rng.one_in(3) => self.crash(member),
            30..=32 => self.forge(),
            33 if self.rng.one_in(6) => self.change_trust(),
            34 if self.rng.one_in(3) => self.set_clock(member),
            35 => self.some_time(40_000),
            46 if self.rng.one_in(8) => self.some_days(),
            36..=45 => self.some_time(900),
            47..=50 => self.lie(),
            51 => self.go_bad(),
            _ => {}
        }
        for _ in 0..self.rng.below(4) {
            self.traffic();
        }
        self.nothing_forged_is_shown();
    }

    /// Moves each member's messages on a little, or not at all.
    fn traffic(&mut self) {
        for member in 0..COUNT {
            match self.rng.below(5) {
                0 => self.next_inputs(member),
                1 => self.next_ups(member),
                2..=3 => self.next_downs(member),
                _ if self.rng.one_in(3) => self.connect(member),
                _ => _ = self.next_post(),
            }
        }
    }

    /// Lets some time pass; deadlines on the way get their tick.
    fn some_time(&mut self, most: usize) {
        let until = self.now + Span::millis(self.rng.below(most) as i64);
        while let Some(at) = self.next_deadline().filter(|at| *at <= until) {
            self.tick(at);
        }
        self.now = until;
    }

    /// Ends the life without further faults: everything arrives, and time passes until nothing is
    /// due. Records that the hub has forgotten are published again on the next day, and a Beckon
    /// that hears nothing of an ask for a week forgets it.
    fn settle(&mut self) {
        self.calm = true;
        self.recover();
        for _ in 0..9 {
            self.come_to_rest();
            self.next_day();
        }
        assert!(self.come_to_rest(), "it never comes to rest");
    }

    /// Lets everything arrive until nothing is due; returns `false` if there is no end. A Beckon
    /// that waits for an owner which has forgotten the ask publishes again and again.
    fn come_to_rest(&mut self) -> bool {
        for _ in 0..4_000 {
            let member = self.rng.below(COUNT);
            if (0..COUNT).any(|offset| self.something_arrives((member + offset) % COUNT)) {
                continue;
            }
            match self.next_deadline() {
                Some(at) => self.tick(at),
                None => return true,
            }
        }
        false
    }

    fn recover(&mut self) {
        self.note(|| "all is well from here".into());
        while self.next_late() {}
        self.be_honest();
        self.trust_all();
        self.hub.up = true;
        (0..COUNT).for_each(|member| self.connect(member));
    }

    fn something_arrives(&mut self, member: usize) -> bool {
        self.next_input(member)
            || self.next_up(member)
            || self.next_down(member)
            || self.next_post()
    }
}
