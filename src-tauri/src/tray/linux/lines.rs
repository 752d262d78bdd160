//! The lines of the menu as ksni hands them to the panel.
//!
//! Not here: what they say (`menu.rs`).

use super::TrayItem;
use crate::tray::menu::{MenuAction, MenuEntry, MenuLine};
use ksni::MenuItem;
use ksni::menu::{RadioGroup, RadioItem, StandardItem, SubMenu};

/// Returns an invisible line whose shape changes with `odd`. ksni keeps the ids of menu lines while
/// the shape of the menu stays, so a click in a menu that a panel still shows could reach another
/// ask that has taken the place of the one clicked. A new shape makes ksni forget the old ids.
pub(super) fn mark(odd: bool) -> MenuItem<TrayItem> {
    let inside = || {
        StandardItem {
            visible: false,
            ..StandardItem::default()
        }
        .into()
    };
    let submenu = odd.then(inside).into_iter().collect();
    SubMenu {
        visible: false,
        submenu,
        ..SubMenu::default()
    }
    .into()
}

pub(super) fn menu_items(lines: &[MenuLine]) -> Vec<MenuItem<TrayItem>> {
    let runs = lines.chunk_by(|one, next| one_of_several(one) && one_of_several(next));
    let drawn = |run: &[MenuLine]| {
        if run.first().is_some_and(one_of_several) {
            vec![radio_group(run)]
        } else {
            run.iter().map(menu_item).collect()
        }
    };
    runs.flat_map(drawn).collect()
}

fn one_of_several(line: &MenuLine) -> bool {
    matches!(
        line,
        MenuLine::Item(MenuEntry {
            checked: Some(_),
            ..
        })
    )
}

fn radio_group(lines: &[MenuLine]) -> MenuItem<TrayItem> {
    let items = lines.iter().filter_map(|line| match line {
        MenuLine::Item(item) => Some(item),
        MenuLine::Separator => None,
    });
    let selected = items.clone().position(|item| item.checked == Some(true));
    let actions: Vec<Option<MenuAction>> = items.clone().map(|item| item.action).collect();
    let options = items.map(|item| {
        let (label, enabled) = (escaped(&item.label), item.enabled);
        RadioItem {
            label,
            enabled,
            ..RadioItem::default()
        }
    });
    let select = Box::new(move |icon: &mut TrayItem, pressed: usize| {
        if let Some(Some(action)) = actions.get(pressed) {
            icon.press(*action);
        }
    });
    RadioGroup {
        selected: selected.unwrap_or(usize::MAX),
        select,
        options: options.collect(),
    }
    .into()
}

/// Doubles underscores, which the menu protocol takes for the mark of an access key.
fn escaped(label: &str) -> String {
    label.replace('_', "__")
}

pub(super) fn menu_item(line: &MenuLine) -> MenuItem<TrayItem> {
    let item = match line {
        MenuLine::Separator => return MenuItem::Separator,
        MenuLine::Item(item) => item,
    };
    let MenuEntry {
        label,
        enabled,
        action,
        children,
        checked: _,
    } = item;
    let (label, enabled, action) = (escaped(label), *enabled, *action);
    let activate = Box::new(move |icon: &mut TrayItem| {
        if let Some(action) = action {
            icon.press(action);
        }
    });
    if !children.is_empty() {
        let submenu = menu_items(children);
        return SubMenu {
            label,
            enabled,
            submenu,
            ..SubMenu::default()
        }
        .into();
    }
    StandardItem {
        label,
        enabled,
        activate,
        ..StandardItem::default()
    }
    .into()
}
