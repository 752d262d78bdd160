//! The lines of the native menu. A menu in which only texts have changed is kept and gets the new
//! texts. A menu that is replaced while it is open would close, or a click would count for a line
//! that has gone.
//!
//! Not here: the texts of the lines (`menu.rs`).

use crate::tray::MenuAction;
use crate::tray::menu::{Menu as Plain, MenuEntry, MenuLine};
use anyhow::{Context, Result};
use std::collections::HashMap;
use tray_icon::TrayIcon;
use tray_icon::menu::{CheckMenuItem, IsMenuItem, Menu, MenuItem, PredefinedMenuItem, Submenu};

/// The menu as the system holds it.
#[derive(Default)]
pub(super) struct NativeMenu {
    lines: Vec<NativeLine>,
    /// The actions of the lines, of this menu and of the one before, which may still be open.
    meanings: [HashMap<String, MenuAction>; 2],
    generation: u64,
}

enum NativeLine {
    Separator(PredefinedMenuItem),
    Plain(MenuItem),
    Checked(CheckMenuItem),
    Opens(Submenu, Vec<Self>),
}

impl NativeMenu {
    /// Replaces the menu `before`, which is the present one.
    pub(super) fn show(&mut self, icon: &TrayIcon, before: &Plain, plain: &Plain) -> Result<()> {
        if !self.lines.is_empty() && plain.has_shape_of(before) {
            reword(&self.lines, &plain.lines);
            return Ok(());
        }
        icon.set_menu(Some(Box::new(self.build(plain)?)));
        Ok(())
    }

    /// Returns the action of the line with that id.
    pub(super) fn meaning(&self, id: &str) -> Option<MenuAction> {
        self.meanings
            .iter()
            .find_map(|meanings| meanings.get(id))
            .copied()
    }

    /// Builds a menu with new ids, so that a click in an older menu that is still open means what
    /// that menu said.
    fn build(&mut self, plain: &Plain) -> Result<Menu> {
        self.generation += 1;
        let mut builder = LineBuilder {
            generation: self.generation,
            meanings: HashMap::new(),
        };
        let menu = Menu::new();
        let lines: Result<Vec<_>> = plain.lines.iter().map(|line| builder.line(line)).collect();
        self.lines = lines?;
        for line in &self.lines {
            menu.append(line.item())
                .context("Failed to build the tray's menu")?;
        }
        self.meanings.swap(0, 1);
        self.meanings[0] = builder.meanings;
        Ok(menu)
    }
}

impl NativeLine {
    fn item(&self) -> &dyn IsMenuItem {
        match self {
            Self::Separator(line) => line,
            Self::Plain(line) => line,
            Self::Checked(line) => line,
            Self::Opens(line, _) => line,
        }
    }
}

/// Gives lines of the same structure their new texts.
fn reword(lines: &[NativeLine], plain: &[MenuLine]) {
    for (line, plain) in lines.iter().zip(plain) {
        let MenuLine::Item(entry) = plain else {
            continue;
        };
        let label = escaped(&entry.label);
        match line {
            NativeLine::Separator(_) => {}
            NativeLine::Plain(line) => line.set_text(label),
            NativeLine::Checked(line) => {
                line.set_text(label);
                line.set_checked(entry.checked == Some(true));
            }
            NativeLine::Opens(line, below) => {
                line.set_text(label);
                reword(below, &entry.children);
            }
        }
    }
}

struct LineBuilder {
    generation: u64,
    meanings: HashMap<String, MenuAction>,
}

impl LineBuilder {
    fn line(&mut self, line: &MenuLine) -> Result<NativeLine> {
        let entry = match line {
            MenuLine::Separator => {
                return Ok(NativeLine::Separator(PredefinedMenuItem::separator()));
            }
            MenuLine::Item(entry) => entry,
        };
        let MenuEntry {
            label,
            enabled,
            checked,
            action,
            children,
        } = entry;
        let label = escaped(label);
        if !children.is_empty() {
            let submenu = Submenu::new(label, *enabled);
            let below: Result<Vec<_>> = children.iter().map(|child| self.line(child)).collect();
            let below = below?;
            for child in &below {
                submenu
                    .append(child.item())
                    .context("Failed to build the tray's submenu")?;
            }
            return Ok(NativeLine::Opens(submenu, below));
        }
        let Some(action) = *action else {
            return Ok(NativeLine::Plain(MenuItem::new(label, *enabled, None)));
        };
        let id = format!("{}.{}", self.generation, self.meanings.len());
        self.meanings.insert(id.clone(), action);
        Ok(match *checked {
            Some(on) => NativeLine::Checked(CheckMenuItem::with_id(id, label, *enabled, on, None)),
            None => NativeLine::Plain(MenuItem::with_id(id, label, *enabled, None)),
        })
    }
}

/// Doubles ampersands, which mark an access key in this toolkit.
fn escaped(label: &str) -> String {
    label.replace('&', "&&")
}
