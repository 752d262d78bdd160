//! Tests of a card's formatting: bold, quotes and coloured buttons, and what is left of them where
//! a server does not accept them.

use crate::common::phone::{Outing, data};
use crate::common::{DIRECTORY, SESSION, SOON, yes_or_no};
use beckon_support::replay::{Kind, permission};
use beckon_support::telegram::{Action, EntityKind, Fault, Message, Method};

async fn asked_to_run(outing: &Outing, id: &str, command: &str) -> Message {
    outing
        .stage
        .replay
        .ask(
            Kind::Permission,
            DIRECTORY,
            permission(id, SESSION, command),
        )
        .await;
    outing.phone.card(command).await
}

/// Returns the parts of the text that are shown in that way.
fn parts(message: &Message, kind: &EntityKind) -> Vec<String> {
    let units: Vec<u16> = message.text.encode_utf16().collect();
    let of_kind = message
        .entities
        .iter()
        .filter(|entity| entity.kind == *kind);
    let part = |(at, length): (usize, usize)| String::from_utf16(&units[at..at + length]).unwrap();
    of_kind
        .map(|entity| part((entity.offset, entity.length)))
        .collect()
}

fn styles(message: &Message) -> Vec<Vec<Option<&str>>> {
    let rows = message.keyboard().iter();
    rows.map(|row| row.iter().map(|button| button.style.as_deref()).collect())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_bold_where_it_asks_and_folded_once_it_is_answered() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Which *db* <b>&amp;</b> _why_?").await;
    assert_eq!(
        parts(&card, &EntityKind::Bold),
        ["Which *db* <b>&amp;</b> _why_?"]
    );
    outing.phone.tap(card.id, "Yes").await;
    let ended = outing.phone.ended(card.id, "✅ Yes · by you").await;
    assert_eq!(parts(&ended, &EntityKind::Bold), ["Yes"]);
    assert_eq!(
        parts(&ended, &EntityKind::ExpandableBlockquote).len(),
        1,
        "{:?}",
        ended.entities
    );
    assert!(
        ended
            .text
            .lines()
            .nth(1)
            .unwrap()
            .contains("Which *db* <b>&amp;</b> _why_?")
    );
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn allow_is_not_green_beside_a_danger_and_the_command_can_be_copied_where_it_asks_again() {
    let outing = Outing::start().await;
    let card = asked_to_run(&outing, "per_1", "rm -rf build").await;
    assert_eq!(styles(&card)[0], [None, Some("danger")]);
    assert!(card.keyboard().len() <= 2, "{:?}", card.labels());
    outing.phone.tap(card.id, "Allow once…").await;
    let sure = outing.phone.shows(card.id, "Allow this once?").await;
    let copies = sure
        .keyboard()
        .iter()
        .flatten()
        .find_map(|button| match &button.action {
            Action::Copy(text) => Some(text.clone()),
            _ => None,
        });
    assert_eq!(copies.as_deref(), Some("rm -rf build"));
    outing.phone.tap(card.id, "Yes, allow once").await;
    outing
        .phone
        .ended(card.id, "✅ Allowed once · by you")
        .await;
    outing.nothing_left().await;
}

/// The server checks its fields more strictly than the official one.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_refuses_colours_gets_the_card_without_them_and_is_asked_once() {
    let outing = Outing::start().await;
    let odd = Fault::BadRequest("can't parse inline keyboard button: unknown field \"style\"");
    outing.phone.telegram.fail(Method::SendMessage, 1, odd);
    let card = asked_to_run(&outing, "per_1", "make").await;
    assert_eq!(styles(&card)[0], [None, None]);
    assert_eq!(
        parts(&card, &EntityKind::Bold).len(),
        1,
        "the markup is left"
    );
    let next = asked_to_run(&outing, "per_2", "make test").await;
    assert_eq!(styles(&next)[0], [None, None]);
    let sends = outing.phone.telegram.calls_of(Method::SendMessage);
    let coloured = sends
        .iter()
        .filter(|call| call.param("reply_markup").contains("success"));
    assert_eq!(coloured.count(), 1);
    for card in [card, next] {
        outing.phone.tap(card.id, "Allow once").await;
        outing.phone.ended(card.id, "✅ Allowed once").await;
    }
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_whose_markup_is_refused_comes_as_plain_words_and_works() {
    let outing = Outing::start().await;
    let odd = Fault::BadRequest("can't parse entities: Unsupported start tag \"blockquote\"");
    outing.phone.telegram.fail(Method::SendMessage, 1, odd);
    outing.begin("que_1", "Plain?").await;
    let card = outing.phone.card("Plain?").await;
    assert!(
        card.entities.is_empty() && !card.text.contains("<b>"),
        "{}",
        card.text
    );
    outing.phone.tap(card.id, "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.nothing_left().await;
}

/// A card by an earlier Beckon is in the chat: its buttons answer, and it ends like any other.
#[tokio::test(flavor = "multi_thread")]
async fn a_card_of_an_earlier_version_is_answered_and_ends_in_the_new_look() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "From before?").await;
    let yes = data(&card, "Yes");
    assert_eq!(
        yes.split('.').count(),
        4,
        "seal, serial, fingerprint, tap: {yes}"
    );
    outing.restart().await;
    outing
        .phone
        .telegram
        .tap_data(outing.phone.user, outing.phone.chat, card.id, &yes);
    outing.stage.answered_once("que_1", "Yes").await;
    outing.phone.ended(card.id, "✅ Yes").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_title_is_shown_for_what_it_is_and_costs_no_card() {
    let outing = Outing::start().await;
    let hostile = format!("</b><a href=\"x\">\u{202e}{}", "🦀".repeat(3_000));
    outing.begin_with(yes_or_no("que_1", &hostile)).await;
    let card = outing.phone.card("⟨U+202E⟩").await;
    assert!(card.text.encode_utf16().count() <= 4_096);
    assert!(parts(&card, &EntityKind::Bold)[0].starts_with("</b><a href=\"x\">⟨U+202E⟩🦀"));
    outing.phone.telegram.wait_confirmed(SOON).await;
    outing.phone.tap(card.id, "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.phone.ended(card.id, "✅ Yes").await;
    outing.nothing_left().await;
}
