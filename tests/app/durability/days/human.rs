//! The day's human: they see what is on the screen and on the phone, think for a moment, and
//! answer, with a button, in words, on the command line, or at the agent itself. A request that
//! comes back gets another answer than before, so that it can be told which one arrived.

use super::script::{Answer, Form, Place, Request, Script};
use super::world::World;
use beckon_support::beckon::Output;
use beckon_support::notifications::Shown;
use beckon_support::telegram::{Action, Message};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const LOOKS_EVERY: Duration = Duration::from_millis(15);
/// The time after an answer at which a request that is still there counts as come back.
pub(super) const COMES_BACK_AFTER: Duration = Duration::from_millis(2_500);
/// The time after which a place is given up where the request does not appear.
const ELSEWHERE_AFTER: Duration = Duration::from_millis(900);
/// The time after which an unanswered tap counts as lost.
const TAP_ANSWERED_WITHIN: Duration = Duration::from_secs(5);

/// An answer that was given.
#[derive(Clone, Debug)]
pub(super) struct Act {
    pub(super) at: Instant,
    pub(super) place: Place,
    pub(super) answer: Answer,
    pub(super) heard: Heard,
}

/// The response that the human got.
#[derive(Clone, Debug)]
pub(super) enum Heard {
    Nothing,
    /// The one to the tap with that id.
    Tap(String),
    /// The output of the command, once it has ended.
    Command(Arc<Mutex<Option<Output>>>),
}

/// A request, and what was done about it.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) request: Request,
    pub(super) seen: Option<Instant>,
    pub(super) acts: Vec<Act>,
    rival: Option<Place>,
    /// The last tap on a card that did not complete an answer.
    tap: Option<(String, Instant)>,
}

/// The places where a request is shown at the moment.
struct Sight<'a> {
    notification: Option<&'a Shown>,
    message: Option<&'a Message>,
}

pub(super) struct Human {
    world: Arc<World>,
    watched: Vec<Watched>,
}

impl Human {
    pub(super) fn new(world: Arc<World>, script: &Script) -> Self {
        let watched = script.requests().map(|request| Watched {
            request: request.clone(),
            seen: None,
            acts: Vec::new(),
            rival: request.rival,
            tap: None,
        });
        Self {
            world,
            watched: watched.collect(),
        }
    }

    /// Lives until the day is over; returns what was done about each request.
    pub(super) async fn live(mut self, over: &AtomicBool) -> Vec<Watched> {
        while !over.load(Ordering::Relaxed) {
            self.look_round();
            tokio::time::sleep(LOOKS_EVERY).await;
        }
        self.watched
    }

    fn look_round(&mut self) {
        let (notifications, messages) = (self.world.notifications(), self.world.messages());
        for watched in &mut self.watched {
            let token = &watched.request.token;
            let on_card = |shown: &&Shown| {
                shown.summary.contains(token.as_str()) || shown.body.contains(token.as_str())
            };
            let in_chat = |message: &&Message| message.text.contains(token.as_str());
            let sight = Sight {
                notification: notifications.iter().rfind(on_card),
                message: messages.iter().rfind(in_chat),
            };
            if sight.notification.is_some() || sight.message.is_some() {
                watched.look(&self.world, &sight);
            }
        }
    }
}

impl Watched {
    fn look(&mut self, world: &Arc<World>, sight: &Sight<'_>) {
        let now = Instant::now();
        let seen = *self.seen.get_or_insert(now);
        let due = match self.acts.last() {
            Some(act) => act.at + COMES_BACK_AFTER,
            None => seen + self.request.thinks,
        };
        if now < due || !self.is_tap_answered(world) {
            return;
        }
        let answer = self.request.answers[self.acts.len() % self.request.answers.len()].clone();
        let patient = self.acts.is_empty() && now < due + ELSEWHERE_AFTER;
        let Some(place) = self.place(sight, &answer, patient) else {
            return;
        };
        self.act(world, sight, place, &answer);
        if self.acts.len() == 1
            && let Some(rival) = self.rival.take()
        {
            let other = self.request.answers[1 % self.request.answers.len()].clone();
            if self.request.is_possible(rival, &other, sight) && rival != place {
                self.act(world, sight, rival, &other);
            }
        }
    }

    /// Returns the place where the request was meant to be answered, or another possible one if it
    /// does not appear there.
    fn place(&self, sight: &Sight<'_>, answer: &Answer, patient: bool) -> Option<Place> {
        let wanted = self.request.place;
        if self.acts.is_empty() && self.request.is_possible(wanted, answer, sight) {
            return Some(wanted);
        }
        let places = [Place::Notification, Place::Telegram, Place::CommandLine];
        let possible = |place: &Place| self.request.is_possible(*place, answer, sight);
        places.into_iter().find(possible).filter(|_| !patient)
    }

