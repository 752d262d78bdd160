//! Stories of ringing in the right place, once: every presence, at every moment of an ask's life,
//! with and without desktop notifications. Each row spells out what is expected.

use crate::common::*;
use At::{Answering, Asked, Before, Settled};
use Desk::{Absent, Works};
use Move::{Asleep, ForcedAway, ForcedHere, Here, Idle, Locked, Quiet, Unknown};
use beckon_core::{
    AskState, Channel, Effect, Event, Outcome, Policy, Presence, PresenceOverride, QuietHours,
    Reminder, Span, Surface, Timestamp,
};

/// A change in what is known of the human, who sat at the desk before.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Move {
    /// The human is still there.
    Here,
    /// No input for longer than `away_after`.
    Idle,
    Locked,
    /// The machine slept for a minute, and they opened it.
    Asleep,
    Unknown,
    /// The human said that they are here, and then the screen was locked.
    ForcedHere,
    ForcedAway,
    /// Idle, in the quiet hours.
    Quiet,
}

/// The moment at which the change becomes known.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    /// Before the ask.
    Before,
    /// While it waits.
    Asked,
    /// While an answer from the command line is on its way.
    Answering,
    /// After it was answered elsewhere.
    Settled,
}

/// Whether notifications work.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Desk {
    Works,
    Absent,
}

