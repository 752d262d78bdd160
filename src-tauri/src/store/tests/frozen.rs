//! Databases as released versions of Beckon left them, a row of each kind in every table: whatever
//! becomes of the schema, they go on meaning what they meant.
//!
//! `v0.1.0.sql` and so on are frozen with their release. The one of the version to come is written
//! by `BECKON_WRITE_FROZEN=1 cargo test --lib frozen`, of what [`freeze`] commits.

use super::*;
use crate::channels::telegram::pairing::pairings::{
    ChatId, PairedGroup, PairedPerson, ReadOffset, UserId,
};
use crate::sources::local_asks::messages::{
    AnsweredQuestions, AskEnd, AskRecord, AskedContent, RecordChange as AskingChange,
};
use beckon_core::hub::team::{
    Agreement, Approvals, AskKind, Person, Rota, Route, RouteSeverity, Shift, Team, Who,
};
use beckon_core::hub::{DeskRecord, DeviceEntry};
use beckon_core::{
    AlwaysUntil, AnswerLimits, Argument, AskerProcess, Attention, AwaitedText, CallInput, CallRef,
    Card, FileChange, LateAnswer, LeftOut, LeftoverCard, QuestionConsent, RejectionReach,
    Responder, SettledAsk, UndeliveredAnswer, UnknownAsk, UnknownShape,
};

/// The newest last.
const FROZEN: [(&str, &str); 1] = [("0.1.0", include_str!("v0.1.0.sql"))];

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Stands in a frozen file for the folder that it lies in.
const FOLDER: &str = "/home/me/.local/share/beckon";
const ASIDE: &str = "beckon.broken-20260228-143000.db";

#[test]
fn every_frozen_row_means_what_it_meant() {
    for (version, sql) in FROZEN {
        let folder = tempfile::tempdir().unwrap();
        let file = thaw(sql, folder.path());
        let opened = Store::open(&file, NOW).unwrap();
        let aside = Aside::Database(folder.path().join(ASIDE));
        assert_eq!(opened.set_aside, Some(aside), "{version}");
        let mut store = opened.store;
        let saved = load(&store);
        assert_eq!(saved.entries, open_asks(), "{version}");
        assert_eq!(saved.leftover, [leftover()], "{version}");
        assert_eq!(saved.memory, memory(), "{version}");
        assert_eq!(saved.last_serial, 1_000, "{version}: all that was reserved");
        assert_eq!(
            (saved.said, saved.said_until),
            (PresenceOverride::Away, Some(Timestamp(7)))
        );
        assert_eq!(
            (saved.paused_until, saved.standing_at),
            (Some(Timestamp(8)), Some(NOW))
        );
        assert_eq!(store.asking().unwrap(), local_asks(), "{version}");
        assert_eq!(store.pairings().unwrap(), pairings(), "{version}");
        assert_eq!(
            store.drafts().unwrap(),
            [window_draft()].into(),
            "{version}"
        );
        assert_eq!(
            store.hub_desk("key").unwrap(),
            Some(hub_desk()),
            "{version}"
        );
        assert_eq!(store.hub_desk("another").unwrap(), None, "{version}");
        let since = HubSince {
            after: 2,
            is_bot_elsewhere: true,
        };
        assert_eq!(store.at_hub("key", NOW).unwrap(), since, "{version}");
        assert_eq!(store.seal().unwrap(), "sealsealse", "{version}");
        let SharedChatRow { bot, name, entry } = shared_chat();
        assert_eq!(
            store.shared_chats(bot).unwrap(),
            [(name, entry)].into(),
            "{version}"
        );
        assert_eq!(
            store.responder(&id("q8")).unwrap(),
            Some(at_the_laptop()),
            "{version}"
        );
        let kept = "SELECT late FROM asks WHERE late IS NOT NULL";
        let kept: String = store
            .connection
            .query_row(kept, [], |row| row.get(0))
            .unwrap();
        assert_eq!(
            serde_json::from_str::<LateAnswer>(&kept).unwrap(),
            late(),
            "{version}"
        );
        let receipts = "SELECT group_concat(own || ' ' || what || ' ' || at) FROM receipts";
        let receipts: String = store
            .connection
            .query_row(receipts, [], |row| row.get(0))
            .unwrap();
        assert_eq!(
            receipts, "q1 asked 1000000,p5 answered 1000000",
            "{version}"
        );
        for ended in settled_asks() {
            let found = store.outcome(ended.target()).unwrap();
            assert_eq!(
                Some(outcome(&ended)),
                found,
                "{version}: an old button finds its ask"
            );
        }
    }
}

