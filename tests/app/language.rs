//! Tests that every surface speaks the language of `config.toml`, and changes it without a restart.

use crate::common::menu::Tray;
use crate::common::phone::Phone;
use crate::common::{self, DIRECTORY, Rehearsal, SESSION, SOON, config};
use beckon_support::eventually;
use beckon_support::notifications::Shown;
use beckon_support::replay::{Kind, permission};
use serde_json::json;

/// The whole program with a tray and a paired phone, in Chinese.
struct Stage {
    stage: Rehearsal,
    phone: Phone,
    tray: Tray,
}

impl Stage {
    async fn start() -> Self {
        let phone = Phone::new();
        let stage = Rehearsal::with(&phone.config(), |program| {
            Phone::knows_token(program).args(&[])
        });
        stage
            .beckon
            .write_config(&settings("zh-CN", &stage, &phone));
        stage.beckon.start();
        stage.ready().await;
        phone.pair_reading(&stage.beckon, "已与 Ada 配对").await;
        phone.telegram.wait_polled(SOON).await;
        let tray = Tray::of(&stage.bus, &stage.beckon);
        Self { stage, phone, tray }
    }

    async fn asks(&self, id: &str, command: &str) {
        let mut request = permission(id, SESSION, command);
        request["always"] = json!(["make *"]);
        self.stage
            .replay
            .ask(Kind::Permission, DIRECTORY, request)
            .await;
    }

    async fn shown_with(&self, button: &str) -> Shown {
        self.stage
            .daemon
            .wait_for(|shown| shown.action(button).is_some(), SOON)
            .await
    }

    /// Waits until Beckon has noted that the human closed the card.
    async fn closed(&self, id: &str) {
        let database = self.stage.beckon.home().join("beckon.db");
        eventually("the card is noted as closed", SOON, async || {
            let connection = rusqlite::Connection::open(&database).ok()?;
            let closed = "SELECT closed FROM cards WHERE channel = 'desktop' AND own = ?1";
            let closed: bool = connection.query_row(closed, [id], |row| row.get(0)).ok()?;
            closed.then_some(())
        })
        .await;
    }

    fn speak(&self, language: &str) {
        self.stage
            .beckon
            .write_config(&settings(language, &self.stage, &self.phone));
    }

    async fn says(&self, arguments: &[&str]) -> String {
        self.stage.beckon.command(arguments).await.stdout
    }

    async fn menu_of_the_bot_says(&self, text: &str) {
        eventually(&format!("the bot's menu says {text}"), SOON, async || {
            format!("{:?}", self.phone.telegram.commands())
                .contains(text)
                .then_some(())
        })
        .await;
    }
}

fn settings(language: &str, stage: &Rehearsal, phone: &Phone) -> String {
    format!(
        "language = \"{language}\"\n{}{}",
        config(&stage.replay.url()),
        phone.config()
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn in_chinese_every_surface_speaks_it_and_another_language_needs_no_restart() {
    let stage = Stage::start().await;
    stage.asks("per_1", "make clean").await;
    let first = stage.shown_with("允许一次").await;
    assert_eq!(first.summary, "project 想运行 make");
    let card = stage.phone.card("make clean").await;
    speaks_chinese(&stage).await;
    assert!(card.text.contains("想运行"), "{}", card.text);
    assert!(card.button("始终允许…").is_some(), "{:?}", card.keyboard());
    stage.phone.settled_down(card.id).await;

    stage.speak("en");
    let redrawn = stage.shown_with("Allow once").await;
    assert_eq!(redrawn.summary, "project wants to run make");
    assert_eq!(redrawn.id, first.id, "it is the same card");
    let shown = stage.phone.shows(card.id, "wants to run").await;
    assert!(shown.button("Always…").is_some(), "{:?}", shown.keyboard());
    speaks_english(&stage).await;

    stage.asks("per_2", "make install").await;
    stage.phone.card("make install").await;
    stage.phone.tap(card.id, "Allow once").await;
    stage.phone.ended(card.id, "Allowed once · by you").await;
    assert_eq!(stage.phone.telegram.complaints(), Vec::<String>::new());
    assert_eq!(stage.stage.daemon.violations(), Vec::<String>::new());
}

async fn speaks_chinese(stage: &Stage) {
    stage.tray.wait_for("project 想运行 make").await;
    stage.tray.wait_for("暂停提醒").await;
    stage.menu_of_the_bot_says("待处理的请求").await;
    let status = stage.says(&["status"]).await;
    assert!(status.contains("1 个智能体在等"), "{status}");
    assert!(status.contains("已配对 1 个对话"), "{status}");
    let list = stage.says(&["list"]).await;
    assert!(list.contains("· 在等 · ") && list.contains(" 秒"), "{list}");
    let doctor = stage.says(&["doctor"]).await;
    assert!(
        doctor.contains("智能体：") && doctor.contains("托盘："),
        "{doctor}"
    );
    assert!(stage.says(&["--help"]).await.contains("编程智能体的应答台"));
}

async fn speaks_english(stage: &Stage) {
    stage.tray.wait_for("project wants to run make").await;
    stage.tray.wait_for("Pause").await;
    stage.menu_of_the_bot_says("Open requests").await;
    let status = stage.says(&["status"]).await;
    assert!(status.contains("1 agent is waiting"), "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_that_was_waved_away_does_not_come_back_in_another_language() {
    let stage = Stage::start().await;
    stage.asks("per_1", "make clean").await;
    let waved = stage.shown_with("允许一次").await;
    common::noted(&stage.stage.beckon, &waved).await;
    stage.stage.daemon.close(waved.id, 2);
    stage.closed("per_1").await;
    stage.speak("en");
    stage.tray.wait_for("project wants to run make").await;
    // A later ask's card is shown, so a card of the first would have been shown by then.
    stage.asks("per_2", "make install").await;
    stage.shown_with("Allow once").await;
    let cards = stage.stage.daemon.open();
    assert!(
        cards.iter().all(|card| card.body.contains("make install")),
        "{cards:?}"
    );
}
