//! Tests of what an asker can rely on, with the time as a parameter.

use super::messages::{AskerReceipt, ReceiptEnd, ReceivedAnswer};
use super::*;
use beckon_core::{Choice, Grant, Permission, Question, Reply};

const NOW: Timestamp = Timestamp(1_000_000);

#[test]
fn a_waiting_asker_is_handed_the_answer_and_the_proof_is_that_it_took_it() {
    let mut asks = asked(true, None);
    let mut end = attend(&mut asks);
    let moved = answer(&mut asks, &Answer::Replies(vec![Reply::choice(0)]));
    assert!(moved.events.is_empty(), "handing it over proves nothing");
    assert_eq!(said(moved, &mut end), Some(yes()));
    let moved = asks.take(AskerRequest::Taken("a".into()), NOW);
    assert_eq!(moved.events, [replied()]);
    assert_eq!(
        moved.changes,
        [RecordChange::Put(record(true, Some(yes())))]
    );
}

#[test]
fn an_asker_that_was_cut_off_is_handed_the_same_answer_again() {
    let mut asks = asked(true, None);
    let lost = attend(&mut asks);
    drop(lost);
    asks.take(AskerRequest::Left("a".into()), NOW);
    answer(&mut asks, &Answer::Replies(vec![Reply::choice(0)]));
    let mut end = attend(&mut asks);
    assert_eq!(read(&mut end), Some(yes()));
    asks.take(AskerRequest::Taken("a".into()), NOW);
    assert_eq!(
        read(&mut attend(&mut asks)),
        Some(yes()),
        "and also after that"
    );
    assert!(
        asks.take(AskerRequest::Taken("a".into()), NOW)
            .events
            .is_empty(),
        "but it is proven once"
    );
}

#[test]
fn a_ticket_is_proven_by_keeping_the_answer() {
    let mut asks = asked(false, None);
    assert_eq!(asks.next_deadline(), None, "nobody is missed");
    let moved = answer(&mut asks, &Answer::Replies(vec![Reply::choice(0)]));
    assert_eq!(moved.events, [replied()]);
    assert_eq!(
        moved.changes,
        [RecordChange::Put(record(false, Some(yes())))]
    );
    assert_eq!(read(&mut attend(&mut asks)), Some(yes()));
}

#[test]
fn an_asker_that_stays_away_is_missed_and_one_that_comes_back_is_not() {
    let mut asks = asked(true, None);
    let _end = attend(&mut asks);
    assert_eq!(asks.next_deadline(), None);
    asks.take(AskerRequest::Left("a".into()), NOW);
    let _end = attend(&mut asks);
    assert!(asks.tick(NOW + MISSED_AFTER).events.is_empty());
    asks.take(AskerRequest::Left("a".into()), NOW + MISSED_AFTER);
    let at = asks.next_deadline().unwrap();
    assert_eq!(at, NOW + MISSED_AFTER + MISSED_AFTER);
    assert_eq!(asks.tick(at).events, [gone()]);
    assert_eq!(asks.look("a"), Some(AskProgress::Ended(AskEnd::Gone)));
}

#[test]
fn an_answer_that_nobody_took_stays_for_an_asker_that_comes_back_too_late() {
    let mut asks = asked(true, None);
    answer(&mut asks, &Answer::Replies(vec![Reply::choice(0)]));
    assert_eq!(asks.tick(NOW + MISSED_AFTER).events, [gone()]);
    assert_eq!(read(&mut attend(&mut asks)), Some(yes()));
}

#[test]
fn a_time_limit_dismisses_by_nobodys_hand() {
    let mut asks = asked(false, Some(Span::seconds(5)));
    let at = asks.next_deadline().unwrap();
    assert_eq!(at, NOW + Span::seconds(5));
    let ask = AskId::new(beckon_client::config::LOCAL_ASKS, "a");
    let expected = Event::Answered {
        ask,
        answer: Answer::Dismiss,
        seen: None,
        by: Surface::Clock,
        responder: None,
    };
    assert_eq!(asks.tick(at).events, [expected]);
    assert_eq!(asks.next_deadline(), None);
    deliver(&mut asks, &Answer::Dismiss, Surface::Clock);
    assert_eq!(asks.look("a"), Some(AskProgress::Ended(AskEnd::TimedOut)));
}

