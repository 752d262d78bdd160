//! Tests that what happened is read again as lines; also from a database that an older or a newer
//! Beckon left.

use super::*;
use crate::store::{CommitRows, Store};
use beckon_client::wire::{AnswerPlace, Ending, VouchedBy};
use beckon_core::{
    Answer, AskContent, AskId, Channel, Desk, Event, Grant, Permission, Policy, Responder, Session,
    SourceId, SourceReport, Step, Surface, Voucher,
};
use rusqlite_migration::Migrations;
use std::path::PathBuf;

struct Desktop {
    _folder: tempfile::TempDir,
    path: PathBuf,
    store: Store,
    desk: Desk,
}

impl Desktop {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("beckon.db");
        let store = Store::open(&path, Timestamp(0)).unwrap().store;
        let mut desktop = Self {
            _folder: folder,
            path,
            store,
            desk: Desk::new(Policy::default()),
        };
        let ada = Responder::new(Some("Ada"), Some("workstation"), Voucher::Machine);
        desktop.feed(0, Event::User(ada));
        desktop.feed(0, Event::ChannelUp(Channel::Desktop));
        desktop
    }

    fn feed(&mut self, at: i64, event: Event) -> Step {
        let step = self.desk.handle(event, Timestamp(at));
        let rows = CommitRows {
            save: &step.save,
            news: &step.news,
            ..CommitRows::default()
        };
        self.store.commit(&rows, Timestamp(at)).unwrap();
        step
    }

    fn report(&mut self, at: i64, report: SourceReport) {
        self.feed(at, Event::Source(SourceId("local".into()), report));
    }

    fn asked(&mut self, at: i64) {
        let permission = Permission {
            permission: "bash".into(),
            ..Permission::default()
        };
        let session = Session {
            directory: "/home/me/shop".into(),
            ..Session::default()
        };
        let (kind, asked_at) = (AskContent::Permission(permission), Timestamp(at));
        let ask = beckon_core::Ask {
            id: id(),
            kind,
            session,
            call: None,
            asked_at,
        };
        self.report(at, SourceReport::Asked(ask));
    }

    fn answered(&mut self, at: i64, by: Surface, responder: Option<Responder>) {
        let (ask, answer) = (id(), Answer::Grant(Grant::Once));
        self.feed(
            at,
            Event::Answered {
                ask,
                answer,
                seen: None,
                by,
                responder,
            },
        );
    }

    fn lines(&self, since: i64) -> Vec<AuditLine> {
        lines(&self.path, since)
    }
}

fn id() -> AskId {
    AskId::new("local", "per_1")
}

fn lines(path: &Path, since: i64) -> Vec<AuditLine> {
    let mut lines = Vec::new();
    let take = |line| {
        lines.push(line);
        true
    };
    each(path, Timestamp(since), take).unwrap();
    lines
}

