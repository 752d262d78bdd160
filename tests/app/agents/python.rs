//! Tests of the Python package with the real program: the package's own tests, and a press on a
//! real card.

use crate::common::SOON;
use crate::common::counter::Scene;
use crate::common::phone::Phone;
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::notifications::Notifications;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;
use tokio::process::{Child, Command};

/// The time limit for all of the package's own tests, which run one after the other.
const PATIENCE: Duration = Duration::from_secs(240);
const SCRIPT: &str = "from beckon_ask import ask; print(ask('Deploy now?', ['Yes', 'Nein 🦀']))";

#[tokio::test(flavor = "multi_thread")]
async fn the_packages_own_tests_pass() {
    let tests = ["-m", "unittest", "discover", "-s", "tests"];
    let tests = python(&tests)
        .env("BECKON_BIN", env!("CARGO_BIN_EXE_beckon"))
        .spawn()
        .unwrap();
    let output = ended(tests, PATIENCE).await;
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_on_the_notification_answers_python() {
    let scene = Scene::start().await;
    let asker = script(&scene.beckon);
    scene.press("Deploy now?", "Nein 🦀").await;
    answered(asker, "Nein 🦀").await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tap_on_the_phone_answers_python() {
    let bus = Bus::start();
    let _daemon = Notifications::start(&bus);
    let phone = Phone::new();
    let program = Phone::knows_token(Beckon::builder(env!("CARGO_BIN_EXE_beckon")));
    let config = "opencode = []\n".to_owned() + &phone.config();
    let beckon = program.bus(&bus).config(&config).start();
    beckon.wait_ready().await;
    phone.pair(&beckon).await;
    beckon.command(&["presence", "away"]).await;
    let asker = script(&beckon);
    let card = phone.card("Deploy now?").await;
    phone.tap(card.id, "Nein 🦀").await;
    answered(asker, "Nein 🦀").await;
    phone.nothing_left().await;
}

/// Starts a script that asks through that Beckon.
fn script(beckon: &Beckon) -> Child {
    python(&["-c", SCRIPT])
        .env("BECKON_HOME", beckon.home())
        .spawn()
        .unwrap()
}

fn python(arguments: &[&str]) -> Command {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("integrations/python");
    let mut command = Command::new("python3");
    command
        .args(arguments)
        .current_dir(&package)
        .env("PYTHONPATH", package.join("src"));
    command
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONIOENCODING", "utf-8");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.kill_on_drop(true);
    command
}

async fn answered(asker: Child, label: &str) {
    let output = ended(asker, SOON).await;
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        format!("{label}\n")
    );
}

async fn ended(child: Child, within: Duration) -> Output {
    let output = tokio::time::timeout(within, child.wait_with_output()).await;
    output.expect("python ends").unwrap()
}
