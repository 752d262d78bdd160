//! The checks of what must hold when a day is over. Each breach is a sentence.

use super::human::{Act, Heard, Watched};
use super::killing::Killed;
use super::script::{Answer, KillKind, Place, Script};
use super::world::World;
use beckon_support::telegram::Message;
use beckon_support::wiretap::Posted;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The exit code of a command that was given words it does not know.
const USAGE: i32 = 2;

/// The end of a request, as the agent has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Given(Answer),
    /// The agent still waits.
    Waits,
    /// An end to which no answer leads.
    Odd(String),
}

/// The outcome of each agent's requests, by the token in them.
pub(super) type Outcomes = BTreeMap<String, Outcome>;

/// Returns the outcome of each request by the agent's own record of its tool calls.
pub(super) fn outcomes(script: &Script, parts: &[Value]) -> Outcomes {
    let of = |part: &Value| {
        let input = part["state"]["input"].to_string();
        let request = script
            .requests()
            .find(|request| input.contains(&request.token))?;
        Some((request.token.clone(), outcome(part)))
    };
    parts.iter().filter_map(of).collect()
}

fn outcome(part: &Value) -> Outcome {
    let state = &part["state"];
    let error = state["error"].as_str().unwrap_or_default();
    match (
        state["status"].as_str().unwrap_or_default(),
        part["tool"].as_str(),
    ) {
        ("completed", Some("bash")) => Outcome::Given(Answer::Once),
        ("completed", _) => {
            let answers = serde_json::from_value(state["metadata"]["answers"].clone());
            answers.map_or_else(
                |_| Outcome::Odd(state.to_string()),
                |answers| Outcome::Given(Answer::Labels(answers)),
            )
        }
        ("error", _) if error.contains("dismissed") => Outcome::Given(Answer::Dismiss),
        ("error", _) if error.contains("rejected") => Outcome::Given(Answer::Reject),
        ("error", _) => Outcome::Odd(error.to_owned()),
        _ => Outcome::Waits,
    }
}

/// Checks that no answer is lost, doubled, or delivered to another request.
pub(super) fn answers(outcomes: &Outcomes, watched: &[Watched]) -> Vec<String> {
    let mut breaches = Vec::new();
    for one in watched {
        let token = &one.request.token;
        match outcomes.get(token) {
            // An agent that was told to stop, or that was too slow for the day, has not asked it.
            None => {}
            Some(Outcome::Waits) if one.seen.is_none() => {
                breaches.push(format!("{token} waits, and nobody was shown it"));
            }
            Some(Outcome::Waits) => breaches.push(format!("{token} waits: {:?}", one.acts)),
            Some(Outcome::Odd(what)) => breaches.push(format!("{token} ended so: {what}")),
            Some(Outcome::Given(given)) => breaches.extend(of_one(one, given)),
        }
    }
    breaches
}

fn of_one(one: &Watched, given: &Answer) -> Vec<String> {
    let token = &one.request.token;
    let mut breaches = Vec::new();
    if !one.acts.iter().any(|act| is_same(&act.answer, given)) {
        breaches.push(format!(
            "{token} got {given:?}, and was answered {:?}",
            one.acts
        ));
    }
    let unheard = |act: &&Act| !is_same(&act.answer, given) && was_accepted(act);
    if let Some(act) = one.acts.iter().find(unheard) {
        breaches.push(format!(
            "{token} got {given:?} in place of {act:?}, which was accepted"
        ));
    }
    breaches
}

/// Tells whether two answers are the same. Words arrive like a label.
fn is_same(said: &Answer, given: &Answer) -> bool {
    match (said, given) {
        (Answer::Words(words), Answer::Labels(labels)) => *labels == [std::slice::from_ref(words)],
        (Answer::Labels(said), Answer::Labels(given)) => {
            let sorted = |labels: &[Vec<String>]| {
                let sort = |labels: &Vec<String>| {
                    let mut labels = labels.clone();
                    labels.sort();
                    labels
                };
                labels.iter().map(sort).collect::<Vec<_>>()
            };
            sorted(said) == sorted(given)
        }
        (said, given) => said == given,
    }
}

