//! <https://github.com/puppylinux-woof-CE/woof-CE/pull/4072>: a daemon of a few lines knew no
//! `GetServerInformation`. Programs took it for none at all.

use crate::common::Rehearsal;

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_does_not_say_its_name_shows_cards_all_the_same() {
    let stage = Rehearsal::without_beckon();
    stage.daemon.keep_its_name();
    stage.beckon.start();
    stage.ready().await;
    stage.ask("que_1", "Who are you?").await;
    stage.press("Who are you?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
}
