//! The script of a day, made from its seed alone: who asks what and when, what the human answers
//! and where, what happens to the world, and the instant at which Beckon is killed, and how.
//!
//! The outcome is not part of it, since it depends on races.

use beckon_support::model::{Step, ToolCall};
use beckon_support::telegram::{Fault, Method};
use serde_json::{Value, json};
use std::time::Duration;

/// A random generator whose numbers are the same on every machine (splitmix64).
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

impl Rng {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub(super) fn is_one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn from(&mut self, range: std::ops::Range<u64>) -> u64 {
        range.start + self.below(range.end - range.start)
    }

    fn millis(&mut self, range: std::ops::Range<u64>) -> Duration {
        Duration::from_millis(self.from(range))
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }

    fn size(&mut self, range: std::ops::Range<u64>) -> usize {
        usize::try_from(self.from(range)).unwrap()
    }
}

/// The ways in which Beckon is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum KillKind {
    /// A kill by SIGKILL: the kernel has all that was written.
    Kill9,
    /// A power cut: what was not synced is lost.
    PowerCut,
    /// A stop by SIGSTOP, and SIGCONT later.
    Stop,
}

impl KillKind {
    pub(super) const ALL: [Self; 3] = [Self::Kill9, Self::PowerCut, Self::Stop];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Kill9 => "kill -9",
            Self::PowerCut => "power cut",
            Self::Stop => "SIGSTOP",
        }
    }
}

/// The events that can be seen from outside, and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// The agent's server has reported a request.
    Asked,
    /// A notification was sent to its daemon.
    Notified,
    /// A message was sent to Telegram.
    Sent,
    /// The human has answered.
    Answered,
    /// An answer is on its way to the agent's server.
    Posted,
}

/// The instant of the kill.
#[derive(Clone, Copy, Debug)]
pub(super) enum Moment {
    /// A delay after the day's beginning.
    At(Duration),
    /// A delay after the `count`th such sign.
    After {
        sign: Sign,
        count: usize,
        delay: Duration,
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Kill {
    pub(super) kind: KillKind,
    pub(super) moment: Moment,
    /// The time for which Beckon does not run.
    pub(super) down: Duration,
    /// The seed by which some of what was not synced arrives all the same.
    pub(super) torn: Option<u64>,
}

/// The events that happen to the world.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    Lock(bool),
    Sleep(bool),
    DaemonRestarts,
    TelegramFails(Method, Fault),
    /// The agent's server hangs for this long.
    ServerHangs(Duration),
}

/// The place where the human answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Notification,
    Telegram,
    CommandLine,
    /// The agent's own interface.
    Agent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The chosen labels, for each question.
    Labels(Vec<Vec<String>>),
    Words(String),
    Once,
    Reject,
    Dismiss,
}

/// The content of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A question with these labels.
    Single(Vec<String>),
    /// A question with these labels, of which several may be chosen.
    Several(Vec<String>),
    /// Two questions.
    Set([Vec<String>; 2]),
    /// A permission to run a command.
    Command,
}

/// A request of an agent, and what its human will do.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// The word that stands in its text and its labels, and in no other request.
    pub(super) token: String,
    pub(super) form: Form,
    pub(super) place: Place,
    /// The time between seeing the request and answering it.
    pub(super) thinks: Duration,
    /// The answers: the first one is given first, and the next one each time the request comes
    /// back.
    pub(super) answers: Vec<Answer>,
    /// The place in which the second answer is given at the same time.
    pub(super) rival: Option<Place>,
}

/// A session of the agent.
#[derive(Clone, Debug)]
pub(super) struct Agent {
    pub(super) begins: Duration,
    /// The requests that are asked at once, step after step.
    pub(super) steps: Vec<Vec<Request>>,
}

#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) seed: u64,
    pub(super) agents: Vec<Agent>,
    pub(super) events: Vec<(Duration, Event)>,
    pub(super) kill: Kill,
    /// The time that an answer takes to the agent, and the time that the confirmation takes back.
    pub(super) wire: (Duration, Duration),
}

