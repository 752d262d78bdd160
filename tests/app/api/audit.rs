//! Tests of `beckon audit`, which tells who answered what, while Beckon runs and after it has
//! ended.

use crate::common::SOON;
use crate::common::counter::Scene;
use beckon_support::eventually;
use serde_json::{Value, json};

/// Returns the lines of `beckon audit --since 1h --jsonl`.
async fn audit(scene: &Scene) -> Vec<Value> {
    let output = scene
        .beckon
        .command(&["audit", "--since", "1h", "--jsonl"])
        .await;
    assert_eq!(output.status, Some(0), "{output:?}");
    output
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn line<'a>(lines: &'a [Value], what: &str) -> &'a Value {
    lines
        .iter()
        .find(|line| line["what"] == what)
        .unwrap_or_else(|| panic!("{what}: {lines:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_followed_by_whoever_asks_for_the_audit_also_once_beckon_has_ended() {
    let scene = Scene::start().await;
    assert_eq!(
        audit(&scene).await,
        Vec::<Value>::new(),
        "nothing has happened"
    );
    let asker = scene.ask(&["--question", "Red\u{202e} or blue?", "--choice", "Red"]);
    scene.press("or blue?", "Red").await;
    tokio::time::timeout(SOON, asker.wait_with_output())
        .await
        .unwrap()
        .unwrap();
    let lines = eventually("the agent has it", SOON, async || {
        let lines = audit(&scene).await;
        lines
            .iter()
            .any(|line| line["what"] == "taken")
            .then_some(lines)
    })
    .await;
    let (asked, shown) = (line(&lines, "asked"), line(&lines, "shown"));
    let (answered, taken) = (line(&lines, "answered"), line(&lines, "taken"));
    assert_eq!(
        (&shown["on"], &asked["kind"]),
        (&json!("desktop"), &json!("question"))
    );
    assert_eq!(
        (&answered["by"], &answered["ending"]),
        (&json!("notification"), &json!("answered"))
    );
    assert_eq!(answered["responder"]["vouched"], "machine");
    assert!(answered["responder"]["device"].is_string(), "{answered}");
    assert_eq!(taken["responder"], answered["responder"]);
    assert!(asked["responder"].is_null() && asked["shown"].is_string());
    assert_eq!(asked["shown"], answered["shown"]);
    let times: Vec<&str> = lines
        .iter()
        .map(|line| line["at"].as_str().unwrap())
        .collect();
    assert!(
        times.is_sorted() && times.iter().all(|at| at.ends_with('Z')),
        "{times:?}"
    );
    scene.beckon.terminate();
    assert_eq!(audit(&scene).await, lines, "nobody need run for it");
    let told = scene.beckon.command(&["audit", "--since", "7d"]).await;
    assert_eq!(told.stdout.lines().count(), lines.len());
    assert!(!told.stdout.contains('\u{202e}'), "{}", told.stdout);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moment_that_is_none_is_refused_with_what_one_is() {
    let scene = Scene::start().await;
    let refused = scene
        .beckon
        .command(&["audit", "--since", "yesterday"])
        .await;
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("2026-01-31"), "{refused:?}");
    assert_eq!(
        scene.beckon.command(&["audit"]).await.status,
        Some(2),
        "since when?"
    );
}