#[test]
fn each_frozen_schema_has_rows_in_every_table_and_the_newest_is_frozen() {
    if std::env::var_os("BECKON_WRITE_FROZEN").is_some() {
        write();
    }
    for (version, sql) in FROZEN {
        let folder = tempfile::tempdir().unwrap();
        let connection = Connection::open(thaw(sql, folder.path())).unwrap();
        for table in tables(&connection) {
            let count = format!("SELECT count(*) FROM {table}");
            let count: i64 = connection.query_row(&count, [], |row| row.get(0)).unwrap();
            assert!(count > 0, "{version}: no row in {table}");
        }
    }
    let (version, newest) = FROZEN[FROZEN.len() - 1];
    assert_eq!(
        schema_number(newest),
        MIGRATIONS.len(),
        "the schema has grown since the rows of {version} were frozen. If {version} is released, \
         raise the version in Cargo.toml first and add its file to FROZEN. Then: \
         BECKON_WRITE_FROZEN=1 cargo test --lib frozen"
    );
}

#[test]
fn the_way_to_a_released_schema_is_never_edited() {
    for (version, sql) in FROZEN {
        let mut fresh = Connection::open_in_memory().unwrap();
        Migrations::from_slice(&MIGRATIONS[..schema_number(sql)])
            .to_latest(&mut fresh)
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let frozen = Connection::open(thaw(sql, folder.path())).unwrap();
        assert_eq!(schema(&fresh), schema(&frozen), "{version}");
    }
}

/// Makes the file that this version left.
fn thaw(sql: &str, folder: &Path) -> PathBuf {
    let file = folder.join("beckon.db");
    std::fs::write(folder.join(ASIDE), "broken").unwrap();
    let connection = Connection::open(&file).unwrap();
    connection
        .pragma_update(None, "journal_mode", "wal")
        .unwrap();
    let aside = folder.join(ASIDE).to_string_lossy().replace('\'', "''");
    // A checkout on Windows may have turned its lines' ends.
    let sql = sql
        .replace("\r\n", "\n")
        .replace(&format!("{FOLDER}/{ASIDE}"), &aside);
    connection.execute_batch(&sql).unwrap();
    file
}

fn schema_number(sql: &str) -> usize {
    let number = sql
        .lines()
        .find_map(|line| line.strip_prefix("PRAGMA user_version = "));
    number.unwrap().trim_end_matches(';').parse().unwrap()
}

fn tables(connection: &Connection) -> Vec<String> {
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid";
    column(connection, tables)
}

fn schema(connection: &Connection) -> Vec<String> {
    column(
        connection,
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, rowid",
    )
}

fn column(connection: &Connection, query: &str) -> Vec<String> {
    let mut statement = connection.prepare(query).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Never over the rows of a version that people have.
fn write() {
    let released = include_str!("../../../../CHANGELOG.md")
        .lines()
        .any(|line| {
            let heading = line
                .strip_prefix("## ")
                .map(|heading| heading.trim_start_matches('['));
            heading.is_some_and(|heading| heading.starts_with(VERSION))
        });
    assert!(
        !released,
        "{VERSION} is released: raise the version in Cargo.toml first"
    );
    let (_folder, mut store) = fresh();
    freeze(&mut store);
    let number = MIGRATIONS.len();
    let mut sql = format!(
        "-- The database of Beckon {VERSION}, schema {number}. Frozen: see frozen.rs.\n\
         PRAGMA user_version = {number};\n"
    );
    schema(&store.connection)
        .iter()
        .for_each(|create| sql += &format!("{create};\n"));
    for table in tables(&store.connection) {
        inserts(&store.connection, &table)
            .iter()
            .for_each(|insert| sql += &format!("{insert}\n"));
    }
    let file = format!("src-tauri/src/store/tests/v{VERSION}.sql");
    std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(file), sql).unwrap();
}

