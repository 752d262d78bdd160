//! Tests of one bot for several machines: one of them polls and sends, and another takes over when
//! it is gone, with the same cards. They use the strict fake of Telegram, and real servers.

use super::{SEEDS, SOON, ask, connected, listing, said};
use crate::common::http::call;
use crate::common::phone::Phone;
use beckon_support::beckon::Beckon;
use beckon_support::eventually;
use beckon_support::nats::{Nats, Version};
use beckon_support::telegram::{Call, ChatId, Fault, Method, Outcome};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The time limit for a takeover; a lease lives for 30 s after its last renewal.
const HANDOVER: Duration = Duration::from_secs(50);

/// Machines that share a bot; the first one serves it, and has paired Ada.
pub(super) struct Machines {
    hub: Nats,
    pub(super) phone: Phone,
    pub(super) beckons: Vec<Beckon>,
}

/// Returns the settings of a machine on that hub, with its address of Telegram.
fn settings(hub: &Nats, listed: &str, way: &str) -> String {
    format!(
        "opencode = []\nlanguage = \"en\"\n[hub]\nurl = \"{}\"\ndevices = {{ {listed} }}\n[telegram]\napi_url = \"{way}\"\nforward = \"always\"\n",
        hub.url(),
    )
}

impl Machines {
    async fn start(version: Version, count: usize) -> Self {
        let phone = Phone::new();
        let ways = vec![phone.telegram.url(); count];
        Self::by(version, phone, &ways).await
    }

    /// Starts machines, each with its own address of Telegram.
    pub(super) async fn by(version: Version, phone: Phone, ways: &[String]) -> Self {
        let hub = Nats::start(version);
        let devices: Vec<usize> = (0..ways.len()).collect();
        let listed = listing(&hub, &devices).await;
        let beckons = devices.iter().zip(ways).map(|(device, way)| {
            let config = settings(&hub, &listed, way);
            let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config(&config);
            Phone::knows_token(builder)
                .env("BECKON_HUB_KEY", SEEDS[*device])
                .build()
        });
        let beckons = beckons.collect();
        let machines = Self {
            hub,
            phone,
            beckons,
        };
        machines.begin().await;
        machines
    }

    async fn begin(&self) {
        for (number, beckon) in self.beckons.iter().enumerate() {
            beckon.start();
            connected(beckon).await;
            let wanted = if number == 0 { "works" } else { "standby" };
            stands(beckon, wanted).await;
            if number == 0 {
                self.phone.telegram.wait_polled(SOON).await;
                self.phone.pair(beckon).await;
            }
        }
    }

    /// Returns how often the bot has sent that question.
    pub(super) fn sent(&self, question: &str) -> usize {
        self.phone.sent(question)
    }

    /// Waits until the hub has a card's record, by which the next machine that serves the bot finds
    /// the message.
    pub(super) async fn card_is_known(&self) {
        let client = async_nats::connect(self.hub.url()).await.unwrap();
        let cards = async_nats::jetstream::new(client)
            .get_stream("BK_CARDS")
            .await
            .unwrap();
        eventually("the record of a card", SOON, async || {
            (cards.get_info().await.ok()?.state.messages > 0).then_some(())
        })
        .await;
    }

    /// Checks that no machine's poll was refused because of another's.
    pub(super) fn nobody_fought(&self) {
        let fought = |call: &Call| matches!(call.outcome, Outcome::Refused(409, _));
        let polls = self.phone.telegram.calls_of(Method::GetUpdates);
        assert_eq!(polls.into_iter().filter(fought).count(), 0);
    }

    /// Waits until another machine than the first polls; returns how long that took.
    async fn handed_over(&self, since: Instant) -> Duration {
        let polled = |call: &Call| call.method == Method::GetUpdates && call.at > since;
        let call = self.phone.telegram.wait_call(polled, HANDOVER).await;
        call.at - since
    }
}

pub(super) async fn stands(beckon: &Beckon, state: &str) {
    eventually(&format!("Telegram is {state}"), SOON, async || {
        (beckon.status().await["channels"]["telegram"]["state"] == state).then_some(())
    })
    .await;
}

