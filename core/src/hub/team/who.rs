//! The people that a route names: `everyone`, `role:lead`, `rota:nights`, or a person by name.

use alloc::format;
use alloc::string::String;
use core::str::FromStr;
use serde::{Deserialize, Serialize};

/// Some of the people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Who {
    /// The whole team.
    Everyone,
    /// A person by name.
    Person(String),
    /// The people who have that role.
    Role(String),
    /// The people who are on duty by that rota.
    OnDuty(String),
}

/// The error for a text that can mean no person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names nobody: it takes everyone, role:NAME, rota:NAME or a person's name")]
pub struct NoWho(String);

const EVERYONE: &str = "everyone";
const ROLE: &str = "role:";
const ROTA: &str = "rota:";

impl Who {
    /// Whether a person can have that name, and be named in a route.
    pub fn is_name(name: &str) -> bool {
        matches!(name.parse(), Ok(Self::Person(_)))
    }
}

impl FromStr for Who {
    type Err = NoWho;

    fn from_str(text: &str) -> Result<Self, NoWho> {
        let who = match (text.strip_prefix(ROLE), text.strip_prefix(ROTA)) {
            (Some(role), _) => Self::Role(role.into()),
            (_, Some(rota)) => Self::OnDuty(rota.into()),
            _ if text == EVERYONE => Self::Everyone,
            _ => Self::Person(text.into()),
        };
        let (Self::Role(name) | Self::OnDuty(name) | Self::Person(name)) = &who else {
            return Ok(who);
        };
        let is_name = !name.trim().is_empty() && !name.contains(':');
        if is_name {
            Ok(who)
        } else {
            Err(NoWho(text.into()))
        }
    }
}

impl TryFrom<String> for Who {
    type Error = NoWho;

    fn try_from(text: String) -> Result<Self, NoWho> {
        text.parse()
    }
}

impl From<Who> for String {
    fn from(who: Who) -> Self {
        match who {
            Who::Everyone => EVERYONE.into(),
            Who::Person(name) => name,
            Who::Role(role) => format!("{ROLE}{role}"),
            Who::OnDuty(rota) => format!("{ROTA}{rota}"),
        }
    }
}
