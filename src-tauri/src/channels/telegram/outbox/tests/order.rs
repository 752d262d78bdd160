//! Tests of what the list gives way to, and of how it is tried again.

use super::lists::{changes, list};
use super::*;

/// Returns a desk whose list is due to be drawn, while what `what` has done waits or is under way.
fn beside(what: impl FnOnce(&mut Desk)) -> Desk {
    let mut desk = Desk::new();
    what(&mut desk);
    desk.outbox.list_changed(&[ME], ListUrgency::Now, desk.now);
    desk.now += Duration::from_secs(1);
    desk
}

#[test]
fn the_list_is_drawn_half_a_second_after_a_change_so_that_it_tells_of_several() {
    let mut desk = Desk::new();
    desk.outbox.list_changed(&[ME], ListUrgency::Now, desk.now);
    assert_eq!(
        desk.outbox
            .lists_to_draw(desk.now + Duration::from_millis(499)),
        []
    );
    let drawn = desk
        .outbox
        .lists_to_draw(desk.now + Duration::from_millis(500));
    assert_eq!(drawn, [CallOutcome::DrawList(ME)]);
}

#[test]
fn the_list_is_not_drawn_while_anything_else_waits_or_is_under_way() {
    let waits: [fn(&mut Desk); 4] = [
        |desk| _ = desk.want(&wanted(1, "new")),
        |desk| desk.outbox.strip(ME, 9),
        |desk| desk.outbox.say(ME, note("words")),
        |desk| {
            desk.outbox.say(ME, note("words"));
            desk.begin();
        },
    ];
    for what in waits {
        let mut desk = beside(what);
        assert_eq!(desk.outbox.lists_to_draw(desk.now), []);
    }
    let mut desk = beside(|_| {});
    assert_eq!(
        desk.outbox.lists_to_draw(desk.now),
        [CallOutcome::DrawList(ME)]
    );
    let busy = beside(|desk| {
        desk.outbox.say(ME, note("words"));
        desk.begin();
    });
    assert_eq!(busy.outbox.due(busy.now), None, "one call at a time");
}

#[test]
fn where_nothing_waits_and_no_list_stands_none_is_sent() {
    let mut desk = Desk::new();
    let card = CardMessage {
        keyboard: Vec::new(),
        ..card("nothing")
    };
    desk.outbox.want_list(
        ME,
        WantedList {
            card,
            serials: [1].into(),
            known: None,
        },
    );
    desk.quiet();
}

#[test]
fn a_list_without_an_answer_is_repeated_quickly_at_first_and_at_once_when_the_server_answers() {
    let mut desk = Desk::new();
    changes(&mut desk, ListUrgency::Soon, "list");
    let mut waits = Vec::new();
    for _ in 0..8 {
        desk.one(Err(CallError::Server(502)));
        waits.push((desk.outbox.due(desk.now).unwrap() - desk.now).as_millis());
    }
    assert_eq!(
        (&waits[..3], &waits[4..]),
        (&[50, 100, 200][..], &[500, 1_000, 2_000, 4_000][..])
    );
    desk.outbox.resume();
    let asked = desk.now;
    desk.one(Ok(()));
    assert!(
        desk.now - asked < Duration::from_secs(2),
        "{:?}",
        desk.now - asked
    );
}

#[test]
fn a_list_that_is_refused_goes_with_less_of_it_until_it_looks_different() {
    let mut desk = Desk::new();
    let nonsense = || Err(CallError::Other("Bad Request: BUTTON_DATA_INVALID".into()));
    let form = |desk: &mut Desk, result| match desk.one(result).0 {
        OutboxCall::Send { form, .. } | OutboxCall::Edit { form, .. } => form,
        other => panic!("{other:?}"),
    };
    changes(&mut desk, ListUrgency::Soon, "list");
    assert_eq!(form(&mut desk, nonsense()), CardForm::Marked);
    desk.outbox.want_list(ME, list("list"));
    assert_eq!(
        form(&mut desk, nonsense()),
        CardForm::Unstyled,
        "the same one"
    );
    desk.outbox.want_list(ME, list("another"));
    assert_eq!(form(&mut desk, nonsense()), CardForm::Marked);
    for expected in [CardForm::Unstyled, CardForm::Plain, CardForm::Bare] {
        assert_eq!(form(&mut desk, nonsense()), expected);
    }
    desk.quiet();
    changes(&mut desk, ListUrgency::Soon, "list");
    assert_eq!(
        form(&mut desk, Err(CallError::NoRight("no rights".into()))),
        CardForm::Marked
    );
    desk.quiet();
}

#[test]
fn one_that_was_deleted_comes_back_no_sooner_than_a_change_is_told_and_none_is_forgotten() {
    let mut desk = Desk::new();
    changes(&mut desk, ListUrgency::Whenever, "2 waiting");
    desk.all();
    changes(&mut desk, ListUrgency::Whenever, "3 waiting");
    let drawn = desk.now;
    desk.begin();
    desk.outbox
        .list_changed(&[ME], ListUrgency::Whenever, desk.now);
    desk.outbox
        .done(ME, Lane::Calls, Err(CallError::MessageGone), desk.now);
    assert_eq!(
        desk.outbox.due(desk.now),
        Some(drawn + Duration::from_secs(60))
    );
    let mut desk = Desk::new();
    changes(&mut desk, ListUrgency::Whenever, "2 waiting");
    desk.all();
    changes(&mut desk, ListUrgency::Whenever, "3 waiting");
    let drawn = desk.now;
    desk.one(Err(CallError::MessageGone));
    desk.outbox
        .list_changed(&[ME], ListUrgency::Whenever, desk.now);
    assert_eq!(
        desk.outbox.due(desk.now),
        Some(drawn + Duration::from_secs(60))
    );
}
