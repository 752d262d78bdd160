//! Logins: where a program's notifications, its tray icon and its windows go. A Beckon that
//! outlives its login cannot show anything in the next one, where a second start would only find
//! that it runs already.
//!
//! Not here: who can be reached, and how the variables are read.

use alloc::string::String;
use serde::{Deserialize, Serialize};

/// The login that a program belongs to, by what its environment names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoginSession {
    /// The session bus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus: Option<String>,
    /// The X display.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// The file that lets programs onto it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority: Option<String>,
    /// The Wayland display.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wayland: Option<String>,
    /// The folder of its sockets, Wayland's among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
}

/// The parts of a login that still answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoginReach {
    /// Whether its session bus answers.
    pub bus: bool,
    /// Whether its screen answers.
    pub screen: bool,
}

/// The decision of a Beckon that runs already when another one is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SecondStart {
    /// The first one comes forward: both are of one login.
    ComesForward,
    /// The first one goes on in a login of its own, which still answers.
    StaysElsewhere,
    /// The first one ends, and the second one takes its place: the first one reaches nobody any
    /// more.
    GivesWay,
}

impl LoginSession {
    /// Whether there is a screen to open a window on.
    pub fn has_screen(&self) -> bool {
        self.display.is_some() || self.wayland.is_some()
    }

    /// Whether windows of both are on one screen.
    pub fn shares_screen(&self, other: &Self) -> bool {
        let screen = |login: &Self| {
            let runtime = login.wayland.as_ref().and(login.runtime.clone());
            (login.display.clone(), login.wayland.clone(), runtime)
        };
        screen(self) == screen(other)
    }

    /// Decides who stays when a second Beckon is started: the first one, unless the second has
    /// another bus or screen and that of the first is gone.
    pub fn on_second_start(&self, second: &Self, own: LoginReach) -> SecondStart {
        let other_bus = second.bus.is_some() && second.bus != self.bus;
        let other_screen = second.has_screen() && !self.shares_screen(second);
        if other_bus && !own.bus || other_screen && !own.screen {
            return SecondStart::GivesWay;
        }
        if second.has_screen() && (other_bus || other_screen) {
            return SecondStart::StaysElsewhere;
        }
        SecondStart::ComesForward
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALIVE: LoginReach = LoginReach {
        bus: true,
        screen: true,
    };
    const GONE: LoginReach = LoginReach {
        bus: false,
        screen: false,
    };

    fn login(bus: &str, display: &str) -> LoginSession {
        let word = |word: &str| (!word.is_empty()).then(|| word.into());
        LoginSession {
            bus: word(bus),
            display: word(display),
            ..LoginSession::default()
        }
    }

    fn decided(first: (&str, &str), second: (&str, &str), reach: LoginReach) -> SecondStart {
        login(first.0, first.1).on_second_start(&login(second.0, second.1), reach)
    }

    #[test]
    fn in_one_login_the_first_comes_forward() {
        let one = ("unix:path=/run/user/1000/bus", ":0");
        assert_eq!(decided(one, one, ALIVE), SecondStart::ComesForward);
        assert_eq!(decided(one, one, GONE), SecondStart::ComesForward);
    }

    #[test]
    fn one_that_has_outlived_its_login_gives_way_to_the_next() {
        let gone = decided(("a", ":0"), ("b", ":1"), GONE);
        assert_eq!(gone, SecondStart::GivesWay);
        let screen_alone = LoginReach {
            bus: true,
            screen: false,
        };
        let same_bus = decided(("a", ":0"), ("a", ":1"), screen_alone);
        assert_eq!(
            same_bus,
            SecondStart::GivesWay,
            "systemd has one bus for all"
        );
        let never_had_one = decided(("a", ""), ("a", ":0"), screen_alone);
        assert_eq!(never_had_one, SecondStart::GivesWay, "started over ssh");
    }

    #[test]
    fn a_login_that_lives_keeps_its_beckon_and_the_other_is_told() {
        let other = decided(("a", ":0"), ("b", ":1"), ALIVE);
        assert_eq!(other, SecondStart::StaysElsewhere);
        let forwarded = decided(("a", ":0"), ("a", "localhost:10.0"), ALIVE);
        assert_eq!(forwarded, SecondStart::StaysElsewhere);
    }

    #[test]
    fn who_has_no_screen_and_no_bus_takes_nothing_over() {
        assert_eq!(
            decided(("a", ":0"), ("", ""), GONE),
            SecondStart::ComesForward
        );
        assert_eq!(
            decided(("a", ":0"), ("b", ""), ALIVE),
            SecondStart::ComesForward
        );
    }

    #[test]
    fn another_compositor_of_the_same_name_is_another_screen() {
        let wayland = |runtime: &str| LoginSession {
            wayland: Some("wayland-0".into()),
            runtime: Some(runtime.into()),
            ..LoginSession::default()
        };
        assert!(wayland("/run/user/1000").shares_screen(&wayland("/run/user/1000")));
        assert!(!wayland("/run/user/1000").shares_screen(&wayland("/tmp/other")));
    }
}
