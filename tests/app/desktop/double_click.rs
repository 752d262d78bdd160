//! Tests of a double click on a notification whose daemon shows the next one at once in its place,
//! as xfce4-notifyd does.

use crate::common::{DIRECTORY, SESSION, SOON, config, yes_or_no};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::notifications::{Notifications, Shown};
use beckon_support::replay::{Kind, Replay};
use serde_json::json;

struct Scene {
    replay: Replay,
    daemon: Notifications,
    beckon: Beckon,
    _bus: Bus,
}

impl Scene {
    /// Starts a scene with two questions shown by a daemon of that name.
    async fn start(daemon: &str) -> Self {
        let replay = Replay::start();
        replay.session(SESSION, DIRECTORY, "A session");
        let bus = Bus::start();
        let daemon = Notifications::start_as(&bus, daemon);
        let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
        let beckon = program.bus(&bus).config(&config(&replay.url())).start();
        beckon.wait_ready().await;
        replay.wait_streams(1, SOON).await;
        for (id, text) in [("que_1", "First?"), ("que_2", "Second?")] {
            let request = yes_or_no(id, text);
            replay.ask(Kind::Question, DIRECTORY, request).await;
        }
        Self {
            replay,
            daemon,
            beckon,
            _bus: bus,
        }
    }

    async fn shown(&self, title: &str) -> Shown {
        self.daemon
            .wait_for(|shown| shown.summary.ends_with(title), SOON)
            .await
    }

    /// Presses `Yes` on both notifications without a gap.
    fn press_both(&self, first: &Shown, second: &Shown) {
        self.daemon.burst(&[
            (first.id, first.action("Yes").unwrap()),
            (second.id, second.action("Yes").unwrap()),
        ]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_click_answers_nothing_and_its_notification_comes_back() {
    let scene = Scene::start("Xfce Notify Daemon").await;
    let first = scene.shown("First?").await;
    let second = scene.shown("Second?").await;
    scene.press_both(&first, &second);

    let replies = scene.replay.wait_replies(1, SOON).await;
    assert_eq!(replies[0].id, "que_1");
    let again = eventually("the second one comes back", SOON, async || {
        let mut open = scene.daemon.open().into_iter();
        open.find(|shown| shown.summary.ends_with("Second?") && shown.id != second.id)
    })
    .await;
    assert!(!again.hints.contains_key("sound-name"), "{again:?}");
    // Right after a press its answer may still be on its way.
    let open = eventually("the first one is over", SOON, async || {
        let open = scene.beckon.list().await;
        (open.len() == 1).then_some(open)
    })
    .await;
    assert_eq!(open[0]["id"], "que_2");

    // A human who has looked at the notification presses after this time.
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    scene.daemon.press(again.id, again.action("No").unwrap());
    let replies = scene.replay.wait_replies(2, SOON).await;
    assert_eq!(replies[1].id, "que_2");
    assert_eq!(replies[1].body, json!({ "answers": [["No"]] }));
}

#[tokio::test(flavor = "multi_thread")]
async fn where_no_other_one_takes_the_place_each_of_two_quick_presses_counts() {
    let scene = Scene::start("gnome-shell").await;
    let first = scene.shown("First?").await;
    let second = scene.shown("Second?").await;
    scene.press_both(&first, &second);
    let mut replies = scene.replay.wait_replies(2, SOON).await;
    replies.sort_by(|left, right| left.id.cmp(&right.id));
    assert_eq!(replies[0].id, "que_1");
    assert_eq!(replies[1].id, "que_2");
}
