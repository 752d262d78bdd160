//! Tests of a clock that is set back or forth, while Beckon runs and while it does not, and at the
//! beginning and end of summer time. Durations that have begun must not change. The real program
//! runs with a wall clock of its own.

use crate::common::phone::{Outing, Phone};
use crate::common::{self, Rehearsal, SOON};
use beckon_support::beckon::{Beckon, Builder};
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::presence::Logind;
use beckon_support::telegram::{Fault, Message, Method};
use beckon_support::wall_clock::WallClock;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;

/// The settings that send an ask to the phone after 2 s although the human is here, remind every
/// second, and let it expire.
const HASTY: &str =
    "[escalation]\nafter = \"2s\"\nremind = \"1s\"\n[questions]\nexpire_after = \"4s\"\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_set_back_an_hour_and_then_a_year_delays_nothing_and_brings_nothing_early() {
    whatever_the_clock_shows(&[-HOUR, -YEAR]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_set_forth_a_day_brings_nothing_early() {
    whatever_the_clock_shows(&[DAY]).await;
}

/// Checks that an ask goes to the phone, reminds and expires after the usual times.
async fn whatever_the_clock_shows(jumps: &[i64]) {
    let desk = AtTheDesk::with(HASTY).await;
    let asked = Instant::now();
    desk.stage.ask("que_1", "Go on?").await;
    for seconds in jumps {
        desk.clock.set_by(*seconds);
        // Beckon looks at the clock whenever an event arrives.
        desk.logind.set_locked(false);
        assert_eq!(waits_by_another_clock(&desk.stage.beckon).await, "que_1");
    }
    let replies = desk.stage.replies("que_1", 1).await;
    assert!(replies[0].rejected, "{replies:?}");
    not_before(4, replies[0].at - asked);
    desk.came_in_their_time(asked);
    desk.history_tells_how_long(4).await;
    desk.stage.nothing_left().await;
    desk.phone.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_here_stays_here_when_the_clock_is_set_forth() {
    let desk = AtTheDesk::with("").await;
    desk.stage.ask("que_1", "Go on?").await;
    desk.clock.set_ahead(DAY);
    desk.logind.set_locked(false);
    desk.noticed(1).await;
    desk.logind.set_locked(true);
    // The card is on the phone now and was not before: the locked screen sent it there.
    desk.phone.card("Go on?").await;
    assert!(
        !desk.log().contains("Asleep"),
        "nobody has slept: {}",
        desk.log()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_open_when_beckon_ended_does_not_wait_for_a_clock_that_was_set_back_to_catch_up() {
    let desk = AtTheDesk::with("[escalation]\nafter = \"2s\"\nremind = \"1s\"\n").await;
    desk.stage.ask("que_1", "Go on?").await;
    desk.stage.beckon.terminate();
    desk.clock.set_ahead(-HOUR);
    desk.stage.restarted("Go on?").await;
    let card = desk.phone.card("Go on?").await;
    let reminder = desk.phone.says("Still waiting after").await;
    assert!(
        says_seconds(&reminder.text, "Still waiting after "),
        "{}",
        reminder.text
    );
    let list = desk.stage.beckon.command(&["list"]).await.stdout;
    assert!(says_seconds(&list, "· waiting · "), "{list}");
    desk.phone.tap(card.id, "Yes").await;
    desk.stage.answered_once("que_1", "Yes").await;
    desk.phone.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_clock_that_was_set_forth_meanwhile_what_was_missed_rings_once() {
    let desk = AtTheDesk::with("[escalation]\nremind = \"1h\"\n").await;
    desk.stage.ask("que_1", "Go on?").await;
    desk.stage.beckon.terminate();
    desk.clock.set_ahead(DAY);
    desk.stage.restarted("Go on?").await;
    let card = desk.phone.card("Go on?").await;
    desk.phone.tap(card.id, "Yes").await;
    desk.stage.answered_once("que_1", "Yes").await;
    assert!(
        desk.phone.sent("Still waiting after") <= 1,
        "not once for every hour"
    );
    desk.phone.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_says_when_it_expires_by_the_clock_that_its_reader_has() {
    let desk = AtTheDesk::with("").await;
    desk.stage.ask("que_1", "Go on?").await;
    desk.stage.beckon.terminate();
    desk.clock.set_ahead(26 * 60);
    desk.stage.restarted("Go on?").await;
    desk.card("Go on?").await;
    // The card is there already when its warning is due, with four minutes left.
    let settings = common::config(&desk.stage.replay.url()) + &desk.phone.config();
    let expiring = settings + "[questions]\nexpire_after = \"30m\"\n";
    desk.stage.beckon.write_config(&expiring);
    let card = desk.card("⌛ Expires at").await;
    desk.clock.set_by(-3 * HOUR);
    desk.noticed(1).await;
    let earlier = (expires(&card) + 21 * 60) % (24 * 60);
    eventually("the card says so by the new clock", SOON, async || {
        let card = desk.phone.telegram.message(desk.phone.chat, card.id)?;
        // A difference of a second may make it the next minute.
        (expires(&card).abs_diff(earlier) <= 1).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_a_pause_nor_an_hour_away_grows_by_a_clock_that_is_set_back() {
    let desk = AtTheDesk::with("").await;
    let beckon = &desk.stage.beckon;
    beckon.command(&["presence", "away", "--for", "1h"]).await;
    desk.pause_for(HOUR).await;
    for by in [-HOUR, -YEAR, 600] {
        desk.clock.set_by(by);
        desk.left_is_at_most(HOUR).await;
    }
    for by in [-HOUR, -YEAR] {
        beckon.terminate();
        desk.clock.set_by(by);
        beckon.start();
        desk.stage.ready().await;
        desk.left_is_at_most(HOUR).await;
    }
    // Set forth, the clock ends it before its time, and nobody has to wait.
    desk.clock.set_by(DAY);
    assert_eq!(beckon.status().await["paused_until"], Value::Null);
    assert_eq!(beckon.status().await["presence"]["until"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_limit_of_a_script_is_a_length_of_time() {
    let desk = AtTheDesk::with("").await;
    let began = Instant::now();
    let asks = desk
        .stage
        .beckon
        .prepare(&["ask", "--question", "Go on?", "--timeout", "2s"]);
    let asking = tokio::spawn(tokio::process::Command::from(asks).output());
    desk.stage.shown("Go on?").await;
    desk.clock.set_ahead(-HOUR);
    desk.noticed(1).await;
    let output = asking.await.unwrap().unwrap();
    assert_eq!(output.status.code(), Some(4), "timed out: {output:?}");
    not_before(2, began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_with_a_clock_set_back_does_not_lengthen_what_a_ticket_was_given() {
    let desk = AtTheDesk::with("").await;
    let question = json!({ "question": "Go on?", "header": "", "options": [] });
    let body = json!({ "questions": [question], "timeout": 2, "ticket": true });
    let id = desk.post("/question", &body).await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    desk.stage.shown("Go on?").await;
    desk.stage.beckon.terminate();
    desk.clock.set_ahead(-HOUR);
    desk.stage.beckon.start();
    desk.stage.ready().await;
    eventually(&format!("{id} ends"), SOON, async || {
        desk.stage.beckon.list().await.is_empty().then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quiet_hours_begin_when_the_wall_clock_says_so_on_the_day_on_which_summer_begins() {
    // The clock goes from 02:00 to 03:00, on 29 March 2026 at 01:00 UTC.
    let night = Night::with("03:00-04:00").await;
    night
        .rings("2026-03-29T00:59:00Z", "01:59 winter", false)
        .await;
    night
        .rings("2026-03-29T01:00:10Z", "03:00 summer", true)
        .await;
    // On the day before, that was 02:59.
    night
        .rings("2026-03-29T01:59:30Z", "03:59 summer", true)
        .await;
    night
        .rings("2026-03-29T02:00:10Z", "04:00 summer", false)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quiet_hours_last_for_both_of_the_hours_when_summer_ends() {
    // The clock goes from 03:00 to 02:00, on 25 October 2026 at 01:00 UTC.
    let night = Night::with("02:00-03:00").await;
    night
        .rings("2026-10-24T23:59:30Z", "01:59 summer", false)
        .await;
    night
        .rings("2026-10-25T00:30:00Z", "02:30 summer", true)
        .await;
    night
        .rings("2026-10-25T01:30:00Z", "02:30 winter", true)
        .await;
    night
        .rings("2026-10-25T02:00:10Z", "03:00 winter", false)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waited_for_telegram_sounds_as_the_hour_wants_at_which_it_is_sent() {
    let night = Night::with("02:00-04:00").await;
    for (asked, sent, silently) in [
        // The times are 02:30 and 04:10 by the wall clock, then 01:59 and 02:30.
        ("2026-07-01T00:30:00Z", "2026-07-01T02:10:00Z", false),
        ("2026-07-01T23:59:00Z", "2026-07-02T00:30:00Z", true),
    ] {
        let (phone, text) = (&night.outing.phone, format!("What at {asked}?"));
        night.set_to(asked);
        let before = phone.telegram.count_of(Method::SendMessage);
        let wait = Fault::TooManyRequests(3);
        phone.telegram.fail(Method::SendMessage, 1, wait);
        night.outing.begin(&format!("que_{before}"), &text).await;
        eventually("the card was refused", SOON, async || {
            (phone.telegram.count_of(Method::SendMessage) > before).then_some(())
        })
        .await;
        night.set_to(sent);
        let card = phone.card(&text).await;
        assert_eq!(card.silent, silently, "asked at {asked}, sent at {sent}");
    }
}

/// The stage: an agent, notifications, a paired phone that stays silent while the human is here,
/// and a clock.
struct AtTheDesk {
    stage: Rehearsal,
    phone: Phone,
    logind: Logind,
    clock: WallClock,
    _system: Bus,
}

impl AtTheDesk {
    async fn with(more: &str) -> Self {
        let (system, clock, phone) = (Bus::start(), WallClock::new(), Phone::new());
        let logind = Logind::start(&system);
        logind.set_idle(false);
        let tune = |program: Builder| clock.rule(Phone::knows_token(program).system_bus(&system));
        let stage = Rehearsal::with(&(phone.config() + more), tune);
        stage.beckon.start();
        stage.ready().await;
        phone.pair(&stage.beckon).await;
        let desk = Self {
            stage,
            phone,
            logind,
            clock,
            _system: system,
        };
        eventually("somebody is here", SOON, async || {
            (desk.stage.beckon.status().await["presence"]["state"] == "here").then_some(())
        })
        .await;
        desk
    }

    /// Checks that the ask came to the phone, reminded and warned not before its times, and not in
    /// a burst.
    fn came_in_their_time(&self, asked: Instant) {
        let calls = self.phone.telegram.calls_of(Method::SendMessage);
        let sent = |text: &str| -> Vec<Duration> {
            let of_it = calls
                .iter()
                .filter(|call| call.param("text").contains(text));
            of_it.map(|call| call.at - asked).collect()
        };
        let about = sent("Go on?");
        not_before(2, *about.first().expect("it came to the phone"));
        for (number, after) in sent("Still waiting after").into_iter().enumerate() {
            // The reminder after the first second rang at the desk alone.
            not_before(number as u64 + 2, after);
        }
        let texts = calls.iter().map(|call| call.param("text"));
        let ages = texts.filter(|text| text.contains("Still waiting after"));
        for text in ages {
            assert!(says_seconds(text, "Still waiting after "), "{text}");
        }
    }

    async fn history_tells_how_long(&self, seconds: i64) {
        let page = self.get("/history?limit=1").await;
        let waited = page["entries"][0]["waited_ms"].as_i64().unwrap();
        assert!((seconds * 1_000..60_000).contains(&waited), "{page}");
    }

    /// Waits until the program has noticed this many times that its clock was set.
    async fn noticed(&self, times: usize) {
        eventually("the clock was set", SOON, async || {
            self.stage.beckon.list().await;
            (self.log().matches("the clock was set").count() >= times).then_some(())
        })
        .await;
    }

    fn log(&self) -> String {
        self.stage.beckon.stderr()
    }

    async fn pause_for(&self, seconds: i64) {
        self.post(
            "/pause",
            &json!({ "until": self.clock.now() + seconds * 1_000 }),
        )
        .await;
        eventually("it pauses", SOON, async || {
            self.stage.beckon.status().await["paused_until"].as_i64()
        })
        .await;
    }

    /// Checks that what the human said for a while holds, and for no longer than that.
    async fn left_is_at_most(&self, seconds: i64) {
        let status = self.stage.beckon.status().await;
        let asked = self
            .stage
            .beckon
            .command(&["presence", "--json"])
            .await
            .json();
        for until in [
            &status["paused_until"],
            &status["presence"]["until"],
            &asked["until"],
        ] {
            let left = until.as_i64().expect("it holds") - self.clock.now();
            assert!(
                (1..=seconds * 1_000).contains(&left),
                "{left} ms are left: {status}"
            );
        }
    }

    /// Waits for a card on the phone with this text.
    async fn card(&self, text: &str) -> Message {
        let wanted =
            |message: &Message| message.text.contains(text) && !message.keyboard().is_empty();
        self.phone
            .telegram
            .wait_for(self.phone.chat, wanted, SOON)
            .await
    }

    async fn get(&self, path: &str) -> Value {
        self.send(reqwest::Method::GET, path, None).await
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        self.send(reqwest::Method::POST, path, Some(body)).await
    }

    async fn send(&self, method: reqwest::Method, path: &str, body: Option<&Value>) -> Value {
        let endpoint = self
            .stage
            .beckon
            .endpoint()
            .expect("run/endpoint.json is there");
        let url = format!("{}{path}", endpoint["url"].as_str().unwrap());
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client
            .request(method, url)
            .bearer_auth(endpoint["token"].as_str().unwrap());
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {answer:?}");
        answer.json().await.unwrap()
    }
}

/// A phone to which everything goes, in Berlin, with quiet hours.
struct Night {
    outing: Outing,
    clock: WallClock,
}

impl Night {
    async fn with(quiet: &str) -> Self {
        let (clock, phone) = (WallClock::new(), Phone::new());
        let settings = format!(
            "{}[escalation]\nquiet_hours = \"{quiet}\"\n",
            phone.config()
        );
        let tune = |program: Builder| {
            clock
                .rule(Phone::knows_token(program))
                .env("TZ", "Europe/Berlin")
        };
        let outing = Outing::of(Rehearsal::with(&settings, tune), phone);
        outing.stage.beckon.start();
        outing.stage.ready().await;
        outing.phone.pair(&outing.stage.beckon).await;
        Self { outing, clock }
    }

    fn set_to(&self, time: &str) {
        let at: jiff::Timestamp = time.parse().unwrap();
        self.clock.set_to(at.as_second());
    }

    /// Sets the clock and checks that a card comes with or without a sound. `on_the_wall` is the
    /// local time.
    async fn rings(&self, time: &str, on_the_wall: &str, silently: bool) {
        let at: jiff::Timestamp = time.parse().unwrap();
        self.clock.set_to(at.as_second());
        let text = format!("What at {on_the_wall}?");
        let card = self
            .outing
            .ask(&format!("que_{}", at.as_second()), &text)
            .await;
        assert_eq!(card.silent, silently, "{time} is {on_the_wall}");
    }
}

/// Returns the waiting ask, as a command sees it whose clock was not changed.
async fn waits_by_another_clock(beckon: &Beckon) -> String {
    let mut command = beckon.prepare(&["list", "--json"]);
    command.env_remove("LD_PRELOAD");
    let output = tokio::process::Command::from(command)
        .output()
        .await
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    list[0]["id"].as_str().expect("an ask waits").to_owned()
}

/// Checks that something took at least so long; up to 20 ms are allowed for the comparison of two
/// clocks.
fn not_before(seconds: u64, took: Duration) {
    assert!(
        took >= Duration::from_millis(seconds * 1_000 - 20),
        "already after {took:?}"
    );
}

/// Tells whether these words are followed by a number of seconds, and not by another unit.
fn says_seconds(text: &str, words: &str) -> bool {
    let rest = text.split(words).nth(1).unwrap_or_default();
    let (number, unit) = rest.split_once(' ').unwrap_or_default();
    number.parse::<u32>().is_ok() && unit.starts_with("s")
}

/// Returns the time at which a card says that it expires, in minutes of the day.
fn expires(card: &Message) -> i64 {
    let time = card.text.split("⌛ Expires at ").nth(1).unwrap_or_default();
    let (hours, minutes) = time
        .get(..5)
        .and_then(|time| time.split_once(':'))
        .expect("a time");
    hours.parse::<i64>().unwrap() * 60 + minutes.parse::<i64>().unwrap()
}
