//! Stories of where the human sits and which machine rings: once, where they sit, and the phone
//! only where they sit at none.

use super::home::{Home, node};
use crate::common::*;
use beckon_core::hub::SeatNews;
use beckon_core::{
    Channel, Effect, Event, FinishedTurn, ForwardMode, Presence, PresenceOverride, Session,
    SourceReport, Span, TurnEnd,
};

pub const NOBODY: [&str; 0] = [];

/// Returns three machines, with the human at the third.
pub fn sits_at_the_third() -> Home {
    let mut home = Home::of(3);
    home.reads(2, Presence::Here);
    home.rang();
    home
}

#[test]
fn the_machine_at_which_the_human_sits_rings_and_no_other_and_not_the_phone() {
    let mut home = sits_at_the_third();
    for owner in 0..3 {
        home.ask(owner, &format!("q{owner}"));
        assert_eq!(home.rang(), ["2"], "asked at {owner}");
    }
    home.wait(Span::minutes(9), true);
    assert_eq!(home.rang(), NOBODY);
}

#[test]
fn who_sits_at_none_is_reached_by_phone_once_and_no_empty_desk_rings() {
    let mut home = Home::of(3);
    home.ask(1, "q1");
    assert_eq!(home.rang(), ["phone"]);
    home.wait(Span::minutes(30), true);
    assert_eq!(home.rang(), NOBODY);
}

#[test]
fn who_comes_to_a_machine_finds_what_waits_there() {
    let mut home = Home::of(3);
    home.ask(1, "q1");
    home.rang();
    home.reads(2, Presence::Here);
    assert_eq!(home.rang(), ["2"]);
}

#[test]
fn without_a_phone_every_desk_rings_for_who_sits_at_none() {
    let mut home = Home::of(3);
    home.happens(0, Event::ChannelDown(Channel::Telegram));
    home.ask(1, "q1");
    assert_eq!(home.rang(), ["0", "1", "2"]);
}

#[test]
fn a_phone_to_which_nothing_is_ever_sent_is_none() {
    let mut home = Home::of(2);
    home.desks[0].policy.forward = ForwardMode::Never;
    let policy = home.desks[0].policy;
    home.happens(0, Event::Policy(policy));
    home.ask(1, "q1");
    assert_eq!(home.rang(), ["0", "1"]);
}

#[test]
fn a_phone_that_fails_calls_every_desk() {
    let mut home = Home::of(3);
    home.ask(1, "q1");
    assert_eq!(home.rang(), ["phone"]);
    home.happens(0, Event::ChannelDown(Channel::Telegram));
    assert_eq!(home.rang(), ["0", "1", "2"]);
}

#[test]
fn hands_at_two_machines_at_once_are_in_doubt_and_both_ring() {
    let mut home = sits_at_the_third();
    home.reads(1, Presence::Here);
    home.ask(0, "q1");
    assert_eq!(home.rang(), ["1", "2"]);
}

#[test]
fn of_hands_that_rest_and_hands_that_were_there_a_moment_ago_the_latter_count() {
    let mut home = sits_at_the_third();
    let now = home.desks[1].now;
    home.happens(1, reading(Presence::Idle, Some(now)));
    home.ask(1, "q1");
    assert_eq!(home.rang(), ["2"]);
    home.happens(2, reading(Presence::Idle, Some(now)));
    home.ask(1, "q2");
    assert_eq!(
        home.rang(),
        ["1", "1", "2"],
        "at rest at both: in doubt both ring, the first too"
    );
}

#[test]
fn a_human_who_moves_is_rung_where_they_come_to_and_what_rang_before_stays_and_rings_no_more() {
    let mut home = sits_at_the_third();
    home.ask(0, "q1");
    assert_eq!(home.rang(), ["2"]);
    home.reads(1, Presence::Here);
    assert_eq!(home.rang(), ["1"]);
    let step = home.feed(2, reading(Presence::Locked, None));
    assert!(
        withdraws(&step).is_empty() && shows(&step).is_empty(),
        "{:?}",
        step.effects
    );
    home.tell_of(2);
    home.reads(2, Presence::Here);
    home.reads(1, Presence::Locked);
    assert_eq!(
        home.rang(),
        NOBODY,
        "there and back again: it stands at both"
    );
}

