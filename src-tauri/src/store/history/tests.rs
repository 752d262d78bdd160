//! Tests that what was settled is read again: pages, searches, a day.

use super::*;
use crate::store::{CommitRows, Store};
use beckon_core::{
    Answer, AskContent, AskId, Choice, Entry, Grant, LateAnswer, Outcome, Question, Reply,
    Responder, RowChange, Session, Surface, Voucher,
};

/// Makes a database in which the asks `q0`, `q1`, … were settled, one a minute.
fn history(outcomes: &[Outcome]) -> (tempfile::TempDir, HistoryReader) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("beckon.db");
    let mut store = Store::open(&path, Timestamp(0)).unwrap().store;
    for (number, outcome) in outcomes.iter().enumerate() {
        let minute = i64::try_from(number).unwrap() * 60_000;
        let mut entry = Entry::new(ask(number, minute), number as u64 + 1);
        entry.state = AskState::Settled {
            outcome: outcome.clone(),
            at: Timestamp(minute + 9_000),
        };
        let save = [RowChange::Ask(Box::new(entry))];
        let rows = CommitRows {
            save: &save,
            ..CommitRows::default()
        };
        store.commit(&rows, Timestamp(minute)).unwrap();
    }
    (folder, HistoryReader::of(&path))
}

fn ask(number: usize, asked_at: i64) -> Ask {
    let choices = vec![Choice {
        label: "Ja".into(),
        ..Choice::default()
    }];
    let text = format!("Question {number}?");
    let question = Question {
        question: text,
        choices,
        custom: true,
        ..Question::default()
    };
    let title = Some(format!("Title {number}"));
    let session = Session {
        title,
        directory: "/home/me/shop".into(),
        ..Session::default()
    };
    let id = AskId::new("local", format!("q{number}"));
    let kind = AskContent::Questions(vec![question]);
    Ask {
        id,
        kind,
        session,
        call: None,
        asked_at: Timestamp(asked_at),
    }
}

fn answered() -> Outcome {
    let answer = Answer::Replies(vec![Reply::choice(0)]);
    Outcome::Answered {
        answer,
        by: Surface::Tray,
    }
}

fn ids(history: &HistoryReader, query: HistoryFilter) -> (Vec<String>, bool) {
    let (entries, more) = history.search(&query).unwrap();
    (entries.into_iter().map(|entry| entry.id).collect(), more)
}

#[test]
fn the_newest_come_first_a_page_at_a_time() {
    let (_folder, history) = history(&[answered(), Outcome::Gone, answered()]);
    let (first, more) = ids(
        &history,
        HistoryFilter {
            limit: 2,
            ..HistoryFilter::default()
        },
    );
    assert_eq!((first, more), (vec!["q2".to_owned(), "q1".into()], true));
    let before = Some(Timestamp(69_000));
    let (rest, more) = ids(
        &history,
        HistoryFilter {
            limit: 2,
            before,
            ..HistoryFilter::default()
        },
    );
    assert_eq!((rest, more), (vec!["q0".to_owned()], false));
}

#[test]
fn it_is_searched_by_what_was_asked_and_answered_and_how_it_ended() {
    let (_folder, history) = history(&[answered(), Outcome::Gone]);
    let by = |text: &str| HistoryFilter {
        text: Some(text.into()),
        limit: 9,
        ..HistoryFilter::default()
    };
    assert_eq!(ids(&history, by("question 1")).0, ["q1"]);
    assert_eq!(ids(&history, by("JA")).0, ["q0"]);
    assert_eq!(ids(&history, by("shop")).0.len(), 2);
    let gone = HistoryFilter {
        outcome: Some(OutcomeKind::Gone.into()),
        limit: 9,
        ..HistoryFilter::default()
    };
    assert_eq!(ids(&history, gone).0, ["q1"]);
}

#[test]
fn it_is_searched_by_what_was_decided_where_and_why() {
    let reject = Grant::Reject {
        reason: Some("Not on a Friday".into()),
    };
    let rejected = Outcome::Answered {
        answer: Answer::Grant(reject),
        by: Surface::Telegram,
    };
    let (_folder, history) = history(&[answered(), rejected, Outcome::Expired]);
    let all = || HistoryFilter {
        limit: 9,
        ..HistoryFilter::default()
    };
    let found = |query: HistoryFilter| ids(&history, query).0;
    let (text, ending) = (Some("friday".to_owned()), Some(Ending::Rejected));
    assert_eq!(found(HistoryFilter { text, ..all() }), ["q1"]);
    assert_eq!(found(HistoryFilter { ending, ..all() }), ["q1"]);
    assert_eq!(
        found(HistoryFilter {
            by: Some(AnswerPlace::Telegram.into()),
            ..all()
        }),
        ["q1"]
    );
    assert_eq!(
        found(HistoryFilter {
            by: Some(AnswerPlace::Tray.into()),
            ending,
            ..all()
        }),
        [""; 0]
    );
    let (text, named) = (Some("verfallen".to_owned()), vec![Ending::Expired]);
    assert_eq!(
        found(HistoryFilter {
            text,
            named,
            ..all()
        }),
        ["q2"]
    );
}