impl Script {
    pub(super) fn new(seed: u64) -> Self {
        let dice = &mut Rng::new(seed);
        let mut number = 0;
        let agents = (0..2).map(|_| agent(seed, dice, &mut number)).collect();
        let mut events: Vec<_> = (0..dice.from(1..4))
            .map(|_| (dice.millis(0..2_500), event(dice)))
            .collect();
        events.sort_by_key(|(at, _)| *at);
        let is_slow = dice.is_one_in(2);
        let mut wire = || {
            if is_slow {
                dice.millis(0..120)
            } else {
                Duration::ZERO
            }
        };
        let wire = (wire(), wire());
        Self {
            seed,
            agents,
            events,
            kill: kill(seed, dice),
            wire,
        }
    }

    pub(super) fn requests(&self) -> impl Iterator<Item = &Request> {
        self.agents
            .iter()
            .flat_map(|agent| agent.steps.iter().flatten())
    }
}

/// Makes a kill. Each kind is as frequent as the others. Most instants are close to an event: a
/// critical stretch is a few milliseconds within seconds.
fn kill(seed: u64, dice: &mut Rng) -> Kill {
    let kind = KillKind::ALL[usize::try_from(seed % 3).unwrap()];
    let signs = [
        Sign::Asked,
        Sign::Notified,
        Sign::Sent,
        Sign::Answered,
        Sign::Posted,
    ];
    let moment = if dice.is_one_in(4) {
        Moment::At(dice.millis(0..2_500))
    } else {
        Moment::After {
            sign: dice.pick(&signs),
            count: dice.size(1..5),
            delay: Duration::from_micros(if dice.is_one_in(2) {
                dice.below(5_000)
            } else {
                dice.below(120_000)
            }),
        }
    };
    let longest = if kind == KillKind::Stop { 2_500 } else { 500 };
    let torn = dice.is_one_in(2).then(|| dice.next());
    Kill {
        kind,
        moment,
        down: dice.millis(20..longest),
        torn,
    }
}

fn event(dice: &mut Rng) -> Event {
    match dice.below(8) {
        0 | 1 => Event::Lock(true),
        2 => Event::Lock(false),
        3 => Event::Sleep(dice.is_one_in(2)),
        4 => Event::DaemonRestarts,
        5 => Event::ServerHangs(dice.millis(100..800)),
        _ => telegram_event(dice),
    }
}

/// Makes a fault of Telegram. A sent message whose response is lost would be shown twice, which is
/// nobody's mistake; that fault is left out.
fn telegram_event(dice: &mut Rng) -> Event {
    let edit = Method::EditMessageText;
    let refused = [
        Method::SendMessage,
        edit,
        Method::AnswerCallbackQuery,
        Method::GetUpdates,
    ];
    match dice.below(3) {
        0 => Event::TelegramFails(dice.pick(&refused), Fault::ServerError(502)),
        1 => Event::TelegramFails(dice.pick(&[edit, Method::GetUpdates]), Fault::Cut),
        _ => Event::TelegramFails(Method::SendMessage, Fault::TooManyRequests(1)),
    }
}

fn agent(seed: u64, dice: &mut Rng, number: &mut usize) -> Agent {
    let begins = dice.millis(0..300);
    let steps = (0..dice.from(1..4)).map(|_| {
        let at_once = if dice.is_one_in(5) { 2 } else { 1 };
        (0..at_once)
            .map(|_| request(seed, dice, number, at_once == 1))
            .collect()
    });
    Agent {
        begins,
        steps: steps.collect(),
    }
}

