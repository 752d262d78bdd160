//! Tests of what the icon and the sentence beside the pointer say.

use super::*;
use beckon_core::Card;

fn tooltip(view: &DeskView) -> String {
    glimpse(view).tooltip(&Texts::load("en"), &TimeZone::UTC, NOW)
}

fn confirm(serial: u64) -> AskView {
    ask(serial, AskContent::Confirm("Go?".into()))
}

/// The human is away, and their phone can be reached.
fn away(asks: Vec<AskView>) -> DeskView {
    let mut view = view(asks);
    view.presence.away = true;
    view.channels = vec![Channel::Telegram];
    view
}

#[test]
fn the_tooltip_counts_who_waits_and_says_how_long_at_most() {
    let mut view = view(vec![]);
    assert_eq!(tooltip(&view), "Beckon: nobody is waiting");
    view.asks = vec![confirm(7)];
    assert_eq!(tooltip(&view), "Beckon: 1 waiting, 4 min");
    view.asks.push(ask(8, AskContent::Confirm("Go?".into())));
    view.asks[1].entry.ask.asked_at = NOW + seconds(-7_200);
    assert_eq!(tooltip(&view), "Beckon: 2 waiting, longest 2 h");
    assert_eq!(icon(&view), IconState::Waiting(2));
}

#[test]
fn without_a_connected_agent_nobody_is_said_to_wait_or_not() {
    let mut view = away(vec![]);
    view.sources[0].state = SourceState::Unauthorized;
    assert_eq!(tooltip(&view), "Beckon: no agents connected");
    assert_eq!(icon(&view), IconState::NoSource);
    view.paused_until = Some(NOW + seconds(1_800));
    assert_eq!(
        tooltip(&view),
        "Beckon: paused until 09:23, no agents connected"
    );
}

#[test]
fn on_the_phone_is_only_what_has_a_card_there() {
    let mut view = away(vec![confirm(7), confirm(8)]);
    assert_eq!(icon(&view), IconState::Forwarding);
    assert_eq!(tooltip(&view), "Beckon: you're away, 2 waiting");
    for ask in &mut view.asks {
        ask.entry.cards.insert(Channel::Telegram, Card::default());
    }
    assert_eq!(
        tooltip(&view),
        "Beckon: you're away, 2 waiting on your phone"
    );
    view.asks.clear();
    assert_eq!(tooltip(&view), "Beckon: you're away, nobody is waiting");
    view.channels.clear();
    assert_eq!(
        tooltip(&view),
        "Beckon: nobody is waiting",
        "no phone is told"
    );
}

#[test]
fn a_pause_is_seen_at_the_icon_and_beside_it_whoever_waits() {
    let mut view = away(vec![]);
    view.paused_until = Some(NOW + seconds(1_800));
    assert_eq!(icon(&view), IconState::Paused);
    assert_eq!(tooltip(&view), "Beckon: paused until 09:23");
    view.asks = vec![confirm(7)];
    assert_eq!(icon(&view), IconState::Paused);
    assert_eq!(tooltip(&view), "Beckon: paused until 09:23, 1 waiting");
}

#[test]
fn each_language_says_each_of_it_in_its_own_words() {
    let chinese =
        |view: &DeskView| glimpse(view).tooltip(&Texts::load("zh-CN"), &TimeZone::UTC, NOW);
    assert_eq!(
        chinese(&view(vec![confirm(7)])),
        "Beckon：1 个在等，已等 4 分钟"
    );
    assert_eq!(
        chinese(&view(vec![confirm(7), confirm(8)])),
        "Beckon：2 个在等，最久 4 分钟"
    );
    assert_eq!(
        chinese(&away(vec![confirm(7)])),
        "Beckon：你已离开，1 个在等"
    );
    assert_eq!(chinese(&away(vec![])), "Beckon：你已离开，没有智能体在等");
    let paused = DeskView {
        paused_until: Some(NOW + seconds(1_800)),
        ..view(vec![confirm(7)])
    };
    assert_eq!(chinese(&paused), "Beckon：提醒已暂停，09:23 恢复，1 个在等");
}

#[test]
fn what_keeps_the_phone_from_ringing_stands_in_the_menu_and_beside_the_pointer() {
    let notice = "Telegram accepts nothing for Ada until 09:23".to_owned();
    let view = away(vec![confirm(7)]);
    let snapshot = glimpse(&view).with_notices(vec![notice.clone()]);
    let texts = Texts::load("en");
    let tooltip = snapshot.tooltip(&texts, &TimeZone::UTC, NOW);
    assert!(tooltip.ends_with(&format!("\n{notice}")), "{tooltip}");
    let menu = snapshot.menu(&texts, &TimeZone::UTC, NOW);
    let says = |line: &MenuLine| matches!(line, MenuLine::Item(entry) if notice.starts_with(entry.label.trim_end_matches('…')) && !entry.label.is_empty());
    assert!(menu.lines.iter().any(says), "{menu:?}");
}
