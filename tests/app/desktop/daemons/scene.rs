//! A desktop with a real notification daemon, a real OpenCode, Beckon between them, and the human
//! who reads what the daemon shows and acts on it.

use crate::common::{SOON, config};
use beckon_support::beckon::Beckon;
use beckon_support::desktop::{Daemon, Desktop, Received};
use beckon_support::eventually;
use beckon_support::model::{Model, Step, script};
use beckon_support::opencode::{OpenCode, Version};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// An ask, what the human does about it, and the outcome.
pub(crate) struct Round {
    /// The steps of the model in a new session.
    pub(crate) steps: Vec<Step>,
    /// The end of the notification's title.
    pub(crate) title: String,
    pub(crate) human: Human,
    pub(crate) reads: Reads,
}

/// The act of the human.
pub(crate) enum Human {
    /// Presses the `nth` button of that name.
    Press { button: &'static str, nth: usize },
    /// Presses "Answer…", runs what the hint says, and then this command for the ask it named.
    Run {
        command: &'static str,
        arguments: &'static [&'static str],
    },
}

/// The outcome, as the agent is told.
pub(crate) enum Reads {
    /// The model goes on with these results of its tools.
    Results(Vec<String>),
    /// The turn ends with this error of its tool.
    Error(String),
}

/// The state of everything when a session began.
pub(crate) struct Mark {
    session: String,
    received: usize,
    results: usize,
}

pub(crate) struct Scene {
    beckon: Beckon,
    desktop: Desktop,
    opencode: OpenCode,
    model: Model,
}

impl Scene {
    pub(crate) async fn start(daemon: Daemon, version: Version) -> Self {
        let model = Model::start();
        let opencode = OpenCode::builder(version, &model).asker().start().await;
        let mut desktop = Desktop::start();
        desktop.start_daemon(daemon);
        let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
        let beckon = program
            .bus(desktop.bus())
            .config(&config(&opencode.url()))
            .start();
        beckon.wait_ready().await;
        Self {
            beckon,
            desktop,
            opencode,
            model,
        }
    }

    /// Plays one ask from its beginning to an empty screen.
    pub(crate) async fn play(&self, round: Round) {
        let mark = self.ask(&round.steps).await;
        let shown = self.shown(&mark, &round.title).await;
        let by = self.answer(&shown, &round.human).await;
        match round.reads {
            Reads::Results(results) => self.model_reads(&mark, &results).await,
            Reads::Error(error) => self.tool_fails(&mark, &error).await,
        }
        self.nothing_left(&mark).await;
        assert_eq!(self.settled()["by"], by, "{}", round.title);
    }