/// Makes a request. One that is asked together with others is never rejected, since that would end
/// the others as well.
fn request(seed: u64, dice: &mut Rng, number: &mut usize, alone: bool) -> Request {
    *number += 1;
    let token = format!("q{seed}x{number}z");
    let form = form(&token, dice, alone);
    let answers = answers(&token, &form, dice, alone);
    let places = [Place::Notification, Place::Telegram, Place::CommandLine];
    let place = match dice.below(12) {
        0 => Place::Agent,
        1 | 2 => Place::CommandLine,
        3..7 => Place::Notification,
        _ => Place::Telegram,
    };
    let rival = dice
        .is_one_in(6)
        .then(|| dice.pick(&places))
        .filter(|rival| *rival != place);
    let thinks = dice.millis(20..500);
    Request {
        token,
        form,
        place,
        thinks,
        answers,
        rival,
    }
}

fn form(token: &str, dice: &mut Rng, alone: bool) -> Form {
    let labels = |question: &str, count: usize| -> Vec<String> {
        let letters = ["a", "b", "c", "d"].into_iter().take(count);
        letters
            .map(|letter| format!("{token}-{question}{letter}"))
            .collect()
    };
    match dice.below(10) {
        0 | 1 if alone => Form::Command,
        2 | 3 => Form::Several(labels("", 3)),
        4 => Form::Set([labels("1", 2), labels("2", 2)]),
        _ => Form::Single(labels("", dice.size(2..5))),
    }
}

/// Makes several answers, each unlike the others.
fn answers(token: &str, form: &Form, dice: &mut Rng, alone: bool) -> Vec<Answer> {
    let mut answers = match form {
        Form::Single(labels) => labels
            .iter()
            .map(|label| Answer::Labels(vec![vec![label.clone()]]))
            .collect(),
        Form::Several(labels) => several(labels),
        Form::Set([first, second]) => {
            let both =
                |a: &String, b: &String| Answer::Labels(vec![vec![a.clone()], vec![b.clone()]]);
            first
                .iter()
                .flat_map(|a| second.iter().map(move |b| both(a, b)))
                .collect()
        }
        Form::Command => vec![Answer::Once, Answer::Reject],
    };
    let first = dice.size(0..answers.len() as u64);
    answers.rotate_left(first);
    match (form, dice.below(16)) {
        (Form::Single(_), 0..2) => answers.insert(0, Answer::Words(format!("{token} in words"))),
        (Form::Single(_) | Form::Several(_), 2) if alone => answers.insert(0, Answer::Dismiss),
        (Form::Command, 0..12) => answers = vec![Answer::Once, Answer::Reject],
        _ => {}
    }
    answers
}

fn several(labels: &[String]) -> Vec<Answer> {
    let of = |bits: usize| {
        labels
            .iter()
            .enumerate()
            .filter(move |(at, _)| bits & (1 << at) != 0)
    };
    let chosen = |bits| of(bits).map(|(_, label)| label.clone()).collect::<Vec<_>>();
    (1..1 << labels.len())
        .map(|bits| Answer::Labels(vec![chosen(bits)]))
        .collect()
}

impl Request {
    pub(super) fn question(&self) -> String {
        format!("Which way, {}?", self.token)
    }

    fn call(&self) -> ToolCall {
        let asked = |labels: &[String], text: String, multiple: bool| {
            let option = |label: &String| json!({ "label": label, "description": "" });
            let options: Vec<Value> = labels.iter().map(option).collect();
            json!({ "question": text, "header": self.token, "options": options,
                "multiple": multiple })
        };
        match &self.form {
            Form::Single(labels) => {
                ToolCall::question(json!([asked(labels, self.question(), false)]))
            }
            Form::Several(labels) => {
                ToolCall::question(json!([asked(labels, self.question(), true)]))
            }
            Form::Set([first, second]) => ToolCall::question(json!([
                asked(first, format!("First, {}?", self.token), false),
                asked(second, format!("Then, {}?", self.token), false),
            ])),
            Form::Command => ToolCall::bash(&format!("echo {}", self.token)),
        }
    }
}

impl Agent {
    /// Returns the steps that the agent's model plays.
    pub(super) fn plays(&self) -> Vec<Step> {
        let step =
            |requests: &Vec<Request>| Step::Tools(requests.iter().map(Request::call).collect());
        self.steps.iter().map(step).collect()
    }
}
