//! Tests of finished and failed turns of the real OpenCode, as the source reports them to the loop.

use beckon::platform::sink::Sink;
use beckon::sources::Report;
use beckon::sources::opencode::{self, OpenCodeHandle};
use beckon_client::config::OpenCodeServer;
use beckon_client::text::Texts;
use beckon_core::{Event, FinishedTurn, SourceReport, SourceState, TurnEnd};
use beckon_support::eventually;
use beckon_support::model::{Model, Step, ToolCall, script};
use beckon_support::opencode::{OpenCode, Version};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

const SOON: Duration = Duration::from_secs(30);

/// A server that is watched, without a desk.
struct Watched {
    opencode: OpenCode,
    _model: Model,
    inbox: Option<UnboundedReceiver<Event>>,
    _handle: Option<OpenCodeHandle>,
    turns: Vec<FinishedTurn>,
}

impl Watched {
    async fn start(version: Version) -> Self {
        let mut watched = Self::not_yet(version).await;
        watched.watch().await;
        watched
    }

    async fn not_yet(version: Version) -> Self {
        let model = Model::start();
        let opencode = OpenCode::start(version, &model).await;
        Self {
            opencode,
            _model: model,
            inbox: None,
            _handle: None,
            turns: Vec::new(),
        }
    }

    async fn watch(&mut self) {
        let server = OpenCodeServer {
            name: "local".into(),
            url: self.opencode.url(),
            username: "opencode".into(),
            password: None,
            any_user: false,
            registered: None,
        };
        let (posted, mut inbox) = unbounded_channel();
        let reports = Sink::new(move |report| {
            if let Report::Event(event) = report {
                let _ = posted.send(*event);
            }
        });
        let texts = Arc::new(Texts::load("en"));
        let beside = opencode::SourceContext {
            reports,
            texts,
            instance: "us".into(),
        };
        self._handle = Some(opencode::start(server, beside, BTreeSet::new()));
        let is_live = |event: Event| {
            matches!(
                event,
                Event::Source(_, SourceReport::State(SourceState::Live { .. }))
            )
        };
        eventually("the source is live", SOON, async || {
            arrived(&mut inbox).any(is_live).then_some(())
        })
        .await;
        self.inbox = Some(inbox);
    }

    /// Lets the model play these steps in a new session; returns the session's id.
    async fn prompt(&self, title: &str, steps: &[Step]) -> String {
        let directory = self.opencode.directory();
        let session = self.opencode.session(directory, title).await;
        self.opencode
            .prompt(&session, directory, &script(steps))
            .await;
        session
    }

    async fn idle(&self, session: &str) {
        self.opencode
            .wait_idle(session, self.opencode.directory())
            .await;
    }

    /// Waits until there are this many turns; returns all of them.
    async fn turns(&mut self, count: usize) -> &[FinishedTurn] {
        let (inbox, turns) = (self.inbox.as_mut().unwrap(), &mut self.turns);
        eventually(&format!("{count} turns"), SOON, async || {
            turns.extend(arrived(inbox).filter_map(|event| match event {
                Event::Source(_, SourceReport::Turn(turn)) => Some(turn),
                _ => None,
            }));
            (turns.len() >= count).then_some(())
        })
        .await;
        &self.turns
    }

    /// Plays one more turn and returns those that were reported before it: all reports about them
    /// have come by then.
    async fn turns_before_another(&mut self) -> Vec<FinishedTurn> {
        let told = self.turns.len();
        let session = self.prompt("Another", &[Step::Text("done".into())]).await;
        self.idle(&session).await;
        let turns = self.turns(told + 1).await;
        turns
            .iter()
            .filter(|turn| turn.session.id != session)
            .cloned()
            .collect()
    }
}

fn arrived(inbox: &mut UnboundedReceiver<Event>) -> impl Iterator<Item = Event> {
    std::iter::from_fn(|| inbox.try_recv().ok())
}

fn took(turn: &FinishedTurn) -> Duration {
    Duration::from_millis(turn.took.0.try_into().unwrap())
}

