//! The desktop: notifications and the tray, and whether somebody sits before it.

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