/// Tells whether the command line has reported that the agent took the answer.
fn was_accepted(act: &Act) -> bool {
    let Heard::Command(output) = &act.heard else {
        return false;
    };
    let output = output.lock().unwrap();
    output
        .as_ref()
        .is_some_and(|output| output.stdout.contains("\"taken\""))
}

/// Checks the taps. Telegram keeps a tap until Beckon has it on its disk, so the first answer to a
/// request arrives, whatever is killed meanwhile. A human whose tap or words came too late must
/// have been told so.
pub(super) fn taps(world: &World, outcomes: &Outcomes, watched: &[Watched]) -> Vec<String> {
    let alerts = world.phone.telegram.alerts();
    let said = |tap: &str| {
        let alert = alerts.iter().find(|alert| alert.callback == tap)?;
        Some(alert.text.clone().unwrap_or_default())
    };
    let tapped = |tap: &str| {
        let alert = alerts.iter().find(|alert| alert.callback == tap)?;
        world.phone.telegram.message(alert.chat, alert.message)
    };
    // An answer that was given at the agent itself meanwhile is shown on the card.
    let corrected = |tap: &str| {
        let first = |card: &Message| card.text.lines().next().map(ToOwned::to_owned);
        tapped(tap)
            .and_then(|card| first(&card))
            .is_some_and(|line| line.contains('☑'))
    };
    // Words to a stray card are refused by a message.
    let messages = world.phone.telegram.messages(world.phone.chat);
    let is_told = messages.iter().any(|message| {
        ["no longer valid", "Nothing was sent"]
            .iter()
            .any(|it| message.text.contains(it))
    });
    let mut breaches = Vec::new();
    for one in watched {
        let Some(Outcome::Given(given)) = outcomes.get(&one.request.token) else {
            continue;
        };
        let on_phone = one
            .acts
            .iter()
            .enumerate()
            .filter(|(_, act)| act.place == Place::Telegram);
        for (number, act) in on_phone.filter(|(_, act)| !is_same(&act.answer, given)) {
            let told = match &act.heard {
                Heard::Tap(tap) if corrected(tap) => continue,
                Heard::Tap(tap) => said(tap),
                Heard::Nothing | Heard::Command(_) => None,
            };
            match told {
                Some(text) if text.is_empty() => {
                    let Heard::Tap(tap) = &act.heard else {
                        continue;
                    };
                    breaches.push(format!(
                        "a tap was taken without a word, and lost: {act:?} on {:#?} of {messages:#?}",
                        tapped(tap),
                    ));
                }
                None if number == 0 && !(is_told && matches!(act.answer, Answer::Words(_))) => {
                    breaches.push(format!("{given:?} arrived in place of the first: {act:?}"));
                }
                Some(_) | None => {}
            }
        }
    }
    breaches
}

/// Checks that each request got one answer. An answer that the server refused may be tried again. A
/// Beckon that was killed before it could know that its answer was taken may send it once more, and
/// is told that nobody waits.
pub(super) fn posts(posted: &[Posted], script: &Script, killed: &Killed) -> Vec<String> {
    let mut last: BTreeMap<&str, &Posted> = BTreeMap::new();
    let mut breaches = Vec::new();
    for post in posted {
        let Some(earlier) = last.insert(&post.id, post) else {
            continue;
        };
        let is_other = (&earlier.verb, &earlier.body) != (&post.verb, &post.body);
        let unaware = script.kill.kind != KillKind::Stop
            && (earlier.at..post.at).contains(&killed.at)
            && !(is_yes(earlier) && is_yes(post));
        if is_other || !(unaware || is_no(earlier, post.at)) {
            breaches.push(format!("sent twice: {earlier:?}, and {post:?}"));
        }
    }
    breaches
}

fn is_yes(post: &Posted) -> bool {
    post.said.is_some_and(|(status, _)| status == 200)
}

