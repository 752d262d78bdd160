//! A crowd of thousands that asks at an imitated OpenCode, in floods of frames and over streams
//! that break; and its human, who answers each request once: on the screen, on the phone, on the
//! command line, or at the agent itself.

use super::super::human::COMES_BACK_AFTER;
use super::super::script::Rng;
use super::super::world::World;
use crate::common::{DIRECTORY, SOON};
use beckon_support::eventually;
use beckon_support::replay::{Kind, Replay, Reply, Streaming, permission, question};
use beckon_support::telegram::Action;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The recorded frames of a real server at work.
const FLOOD: &[u8] = include_bytes!("../../../../../benches/recordings/flood-1.18.33.sse");
/// The number of frames a second in a flood.
const FLOOD_PACE: u64 = 2_000;
const FLOOD_LASTS: Duration = Duration::from_secs(2);
/// The mean interval at which a request comes.
const ASKS_EVERY: Duration = Duration::from_millis(750);
/// The frequency and size of groups: one request in 60 comes together with others, 24 in all.
const GROUP: (u64, usize) = (60, 24);
/// The interval at which something happens to the stream.
const WEATHER_EVERY: Duration = Duration::from_secs(9);
const LOOKS_EVERY: Duration = Duration::from_millis(60);
/// The time after which a waiting request counts as lost. On a machine with ten others, one waited
/// for 67 s and was answered.
const LOST_AFTER: Duration = Duration::from_secs(240);
/// The exit code of a command that was given words it does not know.
const USAGE: i32 = 2;
/// The number of requests that are settled before anything is measured; up to 4,096 settled asks
/// are remembered.
const REMEMBERED: usize = 4_200;
const AT_A_TIME: usize = 50;
const SESSIONS: usize = 20;

pub(super) struct Crowd {
    replay: Replay,
    asked: Arc<AtomicUsize>,
    /// The output of commands that were not understood.
    complaints: Arc<Mutex<Vec<String>>>,
}

/// A request, as its human knows it.
struct Waiting {
    since: Instant,
    acted: Option<Instant>,
}

impl Crowd {
    pub(super) fn open() -> Self {
        let replay = Replay::start();
        for number in 0..SESSIONS {
            replay.session(&session(number), DIRECTORY, &format!("Session {number}"));
        }
        Self {
            replay,
            asked: Arc::default(),
            complaints: Arc::default(),
        }
    }

    /// Returns the settings that lead to the crowd's server.
    pub(super) fn config(&self) -> String {
        format!(
            "[[opencode]]\nname = \"crowd\"\nurl = \"{}\"\n",
            self.replay.url()
        )
    }

    /// Returns the count of requests so far.
    pub(super) fn count(&self) -> Arc<AtomicUsize> {
        self.asked.clone()
    }

    /// Fills the memory of settled asks, which is full on every day but the first ones. So its
    /// growth cannot be taken for a leak, nor hide one.
    pub(super) async fn fill_the_memory(&self, world: &World) {
        for first in (0..REMEMBERED).step_by(AT_A_TIME) {
            let ids: Vec<String> = (first..first + AT_A_TIME)
                .map(|number| format!("que_early{number}"))
                .collect();
            for id in &ids {
                let request = question(id, &session(0), &format!("Early, {id}?"), &["Yes", "No"]);
                self.replay.ask(Kind::Question, DIRECTORY, request).await;
            }
            let shown = || world.notifications().len() + world.messages().len();
            eventually("they are shown", SOON, async || {
                (shown() >= AT_A_TIME).then_some(())
            })
            .await;
            for id in &ids {
                self.answer_at_the_agent(id, &session(0), "Yes").await;
            }
            eventually("they go", SOON, async || (shown() == 0).then_some(())).await;
        }
    }

    async fn answer_at_the_agent(&self, id: &str, session: &str, label: &str) {
        self.replay.withdraw(id);
        let told = json!({ "sessionID": session, "requestID": id, "answers": [[label]] });
        self.replay.event(DIRECTORY, "question.replied", told).await;
    }

