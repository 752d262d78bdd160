//! Tests of menus as they are handed over, and only the newest of them.

use super::lines::menu_item;
use super::*;
use crate::tray::menu::{MenuEntry, MenuLine};

fn item(label: &str, action: MenuAction) -> MenuLine {
    let label = label.to_owned();
    MenuLine::Item(MenuEntry {
        label,
        enabled: true,
        action: Some(action),
        ..MenuEntry::default()
    })
}

#[test]
fn an_underscore_in_a_label_stays_an_underscore() {
    let MenuItem::Standard(drawn) = menu_item(&item("my_dir", MenuAction::Quit)) else {
        panic!("a plain item");
    };
    assert_eq!(drawn.label, "my__dir");
}

#[test]
fn lines_of_which_one_holds_are_a_group_of_their_own() {
    let way = |label: &str, on| {
        MenuLine::Item(MenuEntry {
            label: label.into(),
            checked: Some(on),
            ..MenuEntry::default()
        })
    };
    let lines = [
        item("a", MenuAction::Quit),
        way("b_", false),
        way("c", true),
        MenuLine::Separator,
    ];
    let drawn = menu_items(&lines);
    let [
        MenuItem::Standard(_),
        MenuItem::RadioGroup(group),
        MenuItem::Separator,
    ] = &drawn[..]
    else {
        panic!("{drawn:?}");
    };
    assert_eq!(group.selected, 1);
    let labels: Vec<_> = group
        .options
        .iter()
        .map(|option| option.label.as_str())
        .collect();
    assert_eq!(labels, ["b__", "c"]);
}

#[test]
fn only_the_newest_of_several_drawings_is_drawn() {
    let (commands, inbox) = channel();
    for now in 1..=3 {
        let seen = TimedGlimpse {
            now: beckon_core::Timestamp(now),
            ..TimedGlimpse::nothing()
        };
        commands
            .send(TrayCommand::Draw(Box::new(seen)))
            .expect("the inbox lives");
    }
    let seen = next(&inbox, None, &TimedGlimpse::nothing()).expect("something to draw");
    assert_eq!(seen.now, beckon_core::Timestamp(3));
}
