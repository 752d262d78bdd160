//! The desktop: notifications and the tray, and whether somebody sits before it.

mod bursts;
mod daemons;
mod places;
mod presence;
mod replies;
mod tray;
