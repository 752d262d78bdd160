//! Tests of answers on Telegram: who may give them, in which chat, by which words, and what happens
//! to them in a crash.

mod answering;
mod caution;
mod chats;
mod crashes;
mod gone;
mod lists;
mod looks;
mod outages;
mod proxy;
mod replies;
mod setup;
mod strangers;
mod together;
mod troubles;
mod writing;
