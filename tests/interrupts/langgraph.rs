//! A real LangGraph server: what its threads wait for is listed, and each gets exactly its answer.

use crate::common::SOON;
use crate::scene::{call, id, options};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::langgraph::LangGraph;
use beckon_support::notifications::Notifications;
use reqwest::Method;
use serde_json::{Value, json};

struct Graphs {
    beckon: Beckon,
    daemon: Notifications,
    server: LangGraph,
    _bus: Bus,
}

impl Graphs {
    /// The server, and Beckon not yet started.
    async fn new() -> Self {
        let server = LangGraph::start().await;
        let bus = Bus::start();
        let daemon = Notifications::start(&bus);
        let kind = "[[interrupts]]\nname = \"graphs\"\nkind = \"langgraph\"";
        let config = format!("opencode = []\n{kind}\nurl = \"{}\"\n", server.url());
        let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
        let beckon = program.bus(&bus).config(&config).build();
        Self { beckon, daemon, server, _bus: bus }
    }

    async fn live(&self) {
        self.beckon.start();
        eventually("the server is live", SOON, async || {
            let status = self.beckon.command(&["status", "--wait", "10", "--json"]).await.json();
            (status["sources"][0]["state"] == "live").then_some(())
        })
        .await;
    }

    /// The open ask of that thread that asks so.
    async fn asked(&self, thread: &str, text: &str) -> Value {
        eventually(&format!("{thread} asks {text}"), SOON, async || {
            let list = self.beckon.list().await;
            list.into_iter()
                .find(|ask| ask["session"]["id"] == thread && ask.to_string().contains(text))
        })
        .await
    }

    async fn takes(&self, ask: &Value, command: &[&str]) {
        let command = [&[command[0], id(ask)], &command[1..], &["--json"]].concat();
        let answered = self.beckon.command(&command).await;
        assert_eq!(answered.json()["state"], "taken", "{answered:?}");
    }