#[test]
fn a_time_limit_is_a_length_of_time_whatever_the_clock_shows() {
    for by in [Span::minutes(-60), Span::minutes(60)] {
        let mut asks = asked(false, Some(Span::seconds(5)));
        let ends = NOW + by + Span::seconds(5);
        let limited = AskRecord {
            deadline: Some(ends),
            ..record(false, None)
        };
        assert_eq!(
            asks.set_clock(by),
            [RecordChange::Put(limited)],
            "and so it is after a restart"
        );
        assert_eq!(asks.next_deadline(), Some(ends));
    }
}

#[test]
fn nobody_waits_longer_because_the_clock_was_set_back_while_beckon_was_off() {
    let limited = AskRecord {
        deadline: Some(NOW + Span::seconds(5)),
        ..record(false, None)
    };
    let earlier = Timestamp(NOW.0 - 3_600_000);
    let asks = LocalAsks::restore(vec![limited], &[entry(AskState::Open)], earlier);
    assert_eq!(asks.next_deadline(), Some(earlier + Span::seconds(5)));
    let handed = AskRecord {
        receipts: true,
        ..record(true, Some(yes()))
    };
    let asks = LocalAsks::restore(vec![handed], &[entry(AskState::Open)], earlier);
    assert_eq!(asks.next_deadline(), Some(earlier + UNPROVEN));
}

#[test]
fn dismissed_is_not_timed_out() {
    let mut asks = asked(false, Some(Span::seconds(5)));
    answer(&mut asks, &Answer::Dismiss);
    assert_eq!(asks.look("a"), Some(AskProgress::Ended(AskEnd::Dismissed)));
    assert_eq!(asks.next_deadline(), None);
}

#[test]
fn asked_again_under_its_id_it_is_the_same_ask() {
    let mut asks = asked(true, None);
    let (again, mut verdict) = ask(question());
    let moved = asks.take(again, NOW);
    assert!(moved.events.is_empty() && moved.changes.is_empty());
    moved.words.into_iter().for_each(AskerReply::say);
    assert_eq!(verdict.try_recv(), Ok(Ok(())));
    let (other, mut verdict) = ask(Question {
        question: "Other?".into(),
        ..question()
    });
    asks.take(other, NOW)
        .words
        .into_iter()
        .for_each(AskerReply::say);
    assert_eq!(verdict.try_recv(), Ok(Err(IdClash)));
}

/// Thousands of ends are kept, and what was asked may have two megabytes.
#[test]
fn of_what_is_over_a_hash_is_kept_in_place_of_what_was_asked() {
    let mut asks = asked(false, None);
    let moved = answer(&mut asks, &Answer::Replies(vec![Reply::choice(0)]));
    let mut kept = moved.changes.iter().filter_map(|change| match change {
        RecordChange::Put(record) => Some(&record.asked),
        RecordChange::Forget(_) => None,
    });
    let hash = AskedContent::hash_of(&AskContent::Questions(vec![question()]));
    assert_eq!(kept.next_back(), Some(&AskedContent::Hashed(hash)));
    assert_eq!(asks.look("a"), Some(AskProgress::Ended(yes())));
}

#[test]
fn an_old_answer_is_none_to_another_question_of_the_same_id() {
    let records = vec![record(true, Some(yes()))];
    let mut asks = LocalAsks::restore(records, &[], NOW);
    for (question, expected) in [
        (question(), Ok(())),
        (
            Question {
                question: "Other?".into(),
                ..question()
            },
            Err(IdClash),
        ),
    ] {
        let (wish, mut verdict) = ask(question);
        asks.take(wish, NOW)
            .words
            .into_iter()
            .for_each(AskerReply::say);
        assert_eq!(verdict.try_recv(), Ok(expected));
    }
}

