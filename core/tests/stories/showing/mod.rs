//! Stories of cards and messages: when one is shown, redrawn, rung again and removed.

mod attention;
mod cards;
mod outage;
mod reminders;
mod same_name;
mod telegram;