fn slowly(text: &str) -> Step {
    Step::Chunks {
        count: 20,
        text: text.into(),
        gap_ms: 40,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_turn_is_told_once_with_its_length_and_title_1_18() {
    a_turn(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_turn_is_told_once_with_its_length_and_title_1_1() {
    a_turn(Version::V1_1_53).await;
}

async fn a_turn(version: Version) {
    let mut watched = Watched::start(version).await;
    let began = Instant::now();
    let session = watched
        .prompt("Pick a storage engine", &[slowly("word ")])
        .await;
    watched.idle(&session).await;
    let turns = watched.turns_before_another().await;
    let longest = began.elapsed();
    let [turn] = turns.as_slice() else {
        panic!("not one turn: {turns:?}")
    };
    assert_eq!(turn.session.title.as_deref(), Some("Pick a storage engine"));
    assert_eq!(turn.session.directory, watched.opencode.directory());
    assert_eq!((&turn.session.id, &turn.end), (&session, &TurnEnd::Done));
    let shortest = Duration::from_millis(20 * 40);
    assert!(
        (shortest..longest).contains(&took(turn)),
        "{turn:?}, at most {longest:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_turn_of_the_same_session_is_told_too_1_18() {
    two_turns(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_turn_of_the_same_session_is_told_too_1_1() {
    two_turns(Version::V1_1_53).await;
}

async fn two_turns(version: Version) {
    let mut watched = Watched::not_yet(version).await;
    let session = watched
        .prompt("An old session", &[Step::Text("done".into())])
        .await;
    watched.idle(&session).await;
    watched.watch().await;
    let directory = watched.opencode.directory().to_owned();
    for count in 1..=2 {
        watched
            .opencode
            .prompt(&session, &directory, &script(&[slowly("on ")]))
            .await;
        let turns = watched.turns(count).await;
        assert!(
            turns.iter().all(|turn| turn.session.id == session),
            "{turns:?}"
        );
        assert!(
            took(&turns[count - 1]) < SOON,
            "counted from this prompt: {turns:?}"
        );
        watched.idle(&session).await;
    }
    assert_eq!(watched.turns_before_another().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_with_a_subagent_is_one_turn_1_18() {
    with_a_subagent(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_with_a_subagent_is_one_turn_1_1() {
    with_a_subagent(Version::V1_1_53).await;
}

async fn with_a_subagent(version: Version) {
    let mut watched = Watched::start(version).await;
    let inner = script(&[slowly("below ")]);
    let arguments = json!({ "description": "work", "prompt": inner, "subagent_type": "general" });
    let steps = [
        Step::Tools(vec![ToolCall::new("task", arguments)]),
        slowly("above "),
    ];
    let session = watched.prompt("Two of us", &steps).await;
    watched.idle(&session).await;
    let turns = watched.turns_before_another().await;
    let [turn] = turns.as_slice() else {
        panic!("not one turn: {turns:?}")
    };
    assert_eq!((&turn.session.id, &turn.end), (&session, &TurnEnd::Done));
    assert!(took(turn) >= Duration::from_millis(2 * 20 * 40), "{turn:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_whose_provider_refuses_is_told_with_its_words_1_18() {
    refused(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_whose_provider_refuses_is_told_with_its_words_1_1() {
    refused(Version::V1_1_53).await;
}

async fn refused(version: Version) {
    let mut watched = Watched::start(version).await;
    let session = watched.prompt("Refused", &[Step::Fail(401)]).await;
    let turns = watched.turns(1).await;
    let TurnEnd::Failed(why) = &turns[0].end else {
        panic!("not failed: {turns:?}")
    };
    assert!(
        why.starts_with("401 ") && why.contains("scripted failure"),
        "{why}"
    );
    assert_eq!(turns[0].session.id, session);
    watched.idle(&session).await;
    assert_eq!(watched.turns_before_another().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_aborted_turn_is_not_told_1_18() {
    aborted(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_aborted_turn_is_not_told_1_1() {
    aborted(Version::V1_1_53).await;
}

async fn aborted(version: Version) {
    let mut watched = Watched::start(version).await;
    let directory = watched.opencode.directory().to_owned();
    let question = json!([{ "question": "On?", "header": "On", "options": [] }]);
    let waits = Step::Tools(vec![ToolCall::question(question)]);
    let bash = Step::Tools(vec![ToolCall::bash("true")]);
    let waiting = watched.prompt("Waits for an answer", &[waits]).await;
    watched.opencode.wait_questions(&directory, 1).await;
    let permitted = watched.prompt("Waits for a permission", &[bash]).await;
    watched.opencode.wait_permissions(&directory, 1).await;
    let retried = watched.prompt("Tries again", &[Step::Fail(503)]).await;
    eventually("it tries again", SOON, async || {
        let status = watched.opencode.get("/session/status", &directory).await;
        (status[&retried]["type"] == "retry").then_some(())
    })
    .await;
    let endless = Step::Chunks {
        count: 10_000,
        text: "and on ".into(),
        gap_ms: 20,
    };
    let speaking = watched.prompt("Speaks", &[endless]).await;
    eventually("it speaks", SOON, async || {
        let messages = watched.opencode.messages(&speaking, &directory).await;
        let answer = messages
            .iter()
            .find(|message| message["info"]["role"] == "assistant")?;
        let mut parts = answer["parts"].as_array()?.iter();
        parts.any(|part| part["type"] == "text").then_some(())
    })
    .await;
    for session in [waiting, permitted, retried, speaking] {
        assert_eq!(watched.opencode.abort(&session, &directory).await.0, 200);
        watched.idle(&session).await;
    }
    assert_eq!(watched.turns_before_another().await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_older_than_the_connection_is_told_with_its_whole_length_1_18() {
    under_way_before(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_older_than_the_connection_is_told_with_its_whole_length_1_1() {
    under_way_before(Version::V1_1_53).await;
}

async fn under_way_before(version: Version) {
    let mut watched = Watched::not_yet(version).await;
    let directory = watched.opencode.directory().to_owned();
    let question = json!([{ "question": "On?", "header": "On", "options": [] }]);
    let bash = |command| Step::Tools(vec![ToolCall::bash(command)]);
    let asks = Step::Tools(vec![ToolCall::question(question)]);
    let session = watched.prompt("Long since", &[bash("sleep 3"), asks]).await;
    let permission = watched.opencode.wait_permissions(&directory, 1).await[0].clone();
    let permission = permission["id"].as_str().unwrap();
    watched
        .opencode
        .permit(&directory, permission, "once")
        .await;
    let question = watched.opencode.wait_questions(&directory, 1).await[0].clone();
    let connected = Instant::now();
    watched.watch().await;
    let question = question["id"].as_str().unwrap();
    watched
        .opencode
        .reply(&directory, question, json!([["Yes"]]))
        .await;
    watched.idle(&session).await;
    let turns = watched.turns(1).await;
    assert_eq!(
        (&turns[0].session.id, &turns[0].end),
        (&session, &TurnEnd::Done)
    );
    let since = connected.elapsed();
    assert!(
        took(&turns[0]) >= Duration::from_secs(3),
        "{turns:?}, watched for {since:?}"
    );
}