#[test]
fn withdrawn_it_is_gone_once() {
    let mut asks = asked(true, None);
    let (reply, mut withdrawn) = oneshot::channel();
    let moved = asks.take(AskerRequest::Withdraw("a".into(), reply), NOW);
    assert_eq!(moved.events, [gone()]);
    moved.words.into_iter().for_each(AskerReply::say);
    assert_eq!(withdrawn.try_recv(), Ok(true));
    let (reply, mut withdrawn) = oneshot::channel();
    let moved = asks.take(AskerRequest::Withdraw("a".into(), reply), NOW);
    moved.words.into_iter().for_each(AskerReply::say);
    assert_eq!(withdrawn.try_recv(), Ok(false));
}

#[test]
fn after_a_restart_it_lists_what_is_open_and_expects_its_asker_back() {
    let records = vec![
        record(true, None),
        AskRecord {
            own: "b".into(),
            ..record(true, Some(yes()))
        },
        AskRecord {
            own: "lost".into(),
            ..record(true, None)
        },
    ];
    let mut asks = LocalAsks::restore(records, &[entry(AskState::Open)], NOW);
    let Some(Event::Source(_, SourceReport::Listed(listing))) = asks.begin().pop() else {
        panic!("no list")
    };
    let listed: Vec<&str> = listing
        .asks
        .iter()
        .map(|(ask, _)| ask.id.own.as_str())
        .collect();
    assert_eq!(listed, ["a"]);
    assert_eq!(asks.look("b"), Some(AskProgress::Ended(yes())));
    assert_eq!(asks.look("lost"), None);
    assert_eq!(asks.next_deadline(), Some(NOW + MISSED_AFTER));
    assert_eq!(asks.tick(NOW + MISSED_AFTER).events, [gone()]);
}

#[test]
fn an_answer_that_was_handed_over_before_a_kill_counts_as_taken_after_it() {
    let mut asks = asked(true, None);
    let mut end = attend(&mut asks);
    let moved = answer(&mut asks, &Answer::Replies(vec![Reply::choice(0)]));
    assert_eq!(
        moved.changes,
        [RecordChange::Put(record(true, Some(yes())))],
        "before it is handed over"
    );
    assert_eq!(said(moved, &mut end), Some(yes()));
    let answering = AskState::Answering {
        answer: Answer::Replies(vec![Reply::choice(0)]),
        by: Surface::Notification,
        at: NOW,
        attempts: 1,
        tried_at: None,
        sent_at: None,
        unanswered: false,
    };
    let mut asks = LocalAsks::restore(vec![record(true, Some(yes()))], &[entry(answering)], NOW);
    assert_eq!(asks.begin().first(), Some(&replied()));
    assert_eq!(asks.next_deadline(), None, "nobody is missed");
    assert_eq!(read(&mut attend(&mut asks)), Some(yes()));
}

#[test]
fn a_permission_ends_with_the_humans_decision_and_never_with_silence() {
    let permission = AskContent::Permission(Permission::default());
    let grant = Grant::Reject {
        reason: Some("no".into()),
    };
    for (by, expected) in [
        (Surface::Tray, AskEnd::Granted(grant.clone())),
        (Surface::Clock, AskEnd::TimedOut),
    ] {
        let mut asks = LocalAsks::default();
        let (reply, _) = oneshot::channel();
        let kind = permission.clone();
        let timeout = Some(Span::seconds(5));
        let new = NewAsk {
            attended: false,
            kind,
            timeout,
            ..new(question())
        };
        asks.take(AskerRequest::Ask(Box::new(new.clone()), reply), NOW);
        let answer = Answer::Grant(grant.clone());
        let state = AskState::Answering {
            answer,
            by,
            at: NOW,
            attempts: 1,
            tried_at: None,
            sent_at: None,
            unanswered: false,
        };
        let mut entry = Entry::new(into_ask(new, NOW), 1);
        entry.state = state;
        let moved = asks.take(
            AskerRequest::Deliver(Box::new(entry), Answer::Grant(grant.clone())),
            NOW,
        );
        let proof = SourceReport::Replied {
            own: "a".into(),
            answers: None,
        };
        assert_eq!(moved.events, [report(proof)]);
        assert_eq!(asks.look("a"), Some(AskProgress::Ended(expected)));
    }
}