#[test]
fn what_stays_where_nobody_sits_goes_when_it_is_answered() {
    let mut home = sits_at_the_third();
    home.ask(2, "q1");
    home.desks[2].shown("q1", "h1");
    home.reads(1, Presence::Here);
    home.reads(2, Presence::Locked);
    let step = home.desks[2].replied("q1", "Red");
    assert_eq!(withdraws(&step), [(Channel::Desktop, "q1", Some("h1"))]);
}

#[test]
fn what_stays_where_nobody_sits_does_not_ring_again_after_its_daemon_was_gone() {
    let mut home = sits_at_the_third();
    home.ask(2, "q1");
    home.desks[2].shown("q1", "h1");
    home.reads(1, Presence::Here);
    home.reads(2, Presence::Locked);
    home.rang();
    home.feed(2, Event::ChannelDown(Channel::Desktop));
    home.feed(2, Event::ChannelUp(Channel::Desktop));
    assert_eq!(home.rang(), NOBODY);
    home.reads(2, Presence::Here);
    assert_eq!(home.rang(), ["2"]);
}

#[test]
fn who_leaves_the_last_desk_is_reached_by_phone_in_that_moment() {
    let mut home = sits_at_the_third();
    home.ask(1, "q1");
    home.rang();
    home.reads(2, Presence::Locked);
    assert_eq!(home.rang(), ["phone"]);
}

#[test]
fn what_nobody_answers_goes_to_the_phone_once_although_they_sit_there() {
    let mut home = sits_at_the_third();
    home.ask(1, "q1");
    home.rang();
    home.wait(Span::minutes(10), true);
    assert_eq!(home.rang(), ["phone"]);
    home.wait(Span::minutes(30), true);
    home.reads(2, Presence::Locked);
    assert_eq!(home.rang(), NOBODY);
}

#[test]
fn a_machine_at_which_nothing_can_ring_says_so_and_all_others_and_the_phone_ring() {
    let mut home = sits_at_the_third();
    home.happens(2, Event::ChannelDown(Channel::Desktop));
    home.ask(1, "q1");
    assert_eq!(home.rang(), ["0", "1", "phone"]);
}

#[test]
fn who_said_away_anywhere_is_reached_by_phone_and_where_their_hands_are() {
    let mut home = sits_at_the_third();
    home.says(1, PresenceOverride::Away);
    home.ask(0, "q1");
    assert_eq!(home.rang(), ["2", "phone"]);
    home.says(1, PresenceOverride::Auto);
    home.ask(0, "q2");
    assert_eq!(home.rang(), ["2"]);
}

#[test]
fn who_said_away_at_the_machine_they_sit_at_is_reached_by_phone_too() {
    let mut home = sits_at_the_third();
    home.says(2, PresenceOverride::Away);
    home.rang();
    home.ask(0, "q1");
    assert_eq!(home.rang(), ["2", "phone"]);
    home.happens(0, Event::ChannelDown(Channel::Telegram));
    assert_eq!(home.rang(), ["0", "1"], "without a phone every desk does");
}

#[test]
fn who_said_here_anywhere_is_spared_by_the_phone_and_no_desk_is_silenced_by_it() {
    let mut home = Home::of(3);
    home.says(1, PresenceOverride::Here);
    home.ask(0, "q1");
    assert_eq!(home.rang(), ["0", "1", "2"]);
    home.reads(2, Presence::Here);
    home.ask(0, "q2");
    assert_eq!(
        home.rang(),
        ["1", "2"],
        "hands are more than a word, where it was said it rings"
    );
}

