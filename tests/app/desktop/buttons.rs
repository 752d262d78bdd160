//! Tests of notification services that claim to take actions and draw no buttons: the text of the
//! notification says what can be chosen, and how.

use crate::common::{DIRECTORY, SESSION, SOON, config, yes_or_no};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::notifications::Notifications;
use beckon_support::replay::{Kind, Replay};

#[tokio::test(flavor = "multi_thread")]
async fn on_mako_the_choices_and_the_way_to_answer_stand_in_the_text() {
    let replay = Replay::start();
    replay.session(SESSION, DIRECTORY, "A session");
    let bus = Bus::start();
    let mako = Notifications::mako(&bus);
    let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
    let beckon = program.bus(&bus).config(&config(&replay.url())).start();
    let status = beckon.wait_ready().await;
    assert_eq!(status["channels"]["desktop"]["can"]["buttons"], false);
    replay.wait_streams(1, SOON).await;
    let request = yes_or_no("que_1", "Go on?");
    replay.ask(Kind::Question, DIRECTORY, request).await;
    let shown = mako
        .wait_for(|shown| shown.summary.ends_with("Go on?"), SOON)
        .await;
    assert!(
        shown
            .body
            .ends_with("[Yes] [No]\nAnswer from the tray, or run: beckon list"),
        "{shown:?}"
    );
    // The service's own menu offers the actions all the same.
    mako.press(shown.id, shown.action("Yes").unwrap());
    let replies = replay.wait_replies(1, SOON).await;
    assert_eq!(replies[0].body["answers"][0][0], "Yes");
}
