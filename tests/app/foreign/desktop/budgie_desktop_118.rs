//! <https://github.com/BuddiesOfBudgie/budgie-desktop/issues/118> and
//! <https://github.com/mate-desktop/mate-notification-daemon/issues/129>: the reason in
//! `NotificationClosed` had another type than the specification's, and elsewhere it was always
//! "expired". Clients never heard that a notification had gone.

use crate::common::{Rehearsal, SOON};
use beckon_support::eventually;
use beckon_support::notifications::Shown;

/// Waits until Beckon no longer notes that card as one that stands.
async fn forgotten(stage: &Rehearsal, shown: &Shown) {
    let database = stage.beckon.home().join("beckon.db");
    let what = format!("the end of {} is heard", shown.summary);
    eventually(&what, SOON, async || {
        let connection = rusqlite::Connection::open(&database).ok()?;
        let count = "SELECT count(*) FROM cards WHERE handle LIKE '%/' || ?1";
        let noted: i64 = connection
            .query_row(count, [shown.id], |row| row.get(0))
            .ok()?;
        (noted == 0).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_gone_whatever_its_end_gives_as_the_reason() {
    let stage = Rehearsal::start().await;
    let signed = stage.ask("que_1", "Closed with a signed reason?").await;
    let bare = stage.ask("que_2", "Closed without a reason?").await;
    let expired = stage.ask("que_3", "Closed as expired?").await;
    stage.daemon.close_as(signed.id, &(signed.id, 2_i32));
    stage.daemon.close_as(bare.id, &(bare.id,));
    stage.daemon.close(expired.id, 1);

    for shown in [signed, bare, expired] {
        forgotten(&stage, &shown).await;
    }
}
