//! Tests of several people at one hub: who sees another person's ask, who decides it, and how many
//! must agree.

use super::serving::{Serving, invite_with, joined, machine_with, refused};
use super::*;
use crate::common::http::call;
use serde_json::json;

/// The team: Ada serves the hub; Ben and Cleo have joined by codes of their own. All of them claim
/// to be Ada.
struct Team {
    _serving: Serving,
    ada: Beckon,
    ben: Beckon,
    cleo: Beckon,
}

const CLAIMS: &str = "opencode = []\n[person]\nname = \"Ada\"\n";

async fn team(rules: &Value) -> Team {
    let [ada, ben, cleo] = [0, 1, 2].map(|device| machine_with(device, Version::V2_10_26, CLAIMS));
    let serving = Serving::start(&ada, &[]);
    serving.code().await;
    for (beckon, person) in [(&ben, "Ben"), (&cleo, "Cleo")] {
        let code = invite_with(&ada, &["--person", person]).await;
        joined(beckon, &code, &person.to_lowercase()).await;
    }
    set_rules(&ada, rules).await;
    for beckon in [&ada, &ben, &cleo] {
        beckon.start();
        connected(beckon).await;
    }
    Team {
        _serving: serving,
        ada,
        ben,
        cleo,
    }
}

async fn set_rules(ada: &Beckon, rules: &Value) {
    let file = ada.home().join("rules.json");
    std::fs::write(&file, rules.to_string()).unwrap();
    let set = ada
        .command(&["hub", "routes", "--set", file.to_str().unwrap()])
        .await;
    assert_eq!(set.status, Some(0), "{set:?}");
}

fn rules(route: &Value) -> Value {
    json!({ "people": { "Cleo": { "roles": ["lead"] } }, "routes": [route] })
}

fn words<'a>(ask: &'a Value, choice: &'a str) -> [&'a str; 4] {
    ["answer", ask["id"].as_str().unwrap(), "--choice", choice]
}