fn inserts(connection: &Connection, table: &str) -> Vec<String> {
    let columns = column(
        connection,
        &format!("SELECT name FROM pragma_table_info('{table}')"),
    );
    let values: Vec<String> = columns
        .iter()
        .map(|name| format!("quote({name})"))
        .collect();
    let (names, values) = (columns.join(", "), values.join(" || ', ' || "));
    let insert = format!("'INSERT INTO {table} ({names}) VALUES (' || {values} || ');'");
    column(connection, &format!("SELECT {insert} FROM {table}"))
}

/// Writes a row of each kind, by the functions that the program uses.
fn freeze(store: &mut Store) {
    let mut save = vec![];
    for entry in open_asks().into_iter().chain(settled_asks()) {
        let (id, serial) = (entry.ask.id.clone(), Some(entry.serial));
        let cards = entry.cards.clone();
        save.push(RowChange::Ask(Box::new(entry)));
        for (channel, Card { handle, closed, .. }) in cards {
            let ask = id.clone();
            save.push(RowChange::Card {
                ask,
                serial,
                channel,
                handle,
                closed,
            });
        }
    }
    let LeftoverCard {
        ask,
        channel,
        serial,
        handle,
    } = leftover();
    save.push(RowChange::Card {
        ask,
        serial,
        channel,
        handle,
        closed: false,
    });
    let (ask, given) = (id("p7"), Some((refusal(), Surface::Telegram)));
    save.push(RowChange::Gone {
        ask,
        given,
        inquired: true,
    });
    let (said_until, paused_until) = (Some(Timestamp(7)), Some(Timestamp(8)));
    save.push(RowChange::Standing {
        said: PresenceOverride::Away,
        said_until,
        paused_until,
    });
    let news = [
        News::Asked(id("q1")),
        News::Answered(id("p5"), Surface::Window),
    ];
    let pairings = pairings();
    let people = pairings.people.into_values().map(PairingChange::Person);
    let topics = pairings
        .topics
        .into_iter()
        .map(|(name, id)| PairingChange::Topic(name, Some(id)));
    let lists = pairings
        .lists
        .into_iter()
        .map(|(chat, id)| PairingChange::List(chat, Some(id)));
    let pairings: Vec<PairingChange> = [PairingChange::Group(pairings.group)]
        .into_iter()
        .chain(people)
        .chain(topics)
        .chain(lists)
        .chain(pairings.read.map(PairingChange::Read))
        .collect();
    let asking: Vec<_> = local_asks().into_iter().map(AskingChange::Put).collect();
    let rounds = [(1, 2)];
    let rows = CommitRows {
        save: &save,
        news: &news,
        pairings: &pairings,
        asking: &asking,
        rounds: &rounds,
        chats: &[shared_chat()],
        ..CommitRows::default()
    };
    store.commit(&rows, NOW).unwrap();
    store.keep_hub_desk("key", &hub_desk(), NOW).unwrap();
    store.at_hub("left", NOW).unwrap();
    store.at_no_hub(true, NOW).unwrap();
    store.at_hub("key", NOW).unwrap();
    let (ask, draft) = window_draft();
    store.keep_draft(&ask, &draft, NOW).unwrap();
    store
        .connection
        .execute("INSERT INTO seal VALUES (1, 'sealsealse')", [])
        .unwrap();
    aside::note(&store.connection, &Path::new(FOLDER).join(ASIDE)).unwrap();
}

