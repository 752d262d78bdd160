//! The rules of a team: who may see an ask, who decides it, from when on, and how many must agree.
//!
//! The owner of the machine on which an ask runs has started it, and decides it first; a route says
//! who else does, and after how long. Not here: which device is whose (the desk record says), and
//! what a hold looks like.

mod rota;
mod route;
mod soundness;
mod who;

pub use rota::{NoWeekMinute, Rota, Shift, WeekMinute};
pub use route::{AskKind, NoPattern, ProjectPattern, Route, RouteSeverity};
pub use soundness::{StuckRoute, TeamFault};
pub use who::{NoWho, Who};

use crate::{Answer, Ask, Entry, Responder, Session, Span, Surface, Timestamp, Voucher};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::LazyCell;
use core::cmp::Reverse;
use serde::{Deserialize, Serialize};

/// The people of a team, and the rules among them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Team {
    /// The people by name, each with their roles.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub people: BTreeMap<String, Person>,
    /// The rules; the first one that fits an ask counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub routes: Vec<Route>,
    /// The people on duty, by time.
    #[serde(default, skip_serializing_if = "Rota::is_empty")]
    pub rota: Rota,
}

/// A person of a team.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The roles that routes may name instead of them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub roles: BTreeSet<String>,
}

/// A team, and who of it sits at this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamSeat {
    /// The person whose machine this is; empty as long as its device's key is out of reach.
    pub person: String,
    /// The team.
    pub team: Team,
    /// The public key of this machine's device, where it is known.
    pub key: Option<String>,
    /// The devices that there are, by name.
    pub devices: BTreeMap<String, TeamDevice>,
}

/// A person's device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeamDevice {
    /// The device's public key.
    pub key: String,
    /// The person whose device it is.
    pub person: String,
}

impl TeamSeat {
    /// Makes a seat for a machine whose person is unknown. The rules bind that person nevertheless:
    /// they have started what is asked here, and cannot be the second person who agrees.
    pub fn of_nobody(team: Team) -> Self {
        Self {
            team,
            ..Self::default()
        }
    }

    /// Whether it is known whose machine this is.
    pub fn is_known(&self) -> bool {
        !self.person.is_empty()
    }

    /// Whether the person who sits here may take part in a decision of that kind.
    pub(crate) fn lets(&self, ruling: &Ruling) -> bool {
        ruling.lets(&self.person) && (self.is_known() || ruling.approvals == Approvals::One)
    }

    /// Returns the key of the device that gave the answer; that of this machine's device if it was
    /// none of the hub.
    pub(crate) fn key_of(&self, responder: Option<&Responder>) -> Option<String> {
        match responder.map(|responder| &responder.vouched) {
            Some(Voucher::Device { name }) => Some(self.devices.get(name.as_deref()?)?.key.clone()),
            _ => self.key.clone(),
        }
    }

    /// Whether that yes still counts: two must agree, its giver may decide now as well, and the
    /// device with which they said it is still theirs.
    pub(crate) fn counts(&self, agreement: &Agreement, ruling: &Ruling) -> bool {
        let is_it = |device: &TeamDevice| {
            let is_same = agreement.key.as_ref().is_none_or(|key| *key == device.key);
            is_same && device.person == agreement.person
        };
        ruling.approvals == Approvals::Two
            && ruling.lets(&agreement.person)
            && self.devices.values().any(is_it)
    }
}

/// An ask that is for others to decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hold {
    /// The people who can decide, by name; empty if a rota or a role has no people.
    pub deciders: Vec<String>,
    /// The people who have agreed already, where two must.
    pub agreed: Vec<String>,
    /// The kind of answers they gave.
    pub said: FirstAnswers,
}

/// The answers so far, if two people must say the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FirstAnswers {
    /// A yes, to a permission or a confirm.
    #[default]
    Yes,
    /// An answer to a question.
    Answer,
    /// Different answers.
    Apart,
}

/// A person's yes to what two must agree to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// The person who agreed.
    pub person: String,
    /// The answer that they agreed to: only the same answer agrees with it.
    pub answer: Answer,
    /// The surface where they said so.
    pub by: Surface,
    /// The device and the word on which they said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responder: Option<Responder>,
    /// The public key of that device: its name may be another device's now. `None` for a yes from
    /// before the key was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// The rules that hold for one ask at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ruling {
    /// The people who may decide.
    pub answerers: BTreeSet<String>,
    /// The people who may see it; those who may decide are among them.
    pub audience: BTreeSet<String>,
    /// The number of people who must agree before anything is allowed.
    pub approvals: Approvals,
    /// The time when another ruling may hold.
    pub changes_at: Option<Timestamp>,
}

/// The number of people who must agree. A single one is enough to refuse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Approvals {
    /// Anybody who may decide.
    #[default]
    One,
    /// Two different people.
    Two,
}

/// The error for a number of people that cannot be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("approve is 1 or 2, not {0}")]
pub struct NoApprovals(u8);

impl TryFrom<u8> for Approvals {
    type Error = NoApprovals;

    fn try_from(count: u8) -> Result<Self, NoApprovals> {
        match count {
            1 => Ok(Self::One),
            2 => Ok(Self::Two),
            other => Err(NoApprovals(other)),
        }
    }
}

