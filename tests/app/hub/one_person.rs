//! Tests of a person with three machines, a phone and one bot, and a real OpenCode on two of the
//! machines. One machine serves the hub, the others join by code, and what an agent asks is
//! answered from anywhere.

use super::seats::Machine;
use super::serving::{Serving, invite, joined, program};
use super::shared_bot::stands;
use super::*;
use crate::common::phone::Phone;
use crate::common::{asked_by, config};
use beckon_support::model::{Model, Step, ToolCall, script};
use beckon_support::notifications::Shown;
use beckon_support::opencode::{self, OpenCode};
use beckon_support::telegram::{Message, Method, Outcome};
use serde_json::json;

const SERVER: Version = Version::V2_10_26;
/// The time limit for a real agent, which is slow on a machine under load.
const AGENTS_SOON: Duration = Duration::from_secs(90);

/// An OpenCode with a scripted model.
struct Agent {
    model: Model,
    opencode: OpenCode,
}

impl Agent {
    async fn start(version: opencode::Version) -> Self {
        let model = Model::start();
        let opencode = OpenCode::start(version, &model).await;
        Self { model, opencode }
    }

    async fn asks(&self, question: &str) {
        let option = |label: &str| json!({ "label": label, "description": "" });
        let options = [option("Left"), option("Right")];
        let asked = json!([{ "question": question, "header": "Way", "options": options }]);
        self.plays(asked_by(asked)).await;
    }

    async fn wants_to_run(&self, command: &str) {
        self.plays(Step::Tools(vec![ToolCall::bash(command)])).await;
    }

    async fn plays(&self, step: Step) {
        let directory = self.opencode.directory();
        let session = self.opencode.session(directory, "A session").await;
        self.opencode
            .prompt(&session, directory, &script(&[step]))
            .await;
    }

    /// Waits until the model is told this, and checks that it is told once.
    async fn hears(&self, text: &str) {
        eventually(
            &format!("the model reads {text}"),
            AGENTS_SOON,
            async || (self.heard(text) > 0).then_some(()),
        )
        .await;
        assert_eq!(self.heard(text), 1, "{:?}", self.model.tool_results());
    }

    fn heard(&self, text: &str) -> usize {
        self.model
            .tool_results()
            .iter()
            .filter(|(_, told)| told.contains(text))
            .count()
    }
}

/// The person's machines: the laptop serves the hub and runs an OpenCode, the tower runs one too,
/// and the desk has a screen and no agent.
struct Person {
    serving: Option<Serving>,
    laptop: Machine,
    tower: Machine,
    desk: Machine,
    agents: [Agent; 2],
    phone: Phone,
}

impl Person {
    async fn begin() -> Self {
        let phone = Phone::new();
        let agents = [
            Agent::start(opencode::Version::V1_18_33).await,
            Agent::start(opencode::Version::V1_1_53).await,
        ];
        let [first, second] = agents.each_ref().map(|agent| config(&agent.opencode.url()));
        let machine = |device: usize, agents: &str| {
            let settings = format!("language = \"en\"\n{agents}{}", phone.config());
            Machine::around(Phone::knows_token(program(device, SERVER, &settings)))
        };
        let (laptop, tower, desk) = (machine(0, &first), machine(1, &second), machine(2, ALONE));
        let serving = Serving::start(&laptop.beckon, &[]);
        joined(&tower.beckon, &serving.code().await, "tower").await;
        joined(&desk.beckon, &invite(&laptop.beckon).await, "desk").await;
        let person = Self {
            serving: Some(serving),
            laptop,
            tower,
            desk,
            agents,
            phone,
        };
        person.start().await;
        person
    }

    async fn start(&self) {
        for machine in self.machines() {
            machine.beckon.start();
            machine.logind.wait_watched().await;
            connected(&machine.beckon).await;
        }
        for watcher in [&self.laptop, &self.tower] {
            watches(&watcher.beckon).await;
        }
        stands(&self.laptop.beckon, "works").await;
        self.phone.telegram.wait_polled(SOON).await;
        self.phone.pair(&self.laptop.beckon).await;
    }

    fn machines(&self) -> [&Machine; 3] {
        [&self.laptop, &self.tower, &self.desk]
    }