#[test]
fn who_says_here_to_a_server_without_notifications_is_rung_at_the_desks_and_not_by_phone() {
    let mut home = Home::of(3);
    home.happens(0, Event::ChannelDown(Channel::Desktop));
    home.reads(0, Presence::Unknown);
    home.says(0, PresenceOverride::Here);
    home.rang();
    home.ask(2, "q1");
    assert_eq!(home.rang(), ["1", "2"]);
    home.happens(1, Event::ChannelDown(Channel::Desktop));
    home.happens(2, Event::ChannelDown(Channel::Desktop));
    assert_eq!(home.rang(), ["phone"], "nothing else can ring any more");
}

#[test]
fn a_pause_where_they_sit_is_silence_everywhere_and_its_end_rings_there() {
    let mut home = sits_at_the_third();
    let until = home.desks[2].now + Span::minutes(30);
    home.happens(2, Event::Pause(Some(until)));
    home.ask(1, "q1");
    home.wait(Span::minutes(29), true);
    assert_eq!(
        home.rang(),
        NOBODY,
        "not the phone either, which is what the pause says"
    );
    home.happens(2, Event::Pause(None));
    assert_eq!(
        home.rang(),
        ["2", "phone"],
        "it has waited for more than ten minutes"
    );
}

#[test]
fn who_sits_elsewhere_is_rung_although_they_paused_the_machine_that_they_left() {
    let mut home = sits_at_the_third();
    let until = home.desks[1].now + Span::minutes(30);
    home.happens(1, Event::Pause(Some(until)));
    home.ask(0, "q1");
    assert_eq!(home.rang(), ["2"]);
    home.reads(2, Presence::Locked);
    assert!(
        !home.rang().contains(&"phone".to_owned()),
        "nothing new there, the pause says"
    );
}

#[test]
fn a_pause_of_a_machine_that_is_not_heard_of_any_more_silences_nothing() {
    let mut home = Home::of(2);
    let until = home.desks[1].now + Span::minutes(30);
    home.happens(1, Event::Pause(Some(until)));
    home.desks[0].wait(Span::seconds(45));
    home.ask(0, "q1");
    assert!(home.rang().contains(&"phone".to_owned()));
}

#[test]
fn what_is_forwarded_always_or_never_is_so_wherever_they_sit() {
    for (forward, rang) in [
        (ForwardMode::Always, vec!["2", "phone"]),
        (ForwardMode::Never, vec!["2"]),
    ] {
        let mut home = sits_at_the_third();
        let step = home.desks[0].set(|policy| policy.forward = forward);
        assert!(shows(&step).is_empty());
        home.ask(1, "q1");
        home.wait(Span::minutes(20), true);
        assert_eq!(home.rang(), rang, "{forward:?}");
    }
}

#[test]
fn a_machine_of_which_nothing_tells_where_they_are_is_silent_while_they_are_seen_at_another() {
    let mut home = sits_at_the_third();
    home.reads(0, Presence::Unknown);
    home.ask(0, "q1");
    assert_eq!(home.rang(), ["2"]);
    home.reads(2, Presence::Locked);
    assert_eq!(
        home.rang(),
        ["0", "phone"],
        "seen at none: it rings where nobody can tell, too"
    );
}

#[test]
fn a_hub_that_goes_down_rings_for_what_is_asked_from_then_on_and_later_for_the_rest() {
    let mut home = sits_at_the_third();
    home.ask(0, "q1");
    assert_eq!(home.rang(), ["2"]);
    home.lose_hub();
    assert_eq!(home.rang(), NOBODY, "it has rung where they sit");
    home.ask(0, "q2");
    assert_eq!(
        home.rang(),
        ["0", "1", "2", "phone"],
        "nobody can tell who has heard of it"
    );
    home.wait(Span::seconds(45), false);
    assert_eq!(home.rang(), ["0", "1", "phone"]);
}

