//! <https://github.com/Sweets/tiramisu/issues/51>: a daemon answered each `Notify` with 0, which is
//! nobody's number.

use crate::common::{DIRECTORY, Rehearsal, SOON, yes_or_no};
use beckon_support::eventually;
use beckon_support::notifications::Shown;
use beckon_support::replay::Kind;

#[tokio::test(flavor = "multi_thread")]
async fn a_card_without_a_number_is_answered_by_its_own_button() {
    let stage = Rehearsal::without_beckon();
    stage.daemon.give_everybody(0);
    stage.beckon.start();
    stage.ready().await;
    let mut cards = Vec::new();
    for (id, text) in [("que_1", "First?"), ("que_2", "Second?")] {
        let request = yes_or_no(id, text);
        stage.replay.ask(Kind::Question, DIRECTORY, request).await;
        cards.push(stage.shown(text).await);
    }

    let press = |shown: &Shown, label: &str| {
        stage.daemon.forged_press(0, shown.action(label).unwrap());
    };
    press(&cards[0], "No");
    let replies = stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body["answers"][0][0], "No");
    press(&cards[1], "Yes");
    let replies = stage.replies("que_2", 1).await;
    assert_eq!(replies[0].body["answers"][0][0], "Yes");
    eventually("nothing is open", SOON, async || {
        stage.beckon.list().await.is_empty().then_some(())
    })
    .await;
}
