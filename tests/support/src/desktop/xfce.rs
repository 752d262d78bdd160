//! Control of xfce4-notifyd. Buttons are found on the screen: our theme paints them, and the one
//! below the pointer, in colours that nothing else has. The record of notifications is the daemon's
//! own log.

use std::fs;
use std::process::Command;
use std::time::Duration;

use super::Desktop;
use super::daemons::{Button, Received};
use super::hand::{Place, Screen};
use crate::eventually_blocking;

const PROGRAM: &str = "/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd";
const CLASS: &str = "xfce4-notifyd";
const LOG: &str = ".cache/xfce4/notifyd/log";
const SOON: Duration = Duration::from_secs(15);
/// The pause before a press: a person who has pressed one notification needs longer than this to
/// read the next one and to aim at it.
const AIMED_AFTER: Duration = Duration::from_millis(700);

const BUTTON: [u8; 3] = [0xff, 0x00, 0xff];
const POINTED_AT: [u8; 3] = [0x00, 0xff, 0x00];
/// The theme in which buttons are found. It leaves gaps between them, since these must be seen, and
/// switches transitions off, since a colour that fades in would be a third one.
const THEME: &str = "
button { background: #ff00ff; border: none; box-shadow: none; margin: 0 6px; transition: none; }
button:hover { background: #00ff00; }
";
const SETTINGS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-notifyd" version="1.0">
  <property name="theme" type="string" value="Tested"/>
  <property name="initial-opacity" type="double" value="1.0"/>
  <property name="do-fadeout" type="bool" value="false"/>
  <property name="notification-log" type="bool" value="true"/>
  <property name="log-level" type="uint" value="1"/>
  <property name="log-level-apps" type="uint" value="0"/>
</channel>
"#;

pub(super) fn prepare(desktop: &mut Desktop) -> Command {
    let home = desktop.home();
    let theme = home.join(".themes/Tested/xfce-notify-4.0");
    fs::create_dir_all(&theme).unwrap();
    fs::write(theme.join("gtk.css"), THEME).unwrap();
    desktop.write_settings("xfce4-notifyd.xml", SETTINGS);
    // The daemon would append to the log of an earlier one.
    let _ = fs::remove_file(home.join(LOG));
    desktop.start_settings();
    desktop.command(PROGRAM)
}

pub(super) fn received(desktop: &Desktop) -> Vec<Received> {
    let log = fs::read_to_string(desktop.home().join(LOG)).unwrap_or_default();
    log.split("\n[").filter_map(entry).collect()
}

pub(super) fn standing(desktop: &Desktop) -> usize {
    desktop.windows("--class", CLASS).len()
}

/// Presses a button. Popups move when another one goes, and are redrawn when their text changes, so
/// the pointer is moved to the button again and again until the button at that place is painted as
/// the one pointed at.
pub(super) fn press(desktop: &Desktop, on: &Received, button: &Button) {
    std::thread::sleep(AIMED_AFTER);
    let position = on.buttons.iter().position(|other| other == button);
    let position = position.expect("a button of that notification");
    let mut pointed = None;
    eventually_blocking(&format!("the pointer on {button:?}"), SOON, || {
        let row = row_of(desktop, on.buttons.len())?;
        let spot = row.spots[position];
        if pointed == Some(spot) && row.screen.at(spot) == POINTED_AT {
            return Some(());
        }
        desktop.point(spot);
        pointed = Some(spot);
        None
    });
    desktop.click_here();
}

pub(super) fn put_away(desktop: &Desktop) {
    for place in desktop.places("--class", CLASS) {
        desktop.point((place.x + 4, place.y + 4));
        desktop.click_here();
    }
}

pub(super) fn do_not_disturb(desktop: &Desktop, on: bool) {
    let mut settings = desktop.command("xfconf-query");
    settings.args([
        "--channel",
        CLASS,
        "--property",
        "/do-not-disturb",
        "--create",
    ]);
    settings.args(["--type", "bool", "--set", if on { "true" } else { "false" }]);
    assert!(
        settings.status().unwrap().success(),
        "failed to set do-not-disturb"
    );
}

/// The buttons of a popup, as they are on the screen at one moment.
struct Row {
    screen: Screen,
    /// A position without letters on each button.
    spots: Vec<(i32, i32)>,
}

/// Returns the only popup that has this number of buttons; `None` unless there is exactly one.
fn row_of(desktop: &Desktop, buttons: usize) -> Option<Row> {
    let places = desktop.places("--class", CLASS);
    let screen = desktop.screen();
    let rows = places.iter().map(|place| spots(&screen, place));
    let mut fitting = rows.filter(|spots| spots.len() == buttons);
    let spots = fitting.next()?;
    fitting.next().is_none().then_some(Row { screen, spots })
}

/// Finds the buttons, which stand side by side: each run of columns that has a button's colour is
/// one.
fn spots(screen: &Screen, place: &Place) -> Vec<(i32, i32)> {
    let painted = |spot| matches!(screen.at(spot), BUTTON | POINTED_AT);
    let rows = place.y..place.y + place.height;
    let tops = |x: i32| rows.clone().find(|y| painted((x, *y)));
    let columns: Vec<i32> = (place.x..place.x + place.width)
        .filter(|x| tops(*x).is_some())
        .collect();
    let runs = columns.chunk_by(|left, right| left + 1 == *right);
    let middle = |run: &[i32]| run[run.len() / 2];
    runs.filter_map(|run| Some((middle(run), tops(middle(run))? + 3)))
        .collect()
}

/// Parses a section of a key file, whose values escape line breaks.
fn entry(text: &str) -> Option<Received> {
    let value = |name: &str| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        line.map(|value| value.replace("\\n", "\n").replace("\\s", " "))
    };
    let button = |n: usize| {
        let (key, label) = (format!("action-id-{n}"), format!("action-label-{n}"));
        Some(Button {
            key: value(&key)?,
            label: value(&label)?,
        })
    };
    let buttons = (0..).map_while(button).collect();
    Some(Received {
        title: value("summary")?,
        body: value("body")?,
        buttons,
        id: None,
    })
}
