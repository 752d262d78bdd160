//! Stories of the core through its public interface: each hands events to a desk, moves its clock
//! by hand, and looks at what follows. Random lives are in `model`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    unreachable_pub
)]

mod amounts;
mod answering;
mod calls;
mod clock;
mod common;
mod hub;
mod identity;
mod lease;
mod leaving;
mod looking;
mod memory;
mod names;
mod presence;
mod purposes;
mod right_place;
mod risks;
mod showing;
mod sources;
mod team;
mod updates;
mod visible;
