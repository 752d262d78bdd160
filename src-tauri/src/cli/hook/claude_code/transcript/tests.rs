//! Tests with lines as Claude Code 2.1.330 wrote them, and with files that are something else.

use super::*;
use crate::cli::hook::claude_code::ids::CallMark;
use crate::cli::hook::claude_code::input::ToolUse;
use crate::cli::hook::claude_code::input_paths::PathOrigins;
use serde_json::json;

macro_rules! recorded {
    ($name:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/app/agents/hooks/recorded/transcript/",
            $name,
            ".jsonl"
        ))
    };
}

const USE: &str = recorded!("use");
const REFUSED_BY_HOOK: &str = recorded!("refused_by_hook");
const REFUSED_BY_USER: &str = recorded!("refused_by_user");
const RUN_BY_HOOK: &str = recorded!("run_by_hook");
const RUN_BY_USER: &str = recorded!("run_by_user");
const DECISION: &str = recorded!("hook_decision");
const OF_SUBAGENT: &str = recorded!("use_of_subagent");

fn parse(text: &str) -> TranscriptTail {
    TranscriptTail::parse(text.as_bytes(), None)
}

fn result(text: &str) -> RecordedResult {
    let mut results = parse(text).results;
    assert_eq!(results.len(), 1, "{results:?}");
    results.remove(0)
}

#[test]
fn a_use_is_read_with_its_message_its_time_and_what_it_wants() {
    let tail = parse(USE);
    let [used] = &tail.uses[..] else {
        panic!("{tail:?}");
    };
    assert_eq!(used.id, "toolu_000170328670");
    assert_eq!(used.message.as_deref(), Some("msg_1795770281570340668"));
    assert_eq!(used.written.at, Some(1_795_770_281_585));
    assert_eq!(used.tool, "Bash");
    let asked = ToolUse {
        tool_name: "Bash".into(),
        tool_input: json!({ "description": "First", "command": "node -e 11" }),
        id: None,
    };
    assert_eq!(used.call, CallMark::of(&asked, PathOrigins::default()));
}

/// Claude Code 2.1.330 tells its hooks the whole path, and writes down what the model wrote.
#[test]
fn a_path_that_the_model_wrote_is_the_one_that_was_asked_for() {
    let line = USE
        .replace("\"name\":\"Bash\"", "\"name\":\"Read\"")
        .replace(
            "\"command\":\"node -e 11\"",
            "\"file_path\":\"../../notes/./a.md\"",
        );
    let tail = parse(&line);
    let cwd: serde_json::Value = serde_json::from_str(USE.trim()).unwrap();
    let cwd = std::path::Path::new(cwd["cwd"].as_str().unwrap());
    let folder = cwd.parent().and_then(std::path::Path::parent).unwrap();
    let whole = folder.join("notes/a.md");
    let asked = ToolUse {
        tool_name: "Read".into(),
        tool_input: json!({ "description": "First", "file_path": whole }),
        id: None,
    };
    assert_eq!(
        tail.uses[0].call,
        CallMark::of(&asked, PathOrigins::default())
    );
}

#[test]
fn a_result_says_whether_the_tool_ran_and_who_decided() {
    let table = [
        (REFUSED_BY_HOOK, true, false, Decider::Hook),
        (REFUSED_BY_USER, true, false, Decider::User),
        (RUN_BY_HOOK, false, true, Decider::Hook),
        (RUN_BY_USER, false, true, Decider::User),
    ];
    for (line, is_error, has_run, decider) in table {
        let read = result(line);
        let seen = (read.is_error, read.has_run, read.decider);
        assert_eq!(seen, (is_error, has_run, decider), "{line}");
    }
    assert_eq!(result(REFUSED_BY_HOOK).text, "No \"thanks\" 写\nnext");
}

#[test]
fn a_use_that_its_user_stopped_while_it_ran_has_run() {
    let running = REFUSED_BY_USER.replace("\"toolDenialBeforeRun\":true,", "");
    assert!(result(&running).has_run);
}

