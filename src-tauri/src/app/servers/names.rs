//! The rule for the name of a server that registers itself. A taken name stays with its holder,
//! since asks are known by the names of their sources, and a name leads to a secret.

use crate::sources::demo;
use crate::sources::opencode::service;
use crate::sources::selftest;
use beckon_client::config;
use beckon_core::hub::HUB_SOURCE;

/// The names of Beckon's own sources. The last one is that of OpenCode's background service, which
/// only the room that finds the service may register.
const RESERVED: [&str; 4] = [
    config::LOCAL_ASKS,
    selftest::NAME,
    demo::NAME,
    service::NAME,
];

/// The refusal of a name that belongs to another source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name {0:?} is taken")]
pub(crate) struct NameTaken(pub String);

/// A claim for a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NameClaim<'a> {
    pub(super) name: &'a str,
    pub(super) pid: Option<u32>,
    /// Whether one of Beckon's own rooms found the server.
    pub(super) ours: bool,
}

/// The holder of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameHolder {
    /// The settings.
    Configured,
    /// A server that registered itself, perhaps with its process.
    Registered(Option<u32>),
}

/// Decides whether a server may have a name. `lives` tells whether a process still runs.
pub(super) fn admit(
    comer: NameClaim<'_>,
    holder: Option<NameHolder>,
    lives: impl Fn(u32) -> bool,
) -> Result<(), NameTaken> {
    let reserved = RESERVED.contains(&comer.name) && !(comer.ours && comer.name == service::NAME);
    let held = match holder {
        None | Some(NameHolder::Registered(None)) => false,
        Some(NameHolder::Configured) => true,
        Some(NameHolder::Registered(Some(pid))) => comer.pid != Some(pid) && lives(pid),
    };
    let reserved = reserved || comer.name.starts_with(HUB_SOURCE);
    if reserved || held || comer.name.trim().is_empty() {
        return Err(NameTaken(comer.name.to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may(name: &str, pid: Option<u32>, holder: Option<NameHolder>) -> bool {
        // Process 1 lives, no other one does.
        admit(
            NameClaim {
                name,
                pid,
                ours: false,
            },
            holder,
            |pid| pid == 1,
        )
        .is_ok()
    }

    #[test]
    fn a_name_of_beckons_own_is_nobodys() {
        for name in [
            "asks",
            "self-test",
            "demo",
            "opencode-service",
            "hub:laptop",
            "",
            " ",
        ] {
            assert!(!may(name, Some(2), None), "{name:?}");
        }
        let found = |name| NameClaim {
            name,
            pid: Some(2),
            ours: true,
        };
        assert!(admit(found("opencode-service"), None, |_| true).is_ok());
        assert!(admit(found("asks"), None, |_| true).is_err());
    }

    #[test]
    fn a_configured_name_stays_with_the_settings() {
        assert!(!may("local", Some(2), Some(NameHolder::Configured)));
        assert!(!may("local", None, Some(NameHolder::Configured)));
    }

    #[test]
    fn a_registered_name_stays_with_its_process_while_that_lives() {
        let holder = |pid| Some(NameHolder::Registered(pid));
        assert!(may("door", Some(1), None));
        assert!(
            may("door", Some(1), holder(Some(1))),
            "the same process again"
        );
        assert!(!may("door", Some(2), holder(Some(1))), "another one");
        assert!(!may("door", None, holder(Some(1))), "nobody knows whose");
        assert!(
            may("door", Some(2), holder(Some(3))),
            "the former one is gone"
        );
        assert!(may("door", None, holder(None)), "nothing tells them apart");
    }
}