#[tokio::test(flavor = "multi_thread")]
async fn who_only_may_see_it_is_told_who_can_decide_and_cannot_by_calling_themselves_another() {
    let team = team(&rules(
        &json!({ "answerers": ["role:lead"], "audience": ["everyone"] }),
    ))
    .await;
    let asker = ask(&team.ada, "May it?");
    let seen = one_open(&team.ben).await;
    assert_eq!(seen["held"]["deciders"], json!(["Ada", "Cleo"]), "{seen}");
    refused(&team.ben, &words(&seen, "1"), "Waiting for Ada or Cleo.").await;
    let shown = one_open(&team.cleo).await;
    assert_eq!(shown["held"], Value::Null, "{shown}");
    assert_eq!(
        answer(&team.cleo, &shown["id"], "2").await["state"],
        "taken"
    );
    assert_eq!(said(asker).await, "Right\n");
    for beckon in [&team.ada, &team.ben, &team.cleo] {
        nothing_open(beckon).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_route_nobody_else_sees_it_and_a_new_route_shows_it_at_once() {
    let team = team(&json!({ "routes": [] })).await;
    let asker = ask(&team.ada, "Mine?");
    one_open(&team.ada).await;
    let other = ask(&team.cleo, "Hers?");
    let hers = one_open(&team.cleo).await;
    assert_eq!(hers["questions"][0]["question"], "Hers?");
    set_rules(&team.ada, &rules(&json!({ "answerers": ["Ben"] }))).await;
    eventually("Ben is asked both", SOON, async || {
        (team.ben.list().await.len() == 2).then_some(())
    })
    .await;
    assert_eq!(
        team.cleo.list().await.len(),
        1,
        "of Ada's she knows nothing"
    );
    for asked in team.ben.list().await {
        assert_eq!(answer(&team.ben, &asked["id"], "1").await["state"], "taken");
    }
    assert_eq!(
        (said(asker).await, said(other).await),
        ("Left\n".into(), "Left\n".into())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn where_two_must_agree_the_agent_hears_it_when_two_have() {
    let team = team(&rules(&json!({ "answerers": ["role:lead"], "approve": 2 }))).await;
    let asker = ask(&team.ada, "Both?");
    let shown = one_open(&team.cleo).await;
    let first = team.cleo.command(&words(&shown, "2")).await;
    assert_eq!(first.status, Some(1), "{first:?}");
    assert!(first.stderr.contains("The answer counts."), "{first:?}");
    let held = eventually("it is held for Ada", SOON, async || {
        let shown = one_open(&team.cleo).await;
        (shown["held"]["agreed"] == json!(["Cleo"])).then_some(shown)
    })
    .await;
    assert_eq!(held["held"]["deciders"], json!(["Ada"]), "{held}");
    refused(&team.cleo, &words(&held, "2"), "answer counts.").await;
    eventually("nobody is two people", SOON, async || {
        (one_open(&team.cleo).await["held"]["agreed"] == json!(["Cleo"])).then_some(())
    })
    .await;
    let agreed = json!({ "people": ["Cleo"], "said": "answer" });
    assert_eq!(
        one_open(&team.ada).await["agreed"],
        agreed,
        "whoever is to give the second knows"
    );
    let listed = team.ada.command(&["list"]).await.stdout;
    assert!(
        listed.contains("Cleo answered. If you give the same answer"),
        "{listed}"
    );
    // The agreement outlives the owner's crash.
    team.ada.kill9();
    team.ada.start();
    team.ada.wait_ready().await;
    let own = one_open(&team.ada).await;
    assert_eq!(answer(&team.ada, &own["id"], "2").await["state"], "taken");
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(&team.cleo).await;
    let audit = team
        .ada
        .command(&["audit", "--since", "1h", "--jsonl"])
        .await
        .stdout;
    let agreed: Vec<&str> = audit
        .lines()
        .filter(|line| line.contains("\"agreed\""))
        .collect();
    assert_eq!(agreed.len(), 2, "said twice: {audit}");
    assert!(agreed.iter().all(|line| line.contains("Cleo")), "{audit}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_yes_of_a_device_that_was_taken_off_is_not_one_of_two() {
    let team = team(&rules(&json!({ "answerers": ["role:lead"], "approve": 2 }))).await;
    let asker = ask(&team.ada, "Both?");
    let shown = one_open(&team.cleo).await;
    refused(&team.cleo, &words(&shown, "2"), "answer counts.").await;
    eventually("Ada knows whose yes it is", SOON, async || {
        (one_open(&team.ada).await["agreed"]["people"] == json!(["Cleo"])).then_some(())
    })
    .await;
    let removed = team
        .ada
        .command(&["hub", "people", "--remove", "cleo"])
        .await;
    assert_eq!(removed.status, Some(0), "{removed:?}");
    let own = eventually("it counts no longer", SOON, async || {
        let own = one_open(&team.ada).await;
        own["agreed"].is_null().then_some(own)
    })
    .await;
    refused(&team.ada, &words(&own, "2"), "answer counts.").await;
    set_rules(&team.ada, &json!({ "routes": [] })).await;
    let own = eventually("it is hers alone", SOON, async || {
        let own = one_open(&team.ada).await;
        own["held"].is_null().then_some(own)
    })
    .await;
    assert_eq!(answer(&team.ada, &own["id"], "2").await["state"], "taken");
    assert_eq!(said(asker).await, "Right\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_that_cannot_be_read_change_nothing_and_only_the_admin_sets_any() {
    let team = team(&rules(&json!({ "answerers": ["role:lead"] }))).await;
    let broken = team.ada.home().join("broken.json");
    let file = broken.to_str().unwrap();
    std::fs::write(&broken, r#"{"routes":[{"approve":3}]}"#).unwrap();
    refused(
        &team.ada,
        &["hub", "routes", "--set", file],
        "approve is 1 or 2, not 3",
    )
    .await;
    std::fs::write(&broken, r#"{"routes":[]}"#).unwrap();
    let only = "Only the machine that serves the hub";
    refused(&team.ben, &["hub", "routes", "--set", file], only).await;
    let routes = team.cleo.command(&["hub", "routes"]).await;
    assert!(
        routes
            .stdout
            .contains("whoever started it; anyone with the role lead"),
        "{routes:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn whose_machine_it_becomes_is_said_with_the_code_and_when_it_has_joined() {
    let [ada, second, bens] =
        [0, 1, 2].map(|device| machine_with(device, Version::V2_10_26, CLAIMS));
    let serving = Serving::start(&ada, &[]);
    let code = serving.code().await;
    // A code on the standard input does not appear in the list of processes.
    let words = ["hub", "join", "--name", "second"];
    let nothing = second.command(&words).await;
    assert!(nothing.stderr.contains("isn't a code"), "{nothing:?}");
    let plain = second
        .command_with_input(&words, &format!("{code}\n"))
        .await;
    assert!(
        plain.stdout.contains("It's one of Ada's machines now"),
        "{plain:?}"
    );
    let invited = ada
        .command(&["hub", "invite", "--person", "Ben", "--json"])
        .await
        .json();
    assert_eq!(invited["person"], "Ben", "{invited}");
    let asked = ada.command(&["hub", "invite"]).await;
    assert!(
        asked.stdout.contains("It becomes one of Ada's machines"),
        "{asked:?}"
    );
    let code = invited["code"].as_str().unwrap();
    let words = ["hub", "join", "-", "--name", "bens"];
    let claimed = bens.command_with_input(&words, code).await;
    assert!(
        claimed.stdout.contains("It's one of Ben's machines now"),
        "{claimed:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slip_in_the_rules_is_named_and_changes_nothing_and_what_leads_nowhere_is_said() {
    let ada = machine_with(0, Version::V2_10_26, CLAIMS);
    let serving = Serving::start(&ada, &[]);
    serving.code().await;
    set_rules(&ada, &rules(&json!({ "answerers": ["role:lead"] }))).await;
    let file = ada.home().join("slip.json");
    let set = ["hub", "routes", "--set", file.to_str().unwrap()];
    for (slip, named) in [
        (
            r#"{"routes":[{"answerers":["Ben"],"self_aproval":false}]}"#,
            "“self_approval”",
        ),
        (
            r#"{"routes":[{"project":["secret"]}]}"#,
            "“routes.0.project”",
        ),
        (r#"{"route":[]}"#, "“routes”"),
        ("[]", "isn't a table"),
        ("{}", "no “routes”"),
    ] {
        std::fs::write(&file, slip).unwrap();
        refused(&ada, &set, named).await;
    }
    let routes = ada.command(&["hub", "routes"]).await;
    assert!(
        routes.stdout.contains("anyone with the role lead"),
        "{routes:?}"
    );
    for name in ["", "everyone", "role:lead"] {
        refused(
            &ada,
            &["hub", "invite", "--person", name],
            "can't be a person's name",
        )
        .await;
    }
    let doubtful = r#"{"routes":[{"answerers":["rota:nights","role:boss"],"approve":2}]}"#;
    std::fs::write(&file, doubtful).unwrap();
    let doubted = ada.command(&set).await;
    assert_eq!(doubted.status, Some(0), "{doubted:?}");
    assert!(
        doubted
            .stdout
            .contains("Routes name role:boss, rota:nights"),
        "{doubted:?}"
    );
    assert!(
        doubted
            .stdout
            .contains("what Ada starts can't be decided by anyone"),
        "{doubted:?}"
    );
    set_rules(&ada, &json!({ "routes": [] })).await;
    let routes = ada.command(&["hub", "routes"]).await;
    assert!(routes.stdout.contains("No routes"), "{routes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_belongs_to_the_team_and_by_which_rules_is_to_be_read_on_every_machine() {
    let team = team(&rules(&json!({ "answerers": ["role:lead"], "approve": 2 }))).await;
    let (_, seen) = call(&team.ben, reqwest::Method::GET, "/hub", &Value::Null).await;
    let people = seen["team"]["people"].as_array().unwrap();
    let told = |at: usize| (people[at]["name"].clone(), people[at]["this"].clone());
    let expected = [("Ada", false), ("Ben", true), ("Cleo", false)];
    for (at, (name, this)) in expected.into_iter().enumerate() {
        assert_eq!(told(at), (json!(name), json!(this)), "{seen}");
    }
    assert_eq!(people[2]["roles"], json!(["lead"]), "{seen}");
    assert_eq!(people[2]["devices"], json!(["cleo"]), "{seen}");
    let rule = "whoever started it; anyone with the role lead; two must agree";
    let route = json!({ "scope": "all projects · everything", "rule": rule });
    assert_eq!(seen["team"]["routes"], json!([route]), "{seen}");
    assert_eq!(seen["machines"][0]["person"], "Ben", "{seen}");
    let routes = team.ben.command(&["hub", "routes"]).await.stdout;
    let said: Vec<&str> = routes.lines().collect();
    assert_eq!(said[0], format!("all projects · everything: {rule}"));
    assert_eq!(
        said[1..],
        ["  at the moment: Cleo", "", "Ada", "Ben", "Cleo: lead"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_on_duty_now_is_said_with_the_routes() {
    let shift =
        |from: &str, to: &str| json!({ "rota": "week", "person": "Ben", "from": from, "to": to });
    let always = [
        shift("mon 00:00", "fri 00:00"),
        shift("fri 00:00", "mon 00:00"),
    ];
    let route = json!({ "answerers": ["rota:week"] });
    let team = team(&json!({ "routes": [route], "rota": { "shifts": always } })).await;
    let routes = team.cleo.command(&["hub", "routes"]).await.stdout;
    assert!(routes.contains("\n  at the moment: Ben\n"), "{routes}");
    assert!(
        routes.contains("\nBen: week, Mon 00:00 to Fri 00:00 (UTC) · "),
        "{routes}"
    );
    assert!(routes.contains(" · on duty now (week)\n"), "{routes}");
}
