//! Stories of lists, of asks that nobody waits for any more, and of how asks end at their source.

use crate::common::*;
use beckon_core::{
    Ask, AskContent, AskId, AskState, Attention, Channel, Effect, Event, News, Outcome, Session,
    SourceId, SourceListing, SourceReport, SourceState, Span, Surface,
};

#[test]
fn an_ask_from_before_beckon_started_is_found_by_the_first_list() {
    let mut story = Story::new();
    let step = story.list(&[("q1", true)]);
    assert_eq!(step.news, [News::Asked(id("q1"))]);
    assert_eq!(shows(&step), [(Channel::Desktop, "q1", None)]);
}

#[test]
fn an_ask_told_twice_is_one_ask() {
    let mut story = Story::asked();
    let again = story.ask(single("q1"));
    assert!(again.news.is_empty() && again.effects.is_empty());
    assert!(story.list(&[("q1", true)]).effects.is_empty());
    assert_eq!(story.desk.view(story.now).asks.len(), 1);
}

#[test]
fn an_ask_missing_from_the_list_is_gone_and_the_source_is_asked_what_happened() {
    let mut story = Story::asked();
    let step = story.list(&[]);
    assert_eq!(settled(&step), [&Outcome::Gone]);
    assert_eq!(withdraws(&step), [(Channel::Desktop, "q1", Some("h1"))]);
    assert!(inquires(&step));
}

#[test]
fn asks_of_directories_that_could_not_be_read_are_neither_confirmed_nor_missing() {
    let mut story = Story::asked();
    let unread = ["/home/me/shop".to_owned()].into();
    story.report(SourceReport::Listed(SourceListing {
        unread,
        ..SourceListing::default()
    }));
    assert!(story.is_open("q1"));
    let unread = ["/home/me/shop/".to_owned()].into();
    story.report(SourceReport::Listed(SourceListing {
        unread,
        ..SourceListing::default()
    }));
    assert_eq!(
        story.outcome("q1"),
        Outcome::Gone,
        "a directory is an opaque key"
    );
}

#[test]
fn the_list_of_one_source_says_nothing_about_another() {
    let mut story = Story::asked();
    story.report_of("other", SourceReport::Listed(SourceListing::default()));
    assert!(story.is_open("q1"));
}

#[test]
fn an_ended_ask_does_not_come_back_by_a_stale_list_or_frame() {
    let mut story = Story::asked();
    story.replied("q1", "Red");
    assert!(story.list(&[("q1", true)]).news.is_empty());
    assert!(story.ask(single("q1")).news.is_empty());
}

#[test]
fn a_false_drop_comes_back_with_its_old_serial() {
    let mut story = Story::asked();
    let serial = story.entry("q1").serial;
    story.list(&[]);
    story.now = story.now + Span::seconds(10);
    let step = story.list(&[("q1", true)]);
    assert_eq!(step.news, [News::Reopened(id("q1"))]);
    assert_eq!(shows(&step), [(Channel::Desktop, "q1", None)]);
    assert_eq!(story.entry("q1").serial, serial);
}

#[test]
fn a_false_drop_comes_back_with_the_answer_that_was_given() {
    let mut story = Story::asked();
    story.answer("q1", choose(2), Surface::Telegram);
    story.fails("q1");
    story.list(&[]);
    story.now = story.now + Span::seconds(10);
    let step = story.list(&[("q1", true)]);
    assert_eq!(deliveries(&step), [("q1", &choose(2))]);
    assert!(matches!(
        story.entry("q1").state,
        AskState::Answering {
            by: Surface::Telegram,
            ..
        }
    ));
    assert!(story.waiting().is_empty());
}

#[test]
fn a_list_that_may_be_older_than_the_end_brings_it_back_silently_until_the_next() {
    let mut story = Story::asked();
    story.report(SourceReport::SessionGone {
        session: "ses".into(),
    });
    let step = story.list(&[("q1", true)]);
    assert_eq!(step.news, [News::Reopened(id("q1"))]);
    assert!(shows(&step).is_empty() && story.waiting().is_empty());
    assert!(refreshes(&story.next().1));
    let step = story.list(&[("q1", true)]);
    assert_eq!(shows(&step), [(Channel::Desktop, "q1", None)]);
}

#[test]
fn an_ask_whose_frame_comes_after_a_foreign_end_is_not_lost() {
    let mut story = Story::new();
    story.list(&[("q1", true)]);
    story.report(SourceReport::Disposed {
        directory: Some("/home/me/shop".into()),
    });
    let step = story.ask(single("q1"));
    assert_eq!(step.news, [News::Reopened(id("q1"))]);
}