#[test]
fn of_very_many_that_ended_the_latest_are_kept_and_the_rows_of_the_others_go() {
    let mut asks = LocalAsks::default();
    let mut forgot = None;
    for n in 0..50_000 {
        let (own, now) = (format!("a{n}"), Timestamp(NOW.0 + n));
        let new = NewAsk {
            own: own.clone(),
            attended: false,
            ..new(question())
        };
        asks.take(AskerRequest::Ask(Box::new(new), oneshot::channel().0), now);
        let moved = asks.take(AskerRequest::Withdraw(own, oneshot::channel().0), now);
        forgot = moved
            .changes
            .into_iter()
            .fold(forgot, |before, change| match change {
                RecordChange::Forget(at) => Some(at),
                RecordChange::Put(_) => before,
            });
        assert!(asks.ended.len() <= MOST_KEPT + MOST_KEPT / 6);
    }
    assert!(asks.look("a49999").is_some() && asks.look("a45904").is_some());
    assert!(asks.look("a40000").is_none());
    let oldest = asks.ended.values().map(|ended| ended.at).min();
    assert_eq!(forgot, oldest, "what is in the table is what is known");
}

fn asked(attended: bool, timeout: Option<Span>) -> LocalAsks {
    let mut asks = LocalAsks::default();
    let (reply, _) = oneshot::channel();
    asks.take(
        AskerRequest::Ask(
            Box::new(NewAsk {
                attended,
                timeout,
                ..new(question())
            }),
            reply,
        ),
        NOW,
    );
    asks
}

/// Returns the asks after an asker that passes its answer on was handed that answer.
fn passed_on(given: &Answer) -> LocalAsks {
    let mut asks = LocalAsks::default();
    let new = NewAsk {
        receipts: true,
        ..new(question())
    };
    asks.take(AskerRequest::Ask(Box::new(new), oneshot::channel().0), NOW);
    let mut end = attend(&mut asks);
    let moved = answer(&mut asks, given);
    assert!(said(moved, &mut end).is_some());
    assert_eq!(
        asks.take(AskerRequest::Taken("a".into()), NOW).events,
        [],
        "that it has it proves nothing"
    );
    asks.take(AskerRequest::Left("a".into()), NOW);
    asks
}

fn receipt(asks: &mut LocalAsks, receipt: AskerReceipt) -> LocalStep {
    let received = ReceivedAnswer {
        own: "a".into(),
        receipt,
        proof: None,
    };
    asks.take(AskerRequest::Receipt(received, oneshot::channel().0), NOW)
}

/// Returns the answer to a receipt with that proof, for an ask.
fn proven(asks: &mut LocalAsks, own: &str, proof: &str) -> ReceiptEnd {
    let received = ReceivedAnswer {
        own: own.into(),
        receipt: AskerReceipt::Taken,
        proof: Some(proof.into()),
    };
    let (reply, mut said) = oneshot::channel();
    let moved = asks.take(AskerRequest::Receipt(received, reply), NOW);
    moved.words.into_iter().for_each(AskerReply::say);
    said.try_recv().unwrap()
}

fn overtaken() -> Event {
    report(SourceReport::Overtaken { own: "a".into() })
}

#[test]
fn an_answer_that_is_passed_on_is_taken_when_its_asker_says_so() {
    let yes = Answer::Replies(vec![Reply::choice(0)]);
    let table = [
        (&yes, AskerReceipt::Taken, replied()),
        (&yes, AskerReceipt::Elsewhere, overtaken()),
        (&yes, AskerReceipt::Lost, gone()),
        // What was refused is done all the same: somebody else allowed it.
        (&Answer::Dismiss, AskerReceipt::Done, overtaken()),
    ];
    for (given, said, event) in table {
        let mut asks = passed_on(given);
        assert_eq!(
            receipt(&mut asks, said).events,
            [event],
            "{given:?} {said:?}"
        );
        assert_eq!(asks.next_deadline(), None);
        assert_eq!(
            receipt(&mut asks, AskerReceipt::Taken).events,
            [],
            "it is over"
        );
    }
}

