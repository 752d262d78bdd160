//! The tests of presence, times and ages as they are said.

use super::*;
use beckon_core::PresenceState;

/// The moment 08:33:20 UTC.
const NOW: Timestamp = Timestamp(1_800_002_000_000);

fn said(presence: Presence, evidence: PresenceSource, seconds_ago: Option<i64>) -> String {
    let last_input = seconds_ago.map(|seconds| NOW + Span::seconds(-seconds));
    let reading = PresenceReading {
        presence,
        evidence,
        last_input,
    };
    let standing = PresenceState {
        reading,
        said: PresenceOverride::Auto,
    };
    words(&PresenceView {
        standing,
        ..PresenceView::default()
    })
}

fn words(view: &PresenceView) -> String {
    presence_in(&Texts::load("en"), &TimeZone::UTC, view, NOW)
}

#[test]
fn every_reading_is_said_with_its_evidence() {
    use {Presence as P, PresenceSource as E};
    let table = [
        (
            P::Here,
            E::X11,
            Some(12),
            "here: keyboard or mouse 12 s ago, X11",
        ),
        (
            P::Here,
            E::Mutter,
            Some(600),
            "here: keyboard or mouse in use, GNOME",
        ),
        (
            P::Here,
            E::Wayland,
            Some(2),
            "here: keyboard or mouse in use, Wayland",
        ),
        (
            P::Here,
            E::Logind,
            Some(120),
            "here: back 2 min ago, logind",
        ),
        (
            P::Here,
            E::System,
            None,
            "here: keyboard or mouse in use, the system",
        ),
        (P::Idle, E::Wayland, Some(240), "idle for 4 min, Wayland"),
        (P::Idle, E::Logind, None, "idle for a while, logind"),
        (P::Locked, E::ScreenSaver, Some(9), "locked, screen saver"),
        (P::Asleep, E::ClockJump, None, "asleep"),
        (
            P::Unknown,
            E::None,
            None,
            "can't tell; you're notified everywhere",
        ),
    ];
    for (presence, evidence, ago, expected) in table {
        assert_eq!(said(presence, evidence, ago), expected);
    }
}

#[test]
fn a_reading_is_said_with_times_of_the_language() {
    let last_input = Some(NOW + Span::minutes(-4));
    let reading = PresenceReading {
        presence: Presence::Idle,
        evidence: PresenceSource::X11,
        last_input,
    };
    let standing = PresenceState {
        reading,
        said: PresenceOverride::Auto,
    };
    let view = PresenceView {
        standing,
        ..PresenceView::default()
    };
    let said = presence_in(&Texts::load("zh-CN"), &TimeZone::UTC, &view, NOW);
    assert_eq!(said, "已有 4 分钟没有输入，X11");
}

#[test]
fn what_the_human_said_is_said_back_with_its_end() {
    let standing = PresenceState {
        said: PresenceOverride::Away,
        ..PresenceState::default()
    };
    let mut view = PresenceView {
        standing,
        ..PresenceView::default()
    };
    assert_eq!(words(&view), "away (set by you)");
    view.said_until = Some(NOW + Span::minutes(60));
    assert_eq!(words(&view), "away (set by you until 09:33)");
    let alone = evidence(&Texts::load("en"), &TimeZone::UTC, &view, NOW);
    assert_eq!(alone, "set by you until 09:33");
}

#[test]
fn a_time_on_another_day_says_which() {
    let texts = Texts::load("en");
    let said = |hours: i64| clock(&texts, &TimeZone::UTC, NOW + Span::minutes(hours * 60), NOW);
    assert_eq!(
        [said(1), said(24), said(-24)],
        ["09:33", "tomorrow 08:33", "yesterday 08:33"]
    );
    assert_eq!(
        [said(48), said(-48)],
        ["2027-01-17 08:33", "2027-01-13 08:33"]
    );
}

#[test]
fn ages_are_said_in_the_largest_unit_that_fits() {
    let texts = Texts::load("en");
    let said = |seconds| age(&texts, Span::seconds(seconds));
    assert_eq!([said(-3), said(59), said(61)], ["0 s", "59 s", "1 min"]);
    assert_eq!([said(3_600), said(200_000)], ["1 h", "2 d"]);
    let texts = Texts::load("zh-CN");
    let said = |seconds| age(&texts, Span::seconds(seconds));
    assert_eq!(
        [said(59), said(61), said(3_600)],
        ["59 秒", "1 分钟", "1 小时"]
    );
}

#[test]
fn what_the_hub_or_another_machine_refused_is_not_called_the_agents_refusal() {
    use HubRefusal as R;
    let all = [
        R::Forbidden,
        R::NoKey,
        R::Unlisted,
        R::Unreadable,
        R::Unfit,
        R::Held,
    ];
    for language in ["en", "zh-CN"] {
        let texts = Texts::load(language);
        let by_agent = returned(&texts, &ReturnReason::Refused(String::new()));
        for why in all {
            let said = returned(&texts, &ReturnReason::Hub(why));
            assert!(
                !said.contains(by_agent.trim_end_matches([' ', ':', '：'])),
                "{said}"
            );
        }
    }
    let said = returned(&Texts::load("en"), &ReturnReason::Hub(R::Forbidden));
    assert!(
        said.starts_with("The hub doesn't let this device answer, so"),
        "{said}"
    );
}
