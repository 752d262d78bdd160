//! The words for what another machine says of its human: `here: keyboard or mouse 12 s ago, X11`.

use super::{age, evidence_of};
use crate::text::{Texts, Value};
use beckon_core::hub::{Elsewhere, Hands, Seat, SeatView};
use beckon_core::{Presence, PresenceOverride, PresenceReading, Timestamp};

/// Returns the line for one machine: `On tower · here: keyboard or mouse 12 s ago, X11`.
pub fn machine(texts: &Texts, view: &SeatView, now: Timestamp) -> String {
    let marks = marks(view).map(|key| texts.get(key));
    let words: Vec<String> = [said(texts, view, now)].into_iter().chain(marks).collect();
    let args = [
        ("machine", Value::from(view.machine.clone())),
        ("words", Value::from(words.join(" · "))),
    ];
    texts.with("status-machine", &args)
}

/// Says where the human is, and claims nothing that the machine does not say: a locked machine only
/// says "away".
fn said(texts: &Texts, view: &SeatView, now: Timestamp) -> String {
    let since = view.last_input.map(|at| now - at);
    let reading = |presence| PresenceReading {
        presence,
        evidence: view.seat.evidence,
        last_input: view.last_input,
    };
    match (view.seat.word, view.seat.hands) {
        (PresenceOverride::Here, _) => texts.get("presence-said-here"),
        (PresenceOverride::Away, _) => texts.get("presence-said-away"),
        (PresenceOverride::Auto, Hands::Here) => {
            let evidence = evidence_of(texts, reading(Presence::Here), now);
            texts.with("presence-here", &[("evidence", Value::from(evidence))])
        }
        (PresenceOverride::Auto, Hands::Idle) => evidence_of(texts, reading(Presence::Idle), now),
        (PresenceOverride::Auto, Hands::Away) => match since {
            Some(since) => texts.with(
                "machine-away-since",
                &[("age", Value::from(age(texts, since)))],
            ),
            None => texts.get("machine-away"),
        },
        (PresenceOverride::Auto, Hands::Unknown) => texts.get("machine-unknown"),
    }
}

fn marks(view: &SeatView) -> impl Iterator<Item = &'static str> {
    let Seat { rings, paused, .. } = view.seat;
    let marks = [(paused, "machine-paused"), (!rings, "machine-deaf")];
    marks
        .into_iter()
        .filter(|(is_so, _)| *is_so)
        .map(|(_, key)| key)
}

/// Says where it rings because of other machines, if that is not what one would expect.
pub fn rings_at(texts: &Texts, elsewhere: Elsewhere, seats: &[SeatView]) -> Option<String> {
    let key = match elsewhere {
        Elsewhere::Unheard | Elsewhere::Beside => return None,
        Elsewhere::Seated => "rings-seated",
        Elsewhere::Gone => "rings-gone",
        Elsewhere::Deaf => "rings-deaf",
    };
    let seated = seats.iter().filter(|view| view.seated);
    let machines: Vec<&str> = seated.map(|view| view.machine.as_str()).collect();
    // The problems of this machine's own notifications are said elsewhere.
    if machines.is_empty() && elsewhere != Elsewhere::Gone {
        return None;
    }
    Some(texts.with(key, &[("machines", Value::from(machines.join(", ")))]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_machines_are_named_that_it_is_about() {
        let texts = Texts::load("en");
        let view = |machine: &str, seated| SeatView {
            node: machine.into(),
            machine: machine.into(),
            seat: Seat {
                hands: Hands::Here,
                ..Seat::default()
            },
            last_input: None,
            seated,
        };
        let seats = [view("laptop", false), view("tower", true)];
        let said = |elsewhere, seats: &[SeatView]| rings_at(&texts, elsewhere, seats);
        assert_eq!(
            said(Elsewhere::Deaf, &seats).as_deref(),
            Some(
                "Notifications don't work on tower, where you are: you're notified wherever else it's possible"
            )
        );
        assert_eq!(
            said(Elsewhere::Deaf, &seats[..1]),
            None,
            "it is this one, of which more is said"
        );
        assert!(said(Elsewhere::Gone, &[]).is_some_and(|words| words.contains("phone")));
    }
}