    async fn nothing_left(&self) {
        eventually("an empty list", SOON, async || {
            self.beckon.list().await.is_empty().then_some(())
        })
        .await;
        self.daemon.wait_empty(SOON).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_langgraph_threads_wait_for_is_listed_and_each_gets_its_answer() {
    let graphs = Graphs::new().await;
    let before = graphs.server.run("asker", json!(["Your name?"])).await;
    graphs.live().await;
    known_by_a_test(&graphs).await;
    one_that_waited_before(&graphs, &before).await;
    one_after_the_other(&graphs).await;
    tools_under_review(&graphs).await;
    side_by_side(&graphs).await;
    dismissed(&graphs).await;
    gone_meanwhile(&graphs).await;
    graphs.nothing_left().await;
}

/// Also when it is tried as something else.
async fn known_by_a_test(graphs: &Graphs) {
    for (kind, ok) in [("langgraph", true), ("opencode", false)] {
        let asked = json!({ "kind": kind, "url": graphs.server.url() });
        let (_, tested) = call(&graphs.beckon, Method::POST, "/servers/test", &asked).await;
        assert_eq!((&tested["ok"], &tested["kind"]), (&json!(ok), &json!("langgraph")), "{tested}");
        assert!(tested["message"].as_str().unwrap().contains("LangGraph"), "{tested}");
    }
}

/// Listed although Beckon started later, and kept over a crash.
async fn one_that_waited_before(graphs: &Graphs, thread: &str) {
    let ask = graphs.asked(thread, "Your name?").await;
    assert_eq!((&ask["source"], &ask["session"]["agent"]), (&json!("graphs"), &json!("asker")));
    graphs.beckon.kill9();
    graphs.live().await;
    assert_eq!(graphs.asked(thread, "Your name?").await["id"], ask["id"]);
    graphs.takes(&ask, &["answer", "--text", "Ada"]).await;
    assert_eq!(graphs.server.answers(thread).await, json!(["Ada"]));
}

/// By a press, by the values of options, by JSON, as documented for ask_user.
async fn one_after_the_other(graphs: &Graphs) {
    let deploy =
        json!({ "question": "Deploy?", "options": options(&[("Now", "now"), ("Never", "no")]) });
    let draft = json!({ "draft": "Dear Ada" });
    let set = json!({ "questions": [{ "question": "A?" }, { "question": "B?" }] });
    let steps = json!([deploy, draft, set, "Again?", "Again?"]);
    let thread = graphs.server.run("asker", steps).await;
    let shown = graphs.daemon.wait_for(|shown| shown.summary == "graphs · Deploy?", SOON).await;
    graphs.daemon.press(shown.id, shown.action("Never").unwrap());
    let ask = graphs.asked(&thread, "Dear Ada").await;
    graphs.takes(&ask, &["answer", "--text", "{\"ok\": true}"]).await;
    let ask = graphs.asked(&thread, "A?").await;
    graphs.takes(&ask, &["answer", "--text", "a", "--text", "b"]).await;
    let mut seen = Value::Null;
    for text in ["once", "twice"] {
        let ask = graphs.asked(&thread, "Again?").await;
        assert_ne!(ask["id"], seen, "the same words are another ask");
        graphs.takes(&ask, &["answer", "--text", text]).await;
        seen = ask["id"].clone();
    }
    let told = json!(["no", { "ok": true }, ["a", "b"], "once", "twice"]);
    assert_eq!(graphs.server.answers(&thread).await, told);
}

/// As LangChain's human-in-the-loop middleware asks.
async fn tools_under_review(graphs: &Graphs) {
    let review = |name: &str| {
        let request = json!({ "name": name, "args": { "path": "/tmp/x" } });
        let config = json!({ "action_name": name, "allowed_decisions": ["approve", "reject"] });
        json!({ "action_requests": [request], "review_configs": [config] })
    };
    let thread = graphs.server.run("asker", json!([review("write_file"), review("remove")])).await;
    let ask = graphs.asked(&thread, "write_file").await;
    assert_eq!(ask["permission"]["permission"], "write_file");
    graphs.takes(&ask, &["grant"]).await;
    let ask = graphs.asked(&thread, "remove").await;
    graphs.takes(&ask, &["deny", "--reason", "not today"]).await;
    let told = json!([
        { "decisions": [{ "type": "approve" }] },
        { "decisions": [{ "type": "reject", "message": "not today" }] },
    ]);
    assert_eq!(graphs.server.answers(&thread).await, told);
}

/// Two nodes of one thread wait at once; the second is answered first.
async fn side_by_side(graphs: &Graphs) {
    let thread = graphs.server.run("pair", json!([])).await;
    graphs.asked(&thread, "Left?").await;
    let ask = graphs.asked(&thread, "Right?").await;
    graphs.takes(&ask, &["answer", "--text", "r"]).await;
    let ask = graphs.asked(&thread, "Left?").await;
    graphs.takes(&ask, &["answer", "--text", "l"]).await;
    assert_eq!(graphs.server.answers(&thread).await, json!([{ "left": "l" }, { "right": "r" }]));
}

async fn dismissed(graphs: &Graphs) {
    let thread = graphs.server.run("asker", json!(["Any wishes?"])).await;
    let ask = graphs.asked(&thread, "Any wishes?").await;
    graphs.takes(&ask, &["dismiss"]).await;
    assert_eq!(graphs.server.answers(&thread).await, json!([null]));
}

/// Another client was faster: the answer meets a thread that waits for something else.
async fn gone_meanwhile(graphs: &Graphs) {
    let thread = graphs.server.run("asker", json!(["First?", "Second?"])).await;
    let first = graphs.asked(&thread, "First?").await;
    graphs.server.resume("asker", &thread, json!("theirs")).await;
    let late = graphs.beckon.command(&["answer", id(&first), "--text", "ours", "--json"]).await;
    assert_ne!(late.status, Some(0), "{late:?}");
    let ask = graphs.asked(&thread, "Second?").await;
    graphs.takes(&ask, &["answer", "--text", "ours"]).await;
    assert_eq!(graphs.server.answers(&thread).await, json!(["theirs", "ours"]));
}