fn hub_desk() -> DeskRecord {
    let device = DeviceEntry {
        key: "k".into(),
        login: "l".into(),
        person: Some("Ann".into()),
    };
    let devices = [("laptop".to_owned(), device)].into();
    let shift = Shift {
        rota: "nights".into(),
        person: "Ann".into(),
        from: "fri 22:00".parse().unwrap(),
        to: "sat 06:00".parse().unwrap(),
    };
    let route = Route {
        projects: vec!["shop-*".to_owned().try_into().unwrap()],
        kinds: vec![AskKind::Permission],
        severity: RouteSeverity::Dangerous,
        answerers: vec![Who::Role("lead".into()), Who::OnDuty("nights".into())],
        audience: vec![Who::Everyone],
        others_after: 10,
        self_approval: false,
        approve: Approvals::Two,
    };
    let team = Team {
        people: [(
            "Ann".to_owned(),
            Person {
                roles: ["lead".to_owned()].into(),
            },
        )]
        .into(),
        routes: vec![route],
        rota: Rota {
            utc_offset: 60,
            shifts: vec![shift],
        },
    };
    DeskRecord {
        v: 1,
        revision: 3,
        syncs: Some(true),
        team,
        devices,
        former: Vec::new(),
    }
}

/// Makes a person who was paired with a shared bot, and is not any more.
fn shared_chat() -> SharedChatRow {
    let entry = MarkedEntry {
        mark: 2,
        value: None,
    };
    SharedChatRow {
        bot: 7,
        name: "person:3".into(),
        entry,
    }
}

/// Makes a message of an ask whose name was given to another.
fn leftover() -> LeftoverCard {
    let handle = Some("4712/-1001".to_owned());
    LeftoverCard {
        ask: id("c3"),
        channel: Channel::Telegram,
        serial: Some(10),
        handle,
    }
}

/// Makes open asks: begun on Telegram; with an answer on its way; come back; of an unknown form.
fn open_asks() -> Vec<Entry> {
    let mut begun = numbered("q1", 1);
    let (page, keep) = (CardPage::SureDismiss, CardPage::Question(1));
    let awaits = Some(AwaitedText::Text { question: 1 });
    begun.draft = Some(Draft {
        page,
        keep,
        replies: vec![reply(), Reply::default()],
        awaits,
    });
    (begun.reminded_at, begun.warned_at) = (Some(Timestamp(5)), Some(Timestamp(6)));
    begun.attention = Attention::Snoozed {
        until: Some(Timestamp(1_000_500)),
    };
    card(&mut begun, Channel::Desktop, Some(":1.7/12"), false);
    card(&mut begun, Channel::Telegram, Some("4711/-1001"), false);
    let mut on_its_way = numbered("p2", 2);
    on_its_way.state = AskState::Answering {
        answer: Answer::Grant(Grant::Always),
        by: Surface::Telegram,
        at: Timestamp(999_000),
        attempts: 2,
        tried_at: Some(Timestamp(999_500)),
        sent_at: Some(Timestamp(999_600)),
        unanswered: false,
    };
    let vouched = beckon_core::Voucher::Telegram { user: 1 };
    let responder = Responder::new(Some("Ann O'Neill"), Some("Telegram"), vouched);
    on_its_way.responder = Some(responder);
    on_its_way.undelivered = Some(UndeliveredAnswer {
        since: Timestamp(999_000),
        why: Some("no route".into()),
    });
    card(&mut on_its_way, Channel::Desktop, None, true);
    let mut came_back = numbered("c3", 3);
    came_back.returned = Some(ReturnReason::Undelivered(SourceFault::Status(502)));
    let vouched = beckon_core::Voucher::Device {
        name: Some("laptop".into()),
    };
    came_back.agreed = vec![Agreement {
        person: "ada".into(),
        answer: Answer::Continue,
        by: Surface::Api,
        responder: Some(Responder::new(Some("ada"), None, vouched)),
        key: None,
    }];
    vec![begun, on_its_way, came_back, numbered("u4", 4)]
}