#[test]
fn a_quiet_session_stops_ringing_at_once_and_is_not_dropped() {
    let mut story = Story::asked();
    let step = quiet(&mut story);
    assert_eq!(withdraws(&step), [(Channel::Desktop, "q1", Some("h1"))]);
    assert!(story.is_open("q1") && story.waiting().is_empty());
}

#[test]
fn a_zombie_is_settled_when_it_is_seen_quiet_twice_three_seconds_apart() {
    let mut story = Story::asked();
    quiet(&mut story);
    story.now = story.now + Span::millis(2_900);
    story.list(&[("q1", false)]);
    assert!(story.is_open("q1"));
    let (_, step) = story.next();
    assert!(refreshes(&step));
    assert_eq!(settled(&story.list(&[("q1", false)])), [&Outcome::Gone]);
}

#[test]
fn several_quiet_signals_in_a_row_are_one() {
    let mut story = Story::asked();
    quiet(&mut story);
    story.wait(Span::seconds(4));
    assert!(settled(&quiet(&mut story)).is_empty());
    assert!(story.is_open("q1"));
}

#[test]
fn a_suspect_rings_again_when_its_session_is_busy_after_all() {
    let mut story = Story::asked();
    quiet(&mut story);
    assert!(refreshes(&story.next().1));
    let step = story.list(&[("q1", true)]);
    assert_eq!(shows(&step), [(Channel::Desktop, "q1", None)]);
    assert_eq!(story.waiting().len(), 1);
}

#[test]
fn a_list_that_may_be_older_than_the_silence_does_not_end_it() {
    let mut story = Story::asked();
    quiet(&mut story);
    story.now = story.now + Span::millis(500);
    assert!(shows(&story.list(&[("q1", true)])).is_empty());
    assert!(refreshes(&story.next().1));
}

#[test]
fn a_zombie_found_by_the_first_list_never_rings() {
    let mut story = Story::new();
    let step = story.list(&[("q1", false)]);
    assert!(step.effects.is_empty());
    story.next();
    story.list(&[("q1", false)]);
    assert_eq!(story.outcome("q1"), Outcome::Gone);
}

#[test]
fn a_settled_zombie_does_not_come_back_while_its_session_is_quiet() {
    let mut story = Story::new();
    story.list(&[("q1", false)]);
    story.next();
    story.list(&[("q1", false)]);
    story.now = story.now + Span::minutes(5);
    assert!(story.list(&[("q1", false)]).news.is_empty());
}

#[test]
fn an_answer_to_a_suspect_is_delivered_until_the_source_proves_an_end() {
    let mut story = Story::asked();
    quiet(&mut story);
    story.answer("q1", choose(0), Surface::Cli);
    story.fails("q1");
    story.now = story.now + Span::seconds(10);
    assert_eq!(
        deliveries(&story.list(&[("q1", false)])),
        [("q1", &choose(0))]
    );
    story.replied("q1", "Red");
    assert!(matches!(story.outcome("q1"), Outcome::Answered { .. }));
}

#[test]
fn only_the_asks_of_the_quiet_session_are_suspects() {
    let mut story = Story::asked();
    story.ask(of_session("q2", "other", "/home/me/shop"));
    quiet(&mut story);
    let waiting = story.waiting();
    assert_eq!(
        waiting
            .iter()
            .map(|ask| ask.name.as_str())
            .collect::<Vec<_>>(),
        ["q2"]
    );
}

#[test]
fn a_deleted_session_takes_its_asks_with_it() {
    let mut story = Story::asked();
    story.ask(of_session("q2", "other", "/home/me/shop"));
    let step = story.report(SourceReport::SessionGone {
        session: "ses".into(),
    });
    assert_eq!(settled(&step), [&Outcome::Gone]);
    assert!(story.is_open("q2") && !inquires(&step));
}

#[test]
fn a_disposed_directory_takes_its_asks_with_it_and_no_others() {
    let mut story = Story::asked();
    story.ask(of_session("q2", "other", "/home/me/shop/"));
    story.report(SourceReport::Disposed {
        directory: Some("/home/me/shop".into()),
    });
    assert_eq!(story.outcome("q1"), Outcome::Gone);
    assert!(story.is_open("q2"));
}

