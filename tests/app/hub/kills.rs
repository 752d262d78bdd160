//! Tests in which Beckons and the hub are killed, and the hub hangs, while answers race each other
//! and some are forged. Each agent gets one answer, which somebody gave, and a human who was told
//! "taken" gave that one.

use super::crowd::{self, Listener};
use super::*;
use beckon_core::hub::Envelope;
use tokio::time::sleep;

/// The number of kills in the usual run.
const KILLS: usize = 6;
/// The time limit for an agent to get its answer, whatever happens.
const HEARD: Duration = Duration::from_secs(90);

const CHOICES: [&str; 4] = ["Owner", "Second", "Third", "Forged"];

fn ask_four(beckon: &Beckon, question: &str) -> Child {
    let mut words = vec!["ask", "--question", question];
    CHOICES
        .iter()
        .for_each(|choice| words.extend(["--choice", choice]));
    let mut command = beckon.prepare(&words);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    tokio::process::Command::from(command)
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}

/// The victim of a round, and how long after the answers it is killed.
#[derive(Clone, Copy, Debug)]
enum Victim {
    Beckon(usize),
    Hub,
    HubStands,
}

/// Chooses the victim and the delay by the number of the round alone.
fn victim(round: usize) -> (Victim, Duration) {
    let victims = [
        Victim::Beckon(0),
        Victim::Beckon(1),
        Victim::Hub,
        Victim::Beckon(2),
        Victim::Beckon(0),
        Victim::HubStands,
    ];
    let after = Duration::from_millis((round as u64 * 37) % 120);
    (victims[round % victims.len()], after)
}

struct Scene {
    hub: Nats,
    members: [Beckon; 3],
}

impl Scene {
    async fn begin(version: Version) -> Self {
        let hub = Nats::start(version);
        let devices = listing(&hub, &[0, 1, 2]).await;
        let members = [0, 1, 2].map(|device| member(&hub, device, &devices));
        for beckon in &members {
            beckon.start();
            connected(beckon).await;
        }
        Self { hub, members }
    }

    /// Plays a round: all three answer, a stranger forges an answer, and a victim dies.
    async fn round(&self, number: usize) {
        let question = format!("Round {number}?");
        let mut listener = Listener::begin(&self.hub).await;
        let asker = ask_four(&self.members[0], &question);
        let asked = listener.next_open().await;
        let there = [0, 1, 2].map(|member| self.shown(member, &question));
        let [first, second, third] = there;
        let (first, second, third) = tokio::join!(first, second, third);
        let ids = [first, second, third];
        let forged = crowd::sealed(
            &crowd::key(99),
            &asked.to.subject(),
            &crowd::answer(&asked, 3),
        );
        let client = async_nats::connect(self.hub.url()).await.unwrap();
        let (_forged, (), verdicts) = tokio::join!(
            async {
                number.is_multiple_of(3)
                    && crowd::publish(&client, asked.to.subject(), forged).await
            },
            self.kill(number),
            self.all_answer(&ids, number),
        );
        let told = self.heard(asker, &question).await;
        self.check(&told, &verdicts, number);
    }

    async fn shown(&self, member: usize, question: &str) -> Option<String> {
        let shown = async || {
            let list = self.members[member].list().await;
            let found = list
                .into_iter()
                .find(|ask| ask["questions"][0]["question"] == question)?;
            Some(found["id"].as_str()?.to_owned())
        };
        Some(eventually("it is shown", HEARD, shown).await)
    }

    /// Answers at all machines; at the owner's only in every third round.
    async fn all_answer(&self, ids: &[Option<String>; 3], number: usize) -> Vec<(usize, Value)> {
        let members = (0..3).filter(|member| *member > 0 || number % 3 == 1);
        let answers = members.map(async |member| {
            let choice = (member + 1).to_string();
            let id = ids[member].as_deref().unwrap();
            let words = ["answer", id, "--choice", &choice, "--json"];
            let output = self.members[member].command(&words).await;
            (
                member,
                serde_json::from_str(&output.stdout).unwrap_or_default(),
            )
        });
        futures_util::future::join_all(answers).await
    }

    async fn kill(&self, number: usize) {
        let (victim, after) = victim(number);
        sleep(after).await;
        match victim {
            Victim::Beckon(member) => {
                self.members[member].kill9();
                self.members[member].start();
                self.members[member].wait_ready().await;
            }
            Victim::Hub => {
                self.hub.kill9();
                self.hub.go();
            }
            Victim::HubStands => {
                self.hub.hang();
                sleep(Duration::from_secs(7)).await;
                self.hub.go_on();
            }
        }
    }

    /// Returns the answer that the agent got. If all answers died with their Beckons, the ask is
    /// answered again every five seconds.
    async fn heard(&self, asker: Child, question: &str) -> String {
        let waiting = tokio::time::timeout(HEARD, asker.wait_with_output());
        tokio::pin!(waiting);
        let output = loop {
            tokio::select! {
                output = &mut waiting => break output.unwrap().unwrap(),
                () = sleep(Duration::from_secs(5)) => self.answer_again(question).await,
            }
        };
        assert!(output.status.success(), "{question}: {output:?}");
        String::from_utf8(output.stdout)
            .unwrap()
            .trim_end()
            .to_owned()
    }

    async fn answer_again(&self, question: &str) {
        let list = self.members[0].list().await;
        let open =
            |ask: &&Value| ask["questions"][0]["question"] == question && ask["state"] == "open";
        if let Some(ask) = list.iter().find(open) {
            answer(&self.members[0], &ask["id"], "1").await;
        }
    }

    fn check(&self, told: &str, verdicts: &[(usize, Value)], number: usize) {
        let place = CHOICES.iter().position(|choice| *choice == told);
        assert!(
            place.is_some_and(|place| place < 3),
            "round {number}: {told:?} was heard"
        );
        for (member, verdict) in verdicts {
            if verdict["state"] == "taken" {
                assert_eq!(
                    Some(*member),
                    place,
                    "round {number}: {told:?}, and {verdict}"
                );
            }
        }
    }

    /// Checks that nothing is open anywhere in the end.
    async fn rest(&self) {
        for beckon in &self.members {
            nothing_open(beckon).await;
        }
    }
}

async fn kills(version: Version, count: usize) {
    let scene = Scene::begin(version).await;
    for number in 0..count {
        scene.round(number).await;
    }
    scene.rest().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_killed_while_answers_race_an_agent_hears_one_that_was_given() {
    kills(Version::V2_10_26, KILLS).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "many minutes: a hundred kills; docs/proof.md"]
async fn a_hundred_times() {
    for (version, count) in [
        (Version::V2_9_10, 33),
        (Version::V2_10_26, 34),
        (Version::V2_15_1, 33),
    ] {
        kills(version, count).await;
        println!("{version:?}: {count} kills");
    }
}

#[test]
fn a_forgery_is_an_envelope_like_any_other() {
    let written = crowd::sealed(&crowd::key(99), "bk.answer.own.a.1.1", &"nothing");
    assert!(Envelope::read(written.as_bytes()).is_ok());
}