    /// Answers; returns the word with which Beckon records the place of the answer.
    async fn answer(&self, shown: &Received, human: &Human) -> &'static str {
        match *human {
            Human::Press { button, nth } => {
                self.press(shown, button, nth);
                "notification"
            }
            Human::Run { command, arguments } => {
                let id = self.id_in_the_hint(shown).await;
                self.run(&[&[command, &id, "--json"], arguments].concat())
                    .await;
                // Closes the hint: the card must go by itself, even where the daemon left it on the
                // screen.
                self.desktop.put_away_the_last();
                "cli"
            }
        }
    }

    /// Lets the model play these steps in a new session.
    pub(crate) async fn ask(&self, steps: &[Step]) -> Mark {
        let directory = self.opencode.directory();
        let session = self.opencode.session(directory, "A session").await;
        let (received, results) = (self.desktop.received(), self.model.tool_results());
        self.opencode
            .prompt(&session, directory, &script(steps))
            .await;
        Mark {
            session,
            received: received.len(),
            results: results.len(),
        }
    }

    /// Waits for the notification whose title ends with `title`, by the daemon's own record. A
    /// permission gets another notification as soon as its call is known, which is returned then.
    pub(crate) async fn shown(&self, since: &Mark, title: &str) -> Received {
        let first = self
            .received(since.received, |shown| shown.title.ends_with(title))
            .await;
        let Some(whole) = self.whole_permission().await else {
            return first;
        };
        let is_of_it = |shown: &Received| shown.buttons.iter().any(|it| it.key.contains(&whole));
        self.received(since.received, |shown| {
            shown.title.ends_with(title) && is_of_it(shown)
        })
        .await
    }

    /// Waits until all calls are known; returns the fingerprint of the waiting permission, if there
    /// is one.
    async fn whole_permission(&self) -> Option<String> {
        let asks = eventually("every call is known", SOON, async || {
            let asks = self.beckon.list().await;
            let is_whole = |ask: &Value| ask["permission"]["is_partial"] != true;
            asks.iter().all(is_whole).then_some(asks)
        });
        let asks = asks.await;
        let permission = asks.iter().find(|ask| ask["kind"] == "permission")?;
        permission["fingerprint"].as_str().map(str::to_owned)
    }

    pub(crate) fn press(&self, shown: &Received, label: &str, nth: usize) {
        self.desktop.press(shown, shown.button(label, nth));
    }

    /// Returns the id of an ask by the hint about it. There is no answer window yet: "Answer…", or
    /// "Open…" of a permission, brings a notification that names a command, and that command shows
    /// the ask.
    async fn id_in_the_hint(&self, shown: &Received) -> String {
        let before = self.desktop.received().len();
        let permission = shown.buttons.iter().any(|button| button.label == "Open…");
        self.press(shown, if permission { "Open…" } else { "Answer…" }, 0);
        let hint = self
            .received(before, |hint| hint.body.starts_with("beckon show "))
            .await;
        let words: Vec<&str> = hint.body.split_whitespace().skip(1).collect();
        let output = self.beckon.command(&words).await;
        assert_eq!(output.status, Some(0), "{hint:?}: {output:?}");
        words[1].to_owned()
    }

    /// Returns the id of the one ask that waits.
    pub(crate) async fn only_open(&self) -> String {
        let list = self.beckon.list().await;
        assert_eq!(list.len(), 1, "{list:?}");
        list[0]["id"].as_str().unwrap().to_owned()
    }

    /// Runs a command that answers, and checks that the answer is taken.
    pub(crate) async fn run(&self, arguments: &[&str]) {
        let output = self.beckon.command(arguments).await;
        assert_eq!(output.json()["state"], "taken", "{arguments:?}: {output:?}");
    }

    async fn received(&self, since: usize, wanted: impl Fn(&Received) -> bool) -> Received {
        eventually("a notification that the daemon shows", SOON, async || {
            self.desktop
                .received()
                .into_iter()
                .skip(since)
                .find(&wanted)
        })
        .await
    }

    /// Waits for the first results that the model is told after `since`, and checks them regardless
    /// of their order.
    pub(crate) async fn model_reads(&self, since: &Mark, expected: &[String]) {
        let mut told = eventually(&format!("the model reads {expected:?}"), SOON, async || {
            let results = self.model.tool_results().into_iter().skip(since.results);
            let told: Vec<String> = results.take(expected.len()).map(|(_, text)| text).collect();
            (told.len() == expected.len()).then_some(told)
        })
        .await;
        let mut expected = expected.to_vec();
        told.sort();
        expected.sort();
        assert_eq!(told, expected);
    }

    async fn tool_fails(&self, since: &Mark, error: &str) {
        self.idle(since).await;
        let directory = self.opencode.directory();
        let parts = self.opencode.tool_parts(&since.session, directory).await;
        assert_eq!(parts[0]["state"]["error"], error, "{parts:?}");
    }

    async fn idle(&self, since: &Mark) {
        self.opencode
            .wait_idle(&since.session, self.opencode.directory())
            .await;
    }

    pub(crate) async fn stands(&self, count: usize) {
        eventually(
            &format!("{count} notifications on the screen"),
            SOON,
            async || (self.desktop.standing() == count).then_some(()),
        )
        .await;
    }

    /// Checks that the turn is over, and that nothing waits or is on the screen.
    pub(crate) async fn nothing_left(&self, since: &Mark) {
        self.idle(since).await;
        eventually("an empty list", SOON, async || {
            self.beckon.list().await.is_empty().then_some(())
        })
        .await;
        self.stands(0).await;
    }

    /// Returns the answer to the newest ask, as Beckon keeps it.
    pub(crate) fn kept_answer(&self) -> Value {
        self.settled()["answer"].clone()
    }

    /// Returns the newest ask's stored outcome.
    fn settled(&self) -> Value {
        let connection = rusqlite::Connection::open(self.beckon.home().join("beckon.db")).unwrap();
        let newest = "SELECT state FROM asks ORDER BY serial DESC LIMIT 1";
        let state: String = connection.query_row(newest, [], |row| row.get(0)).unwrap();
        let state: Value = serde_json::from_str(&state).unwrap();
        state["settled"]["outcome"]["answered"].clone()
    }

    /// Returns OpenCode's text for a refused permission; 1.1 says that it is an error.
    pub(crate) fn refusal(&self, ending: &str) -> String {
        let prefix = if self.opencode.version() == Version::V1_1_53 {
            "Error: "
        } else {
            ""
        };
        format!("{prefix}The user rejected permission to use this specific tool call{ending}")
    }

    /// Returns the path of a file in the project.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        Path::new(self.opencode.directory()).join(name)
    }
}
