//! Tests of fifty asks at once, of a notification daemon that goes, comes or hangs, and of a Beckon
//! that is stopped.

use crate::common::{
    DIRECTORY, Rehearsal, SESSION, SOON, Stage, asked_by, config, named, yes_or_no,
};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::notifications::{DISMISSED, Notifications, Shown};
use beckon_support::opencode::Version;
use beckon_support::replay::{Kind, Replay, permission};
use serde_json::json;

const MANY: usize = 50;

/// The number of cards on the screen: a handful of asks has one each, and one card stands for the
/// others.
const CARDS: usize = 6;

async fn fifty_asked() -> Rehearsal {
    let stage = Rehearsal::start().await;
    for n in 0..MANY {
        let request = yes_or_no(&format!("que_{n}"), &format!("Number {n}?"));
        stage.replay.ask(Kind::Question, DIRECTORY, request).await;
    }
    eventually("fifty questions", SOON, async || {
        let is_told = |shown: &Shown| shown.summary.starts_with("45 more");
        stage.daemon.open().iter().any(is_told).then_some(())
    })
    .await;
    stage
}

/// Waits until as many cards as can be shown at once are unpressed; returns them.
async fn unpressed(stage: &Rehearsal, pressed: &[Shown]) -> Vec<Shown> {
    eventually("a handful of cards", SOON, async || {
        let mut open = stage.daemon.open();
        open.retain(|shown| {
            let is_pressed = pressed.iter().any(|other| other.summary == shown.summary);
            shown.action("Yes").is_some() && !is_pressed
        });
        (open.len() == CARDS - 1).then_some(open)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn each_of_fifty_presses_without_a_gap_answers_its_own_question() {
    let stage = fifty_asked().await;
    let mut pressed = Vec::new();
    while pressed.len() < MANY {
        let open = unpressed(&stage, &pressed).await;
        let presses: Vec<(u32, &str)> = open
            .iter()
            .enumerate()
            .map(|(n, shown)| (shown.id, shown.action(["Yes", "No"][n % 2]).unwrap()))
            .collect();
        stage.daemon.burst(&presses);
        pressed.extend(open);
        stage.replay.wait_replies(pressed.len(), SOON).await;
    }
    let replies = stage.replay.replies();
    stage.nothing_left().await;
    assert_eq!(replies.len(), MANY);
    for (n, shown) in pressed.iter().enumerate() {
        let number = shown
            .summary
            .rsplit(' ')
            .next()
            .unwrap()
            .trim_end_matches('?');
        let id = format!("que_{number}");
        let reply = replies.iter().find(|reply| reply.id == id).unwrap();
        let label = ["Yes", "No"][n % (CARDS - 1) % 2];
        assert_eq!(reply.body, json!({ "answers": [[label]] }), "{id}");
    }
}

/// There is a moment between the new daemon's arrival and the signal about it, in which a card
/// could be shown there that nobody would know of. Whether one falls into it is up to the machine,
/// so the test tries a few times.
#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_is_replaced_at_that_moment_is_left_without_a_card_that_nobody_knows() {
    let mut stage = Rehearsal::start().await;
    for round in 0..8 {
        let ids = [0, 1, 2, 3].map(|n| format!("que_{round}_{n}"));
        stage.daemon.hang(true);
        let before = stage.daemon.count();
        for id in &ids {
            let request = yes_or_no(id, &format!("{id}?"));
            stage.replay.ask(Kind::Question, DIRECTORY, request).await;
        }
        eventually("a call that hangs", SOON, async || {
            (stage.daemon.count() > before && stage.beckon.list().await.len() == 4).then_some(())
        })
        .await;
        stage.beckon.sigstop();
        stage.daemon.hang(false);
        (0..2).for_each(|_| stage.daemon.start_again());
        stage.beckon.sigcont();
        for id in &ids {
            stage.press(&format!("{id}?"), "Yes").await;
        }
        stage.nothing_left().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_is_asked_for_twice_at_once_has_one_card_and_one_answer() {
    let stage = Rehearsal::start().await;
    for id in ["per_1", "per_2"] {
        stage
            .replay
            .ask(
                Kind::Permission,
                DIRECTORY,
                permission(id, SESSION, "make test"),
            )
            .await;
    }
    let twice = |shown: &Shown| {
        shown
            .body
            .contains("Asked 2 times; one answer goes to all of them.")
    };
    let card = stage.daemon.wait_for(twice, SOON).await;
    let list = stage.beckon.list().await;
    assert_eq!(
        (&list[0]["times"], &list[1]["behind"]),
        (&json!(2), &json!(true)),
        "{list:?}"
    );
    let printed = stage.beckon.command(&["list"]).await.stdout;
    assert_eq!(printed.matches("make test").count(), 1, "{printed}");
    let status = stage.beckon.command(&["status"]).await.stdout;
    assert!(status.contains("1 agent is waiting"), "{status}");
    stage
        .daemon
        .press(card.id, card.action("Allow once").unwrap());
    stage.replay.wait_replies(2, SOON).await;
    stage.nothing_left().await;
    // They are sent at the same time, and the machine decides which one arrives first.
    let mut told: Vec<_> = stage
        .replay
        .replies()
        .into_iter()
        .map(|it| (it.id, it.body))
        .collect();
    told.sort_by(|one, other| one.0.cmp(&other.0));
    let once = json!({ "reply": "once" });
    assert_eq!(
        told,
        [("per_1".into(), once.clone()), ("per_2".into(), once)]
    );
    assert!(
        stage.daemon.all().iter().all(|shown| shown.id == card.id),
        "a second one rang"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_that_are_all_cleared_at_once_are_questions_still_to_be_answered() {
    let stage = fifty_asked().await;
    for shown in stage.daemon.open() {
        stage.daemon.close(shown.id, DISMISSED);
    }
    let list = stage.beckon.list().await;
    assert_eq!(list.len(), MANY);
    assert!(list.iter().all(|ask| ask["state"] == "open"), "{list:?}");
    for id in ["que_0", "que_31"] {
        let answered = stage
            .beckon
            .command(&["answer", id, "--choice", "2", "--json"])
            .await;
        assert_eq!(answered.json()["state"], "taken", "{answered:?}");
    }
    assert_eq!(stage.beckon.list().await.len(), MANY - 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_restarts_is_shown_everything_again_and_its_buttons_work() {
    let mut stage = fifty_asked().await;
    stage.daemon.stop();
    stage.daemon.start_again();
    eventually("all cards", SOON, async || {
        (stage.daemon.open().len() == CARDS).then_some(())
    })
    .await;
    stage.press("Number 3?", "No").await;
    let replies = stage.replies("que_3", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["No"]] }));
    eventually("the next one in its place", SOON, async || {
        let titles = stage.daemon.open();
        let next = titles
            .iter()
            .any(|shown| shown.summary.ends_with("Number 5?"));
        let fewer = titles
            .iter()
            .any(|shown| shown.summary.starts_with("44 more"));
        (next && fewer).then_some(())
    })
    .await;
    assert_eq!(stage.daemon.violations(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_daemon_the_question_is_in_the_list_until_one_comes() {
    let replay = Replay::start();
    replay.session(SESSION, DIRECTORY, "A session");
    let bus = Bus::start();
    let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
    let beckon = program.bus(&bus).config(&config(&replay.url())).start();
    let status = beckon.wait_ready().await;
    assert_eq!(status["channels"]["desktop"]["state"], "down", "{status}");
    assert!(
        status["channels"]["desktop"]["error"]
            .as_str()
            .unwrap()
            .contains("notification")
    );
    replay.open(
        Kind::Question,
        DIRECTORY,
        yes_or_no("que_0", "Asked before?"),
    );
    replay.wait_streams(1, SOON).await;
    replay
        .ask(Kind::Question, DIRECTORY, yes_or_no("que_1", "Anybody?"))
        .await;
    eventually("a list", SOON, async || {
        (!beckon.list().await.is_empty()).then_some(())
    })
    .await;
    let daemon = Notifications::start(&bus);
    let shown = daemon
        .wait_for(|shown| shown.summary.ends_with("Anybody?"), SOON)
        .await;
    daemon.press(shown.id, shown.action("Yes").unwrap());
    let replies = replay.wait_replies(1, SOON).await;
    assert_eq!(replies[0].body, json!({ "answers": [["Yes"]] }));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_any_session_bus_the_command_line_answers() {
    let replay = Replay::start();
    replay.session(SESSION, DIRECTORY, "A session");
    let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
    let beckon = program.config(&config(&replay.url())).start();
    let status = beckon.wait_ready().await;
    assert_eq!(status["channels"]["desktop"]["state"], "down", "{status}");
    replay.wait_streams(1, SOON).await;
    replay
        .ask(Kind::Question, DIRECTORY, yes_or_no("que_1", "Anybody?"))
        .await;
    eventually("a list", SOON, async || {
        (beckon.list().await.len() == 1).then_some(())
    })
    .await;
    let answered = beckon
        .command(&["answer", "que_1", "--choice", "1", "--json"])
        .await;
    assert_eq!(answered.json()["state"], "taken", "{answered:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hanging_daemon_holds_nothing_else_up() {
    let stage = Rehearsal::start().await;
    stage.daemon.hang(true);
    for n in 0..3 {
        let id = format!("que_{n}");
        stage
            .replay
            .ask(Kind::Question, DIRECTORY, yes_or_no(&id, "Go on?"))
            .await;
        stage.wait_state(&id, "open").await;
        let began = std::time::Instant::now();
        let answered = stage
            .beckon
            .command(&["answer", &id, "--choice", "1", "--json"])
            .await;
        assert_eq!(answered.json()["state"], "taken", "{answered:?}");
        assert!(began.elapsed().as_secs() < 3, "{:?}", began.elapsed());
    }
    stage.daemon.hang(false);
    stage.ask("que_9", "Awake again?").await;
    stage.press("Awake again?", "Yes").await;
    stage.replies("que_9", 1).await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_a_hanging_daemon_swallowed_is_shown_when_it_works_again() {
    let stage = Rehearsal::start().await;
    stage.daemon.hang(true);
    stage
        .replay
        .ask(Kind::Question, DIRECTORY, yes_or_no("que_1", "Swallowed?"))
        .await;
    eventually("it was sent", SOON, async || {
        (!stage.daemon.all().is_empty()).then_some(())
    })
    .await;
    stage.daemon.hang(false);
    stage.press("Swallowed?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_beckon_that_stands_still_is_not_in_the_agents_way() {
    let stage = Stage::start(Version::V1_18_33).await;
    stage.beckon.sigstop();
    stage
        .ask(&[asked_by(json!([named("Who answers?", &["I", "You"])]))])
        .await;
    let questions = stage.opencode.wait_questions(&stage.directory(), 1).await;
    let id = questions[0]["id"].as_str().unwrap();
    stage
        .opencode
        .reply(&stage.directory(), id, json!([["I"]]))
        .await;
    stage.model_reads("\"Who answers?\"=\"I\"").await;
    stage.idle().await;
    stage.beckon.sigcont();
    stage
        .ask(&[asked_by(json!([named("And now?", &["I", "You"])]))])
        .await;
    let shown = stage.shown("And now?").await;
    stage.daemon.press(shown.id, shown.action("You").unwrap());
    stage.model_reads("\"And now?\"=\"You\"").await;
    stage.nothing_left().await;
}