#[test]
fn an_answer_that_was_passed_on_counts_a_moment_after_it_is_over_unless_its_asker_says_otherwise() {
    for given in [&Answer::Replies(vec![Reply::choice(0)]), &Answer::Dismiss] {
        let mut asks = passed_on(given);
        assert_eq!(receipt(&mut asks, AskerReceipt::Over).events, []);
        assert_eq!(asks.next_deadline(), Some(NOW + LAST_WORD));
        assert_eq!(
            receipt(&mut asks, AskerReceipt::Elsewhere).events,
            [overtaken()]
        );

        let mut asks = passed_on(given);
        receipt(&mut asks, AskerReceipt::Over);
        let proven = asks.tick(NOW + LAST_WORD).events;
        assert!(
            matches!(
                &proven[..],
                [Event::Source(_, SourceReport::Replied { .. })]
            ),
            "{proven:?}"
        );
        assert_eq!(asks.next_deadline(), None);
    }
}

#[test]
fn the_last_moment_for_a_receipt_is_as_long_whatever_the_clock_shows() {
    for by in [Span::minutes(-60), Span::minutes(60)] {
        let mut asks = passed_on(&Answer::Replies(vec![Reply::choice(0)]));
        receipt(&mut asks, AskerReceipt::Over);
        asks.set_clock(by);
        assert_eq!(asks.next_deadline(), Some(NOW + by + LAST_WORD));
    }
}

#[test]
fn the_last_moment_for_a_receipt_begins_anew_after_a_restart() {
    let later = NOW + Span::minutes(1);
    let mut asks = passed_on(&Answer::Replies(vec![Reply::choice(0)]));
    let mut kept = receipt(&mut asks, AskerReceipt::Over).changes;
    assert_eq!(
        receipt(&mut asks, AskerReceipt::Over).changes,
        [],
        "it is said once"
    );
    let Some(RecordChange::Put(record)) = kept.pop() else {
        panic!("nothing is kept");
    };
    let restored = || LocalAsks::restore(vec![record.clone()], &[entry(AskState::Open)], later);

    let mut asks = restored();
    assert_eq!(asks.next_deadline(), Some(later + LAST_WORD));
    assert_eq!(asks.tick(later + LAST_WORD).events, [replied()]);

    let mut asks = restored();
    let overtaken_after_all = receipt(&mut asks, AskerReceipt::Elsewhere);
    assert_eq!(overtaken_after_all.events, [overtaken()]);
}

#[test]
fn that_a_tool_has_run_leaves_a_last_word_to_whoever_sees_by_whose_answers() {
    let yes = Answer::Replies(vec![Reply::choice(0)]);
    let mut asks = passed_on(&yes);
    assert_eq!(receipt(&mut asks, AskerReceipt::Done).events, []);
    assert_eq!(asks.next_deadline(), Some(NOW + LAST_WORD));
    assert_eq!(
        receipt(&mut asks, AskerReceipt::Elsewhere).events,
        [overtaken()]
    );

    let mut asks = passed_on(&yes);
    receipt(&mut asks, AskerReceipt::Done);
    assert_eq!(asks.tick(NOW + LAST_WORD).events, [replied()]);
}

#[test]
fn only_what_was_taken_uses_up_a_proof_and_an_empty_one_is_none() {
    let entries = ["a", "b", "c"].map(open_entry);
    let records = ["a", "b", "c"].map(handed_record).to_vec();
    let mut asks = LocalAsks::restore(records, &entries, NOW);
    let lost = ReceivedAnswer {
        own: "a".into(),
        receipt: AskerReceipt::Lost,
        proof: Some("toolu_1@m".into()),
    };
    asks.take(AskerRequest::Receipt(lost, oneshot::channel().0), NOW);
    assert_eq!(proven(&mut asks, "b", ""), ReceiptEnd::Counted);
    assert_eq!(proven(&mut asks, "c", "toolu_1@m"), ReceiptEnd::Counted);
}

