//! Stories of who decided a shared ask: its owner tells all others, in a form that is fit to be
//! shown.

use super::*;
use beckon_core::hub::SharedDecision;
use beckon_core::{AskId, DecisionKind, Effect, Policy, Responder, Span, ToldDecision, Voucher};

/// Returns what follows from a record of the owner, whose device is known as "laptop".
fn told(remote: &mut RemoteAsks, record: AskRecord) -> Vec<RemoteMove> {
    remote.take(
        subject(),
        AskRecord {
            signer: Some("laptop".into()),
            ..record
        },
    )
}

fn laptop() -> Voucher {
    Voucher::Device {
        name: Some("laptop".into()),
    }
}

/// Returns an owner and an entry that Ada has answered on the phone.
fn answered_by(by: Surface) -> (HubOwner, Entry) {
    let (mut owner, mut entry) = (owner(), entry());
    entry.responder = Some(ada());
    let (answer, at) = (Answer::Replies(vec![Reply::choice(1)]), START);
    entry.state = AskState::Answering {
        answer,
        by,
        at,
        attempts: 1,
        tried_at: None,
        sent_at: None,
        unanswered: false,
    };
    owner.use_up(entry.serial);
    owner.note_nonce(entry.serial, "hers".into());
    (owner, entry)
}

fn ada() -> Responder {
    let phone = Voucher::Device {
        name: Some("phone".into()),
    };
    Responder::new(Some("Ada"), Some("phone"), phone)
}

#[test]
fn who_answered_is_told_to_all_on_the_word_of_the_owner() {
    let (mut owner, mut entry) = answered_by(Surface::Api);
    let answering = share(&mut owner, &entry);
    let how = DecisionKind::Answered(Some(vec![vec!["Green".into()]]));
    let person = Some("Ada".into());
    let (device, nonce) = (Some("phone".into()), Some("hers".into()));
    let decided = SharedDecision {
        how: how.clone(),
        person,
        device,
        nonce,
    };
    assert_eq!(answering.decided, Some(decided));
    let mut remote = sent(1);
    let by = Some(Responder {
        vouched: laptop(),
        ..ada()
    });
    let end = ToldDecision {
        own: subject().own_id(),
        how,
        by,
        is_anothers: true,
    };
    let moved = [report(SourceReport::Decided(end))];
    assert_eq!(
        told(&mut remote, answering),
        moved,
        "nobody waits for the proof to withdraw"
    );
    let AskState::Answering { answer, .. } = entry.state.clone() else {
        panic!("it is answered")
    };
    let outcome = Outcome::Answered {
        answer,
        by: Surface::Api,
    };
    entry.state = AskState::Settled { outcome, at: START };
    // A machine that was away meanwhile hears of the end only.
    let mut late = sent(1);
    assert_eq!(told(&mut late, share(&mut owner, &entry)), moved);
}

#[test]
fn nobody_is_said_to_have_decided_an_expiry_or_what_waits() {
    let (mut owner, expired) = answered_by(Surface::Clock);
    assert_eq!(share(&mut owner, &expired).decided, None);
    assert_eq!(share(&mut owner, &entry()).decided, None);
}

#[test]
fn a_hostile_name_from_the_hub_is_fit_to_be_shown() {
    let (mut owner, entry) = answered_by(Surface::Api);
    let mut record = share(&mut owner, &entry);
    let decided = record.decided.as_mut().unwrap();
    decided.person = Some("Ada\u{202e}\n".repeat(1_000));
    decided.device = Some("\u{1b}[2J".into());
    let mut remote = RemoteAsks::default();
    let moves = told(&mut remote, record);
    let [RemoteMove::Report(_, SourceReport::Decided(told))] = &moves[..] else {
        panic!("{moves:?}")
    };
    let by = told.by.as_ref().unwrap();
    assert!(by.person.as_ref().unwrap().chars().count() <= beckon_core::LONGEST_NAME);
    assert!(by.person.as_ref().unwrap().starts_with("Ada⟨U+202E⟩ Ada"));
    assert_eq!(by.device.as_deref(), Some("⟨U+001B⟩[2J"));
}

#[test]
fn of_a_decision_that_a_later_beckon_names_the_record_is_read_without_it() {
    let (mut owner, entry) = answered_by(Surface::Api);
    let record = share(&mut owner, &entry);
    let written = serde_json::to_value(&record).unwrap();
    assert_eq!(
        serde_json::from_value::<AskRecord>(written.clone()).unwrap(),
        record
    );
    let mut later = written;
    later["decided"]["how"] = serde_json::json!("postponed");
    let read: AskRecord = serde_json::from_value(later).unwrap();
    assert_eq!(
        read,
        AskRecord {
            decided: None,
            ..record
        }
    );
}

#[test]
fn only_its_owner_lets_what_is_shared_expire() {
    let policy = Policy {
        expire_after: Some(Span::minutes(30)),
        ..Policy::default()
    };
    for (source, expires) in [("local", true), ("hub:laptop", false)] {
        let mut story = crate::common::Story::new();
        story.feed(Event::Policy(policy));
        let ask = beckon_core::Ask {
            id: AskId::new(source, "q1"),
            ..single("q1")
        };
        story.feed(Event::Source(
            ask.id.source.clone(),
            SourceReport::Asked(ask),
        ));
        story.now = story.now + Span::minutes(31);
        let step = story.feed(Event::Tick);
        let is_delivered = |it: &Effect| matches!(it, Effect::Deliver { .. });
        assert_eq!(step.effects.iter().any(is_delivered), expires, "{source}");
    }
}

#[test]
fn a_disagreement_of_two_people_is_news_by_itself() {
    let mut remote = RemoteAsks::default();
    let agreed = AskRecord {
        agreed: vec!["Ada".into()],
        ..shared(0, SharedState::Open)
    };
    let apart = AskRecord {
        apart: true,
        ..agreed.clone()
    };
    let asked = [RemoteMove::Ask(subject())];

    assert_eq!(told(&mut remote, agreed.clone()), asked);
    assert_eq!(told(&mut remote, agreed), [], "told once more");
    assert_eq!(told(&mut remote, apart), asked);
}
