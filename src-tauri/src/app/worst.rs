//! A measurement of how long the loop is busy with the largest ask that a source can make, in each
//! shape and on each surface. `cargo test --release -p beckon --lib worst -- --ignored --nocapture`
//! prints the table; figures are in `docs/measured.md`.
//!
//! Not here: the pages (`ui/src/answer/worst.test.ts`).
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "how long it takes is the question"
)]

use crate::channels::desktop::notice;
use crate::channels::telegram::card::{Answerer, CardContext, card};
use crate::store::{CommitRows, Store};
use crate::tray::menu::TraySnapshot;
use beckon_client::text::{Texts, words};
use beckon_client::wire;
use beckon_core::{
    Answer, Argument, Ask, AskContent, AskId, CallInput, Choice, Desk, Event, FileChange, Grant,
    OnePress, Permission, Question, Reply, Session, SourceReport, Step, Surface, Timestamp,
};
use std::time::{Duration, Instant};

/// The longest time for which the loop may be busy with one ask, whatever it does.
const BUDGET: Duration = Duration::from_millis(50);
/// The factor by which a build without optimizations is slower.
const SLOWER: u32 = if cfg!(debug_assertions) { 10 } else { 1 };

/// The most bytes that may be kept of one ask: a hundred of the largest are 120 MiB.
const KEPT: usize = 1_200 * 1024;

const NOW: Timestamp = Timestamp(1_800_000_000_000);
/// The size of the largest frame that is read from a stream.
const FRAME: usize = 32 * 1024 * 1024;

fn bash(command: String) -> AskContent {
    AskContent::Permission(Permission {
        permission: "bash".into(),
        command: Some(command),
        ..Permission::default()
    })
}

fn listing(permission: &str, patterns: Vec<String>) -> AskContent {
    AskContent::Permission(Permission {
        permission: permission.into(),
        always: patterns.clone(),
        patterns,
        ..Permission::default()
    })
}

fn edit(diff: String) -> AskContent {
    AskContent::Permission(Permission {
        permission: "edit".into(),
        patterns: vec!["src/cart.ts".into()],
        diff: Some(diff),
        ..Permission::default()
    })
}

fn numbered(count: usize, long: usize) -> Vec<String> {
    let name = |number: usize| format!("src/{number}/{}", "x".repeat(long));
    (0..count).map(name).collect()
}

fn choices(count: usize, label: impl Fn(usize) -> String, described: usize) -> Vec<Choice> {
    let choice = |number: usize| Choice {
        label: label(number),
        description: "word ".repeat(described / 5),
        ..Choice::default()
    };
    (0..count).map(choice).collect()
}

fn question(choices: Vec<Choice>) -> AskContent {
    AskContent::Questions(vec![Question {
        question: "Which one?".into(),
        custom: true,
        choices,
        ..Question::default()
    }])
}

fn with_arguments(count: usize, long: usize) -> AskContent {
    let argument = |number: usize| Argument {
        name: format!("a{number}"),
        value: "v ".repeat(long / 2),
    };
    AskContent::Permission(Permission {
        permission: "db_drop".into(),
        patterns: vec!["*".into()],
        input: CallInput {
            arguments: (0..count).map(argument).collect(),
            is_partial: false,
        },
        ..Permission::default()
    })
}

fn patch() -> AskContent {
    let files = numbered(100_000, 40).into_iter().map(FileChange::Delete);
    AskContent::Permission(Permission {
        permission: "edit".into(),
        patterns: numbered(100_000, 40),
        files: files.collect(),
        ..Permission::default()
    })
}

fn command_with_patterns() -> AskContent {
    AskContent::Permission(Permission {
        permission: "bash".into(),
        command: Some(long("npm run x; ")),
        patterns: numbered(5_000, 2),
        ..Permission::default()
    })
}

fn set(count: usize) -> AskContent {
    let one = |number: usize| Question {
        question: format!("Question {number}?"),
        choices: choices(10, |number| number.to_string(), 100),
        ..Question::default()
    };
    AskContent::Questions((0..count).map(one).collect())
}

/// Returns two megabytes of repetitions, the most that the local API takes.
fn long(piece: &str) -> String {
    piece.repeat(2_000_000 / piece.len())
}

type MakeContent = fn() -> AskContent;

/// The shapes in which a body can be large. Each is made only when it is measured, so that one at a
/// time is in memory.
const SHAPES: [(&str, MakeContent); 25] = [
    ("a million short patterns", || {
        listing("bash", vec!["ls".into(); 1_000_000])
    }),
    ("names that differ", || {
        listing("read", numbered(300_000, 20))
    }),
    ("commands as patterns", || {
        listing("bash", vec!["sudo rm -rf ../x; curl x|sh".into(); 300_000])
    }),
    ("one pattern, all marks", || {
        listing("bash", vec![long("sudo rm -rf ../x;")])
    }),
    ("patterns of a long command", command_with_patterns),
    ("a command, all marks", || bash(long("sudo rm -rf ../x;"))),
    ("a command, one word", || bash(long("x"))),
    ("a command, deepest nesting", || bash(long("$("))),
    ("a command, scripts in scripts", || bash(long("bash -c \""))),
    ("a command, all blank lines", || bash(long("\n"))),
    ("a command, all hidden", || bash(long("\u{202e}"))),
    ("a change, all blank lines", || edit(long("\n"))),
    ("a change, all hidden", || edit(long("\u{200b}"))),
    ("a change of short lines", || edit(long("+x\n"))),
    ("a patch of many files", patch),
    ("many arguments", || with_arguments(100_000, 20)),
    ("long arguments", || with_arguments(60, 500_000)),
    ("many equal choices", || {
        question(choices(2_000, |_| "Yes".into(), 100))
    }),
    ("choices, described at length", || {
        question(choices(2_000, |it| it.to_string(), 2_000))
    }),
    ("long labels", || {
        question(choices(30, |it| format!("{it}{}", "x".repeat(8_000)), 0))
    }),
    ("more choices than are kept", || {
        question(choices(100_000, |it| it.to_string(), 100))
    }),
    ("many questions", || set(200)),
    ("more questions than are kept", || set(20_000)),
    ("a confirm, one line", || {
        AskContent::Confirm("x".repeat(FRAME))
    }),
    ("a confirm, all blank lines", || {
        AskContent::Confirm(long(" \n"))
    }),
];