#[test]
fn an_answer_given_elsewhere_leaves_nothing_to_fetch() {
    for (said, event) in [
        (AskerReceipt::Elsewhere, overtaken()),
        (AskerReceipt::Done, overtaken()),
        (AskerReceipt::Over, gone()),
    ] {
        let mut asks = asked(true, None);
        let mut end = attend(&mut asks);
        assert_eq!(
            receipt(&mut asks, AskerReceipt::Taken).events,
            [],
            "nobody has answered here"
        );
        let moved = receipt(&mut asks, said);
        assert_eq!(moved.events, [event]);
        moved.words.into_iter().for_each(AskerReply::say);
        assert_eq!(read(&mut end), Some(AskEnd::Gone));
    }
}

#[test]
fn an_answer_that_was_passed_on_outlives_its_asker_but_not_for_ever() {
    let mut asks = passed_on(&Answer::Replies(vec![Reply::choice(0)]));
    assert_eq!(
        asks.next_deadline(),
        Some(NOW + UNPROVEN),
        "who passed it on is not missed"
    );
    assert_eq!(asks.tick(NOW + UNPROVEN).events, [gone()]);
}

#[test]
fn an_answer_that_was_passed_on_before_a_kill_waits_for_its_receipt() {
    let handed = AskRecord {
        receipts: true,
        ..record(true, Some(yes()))
    };
    let mut asks = LocalAsks::restore(vec![handed], &[entry(AskState::Open)], NOW);
    let replied_to = |event: &Event| *event == replied();
    assert!(
        !asks.begin().iter().any(replied_to),
        "nobody has said that it was taken"
    );
    assert_eq!(receipt(&mut asks, AskerReceipt::Taken).events, [replied()]);
}

#[test]
fn a_receipt_for_what_nobody_has_answered_is_told_that_there_is_nothing() {
    let mut asks = asked(true, None);
    let mut ended = |receipt| {
        let received = ReceivedAnswer {
            own: "a".into(),
            receipt,
            proof: None,
        };
        let (reply, mut end) = oneshot::channel();
        let moved = asks.take(AskerRequest::Receipt(received, reply), NOW);
        moved.words.into_iter().for_each(AskerReply::say);
        end.try_recv()
    };
    assert_eq!(ended(AskerReceipt::Taken), Ok(ReceiptEnd::NotOpen));
    assert_eq!(ended(AskerReceipt::Elsewhere), Ok(ReceiptEnd::Counted));
    assert_eq!(ended(AskerReceipt::Elsewhere), Ok(ReceiptEnd::NotOpen));
}

#[test]
fn one_proof_is_that_of_one_answer_also_after_a_restart() {
    let entries = ["a", "b"].map(open_entry);
    let mut asks = LocalAsks::restore(vec![handed_record("a"), handed_record("b")], &entries, NOW);
    assert_eq!(proven(&mut asks, "a", "toolu_1@7"), ReceiptEnd::Counted);
    assert_eq!(proven(&mut asks, "b", "toolu_1@7"), ReceiptEnd::ProofUsed);

    let proven_one = AskRecord {
        proof: Some("toolu_1@7".into()),
        ..handed_record("a")
    };
    let records = vec![proven_one, handed_record("b")];
    let mut asks = LocalAsks::restore(records, &entries[1..], NOW);
    assert_eq!(proven(&mut asks, "b", "toolu_1@7"), ReceiptEnd::ProofUsed);
    assert_eq!(proven(&mut asks, "b", "toolu_2@9"), ReceiptEnd::Counted);
}