#[test]
fn a_hub_that_is_back_at_once_makes_no_noise_and_takes_nothing_away() {
    let mut home = sits_at_the_third();
    home.ask(0, "q1");
    home.rang();
    home.lose_hub();
    home.wait(Span::seconds(10), false);
    home.join();
    home.ask(1, "q2");
    assert_eq!(home.rang(), ["2"]);
    assert_eq!(home.withdrawn(), 0);
}

#[test]
fn without_a_hub_a_machine_is_alone_with_what_it_knows() {
    let mut home = sits_at_the_third();
    home.feed(0, Event::Seats(SeatNews::Left));
    home.ask(0, "q1");
    assert_eq!(home.rang(), ["0", "2", "phone"]);
    assert_eq!(home.desks[0].desk.view(START).seats, []);
}

#[test]
fn pretended_asks_and_those_of_a_beckon_that_is_not_at_the_hub_ring_as_without_one() {
    let mut home = sits_at_the_third();
    for source in ["demo", "self-test"] {
        let mut ask = single("q1");
        ask.id.source.0 = source.into();
        let step = home.desks[1].ask(ask);
        assert_eq!(shows(&step), [(Channel::Desktop, "q1", None)], "{source}");
    }
    let mut passed_on = single("q2");
    passed_on.session.via = vec!["stranger".into()];
    let step = home.desks[1].ask(passed_on);
    assert_eq!(shows(&step), [(Channel::Desktop, "q2", None)]);
    let mut member = single("q3");
    member.session.via = vec![node(0)];
    assert!(
        shows(&home.desks[1].ask(member)).is_empty(),
        "its owner shares it"
    );
}

#[test]
fn who_sat_at_another_machine_was_not_away_and_nothing_is_summed_up_for_them() {
    let mut home = sits_at_the_third();
    home.ask(2, "q1");
    home.ask(2, "q2");
    let step = home.feed(1, reading(Presence::Here, None));
    assert!(!has_digest(&step), "{:?}", step.effects);
    home.tell_of(1);
    home.reads(1, Presence::Locked);
    home.reads(2, Presence::Locked);
    home.ask(2, "q3");
    home.ask(2, "q4");
    let step = home.feed(1, reading(Presence::Here, None));
    assert!(has_digest(&step), "back from away, at another machine");
    home.tell_of(1);
    let step = home.feed(2, reading(Presence::Here, None));
    assert!(!has_digest(&step), "they were told there");
}

fn has_digest(step: &beckon_core::Step) -> bool {
    step.effects
        .iter()
        .any(|effect| matches!(effect, Effect::Digest { .. }))
}

#[test]
fn a_finished_turn_is_not_told_on_the_phone_of_who_sits_at_another_machine() {
    let mut home = sits_at_the_third();
    home.desks[0].set(|policy| policy.turns_away = true);
    let turn = || {
        let turn = FinishedTurn {
            session: Session::default(),
            took: Span::minutes(5),
            end: TurnEnd::Done,
        };
        SourceReport::Turn(turn)
    };
    let told = |step: &beckon_core::Step| match &step.effects[..] {
        [Effect::Tell { channel, .. }] => Some(*channel),
        _ => None,
    };
    assert_eq!(told(&home.desks[0].report(turn())), Some(Channel::Desktop));
    home.reads(2, Presence::Locked);
    assert_eq!(told(&home.desks[0].report(turn())), Some(Channel::Telegram));
}

#[test]
fn a_reminder_rings_where_they_sit_and_not_where_the_card_only_stands() {
    let mut home = sits_at_the_third();
    for machine in 0..3 {
        home.desks[machine].set(|policy| policy.remind_every = Some(Span::minutes(5)));
    }
    home.ask(0, "q1");
    home.reads(1, Presence::Here);
    home.reads(2, Presence::Locked);
    home.rang();
    home.wait(Span(285_000), true);
    let reminded: Vec<usize> = (0..3)
        .filter(|it| !reminders(&home.desks[*it].wait(Span::seconds(15))).is_empty())
        .collect();
    assert_eq!(reminded, [1]);
}
