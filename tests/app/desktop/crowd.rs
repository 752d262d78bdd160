//! Tests of many requests at once: a handful has a notification each, the others share one, and
//! nothing new covers the window in which the human answers.

use crate::common::{DIRECTORY, Rehearsal, SOON, yes_or_no};
use beckon_support::eventually;
use beckon_support::notifications::{DISMISSED, Shown};
use beckon_support::replay::Kind;

const MANY: usize = 27;

/// Asks the questions with these numbers and waits until the last is known.
async fn ask(stage: &Rehearsal, numbers: std::ops::RangeInclusive<usize>) {
    let last = *numbers.end();
    for number in numbers {
        let request = yes_or_no(&format!("que_{number}"), &format!("Number {number}?"));
        stage.replay.ask(Kind::Question, DIRECTORY, request).await;
    }
    stage.wait_state(&format!("que_{last}"), "open").await;
}

/// Waits until this many notifications are on the screen; returns their titles.
async fn standing(stage: &Rehearsal, count: usize) -> Vec<String> {
    eventually(&format!("{count} notifications"), SOON, async || {
        let mut titles: Vec<String> = stage.daemon.open().into_iter().map(title).collect();
        titles.sort();
        (titles.len() == count).then_some(titles)
    })
    .await
}

fn title(shown: Shown) -> String {
    shown.summary
}

async fn common(stage: &Rehearsal, count: usize) -> Shown {
    let title = format!("{count} more requests are waiting");
    stage
        .daemon
        .wait_for(|shown| shown.summary == title, SOON)
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_seven_requests_five_have_their_own_notification_and_one_tells_of_the_others() {
    let stage = Rehearsal::start().await;
    ask(&stage, 1..=MANY).await;
    let others = common(&stage, MANY - 5).await;
    assert_eq!(standing(&stage, 6).await.len(), 6);
    assert!(others.body.contains("Number 6?"), "{others:?}");
    // An answered request makes room for the one that has waited longest.
    stage.press("Number 2?", "Yes").await;
    common(&stage, MANY - 6).await;
    stage.press("Number 6?", "No").await;
    let replies = stage.replies("que_6", 1).await;
    assert_eq!(replies[0].body["answers"][0][0], "No");
    common(&stage, MANY - 7).await;
    assert_eq!(stage.daemon.violations(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_closed_them_all_is_left_alone_until_something_is_asked() {
    let stage = Rehearsal::start().await;
    ask(&stage, 1..=9).await;
    common(&stage, 4).await;
    let is_first = |shown: &Shown| shown.summary.ends_with("Number 1?");
    let (first, others): (Vec<Shown>, Vec<Shown>) =
        stage.daemon.open().into_iter().partition(is_first);
    for shown in others {
        stage.daemon.close(shown.id, DISMISSED);
    }
    // This event is sent after the events of those.
    let first = &first[0];
    stage.daemon.press(first.id, first.action("Yes").unwrap());
    stage.replies("que_1", 1).await;
    assert_eq!(stage.daemon.open().len(), 0);
    ask(&stage, 10..=10).await;
    common(&stage, 5).await;
}