#[test]
fn only_an_ask_of_ours_that_is_not_over_is_expected_back() {
    let deadline =
        |entry: Entry| LocalAsks::restore(vec![record(true, None)], &[entry], NOW).next_deadline();
    assert_eq!(deadline(entry(AskState::Open)), Some(NOW + MISSED_AFTER));
    let settled = AskState::Settled {
        outcome: beckon_core::Outcome::Gone,
        at: NOW,
    };
    assert_eq!(deadline(entry(settled)), None);
    let mut other = entry(AskState::Open);
    other.ask.id.source.0 = "other".into();
    assert_eq!(deadline(other), None);
}

#[test]
fn what_is_due_is_done_also_late_and_nothing_before_its_time() {
    let mut asks = asked(false, Some(Span::seconds(5)));
    assert_eq!(asks.tick(NOW + Span::seconds(4)).events, []);
    assert_eq!(asks.tick(NOW + Span::seconds(60)).events.len(), 1);
}

#[test]
fn whoever_asks_again_from_another_process_is_looked_for_there() {
    let process = |pid| Some(beckon_core::AskerProcess { pid, born: 1 });
    let mut asks = asked(true, None);
    let mut again = |process| {
        let (reply, _) = oneshot::channel();
        let new = NewAsk {
            process,
            ..new(question())
        };
        let moved = asks.take(AskerRequest::Ask(Box::new(new), reply), NOW);
        let described = moved.events.into_iter().map(|event| match event {
            Event::Source(_, SourceReport::Described(session)) => session.process,
            other => panic!("{other:?}"),
        });
        (described.collect::<Vec<_>>(), moved.changes.len())
    };
    assert_eq!(again(process(7)), (vec![process(7)], 1));
    assert_eq!(again(process(7)), (vec![], 0), "the same one");
    assert_eq!(again(None), (vec![], 0), "it has not said");
    assert_eq!(again(process(8)), (vec![process(8)], 1));
}

#[test]
fn who_leaves_takes_nobody_else_along() {
    let mut asks = asked(true, None);
    let (stays, leaves) = (attend(&mut asks), attend(&mut asks));
    drop(leaves);
    asks.take(AskerRequest::Left("a".into()), NOW);
    let moved = answer(&mut asks, &Answer::Replies(vec![Reply::choice(0)]));
    let mut stays = stays;
    assert_eq!(said(moved, &mut stays), Some(yes()));
}

#[test]
fn an_end_can_be_fetched_for_a_week_and_is_forgotten_within_the_hour() {
    let other = |asks: &mut LocalAsks, own: &str, now| {
        let (reply, _) = oneshot::channel();
        let new = NewAsk {
            own: own.into(),
            ..new(question())
        };
        asks.take(AskerRequest::Ask(Box::new(new), reply), now)
            .changes
    };
    let forgets = |changes: &[RecordChange]| changes.contains(&RecordChange::Forget(NOW));
    let mut asks = asked(false, None);
    answer(&mut asks, &Answer::Dismiss);
    let almost = Timestamp(NOW.0 + KEPT.0 - 1);
    assert!(!forgets(&other(&mut asks, "b", almost)));
    assert!(asks.look("a").is_some());
    assert!(
        !forgets(&other(&mut asks, "c", NOW + KEPT)),
        "looked at once an hour"
    );
    let hour = almost + Span::minutes(60);
    let changes = other(&mut asks, "d", hour);
    assert!(
        changes.contains(&RecordChange::Forget(Timestamp(hour.0 - KEPT.0))),
        "{changes:?}"
    );
    assert!(asks.look("a").is_none());

    let mut asks = asked(false, None);
    answer(&mut asks, &Answer::Dismiss);
    assert!(forgets(&other(&mut asks, "b", NOW + KEPT)));
    assert!(asks.look("a").is_none());
}

#[test]
fn an_ask_is_a_session_of_its_own_with_what_its_asker_says_of_itself() {
    let new = NewAsk {
        title: Some("Deploy".into()),
        agent: Some("deployer".into()),
        process: Some(beckon_core::AskerProcess { pid: 7, born: 1 }),
        ..new(question())
    };
    let (title, agent, process) = (new.title.clone(), new.agent.clone(), new.process);
    let (id, directory) = ("a".into(), "/home/me".into());
    let session = Session {
        id,
        title,
        directory,
        agent,
        process,
        is_claimed: true,
        ..Session::default()
    };
    assert_eq!(into_ask(new, NOW).session, session);
}

