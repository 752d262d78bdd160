//! Stories of the hub forgetting what is old: what still matters is published anew before that, and
//! what is over is forgotten in time.

use super::*;

#[test]
fn an_answer_that_waits_for_long_is_looked_for_and_told_once_more() {
    let mut remote = sent(1);
    let id = answered(1).ask.id;
    remote.published(&id, &to(1), Published::Kept);
    let send = |remote: &mut RemoteAsks| remote.send(&answered(1), |_| "ours".into());
    let known = Sending::Nothing(SourceReport::Sent {
        own: id.own.clone(),
    });
    assert_eq!(send(&mut remote), known, "the hub has it");
    let listed = remote.doubt_sent();
    assert!(
        listed.len() == 1 && listed.contains(&id.source),
        "{listed:?}"
    );
    assert!(matches!(
        send(&mut remote),
        Sending::Publish { again: true, .. }
    ));
    remote.published(&id, &to(1), Published::Kept);
    assert_eq!(send(&mut remote), known);
}

#[test]
fn what_is_over_is_forgotten_with_the_second_renewal_and_what_waits_is_not() {
    let other = || AskSubject {
        serial: 8,
        ..subject()
    };
    let mut remote = RemoteAsks::default();
    remote.take(subject(), shared(1, SharedState::Ended(SharedEnd::Gone)));
    remote.take(other(), shared(1, SharedState::Open));
    assert_eq!(remote.forget_old(), []);
    assert!(
        remote.get(&subject()).is_some(),
        "somebody may come late to it"
    );
    assert_eq!(remote.forget_old(), []);
    assert_eq!(
        (remote.get(&subject()), remote.get(&other()).is_some()),
        (None, true)
    );
    // The owner opens the ask once more.
    let moves = remote.take(subject(), shared(2, SharedState::Open));
    assert_eq!(moves, [RemoteMove::Ask(subject())]);
}

#[test]
fn of_asks_that_nobody_knows_any_more_no_rounds_are_kept_and_the_count_goes_on() {
    let (mut owner, entry) = (owner(), entry());
    let (key, first) = owner.begin(&[]);
    owner.refuse(entry.serial, AnswerFault::Forged);
    owner.forget_rounds(|serial| serial == entry.serial);
    assert_eq!(owner.round(&entry), 2);
    owner.forget_rounds(|_| false);
    assert_eq!(owner.round(&entry), 1);
    assert_eq!(owner.begin(&[]), (key, first + 1), "that is no ask's");
}

#[test]
fn answers_to_what_nobody_asks_take_no_room() {
    let (mut owner, entry) = (owner(), entry());
    let good = record(&entry);
    assert_eq!(owner.judge(None, &to(2), Some(&good), true), None);
    owner.use_up(entry.serial);
    assert_eq!(
        owner.round(&entry),
        2,
        "its place is looked at when it is asked"
    );
}

#[test]
fn what_its_owner_has_not_told_for_a_week_is_gone_for_whoever_stayed_connected() {
    let (mut remote, gone) = (
        sent(1),
        SourceReport::Gone {
            own: subject().own_id(),
        },
    );
    for _ in 0..7 {
        assert_eq!(remote.forget_old(), []);
    }
    // The same record arrives again.
    assert_eq!(remote.take(subject(), shared(1, SharedState::Open)), []);
    for _ in 0..7 {
        assert_eq!(remote.forget_old(), []);
    }
    assert_eq!(remote.forget_old(), [report(gone)]);
    assert_eq!(remote.get(&subject()), None);
    assert_eq!(remote.forget_old(), []);
}
