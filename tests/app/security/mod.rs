//! Tests of what nobody else may read or say: secrets, the bot's token, other users of the machine.

mod secrets;
mod strangers;
mod token;
