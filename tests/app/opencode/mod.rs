//! Tests of OpenCode's asks: how they come, how they are answered, and what may go wrong on the
//! way.

mod always;
mod answering;
mod arguments;
mod broken;
mod delivery;
mod elsewhere;
mod faults;
mod folders;
mod moving;
mod plugin;
mod proof;
mod reconnecting;
mod registering;
mod sessions;
mod stopped;
mod turns;
mod unread;
mod v2;
