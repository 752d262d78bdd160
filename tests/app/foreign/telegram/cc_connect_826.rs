//! <https://github.com/chenhg5/cc-connect/pull/826>: a tap on a button whose request was over
//! became the word "allow", which was sent to the agent as if its human had written it.

use crate::common::phone::{Outing, data};

#[tokio::test(flavor = "multi_thread")]
async fn a_tap_on_what_is_over_is_told_so_and_reaches_no_agent() {
    let outing = Outing::start().await;
    let (phone, stage) = (&outing.phone, &outing.stage);
    let over = outing.ask("que_1", "Over?").await;
    let button = data(&over, "No");
    stage.press("Over?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
    phone.ended(over.id, "✅ Yes").await;

    let open = outing.ask("que_2", "Open?").await;
    let tap = phone
        .telegram
        .tap_data(phone.user, phone.chat, over.id, &button);
    let told = phone.answer_to(&tap).await;
    assert!(told.contains("Already answered"), "{told}");
    assert_eq!(stage.replay.replies().len(), 1);
    phone.tap(open.id, "No").await;
    stage.answered_once("que_2", "No").await;
}