    /// Makes the person sit at that machine, and waits until all machines know it.
    async fn sits_at(&self, seat: &Machine) {
        for machine in self.machines() {
            machine.sits(std::ptr::eq(machine, seat));
        }
        for machine in self.machines() {
            if !std::ptr::eq(machine, seat) {
                machine.knows("seated").await;
            }
        }
    }

    async fn goes_out(&self) {
        for machine in self.machines() {
            machine.sits(false);
        }
        for machine in self.machines() {
            machine.knows("gone").await;
        }
    }

    /// Returns how often asks with these texts rang at the laptop, the tower and the desk, and on
    /// the phone.
    fn rang(&self, texts: &[&str]) -> ([usize; 3], usize) {
        let names = |shown: &Shown| {
            texts
                .iter()
                .any(|text| shown.summary.contains(text) || shown.body.contains(text))
        };
        let at = |machine: &Machine| {
            machine
                .notifications
                .all()
                .iter()
                .filter(|it| names(it))
                .count()
        };
        let phone = texts.iter().map(|text| self.phone.sent(text)).sum();
        (self.machines().map(at), phone)
    }

    async fn card(&self, text: &str) -> Message {
        let wanted =
            |message: &Message| message.text.contains(text) && !message.keyboard().is_empty();
        self.phone
            .telegram
            .wait_for(self.phone.chat, wanted, AGENTS_SOON)
            .await
    }

    /// Checks that nothing waits anywhere, and that no two machines have polled at the same time. A
    /// tap while no machine polled counts, and may be too old to be answered by words.
    async fn nothing_left(&self) {
        for machine in self.machines() {
            nothing_open(&machine.beckon).await;
            eventually("no notification asks anything", SOON, async || {
                let asks = |it: &Shown| {
                    ["Left", "Allow once"]
                        .iter()
                        .any(|way| it.action(way).is_some())
                };
                (!machine.notifications.open().iter().any(asks)).then_some(())
            })
            .await;
            assert_eq!(machine.notifications.violations(), Vec::<String>::new());
        }
        let ended = async || self.phone.open_cards().is_empty().then_some(());
        eventually("no open card", SOON, ended).await;
        assert_eq!(self.phone.telegram.complaints(), Vec::<String>::new());
        // A machine that served the bot begins to listen when it has missed the hub for 45 seconds,
        // and an outage may take a slow machine that long. From then on one of two polls is refused
        // on purpose.
        let polls = self.phone.telegram.calls_of(Method::GetUpdates);
        let listens = polls.iter().find(|it| it.param("limit") == "1");
        let listens_at = listens.map(|it| it.at);
        let fought = polls.iter().filter(|it| {
            let is_before = listens_at.is_none_or(|at| it.answered.is_some_and(|it| it < at));
            matches!(it.outcome, Outcome::Refused(409, _)) && is_before
        });
        assert_eq!(fought.count(), 0);
    }
}

async fn watches(beckon: &Beckon) {
    eventually("its OpenCode is watched", AGENTS_SOON, async || {
        let status = beckon.status().await;
        let sources = status["sources"].as_array()?;
        sources
            .iter()
            .any(|it| it["state"] == "live" && it["name"] == "local")
            .then_some(())
    })
    .await;
}

/// Presses a button of a notification, once it has that button.
async fn press(at: &Machine, shown: &Shown, label: &str) {
    let has_it = |now: &Shown| now.id == shown.id && now.action(label).is_some();
    let shown = at.notifications.wait_for(has_it, AGENTS_SOON).await;
    at.notifications
        .press(shown.id, shown.action(label).expect("such a button"));
}

