//! Stories of a name that is given to another ask while the card of the former one is not gone yet.
//! There is one card of a name at a time, since a card is found again only by what is noted of it.

use crate::common::*;
use beckon_core::{
    Ask, Channel, ForwardMode, LeftoverCard, RowChange, SavedState, SourceReport, Span, Step,
};

const TELEGRAM: Channel = Channel::Telegram;

#[test]
fn an_ask_is_sent_when_the_message_of_the_former_one_of_its_name_has_its_end() {
    let mut story = ended();
    let step = story.ask(other_words());
    assert!(messages(&step).is_empty());
    assert!(!step.save.iter().any(|row| matches!(
        row,
        RowChange::Card {
            channel: TELEGRAM,
            ..
        }
    )));
    let step = story.withdrawn(TELEGRAM, "q1");
    let gone = RowChange::NoCard {
        ask: id("q1"),
        channel: TELEGRAM,
    };
    assert_eq!(step.save.first(), Some(&gone));
    assert_eq!(messages(&step), [("q1", None)], "and rings");
    let noted = story.sent_as("q1", "m2").save;
    let (serial, handle) = (Some(story.entry("q1").serial), Some("m2".into()));
    let row = RowChange::Card {
        ask: id("q1"),
        serial,
        channel: TELEGRAM,
        handle,
        closed: false,
    };
    assert_eq!(noted, [row]);
}

#[test]
fn a_message_whose_name_is_another_asks_is_found_again_after_a_restart() {
    let mut story = ended();
    let former = story.memory("q1").serial;
    story.ask(other_words());
    restart_with_leftover(&mut story, former);
    story.list(&[("q1", true)]);
    let step = story.feed(beckon_core::Event::ChannelUp(TELEGRAM));
    assert_eq!(withdraws(&step), [(TELEGRAM, "q1", Some("m1"))]);
    assert_eq!(
        endings(&step),
        [(TELEGRAM, None)],
        "nothing more is known of that one"
    );
    assert!(messages(&step).is_empty());
    assert_eq!(
        messages(&story.withdrawn(TELEGRAM, "q1")),
        [("q1", None)],
        "a message of its own"
    );
}

#[test]
fn an_ask_that_comes_back_takes_no_message_of_another_one_of_its_name() {
    let mut story = ended();
    story.ask(other_words());
    story.report(SourceReport::SessionGone {
        session: "ses".into(),
    });
    story.now = story.now + Span::seconds(5);
    assert!(messages(&story.ask(other_words())).is_empty());
    assert_eq!(messages(&story.withdrawn(TELEGRAM, "q1")), [("q1", None)]);
}

#[test]
fn how_an_ask_ended_is_not_written_on_the_message_of_another_one_of_its_name() {
    let mut story = ended();
    story.ask(other_words());
    assert!(inquires(&story.list(&[])));
    let answers = Some(vec![vec!["Green".into()]]);
    let step = story.report(SourceReport::Explained {
        own: "q1".into(),
        answers,
    });
    assert_eq!((settled(&step).len(), endings(&step)), (1, vec![]));
}

/// A channel that never comes back is not waited for without end.
#[test]
fn a_message_that_was_given_up_keeps_no_other_one_back() {
    let mut story = ended();
    story.ask(other_words());
    let step = story.wait(Span::minutes(31 * 24 * 60));
    assert_eq!(messages(&step), [("q1", None)]);
}

/// Returns a desk with a question that was sent, and answered at its source; its message does not
/// say so yet.
fn ended() -> Story {
    let mut story = Story::new();
    story.set(|policy| policy.forward = ForwardMode::Always);
    story.ask(single("q1"));
    story.sent_as("q1", "m1");
    assert_eq!(withdraws(&story.replied("q1", "Red")).len(), 2);
    story.withdrawn(Channel::Desktop, "q1");
    story
}

fn other_words() -> Ask {
    confirm("q1")
}

/// Restarts Beckon; the row of the former ask's message is still there.
fn restart_with_leftover(story: &mut Story, former: u64) {
    let (serial, handle) = (Some(former), Some("m1".into()));
    let leftover = vec![LeftoverCard {
        ask: id("q1"),
        channel: TELEGRAM,
        serial,
        handle,
    }];
    let entries = vec![stored(story.entry("q1"))];
    story.restart_with(SavedState {
        entries,
        leftover,
        ..SavedState::default()
    });
}

/// Returns the messages that are sent or redrawn.
fn messages(step: &Step) -> Vec<(&str, Option<&str>)> {
    let on_telegram = shows(step)
        .into_iter()
        .filter(|(channel, ..)| *channel == TELEGRAM);
    on_telegram
        .map(|(_, own, replaces)| (own, replaces))
        .collect()
}
