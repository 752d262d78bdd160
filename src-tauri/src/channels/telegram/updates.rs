//! The updates that come in from Telegram: the long poll, an update as Beckon reads it, and what it
//! leads to.
//!
//! Not here: the data of a button (`button.rs`), and who is paired (`pairing`).

pub(super) mod bot_command;
pub(super) mod dispatch;
pub(super) mod edits;
pub(super) mod long_texts;
pub(super) mod parsing;
pub(super) mod poll;
pub(super) mod presence;
pub(super) mod probe;
mod reactions;
mod seen;
pub(super) mod sent_text;
pub(super) mod unsaved;
pub(super) mod update;
pub(super) mod writers;
