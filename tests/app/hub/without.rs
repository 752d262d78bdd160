//! Tests of a Beckon without a hub.

use super::*;
use crate::common::http::call;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn without_a_hub_nobody_looks_for_one() {
    let hub = Nats::start(Version::V2_10_26);
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .config("opencode = []\n")
        .start();
    beckon.wait_ready().await;
    let asker = ask(&beckon, "Alone?");
    let own = one_open(&beckon).await;
    assert_eq!(answer(&beckon, &own["id"], "1").await["state"], "taken");
    assert_eq!(said(asker).await, "Left\n");
    let (_, view) = call(&beckon, reqwest::Method::GET, "/hub", &Value::Null).await;
    assert_eq!(
        (&view["state"], &view["machines"]),
        (&json!("off"), &json!([])),
        "{view}"
    );
    let database = rusqlite::Connection::open(beckon.home().join("beckon.db")).unwrap();
    let rows: i64 = database
        .query_row("SELECT count(*) FROM rounds", [], |row| row.get(0))
        .unwrap();
    assert_eq!(rows, 0);
    assert!(!log(&beckon).contains("hub"), "{}", log(&beckon));
    let client = async_nats::connect(hub.url()).await.unwrap();
    let streams = async_nats::jetstream::new(client)
        .query_account()
        .await
        .unwrap()
        .streams;
    assert_eq!(streams, 0);
    let threads = std::fs::read_dir(format!("/proc/{}/task", beckon.pid().unwrap())).unwrap();
    let names = threads.filter_map(|it| std::fs::read_to_string(it.ok()?.path().join("comm")).ok());
    assert!(names.into_iter().all(|name| !name.contains("nats")));
}
