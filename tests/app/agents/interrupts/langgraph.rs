//! Tests with a real LangGraph server: whatever its threads wait for is listed, and each gets
//! exactly its own answer.

use super::scene::{call, id, options};
use crate::common::SOON;
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
    /// Starts the server, and prepares Beckon without starting it.
    async fn new() -> Self {
        let server = LangGraph::start().await;
        let bus = Bus::start();
        let daemon = Notifications::start(&bus);
        let kind = "[[interrupts]]\nname = \"graphs\"\nkind = \"langgraph\"";
        let config = format!("opencode = []\n{kind}\nurl = \"{}\"\n", server.url());
        let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
        let beckon = program.bus(&bus).config(&config).build();
        Self {
            beckon,
            daemon,
            server,
            _bus: bus,
        }
    }

    async fn live(&self) {
        self.beckon.start();
        eventually("the server is live", SOON, async || {
            let status = self
                .beckon
                .command(&["status", "--wait", "10", "--json"])
                .await
                .json();
            (status["sources"][0]["state"] == "live").then_some(())
        })
        .await;
    }

    /// Waits for an open ask of that thread with this text.
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
    one_decision_for_each_tool(&graphs).await;
    only_what_is_allowed(&graphs).await;
    in_other_spellings(&graphs).await;
    in_odd_forms(&graphs).await;
    json_where_json_is_wanted(&graphs).await;
    breakpoints(&graphs).await;
    in_an_outage(&graphs).await;
    side_by_side(&graphs).await;
    dismissed(&graphs).await;
    gone_meanwhile(&graphs).await;
    graphs.nothing_left().await;
}

/// Tests the server in the settings, also as another kind of server.
async fn known_by_a_test(graphs: &Graphs) {
    for (kind, ok) in [("langgraph", true), ("opencode", false)] {
        let asked = json!({ "kind": kind, "url": graphs.server.url() });
        let (_, tested) = call(&graphs.beckon, Method::POST, "/servers/test", &asked).await;
        assert_eq!(
            (&tested["ok"], &tested["kind"]),
            (&json!(ok), &json!("langgraph")),
            "{tested}"
        );
        assert!(
            tested["message"].as_str().unwrap().contains("LangGraph"),
            "{tested}"
        );
    }
}

/// Checks an ask that waited before Beckon started, and that is kept over a crash.
async fn one_that_waited_before(graphs: &Graphs, thread: &str) {
    let ask = graphs.asked(thread, "Your name?").await;
    assert_eq!(
        (&ask["source"], &ask["session"]["agent"]),
        (&json!("graphs"), &json!("asker"))
    );
    graphs.beckon.kill9();
    graphs.live().await;
    assert_eq!(graphs.asked(thread, "Your name?").await["id"], ask["id"]);
    graphs.takes(&ask, &["answer", "--text", "Ada"]).await;
    assert_eq!(graphs.server.answers(thread).await, json!(["Ada"]));
}

