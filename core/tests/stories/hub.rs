//! Stories of several machines of one person: which answers an owner takes, and what others make of
//! what it shares.

mod ageing;
mod deciders;
mod hearing;
mod home;
mod log;
mod places;
mod seats;
mod thousands;
mod withheld;

use crate::common::{START, id, single};
use beckon_core::hub::{
    AnswerFault, AnswerRecord, AnswerSubject, AskRecord, AskSubject, HubOwner, HubRefusal,
    Published, RECORD_VERSION, RemoteAsks, RemoteMove, Sending, SharedEnd, SharedState, way,
};
use beckon_core::{
    Answer, AskState, DeliveryFailure, Entry, Event, Outcome, Reply, ReturnReason, SourceReport,
    Surface, shown_hash,
};
use std::collections::BTreeMap;

fn owner() -> HubOwner {
    HubOwner::new("Ab3dE6gH1J".into(), "laptop".into(), BTreeMap::new())
}

fn entry() -> Entry {
    Entry::new(single("q1"), 7)
}

fn subject() -> AskSubject {
    AskSubject {
        node: "Ab3dE6gH1J".into(),
        serial: 7,
    }
}

fn to(round: u32) -> AnswerSubject {
    AnswerSubject {
        ask: subject(),
        round,
    }
}

fn record(entry: &Entry) -> AnswerRecord {
    AnswerRecord {
        v: RECORD_VERSION,
        shown: shown_hash(&entry.ask.kind, entry.ask.fingerprint()),
        answer: String::new(),
        nonce: "ours".into(),
        person: None,
        device: None,
        surface: None,
    }
}

fn shared(round: u32, state: SharedState) -> AskRecord {
    AskRecord {
        round,
        state,
        ..share(&mut owner(), &entry())
    }
}

fn share(owner: &mut HubOwner, entry: &Entry) -> AskRecord {
    owner.share(entry, "q1", |_| "what is asked".into())
}

/// Returns the entry of another machine that answered in that round.
fn answered(round: u32) -> Entry {
    let mut ask = single("q1");
    let seen = ask.fingerprint();
    ask.id = shared(round, SharedState::Open).id(&subject());
    (ask.session.via, ask.session.api) = (vec![subject().node], Some(way(round, seen)));
    let mut entry = Entry::new(ask, 1);
    let answer = Answer::Replies(vec![Reply::choice(0)]);
    entry.state = AskState::Answering {
        answer,
        by: Surface::Cli,
        at: START,
        attempts: 1,
        tried_at: None,
        sent_at: None,
        unanswered: false,
    };
    entry
}

/// Returns the remote asks of a machine that has sent an answer in that round.
fn sent(round: u32) -> RemoteAsks {
    let mut remote = RemoteAsks::default();
    remote.take(subject(), shared(round, SharedState::Open));
    let sending = remote.send(&answered(round), |_| "ours".into());
    assert!(
        matches!(sending, Sending::Publish { again: false, .. }),
        "{sending:?}"
    );
    remote
}

fn report(report: SourceReport) -> RemoteMove {
    RemoteMove::Report(shared(1, SharedState::Open).source(), report)
}

#[test]
fn only_a_signed_answer_to_what_is_asked_in_this_round_is_taken() {
    let (mut owner, entry) = (owner(), entry());
    let mut judge = |round, record: Option<&AnswerRecord>, signed| {
        owner.judge(Some(&entry), &to(round), record, signed)
    };
    let good = record(&entry);
    assert_eq!(judge(1, Some(&good), true), Some(Ok(())));
    assert_eq!(judge(1, Some(&good), false), Some(Err(AnswerFault::Forged)));
    assert_eq!(judge(1, None, false), Some(Err(AnswerFault::Unreadable)));
    let newer = AnswerRecord {
        v: RECORD_VERSION + 1,
        ..good.clone()
    };
    assert_eq!(
        judge(1, Some(&newer), true),
        Some(Err(AnswerFault::Unreadable))
    );
    let elsewhere = AnswerRecord {
        shown: "another".into(),
        ..good.clone()
    };
    assert_eq!(
        judge(1, Some(&elsewhere), true),
        Some(Err(AnswerFault::OtherContent))
    );
    assert_eq!(
        judge(2, Some(&good), true),
        None,
        "nobody asks in that round yet"
    );
    owner.use_up(entry.serial);
    assert_eq!(
        owner.round(&entry),
        3,
        "and nobody will: its place is taken"
    );
}

