//! Tests of a Beckon that outlives its login, and of what the next login finds: another session
//! bus, another display.

use crate::common::{DIRECTORY, SESSION, SOON, config, yes_or_no};
use beckon_support::beckon::Beckon;
use beckon_support::desktop::Desktop;
use beckon_support::eventually;
use beckon_support::notifications::Notifications;
use beckon_support::process::Process;
use beckon_support::replay::{Kind, Replay};
use std::process::{Command, Stdio};

struct Home {
    beckon: Beckon,
    replay: Replay,
}

impl Home {
    /// Starts Beckon in the login of that desktop.
    async fn in_login(desktop: &Desktop) -> Self {
        let replay = Replay::start();
        replay.session(SESSION, DIRECTORY, "A session");
        let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
            .args(&[])
            .bus(desktop.bus())
            .config(&config(&replay.url()))
            .env("DISPLAY", desktop.display());
        let beckon = builder.start();
        beckon.wait_ready().await;
        Self { beckon, replay }
    }

    /// Prepares a command on the same home in another login.
    fn from(&self, desktop: &Desktop, arguments: &[&str]) -> Command {
        let mut command = self.beckon.prepare(arguments);
        command
            .env("DISPLAY", desktop.display())
            .env("DBUS_SESSION_BUS_ADDRESS", desktop.bus().address())
            .env("GDK_BACKEND", "x11")
            .stdin(Stdio::null());
        command
    }
}

fn stands(desktop: &Desktop) -> bool {
    !desktop.windows("--name", "Beckon").is_empty()
}

#[tokio::test(flavor = "multi_thread")]
async fn in_the_next_login_a_start_takes_the_place_of_a_beckon_that_has_outlived_its_own() {
    let first = Desktop::start();
    let home = Home::in_login(&first).await;
    drop(first);
    let next = Desktop::start();
    let daemon = Notifications::start(next.bus());
    let _second = Process::spawn(home.from(&next, &[]));
    let request = yes_or_no("que_1", "Still there?");
    home.replay.ask(Kind::Question, DIRECTORY, request).await;
    let shown = daemon
        .wait_for(|shown| shown.summary.ends_with("Still there?"), SOON)
        .await;
    assert!(!home.beckon.is_running(), "the first has given way");
    daemon.press(shown.id, shown.action("Answer…").unwrap());
    eventually("a window in the next login", SOON, async || {
        stands(&next).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_that_lives_keeps_its_beckon_and_a_window_comes_where_it_is_called() {
    let first = Desktop::start();
    let home = Home::in_login(&first).await;
    let other = Desktop::start();
    let second = home.from(&other, &[]).output().unwrap();
    let said = String::from_utf8_lossy(&second.stdout).into_owned();
    assert!(second.status.success(), "{second:?}");
    assert!(said.contains("in another login of yours"), "{said}");
    for desktop in [&other, &first, &other] {
        let shown = home.from(desktop, &["show", "--window"]).output().unwrap();
        assert!(shown.status.success(), "{shown:?}");
        eventually("a window where it was called", SOON, async || {
            stands(desktop).then_some(())
        })
        .await;
    }
    assert!(!stands(&first), "one program has the windows");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_has_no_screen_to_come_up_on_is_said_not_to_come() {
    let first = Desktop::start();
    let home = Home::in_login(&first).await;
    // No display has that number; a number that was in use might be given to another test.
    let mut call = home.from(&first, &["show", "--window"]);
    let shown = call.env("DISPLAY", ":64123").output().unwrap();
    assert_eq!(shown.status.code(), Some(1), "{shown:?}");
    let said = String::from_utf8_lossy(&shown.stderr);
    assert!(said.contains("beckon list"), "{said}");
}
