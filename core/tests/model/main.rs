//! Random lives of tiny worlds, and the promises that must hold in each of them whatever happens.
//! The worlds are a desk with its servers, its disk, its channels and its human (`world/`), an
//! agent's threads (`threads.rs`), a Beckon that watches another (`chain.rs`), and several that
//! share their asks over a hub (`desks/`). `docs/model.md` says what each of them finds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    missing_docs,
    unreachable_pub
)]

mod chain;
mod desks;
mod life;
mod lives;
mod promises;
mod sources;
mod threads;
mod world;

use world::World;

#[test]
fn whatever_happens_every_promise_holds_in_the_end() {
    lives::many::<World>(100);
}

#[test]
fn an_answer_meets_what_its_human_saw_although_the_thread_moved_on() {
    lives::many::<threads::Threads>(100);
}

#[test]
fn a_choice_that_crosses_to_another_beckon_is_the_one_that_was_picked() {
    lives::many::<chain::Chain>(100);
}

#[test]
fn of_all_who_answer_over_the_hub_one_is_heard_once_and_nobody_is_left_without_a_word() {
    lives::many::<desks::Desks>(1);
}

// The files of the program that are included here find the clock under the name of the client
// crate.
extern crate self as beckon_client;

/// The clock that included sources read; in the model they are told the time instead.
mod platform {
    pub mod clock {
        pub fn now() -> beckon_core::Timestamp {
            beckon_core::Timestamp(0)
        }
    }
}

impl lives::Life for World {
    type Tally = world::Tally;

    fn new(seed: u64, log: bool) -> Self {
        Self {
            log: log.then(Vec::new),
            ..Self::new(seed)
        }
    }

    fn live(&mut self) {
        life::happen(self);
        self.settle();
        promises::check(self);
    }

    fn tally(&self) -> world::Tally {
        self.tally
    }

    fn log(&mut self) -> Vec<String> {
        self.log.take().unwrap_or_default()
    }
}