async fn shared_by_three(version: Version) {
    let machines = Machines::start(version, 3).await;
    let Machines { phone, beckons, .. } = &machines;
    for (number, beckon) in beckons.iter().enumerate() {
        let question = format!("Asked by {number}?");
        let asker = ask(beckon, &question);
        let card = phone.card(&question).await;
        phone.tap(card.id, "Right").await;
        assert_eq!(said(asker).await, "Right\n");
        phone.ended(card.id, "Right").await;
        assert_eq!(machines.sent(&question), 1);
    }
    for beckon in &beckons[1..] {
        let status = beckon.status().await;
        let error = status["channels"]["telegram"]["error"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(
            error.contains("@beckon_test_bot is served by device0"),
            "{error}"
        );
        assert_eq!(status["channels"]["telegram"]["paired"], 1, "{status}");
    }
    machines.nobody_fought();
    phone.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_ask_of_three_machines_is_on_the_phone_once_and_a_tap_reaches_its_owner() {
    shared_by_three(Version::V2_10_26).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn three_machines_share_a_bot_over_the_server_of_debian() {
    shared_by_three(Version::V2_9_10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn three_machines_share_a_bot_over_a_new_server() {
    shared_by_three(Version::V2_15_1).await;
}

async fn killed_holder(version: Version) {
    let machines = Machines::start(version, 3).await;
    let Machines { phone, beckons, .. } = &machines;
    let theirs = ask(&beckons[1], "Of the second?");
    let card = phone.card("Of the second?").await;
    machines.card_is_known().await;
    let killed = Instant::now();
    beckons[0].kill9();
    // No machine polls; the tap waits for the next one.
    phone.telegram.tap(phone.user, phone.chat, card.id, "Left");
    let took = machines.handed_over(killed).await;
    assert!(
        took > Duration::from_secs(20),
        "the former holder could have gone on until then"
    );
    assert_eq!(said(theirs).await, "Left\n");
    phone.ended(card.id, "Left").await;
    assert_eq!(machines.sent("Of the second?"), 1);
    // A machine that has never paired anybody knows who may answer.
    let next = ask(&beckons[2], "Of the third?");
    let card = phone.card("Of the third?").await;
    phone.tap(card.id, "Right").await;
    assert_eq!(said(next).await, "Right\n");
    // The former holder is back, and lets the other one serve.
    beckons[0].start();
    connected(&beckons[0]).await;
    stands(&beckons[0], "standby").await;
    let back = ask(&beckons[0], "Back?");
    let card = phone.card("Back?").await;
    phone.tap(card.id, "Left").await;
    assert_eq!(said(back).await, "Left\n");
    assert_eq!(machines.sent("Back?"), 1);
    machines.nobody_fought();
    // The tap during the gap counted, but was too old to be answered by words.
    eventually("no open card", SOON, async || {
        phone.open_cards().is_empty().then_some(())
    })
    .await;
    assert_eq!(phone.telegram.unanswered_taps().len(), 1);
    assert_eq!(phone.telegram.complaints(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_holder_is_followed_by_another_with_the_same_cards() {
    killed_holder(Version::V2_10_26).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_holder_is_followed_over_the_server_of_debian() {
    killed_holder(Version::V2_9_10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_holder_is_followed_over_a_new_server() {
    killed_holder(Version::V2_15_1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_holder_that_was_stopped_in_the_middle_of_a_send_leaves_one_card() {
    let machines = Machines::start(Version::V2_10_26, 2).await;
    let Machines { phone, beckons, .. } = &machines;
    phone
        .telegram
        .fail(Method::SendMessage, 1, Fault::DoneThenLate(1_000));
    let asker = ask(&beckons[1], "Twice?");
    eventually("the message is there", SOON, async || {
        (machines.sent("Twice?") == 1).then_some(())
    })
    .await;
    let stopped = Instant::now();
    beckons[0].sigstop();
    machines.handed_over(stopped).await;
    // The hub has no record of the first message.
    eventually("the second message", SOON, async || {
        (machines.sent("Twice?") == 2).then_some(())
    })
    .await;
    beckons[0].sigcont();
    stands(&beckons[0], "standby").await;
    eventually("one card", SOON, async || {
        let cards = phone.open_cards();
        (cards.len() == 1).then_some(())
    })
    .await;
    let card = phone.card("Twice?").await;
    phone.tap(card.id, "Left").await;
    assert_eq!(said(asker).await, "Left\n");
    phone.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_buttons_of_a_message_without_a_record_answer_its_ask() {
    let machines = Machines::start(Version::V2_10_26, 2).await;
    let Machines { phone, beckons, .. } = &machines;
    phone
        .telegram
        .fail(Method::SendMessage, 1, Fault::DoneThenHang);
    let asker = ask(&beckons[1], "Whose?");
    eventually("the message is there", SOON, async || {
        (machines.sent("Whose?") == 1).then_some(())
    })
    .await;
    let killed = Instant::now();
    beckons[0].kill9();
    machines.handed_over(killed).await;
    eventually("the second message", SOON, async || {
        (machines.sent("Whose?") == 2).then_some(())
    })
    .await;
    let first = phone
        .open_cards()
        .into_iter()
        .find(|card| card.text.contains("Whose?"))
        .unwrap();
    phone.tap(first.id, "Right").await;
    assert_eq!(said(asker).await, "Right\n");
    phone.ended(first.id, "Right").await;
    phone.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_was_sent_without_the_hub_is_told_to_the_next_holder() {
    let machines = Machines::start(Version::V2_10_26, 2).await;
    let Machines {
        hub,
        phone,
        beckons,
    } = &machines;
    hub.kill9();
    let asker = ask(&beckons[0], "Between?");
    phone.card("Between?").await;
    let stopped = Instant::now();
    beckons[0].sigstop();
    hub.go();
    machines.handed_over(stopped).await;
    beckons[0].sigcont();
    stands(&beckons[0], "standby").await;
    eventually("the other one hears of the ask", SOON, async || {
        (!beckons[1].list().await.is_empty()).then_some(())
    })
    .await;
    // The next holder may have sent its own message before it heard of the first one.
    eventually("one card of the ask", SOON, async || {
        (machines.sent("Between?") > 0 && phone.open_cards().len() == 1).then_some(())
    })
    .await;
    let card = phone.card("Between?").await;
    phone.tap(card.id, "Left").await;
    assert_eq!(said(asker).await, "Left\n");
    phone.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_whose_ask_came_and_went_without_the_hub_is_closed_by_the_next_holder() {
    let machines = Machines::start(Version::V2_10_26, 2).await;
    let Machines {
        hub,
        phone,
        beckons,
    } = &machines;
    hub.kill9();
    let asker = ask(&beckons[0], "Over by then?");
    let card = phone.card("Over by then?").await;
    eventually("it has stopped", HANDOVER, async || {
        (beckons[0].status().await["channels"]["telegram"]["state"] == "standby").then_some(())
    })
    .await;
    let open = beckons[0].list().await;
    let id = open[0]["id"].as_str().unwrap();
    let given = beckons[0].command(&["answer", id, "--choice", "1"]).await;
    assert_eq!(given.status, Some(0), "{given:?}");
    assert_eq!(said(asker).await, "Left\n");
    assert_eq!(phone.open_cards().len(), 1, "nobody may send");
    // The machine that takes the bot over has never heard of the ask.
    beckons[0].kill9();
    let killed = Instant::now();
    hub.go();
    machines.handed_over(killed).await;
    beckons[0].start();
    connected(&beckons[0]).await;
    stands(&beckons[0], "standby").await;
    eventually("no open card", SOON, async || {
        phone.open_cards().is_empty().then_some(())
    })
    .await;
    let message = phone.telegram.message(phone.chat, card.id);
    assert!(message.is_some(), "what was asked can still be read");
    assert_eq!(phone.telegram.complaints(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_that_was_killed_and_is_back_changes_nothing_on_the_phone() {
    let machines = Machines::start(Version::V2_10_26, 2).await;
    let Machines {
        hub,
        phone,
        beckons,
    } = &machines;
    let asker = ask(&beckons[1], "Before?");
    let card = phone.card("Before?").await;
    hub.kill9();
    phone.telegram.wait_polled(SOON).await;
    hub.go();
    phone.tap(card.id, "Left").await;
    assert_eq!(said(asker).await, "Left\n");
    stands(&beckons[0], "works").await;
    stands(&beckons[1], "standby").await;
    machines.nobody_fought();
    phone.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_hub_the_last_holder_goes_on_if_nobody_else_polls() {
    let machines = Machines::start(Version::V2_10_26, 2).await;
    let Machines {
        hub,
        phone,
        beckons,
    } = &machines;
    hub.kill9();
    eventually("it has stopped", HANDOVER, async || {
        (beckons[0].status().await["channels"]["telegram"]["state"] == "standby").then_some(())
    })
    .await;
    let asker = ask(&beckons[0], "Alone?");
    let card = tokio::time::timeout(2 * HANDOVER, phone.card("Alone?"))
        .await
        .unwrap();
    phone.tap(card.id, "Left").await;
    assert_eq!(said(asker).await, "Left\n");
    hub.go();
    stands(&beckons[1], "standby").await;
    stands(&beckons[0], "works").await;
    machines.nobody_fought();
    phone.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_paired_by_a_record_that_no_machine_has_signed() {
    let machines = Machines::start(Version::V2_10_26, 2).await;
    let Machines {
        hub,
        phone,
        beckons,
    } = &machines;
    let mallory = phone.telegram.user("Mallory");
    let person = json!({ "mark": 9, "value": "{\"name\":\"Mallory\",\"private\":true}" });
    let name = format!("person:{}", ChatId::from(mallory).0);
    let forged = json!({ "v": 1, "entries": { name: person } }).to_string();
    let client = async_nats::connect(hub.url()).await.unwrap();
    let jetstream = async_nats::jetstream::new(client);
    let subject = "bk.chats.7000000001.Mall0ry";
    jetstream
        .publish(subject, forged.into())
        .await
        .unwrap()
        .await
        .unwrap();
    for beckon in beckons {
        eventually("the record is refused", SOON, async || {
            let warnings = beckon.status().await["warnings"].to_string();
            warnings.contains("1 unreadable").then_some(())
        })
        .await;
        let people = beckon
            .command(&["telegram", "people", "--json"])
            .await
            .json();
        assert_eq!(people.as_array().unwrap().len(), 1, "{people}");
    }
    let asker = ask(&beckons[1], "Who answers?");
    let card = phone.card("Who answers?").await;
    phone.telegram.text(mallory, mallory.into(), "1");
    phone.tap(card.id, "Right").await;
    assert_eq!(said(asker).await, "Right\n");
    assert_eq!(
        phone.telegram.messages(mallory.into()),
        [],
        "nobody writes to a stranger"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_is_unpaired_on_one_machine_is_unpaired_on_all() {
    let machines = Machines::start(Version::V2_10_26, 2).await;
    let Machines { phone, beckons, .. } = &machines;
    let unpaired = beckons[1].command(&["telegram", "unpair", "Ada"]).await;
    assert_eq!(unpaired.status, Some(0), "{unpaired:?}");
    for beckon in beckons {
        eventually("nobody is paired", SOON, async || {
            (beckon.status().await["channels"]["telegram"]["paired"] == 0).then_some(())
        })
        .await;
    }
    // The person stays unpaired over a restart, though the hub still has the earlier record.
    beckons[0].kill9();
    beckons[0].start();
    connected(&beckons[0]).await;
    stands(&beckons[0], "works").await;
    assert_eq!(
        beckons[0].status().await["channels"]["telegram"]["paired"],
        0
    );
    phone.pair(&beckons[0]).await;
    eventually("paired everywhere", SOON, async || {
        (beckons[1].status().await["channels"]["telegram"]["paired"] == 1).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_that_leaves_the_hub_leaves_the_bot_to_another_at_once() {
    let machines = Machines::start(Version::V2_10_26, 2).await;
    let Machines { phone, beckons, .. } = &machines;
    let theirs = ask(&beckons[1], "Of the second?");
    let card = phone.card("Of the second?").await;
    machines.card_is_known().await;
    let seen = hub_of(&beckons[1]).await;
    assert_eq!(seen["bot"]["served"], "elsewhere", "{seen}");
    let serves = |seen: &Value, at: usize| seen["machines"][at]["serves_bot"].clone();
    assert_eq!(
        [serves(&seen, 0), serves(&seen, 1)],
        [json!(false), json!(true)],
        "{seen}"
    );
    let began = Instant::now();
    let left = beckons[0].command(&["hub", "leave"]).await;
    assert_eq!(left.status, Some(0), "{left:?}");
    assert!(
        left.stdout
            .contains("still has the token of @beckon_test_bot"),
        "{left:?}"
    );
    eventually("the other one has the lease", SOON, async || {
        beckons[1].stderr().contains("holder=Own").then_some(())
    })
    .await;
    let took = began.elapsed();
    println!("from leaving to the next holder's lease: {took:?}");
    assert!(took < Duration::from_secs(5), "{took:?}");
    eventually("the page says so", SOON, async || {
        (hub_of(&beckons[1]).await["bot"]["served"] == "here").then_some(())
    })
    .await;
    // The card is still open: a machine that leaves does not end it.
    assert!(phone.open_cards().iter().any(|open| open.id == card.id));
    drop(theirs);
}

async fn hub_of(beckon: &Beckon) -> Value {
    call(beckon, reqwest::Method::GET, "/hub", &Value::Null)
        .await
        .1
}

/// Makes the first machine leave the hub; returns its reason for being silent.
async fn leaves(machines: &Machines) -> String {
    let Machines { beckons, .. } = machines;
    let left = beckons[0].command(&["hub", "leave"]).await;
    assert_eq!(left.status, Some(0), "{left:?}");
    stands(&beckons[1], "works").await;
    stands(&beckons[0], "standby").await;
    let status = beckons[0].status().await;
    status["channels"]["telegram"]["error"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_that_has_left_the_hub_disturbs_no_poll_and_says_why_it_is_silent() {
    let machines = Machines::start(Version::V2_10_26, 2).await;
    let Machines { phone, beckons, .. } = &machines;
    let why = leaves(&machines).await;
    assert!(why.contains("since this machine left the hub"), "{why}");
    // After a restart the machine stays silent too, and begins to listen at once.
    beckons[0].kill9();
    let began = Instant::now();
    beckons[0].start();
    beckons[0].wait_ready().await;
    let listened = |call: &Call| {
        let is_refused = matches!(call.outcome, Outcome::Refused(409, _));
        call.method == Method::GetUpdates && call.at > began && is_refused
    };
    phone.telegram.wait_call(listened, SOON).await;
    stands(&beckons[0], "standby").await;
    let asker = ask(&beckons[1], "Still by one?");
    let card = phone.card("Still by one?").await;
    phone.tap(card.id, "Right").await;
    assert_eq!(said(asker).await, "Right\n");
    let _silent = ask(&beckons[0], "Of who left?");
    let asker = ask(&beckons[1], "And then?");
    phone.card("And then?").await;
    assert_eq!(machines.sent("Of who left?"), 0);
    let polls = phone.telegram.calls_of(Method::GetUpdates);
    let listens = polls
        .iter()
        .filter(|call| call.param("limit") == "1" && call.at > began);
    assert_eq!(listens.count(), 1, "it steps back before it listens again");
    // No other machine polls any more.
    beckons[1].kill9();
    beckons[0].kill9();
    beckons[0].start();
    beckons[0].wait_ready().await;
    eventually("it serves the bot again", HANDOVER, async || {
        (machines.sent("Of who left?") == 1).then_some(())
    })
    .await;
    stands(&beckons[0], "works").await;
    drop(asker);
}

/// Moves a machine with the same bot to another hub, where it is alone.
async fn joins_another(machines: &Machines, of: usize) -> Nats {
    let hub = Nats::start(Version::V2_10_26);
    let listed = listing(&hub, &[of]).await;
    let way = machines.phone.telegram.url();
    machines.beckons[of].write_config(&settings(&hub, &listed, &way));
    hub
}

async fn is_silent_since(beckon: &Beckon, why: &str) {
    eventually(why, HANDOVER * 2, async || {
        let telegram = &beckon.status().await["channels"]["telegram"];
        let error = telegram["error"].as_str()?;
        (telegram["state"] == "standby" && error.contains(why)).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_stays_with_a_hub_is_not_taken_to_another_one() {
    let machines = Machines::start(Version::V2_10_26, 2).await;
    let Machines { phone, beckons, .. } = &machines;
    leaves(&machines).await;
    let _work = joins_another(&machines, 0).await;
    connected(&beckons[0]).await;
    is_silent_since(
        &beckons[0],
        "somebody who isn't on this hub uses @beckon_test_bot",
    )
    .await;
    assert_eq!(hub_of(&beckons[0]).await["bot"]["served"], "foreign");
    let asker = ask(&beckons[1], "Of home?");
    let card = phone.card("Of home?").await;
    phone.tap(card.id, "Right").await;
    assert_eq!(said(asker).await, "Right\n");
    let _silent = ask(&beckons[0], "Of work?");
    // The machine remembers it also after it has left that hub, where no other machine has the bot.
    assert_eq!(beckons[0].command(&["hub", "leave"]).await.status, Some(0));
    is_silent_since(&beckons[0], "since this machine left the hub").await;
    assert_eq!(machines.sent("Of work?"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_on_two_hubs_ends_with_one_of_them_and_the_other_says_so() {
    let machines = Machines::start(Version::V2_10_26, 1).await;
    let Machines { phone, beckons, .. } = &machines;
    let hub = Nats::start(Version::V2_10_26);
    let config = settings(&hub, &listing(&hub, &[1]).await, &phone.telegram.url());
    let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config(&config);
    let other = Phone::knows_token(builder)
        .env("BECKON_HUB_KEY", SEEDS[1])
        .build();
    other.start();
    connected(&other).await;
    let served = async |beckon: &Beckon| hub_of(beckon).await["bot"]["served"].clone();
    let both = eventually("one of them steps back", HANDOVER * 3, async || {
        let both = [served(&beckons[0]).await, served(&other).await];
        both.contains(&json!("foreign")).then_some(both)
    })
    .await;
    let (serves, silent) = if both[0] == "foreign" {
        (&other, &beckons[0])
    } else {
        (&beckons[0], &other)
    };
    is_silent_since(silent, "somebody who isn't on this hub").await;
    stands(serves, "works").await;
    assert_eq!(served(serves).await, "here");
}