#[test]
fn a_row_of_the_first_beckon_still_reads() {
    let ask = r#"{"id":{"source":"local","own":"per_1"},"kind":{"permission":{"permission":"bash",
            "patterns":["rm *"],"always":[],"command":"rm x","diff":null}},"session":{"id":"s",
            "title":null,"directory":"/home/me/shop","agent":null,"parent":null,
            "last_words":null},"call":null,"asked_at":1000}"#;
    let state = r#"{"settled":{"outcome":{"answered":{"answer":{"grant":"once"},
            "by":"notification"}},"at":4000}}"#;
    let (folder, history) = history(&[answered()]);
    let writer = Connection::open(folder.path().join("beckon.db")).unwrap();
    writer
        .execute("UPDATE asks SET ask = ?1, state = ?2", (ask, state))
        .unwrap();
    let (entries, _) = history.search(&all()).unwrap();
    let entry = &entries[0];
    assert_eq!((entry.ending, entry.waited_ms), (Ending::Once, 3_000));
    assert_eq!(entry.asked, ["bash", "rm x", "rm *"]);
}

/// Makes a filter for everything.
fn all() -> HistoryFilter {
    HistoryFilter {
        limit: 9,
        ..HistoryFilter::default()
    }
}

#[test]
fn the_words_of_an_answer_that_came_too_late_are_kept_and_found() {
    let (folder, history) = history(&[answered()]);
    let mut store = Store::open(&folder.path().join("beckon.db"), Timestamp(0))
        .unwrap()
        .store;
    let ada = Responder::new(Some("Ada"), None, Voucher::Telegram { user: 7 });
    let words = Answer::Replies(vec![Reply::text("neither of them")]);
    let mut late = Entry::new(ask(1, 60_000), 2);
    let outcome = Outcome::Elsewhere {
        answers: Some(vec![vec!["Ja".into()]]),
    };
    late.state = AskState::Settled {
        outcome,
        at: Timestamp(69_000),
    };
    let by = Surface::Telegram;
    late.late = Some(LateAnswer {
        answer: words.clone(),
        by,
        responder: Some(ada),
        may_have_arrived: false,
    });
    let mut gone = Entry::new(ask(2, 120_000), 3);
    gone.state = AskState::Settled {
        outcome: Outcome::Gone,
        at: Timestamp(129_000),
    };
    let given = Some((words, Surface::Notification));
    let of_gone = RowChange::Gone {
        ask: gone.ask.id.clone(),
        given,
        inquired: true,
    };
    let save = [
        RowChange::Ask(Box::new(late)),
        RowChange::Ask(Box::new(gone)),
        of_gone,
    ];
    store
        .commit(
            &CommitRows {
                save: &save,
                ..CommitRows::default()
            },
            Timestamp(0),
        )
        .unwrap();
    let text = Some("NEITHER".to_owned());
    let (entries, _) = history.search(&HistoryFilter { text, ..all() }).unwrap();
    let late: Vec<_> = entries
        .iter()
        .map(|entry| entry.late.clone().unwrap())
        .collect();
    assert_eq!(
        [late[0].by.clone(), late[1].by.clone()],
        [
            Some(AnswerPlace::Notification.into()),
            Some(AnswerPlace::Telegram.into())
        ]
    );
    assert!(late.iter().all(|late| late.answer == [["neither of them"]]));
    assert_eq!(
        late[1].responder.as_ref().unwrap().person.as_deref(),
        Some("Ada")
    );
    let (entries, _) = history.search(&all()).unwrap();
    assert_eq!(
        entries[2].late, None,
        "what was taken did not come too late"
    );
}

#[test]
fn an_entry_says_who_answered_what_and_how_long_the_agent_waited() {
    let (_folder, history) = history(&[answered()]);
    let query = HistoryFilter {
        limit: 1,
        ..HistoryFilter::default()
    };
    let (entries, _) = history.search(&query).unwrap();
    let entry = &entries[0];
    assert_eq!(
        (entry.title.as_str(), entry.project.as_str()),
        ("Question 0?", "shop")
    );
    assert_eq!(
        (&entry.by, entry.waited_ms),
        (&Some(AnswerPlace::Tray.into()), 9_000)
    );
    assert_eq!(entry.answer, [["Ja"]]);
}

#[test]
fn a_day_counts_what_was_answered_and_the_median_wait() {
    let (_folder, history) = history(&[answered(), Outcome::Gone, answered()]);
    let today = history.since(Timestamp(60_000)).unwrap();
    assert_eq!(
        today,
        Today {
            answered: 1,
            waited_median_ms: 9_000
        }
    );
    let today = super::today(vec![100, 1, 3]);
    assert_eq!(
        today,
        Today {
            answered: 3,
            waited_median_ms: 3
        }
    );
    assert_eq!(super::today(vec![]), Today::default());
}