#[test]
fn a_permission_is_followed_from_the_asking_to_the_proof() {
    let mut desktop = Desktop::new();
    desktop.asked(1_000);
    let (channel, handle) = (Channel::Desktop, "7".to_owned());
    desktop.feed(
        1_010,
        Event::Shown {
            channel,
            ask: id(),
            handle,
        },
    );
    desktop.answered(5_000, Surface::Tray, None);
    desktop.report(
        5_020,
        SourceReport::Sent {
            own: "per_1".into(),
        },
    );
    let once = Some(vec![vec!["once".to_owned()]]);
    desktop.report(
        5_100,
        SourceReport::Replied {
            own: "per_1".into(),
            answers: once,
        },
    );
    let lines = desktop.lines(0);
    let told: Vec<_> = lines
        .iter()
        .map(|line| (line.at.as_str(), line.what.known()))
        .collect();
    assert_eq!(
        told,
        [
            ("1970-01-01T00:00:01.000Z", Some(WatchEvent::Asked)),
            ("1970-01-01T00:00:01.010Z", Some(WatchEvent::Shown)),
            ("1970-01-01T00:00:05.000Z", Some(WatchEvent::Answered)),
            ("1970-01-01T00:00:05.020Z", Some(WatchEvent::Sent)),
            ("1970-01-01T00:00:05.100Z", Some(WatchEvent::Taken)),
        ]
    );
    assert!(
        lines
            .iter()
            .all(|line| line.shown.is_some() && line.shown == lines[0].shown)
    );
    assert!(
        lines
            .iter()
            .all(|line| line.project.as_deref() == Some("shop"))
    );
    assert_eq!(lines[1].on, Some(Channel::Desktop.into()));
    let answered = &lines[2];
    assert_eq!(answered.by, Some(AnswerPlace::Tray.into()));
    assert_eq!(answered.ending, Some(Ending::Once.into()));
    let who = answered.responder.as_ref().unwrap();
    assert_eq!(
        (who.person.as_deref(), who.device.as_deref()),
        (Some("Ada"), Some("workstation"))
    );
    assert_eq!(who.vouched, VouchedBy::Machine);
    assert_eq!((&lines[0].responder, &lines[1].responder), (&None, &None));
    assert_eq!(desktop.lines(5_000).len(), 3, "since then");
}

#[test]
fn what_was_answered_in_the_agent_itself_is_nobodys() {
    let mut desktop = Desktop::new();
    desktop.asked(1_000);
    let always = Some(vec![vec!["always".to_owned()]]);
    desktop.report(
        2_000,
        SourceReport::Replied {
            own: "per_1".into(),
            answers: always,
        },
    );
    let ended = desktop.lines(2_000).pop().unwrap();
    assert_eq!(ended.what, WatchEvent::Settled);
    assert_eq!(ended.outcome, Some(OutcomeKind::AnsweredElsewhere.into()));
    assert_eq!(
        (ended.by, ended.responder),
        (Some(AnswerPlace::Elsewhere.into()), None)
    );
}

#[test]
fn receipts_of_an_older_beckon_have_no_details_before_and_after_the_migration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("beckon.db");
    let mut old = Connection::open(&path).unwrap();
    Migrations::from_slice(&MIGRATIONS[..DETAILED - 2])
        .to_latest(&mut old)
        .unwrap();
    let receipt = "INSERT INTO receipts (source, own, what, at) VALUES ('local', 'q1', ?1, ?2)";
    old.execute(receipt, ("answered", 7)).unwrap();
    old.execute(receipt, ("of a later word", 8)).unwrap();
    drop(old);
    let before = lines(&path, 0);
    let bare = AuditLine::new(7, WatchEvent::Answered, "local".into(), "q1".into());
    assert_eq!(before, [bare]);
    drop(Store::open(&path, Timestamp(9)).unwrap());
    assert_eq!(lines(&path, 0), before);
}

#[test]
fn a_newer_beckons_database_is_refused_and_none_has_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("beckon.db");
    each(&path, Timestamp(0), |_| panic!("nothing has happened")).unwrap();
    assert!(!path.exists(), "reading makes none");
    let newer = Connection::open(&path).unwrap();
    newer
        .pragma_update(
            None,
            "user_version",
            i64::try_from(MIGRATIONS.len() + 1).unwrap(),
        )
        .unwrap();
    drop(newer);
    let refused = each(&path, Timestamp(0), |_| true).unwrap_err();
    assert!(
        matches!(refused.downcast_ref(), Some(SystemFailure::Newer { .. })),
        "{refused:#}"
    );
}

#[test]
fn a_new_ask_under_an_old_name_lends_its_words_to_no_former_one() {
    let mut desktop = Desktop::new();
    desktop.asked(1_000);
    let sql = "UPDATE asks SET serial = serial + 100, fingerprint = 'another'";
    desktop.store.connection.execute(sql, []).unwrap();
    let line = desktop.lines(0).remove(0);
    assert_eq!((line.title, line.kind), (None, None));
    assert_ne!(line.shown.as_deref(), Some("another"));
}