    fn is_tap_answered(&self, world: &World) -> bool {
        let Some((tap, at)) = &self.tap else {
            return true;
        };
        let answered = !world.phone.telegram.unanswered_taps().contains(tap);
        // The next state of the card is drawn a moment later.
        at.elapsed()
            > if answered {
                Duration::from_millis(300)
            } else {
                TAP_ANSWERED_WITHIN
            }
    }

    fn act(&mut self, world: &Arc<World>, sight: &Sight<'_>, place: Place, answer: &Answer) {
        let heard = match (place, sight) {
            (
                Place::Notification,
                Sight {
                    notification: Some(shown),
                    ..
                },
            ) => press(world, shown, answer).then_some(Heard::Nothing),
            (
                Place::Telegram,
                Sight {
                    message: Some(message),
                    ..
                },
            ) => {
                return self.tap(world, message, answer);
            }
            (Place::Notification | Place::Telegram, _) => None,
            (Place::CommandLine, _) => Some(command(world, &self.request.token, answer)),
            (Place::Agent, _) => Some(at_the_agent(world, &self.request.token, answer)),
        };
        if let Some(heard) = heard {
            self.note(world, place, answer.clone(), heard);
        }
    }

    fn note(&mut self, world: &World, place: Place, answer: Answer, heard: Heard) {
        world.answered.fetch_add(1, Ordering::Relaxed);
        world.tell(&format!(
            "{} is answered: {place:?}, {answer:?}",
            self.request.token
        ));
        self.acts.push(Act {
            at: Instant::now(),
            place,
            answer,
            heard,
        });
    }

    /// Takes the next step on a card, as it looks now.
    fn tap(&mut self, world: &World, card: &Message, answer: &Answer) {
        let phone = &world.phone;
        if let Answer::Words(words) = answer {
            phone.reply(card.id, words);
            return self.note(world, Place::Telegram, answer.clone(), Heard::Nothing);
        }
        let Some((label, meant)) = self.request.step(card, answer) else {
            return;
        };
        let Some(Action::Callback(data)) = card.button(&label).map(|button| &button.action) else {
            return;
        };
        let tap = phone
            .telegram
            .tap_data(phone.user, phone.chat, card.id, data);
        self.tap = Some((tap.clone(), Instant::now()));
        match meant {
            Some(meant) => self.note(world, Place::Telegram, meant, Heard::Tap(tap)),
            None => world.tell(&format!("{}: a tap on {label}", self.request.token)),
        }
    }
}

impl Request {
    fn is_possible(&self, place: Place, answer: &Answer, sight: &Sight<'_>) -> bool {
        match place {
            Place::Notification => {
                let label = label(answer);
                let has = |shown: &Shown| label.is_some_and(|label| shown.action(label).is_some());
                sight.notification.is_some_and(has)
            }
            Place::Telegram => sight.message.is_some() && *answer != Answer::Dismiss,
            Place::CommandLine => true,
            Place::Agent => !matches!(answer, Answer::Words(_) | Answer::Dismiss),
        }
    }

    /// Returns the button that leads to this answer from what the card shows, and the given answer
    /// if it is the last step.
    fn step(&self, card: &Message, answer: &Answer) -> Option<(String, Option<Answer>)> {
        let has = |label: &str| card.button(label).is_some();
        let last = |label: &str| Some((label.to_owned(), Some(answer.clone())));
        match (&self.form, answer) {
            (Form::Command, Answer::Once) if has("Allow once") => last("Allow once"),
            (Form::Command, Answer::Once) if has("Yes, allow once") => last("Yes, allow once"),
            (Form::Command, Answer::Once) => Some(("Allow once…".to_owned(), None)),
            (Form::Command, _) => last("Reject"),
            (Form::Several(labels), Answer::Labels(chosen)) => {
                let wrong = labels.iter().find_map(|label| {
                    let (off, on) = (format!("☐ {label}"), format!("☑ {label}"));
                    let wanted = chosen[0].contains(label);
                    let wrong = if wanted { off } else { on };
                    has(&wrong).then_some(wrong)
                });
                wrong.map(|label| (label, None)).or_else(|| last("Send"))
            }
            (Form::Set(labels), Answer::Labels(chosen)) if !has("Send") => {
                let at = if has_label(card, &labels[0][0]) { 0 } else { 1 };
                let wanted = &chosen[at][0];
                let label = if has(wanted) {
                    wanted.clone()
                } else {
                    format!("☑ {wanted}")
                };
                Some((label, None))
            }
            // The answer is the label that the card already shows.
            (Form::Set(labels), _) => {
                let said = |labels: &Vec<String>| {
                    labels
                        .iter()
                        .find(|label| card.text.contains(label.as_str()))
                        .cloned()
                };
                let said = vec![vec![said(&labels[0])?], vec![said(&labels[1])?]];
                Some(("Send".to_owned(), Some(Answer::Labels(said))))
            }
            (Form::Single(_), Answer::Labels(chosen)) => last(&chosen[0][0]),
            (Form::Single(_) | Form::Several(_), _) => None,
        }
    }
}

