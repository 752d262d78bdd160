//! A list of several pages, of a server whose threads go meanwhile.

use super::*;
use axum::extract::Path;
use axum::routing::{get, post};
use axum::{Json, Router};
use std::sync::{Arc, Mutex};

fn thread(id: &str) -> Value {
    let interrupts = json!({ "task": [{ "id": "i", "value": "Go?" }] });
    json!({ "thread_id": id, "status": "interrupted", "interrupts": interrupts })
}

#[tokio::test]
async fn one_that_slips_to_a_page_that_was_read_already_is_not_lost() {
    let names = || (0..150).map(|n| format!("t{n}"));
    let open: Arc<Mutex<Vec<String>>> = Arc::new(Mutex::new(names().collect()));
    let search = move |Json(query): Json<Value>| {
        let offset = usize::try_from(query["offset"].as_u64().unwrap()).unwrap();
        let mut open = open.lock().unwrap();
        let page: Vec<Value> = open.iter().skip(offset).take(PAGE).map(|id| thread(id)).collect();
        if offset == 0 {
            // Somebody answers the first one, and all after it move up.
            open.remove(0);
        }
        std::future::ready(Json(page))
    };
    let look = |Path(id): Path<String>| std::future::ready(Json(thread(&id)));
    let router =
        Router::new().route("/threads/search", post(search)).route("/threads/{id}", get(look));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let api = Api::with(Interrupts { url, ..Interrupts::default() }, None);
    let threads = api.interrupted(&names().collect()).await.unwrap();
    assert!(threads.iter().any(|thread| thread.id() == "t100"));
    assert_eq!(threads.len(), 150);
}