fn is_no(post: &Posted, before: Instant) -> bool {
    post.said
        .is_some_and(|(status, at)| status != 200 && at < before)
}

/// Checks that the first line of every settled card says how its request ended.
pub(super) fn endings(world: &World, script: &Script, outcomes: &Outcomes) -> Vec<String> {
    let mut breaches = Vec::new();
    for message in world.phone.telegram.messages(world.phone.chat) {
        let Some(line) = message
            .text
            .lines()
            .next()
            .filter(|line| line.contains('✅'))
        else {
            continue;
        };
        let mut requests = script.requests();
        let Some(request) = requests.find(|request| message.text.contains(&request.token)) else {
            continue;
        };
        let told = match outcomes.get(&request.token) {
            Some(Outcome::Given(Answer::Labels(labels))) if labels.len() == 1 => labels[0].clone(),
            Some(Outcome::Given(Answer::Once)) => vec!["Allowed once".to_owned()],
            _ => continue,
        };
        if !told.iter().all(|label| line.contains(label)) {
            breaches.push(format!("a card says {line:?}, and the agent got {told:?}"));
        }
    }
    breaches
}

/// Checks that a request has only one message, apart from a stray.
pub(super) fn doubles(world: &World, script: &Script, killed: &Killed) -> Vec<String> {
    let mut messages = world.phone.telegram.messages(world.phone.chat);
    messages.retain(|message| !killed.strays.messages.contains(&message.id));
    let signs = ['❓', '🔐', '✅', '🚫', '☑', '⌛', '👻', '⏳'];
    let is_card = |text: &str| text.starts_with(signs);
    let count = |token: &str| {
        let of_it = |text: &str| is_card(text) && text.contains(token);
        messages
            .iter()
            .filter(|message| of_it(&message.text))
            .count()
    };
    let counted = script
        .requests()
        .map(|request| (&request.token, count(&request.token)));
    let doubled = counted.filter(|(_, count)| *count > 1);
    doubled
        .map(|(token, count)| format!("{token} has {count} messages"))
        .collect()
}

/// Checks that a command which was run as its help says was understood.
fn misunderstood(act: &Act) -> Option<String> {
    let Heard::Command(output) = &act.heard else {
        return None;
    };
    let output = output.lock().unwrap();
    let refused = output
        .as_ref()
        .filter(|output| output.status == Some(USAGE))?;
    Some(format!(
        "a command was not understood: {act:?}: {refused:?}"
    ))
}

/// Checks that nothing was sent that the documents do not allow, and that every tap has its answer,
/// except for those around a kill.
pub(super) fn manners(
    world: &World,
    script: &Script,
    watched: &[Watched],
    killed: &Killed,
) -> Vec<String> {
    let mut breaches = world.daemon().violations();
    // A killed Beckon forgets that Telegram has asked for a pause.
    let forgotten = |said: &String| {
        script.kill.kind != KillKind::Stop && said.ends_with("before the end of retry_after")
    };
    let complaints = world.phone.telegram.complaints();
    breaches.extend(complaints.into_iter().filter(|said| !forgotten(said)));
    let faulty = script
        .events
        .iter()
        .any(|(_, event)| format!("{event:?}").contains("Callback"));
    let unanswered = world.phone.telegram.unanswered_taps();
    let around = killed.at - Duration::from_secs(2)..killed.back + Duration::from_secs(1);
    let excused = |act: &Act| killed.at != killed.back && around.contains(&act.at);
    breaches.extend(
        watched
            .iter()
            .flat_map(|one| &one.acts)
            .filter_map(misunderstood),
    );
    for act in watched.iter().flat_map(|one| &one.acts) {
        let Heard::Tap(tap) = &act.heard else {
            continue;
        };
        let stop = script.kill.kind == KillKind::Stop;
        if unanswered.contains(tap) && !faulty && (stop || !excused(act)) {
            breaches.push(format!("a tap spins for ever: {act:?}"));
        }
    }
    breaches
}