#[test]
fn a_disposed_server_takes_all_its_asks_with_it() {
    let mut story = Story::asked();
    story.ask(of_session("q2", "other", "/elsewhere"));
    story.ask(Ask {
        id: AskId::new("neighbour", "q3"),
        ..single("q3")
    });
    story.report(SourceReport::Disposed { directory: None });
    assert_eq!(
        story.desk.view(story.now).asks.len(),
        1,
        "the neighbour's stays"
    );
}

#[test]
fn a_source_that_is_no_longer_watched_takes_its_asks_with_it() {
    let mut story = Story::asked();
    let step = story.feed(Event::SourceRemoved(SourceId("local".into())));
    assert_eq!(settled(&step), [&Outcome::Gone]);
    assert_eq!(withdraws(&step).len(), 1);
    assert!(story.desk.view(story.now).sources.is_empty());
}

#[test]
fn a_source_that_is_watched_again_brings_its_asks_back() {
    let mut story = Story::asked();
    story.answer("q1", choose(1), Surface::Cli);
    story.feed(Event::SourceRemoved(SourceId("local".into())));
    story.now = story.now + Span::minutes(1);
    assert_eq!(
        deliveries(&story.list(&[("q1", true)])),
        [("q1", &choose(1))]
    );
}

#[test]
fn a_source_is_connecting_until_it_says_more_and_a_repetition_is_no_news() {
    let mut story = Story::asked();
    let state = |story: &Story| story.desk.view(story.now).sources[0].state.clone();
    assert_eq!(state(&story), SourceState::Connecting { error: None });
    let live = SourceState::Live {
        version: Some("1.18.33".into()),
    };
    let step = story.report(SourceReport::State(live.clone()));
    assert_eq!(step.news, [News::Source(SourceId("local".into()))]);
    assert!(
        story
            .report(SourceReport::State(live.clone()))
            .news
            .is_empty()
    );
    assert_eq!(state(&story), live);
}

#[test]
fn what_is_learned_of_a_session_is_saved_and_redrawn_once() {
    let mut story = Story::asked();
    let more = Session {
        id: "ses".into(),
        title: Some("Paint the shed".into()),
        directory: "ignored".into(),
        ..Session::default()
    };
    let step = story.report(SourceReport::Described(more.clone()));
    let update = |effect: &Effect| {
        matches!(
            effect,
            Effect::Update {
                channel: Channel::Desktop,
                ..
            }
        )
    };
    assert!(step.effects.iter().all(update) && step.effects.len() == 1);
    assert_eq!(saved_state(&step, "q1"), Some(AskState::Open));
    let session = &story.entry("q1").ask.session;
    assert_eq!(session.title.as_deref(), Some("Paint the shed"));
    assert_eq!(session.directory, "/home/me/shop");
    assert_eq!(
        story.report(SourceReport::Described(more)),
        beckon_core::Step::default()
    );
}

#[test]
fn two_suspects_of_one_source_need_one_fresh_list() {
    let mut story = Story::asked();
    story.ask(single("q2"));
    quiet(&mut story);
    let (_, step) = story.next();
    assert_eq!(step.effects, [Effect::Refresh(SourceId("local".into()))]);
}

fn quiet(story: &mut Story) -> beckon_core::Step {
    story.report(SourceReport::SessionQuiet {
        session: "ses".into(),
    })
}

fn of_session(own: &str, session: &str, directory: &str) -> Ask {
    let session = Session {
        id: session.into(),
        directory: directory.into(),
        ..Session::default()
    };
    Ask {
        session,
        ..single(own)
    }
}

/// The list contains other content under the name, and its session is quiet: a card would be
/// removed at once.
#[test]
fn what_is_asked_anew_by_a_session_that_does_not_wait_does_not_ring() {
    let mut story = Story::asked();
    let attention = Attention::Snoozed { until: None };
    story.feed(Event::Attend {
        ask: id("q1"),
        attention,
        seen: None,
    });
    story.withdrawn(Channel::Desktop, "q1");
    let mut other = single("q1");
    other.kind = AskContent::Confirm("Go on?".into());
    let asks = vec![(other.clone(), false)];
    let step = story.report(SourceReport::Listed(SourceListing {
        asks,
        ..SourceListing::default()
    }));
    assert_eq!((shows(&step), withdraws(&step)), (vec![], vec![]));
    story.now = story.now + Span::seconds(5);
    let asks = vec![(other, true)];
    let step = story.report(SourceReport::Listed(SourceListing {
        asks,
        ..SourceListing::default()
    }));
    assert_eq!(
        shows(&step),
        [(Channel::Desktop, "q1", None)],
        "now it waits"
    );
}
