//! The machines of one person: a desk for each, and a hub that carries the records about their
//! human.

use crate::common::*;
use beckon_core::hub::{HUB_SOURCE, HeardWhen, HereRecord, SeatNews};
use beckon_core::{
    Ask, AskId, Channel, Event, Policy, Presence, PresenceOverride, Session, Span, Step,
};

/// Several desks with the hub between them.
pub struct Home {
    pub desks: Vec<Story>,
    counts: Vec<u64>,
    /// The cards that each machine has shown since they were last read.
    rang: Vec<Vec<Channel>>,
    withdrawn: usize,
}

pub fn node(machine: usize) -> String {
    format!("node{machine}")
}

impl Home {
    /// Returns machines with notifications at which nobody sits; the first one serves the bot.
    pub fn of(machines: usize) -> Self {
        let desks = (0..machines)
            .map(|_| Story::with(Policy::default()))
            .collect();
        let mut home = Self {
            desks,
            counts: vec![0; machines],
            rang: vec![Vec::new(); machines],
            withdrawn: 0,
        };
        for machine in 0..machines {
            home.feed(machine, Event::ChannelUp(Channel::Desktop));
            let phone = if machine == 0 {
                Event::ChannelUp
            } else {
                Event::ChannelDown
            };
            home.feed(machine, phone(Channel::Telegram));
            home.feed(machine, reading(Presence::Locked, None));
        }
        home.join();
        home
    }

    /// Connects all machines to the hub, and lets them hear of each other.
    pub fn join(&mut self) {
        for machine in 0..self.desks.len() {
            self.feed(machine, Event::Seats(SeatNews::Joined(node(machine))));
        }
        self.tell();
        self.tell();
    }

    /// Publishes the seat of every machine to all others.
    pub fn tell(&mut self) {
        (0..self.desks.len()).for_each(|machine| self.tell_of(machine));
    }

    /// Publishes the seat of one machine to all others.
    pub fn tell_of(&mut self, machine: usize) {
        let record = self.record(machine);
        for other in (0..self.desks.len()).filter(|other| *other != machine) {
            self.hear(other, machine, record.clone());
        }
    }

    /// Returns the record that a machine would publish now.
    pub fn record(&mut self, machine: usize) -> HereRecord {
        let desk = &self.desks[machine];
        self.counts[machine] += 1;
        let seat = desk.desk.seat(desk.now);
        HereRecord::new(
            &format!("machine {machine}"),
            "run",
            self.counts[machine],
            seat,
        )
    }

    /// Delivers a record of one machine to another one.
    pub fn hear(&mut self, at: usize, of: usize, record: HereRecord) {
        let heard = SeatNews::Heard(node(of), record, HeardWhen::Now);
        self.feed(at, Event::Seats(heard));
    }

    /// Feeds an event to one machine, without telling the others.
    pub fn feed(&mut self, machine: usize, event: Event) -> Step {
        let step = self.desks[machine].feed(event);
        self.note(machine, &step);
        step
    }

    /// Feeds an event to one machine, and publishes its seat after that.
    pub fn happens(&mut self, machine: usize, event: Event) {
        self.feed(machine, event);
        self.tell_of(machine);
    }

    pub fn reads(&mut self, machine: usize, presence: Presence) {
        self.happens(machine, reading(presence, None));
    }

    pub fn says(&mut self, machine: usize, said: PresenceOverride) {
        self.happens(machine, Event::Said { said, until: None });
    }

    /// Asks at one machine, and shows the ask on all of them.
    pub fn ask(&mut self, owner: usize, own: &str) {
        for machine in 0..self.desks.len() {
            let step = self.desks[machine].ask(shown_at(machine, owner, own));
            self.note(machine, &step);
        }
    }

    fn note(&mut self, machine: usize, step: &Step) {
        let shown: Vec<Channel> = shows(step).iter().map(|(channel, ..)| *channel).collect();
        self.rang[machine].extend(shown);
        self.withdrawn += withdraws(step).len();
    }

    /// Lets time pass for all machines, with or without their records reaching each other.
    pub fn wait(&mut self, span: Span, heard: bool) {
        let mut left = span.0;
        while left > 0 {
            let part = Span(left.min(15_000));
            left -= part.0;
            for machine in 0..self.desks.len() {
                let step = self.desks[machine].wait(part);
                self.note(machine, &step);
            }
            if heard {
                self.tell();
            }
        }
    }

    /// Takes the hub away, and lets every machine notice.
    pub fn lose_hub(&mut self) {
        for machine in 0..self.desks.len() {
            self.feed(machine, Event::Seats(SeatNews::Lost));
        }
    }

    /// Returns how many cards were removed.
    pub fn withdrawn(&self) -> usize {
        self.withdrawn
    }

    /// Returns where it has rung since the last call: each machine by its number, and `phone`.
    pub fn rang(&mut self) -> Vec<String> {
        let mut rang = Vec::new();
        for (machine, channels) in self.rang.iter_mut().enumerate() {
            let on = |channel| channels.iter().filter(move |it| **it == channel).count();
            rang.extend((0..on(Channel::Desktop)).map(|_| machine.to_string()));
            rang.extend((0..on(Channel::Telegram)).map(|_| "phone".to_owned()));
            channels.clear();
        }
        rang.sort();
        rang
    }
}

/// Returns an ask of its owner in the form in which a machine has it.
pub fn shown_at(machine: usize, owner: usize, own: &str) -> Ask {
    if machine == owner {
        return single(own);
    }
    let ask = single(own);
    let session = Session {
        via: vec![node(owner)],
        ..ask.session
    };
    Ask {
        id: AskId::new(format!("{HUB_SOURCE}machine {owner}"), own),
        session,
        ..ask
    }
}