async fn open_of(beckon: &Beckon, text: &str) -> String {
    eventually(&format!("{text} is open"), AGENTS_SOON, async || {
        let open = beckon.list().await;
        let found = open
            .into_iter()
            .find(|ask| ask.to_string().contains(text))?;
        Some(found["id"].as_str()?.to_owned())
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_two_real_agents_ask_rings_once_where_their_human_is_and_is_answered_from_anywhere() {
    let person = Person::begin().await;
    let Person {
        laptop,
        tower,
        desk,
        phone,
        ..
    } = &person;
    let [first, second] = &person.agents;
    person.sits_at(desk).await;
    first.asks("Which way at the laptop?").await;
    press(desk, &desk.rings("Which way at the laptop?").await, "Right").await;
    first.hears("\"Which way at the laptop?\"=\"Right\"").await;
    second.asks("Which way at the tower?").await;
    desk.rings("Which way at the tower?").await;
    // The answer is given by a command at a third machine.
    let id = open_of(&laptop.beckon, "Which way at the tower?").await;
    let given = laptop
        .beckon
        .command(&["answer", &id, "--choice", "1", "--json"])
        .await
        .json();
    assert_eq!(given["state"], "taken", "{given}");
    second.hears("\"Which way at the tower?\"=\"Left\"").await;
    assert_eq!(person.rang(&["Which way"]), ([0, 0, 2], 0));
    // The phone rings, once, while the person is at no machine.
    person.goes_out().await;
    second.wants_to_run("echo from-the-tower").await;
    let card = person.card("echo from-the-tower").await;
    phone.tap(card.id, "Allow once").await;
    second.hears("from-the-tower").await;
    first.asks("Shall it go on?").await;
    let card = person.card("Shall it go on?").await;
    phone.tap(card.id, "Left").await;
    first.hears("\"Shall it go on?\"=\"Left\"").await;
    let away = ["echo from-the-tower", "Shall it go on?"];
    assert_eq!(person.rang(&away), ([0, 0, 0], 2));
    // The machine to which the person comes back rings again.
    person.sits_at(tower).await;
    first.wants_to_run("echo from-the-laptop").await;
    press(
        tower,
        &tower.rings("echo from-the-laptop").await,
        "Allow once",
    )
    .await;
    first.hears("from-the-laptop").await;
    assert_eq!(person.rang(&["echo from-the-laptop"]), ([0, 1, 0], 0));
    // The second notification tells the person what happened meanwhile, once.
    assert_eq!(
        tower.notifications.all().len(),
        2,
        "{:?}",
        tower.notifications.all()
    );
    person.nothing_left().await;
    phone.taps_answered().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_two_real_agents_ask_is_answered_once_whoever_dies_meanwhile() {
    let mut person = Person::begin().await;
    // First the machine that serves the bot dies, with a card under way.
    person.goes_out().await;
    person.agents[1].asks("While the laptop dies?").await;
    let card = person.card("While the laptop dies?").await;
    person.laptop.beckon.kill9();
    person
        .phone
        .telegram
        .tap(person.phone.user, person.phone.chat, card.id, "Left");
    person.agents[1]
        .hears("\"While the laptop dies?\"=\"Left\"")
        .await;
    person.phone.ended(card.id, "Left").await;
    person.laptop.beckon.start();
    connected(&person.laptop.beckon).await;
    watches(&person.laptop.beckon).await;
    // Then the machine dies whose agent waits; the answer given elsewhere reaches it when it is
    // back.
    person.sits_at(&person.desk).await;
    person.agents[1].asks("While the tower is away?").await;
    let shown = person.desk.rings("While the tower is away?").await;
    person.tower.beckon.kill9();
    press(&person.desk, &shown, "Right").await;
    person.tower.beckon.start();
    person.agents[1]
        .hears("\"While the tower is away?\"=\"Right\"")
        .await;
    watches(&person.tower.beckon).await;
    // Then the hub goes: each machine rings for itself, and is answered where it is.
    let port = person.serving.take().unwrap().port;
    warned(&person.tower.beckon, "hub").await;
    person.tower.knows("unheard").await;
    person.agents[1].asks("Without a hub?").await;
    press(
        &person.tower,
        &person.tower.rings("Without a hub?").await,
        "Left",
    )
    .await;
    person.agents[1].hears("\"Without a hub?\"=\"Left\"").await;
    person.serving = Some(Serving::at(&person.laptop.beckon, port, &[]));
    person.sits_at(&person.desk).await;
    person.agents[0].asks("And with one again?").await;
    press(
        &person.desk,
        &person.desk.rings("And with one again?").await,
        "Left",
    )
    .await;
    person.agents[0]
        .hears("\"And with one again?\"=\"Left\"")
        .await;
    for question in [
        "While the laptop dies?",
        "While the tower is away?",
        "Without a hub?",
    ] {
        assert!(
            person.agents[1].heard(question) == 1,
            "{question} was answered once"
        );
    }
    person.nothing_left().await;
}