#[test]
fn older_versions_tell_by_the_words_of_the_result() {
    let older = |line: &str| {
        let cut = line.find(",\"toolUseResult\"").unwrap();
        format!("{}}}", &line[..cut])
    };
    assert!(!result(&older(REFUSED_BY_USER)).has_run);
    assert!(result(&older(RUN_BY_USER)).has_run);
    assert_eq!(result(&older(RUN_BY_USER)).decider, Decider::Unsaid);
}

#[test]
fn what_a_hook_allowed_is_noted() {
    let tail = parse(DECISION);
    assert_eq!(tail.allowed_by_hook[0].of, "toolu_000655749707");
    let refused = DECISION.replace("\"allow\"", "\"deny\"");
    assert!(parse(&refused).allowed_by_hook.is_empty());
}

#[test]
fn a_line_that_is_half_written_or_odd_is_passed_over_and_the_others_count() {
    let half = &RUN_BY_HOOK[..RUN_BY_HOOK.len() / 2];
    let nulls = "\0\0\0tool_use\0\0";
    let odd = [
        r#"{"type":"assistant","message":{"content":"tool_use"}}"#,
        r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":7,"name":"Bash"}]}}"#,
        r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"x","name":null}]}}"#,
        r#"{"type":"assistant","message":null,"tool_use":1}"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":[]}]}}"#,
        r#"{"type":"user","message":[["tool_result"]]}"#,
        r#"{"type":["user"],"x":"tool_result"}"#,
        "tool_use",
        "[\"tool_use\"]",
        nulls,
    ];
    let mut text = odd.join("\n");
    text.push('\n');
    text.push_str(USE);
    text.push_str("\r\n");
    text.push_str(half);
    let mut bytes = text.into_bytes();
    bytes.extend(b"\n\xff\xfe\xfdtool_result\n");
    let tail = TranscriptTail::parse(&bytes, None);
    assert_eq!(tail.uses.len(), 1, "{tail:?}");
    assert!(tail.results.is_empty(), "{tail:?}");
}

#[test]
fn fields_of_another_type_are_as_good_as_absent() {
    let odd = USE
        .replace("\"2026-11-27T09:04:41.585Z\"", "{\"at\":7}")
        .replace("\"id\":\"msg_1795770281570340668\"", "\"id\":7");
    let tail = parse(&odd);
    assert_eq!(tail.uses[0].written.at, None);
    assert_eq!(tail.uses[0].message, None);
}

#[test]
fn what_is_sent_to_the_model_once_more_is_no_second_result() {
    let sent = REFUSED_BY_HOOK.replace("\"type\":\"user\"", "\"type\":\"api-request-blob\"");
    assert!(parse(&sent).results.is_empty());
}

#[test]
fn a_subagents_lines_are_its_own() {
    let both = format!("{USE}{OF_SUBAGENT}");
    let of = |agent: Option<&str>| {
        let uses = TranscriptTail::parse(both.as_bytes(), agent).uses;
        uses.into_iter().map(|used| used.id).collect::<Vec<_>>()
    };
    assert_eq!(of(None), ["toolu_000170328670"]);
    assert_eq!(of(Some("ad74d5dd58a032b5e")), ["toolu_000405873163"]);
    assert!(of(Some("another")).is_empty());
}

/// Makes the place of a session's record, in a temporary folder.
fn place(folder: &Path, agent: Option<&str>) -> TranscriptPlace {
    TranscriptPlace::new(Some(folder.join("session.jsonl")), agent, &[""]).unwrap()
}

