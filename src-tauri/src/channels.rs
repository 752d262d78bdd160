//! Where a human sees and answers asks.

pub mod desktop;
pub mod telegram;
