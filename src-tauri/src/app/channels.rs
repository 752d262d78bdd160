//! Which room a channel of the decisions is.

use super::App;
use crate::channels::CardChannel;
use crate::platform::clock;
use beckon_core::Channel;

impl App {
    pub(super) fn channel(&mut self, channel: Channel) -> &mut dyn CardChannel {
        match channel {
            Channel::Desktop => &mut self.desktop,
            Channel::Telegram => &mut self.telegram,
        }
    }

    /// A few words from an agent, where the human is.
    pub(super) fn say(&mut self, title: &str, message: &str) -> Option<Channel> {
        let channel = self.desk.tells_on(clock::now())?;
        self.channel(channel).tell_message(title, message);
        Some(channel)
    }
}