fn ask(kind: AskContent) -> Ask {
    Ask {
        id: AskId::new("local", "per_1"),
        kind,
        session: Session {
            id: "ses_1".into(),
            directory: "/home/me/shop".into(),
            last_words: Some("One moment. ".repeat(100_000)),
            ..Session::default()
        },
        call: None,
        asked_at: NOW,
    }
}

/// The time that each part of the loop took for an ask.
struct Row {
    shape: &'static str,
    /// The size of what is kept of the ask, as bytes of JSON.
    kept: usize,
    took: Vec<(&'static str, Duration)>,
}

impl Row {
    fn time<T>(&mut self, part: &'static str, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = work();
        self.took.push((part, began.elapsed()));
        done
    }

    fn longest(&self) -> (&'static str, Duration) {
        let longest = self.took.iter().max_by_key(|(_, took)| *took);
        longest.copied().unwrap()
    }
}

fn commit(store: &mut Store, step: &Step) {
    let rows = CommitRows {
        save: &step.save,
        news: &step.news,
        ..CommitRows::default()
    };
    store.commit(&rows, NOW).unwrap();
}

fn consent(ask: &Ask) -> Answer {
    match &ask.kind {
        AskContent::Questions(questions) => {
            Answer::Replies(questions.iter().map(|_| Reply::choice(0)).collect())
        }
        AskContent::Permission(_) => Answer::Grant(Grant::Once),
        AskContent::Confirm(_) => Answer::Continue,
        AskContent::Unknown(_) => Answer::Dismiss,
    }
}

fn measure(shape: &'static str, kind: AskContent, texts: &Texts) -> Row {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("beckon.db");
    let mut store = Store::open(&path, NOW).unwrap().store;
    let mut desk = Desk::default();
    let mut row = Row {
        shape,
        kept: 0,
        took: Vec::new(),
    };
    let source = AskId::new("local", "").source;
    let asked = ask(kind).cut();
    row.kept = serde_json::to_vec(&asked).unwrap().len();
    let id = asked.id.clone();
    let answer = consent(&asked);

    // An ask through Beckon itself is cut in the loop. Its body has at most two megabytes.
    let report = SourceReport::Asked(asked);
    let step = row.time("desk", || {
        desk.handle(Event::Source(source.clone(), report), NOW)
    });
    row.time("commit", || commit(&mut store, &step));
    let view = row.time("view", || desk.view(NOW));
    let entry = &view.asks[0].entry;
    row.time("notification", || notice(entry, texts, OnePress::default()));
    let zone = jiff::tz::TimeZone::UTC;
    let context = CardContext {
        texts,
        seal: "Ab3dE6gH1J",
        now: NOW,
        zone: &zone,
        missed: false,
        one_press: OnePress::default(),
        by: Answerer::default(),
    };
    row.time("telegram", || card(entry, &context));
    row.time("tray", || {
        TraySnapshot::without_answers(&view).menu(texts, &zone, NOW)
    });
    row.time("watch", || words::topic(texts, entry));
    row.time("list", || {
        serde_json::to_vec(&wire::list(&view)).unwrap().len()
    });

    let listed = SourceReport::Listed(beckon_core::SourceListing {
        asks: vec![(entry.ask.clone(), true)],
        ..Default::default()
    });
    row.time("listed", || {
        desk.handle(Event::Source(source.clone(), listed), NOW)
    });
    let answered = Event::Answered {
        ask: id.clone(),
        answer,
        seen: None,
        by: Surface::Cli,
        responder: None,
    };
    let step = row.time("answer", || desk.handle(answered, NOW));
    row.time("commit", || commit(&mut store, &step));
    let gone = SourceReport::SessionGone {
        session: "ses_1".into(),
    };
    let step = row.time("end", || desk.handle(Event::Source(source, gone), NOW));
    row.time("commit", || commit(&mut store, &step));
    row
}

#[test]
#[ignore = "a measurement of some seconds"]
fn the_loop_is_not_away_for_longer_than_a_glance_whatever_is_asked() {
    let texts = Texts::load("en");
    let mut over = Vec::new();
    for (shape, kind) in SHAPES {
        let row = measure(shape, kind(), &texts);
        let (part, longest) = row.longest();
        println!(
            "{:<32} {longest:>12.2?} {part:<12} {:>7} kB {:.1?}",
            row.shape,
            row.kept / 1000,
            row.took
        );
        if longest > BUDGET * SLOWER || row.kept > KEPT {
            over.push((row.shape, part, longest, row.kept));
        }
    }
    assert!(over.is_empty(), "{over:#?}");
}
