//! Tests of asks that are answered in OpenCode itself, given up by the agent, or answered in two
//! places at once: one answer counts, and every other place is told within two seconds.

use crate::common::{self, Rehearsal, SOON, Stage, asked_by, named};
use beckon_support::eventually;
use beckon_support::notifications::DISMISSED;
use beckon_support::opencode::Version;
use beckon_support::replay::OnReply;
use serde_json::{Value, json};
use std::time::Duration;

const AT_ONCE: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread")]
async fn what_is_answered_in_opencode_itself_goes_within_two_seconds_1_18() {
    answered_in_opencode(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_answered_in_opencode_itself_goes_within_two_seconds_1_1() {
    answered_in_opencode(Version::V1_1_53).await;
}

async fn answered_in_opencode(version: Version) {
    let stage = Stage::start(version).await;
    let id = asked(&stage, "Here or there?").await;
    let (status, _) = stage
        .opencode
        .reply(&stage.directory(), &id, json!([["There"]]))
        .await;
    assert_eq!(status, 200);
    gone_at_once(&stage).await;
    told_elsewhere(&stage, &id).await;
    stage.model_reads("\"Here or there?\"=\"There\"").await;

    let id = asked(&stage, "Dismissed there?").await;
    stage.opencode.reject(&stage.directory(), &id).await;
    gone_at_once(&stage).await;
    told_elsewhere(&stage, &id).await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_agent_gives_up_goes_1_18() {
    given_up(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_agent_gives_up_goes_1_1() {
    given_up(Version::V1_1_53).await;
}

async fn given_up(version: Version) {
    let stage = Stage::start(version).await;
    asked(&stage, "Aborted?").await;
    stage
        .opencode
        .abort(&stage.session(), &stage.directory())
        .await;
    gone_at_once(&stage).await;
    stage.nothing_left().await;

    asked(&stage, "Deleted?").await;
    stage
        .opencode
        .delete(&stage.session(), &stage.directory())
        .await;
    gone_at_once(&stage).await;
    stage.nothing_left().await;
}

async fn asked(stage: &Stage, text: &str) -> String {
    stage
        .ask(&[asked_by(json!([named(text, &["Here", "There"])]))])
        .await;
    stage.shown(text).await;
    stage.one_open().await
}

async fn gone_at_once(stage: &Stage) {
    stage.daemon.wait_empty(AT_ONCE).await;
    assert_eq!(stage.beckon.status().await["open"], 0);
}

async fn told_elsewhere(stage: &Stage, id: &str) {
    let late = stage.answer(id, &["--choice", "1"]).await;
    let told = late.json();
    assert_eq!(
        (&told["state"], &told["by"]),
        (&json!("already answered"), &json!("elsewhere"))
    );
    assert_eq!(late.status, Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_of_a_press_and_a_command_counts_and_the_second_is_told_by_whom() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Who is first?").await;
    stage.replay.on_reply(OnReply::Hang);
    stage.press("Who is first?", "Yes").await;
    stage.wait_state("que_1", "answering").await;
    for _ in 0..2 {
        let late = stage
            .beckon
            .command(&["answer", "que_1", "--choice", "2", "--json"])
            .await;
        let (told, status) = (late.json(), late.status);
        assert_eq!(
            (&told["state"], status),
            (&json!("already answered"), Some(1)),
            "{told}"
        );
        assert_eq!(told["by"], "notification", "{told}");
    }
    let (status, problem) = post(
        &stage,
        "/question/que_1/reply",
        json!({ "answers": [["No"]] }),
    )
    .await;
    assert_eq!(
        (status, &problem["by"]),
        (409, &json!("notification")),
        "{problem}"
    );
    stage.replay.on_reply(OnReply::Confirm);
    let replies = stage.replies("que_1", 2).await;
    assert!(
        replies
            .iter()
            .all(|reply| reply.body == json!({ "answers": [["Yes"]] }))
    );
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn exactly_one_of_three_answers_at_the_same_moment_is_delivered() {
    let stage = Rehearsal::start().await;
    for round in 0..10 {
        let (id, text) = (format!("que_{round}"), format!("Round {round}?"));
        let shown = stage.ask(&id, &text).await;
        let path = format!("/question/{id}/reply");
        let arguments = ["answer", &id, "--choice", "2", "--json"];
        let (cli, (api, problem), ()) = tokio::join!(
            stage.beckon.command(&arguments),
            post(&stage, &path, json!({ "answers": [["No"]] })),
            // The press is forged: the card may be gone by now, as for a human who is a moment too
            // late.
            async {
                stage
                    .daemon
                    .forged_press(shown.id, shown.action("Yes").unwrap())
            },
        );
        stage.nothing_left().await;
        let replies = stage.replies(&id, 1).await;
        assert_eq!(replies.len(), 1, "{replies:?}");
        let winners = [
            cli.json()["state"] == "taken",
            api == 200,
            replies[0].body == json!({ "answers": [["Yes"]] }),
        ];
        assert_eq!(
            winners.iter().filter(|won| **won).count(),
            1,
            "{winners:?} {cli:?} {problem}"
        );
        let loser = cli.json()["state"] == "taken" || cli.json()["state"] == "already answered";
        assert!(loser, "{cli:?}");
        assert!(api == 200 || api == 409, "{problem}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_overtaken_in_opencode_is_told_so() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Overtaken?").await;
    stage.replay.on_reply(OnReply::Hang);
    let command = ["answer", "que_1", "--choice", "1", "--json"];
    let overtake = async {
        stage.replies("que_1", 1).await;
        stage.replay.withdraw("que_1");
        let replied =
            json!({ "sessionID": common::SESSION, "requestID": "que_1", "answers": [["No"]] });
        stage
            .replay
            .event(common::DIRECTORY, "question.replied", replied)
            .await;
    };
    let (answered, ()) = tokio::join!(stage.beckon.command(&command), overtake);
    let told = json!({ "state": "already answered", "by": "elsewhere" });
    assert_eq!((answered.json(), answered.status), (told, Some(1)));
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_a_human_closed_stays_closed_and_its_question_stays_listed() {
    let stage = Rehearsal::start().await;
    let shown = stage.ask("que_1", "Later?").await;
    stage.daemon.close(shown.id, DISMISSED);
    // Neither a better description nor a new list after a cut may bring the card back.
    stage
        .replay
        .event(
            common::DIRECTORY,
            "session.updated",
            json!({ "info":
        { "id": common::SESSION, "title": "A new title" } }),
        )
        .await;
    stage.replay.cut().await;
    stage.ask("que_2", "Another one?").await;
    eventually("the stream is back", SOON, async || {
        (stage.replay.streams() == 1).then_some(())
    })
    .await;
    let open: Vec<String> = stage
        .daemon
        .open()
        .into_iter()
        .map(|shown| shown.summary)
        .collect();
    assert!(
        open.len() == 1 && open[0].ends_with("Another one?"),
        "{open:?}"
    );
    assert_eq!(stage.state_of("que_1").await.as_deref(), Some("open"));
    let answered = stage
        .beckon
        .command(&["answer", "que_1", "--choice", "1", "--json"])
        .await;
    assert_eq!(answered.json()["state"], "taken");
    stage.press("Another one?", "No").await;
    stage.nothing_left().await;
}

async fn post(stage: &Rehearsal, path: &str, body: Value) -> (u16, Value) {
    let endpoint = stage.beckon.endpoint().unwrap();
    let url = format!("{}{path}", endpoint["url"].as_str().unwrap());
    let request = reqwest::Client::builder()
        .no_proxy()
        .build()
        .unwrap()
        .post(url)
        .json(&body);
    let response = request
        .bearer_auth(endpoint["token"].as_str().unwrap())
        .send()
        .await
        .unwrap();
    let status = response.status().as_u16();
    (status, response.json().await.unwrap())
}
