//! The answer to `/status`, and that to `/pending` where no agent waits.

use crate::channels::telegram::card::{CardContext, LIMIT, time};
use crate::channels::telegram::html::{Html, cut, line};
use beckon_client::text::Value;
use beckon_client::text::words;
use beckon_core::{
    Channel, DeskView, Presence, PresenceOverride, PresenceSource, PresenceView, SourceState,
    SourceView, Timestamp,
};

/// The length of a name, in UTF-16 units: a line of a phone or two.
const TOPIC: usize = 100;
const ERROR: usize = 150;
/// The room for the line that says how many more there are, in UTF-16 units.
const MORE: usize = 60;

/// Returns the message that no agent waits.
pub(crate) fn nobody_waits(view: &DeskView, scene: &CardContext<'_>) -> String {
    Html::plain(&scene.texts.get(nobody(view))).into_text()
}

/// Returns the state of Beckon: agents, the human, what waits, what works.
pub(crate) fn status(view: &DeskView, scene: &CardContext<'_>) -> String {
    let waiting = view.wanting().count();
    let head = match waiting {
        0 => scene.texts.get(nobody(view)),
        count => scene
            .texts
            .with("telegram-waiting", &[("count", count.into())]),
    };
    let desktop = match view.channels.contains(&Channel::Desktop) {
        true => "telegram-desktop-works",
        false => "telegram-desktop-down",
    };
    let paused = view.paused_until.map(|at| paused(at, scene));
    let own = [presence(&view.presence, scene), scene.texts.get(desktop)];
    let machines = machines(view, scene);
    // Beckon's own asks come from no server that could fail.
    let sources = view
        .sources
        .iter()
        .filter(|it| it.id.0 != beckon_client::config::LOCAL_ASKS);
    let sources = sources.map(|it| source(it, scene));
    let lines = own.into_iter().chain(machines).chain(paused).chain(sources);
    let lines = [Html::bold(&head)]
        .into_iter()
        .chain(lines.map(|line| Html::plain(&line)));
    joined(lines.collect(), |more| {
        scene
            .texts
            .with("telegram-pending-more", &[("count", more.into())])
    })
}

/// Returns until when nothing rings; plain.
pub(crate) fn paused(until: Timestamp, scene: &CardContext<'_>) -> String {
    scene.texts.with(
        "telegram-paused",
        &[("time", time::clock(scene, until).into())],
    )
}

/// Returns the key of the sentence that no agent waits, as far as that can be known. Beckon's own
/// asks come from no server that could fail.
fn nobody(view: &DeskView) -> &'static str {
    let own = |source: &&SourceView| source.id.0 == beckon_client::config::LOCAL_ASKS;
    let sources = view
        .sources
        .iter()
        .filter(|source| !own(source))
        .cloned()
        .collect();
    match (DeskView {
        sources,
        ..DeskView::default()
    })
    .is_deaf()
    {
        true => "telegram-pending-deaf",
        false => "telegram-pending-none",
    }
}

/// Joins as many lines as fit, and says how many more there are.
fn joined(lines: Vec<Html>, more: impl Fn(usize) -> String) -> String {
    let (mut room, mut kept) = (LIMIT - MORE, Vec::new());
    let count = lines.len();
    for line in lines {
        let Some(left) = room.checked_sub(line.units() + 1) else {
            break;
        };
        room = left;
        kept.push(line.into_text());
    }
    if kept.len() < count {
        kept.push(Html::plain(&more(count - kept.len())).into_text());
    }
    kept.join("\n")
}

fn source(source: &SourceView, scene: &CardContext<'_>) -> String {
    let (key, detail) = match &source.state {
        SourceState::Live {
            version: Some(version),
        } => ("telegram-source-live", line(version)),
        SourceState::Live { version: None } => ("telegram-source-plain", String::new()),
        SourceState::Connecting { error: None } => ("telegram-source-connecting", String::new()),
        SourceState::Connecting { error: Some(error) } => (
            "telegram-source-unreachable",
            line(&words::fault(scene.texts, error)),
        ),
        SourceState::Unauthorized => ("telegram-source-unauthorized", String::new()),
    };
    let name = Value::from(cut(&line(&source.id.0), TOPIC));
    scene.texts.with(
        key,
        &[("name", name), ("detail", Value::from(cut(&detail, ERROR)))],
    )
}