    /// Lives until the day is over and all requests are settled; returns the breaches.
    pub(super) async fn live(&self, world: &Arc<World>, over: &AtomicBool) -> Vec<String> {
        let (_, lost, ()) =
            tokio::join!(self.ask(over), self.answer(world, over), self.trouble(over));
        let complaints = std::mem::take(&mut *self.complaints.lock().unwrap());
        lost.into_iter()
            .chain(self.misled())
            .chain(complaints)
            .collect()
    }

    async fn ask(&self, over: &AtomicBool) {
        let dice = &mut Rng::new(1);
        while !over.load(Ordering::Relaxed) {
            let (rarely, many) = GROUP;
            let together = if dice.is_one_in(rarely) { many } else { 1 };
            for _ in 0..together {
                let number = self.asked.fetch_add(1, Ordering::Relaxed);
                let (kind, request) = request(number);
                self.replay.ask(kind, DIRECTORY, request).await;
            }
            tokio::time::sleep(ASKS_EVERY.mul_f64(dice.below(1_000) as f64 / 500.0)).await;
        }
    }

    /// Makes floods, ends or breaks streams, and keeps the server without one for a while.
    async fn trouble(&self, over: &AtomicBool) {
        let dice = &mut Rng::new(2);
        while !over.load(Ordering::Relaxed) {
            tokio::time::sleep(WEATHER_EVERY).await;
            match dice.below(4) {
                0 | 1 => drop(
                    self.replay
                        .flood(FLOOD, Some(FLOOD_PACE), FLOOD_LASTS)
                        .await,
                ),
                2 => self.replay.cut().await,
                _ => {
                    self.replay.streaming(Streaming::Status(503));
                    self.replay.end();
                    tokio::time::sleep(Duration::from_millis(700)).await;
                    self.replay.streaming(Streaming::Open);
                }
            }
        }
    }

    /// Looks around and answers until nobody waits any more; returns the requests that were not
    /// shown, or not heard, in time.
    async fn answer(&self, world: &Arc<World>, over: &AtomicBool) -> Vec<String> {
        let mut waiting = HashMap::<String, Waiting>::new();
        loop {
            let open = self.replay.open_ids();
            if open.is_empty() && over.load(Ordering::Relaxed) {
                return Vec::new();
            }
            waiting.retain(|id, _| open.contains(id));
            let now = Instant::now();
            for id in open {
                waiting.entry(id).or_insert(Waiting {
                    since: now,
                    acted: None,
                });
            }
            let lost = waiting
                .iter()
                .find(|(_, one)| one.since.elapsed() > LOST_AFTER);
            if let Some((id, _)) = lost {
                over.store(true, Ordering::Relaxed);
                return vec![format!("{id} of the crowd waits for {LOST_AFTER:?}")];
            }
            self.look_round(world, &mut waiting).await;
            tokio::time::sleep(LOOKS_EVERY).await;
        }
    }

    async fn look_round(&self, world: &Arc<World>, waiting: &mut HashMap<String, Waiting>) {
        let (notifications, messages) = (world.notifications(), world.messages());
        for (id, one) in waiting {
            let number = number(id);
            let due = match one.acted {
                None => one.since + Duration::from_millis(200 + number as u64 * 37 % 1_500),
                Some(acted) => acted + COMES_BACK_AFTER,
            };
            if Instant::now() < due {
                continue;
            }
            let (token, label) = (token(number), answer(number));
            let shown = notifications
                .iter()
                .find(|shown| shown.summary.contains(&token) || shown.body.contains(&token));
            let message = messages
                .iter()
                .find(|message| message.text.contains(&token));
            let acted = match number % 40 {
                3 | 13 | 23 if !is_command(number) => {
                    self.answer_at_the_agent(id, &session(number % SESSIONS), &label)
                        .await;
                    true
                }
                7 if shown.is_some() || message.is_some() => self.command(world, id, number),
                _ => match (shown, message) {
                    (Some(shown), _) => shown
                        .action(&label)
                        .is_some_and(|key| world.daemon().press_if_open(shown.id, key)),
                    (None, Some(card)) => tap(world, card, &label),
                    (None, None) => false,
                },
            };
            if acted {
                one.acted = Some(Instant::now());
            }
        }
    }

