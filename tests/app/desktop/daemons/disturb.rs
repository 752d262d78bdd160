//! Tests of "Do not disturb": every desktop keeps it in a place of its own, and Beckon reports it
//! at once.

use crate::common::{SOON, beckon, config};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::desktop::{Daemon, Desktop};
use beckon_support::eventually;
use beckon_support::notifications::Notifications;
use beckon_support::process::Process;
use serde_json::{Value, json};
use std::process::{Command, Stdio};

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_dunst_is_told_of_until_another_daemon_takes_its_place() {
    let mut desktop = Desktop::start();
    desktop.start_daemon(Daemon::Dunst);
    let beckon = running(desktop.bus()).await;
    turned_on_and_off(&beckon, |on| desktop.do_not_disturb(on)).await;
    desktop.do_not_disturb(true);
    tells(&beckon, json!(true)).await;
    desktop.stop_daemon();
    let _other = Notifications::start(desktop.bus());
    tells(&beckon, Value::Null).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn xfce_that_is_not_to_disturb_is_told_of() {
    let mut desktop = Desktop::start();
    desktop.start_daemon(Daemon::Xfce4Notifyd);
    let beckon = running(desktop.bus()).await;
    turned_on_and_off(&beckon, |on| desktop.do_not_disturb(on)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plasma_that_inhibits_notifications_is_told_of() {
    let bus = Bus::start();
    let plasma = Notifications::start(&bus);
    plasma.inhibit(false);
    let beckon = running(&bus).await;
    turned_on_and_off(&beckon, |on| plasma.inhibit(on)).await;
}

/// The shell is a fake; its settings and the service that keeps them are the real ones.
#[tokio::test(flavor = "multi_thread")]
async fn a_gnome_without_banners_is_told_of() {
    let bus = Bus::start();
    let _shell = Notifications::start_as(&bus, "gnome-shell");
    let beckon = running(&bus).await;
    let _keeper = Process::spawn(beside(&beckon, &bus, "/usr/libexec/dconf-service"));
    bus.wait_for_name("ca.desrt.dconf");
    turned_on_and_off(&beckon, |on| {
        let mut settings = beside(&beckon, &bus, "gsettings");
        settings.args(["set", "org.gnome.desktop.notifications", "show-banners"]);
        assert!(settings.arg((!on).to_string()).status().unwrap().success());
    })
    .await;
}

/// A question that came during "do not disturb" is shown after its end, and can be answered.
#[tokio::test(flavor = "multi_thread")]
async fn xfce_holds_a_question_back_until_it_may_disturb() {
    let mut desktop = Desktop::start();
    desktop.start_daemon(Daemon::Xfce4Notifyd);
    let beckon = running(desktop.bus()).await;
    desktop.do_not_disturb(true);
    tells(&beckon, json!(true)).await;
    let mut asker = ask(&beckon, "Deploy?");
    received(&desktop, 1).await;
    assert_eq!(desktop.standing(), 0, "it breaks through");
    desktop.do_not_disturb(false);
    eventually("the question on the screen", SOON, async || {
        (desktop.standing() == 1).then_some(())
    })
    .await;
    let shown = desktop.received().into_iter().next_back().unwrap();
    desktop.press(&shown, shown.button("Yes", 0));
    assert!(asker.wait().await.unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plasma_is_not_broken_through_and_shows_again_what_it_held_back() {
    let bus = Bus::start();
    let plasma = Notifications::start(&bus);
    plasma.inhibit(true);
    let beckon = running(&bus).await;
    let mut asker = ask(&beckon, "Deploy?");
    let held = plasma
        .wait_for(|shown| shown.summary.ends_with("Deploy?"), SOON)
        .await;
    assert_eq!((held.urgency(), held.timeout), (Some(1), 0));
    plasma.inhibit(false);
    let shown = plasma
        .wait_for(|shown| shown.urgency() == Some(2), SOON)
        .await;
    assert_eq!((shown.id, shown.replaces_id), (held.id, held.id));
    assert!(
        shown.hints.contains_key("sound-name"),
        "nobody has heard it yet: {shown:?}"
    );
    plasma.press(shown.id, shown.action("Yes").unwrap());
    assert!(asker.wait().await.unwrap().success());
    assert_eq!(plasma.violations(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_wants_to_be_disturbed_is() {
    let bus = Bus::start();
    let plasma = Notifications::start(&bus);
    plasma.inhibit(true);
    let settings = config("http://127.0.0.1:9") + "[notifications]\nbreak_through = \"always\"\n";
    let beckon = beckon(&bus, &settings);
    beckon.wait_ready().await;
    assert_eq!(
        beckon.status().await["channels"]["desktop"]["break_through"],
        "always"
    );
    let _asker = ask(&beckon, "Deploy?");
    let shown = plasma
        .wait_for(|shown| shown.summary.ends_with("Deploy?"), SOON)
        .await;
    assert_eq!(shown.urgency(), Some(2));
}

/// Starts a script that asks and waits for the answer.
pub(super) fn ask(beckon: &Beckon, question: &str) -> tokio::process::Child {
    let command = beckon.prepare(&["ask", "--question", question, "--choice", "Yes"]);
    let mut command = tokio::process::Command::from(command);
    command
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}

pub(super) async fn received(desktop: &Desktop, count: usize) {
    eventually(
        &format!("{count} notifications in the daemon's record"),
        SOON,
        async || (desktop.received().len() >= count).then_some(()),
    )
    .await;
}

/// Starts a Beckon without any agent, and waits until it is ready.
pub(super) async fn running(bus: &Bus) -> Beckon {
    let beckon = beckon(bus, &config("http://127.0.0.1:9"));
    beckon.wait_ready().await;
    beckon
}

async fn turned_on_and_off(beckon: &Beckon, turn: impl Fn(bool)) {
    tells(beckon, json!(false)).await;
    assert!(!is_noted(beckon).await, "all is as it should be");
    turn(true);
    tells(beckon, json!(true)).await;
    assert!(is_noted(beckon).await, "nobody will see a card come");
    turn(false);
    tells(beckon, json!(false)).await;
}

async fn tells(beckon: &Beckon, wanted: Value) {
    eventually(&format!("do not disturb is {wanted}"), SOON, async || {
        let desktop = &beckon.status().await["channels"]["desktop"];
        (desktop["state"] == "works" && desktop["do_not_disturb"] == wanted).then_some(())
    })
    .await;
}

/// Tells whether the doctor says more about the notifications than that they work.
async fn is_noted(beckon: &Beckon) -> bool {
    let findings = beckon.command(&["doctor", "--json"]).await.json();
    let mut legs = findings.as_array().unwrap().iter();
    let desktop = legs.find(|finding| finding["leg"] == "desktop").unwrap();
    assert_eq!(desktop["ok"], true, "it is no fault");
    desktop["note"] == true
}

/// Prepares a program of the same user on the same desktop.
fn beside(beckon: &Beckon, bus: &Bus, program: &str) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap());
    command.env("HOME", beckon.folder().join("user"));
    command.env("XDG_RUNTIME_DIR", beckon.folder().join("runtime"));
    command.env("DBUS_SESSION_BUS_ADDRESS", bus.address());
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}
