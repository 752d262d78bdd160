//! Tests of a Beckon that hangs or is away while Claude Code asks. A hook that holds the dialog
//! back gives up soon, since nobody sees anything until it ends. A hook whose dialog is open in the
//! terminal is in nobody's way, and asks once Beckon is back.

use super::*;

/// A time longer than a hook that holds a dialog back waits for a sign of life.
const LONG_SILENCE: Duration = Duration::from_secs(13);

/// Checks that the hook goes on for this time.
async fn waits_on(hook: &mut Child, time: Duration) {
    let ended = tokio::time::timeout(time, hook.wait()).await;
    assert!(ended.is_err(), "the hook ended: {ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_that_holds_its_dialog_back_gives_a_hung_beckon_up_soon() {
    let scene = Scene::start().await;
    let held = event("recorded/permission_request_subagent");
    let hook = start(&scene, &[], &held.to_string()).await;
    scene.one_open().await;
    scene.beckon.sigstop();
    let began = Instant::now();
    no_opinion(hook).await;
    assert!(
        began.elapsed() < Duration::from_secs(15),
        "{:?}",
        began.elapsed()
    );
    scene.beckon.sigcont();
    // Beckon notices by the silence that the hook is gone, since nobody could tell it.
    eventually("the ask is gone", Duration::from_secs(30), async || {
        scene.beckon.list().await.is_empty().then_some(())
    })
    .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_beside_a_dialog_outlasts_a_beckon_that_hangs() {
    let scene = Scene::start().await;
    let (mut hook, id) = asked(&scene, event("permission_request")).await;
    scene.beckon.sigstop();
    waits_on(&mut hook, LONG_SILENCE).await;
    scene.beckon.sigcont();
    assert_eq!(scene.one_open().await, id);
    let given = answered(&scene, &["grant", &id], hook).await;
    assert_eq!(given["decision"]["behavior"], "allow");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_beside_a_dialog_outlasts_a_beckon_that_is_away() {
    let scene = Scene::start().await;
    let (mut hook, id) = asked(&scene, event("permission_request")).await;
    scene.beckon.terminate();
    waits_on(&mut hook, LONG_SILENCE).await;
    scene.beckon.start();
    scene.beckon.wait_ready().await;
    assert_eq!(scene.one_open().await, id);
    let given = answered(&scene, &["deny", &id], hook).await;
    assert_eq!(given["decision"]["behavior"], "deny");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_that_is_answered_while_beckon_hangs_ends_its_hook() {
    let scene = Scene::start().await;
    let (mut hook, _) = asked(&scene, event("permission_request")).await;
    scene.beckon.sigstop();
    waits_on(&mut hook, LONG_SILENCE).await;
    register(&scene, "busy");
    no_opinion(hook).await;
    scene.beckon.sigcont();
    eventually("the ask is gone", Duration::from_secs(30), async || {
        scene.beckon.list().await.is_empty().then_some(())
    })
    .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_in_a_dialog_while_beckon_hangs_or_is_away_is_there_when_it_is_back() {
    let scene = Scene::start().await;
    let asking = event("permission_request").to_string();
    let hangs: [fn(&Beckon); 2] = [Beckon::sigstop, Beckon::terminate];
    let comes_back: [fn(&Beckon); 2] = [Beckon::sigcont, Beckon::start];
    for (hangs, comes_back) in hangs.into_iter().zip(comes_back) {
        register(&scene, "waiting");
        hangs(&scene.beckon);
        let mut hook = start(&scene, &[], &asking).await;
        let several_looks = Duration::from_secs(3);
        waits_on(&mut hook, several_looks).await;
        comes_back(&scene.beckon);
        scene.beckon.wait_ready().await;
        let id = scene.one_open().await;
        answered(&scene, &["grant", &id], hook).await;
        scene.nothing_left().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_answered_in_its_dialog_before_beckon_is_back_is_never_asked() {
    let scene = Scene::start().await;
    register(&scene, "waiting");
    scene.beckon.sigstop();
    let asking = event("permission_request").to_string();
    let mut hook = start(&scene, &[], &asking).await;
    let several_looks = Duration::from_secs(3);
    waits_on(&mut hook, several_looks).await;
    register(&scene, "busy");
    no_opinion(hook).await;
    scene.beckon.sigcont();
    scene.nothing_left().await;
}