    /// Answers a request by a command, as it is listed. A command that is not understood is noted,
    /// since it would never answer.
    fn command(&self, world: &Arc<World>, id: &str, number: usize) -> bool {
        let (world, id, complaints) = (world.clone(), id.to_owned(), self.complaints.clone());
        tokio::spawn(async move {
            let listed = world.beckon.command(&["list", "--json"]).await;
            let listed: Vec<Value> = serde_json::from_str(&listed.stdout).unwrap_or_default();
            let Some(ask) = listed.iter().find(|ask| ask["id"] == *id) else {
                return;
            };
            let seen = ask["fingerprint"].as_str().unwrap().to_owned();
            let choice = if number.is_multiple_of(3) { "2" } else { "1" };
            let words = ["answer", &id, "--seen", &seen, "--json", "--choice", choice];
            let output = world.beckon.command(&words).await;
            if output.status == Some(USAGE) {
                complaints
                    .lock()
                    .unwrap()
                    .push(format!("{words:?} says {output:?}"));
            }
        });
        true
    }

    /// Returns the requests that got another answer than their human chose. The same answer may
    /// come twice, if the server's response was not heard in time, as on a busy machine.
    fn misled(&self) -> Vec<String> {
        let wanted = |reply: &Reply| match reply.kind {
            Kind::Question => json!({ "answers": [[answer(number(&reply.id))]] }),
            Kind::Permission => json!({ "reply": "once" }),
        };
        let replies = self.replay.replies();
        let misled = replies.iter().filter(|reply| reply.body != wanted(reply));
        misled
            .map(|it| format!("{} got {}, and not {}", it.id, it.body, wanted(it)))
            .collect()
    }
}

fn session(number: usize) -> String {
    format!("ses_{number}")
}

/// Returns a word that stands in the text of this request and of no other.
fn token(number: usize) -> String {
    format!("c{number}z")
}

fn number(id: &str) -> usize {
    id.trim_start_matches(|letter: char| !letter.is_ascii_digit())
        .parse()
        .unwrap()
}

fn is_command(number: usize) -> bool {
    number.is_multiple_of(10)
}

fn request(number: usize) -> (Kind, Value) {
    let (session, token) = (session(number % SESSIONS), token(number));
    if is_command(number) {
        let id = format!("per_{number}");
        return (
            Kind::Permission,
            permission(&id, &session, &format!("echo {token}")),
        );
    }
    let labels = [format!("{token} Yes"), format!("{token} No")];
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    // Every fiftieth request is long.
    let length = if number % 50 == 1 { 300 } else { 1 };
    let text = format!(
        "Which way, {token}?{}",
        " It is a long story.".repeat(length - 1)
    );
    (
        Kind::Question,
        question(&format!("que_{number}"), &session, &text, &labels),
    )
}

/// Returns the answer that the human will give.
fn answer(number: usize) -> String {
    match (is_command(number), number % 3) {
        (true, _) => "Allow once".to_owned(),
        (false, 0) => format!("{} No", token(number)),
        (false, _) => format!("{} Yes", token(number)),
    }
}

fn tap(world: &World, card: &beckon_support::telegram::Message, label: &str) -> bool {
    let labels = [label, "Allow once", "Yes, allow once", "Allow once…"];
    let Some(button) = labels.into_iter().find_map(|label| card.button(label)) else {
        return false;
    };
    let Action::Callback(data) = &button.action else {
        return false;
    };
    let phone = &world.phone;
    phone
        .telegram
        .tap_data(phone.user, phone.chat, card.id, data);
    true
}
