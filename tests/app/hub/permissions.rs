//! Tests of what a server does not allow. It does not respond to that, which looks like a server
//! that is away. Beckon tells the two apart, reports it in the server's words, and the rest goes
//! on.

use super::*;
use serde_json::json;

/// The logins of the first two devices, which are made of their seeds, and always the same.
const LOGINS: [&str; 2] = [
    "UCERAZ5RUKXK4ZICHVT26YVGKWJP3APD665QV2XFDLVGMEPYFBXW3TJK",
    "UAGB3IUUJPZQ72LSPI3BEX62FG5OCHOASTCF2VVJAA5WXGGOMJROI2PC",
];

/// The permission to do everything.
const ALL: &str = "publish: { allow: [\">\"] }";

/// Returns the server's users, with these permissions of the first and the second device.
fn users(first: &str, second: &str) -> String {
    let [one, other] = LOGINS;
    let user = |login: &str, may: &str| format!("{{ nkey: {login}, permissions: {{ {may} }} }}");
    let (one, other) = (user(one, first), user(other, second));
    format!("authorization {{ users: [ {one}, {other} ] }}\n")
}

fn all_but(subject: &str) -> String {
    format!("publish: {{ deny: [\"{subject}\"] }}")
}

/// Starts two Beckons at a hub where both may do everything, and then restarts it with these
/// permissions.
async fn then(first: &str, second: &str) -> (Nats, Beckon, Beckon) {
    let hub = Nats::configured(Version::V2_10_26, &users(ALL, ALL));
    let (owner, other) = two(&hub).await;
    hub.configure_anew(&users(first, second));
    (hub, owner, other)
}

/// Waits until it is reported that the server does not allow that.
async fn forbidden(beckon: &Beckon, subject: &str) {
    warned(
        beckon,
        &format!("Permissions Violation for Publish to \\\"{subject}"),
    )
    .await;
    let warnings = beckon.status().await["warnings"].to_string();
    assert!(
        warnings.contains("doesn't allow what Beckon needs there"),
        "{warnings}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_may_not_write_asks_says_so_and_is_answered_where_they_are() {
    let (hub, owner, other) = then(&all_but("bk.ask.>"), ALL).await;
    let asker = ask(&owner, "Heard anywhere?");
    let own = one_open(&owner).await;
    forbidden(&owner, "bk.ask.own.").await;
    assert_eq!(answer(&owner, &own["id"], "1").await["state"], "taken");
    assert_eq!(said(asker).await, "Left\n");
    let back = ask(&owner, "And now?");
    hub.configure_anew(&users(ALL, ALL));
    let shown = one_open(&other).await;
    assert_eq!(answer(&other, &shown["id"], "2").await["state"], "taken");
    assert_eq!(said(back).await, "Right\n");
    eventually("nothing is amiss", SOON, async || {
        (owner.status().await["warnings"] == json!([])).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_may_not_answer_has_the_answer_back_and_the_ask_stays_answerable_elsewhere() {
    let (hub, owner, other) = then(ALL, &all_but("bk.answer.>")).await;
    let asker = ask(&owner, "Who may?");
    let shown = one_open(&other).await;
    let id = shown["id"].as_str().unwrap();
    let given = other.command(&["answer", id, "--choice", "2"]).await;
    assert_eq!(given.status, Some(1), "{given:?}");
    assert!(
        given
            .stderr
            .contains("The hub doesn't let this device answer"),
        "{given:?}"
    );
    assert!(!given.stderr.contains("agent"), "{given:?}");
    forbidden(&other, "bk.answer.own.").await;
    let again = one_open(&other).await;
    assert_eq!(again["returned"]["reason"], "hub-forbidden", "{again}");
    let own = one_open(&owner).await;
    assert_eq!(answer(&owner, &own["id"], "1").await["state"], "taken");
    assert_eq!(said(asker).await, "Left\n");
    nothing_open(&other).await;
    drop(hub);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_may_not_look_where_answers_stand_says_so() {
    let (_hub, owner, _other) = then(&all_but("$JS.API.STREAM.MSG.GET.BK_ANSWERS"), ALL).await;
    let asker = ask(&owner, "May I look?");
    let own = one_open(&owner).await;
    forbidden(&owner, "$JS.API.STREAM.MSG.GET.BK_ANSWERS").await;
    assert_eq!(answer(&owner, &own["id"], "1").await["state"], "taken");
    assert_eq!(said(asker).await, "Left\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_may_not_say_that_they_are_there_says_so_here() {
    let (_hub, owner, _other) = then(&all_but("bk.here.>"), ALL).await;
    forbidden(&owner, "bk.here.own.").await;
}