#[test]
fn a_subagent_is_read_where_its_version_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let agent = "ad74d5dd58a032b5e";
    let place = place(folder.path(), Some(agent));
    assert!(place.read().is_none());
    let below = folder.path().join("session/subagents");
    std::fs::create_dir_all(&below).unwrap();
    let name = format!("agent-{agent}.jsonl");
    let files = [
        folder.path().join("session.jsonl"),
        folder.path().join(&name),
        below.join(&name),
    ];
    for (number, file) in files.iter().enumerate() {
        let line = OF_SUBAGENT.replace("toolu_000405873163", &format!("toolu_{number}"));
        std::fs::write(file, line).unwrap();
        let uses = place.read().unwrap().uses;
        assert_eq!(uses[0].id, format!("toolu_{number}"), "{}", file.display());
    }
}

#[test]
fn an_agents_name_leads_to_no_other_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("session.jsonl"), OF_SUBAGENT).unwrap();
    for agent in ["", "../../etc/passwd", "a/b", "a.b", &"a".repeat(65)] {
        assert!(!place(folder.path(), Some(agent)).exists(), "{agent}");
    }
    assert!(TranscriptPlace::new(Some("session.jsonl".into()), None, &[""]).is_none());
    assert!(TranscriptPlace::new(None, None, &["/work"]).is_none());
}

#[test]
fn a_place_that_is_not_whole_starts_from_the_folder_of_its_session() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join(".cc")).unwrap();
    std::fs::write(folder.path().join(".cc/session.jsonl"), USE).unwrap();
    let directory = folder.path().to_str().unwrap();
    let left = folder.path().join("sub");
    for folders in [[directory, left.to_str().unwrap()], ["", directory]] {
        let place = TranscriptPlace::new(Some(".cc/session.jsonl".into()), None, &folders);
        assert!(place.unwrap().exists(), "{folders:?}");
    }
}

#[test]
fn only_the_end_of_a_large_file_is_read_and_no_half_line_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path(), None);
    let early = USE.replace("toolu_000170328670", "toolu_early");
    let mut file = File::create(folder.path().join("session.jsonl")).unwrap();
    let write = |file: &mut File, text: &str| {
        std::io::Write::write_all(file, text.as_bytes()).unwrap();
    };
    write(&mut file, &early);
    // A gigabyte that takes no room.
    file.seek(SeekFrom::Start(1 << 30)).unwrap();
    write(&mut file, "\n");
    write(&mut file, USE);
    let ids: Vec<String> = place
        .read()
        .unwrap()
        .uses
        .into_iter()
        .map(|it| it.id)
        .collect();
    assert_eq!(ids, ["toolu_000170328670"]);

    // The file has a line that is longer than all that is read.
    file.seek(SeekFrom::Start(2 << 30)).unwrap();
    write(&mut file, "tool_use");
    assert!(place.read().is_none_or(|tail| tail.uses.is_empty()));
}

fn named(id: &str) -> String {
    USE.replace("toolu_000170328670", id)
}

fn ids(tail: &TranscriptTail) -> Vec<&str> {
    tail.uses.iter().map(|it| it.id.as_str()).collect()
}

#[test]
fn only_the_last_lines_are_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{}{}{USE}", named("early"), "tool_use\n".repeat(5_000));
    std::fs::write(folder.path().join("session.jsonl"), text).unwrap();
    let tail = place(folder.path(), None).read().unwrap();
    assert_eq!(ids(&tail), ["toolu_000170328670"]);
}

#[test]
fn lines_are_read_backwards_as_they_stand_there() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path(), None);
    let file = folder.path().join("session.jsonl");
    // Lengths around those of a block, so that a line begins and ends anywhere in one.
    for filler in [0, 1, 7, 262_100, 262_143, 262_144, 262_145, 600_000] {
        let filler = format!("{}\n", "x".repeat(filler));
        let text = format!("{}{filler}{}{filler}{}", named("a"), named("b"), named("c"));
        let text = text.trim_end();
        std::fs::write(&file, text).unwrap();
        let tail = place.read().unwrap();
        assert_eq!(ids(&tail), ["a", "b", "c"], "{}", filler.len());
        for it in &tail.uses {
            let offset = usize::try_from(it.written.offset).unwrap();
            assert!(text[offset..].starts_with("{\"parentUuid\""), "{it:?}");
            assert!(offset == 0 || text[..offset].ends_with('\n'), "{it:?}");
        }
    }
}

