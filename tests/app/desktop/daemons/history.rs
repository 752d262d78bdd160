//! Tests of a daemon that keeps what it has shown, and shows it again when its human asks for that.

use super::disturb::{ask, received, running};
use crate::common::SOON;
use beckon_support::desktop::{Daemon, Desktop};
use beckon_support::eventually;

#[tokio::test(flavor = "multi_thread")]
async fn what_dunst_brings_back_of_a_request_that_is_over_asks_nothing() {
    let mut desktop = Desktop::start();
    desktop.start_daemon(Daemon::Dunst);
    let beckon = running(desktop.bus()).await;
    let _asking = ask(&beckon, "Deploy now?");
    received(&desktop, 1).await;
    let id = eventually("it is open", SOON, async || {
        let open = beckon.list().await;
        Some(open.first()?["id"].as_str()?.to_owned())
    })
    .await;
    let answered = beckon.command(&["answer", &id, "--choice", "1"]).await;
    assert_eq!(answered.status, Some(0), "{answered:?}");
    let kept = eventually("dunst keeps what it has shown", SOON, async || {
        let kept = desktop.history();
        kept.contains("summary").then_some(kept)
    })
    .await;
    assert!(!kept.contains("Deploy now?"), "{kept}");
    assert!(kept.contains("This is over"), "{kept}");
}
