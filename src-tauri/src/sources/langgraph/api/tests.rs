//! Tests on a list of several pages, whose threads go meanwhile, and on one with odd threads.

use super::*;
use crate::sources::langgraph::wire;
use axum::extract::Path;
use axum::routing::{get, post};
use axum::{Json, Router};
use beckon_core::{Answer, Ask};
use std::sync::{Arc, Mutex};

fn thread(id: &str) -> Value {
    let interrupts = json!({ "task": [{ "id": "i", "value": "Go?" }] });
    json!({ "thread_id": id, "status": "interrupted", "interrupts": interrupts })
}

async fn serve(router: Router) -> LangGraphApi {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    LangGraphApi::with(
        InterruptsService {
            url,
            ..InterruptsService::default()
        },
        None,
    )
}

#[tokio::test]
async fn one_that_slips_to_a_page_that_was_read_already_is_not_lost() {
    let names = || (0..150).map(|n| format!("t{n}"));
    let open: Arc<Mutex<Vec<String>>> = Arc::new(Mutex::new(names().collect()));
    let search = move |Json(query): Json<Value>| {
        let offset = usize::try_from(query["offset"].as_u64().unwrap()).unwrap();
        let mut open = open.lock().unwrap();
        let page: Vec<Value> = open
            .iter()
            .skip(offset)
            .take(PAGE)
            .map(|id| thread(id))
            .collect();
        if offset == 0 {
            // Somebody answers the first one, and all after it move up.
            open.remove(0);
        }
        std::future::ready(Json(page))
    };
    let look = |Path(id): Path<String>| std::future::ready(Json(thread(&id)));
    let router = Router::new()
        .route("/threads/search", post(search))
        .route("/threads/{id}", get(look));
    let api = serve(router).await;
    let threads = api.interrupted(&names().collect()).await.unwrap();
    assert!(threads.iter().any(|thread| thread.id() == "t100"));
    assert_eq!(threads.len(), 150);
}

#[tokio::test]
async fn an_odd_thread_is_shown_and_takes_no_other_along() {
    let odd = json!({ "thread_id": "odd", "status": "interrupted", "interrupts": { "task": 7 } });
    let page = json!([thread("t1"), odd, 7]);
    let api = serve(Router::new().route("/threads/search", post(async || Json(page)))).await;
    let threads = api.interrupted(&BTreeSet::new()).await.unwrap();
    let source = beckon_core::SourceId("s".into());
    let ask = |thread| wire::unknown(&source, thread, beckon_core::Timestamp(0));
    let asks: Vec<Option<Ask>> = threads.iter().map(ask).collect();
    assert_eq!(threads[0].pending().count(), 1);
    let [None, Some(odd), Some(number)] = asks.as_slice() else {
        panic!("{asks:?}")
    };
    assert_eq!(odd.session.id, "odd");
    assert_ne!(odd.id, number.id);
    let refused = odd.check(&Answer::Dismiss);
    assert!(refused.is_err(), "{refused:?}");
}