/// Answers by a press, by the values of options, and by JSON, as documented for ask_user.
async fn one_after_the_other(graphs: &Graphs) {
    let deploy =
        json!({ "question": "Deploy?", "options": options(&[("Now", "now"), ("Never", "no")]) });
    let draft = json!({ "draft": "Dear Ada" });
    let set = json!({ "questions": [{ "question": "A?" }, { "question": "B?" }] });
    let steps = json!([deploy, draft, set, "Again?", "Again?"]);
    let thread = graphs.server.run("asker", steps).await;
    let shown = graphs
        .daemon
        .wait_for(|shown| shown.summary == "graphs (asker) · Deploy?", SOON)
        .await;
    graphs
        .daemon
        .press(shown.id, shown.action("Never").unwrap());
    let ask = graphs.asked(&thread, "Dear Ada").await;
    graphs
        .takes(&ask, &["answer", "--text", "{\"ok\": true}"])
        .await;
    let ask = graphs.asked(&thread, "A?").await;
    graphs
        .takes(&ask, &["answer", "--text", "a", "--text", "b"])
        .await;
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

/// Answers reviews in the form of LangChain's human-in-the-loop middleware.
async fn tools_under_review(graphs: &Graphs) {
    let review = |name: &str| {
        let request = json!({ "name": name, "args": { "path": "/tmp/x" } });
        let config = json!({ "action_name": name, "allowed_decisions": ["approve", "reject"] });
        json!({ "action_requests": [request], "review_configs": [config] })
    };
    let thread = graphs
        .server
        .run("asker", json!([review("write_file"), review("remove")]))
        .await;
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

fn reviewed(calls: &[(&str, &[&str])]) -> Value {
    let requests: Vec<Value> = calls
        .iter()
        .map(|(name, _)| json!({ "name": name, "args": { "path": "/tmp/x" } }))
        .collect();
    let configs: Vec<Value> = calls
        .iter()
        .map(|(name, allowed)| json!({ "action_name": name, "allowed_decisions": allowed }))
        .collect();
    json!({ "action_requests": requests, "review_configs": configs })
}

/// Answers reviews in the form of LangChain.js, and in that of the Agent Inbox, whose answers are a
/// list.
async fn in_other_spellings(graphs: &Graphs) {
    let request = json!({ "name": "pay", "args": { "n": 1 } });
    let config = json!({ "actionName": "pay", "allowedDecisions": ["approve", "edit"] });
    let of_js = json!({ "actionRequests": [request], "reviewConfigs": [config] });
    let call = json!({ "action": "run_command", "args": { "command": "ls" } });
    let config = json!({ "allow_accept": true, "allow_edit": false, "allow_respond": true,
        "allow_ignore": true });
    let of_inbox = json!([{ "action_request": call, "config": config, "description": "Look" }]);
    let steps = json!([of_js, of_inbox, of_inbox[0]]);
    let thread = graphs.server.run("asker", steps).await;

    let ask = graphs.asked(&thread, "approve / edit").await;
    graphs
        .takes(&ask, &["answer", "--text", r#"{"n":2}"#])
        .await;
    let ask = graphs.asked(&thread, "run_command").await;
    assert_eq!(ask["permission"]["permission"], "run_command");
    graphs.takes(&ask, &["grant"]).await;
    let ask = graphs.asked(&thread, "run_command").await;
    graphs.takes(&ask, &["deny", "--reason", "pwd first"]).await;

    let edited = json!({ "name": "pay", "args": { "n": 2 } });
    let told = json!([
        { "decisions": [{ "type": "edit", "editedAction": edited }] },
        [{ "type": "accept", "args": call }],
        [{ "type": "response", "args": "pwd first" }],
    ]);
    assert_eq!(graphs.server.answers(&thread).await, told);
}

/// Answers reviews that are wrapped, or are texts, like those that stand alone; a review that
/// allows no answer takes none.
async fn in_odd_forms(graphs: &Graphs) {
    let interrupt = |config: Value| {
        let call = json!({ "action": "pay", "args": { "n": 1 } });
        json!({ "action_request": call, "config": config })
    };
    let plain = interrupt(json!({ "allow_accept": true, "allow_ignore": true }));
    let nothing = interrupt(json!({ "allow_accept": false, "allow_edit": false,
        "allow_respond": false, "allow_ignore": false }));
    let wrapped = json!({ "note": "Above the limit", "interrupt": plain });
    let steps = json!([wrapped, [[plain]], plain.to_string(), nothing]);
    let thread = graphs.server.run("asker", steps).await;

    let ask = graphs.asked(&thread, "Above the limit").await;
    assert_eq!(ask["permission"]["permission"], "pay", "{ask}");
    graphs.takes(&ask, &["grant"]).await;
    let mut seen = ask["id"].clone();
    for verb in ["deny", "grant"] {
        let ask = eventually("the next one", SOON, async || {
            let ask = graphs.asked(&thread, "pay").await;
            (ask["id"] != seen).then_some(ask)
        })
        .await;
        assert_eq!(ask["permission"]["permission"], "pay", "{ask}");
        graphs.takes(&ask, &[verb]).await;
        seen = ask["id"].clone();
    }

    let ask = graphs.asked(&thread, "allow_accept").await;
    for press in [
        &["grant", id(&ask)][..],
        &["deny", id(&ask)],
        &["dismiss", id(&ask)],
        &["answer", id(&ask), "--text", "accept"],
    ] {
        let refused = graphs.beckon.command(press).await;
        assert_ne!(refused.status, Some(0), "{press:?}: {refused:?}");
    }
    graphs
        .server
        .resume("asker", &thread, json!("theirs"))
        .await;
    let call = &plain["action_request"];
    let accepted = json!([{ "type": "accept", "args": call }]);
    let ignored = json!([{ "type": "ignore", "args": null }]);
    let told = json!([accepted, ignored, accepted, "theirs"]);
    assert_eq!(graphs.server.answers(&thread).await, told);
}

/// Sends a text that begins like JSON but is none; it comes back, and the card stays.
async fn json_where_json_is_wanted(graphs: &Graphs) {
    let thread = graphs
        .server
        .run("asker", json!([{ "draft": "Dear Bob" }]))
        .await;
    let ask = graphs.asked(&thread, "(JSON)").await;
    let broken = ["answer", id(&ask), "--text", "{\"ok\": tru", "--json"];
    graphs.beckon.command(&broken).await;
    let ask = eventually("the answer is back", SOON, async || {
        let list = graphs.beckon.list().await;
        list.into_iter()
            .find(|ask| ask.to_string().contains("no whole JSON"))
    })
    .await;
    graphs
        .takes(&ask, &["answer", "--text", "{\"ok\": true}"])
        .await;
    let told = json!([{ "ok": true }]);
    assert_eq!(graphs.server.answers(&thread).await, told);
}

/// Decides `ls` and `rm` of one review separately, edits a call, and gives words in place of a
/// result.
async fn one_decision_for_each_tool(graphs: &Graphs) {
    let all = ["approve", "edit", "reject", "respond"];
    let calls: [(&str, &[&str]); 4] = [
        ("ls", &["approve", "reject"]),
        ("rm", &["approve", "reject"]),
        ("mv", &["approve", "edit"]),
        ("ask", &all),
    ];
    let thread = graphs.server.run("asker", json!([reviewed(&calls)])).await;
    let ask = graphs.asked(&thread, "rm {").await;
    assert_eq!(ask["questions"].as_array().unwrap().len(), 4, "{ask}");
    let edited = r#"{"path":"/tmp/y"}"#;
    let answer = [
        "answer", "--choice", "1", "--choice", "2", "--text", edited, "--text", "Later.",
    ];
    graphs.takes(&ask, &answer).await;
    let told = json!([{ "decisions": [
        { "type": "approve" },
        { "type": "reject" },
        { "type": "edit", "edited_action": { "name": "mv", "args": { "path": "/tmp/y" } } },
        { "type": "respond", "message": "Later." },
    ] }]);
    assert_eq!(graphs.server.answers(&thread).await, told);
}

/// Sends a refusal that the graph does not allow; it comes back, and the ask stays.
async fn only_what_is_allowed(graphs: &Graphs) {
    let calls: [(&str, &[&str]); 1] = [("pay", &["approve", "edit"])];
    let thread = graphs.server.run("asker", json!([reviewed(&calls)])).await;
    let ask = graphs.asked(&thread, "pay {").await;
    for no in [
        &["dismiss", id(&ask)][..],
        &["answer", id(&ask), "--text", "no, not today"],
    ] {
        let refused = graphs.beckon.command(no).await;
        assert!(
            refused.stderr.contains("approve, edit"),
            "{no:?}: {refused:?}"
        );
    }
    graphs.takes(&ask, &["answer", "--choice", "1"]).await;
    let told = json!([{ "decisions": [{ "type": "approve" }] }]);
    assert_eq!(graphs.server.answers(&thread).await, told);
}

/// Answers a graph that stops before a node: it goes on, or nothing more of it runs.
async fn breakpoints(graphs: &Graphs) {
    for (verb, answers) in [("grant", json!([{ "stepped": true }])), ("deny", json!([]))] {
        let thread = graphs.server.run("stepper", json!([])).await;
        let ask = graphs.asked(&thread, "step").await;
        assert_eq!(
            (&ask["kind"], &ask["info"]),
            (&json!("confirm"), &json!("→ step"))
        );
        graphs.takes(&ask, &[verb]).await;
        assert_eq!(graphs.server.answers(&thread).await, answers);
    }
}

/// Answers while the server does not listen: the answer comes back and is not sent later.
async fn in_an_outage(graphs: &Graphs) {
    let thread = graphs
        .server
        .run("asker", json!(["Run the tests?", "Delete it all?"]))
        .await;
    let ask = graphs.asked(&thread, "Run the tests?").await;
    graphs.server.pause();
    let late = graphs
        .beckon
        .command(&["answer", id(&ask), "--text", "yes"])
        .await;
    graphs.server.go_on();
    assert_eq!(late.status, Some(1), "{late:?}");
    let ask = graphs.asked(&thread, "Run the tests?").await;
    graphs.takes(&ask, &["answer", "--text", "yes"]).await;
    let ask = graphs.asked(&thread, "Delete it all?").await;
    graphs.takes(&ask, &["answer", "--text", "no"]).await;
    assert_eq!(graphs.server.answers(&thread).await, json!(["yes", "no"]));
}

/// Answers two nodes of one thread that wait at once, the second one first.
async fn side_by_side(graphs: &Graphs) {
    let thread = graphs.server.run("pair", json!([])).await;
    graphs.asked(&thread, "Left?").await;
    let ask = graphs.asked(&thread, "Right?").await;
    graphs.takes(&ask, &["answer", "--text", "r"]).await;
    let ask = graphs.asked(&thread, "Left?").await;
    graphs.takes(&ask, &["answer", "--text", "l"]).await;
    assert_eq!(
        graphs.server.answers(&thread).await,
        json!([{ "left": "l" }, { "right": "r" }])
    );
}

async fn dismissed(graphs: &Graphs) {
    let thread = graphs.server.run("asker", json!(["Any wishes?"])).await;
    let ask = graphs.asked(&thread, "Any wishes?").await;
    graphs.takes(&ask, &["dismiss"]).await;
    assert_eq!(graphs.server.answers(&thread).await, json!([null]));
}

/// Answers after another client has done so: the thread waits for something else by then.
async fn gone_meanwhile(graphs: &Graphs) {
    let thread = graphs
        .server
        .run("asker", json!(["First?", "Second?"]))
        .await;
    let first = graphs.asked(&thread, "First?").await;
    graphs
        .server
        .resume("asker", &thread, json!("theirs"))
        .await;
    let late = graphs
        .beckon
        .command(&["answer", id(&first), "--text", "ours", "--json"])
        .await;
    assert_ne!(late.status, Some(0), "{late:?}");
    let ask = graphs.asked(&thread, "Second?").await;
    graphs.takes(&ask, &["answer", "--text", "ours"]).await;
    assert_eq!(
        graphs.server.answers(&thread).await,
        json!(["theirs", "ours"])
    );
}