/// Makes a line with a picture of that many bytes, as a tool returns it.
fn picture(bytes: usize) -> String {
    let data = "A".repeat(bytes);
    RUN_BY_USER.replace("(Bash completed with no output)", &data)
}

#[test]
fn a_huge_line_hides_nothing_that_stands_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path(), None);
    let file = folder.path().join("session.jsonl");
    for huge in [5 << 20, 12 << 20, 40 << 20] {
        std::fs::write(&file, format!("{USE}{}{REFUSED_BY_HOOK}", picture(huge))).unwrap();
        let tail = place.read().unwrap();
        assert_eq!(ids(&tail), ["toolu_000170328670"], "{huge}");
        assert!(tail.result_of(&tail.uses[0]).is_some(), "{huge}");
    }
    // A large one says what it says all the same.
    std::fs::write(&file, format!("{USE}{}", picture(5 << 20))).unwrap();
    assert_eq!(place.read().unwrap().results.len(), 1);
}

#[test]
fn what_was_seen_once_stays_known_whatever_is_written_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.jsonl");
    let append = |text: &str| {
        use std::io::Write;
        let mut file = OpenOptions::new().append(true).create(true).open(&file);
        file.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    };
    let mut reader = TranscriptReader::new(place(folder.path(), None));
    append(USE);
    assert_eq!(ids(reader.look().unwrap()), ["toolu_000170328670"]);

    for _ in 0..4 {
        append(&"{\"type\":\"progress\"}\n".repeat(100_000));
        append(&format!("{}\n", "x".repeat(20 << 20)));
        assert_eq!(ids(reader.look().unwrap()), ["toolu_000170328670"]);
    }
    let (half, rest) = REFUSED_BY_HOOK.split_at(REFUSED_BY_HOOK.len() / 2);
    append(half);
    assert!(reader.look().unwrap().results.is_empty());
    append(rest);
    let tail = reader.look().unwrap();
    assert!(tail.result_of(&tail.uses[0]).is_some());
    assert_eq!(tail.results.len(), 1);
}

#[test]
fn a_file_that_was_begun_anew_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.jsonl");
    let mut reader = TranscriptReader::new(place(folder.path(), None));
    std::fs::write(&file, named("a")).unwrap();
    assert_eq!(ids(reader.look().unwrap()), ["a"]);
    std::fs::write(&file, "").unwrap();
    assert!(ids(reader.look().unwrap()).is_empty());
    std::fs::write(&file, named("b")).unwrap();
    assert_eq!(ids(reader.look().unwrap()), ["b"]);
    std::fs::write(&file, format!("{}\n{}", "x".repeat(10_000), named("c"))).unwrap();
    assert_eq!(
        ids(reader.look().unwrap()),
        ["c"],
        "no line ends where one did"
    );
}

#[test]
fn the_length_counts_where_a_thread_has_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("session.jsonl"), USE).unwrap();
    assert_eq!(place(folder.path(), None).length(), Some(USE.len() as u64));
    let agent = place(folder.path(), Some("ad74d5dd58a032b5e"));
    assert!(agent.exists());
    assert_eq!(agent.length(), None, "it may get one yet");
}

/// Writes a session with subagents, each with these lines.
fn session_with(folder: &Path, main: &str, subagents: &[(&str, String)]) {
    let below = folder.join("session/subagents");
    std::fs::create_dir_all(&below).unwrap();
    std::fs::write(folder.join("session.jsonl"), main).unwrap();
    for (agent, lines) in subagents {
        let of_it = format!("\"isSidechain\":true,\"agentId\":\"{agent}\"");
        let lines = lines.replace("\"isSidechain\":false", &of_it);
        std::fs::write(below.join(format!("agent-{agent}.jsonl")), lines).unwrap();
        std::fs::write(below.join(format!("agent-{agent}.meta.json")), "{}").unwrap();
    }
}

