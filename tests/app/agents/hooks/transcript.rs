//! Tests of what Claude Code's own transcript proves about an answer: lines in the form of 2.1.330,
//! written while the real hook waits. The register of sessions says what it says between dialogs.

use super::*;
use std::path::PathBuf;

/// A transcript that a test writes in Claude Code's place.
pub(super) struct Transcript {
    file: PathBuf,
    /// The fields of its lines that name their thread.
    thread: String,
    /// The milliseconds by which its clock is fast.
    fast: i64,
}

/// Reads a recorded line.
fn recorded(name: &str) -> String {
    let path = format!(
        "{}/tests/app/agents/hooks/recorded/transcript/{name}.jsonl",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(path).unwrap()
}

/// Returns the line with its time replaced by one that is this many milliseconds from now.
fn in_time(line: &str, milliseconds: i64) -> String {
    let key = "\"timestamp\":\"";
    let start = line.find(key).unwrap() + key.len();
    let end = start + line[start..].find('"').unwrap();
    let at = jiff::Timestamp::now().as_millisecond() + milliseconds;
    let at = jiff::Timestamp::from_millisecond(at).unwrap();
    format!("{}{at}{}", &line[..start], &line[end..])
}

impl Transcript {
    pub(super) fn new(scene: &Scene) -> Self {
        let folder = scene.beckon.folder().join("user/.claude/projects/shop");
        std::fs::create_dir_all(&folder).unwrap();
        Self {
            file: folder.join("session.jsonl"),
            thread: "\"isSidechain\":false".to_owned(),
            fast: 0,
        }
    }

    /// Returns the transcript of a subagent of the same session.
    pub(super) fn of_subagent(&self, agent: &str) -> Self {
        let folder = self.file.with_extension("").join("subagents");
        std::fs::create_dir_all(&folder).unwrap();
        Self {
            file: folder.join(format!("agent-{agent}.jsonl")),
            thread: format!("\"isSidechain\":true,\"agentId\":\"{agent}\""),
            fast: 0,
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.file
    }

    /// Returns the event as one of a session that is recorded here.
    pub(super) fn event(&self, event: Value) -> Value {
        let mut event = event;
        event["transcript_path"] = json!(self.file);
        event
    }

    fn write(&self, line: &str) {
        use std::io::Write;
        let line = line.replace("\"isSidechain\":false", &self.thread);
        let line = in_time(&line, self.fast);
        let file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.file);
        file.unwrap().write_all(line.as_bytes()).unwrap();
    }

    /// Writes that Claude wants the call which that event asks for.
    pub(super) fn used(&self, id: &str, event: &Value) {
        let line = recorded("use").replace("toolu_000170328670", id);
        let own =
            "\"name\":\"Bash\",\"input\":{\"command\":\"node -e 11\",\"description\":\"First\"}";
        assert!(line.contains(own), "{line}");
        let (name, input) = (&event["tool_name"], &event["tool_input"]);
        let wanted = format!("\"name\":{name},\"input\":{input}");
        self.write(&line.replace(own, &wanted));
    }

    /// Writes that a hook's "no" ended the call.
    pub(super) fn refused(&self, id: &str, reason: &str) {
        let line = recorded("refused_by_hook").replace("toolu_000170328670", id);
        let own = "No \\\"thanks\\\" 写\\nnext";
        assert!(line.contains(own), "{line}");
        self.write(&line.replace(own, reason));
    }

    /// Writes that the call has run, allowed by a hook.
    pub(super) fn run(&self, id: &str) {
        self.write(&recorded("run_by_hook").replace("toolu_000655749707", id));
    }

    /// Writes that a hook's "no" before the tool ended the call.
    pub(super) fn refused_before_tool(&self, id: &str, reason: &str) {
        let line = recorded("refused_before_tool").replace("toolu_000666423316", id);
        let own = "  not  now \\n";
        assert!(line.contains(own), "{line}");
        self.write(&line.replace(own, reason));
    }

    /// Writes that the call was refused in the terminal.
    pub(super) fn refused_by_user(&self, id: &str) {
        self.write(&recorded("refused_by_user").replace("toolu_000976517927", id));
    }

    /// Writes a line with a picture of this many bytes.
    pub(super) fn picture(&self, bytes: usize) {
        let line = recorded("run_by_user");
        let data = "A".repeat(bytes);
        self.write(&line.replace("(Bash completed with no output)", &data));
    }

    /// Writes that the call has run, allowed in the terminal.
    pub(super) fn run_by_user(&self, id: &str) {
        self.write(&recorded("run_by_user").replace("toolu_000855740015", id));
    }
}

/// Returns requests for a harmless command, and for another one in the same message.
pub(super) fn two_commands() -> [Value; 2] {
    ["npm ci", "npm test"].map(|command| {
        let input = json!({ "command": command, "description": "Runs it" });
        with("permission_request", json!({ "tool_input": input }))
    })
}

fn says(output: &Output) -> (Option<i32>, &str) {
    (output.status, output.stdout.trim())
}

/// Tells whether a notification says that an answer wasn't taken.
fn was_not_taken(scene: &Scene) -> bool {
    let shown = scene.daemon.all();
    shown
        .iter()
        .any(|shown| shown.body.contains("didn't take the answer"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_to_one_of_two_dialogs_is_delivered_when_its_result_is_recorded() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, other] = two_commands();
    transcript.used("toolu_1", &one);
    transcript.used("toolu_2", &other);
    let (hook, id) = asked(&scene, transcript.event(one)).await;
    let words = ["deny", &id, "--reason", "写测试 first"];
    let (output, given) = tokio::join!(scene.beckon.command(&words), async {
        let given = decision(hook).await;
        // The next dialog is open, and the register has the same status as before.
        transcript.refused("toolu_1", "写测试 first");
        given
    });
    assert_eq!(given["decision"]["behavior"], "deny");
    assert_eq!(says(&output), (Some(0), "Delivered."), "{output:?}");
    scene.nothing_left().await;
    assert!(!was_not_taken(&scene));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_a_slow_call_beside_another_dialog_is_delivered_when_it_has_run() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, other] = two_commands();
    transcript.used("toolu_1", &one);
    transcript.used("toolu_2", &other);
    let (hook, id) = asked(&scene, transcript.event(one)).await;
    let words = ["grant", &id];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        let longer_than_a_dialog_is_waited_for = Duration::from_secs(12);
        tokio::time::sleep(longer_than_a_dialog_is_waited_for).await;
        transcript.run("toolu_1");
    });
    assert_eq!(says(&output), (Some(0), "Delivered."), "{output:?}");
    scene.nothing_left().await;
    assert!(!was_not_taken(&scene));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_a_slow_call_beside_a_subagents_dialog_is_delivered_when_it_has_run() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, other] = two_commands();
    transcript.used("toolu_1", &one);
    transcript.of_subagent("a1b2").used("toolu_2", &other);
    let (hook, id) = asked(&scene, transcript.event(one)).await;
    let words = ["grant", &id];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        let longer_than_a_dialog_is_waited_for = Duration::from_secs(12);
        tokio::time::sleep(longer_than_a_dialog_is_waited_for).await;
        transcript.run("toolu_1");
    });
    assert_eq!(says(&output), (Some(0), "Delivered."), "{output:?}");
    scene.nothing_left().await;
    assert!(!was_not_taken(&scene));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_call_whose_input_another_hook_has_changed_is_not_called_lost() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, other] = two_commands();
    let written = with("permission_request", json!({ "tool_name": "Read" }));
    transcript.used("toolu_1", &written);
    transcript.used("toolu_2", &other);
    let (hook, id) = asked(&scene, transcript.event(one)).await;
    let words = ["grant", &id];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        let longer_than_a_dialog_is_waited_for = Duration::from_secs(12);
        tokio::time::sleep(longer_than_a_dialog_is_waited_for).await;
        transcript.run("toolu_2");
    });
    assert_eq!(says(&output), (Some(0), "Delivered."), "{output:?}");
    assert!(!was_not_taken(&scene));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_short_reason_is_not_found_in_what_the_terminal_says_of_its_own_no() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, _] = two_commands();
    transcript.used("toolu_1", &one);
    let (hook, id) = asked(&scene, transcript.event(one)).await;
    let words = ["deny", &id, "--reason", "wait"];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        transcript.refused_by_user("toolu_1");
    });
    assert_eq!(output.status, Some(1), "{output:?}");
    assert!(output.stderr.contains("Already answered"), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stood_there_before_the_answer_proves_nothing_of_it_whatever_the_clock_says() {
    let scene = Scene::start().await;
    let mut transcript = Transcript::new(&scene);
    let [one, _] = two_commands();
    // The first of two equal calls was refused before the clock was set back.
    transcript.used("toolu_1", &one);
    transcript.used("toolu_2", &one);
    transcript.fast = 3_600_000;
    transcript.refused("toolu_1", "not now");
    transcript.fast = 0;
    let (hook, id) = asked(&scene, transcript.event(one)).await;
    let words = ["deny", &id, "--reason", "not now"];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        register(&scene, "busy");
        transcript.run_by_user("toolu_2");
    });
    assert_eq!(output.status, Some(1), "{output:?}");
    assert!(output.stderr.contains("Already answered"), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_huge_line_hides_no_use_that_stands_before_it() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, other] = two_commands();
    transcript.used("toolu_1", &one);
    transcript.used("toolu_2", &other);
    transcript.picture(5 << 20);
    let (hook, id) = asked(&scene, transcript.event(one)).await;
    let words = ["deny", &id, "--reason", "not now"];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        transcript.refused("toolu_1", "not now");
    });
    assert_eq!(says(&output), (Some(0), "Delivered."), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_that_stands_by_itself_has_not_taken_the_answer() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, _] = two_commands();
    transcript.used("toolu_1", &one);
    for words in ["grant", "deny"] {
        let (hook, id) = asked(&scene, transcript.event(one.clone())).await;
        let words = [words, &id];
        let (output, _) = tokio::join!(scene.beckon.command(&words), decision(hook));
        assert_eq!(output.status, Some(1), "{output:?}");
        assert!(output.stderr.contains("stopped waiting"), "{output:?}");
        let is_told = |shown: &Shown| shown.body.contains("didn't take the answer");
        let told = scene.daemon.wait_for(is_told, SOON).await;
        scene.daemon.close(told.id, DISMISSED);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_that_comes_just_after_a_yes_in_the_terminal_is_too_late() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, _] = two_commands();
    transcript.used("toolu_1", &one);
    let (hook, id) = asked(&scene, transcript.event(one)).await;
    let words = ["deny", &id];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        register(&scene, "busy");
        let the_command_takes_its_time = Duration::from_millis(700);
        tokio::time::sleep(the_command_takes_its_time).await;
        transcript.run_by_user("toolu_1");
    });
    assert_eq!(output.status, Some(1), "{output:?}");
    assert!(output.stderr.contains("Already answered"), "{output:?}");
    scene.nothing_left().await;
    let (_, history) = scene.send("GET", "/history", None).await;
    assert_eq!(history["entries"][0]["by"], "elsewhere", "{history}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_comes_just_after_a_no_in_the_terminal_is_too_late() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, _] = two_commands();
    transcript.used("toolu_1", &one);
    let (hook, id) = asked(&scene, transcript.event(one)).await;
    let words = ["grant", &id];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        // The register reports the end of the dialog first.
        register(&scene, "busy");
        let the_line_comes_later = Duration::from_millis(1_500);
        tokio::time::sleep(the_line_comes_later).await;
        transcript.refused_by_user("toolu_1");
    });
    assert_eq!(output.status, Some(1), "{output:?}");
    assert!(output.stderr.contains("Already answered"), "{output:?}");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_turn_makes_no_answer_delivered_that_the_terminal_overtook() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, _] = two_commands();
    let ends = with("stop", json!({ "session_id": one["session_id"] })).to_string();
    transcript.used("toolu_1", &one);
    let (hook, id) = asked(&scene, transcript.event(one)).await;
    let words = ["deny", &id];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        register(&scene, "busy");
        no_opinion(start(&scene, &[], &ends).await).await;
        let the_line_comes_later = Duration::from_secs(3);
        tokio::time::sleep(the_line_comes_later).await;
        transcript.run_by_user("toolu_1");
    });
    assert_eq!(output.status, Some(1), "{output:?}");
    assert!(output.stderr.contains("Already answered"), "{output:?}");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_handed_over_just_before_beckon_was_killed_is_proven_when_it_is_back() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, _] = two_commands();
    transcript.used("toolu_1", &one);
    let (hook, id) = asked(&scene, transcript.event(one)).await;
    scene.shown("wants to run npm").await;
    let words = ["deny", &id, "--reason", "not now"];
    let (_, ()) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        scene.beckon.kill9();
    });
    transcript.refused("toolu_1", "not now");
    register(&scene, "busy");
    scene.beckon.start();
    scene.beckon.wait_ready().await;
    scene.nothing_left().await;
    let (_, history) = scene.send("GET", "/history", None).await;
    assert_eq!(history["entries"][0]["outcome"], "answered", "{history}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_whose_command_runs_on_and_on_is_too_late() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, _] = two_commands();
    transcript.used("toolu_1", &one);
    let (hook, id) = asked(&scene, transcript.event(one)).await;
    let words = ["deny", &id];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        register(&scene, "busy");
    });
    assert_eq!(output.status, Some(1), "{output:?}");
    assert!(output.stderr.contains("Already answered"), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_comes_just_after_the_terminals_own_is_too_late() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let session = event("permission_request")["session_id"].clone();
    let asking = with("questions", json!({ "session_id": session }));
    transcript.used("toolu_1", &asking);
    let (hook, id) = asked(&scene, transcript.event(asking)).await;
    let words = ["answer", &id, "--choice", "1", "--choice", "1"];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        register(&scene, "busy");
        transcript.run_by_user("toolu_1");
    });
    assert_eq!(output.status, Some(1), "{output:?}");
    assert!(output.stderr.contains("Already answered"), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_without_a_register_is_delivered_when_its_result_is_recorded() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, _] = two_commands();
    transcript.used("toolu_1", &one);
    let asking = transcript.event(one).to_string();
    let hook = start(&scene, &[], &asking).await;
    let id = scene.one_open().await;
    let words = ["deny", &id, "--reason", "not now"];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        transcript.refused("toolu_1", "not now");
    });
    assert_eq!(says(&output), (Some(0), "Delivered."), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transcript_that_cannot_be_read_leaves_the_proof_to_the_register() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [one, _] = two_commands();
    let file = transcript.path();
    let whole = recorded("use");
    let odd = |name: &str| {
        let _ = std::fs::remove_file(file);
        match name {
            "missing" => {}
            "empty" => std::fs::write(file, "").unwrap(),
            "half a line" => std::fs::write(file, &whole[..whole.len() / 2]).unwrap(),
            "zeros" => std::fs::write(file, [0; 100_000]).unwrap(),
            "of another time" => std::fs::write(file, "<xml>tool_use</xml>\n").unwrap(),
            #[cfg(unix)]
            "a pipe" => {
                let made = std::process::Command::new("mkfifo").arg(file).status();
                assert!(made.unwrap().success());
            }
            #[cfg(unix)]
            "a link to itself" => std::os::unix::fs::symlink(file, file).unwrap(),
            name => panic!("{name}"),
        }
    };
    let mut names = vec![
        "missing",
        "empty",
        "half a line",
        "zeros",
        "of another time",
    ];
    if cfg!(unix) {
        names.extend(["a pipe", "a link to itself"]);
    }
    for name in names {
        odd(name);
        let (hook, id) = asked(&scene, transcript.event(one.clone())).await;
        let began = Instant::now();
        let given = answered(&scene, &["deny", &id], hook).await;
        assert_eq!(given["decision"]["behavior"], "deny", "{name}");
        assert!(began.elapsed() < Duration::from_secs(8), "{name}");
        scene.nothing_left().await;
    }
}
