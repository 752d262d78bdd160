//! Tests of what is sent for an answer, and what a reply shows.

use super::*;
use crate::sources::interrupts::threads::ORDINARY;
use beckon_core::{AskContent, AskId, Choice, Question, Reply, Session, Timestamp};

fn ask(kind: AskContent) -> Ask {
    let id = AskId::new("s", "t-1");
    Ask {
        id,
        kind,
        session: Session::default(),
        call: None,
        asked_at: Timestamp(0),
    }
}

fn shown(frames: Vec<ServiceFrame>) -> (Vec<String>, Option<TurnEnd>) {
    let mut reply = ReplyEvidence::default();
    let told = frames.into_iter().flat_map(|frame| reply.on_frame(frame));
    let told = told.map(|progress| {
        match progress {
            ResumeProgress::Sent => "sent",
            ResumeProgress::WentOn => "went on",
            ResumeProgress::Interrupted(_) => "interrupted",
            ResumeProgress::NotArrived(_) | ResumeProgress::Failed(_) => "failed",
            ResumeProgress::Over(_) => "over",
        }
        .to_owned()
    });
    let told = told.collect();
    (told, reply.end())
}

fn again() -> ServiceFrame {
    let kind = AskContent::Confirm("Go?".into());
    ServiceFrame::Interrupt(Box::new(Interrupt {
        thread: None,
        title: None,
        kind,
        words: None,
        ordinary: true,
    }))
}

fn error() -> ServiceFrame {
    ServiceFrame::Error("no".into())
}

#[test]
fn the_body_is_as_documented() {
    let json = |kind, answer| serde_json::to_value(body(&ask(kind), &answer)).unwrap();
    let confirm = || AskContent::Confirm("Go?".into());
    let go_on = serde_json::json!({ "action": "continue" });
    let cancel = serde_json::json!({ "action": "cancel" });
    assert_eq!(json(confirm(), Answer::Continue), go_on);
    assert_eq!(json(confirm(), Answer::Cancel), cancel);
    let choice = |label: &str, value: &str| Choice {
        label: label.into(),
        value: Some(value.into()),
        ..Choice::default()
    };
    let choices = vec![choice("Same", "a"), choice("Same", "b")];
    let question = Question {
        choices,
        custom: true,
        ..Question::default()
    };
    let questions = || AskContent::Questions(vec![question.clone(), question.clone()]);
    assert_eq!(json(questions(), Answer::Dismiss), cancel);
    let replies = Answer::Replies(vec![Reply::choice(1), Reply::text(" own ")]);
    let answers = serde_json::json!({ "action": "answer", "answers": ["b", " own "] });
    assert_eq!(json(questions(), replies), answers);
}

#[test]
fn the_first_frame_that_shows_it_went_on_is_the_proof() {
    for first in [ServiceFrame::WentOn, ServiceFrame::End] {
        let end = Some(TurnEnd::Done);
        assert_eq!(
            shown(vec![ServiceFrame::Nothing, first, ServiceFrame::WentOn]),
            (vec!["went on".into()], end)
        );
    }
    let (told, end) = shown(vec![again(), ServiceFrame::End]);
    assert_eq!(
        (told, end),
        (vec!["went on".into(), "interrupted".into()], None)
    );
}

#[test]
fn an_error_before_the_proof_is_a_refusal_and_after_it_the_end_of_the_turn() {
    let (told, end) = shown(vec![error(), error(), ServiceFrame::End]);
    assert_eq!((told, end), (vec!["failed".into()], None));
    let (told, end) = shown(vec![ServiceFrame::WentOn, error(), ServiceFrame::End]);
    assert_eq!(
        (told, end),
        (vec!["went on".into()], Some(TurnEnd::Failed("no".into())))
    );
}

#[test]
fn what_is_said_again_after_a_refusal_proves_nothing() {
    let (told, _) = shown(vec![error(), again(), ServiceFrame::End]);
    assert_eq!(told, ["failed", "interrupted"]);
}

#[test]
fn a_reply_that_breaks_off_before_the_proof_leaves_the_answer_unproven() {
    let unproven = |reply: &ReplyEvidence| {
        matches!(
            reply.on_break(&StreamError::Ended),
            Some(ResumeProgress::Failed(DeliveryFailure::Returned(
                ReturnReason::Unproven
            )))
        )
    };
    assert!(unproven(&ReplyEvidence::default()));
    assert!(!unproven(&ReplyEvidence {
        proven: true,
        ..ReplyEvidence::default()
    }));
    assert!(!unproven(&ReplyEvidence {
        refused: true,
        ..ReplyEvidence::default()
    }));
}

#[test]
fn a_choice_of_an_ordinary_interrupt_is_one_of_the_two_actions_where_it_says_so_without_doubt() {
    let sent = |label: &str, value: &str, ordinary: bool| {
        let value = Some(value.to_owned());
        let choices = vec![Choice {
            label: label.into(),
            value,
            ..Choice::default()
        }];
        let mut ask = ask(AskContent::Questions(vec![Question {
            choices,
            ..Question::default()
        }]));
        ask.session.api = ordinary.then(|| ORDINARY.to_owned());
        let answer = Answer::Replies(vec![Reply::choice(0)]);
        serde_json::to_value(body(&ask, &answer)).unwrap()
    };
    let go_on = serde_json::json!({ "action": "continue" });
    let cancel = serde_json::json!({ "action": "cancel" });
    for (label, value) in [
        ("批准", "1"),
        ("Approve", "approve"),
        ("Run it", "continue"),
    ] {
        assert_eq!(sent(label, value, true), go_on, "{label}");
    }
    for (label, value) in [("拒绝", "0"), ("Reject", "reject"), ("Leave it", "cancel")] {
        assert_eq!(sent(label, value, true), cancel, "{label}");
    }
    for (label, value) in [("Blue", "blue"), ("Reject", "approve")] {
        let answer = serde_json::json!({ "action": "answer", "answers": [value] });
        assert_eq!(sent(label, value, true), answer, "{label}");
    }
    let answer = serde_json::json!({ "action": "answer", "answers": ["approve"] });
    assert_eq!(sent("Approve", "approve", false), answer, "of a question");
}
