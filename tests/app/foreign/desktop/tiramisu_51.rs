//! <https://github.com/Sweets/tiramisu/issues/51>: a daemon answered each `Notify` with 0, which is
//! nobody's number.

use crate::common::{Rehearsal, SOON};
use beckon_support::eventually;

#[tokio::test(flavor = "multi_thread")]
async fn a_card_without_a_number_is_answered_by_its_own_button() {
    let stage = Rehearsal::without_beckon();
    stage.daemon.give_everybody(0);
    stage.beckon.start();
    stage.ready().await;
    let first = stage.ask("que_1", "First?").await;
    let second = stage.ask("que_2", "Second?").await;

    let press = |shown: &beckon_support::notifications::Shown, label: &str| {
        stage.daemon.forged_press(0, shown.action(label).unwrap());
    };
    press(&first, "No");
    let replies = stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body["answers"][0][0], "No");
    press(&second, "Yes");
    let replies = stage.replies("que_2", 1).await;
    assert_eq!(replies[0].body["answers"][0][0], "Yes");
    eventually("nothing is open", SOON, async || {
        stage.beckon.list().await.is_empty().then_some(())
    })
    .await;
}
