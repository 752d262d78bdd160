//! Telegram: asks as cards in a chat.

pub mod button;
pub mod card;
pub mod words;
