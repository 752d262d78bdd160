//! Tests of the desktop: notifications, the tray, and whether the human is at the screen.

mod absence;
mod bursts;
mod buttons;
mod crowd;
mod daemons;
mod double_click;
mod logins;
mod places;
mod presence;
mod replies;
mod sessions;
mod tray;
