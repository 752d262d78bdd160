//! Tests of the private desktop: real daemons whose buttons are really pressed, a tray, a
//! screenshot.

use std::collections::HashMap;

use beckon_support::desktop::{Daemon, Desktop};
use beckon_support::notifications::NAME;
use zbus::blocking::{Connection, MessageIterator};
use zbus::zvariant::Value;

const PATH: &str = "/org/freedesktop/Notifications";

fn notify(client: &Connection) -> u32 {
    let hints = HashMap::from([("urgency", Value::from(1_u8))]);
    let actions = ["yes", "Yes please", "no", "No thanks"].as_slice();
    let fields = ("test", 0_u32, "", "Title", "Body", actions, hints, 0_i32);
    let answer = client
        .call_method(Some(NAME), PATH, Some(NAME), "Notify", &fields)
        .unwrap();
    answer.body().deserialize().unwrap()
}

fn presses(client: &Connection) -> MessageIterator {
    let rule = format!("type='signal',interface='{NAME}',member='ActionInvoked'");
    let rule: zbus::MatchRule<'_> = rule.as_str().try_into().unwrap();
    MessageIterator::for_match_rule(rule, client, Some(64)).unwrap()
}

fn next(presses: &mut MessageIterator) -> (u32, String) {
    presses
        .next()
        .unwrap()
        .unwrap()
        .body()
        .deserialize()
        .unwrap()
}

fn press(desktop: &Desktop, label: &str) {
    let received = desktop
        .received()
        .pop()
        .expect("the daemon recorded what it showed");
    assert_eq!(
        (received.title.as_str(), received.body.as_str()),
        ("Title", "Body")
    );
    desktop.press(&received, received.button(label, 0));
}

#[test]
fn buttons_of_real_daemons_are_pressed_and_the_panel_takes_icons() {
    let mut desktop = Desktop::start();
    let client = desktop.bus().connect();
    let mut presses = presses(&client);

    desktop.start_daemon(Daemon::Dunst);
    let id = notify(&client);
    press(&desktop, "No thanks");
    assert_eq!(next(&mut presses), (id, "no".to_owned()));

    desktop.start_daemon(Daemon::Xfce4Notifyd);
    let id = notify(&client);
    press(&desktop, "Yes please");
    assert_eq!(next(&mut presses), (id, "yes".to_owned()));

    desktop.start_panel();
    let shot = desktop.home().join("shot.png");
    desktop.screenshot(&shot);
    assert!(std::fs::metadata(shot).unwrap().len() > 100);
}
