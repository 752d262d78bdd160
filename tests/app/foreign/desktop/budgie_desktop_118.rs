//! <https://github.com/BuddiesOfBudgie/budgie-desktop/issues/118> and
//! <https://github.com/mate-desktop/mate-notification-daemon/issues/129>: the reason in
//! `NotificationClosed` had another type than the specification's, and elsewhere it was always
//! "expired". Clients never heard that a notification had gone.

use crate::common::Rehearsal;

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_gone_whatever_its_end_gives_as_the_reason() {
    let stage = Rehearsal::start().await;
    let signed = stage.ask("que_1", "Closed with a signed reason?").await;
    stage.daemon.close_as(signed.id, &(signed.id, 2_i32));
    let bare = stage.ask("que_2", "Closed without a reason?").await;
    stage.daemon.close_as(bare.id, &(bare.id,));
    let expired = stage.ask("que_3", "Closed as expired?").await;
    stage.daemon.close(expired.id, 1);

    // It comes after those ends. A session's new name redraws the cards that stand, and no other.
    let last = stage.ask("que_4", "Still there?").await;
    let name = serde_json::json!({ "title": "Another name" });
    stage.replay.amend_session(crate::common::SESSION, &name);
    let properties = serde_json::json!({ "info": { "id": crate::common::SESSION,
        "directory": crate::common::DIRECTORY, "title": "Another name" } });
    stage
        .replay
        .event(crate::common::DIRECTORY, "session.updated", properties)
        .await;
    let renamed = |shown: &beckon_support::notifications::Shown| {
        shown.id == last.id && shown.body.contains("Another name")
    };
    stage.daemon.wait_for(renamed, crate::common::SOON).await;
    assert_eq!(stage.daemon.open().len(), 1, "{:?}", stage.daemon.open());
}
