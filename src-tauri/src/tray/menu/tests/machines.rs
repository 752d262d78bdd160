//! Tests of what the menu tells of the other machines.

use super::*;
use beckon_core::hub::{Elsewhere, Seat, SeatView};

#[test]
fn whoever_sits_at_another_machine_is_told_so_and_where_it_rings() {
    let mut view = view(vec![]);
    let last_input = Some(NOW + seconds(-600));
    let reading = PresenceReading {
        presence: Presence::Idle,
        evidence: PresenceSource::X11,
        last_input,
    };
    view.presence.standing = PresenceState {
        reading,
        said: PresenceOverride::Auto,
    };
    view.presence.away = true;
    let seat = |machine: &str, seated| SeatView {
        node: machine.into(),
        machine: machine.into(),
        seat: Seat::default(),
        last_input: None,
        seated,
    };
    view.seats = vec![seat("laptop", false), seat("tower", true)];
    for (elsewhere, rings) in [
        (Elsewhere::Seated, "You're notified on tower, and not here"),
        (
            Elsewhere::Deaf,
            "No notifications on tower: you're notified elsewhere",
        ),
    ] {
        view.presence.elsewhere = elsewhere;
        let lines = drawn(&view);
        assert!(
            lines.iter().any(|line| line == "▸ You're at tower"),
            "{lines:?}"
        );
        assert!(lines.iter().any(|line| line.ends_with(rings)), "{lines:?}");
    }
    view.presence.elsewhere = Elsewhere::Gone;
    view.seats = vec![seat("laptop", false)];
    let lines = drawn(&view);
    assert!(
        lines.iter().any(|line| line == "▸ You're away"),
        "{lines:?}"
    );
    assert!(
        lines
            .iter()
            .any(|line| line.ends_with("requests go to your phone")),
        "{lines:?}"
    );
}

#[test]
fn of_a_machine_that_is_away_its_name_is_said_and_without_the_hub_that_once() {
    let mut view = view(vec![]);
    let machine = |name: &str, error| SourceView {
        id: SourceId(format!("hub:{name}")),
        state: SourceState::Connecting { error: Some(error) },
    };
    view.sources = vec![machine("tower", SourceFault::OwnerAway)];
    let lines = drawn(&view);
    assert!(
        lines.contains(&"· tower: unreachable".to_owned()),
        "{lines:?}"
    );
    view.sources = ["tower", "laptop"]
        .map(|it| machine(it, SourceFault::HubDown))
        .into();
    let lines = drawn(&view);
    let said = lines
        .iter()
        .filter(|line| line.contains("Hub: not connected"));
    assert_eq!(said.count(), 1, "{lines:?}");
}
