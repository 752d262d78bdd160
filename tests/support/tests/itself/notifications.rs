//! Tests of the strict notification daemon on a private bus, driven by a plain client.

use std::collections::HashMap;
use std::time::Duration;

use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::notifications::{CLOSED_BY_CALL, NAME, Notifications};
use zbus::blocking::{Connection, MessageIterator};
use zbus::zvariant::Value;

const PATH: &str = "/org/freedesktop/Notifications";
const SOON: Duration = Duration::from_secs(5);

fn notify(client: &Connection, body: &str, actions: &[&str]) -> u32 {
    let hints = HashMap::from([("urgency", Value::from(2_u8))]);
    let fields = ("test", 0_u32, "", "Title", body, actions, hints, -1_i32);
    let answer = client
        .call_method(Some(NAME), PATH, Some(NAME), "Notify", &fields)
        .unwrap();
    answer.body().deserialize().unwrap()
}

#[tokio::test]
async fn a_pressed_button_reaches_the_client_before_the_close() {
    let bus = Bus::start();
    let daemon = Notifications::start(&bus);
    let client = bus.connect();
    let rule = format!("type='signal',interface='{NAME}'");
    let rule: zbus::MatchRule<'_> = rule.as_str().try_into().unwrap();
    let mut signals = MessageIterator::for_match_rule(rule, &client, Some(64)).unwrap();

    let id = notify(&client, "a &amp; <b>b</b>", &["yes", "Yes", "no", "No"]);
    let shown = daemon
        .wait_for(|shown| shown.summary == "Title", SOON)
        .await;
    assert_eq!(
        (shown.id, shown.urgency(), shown.action("No")),
        (id, Some(2), Some("no"))
    );
    daemon.press(id, "no");

    let pressed = signals.next().unwrap().unwrap();
    assert_eq!(pressed.header().member().unwrap().as_str(), "ActionInvoked");
    assert_eq!(
        pressed.body().deserialize::<(u32, String)>().unwrap(),
        (id, "no".to_owned())
    );
    let closed = signals.next().unwrap().unwrap();
    assert_eq!(closed.body().deserialize::<(u32, u32)>().unwrap(), (id, 2));
    assert!(daemon.open().is_empty());
    assert_eq!(daemon.violations(), Vec::<String>::new());
}

#[test]
fn breaches_of_the_specification_are_noted() {
    let bus = Bus::start();
    let daemon = Notifications::with_capabilities(&bus, &["body", "body-markup"]);
    notify(&bus.connect(), "a & b", &["yes", "Yes", "yes", "Also"]);
    assert_eq!(daemon.violations().len(), 3, "{:?}", daemon.violations());
}

#[test]
fn a_stopped_daemon_is_gone_and_a_new_one_remembers_nothing() {
    let bus = Bus::start();
    let mut daemon = Notifications::start(&bus);
    let client = bus.connect();
    notify(&client, "", &[]);
    daemon.stop();
    let close =
        |id: u32| client.call_method(Some(NAME), PATH, Some(NAME), "CloseNotification", &id);
    assert!(close(1).unwrap_err().to_string().contains("ServiceUnknown"));

    daemon.start_again();
    assert!(daemon.open().is_empty());
    assert!(close(1).is_err());
    assert_eq!(notify(&client, "", &[]), 1);
    close(1).unwrap();
    assert_eq!(daemon.closed(), [(1, CLOSED_BY_CALL)]);
}

#[tokio::test]
async fn fifty_presses_come_in_one_burst_and_a_hanging_daemon_answers_nobody() {
    let bus = Bus::start();
    let daemon = Notifications::start(&bus);
    let client = bus.connect();
    let rule = format!("type='signal',interface='{NAME}',member='ActionInvoked'");
    let rule: zbus::MatchRule<'_> = rule.as_str().try_into().unwrap();
    let signals = MessageIterator::for_match_rule(rule, &client, Some(64)).unwrap();
    let ids: Vec<u32> = (0..50)
        .map(|_| notify(&client, "", &["yes", "Yes"]))
        .collect();
    daemon.burst(&ids.iter().map(|id| (*id, "yes")).collect::<Vec<_>>());
    daemon.forged_press(4711, "yes");
    let pressed: Vec<u32> = signals
        .take(51)
        .map(|signal| {
            signal
                .unwrap()
                .body()
                .deserialize::<(u32, String)>()
                .unwrap()
                .0
        })
        .collect();
    assert_eq!(pressed, [ids, vec![4711]].concat());

    daemon.hang(true);
    let hanging = tokio::task::spawn_blocking(move || notify(&client, "", &[]));
    eventually("the call is recorded", SOON, async || {
        (daemon.all().len() == 51).then_some(())
    })
    .await;
    assert!(daemon.open().is_empty() && !hanging.is_finished());
    // Without the bus the call fails, and the blocked thread ends.
    drop(bus);
    assert!(hanging.await.is_err());
}