#[test]
fn what_was_used_up_is_not_taken_again_also_after_a_restart() {
    let (mut owner, entry) = (owner(), entry());
    assert_eq!(owner.refuse(entry.serial, AnswerFault::Forged), 1);
    let good = record(&entry);
    assert_eq!(owner.judge(Some(&entry), &to(1), Some(&good), true), None);
    assert_eq!(
        owner.judge(Some(&entry), &to(2), Some(&good), true),
        Some(Ok(()))
    );
    let again = share(&mut owner, &entry);
    assert_eq!((again.round, again.state), (2, SharedState::Open));
    assert_eq!(again.reason, Some(ReturnReason::Hub(HubRefusal::Unlisted)));
    assert_eq!(owner.refusals().forged, 1);
    let used = BTreeMap::from([(7, 1)]);
    let mut restarted = HubOwner::new("Ab3dE6gH1J".into(), "laptop".into(), used);
    assert_eq!(
        restarted.judge(Some(&entry), &to(1), Some(&good), true),
        None
    );
}

#[test]
fn an_answer_that_came_to_nothing_comes_back_with_the_reason_before_it_is_asked_again() {
    let mut remote = sent(1);
    let refused = AskRecord {
        reason: Some(ReturnReason::Unproven),
        count: 9,
        ..shared(2, SharedState::Open)
    };
    let failure = DeliveryFailure::Returned(ReturnReason::Unproven);
    let back = report(SourceReport::NotSent {
        own: subject().own_id(),
        failure,
    });
    let moves = remote.take(subject(), refused);
    assert_eq!(moves, [back, RemoteMove::Ask(subject())]);
    let late = remote.published(&answered(1).ask.id, &to(1), Published::Lost);
    assert_eq!(late, None, "that is over");
}

#[test]
fn who_did_not_answer_withdraws_and_who_did_waits_for_the_end() {
    let own = subject().own_id();
    let answering = || shared(1, SharedState::Answering(Some("ours".into())));
    let mut other = RemoteAsks::default();
    other.take(subject(), shared(1, SharedState::Open));
    let overtaken = report(SourceReport::Overtaken { own: own.clone() });
    assert_eq!(other.take(subject(), answering()), [overtaken]);
    let mut ours = sent(1);
    assert_eq!(ours.take(subject(), answering()), []);
    // An ask that ended as gone must not be reported as taken.
    let gone = report(SourceReport::Gone { own });
    assert_eq!(
        ours.take(subject(), shared(1, SharedState::Ended(SharedEnd::Gone))),
        [gone]
    );
}

#[test]
fn what_the_hub_has_lost_is_told_once_more_and_never_taken_for_proven() {
    let mut remote = sent(1);
    let (id, kept) = (answered(1).ask.id, Published::Kept);
    let is_sent = |it: &Option<SourceReport>| matches!(it, Some(SourceReport::Sent { .. }));
    assert!(is_sent(&remote.published(&id, &to(1), kept)));
    let lost = remote.list(BTreeMap::new(), [id.clone()]);
    assert_eq!(
        lost,
        [report(SourceReport::Gone {
            own: id.own.clone()
        })]
    );
    let there = BTreeMap::from([(subject(), shared(1, SharedState::Open))]);
    assert_eq!(
        remote.list(there, [id]),
        [],
        "its source's list tells what is open"
    );
    let sending = remote.send(&answered(1), |_| "ours".into());
    assert!(
        matches!(sending, Sending::Publish { again: true, .. }),
        "{sending:?}"
    );
}