impl From<Approvals> for u8 {
    fn from(approvals: Approvals) -> Self {
        match approvals {
            Approvals::One => 1,
            Approvals::Two => 2,
        }
    }
}

impl Ruling {
    /// Whether that person may see it.
    pub fn shows(&self, person: &str) -> bool {
        self.audience.contains(person)
    }

    /// Whether that person may decide.
    pub fn lets(&self, person: &str) -> bool {
        self.answerers.contains(person)
    }
}

/// Returns the routes that have a say in a session, of those that fit what is asked, each with its
/// place in the file:
///
/// 1. For each folder of the project's path, the first route that fits, as in the file. A route for
///    all projects has a say only if no other one fits the path.
/// 2. If the session works elsewhere, the routes that fit a folder there, except those for all
///    projects.
/// 3. If the asker names the folders itself, the first route for all projects: no name gets around
///    that.
fn routes_of<'a>(session: &Session, fitting: &[(usize, &'a Route)]) -> Vec<(usize, &'a Route)> {
    let first_for = |folder: &str| {
        let mut for_it = fitting
            .iter()
            .filter(|(_, route)| route.fits_folder(folder));
        for_it.next().copied()
    };
    let naming = |path: &str| -> Vec<(usize, &'a Route)> {
        let found = Session::folders_of(path).filter_map(first_for);
        found.filter(|(_, route)| !route.is_general()).collect()
    };

    let mut found = naming(session.project_path());
    if found.is_empty() {
        let project = Session::project_in(session.project_path());
        found.extend(first_for(project));
    }
    found.extend(naming(&session.directory));
    let general = fitting.iter().find(|(_, route)| route.is_general());
    found.extend(general.copied().filter(|_| session.is_claimed));
    found
}

impl Team {
    /// Whether there are several people, so that it matters who somebody is.
    pub fn is_several(&self) -> bool {
        self.people.len() > 1
    }

    /// Returns who may see and decide, at `now`, an ask that `starter` has started.
    pub fn rule(&self, ask: &Ask, starter: &str, now: Timestamp) -> Ruling {
        let is_dangerous = LazyCell::new(|| !ask.risks().is_empty());
        self.rule_one(ask, || *is_dangerous, starter, now)
    }

    /// Returns the ruling of an ask on the desk, which has been read already.
    pub(crate) fn rule_entry(&self, entry: &Entry, starter: &str, now: Timestamp) -> Ruling {
        self.rule_one(&entry.ask, || !entry.risks().is_empty(), starter, now)
    }

    fn rule_one(
        &self,
        ask: &Ask,
        is_dangerous: impl Fn() -> bool,
        starter: &str,
        now: Timestamp,
    ) -> Ruling {
        let fitting: Vec<(usize, &Route)> = self
            .routes
            .iter()
            .enumerate()
            .filter(|(_, route)| route.fits_content(ask, &is_dangerous))
            .collect();
        let found = routes_of(&ask.session, &fitting);

        let own = || BTreeSet::from([String::from(starter)]);
        let strictest = found
            .iter()
            .copied()
            .min_by_key(|(place, route)| (Reverse(route.strictness()), *place));
        let mut ruling = match strictest {
            Some((_, route)) => self.rule_by(route, ask, starter, now),
            None => Ruling {
                answerers: own(),
                audience: own(),
                ..Ruling::default()
            },
        };
        // The strictest route may ask for one person, and another one for two.
        let approvals = found.iter().map(|(_, route)| route.approve);
        ruling.approvals = approvals.max().unwrap_or_default();
        ruling
    }

    fn rule_by(&self, route: &Route, ask: &Ask, starter: &str, now: Timestamp) -> Ruling {
        let others_at = ask.asked_at + Span::minutes(i64::from(route.others_after));
        let others_may = now >= others_at || !route.self_approval;
        let mut answerers = BTreeSet::new();
        let mut audience = BTreeSet::from([String::from(starter)]);
        if route.self_approval {
            answerers.insert(starter.into());
        }
        if others_may {
            answerers.extend(self.named(&route.answerers, now).filter(|it| it != starter));
            audience.extend(self.named(&route.audience, now));
        }
        audience.extend(answerers.iter().cloned());
        let waits = (!others_may).then_some(others_at);
        let shift = self.rota.changes_after(route.rotas(), now);
        let changes_at = waits.into_iter().chain(shift).min();
        Ruling {
            answerers,
            audience,
            approvals: route.approve,
            changes_at,
        }
    }

    /// Returns the people who decide by that route at `now`, besides the one who started the ask,
    /// once it is theirs to decide.
    pub fn meant_by<'a>(
        &'a self,
        route: &'a Route,
        now: Timestamp,
    ) -> impl Iterator<Item = String> + 'a {
        self.named(&route.answerers, now)
    }

    /// Returns the people behind these words, of those that there are.
    fn named<'a>(&'a self, words: &'a [Who], now: Timestamp) -> impl Iterator<Item = String> + 'a {
        let is_named = move |name: &str, person: &Person| {
            words.iter().any(|who| match who {
                Who::Everyone => true,
                Who::Person(named) => named == name,
                Who::Role(role) => person.roles.contains(role),
                Who::OnDuty(rota) => self.rota.is_on_duty(rota, name, now),
            })
        };
        let named = self
            .people
            .iter()
            .filter(move |(name, person)| is_named(name, person));
        named.map(|(name, _)| name.clone())
    }
}
