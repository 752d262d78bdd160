//! The faults of rules that can be read: what they can't mean, and where they lead nowhere.
//!
//! Not here: who has a device, and how a person is told.

use super::{Approvals, Route, Team, Who};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

/// No place on earth is further from UTC, in minutes.
const FURTHEST: u16 = 14 * 60;

/// A fault of rules that nobody can have meant like that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TeamFault {
    /// The rota's time is no place's.
    #[error("utc_offset is {0}, which is more than 14 hours")]
    Offset(i16),
    /// A shift ends when it begins: nothing, or the whole week.
    #[error("{person}'s shift begins and ends at {at}")]
    NoShift {
        /// The person whose shift it is.
        person: String,
        /// The shift's only minute.
        at: String,
    },
    /// A name that nobody can have.
    #[error("nobody can be called {0:?}")]
    Name(String),
}

/// A route under which some people start what can never be decided, as things are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StuckRoute<'a> {
    /// The route.
    pub route: &'a Route,
    /// The people who start it.
    pub starters: Vec<String>,
}

impl Team {
    /// Checks the rules.
    ///
    /// # Errors
    /// Names the first thing that can't be meant.
    pub fn check(&self) -> Result<(), TeamFault> {
        let rota = &self.rota;
        if rota.utc_offset.unsigned_abs() > FURTHEST {
            return Err(TeamFault::Offset(rota.utc_offset));
        }
        let on_duty = rota.shifts.iter().map(|shift| &shift.person);
        if let Some(name) = self
            .people
            .keys()
            .chain(on_duty)
            .find(|name| !Who::is_name(name))
        {
            return Err(TeamFault::Name(name.clone()));
        }
        match rota.shifts.iter().find(|shift| shift.from == shift.to) {
            Some(shift) => {
                let at = shift.from.into();
                Err(TeamFault::NoShift {
                    person: shift.person.clone(),
                    at,
                })
            }
            None => Ok(()),
        }
    }

    /// Returns the roles and rotas that routes name and no person has.
    pub fn unknown_words(&self) -> BTreeSet<String> {
        let named = self.routes.iter().flat_map(Route::named);
        let unknown = named.filter(|who| match who {
            Who::Role(role) => !self.people.values().any(|it| it.roles.contains(role)),
            Who::OnDuty(rota) => !self.rota.shifts.iter().any(|shift| shift.rota == *rota),
            Who::Everyone | Who::Person(_) => false,
        });
        unknown.cloned().map(String::from).collect()
    }

    /// Returns the routes under which nobody, or too few, of these people can ever decide what one
    /// of them starts.
    pub fn stuck(&self, people: &BTreeSet<String>) -> Vec<StuckRoute<'_>> {
        let stuck = self.routes.iter().map(|route| {
            let starters = people
                .iter()
                .filter(|it| self.deciders(route, it, people) < route.least());
            StuckRoute {
                route,
                starters: starters.cloned().collect(),
            }
        });
        stuck.filter(|stuck| !stuck.starters.is_empty()).collect()
    }

    /// Returns how many of these may decide, at some time or other, what `starter` starts.
    fn deciders(&self, route: &Route, starter: &str, people: &BTreeSet<String>) -> usize {
        let is_named = |name: &str| route.answerers.iter().any(|who| self.may_mean(who, name));
        let may = |name: &&String| match *name == starter {
            true => route.self_approval,
            false => is_named(name),
        };
        people.iter().filter(may).count()
    }

    /// Whether that person is meant, at some time or other.
    fn may_mean(&self, who: &Who, name: &str) -> bool {
        match who {
            Who::Everyone => true,
            Who::Person(person) => person == name,
            Who::Role(role) => self
                .people
                .get(name)
                .is_some_and(|it| it.roles.contains(role)),
            Who::OnDuty(rota) => self
                .rota
                .shifts
                .iter()
                .any(|it| it.rota == *rota && it.person == name),
        }
    }
}

impl Route {
    /// Returns the people, roles and rotas that it names.
    fn named(&self) -> impl Iterator<Item = &Who> {
        self.answerers.iter().chain(&self.audience)
    }

    /// Returns the number of people who have to decide.
    fn least(&self) -> usize {
        match self.approve {
            Approvals::One => 1,
            Approvals::Two => 2,
        }
    }
}