/// Makes settled asks: answered, answered elsewhere, and gone while its answer was under way.
fn settled_asks() -> Vec<Entry> {
    let ended = |own, serial, at, outcome| {
        let mut entry = numbered(own, serial);
        entry.state = AskState::Settled {
            outcome,
            at: Timestamp(at),
        };
        entry
    };
    let replies = Answer::Replies(vec![reply(), Reply::choice(0)]);
    let answers = Some(vec![vec!["Yes".into()]]);
    let mut elsewhere = ended("q8", 8, 999_000, Outcome::Elsewhere { answers });
    elsewhere.responder = Some(at_the_laptop());
    elsewhere.late = Some(late());
    vec![
        ended(
            "p5",
            5,
            999_300,
            Outcome::Answered {
                answer: refusal(),
                by: Surface::Window,
            },
        ),
        ended(
            "q6",
            6,
            999_200,
            Outcome::Answered {
                answer: replies,
                by: Surface::Cli,
            },
        ),
        ended("p7", 7, 999_100, Outcome::Gone),
        elsewhere,
        ended("c9", 9, 998_000, Outcome::Expired),
    ]
}

/// Makes an answer that was given here as well, too late.
fn late() -> LateAnswer {
    let answer = Answer::Replies(vec![reply()]);
    LateAnswer {
        answer,
        by: Surface::Notification,
        responder: Some(at_the_laptop()),
        may_have_arrived: false,
    }
}

/// Makes a person at another machine of the hub.
fn at_the_laptop() -> Responder {
    let vouched = beckon_core::Voucher::Device {
        name: Some("laptop".into()),
    };
    Responder::new(Some("Ann O'Neill"), Some("laptop"), vouched)
}

/// Makes the memory of the settled asks.
fn memory() -> Vec<(AskId, SettledAsk)> {
    let remembered = settled_asks().into_iter().map(|entry| {
        let AskState::Settled { at, .. } = entry.state else {
            panic!("it is over")
        };
        let inquired = entry.ask.id == id("p7");
        let memory = SettledAsk {
            serial: entry.serial,
            fingerprint: entry.target().fingerprint,
            request: entry.ask.request_fingerprint(),
            outcome: outcome(&entry),
            at,
            ask: inquired.then(|| Box::new(entry.ask.clone())),
            given: inquired.then(|| (refusal(), Surface::Telegram)),
            responder: None,
            listed: false,
            told_on: Vec::new(),
            unanswered: false,
            told_lost: false,
        };
        (entry.ask.id, memory)
    });
    remembered.collect()
}

fn outcome(entry: &Entry) -> Outcome {
    let AskState::Settled { outcome, .. } = &entry.state else {
        panic!("it is over")
    };
    outcome.clone()
}

fn numbered(own: &str, serial: u64) -> Entry {
    let kind = match own.as_bytes()[0] {
        b'q' => questions(),
        b'p' => AskContent::Permission(Permission {
            permission: "bash".into(),
            patterns: vec!["rm *".into()],
            always: vec!["rm -r *".into()],
            command: Some("rm -r 'it''s old' 世界".into()),
            diff: Some("-a\n+b\n".into()),
            root: String::new(),
            files: vec![FileChange::Delete("it's old".into())],
            input: CallInput::told(vec![Argument {
                name: "workdir".into(),
                value: "/home/me".into(),
            }]),
            left_out: Some(LeftOut { count: 3, hash: 7 }),
            rejects: RejectionReach::Session,
            always_until: AlwaysUntil::ServerStops,
        }),
        b'c' => AskContent::Confirm("Shall I go on?".into()),
        _ => AskContent::Unknown(UnknownAsk {
            asked: UnknownShape::Permission,
            raw: r#"{"new":1}"#.into(),
        }),
    };
    let session = Session {
        id: "ses_1".into(),
        title: Some("A session".into()),
        directory: "/home/me/project".into(),
        project_root: Some("/home/me/shop".into()),
        is_claimed: true,
        agent: Some("build".into()),
        parent: Some("ses_0".into()),
        last_words: Some("One moment.".into()),
        via: vec!["sealseals2".into()],
        api: Some("v2".into()),
        process: Some(AskerProcess {
            pid: 4711,
            born: 8_100,
        }),
        team: None,
    };
    let call = Some(CallRef {
        message: "msg_1".into(),
        call: "call_1".into(),
    });
    Entry::new(
        Ask {
            id: id(own),
            kind,
            session,
            call,
            asked_at: Timestamp(900),
        },
        serial,
    )
}

