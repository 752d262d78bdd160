//! Cards and messages: when one is shown, drawn anew, rung again and taken away.

mod attention;
mod cards;
mod outage;
mod reminders;
mod same_name;
mod telegram;