/// A row of the table: the change, its moment, the desktop, and what is done in the four moments
/// asked, the change, answered, ended. `D` is a notification, `T` a message, `t` a silent one; `-D`
/// and `-T` are removed, `~T` is redrawn as being sent, `!D` and `!T` are told that the answer does
/// not arrive, `=D` and `=T` are told how the ask ended.
type Row = (Move, At, Desk, [&'static str; 4]);

#[rustfmt::skip]
const TABLE: &[Row] = &[
    (Here,       Before,    Works,  ["D",   "",  "-D",    ""]),
    (Here,       Asked,     Works,  ["D",   "",  "-D",    ""]),
    (Here,       Answering, Works,  ["D",   "",  "-D",    ""]),
    (Here,       Settled,   Works,  ["D",   "",  "",      "=D"]),
    (Here,       Before,    Absent, ["T",   "",  "~T",    "=T"]),
    (Here,       Asked,     Absent, ["T",   "",  "~T",    "=T"]),
    (Here,       Answering, Absent, ["T",   "",  "~T",    "=T"]),
    (Here,       Settled,   Absent, ["T",   "",  "",      "=T"]),

    (Idle,       Before,    Works,  ["D T", "",  "-D ~T", "=T"]),
    (Idle,       Asked,     Works,  ["D",   "T", "-D ~T", "=T"]),
    (Idle,       Answering, Works,  ["D",   "",  "-D",    ""]),
    (Idle,       Settled,   Works,  ["D",   "",  "",      "=D"]),
    (Idle,       Before,    Absent, ["T",   "",  "~T",    "=T"]),
    (Idle,       Asked,     Absent, ["T",   "",  "~T",    "=T"]),
    (Idle,       Answering, Absent, ["T",   "",  "~T",    "=T"]),
    (Idle,       Settled,   Absent, ["T",   "",  "",      "=T"]),

    (Locked,     Before,    Works,  ["D T", "",  "-D ~T", "=T"]),
    (Locked,     Asked,     Works,  ["D",   "T", "-D ~T", "=T"]),
    (Locked,     Answering, Works,  ["D",   "",  "-D",    ""]),
    (Locked,     Settled,   Works,  ["D",   "",  "",      "=D"]),
    (Locked,     Before,    Absent, ["T",   "",  "~T",    "=T"]),
    (Locked,     Asked,     Absent, ["T",   "",  "~T",    "=T"]),
    (Locked,     Answering, Absent, ["T",   "",  "~T",    "=T"]),
    (Locked,     Settled,   Absent, ["T",   "",  "",      "=T"]),

    (Asleep,     Before,    Works,  ["D",   "",  "-D",    ""]),
    (Asleep,     Asked,     Works,  ["D",   "T", "-D ~T", "=T"]),
    (Asleep,     Answering, Works,  ["D",   "!D",  "-D",    ""]),
    (Asleep,     Settled,   Works,  ["D",   "",  "",      "=D"]),
    (Asleep,     Before,    Absent, ["T",   "",  "~T",    "=T"]),
    (Asleep,     Asked,     Absent, ["T",   "",  "~T",    "=T"]),
    (Asleep,     Answering, Absent, ["T",   "~T !T",  "~T",    "=T"]),
    (Asleep,     Settled,   Absent, ["T",   "",  "",      "=T"]),

    (Unknown,    Before,    Works,  ["D T", "",  "-D ~T", "=T"]),
    (Unknown,    Asked,     Works,  ["D",   "T", "-D ~T", "=T"]),
    (Unknown,    Answering, Works,  ["D",   "",  "-D",    ""]),
    (Unknown,    Settled,   Works,  ["D",   "",  "",      "=D"]),
    (Unknown,    Before,    Absent, ["T",   "",  "~T",    "=T"]),
    (Unknown,    Asked,     Absent, ["T",   "",  "~T",    "=T"]),
    (Unknown,    Answering, Absent, ["T",   "",  "~T",    "=T"]),
    (Unknown,    Settled,   Absent, ["T",   "",  "",      "=T"]),

    (ForcedHere, Before,    Works,  ["D",   "",  "-D",    ""]),
    (ForcedHere, Asked,     Works,  ["D",   "",  "-D",    ""]),
    (ForcedHere, Answering, Works,  ["D",   "",  "-D",    ""]),
    (ForcedHere, Settled,   Works,  ["D",   "",  "",      "=D"]),
    (ForcedHere, Before,    Absent, ["T",   "",  "~T",    "=T"]),
    (ForcedHere, Asked,     Absent, ["T",   "",  "~T",    "=T"]),
    (ForcedHere, Answering, Absent, ["T",   "",  "~T",    "=T"]),
    (ForcedHere, Settled,   Absent, ["T",   "",  "",      "=T"]),

    (ForcedAway, Before,    Works,  ["D T", "",  "-D ~T", "=T"]),
    (ForcedAway, Asked,     Works,  ["D",   "T", "-D ~T", "=T"]),
    (ForcedAway, Answering, Works,  ["D",   "",  "-D",    ""]),
    (ForcedAway, Settled,   Works,  ["D",   "",  "",      "=D"]),
    (ForcedAway, Before,    Absent, ["T",   "",  "~T",    "=T"]),
    (ForcedAway, Asked,     Absent, ["T",   "",  "~T",    "=T"]),
    (ForcedAway, Answering, Absent, ["T",   "",  "~T",    "=T"]),
    (ForcedAway, Settled,   Absent, ["T",   "",  "",      "=T"]),

    (Quiet,      Before,    Works,  ["D t", "",  "-D ~T", "=T"]),
    (Quiet,      Asked,     Works,  ["D",   "t", "-D ~T", "=T"]),
    (Quiet,      Answering, Works,  ["D",   "",  "-D",    ""]),
    (Quiet,      Settled,   Works,  ["D",   "",  "",      "=D"]),
    (Quiet,      Before,    Absent, ["t",   "",  "~T",    "=T"]),
    (Quiet,      Asked,     Absent, ["t",   "",  "~T",    "=T"]),
    (Quiet,      Answering, Absent, ["t",   "",  "~T",    "=T"]),
    (Quiet,      Settled,   Absent, ["t",   "",  "",      "=T"]),
];

#[test]
fn every_ask_rings_once_per_rung_in_the_right_place() {
    assert_eq!(TABLE.len(), 64);
    let failed = TABLE.iter().filter_map(|row| {
        let seen = live(row.0, row.1, row.2);
        (seen != row.3.map(String::from)).then(|| format!("{row:?}\n  saw {seen:?}"))
    });
    let failed: Vec<String> = failed.collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn no_row_is_there_twice() {
    for (index, row) in TABLE.iter().enumerate() {
        let twin = TABLE[..index]
            .iter()
            .find(|other| (other.0, other.1, other.2) == (row.0, row.1, row.2));
        assert_eq!(twin, None);
    }
}

/// Runs one row; returns what was done in each of the four moments.
fn live(moves: Move, at: At, desk: Desk) -> [String; 4] {
    let mut story = sitting(moves, desk);
    let mut seen: [Vec<Effect>; 4] = Default::default();
    if at == Before {
        seen[1] = go(&mut story, moves);
    }
    seen[0] = story.ask(single("q1")).effects;
    confirm_cards(&mut story, &seen[0]);
    seen[0].extend(noise(&mut story, true));
    if at == Asked {
        seen[1] = go(&mut story, moves);
        confirm_cards(&mut story, &seen[1]);
        seen[1].extend(noise(&mut story, true));
    }
    if at != Settled {
        seen[2] = story.answer("q1", choose(1), Surface::Cli).effects;
        seen[2].extend(story.sent("q1").effects);
    }
    if at == Answering {
        seen[1] = go(&mut story, moves);
    }
    seen[3] = story.replied("q1", "Green").effects;
    seen[3].extend(noise(&mut story, false));
    if at == Settled {
        seen[1] = go(&mut story, moves);
    }
    seen.map(|effects| words(&effects))
}

/// Returns a desk with its human at it, both channels reported, and no asks.
fn sitting(moves: Move, desk: Desk) -> Story {
    let quiet = (moves == Quiet).then_some(QuietHours { from: 0, to: 60 });
    let mut story = Story::with(Policy {
        quiet,
        ..Policy::default()
    });
    story.presence(Presence::Here);
    story.feed(Event::ChannelUp(Channel::Telegram));
    story.feed(match desk {
        Works => Event::ChannelUp(Channel::Desktop),
        Absent => Event::ChannelDown(Channel::Desktop),
    });
    story
}

fn go(story: &mut Story, moves: Move) -> Vec<Effect> {
    let long_ago = Some(Timestamp(story.now.0 - Span::minutes(4).0));
    let says = |said| Event::Said { said, until: None };
    let events = match moves {
        Here => vec![reading(Presence::Here, None)],
        Idle | Quiet => vec![reading(Presence::Idle, long_ago)],
        Locked => vec![reading(Presence::Locked, None)],
        Asleep => vec![
            reading(Presence::Asleep, None),
            reading(Presence::Here, None),
        ],
        Unknown => vec![reading(Presence::Unknown, None)],
        ForcedHere => vec![
            says(PresenceOverride::Here),
            reading(Presence::Locked, None),
        ],
        ForcedAway => vec![says(PresenceOverride::Away)],
    };
    let mut effects = Vec::new();
    for event in events {
        effects.extend(story.feed(event).effects);
        if moves == Asleep {
            story.now = story.now + Span::seconds(30);
        }
    }
    effects
}

/// Reports the cards that the channels show.
fn confirm_cards(story: &mut Story, effects: &[Effect]) {
    for effect in effects {
        if let Effect::Show { channel, entry, .. } = effect {
            let (channel, ask) = (*channel, entry.ask.id.clone());
            story.feed(Event::Shown {
                channel,
                ask,
                handle: format!("{channel:?}"),
            });
        }
    }
}

/// Feeds events that occur all the time and must not ring: ticks, lists, readings of the presence.
fn noise(story: &mut Story, open: bool) -> Vec<Effect> {
    let mut effects = story.feed(Event::Tick).effects;
    effects.extend(story.list(if open { &[("q1", true)] } else { &[] }).effects);
    let standing = story.desk.view(story.now).presence.standing;
    effects.extend(story.feed(Event::Presence(standing.reading)).effects);
    effects.extend(story.wait(Span::seconds(20)).effects);
    effects
}

/// Returns the signs for what was done, the desktop before the phone.
fn words(effects: &[Effect]) -> String {
    let mut words: Vec<String> = effects.iter().filter_map(word).collect();
    words.sort_by_key(|word| word.to_uppercase().chars().last());
    words.join(" ")
}

fn word(effect: &Effect) -> Option<String> {
    let letter = |channel: &Channel| {
        if *channel == Channel::Desktop {
            "D"
        } else {
            "T"
        }
    };
    Some(match effect {
        Effect::Show {
            channel,
            silent: false,
            ..
        } => letter(channel).into(),
        Effect::Show { channel, .. } => letter(channel).to_lowercase(),
        Effect::Update { channel, entry } => {
            assert!(matches!(entry.state, AskState::Answering { .. }));
            format!("~{}", letter(channel))
        }
        Effect::Withdraw {
            channel,
            ending: None,
            ..
        } => format!("-{}", letter(channel)),
        Effect::Withdraw {
            channel,
            ending: Some(entry),
            ..
        } => {
            assert!(truth(&entry.state), "{:?}", entry.state);
            format!("={}", letter(channel))
        }
        Effect::Remind {
            channel,
            reminder: Reminder::Undelivered,
            ..
        } => {
            format!("!{}", letter(channel))
        }
        Effect::GiveBack { late, .. } => format!("<{:?}", late.by),
        Effect::Remind { .. }
        | Effect::Tell { .. }
        | Effect::Digest { .. }
        | Effect::EndDigest { .. } => "?".into(),
        Effect::Deliver { .. } | Effect::Refresh(_) | Effect::Inquire(_) => return None,
    })
}

/// Tells whether the ending is what happened: our answer, or another's.
fn truth(state: &AskState) -> bool {
    let AskState::Settled { outcome, .. } = state else {
        return false;
    };
    let ours = Outcome::Answered {
        answer: choose(1),
        by: Surface::Cli,
    };
    let others = Outcome::Elsewhere {
        answers: Some(vec![vec!["Green".into()]]),
    };
    *outcome == ours || *outcome == others
}