#[test]
fn another_thread_that_waits_is_seen() {
    let ended = format!("{USE}{REFUSED_BY_HOOK}");
    let starts = USE.replace("\"name\":\"Bash\"", "\"name\":\"Agent\"");
    let huge = format!("{USE}{}", picture(12 << 20));
    let open = [("a", USE.to_owned())];
    let over = [("a", ended.clone()), ("b", String::new())];
    let table = [
        ("no other", USE, vec![], None, false),
        ("one is open", USE, open.to_vec(), None, true),
        ("all have ended", USE, over.to_vec(), None, false),
        (
            "it is its own",
            ended.as_str(),
            open.to_vec(),
            Some("a"),
            false,
        ),
        ("the main one is open", USE, open.to_vec(), Some("a"), true),
        (
            "it runs below the main one",
            starts.as_str(),
            open.to_vec(),
            Some("a"),
            false,
        ),
        ("a huge line follows", USE, vec![("a", huge)], None, true),
    ];
    for (name, main, subagents, agent, is_open) in table {
        let folder = tempfile::tempdir().unwrap();
        session_with(folder.path(), main, &subagents);
        let place = place(folder.path(), agent);
        assert_eq!(place.has_open_uses_elsewhere(None), is_open, "{name}");
    }
}

#[test]
fn what_an_earlier_run_left_open_waits_for_nobody() {
    let folder = tempfile::tempdir().unwrap();
    session_with(folder.path(), USE, &[("a", USE.to_owned())]);
    let place = place(folder.path(), None);
    let hour = std::time::Duration::from_secs(3_600);
    let now = SystemTime::now();
    assert!(place.has_open_uses_elsewhere(Some(now - hour)));
    assert!(!place.has_open_uses_elsewhere(Some(now + hour)));
}

#[test]
fn of_too_many_threads_one_may_wait() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..101).map(|number| format!("a{number}")).collect();
    let ended: Vec<(&str, String)> = names
        .iter()
        .map(|it| (it.as_str(), String::new()))
        .collect();
    session_with(folder.path(), USE, &ended[..100]);
    let place = place(folder.path(), None);
    assert!(!place.has_open_uses_elsewhere(None));
    session_with(folder.path(), USE, &ended);
    assert!(place.has_open_uses_elsewhere(None));
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_waited_for_and_a_link_to_one_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path(), None);
    let session = folder.path().join("session.jsonl");
    let made = std::process::Command::new("mkfifo").arg(&session).status();
    assert!(made.unwrap().success());
    assert!(place.read().is_none());
    assert!(open(&session).is_none(), "and also if it was a file before");

    std::fs::remove_file(&session).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &session).unwrap();
    assert!(place.read().is_none());

    std::fs::remove_file(&session).unwrap();
    std::os::unix::fs::symlink(&session, &session).unwrap();
    assert!(place.read().is_none(), "a link to itself");

    std::fs::remove_file(&session).unwrap();
    std::fs::write(folder.path().join("elsewhere"), USE).unwrap();
    std::os::unix::fs::symlink("elsewhere", &session).unwrap();
    assert_eq!(place.read().unwrap().uses.len(), 1);

    std::fs::remove_file(&session).unwrap();
    std::fs::create_dir(&session).unwrap();
    assert!(place.read().is_none());
}

#[test]
fn a_reader_sees_what_was_written_since_and_that_the_file_has_gone() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("session.jsonl");
    let mut reader = TranscriptReader::new(place(folder.path(), None));
    assert!(reader.look().is_none());
    std::fs::write(&session, USE).unwrap();
    assert_eq!(reader.look().unwrap().results.len(), 0);
    std::fs::write(&session, format!("{USE}{REFUSED_BY_HOOK}")).unwrap();
    assert_eq!(reader.look().unwrap().results.len(), 1);
    std::fs::remove_file(&session).unwrap();
    assert!(reader.look().is_none());
}
