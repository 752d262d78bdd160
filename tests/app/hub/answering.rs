//! Tests of asks that are asked at one machine and answered at another, or at all of them at once.

use super::*;
use crate::common::http::call;
use serde_json::json;

async fn answered_at_the_other(version: Version) {
    let hub = Nats::start(version);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Which way?");
    let shown = one_open(&other).await;
    assert_eq!(shown["questions"][0]["question"], "Which way?");
    assert!(
        shown["source"].as_str().unwrap().starts_with("hub:"),
        "{shown}"
    );
    let verdict = answer(&other, &shown["id"], "2").await;
    assert_eq!(verdict["state"], "taken", "{verdict}");
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(&owner).await;
    nothing_open(&other).await;
    assert_eq!(owner.status().await["warnings"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ask_of_one_machine_is_answered_at_another() {
    answered_at_the_other(Version::V2_10_26).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ask_is_answered_at_another_machine_over_the_server_of_debian() {
    answered_at_the_other(Version::V2_9_10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ask_is_answered_at_another_machine_over_a_new_server() {
    answered_at_the_other(Version::V2_15_1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_answered_where_it_was_asked_goes_everywhere() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Here?");
    let there = one_open(&other).await;
    let here = one_open(&owner).await;
    assert_eq!(answer(&owner, &here["id"], "1").await["state"], "taken");
    assert_eq!(said(asker).await, "Left\n");
    nothing_open(&other).await;
    let late = answer(&other, &there["id"], "2").await;
    assert_eq!(late["state"], "already answered", "{late}");
    assert_eq!(late["by"], "elsewhere", "{late}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_many_answers_at_once_counts_and_the_agent_gets_it_once() {
    let hub = Nats::start(Version::V2_10_26);
    let devices = listing(&hub, &[0, 1, 2]).await;
    let all = [0, 1, 2].map(|device| member(&hub, device, &devices));
    for beckon in &all {
        beckon.start();
        connected(beckon).await;
    }
    for round in 0..5 {
        let asker = ask(&all[0], &format!("Round {round}?"));
        let (first, second) = (one_open(&all[1]).await, one_open(&all[2]).await);
        let own = one_open(&all[0]).await;
        let answers = tokio::join!(
            answer(&all[0], &own["id"], "1"),
            answer(&all[1], &first["id"], "2"),
            answer(&all[2], &second["id"], "2"),
        );
        let told = said(asker).await;
        assert!(told == "Left\n" || told == "Right\n", "{told:?}");
        for beckon in &all {
            nothing_open(beckon).await;
        }
        let answers = [answers.0, answers.1, answers.2];
        let taken = answers
            .iter()
            .filter(|verdict| verdict["state"] == "taken")
            .count();
        assert_eq!(taken, 1, "{answers:?}");
        assert_eq!(
            answers[0]["state"] == "taken",
            told == "Left\n",
            "{answers:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_knows_who_answered_and_with_which_device() {
    let hub = Nats::start(Version::V2_10_26);
    let devices = listing(&hub, &[0, 1, 2]).await;
    let all = [0, 1, 2].map(|device| member(&hub, device, &devices));
    for beckon in &all {
        beckon.start();
        connected(beckon).await;
    }
    let [owner, answerer, third] = &all;
    let asker = ask(owner, "Who was it?");
    let (shown, late) = (one_open(answerer).await, one_open(third).await);
    let own = one_open(owner).await;
    assert_eq!(answer(answerer, &shown["id"], "2").await["state"], "taken");
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(third).await;
    let mine = whoami(answerer).await;
    for (beckon, id) in [(owner, &own["id"]), (third, &late["id"])] {
        let verdict = answer(beckon, id, "1").await;
        assert_eq!(verdict["state"], "already answered", "{verdict}");
        assert_eq!(verdict["responder"]["person"], mine["person"], "{verdict}");
        assert_eq!(verdict["responder"]["vouched"], "device", "{verdict}");
        let told = beckon
            .command(&["answer", id.as_str().unwrap(), "--choice", "1"])
            .await;
        let by = format!("by {} on ", mine["person"].as_str().unwrap());
        assert!(told.stderr.contains(&by), "{told:?}");
        let known = &history(beckon).await[0];
        assert_eq!(known["responder"]["person"], mine["person"], "{known}");
        assert_eq!(known["answer"], json!([["Right"]]), "{known}");
    }
    assert_eq!(
        history(answerer).await[0]["responder"]["vouched"],
        "machine"
    );
    // The desk has forgotten the answer with the restart, but the store has it.
    owner.kill9();
    owner.start();
    owner.wait_ready().await;
    let verdict = answer(owner, &own["id"], "1").await;
    assert_eq!(verdict["responder"]["person"], mine["person"], "{verdict}");
}

/// All Beckons of a test run on one machine, and so have the same name.
#[tokio::test(flavor = "multi_thread")]
async fn machines_that_call_themselves_the_same_are_told_apart_wherever_one_is_named() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Which way?");
    let shown = one_open(&other).await;
    assert_eq!(shown["source"], "hub:device0", "{shown}");
    let listed = other.command(&["list"]).await.stdout;
    assert!(listed.contains("on device0"), "{listed}");
    let own = one_open(&owner).await;
    assert_eq!(answer(&owner, &own["id"], "1").await["state"], "taken");
    assert_eq!(said(asker).await, "Left\n");
    nothing_open(&other).await;
    for beckon in [&owner, &other] {
        assert_eq!(whoami(beckon).await["device"], "device0");
    }
    let told = eventually("it has heard of the other", SOON, async || {
        let status = other.command(&["status"]).await.stdout;
        status.contains("On device").then_some(status)
    });
    let told = told.await;
    assert!(told.contains("On device0 · "), "{told}");
    let status = other.status().await;
    let seen = call(&other, reqwest::Method::GET, "/hub", &Value::Null)
        .await
        .1;
    let names = ["node", "name"].map(|key| {
        seen["machines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it[key].clone())
            .collect::<Vec<_>>()
    });
    assert_eq!(names[1], ["device1", "device0"], "{seen}");
    assert_eq!(
        status["presence"]["machines"][0]["node"], names[0][1],
        "{status}"
    );
}

async fn history(beckon: &Beckon) -> Vec<Value> {
    let (_, page) = call(beckon, reqwest::Method::GET, "/history", &Value::Null).await;
    page["entries"].as_array().unwrap().clone()
}

/// Returns the responder that it notes for answers at its own surfaces.
async fn whoami(beckon: &Beckon) -> Value {
    history(beckon).await[0]["responder"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_machines_page_says_who_is_there_and_whose_answers_count() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let _asker = ask(&owner, "Seen there?");
    one_open(&other).await;
    let view = async || {
        call(&other, reqwest::Method::GET, "/hub", &Value::Null)
            .await
            .1
    };
    let seen = eventually("both machines", SOON, async || {
        let seen = view().await;
        (seen["machines"].as_array().unwrap().len() == 2).then_some(seen)
    })
    .await;
    assert_eq!(seen["state"], "connected", "{seen}");
    assert_eq!(seen["key"], public_key(&hub, 1).await, "{seen}");
    let [this, there] = [&seen["machines"][0], &seen["machines"][1]];
    assert_eq!(
        (&this["this"], &this["device"]),
        (&json!(true), &json!("device1")),
        "{seen}"
    );
    assert_eq!(
        (&there["state"], &there["open"]),
        (&json!("there"), &json!(1)),
        "{seen}"
    );
    assert_eq!(there["device"], "device0", "{seen}");
    let this = |at: usize| seen["devices"][at]["this"].clone();
    assert_eq!([this(0), this(1)], [json!(false), json!(true)], "{seen}");
    let heard = there["last_heard"].as_i64().unwrap();
    assert!(
        (now() - 16_000..=now()).contains(&heard),
        "{heard} of {}",
        now()
    );
    assert_eq!(seen["machines"][0]["last_heard"], Value::Null, "{seen}");
    hub.kill9();
    let seen = eventually("nobody knows of the other", SOON, async || {
        let seen = view().await;
        let is_so = seen["state"] == "down" && seen["machines"][1]["state"] == "unknown";
        (is_so && seen["detail"].is_string()).then_some(seen)
    })
    .await;
    let before = seen["machines"][1]["last_heard"].as_i64().unwrap();
    assert!(
        (heard - 1_000..now()).contains(&before),
        "{before} after {heard}"
    );
}

/// Returns the time by the clock of this machine.
fn now() -> i64 {
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_that_has_gone_stays_on_the_page_with_when_it_was_last_heard_of() {
    let hub = Nats::start(Version::V2_10_26);
    let (gone, other) = two(&hub).await;
    let machine = async || {
        let seen = call(&other, reqwest::Method::GET, "/hub", &Value::Null)
            .await
            .1;
        seen["machines"].get(1).cloned()
    };
    let heard = eventually("the other is heard of", SOON, async || {
        machine().await?["last_heard"].as_i64()
    })
    .await;
    gone.terminate();
    let ended = now();
    let away = eventually("it is missed", Duration::from_secs(75), async || {
        machine().await.filter(|it| it["state"] == "away")
    })
    .await;
    let last = away["last_heard"].as_i64().unwrap();
    assert!(
        (heard - 1_000..ended + 1_000).contains(&last),
        "{last} between {heard} and {ended}"
    );
    // A machine that has just begun does not know when any other was last heard.
    other.terminate();
    gone.start();
    connected(&gone).await;
    let told = eventually("what the hub has of the other", SOON, async || {
        let view = call(&gone, reqwest::Method::GET, "/hub", &Value::Null)
            .await
            .1;
        view["machines"].get(1).cloned()
    })
    .await;
    assert_eq!(
        (&told["state"], &told["last_heard"]),
        (&json!("there"), &Value::Null),
        "{told}"
    );
}