#[test]
fn an_answer_of_an_earlier_run_is_known_whatever_the_clock_showed() {
    let mut remote = RemoteAsks::default();
    let owner = owner();
    let nonce = |to: &AnswerSubject, _: &Answer| owner.sender().nonce(to, "the answer");
    remote.expect(&answered(1), nonce);
    let ours = SharedState::Answering(Some(owner.sender().nonce(&to(1), "the answer")));
    let there = BTreeMap::from([(subject(), shared(1, ours))]);
    assert_eq!(
        remote.list(there, [answered(1).ask.id]),
        [],
        "it is not called somebody else's"
    );
}

#[test]
fn what_was_told_before_and_comes_late_is_told_once_more_as_it_is_now() {
    let (mut owner, mut entry) = (owner(), entry());
    let open = share(&mut owner, &entry);
    entry.state = AskState::Settled {
        outcome: Outcome::DismissedElsewhere,
        at: START,
    };
    let ended = share(&mut owner, &entry);
    assert!(!owner.hear(entry.serial, &open) && !owner.hear(entry.serial, &ended));
    assert!(owner.hear(entry.serial, &open), "it lies over the end");
    let again = owner.end(entry.serial, &open);
    assert_eq!(again.state, SharedState::Ended(SharedEnd::Rejected));
    assert!(again.count > ended.count);
}

#[test]
fn an_owner_without_its_memory_uses_no_round_twice_and_ends_what_it_does_not_know() {
    let (mut owner, entry) = (owner(), entry());
    let there = AskRecord {
        count: 9,
        ..shared(3, SharedState::Open)
    };
    let known = [(entry.serial, &there)];
    owner.begin(&known);
    assert_eq!(owner.end_others(&known, |_| true), []);
    let again = share(&mut owner, &entry);
    assert_eq!(again.round, 3);
    assert!(
        again.count > there.count,
        "also what of it came late would count less"
    );
    let [(_, gone)] = owner.end_others(&known, |_| false).try_into().unwrap();
    assert_eq!(gone.state, SharedState::Ended(SharedEnd::Gone));
    assert!(gone.count > again.count);
}

#[test]
fn a_next_round_keeps_the_ask_and_no_button_of_the_former_one_counts() {
    let mut story = crate::common::Story::new();
    let seen = single("q1").fingerprint();
    let of_round = |round| {
        let mut ask = single("q1");
        (ask.session.via, ask.session.api) = (vec!["Ab3dE6gH1J".into()], Some(way(round, seen)));
        ask
    };
    story.ask(of_round(1));
    let former = story.entry("q1").target();
    story.ask(of_round(2));
    let entry = story.entry("q1").clone();
    assert_eq!((&entry.state, entry.changed), (&AskState::Open, false));
    assert_ne!(entry.target(), former);
    let answer = |seen| Event::Answered {
        ask: id("q1"),
        answer: Answer::Replies(vec![Reply::choice(0)]),
        seen: Some(seen),
        by: Surface::Cli,
        responder: None,
    };
    let late = story.feed(answer(former.fingerprint));
    assert_eq!(late.verdict, Some(Err(beckon_core::AnswerRefusal::Changed)));
    assert!(
        story
            .feed(answer(entry.target().fingerprint))
            .verdict
            .unwrap()
            .is_ok()
    );
    assert!(story.now >= START);
}

#[test]
fn of_a_reason_that_a_later_beckon_names_the_record_is_read_without_it() {
    let record = AskRecord {
        reason: Some(ReturnReason::Unproven),
        ..shared(2, SharedState::Open)
    };
    let written = serde_json::to_value(&record).unwrap();
    assert_eq!(
        serde_json::from_value::<AskRecord>(written.clone()).unwrap(),
        record
    );
    let mut later = written;
    later["reason"] = serde_json::json!({ "postponed": { "by": "somebody" } });
    let read: AskRecord = serde_json::from_value(later).unwrap();
    assert_eq!(
        read,
        AskRecord {
            reason: None,
            ..record
        }
    );
}