fn has_label(card: &Message, label: &str) -> bool {
    card.button(label).is_some() || card.button(&format!("☑ {label}")).is_some()
}

/// Returns the label of the notification's button for an answer.
fn label(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Labels(chosen) => match chosen.as_slice() {
            [one] if one.len() == 1 => Some(&one[0]),
            _ => None,
        },
        Answer::Once => Some("Allow once"),
        Answer::Reject => Some("Reject"),
        Answer::Words(_) | Answer::Dismiss => None,
    }
}

fn press(world: &World, shown: &Shown, answer: &Answer) -> bool {
    let key = label(answer).and_then(|label| shown.action(label));
    key.is_some_and(|key| world.daemon().press_if_open(shown.id, key))
}

/// Answers with `beckon answer` and the like.
fn command(world: &Arc<World>, token: &str, answer: &Answer) -> Heard {
    let heard = Arc::<Mutex<Option<Output>>>::default();
    let (told, world, token, answer) = (
        heard.clone(),
        world.clone(),
        token.to_owned(),
        answer.clone(),
    );
    tokio::spawn(async move {
        let listed = world.beckon.command(&["list", "--json"]).await;
        let list: Vec<Value> = serde_json::from_str(&listed.stdout).unwrap_or_default();
        let Some(ask) = list.iter().find(|ask| ask.to_string().contains(&token)) else {
            return;
        };
        let arguments = arguments(ask, &answer);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = world.beckon.command(&arguments).await;
        world.tell(&format!("{token}: {arguments:?} says {output:?}"));
        *told.lock().unwrap() = Some(output);
    });
    Heard::Command(heard)
}

/// Returns the arguments for a command that answers what was listed a moment ago.
fn arguments(ask: &Value, answer: &Answer) -> Vec<String> {
    let (id, seen) = (
        ask["id"].as_str().unwrap(),
        ask["fingerprint"].as_str().unwrap(),
    );
    let verb = match answer {
        Answer::Labels(_) | Answer::Words(_) => "answer",
        Answer::Once => "grant",
        Answer::Reject => "deny",
        Answer::Dismiss => "dismiss",
    };
    let mut words = vec![verb.to_owned(), id.to_owned()];
    words.extend(["--seen", seen, "--json"].map(ToOwned::to_owned));
    match answer {
        Answer::Labels(chosen) => {
            for (question, chosen) in chosen.iter().enumerate() {
                let options = ask["questions"][question]["choices"].as_array().unwrap();
                let number = |label: &String| {
                    let at = options
                        .iter()
                        .position(|option| option["label"] == label.as_str());
                    (at.unwrap() + 1).to_string()
                };
                let numbers: Vec<String> = chosen.iter().map(number).collect();
                words.extend(["--choice".to_owned(), numbers.join(",")]);
            }
        }
        Answer::Words(text) => words.extend(["--text".to_owned(), text.clone()]),
        Answer::Once | Answer::Reject | Answer::Dismiss => {}
    }
    words
}

/// Answers past Beckon, as the agent's own interface does.
fn at_the_agent(world: &Arc<World>, token: &str, answer: &Answer) -> Heard {
    let (world, token, answer) = (world.clone(), token.to_owned(), answer.clone());
    tokio::spawn(async move {
        let (opencode, directory) = (&world.office.opencode, world.office.opencode.directory());
        let lists = [
            opencode.questions(directory).await,
            opencode.permissions(directory).await,
        ];
        let mut open = lists.iter().filter_map(Value::as_array).flatten();
        let Some(ask) = open.find(|ask| ask.to_string().contains(&token)) else {
            return;
        };
        let id = ask["id"].as_str().unwrap();
        let said = match answer {
            Answer::Labels(chosen) => opencode.reply(directory, id, json!(chosen)).await,
            Answer::Once => opencode.permit(directory, id, "once").await,
            _ => opencode.permit(directory, id, "reject").await,
        };
        world.tell(&format!("{token}: the agent's server says {said:?}"));
    });
    Heard::Nothing
}