fn questions() -> AskContent {
    let choice = |label: &str, value: Option<&str>| Choice {
        label: label.into(),
        description: format!("About {label}"),
        value: value.map(str::to_owned),
    };
    let limits = Some(AnswerLimits {
        none: Some(1),
        ..AnswerLimits::default()
    });
    let question = Question {
        header: "Header".into(),
        question: "Now?".into(),
        multiple: true,
        custom: true,
        choices: vec![choice("Yes", Some("y")), choice("No", None)],
        limits,
        consent: Some(QuestionConsent {
            commands: vec!["ls".into()],
            refusals: Vec::new(),
        }),
    };
    AskContent::Questions(vec![
        question.clone(),
        Question {
            limits: None,
            consent: None,
            ..question
        },
    ])
}

fn reply() -> Reply {
    Reply {
        choices: vec![1, 0],
        text: Some("in my words".into()),
    }
}

fn refusal() -> Answer {
    Answer::Grant(Grant::Reject {
        reason: Some("not now".into()),
    })
}

fn card(entry: &mut Entry, channel: Channel, handle: Option<&str>, closed: bool) {
    let handle = handle.map(str::to_owned);
    // A card of an earlier run of Beckon is shown anew, unless the human closed it.
    entry.cards.insert(
        channel,
        Card {
            handle,
            closed,
            ..Card::default()
        },
    );
}

/// Makes two asks: one that waits, and one whose asker has yet to fetch the answer.
fn local_asks() -> Vec<AskRecord> {
    let answered = AnsweredQuestions {
        texts: vec![vec!["No".into(), "in my words".into()]],
        replies: Some(vec![reply()]),
    };
    let waits = AskRecord {
        own: "ask_1".into(),
        asked: AskedContent::Whole(questions()),
        attended: true,
        receipts: true,
        deadline: Some(Timestamp(2_000_000)),
        ended: None,
        proof: None,
        is_over: false,
    };
    let ended = Some((AskEnd::Answered(answered), Timestamp(999_000)));
    let confirm = AskContent::Confirm("Shall I go on?".into());
    let fetched = AskRecord {
        own: "ask_2".into(),
        asked: AskedContent::Hashed(AskedContent::hash_of(&confirm)),
        attended: false,
        receipts: false,
        deadline: None,
        ended,
        proof: Some("toolu_1@700".into()),
        is_over: true,
    };
    vec![waits, fetched]
}

fn pairings() -> Pairings {
    let person = |id, name: &str, private| {
        (
            UserId(id),
            PairedPerson {
                id: UserId(id),
                name: name.into(),
                private,
            },
        )
    };
    let address = Some("https://api.telegram.org".into());
    Pairings {
        read: Some(ReadOffset {
            bot: UserId(99),
            address,
            next: 1_234,
        }),
        people: [person(1, "Ann O'Neill", true), person(2, "Bob", false)].into(),
        group: Some(PairedGroup {
            chat: ChatId(-1_001),
            title: "Team".into(),
            topics: true,
        }),
        topics: [("/home/me/project".to_owned(), 17)].into(),
        lists: [(ChatId(1), 501), (ChatId(-1_001), 22)].into(),
    }
}

fn window_draft() -> (AskId, WindowDraft) {
    let seen = Some(numbered("q1", 1).target().fingerprint);
    (
        id("q1"),
        WindowDraft {
            replies: vec![reply(), Reply::default()],
            page: 1,
            seen,
        },
    )
}
