//! Tests of whether the human is at the desk. The real program is told by a real X server, a real
//! Wayland compositor, and small services that imitate logind, GNOME's idle monitor and a screen
//! saver.

use crate::common::phone::Phone;
use crate::common::{Rehearsal, SOON};
use beckon_support::beckon::{Beckon, Builder};
use beckon_support::bus::Bus;
use beckon_support::desktop::Desktop;
use beckon_support::eventually;
use beckon_support::presence::{Compositor, IdleMonitor, Logind, ScreenSaver};
use beckon_support::telegram::Method;
use serde_json::{Value, json};
use std::time::Duration;

/// The settings with no agent, and a human who is away after a second without input.
const HASTY: &str = "opencode = []\n[presence]\naway_after = \"1s\"\n";
/// The settings with no agent and the default patience.
const PATIENT: &str = "opencode = []\n";
/// The time within which a lock and an unlock must be noticed.
const AT_ONCE: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_screen_is_away_and_an_unlocked_one_is_here() {
    let bus = Bus::start();
    let logind = Logind::start(&bus);
    let beckon = program().system_bus(&bus).config(PATIENT).start();
    logind.wait_watched().await;
    logind.set_locked(true);
    reads(&beckon, "locked", "logind", AT_ONCE)
        .await
        .is_away(true);
    assert_eq!(said(&beckon).await, "locked, logind");
    logind.set_locked(false);
    reads(&beckon, "here", "logind", AT_ONCE)
        .await
        .is_away(false);
    assert!(said(&beckon).await.starts_with("here: back "));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_that_was_locked_before_the_start_is_seen() {
    let bus = Bus::start();
    let logind = Logind::start(&bus);
    logind.set_locked(true);
    let beckon = program().system_bus(&bus).config(PATIENT).start();
    reads(&beckon, "locked", "logind", SOON).await.is_away(true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_need_not_be_away() {
    let bus = Bus::start();
    let logind = Logind::start(&bus);
    let config = format!("{PATIENT}[presence]\nlock_is_away = false\n");
    let beckon = program().system_bus(&bus).config(&config).start();
    logind.wait_watched().await;
    logind.set_locked(true);
    reads(&beckon, "locked", "logind", SOON)
        .await
        .is_away(false);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_that_is_only_asked_for_counts_until_it_is_taken_back() {
    let bus = Bus::start();
    let logind = Logind::start(&bus);
    let beckon = program().system_bus(&bus).config(PATIENT).start();
    logind.wait_watched().await;
    logind.ask_to_lock(true);
    reads(&beckon, "locked", "logind", SOON).await.is_away(true);
    logind.ask_to_lock(false);
    reads(&beckon, "here", "logind", SOON).await.is_away(false);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_about_to_sleep_is_away_and_a_woken_one_tells_the_truth() {
    let bus = Bus::start();
    let logind = Logind::start(&bus);
    let beckon = program().system_bus(&bus).config(PATIENT).start();
    logind.wait_watched().await;
    logind.prepare_for_sleep(true);
    reads(&beckon, "asleep", "logind", SOON).await.is_away(true);
    logind.set_locked(true);
    logind.prepare_for_sleep(false);
    reads(&beckon, "locked", "logind", SOON).await.is_away(true);
    logind.set_locked(false);
    reads(&beckon, "here", "logind", SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nothing_tells_beckon_says_so() {
    let bus = Bus::start();
    let _logind = Logind::start(&bus);
    let beckon = program()
        .system_bus(&bus)
        .bus(&Bus::start())
        .config(PATIENT)
        .start();
    beckon.wait_ready().await;
    reads(&beckon, "unknown", "none", SOON).await.is_away(false);
    assert_eq!(
        said(&beckon).await,
        "can't tell; you're notified everywhere"
    );
    let status = beckon.command(&["status"]).await.stdout;
    assert!(status.contains("You · can't tell"), "{status}");
    logs(&beckon, "nothing tells of keyboard and mouse").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_service_told_is_void_when_its_bus_dies() {
    let mut bus = Bus::start();
    let logind = Logind::start(&bus);
    let beckon = program().system_bus(&bus).config(PATIENT).start();
    logind.set_locked(true);
    reads(&beckon, "locked", "logind", SOON).await;
    bus.kill();
    reads(&beckon, "unknown", "none", SOON).await;
    logs(&beckon, "a presence backend does not work").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_saver_locks_unlocks_and_may_be_gone() {
    let bus = Bus::start();
    let saver = ScreenSaver::start(&bus, true);
    let beckon = program().bus(&bus).config(PATIENT).start();
    reads(&beckon, "locked", "screen_saver", SOON)
        .await
        .is_away(true);
    saver.set(false);
    reads(&beckon, "here", "screen_saver", SOON)
        .await
        .is_away(false);
    saver.set(true);
    reads(&beckon, "locked", "screen_saver", SOON)
        .await
        .is_away(true);
    drop(saver);
    // The screen saver has ended, but nothing was unlocked.
    reads(&beckon, "unknown", "none", SOON).await;
    let _another = ScreenSaver::start(&bus, true);
    reads(&beckon, "locked", "screen_saver", SOON)
        .await
        .is_away(true);
}

#[tokio::test(flavor = "multi_thread")]
async fn hands_that_rest_under_x11_are_away_and_come_back_with_the_first_touch() {
    let desktop = Desktop::start();
    let beckon = program()
        .env("DISPLAY", desktop.display())
        .config(HASTY)
        .start();
    beckon.wait_ready().await;
    for _ in 0..2 {
        reads(&beckon, "idle", "x11", SOON).await.is_away(true);
        back(&beckon, "x11", || desktop.key("Shift_L")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_is_told_of_the_very_last_input() {
    let desktop = Desktop::start();
    let beckon = program()
        .env("DISPLAY", desktop.display())
        .config(PATIENT)
        .start();
    beckon.wait_ready().await;
    let first = reads(&beckon, "here", "x11", SOON).await.last_input();
    desktop.key("Shift_L");
    let second = reads(&beckon, "here", "x11", SOON).await.last_input();
    assert!(second > first, "{second} is later than {first}");
    let said = said(&beckon).await;
    assert!(
        said.starts_with("here: keyboard or mouse ") && said.ends_with(" s ago, X11"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_patience_counts_at_once() {
    let desktop = Desktop::start();
    let beckon = program()
        .env("DISPLAY", desktop.display())
        .config(PATIENT)
        .start();
    reads(&beckon, "here", "x11", SOON).await.is_away(false);
    beckon.write_config(HASTY);
    reads(&beckon, "idle", "x11", SOON).await.is_away(true);
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_x_server_dies_the_next_best_takes_over() {
    let mut desktop = Desktop::start();
    let bus = Bus::start();
    let logind = Logind::start(&bus);
    logind.set_idle(false);
    let program = program().system_bus(&bus).env("DISPLAY", desktop.display());
    let beckon = program.config(PATIENT).start();
    reads(&beckon, "here", "x11", SOON).await;
    desktop.kill_screen();
    reads(&beckon, "here", "logind", SOON).await;
    logind.set_idle(true);
    reads(&beckon, "idle", "logind", SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_x_server_that_hangs_holds_nothing_up_and_is_given_up() {
    let desktop = Desktop::start();
    let bus = Bus::start();
    let logind = Logind::start(&bus);
    let program = program().system_bus(&bus).env("DISPLAY", desktop.display());
    let beckon = program.config(PATIENT).start();
    reads(&beckon, "here", "x11", SOON).await;
    desktop.hang_screen();
    logind.set_locked(true);
    reads(&beckon, "locked", "logind", SOON).await;
    logind.set_locked(false);
    // A question about the presence goes to the hung server too, in vain.
    reads(&beckon, "here", "logind", SOON).await;
    logs(&beckon, "a presence backend has ended").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gnome_tells_of_rest_and_touch_and_is_asked_before_x11() {
    let desktop = Desktop::start();
    let gnome = IdleMonitor::start(desktop.bus());
    let program = program()
        .bus(desktop.bus())
        .env("DISPLAY", desktop.display());
    let beckon = program.config(PATIENT).start();
    reads(&beckon, "here", "mutter", SOON).await.is_away(false);
    for _ in 0..2 {
        gnome.rest(Duration::from_secs(40));
        reads(&beckon, "idle", "mutter", SOON).await.is_away(false);
        assert!(said(&beckon).await.ends_with(" s, GNOME"));
        gnome.touch();
        reads(&beckon, "here", "mutter", SOON).await.is_away(false);
    }
    assert_eq!(gnome.watches(), 1, "one for the next rest");
    drop(gnome);
    reads(&beckon, "here", "x11", SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wayland_compositor_tells_of_rest_and_touch_and_of_its_lock() {
    let bus = Bus::start();
    let mut compositor = Compositor::start(&bus);
    let program = program()
        .bus(&bus)
        .env("WAYLAND_DISPLAY", compositor.socket());
    let beckon = program.config(HASTY).start();
    for _ in 0..2 {
        reads(&beckon, "idle", "wayland", SOON).await.is_away(true);
        back(&beckon, "wayland", || compositor.touch()).await;
    }
    compositor.lock();
    reads(&beckon, "locked", "screen_saver", SOON)
        .await
        .is_away(true);
    compositor.kill();
    // Nothing reports any more, but the lock is gone together with the locker.
    reads(&beckon, "unknown", "none", SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_human_says_outweighs_what_is_seen() {
    let bus = Bus::start();
    let logind = Logind::start(&bus);
    let beckon = program().system_bus(&bus).config(PATIENT).start();
    logind.set_locked(true);
    reads(&beckon, "locked", "logind", SOON).await.is_away(true);
    let told = beckon.command(&["presence", "here"]).await.stdout;
    assert_eq!(told.trim(), "here (set by you)");
    reads(&beckon, "locked", "logind", SOON)
        .await
        .is_away(false);
}

#[tokio::test(flavor = "multi_thread")]
async fn asked_at_the_desk_and_then_left_it_is_asked_on_the_phone() {
    let system = Bus::start();
    let logind = Logind::start(&system);
    logind.set_idle(false);
    let (stage, phone) = at_the_desk(&system).await;
    stage.ask("que_1", "Go on?").await;
    assert!(
        phone.open_cards().is_empty(),
        "the phone stays silent at the desk"
    );
    logind.set_locked(true);
    let card = phone.card("Go on?").await;
    phone.tap(card.id, "Yes").await;
    stage.answered_once("que_1", "Yes").await;
    phone.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_at_the_desk_does_not_ring_the_phone() {
    let system = Bus::start();
    let logind = Logind::start(&system);
    logind.set_idle(false);
    let (stage, phone) = at_the_desk(&system).await;
    stage.ask("que_1", "Go on?").await;
    stage.beckon.kill9();
    let polls = phone.telegram.calls_of(Method::GetUpdates).len();
    stage.restarted("Go on?").await;
    eventually("the phone's line is open again", SOON, async || {
        (phone.telegram.calls_of(Method::GetUpdates).len() > polls).then_some(())
    })
    .await;
    reads(&stage.beckon, "here", "logind", SOON).await;
    assert!(phone.open_cards().is_empty(), "nobody has left the desk");
    stage.press("Go on?", "No").await;
    stage.answered_once("que_1", "No").await;
    assert!(
        phone
            .telegram
            .history(phone.chat)
            .iter()
            .all(|it| !it.text.contains("Go on?"))
    );
}

/// Starts an agent, notifications, and a paired phone; logind says that the human is here.
async fn at_the_desk(system: &Bus) -> (Rehearsal, Phone) {
    let phone = Phone::new();
    let tune = |program: Builder| Phone::knows_token(program).system_bus(system);
    let stage = Rehearsal::with(&phone.config(), tune);
    stage.beckon.start();
    stage.ready().await;
    phone.pair(&stage.beckon).await;
    reads(&stage.beckon, "here", "logind", SOON).await;
    (stage, phone)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_leg_says_who_tells_and_what_they_say_now() {
    let desktop = Desktop::start();
    let bus = Bus::start();
    let logind = Logind::start(&bus);
    let program = program().system_bus(&bus).env("DISPLAY", desktop.display());
    let beckon = program.config(PATIENT).start();
    let moved = leg(&beckon, "idle", "x11", false).await["last_input"].as_i64();
    leg(&beckon, "lock", "logind", false).await;
    leg(&beckon, "sleep", "logind", false).await;
    desktop.key("Shift_L");
    let sight = for_windows(&beckon).await;
    let touched = sight["status"]["presence"]["legs"][0]["last_input"].as_i64();
    assert!(touched > moved, "{touched:?} is later than {moved:?}");
    logind.set_locked(true);
    leg(&beckon, "lock", "logind", true).await;
    logind.prepare_for_sleep(true);
    leg(&beckon, "sleep", "logind", true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leg_that_does_not_work_says_who_is_missing() {
    let bus = Bus::start();
    let beckon = program().bus(&bus).config(PATIENT).start();
    beckon.wait_ready().await;
    reads(&beckon, "unknown", "none", SOON).await;
    for (what, source) in [("idle", "none"), ("lock", "logind"), ("sleep", "logind")] {
        assert_eq!(
            legs(&beckon, what).await,
            [json!([source, false, false])],
            "{what}"
        );
    }
    let saver = ScreenSaver::start(&bus, false);
    leg(&beckon, "lock", "screen_saver", false).await;
    saver.set(true);
    leg(&beckon, "lock", "screen_saver", true).await;
    drop(saver);
    eventually("nobody tells of the lock", SOON, async || {
        (legs(&beckon, "lock").await == [json!(["logind", false, false])]).then_some(())
    })
    .await;
}

/// Waits until that leg works and has this value.
async fn leg(beckon: &Beckon, what: &str, source: &str, holds: bool) -> Value {
    eventually(&format!("{what} by {source}: {holds}"), SOON, async || {
        let legs = seen(beckon).await?.0["legs"].as_array()?.clone();
        let mut ours = legs.into_iter().filter(|leg| leg["what"] == what);
        ours.find(|leg| leg["source"] == source && leg["works"] == true && leg["holds"] == holds)
    })
    .await
}

/// Returns what the windows are told when they look.
async fn for_windows(beckon: &Beckon) -> Value {
    let endpoint = beckon.endpoint().expect("run/endpoint.json is there");
    let url = format!("{}/windows/view", endpoint["url"].as_str().unwrap());
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client
        .get(url)
        .bearer_auth(endpoint["token"].as_str().unwrap());
    request.send().await.unwrap().json().await.unwrap()
}

/// Returns the sources of that leg, whether each works, and its value.
async fn legs(beckon: &Beckon, what: &str) -> Vec<Value> {
    let legs = seen(beckon).await.expect("a status").0["legs"].clone();
    let ours = legs
        .as_array()
        .expect("legs")
        .iter()
        .filter(|leg| leg["what"] == what);
    ours.map(|leg| json!([leg["source"], leg["works"], leg["holds"]]))
        .collect()
}

fn program() -> Builder {
    Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
}

/// The presence in `status --json`.
struct Seen(Value);

impl Seen {
    fn is_away(&self, away: bool) {
        assert_eq!(self.0["away"], away, "{}", self.0);
    }

    fn last_input(&self) -> i64 {
        self.0["last_input"]
            .as_i64()
            .expect("a last input is known")
    }
}

/// Waits until the status has this presence and this evidence.
async fn reads(beckon: &Beckon, state: &str, evidence: &str, within: Duration) -> Seen {
    eventually(&format!("{state} by {evidence}"), within, async || {
        seen(beckon)
            .await
            .filter(|seen| seen.0["state"] == state && seen.0["evidence"] == evidence)
    })
    .await
}

/// Lets the human return and go on typing, since they would be idle again a second later.
async fn back(beckon: &Beckon, evidence: &str, touch: impl Fn()) {
    let here = eventually(&format!("here by {evidence}"), SOON, async || {
        touch();
        seen(beckon).await.filter(|seen| seen.0["state"] == "here")
    })
    .await;
    here.is_away(false);
    assert_eq!(here.0["evidence"], evidence);
}

async fn seen(beckon: &Beckon) -> Option<Seen> {
    let output = beckon.command(&["status", "--json"]).await;
    let mut status = serde_json::from_str::<Value>(&output.stdout).ok()?;
    Some(Seen(status["presence"].take()))
}

/// Returns what `beckon presence` prints.
async fn said(beckon: &Beckon) -> String {
    beckon.command(&["presence"]).await.stdout.trim().to_owned()
}

/// Waits until a line of the log contains the text.
async fn logs(beckon: &Beckon, text: &str) {
    eventually(&format!("{text:?} in the log"), SOON, async || {
        let files = std::fs::read_dir(beckon.home().join("logs")).ok()?;
        let mut logs = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
        logs.any(|log| log.contains(text)).then_some(())
    })
    .await;
}
