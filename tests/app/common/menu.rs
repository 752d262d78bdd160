//! The tray's menu over D-Bus, as a panel sees it.

use crate::common::SOON;
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use std::collections::HashMap;
use zbus::blocking::{Connection, Proxy};
use zbus::zvariant::{OwnedValue, Structure, Value};

const MENU: &str = "com.canonical.dbusmenu";
const ITEM: &str = "org.kde.StatusNotifierItem";

pub(crate) struct Tray {
    connection: Connection,
    name: String,
}

impl Tray {
    /// Waits for the icon of that program on the bus.
    pub(crate) fn of(bus: &Bus, beckon: &Beckon) -> Self {
        let name = format!("org.kde.StatusNotifierItem-{}-1", beckon.pid().unwrap());
        bus.wait_for_name(&name);
        Self {
            connection: bus.connect(),
            name,
        }
    }

    pub(crate) fn menu(&self) -> Proxy<'_> {
        Proxy::new(&self.connection, self.name.as_str(), "/MenuBar", MENU).unwrap()
    }

    /// Returns the colour of the bell itself, as it is drawn for a panel of 22 pixels.
    pub(crate) fn tone(&self) -> [u8; 3] {
        let path = "/StatusNotifierItem";
        let item = Proxy::new(&self.connection, self.name.as_str(), path, ITEM).unwrap();
        let icons: Vec<(i32, i32, Vec<u8>)> = item.get_property("IconPixmap").unwrap();
        let (_, _, pixels) = icons.into_iter().find(|icon| icon.0 == 22).unwrap();
        // Opacity comes first; row 18, column 4 is inside the foot in every state.
        let at = (18 * 22 + 4) * 4;
        assert_eq!(pixels[at], 255);
        [pixels[at + 1], pixels[at + 2], pixels[at + 3]]
    }

    /// The sentence beside the pointer.
    pub(crate) fn tooltip(&self) -> String {
        let path = "/StatusNotifierItem";
        let item = Proxy::new(&self.connection, self.name.as_str(), path, ITEM).unwrap();
        let tip: ToolTip = item.get_property("ToolTip").unwrap();
        tip.2
    }

    /// Opens the menu, as a panel does.
    pub(crate) fn open(&self) {
        let _: bool = self.menu().call("AboutToShow", &0).unwrap();
    }

    /// Returns the menu's revision, which grows whenever its lines change.
    pub(crate) fn revision(&self) -> u32 {
        let layout = (0, 0, Vec::<&str>::new());
        let (revision, _): (u32, Line) = self.menu().call("GetLayout", &layout).unwrap();
        revision
    }

    /// Returns every line of the menu, submenus included, with its id.
    pub(crate) fn lines(&self) -> Vec<(i32, String)> {
        let layout = (0, -1, Vec::<&str>::new());
        let (_, root): (u32, Line) = self.menu().call("GetLayout", &layout).unwrap();
        let mut lines = Vec::new();
        collect(root, &mut lines);
        lines
    }

    pub(crate) async fn wait_for(&self, label: &str) -> i32 {
        eventually(&format!("{label} in the menu"), SOON, async || {
            self.lines()
                .into_iter()
                .find(|line| says(&line.1, label))
                .map(|line| line.0)
        })
        .await
    }

    /// Waits for the first line that begins so; returns the whole line.
    pub(crate) async fn wait_like(&self, beginning: &str) -> String {
        eventually(&format!("{beginning}… in the menu"), SOON, async || {
            let labels = self.lines().into_iter().map(|line| line.1);
            labels
                .into_iter()
                .find(|label| label.starts_with(beginning))
        })
        .await
    }

    pub(crate) async fn wait_gone(&self, label: &str) {
        eventually(&format!("{label} off the menu"), SOON, async || {
            self.lines()
                .iter()
                .all(|line| !says(&line.1, label))
                .then_some(())
        })
        .await;
    }

    /// Presses a line that is always there. The ids change when the menu is redrawn; a press on one
    /// that has gone is refused and does nothing, so the line is looked up again.
    pub(crate) async fn press(&self, label: &str) {
        eventually(&format!("{label} can be pressed"), SOON, async || {
            self.open();
            let (id, _) = self.lines().into_iter().find(|line| says(&line.1, label))?;
            let click = (id, "clicked", Value::from(0), 0u32);
            self.menu().call::<_, _, ()>("Event", &click).ok()
        })
        .await;
    }

    /// Opens the menu and clicks that line of it.
    pub(crate) fn click(&self, id: i32) {
        self.open();
        let click = (id, "clicked", Value::from(0), 0u32);
        self.menu().call::<_, _, ()>("Event", &click).unwrap();
    }
}

/// Tells whether the line has that text. The time for which an ask has waited may follow it.
fn says(line: &str, label: &str) -> bool {
    line == label
        || line
            .strip_prefix(label)
            .is_some_and(|rest| rest.starts_with(" · "))
}

/// An icon's name and its pictures, a title, a text.
type ToolTip = (String, Vec<(i32, i32, Vec<u8>)>, String, String);

type Line = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);

fn collect((id, properties, children): Line, lines: &mut Vec<(i32, String)>) {
    if let Some(label) = properties.get("label") {
        lines.push((id, String::try_from(label.clone()).unwrap()));
    }
    for child in children {
        let child = Structure::try_from(child).unwrap();
        collect(Value::from(child).try_into().unwrap(), lines);
    }
}
