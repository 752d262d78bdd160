//! A menu that is looked at while requests come and go.

use super::*;
use crate::tray::menu::{MenuAction, MenuEntry, MenuLine};

fn menu(lines: &[(&str, MenuAction)]) -> Menu {
    let entry = |(label, action): &(&str, MenuAction)| {
        MenuLine::Item(MenuEntry {
            label: (*label).to_owned(),
            enabled: true,
            action: Some(*action),
            ..MenuEntry::default()
        })
    };
    Menu {
        lines: lines.iter().map(entry).collect(),
    }
}

fn busy(age: &str) -> Menu {
    menu(&[
        (age, MenuAction::Open(1)),
        ("Settings…", MenuAction::OpenSettings),
        ("Quit", MenuAction::Quit),
    ])
}

fn calm() -> Menu {
    menu(&[
        ("Settings…", MenuAction::OpenSettings),
        ("Quit", MenuAction::Quit),
    ])
}

const MOMENT: Duration = Duration::from_millis(10);

#[test]
fn lines_of_an_open_menu_stay_and_change_when_it_is_opened_again() {
    let start = Instant::now();
    let mut held = HeldMenu::new(busy("1 min"));
    held.open(busy("1 min"), start);
    held.draw(calm(), start + MOMENT);
    assert_eq!(held.shown(), &busy("1 min"));
    assert!(
        held.press(start + MOMENT),
        "it was aimed at what stands there"
    );

    held.open(busy("2 min"), start + AIMED * 2);
    held.draw(calm(), start + AIMED * 2);
    held.open(calm(), start + AIMED * 3);
    assert_eq!(held.shown(), &calm());
}

#[test]
fn words_of_an_open_menu_change_at_once() {
    let start = Instant::now();
    let mut held = HeldMenu::new(busy("1 min"));
    held.open(busy("1 min"), start);
    held.draw(busy("2 min"), start + MOMENT);
    assert_eq!(held.shown(), &busy("2 min"));
    assert!(!held.is_odd(), "its lines are the same");
}

#[test]
fn what_came_and_went_while_a_menu_was_open_leaves_it_as_it_is() {
    let start = Instant::now();
    let mut held = HeldMenu::new(calm());
    held.open(calm(), start);
    held.draw(busy("1 min"), start + MOMENT);
    held.draw(calm(), start + MOMENT * 2);
    assert_eq!(held.waits(start + MOMENT * 3), None);
    assert!(held.press(start + MOMENT * 3));
    assert_eq!(held.shown(), &calm());
}

#[test]
fn a_press_lets_the_lines_move() {
    let start = Instant::now();
    let mut held = HeldMenu::new(busy("1 min"));
    held.open(busy("1 min"), start);
    held.draw(calm(), start + MOMENT);
    held.press(start + MOMENT * 2);
    assert_eq!(held.shown(), &calm());
    assert!(held.is_odd());
}

#[test]
fn a_menu_of_which_nobody_says_that_it_was_closed_changes_in_the_end() {
    let start = Instant::now();
    let mut held = HeldMenu::new(busy("1 min"));
    held.open(busy("1 min"), start);
    held.draw(calm(), start + MOMENT);
    assert_eq!(held.waits(start + MOMENT), Some(OPEN - MOMENT));
    held.draw(calm(), start + OPEN);
    assert_eq!(held.shown(), &calm());
}

#[test]
fn a_click_that_was_aimed_before_the_lines_moved_does_nothing() {
    let start = Instant::now();
    let mut held = HeldMenu::new(busy("1 min"));
    held.draw(calm(), start);
    assert!(!held.press(start + AIMED - MOMENT));
    assert!(held.press(start + AIMED));
    held.draw(busy("1 min"), start + AIMED);
    held.open(busy("1 min"), start + AIMED + MOMENT);
    assert!(
        held.press(start + AIMED + MOMENT * 2),
        "whoever opens it sees them where they are"
    );
}
