//! What people reported of other programs that do a part of our job, tried here. One file for each report,
//! named by its project and number: what happened there in our words, the input made anew, and what must
//! hold here. CONTRIBUTING.md says when to add some.
//!
//! Not here: reports whose kind stands among the tests of the room that it is about.

mod agents;
mod desktop;
mod keychain;
mod mcp;
mod settings;
mod streams;
mod telegram;