#[test]
fn waits_are_of_what_is_open_and_of_what_ended_since_then() {
    let (folder, history) = history(&[answered(), Outcome::Gone, answered()]);
    let path = folder.path().join("beckon.db");
    let mut store = Store::open(&path, Timestamp(0)).unwrap().store;
    let save = [RowChange::Ask(Box::new(Entry::new(ask(9, 200_000), 9)))];
    store
        .commit(
            &CommitRows {
                save: &save,
                ..CommitRows::default()
            },
            Timestamp(0),
        )
        .unwrap();
    let mut waits = history.waits(Timestamp(60_000)).unwrap();
    waits.sort_by_key(|wait| wait.asked_at);
    let wait = |asked_at, until: Option<i64>, by: Option<AnswerPlace>| Wait {
        asked_at: Timestamp(asked_at),
        until: until.map(Timestamp),
        answered: by.is_some(),
        by,
    };
    let expected = [
        wait(60_000, Some(69_000), None),
        wait(120_000, Some(129_000), Some(AnswerPlace::Tray)),
        wait(200_000, None, None),
    ];
    assert_eq!(waits, expected);
}

#[test]
fn an_agent_waits_for_its_human_until_they_answer_however_long_the_answer_is_on_its_way() {
    let (folder, history) = history(&[]);
    let path = folder.path().join("beckon.db");
    let mut store = Store::open(&path, Timestamp(0)).unwrap().store;
    let mut entry = Entry::new(ask(9, 200_000), 9);
    let mut save = |state: AskState| {
        entry.state = state;
        let save = [RowChange::Ask(Box::new(entry.clone()))];
        let rows = CommitRows {
            save: &save,
            ..CommitRows::default()
        };
        store.commit(&rows, Timestamp(0)).unwrap();
    };
    let until = || history.waits(Timestamp(0)).unwrap()[0].until;
    save(AskState::Answering {
        answer: Answer::Replies(vec![Reply::choice(0)]),
        by: Surface::Tray,
        at: Timestamp(205_000),
        attempts: 3,
        tried_at: None,
        sent_at: None,
        unanswered: false,
    });
    assert_eq!(until(), Some(Timestamp(205_000)));
    save(AskState::Settled {
        outcome: answered(),
        at: Timestamp(900_000),
    });
    assert_eq!(until(), Some(Timestamp(205_000)));
    let query = HistoryFilter {
        limit: 1,
        ..HistoryFilter::default()
    };
    assert_eq!(history.search(&query).unwrap().0[0].waited_ms, 5_000);
    // The answer came back, and the ask was answered in the agent itself.
    save(AskState::Open);
    assert_eq!(until(), None);
    save(AskState::Settled {
        outcome: Outcome::Elsewhere { answers: None },
        at: Timestamp(950_000),
    });
    assert_eq!(until(), Some(Timestamp(950_000)));
}

#[test]
fn a_long_history_is_not_gone_through_for_the_waits_of_a_week() {
    let (folder, _history) = history(&[answered()]);
    let connection = Connection::open(folder.path().join("beckon.db")).unwrap();
    let plan: Vec<String> = connection
        .prepare(&format!("EXPLAIN QUERY PLAN {}", waits::WAITS))
        .unwrap()
        .query_map((0, PRETEND), |row| row.get::<_, String>(3))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let through_all = |step: &&String| step.starts_with("SCAN asks") && !step.contains("INDEX");
    assert_eq!(plan.iter().find(through_all), None, "{plan:?}");
}

#[test]
fn who_answered_is_told_of_what_was_decided_and_of_no_row_from_before() {
    let (folder, history) = history(&[
        answered(),
        Outcome::DismissedElsewhere,
        Outcome::Gone,
        answered(),
    ]);
    let path = folder.path().join("beckon.db");
    let ada = Responder::new(Some("Ada"), Some("laptop"), Voucher::Machine);
    let writer = Connection::open(path).unwrap();
    let noted = "UPDATE asks SET responder = ?1 WHERE own = ?2";
    let ada = serde_json::to_string(&ada).unwrap();
    let later = "{\"of\":\"later\"}";
    for (own, responder) in [
        ("q0", ada.as_str()),
        ("q1", &ada),
        ("q2", &ada),
        ("q3", later),
    ] {
        writer.execute(noted, (responder, own)).unwrap();
    }
    let (entries, _) = history
        .search(&HistoryFilter {
            limit: 9,
            ..HistoryFilter::default()
        })
        .unwrap();
    let people = entries.iter().map(|entry| {
        entry
            .responder
            .as_ref()
            .and_then(|responder| responder.person.as_deref())
    });
    assert_eq!(
        people.collect::<Vec<_>>(),
        [None, None, Some("Ada"), Some("Ada")]
    );
}