/// Returns what the human's other machines say of them, and where it rings for that.
fn machines(view: &DeskView, scene: &CardContext<'_>) -> Vec<String> {
    let seats = view
        .seats
        .iter()
        .map(|seat| words::machine(scene.texts, seat, scene.now));
    let rings = words::rings_at(scene.texts, view.presence.elsewhere, &view.seats);
    seats.chain(rings).map(|words| line(&words)).collect()
}

fn presence(view: &PresenceView, scene: &CardContext<'_>) -> String {
    let key = match (
        view.standing.said,
        view.standing.reading.presence,
        view.away,
    ) {
        (PresenceOverride::Here, _, _) => "telegram-presence-said-here",
        (PresenceOverride::Away, _, _) => "telegram-presence-said-away",
        (PresenceOverride::Auto, Presence::Unknown, _) => "telegram-presence-unknown",
        (PresenceOverride::Auto, _, false) => "telegram-presence-here",
        (PresenceOverride::Auto, _, true) => "telegram-presence-away",
    };
    let said = scene
        .texts
        .with(key, &[("why", evidence(view, scene).into())]);
    match view
        .said_until
        .filter(|_| view.standing.said != PresenceOverride::Auto)
    {
        None => said,
        Some(at) => {
            let time = Value::from(time::clock(scene, at));
            scene.texts.with(
                "telegram-presence-until",
                &[("said", said.into()), ("time", time)],
            )
        }
    }
}

/// Returns `keyboard or mouse 12 s ago (X11)`.
fn evidence(view: &PresenceView, scene: &CardContext<'_>) -> String {
    let reading = &view.standing.reading;
    let age = reading
        .last_input
        .map(|at| time::age(scene, scene.now - at));
    let key = match (reading.presence, &age) {
        (Presence::Here, Some(_)) => "telegram-evidence-input",
        (Presence::Here, None) => "telegram-evidence-using",
        (Presence::Idle, Some(_)) => "telegram-evidence-idle",
        (Presence::Idle, None) => "telegram-evidence-no-input",
        (Presence::Locked, _) => "telegram-evidence-locked",
        (Presence::Asleep, _) => "telegram-evidence-asleep",
        (Presence::Unknown, _) => return String::new(),
    };
    let why = scene
        .texts
        .with(key, &[("age", age.unwrap_or_default().into())]);
    if matches!(
        reading.evidence,
        PresenceSource::None | PresenceSource::Said
    ) {
        return why;
    }
    let witness = Value::from(scene.texts.get(words::source(reading.evidence)));
    scene.texts.with(
        "telegram-evidence",
        &[("why", why.into()), ("witness", witness)],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_client::text::{Texts, languages};
    use beckon_core::{PresenceReading, PresenceState};
    use jiff::tz::TimeZone;

    #[test]
    fn whoever_tells_where_the_human_is_is_named_in_words() {
        use PresenceSource as E;
        let who = [
            E::X11,
            E::Wayland,
            E::Mutter,
            E::Logind,
            E::ScreenSaver,
            E::System,
        ];
        for language in languages() {
            let texts = Texts::load(language);
            let (now, zone) = (Timestamp(0), &TimeZone::UTC);
            let (missed, one_press, by) = Default::default();
            let scene = CardContext {
                texts: &texts,
                seal: "",
                now,
                zone,
                missed,
                one_press,
                by,
            };
            for evidence in who.into_iter().chain([E::ClockJump]) {
                let reading = PresenceReading {
                    presence: Presence::Locked,
                    evidence,
                    last_input: None,
                };
                let standing = PresenceState {
                    reading,
                    said: PresenceOverride::Auto,
                };
                let presence = PresenceView {
                    standing,
                    away: true,
                    ..PresenceView::default()
                };
                let said = status(
                    &DeskView {
                        presence,
                        ..DeskView::default()
                    },
                    &scene,
                );
                assert!(
                    !said.contains("source-") && !said.contains("evidence"),
                    "{said}"
                );
                let named = texts.get(words::source(evidence));
                assert!(said.contains(&named), "{language}: {said}");
            }
        }
    }
}