fn ask(question: Question) -> (AskerRequest, oneshot::Receiver<Result<(), IdClash>>) {
    let (reply, verdict) = oneshot::channel();
    (AskerRequest::Ask(Box::new(new(question)), reply), verdict)
}

fn new(question: Question) -> NewAsk {
    NewAsk {
        own: "a".into(),
        is_named: true,
        attended: true,
        receipts: false,
        kind: AskContent::Questions(vec![question]),
        title: None,
        agent: None,
        directory: "/home/me".into(),
        project_root: None,
        process: None,
        timeout: None,
    }
}

fn question() -> Question {
    let choices = vec![Choice {
        label: "Yes".into(),
        ..Choice::default()
    }];
    Question {
        question: "Go on?".into(),
        choices,
        ..Question::default()
    }
}

fn attend(asks: &mut LocalAsks) -> oneshot::Receiver<HandedEnd> {
    let ((seen, _), (end, ended)) = (oneshot::channel(), oneshot::channel());
    let moved = asks.take(
        AskerRequest::Attend {
            own: "a".into(),
            seen,
            end,
        },
        NOW,
    );
    moved.words.into_iter().for_each(AskerReply::say);
    ended
}

fn read(end: &mut oneshot::Receiver<HandedEnd>) -> Option<AskEnd> {
    end.try_recv().ok().map(|handed| handed.end)
}

fn answer(asks: &mut LocalAsks, answer: &Answer) -> LocalStep {
    deliver(asks, answer, Surface::Notification)
}

fn deliver(asks: &mut LocalAsks, answer: &Answer, by: Surface) -> LocalStep {
    let answering = AskState::Answering {
        answer: answer.clone(),
        by,
        at: NOW,
        attempts: 1,
        tried_at: None,
        sent_at: None,
        unanswered: false,
    };
    asks.take(
        AskerRequest::Deliver(Box::new(entry(answering)), answer.clone()),
        NOW,
    )
}

fn entry(state: AskState) -> Entry {
    let mut entry = Entry::new(into_ask(new(question()), NOW), 1);
    entry.state = state;
    entry
}

fn record(attended: bool, end: Option<AskEnd>) -> AskRecord {
    let kind = AskContent::Questions(vec![question()]);
    let ended = end.map(|end| (end, NOW));
    let asked = match &ended {
        Some(_) => AskedContent::Hashed(AskedContent::hash_of(&kind)),
        None => AskedContent::Whole(kind),
    };
    AskRecord {
        own: "a".into(),
        asked,
        attended,
        receipts: false,
        deadline: None,
        ended,
        proof: None,
        is_over: false,
    }
}

/// An ask of that name whose answer was passed on before a restart.
fn handed_record(own: &str) -> AskRecord {
    AskRecord {
        own: own.into(),
        receipts: true,
        ..record(true, Some(yes()))
    }
}

fn open_entry(own: &str) -> Entry {
    let mut entry = entry(AskState::Open);
    entry.ask.id.own = own.into();
    entry
}

fn said(moved: LocalStep, end: &mut oneshot::Receiver<HandedEnd>) -> Option<AskEnd> {
    moved.words.into_iter().for_each(AskerReply::say);
    read(end)
}

fn yes() -> AskEnd {
    let replies = Some(vec![Reply::choice(0)]);
    AskEnd::Answered(AnsweredQuestions {
        texts: vec![vec!["Yes".into()]],
        replies,
    })
}

fn replied() -> Event {
    let answers = Some(vec![vec!["Yes".into()]]);
    report(SourceReport::Replied {
        own: "a".into(),
        answers,
    })
}

fn gone() -> Event {
    report(SourceReport::SessionGone {
        session: "a".into(),
    })
}
