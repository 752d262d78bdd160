//! Tests of what people reported about other programs that do a part of our job. There is one file
//! for each report, named by its project and number: its head says what happened there, and the
//! test makes the input anew and checks what must hold here. CONTRIBUTING.md says when to add some.
//!
//! A report whose kind is already covered by the tests of the room that it is about is not here.

mod agents;
mod desktop;
mod keychain;
mod mcp;
mod settings;
mod streams;
mod telegram;
