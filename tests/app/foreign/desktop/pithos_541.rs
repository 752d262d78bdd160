//! <https://github.com/pithos/pithos/pull/541> and
//! <https://github.com/dunst-project/dunst/issues/427>: a daemon gave each program one number, or
//! two equal notifications one. What was meant for the first one then reached the second.

use crate::common::{Rehearsal, SOON};
use beckon_support::eventually;

#[tokio::test(flavor = "multi_thread")]
async fn an_ask_that_ends_leaves_the_card_that_took_its_number_alone() {
    let stage = Rehearsal::without_beckon();
    stage.daemon.give_everybody(7);
    stage.beckon.start();
    stage.ready().await;
    stage.ask("que_1", "First?").await;
    let second = stage.ask("que_2", "Second?").await;
    assert_eq!(second.id, 7);

    let answered = ["answer", "que_1", "--choice", "1", "--json"];
    let answered = stage.beckon.command(&answered).await.json();
    assert_eq!(answered["state"], "taken", "{answered}");
    eventually("the first one is over", SOON, async || {
        (stage.beckon.list().await.len() == 1).then_some(())
    })
    .await;
    stage.press("Second?", "No").await;
    stage.answered_once("que_2", "No").await;
}
