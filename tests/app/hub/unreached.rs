//! Tests of a machine that serves the bot and reaches the hub, but not Telegram.

use super::shared_bot::{Machines, stands};
use super::*;
use crate::common::phone::Phone;
use beckon_support::relay::Relay;
use beckon_support::telegram::{Call, Method};
use std::time::Instant;

/// The time limit for another machine to begin: the first tries for a minute, and then its lease
/// runs out in half a minute.
const FOLLOWED: Duration = Duration::from_secs(180);

/// Returns a wire to Telegram, and the address of this end.
fn wired(phone: &Phone) -> (Relay, String) {
    let port = phone
        .telegram
        .url()
        .rsplit(':')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let wire = Relay::to_port(port);
    let way = format!("http://127.0.0.1:{}", wire.port());
    (wire, way)
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_reach_telegram_lets_another_machine_serve_the_bot() {
    let phone = Phone::new();
    let (wire, way) = wired(&phone);
    let ways = [way, phone.telegram.url()];
    let machines = Machines::by(Version::V2_10_26, phone, &ways).await;
    let Machines { phone, beckons, .. } = &machines;
    let asker = ask(&beckons[0], "Which way?");
    let card = phone.card("Which way?").await;
    machines.card_is_known().await;
    let cut = Instant::now();
    wire.cut();
    let polled =
        |call: &Call| call.method == Method::GetUpdates && call.at > cut + Duration::from_secs(1);
    let took = phone.telegram.wait_call(polled, FOLLOWED).await.at - cut;
    assert!(
        took > Duration::from_secs(60),
        "it might have been over in a moment: {took:?}"
    );
    phone.tap(card.id, "Left").await;
    assert_eq!(said(asker).await, "Left\n");
    assert_eq!(machines.sent("Which way?"), 1);
    // The first machine reaches Telegram again, and lets the other one go on.
    wire.mend();
    stands(&beckons[0], "standby").await;
    let next = ask(&beckons[0], "And now?");
    let card = phone.card("And now?").await;
    phone.tap(card.id, "Right").await;
    assert_eq!(said(next).await, "Right\n");
    stands(&beckons[1], "works").await;
    machines.nobody_fought();
    phone.nothing_left().await;
}
